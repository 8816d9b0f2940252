"""The test that goes with the joined interval: p is the level at which a limit touches the null value.

An interval at confidence 1 - p ends at the value that a test with p value p just fails to reject, so the interval can
be read backwards (test inversion; Casella & Berger 2002, section 9.2.1). Its size is the share of data sets whose
interval misses a true difference of 0. The t test is nearer to its level where the models are alike; this one keeps
its level where they are not, and few rows of a class decide: there the standard error of the difference is small just
when the difference is large by chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from rocsolid.inference.limits import Limits
from rocsolid.inference.tails import PValue

At = Callable[[float], Limits | None]
"""Two-sided limits of the difference at a confidence level."""

SMALLEST = 1e-12
"""A level of confidence nearer to 1 than this is not told from 1 by the rules that give limits."""
STEPS = 60
"""Halvings of an interval of logarithms: beyond the last digit."""


def inverted(at: At, difference: float, margin: float | None, alternative: str) -> PValue | None:
    """Read the p value off the limits; ``None`` where there are none. 60 evaluations of ``at``.

    Examples
    --------
    Limits of a normal estimate of 1.96 with standard error 1 touch 0 at 95 %:

    >>> from rocsolid.inference.limits import normal_quantile
    >>> wald = lambda level: (1.96 - normal_quantile(level), 1.96 + normal_quantile(level))
    >>> round(inverted(wald, 1.96, None, "two-sided").p, 4), round(inverted(wald, 1.96, None, "greater").p, 4)
    (0.05, 0.025)
    """
    if at(0.5) is None:
        return None
    if margin is None:
        upper = _above(at, difference, 0.0)
        p = {"greater": upper, "less": 1 - upper, "two-sided": min(1.0, 2 * min(upper, 1 - upper))}[alternative]
    else:
        above, below = _above(at, difference, -margin), 1 - _above(at, difference, margin)
        p = {"greater": above, "less": below, "two-sided": max(above, below)}[alternative]
    p = max(p, SMALLEST)
    return PValue(p, math.log10(p))


def _above(at: At, difference: float, null: float) -> float:
    """One-sided p value of the hypothesis that the difference is at most ``null``."""
    if difference == null:
        return 0.5
    greater = difference > null
    low, high = math.log(2 * SMALLEST), 0.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        limits = at(-math.expm1(middle))
        assert limits is not None
        beyond = limits[0] > null if greater else limits[1] < null
        low, high = (low, middle) if beyond else (middle, high)
    tail = math.exp(high) / 2
    return tail if greater else 1 - tail
