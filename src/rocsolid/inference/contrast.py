"""Difference of a measure between two models: its variance, and how many degrees of freedom that rests on.

Paired models share their rows, so the variance is that of the difference of two influences, row by row. For ROC-AUC
these are the differences of placements, and the variance is DeLong's (DeLong, DeLong & Clarke-Pearson 1988, Biometrics
44:837-845); without weights it is computed from whole numbers and rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rocsolid import _kernel, keys
from rocsolid.inference.clustered import precision_clusters
from rocsolid.inference.covariance import Scatter, Variance, variance
from rocsolid.inference.row_influence import row_influence, weights_of
from rocsolid.inputs import Rows
from rocsolid.measures.ranking import AVERAGE_PRECISION
from rocsolid.measures.registry import Request
from rocsolid.options import Margins, get_num_threads
from rocsolid.sweep import Sweep, effective_size

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One model: its name, its sweep, and its rows where there are any."""

    name: str
    sweep: Sweep
    rows: Rows | None


@dataclass(frozen=True, slots=True)
class Contrast:
    """Difference of two models.

    Attributes
    ----------
    difference : first less second.
    variance : of the difference; nan where it can not be known (a single row, or cluster, in a class).
    df : degrees of freedom of that variance.
    rho : correlation of both estimates, 0 if one of them has no variance.
    rows_apart : rows whose influences differ between the models, ``None`` if the models have different rows.
    """

    difference: float
    variance: float
    df: float
    rho: float
    rows_apart: int | None


class Panel(Protocol):
    """Several models on the same rows."""

    def contrast(self, a: int, b: int) -> Contrast:
        """Compare models number ``a`` and ``b``."""
        ...

    def matrix(self) -> Floats:
        """Give the (k, k) covariance of all models."""
        ...


def panel(request: Request, subjects: Sequence[Subject], values: Sequence[float], margins: Margins) -> Panel:
    """Several models on common rows: whole numbers for a plain ROC-AUC, influences for everything else."""
    every = [subject.rows for subject in subjects if subject.rows is not None]
    rows = every[0]
    if request.measure.name == "roc_auc" and rows.weights is None and rows.cluster is None:
        exact = Placements.of(every, [subject.sweep.higher_is_positive for subject in subjects])
        if exact is not None:
            return exact
    return Influences(request, subjects, values, margins)


def satterthwaite(parts: Sequence[tuple[float, float]]) -> float:
    """Degrees of freedom of a sum of independent variances, each given with its own (Satterthwaite 1946)."""
    below = sum(v * v / df for v, df in parts if v > 0 and df > 0)
    total = sum(v for v, _ in parts)
    return total * total / below if below > 0 else max(1.0, sum(df for _, df in parts))


# ------------------------------------------------------------------------------------- whole numbers (DeLong)


@dataclass(frozen=True, slots=True, eq=False)
class Placements:
    """Twice the placements of each row under each model, and the sums of all their products, class by class."""

    columns: list[npt.NDArray[Any]]
    n: tuple[int, int]
    totals: tuple[list[int], list[int]]
    products: tuple[list[list[int]], list[list[int]]]

    @classmethod
    def of(cls, models: Sequence[Rows], higher_is_positive: Sequence[bool]) -> Placements | None:
        """Place the same rows under each model, each with its direction. O(k n + k^2 n).

        ``None`` where a sum does not fit into 128 bits.
        """
        positive, threads = models[0].positive.view(np.uint8), get_num_threads()
        columns: list[Any] = [
            _kernel.placements(keys.to_kernel(rows.scores)[0], positive, up, threads)
            for rows, up in zip(models, higher_is_positive, strict=True)
        ]
        sums = _kernel.placement_sums(columns, positive, threads)
        if sums is None:
            return None
        (m, t_pos, p_pos), (n, t_neg, p_neg) = sums
        return cls(columns, (m, n), (t_pos, t_neg), (p_pos, p_neg))

    def difference(self, a: int, b: int) -> Fraction:
        """AUC of model ``a`` less that of model ``b``."""
        return Fraction(self.totals[0][a] - self.totals[0][b], 2 * self.n[0] * self.n[1])

    def spread(self, c: int, i: int, j: int) -> Fraction:
        """Covariance of the placements under models i and j in class c, which has at least two rows."""
        n, twice_other = self.n[c], 2 * self.n[1 - c]
        part = n * self.products[c][i][j] - self.totals[c][i] * self.totals[c][j]
        return Fraction(part, n * (n - 1) * twice_other**2)

    def spread_of_difference(self, c: int, a: int, b: int) -> Fraction:
        """Variance, in class c, of the difference of a row's placements under models a and b."""
        return self.spread(c, a, a) + self.spread(c, b, b) - 2 * self.spread(c, a, b)

    def contrast(self, a: int, b: int) -> Contrast:
        """DeLong's variance of a difference; Satterthwaite's degrees of freedom over the two classes."""
        difference = float(self.difference(a, b))
        apart = int(np.count_nonzero(self.columns[a] != self.columns[b]))
        if min(self.n) < 2:
            return Contrast(difference, math.nan, 1.0, 0.0, apart)
        each = [self.spread_of_difference(c, a, b) / self.n[c] for c in (0, 1)]
        df = satterthwaite([(float(v), size - 1) for v, size in zip(each, self.n, strict=True)])
        return Contrast(difference, float(sum(each)), df, self._correlation(a, b), apart)

    def _covariance(self, i: int, j: int) -> Fraction:
        return sum((self.spread(c, i, j) / self.n[c] for c in (0, 1)), Fraction())

    def _correlation(self, a: int, b: int) -> float:
        own = self._covariance(a, a) * self._covariance(b, b)
        return _within(float(self._covariance(a, b)) / math.sqrt(own)) if own else 0.0

    def matrix(self) -> Floats:
        """DeLong's covariance of all areas."""
        k = len(self.columns)
        if min(self.n) < 2:
            return np.full((k, k), np.nan)
        return np.array([[float(self._covariance(i, j)) for j in range(k)] for i in range(k)])


