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
    given = None if margins == "fixed" else slopes
    return Scatter.of(influences, positive, slopes=given, weight=weight, cluster=cluster).covariance()


def small_sample(n: int) -> float:
    """n / (n - 1), the factor that makes a variance of n terms unbiased; nan for a single one, 0 for a sum of none."""
    return n / (n - 1) if n > 1 else float("nan") if n else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Scatter:
    """Shares of k measures' errors: of each positive and each negative, or each cluster, and of the prevalence.

    Attributes
    ----------
    pos, neg : (k, .) influences times weight over the weight of the class; summed within clusters if there are any.
    slopes : (k,) derivatives by the prevalence.
    drift : what the rows of each class, or each cluster, add to the deviation of the prevalence.
    rows : n / (n - 1) of the positives, the negatives and all: of rows, or of clusters that hold any.
    clustered : whether a positive and a negative may be dependent.
    """

    pos: Floats
    neg: Floats
    slopes: Floats
    drift: tuple[Floats, Floats]
    rows: tuple[float, float, float]
    clustered: bool

    @classmethod
    def of(
        cls,
        influences: npt.ArrayLike,
        positive: npt.ArrayLike,
        *,
        slopes: npt.ArrayLike | None = None,
        weight: npt.ArrayLike | None = None,
        cluster: npt.ArrayLike | None = None,
    ) -> Scatter:
        """Collect the shares of the rows. O(n k)."""
        psi, is_pos = np.atleast_2d(np.asarray(influences, np.float64)), np.asarray(positive, np.bool_)
        w = np.ones(len(is_pos)) if weight is None else np.asarray(weight, np.float64)
        slope = np.zeros(len(psi)) if slopes is None else np.asarray(slopes, np.float64)
        members = np.flatnonzero(is_pos & (w > 0)), np.flatnonzero(~is_pos & (w > 0))
        total, mass = float(w.sum()), [float(w[at].sum()) for at in members]
        parts = [psi[:, at] * (w[at] / each) for at, each in zip(members, mass, strict=True)]
        drift = [w[at] * (yes - mass[0] / total) / total for at, yes in zip(members, (1.0, 0.0), strict=True)]
        if cluster is None:
            n = [len(at) for at in members]
            return cls(parts[0], parts[1], slope, (drift[0], drift[1]), _factors(n[0], n[1], n[0] + n[1]), False)
        code = np.asarray(cluster, np.intp)
        size = int(code.max()) + 1
        codes = [code[at] for at in members]
        pos, neg = (_sums(part, at, size) for part, at in zip(parts, codes, strict=True))
        both = [_sums(one[None], at, size)[0] for one, at in zip(drift, codes, strict=True)]
        held = [len(np.unique(at)) for at in (*codes, np.concatenate(codes))]
        return cls(pos, neg, slope, (both[0], both[1]), _factors(*held), True)

    def difference(self, a: int, b: int) -> Scatter:
        """Scatter of measure ``a`` less measure ``b``. O(n)."""
        pos, neg = self.pos[a] - self.pos[b], self.neg[a] - self.neg[b]
        return Scatter(pos[None], neg[None], self.slopes[[a]] - self.slopes[b], self.drift, self.rows, self.clustered)

    def by_class(self) -> tuple[Floats, Floats]:
        """(k, k) parts of the covariance that each class adds for itself; 0 of a class without a row. O(n k^2)."""
        return (
            self.pos @ self.pos.T * self.rows[0] if self.pos.shape[1] else np.zeros((len(self.pos),) * 2),
            self.neg @ self.neg.T * self.rows[1] if self.neg.shape[1] else np.zeros((len(self.pos),) * 2),
        )

    def covariance(self) -> Floats:
        """Give the (k, k) covariance. O(n k^2).

        In clusters a product of sums over G of them is multiplied by G / (G - 1), G being the clusters that hold a
        positive, a negative, and any row, for the squares of either class and for everything else.
        """
        pos, neg = self.by_class()
        out = pos + neg
        every = self.rows[2] if self.clustered else 1.0
        if self.clustered:
            common = self.pos @ self.neg.T
            out += every * (common + common.T)
        if self.slopes.any():
            out += every * self._prevalence()
        return np.asarray(out)

    def _prevalence(self) -> Floats:
        """What the share of positives adds, and what it has in common with the classes."""
        up, down = self.drift
        if self.clustered:
            whole = up + down
            square, common = float(whole @ whole), (self.pos + self.neg) @ whole
        else:
            square, common = float(up @ up + down @ down), self.pos @ up + self.neg @ down
        mixed = np.outer(self.slopes, common)
        return np.asarray(np.outer(self.slopes, self.slopes) * square + mixed + mixed.T)


def _factors(*counts: int) -> tuple[float, float, float]:
    a, b, c = (small_sample(n) for n in counts)
    return a, b, c


def _sums(values: Floats, code: Any, size: int) -> Floats:
    return np.stack([np.bincount(code, row, size) for row in values]).astype(np.float64, copy=False)
