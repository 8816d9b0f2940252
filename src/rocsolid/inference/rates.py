"""Intervals of rates at one cut, also for increasing functions of a proportion such as F1."""

from __future__ import annotations

import math
from collections.abc import Callable

from rocsolid.inference import limits as lim
from rocsolid.inference.case import Case, Found, Method, influence
from rocsolid.measures.registry import Proportion
from rocsolid.results import Counts, Note

OfCounts = Callable[[float, float, float], lim.Limits]
"""An interval of a proportion: (hits, misses, level) -> limits."""


def wilson_of_counts(hits: float, misses: float, level: float) -> lim.Limits:
    """Wilson's interval (1927) from counts."""
    size = hits + misses
    return lim.wilson(hits / size, size, lim.normal_quantile(level))


PROPORTION_METHODS: dict[str, OfCounts] = {
    "wilson": wilson_of_counts,
    "clopper-pearson": lim.clopper_pearson,
    "jeffreys": lim.jeffreys,
}
"""Intervals of a proportion by name; the first is ``auto``."""

EFFECTIVE_COUNTS = Note(
    "effective-counts",
    "with weights the counts are effective ones, from the linearised variance: a method that is exact for whole "
    "counts is approximate here",
    "有权重时使用由线性化方差得到的有效计数：对整数计数精确的方法在此只是近似",
)


def _on_counts(limits: OfCounts) -> Method:
    """Make a method of a measure from an interval of a proportion.

    The limits are carried through the measure's increasing function if it has one. With weights the size is the
    effective one, so that the variance is the linearised variance (Korn & Graubard 1998).
    """

    def method(case: Case) -> Found:
        proportion = case.request.measure.proportion
        assert proportion is not None
        counts = case.sweep.at(case.request.options.threshold)
        hits, misses = proportion.split(counts)
        p, size = hits / (hits + misses), hits + misses
        weighted = counts.squares is not None
        if weighted:
            size = design_size(counts, proportion, p)
            hits, misses = p * size, (1 - p) * size
        low, high = limits(hits, misses, case.level)
        se = math.sqrt(p * (1 - p) / size)
        notes = (EFFECTIVE_COUNTS,) if weighted and limits is not wilson_of_counts else ()
        return Found((proportion.forward(low), proportion.forward(high)), se * proportion.slope(p), notes)

    return method


def design_size(counts: Counts, proportion: Proportion, p: float) -> float:
    """Effective size of a weighted rate: p (1-p) over its linearised variance; Kish's number at 0 and 1."""
    assert counts.squares is not None
    hits, misses = proportion.split(counts)
    hit, miss = proportion.split(squared(counts))
    spread = (1 - p) ** 2 * hit + p * p * miss
    total = hits + misses
    return total * total * p * (1 - p) / spread if 0 < p < 1 else total * total / (hit + miss)


def squared(counts: Counts) -> Counts:
    """Give the sums of squared weights in the place of the sums of weights."""
    assert counts.squares is not None
    tp, fp, fn, tn = counts.squares
    return Counts(tp=tp, fp=fp, fn=fn, tn=tn)


RATE_METHODS: dict[str, Method] = {
    **{name: _on_counts(limits) for name, limits in PROPORTION_METHODS.items()},
    "influence": influence,
}