def _within(rho: float) -> float:
    return min(1.0, max(-1.0, rho))


# --------------------------------------------------------------------------------------------- any influences


class Influences:
    """Influences of the common rows on each model; weights and clusters are those of the rows."""

    def __init__(
        self, request: Request, subjects: Sequence[Subject], values: Sequence[float], margins: Margins
    ) -> None:
        rows = subjects[0].rows
        assert rows is not None
        found = []
        for subject in subjects:
            assert subject.rows is not None
            found.append(row_influence(request, subject.sweep, subject.rows))
        self.request, self.values, self.rows = request, values, rows
        self.weight = weights_of(rows)
        self.scatter = Scatter.of(
            np.stack([one.psi for one in found]), rows.positive, weight=self.weight, cluster=rows.cluster,
            slopes=[one.slope for one in found] if margins == "random" else None,
        )  # fmt: skip
        self.joint = self.scatter.covariance()
        of_precision = request.measure is AVERAGE_PRECISION and rows.cluster is not None
        self.deciding = [
            precision_clusters(one.sweep, one.rows) if of_precision and one.rows else math.inf for one in subjects
        ]
        self.rounding = 1e-12 * max(
            float(part.max(initial=0.0) - part.min(initial=0.0)) for part in (self.scatter.pos, self.scatter.neg)
        )

    def contrast(self, a: int, b: int) -> Contrast:
        """Variance of the difference of two influences."""
        apart = self.scatter.difference(a, b)
        total = float(apart.covariance()[0, 0])
        own = self.joint[a, a] * self.joint[b, b]
        rho = _within(float(self.joint[a, b] / math.sqrt(own))) if own > 0 else 0.0
        differ = sum(int(np.count_nonzero(np.abs(part) > self.rounding)) for part in (apart.pos, apart.neg))
        if not differ and not apart.slopes.any() and not math.isnan(total):
            total = 0.0  # and no rounding error
        df = self.df(apart, total, min(self.deciding[a], self.deciding[b]))
        return Contrast(self.values[a] - self.values[b], max(total, 0.0), df, rho, differ)

    def df(self, scatter: Scatter, total: float, deciding: float) -> float:
        """Clusters of the scarcer class less one; for AP its rows less one; Satterthwaite's for the rest.

        An AP rests on no more clusters than those that ``deciding`` counts: with as many degrees of freedom as clusters
        the test rejected up to 7 % instead of 5 % where rows of a cluster have different labels.
        """
        positive, cluster, w = self.rows.positive, self.rows.cluster, self.weight
        members = (positive, ~positive)
        if cluster is not None:
            return max(1.0, min(deciding, *(len(np.unique(cluster[member])) for member in members)) - 1)
        sizes = [effective_size(w[member], w[member] ** 2) for member in members]
        if self.request.measure is AVERAGE_PRECISION:
            return max(1.0, min(sizes) - 1)
        each = [float(part[0, 0]) for part in scatter.by_class()]
        rest = max(total - sum(each), 0.0)
        return max(1.0, satterthwaite([(each[0], sizes[0] - 1), (each[1], sizes[1] - 1), (rest, sum(sizes) - 1)]))

    def matrix(self) -> Floats:
        """Covariance of all models."""
        return self.joint


def unpaired(request: Request, a: Subject, b: Subject, values: Sequence[float], margins: Margins) -> Contrast:
    """Two models on rows of their own: the variances add up."""
    parts: list[tuple[float, float]] = []
    for subject in (a, b):
        if subject.rows is not None and subject.rows.cluster is not None:
            alone = Influences(request, [subject], [0.0], margins)
            parts.append((float(alone.matrix()[0, 0]), alone.df(alone.scatter, 0.0, alone.deciding[0])))
            continue
        parts += _by_class(_variance(request, subject.sweep, margins), subject.sweep)
    total = sum(v for v, _ in parts)
    return Contrast(values[0] - values[1], total, satterthwaite(parts), 0.0, None)


def _variance(request: Request, sweep: Sweep, margins: Margins) -> Variance:
    assert request.measure.gradient is not None
    return variance(request.measure.gradient(sweep, request.options), sweep, margins)


def _by_class(parts: Variance, sweep: Sweep) -> list[tuple[float, float]]:
    size = sweep.sizes
    m = size.n_pos if size.effective_pos is None else size.effective_pos
    n = size.n_neg if size.effective_neg is None else size.effective_neg
    return [(parts.pos, m - 1), (parts.neg, n - 1), (parts.prevalence, m + n - 1)]
