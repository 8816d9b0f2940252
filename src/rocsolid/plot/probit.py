"""Normal-deviate axes for the DET curve."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

TICKS = (1e-5, 1e-4, 1e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999)
LOW = 1e-3


def ends(fpr: Floats, fnr: Floats) -> tuple[float, float]:
    """Choose the rates where the axes end: from 0.1 % or the smallest rate above 0, to its mirror image."""
    rates = np.concatenate([fpr, fnr])
    low = max(1e-6, min(LOW, float(rates[rates > 0].min())))
    return low, 1 - low


def deviates(rates: Floats, low: float, high: float) -> Floats:
    """Give normal deviates; rates beyond the ends are drawn on them. O(k)."""
    from scipy.special import ndtri

    return np.asarray(ndtri(np.clip(rates, low, high)), dtype=np.float64)


def mark(ax: Any, low: float, high: float) -> None:
    """Mark both axes in per cent and widen them to the ends, never narrower than a curve drawn before."""
    x0, x1 = ax.get_xlim() if len(ax.get_lines()) > 2 else (np.inf, -np.inf)
    start, end = deviates(np.array([low, high]), low, high).tolist()
    limits = (min(start, x0), max(end, x1))
    ticks = [t for t in TICKS if limits[0] <= float(deviates(np.array([t]), 1e-9, 1 - 1e-9)[0]) <= limits[1]]
    places = deviates(np.array(ticks), 1e-9, 1 - 1e-9).tolist()
    kept: list[tuple[float, float]] = []
    for tick, place in zip(ticks, places, strict=True):
        if not kept or place - kept[-1][1] >= 0.1 * (limits[1] - limits[0]):
            kept.append((tick, place))
    labels = [f"{100 * tick:.4f}".rstrip("0").rstrip(".") for tick, _ in kept]
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks([place for _, place in kept], labels=labels)
    ax.set(xlim=limits, ylim=limits, aspect="equal")
