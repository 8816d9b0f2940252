"""The best cut by a criterion: all optima, compared as fractions, of which the strictest is taken.

    youden    recall + specificity - 1                              Youden 1950, Cancer 3:32-35
    closest   distance of (FPR, recall) from the corner (0, 1)      Perkins & Schisterman 2006
    f1        2 TP / (2 TP + FP + FN);  f_beta weighs recall beta times as much: van Rijsbergen 1979
    mcc       (TP TN - FP FN) / sqrt((TP+FP)(TP+FN)(TN+FP)(TN+FN))  Matthews 1975
    cost      (cost_fp FP + cost_fn FN + cost_tp TP + cost_tn TN) / N, a gain being a negative cost; at a prevalence pi
              pi (cost_fn FNR + cost_tp TPR) + (1 - pi) (cost_fp FPR + cost_tn TNR)
                                                                    Drummond & Holte 2006; Elkan 2001, IJCAI 973-978

Each is a key to be made as large as possible, one formula that reads arrays and fractions alike. Floats find the
cuts within 1e-9 of the best (of the largest key), fractions decide among them: no rounding makes or breaks a tie.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.decisions.cuts import CHOSEN_HERE, Cells, Choice, Cuts, Floats
from rocsolid.errors import OptionError, UndefinedMeasureError
from rocsolid.options import as_typed, check_choice, check_number, check_share
from rocsolid.sweep import Sweep

CRITERIA = ("youden", "closest", "f1", "f_beta", "mcc", "cost")
SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Criterion:
    """What makes a cut good, with its options; numbers are read as typed."""

    name: str
    beta: Fraction = Fraction(1)
    cost_fp: Fraction = Fraction(0)
    cost_fn: Fraction = Fraction(0)
    cost_tp: Fraction = Fraction(0)
    cost_tn: Fraction = Fraction(0)
    prevalence: Fraction | None = None

    def key(self, cells: Cells, number: Callable[[Fraction], Any]) -> Any:
        """Give what is to be largest; ``number`` turns options into the kind of number that the cells are."""
        tp, fp, fn, tn = cells
        pos, neg = tp + fn, fp + tn
        if self.name == "youden":
            return tp / pos - fp / neg
        if self.name == "closest":
            return -((fn / pos) ** 2) - (fp / neg) ** 2
        if self.name == "mcc":  # its signed square, which is in the same order, as ratios: sums of weights may be huge
            j = tp / pos - fp / neg
            return j * abs(j) * (pos / (tp + fp)) * (neg / (tn + fn))
        if self.name == "cost":
            of_pos = number(self.cost_fn) * fn + number(self.cost_tp) * tp
            of_neg = number(self.cost_fp) * fp + number(self.cost_tn) * tn
            if self.prevalence is None:
                return -(of_pos + of_neg) / (pos + neg)
            pi = number(self.prevalence)
            return -(pi * of_pos / pos + (1 - pi) * of_neg / neg)
        squared = number(self.beta**2)
        return (1 + squared) * tp / ((1 + squared) * tp + squared * fn + fp)

    def value(self, key: float) -> float:
        """Give the criterion as people know it from its key."""
        if self.name == "closest":
            return math.sqrt(-key)
        if self.name == "mcc":
            return math.copysign(math.sqrt(abs(key)), key)
        return -key if self.name == "cost" else key

    @property
    def needs(self) -> tuple[str, ...]:
        """Classes without which it has no value."""
        if self.name in ("f1", "f_beta"):
            return ("positives",)
        return () if self.name == "cost" and self.prevalence is None else ("positives", "negatives")

    def __str__(self) -> str:
        """Say what is asked for, such as ``max youden``."""
        if self.name == "cost":
            right = "".join(
                f", {name} {float(c):g}" for name, c in (("hit", self.cost_tp), ("rejection", self.cost_tn)) if c
            )
            at = "" if self.prevalence is None else f" at prevalence {float(self.prevalence):g}"
            return f"min cost (false positive {float(self.cost_fp):g}, miss {float(self.cost_fn):g}{right}{at})"
        if self.name == "closest":
            return "min distance from the corner"
        return f"max f_beta (beta {float(self.beta):g})" if self.name == "f_beta" else f"max {self.name}"


def check_criterion(
    name: str,
    *,
    beta: object = None,
    cost_fp: object = None,
    cost_fn: object = None,
    cost_tp: object = None,
    cost_tn: object = None,
    prevalence: object = None,
) -> Criterion:
    """Check a criterion and its options; one that has no effect is an error.

    Raises
    ------
    UnknownNameError, OptionError
        For an unknown criterion; missing, bad or ineffective options.
    """
    check_choice("criterion", name, CRITERIA)
    costs = {"cost_fp": cost_fp, "cost_fn": cost_fn, "cost_tp": cost_tp, "cost_tn": cost_tn}
    allowed = {"f_beta": {"beta"}, "cost": {*costs, "prevalence"}}.get(name, set())
    for option, value in {"beta": beta, **costs, "prevalence": prevalence}.items():
        if value is not None and option not in allowed:
            raise OptionError(option, value, f"left out: it has no effect on {name!r}", f"ev.best({name!r})")
    if name == "f_beta":
        if beta is None or not 0 < check_number("beta", beta) < math.inf:
            raise OptionError("beta", beta, "a number > 0, how much recall counts", 'ev.best("f_beta", beta=2)')
        return Criterion(name, beta=as_typed(float(check_number("beta", beta))))
    if name != "cost":
        return Criterion(name)
    pi = None if prevalence is None else check_share("prevalence", prevalence, ends=False, hint="prevalence=0.01")
    return Criterion(name, **_costs(costs), prevalence=None if pi is None else as_typed(pi))


def _costs(given: dict[str, object]) -> dict[str, Fraction]:
    """Read a cost matrix as typed: errors cost something, hits and rejections may gain, no error less than no error."""
    hint = 'ev.best("cost", cost_fp=1, cost_fn=10)'
    read = {}
    for option, value in given.items():
        if option in ("cost_fp", "cost_fn"):
            if value is None or not 0 <= check_number(option, value) < math.inf:
                raise OptionError(option, value, "a finite number >= 0", hint)
        elif value is not None and not math.isfinite(check_number(option, value)):
            raise OptionError(option, value, "a finite number, negative for a gain", f"{option}=-1")
        read[option] = as_typed(float(check_number(option, 0 if value is None else value)))
    for wrong, right in (("cost_fn", "cost_tp"), ("cost_fp", "cost_tn")):
        if read[wrong] < read[right]:
            raise OptionError(right, given[right], f"at most {wrong}, {float(read[wrong]):g}: gains are negative costs",
                              f"{right}={-abs(float(read[right])):g}")  # fmt: skip
    if read["cost_fn"] == read["cost_tp"] and read["cost_fp"] == read["cost_tn"]:
        found = tuple(value for value in given.values() if value is not None)
        raise OptionError("costs", found, "not both 0, or errors would cost no more than being right", hint)
    return read


def keys(wanted: Criterion, cuts: Cuts) -> Floats:
    """Keys of all cuts as floats; -inf where a cut has none or does not exist. O(k)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.asarray(wanted.key(cuts.cells, float), np.float64)
    return np.where(cuts.legal & np.isfinite(found), found, -np.inf)


