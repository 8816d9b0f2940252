"""The geometry of a band: staircases of rectangles around the vertices of a curve, and the outline of several.

A vertex of the sweep is (T, F), the positives and negatives at or beyond a cut. Its rectangle is
[L0(F), U0(F)] x [L1(T), U1(T)], with limits of the two rates at normal deviates z0 and z1. The rectangles of all
vertices make a region: its upper edge is the polyline through the north-west corners (L0, U1), its lower edge the
one through the south-east corners (U0, L1). Straight joins are exact for pure steps and, where both classes are
tied, give the convex hull of two neighbours, which contains the straight segment of the tie. Where vertices are
skipped the joins are steps that turn outward.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Polyline = tuple[Floats, Floats]
LimitsOf = Callable[[Ints, int, float], tuple[Floats, Floats]]

STOPS = 4096
"""No band looks at more vertices; at a million rows this widens it by less than its rounding for print."""


def clopper_pearson(k: Ints, n: int, z: float) -> tuple[Floats, Floats]:
    """Exact limits of proportions k/n at tail probability Phi(-z) each (Clopper & Pearson 1934). O(len(k)).

    Examples
    --------
    The rule of three: 0 of 60 leaves 1 - 0.025^(1/60):

    >>> low, high = clopper_pearson(np.array([0]), 60, 1.959963984540054)
    >>> float(low[0]), round(float(high[0]), 6), round(1 - 0.025 ** (1 / 60), 6)
    (0.0, 0.059629, 0.059629)
    """
    return _beta_limits(k, n, z, 0.0, 1.0)


def jeffreys(k: Ints, n: int, z: float) -> tuple[Floats, Floats]:
    """Limits from the posterior Beta(k + 1/2, n - k + 1/2), 0 at k = 0 and 1 at k = n (Brown, Cai & DasGupta 2001).

    They are stretched to contain k/n, which they miss only at levels far below any in use.
    """
    return _beta_limits(k, n, z, 0.5, 0.5)


def _beta_limits(k: Ints, n: int, z: float, less: float, more: float) -> tuple[Floats, Floats]:
    """Quantiles of Beta(k + less, n-k + more) and, for the upper end, Beta(k + more, n-k + less)."""
    from scipy.special import betainccinv, betaincinv, ndtr

    tail = float(ndtr(-z))
    each, back = np.unique(k, return_inverse=True)  # vertices share counts: half of the work
    with np.errstate(invalid="ignore"):
        low = np.where(each > 0, betaincinv(each + less, n - each + more, tail), 0.0)
        high = np.where(each < n, betainccinv(each + more, n - each + less, tail), 1.0)
    return np.minimum(low, each / n)[back], np.maximum(high, each / n)[back]


def choose_stops(tp: Ints, fp: Ints, limit: int = STOPS) -> Ints:
    """Vertices to look at: all, or ``limit`` at equal steps of recall + FPR + log rank from both ends. O(n)."""
    if len(tp) <= limit:
        return np.arange(len(tp))
    rows, log_all = tp + fp, np.log1p(float(tp[-1] + fp[-1]))
    way = tp / tp[-1] + fp / fp[-1] + (np.log1p(rows) - np.log1p(rows[-1] - rows)) / log_all
    at = np.searchsorted(way, np.linspace(way[0], way[-1], limit - 2))  # and both ends
    return np.unique(np.concatenate([[0], np.minimum(at, len(tp) - 1), [len(tp) - 1]]))


def region(tp: Ints, fp: Ints, stops: Ints, z: tuple[float, float], limits: LimitsOf) -> tuple[Polyline, Polyline]:
    """Upper and lower edge of the union of rectangles, each from (0, 0) to (1, 1).

    ``tp, fp`` are the counts at all vertices, ``z`` the deviates of the negatives and of the positives.
    """
    f_low, f_high = limits(fp[stops], int(fp[-1]), z[0])
    t_low, t_high = limits(tp[stops], int(tp[-1]), z[1])
    skipped = np.flatnonzero(np.diff(stops) > 1)
    upper = _joined(f_low, t_high, skipped, f_low[skipped], t_high[skipped + 1])
    lower = _joined(f_high, t_low, skipped, f_high[skipped + 1], t_low[skipped])
    return upper, lower


def _joined(x: Floats, y: Floats, after: Ints, corner_x: Floats, corner_y: Floats) -> Polyline:
    """A polyline with corners put in after the given points, from (0, 0) and on to (1, 1)."""
    x, y = np.insert(x, after + 1, corner_x), np.insert(y, after + 1, corner_y)
    return np.concatenate([[0.0], x, [1.0]]), np.concatenate([[0.0], y, [1.0]])


def sides(x: Floats, y: Floats, at: Floats) -> tuple[Floats, Floats]:
    """Heights of a polyline just before and just after each ``at``; they differ on a vertical piece. O(len log len).

    ``x`` does not fall, and covers ``at``.
    """
    first, last = np.searchsorted(x, at, "left"), np.searchsorted(x, at, "right")
    before, after = np.maximum(first - 1, 0), np.minimum(first, len(x) - 1)
    step = x[after] - x[before]
    share = np.divide(at - x[before], step, out=np.zeros_like(at), where=step > 0)
    between = y[before] + (y[after] - y[before]) * share
    met = last > first
    return np.where(met, y[after], between), np.where(met, y[last - 1], between)


def outline(tops: Sequence[Polyline], bottoms: Sequence[Polyline]) -> tuple[Floats, Floats, Floats]:
    """One band around several: ``x, low, high``, linear in between; x stands twice where an edge is vertical.

    The highest of several straight lines is convex, the lowest concave; so a straight line between two neighbouring
    breakpoints never cuts into any of the bands. O(b p log p) for b bands of p points.
    """
    x = np.unique(np.concatenate([line[0] for line in (*tops, *bottoms)]))
    high = np.maximum.reduce([sides(*line, x) for line in tops])
    low = np.minimum.reduce([sides(*line, x) for line in bottoms])
    twice = np.repeat(x, 2)
    lows, highs = low.T.ravel(), high.T.ravel()
    keep = np.ones(len(twice), np.bool_)
    keep[1::2] = (low[0] != low[1]) | (high[0] != high[1])
    return twice[keep], lows[keep], highs[keep]
