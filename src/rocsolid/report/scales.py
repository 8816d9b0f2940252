"""From rates to positions on an axis: plain shares, and normal deviates; and which points a picture needs."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

PROBIT_TICKS = (
    1e-6, 1e-5, 1e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6,
    0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9999, 0.99999, 0.999999,
)  # fmt: skip
_DECADES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
NEAR = 0.6
"""Where both axes end if every curve reaches the lower left: good curves get the room of a bad region."""


def probit(rate: float) -> float:
    """Give the normal deviate of a rate inside (0, 1)."""
    return NormalDist().inv_cdf(rate)


def probit_range(curves: Sequence[tuple[Floats, Floats]]) -> tuple[float, float]:
    """Choose the ends of both normal-deviate axes for curves given as two arrays of error rates. O(points).

    If every curve passes below 20 % on both axes at once, the axes end at 60 % and begin at the power of ten
    below the smallest rate (above 0) inside; otherwise they are symmetric.
    """
    near = all(float(np.maximum(a, b).min()) <= 0.2 for a, b in curves)
    high = NEAR if near else 1.0
    rates = [r[(r > 0) & (other <= high)] for a, b in curves for r, other in ((a, b), (b, a))]
    lowest = min((float(r.min()) for r in rates if r.size), default=_DECADES[-1])
    low = max((d for d in _DECADES if d <= lowest), default=_DECADES[0])
    return (low, NEAR) if near else (max(low, 1e-4), 1 - max(low, 1e-4))


def on_probit(rates: Any, low: float, high: float) -> Floats:
    """Map rates to [0, 1] along a normal-deviate axis; what lies beyond its ends is put on them. O(k)."""
    from scipy.special import ndtri

    start, end = probit(low), probit(high)
    z = ndtri(np.clip(np.asarray(rates, dtype=np.float64), low, high))
    return np.clip((z - start) / (end - start), 0.0, 1.0)


def probit_ticks(low: float, high: float) -> list[float]:
    """Give the tick marks from ``low`` to ``high`` whose labels do not touch along an axis of 300 units."""
    inside = [t for t in PROBIT_TICKS if low * (1 - 1e-9) <= t <= high * (1 + 1e-9)]
    places = on_probit(inside, low, high).tolist()
    kept: list[float] = []
    end = -1.0
    for tick, place in zip(inside, places, strict=True):
        half = 0.0105 * len(tick_label(tick))
        if place - half >= end:
            kept.append(tick)
            end = place + half + 0.018
    return kept


def tick_label(rate: float) -> str:
    """Write a rate in per cent, without the sign: ``0.1``, ``40``, ``99.99``."""
    return f"{100 * rate:.4f}".rstrip("0").rstrip(".")


def thin(x: Floats, y: Floats, columns: int) -> npt.NDArray[np.int64]:
    """Choose the points that a picture of ``columns`` pixel columns needs: it looks the same without the others.

    Of each column the first, lowest, highest and last point stay, in their order. ``x`` runs one way within
    [0, 1]. O(k) time; at most four points a column come back, whatever the length of the curve.
    """
    if len(x) <= 4 * columns:
        return np.arange(len(x), dtype=np.int64)
    column = np.minimum((x * columns).astype(np.int64), columns - 1)
    starts = np.flatnonzero(np.diff(column, prepend=column[0] - 1))
    ends = np.append(starts[1:], len(x)) - 1
    kept = [starts, ends]
    for values in (y, -y):  # the first position of each column's lowest and highest value
        lowest = np.repeat(np.minimum.reduceat(values, starts), ends - starts + 1)
        hits = np.flatnonzero(values == lowest)
        kept.append(hits[np.unique(column[hits], return_index=True)[1]])
    return np.unique(np.concatenate(kept))
