"""Running sums of both classes from the strictest cut on: all that an area of any definition needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocsolid.errors import UndefinedMeasureError
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Running:
    """(k + 1,) positives and negatives at or above each cut, from (0, 0) to all; counts or sums of weights."""

    tp: Floats
    fp: Floats

    @classmethod
    def of(cls, pos: npt.ArrayLike, neg: npt.ArrayLike) -> Running:
        """Add up what lies at each cut, strict to lenient."""
        tp, fp = (np.cumsum(np.append(0.0, np.asarray(mass, np.float64))) for mass in (pos, neg))
        return cls(tp, fp)

    @classmethod
    def of_sweep(cls, sweep: Sweep) -> Running:
        """One cut a distinct score."""
        return cls.of(sweep.pos_mass, sweep.neg_mass)

    @property
    def pos(self) -> Floats:
        """Positives between a cut and the one before."""
        return np.diff(self.tp)

    @property
    def neg(self) -> Floats:
        """Negatives between a cut and the one before."""
        return np.diff(self.fp)

    def merged(self, key: npt.NDArray[np.generic]) -> Running:
        """Take neighbours with the same key as one cut; one key a cut."""
        last = np.append(np.flatnonzero(key[1:] != key[:-1]), len(key) - 1) + 1
        return Running(self.tp[np.append(0, last)], self.fp[np.append(0, last)])

    def roc_auc(self) -> float:
        """Area under straight lines through the ROC points."""
        height = (self.tp[1:] + self.tp[:-1]) / 2
        return float(height @ self.neg) / float(self.tp[-1] * self.fp[-1])

    def average_precision(self) -> float:
        """Mean over positives of the precision at their cut."""
        flagged = self.tp[1:] + self.fp[1:]
        precision = np.divide(self.tp[1:], flagged, out=np.zeros_like(flagged), where=flagged > 0)
        return float(precision @ self.pos) / float(self.tp[-1])


def need_both(sweep: Sweep, what: str) -> None:
    """Raise unless both classes have a row."""
    if not (sweep.n_pos and sweep.n_neg):
        reason = f"a class has no row ({sweep.n_pos:,} positive, {sweep.n_neg:,} negative)"
        raise UndefinedMeasureError(what, reason, "check the labels and pos_label")
