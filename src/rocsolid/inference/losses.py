"""Interval methods of mean losses: Brier score and log loss."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rocsolid.inference import effective_error as ee
from rocsolid.inference import limits as lim
from rocsolid.inference.case import (
    INFINITE,
    NO_SPREAD,
    SINGLE_ROW,
    Case,
    Found,
    Method,
    influence,
    standard_error,
)
from rocsolid.measures.probability import log_score, row_losses, squared_loss

Floats = npt.NDArray[np.float64]

LOG_DF = 1.0
"""Added to the effective number of rows for the t quantile of the log loss; never below 2 in all."""


def mean_loss_spread(case: Case, losses: tuple[Floats, Floats]) -> tuple[float, float, float]:
    """Variance of the mean loss, effective number of rows, and of rows that make up the loss.

    The last is that of the scarcer class, 0 if the class is absent: where positives are rare, the loss of the few
    that were drawn says little about the next one, however many negatives there are.

    With random margins the rows are one sample, whatever their class, so a class with a single row is no obstacle;
    with fixed margins the variance is that of the influence function, class by class.
    """
    sweep, (on_pos, on_neg) = case.sweep, losses
    bounded = case.request.measure.range[1] == 1
    flip = case.value > 0.5 and bounded  # what is missing to 1 is the scarce part
    nu = min(
        ee.participation(1 - on_pos if flip else on_pos, sweep.pos_mass, sweep.pos_square),
        ee.participation(1 - on_neg if flip else on_neg, sweep.neg_mass, sweep.neg_square),
    )
    mass = float(sweep.pos_mass.sum()) + float(sweep.neg_mass.sum())
    size = mass**2 / (float(sweep.pos_square.sum()) + float(sweep.neg_square.sum()))
    if case.margins == "fixed":
        return standard_error(case) ** 2, size, nu
    n = sweep.n_pos + sweep.n_neg
    around = ee.squares(on_pos - case.value, sweep.pos_square) + ee.squares(on_neg - case.value, sweep.neg_square)
    return (around / mass**2 * n / (n - 1) if n > 1 else math.nan), size, nu


def _brier_auto(case: Case) -> Found:
    var, size, nu = mean_loss_spread(case, row_losses(case.sweep, squared_loss))
    if math.isnan(var):
        return Found(None, None, (SINGLE_ROW,))
    return Found(ee.loss_limits(case.value, var, size, nu, case.level), math.sqrt(var))


def _log_loss_auto(case: Case) -> Found:
    """Wald on the logarithm with a t quantile: a mean of positive losses is skewed and has no upper bound."""
    if not math.isfinite(case.value):
        return Found(None, None, (INFINITE,))
    var, _, nu = mean_loss_spread(case, row_losses(case.sweep, log_score))
    if math.isnan(var):
        return Found(None, None, (SINGLE_ROW,))
    if var == 0 or case.value <= 0:
        return Found(None, math.sqrt(var), (NO_SPREAD,))
    se = math.sqrt(var)
    return Found(log_limits(case.value, se, nu, case.level), se)


def log_limits(value: float, se: float, nu: float, level: float) -> lim.Limits:
    """Symmetric on the logarithm, for a mean of positive losses that nu rows make up."""
    half = lim.t_quantile(nu + LOG_DF, level) * se / value
    return lim.on_log(value, half)


BRIER_METHODS: dict[str, Method] = {"effective-error": _brier_auto, "influence": influence}
LOG_LOSS_METHODS: dict[str, Method] = {"log-t": _log_loss_auto, "influence": influence}
