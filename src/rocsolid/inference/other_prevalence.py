"""Interval methods of average precision at a prevalence other than the sample's."""

from __future__ import annotations

import math

from rocsolid.inference import effective_error as ee
from rocsolid.inference.case import Case, Found, Method, influence
from rocsolid.inference.covariance import variance
from rocsolid.measures.other_prevalence import adjusted_gradient, negatives_above, raw_influences
from rocsolid.measures.ranking import prevalence as own_prevalence
from rocsolid.results import Note
from rocsolid.text import format_number

NEGATIVES_NEEDED = 2.0
"""With fewer negatives in the region that decides the precision an interval would be nearly all of [0, 1]."""


def _auto(case: Case) -> Found:
    """The effective-error rule with the prior of the negatives sized by those that decide the precision."""
    prevalence, sweep = case.request.options.prevalence, case.sweep
    parts = variance(adjusted_gradient(sweep, prevalence), sweep, "fixed")
    se = None if math.isnan(parts.total) else math.sqrt(parts.total)
    above = negatives_above(sweep, prevalence)
    if above < NEGATIVES_NEEDED:
        return Found(None, se, (carried(case), too_few(above)))
    _, on_neg = raw_influences(sweep, prevalence)
    pos, neg = (0.0 if math.isnan(v) else v for v in (parts.pos, parts.neg))
    limits = ee.precision_limits(
        case.value,
        ee.ClassVariance(case.n_pos, pos, ee.adjusted_precision_rows(sweep, prevalence)),
        ee.ClassVariance(above, neg, ee.participation(on_neg, sweep.neg_mass, sweep.neg_square)),
        case.level,
    )
    return Found(limits, se, (carried(case),))


def _influence(case: Case) -> Found:
    """Wald, by name only, and not where the sample holds no answer."""
    above = negatives_above(case.sweep, case.request.options.prevalence)
    found = influence(case)
    if above < NEGATIVES_NEEDED:
        return Found(None, found.std_error, (carried(case), too_few(above)))
    return Found(found.limits, found.std_error, (*found.notes, carried(case)))


def carried(case: Case) -> Note:
    """Name both prevalences, and the number of negatives that carry the value."""
    prevalence, sweep = case.request.options.prevalence, case.sweep
    _, on_neg = raw_influences(sweep, prevalence)
    carriers = format_number(ee.participation(on_neg, sweep.neg_mass, sweep.neg_square), 1)
    given, own = format_number(prevalence), format_number(own_prevalence(sweep))
    return Note(
        "other-prevalence",
        f"average precision at prevalence {given} by reweighting (the sample's is {own}); "
        f"an effective {carriers} of {sweep.n_neg:,} negatives carry it",
        f"平均查准率按正例比例 {given} 重新加权得到（样本为 {own}）；"
        f"{sweep.n_neg:,} 个负例中实际起作用的约为 {carriers} 个",
    )


def too_few(above: float) -> Note:
    """Say that too few negatives decide the precision for an interval."""
    return Note(
        "too-few-negatives",
        f"no interval: at this prevalence the precision is decided by the {above:.2g} top negatives "
        f"(n pi / (1 - pi)), and an interval needs {NEGATIVES_NEEDED:g} of them",
        f"没有区间：在该正例比例下，查准率由得分最高的 {above:.2g} 个负例决定（n π / (1 − π)），"
        f"而区间至少需要 {NEGATIVES_NEEDED:g} 个",
    )


ADJUSTED_AP_METHODS: dict[str, Method] = {"effective-error": _auto, "influence": _influence}
