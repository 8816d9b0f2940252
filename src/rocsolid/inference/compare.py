"""Comparison of models: difference, interval and test; two models, or all pairs of several.

The interval joins those of the two models (MOVER), so that it does not collapse where both models separate the sample;
the p value comes from the difference over its standard error. They are different statistics, and in small samples they
may disagree about 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from rocsolid.comparisons import Comparison, Comparisons, Omnibus
from rocsolid.errors import OptionError, UndefinedMeasureError
from rocsolid.inference import effective_error as ee
from rocsolid.inference import limits as lim
from rocsolid.inference.areas import delong
from rocsolid.inference.contrast import Contrast, Panel, Subject, panel, unpaired
from rocsolid.inference.estimates import estimate
from rocsolid.inference.mover import difference_limits
from rocsolid.inference.multiplicity import ADJUSTMENTS, adjusted
from rocsolid.inference.pairing import common_rows
from rocsolid.inference.remarks import dropped_rows
from rocsolid.inference.seeds import Resampling, resampling
from rocsolid.inference.tails import ALTERNATIVES, ONE, UNKNOWN, PValue, chi_square_tail, p_value
from rocsolid.measures.ranking import AVERAGE_PRECISION
from rocsolid.measures.registry import Request
from rocsolid.options import Margins, check_choice, check_level, check_number
from rocsolid.results import Estimate, Interval, Note

FEW_APART = 10
"""So many rows that tell two models apart can hardly show a difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How models are compared."""

    method: str
    paired: bool
    alternative: str
    margin: float | None
    level: float
    margins: Margins
    draws: Resampling | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two models and what is known about both."""

    request: Request
    subjects: tuple[Subject, Subject]
    estimates: tuple[Estimate, Estimate]
    contrast: Contrast
    terms: Terms

    @property
    def se(self) -> float:
        """Standard error of the difference."""
        return math.sqrt(self.contrast.variance)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test gives."""

    statistic: float | None
    df: float | None
    p: PValue
    limits: lim.Limits | None
    interval_method: str
    notes: tuple[Note, ...] = ()
    details: dict[str, float] | None = None


def check_terms(
    *, method: str, paired: bool, alternative: str, margin: object, confidence_level: object, margins: Margins,
    n_resamples: object, rng: object,
) -> Terms:  # fmt: skip
    """Check the options of a comparison.

    Raises
    ------
    OptionError, UnknownNameError
        For a bad or ineffective option.
    """
    name = next(iter(METHODS)) if method == "auto" else check_choice("method", method, ("auto", *METHODS))
    check_choice("alternative", alternative, ALTERNATIVES)
    if not isinstance(paired, bool):
        raise OptionError("paired", paired, "True or False", "paired=True")
    drawn = name in RESAMPLING
    for option, value in (("n_resamples", n_resamples), ("rng", rng)):
        if value is not None and not drawn:
            raise OptionError(
                option, value, f"left out for method {method!r}, which draws nothing", "method='bootstrap'"
            )
    if margin is not None:
        number = check_number("margin", margin)
        if not (math.isfinite(number) and number > 0):
            raise OptionError("margin", margin, "a number above 0", "margin=0.02")
        if name in ("permutation", "venkatraman"):
            raise OptionError(
                "margin", margin, f"left out for method {method!r}, whose null is no difference", "method='auto'"
            )
    return Terms(
        method=name, paired=paired, alternative=alternative, margin=None if margin is None else float(number),
        level=check_level(confidence_level), margins=margins, draws=resampling(n_resamples, rng) if drawn else None,
    )  # fmt: skip


def compare(
    request: Request, subjects: Sequence[Subject], terms: Terms, adjust: str = "holm"
) -> Comparison | Comparisons:
    """Compare two models, or all pairs of more.

    Raises
    ------
    OptionError
        With fewer than two models, or a measure without a gradient.
    UndefinedMeasureError
        If a model has no (finite) value.
    """
    check_choice("adjust", adjust, ADJUSTMENTS)
    if len(subjects) < 2:
        raise OptionError("models", [s.name for s in subjects], "two models or more", "{'a': s1, 'b': s2}")
    if request.measure.gradient is None:
        raise OptionError("measure", request.spec, "a measure with a standard error", "measure='roc_auc'")
    if terms.method == "delong" and request.measure.name != "roc_auc":
        raise OptionError("method", "delong", f"one that suits {request.spec}: DeLong's is of ROC-AUC", "method='auto'")
    dropped = 0
    if terms.paired:
        subjects, dropped = common_rows(subjects)
    found = [_estimate(request, subject, terms) for subject in subjects]
    joint = panel(request, subjects, [e.value for e in found], terms.margins) if terms.paired else None
    rows = [_pair(request, subjects, found, joint, pair, terms) for pair in combinations(range(len(subjects)), 2)]
    if dropped:
        rows = [replace(row, notes=(*row.notes, dropped_rows(dropped))) for row in rows]
    if len(subjects) == 2:
        return rows[0]
    ps = adjusted([row.pvalue for row in rows], adjust)
    return Comparisons(
        rows=tuple(replace(row, adjusted_pvalue=p, details=dict(row.details)) for row, p in zip(rows, ps, strict=True)),
        omnibus=None if joint is None else _omnibus(joint, [e.value for e in found], terms),
        estimates=tuple(found),
        adjust=adjust,
    )


def _estimate(request: Request, subject: Subject, terms: Terms) -> Estimate:
    found = estimate(request, subject.sweep, confidence_level=terms.level, margins=terms.margins, rows=subject.rows)
    if not math.isfinite(found.value):
        reason = f"it is {found.value} for model {subject.name!r}, and infinite values have no difference"
        raise UndefinedMeasureError(request.spec, reason)
    return replace(found, name=subject.name, details=dict(found.details))


def _pair(
    request: Request, subjects: Sequence[Subject], found: Sequence[Estimate], joint: Panel | None,
    pair: tuple[int, int], terms: Terms,
) -> Comparison:  # fmt: skip
    a, b = pair
    both, values = (subjects[a], subjects[b]), (found[a].value, found[b].value)
    contrast = unpaired(request, *both, values, terms.margins) if joint is None else joint.contrast(a, b)
    case = Pair(request, both, (found[a], found[b]), contrast, terms)
    verdict = METHODS[terms.method](case)
    interval = None
    if verdict.limits is not None:
        low, high = _within_range(verdict.limits, case)
        interval = Interval(low=low, high=high, confidence_level=terms.level, method=verdict.interval_method)
    return Comparison(
        measure=request.spec, names=(both[0].name, both[1].name), difference=contrast.difference, interval=interval,
        statistic=verdict.statistic, df=verdict.df, pvalue=verdict.p.p, log10_pvalue=verdict.p.log10,
        method=terms.method, alternative=terms.alternative, margin=terms.margin, paired=terms.paired,
        std_error=None if math.isnan(contrast.variance) else case.se, estimates=case.estimates,
        correlation=contrast.rho if terms.paired else None, details=verdict.details or {},
        notes=(*verdict.notes, *_remarks(case)),
    )  # fmt: skip


def _within_range(limits: lim.Limits, case: Pair) -> lim.Limits:
    """One-sided alternatives have one limit; nothing lies beyond the largest difference that there can be."""
    low, high = case.request.measure.range
    widest = high - low
    first, last = max(limits[0], -widest), min(limits[1], widest)
    if case.terms.alternative == "greater":
        last = widest
    elif case.terms.alternative == "less":
        first = -widest
    return min(first, case.contrast.difference), max(last, case.contrast.difference)


def two_sided_level(terms: Terms) -> float:
    """Level of the two-sided interval one limit of which is the one-sided limit asked for."""
    return terms.level if terms.alternative == "two-sided" else 2 * terms.level - 1


# ---------------------------------------------------------------------------------------------------- tests


def test_of(case: Pair, se: float, df: float | None) -> tuple[float | None, PValue, tuple[Note, ...]]:
    """Refer the difference over its standard error to Student's t (``df=None``: to the normal distribution)."""
    d, margin, alternative = case.contrast.difference, case.terms.margin, case.terms.alternative
    if math.isnan(se):
        return None, UNKNOWN, (SINGLE,)
    if se == 0:
        return None, *_without_spread(d, margin)
    if margin is None:
        return d / se, p_value(d / se, df, alternative), ()
    above, below = p_value((d + margin) / se, df, "greater"), p_value((d - margin) / se, df, "less")
    if alternative == "two-sided":
        return d / se, max(above, below, key=lambda p: p.p), ()
    side = (d + margin) / se if alternative == "greater" else (d - margin) / se
    return side, above if alternative == "greater" else below, ()


