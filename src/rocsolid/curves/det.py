"""The detection error trade-off curve: miss rate against false-alarm rate, drawn on normal deviates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Tabled
from rocsolid.curves.points import Floats, frozen, need, shares, thresholds
from rocsolid.curves.simplified import det_axes, thinned
from rocsolid.measures import compute, find, number
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep


@dataclass(frozen=True, slots=True, eq=False)
class DetCurve(Tabled):
    """Points from (0, 1) to (1, 0), strict to lenient (Martin et al. 1997).

    Attributes
    ----------
    fpr, fnr : (k + 1,) false-positive (false-alarm) and false-negative (miss) rates.
    thresholds : (k + 1,) cuts; the first is nan.
    """

    kind: ClassVar[str] = "det"
    fpr: Floats
    fnr: Floats
    thresholds: npt.NDArray[Any]
    roc_auc: float
    sizes: Sizes
    pos_label: object

    @classmethod
    def of(cls, sweep: Sweep) -> DetCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        UndefinedMeasureError
            If one of the classes has no row.
        """
        need(sweep, f"{cls.kind} curve", "positives", "negatives")
        request = find("roc_auc")
        tp = shares(sweep.pos_mass)
        return cls(
            fpr=shares(sweep.neg_mass),
            fnr=frozen(1 - tp),
            thresholds=thresholds(sweep),
            roc_auc=number(request, compute(request, sweep)),
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
        )

    def area(self) -> float:
        """Area under the curve on linear axes: 1 - ROC-AUC."""
        return 1 - self.roc_auc

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, fpr, fnr``."""
        return _faces.frame({"threshold": self.thresholds, "fpr": self.fpr, "fnr": self.fnr}, backend)

    def thin(self, *, pixels: int = 800, tolerance: float = 0.5) -> DetCurve:
        """Leave out the points that no picture of this size shows on normal deviates. O(k).

        No point of the full curve is further than ``tolerance`` pixels from the thin one, nor the other way round.
        Every point left is one of the curve's, and the area stays that of the full curve.

        Raises
        ------
        OptionError
            Unless both are above 0.
        """
        return thinned(
            self,
            det_axes(self.sizes)(self.fpr, 1 - self.fnr),
            ("fpr", "fnr", "thresholds"),
            pixels=pixels,
            tolerance=tolerance,
        )

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the curve on normal-deviate axes with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of points and sizes."""
        return f"<DET curve: {len(self.fpr):,} points; {self.sizes}; positive: {self.pos_label!r}>"
