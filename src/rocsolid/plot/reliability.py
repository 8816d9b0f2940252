"""The reliability curve: line and consistency band above, numbers of rows below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocsolid.curves import ReliabilityCurve
from rocsolid.plot.scales import thinned

MOST_BARS = 50
"""Rows of an isotonic curve are counted in so many bars of equal width."""


def draw(ax: Any, curve: ReliabilityCurve, label: str, look: Mapping[str, Any]) -> tuple[Any, Any]:
    """Draw the line, with a marker at each bin, and the band in its colour; return both."""
    full = curve.rows > 0
    x, y = curve.forecast[full], curve.observed[full]
    marker = None if curve.binning == "isotonic" and len(x) > 1 else "o"
    (line,) = ax.plot(*(thinned(x, y) if marker is None else (x, y)), marker=marker, label=label, **look)
    area = None
    if curve.low is not None and curve.high is not None:
        band = f"_{curve.confidence_level}"
        area = ax.fill_between(
            x, curve.low[full], curve.high[full], color=line.get_color(), alpha=0.2, lw=0, label=band
        )
    return line, area


def counts(ax: Any, curve: ReliabilityCurve, color: Any, rows: str) -> Any:
    """Draw the numbers of rows on axes of their own below, and return these; used again for a second curve."""
    below = next((inside for inside in ax.child_axes if inside.get_gid() == "rocsolid-counts"), None)
    if below is None:
        below = ax.inset_axes((0, -0.26, 1, 0.22), sharex=ax, gid="rocsolid-counts")
        below.set_ylabel(rows)
        ax.tick_params(labelbottom=False)
    if curve.edges is None:
        heights, edges = np.histogram(curve.forecast, bins=MOST_BARS, range=(0, 1), weights=curve.rows)
        below.stairs(heights, edges, fill=True, color=color, alpha=0.6)
    else:
        below.stairs(curve.rows, curve.edges, fill=True, color=color, alpha=0.6)
    return below
