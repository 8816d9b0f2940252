"""From rates to positions on an axis: plain shares, and normal deviates; and which points a picture needs."""

from __future__ import annotations

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


def probit(rate: float) -> float:
    """Give the normal deviate of a rate inside (0, 1)."""
    return NormalDist().inv_cdf(rate)


def probit_range(lowest: float, reach: float) -> tuple[float, float]:
    """Choose the ends of a normal-deviate axis.

    Parameters
    ----------
    lowest : the smallest rate above 0 that is drawn.
    reach : a rate that all curves get below on both axes at once; good curves get the room of a bad region.
    """
    low = max((d for d in _DECADES if d <= lowest), default=_DECADES[0])
    return low, 0.6 if reach <= 0.2 else 1 - low


def on_probit(rates: Any, low: float, high: float) -> Floats:
    """Map rates to [0, 1] along a normal-deviate axis; what lies beyond its ends is put on them. O(k)."""
    from scipy.special import ndtri

    start, end = probit(low), probit(high)
    z = ndtri(np.clip(np.asarray(rates, dtype=np.float64), low, high))
    return np.asarray((z - start) / (end - start), dtype=np.float64)


def probit_ticks(low: float, high: float) -> list[float]:
    """Give the tick marks from ``low`` to ``high``, few enough to read."""
    inside = [t for t in PROBIT_TICKS if low * (1 - 1e-9) <= t <= high * (1 + 1e-9)]
    if low < 1e-3:  # many decades: leave out the steps between them
        inside = [t for t in inside if t not in (2e-3, 5e-3, 0.02, 0.05, 0.2, 0.8, 0.95, 0.98, 0.995, 0.998)]
    elif high > 0.6:
        inside = [t for t in inside if t not in (2e-3, 5e-3, 0.02, 0.05, 0.95, 0.98, 0.995, 0.998)]
    return inside


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
