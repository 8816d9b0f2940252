"""The ROC curve: true-positive rate against false-positive rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Tabled
from rocsolid.curves.points import Floats, need, shares, thresholds
from rocsolid.curves.simplified import thinned
from rocsolid.measures import compute, find, number
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep


@dataclass(frozen=True, slots=True, eq=False)
class RocCurve(Tabled):
    """Points from (0, 0) to (1, 1), strict to lenient; a block of ties is one straight segment.

    Attributes
    ----------
    fpr, tpr : (k + 1,) false- and true-positive rates.
    thresholds : (k + 1,) cuts; the first is nan, since no cut selects nothing.
    roc_auc : the exact area under the curve.
    """

    kind: ClassVar[str] = "roc"
    fpr: Floats
    tpr: Floats
    thresholds: npt.NDArray[Any]
    roc_auc: float
    sizes: Sizes
    pos_label: object

    @classmethod
    def of(cls, sweep: Sweep) -> RocCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        UndefinedMeasureError
            If one of the classes has no row.
        """
        need(sweep, f"{cls.kind} curve", "positives", "negatives")
        request = find("roc_auc")
        area = number(request, compute(request, sweep))
        return cls(
            fpr=shares(sweep.neg_mass),
            tpr=shares(sweep.pos_mass),
            thresholds=thresholds(sweep),
            roc_auc=area,
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
        )

    def area(self) -> float:
        """Area under the curve: the exact ROC-AUC, not a sum over drawn points."""
        return self.roc_auc

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, fpr, tpr``."""
        return _faces.frame({"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}, backend)

    def thin(self, *, pixels: int = 800, tolerance: float = 0.5) -> RocCurve:
        """Leave out the points that no picture of this size shows. O(k).

        No point of the full curve is further than ``tolerance`` pixels from the thin one, nor the other way round.
        Every point left is one of the curve's, and the area stays that of the full curve.

        Raises
        ------
        OptionError
            Unless both are above 0.
        """
        return thinned(self, (self.fpr, self.tpr), ("fpr", "tpr", "thresholds"), pixels=pixels, tolerance=tolerance)

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the curve and its chance line with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of points, area and sizes."""
        head = f"<ROC curve: {len(self.fpr):,} points, area {self.roc_auc:.4f}"
        return f"{head}; {self.sizes}; positive: {self.pos_label!r}>"
