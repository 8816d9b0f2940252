"""Two or more models on the same rows: difference of a measure, its interval and a test, from the rows' influences.

Both models are wrong about the same rows, so the variance of the difference is that of the difference of two
influences, row by row; summed within clusters, and weighted, by the same covariance that every standard error comes
from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import OptionError
from rocsolid.inference import limits as lim
from rocsolid.inference.covariance import Scatter
from rocsolid.inference.mover import difference_limits
from rocsolid.inference.multiplicity import ADJUSTMENTS, adjusted
from rocsolid.inference.tails import ALTERNATIVES, ONE, UNKNOWN, PValue, p_value
from rocsolid.options import check_choice, check_level
from rocsolid.regression.estimates import estimate
from rocsolid.regression.intervals import closed_forms, participation
from rocsolid.regression.measures import REGISTRY, RegressionRequest, find
from rocsolid.regression.results import RegressionComparison, RegressionComparisons, RegressionEstimate
from rocsolid.regression.sample import Sample, read_samples
from rocsolid.results import Interval, Note

Floats = npt.NDArray[np.float64]

METHODS = ("auto", "mover", "wald-t")
ROUNDING = 1e-12
"""Differences of influences that are no further apart, relative to the influences, are one number, rounded."""
CAUTION = 0.5
"""Rows by which a correlation of two estimates is shrunk, beside those that make up the errors: it is seen on few."""
FEW = 10.0
"""So few effective rows can hardly show a difference."""

IDENTICAL = Note(
    "identical",
    "no row tells the models apart: difference 0",
    "没有任何一行能区分两个模型：差为 0",
)
NO_VARIATION = Note(
    "no-variation",
    "no p value: the difference is the same in every row",
    "没有 p 值：每一行的差值都相同",
)
NO_LIMITS = Note(
    "no-interval",
    "no interval of the difference: the models have none by default, since few large errors may decide; by name "
    "method='mover' or method='wald-t'",
    "差值没有区间：少数很大的误差可能起决定作用，两个模型默认都没有区间；可指定 method='mover' 或 method='wald-t'",
)
NO_LIMITS_HERE = Note(
    "no-interval",
    "no interval of the difference: one of the models has none here, such as one without any error",
    "差值没有区间：其中一个模型在此没有区间，例如没有任何误差的模型",
)
SINGLE = Note(
    "single-row",
    "no p value and no interval: a single row (or cluster) shows no variation",
    "没有 p 值与区间：只有一行（或一个群），看不到变化",
)


def compare(
    y_true: Any,
    y_pred: Mapping[str, Any],
    *,
    measure: object = "mean_absolute_error",
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    method: str = "auto",
    alternative: str = "two-sided",
    adjust: str = "holm",
    confidence_level: float = 0.95,
) -> RegressionComparison | RegressionComparisons:
    """Compare models on the same rows: difference of a measure, first less second, with interval and t test.

    Parameters
    ----------
    y_true : (n,) outcomes.
    y_pred : mapping from a model's name to its (n,) predictions, at least two.
    measure : any smooth measure: ``"mean_squared_error"``, ``"root_mean_squared_error"``, ``"mean_absolute_error"``,
        ``"mean_absolute_percentage_error"``, ``"pinball_loss(alpha=...)"``, ``"r2_score"``, ``"explained_variance"``,
        ``"concordance_index"``.
    sample_weight : (n,) sampling weights, finite and >= 0; a row of weight 0 is absent.
    cluster : (n,) labels: rows of one cluster may depend on each other.
    missing : ``"raise"``, or ``"drop"`` to leave out rows that lack anything; they are counted.
    method : how the interval is made; the test is the same. ``"auto"`` joins the default intervals of both models
        (MOVER), so that there is one where they have one: of mean absolute error and concordance. ``"mover"`` joins
        those by name, log-t; ``"wald-t"`` is the difference -+ t standard errors, the interval that the test inverts.
    alternative : ``"two-sided"``, ``"greater"`` (the first is larger) or ``"less"``.
    adjust : of more than two models: ``"holm"``, ``"bonferroni"`` or ``"none"``.
    confidence_level : level of the intervals.

    Returns
    -------
    RegressionComparison; of more than two models RegressionComparisons, all pairs in the order given.

    Raises
    ------
    OptionError, UnknownNameError
        For fewer than two models, a measure without influences, and bad options.
    UndefinedMeasureError
        If a model has no value.
    InputError
        One of its kinds, if the data can not be used as they are.

    Notes
    -----
    The joined interval is MOVER's (Zou & Donner 2008, Statistics in Medicine 27:1693-1702) with a correlation shrunk by
    half a row; it and the t test are different statistics, and in small samples may disagree about 0.

    O(k n + k^2 n) for k models, with concordance O(k n log n). The t test has n - 1 degrees of freedom, with weights
    Kish's effective number less one, with clusters their number less one; for mean losses it is the paired t test
    (Student 1908, Biometrika 6:1-25), exactly. Size and coverage as simulated: docs/explanation/regression.md.

    Examples
    --------
    Squared errors 1 4 1 0 and 4 4 9 1: differences -3 0 -8 -1, mean -3, standard deviation sqrt(38 / 3).

    >>> models = {"a": [1, 2, 1, 0], "b": [2, 2, 3, 1]}
    >>> found = compare([0, 0, 0, 0], models, measure="mean_squared_error")
    >>> found.difference, round(found.std_error, 6), round(found.statistic, 6), found.df
    (-3.0, 1.779513, -1.685854, 3.0)
    """
    request, level = find(measure), check_level(confidence_level)
    check_choice("method", method, METHODS)
    check_choice("alternative", alternative, ALTERNATIVES)
    check_choice("adjust", adjust, ADJUSTMENTS)
    if alternative != "two-sided" and level <= 0.5:
        raise OptionError("confidence_level", level, "above 0.5 for a one-sided interval", "confidence_level=0.95")
    if not isinstance(y_pred, Mapping) or not 2 <= len(y_pred) == len({str(name) for name in y_pred}):
        expected = "a mapping from at least two names, different as text, to predictions"
        raise OptionError("y_pred", type(y_pred).__name__, expected, "{'a': p1, 'b': p2}")
    if request.measure.influence is None:
        smooth = ", ".join(name for name, entry in REGISTRY.items() if entry.influence is not None)
        raise OptionError("measure", request.spec, f"a smooth measure: {smooth}", "measure='mean_absolute_error'")
    given = {f"y_pred[{name!r}]": values for name, values in y_pred.items()}
    samples = list(read_samples(y_true, given, sample_weight=sample_weight, cluster=cluster, missing=missing).values())
    names = [str(name) for name in y_pred]
    found = [
        estimate(request, sample, confidence_level=level, name=name)
        for sample, name in zip(samples, names, strict=True)
    ]
    joint = Joint(request, samples, Terms(method, alternative, level))
    rows = [joint.row(found, pair) for pair in combinations(range(len(names)), 2)]
    if len(rows) == 1:
        return rows[0]
    ps = adjusted([row.pvalue for row in rows], adjust)
    return RegressionComparisons(
        rows=tuple(replace(row, adjusted_pvalue=p) for row, p in zip(rows, ps, strict=True)),
        estimates=tuple(found),
        adjust=adjust,
    )


@dataclass(frozen=True, slots=True)
class Terms:
    """How models are compared."""

    method: str
    alternative: str
    level: float

    @property
    def two_sided(self) -> float:
        """Level of the two-sided interval one limit of which is the one-sided limit asked for."""
        return self.level if self.alternative == "two-sided" else 2 * self.level - 1


class Joint:
    """Influences of the same rows on a measure of several models."""

    def __init__(self, request: RegressionRequest, samples: Sequence[Sample], terms: Terms) -> None:
        influence, first = request.measure.influence, samples[0]
        assert influence is not None
        self.request, self.samples, self.terms = request, samples, terms
        psi = np.stack([influence(sample, request.options) for sample in samples])
        everyone = np.ones(first.n, np.bool_)
        self.scatter = Scatter.of(psi, everyone, weight=first.weight, cluster=first.cluster)
        self.covariance = self.scatter.covariance()
        self.rounding = ROUNDING * float(np.abs(self.scatter.pos).max())

    def row(self, found: Sequence[RegressionEstimate], pair: tuple[int, int]) -> RegressionComparison:
        """Compare two of the models."""
        a, b = pair
        difference, df = found[a].value - found[b].value, self.samples[0].units - 1
        apart = self.scatter.difference(a, b)
        same = float(np.abs(apart.pos).max()) <= self.rounding
        se = math.nan if df <= 0 else 0.0 if same else math.sqrt(float(apart.covariance()[0, 0]))
        p, notes = self._test(pair, difference, se, df)
        tested = se > 0
        limits = self._limits(found, pair, difference, se, df)
        interval = None if limits is None else Interval(
            low=limits[0], high=limits[1], confidence_level=self.terms.level,
            method="wald-t" if self.terms.method == "wald-t" else "mover",
        )  # fmt: skip
        if tested and (nu := participation(np.abs(apart.pos[0]))) < FEW:
            notes = (*notes, _few(nu))
        return RegressionComparison(
            measure=self.request.spec, names=(str(found[a].name), str(found[b].name)), difference=difference,
            interval=interval, statistic=difference / se if tested else None, df=df if tested else None, pvalue=p.p,
            log10_pvalue=p.log10, alternative=self.terms.alternative, std_error=None if math.isnan(se) else se,
            correlation=self._correlation(pair), estimates=(found[a], found[b]),
            notes=notes if interval is not None or math.isnan(se) else (*notes, *self._why(found[a])),
        )  # fmt: skip

    def _why(self, first: RegressionEstimate) -> tuple[Note, ...]:
        """Why there is no interval, if the notes on the test do not say so."""
        if self.terms.method == "wald-t":
            return ()
        return (NO_LIMITS,) if self.terms.method == "auto" and first.method == "none" else (NO_LIMITS_HERE,)

    def _correlation(self, pair: tuple[int, int]) -> float:
        a, b = pair
        own = math.sqrt(float(self.covariance[a, a] * self.covariance[b, b]))
        return min(1.0, max(-1.0, float(self.covariance[a, b]) / own)) if own > 0 else 0.0

    def _test(self, pair: tuple[int, int], difference: float, se: float, df: float) -> tuple[PValue, tuple[Note, ...]]:
        a, b = (self.samples[i].p for i in pair)
        if np.array_equal(a, b):
            return ONE, (IDENTICAL,)
        if math.isnan(se):
            return UNKNOWN, (SINGLE,)
        if se == 0:
            return (ONE, (IDENTICAL,)) if difference == 0 else (UNKNOWN, (NO_VARIATION,))
        return p_value(difference / se, df, self.terms.alternative), ()

    def _limits(
        self, found: Sequence[RegressionEstimate], pair: tuple[int, int], difference: float, se: float, df: float
    ) -> lim.Limits | None:
        """Limits of the difference, the one that a one-sided alternative leaves open infinite."""
        if math.isnan(se):
            return None
        level = self.terms.two_sided
        if self.terms.method == "wald-t":
            limits = lim.wald(difference, se, lim.t_quantile(df, level)) if se > 0 else None
        else:
            limits = self._joined(found, pair, level)
        if limits is None:
            return None
        open_at = self.terms.alternative
        return -math.inf if open_at == "less" else limits[0], math.inf if open_at == "greater" else limits[1]

    def _joined(self, found: Sequence[RegressionEstimate], pair: tuple[int, int], level: float) -> lim.Limits | None:
        """Join the limits of both models: by default methods, or by the first that has any where that is asked for."""
        named = next(name for name in closed_forms(self.request, self.samples[0]) if name != "none")
        method = named if self.terms.method == "mover" else str(found[pair[0]].method)
        own = [estimate(self.request, self.samples[i], method=method, confidence_level=level) for i in pair]
        first, second = (one.interval for one in own)
        if first is None or second is None:
            return None
        nu = min(one.details["effective_error_rows"] for one in own)
        rho = self._correlation(pair)
        cautious = rho * nu / (nu + CAUTION) if rho > 0 else rho
        both = (first.low, first.high), (second.low, second.high)
        return difference_limits(own[0].value, own[1].value, *both, cautious)


def _few(nu: float) -> Note:
    return Note(
        "few-rows-decide",
        f"about {nu:.1f} rows make up the difference: interval and p value rest on few",
        f"差值主要由约 {nu:.1f} 行决定：区间与 p 值所依据的行很少",
    )
