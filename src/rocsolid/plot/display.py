"""The display: what is drawn, on which axes, and how to draw it again elsewhere."""

from __future__ import annotations

import io
from typing import Any, get_args

import numpy as np

from rocsolid.binormal import SmoothRoc
from rocsolid.curves import Curve, DetCurve, Picture, PrecisionRecallCurve, ReliabilityCurve, RocCurve
from rocsolid.errors import DtypeError, MissingDependencyError
from rocsolid.plot import probit, reliability, words
from rocsolid.text import format_number

CHANCE = {"color": "0.5", "linestyle": ":", "linewidth": 1.0, "zorder": 1.0}


class CurveDisplay:
    """One curve on axes.

    Attributes
    ----------
    curve, name : what is drawn, and its name in the legend.
    lang : the language of the words, ``"en"`` or ``"zh"``.
    ax_, figure_ : the axes and their figure.
    line_ : the curve's line.
    chance_level_ : the line of a useless score, of a reliability curve that of perfect calibration; ``None`` where
        there is none.
    counts_ax_ : of a reliability curve, the axes below with the numbers of rows.
    """

    def __init__(self, curve: Curve | SmoothRoc, *, name: str | None = None, lang: str = "en") -> None:
        if not isinstance(curve, (*get_args(Curve), SmoothRoc)):
            raise DtypeError("curve", "a curve", type(curve).__name__, 'pass evaluation.curve("roc")')
        self.curve = curve
        self.name = name
        self.lang = lang
        self.ax_: Any = None
        self.figure_: Any = None
        self.line_: Any = None
        self.chance_level_: Any = None
        self.counts_ax_: Any = None

    def plot(self, ax: Any = None, *, name: str | None = None) -> CurveDisplay:
        """Draw the curve on ``ax`` (by default on a new figure) and return this display.

        Raises
        ------
        UnknownNameError, OptionError
            For an unknown language; for Chinese words without a font that has them.
        MissingDependencyError
            Without Matplotlib.
        """
        try:
            import matplotlib as mpl
            from matplotlib.figure import Figure
        except ImportError:
            raise MissingDependencyError("drawing a curve", "matplotlib", "plot") from None
        if name is not None:
            self.name = name
        words.check_language(self.lang)
        with mpl.rc_context({"axes.unicode_minus": False}):
            self.ax_ = Figure(figsize=(5, 5), layout="constrained").add_subplot() if ax is None else ax
            self.figure_ = self.ax_.figure
            self._draw()
            if self.ax_.get_legend_handles_labels()[1]:
                self.ax_.legend(loc="upper right" if isinstance(self.curve, DetCurve) else "best")
            words.give_fonts(self._texts())
        return self

    def _texts(self) -> list[Any]:
        """All texts whose words are ours or names: of the axes, of the axes below, of the legend."""
        axes = [self.ax_] if self.counts_ax_ is None else [self.ax_, self.counts_ax_]
        legend = self.ax_.get_legend()
        return [
            *(axis.label for ax in axes for axis in (ax.xaxis, ax.yaxis)),
            *([] if legend is None else legend.get_texts()),
        ]

    def _say(self, text: str) -> str:
        return words.say(text, self.lang)

    @property
    def label(self) -> str:
        """The entry in the legend: the name and the curve's number, such as ``logistic (AUC 0.995)``."""
        curve = self.curve
        if isinstance(curve, PrecisionRecallCurve):
            number = f"AP {format_number(curve.average_precision, 3)}"
        elif isinstance(curve, (RocCurve, DetCurve)):
            number = f"AUC {format_number(curve.roc_auc, 3)}"
        elif isinstance(curve, ReliabilityCurve):
            number = curve.binning
        else:
            number = curve.picture().number
        number = self._say(number)
        if self.name is None:
            return number
        return f"{_plain(self.name)} ({number})" if number else _plain(self.name)

    def _draw(self) -> None:
        if isinstance(self.curve, RocCurve):
            self._draw_roc(self.curve)
        elif isinstance(self.curve, PrecisionRecallCurve):
            self._draw_precision_recall(self.curve)
        elif isinstance(self.curve, DetCurve):
            self._draw_det(self.curve)
        elif isinstance(self.curve, ReliabilityCurve):
            self._draw_reliability(self.curve)
        else:
            self._draw_picture(self.curve.picture(), self.curve.pos_label)

    def _draw_picture(self, picture: Picture, pos_label: object) -> None:
        """Any curve that says itself what is drawn."""
        style = "steps-pre" if picture.steps else "default"
        (self.line_,) = self.ax_.plot(*picture.line, drawstyle=style, label=self.label or "_curve")
        if picture.log_x:
            self.ax_.set_xscale("log")
            self.ax_.set_ylim(-0.01, 1.01)
        if picture.chance is not None:
            self._chance(*picture.chance)
        if picture.square:
            self._square(picture.across, picture.up, pos_label)
        else:
            self._name_axes(picture.across, picture.up, pos_label)

    def _draw_roc(self, curve: RocCurve) -> None:
        (self.line_,) = self.ax_.plot(curve.fpr, curve.tpr, label=self.label)
        self._chance([0, 1], [0, 1])
        self._square("False positive rate", "True positive rate", curve.pos_label)

    def _draw_precision_recall(self, curve: PrecisionRecallCurve) -> None:
        """Steps whose area is average precision: each precision holds over the recall gained with it."""
        recall, precision = curve.recall, curve.precision.copy()
        precision[0] = precision[1]  # no row is selected there and the step is 0 wide
        (self.line_,) = self.ax_.plot(recall, precision, drawstyle="steps-pre", label=self.label)
        self._chance([0, 1], [curve.prevalence, curve.prevalence])
        self._square("Recall", "Precision", curve.pos_label)

    def _draw_reliability(self, curve: ReliabilityCurve) -> None:
        self._chance([0, 1], [0, 1])
        self.line_ = reliability.draw(self.ax_, curve, self.label)
        self._square("", "Share of positives", None)
        self.counts_ax_ = reliability.counts(self.ax_, curve, self.line_.get_color(), self._say("Rows"))
        self.counts_ax_.set_xlabel(self._say("Score") + self._positive(curve.pos_label))

    def _draw_det(self, curve: DetCurve) -> None:
        low, high = probit.ends(curve.fpr, curve.fnr)
        across, up = probit.deviates(curve.fpr, low, high), probit.deviates(curve.fnr, low, high)
        (self.line_,) = self.ax_.plot(across, up, label=self.label)
        span = probit.deviates(np.array([1 - high, high]), low, high)
        self._chance(span, span[::-1])
        probit.mark(self.ax_, low, high)
        self._name_axes("False positive rate (%)", "False negative rate (%)", curve.pos_label)

    @property
    def _useless(self) -> str:
        return "calibrated" if isinstance(self.curve, ReliabilityCurve) else "chance"

    def _chance(self, x: Any, y: Any) -> None:
        known = any(line.get_gid() == "rocsolid-chance" for line in self.ax_.get_lines())
        (self.chance_level_,) = self.ax_.plot(
            x,
            y,
            label="_chance" if known else self._say(self._useless),
            gid="rocsolid-chance",
            scalex=False,
            scaley=False,
            **CHANCE,
        )

    def _square(self, across: str, up: str, pos_label: object) -> None:
        self.ax_.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        self._name_axes(across, up, pos_label)

    def _name_axes(self, across: str, up: str, pos_label: object) -> None:
        self.ax_.set_xlabel(self._say(across) + self._positive(pos_label))
        self.ax_.set_ylabel(self._say(up))

    def _positive(self, pos_label: object) -> str:
        """The line below an axis that names the positive label."""
        if pos_label is None:
            return ""
        shown = _plain(repr(pos_label))
        return f"\n（正例：{shown}）" if self.lang == "zh" else f"\n(positive: {shown})"

    def _repr_png_(self) -> bytes | None:
        """Show the figure in a notebook."""
        if self.figure_ is None:
            return None
        buffer = io.BytesIO()
        self.figure_.savefig(buffer, format="png")
        return buffer.getvalue()


def _plain(text: str) -> str:
    """Keep Matplotlib from reading a name as mathematics, or hiding it for its underscore."""
    safe = text.replace("$", r"\$")
    return f" {safe}" if safe.startswith("_") else safe
