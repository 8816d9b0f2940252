"""Influences row by row: what pairs of models, clusters and folds need, which no sweep can tell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid import _kernel, keys
from rocsolid.errors import OptionError, UndefinedMeasureError
from rocsolid.inputs import Rows, scale_weights
from rocsolid.measures.registry import REGISTRY, Gradient, Request, compute, number
from rocsolid.options import get_num_threads
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RowInfluence:
    """Influence of each row on one measure.

    Attributes
    ----------
    psi : (n,) centred within its class, as in :class:`~rocsolid.measures.registry.Gradient`.
    slope : derivative of the measure with respect to the share of positives.
    """

    psi: Floats
    slope: float


def row_influence(request: Request, sweep: Sweep, rows: Rows) -> RowInfluence:
    """Influence of each row on a measure that has a gradient. O(n log n)."""
    assert request.measure.gradient is not None
    gradient: Gradient = request.measure.gradient(sweep, request.options)
    return RowInfluence(by_row(gradient.pos, gradient.neg, sweep, rows), gradient.prevalence)


def by_row(pos: Floats, neg: Floats, sweep: Sweep, rows: Rows) -> Floats:
    """Look up, for each row, the value of its class at its score."""
    at = score_ranks(sweep, rows)
    values: Floats = np.where(rows.positive, pos[at], neg[at])
    return values


def score_ranks(sweep: Sweep, rows: Rows) -> npt.NDArray[Any]:
    """Give the place of each row's score in the sweep. O(n log n)."""
    wide, _ = keys.to_kernel(rows.scores)
    return _kernel.ranks(wide, sweep.higher_is_positive, get_num_threads())[0]


def weights_of(rows: Rows) -> Floats:
    """Sampling weights of the rows, scaled by a power of two where they are extreme; ones if there are none."""
    return np.ones(len(rows.positive)) if rows.weights is None else scale_weights(rows.weights)[0]


def total_influence(found: RowInfluence, positive: npt.NDArray[np.bool_], weight: Floats, *, random: bool) -> Floats:
    """Influence of a row that is one of a random sample of all rows: mean zero, and the value moves by its mean.

    psi / pi for a positive and psi / (1 - pi) for a negative, plus slope (y - pi) where the number of positives is
    random too.
    """
    share = float(weight[positive].sum() / weight.sum())
    inside = found.psi / np.where(positive, share, 1 - share)
    whole: Floats = inside + found.slope * (positive - share) if random else inside
    return whole


def given_order(request: Request, sweep: Sweep, rows: Rows | None, margins: str) -> Floats:
    """Total influences in the order of the rows that were given, before any was left out.

    Raises
    ------
    OptionError
        Without a gradient, or without rows.
    UndefinedMeasureError
        If the measure does not exist here.
    """
    smooth = [name for name, entry in REGISTRY.items() if entry.gradient is not None]
    if request.measure.gradient is None:
        raise OptionError("measure", request.spec, "a smooth measure: " + ", ".join(smooth), "influence('roc_auc')")
    if rows is None:
        raise OptionError("data", "a sweep", "rows", "a sweep has no rows: rs.evaluate(y_true, y_score)")
    if not math.isfinite(value := number(request, compute(request, sweep))):
        raise UndefinedMeasureError(f"influence on {request.spec}", f"its value is {value}", "leave such rows out")
    found = total_influence(
        row_influence(request, sweep, rows), rows.positive, weights_of(rows), random=margins == "random"
    )
    if rows.kept is None:
        return found
    given = np.where(rows.absent, np.nan, 0.0) if rows.absent is not None else np.zeros(len(rows.kept))
    given[rows.kept] = found
    return given
