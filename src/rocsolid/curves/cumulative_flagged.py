"""What a cut flags: of all rows, of the positives and of the negatives, against the threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Picture, Tabled
from rocsolid.curves.points import Floats, need, shares, thresholds
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep
from rocsolid.text import format_number


@dataclass(frozen=True, slots=True, eq=False)
class CumulativeFlaggedCurve(Tabled):
    """Shares flagged at every cut, strict to lenient: the distribution of scores in both classes.

    Attributes
    ----------
    thresholds : (k + 1,) cuts; the first, which flags nothing, is nan.
    flagged, tpr, fpr : (k + 1,) share of all rows, of the positives and of the negatives at or beyond the cut.
    """

    kind: ClassVar[str] = "cumulative_flagged"
    thresholds: npt.NDArray[Any]
    flagged: Floats
    tpr: Floats
    fpr: Floats
    sizes: Sizes
    pos_label: object

    @classmethod
    def of(cls, sweep: Sweep) -> CumulativeFlaggedCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        UndefinedMeasureError
            If one of the classes has no row.

        Examples
        --------
        >>> curve = CumulativeFlaggedCurve.of(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]))
        >>> curve.flagged.tolist(), curve.tpr.tolist()
        ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
        """
        need(sweep, f"{cls.kind} curve", "positives", "negatives")
        return cls(
            thresholds=thresholds(sweep),
            flagged=shares(sweep.pos_mass + sweep.neg_mass),
            tpr=shares(sweep.pos_mass),
            fpr=shares(sweep.neg_mass),
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
        )

    @property
    def largest_gap(self) -> float:
        """Largest TPR - FPR: the one-sided Kolmogorov-Smirnov distance. O(k)."""
        return float(np.max(self.tpr - self.fpr))

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, flagged, tpr, fpr``."""
        columns = {"threshold": self.thresholds, "flagged": self.flagged, "tpr": self.tpr, "fpr": self.fpr}
        return _faces.frame(columns, backend)

    def picture(self) -> Picture:
        """Say what is drawn: the share of all rows, infinite thresholds left out."""
        at = self.thresholds[1:].astype(np.float64)
        shown = np.isfinite(at)
        return Picture(
            line=(at[shown], self.flagged[1:][shown]), across="Threshold", up="Share of rows flagged",
            number=f"largest gap {format_number(self.largest_gap, 3)}", steps=True,
        )  # fmt: skip

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the share of all rows with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of points, largest gap and sizes."""
        head = f"<cumulative flagged curve: {len(self.flagged):,} points, largest gap {self.largest_gap:.4f}"
        return f"{head}; {self.sizes}; positive: {self.pos_label!r}>"
