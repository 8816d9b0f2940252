"""The precision-recall curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Tabled
from rocsolid.curves.points import Floats, from_zero, frozen, need, shares, thresholds
from rocsolid.curves.precision_recall_areas import AREAS
from rocsolid.curves.simplified import thinned
from rocsolid.errors import OptionError
from rocsolid.measures import compute, find, number
from rocsolid.measures.ranking import prevalence
from rocsolid.options import check_choice
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecallCurve(Tabled):
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
    _running: tuple[Floats, Floats]

    @classmethod
    def of(cls, sweep: Sweep) -> PrecisionRecallCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        UndefinedMeasureError
            If there are no positives.
        """
        need(sweep, f"{cls.kind} curve", "positives")
        tp = from_zero(sweep.pos_mass)
        fp = from_zero(sweep.neg_mass)
        flagged = tp + fp
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
            _running=(frozen(tp), frozen(fp)),
        )

    def area(self, method: str = "step") -> float:
        """Area under the curve, by one of six estimators that differ by more than one would think.

        Parameters
        ----------
        method : ``"step"``: average precision, exact, the only one without invented points. ``"trapezoid"``: lines
            through all points and (0, 1), as ``auc(recall, precision)`` of scikit-learn gives it.
            ``"davis-goadrich"``: the curve along which TP and FP grow in proportion between points, as PRROC's
            ``auc.integral``; ``"davis-goadrich-steps"``: lines through it at every whole positive.
            ``"lower-trapezoid"``: as trapezoid, but level up to the first point (Boyd, Eng & Page 2013).
            ``"rocr"``: lines through the highest precision of each recall, as ROCR's ``aucpr`` where no score has more
            than two positives (``ev.translate()`` has its number for any ties).

        Raises
        ------
        UnknownNameError
            For another method.
        OptionError
            For ``"davis-goadrich-steps"`` of weighted rows, which have no whole positives.

        Notes
        -----
        O(k). Without ties trapezoid < davis-goadrich < step; with ties in any order. Davis & Goadrich 2006, ICML.

        Examples
        --------
        Precision 1 at recall 1/2, then 1/2 there, then 2/3 at recall 1; ROCR goes from 1 to 2/3 in one line:

        >>> curve = PrecisionRecallCurve.of(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]))
        >>> {method: round(curve.area(method), 4) for method in ("step", "trapezoid", "davis-goadrich", "rocr")}
        {'step': 0.8333, 'trapezoid': 0.7917, 'davis-goadrich': 0.7973, 'rocr': 0.9167}
        """
        if check_choice("method", method, ("step", *AREAS)) == "step":
            return self.average_precision
        if method == "davis-goadrich-steps" and self.sizes.effective_pos is not None:
            raise OptionError("method", method, "another one: weighted rows are no whole positives", '"davis-goadrich"')
        return min(AREAS[method](*self._running), 1.0)  # rounding may exceed 1 by one unit in the last place

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, precision, recall``."""
        columns = {"threshold": self.thresholds, "precision": self.precision, "recall": self.recall}
        return _faces.frame(columns, backend)

    def thin(self, *, pixels: int = 800, tolerance: float = 0.5) -> PrecisionRecallCurve:
        """Leave out the points that no picture of this size shows. O(k).

        No point of the full curve is further than ``tolerance`` pixels from the thin one, nor the other way round.
        Every point left is one of the curve's, and the area stays that of the full curve.

        Raises
        ------
        OptionError
            Unless both are above 0.
        """
        return thinned(
            self,
            (self.recall, np.append(self.precision[1], self.precision[1:]), self.recall),
            ("precision", "recall", "thresholds"),
            pixels=pixels,
            tolerance=tolerance,
        )

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the steps and the chance line with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of points, area and sizes."""
        return (
            f"<precision-recall curve: {len(self.recall):,} points, AP {self.average_precision:.4f} "
            f"at prevalence {self.prevalence:.4g}; {self.sizes}; positive: {self.pos_label!r}>"
        )
