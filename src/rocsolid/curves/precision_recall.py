"""The precision-recall curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.points import Floats, from_zero, frozen, need, shares, thresholds
from rocsolid.measures import compute, find, number
from rocsolid.measures.ranking import prevalence
from rocsolid.options import check_choice
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecallCurve:
    """Points from recall 0 to recall 1, strict to lenient, without any invented point.

    Attributes
    ----------
    precision, recall : (k + 1,); the first precision is nan, since nothing is selected there.
    thresholds : (k + 1,) cuts; the first is nan.
    average_precision : the exact area under the steps.
    prevalence : the share of positives, which is the chance level.
    """

    kind: ClassVar[str] = "precision_recall"
    precision: Floats
    recall: Floats
    thresholds: npt.NDArray[Any]
    average_precision: float
    prevalence: float
    sizes: Sizes
    pos_label: object

    @classmethod
    def of(cls, sweep: Sweep) -> PrecisionRecallCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        UndefinedMeasureError
            If there are no positives.
        """
        need(sweep, cls.kind, "positives")
        tp = from_zero(sweep.pos_mass)
        flagged = tp + from_zero(sweep.neg_mass)
        request = find("average_precision")
        area = number(request, compute(request, sweep))
        return cls(
            precision=frozen(np.divide(tp, flagged, out=np.full_like(tp, np.nan), where=flagged > 0)),
            recall=shares(sweep.pos_mass),
            thresholds=thresholds(sweep),
            average_precision=area,
            prevalence=prevalence(sweep),
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
        )

    def area(self, method: str = "step") -> float:
        """Area under the curve; ``"step"`` is average precision (other estimators are not built yet)."""
        check_choice("method", method, ("step",))
        return self.average_precision

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, precision, recall``."""
        columns = {"threshold": self.thresholds, "precision": self.precision, "recall": self.recall}
        return _faces.frame(columns, backend)

    def plot(self, ax: Any = None, name: str | None = None) -> Any:
        """Draw the steps and the chance line with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name)

    def __repr__(self) -> str:
        """One line: number of points, area and sizes."""
        return (
            f"<precision-recall curve: {len(self.recall):,} points, AP {self.average_precision:.4f} "
            f"at prevalence {self.prevalence:.4g}; {self.sizes}; positive: {self.pos_label!r}>"
        )
