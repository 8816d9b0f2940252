"""All cuts of a sweep side by side: how many positives and negatives each of them flags, and what it is called.

Cut i flags the i strictest of the k distinct scores. Cut 0 flags nothing: its threshold is the infinity beyond all
scores, and it does not exist where the strictest score is that infinity itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.curves.points import from_zero, need
from rocsolid.options import as_cut, unboxed
from rocsolid.results import Note
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]
Cells = tuple[Any, Any, Any, Any]
"""tp, fp, fn, tn: of all cuts as arrays, or of one cut as fractions."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A cut that was chosen, why, and which others are as good.

    ``attained`` is the value of what was asked for; ``tied`` holds all optima, strict to lenient, the chosen one too.
    """

    threshold: Any
    asked: str | None = None
    attained: float | None = None
    feasible: bool = True
    tied: tuple[Any, ...] = ()
    notes: tuple[Note, ...] = ()


class Cuts:
    """Counts (or sums of weights) at every cut of a sweep, as float64 arrays of length k + 1. O(k)."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.scale = 1.0 if sweep.weights is None else 2.0**sweep.weights.exponent
        self.tp, self.fp = from_zero(sweep.pos_mass) * self.scale, from_zero(sweep.neg_mass) * self.scale
        self.beyond = math.inf if sweep.higher_is_positive else -math.inf
        self.legal = np.ones(len(self.tp), np.bool_)
        self.legal[0] = unboxed(sweep.scores[0]) != self.beyond

    @property
    def pos(self) -> float:
        """All positives."""
        return float(self.tp[-1])

    @property
    def neg(self) -> float:
        """All negatives."""
        return float(self.fp[-1])

    @property
    def flagged(self) -> Floats:
        """Rows that each cut flags."""
        return self.tp + self.fp

    @property
    def cells(self) -> Cells:
        """The four cells of all cuts."""
        return self.tp, self.fp, self.pos - self.tp, self.neg - self.fp

    def exact_cells(self, cut: int) -> Cells:
        """The four cells of one cut as fractions."""
        tp, fp, pos, neg = (Fraction(float(v)) for v in (self.tp[cut], self.fp[cut], self.pos, self.neg))
        return tp, fp, pos - tp, neg - fp

    def threshold(self, cut: int) -> Any:
        """The score that a cut is called by, as the Python value it is; it parses back to the same cut."""
        return self.beyond if cut == 0 else as_cut(self.sweep.scores[cut - 1])

    def need(self, what: str, *classes: str) -> None:
        """Raise if a class that is asked about has no row."""
        need(self.sweep, what, *classes)

    def choice(
        self, tied: npt.NDArray[np.intp], asked: str, attained: float, *, feasible: bool, notes: tuple[Note, ...]
    ) -> Choice:
        """Choose the strictest of the optima: of cuts that are as good, the one that flags fewest rows."""
        names = tuple(self.threshold(int(i)) for i in tied)
        ties = (_tied_note(len(names)),) if len(names) > 1 else ()
        return Choice(names[0], asked, float(attained), feasible, names, (*notes, *ties))


def _tied_note(n: int) -> Note:
    return Note(
        "tied-cuts",
        f"{n:,} cuts are equally good; the strictest, which flags fewest rows, was taken",
        f"有 {n:,} 个阈值同样好；取其中最严格、标记行数最少的一个",
    )


CHOSEN_HERE = Note(
    "chosen-here",
    "the cut was chosen on these rows, and the intervals take it as given: judge it on other rows",
    "该阈值在同一批数据上选出，区间视其为给定：请用另一批数据评判",
)
