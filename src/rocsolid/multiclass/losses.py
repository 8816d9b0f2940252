"""Brier score and log loss of all classes at once."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rocsolid.errors import ProbabilityError, ProbabilitySumError
from rocsolid.inference import effective_error as ee
from rocsolid.inference.limits import Limits
from rocsolid.inference.losses import log_limits
from rocsolid.inputs.classes import ClassRows

Floats = npt.NDArray[np.float64]
SUM_ERROR = 1e-3
"""Rows of probabilities may miss 1 by this: float16 rounds to 5e-4."""


def brier(p: Floats, codes: npt.NDArray[np.intp]) -> Floats:
    """(n,) squared distance of each row's probabilities from its class: 0 to 2 (Brier 1950). O(n k)."""
    own = p[np.arange(len(p)), codes]
    return np.asarray(np.einsum("ij,ij->i", p, p) - 2 * own + 1)


def log_loss(p: Floats, codes: npt.NDArray[np.intp]) -> Floats:
    """(n,) -ln of the probability of each row's class; inf at 0. O(n)."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(p[np.arange(len(p)), codes]))


def probabilities(measure: str, data: ClassRows) -> Floats:
    """(n, k) scores as probabilities.

    Raises
    ------
    ProbabilityError, ProbabilitySumError
        If a score lies outside [0, 1], or the scores of a row do not sum to 1.
    """
    p = data.scores.astype(np.float64, copy=False)
    if not ((p >= 0) & (p <= 1)).all():
        raise ProbabilityError(measure, float(p.min()), float(p.max()))
    off = np.abs(p.sum(axis=1) - 1)
    if float(off.max()) > SUM_ERROR:
        row = int(off.argmax())
        raise ProbabilitySumError(measure, row, float(p[row].sum()))
    return p


def loss_interval(name: str, losses: Floats, data: ClassRows, level: float) -> tuple[float, float, Limits | None]:
    """Mean, standard error and limits of a mean loss; the rules of two classes, the scarcest class deciding. O(n)."""
    assert data.codes is not None
    w = np.ones(len(losses)) if data.weights is None else data.weights
    mass, square = float(w.sum()), w * w
    value = float(w @ losses) / mass
    if not math.isfinite(value):
        return value, math.nan, None
    scale = 2.0 if name == "brier_score" else 1.0
    rows, around = losses / scale, losses / scale - value / scale
    if data.cluster is not None:
        summed = np.bincount(data.cluster, w * around)
        n, var = len(summed), float(summed @ summed) / mass**2
    else:
        n, var = len(losses), float(square @ around**2) / mass**2
    if n < 2:
        return value, math.nan, None
    var *= n / (n - 1)
    flip = scale == 2 and value / scale > 0.5
    part = 1 - rows if flip else rows
    nu = min(ee.participation(part[data.codes == c], w[data.codes == c], square[data.codes == c])
             for c in np.unique(data.codes))  # fmt: skip
    size = min(mass**2 / float(square.sum()), n)
    nu = min(nu, n)
    if scale == 2:
        low, high = ee.loss_limits(value / 2, var, size, nu, level)
        return value, math.sqrt(var) * 2, (2 * low, 2 * high)
    if var == 0 or value <= 0:
        return value, math.sqrt(var), None
    return value, math.sqrt(var), log_limits(value, math.sqrt(var), nu, level)
