"""Intervals of precision, NPV and F1 at a cut and a given prevalence.

Each value v solves a(v) x - b(v) y = c(v) for two independent rates x and y, one of each class. The limits are the
v at which the MOVER interval of the left side, from intervals of both rates, just reaches the right side: Fieller's
argument with limits that do not collapse at 0 and 1 (Donner & Zou 2012, Statistical Methods in Medical Research
21:347-359). The rates' intervals are Jeffreys': with 10 to 50 rows a class and FPRs down to .001 the limits then cover
.925 to .99 (by enumeration, tests/statistical), where from Wilson's they go down to .86, because Wilson's lower limit
of one in fifteen leaves out one in a hundred.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rocsolid.inference import limits as lim
from rocsolid.inference.case import Case, Found, Method, influence, standard_error
from rocsolid.inference.cells import Term, mover
from rocsolid.inference.rates import OfCounts, design_size
from rocsolid.measures.ranking import prevalence as own_prevalence
from rocsolid.measures.registry import Proportion
from rocsolid.results import Note
from rocsolid.text import format_count, format_number


@dataclass(frozen=True, slots=True)
class Equation:
    """Two rates and what they count in a(v) x - b(v) y - c(v) = 0, given v and the prevalence."""

    first: Proportion
    second: Proportion
    a: Callable[[float, float], float]
    b: Callable[[float, float], float]
    c: Callable[[float, float], float] = lambda v, pi: 0.0


_TPR, _FPR = Proportion(("tp",), ("fn",)), Proportion(("fp",), ("tn",))
_TNR, _FNR = Proportion(("tn",), ("fp",)), Proportion(("fn",), ("tp",))

PRECISION = Equation(_TPR, _FPR, lambda v, pi: (1 - v) * pi, lambda v, pi: v * (1 - pi))
NPV = Equation(_TNR, _FNR, lambda v, pi: (1 - v) * (1 - pi), lambda v, pi: v * pi)
F1 = Equation(_TPR, _FPR, lambda v, pi: (2 - v) * pi, lambda v, pi: v * (1 - pi), lambda v, pi: v * pi)


def _inverted(equation: Equation, limits: OfCounts) -> Method:
    """Make a method of an equation from an interval of a rate; O(k) for the counts, then O(1)."""

    def method(case: Case) -> Found:
        from scipy.optimize import brentq

        pi = case.request.options.prevalence
        first, second = (_rate(case, p, limits) for p in (equation.first, equation.second))

        def ends(v: float) -> lim.Limits:
            x, y = Term(equation.a(v, pi), *first), Term(-equation.b(v, pi), *second)
            low, high = mover(x, y, 0.0)
            return low - equation.c(v, pi), high - equation.c(v, pi)

        def crossing(side: int, far: float) -> float:
            """Where this end passes 0 between the value and the far end; the value, where rounding parts them."""
            at_far, at_value = ends(far)[side], ends(case.value)[side]
            if at_far == 0 or (at_far > 0) == (side == 1):
                return far
            if (at_far > 0) == (at_value > 0):
                return case.value
            return float(brentq(lambda v: ends(v)[side], min(case.value, far), max(case.value, far), xtol=1e-14))

        value = case.value
        low, high = crossing(0, 0.0), crossing(1, 1.0)
        se = standard_error(case)
        found = min(low, value), max(high, value)
        return Found(found, None if math.isnan(se) else se, (_carried(case),))

    return method


def _rate(case: Case, proportion: Proportion, limits: OfCounts) -> tuple[float, float, float]:
    """A rate with its limits; with weights of its effective size."""
    counts = case.sweep.at(case.request.options.threshold)
    hits, misses = proportion.split(counts)
    p = hits / (hits + misses)
    size = hits + misses if counts.squares is None else design_size(counts, proportion, p)
    return (p, *limits(p * size, (1 - p) * size, case.level))


def _carried(case: Case) -> Note:
    """Name both prevalences, and how many negatives the value rests on."""
    options, counts = case.request.options, case.sweep.at(case.request.options.threshold)
    given, own = format_number(options.prevalence), format_number(own_prevalence(case.sweep))
    flagged, all_ = format_count(counts.fp), format_count(counts.fp + counts.tn)
    return Note(
        "reweighted",
        f"at prevalence {given} by reweighting (the sample's is {own}); {flagged} of {all_} negatives are flagged at "
        f"{case.sweep.rule(options.threshold)}",
        f"按正例比例 {given} 重新加权（样本为 {own}）；在 {case.sweep.rule(options.threshold)} 处，"
        f"{all_} 个负例中有 {flagged} 个被判为正例",
    )


AT_PREVALENCE_METHODS: dict[str, dict[str, Method]] = {
    name: {
        "mover": _inverted(equation, lim.jeffreys),
        "clopper-pearson": _inverted(equation, lim.clopper_pearson),
        "influence": influence,
    }
    for name, equation in (
        ("precision_at_prevalence", PRECISION),
        ("npv_at_prevalence", NPV),
        ("f1_at_prevalence", F1),
    )
}
"""Interval methods by measure; the first is ``auto``, the second never covers less than its level in the same cells."""
