"""Intervals in clusters for what looks at a part of the data: partial areas, other prevalences, cells at a cut.

The same rules as for rows, with clusters in their place, as in :mod:`~rocsolid.inference.clustered`.
"""

from __future__ import annotations

import math

import numpy as np

from rocsolid.inference import effective_error as ee
from rocsolid.inference import limits as lim
from rocsolid.inference.case import Case, Found, Method, clipped
from rocsolid.inference.cells import CLASS, Term, around, mover
from rocsolid.inference.clustered import (
    WALD,
    Bools,
    Clusters,
    Floats,
    by_clusters,
    by_row_selected,
    concentration,
    share_of,
)
from rocsolid.inference.other_prevalence import NEGATIVES_NEEDED, carried, too_few
from rocsolid.inference.partial_areas import remarks, snapped
from rocsolid.inference.row_influence import by_row
from rocsolid.measures.other_prevalence import adjusted_precision, negatives_above, raw_influences
from rocsolid.measures.partial_area import PartialAuc, loss_in_range, partial_area

# --------------------------------------------------------------------------------------------- partial areas


def partial_auc(c: Clusters, se: float | None) -> Found:
    """The rule of a partial area: the loss of a row is what it takes from the area, in the wide class if in range."""
    case, options = c.case, c.case.request.options
    assert case.rows is not None
    width = float(options.width)
    share = snapped(float(partial_area(case.sweep, options)) / width)
    tall: Bools = ~c.positive if options.on_tpr else c.positive
    own = np.clip(share + c.influence.psi / (options.slope * width), 0, 1)
    inside, lost = _in_range(case, options)
    if share < 0.5:
        own, lost = 1 - own, inside - lost
    sums = c.sums(1 - own, tall) / c.weight[tall].sum() + c.sums(lost, ~tall) / (c.weight[~tall].sum() * width)
    u = concentration(sums)
    held = max(c.holding(~tall & (inside > 0)), 1)
    prior = ee.PARTIAL_PRIOR_RATIO * (1 / c.holding(tall) + 1 / held)
    flat = share in (0.0, 1.0)
    ratio = 0.0 if flat else c.robust / ((options.slope * width) ** 2 * share * (1 - share))
    shrunk, quantile = (u * ratio + prior) / (u + 1), lim.t_quantile(u + ee.PRIOR_DF, case.level)
    ends = (
        lim.wilson(share, 1 / shrunk, quantile)
        if flat
        else lim.on_logit(share, math.sqrt(shrunk * share * (1 - share)), quantile)
    )
    low, high = (float(options.shown(end * width)) for end in ends)
    return Found((min(low, case.value), max(high, case.value)), se, remarks(case))


def _in_range(case: Case, options: PartialAuc) -> tuple[Floats, Floats]:
    """For each row of the wide class, which part of it lies in the range, and the height missing there."""
    inside, lost = loss_in_range(case.sweep, options)
    assert case.rows is not None
    return by_row(inside, inside, case.sweep, case.rows), by_row(lost, lost, case.sweep, case.rows)


# ------------------------------------------------------------------------- average precision, other prevalence


def adjusted_average_precision(c: Clusters, se: float | None) -> Found:
    """The rule of an average precision; of the negatives' clusters only those count that are as likely as positives."""
    case, value, p = c.case, c.case.value, c.positive
    assert case.rows is not None
    prevalence = case.request.options.prevalence
    above = negatives_above(case.sweep, prevalence)
    if above < NEGATIVES_NEEDED:
        return Found(None, se, (carried(case), too_few(above)))
    precision = adjusted_precision(case.sweep, prevalence)[0]
    at_row = by_row(precision, precision, case.sweep, case.rows)
    on_neg = raw_influences(case.sweep, prevalence)[1]
    lost = by_row(on_neg, on_neg, case.sweep, case.rows)
    u = min(c.effective(at_row, p), c.effective(1 - at_row, p), c.effective(lost, ~p))
    prior = ee.AP_PRIOR.neg / min(c.holding(p), c.holding(~p), above)
    if value == 1:
        q = lim.t_quantile(ee.PRIOR_DF, case.level)
        return Found((1 / (1 + prior * q * q), 1.0), se, (carried(case),))
    rows = ee.AP_PRIOR.rows  # here it counts for so many clusters
    spread = (u * c.robust + rows * value * (1 - value) * prior) / (u + rows)
    limits = lim.on_logit(value, math.sqrt(spread), lim.t_quantile(u + ee.PRIOR_DF, case.level))
    return Found(limits, se, (carried(case),))


# ------------------------------------------------------------------------------------- sums of cells at a cut


def sum_of_cells(c: Clusters, se: float | None) -> Found:
    """MOVER over two cells, each with its interval by clusters, and the correlation of their sums over clusters."""
    case, p = c.case, c.positive
    selected = by_row_selected(case)
    cells = {"tp": p & selected, "fn": p & ~selected, "fp": ~p & selected, "tn": ~p & ~selected}
    terms, sums = [], []
    for cell, worth in case.request.options.worth.items():
        member, factor = np.ones_like(p), float(worth)
        if case.margins == "fixed":
            member = p if "tp" in CLASS[cell] else ~p
            factor *= float(c.weight[member].sum() / c.weight.sum())
        if not member.any():  # a class without rows adds nothing
            terms.append(Term(0.0, 0.0, 0.0, 0.0))
            sums.append(np.zeros(c.n))
            continue
        share = share_of(case, cells[cell], member)
        terms.append(Term(factor, share.p, *share.limits))
        sums.append(share.sums)
    below = math.sqrt(float(np.square(sums[0]).sum() * np.square(sums[1]).sum()))
    rho = min(1.0, max(-1.0, float(sums[0] @ sums[1]) / below)) if below > 0 else 0.0
    limits = around(mover(terms[0], terms[1], rho), case.value)
    found = clipped(limits, math.nan if se is None else se, *case.request.range)
    return Found(found.limits, se, found.notes)


CELLS = {"mover": by_clusters(sum_of_cells), "influence": WALD}
METHODS: dict[str, dict[str, Method]] = {
    "partial_auc": {"effective-error": by_clusters(partial_auc), "influence": WALD},
    "net_benefit": CELLS,
    "expected_cost": CELLS,
}
ADJUSTED_AP_METHODS: dict[str, Method] = {"effective-error": by_clusters(adjusted_average_precision), "influence": WALD}
