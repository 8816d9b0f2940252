"""p values, and their logarithms where they are too small for a float."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

ALTERNATIVES = ("two-sided", "greater", "less")
LARGE_DF = 1e7
"""Beyond, Student's tail is taken as normal where its logarithm is needed."""
TERMS = 1 << 22


@dataclass(frozen=True, slots=True)
class PValue:
    """A p value and its decimal logarithm, finite however small the p value is."""

    p: float
    log10: float


ONE = PValue(1.0, 0.0)
UNKNOWN = PValue(math.nan, math.nan)


def p_value(statistic: float, df: float | None, alternative: str) -> PValue:
    """Tail of Student's t with ``df`` degrees of freedom, of the normal distribution with ``None``. O(1).

    Examples
    --------
    >>> round(p_value(1.959963984540054, None, "two-sided").p, 6)
    0.05
    >>> round(p_value(40.0, None, "greater").log10, 2)  # too small for a float
    -349.44
    """
    if math.isnan(statistic):
        return UNKNOWN
    if alternative == "two-sided":
        one = p_value(abs(statistic), df, "greater")
        return PValue(min(1.0, 2 * one.p), min(0.0, one.log10 + math.log10(2)))
    x = statistic if alternative == "greater" else -statistic
    return _upper_tail(x, df)


def _upper_tail(x: float, df: float | None) -> PValue:
    from scipy.special import log_ndtr, stdtr

    if math.isinf(x):
        return PValue(0.0, -math.inf) if x > 0 else ONE
    p = float(np.exp(log_ndtr(-x))) if df is None else float(stdtr(df, -x))
    if p > 1e-290:
        return PValue(p, math.log10(p))
    log = float(log_ndtr(-x)) if df is None or df > LARGE_DF else _log_student(x, df)
    return PValue(p, log / math.log(10))


def _log_student(x: float, df: float) -> float:
    """Logarithm of a far tail: half the incomplete beta function I_z(df/2, 1/2), z = df/(df + x^2), by its series.

    I_z(a, b) = z^a (1 - z)^b / (a B(a, b)) sum_k (a + b)_k / (a + 1)_k z^k (DLMF 8.17.8). With b = 1/2 the terms fall
    at least like z^k.
    """
    from scipy.special import betaln

    a, b = df / 2, 0.5
    z = df / (df + x * x)
    k = np.arange(min(TERMS, 50 + int(40 / (1 - z))))
    total = float(np.cumprod(np.concatenate([[1.0], z * (a + b + k) / (a + 1 + k)])).sum())
    return a * math.log(z) + b * math.log1p(-z) - math.log(a) - float(betaln(a, b)) + math.log(total) - math.log(2)


def chi_square_tail(statistic: float, df: int) -> PValue:
    """Upper tail of the chi-square distribution with ``df`` degrees of freedom. O(1)."""
    from scipy.special import gammaincc, gammaln

    if df == 0 or statistic <= 0:
        return ONE
    p = float(gammaincc(df / 2, statistic / 2))
    if p > 1e-290:
        return PValue(p, math.log10(p))
    a, x = df / 2, statistic / 2  # Gamma(a, x) ~ x^(a-1) e^-x (1 + (a-1)/x + (a-1)(a-2)/x^2 + ...) (DLMF 8.11.2)
    terms, term = 1.0, 1.0
    for j in range(1, 20):
        term *= (a - j) / x
        terms += term
    log = (a - 1) * math.log(x) - x + math.log(terms) - float(gammaln(a))
    return PValue(p, log / math.log(10))
