"""The precision-recall-gain curve: precision and recall on the scale on which F-scores are straight lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Picture, Tabled
from rocsolid.curves.points import Floats, from_zero, frozen, need, thresholds
from rocsolid.measures import compute, find, number
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep
from rocsolid.text import format_number


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecallGainCurve(Tabled):
    """Points (recall gain, precision gain), strict to lenient (Flach & Kull 2015).

    With prevalence pi the gain of a rate r is (r - pi) / ((1 - pi) r), which is 1 - (n+/n-) FN/TP for recall and
    1 - (n+/n-) FP/TP for precision: 0 for flagging everybody, 1 at best. Straight lines between points are exact.

    Attributes
    ----------
    recall_gain, precision_gain : (k + 1,); nan at the first point, -inf where no positive is flagged, and negative
        below what flagging everybody reaches.
    thresholds : (k + 1,) cuts; the first is nan.
    prg_area : the area over recall gains from 0 to 1.
    """

    kind: ClassVar[str] = "precision_recall_gain"
    recall_gain: Floats
    precision_gain: Floats
    thresholds: npt.NDArray[Any]
    prg_area: float
    sizes: Sizes
    pos_label: object

    @classmethod
    def of(cls, sweep: Sweep) -> PrecisionRecallGainCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        UndefinedMeasureError
            If one of the classes has no row.

        Examples
        --------
        As many positives as negatives: the gains are 1 - FN/TP and 1 - FP/TP

        >>> curve = PrecisionRecallGainCurve.of(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]))
        >>> curve.recall_gain.tolist(), curve.precision_gain.tolist()
        ([nan, 0.0, 0.0, 1.0, 1.0], [nan, 1.0, 0.0, 0.5, 0.0])
        """
        need(sweep, f"{cls.kind} curve", "positives", "negatives")
        tp, fp = from_zero(sweep.pos_mass), from_zero(sweep.neg_mass)
        odds = tp[-1] / fp[-1]
        with np.errstate(divide="ignore", invalid="ignore"):
            recall_gain, precision_gain = (1 - odds * wrong / tp for wrong in (tp[-1] - tp, fp))
        recall_gain[0] = precision_gain[0] = np.nan
        request = find("prg_area")
        return cls(
            recall_gain=frozen(recall_gain),
            precision_gain=frozen(precision_gain),
            thresholds=thresholds(sweep),
            prg_area=number(request, compute(request, sweep)),
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
        )

    def area(self) -> float:
        """Area over recall gains from 0 to 1, the measure ``prg_area``; unbounded below."""
        return self.prg_area

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, precision_gain, recall_gain``."""
        columns = {"threshold": self.thresholds, "precision_gain": self.precision_gain}
        return _faces.frame({**columns, "recall_gain": self.recall_gain}, backend)

    def picture(self) -> Picture:
        """Say what is drawn: the part with recall gain >= 0, cut off where precision gain falls below 0."""
        shown = np.isfinite(self.recall_gain) & np.isfinite(self.precision_gain)
        return Picture(
            line=(self.recall_gain[shown], self.precision_gain[shown]), across="Recall gain", up="Precision gain",
            number=f"area {format_number(self.prg_area, 3)}", chance=([0.0, 1.0], [0.0, 0.0]), square=True,
        )  # fmt: skip

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the curve with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of points, area and sizes."""
        return (
            f"<precision-recall-gain curve: {len(self.recall_gain):,} points, area {format_number(self.prg_area)}; "
            f"{self.sizes}; positive: {self.pos_label!r}>"
        )
