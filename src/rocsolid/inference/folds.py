"""Cross-validated estimates: the mean over folds, because scores of different fits need not be comparable.

Every fold has a fit of its own, so a positive of one is never compared with a negative of another. The folds are
independent samples, so the variance of the mean of V values is the sum of their influence-function variances over V^2
(LeDell, Petersen & van der Laan 2015, Electronic Journal of Statistics 9:1583-1607), class by class; the interval is
then that of one sample of the same size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rocsolid.errors import NotAvailableError, UndefinedMeasureError
from rocsolid.inference import effective_error as ee
from rocsolid.inference import limits as lim
from rocsolid.inference.case import INFINITE, Case
from rocsolid.inference.covariance import Variance, variance
from rocsolid.inference.losses import log_limits, mean_loss_spread
from rocsolid.inference.rates import squared
from rocsolid.inputs import Rows
from rocsolid.measures.probability import Loss, log_score, row_losses, squared_loss
from rocsolid.measures.registry import Request, compute, number
from rocsolid.options import Margins, check_choice, check_level
from rocsolid.results import Estimate, Interval, Note, Sizes
from rocsolid.sweep import Sweep


def rows_by_fold(rows: Rows) -> list[Rows]:
    """Give the rows of each fold, in the order of the folds' first rows."""
    assert rows.fold is not None
    members = (rows.fold == fold for fold in range(int(rows.fold.max()) + 1))
    return [
        replace(
            rows, scores=rows.scores[at], positive=rows.positive[at], fold=None, kept=None, absent=None,
            weights=None if rows.weights is None else rows.weights[at],
        )
        for at in members
    ]  # fmt: skip


def split(rows: Rows, *, higher_is_positive: bool) -> tuple[Sweep, ...]:
    """Give one sweep a fold, in the order of the folds' first rows."""
    return tuple(Sweep.from_rows(part, higher_is_positive=higher_is_positive) for part in rows_by_fold(rows))


@dataclass(frozen=True, slots=True)
class Mean:
    """A measure averaged over folds, and what its interval needs."""

    value: float
    parts: Variance
    sizes: Sizes
    sweeps: tuple[Sweep, ...]
    request: Request
    margins: Margins
    level: float

    @property
    def n_pos(self) -> float:
        """Positives in all folds, effective ones with weights."""
        return float(self.sizes.n_pos) if self.sizes.effective_pos is None else self.sizes.effective_pos

    @property
    def n_neg(self) -> float:
        """Negatives in all folds, effective ones with weights."""
        return float(self.sizes.n_neg) if self.sizes.effective_neg is None else self.sizes.effective_neg


def fold_estimate(
    request: Request,
    sweeps: Sequence[Sweep],
    names: Sequence[object],
    *,
    method: str = "auto",
    confidence_level: float = 0.95,
    margins: Margins = "random",
) -> Estimate:
    """Average a measure over folds, with its interval.

    Raises
    ------
    UndefinedMeasureError
        If one fold has no value; the message names it.
    NotAvailableError
        For measures whose mean over folds has no interval that is known to cover.
    """
    level = check_level(confidence_level)
    entry = request.measure
    methods = METHODS.get(entry.name)
    if methods is None or entry.gradient is None or getattr(request.options, "prevalence", None) is not None:
        raise NotAvailableError(f"{entry.name} as a mean over folds", f"with fold= ask for one of {', '.join(METHODS)}")
    name = next(iter(methods)) if method == "auto" else check_choice("method", method, ("auto", *methods))
    values = [_value(request, sweep, fold) for sweep, fold in zip(sweeps, names, strict=True)]
    unknown = Variance(math.nan, math.nan, math.nan)  # an infinite loss has no influence
    found = [
        variance(entry.gradient(sweep, request.options), sweep, margins) if math.isfinite(one) else unknown
        for sweep, one in zip(sweeps, values, strict=True)
    ]
    v2 = len(values) ** 2
    parts = Variance(*(sum(getattr(one, part) for one in found) / v2 for part in ("pos", "neg", "prevalence")))
    mean = Mean(float(np.mean(values)), parts, _sizes(sweeps), tuple(sweeps), request, margins, level)
    limits = methods[name](mean) if math.isfinite(mean.value) else None
    return Estimate(
        measure=request.spec,
        value=mean.value,
        std_error=None if math.isnan(parts.total) else math.sqrt(parts.total),
        interval=None
        if limits is None
        else Interval(low=limits[0], high=limits[1], confidence_level=level, method=name),
        method=name,
        sizes=mean.sizes,
        pos_label=sweeps[0].pos_label,
        details={f"fold {fold}": value for fold, value in zip(names, values, strict=True)},
        notes=(
            _remark(len(values)),
            *((_size_of_folds(mean),) if entry.name == "average_precision" else ()),
            *(() if limits is not None else (NO_INTERVAL,) if math.isfinite(mean.value) else (INFINITE,)),
        ),
    )


def _value(request: Request, sweep: Sweep, fold: object) -> float:
    try:
        return number(request, compute(request, sweep))
    except UndefinedMeasureError as error:
        raise UndefinedMeasureError(request.spec, f"in fold {fold!r}: {error.reason}") from None


