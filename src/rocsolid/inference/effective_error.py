"""The default intervals: Wilson and logit intervals with an effective number of errors.

Everything that fails near 1 fails for one reason: the variance is estimated from the few rows that make up
the whole error, and often the decisive row has not been drawn. So those rows are counted, by their
participation ratio nu = (sum d)^2 / sum d^2 of the losses d; the variance, as a share of its bound, is shrunk
towards a prior worth k such rows; and the quantile is Student's with nu + c degrees of freedom. With many
rows nothing changes; with perfect separation the prior alone gives a finite limit, without a special case.

The constants below were chosen by simulation (docs/explanation/intervals.md says which and how they fare).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.inference.covariance import variance
from rocsolid.inference.limits import Limits, on_logit, t_quantile, wilson
from rocsolid.measures.other_prevalence import adjusted_precision
from rocsolid.measures.ranking import class_shares, precision_at_rows
from rocsolid.measures.registry import Gradient
from rocsolid.options import Margins
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]

PRIOR_DF = 6.0
"""c: degrees of freedom that the prior adds."""

AUC_PRIOR_ROWS = 1.0
AUC_PRIOR_RATIO = 2 / 3
"""Variance ratio of the worst plausible population, a small share of stray rows with random placements."""
AUC_FLOOR = 0.25
"""The variance ratio is never taken below this while a class is small; the floor fades as it grows."""

PARTIAL_PRIOR_RATIO = 1.0


@dataclass(frozen=True, slots=True)
class ApPrior:
    """Prior of an average precision: how many rows it counts for, and the classes' shares of Boyd's variance."""

    rows: float
    pos: float
    neg: float


AP_PRIOR = ApPrior(rows=3.0, pos=1.0, neg=1.5)
AP_DIFFERENCE_PRIOR = ApPrior(rows=2.0, pos=1.0, neg=1.0)
"""For the limits that the interval of a difference is made of: shorter, and a difference is still covered."""

LOSS_PRIOR_ROWS = 1.0
LOSS_PRIOR_RATIO = 1.0
"""A mean of losses in [0, 1] has at most the variance of a proportion: that bound is the prior."""


@dataclass(frozen=True, slots=True)
class ClassSpread:
    """One class of an area: its effective size and the variance of its placements (0 for a single row)."""

    size: float
    spread: float


@dataclass(frozen=True, slots=True)
class ClassVariance:
    """One class of an average precision: the size of its prior, its part of the variance, its effective error rows."""

    size: float
    variance: float
    nu: float


def error_rows(value: float, side: ClassSpread) -> float:
    """Effective number of rows that make up the error: N p^2 / ((N-1)/N s + p^2) with p = min(A, 1-A).

    A size below 1, of a range that holds less than a row, has no spread to speak of.
    """
    p = min(value, 1 - value)
    below = max(side.size - 1, 0.0) / side.size * side.spread + p * p
    return side.size * p * p / below if below > 0 else 0.0


def auc_limits(value: float, pos: ClassSpread, neg: ClassSpread, level: float) -> Limits:
    """Interval of an ROC-AUC: Wilson's, with an effective size from the shrunk DeLong variance. O(1)."""
    total, df = _shrunk_total(value, pos, neg, AUC_PRIOR_RATIO, AUC_FLOOR)
    return wilson(value, 1 / total, t_quantile(df, level))


def partial_limits(value: float, tall: ClassSpread, wide: ClassSpread, level: float) -> Limits:
    """Interval of a partial area as a share of its range: the same rule on the logit scale, with prior ratio 1. O(1).

    Of the wide class only the rows inside the range count: they are its size. At 0 and 1 the logit is infinite and
    the interval is Wilson's.
    """
    total, df = _shrunk_total(value, tall, wide, PARTIAL_PRIOR_RATIO, 0.0)
    quantile = t_quantile(df, level)
    if not 0 < value < 1:
        return wilson(value, 1 / total, quantile)
    return on_logit(value, math.sqrt(total * value * (1 - value)), quantile)


def _shrunk_total(value: float, a: ClassSpread, b: ClassSpread, prior: float, floor: float) -> tuple[float, float]:
    """Sum over the two classes of shrunk variance ratio by size, and its degrees of freedom (Satterthwaite)."""
    bound = value * (1 - value)
    parts = []
    for side in (a, b):
        nu = error_rows(value, side)
        faded = min(floor, 1 / (side.size * bound)) if bound > 0 else floor
        ratio = side.spread / bound if bound > 0 else 0.0
        shrunk = max((nu * ratio + AUC_PRIOR_ROWS * prior) / (nu + AUC_PRIOR_ROWS), faded) / side.size
        parts.append((shrunk, shrunk**2 / (nu + PRIOR_DF)))
    total = parts[0][0] + parts[1][0]
    return total, total**2 / (parts[0][1] + parts[1][1])


def precision_rows(sweep: Sweep) -> float:
    """Effective number of positives behind an average precision: the fewer of its gains and its losses. O(k)."""
    return _fewer_of_gains_and_losses(precision_at_rows(sweep), sweep)


