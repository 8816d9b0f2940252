"""The part of a summary that is only drawn: thinned points of each model's curves. No number comes from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocsolid.evaluation import Evaluation
from rocsolid.report.scales import Floats, on_probit, probit_range, thin

COLUMNS = 400
"""Pixel columns that the curves are thinned for; the pictures are 300 units wide."""


def drawn(evaluations: Mapping[str, Evaluation]) -> dict[str, Any]:
    """Give the points to draw, as positions in [0, 1] along both axes, by curve and in the order of models.

    Returns
    -------
    ``{"roc": {"lines": [...]}, "precision_recall": {"lines": [...], "chance": [...]}, "det": {"lines": [...],
    "low": ..., "high": ...}}``, each line ``{"x": [...], "y": [...]}``.

    Raises
    ------
    UndefinedMeasureError
        If a class has no row.

    Notes
    -----
    O(k) time a model; the size of the result does not depend on k.
    """
    members = list(evaluations.values())
    return {
        "roc": {"lines": [_roc(member) for member in members]},
        "precision_recall": {
            "lines": [_precision_recall(member) for member in members],
            "chance": sorted({member.curve("precision_recall").prevalence for member in members}),
        },
        "det": _det(members),
    }


def _roc(member: Evaluation) -> dict[str, list[float]]:
    curve = member.curve("roc")
    return _line(curve.fpr, curve.tpr)


def _precision_recall(member: Evaluation) -> dict[str, list[float]]:
    """The steps whose area is average precision: each precision holds over the recall gained with it."""
    curve = member.curve("precision_recall")
    gained = np.flatnonzero(np.diff(curve.recall) > 0) + 1
    x = np.empty(2 * len(gained))
    x[0::2] = curve.recall[gained - 1]
    x[1::2] = curve.recall[gained]
    return _line(x, np.repeat(curve.precision[gained], 2))


def _det(members: list[Evaluation]) -> dict[str, Any]:
    curves = [member.curve("det") for member in members]
    low, high = probit_range([(c.fpr, c.fnr) for c in curves])
    lines = [_line(on_probit(c.fpr, low, high), on_probit(c.fnr, low, high)) for c in curves]
    return {"lines": lines, "low": low, "high": high}


def _line(x: Floats, y: Floats) -> dict[str, list[float]]:
    kept = thin(x, y, COLUMNS)
    return {"x": x[kept].tolist(), "y": y[kept].tolist()}
