"""Intervals where only summary numbers are known: an AUC and its class sizes, or a count of hits."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rocsolid.errors import OptionError
from rocsolid.inference import limits as lim
from rocsolid.inference.case import CLIPPED, NO_LOGIT, ZERO_WIDTH, Found
from rocsolid.inference.rates import PROPORTION_METHODS
from rocsolid.options import check_choice, check_count, check_level, check_number
from rocsolid.results import Estimate, Interval, Note, Sizes, format_interval
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, Result

FromSummary = Callable[[float, int, int, float], Found]
"""(auc, n_pos, n_neg, level) -> limits and standard error."""

ASSUMES_NOTHING = Note(
    "conservative",
    "nothing is assumed about the scores: the variance is the largest that any scores with this AUC can have",
    "对得分不作任何假定：方差取具有此 AUC 的得分所能达到的最大值",
)
ASSUMES_EXPONENTIAL = Note(
    "assumes-exponential",
    "the variance is that of exponential scores; with a few stray rows or unequal spreads it is too small",
    "方差按指数分布的得分计算；若有少数离群行或两类离散程度不同，则方差偏小",
)


def largest_variance(auc: float, n_pos: float, n_neg: float) -> float:
    """Largest variance of an AUC of independent rows: A (1 - A) / min(n_pos, n_neg).

    Source: van Dantzig 1951; Birnbaum & Klose 1957 (Annals of Mathematical Statistics 28:933-945).
    """
    return auc * (1 - auc) / min(n_pos, n_neg)


def _conservative(auc: float, n_pos: int, n_neg: int, level: float) -> Found:
    """Wilson's interval with the size at which a proportion has the largest variance that the AUC can have."""
    return Found(lim.wilson(auc, min(n_pos, n_neg), lim.normal_quantile(level)), None, (ASSUMES_NOTHING,))


def _newcombe(auc: float, n_pos: int, n_neg: int, level: float) -> Found:
    return Found(lim.newcombe(auc, n_pos, n_neg, lim.normal_quantile(level)), None, (ASSUMES_EXPONENTIAL,))


def _hanley_mcneil(auc: float, n_pos: int, n_neg: int, level: float) -> Found:
    se = lim.hanley_mcneil_se(auc, n_pos, n_neg)
    limits = lim.wald(auc, se, lim.normal_quantile(level))
    cut = lim.clip(limits)
    remarks = [ASSUMES_EXPONENTIAL, *([CLIPPED] if cut != limits else []), *([ZERO_WIDTH] if se == 0 else [])]
    return Found(cut, se, tuple(remarks))


def _logit(auc: float, n_pos: int, n_neg: int, level: float) -> Found:
    se = lim.hanley_mcneil_se(auc, n_pos, n_neg)
    if not 0 < auc < 1:
        return Found(None, se, (NO_LOGIT,))
    return Found(lim.on_logit(auc, se, lim.normal_quantile(level)), se, (ASSUMES_EXPONENTIAL,))


SUMMARY_METHODS: dict[str, FromSummary] = {
    "conservative": _conservative,
    "newcombe": _newcombe,
    "hanley-mcneil": _hanley_mcneil,
    "logit": _logit,
}
"""Methods by name; the first is ``auto``."""


