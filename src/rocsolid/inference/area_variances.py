"""Variances of ROC-AUC and average precision in populations that are known: what planning a study needs.

The binormal population: negatives N(0, 1), positives N(d, 1/b^2), so that b = sd of the negatives / sd of the
positives and AUC = Phi(h) with h = d / sqrt(1 + 1/b^2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from rocsolid.inference.limits import hanley_mcneil_se

OBUCHOWSKI_SCALE = 1 / (32 * math.pi)
"""0.0099 in the paper."""
OBUCHOWSKI_ROOT = math.sqrt(2)
"""1.414 in the paper."""
GRID = 4001
REACH = 9.0
"""Standard deviations to both sides that integrals over a normal density cover."""


def normal_cdf(x: float) -> float:
    """Phi(x)."""
    from scipy.special import ndtr

    return float(ndtr(x))


def normal_inverse(p: float) -> float:
    """Phi^-1(p)."""
    from scipy.special import ndtri

    return float(ndtri(p))


def both_below(h: float, k: float, rho: float) -> float:
    """P(X <= h, Y <= k) of two standard normals with correlation rho, by Owen's T function (Owen 1956).

    Examples
    --------
    At the centre it is 1/4 + asin(rho) / (2 pi), a third for rho = 1/2:

    >>> round(both_below(0.0, 0.0, 0.5), 12)
    0.333333333333
    """
    from scipy.special import owens_t

    if rho >= 1:
        return normal_cdf(min(h, k))
    if rho <= -1:
        return max(normal_cdf(h) + normal_cdf(k) - 1, 0.0)
    if h == 0 and k == 0:
        return 0.25 + math.asin(rho) / (2 * math.pi)
    root = math.sqrt(1 - rho * rho)

    def part(x: float, other: float) -> float:
        slope = (other / x - rho) / root if x != 0 else math.copysign(math.inf, other)
        return normal_cdf(x) / 2 - float(owens_t(x, slope))

    apart = min(h, k) < 0 <= max(h, k)
    return part(h, k) + part(k, h) - (0.5 if apart else 0.0)


def shared_correlations(sd_ratio: float, of_scores: float = 1.0) -> tuple[float, float]:
    """Correlation of two differences (positive - negative) that share the positive, and that share the negative.

    The two may come from two models whose scores correlate by ``of_scores`` within each class.
    """
    square = sd_ratio * sd_ratio
    return of_scores / (1 + square), of_scores * square / (1 + square)


def binormal_covariance(auc_a: float, auc_b: float, m: float, n: float, sd_ratio: float, of_scores: float) -> float:
    """Exact covariance of two empirical AUCs on the same rows, by counting pairs of (positive, negative) pairs.

    m n Cov = (Q - A B) + (n - 1)(Q+ - A B) + (m - 1)(Q- - A B): Q is the chance that both models order a pair, Q+
    that each orders a pair when the two share their positive only, Q- their negative only. A model with itself gives
    the variance of the Mann-Whitney statistic (Lehmann 1975, section 2.3).
    """
    h, k, product = normal_inverse(auc_a), normal_inverse(auc_b), auc_a * auc_b
    by_pos, by_neg = shared_correlations(sd_ratio, of_scores)
    same, pos, neg = (both_below(h, k, rho) - product for rho in (by_pos + by_neg, by_pos, by_neg))
    return (same + (n - 1) * pos + (m - 1) * neg) / (m * n)


def binormal_variance(auc: float, m: float, n: float, sd_ratio: float = 1.0) -> float:
    """Exact variance of an empirical AUC of two normal populations. O(1).

    Examples
    --------
    At AUC 1/2 with equal spreads it is Wilcoxon's, (m + n + 1) / (12 m n):

    >>> round(binormal_variance(0.5, 30, 60), 12), round(91 / (12 * 30 * 60), 12)
    (0.004212962963, 0.004212962963)
    """
    return binormal_covariance(auc, auc, m, n, sd_ratio, 1.0)


def obuchowski_variance(auc: float, m: float, n: float) -> float:
    """Variance of the area under a fitted binormal curve, as Obuchowski & McClish give it for planning.

    exp(-A^2/2) [(5 A^2 + 8)/m + (A^2 + 8)/n] / (32 pi) with A = sqrt(2) Phi^-1(AUC), for equal spreads (1997,
    Statistics in Medicine 16:1529-1542; they print 0.0099 for 1/(32 pi)). It leaves out the covariance of the two
    parameters, which would turn 5 A^2 into A^2: it is too large for good models with few positives.
    """
    a = OBUCHOWSKI_ROOT * normal_inverse(auc)
    return OBUCHOWSKI_SCALE * math.exp(-a * a / 2) * ((5 * a * a + 8) / m + (a * a + 8) / n)


def hanley_mcneil_variance(auc: float, m: float, n: float) -> float:
    """Variance of an empirical AUC of exponential scores (Hanley & McNeil 1982)."""
    return hanley_mcneil_se(auc, m, n) ** 2


OF_AREA: dict[str, Callable[[float, float, float], float]] = {
    "binormal": binormal_variance,
    "obuchowski-binormal": obuchowski_variance,
    "hanley-mcneil": hanley_mcneil_variance,
}
"""Variances of an AUC by name: (auc, m, n) -> variance."""


# ------------------------------------------------------------------------------------ average precision


def binormal_average_precision(d: float, prevalence: float, sd_ratio: float = 1.0) -> tuple[float, float]:
    """Average precision of a binormal population, and the mean square of its rows' influences. O(grid).

    The variance of the AP of N random rows is that mean square over N. Influences as in
    docs/explanation/influence.md, sums over rows being integrals over the score t: with the share flagged
    f(t), precision P(t), A(t) = int_{s<=t} pi g(s)/f(s) ds and B(t) = int_{s<=t} pi g(s) P(s)/f(s) ds for the
    density g of the positives, a positive counts (P + A - AP - B)/pi and a negative -B/pi.
    """
    from scipy.special import ndtr

    sd = 1 / sd_ratio
    t = np.linspace(min(-REACH, d - REACH * sd), max(REACH, d + REACH * sd), GRID)
    of_pos, of_neg = (np.exp(-np.square(z) / 2) / math.sqrt(2 * math.pi) for z in ((t - d) / sd, t))
    of_pos = of_pos / sd
    hit, false = prevalence * ndtr((d - t) / sd), (1 - prevalence) * ndtr(-t)
    flagged = hit + false
    precision = np.divide(hit, flagged, out=np.ones_like(t), where=flagged > 0)
    step = float(t[1] - t[0])
    value = float((precision * of_pos).sum()) * step
    gain = np.divide(prevalence * of_pos, flagged, out=np.zeros_like(t), where=flagged > 0) * step
    above, weighted = np.cumsum(gain), np.cumsum(gain * precision)  # A and B
    pos, neg = (precision + above - value - weighted) / prevalence, -weighted / prevalence
    square = prevalence * (of_pos * np.square(pos)).sum() + (1 - prevalence) * (of_neg * np.square(neg)).sum()
    return value, float(square) * step


@lru_cache(maxsize=256)
def influence_of_average_precision(value: float, prevalence: float, sd_ratio: float) -> float | None:
    """Mean square influence in the binormal population that has this AP at this prevalence; ``None`` if none has."""
    from scipy.optimize import brentq

    def gap(d: float) -> float:
        return binormal_average_precision(d, prevalence, sd_ratio)[0] - value

    low, high = -2.0 * (1 + 1 / sd_ratio), 12.0 * (1 + 1 / sd_ratio)
    if gap(low) > 0 or gap(high) < 0:
        return None
    return binormal_average_precision(float(brentq(gap, low, high, xtol=1e-12)), prevalence, sd_ratio)[1]
