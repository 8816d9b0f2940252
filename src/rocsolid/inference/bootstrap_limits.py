"""Limits from sorted bootstrap replicates, each with its Monte-Carlo error.

With B replicates, value v and a = (1 - level) / 2:

    percentile   the replicates at a and 1 - a                                       Efron 1979; 1982
    basic        v reflected: 2v - the replicate at 1 - a, 2v - the one at a         Davison & Hinkley 1997, eq. 5.6
    BCa          the replicates at Phi(z0 + (z0 + z) / (1 - acc (z0 + z)))           Efron 1987, JASA 82:171-185
    logit        expit(logit v -+ z sd / (v (1 - v))), sd that of the replicates

"At p" is the order statistic number floor((B + 1) p) for a lower bound, and its mirror image for an upper one, so that
a bound is a replicate and never lies between two of them.

Monte-Carlo error: another B replicates would give other order statistics. How many replicates lie below a quantile is
binomial, so half the distance between the order statistics one binomial standard deviation to either side is the
standard deviation of the bound (Woodruff 1952, JASA 47:635-646). BCa adds the error of z0, by the delta method.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rocsolid.inference.limits import expit, normal_quantile

Floats = npt.NDArray[np.float64]

ROUNDING = 1e-9
"""Keeps a rank such as 2000 * 0.05 whole although 0.05 is not a binary number."""


class Bounds(NamedTuple):
    """Both limits, and the Monte-Carlo standard deviation of each."""

    low: float
    high: float
    error_low: float
    error_high: float


def fewest(level: float) -> int:
    """Fewest replicates that have an order statistic beyond each limit: 2 / (1 - level) - 1.

    Examples
    --------
    >>> fewest(0.95), fewest(0.99)
    (39, 199)
    """
    return math.ceil(2 / (1 - level) - 1 - ROUNDING)


def percentile(replicates: Floats, level: float) -> Bounds:
    """Order statistics of the replicates, sorted.

    Examples
    --------
    Of the numbers 1 to 39, the first and the last:

    >>> low, high, *_ = percentile(np.arange(1.0, 40), 0.95)
    >>> float(low), float(high)
    (1.0, 39.0)
    """
    a, b = (1 - level) / 2, len(replicates)
    spread = math.sqrt(a * (1 - a) / b)
    return Bounds(
        _lower(replicates, a), _upper(replicates, 1 - a),
        _error(replicates, a, spread), _error(replicates, 1 - a, spread),
    )  # fmt: skip


def basic(replicates: Floats, value: float, level: float) -> Bounds:
    """The percentile limits, reflected at the value: the error of the replicates is that of the value, turned round."""
    low, high, error_low, error_high = percentile(replicates, level)
    return Bounds(2 * value - high, 2 * value - low, error_high, error_low)


def logit(replicates: Floats, value: float, level: float) -> Bounds:
    """Wald limits on the logit scale with the standard deviation of the replicates, for 0 < value < 1.

    The Monte-Carlo error is that of a standard deviation, sd sqrt((kurtosis - 1) / 4B).
    """
    centre, z = math.log(value / (1 - value)), normal_quantile(level)
    sd = float(replicates.std(ddof=1))
    half = z * sd / (value * (1 - value))
    low, high = expit(centre - half), expit(centre + half)
    error = half * _relative_error_of_sd(replicates)
    return Bounds(low, high, low * (1 - low) * error, high * (1 - high) * error)


def _relative_error_of_sd(replicates: Floats) -> float:
    """In units of the largest deviation: fourth powers of small ones underflow."""
    apart = replicates - replicates.mean()
    largest = float(np.abs(apart).max())
    squares = np.square(apart / largest) if largest > 0 else np.ones_like(apart)
    kurtosis = float(np.square(squares).mean()) / float(squares.mean()) ** 2
    return math.sqrt(max(kurtosis - 1, 0.0) / (4 * len(replicates)))


def bca(replicates: Floats, value: float, acceleration: float, level: float) -> Bounds | None:
    """Bias-corrected and accelerated limits; ``None`` where the correction is infinite.

    z0 = Phi^-1(share of replicates below the value, ties counting half).
    """
    from scipy.special import ndtr, ndtri

    b = len(replicates)
    below, to = np.searchsorted(replicates, value, "left"), np.searchsorted(replicates, value, "right")
    share = float(below + to) / (2 * b)
    z0 = float(ndtri(share))
    ends = [_tilted(z0, z, acceleration) for z in (-normal_quantile(level), normal_quantile(level))]
    if not math.isfinite(z0) or None in ends:
        return None
    levels, errors = [], []
    for x, slope in (end for end in ends if end is not None):
        p = float(ndtr(x))
        tilt = slope * math.exp((z0 * z0 - x * x) / 2)  # dp/dshare, phi(x) / phi(z0) times dx/dz0
        together = min(p, share) - p * share
        variance = p * (1 - p) + tilt * tilt * share * (1 - share) - 2 * tilt * together
        levels.append(p)
        errors.append(_error(replicates, p, math.sqrt(max(variance, 0.0) / b)))
    return Bounds(_lower(replicates, levels[0]), _upper(replicates, levels[1]), *errors)


def _tilted(z0: float, z: float, acceleration: float) -> tuple[float, float] | None:
    """Normal quantile of a BCa limit and its derivative by z0; ``None`` beyond the pole."""
    room = 1 - acceleration * (z0 + z)
    return (z0 + (z0 + z) / room, 1 + 1 / room**2) if room > 0 else None


# ------------------------------------------------------------------------------------------ order statistics


def _lower(ordered: Floats, p: float) -> float:
    """Order statistic number floor((B + 1) p), at least the first."""
    number = math.floor((len(ordered) + 1) * p + ROUNDING)
    return float(ordered[min(max(number, 1), len(ordered)) - 1])


def _upper(ordered: Floats, p: float) -> float:
    """Order statistic number ceil((B + 1) p), at most the last."""
    number = math.ceil((len(ordered) + 1) * p - ROUNDING)
    return float(ordered[min(max(number, 1), len(ordered)) - 1])


def _error(ordered: Floats, p: float, spread: float) -> float:
    """Half the distance between the quantiles at p - spread and p + spread; infinite beside an infinite replicate."""
    low, high = ((len(ordered) + 1) * q - 1 for q in (p - spread, p + spread))  # as places in the array
    ends = ordered[max(math.floor(low), 0)], ordered[min(math.ceil(high), len(ordered) - 1)]
    if not np.isfinite(ends).all():
        return math.inf if ends[0] != ends[1] else 0.0
    at_low, at_high = np.interp([low, high], np.arange(len(ordered)), ordered)
    return float(at_high - at_low) / 2
