"""The reliability curve: how often the positive came true, against how probable it was said to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Tabled
from rocsolid.curves.points import Floats, frozen
from rocsolid.measures.decomposition import as_given
from rocsolid.measures.forecast_bins import forecast_bins
from rocsolid.measures.isotonic import recalibrated
from rocsolid.measures.registry import check_probabilities
from rocsolid.options import check_choice
from rocsolid.results import Note, Sizes
from rocsolid.sweep import Sweep

BINNINGS = ("isotonic", "width", "mass")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReliabilityCurve(Tabled):
    """Points from low to high forecasts: one a distinct score (isotonic, CORP), or one a bin.

    Attributes
    ----------
    forecast : (k,) distinct scores, or the mean score in each bin; nan in an empty bin.
    observed : (k,) share of positives by the isotonic fit, or in each bin; nan in an empty bin.
    rows : (k,) numbers of rows; empty bins are kept, with 0.
    edges : (k + 1,) ends of the bins, the upper end inside; ``None`` without bins.
    low, high : (k,) consistency band: where ``observed`` would lie if the scores were probabilities; or ``None``.
    binning : ``"isotonic"``, ``"width"`` or ``"mass"``.
    notes : how the band was drawn.
    """

    kind: ClassVar[str] = "reliability"
    forecast: Floats
    observed: Floats
    rows: npt.NDArray[np.int64]
    edges: Floats | None
    binning: str
    sizes: Sizes
    pos_label: object
    low: Floats | None = None
    high: Floats | None = None
    confidence_level: float | None = None
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(cls, sweep: Sweep, *, binning: str = "isotonic", bins: int = 10) -> ReliabilityCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        ProbabilityError
            If the scores are no probabilities.
        OptionError, UnknownNameError
            For an unknown binning or a bad number of bins.

        Examples
        --------
        >>> from rocsolid import Sweep
        >>> sweep = Sweep.from_arrays([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.8])
        >>> ReliabilityCurve.of(sweep).observed.tolist()
        [0.0, 0.5, 0.5, 1.0]
        >>> ReliabilityCurve.of(sweep, binning="width", bins=4).rows.tolist()
        [1, 1, 1, 1]
        """
        check_choice("binning", binning, BINNINGS)
        check_probabilities("reliability curve", sweep)
        if binning == "isotonic":
            rows = (sweep.pos + sweep.neg).astype(np.int64)
            arrays = (as_given(sweep)[::-1].copy(), recalibrated(sweep)[::-1].copy(), rows[::-1].copy())
            edges = None
        else:
            found = forecast_bins(sweep, bins, binning)
            arrays, edges = (found.forecast, found.observed, found.rows), frozen(found.edges)
        forecast, observed, rows = map(frozen, arrays)
        return cls(
            forecast=forecast, observed=observed, rows=rows, edges=edges, binning=binning,
            sizes=sweep.sizes, pos_label=sweep.pos_label,
        )  # fmt: skip

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``forecast, observed, rows`` (and ``low, high`` with a band)."""
        columns: dict[str, Any] = {"forecast": self.forecast, "observed": self.observed, "rows": self.rows}
        if self.low is not None:
            columns |= {"low": self.low, "high": self.high}
        return _faces.frame(columns, backend)

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw curve, band and diagonal, the numbers of rows below, with Matplotlib; return the display."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of points, binning and sizes."""
        return (
            f"<reliability curve ({self.binning}): {len(self.rows):,} points; {self.sizes}; "
            f"positive: {self.pos_label!r}>"
        )