def interval_from_summary(
    *, auc: float, n_pos: int, n_neg: int, method: str = "auto", confidence_level: float = 0.95
) -> Estimate:
    """Put an interval around an ROC-AUC of which only the value and the class sizes are known, as in a paper.

    How far an AUC may be off depends on how the scores are spread, which summary numbers do not tell. Each method
    assumes something about it, and the estimate's notes say what.

    Parameters
    ----------
    auc : the area, from 0 to 1.
    n_pos, n_neg : rows in each class, at least 1.
    method : ``"auto"``, which is ``"conservative"``; or one of

        - ``"conservative"``: assumes nothing. Wilson's interval with ``min(n_pos, n_neg)`` trials, since the variance
          is at most A (1 - A) / min(n_pos, n_neg) (van Dantzig 1951; Birnbaum & Klose 1957). Wide: in most
          populations it covers more often than its level.
        - ``"newcombe"``: score interval with the variance of exponential scores (Newcombe 2006, method 5).
        - ``"hanley-mcneil"``: Wald with that variance (Hanley & McNeil 1982), cut at 0 and 1.
        - ``"logit"``: the same on the logit scale; none exists at 0 and 1.
    confidence_level : level of the interval.

    Returns
    -------
    Estimate
        ``std_error`` is Hanley and McNeil's for the two methods that rest on it, otherwise ``None``. The details
        give ``hanley_mcneil_se`` and ``largest_se``, the bound. It has no positive label.

    Raises
    ------
    OptionError
        If the AUC or a class size is no such number.
    UnknownNameError
        For an unknown method.

    Notes
    -----
    O(1). If you have the rows, :func:`roc_auc` gives an interval that is shorter and that looks at the spread.

    Examples
    --------
    >>> import rocsolid as rs
    >>> rs.interval_from_summary(auc=0.90, n_pos=250, n_neg=360, method="hanley-mcneil")
    <roc_auc = 0.9000 [0.8727, 0.9273] 0.95 CI (hanley-mcneil); 250 positive, 360 negative>
    >>> rs.interval_from_summary(auc=0.90, n_pos=250, n_neg=360)
    <roc_auc = 0.9000 [0.8565, 0.9313] 0.95 CI (conservative); 250 positive, 360 negative>

    A perfect AUC of 8 against 11 rows, by hand: the lower limit is 8 / (8 + 1.96^2) = 0.6756.

    >>> round(rs.interval_from_summary(auc=1, n_pos=8, n_neg=11).interval.low, 4)
    0.6756
    """
    value = float(check_number("auc", auc))
    if not 0 <= value <= 1:
        raise OptionError("auc", auc, "between 0 and 1", f"auc={value / 100:g}" if 1 < value <= 100 else "auc=0.9")
    m, n = check_count("n_pos", n_pos, 1), check_count("n_neg", n_neg, 1)
    level = check_level(confidence_level)
    chosen = check_choice("method", method, ("auto", *SUMMARY_METHODS))
    name = next(iter(SUMMARY_METHODS)) if chosen == "auto" else chosen
    found = SUMMARY_METHODS[name](value, m, n, level)
    return Estimate(
        measure="roc_auc",
        value=value,
        std_error=found.std_error,
        interval=None if found.limits is None else Interval(
            low=found.limits[0], high=found.limits[1], confidence_level=level, method=name
        ),
        method=name,
        sizes=Sizes(n_pos=m, n_neg=n),
        details={
            "hanley_mcneil_se": lim.hanley_mcneil_se(value, m, n),
            "largest_se": math.sqrt(largest_variance(value, m, n)),
        },
        notes=found.notes,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class CountEstimate(Result):
    """A proportion from counts, with its interval.

    Attributes
    ----------
    hits, total : the counts.
    value, exact : the proportion, as a float and as a fraction.
    std_error : sqrt(p (1 - p) / total).
    interval : the confidence interval.
    method : how the interval was made.
    """

    hits: int
    total: int
    value: float
    exact: Fraction
    std_error: float
    interval: Interval
    method: str

    def __float__(self) -> float:
        """Give the proportion."""
        return self.value

    def __repr__(self) -> str:
        """One line: counts, value, interval and method."""
        level = f"{self.interval.confidence_level:.4g}"
        return (
            f"<{self.hits:,} of {self.total:,} = {format_number(self.value)} {format_interval(self.interval)} "
            f"{level} CI ({self.method})>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers and strings under a schema version."""
        return {
            "schema": SCHEMA,
            "hits": self.hits,
            "total": self.total,
            "value": self.value,
            "exact": f"{self.exact.numerator}/{self.exact.denominator}",
            "std_error": self.std_error,
            "low": self.interval.low,
            "high": self.interval.high,
            "confidence_level": self.interval.confidence_level,
            "method": self.method,
        }


def interval_from_counts(
    hits: int, total: int, *, method: str = "auto", confidence_level: float = 0.95
) -> CountEstimate:
    """Put an interval around a proportion of which the counts are known, such as 45 of 50 positives flagged.

    Parameters
    ----------
    hits, total : whole numbers, 0 <= hits <= total, total at least 1.
    method : ``"auto"``, which is ``"wilson"`` (Wilson 1927; right on average over proportions);
        ``"clopper-pearson"`` (1934; never below its level, longer); ``"jeffreys"`` (Brown, Cai & DasGupta 2001).
    confidence_level : level of the interval.

    Returns
    -------
    CountEstimate

    Raises
    ------
    OptionError
        If a count is no such number.
    UnknownNameError
        For an unknown method.

    Notes
    -----
    O(1). It holds for a cut that was fixed in advance: one chosen on the same rows is judged too kindly.

    Examples
    --------
    No hit in 10, by hand: Wilson's upper limit is 1.96^2 / (10 + 1.96^2) = 0.2775, Clopper and Pearson's
    1 - 0.025^(1/10) = 0.3085.

    >>> import rocsolid as rs
    >>> rs.interval_from_counts(0, 10)
    <0 of 10 = 0.0000 [0.0000, 0.2775] 0.95 CI (wilson)>
    >>> rs.interval_from_counts(0, 10, method="clopper-pearson")
    <0 of 10 = 0.0000 [0.0000, 0.3085] 0.95 CI (clopper-pearson)>
    """
    n = check_count("total", total, 1)
    k = check_count("hits", hits, 0)
    if k > n:
        raise OptionError("hits", hits, f"at most total={n}", f"interval_from_counts({n}, {k})")
    level = check_level(confidence_level)
    chosen = check_choice("method", method, ("auto", *PROPORTION_METHODS))
    name = next(iter(PROPORTION_METHODS)) if chosen == "auto" else chosen
    low, high = PROPORTION_METHODS[name](k, n - k, level)
    p = k / n
    return CountEstimate(
        hits=k,
        total=n,
        value=p,
        exact=Fraction(k, n),
        std_error=math.sqrt(p * (1 - p) / n),
        interval=Interval(low=low, high=high, confidence_level=level, method=name),
        method=name,
    )
