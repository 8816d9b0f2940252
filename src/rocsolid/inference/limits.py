"""Interval formulas on plain numbers: Wald, logit, Wilson, Clopper-Pearson, Jeffreys, Newcombe, Hanley-McNeil.

Each returns ``(low, high)`` within the range of the measure. All are O(1).
"""

from __future__ import annotations

import math

Limits = tuple[float, float]
EXP_MOST = 709.0
"""Up to here exp is a float."""


def normal_quantile(level: float) -> float:
    """Two-sided standard normal quantile, 1.96 at 0.95."""
    from scipy.special import ndtri

    return float(ndtri(0.5 + level / 2))


def t_quantile(df: float, level: float) -> float:
    """Two-sided Student t quantile; the degrees of freedom need not be whole."""
    from scipy.special import stdtrit

    return float(stdtrit(df, 0.5 + level / 2))


def clip(limits: Limits, low: float = 0.0, high: float = 1.0) -> Limits:
    """Cut limits at the ends of the attainable range."""
    return max(limits[0], low), min(limits[1], high)


def wald(value: float, se: float, quantile: float) -> Limits:
    """Value plus or minus quantile standard errors; may leave the attainable range."""
    return value - quantile * se, value + quantile * se


def on_logit(value: float, se: float, quantile: float) -> Limits:
    """Wald on the logit scale, mapped back; for 0 < value < 1."""
    centre = math.log(value / (1 - value))
    half = quantile * se / (value * (1 - value))
    return expit(centre - half), expit(centre + half)


def on_log(value: float, half: float) -> Limits:
    """Limits of a value above 0 on the log scale; infinite beyond the largest float.

    Examples
    --------
    >>> on_log(2.0, 0.0), on_log(2.0, 1000.0)
    ((2.0, 2.0), (0.0, inf))
    """
    return value * math.exp(-half), value * math.exp(half) if half < EXP_MOST else math.inf


def expit(x: float) -> float:
    """1 / (1 + exp(-x)) without overflow."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def wilson(p: float, n: float, quantile: float) -> Limits:
    """Score interval of a proportion (Wilson 1927); ``n`` may be an effective size. Contains ``p``.

    Examples
    --------
    >>> low, high = wilson(0.5, 10, 1.959963984540054)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    q = quantile * quantile
    centre = (p + q / (2 * n)) / (1 + q / n)
    half = quantile * math.sqrt(max(p * (1 - p), 0.0) / n + q / (4 * n * n)) / (1 + q / n)
    low = 0.0 if p == 0 else max(centre - half, 0.0)
    return min(low, p), max(1.0 if p == 1 else min(centre + half, 1.0), p)


def clopper_pearson(hits: float, misses: float, level: float) -> Limits:
    """Exact interval of a proportion (Clopper & Pearson 1934): both tails of the binomial at (1 - level)/2.

    The tails are beta quantiles, so effective counts need not be whole (Korn & Graubard 1998).

    Examples
    --------
    No hit in 10: the upper limit solves (1 - p)^10 = 0.025.

    >>> low, high = clopper_pearson(0, 10, 0.95)
    >>> low, round(high, 4), round(1 - 0.025 ** (1 / 10), 4)
    (0.0, 0.3085, 0.3085)
    """
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, misses + 1, tail))
    return low, 1.0 if misses == 0 else float(betaincinv(hits + 1, misses, 1 - tail))


def jeffreys(hits: float, misses: float, level: float) -> Limits:
    """Equal-tailed interval of the posterior under Jeffreys' prior, Beta(1/2, 1/2), for a proportion.

    The limit is 0 without hits and 1 without misses, as Brown, Cai & DasGupta (2001, Statistical Science 16,
    section 4.1.2) modify it: without that it would exclude the estimate.

    Examples
    --------
    >>> low, high = jeffreys(0, 10, 0.95)
    >>> low, round(high, 4)
    (0.0, 0.2172)
    """
    from scipy.special import betaincinv

    tail, p = (1 - level) / 2, hits / (hits + misses)
    low = 0.0 if hits == 0 else float(betaincinv(hits + 0.5, misses + 0.5, tail))
    high = 1.0 if misses == 0 else float(betaincinv(hits + 0.5, misses + 0.5, 1 - tail))
    return min(low, p), max(high, p)


def hanley_mcneil_se(auc: float, n_pos: float, n_neg: float) -> float:
    """Standard error of an AUC from the AUC and the class sizes alone (Hanley & McNeil 1982, eq. 1).

    Not symmetric in the classes: Q1 = AUC/(2 - AUC) belongs to the positives.

    Examples
    --------
    >>> round(hanley_mcneil_se(0.90, 50, 50000), 7)
    0.0292029
    """
    q1, q2 = auc / (2 - auc), 2 * auc * auc / (1 + auc)
    spread = auc * (1 - auc) + (n_pos - 1) * (q1 - auc * auc) + (n_neg - 1) * (q2 - auc * auc)
    return math.sqrt(max(spread, 0.0) / (n_pos * n_neg))


def newcombe(auc: float, n_pos: float, n_neg: float, quantile: float) -> Limits:
    """Method 5 of Newcombe 2006 (Statistics in Medicine 25:559-573): a score interval by inversion.

    The limits solve (theta - AUC)^2 = z^2 V(theta) with Hanley and McNeil's variance in which both class sizes
    but the leading product are replaced by their mean; at AUC 0 and 1 a factor that is 0 there is divided out.
    """
    from scipy.optimize import brentq

    mean = (n_pos + n_neg) / 2

    def gap(theta: float) -> float:
        inside = 1 + (mean - 1) * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        scale = quantile * quantile * inside / (n_pos * n_neg)
        if auc == 1:
            return (1 - theta) - scale * theta
        if auc == 0:
            return theta - scale * (1 - theta)
        return (auc - theta) ** 2 - scale * theta * (1 - theta)

    low = 0.0 if auc == 0 else float(brentq(gap, 0.0, auc, xtol=1e-15, rtol=1e-14))
    high = 1.0 if auc == 1 else float(brentq(gap, auc, 1.0, xtol=1e-15, rtol=1e-14))
    return min(low, auc), max(high, auc)


def satterthwaite(a: float, df_a: float, b: float, df_b: float) -> float:
    """Degrees of freedom of a sum of two independent variance estimates (Satterthwaite 1946)."""
    spread = a * a / df_a + b * b / df_b
    return (a + b) ** 2 / spread if spread > 0 else df_a + df_b
