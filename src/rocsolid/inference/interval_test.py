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


def inverted(at: At, difference: float, margin: float | None, alternative: str) -> PValue | None:
    """Read the p value off the limits; ``None`` where there are none. Some ten evaluations of ``at``.

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
        above, below = _tails(at, difference, 0.0)
        both = 2 * min(above, below)
    else:  # at least minus the margin, at most the margin
        above, below = _tails(at, difference, -margin)[0], _tails(at, difference, margin)[1]
        both = max(above, below)
    p = {"greater": above, "less": below, "two-sided": both}[alternative]
    return PValue(p, math.log10(p))


def _tails(at: At, difference: float, null: float) -> tuple[float, float]:
    """One-sided p values of the hypotheses that the difference is at most, and at least, ``null``."""
    if difference == null:
        return 0.5, 0.5
    greater = difference > null

    def beyond(log_alpha: float) -> float:
        limits = at(-math.expm1(log_alpha))
        assert limits is not None
        gap = limits[0] - null if greater else null - limits[1]
        return gap if math.isfinite(gap) else -1e300  # limits without end hold every null

    from scipy.optimize import brentq

    far, near = math.log(SMALLEST), -SMALLEST
    if beyond(far) >= 0:
        tail = SMALLEST / 2
    elif beyond(near) <= 0:  # limits of so low a level lie on both sides of a point nearer to the middle
        tail = 0.5
    else:
        tail = math.exp(brentq(beyond, far, near, xtol=1e-10)) / 2
    return (tail, 1 - tail) if greater else (1 - tail, tail)
