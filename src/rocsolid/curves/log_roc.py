"""The ROC curve on a logarithmic false-positive axis: what happens where alarms are rare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Picture, Tabled
from rocsolid.curves.points import Floats, need, shares, thresholds
from rocsolid.measures import compute, find, number
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep
from rocsolid.text import format_number

LEFT_END = 1e-3
DRAWN = 513
"""Places on the axis that are drawn beside the curve's own points: a tie block is a line there, no straight one."""


@dataclass(frozen=True, slots=True, eq=False)
class LogRocCurve(Tabled):
    """The points of the ROC curve, to be drawn over the logarithm of the false-positive rate.

    Curves that look alike on a linear axis may differ tenfold here (Mysinger & Shoichet 2010, LogAUC).

    Attributes
    ----------
    fpr, tpr : (k + 1,) false- and true-positive rates, from (0, 0) to (1, 1).
    thresholds : (k + 1,) cuts; the first is nan.
    log_auc : the area under the curve from FPR .001 to .1, over the logarithm, as a share of the most that can be had;
        ``ev.measure("log_auc(min_fpr=..., max_fpr=...)")`` has other ranges, with an interval.
    """

    kind: ClassVar[str] = "log_roc"
    fpr: Floats
    tpr: Floats
    thresholds: npt.NDArray[Any]
    log_auc: float
    sizes: Sizes
    pos_label: object

    @classmethod
    def of(cls, sweep: Sweep) -> LogRocCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        UndefinedMeasureError
            If one of the classes has no row.

        Examples
        --------
        Half of the positives lie above all negatives, the others below the first of a thousand:

        >>> sweep = Sweep.from_counts([3, 2, 1, 0], pos=[1, 0, 1, 0], neg=[0, 1, 0, 999])
        >>> LogRocCurve.of(sweep).log_auc
        1.0
        """
        need(sweep, cls.kind, "positives", "negatives")
        request = find("log_auc")
        return cls(
            fpr=shares(sweep.neg_mass),
            tpr=shares(sweep.pos_mass),
            thresholds=thresholds(sweep),
            log_auc=number(request, compute(request, sweep)),
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
        )

    def area(self) -> float:
        """Area from FPR .001 to .1 over the logarithm: ``log_auc``."""
        return self.log_auc

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, fpr, tpr``."""
        return _faces.frame({"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}, backend)

    def picture(self) -> Picture:
        """Say what is drawn: the curve from .001, or the smallest FPR above 0, on; and TPR = FPR."""
        low = min(LEFT_END, float(self.fpr[self.fpr > 0][0]))
        axis = np.geomspace(low, 1.0, DRAWN)
        seen = self.fpr >= low
        across = np.concatenate([axis, self.fpr[seen]])
        up = np.concatenate([np.interp(axis, self.fpr, self.tpr), self.tpr[seen]])
        order = np.lexsort((up, across))
        return Picture(
            line=(across[order], up[order]), across="False positive rate", up="True positive rate",
            number=f"LogAUC {format_number(self.log_auc, 3)}", chance=(axis, axis), log_x=True,
        )  # fmt: skip

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the curve and the chance line on a logarithmic axis with Matplotlib; return the display."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of points, area and sizes."""
        head = f"<log ROC curve: {len(self.fpr):,} points, LogAUC {format_number(self.log_auc)}"
        return f"{head}; {self.sizes}; positive: {self.pos_label!r}>"
