"""Interval methods of LogAUC and BEDROC: the rule of partial areas, with as many negatives as their weights look at.

Both are means over positives of a weight that falls with the share x of negatives (of rows) above. A partial area rests
on the negatives of its range. These weights have no end, and rest on the mean of x under the weight's slope, times n:
(b - a) / ln(b/a) from FPR a to b on a logarithmic axis, 1/alpha for exp(-alpha x). See docs/explanation/intervals.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from rocsolid.inference import effective_error as ee
from rocsolid.inference.case import Case, Found, Method, influence
from rocsolid.inference.covariance import variance
from rocsolid.inference.partial_areas import FEW_IN_RANGE, snapped
from rocsolid.results import Note


def _log_auc_part(case: Case) -> float:
    low, high = float(case.request.options.min_fpr), float(case.request.options.max_fpr)
    return (high - low) / math.log(high / low)


def _bedroc_part(case: Case) -> float:
    alpha = float(case.request.options.alpha)
    return 1 / alpha - math.exp(-alpha) / -math.expm1(-alpha)  # the mean of x in [0, 1]


def _effective_error(part: Callable[[Case], float]) -> Method:
    """The effective-error rule with ``part`` of the negatives; what the prevalence adds goes with the positives."""

    def method(case: Case) -> Found:
        gradient = case.request.measure.gradient
        assert gradient is not None
        value = snapped(case.value)
        rows = case.n_neg * part(case)
        found = variance(gradient(case.sweep, case.request.options), case.sweep, case.margins)
        flat = value in (0.0, 1.0)
        tall, wide = (
            ee.ClassSpread(size, 0.0 if flat or math.isnan(v) else v * size)
            for v, size in ((found.pos + found.prevalence, case.n_pos), (found.neg, rows))
        )
        low, high = ee.partial_limits(value, tall, wide, case.level)
        se = None if math.isnan(found.total) else math.sqrt(found.total)
        notes = (few_at_the_top(rows),) if rows < FEW_IN_RANGE else ()
        return Found((min(low, case.value), max(high, case.value)), se, notes)

    return method


def few_at_the_top(rows: float) -> Note:
    """Say that hardly a negative decides."""
    return Note(
        "few-in-range",
        f"the weight looks at about {rows:.3g} negatives: the interval rests on its prior more than on the data",
        f"该权重实际只涉及约 {rows:.3g} 个负例：区间主要取决于先验而非数据",
    )


LOG_AUC_METHODS: dict[str, Method] = {"effective-error": _effective_error(_log_auc_part), "influence": influence}
BEDROC_METHODS: dict[str, Method] = {"effective-error": _effective_error(_bedroc_part), "influence": influence}
