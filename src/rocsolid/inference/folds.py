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
from rocsolid.inference.case import CLIPPED, NO_SPREAD, SINGLE_ROW
from rocsolid.inference.covariance import Variance, variance
from rocsolid.inputs import Rows
from rocsolid.measures.registry import REGISTRY, Request, compute, number
from rocsolid.options import Margins, check_choice, check_level
from rocsolid.results import Estimate, Interval, Note, Sizes
from rocsolid.sweep import Sweep


def split(rows: Rows, *, higher_is_positive: bool) -> tuple[Sweep, ...]:
    """Give one sweep a fold, in the order of the folds' first rows."""
    assert rows.fold is not None
    sweeps = []
    for number_of_fold in range(int(rows.fold.max()) + 1):
        at = rows.fold == number_of_fold
        part = replace(
            rows, scores=rows.scores[at], positive=rows.positive[at], fold=None, kept=None, absent=None,
            weights=None if rows.weights is None else rows.weights[at],
        )  # fmt: skip
        sweeps.append(Sweep.from_rows(part, higher_is_positive=higher_is_positive))
    return tuple(sweeps)


@dataclass(frozen=True, slots=True)
class Mean:
    """A measure averaged over folds, and what its interval needs."""

    value: float
    parts: Variance
    sizes: Sizes
    sweeps: tuple[Sweep, ...]
    request: Request
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
    methods = METHODS.get(entry.name, RATE_METHODS if entry.proportion is not None and entry.name != "f1" else None)
    if methods is None or entry.gradient is None:
        can = [name for name, m in REGISTRY.items() if name in METHODS or (m.proportion is not None and name != "f1")]
        raise NotAvailableError(f"{entry.name} as a mean over folds", f"with fold= ask for one of {', '.join(can)}")
    name = next(iter(methods)) if method == "auto" else check_choice("method", method, ("auto", *methods))
    values = [_value(request, sweep, fold) for sweep, fold in zip(sweeps, names, strict=True)]
    found = [variance(entry.gradient(sweep, request.options), sweep, margins) for sweep in sweeps]
    v2 = len(values) ** 2
    parts = Variance(*(sum(getattr(one, part) for one in found) / v2 for part in ("pos", "neg", "prevalence")))
    mean = Mean(float(np.mean(values)), parts, _sizes(sweeps), tuple(sweeps), request, level)
    limits, notes = methods[name](mean)
    return Estimate(
        measure=request.spec,
        value=mean.value,
        std_error=None if math.isnan(parts.total) else math.sqrt(parts.total),
        interval=None if limits is None else Interval(low=limits[0], high=limits[1], confidence_level=level, method=name),
        method=name,
        sizes=mean.sizes,
        pos_label=sweeps[0].pos_label,
        details={f"fold {fold}": value for fold, value in zip(names, values, strict=True)},
        notes=(_remark(len(values)), *notes),
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


def _remark(folds: int) -> Note:
    return Note(
        "fold-mean",
        f"mean over {folds} folds, each with its own order of scores",
        f"{folds} 折的平均值，每一折的得分单独排序",
    )


Found = tuple[lim.Limits | None, tuple[Note, ...]]


def _roc_auc(mean: Mean) -> Found:
    pos, neg = (0.0 if math.isnan(v) else v for v in (mean.parts.pos, mean.parts.neg))
    sides = ee.ClassSpread(mean.n_pos, pos * mean.n_pos), ee.ClassSpread(mean.n_neg, neg * mean.n_neg)
    return ee.auc_limits(mean.value, *sides, mean.level), ()


def _gini(mean: Mean) -> Found:
    half = replace(
        mean, value=(mean.value + 1) / 2, parts=Variance(mean.parts.pos / 4, mean.parts.neg / 4, 0.0)
    )
    (low, high), _ = _roc_auc(half)  # type: ignore[misc]
    return (2 * low - 1, 2 * high - 1), ()


def _average_precision(mean: Mean) -> Found:
    """The rule of one sample, the effective numbers of rows and the variances added up over the folds."""
    u = w = v_pos = v_neg = 0.0
    assert mean.request.measure.gradient is not None
    for sweep in mean.sweeps:
        gradient = mean.request.measure.gradient(sweep, mean.request.options)
        spread = ee.ap_spread(gradient, sweep, "random")
        u, w = u + ee.precision_rows(sweep), w + spread.rows_neg
        v_pos, v_neg = v_pos + spread.pos, v_neg + spread.neg
    v2 = len(mean.sweeps) ** 2
    return ee.ap_limits_of(mean.value, mean.n_pos, u, ee.ApSpread(w, v_pos / v2, v_neg / v2), mean.level), ()


def _logit_t(mean: Mean) -> Found: ...


def _wilson(mean: Mean) -> Found: ...
