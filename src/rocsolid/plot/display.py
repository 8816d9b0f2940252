"""The display: what is drawn, on which axes, and how to draw it again elsewhere."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from rocsolid.binormal import SmoothRoc
from rocsolid.curves import Curve, DetCurve, LogRocCurve, Picture, PrecisionRecallCurve, ReliabilityCurve, RocCurve
from rocsolid.errors import DtypeError, OptionError, UnknownNameError
from rocsolid.inference import Band
from rocsolid.inference.band import precision_limits
from rocsolid.plot import reliability
from rocsolid.plot.drawn import Drawn
from rocsolid.plot.scales import Linear, LogAcross, Probit, Scale, filled, thinned, traced
from rocsolid.plot.style import CHANCE, look, plain, styled
from rocsolid.plot.words import give_fonts, positive, say
from rocsolid.results import Estimate
from rocsolid.text import format_number, span

SCALES: dict[type, tuple[str, ...]] = {RocCurve: ("linear", "log", "probit"), DetCurve: ("probit", "log")}
"""Scales of the axes by curve, the usual one first; all others have one of their own."""
BANDED = {"log_roc": "roc"}
"""Curves that have the band of another one, whose rates they show."""
NUMBERS: dict[type, tuple[str, str]] = {
    RocCurve: ("AUC", "roc_auc"),
    DetCurve: ("AUC", "roc_auc"),
    LogRocCurve: ("LogAUC", "log_auc"),
    PrecisionRecallCurve: ("AP", "average_precision"),
}
"""What the legend says of curves whose number may have an interval."""
CURVE, USELESS = "rocsolid-curve", "rocsolid-chance"


class CurveDisplay(Drawn):
    """One curve on axes.

    Parameters
    ----------
    curve : a curve of ``Evaluation.curve`` or ``Evaluation.reliability``.
    name : the model's name in the legend.
    lang : the language of the words, ``"en"`` or ``"zh"``.
    band : its confidence band, of ``Evaluation.band``.
    estimate : the area with its interval, for the legend.

    Attributes
    ----------
    curve, name, lang, band, estimate : as given.
    ax_, figure_ : the axes and their figure.
    line_ : the curve's line; points that no printer could tell apart are left out of it.
    band_ : the band's area, ``None`` without one.
    chance_level_ : the line of a useless score, of a reliability curve that of perfect calibration; ``None`` where
        there is none.
    counts_ax_ : of a reliability curve, the axes below with the numbers of rows.
    """

    def __init__(
        self,
        curve: Curve | SmoothRoc,
        *,
        name: str | None = None,
        lang: str = "en",
        band: Band | None = None,
        estimate: Estimate | None = None,
    ) -> None:
        if not isinstance(curve, get_args(Curve)) and not hasattr(curve, "picture"):  # smooth, or of several classes
            raise DtypeError("curve", "a curve", type(curve).__name__, 'pass evaluation.curve("roc")')
        banded = BANDED.get(curve.kind, curve.kind)
        if band is not None and band.curve != banded:
            raise OptionError("band", band.curve, f"a band of the {banded} curve", f'ev.band("{banded}")')
        self.curve, self.name, self.lang, self.band, self.estimate = curve, name, lang, band, estimate
        self.ax_: Any = None
        self.figure_: Any = None
        self.line_: Any = None
        self.band_: Any = None
        self.chance_level_: Any = None
        self.counts_ax_: Any = None

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        scale: str | None = None,
        lang: str | None = None,
        color: Any = None,
        linestyle: Any = None,
    ) -> CurveDisplay:
        """Draw the curve and return this display.

        Parameters
        ----------
        ax : the axes to draw on; by default those of a new figure, which pyplot does not know of.
        name : the model's name in the legend.
        scale : of a ROC curve ``"linear"``, ``"log"`` (of the false positive rate) or ``"probit"``; of a DET curve
            ``"probit"`` or ``"log"``.
        lang : ``"en"`` or ``"zh"`` for the words; by default that of the display.
        color, linestyle : as Matplotlib takes them; by default the next of our palette and dashes.

        Raises
        ------
        MissingDependencyError
            Without Matplotlib.
        UnknownNameError, OptionError
            For a scale that the curve does not have, or a language without a font.
        """
        self.lang = self.lang if lang is None else lang
        with styled(self.lang):
            from matplotlib.figure import Figure

            self.name = self.name if name is None else name
            chosen = self._scale(scale)
            self.ax_ = Figure(figsize=(5, 5), layout="constrained").add_subplot() if ax is None else ax
            self.figure_ = self.ax_.figure
            before = sum(line.get_gid() == CURVE for line in self.ax_.get_lines())
            given = {"color": color, "linestyle": linestyle}
            self._draw(chosen, look(before) | {key: value for key, value in given.items() if value is not None})
            self.line_.set_gid(CURVE)
            legend(self.ax_, loc="upper right" if isinstance(self.curve, DetCurve) else "best")
            give_fonts(self.ax_)
        return self

    @property
    def label(self) -> str:
        """The entry in the legend: the name and the curve's number, such as ``logistic (AUC 0.995)``."""
        number = self.number_of(self.estimate, self.lang)
        if self.estimate is not None and any(note.code == "fold-mean" for note in self.estimate.notes):
            number += f", {say('fold mean', self.lang)}"  # the curve takes the rows of all folds together
        if self.name is None:
            return number
        return f"{plain(self.name)} ({number})" if number else plain(self.name)

    def number_of(self, estimate: Estimate | None, lang: str) -> str:
        """Write the number of the curve, with its interval if the estimate has one."""
        curve = self.curve
        if isinstance(curve, ReliabilityCurve):
            return say(curve.binning, lang)
        if type(curve) not in NUMBERS:
            return say(curve.picture().number, lang)
        short, area = NUMBERS[type(curve)]
        value = getattr(curve, area) if estimate is None else estimate.value
        limits = None if estimate is None else estimate.interval
        return f"{short} {format_number(value, 3)}" + (f" {span(limits.low, limits.high, 3)}" if limits else "")

    # ----------------------------------------------------------------------------------------- drawing

    def _scale(self, name: str | None) -> Scale:
        known = next((names for kind, names in SCALES.items() if isinstance(self.curve, kind)), ())
        if name is None:
            name = known[0] if known else "linear"
        elif not known:
            raise OptionError("scale", name, f"left out: the {self.curve.kind} curve has axes of its own", "scale=None")
        elif name not in known:
            raise UnknownNameError("scale", name, known)
        if not isinstance(self.curve, (RocCurve, DetCurve)) or name == "linear":
            return Linear()
        across, up = self.curve.fpr, self.curve.tpr if isinstance(self.curve, RocCurve) else self.curve.fnr
        return LogAcross.of(across) if name == "log" else Probit.of(across, up)

    def _draw(self, scale: Scale, look: dict[str, Any]) -> None:
        if isinstance(self.curve, RocCurve):
            self._draw_rates(self.curve.fpr, self.curve.tpr, "True positive rate", scale, look)
        elif isinstance(self.curve, DetCurve):
            self._draw_rates(self.curve.fpr, self.curve.fnr, "False negative rate", scale, look)
        elif isinstance(self.curve, PrecisionRecallCurve):
            self._draw_precision_recall(self.curve, scale, look)
        elif isinstance(self.curve, ReliabilityCurve):
            self._draw_reliability(self.curve, scale, look)
        else:
            self._draw_picture(self.curve.picture(), scale, look)

    def _draw_rates(self, across: Any, up: Any, name: str, scale: Scale, look: dict[str, Any]) -> None:
        line = thinned(*traced(across, up, scale), log_x=isinstance(scale, LogAcross))
        (self.line_,) = self.ax_.plot(*line, label=self.label, **look)
        self._draw_band(scale)
        ends = np.array([0.0, 1.0])
        self._chance(*traced(ends, ends if name.startswith("True") else ends[::-1], scale))
        scale.mark(self.ax_)
        unit = " (%)" if scale.per_cent else ""
        self._name_axes(f"False positive rate{unit}", f"{name}{unit}")

    def _draw_band(self, scale: Scale) -> None:
        """Draw the band behind the line, in its colour."""
        if self.band is None:
            return
        x, low, high = limits_of(self.band)
        self.band_ = self.ax_.fill_between(
            scale.x(x),
            scale.y(low),
            scale.y(high),
            color=self.line_.get_color(),
            alpha=0.18,
            lw=0,
            label=f"_{self.band.confidence_level}",
        )

    def _draw_picture(self, picture: Picture, scale: Scale, look: dict[str, Any]) -> None:
        """Any curve that says itself what is drawn."""
        style = "steps-pre" if picture.steps else "default"
        x, y = (np.asarray(values, dtype=np.float64) for values in picture.line)
        line = thinned(x, y, log_x=picture.log_x, steps=picture.steps)
        (self.line_,) = self.ax_.plot(*line, drawstyle=style, label=self.label or "_curve", **look)
        scale = LogAcross(float(x.min())) if picture.log_x else scale
        self._draw_band(scale)
        if picture.chance is not None:
            self._chance(*(np.asarray(values, dtype=np.float64) for values in picture.chance))
        if picture.square or picture.log_x:
            scale.mark(self.ax_)
        self._name_axes(picture.across, picture.up)

    def _draw_precision_recall(self, curve: PrecisionRecallCurve, scale: Scale, look: dict[str, Any]) -> None:
        """Steps whose area is average precision: each precision holds over the recall gained with it."""
        recall, precision = curve.recall, curve.precision.copy()
        precision[0] = precision[1]  # no row is selected there and the step is 0 wide
        (self.line_,) = self.ax_.plot(
            *thinned(recall, precision, steps=True), drawstyle="steps-pre", label=self.label, **look
        )
        self._draw_band(scale)
        self._chance(np.array([0.0, 1.0]), np.array([curve.prevalence, curve.prevalence]))
        scale.mark(self.ax_)
        self._name_axes("Recall", "Precision")

    def _draw_reliability(self, curve: ReliabilityCurve, scale: Scale, look: dict[str, Any]) -> None:
        self._chance(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
        self.line_, self.band_ = reliability.draw(self.ax_, curve, self.label, look)
        scale.mark(self.ax_)
        self._name_axes("", "Share of positives", named=False)
        self.counts_ax_ = reliability.counts(self.ax_, curve, self.line_.get_color(), say("Rows", self.lang))
        self.counts_ax_.set_xlabel(say("Score", self.lang) + self._positive())

    @property
    def _pos_label(self) -> object:
        """The positive label; a mean over several classes has none."""
        return getattr(self.curve, "pos_label", None)

    def _positive(self) -> str:
        """The line below an axis that names the positive label."""
        told = positive(self._pos_label, self.lang)
        return f"\n{plain(told)}" if told else ""

    @property
    def _useless(self) -> str:
        known = {"reliability": "calibrated", "net_benefit": "flag all", "cost": "no model"}
        return known.get(self.curve.kind, "chance")

    def _chance(self, x: Any, y: Any) -> None:
        known = [line for line in self.ax_.get_lines() if line.get_gid() == USELESS]
        same = (line for line in known if np.array_equal(line.get_xydata(), np.column_stack(thinned(x, y))))
        self.chance_level_ = next(same, None)
        if self.chance_level_ is not None:  # two dotted lines on one another would look solid
            return
        label = "_chance" if known else say(self._useless, self.lang)
        (self.chance_level_,) = self.ax_.plot(
            *thinned(x, y), label=label, gid=USELESS, scalex=False, scaley=False, **CHANCE
        )

    def _name_axes(self, across: str, up: str, *, named: bool = True) -> None:
        self.ax_.set_xlabel(say(across, self.lang) + (self._positive() if named else ""))
        self.ax_.set_ylabel(say(up, self.lang))


def limits_of(band: Band) -> tuple[Any, Any, Any]:
    """Give the edges of a band with points between: FPR is straight there, precision and bent scales are not."""
    if band.fpr_low is None or band.fpr_high is None or band.prevalence is None:
        x, low, high = filled(band.x, band.low, band.high)
        return x, low, high
    x, fpr_low, fpr_high = filled(band.x, band.fpr_low, band.fpr_high)
    return (x, *precision_limits(x, fpr_low, fpr_high, band.prevalence))


def legend(ax: Any, loc: str = "best") -> None:
    """Name the models in the order drawn, and then what needs no score; nothing where there is nothing to name."""
    handles, labels = ax.get_legend_handles_labels()
    order = sorted(range(len(labels)), key=lambda i: handles[i].get_gid() == USELESS)
    if order:
        size = "medium" if len(order) <= 3 else "small" if len(order) <= 5 else "x-small"
        ax.legend([handles[i] for i in order], [labels[i] for i in order], loc=loc, fontsize=size)
