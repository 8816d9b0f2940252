"""Two models of k classes on the same rows: the difference of their averages."""

from __future__ import annotations

import math

from rocsolid.comparisons import Comparison
from rocsolid.inference.difference_tests import refer
from rocsolid.inference.interval_test import inverted
from rocsolid.inference.limits import Limits
from rocsolid.inference.mover import difference_limits
from rocsolid.inference.tails import UNKNOWN
from rocsolid.multiclass.means import Mean
from rocsolid.results import Estimate, Interval, Note

NO_LIMITS = Note(
    "no-interval", "no interval of the difference: one of the averages has none", "差值没有区间：其中一个平均值没有区间"
)


def contrast(
    names: tuple[str, str], spec: str, means: tuple[Mean, Mean], estimates: tuple[Estimate, Estimate], *,
    method: str, alternative: str, margin: float | None, level: float,
) -> Comparison:  # fmt: skip
    """Compare two averages over the same rows: t test of the shares' differences, joined interval. O(n)."""
    first, second = means
    assert first.share is not None
    assert second.share is not None
    d, apart = first.value - second.value, first.share - second.share
    se = math.sqrt(float(apart @ apart))
    own = float(first.share @ first.share) * float(second.share @ second.share)
    rho = max(-1.0, min(1.0, float(first.share @ second.share) / math.sqrt(own))) if own > 0 else 0.0
    df = min(first.df, second.df)

    def joined(at: float) -> Limits | None:
        a, b = first.limits(at), second.limits(at)
        return None if a is None or b is None else difference_limits(first.value, second.value, a, b, rho)

    limits = joined(level if alternative == "two-sided" else 2 * level - 1)
    statistic, p, notes = refer(d, se, df, margin, alternative)
    if method == "mover" and limits is not None:
        statistic, p, notes = None, inverted(joined, d, margin, alternative) or UNKNOWN, ()
    widest = first.request.range[1] - first.request.range[0]
    interval = None
    if limits is not None:
        low, high = max(min(limits[0], d), -widest), min(max(limits[1], d), widest)
        low, high = (-widest if alternative == "less" else low), (widest if alternative == "greater" else high)
        interval = Interval(low=low, high=high, confidence_level=level, method="mover")
    return Comparison(
        measure=spec, names=names, difference=d, interval=interval, statistic=statistic,
        df=None if statistic is None else df, pvalue=p.p, log10_pvalue=p.log10, method=method,
        alternative=alternative, margin=margin, paired=True, std_error=None if math.isnan(se) else se,
        estimates=estimates, correlation=rho, details={},
        notes=notes if interval is not None else (*notes, NO_LIMITS),
    )  # fmt: skip
