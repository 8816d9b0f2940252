"""Confidence bands of the ROC curves as a page draws them: two edges each, thinned to what can be seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsolid import _kernel
from rocsolid.evaluation import Evaluation
from rocsolid.report.scales import Floats

KINDS = ("pointwise", "simultaneous")
MOST_ROWS = 100_000
"""With more rows a band takes seconds, and is as thin as its line."""
PIXELS, OFF = 800.0, 0.5
Edge = dict[str, list[float]]


def roc_bands(member: Evaluation) -> dict[str, dict[str, Edge]] | None:
    """Give both bands of a model; ``None`` for rows that are not independent or weigh differently, and for many rows.

    ``{"pointwise": {"low": {"x": [...], "y": [...]}, "high": ...}, "simultaneous": ...}``. O(n).
    """
    sweep = member.sweep
    dependent = sweep.weights is not None or member.n_clusters is not None or member.n_folds is not None
    if dependent or sweep.sizes.n > MOST_ROWS or not 0.8 <= member.confidence_level <= 0.999:
        return None
    found: dict[str, dict[str, Edge]] = {}
    for kind in KINDS:
        band = member.band("roc", kind=kind)
        found[kind] = {"low": _edge(band.x, band.low), "high": _edge(band.x, band.high)}
    return found


def _edge(x: Floats, y: Floats) -> Edge:
    """Leave out the points that are within half a pixel of the line through the others."""
    simplifier = _kernel.Simplifier(1, False, OFF)
    simplifier.feed(PIXELS * np.column_stack([x, np.maximum.accumulate(y)]), np.zeros(len(x), np.bool_))
    kept = simplifier.finish().astype(np.int64)
    return {"x": _short(x[kept]), "y": _short(y[kept])}


def _short(values: Any) -> list[float]:
    return [float(f"{v:.5g}") for v in values.tolist()]
