"""The cost curve: least normalised expected cost against the probability cost PC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Picture, Tabled
from rocsolid.curves.points import Floats, frozen, need, shares, thresholds
from rocsolid.errors import OptionError
from rocsolid.measures import compute, find, number
from rocsolid.measures.hull import hull_of
from rocsolid.options import check_number, check_share
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep
from rocsolid.text import format_number, span


@dataclass(frozen=True, slots=True, eq=False)
class CostCurve(Tabled):
    """Every cut is a straight line from (0, FPR) to (1, FNR); the curve is the lower envelope of all of them.

    The horizontal axis is PC = p c_FN / (p c_FN + (1 - p) c_FP), for prevalence p and the costs of a miss and of a
    false alarm; the vertical one the expected cost as a share of that of the worst rule (Drummond & Holte 2006).
    Flagging nobody, the line from (0, 0) to (1, 1), and everybody, from (0, 1) to (1, 0), are cuts too.

    Attributes
    ----------
    fpr, fnr : (k + 1,) both ends of the line of every cut, strict to lenient.
    thresholds : (k + 1,) cuts; the first, which flags nothing, is nan.
    pc, cost : (h + 2,) corners of the envelope, from (0, 0) to (1, 0); straight in between.
    best_thresholds : (h + 1,) the best cut between each corner and the next.
    envelope_area : area under the envelope, the expected cost if every PC is as likely; at most 1/4.
    """

    kind: ClassVar[str] = "cost"
    fpr: Floats
    fnr: Floats
    thresholds: npt.NDArray[Any]
    pc: Floats
    cost: Floats
    best_thresholds: npt.NDArray[Any]
    envelope_area: float
    sizes: Sizes
    pos_label: object

    @classmethod
    def of(cls, sweep: Sweep) -> CostCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        UndefinedMeasureError
            If one of the classes has no row.

        Examples
        --------
        The cut at 4 has the line from (0, 0) to (1, 1/2), that at 2 the one from (0, 1/2) to (1, 0):

        >>> curve = CostCurve.of(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]))
        >>> curve.pc.tolist(), curve.cost.tolist(), curve.envelope_area
        ([0.0, 0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.25, 0.0, 0.0], 0.125)
        """
        need(sweep, f"{cls.kind} curve", "positives", "negatives")
        hull, cuts = hull_of(sweep), thresholds(sweep)
        fpr, fnr = shares(sweep.neg_mass), 1 - shares(sweep.pos_mass)
        pc = np.concatenate([[0.0], hull.widths / (hull.widths + hull.heights), [1.0]])
        lowest = np.append(hull.rows, hull.rows[-1])
        request = find("cost_curve_area")
        return cls(
            fpr=fpr,
            fnr=frozen(fnr),
            thresholds=cuts,
            pc=frozen(pc),
            cost=frozen((1 - pc) * fpr[lowest] + pc * fnr[lowest]),
            best_thresholds=frozen(cuts[hull.rows]),
            envelope_area=number(request, compute(request, sweep)),
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
        )

    def area(self) -> float:
        """Area under the envelope: ``envelope_area``."""
        return self.envelope_area

    @property
    def operating_range(self) -> tuple[float, float] | None:
        """PCs between which some cut beats flagging nobody and flagging everybody; ``None`` if none ever does."""
        return (float(self.pc[1]), float(self.pc[-2])) if len(self.best_thresholds) > 2 else None

    def at(self, pc: float) -> float:
        """Least normalised expected cost at a probability cost. O(log h).

        Raises
        ------
        OptionError
            If ``pc`` does not lie in [0, 1].
        """
        hint = "for example curve.at(curve.probability_cost(prevalence=0.1, cost_fp=1, cost_fn=10))"
        return float(np.interp(check_share("pc", pc, ends=True, hint=hint), self.pc, self.cost))

    @staticmethod
    def probability_cost(*, prevalence: float, cost_fp: float, cost_fn: float) -> float:
        """Place on the horizontal axis of a prevalence p and two costs: p c_FN / (p c_FN + (1 - p) c_FP). O(1).

        Raises
        ------
        OptionError
            For a prevalence outside (0, 1), or costs that are negative, infinite or both 0.

        Examples
        --------
        >>> CostCurve.probability_cost(prevalence=0.2, cost_fp=1, cost_fn=4)
        0.5
        """
        hint = "probability_cost(prevalence=0.1, cost_fp=1, cost_fn=10)"
        check_share("prevalence", prevalence, ends=False, hint=hint)
        for name, cost in (("cost_fp", cost_fp), ("cost_fn", cost_fn)):
            if not 0 <= check_number(name, cost) < np.inf:
                raise OptionError(name, cost, "a finite number >= 0", hint)
        if cost_fp == cost_fn == 0:
            raise OptionError("costs", (cost_fp, cost_fn), "not both 0", hint)
        return prevalence * cost_fn / (prevalence * cost_fn + (1 - prevalence) * cost_fp)

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, fpr, fnr``, one line of the cost plane a row."""
        return _faces.frame({"threshold": self.thresholds, "fpr": self.fpr, "fnr": self.fnr}, backend)

    def picture(self) -> Picture:
        """Say what is drawn: the envelope, and that of the two trivial rules."""
        return Picture(
            line=(self.pc, self.cost), across="Probability cost PC", up="Normalised expected cost",
            number=f"area {format_number(self.envelope_area, 3)}", chance=([0.0, 0.5, 1.0], [0.0, 0.5, 0.0]),
        )  # fmt: skip

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the envelope and that of the trivial rules with Matplotlib; return the display."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of corners, area, operating range and sizes."""
        found = self.operating_range
        useful = "no operating range" if found is None else f"operating range {span(*found)}"
        head = (
            f"<cost curve: {len(self.best_thresholds):,} best cuts, area {format_number(self.envelope_area)}, {useful}"
        )
        return f"{head}; {self.sizes}; positive: {self.pos_label!r}>"
