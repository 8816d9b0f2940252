"""One covariance does all inference: sums of squared influences, class by class.

    Var T = sum_pos w^2 psi^2 / (sum_pos w)^2 * n_pos/(n_pos - 1)
          + the same over negatives
          + (dT/dpi)^2 Var(pi)                      (random margins only)

For ROC-AUC this is DeLong's variance (DeLong, DeLong & Clarke-Pearson 1988), exactly; with weights it is the
linearised variance of survey statistics (Demnati & Rao 2004).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import NotAvailableError
from rocsolid.measures.ranking import class_shares
from rocsolid.measures.registry import Gradient
from rocsolid.options import Margins, check_choice
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Variance:
    """The three parts of a variance. A part is nan where its class has a single row."""

    pos: float
    neg: float
    prevalence: float

    @property
    def total(self) -> float:
        """Their sum."""
        return self.pos + self.neg + self.prevalence


def variance(gradient: Gradient, sweep: Sweep, margins: Margins = "random") -> Variance:
    """Variance of one measure from its gradient, over the rows of the sweep. O(k).

    ``margins="random"``: the rows are a random sample and so is the number of positives. ``"fixed"``: the
    class sizes were set by design.
    """
    check_choice("margins", margins, ("random", "fixed"))
    return Variance(
        pos=_class_variance(gradient.pos, sweep.pos_square, sweep.pos_mass, sweep.n_pos),
        neg=_class_variance(gradient.neg, sweep.neg_square, sweep.neg_mass, sweep.n_neg),
        prevalence=gradient.prevalence**2 * prevalence_variance(sweep) if margins == "random" else 0.0,
    )


def _class_variance(psi: Floats, square: Any, mass: Any, n: int) -> float:
    if n < 2:
        return float("nan") if n else 0.0
    total = float(mass.sum())
    return float(np.einsum("i,i,i->", square, psi, psi)) / total**2 * (n / (n - 1))


def prevalence_variance(sweep: Sweep) -> float:
    """Variance of the share of positives: pi (1 - pi) / N, linearised where there are weights."""
    m, n = float(sweep.pos_mass.sum()), float(sweep.neg_mass.sum())
    share, complement = class_shares(sweep)
    squares = complement**2 * float(sweep.pos_square.sum()) + share**2 * float(sweep.neg_square.sum())
    return squares / (m + n) ** 2


def covariance(
    influences: npt.ArrayLike,
    positive: npt.ArrayLike,
    *,
    slopes: npt.ArrayLike | None = None,
    weight: npt.ArrayLike | None = None,
    cluster: object = None,
    margins: Margins = "random",
) -> Floats:
    """Covariance of k measures (models, classes, folds) from the influences of the same n rows.

    Parameters
    ----------
    influences : (k, n), each row's influence on each measure, centred within its class.
    positive : (n,) bool.
    slopes : (k,) derivatives by the prevalence; needed for random margins where they are not 0.
    weight : (n,) sampling weights.
    cluster : not available yet.
    margins : ``"random"`` or ``"fixed"``, as in :func:`variance`.

    Returns
    -------
    (k, k) array; its diagonal holds the variances. nan where a class has a single row. O(n k^2).
    """
    if cluster is not None:
        raise NotAvailableError("cluster", "it comes with paired comparisons")
    check_choice("margins", margins, ("random", "fixed"))
    psi, is_pos = np.atleast_2d(np.asarray(influences, np.float64)), np.asarray(positive, np.bool_)
    w = np.ones(len(is_pos)) if weight is None else np.asarray(weight, np.float64)
    out = np.zeros((len(psi), len(psi)))
    for member in (is_pos & (w > 0), ~is_pos & (w > 0)):
        n, mass = int(member.sum()), float(w[member].sum())
        if n == 0:
            continue
        weighted = psi[:, member] * w[member]
        out += weighted @ weighted.T / mass**2 * (n / (n - 1) if n > 1 else np.nan)
    if margins == "random" and slopes is not None:
        slope = np.asarray(slopes, np.float64)
        share = float(w[is_pos].sum() / w.sum())
        spread = float((np.square(w) * np.square(is_pos - share)).sum()) / float(w.sum()) ** 2
        out += np.outer(slope, slope) * spread
    return out
