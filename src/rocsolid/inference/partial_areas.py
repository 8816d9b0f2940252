"""Interval methods of partial areas under the ROC curve."""

from __future__ import annotations

import math

from rocsolid.inference import effective_error as ee
from rocsolid.inference.case import Case, Found, Method, influence
from rocsolid.inference.covariance import Variance, variance
from rocsolid.measures.partial_area import PartialAuc, partial_area, raw_influences, rows_in_range
from rocsolid.measures.registry import Gradient
from rocsolid.results import Note

FEW_IN_RANGE = 3.0
"""Below this many rows in the range the interval is said to rest on its prior."""
SNAP = 1e-9
"""A share of the range this close to 0 or 1 is one; anything else there is rounding of weights."""


def _auto(case: Case) -> Found:
    """The effective-error rule on the share of the range, carried to the scale of the value."""
    options: PartialAuc = case.request.options
    width = float(options.width)
    share = snapped(float(partial_area(case.sweep, options)) / width)
    tall_var, wide_var = _variances(case, options)
    inside = rows_in_range(case.sweep, options)
    tall_rows = case.n_neg if options.on_tpr else case.n_pos
    flat = share in (0.0, 1.0)
    tall, wide = (
        ee.ClassSpread(size, 0.0 if flat or math.isnan(v) else v / width**2 * size)
        for v, size in ((tall_var, tall_rows), (wide_var, inside))
    )
    low, high = (float(options.shown(limit * width)) for limit in ee.partial_limits(share, tall, wide, case.level))
    total = tall_var + wide_var
    se = None if math.isnan(total) else options.slope * math.sqrt(total)
    # the map from share to value may round by one unit in the last place
    return Found((min(low, case.value), max(high, case.value)), se, remarks(case))


def _variances(case: Case, options: PartialAuc) -> tuple[float, float]:
    """Variances of the raw area that the tall and the wide class contribute."""
    tall, wide = raw_influences(case.sweep, options)
    if options.on_tpr:
        parts: Variance = variance(Gradient(wide[::-1], tall[::-1], 0.0), case.sweep, "fixed")
        return parts.neg, parts.pos
    parts = variance(Gradient(tall, wide, 0.0), case.sweep, "fixed")
    return parts.pos, parts.neg


def snapped(share: float) -> float:
    """Take a share that differs from 0 or 1 by rounding as just that."""
    return 0.0 if share < SNAP else 1.0 if share > 1 - SNAP else share


def remarks(case: Case) -> tuple[Note, ...]:
    """Say where the area lies below chance, and where its range holds hardly a row."""
    options: PartialAuc = case.request.options
    inside = rows_in_range(case.sweep, options)
    notes = []
    if partial_area(case.sweep, options) < options.chance:
        notes.append(BELOW_CHANCE)
    if inside < FEW_IN_RANGE:
        kind, kind_zh = ("positives", "正例") if options.on_tpr else ("negatives", "负例")
        notes.append(
            Note(
                "few-in-range",
                f"the range holds only {inside:.3g} {kind}: the interval rests on its prior more than on the data",
                f"该范围内只有 {inside:.3g} 个{kind_zh}：区间主要取决于先验而非数据",
            )
        )
    return tuple(notes)


BELOW_CHANCE = Note(
    "below-chance",
    "the partial area lies below that of a useless score; its standardised value is below 1/2",
    "部分面积低于无用得分的面积；其标准化值小于 1/2",
)


def _influence(case: Case) -> Found:
    found = influence(case)
    return Found(found.limits, found.std_error, (*found.notes, *remarks(case)))


PARTIAL_AUC_METHODS: dict[str, Method] = {"effective-error": _auto, "influence": _influence}
