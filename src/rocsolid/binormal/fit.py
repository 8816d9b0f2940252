"""Binormal models fitted to data: by maximum likelihood, or by a line through the ROC points on normal deviates."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.binormal.likelihood import Likely, maximise, probabilities
from rocsolid.binormal.model import Binormal
from rocsolid.binormal.smooth import SmoothRoc, points_of
from rocsolid.curves.points import need
from rocsolid.errors import NotAvailableError, UndefinedMeasureError
from rocsolid.inference.limits import t_quantile
from rocsolid.measures import find
from rocsolid.measures.registry import compute, number
from rocsolid.options import check_choice, check_level
from rocsolid.results import Interval, Note, Sizes, format_interval
from rocsolid.sweep import Sweep
from rocsolid.text import format_number

Floats = npt.NDArray[np.float64]

GROUPS = 10
EXPECTED = 5.0
STEEP = 100.0
"""A slope beyond this, or below its inverse, is a curve of two straight lines."""


@dataclass(frozen=True, slots=True)
class Goodness:
    """Pearson's test of fit on grouped scores.

    Attributes
    ----------
    statistic, df, pvalue : of the chi-square test.
    n_groups : ordered groups of scores, to which the model was fitted for this test.
    smallest_expected : the smallest expected count; below 5 the p value is rough.
    """

    statistic: float
    df: int
    pvalue: float
    n_groups: int
    smallest_expected: float


@dataclass(frozen=True, slots=True, repr=False)
class BinormalFit(Binormal):
    """A binormal model fitted to data, with how sure its parameters are.

    Attributes
    ----------
    method : ``"ml"`` or ``"regression"``.
    covariance : ((var a, cov), (cov, var b)), from the expected information; ``None`` for a regression.
    std_error : standard error of the AUC, ``None`` for a regression.
    interval : confidence interval of the AUC under the model, symmetric on normal deviates; ``None`` for a regression.
    log_likelihood : maximum over a, b and all cuts, each distinct score a category; ``None`` for a regression.
    goodness : test of fit, ``None`` with fewer than four groups of scores.
    n_categories : distinct scores.
    sizes, pos_label, notes : rows per class, the positive label, remarks.
    """

    method: str = "ml"
    covariance: tuple[tuple[float, float], tuple[float, float]] | None = None
    std_error: float | None = None
    interval: Interval | None = None
    log_likelihood: float | None = None
    goodness: Goodness | None = None
    n_categories: int = 0
    sizes: Sizes = field(default_factory=lambda: Sizes(n_pos=0, n_neg=0))
    pos_label: object = None
    notes: tuple[Note, ...] = ()

    def roc(self) -> SmoothRoc:
        """Draw the fitted ROC curve: points from (0, 0) to (1, 1)."""
        drawn = points_of(self.tpr, self.fpr, self.auc, "binormal")
        return SmoothRoc(
            fpr=drawn.fpr, tpr=drawn.tpr, roc_auc=self.auc, method="binormal", sizes=self.sizes,
            pos_label=self.pos_label, notes=self.notes,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        interval, goodness = self.interval, self.goodness
        covariance = None if self.covariance is None else [list(row) for row in self.covariance]
        return {
            **Binormal.to_dict(self), "method": self.method, "covariance": covariance, "std_error": self.std_error,
            "low": None if interval is None else interval.low, "high": None if interval is None else interval.high,
            "confidence_level": None if interval is None else interval.confidence_level,
            "log_likelihood": self.log_likelihood, "n_categories": self.n_categories,
            "goodness": None if goodness is None else {k: getattr(goodness, k) for k in Goodness.__slots__},
            "n_pos": self.sizes.n_pos, "n_neg": self.sizes.n_neg, "notes": [note.en for note in self.notes],
        }  # fmt: skip

    def __repr__(self) -> str:
        """One line: parameters, area with its interval, sizes."""
        a, b, area = map(format_number, (self.a, self.b, self.auc))
        if self.interval is not None:
            area += f" {format_interval(self.interval)} {self.interval.confidence_level:.4g} CI"
        return f"<binormal ({self.method}) a={a} b={b}: AUC {area}; {self.sizes}; positive: {self.pos_label!r}>"


def fit_rows(
    y_true: Any,
    y_score: Any,
    *,
    method: str,
    pos_label: object,
    higher_is_positive: bool,
    missing: str,
    confidence_level: float,
) -> BinormalFit:
    """Fit the model to labels and scores; see :meth:`Binormal.fit`."""
    sweep = Sweep.from_arrays(
        y_true, y_score, pos_label=pos_label, higher_is_positive=higher_is_positive, missing=missing
    )
    return fit_sweep(sweep, method, confidence_level)


def fit_sweep(sweep: Sweep, method: str = "ml", confidence_level: float = 0.95) -> BinormalFit:
    """Fit the model to a sweep; each distinct score is a category. O(k) a step.

    Neighbouring scores of which all rows are of one class are one category: the cuts between them are free, and so
    move neither maximum nor estimates (Metz, Herman & Shen 1998, Statistics in Medicine 17:1033-1053).

    Raises
    ------
    UndefinedMeasureError
        If a class is missing, or no binormal curve fits best.
    NotAvailableError
        For weighted rows.

    Examples
    --------
    Two points inside the square are fitted exactly: Phi^-1 of (.1, .5) and (.5, .9) gives a = b = 1.2816, both ways.

    >>> sweep = Sweep.from_counts([3, 2, 1], pos=[50, 40, 10], neg=[10, 40, 50])
    >>> one, two = fit_sweep(sweep), fit_sweep(sweep, "regression")
    >>> [round(v, 6) for v in (one.a, one.b, two.a, two.b)]
    [1.281552, 1.0, 1.281552, 1.0]
    """
    check_choice("method", method, ("ml", "regression"))
    level = check_level(confidence_level)
    need(sweep, "binormal fit", "positives", "negatives")
    if sweep.weights is not None:
        raise NotAvailableError("a binormal fit of weighted rows", "leave the weights out")
    return _by_likelihood(sweep, level) if method == "ml" else _by_regression(sweep)


# ----------------------------------------------------------------------------------------------- likelihood


def _by_likelihood(sweep: Sweep, level: float) -> BinormalFit:
    pos, neg = _runs(sweep)
    _refuse_degenerate(pos, neg)
    found = _fitted(sweep, pos, neg)
    if found is None:
        raise _degenerate("the likelihood keeps growing towards a curve of two straight lines")
    goodness = _goodness(sweep)
    root = math.hypot(1, found.b)
    slope = np.array([1 / root, -found.a * found.b / root**3])  # of a / sqrt(1 + b^2)
    spread = math.sqrt(float(slope @ found.covariance @ slope))
    model = Binormal(found.a, found.b)
    density = math.exp(-((found.a / root) ** 2) / 2) / math.sqrt(2 * math.pi)
    rough = goodness is not None and goodness.smallest_expected < EXPECTED
    (aa, ab), (_, bb) = found.covariance.tolist()
    return BinormalFit(
        found.a,
        found.b,
        method="ml",
        covariance=((aa, ab), (ab, bb)),
        std_error=density * spread,
        interval=_interval(model, spread, min(sweep.n_pos, sweep.n_neg) - 1, level),
        log_likelihood=found.log_likelihood + _within_runs(sweep, pos, neg),
        goodness=goodness,
        n_categories=len(sweep),
        sizes=sweep.sizes,
        pos_label=sweep.pos_label,
        notes=(UNDER_THE_MODEL, *((ROUGH_TEST,) if rough else ())),
    )


def _interval(model: Binormal, spread: float, df: int, level: float) -> Interval:
    """Interval of a / sqrt(1 + b^2) with Student's t, as of the mean of the smaller class, carried to the AUC.

    In samples of the model it covers .93 to .99 where a normal quantile goes down to .92 (tests/statistical).
    """
    half = t_quantile(df, level) * spread
    centre = model.a / math.hypot(1, model.b)
    low, high = (Binormal(centre * math.sqrt(2) + sign * half * math.sqrt(2), 1.0).auc for sign in (-1, 1))
    return Interval(low=low, high=high, confidence_level=level, method="binormal-ml")


def _fitted(sweep: Sweep, pos: Floats, neg: Floats) -> Likely | None:
    """The maximum, started from equal spreads at the exact AUC; ``None`` if there is none inside."""
    request = find("roc_auc")
    auc = min(max(number(request, compute(request, sweep)), 0.01), 0.99)
    found = maximise(pos, neg, Binormal.from_auc(auc).a, 1.0)
    inside = found.converged and 1 / STEEP < found.b < STEEP
    return found if inside else None


def _runs(sweep: Sweep) -> tuple[Floats, Floats]:
    """Counts with neighbours of one class joined, strict to lenient. O(k)."""
    kind = 2 * (sweep.pos > 0).astype(np.int64) + (sweep.neg > 0)
    starts = np.flatnonzero(np.concatenate([[True], (kind[1:] != kind[:-1]) | (kind[1:] == 3)]))
    pos, neg = (np.add.reduceat(counts, starts).astype(np.float64) for counts in (sweep.pos, sweep.neg))
    return pos, neg


def _within_runs(sweep: Sweep, pos: Floats, neg: Floats) -> float:
    """What the free cuts within runs add to the log likelihood: sum c log(c / C) over the scores of a run."""

    def entropy(counts: Any) -> float:
        held = np.asarray(counts, np.float64)
        held = held[held > 0]
        return float(held @ np.log(held))

    return entropy(sweep.pos) - entropy(pos) + entropy(sweep.neg) - entropy(neg)


def _refuse_degenerate(pos: Floats, neg: Floats) -> None:
    """Refuse data that a horizontal or a vertical line fits exactly: b would go to 0 or grow without bound.

    Such are all points with 0 < FPR < 1 at one height, or all with 0 < TPR < 1 at one FPR (Dorfman & Berbaum 1986).
    """
    tp, fp = np.cumsum(pos)[:-1], np.cumsum(neg)[:-1]
    heights, places = tp[(fp > 0) & (fp < neg.sum())], fp[(tp > 0) & (tp < pos.sum())]
    for inside, other, values in (("FPR", "TPR", heights), ("TPR", "FPR", places)):
        if len(np.unique(values)) < 2:
            raise _degenerate(f"no two ROC points with 0 < {inside} < 1 differ in {other}")


def _degenerate(why: str) -> UndefinedMeasureError:
    return UndefinedMeasureError(
        "binormal fit", f"{why}, so no curve with a finite slope above 0 fits best", "rs.roc_auc(y, s) needs no model"
    )


def _goodness(sweep: Sweep) -> Goodness | None:
    """Fit the model to at most ten groups of scores and compare counts with expected counts (chi-square, G - 3)."""
    from scipy.special import chdtrc

    total = np.cumsum(sweep.pos + sweep.neg).astype(np.float64)
    if len(sweep) <= GROUPS:
        starts = np.arange(len(sweep))
    else:
        at = np.searchsorted(total, total[-1] * np.arange(1, GROUPS) / GROUPS)
        starts = np.unique(np.concatenate([[0], at + 1]))
        starts = starts[starts < len(sweep)]
    pos, neg = (np.add.reduceat(counts, starts).astype(np.float64) for counts in (sweep.pos, sweep.neg))
    if len(starts) < 4:
        return None
    found = _fitted(sweep, pos, neg)
    if found is None:
        return None
    statistic, smallest = 0.0, math.inf
    for counts, ends in ((neg, found.cuts), (pos, found.a + found.b * found.cuts)):
        expected = counts.sum() * probabilities(ends)
        if not bool((expected > 0).all()):
            return None
        statistic += float((np.square(counts - expected) / expected).sum())
        smallest = min(smallest, float(expected.min()))
    df = len(starts) - 3
    return Goodness(statistic, df, float(chdtrc(df, statistic)), len(starts), smallest)


# ----------------------------------------------------------------------------------------------- regression


def _by_regression(sweep: Sweep) -> BinormalFit:
    """Least squares of Phi^-1(specificity) on Phi^-1(sensitivity), over the points strictly inside the square. O(k)."""
    from scipy.special import ndtri

    tpr, fpr = np.cumsum(sweep.pos)[:-1] / sweep.n_pos, np.cumsum(sweep.neg)[:-1] / sweep.n_neg
    inside = (tpr > 0) & (tpr < 1) & (fpr > 0) & (fpr < 1)
    x, y = ndtri(tpr[inside]), -ndtri(fpr[inside])
    centred = x - x.mean() if len(x) else x
    square = float(centred @ centred)
    slope = float(centred @ y) / square if square > 0 else 0.0
    if not slope < 0:
        raise _degenerate(f"the {len(x):,} ROC points strictly inside the square give no falling line")
    # Phi^-1(specificity) = c + slope z(TPR), so z(TPR) = (c + z(FPR)) / -slope
    return BinormalFit(
        float(y.mean() - slope * x.mean()) / -slope,
        -1 / slope,
        method="regression",
        n_categories=len(sweep),
        sizes=sweep.sizes,
        pos_label=sweep.pos_label,
        notes=(NO_ERROR,),
    )


UNDER_THE_MODEL = Note(
    "under-the-model",
    "the interval holds if some increasing map makes both classes normal; roc_auc() needs no such map",
    "区间以存在使两类得分都成为正态的递增变换为前提；roc_auc() 不需要这一前提",
)
ROUGH_TEST = Note(
    "rough-test",
    "the test of fit is rough: an expected count is below 5",
    "拟合检验只是近似：有期望频数小于 5",
)
NO_ERROR = Note(
    "no-standard-error",
    "no standard error: the ROC points are not independent, as a regression takes them; method='ml' has one",
    "没有标准误：ROC 各点并不独立，而回归视其为独立；method='ml' 给出标准误",
)

__all__ = ["BinormalFit", "Goodness", "fit_rows", "fit_sweep"]