def _without_spread(d: float, margin: float | None) -> tuple[PValue, tuple[Note, ...]]:
    """No row tells the models apart: nothing speaks for a difference, and everything for less than a margin."""
    if d:
        return UNKNOWN, (NO_SPREAD,)
    return (ONE if margin is None else PValue(0.0, -math.inf)), (IDENTICAL,)


def _mover(case: Pair) -> lim.Limits | None:
    """Limits of the difference from those of both models at the level that is needed."""
    each = [_single(case, subject, found) for subject, found in zip(case.subjects, case.estimates, strict=True)]
    if each[0] is None or each[1] is None:
        return None
    a, b = (found.value for found in case.estimates)
    return difference_limits(a, b, each[0], each[1], case.contrast.rho)


def _single(case: Pair, subject: Subject, found: Estimate) -> lim.Limits | None:
    level = two_sided_level(case.terms)
    if level <= 0:
        raise OptionError(
            "confidence_level", case.terms.level, "above 0.5 for a one-sided interval", "confidence_level=0.95"
        )
    entry, rows = case.request.measure, subject.rows
    if entry is AVERAGE_PRECISION and (rows is None or rows.cluster is None):
        assert entry.gradient is not None
        gradient = entry.gradient(subject.sweep, case.request.options)
        rows_seen = ee.precision_rows(subject.sweep)
        return ee.ap_limits(
            found.value, rows_seen, gradient, subject.sweep, case.terms.margins, level, ee.AP_DIFFERENCE_PRIOR
        )
    if level != case.terms.level:
        found = estimate(case.request, subject.sweep, confidence_level=level, margins=case.terms.margins, rows=rows)
    return None if found.interval is None else (found.interval.low, found.interval.high)


