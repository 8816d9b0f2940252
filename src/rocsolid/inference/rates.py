"""Intervals of rates at one cut: Wilson, also for increasing functions of a proportion such as F1."""

from __future__ import annotations

import math

from rocsolid.inference import limits as lim
from rocsolid.inference.case import Case, Found, Method, influence
from rocsolid.measures.registry import Proportion
from rocsolid.results import Counts


def _wilson(case: Case) -> Found:
    """Wilson interval of the proportion of hits, carried through the measure's increasing function if it has one.

    With weights the size is the effective one, so that the variance is the linearised variance.
    """
    proportion = case.request.measure.proportion
    assert proportion is not None
    counts = case.sweep.at(case.request.options.threshold)
    hits, misses = proportion.split(counts)
    p = hits / (hits + misses)
    size = hits + misses if counts.squares is None else design_size(counts, proportion, p)
    low, high = lim.wilson(p, size, case.z)
    se = math.sqrt(p * (1 - p) / size)
    return Found((proportion.forward(low), proportion.forward(high)), se * proportion.slope(p))


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


RATE_METHODS: dict[str, Method] = {"wilson": _wilson, "influence": influence}
