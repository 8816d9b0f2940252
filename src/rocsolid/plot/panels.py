"""Several curves of one or more models in one figure: ``ev.plot()``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocsolid.curves import ALIASES
from rocsolid.errors import OptionError
from rocsolid.evaluation import Evaluation
from rocsolid.plot.display import CurveDisplay
from rocsolid.plot.displays import DISPLAYS
from rocsolid.plot.drawn import Drawn
from rocsolid.plot.style import plain, styled

WIDTH, HEIGHT = 4.6, 4.6
"""Inches a panel."""


class PanelsDisplay(Drawn):
    """One panel a curve, all models in each.

    Attributes
    ----------
    figure_ : the figure.
    axes_ : the axes by curve, as they were asked for.
    displays_ : by curve, one display a model.
    """

    def __init__(self, figure: Any, axes: dict[str, Any], displays: dict[str, list[CurveDisplay]]) -> None:
        self.figure_, self.axes_, self.displays_ = figure, axes, displays


def panels(
    models: Mapping[str, Evaluation],
    curves: Sequence[str] | None = None,
    *,
    band: str | None = None,
    scales: Mapping[str, str] | None = None,
    columns: int | None = None,
    title: str | None = None,
    lang: str = "en",
) -> PanelsDisplay:
    """Draw several curves side by side.

    Parameters
    ----------
    models : evaluations by name.
    curves : names as in ``Evaluation.curve``; by default ROC, precision-recall and DET, and the reliability curve if
        all scores look like probabilities, otherwise the gain curve.
    band : ``"pointwise"`` or ``"simultaneous"``, on the curves that have bands.
    scales : of some curves by name, such as ``{"roc": "log"}``.
    columns : panels in a row, by default two (three for three curves).
    title : above the panels.
    lang : ``"en"`` or ``"zh"``.

    Returns
    -------
    PanelsDisplay

    Raises
    ------
    OptionError, UnknownNameError
        For no curve, a curve twice, unknown ones, and scales of curves that are not drawn.
    UndefinedMeasureError
        If a class that a curve needs has no row.

    Notes
    -----
    O(k) a model and curve, and O(n) a band.
    """
    names = _names(models, curves)
    wrong = [name for name in scales or {} if name not in names]
    if wrong:
        raise OptionError("scales", wrong[0], f"of the curves drawn: {', '.join(names)}", 'scales={"roc": "log"}')
    across = columns or (len(names) if len(names) <= 3 else 2)
    with styled(lang):
        from matplotlib.figure import Figure

        down = -(-len(names) // across)
        figure = Figure(figsize=(WIDTH * across, HEIGHT * down), layout="constrained")
        if title is not None:
            figure.suptitle(plain(title))
        axes = {name: figure.add_subplot(down, across, i + 1) for i, name in enumerate(names)}
    displays = {
        name: [_one(model, label, name, band, axes[name], (scales or {}).get(name), lang, alone=len(models) == 1)
               for label, model in models.items()]
        for name in names
    }  # fmt: skip
    return PanelsDisplay(figure, axes, displays)


def _names(models: Mapping[str, Evaluation], curves: Sequence[str] | None) -> list[str]:
    if curves is None:
        last = "reliability" if all(model.looks_like_probabilities for model in models.values()) else "gain"
        return ["roc", "precision_recall", "det", last]
    names = [curves] if isinstance(curves, str) else list(curves)
    if not names or len({ALIASES.get(name, name) for name in names}) < len(names):
        raise OptionError("curves", names, "one curve or more, each once", 'curves=["roc", "det"]')
    return names


def _one(
    model: Evaluation, label: str, name: str, band: str | None, ax: Any, scale: str | None, lang: str, *,
    alone: bool,
) -> CurveDisplay:  # fmt: skip
    curve = model.curve(name)
    kind = DISPLAYS.get(type(curve))
    if kind is None:
        display = CurveDisplay(curve)
    else:
        banded = band if kind.AREA is not None else None
        display = kind.from_evaluation(model, band=banded)
    return display.plot(ax, name=None if alone and model.name is None else label, scale=scale, lang=lang)
