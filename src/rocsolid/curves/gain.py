"""Gain and lift: how many of the positives, and how many times more than by chance, the top of the list holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Picture, Tabled
from rocsolid.curves.points import Floats, frozen, need, shares, thresholds
from rocsolid.measures.ranking import prevalence
from rocsolid.options import check_share
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep
from rocsolid.text import format_number

HINT = "for example curve.at(0.1) for the top tenth of the list"


@dataclass(frozen=True, slots=True, eq=False)
class GainCurve(Tabled):
    """Share of the positives in the top of the list, from (0, 0) to (1, 1): the cumulative gains curve.

    Rows of one score share their place evenly, so a block of ties is one straight segment.

    Attributes
    ----------
    flagged : (k + 1,) share of all rows flagged.
    gain : (k + 1,) share of the positives among them found, which is recall.
    thresholds : (k + 1,) cuts; the first is nan.
    prevalence : the share of positives: a perfect score reaches gain 1 there.
    """

    kind: ClassVar[str] = "gain"
    flagged: Floats
    gain: Floats
    thresholds: npt.NDArray[Any]
    prevalence: float
    sizes: Sizes
    pos_label: object

    @classmethod
    def of(cls, sweep: Sweep) -> GainCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        UndefinedMeasureError
            If there are no positives.
        """
        need(sweep, f"{cls.kind} curve", "positives")
        return cls(
            flagged=shares(sweep.pos_mass + sweep.neg_mass),
            gain=shares(sweep.pos_mass),
            thresholds=thresholds(sweep),
            prevalence=prevalence(sweep),
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
        )

    def at(self, flagged: float) -> float:
        """Gain when this share of the list is flagged, ties split evenly. O(log k).

        Raises
        ------
        OptionError
            If the share does not lie in [0, 1].

        Examples
        --------
        Two of four rows hold one of the two positives; a quarter more, half of the block of two:

        >>> curve = GainCurve.of(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 2]))
        >>> curve.at(0.5), curve.at(0.75)
        (0.5, 0.75)
        """
        return float(np.interp(check_share("flagged", flagged, ends=True, hint=HINT), self.flagged, self.gain))

    def area(self) -> float:
        """Area under the curve: 1/2 for a useless score, 1 - prevalence/2 for a perfect one. O(k)."""
        return float(np.diff(self.flagged) @ (self.gain[1:] + self.gain[:-1])) / 2

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, flagged, gain``."""
        return _faces.frame({"threshold": self.thresholds, "flagged": self.flagged, "gain": self.gain}, backend)

    def picture(self) -> Picture:
        """Say what is drawn."""
        return Picture(
            line=(self.flagged, self.gain), across="Share of rows flagged", up="Share of positives found",
            number=f"area {format_number(self.area(), 3)}", chance=([0.0, 1.0], [0.0, 1.0]), square=True,
        )  # fmt: skip

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the curve and its chance line with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of points, area and sizes."""
        head = f"<gain curve: {len(self.gain):,} points, area {self.area():.4f} at prevalence {self.prevalence:.4g}"
        return f"{head}; {self.sizes}; positive: {self.pos_label!r}>"


@dataclass(frozen=True, slots=True, eq=False)
class LiftCurve(Tabled):
    """Precision over prevalence against the share flagged, strict to lenient; it ends at 1.

    Attributes
    ----------
    flagged : (k + 1,) share of all rows flagged.
    lift : (k + 1,) gain / flagged; the first is nan, since nothing is flagged there.
    thresholds : (k + 1,) cuts; the first is nan.
    prevalence : the share of positives: no lift exceeds 1 / prevalence.
    """

    kind: ClassVar[str] = "lift"
    flagged: Floats
    lift: Floats
    thresholds: npt.NDArray[Any]
    prevalence: float
    sizes: Sizes
    pos_label: object
    _gain: Floats

    @classmethod
    def of(cls, sweep: Sweep) -> LiftCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        UndefinedMeasureError
            If there are no positives.
        """
        need(sweep, f"{cls.kind} curve", "positives")
        flagged, gain = shares(sweep.pos_mass + sweep.neg_mass), shares(sweep.pos_mass)
        return cls(
            flagged=flagged,
            lift=frozen(np.divide(gain, flagged, out=np.full_like(gain, np.nan), where=flagged > 0)),
            thresholds=thresholds(sweep),
            prevalence=prevalence(sweep),
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
            _gain=gain,
        )

    def at(self, flagged: float) -> float:
        """Lift when this share of the list is flagged, ties split evenly; nan for 0. O(log k).

        Raises
        ------
        OptionError
            If the share does not lie in [0, 1].

        Examples
        --------
        The top quarter has half of the positives, twice its share; the top half has no more:

        >>> curve = LiftCurve.of(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 2]))
        >>> curve.at(0.25), curve.at(0.5)
        (2.0, 1.0)
        """
        share = check_share("flagged", flagged, ends=True, hint=HINT)
        return float(np.interp(share, self.flagged, self._gain)) / share if share > 0 else float("nan")

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, flagged, lift``."""
        return _faces.frame({"threshold": self.thresholds, "flagged": self.flagged, "lift": self.lift}, backend)

    def picture(self) -> Picture:
        """Say what is drawn."""
        return Picture(
            line=(self.flagged[1:], self.lift[1:]), across="Share of rows flagged", up="Lift",
            chance=([0.0, 1.0], [1.0, 1.0]),
        )  # fmt: skip

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the curve and its chance line with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of points, the largest lift and sizes."""
        head = f"<lift curve: {len(self.lift):,} points, largest lift {format_number(float(np.nanmax(self.lift)))}"
        return f"{head} at prevalence {self.prevalence:.4g}; {self.sizes}; positive: {self.pos_label!r}>"
