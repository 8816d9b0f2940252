"""Equal local levels: how much wider Clopper-Pearson limits must be to hold at every threshold at once.

For n draws from any F, with k(t) of them at or beyond t, let E(eta) be the event

    for all t:  F(t) lies in [L(k(t)), U(k(t))],   the Clopper-Pearson limits at local level eta.

Its probability is the same for every continuous F and larger for F with atoms. With sorted uniforms U_(1..n) it is
P(B(eta/2; i, n+1-i) <= U_(i) <= B(1-eta/2; i, n+1-i) for all i), B the quantile of the Beta distribution of U_(i)
(Berk & Jones 1979; Aldor-Noiman et al. 2013, The American Statistician 67:249-260). The level is written as
z = Phi^-1(1 - eta/2), so that one row at a time would be z = 1.96.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from rocsolid.errors import NotAvailableError

Floats = npt.NDArray[np.float64]

EXACT_UP_TO = 500
"""With at most so many rows the constant is computed, in less than a second; beyond, the fit takes over."""
LEVELS = (0.80, 0.90, 0.95, 0.975, 0.99, 0.995, 0.999)
"""Levels of the fit; between them z^2 is interpolated by a polynomial in the normal quantile of the level."""
FIT: dict[float, tuple[float, float, float, float]] = {
    0.8: (3.999428, 2.234141, -5.202434, 7.282486),
    0.9: (5.935683, 2.157172, -6.521345, 7.720872),
    0.95: (7.756882, 2.087648, -7.592035, 7.924371),
    0.975: (9.506582, 2.025341, -8.512237, 8.014379),
    0.99: (11.746911, 1.952467, -9.579341, 8.062610),
    0.995: (13.402473, 1.903324, -10.306915, 8.085083),
    0.999: (17.158061, 1.804158, -11.814883, 8.150654),
}
"""z^2 = a + b ln ln n + c / ln n + d / n, per level; written by tests/statistical/fit_local_levels.py."""
FIT_ERROR = 2e-4
"""No fitted z is further than this from the exact one; it is added, so that the error is on the safe side.

Up to 20,000 rows the largest error is 5e-6; at 300,000, far outside the sizes fitted, it is 1e-4."""


def noncrossing(n: int, z: float) -> float:
    """Probability that n sorted uniforms all stay between their Beta limits at local level 2 Phi(-z). Exact.

    The uniforms are the points of a Poisson process of rate n on [0, 1] that happens to have n points: between two
    limits the count grows by a Poisson number, and each limit cuts off the counts that would cross it. Counts that
    can still occur fill a band of about 6 sqrt(n). O(n^1.5).

    Examples
    --------
    One uniform stays within [eta/2, 1 - eta/2] with probability 1 - eta; at z = 1.96 that is 0.95:

    >>> round(noncrossing(1, 1.959963984540054), 12)
    0.95
    """
    from scipy.special import betainccinv, betaincinv, ndtr

    half = float(ndtr(-z))
    i = np.arange(1, n + 1)
    lows, highs = betaincinv(i, n + 1 - i, half), betainccinv(i, n + 1 - i, half)
    # at a low limit of U_(i) at most i - 1 points lie below, at a high limit at least i; ties: low first
    times = np.concatenate([lows, highs])
    is_low = np.concatenate([np.ones(n, np.bool_), np.zeros(n, np.bool_)])
    order = np.lexsort((~is_low, times))
    chance, least, passed_low, time = np.ones(1), 0, 0, 0.0
    for s, low in zip(times[order].tolist(), is_low[order].tolist(), strict=True):
        chance = np.convolve(chance, _poisson(n * (s - time)))[: passed_low + 1 - least]
        time = s
        if low:
            passed_low += 1
        else:
            chance, least = chance[1:], least + 1  # the count `least` itself crosses this limit
    # all n high limits are passed, so exactly n points lie below the last one: none may follow
    log_norm = n * math.log(n) - n - math.lgamma(n + 1)
    return float(chance[0] * math.exp(-n * (1 - time) - log_norm))


def _poisson(mean: float) -> Floats:
    """Probabilities of 0, 1, ... up to where less than 1e-18 is left."""
    from scipy.special import gammaln

    top = int(mean + 9 * math.sqrt(mean) + 18)
    k = np.arange(top + 1)
    found: Floats = np.exp(k * math.log(mean) - mean - gammaln(k + 1)) if mean > 0 else np.eye(1, top + 1)[0]
    return found


@lru_cache(maxsize=512)
def exact_z(n: int, coverage: float) -> float:
    """The z at which all n limits hold at once with probability ``coverage``, by root finding to 1e-6. O(n^1.5).

    Examples
    --------
    >>> round(exact_z(1, 0.95), 3), round(exact_z(100, 0.95), 3)
    (1.96, 3.062)
    """
    from scipy.optimize import brentq
    from scipy.special import ndtri

    single = float(ndtri(0.5 + coverage / 2))
    union = float(-ndtri((1 - coverage) / (4 * n)))  # Bonferroni over the 2n limits
    if n == 1:
        return single
    return float(brentq(lambda z: noncrossing(n, z) - coverage, single, union, xtol=1e-6))


def fitted_z(n: int, coverage: float) -> float:
    """The same from the fit, plus its largest error. O(1).

    Raises
    ------
    NotAvailableError
        For a level outside those of the fit.
    """
    from scipy.interpolate import KroghInterpolator
    from scipy.special import ndtri

    if not LEVELS[0] <= coverage <= LEVELS[-1]:
        raise NotAvailableError(
            f"a simultaneous band at level {coverage:.6g} with {n:,} rows in a class",
            f"choose a confidence_level from {LEVELS[0]} to {LEVELS[-1]}",
        )
    basis = np.array([1.0, math.log(math.log(n)), 1 / math.log(n), 1 / n])
    squares = [float(basis @ np.array(FIT[level])) for level in LEVELS]
    through = KroghInterpolator(ndtri(0.5 + np.array(LEVELS) / 2), squares)
    return math.sqrt(float(through(float(ndtri(0.5 + coverage / 2))))) + FIT_ERROR


def local_z(n: int, coverage: float) -> float:
    """The z of equal local levels for one class of n rows: computed for few rows, fitted for many."""
    return exact_z(n, coverage) if n <= EXACT_UP_TO else fitted_z(n, coverage)
