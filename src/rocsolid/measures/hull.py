"""The upper convex hull of the ROC curve: the cuts that are best for some costs and some prevalence.

A cut costs (1 - z) FPR + z FNR for some z in [0, 1], linear in both rates, so the best cut is a vertex of the hull
(Provost & Fawcett 2001, Machine Learning 42:203-231). Along an edge that runs over dx of FPR and dy of TPR both of its
ends cost the same where z = dx / (dx + dy).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.sweep import Floats, Sweep

Indices = npt.NDArray[np.int64]
PASSES = 40
"""After so many passes over all points the rest is done point by point."""


@dataclass(frozen=True, slots=True, eq=False)
class Hull:
    """Vertices of the hull from (0, 0) to (1, 1), strict to lenient.

    Attributes
    ----------
    rows : (h + 1,) rows of the sweep that are flagged at each vertex, from 0 to k.
    tp, fp : (h + 1,) positives and negatives flagged there: counts, or sums of (scaled) weights.
    """

    rows: Indices
    tp: npt.NDArray[Any]
    fp: npt.NDArray[Any]

    @property
    def widths(self) -> Floats:
        """(h,) FPR that each edge runs over."""
        return np.diff(self.fp).astype(np.float64) / float(self.fp[-1])

    @property
    def heights(self) -> Floats:
        """(h,) TPR that each edge runs over."""
        return np.diff(self.tp).astype(np.float64) / float(self.tp[-1])

    def per_row(self, of_edge: Floats) -> Floats:
        """Give each row of the sweep what belongs to the edge that it lies on."""
        return np.repeat(of_edge, np.diff(self.rows))


def hull_of(sweep: Sweep) -> Hull:
    """Hull of the ROC curve of a sweep that has both classes; exact for counts. O(k) as a rule.

    Examples
    --------
    Of the points (0, 0) (0, 1) (1, 1) (1, 2) (2, 2), in counts, the one in the middle lies below:

    >>> hull = hull_of(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]))
    >>> hull.rows.tolist(), hull.fp.tolist(), hull.tp.tolist()
    ([0, 1, 3, 4], [0, 0, 1, 2], [0, 1, 2, 2])
    """
    if sweep.weights is not None:
        tp, fp = (np.concatenate([[0.0], np.cumsum(mass)]) for mass in (sweep.pos_mass, sweep.neg_mass))
    else:
        fits = sweep.n_pos * sweep.n_neg < 2**61  # then the products below fit into 64 bits
        kind: Any = np.int64 if fits else object
        tp, fp = (np.concatenate([[0], np.cumsum(counts.astype(kind))]) for counts in (sweep.pos, sweep.neg))
    rows = upper_hull(fp, tp)
    return Hull(rows, tp[rows], fp[rows])


def upper_hull(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> Indices:
    """Indices of the vertices of the upper hull of distinct points, sorted so that x and y never fall.

    A point on or below the line through its two neighbours is no vertex. Once no such point is left, the
    line bends to the right everywhere and is the hull.
    """
    kept = np.arange(len(x))
    for _ in range(PASSES):
        dx, dy = np.diff(x[kept]), np.diff(y[kept])
        bends = np.ones(len(kept), np.bool_)
        bends[1:-1] = dx[:-1] * dy[1:] < dy[:-1] * dx[1:]
        if bends.all():
            return kept
        kept = kept[bends]
    return kept[_one_by_one(x[kept].tolist(), y[kept].tolist())]


def _one_by_one(x: list[Any], y: list[Any]) -> list[int]:
    """The same, point by point (Andrew 1979). O(k)."""
    kept: list[int] = []
    for i in range(len(x)):
        while len(kept) > 1 and _bends_left(x, y, kept[-2], kept[-1], i):
            kept.pop()
        kept.append(i)
    return kept


def _bends_left(x: list[Any], y: list[Any], a: int, b: int, c: int) -> bool:
    return bool((x[b] - x[a]) * (y[c] - y[b]) >= (y[b] - y[a]) * (x[c] - x[b]))
