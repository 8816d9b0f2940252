"""The convex hull of the ROC curve: only the cuts that are best for some costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Picture, Tabled
from rocsolid.curves.points import Floats, frozen, need, thresholds
from rocsolid.measures.hull import Hull, hull_of
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep
from rocsolid.text import format_number


@dataclass(frozen=True, slots=True, eq=False)
class RocHull(Tabled):
    """Vertices of the upper convex hull from (0, 0) to (1, 1), strict to lenient.

    A point between two vertices is reached by taking one of both cuts at random (Provost & Fawcett 2001).

    Attributes
    ----------
    fpr, tpr : (h + 1,) rates at the vertices.
    thresholds : (h + 1,) cuts; the first, which flags nothing, is nan.
    hull_area : area under the hull, never below the ROC-AUC nor below 1/2.
    """

    kind: ClassVar[str] = "roc_hull"
    fpr: Floats
    tpr: Floats
    thresholds: npt.NDArray[Any]
    hull_area: float
    sizes: Sizes
    pos_label: object

    @classmethod
    def of(cls, sweep: Sweep) -> RocHull:
        """Draw the hull of a sweep, exact for counts. O(k).

        Raises
        ------
        UndefinedMeasureError
            If one of the classes has no row.

        Examples
        --------
        >>> hull = RocHull.of(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]))
        >>> hull.fpr.tolist(), hull.tpr.tolist(), hull.thresholds.tolist(), hull.area()
        ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [nan, 4.0, 2.0, 1.0], 0.875)
        """
        need(sweep, f"{cls.kind} curve", "positives", "negatives")
        hull = hull_of(sweep)
        return cls(
            fpr=frozen(hull.fp.astype(np.float64) / float(hull.fp[-1])),
            tpr=frozen(hull.tp.astype(np.float64) / float(hull.tp[-1])),
            thresholds=frozen(thresholds(sweep)[hull.rows]),
            hull_area=_area(hull),
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
        )

    def area(self) -> float:
        """Area under the hull, rounded once for counts."""
        return self.hull_area

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, fpr, tpr``."""
        return _faces.frame({"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}, backend)

    def picture(self) -> Picture:
        """Say what is drawn."""
        return Picture(
            line=(self.fpr, self.tpr), across="False positive rate", up="True positive rate",
            number=f"hull area {format_number(self.hull_area, 3)}", chance=([0.0, 1.0], [0.0, 1.0]), square=True,
        )  # fmt: skip

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the hull and the chance line with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of vertices, area and sizes."""
        head = f"<ROC hull: {len(self.fpr):,} vertices, area {format_number(self.hull_area)}"
        return f"{head}; {self.sizes}; positive: {self.pos_label!r}>"


def _area(hull: Hull) -> float:
    """Sum of trapezoids: in whole numbers for counts."""
    tp, fp = hull.tp.tolist(), hull.fp.tolist()
    twice = sum((fp[i + 1] - fp[i]) * (tp[i + 1] + tp[i]) for i in range(len(tp) - 1))
    whole = 2 * fp[-1] * tp[-1]
    return float(Fraction(twice, whole)) if isinstance(twice, int) else float(twice / whole)