def _auto(case: Pair) -> Verdict:
    statistic, p, notes = test_of(case, case.se, case.contrast.df)
    return Verdict(statistic, case.contrast.df if statistic is not None else None, p, _mover(case), "mover", notes)


def _wald(case: Pair) -> Verdict:
    """z test and Wald interval from the influence functions; for ROC-AUC this is DeLong's test."""
    return _by_error(case, case.se, None)


def _delong(case: Pair) -> Verdict:
    """DeLong's z for paired models; for others Student's t with degrees of freedom over the two samples."""
    if case.terms.paired:
        return _wald(case)
    variances = [delong(subject.sweep).total for subject in case.subjects]
    sizes = [subject.sweep.n_pos + subject.sweep.n_neg for subject in case.subjects]
    below = sum(v * v / (n - 1) for v, n in zip(variances, sizes, strict=True))
    return _by_error(case, case.se, sum(variances) ** 2 / below if below > 0 else float(sum(sizes) - 2))


def _hanley_mcneil(case: Pair) -> Verdict:
    """Standard errors from the areas and sizes alone (1982), joined by the correlation of the areas (1983)."""
    if case.request.measure.name != "roc_auc":
        raise OptionError(
            "method", "hanley-mcneil", "one that suits every measure: this is of ROC-AUC", "method='auto'"
        )
    sizes = [subject.sweep.sizes for subject in case.subjects]
    a, b = (
        lim.hanley_mcneil_se(found.value, size.n_pos, size.n_neg)
        for found, size in zip(case.estimates, sizes, strict=True)
    )
    r = case.contrast.rho
    return _by_error(case, math.sqrt(max(a * a + b * b - 2 * r * a * b, 0.0)), None)