def adjusted_precision_rows(sweep: Sweep, prevalence: float) -> float:
    """The same for an average precision at a given prevalence. O(k)."""
    return _fewer_of_gains_and_losses(adjusted_precision(sweep, prevalence)[0], sweep)


def _fewer_of_gains_and_losses(precision: Floats, sweep: Sweep) -> float:
    gains = participation(precision, sweep.pos_mass, sweep.pos_square)
    np.subtract(1, precision, out=precision)
    return min(gains, participation(precision, sweep.pos_mass, sweep.pos_square))


def ap_limits(
    value: float, u: float, gradient: Gradient, sweep: Sweep, margins: Margins, level: float, prior: ApPrior = AP_PRIOR
) -> Limits:
    """Interval of an average precision: logit, with both classes' variances shrunk to Boyd's binomial. O(k).

    ``u`` is :func:`precision_rows` of the sweep.
    """
    m = _size(sweep.sizes.effective_pos, sweep.n_pos)
    w, v_pos, v_neg = (0.0, 0.0, 0.0) if value == 1 else ap_variances(gradient, sweep, margins)
    return precision_limits(value, ClassVariance(m, v_pos, u), ClassVariance(m, v_neg, w), level, prior)


def precision_limits(
    value: float, pos: ClassVariance, neg: ClassVariance, level: float, prior: ApPrior = AP_PRIOR
) -> Limits:
    """Interval of an average precision from the two classes' parts. O(1).

    At a given prevalence pi the size of the negatives' prior is the number of them that are as likely as positives
    there, n pi / (1 - pi): at the sample's own prevalence that is the number of positives.
    """
    if value == 1:  # no loss was seen: the limit of the same rule
        q = t_quantile(PRIOR_DF, level)
        return 1 / (1 + (prior.pos / pos.size + prior.neg / neg.size) * q * q), 1.0
    bound = prior.rows * value * (1 - value)
    a = (pos.nu * pos.variance + prior.pos * bound / pos.size) / (pos.nu + prior.rows)
    b = (neg.nu * neg.variance + prior.neg * bound / neg.size) / (neg.nu + prior.rows)
    df = (a + b) ** 2 / (a * a / (pos.nu + PRIOR_DF) + b * b / (neg.nu + PRIOR_DF))
    return on_logit(value, math.sqrt(a + b), t_quantile(df, level))


def ap_variances(gradient: Gradient, sweep: Sweep, margins: Margins) -> tuple[float, float, float]:
    """Effective error rows among the negatives, and the variances that the two classes contribute.

    The raw influences follow from the centred ones: their class means are (1 - pi) and -pi times the slope.
    """
    share, complement = class_shares(sweep)
    if not complement:  # every precision is 1, and AP with them
        return 0.0, 0.0, 0.0
    raw_neg = gradient.neg / complement
    raw_neg -= share * gradient.prevalence
    w = participation(raw_neg, sweep.neg_mass, sweep.neg_square)
    if margins == "fixed":
        parts = variance(gradient, sweep, "fixed")
        v_pos, v_neg = (0.0 if math.isnan(v) else v for v in (parts.pos, parts.neg))
        return w, v_pos, v_neg
    n = sweep.n_pos + sweep.n_neg
    scale = n / (n - 1) / (float(sweep.pos_mass.sum()) + float(sweep.neg_mass.sum())) ** 2
    v_neg = scale * squares(raw_neg, sweep.neg_square)
    del raw_neg
    raw_pos = gradient.pos / share
    raw_pos += complement * gradient.prevalence
    return w, scale * squares(raw_pos, sweep.pos_square), v_neg


def loss_limits(value: float, var: float, size: float, nu: float, level: float) -> Limits:
    """Interval of a mean of losses in [0, 1]: Wilson's, with an effective size from the shrunk variance. O(1).

    ``nu`` is the effective number of rows of the scarcer class that make up the loss (or, above one half, what is
    missing to 1).
    """
    bound = value * (1 - value)
    ratio = var * size / bound if bound > 0 else 0.0
    shrunk = (nu * ratio + LOSS_PRIOR_ROWS * LOSS_PRIOR_RATIO) / (nu + LOSS_PRIOR_ROWS)
    return wilson(value, size / shrunk, t_quantile(nu + PRIOR_DF, level))


def participation(losses: Floats, mass: Any, square: Any) -> float:
    """Effective number of rows that make up a sum of losses: (sum w d)^2 / sum w^2 d^2; 0 without a loss."""
    below = squares(losses, square)
    return float(np.einsum("i,i->", losses, mass)) ** 2 / below if below > 0 else 0.0


def squares(values: Floats, weight: Any) -> float:
    """Sum of weight times value squared. O(k), without a temporary array."""
    return float(np.einsum("i,i,i->", weight, values, values))


def _size(effective: float | None, rows: int) -> float:
    return float(rows) if effective is None else effective