def _sizes(sweeps: Sequence[Sweep]) -> Sizes:
    each = [sweep.sizes for sweep in sweeps]
    weighted = each[0].effective_pos is not None
    return Sizes(
        n_pos=sum(size.n_pos for size in each),
        n_neg=sum(size.n_neg for size in each),
        effective_pos=sum(size.effective_pos or 0.0 for size in each) if weighted else None,
        effective_neg=sum(size.effective_neg or 0.0 for size in each) if weighted else None,
    )


NO_INTERVAL = Note(
    "no-fold-interval",
    "no interval: a fold has too few rows, or its rows all have the same loss",
    "没有区间：某一折的行数太少，或其各行的损失都相同",
)


def _remark(folds: int) -> Note:
    return Note(
        "fold-mean",
        f"mean over {folds} folds, each with its own order of scores",
        f"{folds} 折的平均值，每一折的得分单独排序",
    )


def _size_of_folds(mean: Mean) -> Note:
    """An average precision of few rows lies above the population's, and a mean over folds keeps that bias."""
    each = f"{mean.n_pos / len(mean.sweeps):.4g}"
    return Note(
        "fold-size",
        f"average precision of folds with {each} positives each: the fewer they are, the higher it is on average",
        f"每折平均有 {each} 个正例时的平均查准率：正例越少，其期望值越偏高",
    )


Rule = Callable[[Mean], lim.Limits | None]


def _roc_auc(mean: Mean) -> lim.Limits:
    pos, neg = (0.0 if math.isnan(v) else v for v in (mean.parts.pos, mean.parts.neg))
    sides = ee.ClassSpread(mean.n_pos, pos * mean.n_pos), ee.ClassSpread(mean.n_neg, neg * mean.n_neg)
    return ee.auc_limits(mean.value, *sides, mean.level)


def _gini(mean: Mean) -> lim.Limits:
    parts = Variance(mean.parts.pos / 4, mean.parts.neg / 4, 0.0)
    low, high = _roc_auc(replace(mean, value=(mean.value + 1) / 2, parts=parts))
    return 2 * low - 1, 2 * high - 1


def _average_precision(mean: Mean) -> lim.Limits:
    """The rule of one sample; effective numbers of rows, and variances, are added up over the folds."""
    gradient = mean.request.measure.gradient
    assert gradient is not None
    u = sum(ee.precision_rows(sweep) for sweep in mean.sweeps)
    each = [ee.ap_variances(gradient(s, mean.request.options), s, mean.margins) for s in mean.sweeps]
    w, v_pos, v_neg = (sum(one[i] for one in each) for i in range(3))
    v2 = len(mean.sweeps) ** 2
    pos, neg = ee.ClassVariance(mean.n_pos, v_pos / v2, u), ee.ClassVariance(mean.n_pos, v_neg / v2, w)
    return ee.precision_limits(mean.value, pos, neg, mean.level)


def _rate(mean: Mean) -> lim.Limits:
    """Wilson's interval of one rate in all folds: the mean of V rates varies as one of V^2 / sum(1/n_v) rows."""
    proportion = mean.request.measure.proportion
    assert proportion is not None
    inverse = 0.0
    for sweep in mean.sweeps:
        counts = sweep.at(mean.request.options.threshold)
        hits, misses = proportion.split(counts)
        squares = hits + misses if counts.squares is None else sum(proportion.split(squared(counts)))
        inverse += squares / (hits + misses) ** 2
    return lim.wilson(mean.value, len(mean.sweeps) ** 2 / inverse, lim.normal_quantile(mean.level))


def _losses(mean: Mean, function: Loss) -> tuple[float, float, float]:
    """Variance of the mean loss, effective rows, and rows that make up the loss: added up over the folds."""
    each = []
    for sweep in mean.sweeps:
        raw = compute(mean.request, sweep)
        case = Case(mean.request, number(mean.request, raw), raw, sweep, mean.margins, mean.level)
        each.append(mean_loss_spread(case, row_losses(sweep, function)))
    var, size, nu = (sum(one[i] for one in each) for i in range(3))
    return var / len(each) ** 2, size, nu


def _brier(mean: Mean) -> lim.Limits | None:
    var, size, nu = _losses(mean, squared_loss)
    return None if math.isnan(var) else ee.loss_limits(mean.value, var, size, nu, mean.level)


def _log_loss(mean: Mean) -> lim.Limits | None:
    var, _, nu = _losses(mean, log_score)
    exists = math.isfinite(mean.value) and mean.value > 0 and var > 0
    return log_limits(mean.value, math.sqrt(var), nu, mean.level) if exists else None


METHODS: dict[str, dict[str, Rule]] = {
    "roc_auc": {"effective-error": _roc_auc},
    "gini": {"effective-error": _gini},
    "average_precision": {"effective-error": _average_precision},
    "brier_score": {"effective-error": _brier},
    "log_loss": {"log-t": _log_loss},
    "recall": {"wilson": _rate},
    "specificity": {"wilson": _rate},
    "precision": {"wilson": _rate},
    "accuracy": {"wilson": _rate},
}
"""Measures whose mean over folds has an interval."""