def _by_error(case: Pair, se: float, df: float | None) -> Verdict:
    statistic, p, notes = test_of(case, se, df)
    level = two_sided_level(case.terms)
    quantile = lim.normal_quantile(level) if df is None else lim.t_quantile(df, level)
    limits = None if math.isnan(se) else lim.wald(case.contrast.difference, se, quantile)
    return Verdict(statistic, df if statistic is not None else None, p, limits, "wald", notes)


Test = Callable[[Pair], Verdict]
RESAMPLING = ("bootstrap", "permutation", "venkatraman")
METHODS: dict[str, Test] = {
    "influence-t": _auto,
    "influence": _wald,
    "delong": _delong,
    "hanley-mcneil": _hanley_mcneil,
}
"""Tests by name; the first one is ``auto``."""


def _omnibus(joint: Panel, values: Sequence[float], terms: Terms) -> Omnibus | None:
    """Wald's chi-square that all values are alike; for ROC-AUC that of DeLong, DeLong & Clarke-Pearson 1988."""
    c = joint.matrix()
    if np.isnan(c).any():
        return None
    k = len(values)
    contrasts = np.column_stack([np.ones(k - 1), -np.eye(k - 1)])
    d, spread = contrasts @ np.asarray(values), contrasts @ c @ contrasts.T
    rank = int(np.linalg.matrix_rank(spread, hermitian=True)) if spread.any() else 0
    statistic = float(d @ np.linalg.pinv(spread, hermitian=True) @ d) if rank else 0.0
    p = chi_square_tail(statistic, rank)
    return Omnibus(statistic=statistic, df=rank, pvalue=p.p, log10_pvalue=p.log10, method="wald")


# --------------------------------------------------------------------------------------------------- remarks

IDENTICAL = Note(
    "identical",
    "no row tells the models apart: difference 0",
    "没有任何一行能区分两个模型：差为 0",
)
NO_SPREAD = Note(
    "no-variation",
    "no p value: the difference shows no variation in this sample; method='permutation' may have one",
    "没有 p 值：该样本中差值没有变化；method='permutation' 可能有 p 值",
)
SINGLE = Note(
    "single-row",
    "no p value: a class with a single row (or cluster) shows no variation",
    "没有 p 值：某一类只有一行（或一个群），看不到变化",
)
BOTH_PERFECT = Note(
    "both-perfect",
    "both models reach the best possible value: the sample can not tell them apart",
    "两个模型都达到了可能的最优值：该样本无法区分它们",
)
UNPAIRED = Note(
    "unpaired",
    "taken as two independent samples",
    "视为两个独立样本",
)


def _remarks(case: Pair) -> tuple[Note, ...]:
    notes = [] if case.terms.paired else [UNPAIRED]
    entry, apart = case.request.measure, case.contrast.rows_apart
    best = entry.range[1] if entry.better == "higher" else entry.range[0]
    if all(found.value == best for found in case.estimates):
        notes.append(BOTH_PERFECT)
    elif apart is not None and 0 < apart < FEW_APART:
        notes.append(
            Note(
                "low-power",
                f"only {apart} row{'s' if apart != 1 else ''} tell the models apart: hardly any difference could be shown",
                f"只有 {apart} 行能区分两个模型：几乎不可能显示出差异",
            )
        )
    seen = {
        note.code: note for found in case.estimates for note in found.notes if note.code in ("few-rows", "few-scores")
    }
    return (*notes, *seen.values())
