"""One covariance does all inference: sums of squared influences, class by class.

    Var T = sum_pos w^2 psi^2 / (sum_pos w)^2 * n_pos/(n_pos - 1)
          + the same over negatives
          + (dT/dpi)^2 Var(pi)                      (random margins only)
          + what the last has in common with the others (0 without weights, since psi has class mean 0)

For ROC-AUC this is DeLong's variance (DeLong, DeLong & Clarke-Pearson 1988), exactly; with weights it is the
linearised variance of survey statistics (Demnati & Rao 2004).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.measures.ranking import class_shares
from rocsolid.measures.registry import Gradient
from rocsolid.options import Margins, check_choice
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Variance:
    """The three parts of a variance. A part is nan where its class has a single row.

    ``prevalence`` is what the share of positives adds, with weights also through its covariance with the classes.
    """

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
        prevalence=_prevalence_part(gradient, sweep) if margins == "random" and gradient.prevalence else 0.0,
    )


def _prevalence_part(gradient: Gradient, sweep: Sweep) -> float:
    slope, part = gradient.prevalence, gradient.prevalence**2 * prevalence_variance(sweep)
    if sweep.weights is None:
        return part
    m, n = float(sweep.pos_mass.sum()), float(sweep.neg_mass.sum())
    share, complement = class_shares(sweep)
    common = complement * float(gradient.pos @ sweep.pos_square) / m if m else 0.0
    common -= share * float(gradient.neg @ sweep.neg_square) / n if n else 0.0
    return part + 2 * slope * common / (m + n)


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
    cluster: npt.ArrayLike | None = None,
    margins: Margins = "random",
) -> Floats:
    """Covariance of k measures (models, classes, folds) from the influences of the same n rows.

    Parameters
    ----------
    influences : (k, n), each row's influence on each measure, centred within its class.
    positive : (n,) bool.
    slopes : (k,) derivatives by the prevalence; needed for random margins where they are not 0.
    weight : (n,) sampling weights.
    cluster : (n,) whole numbers from 0: rows of one cluster may depend on each other, clusters do not.
    margins : ``"random"`` or ``"fixed"``, as in :func:`variance`.

    Returns
    -------
    (k, k) array; its diagonal holds the variances. nan where a class has a single row (or lies in a single cluster).
    O(n k^2). For the ROC-AUC of k models this is DeLong's covariance (DeLong, DeLong & Clarke-Pearson 1988), and with
    clusters Obuchowski's (1997, Biometrics 53:567-578).

    Examples
    --------
    Two rows a class whose influences are +-0.1 and +-0.2: 0.1^2/2 * 2 + 0.2^2/2 * 2 divided by two rows each.

    >>> covariance([[0.1, -0.1, 0.2, -0.2]], [True, True, False, False]).round(4).tolist()
    [[0.05]]
    """
    check_choice("margins", margins, ("random", "fixed"))
    psi, is_pos = np.atleast_2d(np.asarray(influences, np.float64)), np.asarray(positive, np.bool_)
    w = np.ones(len(is_pos)) if weight is None else np.asarray(weight, np.float64)
    parts = [psi[:, member] * (w[member] / w[member].sum()) for member in (is_pos, ~is_pos)]
    share = (is_pos - float(w[is_pos].sum() / w.sum())) * (w / w.sum())
    spread = None if margins == "fixed" or slopes is None else np.outer(np.asarray(slopes, np.float64), share)
    if cluster is not None:
        return _of_clusters(parts, spread, is_pos, w > 0, np.asarray(cluster, np.intp))
    out = np.zeros((len(psi), len(psi)))
    for part, member in zip(parts, (is_pos, ~is_pos), strict=True):
        n = int((w[member] > 0).sum())
        if n:
            out += part @ part.T * small_sample(n)
        if spread is not None:
            common = part @ spread[:, member].T
            out += common + common.T
    return out if spread is None else out + spread @ spread.T


def small_sample(n: int) -> float:
    """n / (n - 1), the factor that makes a variance of n terms unbiased; nan for a single one."""
    return n / (n - 1) if n > 1 else float("nan")


def _of_clusters(
    parts: list[Floats], spread: Floats | None, positive: npt.NDArray[np.bool_], present: Any, cluster: Any
) -> Floats:
    """Sum the shares of both classes, and of the prevalence, within clusters, and multiply the sums.

    Each product of sums over G clusters is multiplied by G / (G - 1), G being the clusters that hold a positive, a
    negative, and any row, for the squares of either class and for everything else.
    """
    size = int(cluster.max()) + 1

    def total(values: Floats, at: Any) -> Floats:
        return np.stack([np.bincount(at, row, size) for row in values])

    def holding(member: Any) -> float:
        return small_sample(int(np.count_nonzero(np.bincount(cluster[member], minlength=size))))

    pos, neg = (total(part, cluster[member]) for part, member in zip(parts, (positive, ~positive), strict=True))
    every = holding(present)
    out = holding(positive & present) * pos @ pos.T + holding(~positive & present) * neg @ neg.T
    out += every * (pos @ neg.T + neg @ pos.T)
    if spread is not None:
        drift = total(spread, cluster)
        out += every * (drift @ drift.T + drift @ (pos + neg).T + (pos + neg) @ drift.T)
    return np.asarray(out)
