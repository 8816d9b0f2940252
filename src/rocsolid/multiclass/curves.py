"""The macro ROC curve: the mean of the classes' curves, upright, so that its area is the mean of their areas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Picture, Tabled
from rocsolid.curves.points import frozen
from rocsolid.curves.roc import RocCurve
from rocsolid.text import format_number

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MacroRocCurve(Tabled):
    """Mean TPR of several ROC curves at each FPR.

    Attributes
    ----------
    fpr, tpr : points from (0, 0) to (1, 1); where a class rises at one FPR so does the mean, so an FPR may occur twice.
    roc_auc : mean of the classes' exact areas, which is the area under this curve.
    classes : how many curves it is the mean of.
    """

    kind: ClassVar[str] = "macro_roc"
    fpr: Floats
    tpr: Floats
    roc_auc: float
    classes: int

    @classmethod
    def of(cls, curves: Sequence[RocCurve]) -> MacroRocCurve:
        """Average the curves. O(sum of points x classes).

        Examples
        --------
        A perfect curve and the chance line: from (0, 0) up to (0, 1/2), then straight to (1, 1).

        >>> from rocsolid.sweep import Sweep
        >>> up, flat = (RocCurve.of(Sweep.from_arrays([1, 0], s)) for s in ([1, 0], [1, 1]))
        >>> mean = MacroRocCurve.of([up, flat])
        >>> mean.fpr.tolist(), mean.tpr.tolist(), mean.area()
        ([0.0, 0.0, 1.0], [0.0, 0.5, 1.0], 0.75)
        """
        at = np.unique(np.concatenate([curve.fpr for curve in curves]))
        low, high = np.zeros(len(at)), np.zeros(len(at))
        for curve in curves:
            first, last = (np.searchsorted(curve.fpr, at, side) for side in ("left", "right"))
            on = first < last  # the curve has points at this FPR, from the lowest to the highest
            between = np.interp(at, curve.fpr, curve.tpr)
            low += np.where(on, curve.tpr[np.minimum(first, len(curve.fpr) - 1)], between)
            high += np.where(on, curve.tpr[last - 1], between)
        x, y = np.repeat(at, 2), np.column_stack([low, high]).reshape(-1) / len(curves)
        new = np.append(True, (np.diff(x) > 0) | (np.diff(y) > 0))
        area = math.fsum(curve.roc_auc for curve in curves) / len(curves)
        return cls(frozen(x[new]), frozen(y[new]), area, len(curves))

    def area(self) -> float:
        """Area under the curve: the mean of the exact areas."""
        return self.roc_auc

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``fpr, tpr``."""
        return _faces.frame({"fpr": self.fpr, "tpr": self.tpr}, backend)

    def picture(self) -> Picture:
        """Say what is drawn."""
        return Picture(
            line=(self.fpr, self.tpr), across="False positive rate", up="Mean true positive rate",
            number=f"mean area {format_number(self.roc_auc, 3)}", chance=([0.0, 1.0], [0.0, 1.0]), square=True,
        )  # fmt: skip

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the curve and the chance line with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of points, classes and area."""
        return (
            f"<macro ROC curve of {self.classes} classes: {len(self.fpr):,} points, area {format_number(self.roc_auc)}>"
        )
