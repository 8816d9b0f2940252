"""Axes of rates: linear, logarithmic in the false positive rate, or normal deviates on both."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.curves.simplified import kept_points
from rocsolid.plot import probit
from rocsolid.plot.probit import Floats

LEAST = 1e-6
PIXELS = 4096
"""A picture of so many pixels across shows every point: more than a page of five inches has at 800 dots an inch."""
SEGMENTS = 512
"""So many straight pieces are drawn as the curves that they are on other scales; more are too short to show it."""


@dataclass(frozen=True, slots=True)
class Linear:
    """Both rates from 0 to 1."""

    bent: bool = False
    per_cent: bool = False

    def x(self, rates: Floats) -> Floats:
        """Place the horizontal rates."""
        return rates

    def y(self, rates: Floats) -> Floats:
        """Place the vertical rates."""
        return rates

    def mark(self, ax: Any) -> None:
        """Set the limits of the unit square."""
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")


@dataclass(frozen=True, slots=True)
class LogAcross:
    """The horizontal rate on a logarithmic axis from ``low`` to 1; lower rates are drawn on its end."""

    low: float
    bent: bool = True
    per_cent: bool = False

    @classmethod
    def of(cls, rates: Floats) -> LogAcross:
        """End the axis at the power of ten below the smallest rate above 0."""
        least = float(rates[rates > 0].min())
        return cls(max(LEAST, min(0.01, 10.0 ** math.floor(math.log10(least)))))

    def x(self, rates: Floats) -> Floats:
        """Place the horizontal rates."""
        return np.clip(rates, self.low, 1)

    def y(self, rates: Floats) -> Floats:
        """Place the vertical rates."""
        return rates

    def mark(self, ax: Any) -> None:
        """Set the limits, never narrower than for a curve drawn before."""
        known = ax.get_xscale() == "log"
        ax.set_xscale("log")
        ax.set(xlim=(min(self.low, ax.get_xlim()[0]) if known else self.low, 1), ylim=(-0.01, 1.01))


@dataclass(frozen=True, slots=True)
class Probit:
    """Both rates on normal deviates, between ``low`` and its mirror image."""

    low: float
    bent: bool = True
    per_cent: bool = True

    @classmethod
    def of(cls, across: Floats, up: Floats) -> Probit:
        """End the axes at 0.1 %, or at the smallest rate above 0."""
        return cls(probit.ends(across, up)[0])

    def x(self, rates: Floats) -> Floats:
        """Place the horizontal rates."""
        return probit.deviates(rates, self.low, 1 - self.low)

    def y(self, rates: Floats) -> Floats:
        """Place the vertical rates."""
        return self.x(rates)

    def mark(self, ax: Any) -> None:
        """Mark both axes in per cent."""
        probit.mark(ax, self.low, 1 - self.low)


Scale = Linear | LogAcross | Probit
"""Where rates are drawn, and what the axes look like."""


def traced(x: Floats, y: Floats, scale: Scale) -> tuple[Floats, Floats]:
    """Place a curve of straight segments; on a bent scale those of tied scores become the curves they are. O(k)."""
    if scale.bent:
        x, y = filled(x, y)
    return scale.x(x), scale.y(y)


def filled(x: Floats, *ys: Floats) -> tuple[Floats, ...]:
    """Put points into the slanted segments of lines over the same ``x``, if there are few; more are short. O(k)."""
    slanted = np.flatnonzero((np.diff(x) != 0) & np.logical_or.reduce([np.diff(y) != 0 for y in ys]))
    if len(slanted) > SEGMENTS:
        return (x, *ys)
    return tuple(_between(values, slanted) for values in (x, *ys))


def _between(values: Floats, segments: Any) -> Floats:
    """Put points into some segments, denser towards both ends, where the scales bend most."""
    share = 1 / (1 + np.exp(-np.linspace(-12, 12, 49)))
    first, last = values[segments][:, None], values[segments + 1][:, None]
    inside = first + (last - first) * share
    return np.insert(values, np.repeat(segments + 1, len(share)), inside.ravel())


def thinned(
    x: Floats, y: Floats, *, log_x: bool = False, steps: bool = False, pixels: int = PIXELS
) -> tuple[Floats, Floats]:
    """Leave out points that no picture so many pixels wide and high can show; a short curve stays as it is. O(k).

    The kernel chooses on the axes that are drawn, where no line moves by more than half a pixel: of paths that never
    turn back, and of ``steps`` that do not do so across. Of others the first, lowest, highest and last point in each
    column of pixels stay. All points are finite.
    """
    if len(x) <= 4 * pixels:
        return x, y
    across, up = _within(np.log10(x) if log_x else x), _within(y)
    if _never_falls(across) and (steps or _never_falls(up)):
        at = kept_points(across, up, steps=steps, pixels=pixels)
    else:
        at = _of_columns(across, up, pixels)
    return x[at], y[at]


def _within(values: Floats) -> Floats:
    """Places from 0 to 1 along an axis that ends with the values, turned around if they only fall."""
    low, high = float(np.min(values)), float(np.max(values))
    if not high > low:
        return np.zeros(len(values))
    return (values - low) / (high - low) if values[-1] >= values[0] else (high - values) / (high - low)


def _never_falls(values: Floats) -> bool:
    return bool((values[1:] >= values[:-1]).all())


def _of_columns(x: Floats, y: Floats, columns: int) -> npt.NDArray[np.intp]:
    """Of every run within one column the first, lowest, highest and last point, in their order."""
    starts = np.flatnonzero(np.diff(np.floor(x * columns), prepend=np.nan) != 0)
    ends = np.append(starts[1:], len(x)) - 1
    run = np.repeat(np.arange(len(starts)), ends - starts + 1)
    kept = [starts, ends]
    for values in (y, -y):
        hits = np.flatnonzero(values == np.repeat(np.minimum.reduceat(values, starts), ends - starts + 1))
        kept.append(hits[np.unique(run[hits], return_index=True)[1]])
    return np.unique(np.concatenate(kept))
