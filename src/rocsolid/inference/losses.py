"""Interval methods of mean losses: Brier score and log loss."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

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


def _loss_spread(case: Case, losses: tuple[Any, Any]) -> tuple[float, float, float]:
    """Variance of a mean loss, effective size and effective number of rows that make it up."""
    sweep, (on_pos, on_neg) = case.sweep, losses
    flip = case.value > 0.5 and case.request.measure.range[1] == 1
    d_pos, d_neg = (1 - on_pos, 1 - on_neg) if flip else (on_pos, on_neg)
    total = np.einsum("i,i->", d_pos, sweep.pos_mass) + np.einsum("i,i->", d_neg, sweep.neg_mass)
    squares = np.einsum("i,i,i->", d_pos, d_pos, sweep.pos_square) + np.einsum(
        "i,i,i->", d_neg, d_neg, sweep.neg_square
    )
    mass = float(sweep.pos_mass.sum()) + float(sweep.neg_mass.sum())
    size = mass**2 / (float(sweep.pos_square.sum()) + float(sweep.neg_square.sum()))
    return standard_error(case) ** 2, size, float(total**2 / squares) if squares > 0 else 0.0


def _brier_auto(case: Case) -> Found:
    var, size, nu = _loss_spread(case, row_losses(case.sweep, squared_loss))
    if math.isnan(var):
        return Found(None, None, (SINGLE_ROW,))
    return Found(ee.loss_limits(case.value, var, size, nu, case.level), math.sqrt(var))


def _log_loss_auto(case: Case) -> Found:
    """Wald on the logarithm with a t quantile: a mean of positive losses is skewed and has no upper bound."""
    if not math.isfinite(case.value):
        return Found(None, None, (INFINITE,))
    var, _, nu = _loss_spread(case, row_losses(case.sweep, log_score))
    if math.isnan(var):
        return Found(None, None, (SINGLE_ROW,))
    if var == 0 or case.value <= 0:
        return Found(None, math.sqrt(var), (NO_SPREAD,))
    se = math.sqrt(var)
    half = lim.t_quantile(max(nu - 1, 1.0), case.level) * se / case.value
    return Found((case.value * math.exp(-half), case.value * math.exp(half)), se)


BRIER_METHODS: dict[str, Method] = {"effective-error": _brier_auto, "influence": influence}
LOG_LOSS_METHODS: dict[str, Method] = {"log-t": _log_loss_auto, "influence": influence}
