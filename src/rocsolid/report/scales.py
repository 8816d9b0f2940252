"""From numbers to positions on an axis: plain, logarithmic, in normal deviates, in log odds.

The page's script has the same scales (``assets/scales.js``); a test holds both to the same paths.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from ``low`` to ``high``; ``kind`` is ``linear``, ``log``, ``probit`` or ``logit``."""

    kind: str
    low: float
    high: float

    def place(self, values: Any) -> Floats:
        """Map numbers to [0, 1] along the axis; what lies beyond its ends is put on them. O(k)."""
        clipped = np.clip(np.asarray(values, dtype=np.float64), self.low, self.high)
        start, end = (float(STRETCH[self.kind](np.float64(x))) for x in (self.low, self.high))
        return np.asarray((STRETCH[self.kind](clipped) - start) / (end - start))

    def ticks(self) -> list[float]:
        """Give the numbers that are marked."""
        if self.kind == "probit":
            return probit_ticks(self.low, self.high)
        if self.kind == "log":
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            return [10.0**i for i in range(first, last + 1, 1 + (last - first) // 7)]
        if self.kind == "logit":
            return spread([t for t in PROBIT_TICKS if self.low <= t <= self.high], self.place)
        return linear_ticks(self.low, self.high)


def _probit(values: Floats) -> Floats:
    from scipy.special import ndtri

    return np.asarray(ndtri(values))


STRETCH: dict[str, Callable[[Any], Any]] = {
    "linear": lambda v: v,
    "log": np.log10,
    "probit": _probit,
    "logit": lambda v: np.log(v / (1 - v)),
}


def linear_ticks(low: float, high: float) -> list[float]:
    """Give round numbers, five steps or so."""
    rough = (high - low) / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * m for m in (1, 2, 2.5, 5, 10) if unit * m >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{i * step:.10g}") for i in range(first, last + 1)]


# -------------------------------------------------------------------------------------------- normal deviates


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


def probit_ticks(low: float, high: float) -> list[float]:
    """Give the tick marks from ``low`` to ``high`` whose labels do not touch."""
    inside = [t for t in PROBIT_TICKS if low * (1 - 1e-9) <= t <= high * (1 + 1e-9)]
    return spread(inside, Scale("probit", low, high).place)


def spread(ticks: Sequence[float], place: Callable[[Any], Floats]) -> list[float]:
    """Leave out the ticks whose labels, in per cent, would touch those before them."""
    kept: list[float] = []
    end = -1.0
    for tick, at in zip(ticks, place(list(ticks)).tolist(), strict=True):
        half = 0.0105 * len(tick_label(tick))
        if at - half >= end:
            kept.append(tick)
            end = at + half + 0.018
    return kept


def tick_label(rate: float) -> str:
    """Write a rate in per cent, without the sign: ``0.1``, ``40``, ``99.99``."""
    return f"{100 * rate:.4f}".rstrip("0").rstrip(".")