def best_cut(sweep: Sweep, wanted: Criterion) -> Choice:
    """Choose the best cut. O(k), and O(m) fractions where m cuts come within 1e-9 of the best.

    Raises
    ------
    UndefinedMeasureError
        If a class has no row, or no cut has a value.

    Examples
    --------
    Flagging 8 has J = 1/2 - 0, flagging 5 and more J = 1 - 1/2, as good:

    >>> sweep = Sweep.from_arrays([1, 0, 1, 0], [8, 6, 5, 1])
    >>> found = best_cut(sweep, Criterion("youden"))
    >>> found.threshold, found.attained, found.tied
    (8, 0.5, (8, 5))
    """
    cuts = Cuts(sweep)
    cuts.need(f"best cut by {wanted.name}", *wanted.needs)
    tied, key = optima(wanted, cuts)
    return cuts.choice(tied, str(wanted), wanted.value(float(key)), feasible=True, notes=(CHOSEN_HERE,))


def optima(wanted: Criterion, cuts: Cuts) -> tuple[npt.NDArray[np.intp], Fraction]:
    """All cuts with the largest key, and the key."""
    rough = keys(wanted, cuts)
    top = float(rough.max())
    if not math.isfinite(top):
        reason = "no cut leaves rows on both sides: all rows share one score"
        raise UndefinedMeasureError(f"best cut by {wanted.name}", reason, "check the scores")
    scale = float(np.abs(rough[np.isfinite(rough)]).max())
    near = np.flatnonzero(rough >= top - SLACK * scale)
    exact = [wanted.key(cuts.exact_cells(int(i)), Fraction) for i in near]
    best = max(exact)
    return near[[value == best for value in exact]], best
