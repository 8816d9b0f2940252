"""Which points of a curve a page keeps: few whatever the number of rows, each a true cut with its counts.

Left out is only what can not be seen: in ROC, ROC with a logarithmic axis, precision-recall and DET at once, each 800
pixels wide, the curve through the kept points is nowhere farther than half a pixel from the whole one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from rocsolid.curves.points import from_zero
from rocsolid.measures.hull import hull_of
from rocsolid.report.scales import Floats
from rocsolid.sweep import Sweep

WIDTH = 800.0
"""Pixels that the error is stated for."""
COLUMN, REST = 0.05, 0.449
"""The bound of half a pixel in two parts: of the first look by columns, and of the second one point by point."""

Indices = npt.NDArray[np.int64]


def kept_points(sweep: Sweep, stops: Iterable[int] = ()) -> Indices:
    """Choose the points to keep, as positions among ``(0, 0)`` and the cumulated counts of the sweep.

    Always kept are both ends, all vertices of the ROC hull (the cheapest cut for any prevalence and costs is one of
    them) and the ``stops``. O(k).
    """
    views = _views(sweep)
    forced = {0, len(sweep), *hull_of(sweep).rows.tolist(), *(int(stop) for stop in stops)}
    seen = np.unique(np.concatenate([np.array(sorted(forced)), *(_by_columns(x, y) for x, y in views)]))
    straight = [(x[seen].tolist(), y[seen].tolist()) for x, y in views[:3]]
    recall, precision = (values[seen].tolist() for values in views[3])
    fixed = [int(i) in forced for i in seen]
    return seen[one_by_one(straight, REST, (recall, precision), fixed)]


def _views(sweep: Sweep) -> list[tuple[Floats, Floats]]:
    """All points in pixels: ROC, log ROC, DET (none of them ever falls), and precision against recall."""
    from scipy.special import ndtri

    tp, fp = from_zero(sweep.pos_mass), from_zero(sweep.neg_mass)
    tpr, fpr = tp / tp[-1], fp / fp[-1]
    least, least_pos = 0.5 / sweep.n_neg, 0.5 / sweep.n_pos
    across, up = (ndtri(np.clip(v, e, 1 - e)) for v, e in ((fpr, least), (tpr, least_pos)))
    with np.errstate(invalid="ignore"):
        precision = tp / (tp + fp)
    precision[0] = precision[1]
    decades = np.log10(np.maximum(fpr, least) / least) / -math.log10(least)
    shares = [(fpr, tpr), (decades, tpr), (_unit(across), _unit(up)), (tpr, precision)]
    return [(WIDTH * x, WIDTH * y) for x, y in shares]


def _unit(z: Floats) -> Floats:
    """Stretch to [0, 1]; all the same where there is nothing to stretch."""
    span = float(z[-1] - z[0])
    return (z - z[0]) / span if span > 0 else np.zeros_like(z)


def _by_columns(x: Floats, y: Floats) -> Indices:
    """Of each narrow column the first, lowest, highest and last point. O(k)."""
    column = np.floor(x / COLUMN)
    starts = np.flatnonzero(np.diff(column, prepend=-1.0))
    if 4 * len(starts) >= len(x):
        return np.arange(len(x), dtype=np.int64)
    ends = np.append(starts[1:], len(x)) - 1
    kept = [starts, ends]
    for values in (y, -y):
        lowest = np.repeat(np.minimum.reduceat(values, starts), ends - starts + 1)
        hits = np.flatnonzero(values == lowest)
        kept.append(hits[np.unique(column[hits], return_index=True)[1]])
    return np.unique(np.concatenate(kept))


Line = tuple[Sequence[float], Sequence[float]]


def one_by_one(
    views: Sequence[Line], eps: float, recall_precision: Line | None = None, forced: Sequence[bool] = ()
) -> list[int]:
    """Walk along the points; keep one only where leaving it out would be seen in some view. O(k).

    In the straight views, which run one way, the directions from the last kept point that pass within ``eps`` of all
    points left out are a cone, whose two edges are enough to know. The last point and those ``forced`` are kept.
    """
    last = len(views[0][0]) - 1
    watchers: list[_Cone | _Window] = [_Cone(x, y, eps) for x, y in views]
    if recall_precision is not None:
        watchers.append(_Window(*recall_precision, eps / math.sqrt(2)))
    kept = [0]
    for watcher in watchers:
        watcher.restart(0)
    for j in range(1, last + 1):
        if not all(watcher.allows(j) for watcher in watchers):
            kept.append(j - 1)
            for watcher in watchers:
                watcher.restart(j - 1)
        if j == last or (forced and forced[j]):
            kept.append(j)
        for watcher in watchers:
            if kept[-1] == j:
                watcher.restart(j)
            else:
                watcher.leave_out(j)
    return kept


class _Cone:
    """The directions in which a straight segment from the anchor misses no point left out by more than ``eps``."""

    __slots__ = ("anchor", "edges", "eps", "x", "y")

    def __init__(self, x: Sequence[float], y: Sequence[float], eps: float) -> None:
        self.x, self.y, self.eps = x, y, eps

    def restart(self, anchor: int) -> None:
        self.anchor = (self.x[anchor], self.y[anchor])
        self.edges: tuple[float, float, float, float] | None = None

    def allows(self, j: int) -> bool:
        if self.edges is None:
            return True
        dx, dy = self.x[j] - self.anchor[0], self.y[j] - self.anchor[1]
        ax, ay, bx, by = self.edges
        return ax * dy - ay * dx >= 0 and dx * by - dy * bx >= 0

    def leave_out(self, j: int) -> None:
        dx, dy, eps = self.x[j] - self.anchor[0], self.y[j] - self.anchor[1], self.eps
        rest = dx * dx + dy * dy - eps * eps
        if rest <= 0:
            return
        s = math.sqrt(rest)
        ax, ay, bx, by = dx * s + eps * dy, dy * s - eps * dx, dx * s - eps * dy, dy * s + eps * dx
        if self.edges is not None:
            a0, a1, b0, b1 = self.edges
            if a0 * ay - a1 * ax <= 0:
                ax, ay = a0, a1
            if bx * b1 - by * b0 <= 0:
                bx, by = b0, b1
        self.edges = (ax, ay, bx, by)


class _Window:
    """Precision goes up and down: what is left out stays near the last kept point or as high as the next one."""

    __slots__ = ("anchor", "e", "far", "near", "r", "v")

    def __init__(self, r: Sequence[float], v: Sequence[float], e: float) -> None:
        self.r, self.v, self.e = r, v, e

    def restart(self, anchor: int) -> None:
        self.anchor = anchor
        self.near, self.far = (math.inf, -math.inf), (math.inf, -math.inf)

    def allows(self, j: int) -> bool:
        if j == self.anchor + 1:
            return True
        v, e, start = self.v[j], self.e, self.v[self.anchor]
        return (
            self.far[1] - v <= e and v - self.far[0] <= e
            and self.near[1] <= max(start, v) + e and self.near[0] >= min(start, v) - e
        )  # fmt: skip

    def leave_out(self, j: int) -> None:
        v = self.v[j]
        if self.r[j] - self.r[self.anchor] <= self.e:
            self.near = (min(self.near[0], v), max(self.near[1], v))
        else:
            self.far = (min(self.far[0], v), max(self.far[1], v))


def largest_error(x: Floats, y: Floats, kept: Indices) -> float:
    """Measure how far a curve strays from the straight segments through its kept points; for tests. O(k)."""
    worst = 0.0
    for a, b in pairwise(kept.tolist()):
        dx, dy = x[b] - x[a], y[b] - y[a]
        length = math.hypot(dx, dy)
        inside = slice(a + 1, b)
        if b > a + 1:
            px, py = x[inside] - x[a], y[inside] - y[a]
            off = np.hypot(px, py) if length == 0 else np.abs(px * dy - py * dx) / length
            worst = max(worst, float(off.max()))
    return worst
