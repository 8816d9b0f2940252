"""Curves drawn with Matplotlib, in scikit-learn's Display manners."""

from __future__ import annotations

from typing import Any

from rocsolid.plot.display import CurveDisplay

__all__ = ["CurveDisplay", "draw"]


def draw(curve: Any, ax: Any = None, name: str | None = None, lang: str = "en") -> CurveDisplay:
    """Draw a curve, with the line of what needs no score.

    Parameters
    ----------
    curve : a curve of ``Evaluation.curve``.
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
    return CurveDisplay(curve, name=name, lang=lang).plot(ax=ax)
