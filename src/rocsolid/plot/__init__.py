"""Curves and comparisons drawn with Matplotlib, in scikit-learn's Display manners."""

from __future__ import annotations

from typing import Any

from rocsolid.plot.display import CurveDisplay
from rocsolid.plot.displays import (
    DISPLAYS,
    CalibrationDisplay,
    CostCurveDisplay,
    DetCurveDisplay,
    FoldsDisplay,
    GainCurveDisplay,
    LiftCurveDisplay,
    LogRocCurveDisplay,
    NetBenefitDisplay,
    PrecisionRecallDisplay,
    PrecisionRecallGainDisplay,
    RocCurveDisplay,
)
from rocsolid.plot.forest import ForestDisplay, forest
from rocsolid.plot.panels import PanelsDisplay, panels

__all__ = [
    "CalibrationDisplay",
    "CostCurveDisplay",
    "CurveDisplay",
    "DetCurveDisplay",
    "FoldsDisplay",
    "ForestDisplay",
    "GainCurveDisplay",
    "LiftCurveDisplay",
    "LogRocCurveDisplay",
    "NetBenefitDisplay",
    "PanelsDisplay",
    "PrecisionRecallDisplay",
    "PrecisionRecallGainDisplay",
    "RocCurveDisplay",
    "draw",
    "forest",
    "panels",
]


def draw(curve: Any, ax: Any = None, name: str | None = None, lang: str = "en") -> CurveDisplay:
    """Draw a curve, with the line of what needs no score.

    Parameters
    ----------
    curve : a curve of ``Evaluation.curve``, or anything else with a ``kind`` and a ``picture()``, such as a smoothed
        curve or the mean of several classes.
    ax : the axes to draw on; by default those of a new figure, which pyplot does not know of.
    name : the model's name for the legend.
    lang : ``"en"``, or ``"zh"`` for Chinese words, where this machine has a font for them.

    Returns
    -------
    CurveDisplay
        With ``ax_``, ``figure_``, ``line_`` and ``chance_level_``.

    Raises
    ------
    MissingDependencyError
        Without Matplotlib.
    UnknownNameError, OptionError
        For an unknown language; for ``lang="zh"`` without a font that has Chinese characters.
    DtypeError
        If ``curve`` is no curve.

    Notes
    -----
    O(k). No backend is chosen and no global setting is changed.
    """
    return DISPLAYS.get(type(curve), CurveDisplay)(curve, name=name, lang=lang).plot(ax=ax)
