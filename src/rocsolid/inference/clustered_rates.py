"""Intervals in clusters of functions of the rates at a cut: the rule of rows, with clusters in their place.

TPR, FPR and the prevalence each count as many independent rows as their variance between clusters says, shrunk towards
one row a cluster where few clusters decide (as for a rate alone); rows of one cluster make them move together.
"""

from __future__ import annotations

import numpy as np

from rocsolid.inference.case import Case, Found, Method
from rocsolid.inference.clustered import WALD, Bools, Clusters, Share, by_clusters, by_row_selected, share_of
from rocsolid.inference.propagated import OF_RATES, Seen, as_correlation, limits_of, needed, remark


def _propagated(c: Clusters, se: float | None) -> Found:
    case, flagged = c.case, by_row_selected(c.case)
    everybody = np.ones_like(c.positive)
    shares = [
        _share(case, hit, member)
        for hit, member in ((flagged, c.positive), (flagged, ~c.positive), (c.positive, everybody))
    ]
    seen = [
        Seen(0.0, 0.0) if one is None else Seen(one.p * one.size, (1 - one.p) * one.size, given)
        for one, given in zip(shares, needed(case), strict=True)
    ]
    sums = np.array([np.zeros(c.n) if one is None else one.sums for one in shares])
    quantile = max(one.quantile for one in shares if one is not None)
    limits = limits_of(case, seen, quantile, as_correlation(sums @ sums.T))
    return Found(limits, se, remark(limits))


def _share(case: Case, hit: Bools, member: Bools) -> Share | None:
    """Share of hits among members; there may be none."""
    return share_of(case, hit & member, member) if member.any() else None


METHODS: dict[str, dict[str, Method]] = {
    name: {"propagated": by_clusters(_propagated), "influence": WALD} for name in OF_RATES
}
