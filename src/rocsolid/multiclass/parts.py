"""Two-class problems inside a problem of k classes, and how far their estimates deviate together.

One against the rest (OvR): class c against all others, by column c. One against one (OvO): within the rows of two
classes, by the column of either (Hand & Till 2001, Machine Learning 45:171-186). An average of measures is a weighted
sum of parts; since a row adds to several of them, they are not independent. The share of each row in the deviation of
each part comes from its influence, and products of shares, summed over rows (or clusters), are covariances.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.inference.covariance import small_sample
from rocsolid.inference.row_influence import row_influence, weights_of
from rocsolid.inputs import Rows
from rocsolid.inputs.classes import ClassRows
from rocsolid.measures.registry import Request
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One two-class problem: its rows, their sweep, and their places among all rows (``None``: all of them)."""

    name: str
    classes: tuple[int, ...]
    rows: Rows
    sweep: Sweep
    at: Indices | None


def one_against_rest(data: ClassRows, scores: Any = None) -> Iterator[Part]:
    """Each class against all others, by its column of the scores (or of a table in their place)."""
    table = data.scores if scores is None else scores
    for c, label in enumerate(data.classes):
        rows = data.binary(table[:, c], data.member(c), label)
        yield Part(str(label), (c,), rows, Sweep.from_rows(rows), None)


def one_against_one(data: ClassRows) -> Iterator[Part]:
    """Each class against each other one, by its column; a pair of classes gives two parts."""
    assert data.codes is not None
    for i, j in combinations(range(len(data.classes)), 2):
        at = np.flatnonzero((data.codes == i) | (data.codes == j))
        for c, other in ((i, j), (j, i)):
            rows = data.binary(data.scores[at, c], data.codes[at] == c, data.classes[c], at)
            name = f"{data.classes[c]} against {data.classes[other]}"
            yield Part(name, (c, other), rows, Sweep.from_rows(rows), at)


def all_labels(data: ClassRows, scores: Any = None) -> Part:
    """Every row and class as a row of its own (micro average): is it the row's class? Those of a row are a cluster."""
    n, k = data.scores.shape
    positive = np.column_stack([data.member(c) for c in range(k)]).reshape(-1)
    cluster = np.arange(n) if data.cluster is None else data.cluster
    rows = Rows(
        scores=np.ascontiguousarray(data.scores if scores is None else scores).reshape(-1), positive=positive,
        weights=None if data.weights is None else np.repeat(data.weights, k), decimals=None, pos_label="own class",
        labels=("other class", "own class"), dropped=data.dropped, cluster=np.repeat(cluster, k),
    )  # fmt: skip
    return Part("micro", tuple(range(k)), rows, Sweep.from_rows(rows), None)


def shares(request: Request, part: Part, n: int) -> Floats:
    """(n,) share of each row in the deviation of a part's estimate: their squares sum to its variance. O(n log n).

    For rows of class sizes n+ and n- that is psi / n+ or psi / n-, times sqrt(n / (n - 1)) of the class, so that the
    sum of squares is the unbiased variance; and what the share of positives adds.
    """
    found, weight = row_influence(request, part.sweep, part.rows), weights_of(part.rows)
    positive, out = part.rows.positive, np.zeros(n)
    inside = np.zeros(len(positive))
    for side in (positive, ~positive):
        mass = float(weight[side].sum())
        count = int(np.count_nonzero(weight[side]))
        factor = small_sample(count) if part.rows.cluster is None else 1.0
        inside[side] = found.psi[side] * weight[side] / mass * math.sqrt(factor)
    if found.slope:
        total = float(weight.sum())
        inside += found.slope * (positive - float(weight[positive].sum()) / total) * weight / total
    out[slice(None) if part.at is None else part.at] = inside
    return out


class Deviations:
    """Shares of all rows (or clusters) in the deviations of several estimates, and their covariance."""

    def __init__(self, each: Sequence[Floats], data: ClassRows) -> None:
        self.rows: Floats = np.array(each)
        self.groups = data.codes if data.cluster is None else None
        if data.cluster is not None:
            g = int(data.cluster.max()) + 1
            summed = np.stack([np.bincount(data.cluster, one, g) for one in self.rows])
            self.rows = np.asarray(summed * math.sqrt(small_sample(g)), np.float64)

    def covariance(self) -> Floats:
        """(p, p) covariance of the estimates. O(n p^2)."""
        return np.asarray(self.rows @ self.rows.T)

    def of_sum(self, coefficients: Floats) -> Floats:
        """Shares in a weighted sum of the estimates."""
        return np.asarray(coefficients @ self.rows)

    def df(self, total: Floats) -> float:
        """Satterthwaite's degrees of freedom of the variance of a sum: class by class, or of the clusters."""
        if self.groups is None:
            return float(max(1, len(total) - 1))
        each = np.bincount(self.groups, total**2)
        sizes = np.bincount(self.groups, minlength=len(each))
        below = sum(v * v / max(m - 1, 1) for v, m in zip(each.tolist(), sizes.tolist(), strict=True) if v > 0)
        return max(1.0, float(each.sum()) ** 2 / below) if below > 0 else max(1.0, float(len(total) - len(each)))
