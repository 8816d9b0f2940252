"""Interval of a difference from the intervals of its two terms (MOVER).

The distance from the estimate to a limit is a variance estimate in the place where it matters, so the limits of the
two terms are combined as standard errors would be: Zou & Donner 2008 (Statistics in Medicine 27:1693-1702); for two
paired proportions this is method 10 of Newcombe 1998 (Statistics in Medicine 17:2635-2650).
"""

from __future__ import annotations

import math

from rocsolid.inference.limits import Limits


def difference_limits(a: float, b: float, limits_a: Limits, limits_b: Limits, rho: float) -> Limits:
    """Limits of a - b, given limits of both and the correlation of the estimates. O(1).

    Examples
    --------
    Uncorrelated terms with symmetric limits: the half widths add like standard errors, sqrt(0.3^2 + 0.4^2) = 0.5.

    >>> [round(x, 12) for x in difference_limits(0.7, 0.5, (0.4, 1.0), (0.1, 0.9), 0.0)]
    [-0.3, 0.7]
    """
    (low_a, high_a), (low_b, high_b) = limits_a, limits_b
    down, up = _joined(a - low_a, high_b - b, rho), _joined(high_a - a, b - low_b, rho)
    return a - b - down, a - b + up


def _joined(x: float, y: float, rho: float) -> float:
    if math.isinf(x) or math.isinf(y):  # a term without a limit on this side
        return math.inf
    return math.sqrt(max(x * x - 2 * rho * x * y + y * y, 0.0))
