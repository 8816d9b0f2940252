"""Intervals of sums over two cells of the confusion matrix, such as net benefit and expected cost.

MOVER, the method of variance estimates recovery (Zou & Donner 2008, Statistics in Medicine 27:1693-1702; method 10 of
Newcombe 1998 for a difference): each cell's share has its Wilson interval, and the distances from the shares to
their limits are combined as standard errors are. So the sum has limits that do not collapse when a cell is empty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocsolid.inference import limits as lim
from rocsolid.inference.case import Case, Found, Method, clipped, influence, standard_error
from rocsolid.inference.rates import design_size
from rocsolid.measures.ranking import class_shares
from rocsolid.measures.registry import Proportion
from rocsolid.measures.threshold import CELLS
from rocsolid.results import Counts

CLASS = {"tp": ("tp", "fn"), "fn": ("tp", "fn"), "fp": ("fp", "tn"), "tn": ("fp", "tn")}


@dataclass(frozen=True, slots=True)
class Term:
    """A proportion with its limits, and what it counts in the sum."""

    factor: float
    p: float
    low: float
    high: float

    @property
    def reach(self) -> tuple[float, float]:
        """How far the term may lie below and above its estimate, both >= 0."""
        ends = self.factor * (self.p - self.low), self.factor * (self.high - self.p)
        return ends if self.factor >= 0 else (-ends[1], -ends[0])


def mover(first: Term, second: Term, correlation: float) -> lim.Limits:
    """Limits of a sum of two terms whose proportions have this correlation. O(1).

    Examples
    --------
    Newcombe's difference of 9/10 and 3/10, independent: .17 to .81

    >>> wilson = [Term(f, p, *lim.wilson(p, 10, 1.959964)) for f, p in ((1, 0.9), (-1, 0.3))]
    >>> [round(end, 4) for end in mover(*wilson, 0.0)]
    [0.1705, 0.809]
    """
    value = first.factor * first.p + second.factor * second.p
    sign = math.copysign(1.0, first.factor * second.factor)
    below, above = (
        math.sqrt(max(a * a + b * b + 2 * sign * correlation * a * b, 0.0))
        for a, b in zip(first.reach, second.reach, strict=True)
    )
    return value - below, value + above


def around(limits: lim.Limits, value: float) -> lim.Limits:
    """Limits with the value between them: the sum of the terms may round to the other side of it."""
    return min(limits[0], value), max(limits[1], value)


def _mover(case: Case) -> Found:
    """MOVER over the two cells: both shares of one sample, or rates of two classes whose sizes were set by design."""
    counts = case.sweep.at(case.request.options.threshold)
    (first, worth), (second, other) = case.request.options.worth.items()
    if case.margins == "random":
        correlation = _correlation(counts, first, second)
        limits = mover(
            _share(case, counts, first, float(worth)), _share(case, counts, second, float(other)), correlation
        )
    else:
        limits = mover(_rate(case, counts, first, float(worth)), _rate(case, counts, second, float(other)), 0.0)
    se = standard_error(case)
    found = clipped(around(limits, case.value), se, *case.request.range)
    return Found(found.limits, None if math.isnan(se) else se, found.notes)


def _share(case: Case, counts: Counts, cell: str, worth: float) -> Term:
    return _term(case, counts, Proportion((cell,), tuple(c for c in CELLS if c != cell)), worth)


def _rate(case: Case, counts: Counts, cell: str, worth: float) -> Term:
    """A cell as a share of its class, which is a fixed part of all rows; a class without rows adds nothing."""
    share, complement = class_shares(case.sweep)
    part = share if "tp" in CLASS[cell] else complement
    if part == 0:
        return Term(0.0, 0.0, 0.0, 0.0)
    return _term(case, counts, Proportion((cell,), tuple(c for c in CLASS[cell] if c != cell)), worth * part)


def _term(case: Case, counts: Counts, proportion: Proportion, factor: float) -> Term:
    hits, misses = proportion.split(counts)
    p = hits / (hits + misses)
    size = hits + misses if counts.squares is None else design_size(counts, proportion, p)
    return Term(factor, p, *lim.wilson(p, size, case.z))


def _correlation(counts: Counts, first: str, second: str) -> float:
    """Correlation of the shares of two cells of one sample; 0 where one of them does not vary.

    Without weights this is -sqrt(p q / ((1 - p) (1 - q))), of a multinomial.
    """
    cells = dict(zip(CELLS, counts.squares or (counts.tp, counts.fp, counts.fn, counts.tn), strict=True))
    p, q = getattr(counts, first) / counts.n, getattr(counts, second) / counts.n
    both = sum(s * ((c == first) - p) * ((c == second) - q) for c, s in cells.items())
    of_first = sum(s * ((c == first) - p) ** 2 for c, s in cells.items())
    of_second = sum(s * ((c == second) - q) ** 2 for c, s in cells.items())
    return max(-1.0, both / math.sqrt(of_first * of_second)) if of_first * of_second > 0 else 0.0


CELL_METHODS: dict[str, Method] = {"mover": _mover, "influence": influence}
