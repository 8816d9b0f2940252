"""Intervals where rows come in clusters: the effective-error rule with clusters in the place of rows.

What the rule needs is the same as for rows (see :mod:`~rocsolid.inference.effective_error`): the variance of the
estimate, here from sums of influences over clusters; the effective number of clusters that make up the error; and the
variance that a worst plausible population would have with so many clusters, which is the prior.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rocsolid.inference import effective_error as ee
from rocsolid.inference import limits as lim
from rocsolid.inference.case import INFINITE, NO_SPREAD, Case, Found, Method, clipped, on_logit
from rocsolid.inference.covariance import covariance, small_sample
from rocsolid.inference.row_influence import RowInfluence, by_row, row_influence, total_influence, weights_of
from rocsolid.inputs import Rows
from rocsolid.inputs.clusters import Codes
from rocsolid.measures.probability import Loss, log_score, row_losses, squared_loss
from rocsolid.measures.ranking import precision_at_rows
from rocsolid.results import Note
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

SINGLE_CLUSTER = Note(
    "single-cluster",
    "no interval: a single cluster shows no variation between clusters",
    "没有区间：只有一个群，看不到群间变化",
)
ONE_CLUSTER_A_CLASS = Note(
    "class-in-one-cluster",
    "no interval: a class lies in a single cluster; method='auto' may have one",
    "没有区间：某一类全部属于同一个群；method='auto' 可能有区间",
)
LOG_DF = 0.0
"""Added to the effective number of clusters for the t quantile of the log loss; never below 1 in all."""
NO_RULE = Note(
    "no-cluster-rule",
    "no interval: none is known to cover this measure in clusters; method='influence' or 'bootstrap' by name",
    "没有区间：对该指标在分群数据下尚无经验证的区间；可指定 method='influence' 或 'bootstrap'",
)


class Clusters:
    """The clusters behind a case: sums over them, and how many there are."""

    def __init__(self, case: Case) -> None:
        assert case.rows is not None
        assert case.rows.cluster is not None
        self.case = case
        self.positive: Bools = case.rows.positive
        self.code = case.rows.cluster
        self.weight = weights_of(case.rows)
        self.n = case.rows.n_clusters
        self.influence: RowInfluence = row_influence(case.request, case.sweep, case.rows)

    def sums(self, values: Floats, member: Bools | None = None) -> Floats:
        """Add up weight times value within each cluster, over the rows that are members."""
        at = slice(None) if member is None else member
        return group_sums(self.code[at], (self.weight * values)[at], self.n)

    def holding(self, member: Bools) -> int:
        """How many clusters hold a member."""
        return int(np.count_nonzero(np.bincount(self.code[member], minlength=self.n)))

    def effective(self, losses: Floats, member: Bools) -> float:
        """Effective number of clusters that make up the members' loss."""
        return concentration(self.sums(losses, member))

    @property
    def robust(self) -> float:
        """Variance of the estimate from the sums of total influences over clusters, times G / (G - 1)."""
        random = self.case.margins == "random"
        total = self.sums(total_influence(self.influence, self.positive, self.weight, random=random))
        return float(np.square(total / self.weight.sum()).sum()) * small_sample(self.n)

    @property
    def std_error(self) -> float | None:
        """Standard error by class and cluster (Obuchowski 1997 for the ROC-AUC); none if a class is in one cluster."""
        found = covariance(
            self.influence.psi, self.positive, slopes=[self.influence.slope], weight=self.weight, cluster=self.code,
            margins=self.case.margins,
        )  # fmt: skip
        return None if math.isnan(found[0, 0]) else math.sqrt(max(float(found[0, 0]), 0.0))


def group_sums(code: Codes, values: Floats, n: int) -> Floats:
    """Add up the values of each of n groups."""
    return np.bincount(code, values, n).astype(np.float64, copy=False)


def concentration(sums: Floats) -> float:
    """Effective number of terms in a sum: (sum d)^2 / sum d^2; 0 if there is none."""
    squares = float(np.square(sums).sum())
    return float(sums.sum()) ** 2 / squares if squares > 0 else 0.0


Rule = Callable[[Clusters, float | None], Found]


def by_clusters(rule: Rule) -> Method:
    """Make a method of a rule that wants the clusters and their standard error; a single cluster has no interval."""

    def found(case: Case) -> Found:
        if not math.isfinite(case.value):
            return Found(None, None, (INFINITE,))
        clusters = Clusters(case)
        return rule(clusters, clusters.std_error) if clusters.n > 1 else Found(None, None, (SINGLE_CLUSTER,))

    return found


def _wilson(c: Clusters, se: float | None, u: float, prior: float) -> Found:
    """Wilson's interval with the effective size 1 / R, R the variance ratio shrunk towards the prior."""
    value = c.case.value
    bound = value * (1 - value)
    ratio = c.robust / bound if bound > 0 else 0.0
    shrunk = (u * ratio + prior) / (u + 1)
    return Found(lim.wilson(value, 1 / shrunk, lim.t_quantile(u + ee.PRIOR_DF, c.case.level)), se)


def _roc_auc(c: Clusters, se: float | None) -> Found:
    """The loss of a row is its share of pairs in the wrong order; the prior is that of independent rows."""
    value, p = c.case.value, c.positive
    loss = 1 - value - c.influence.psi if value >= 0.5 else value + c.influence.psi
    sums = c.sums(loss, p) / c.weight[p].sum() + c.sums(loss, ~p) / c.weight[~p].sum()
    prior = ee.AUC_PRIOR_RATIO * (1 / c.holding(p) + 1 / c.holding(~p))
    return _wilson(c, se, concentration(sums), prior)


def _average_precision(c: Clusters, se: float | None) -> Found:
    case = c.case
    assert case.rows is not None
    value, p = case.value, c.positive
    clusters = c.holding(p)
    if value == 1:
        q = lim.t_quantile(ee.PRIOR_DF, case.level)
        return Found((clusters / (clusters + q * q), 1.0), se)
    u = precision_clusters(case.sweep, case.rows)
    prior = ee.AP_PRIOR.rows  # here it counts for so many clusters
    spread = (u * c.robust + prior * value * (1 - value) / clusters) / (u + prior)
    return Found(lim.on_logit(value, math.sqrt(spread), lim.t_quantile(u + ee.PRIOR_DF, case.level)), se)


def precision_clusters(sweep: Sweep, rows: Rows) -> float:
    """Effective number of clusters behind an average precision: the fewer of its gains and its losses. O(n)."""
    assert rows.cluster is not None
    precision, p = precision_at_rows(sweep), rows.positive
    at_row = by_row(precision, precision, sweep, rows)[p]
    code, weight, size = rows.cluster[p], weights_of(rows)[p], rows.n_clusters
    return min(concentration(group_sums(code, weight * part, size)) for part in (at_row, 1 - at_row))


def _losses(c: Clusters, function: Loss) -> Floats:
    assert c.case.rows is not None
    return by_row(*row_losses(c.case.sweep, function), c.case.sweep, c.case.rows)


def _scarcer(c: Clusters, losses: Floats) -> float:
    """Effective number of clusters in the loss of the class that has fewer of them; an absent class has none."""
    return min(c.effective(losses, member) for member in (c.positive, ~c.positive))


def _brier(c: Clusters, se: float | None) -> Found:
    losses = _losses(c, squared_loss)
    u = _scarcer(c, 1 - losses if c.case.value > 0.5 else losses)
    return _wilson(c, se, u, ee.LOSS_PRIOR_RATIO / c.n)


def _log_loss(c: Clusters, se: float | None) -> Found:
    value, nu = c.case.value, _scarcer(c, _losses(c, log_score))
    if c.robust == 0 or value <= 0:
        return Found(None, se, (NO_SPREAD,))
    half = lim.t_quantile(max(nu + LOG_DF, 1.0), c.case.level) * math.sqrt(c.robust) / value
    return Found(lim.on_log(value, half), se)


def _influence(c: Clusters, se: float | None) -> Found:
    if se is None:
        return Found(None, None, (ONE_CLUSTER_A_CLASS,))
    return clipped(lim.wald(c.case.value, se, c.case.z), se, *c.case.request.range)


def _logit(c: Clusters, se: float | None) -> Found:
    if se is None:
        return Found(None, None, (ONE_CLUSTER_A_CLASS,))
    return on_logit(c.case, se, c.case.z)


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """The share of hits among members, by clusters: it varies as that of ``size`` independent rows.

    ``quantile`` is Student's for it, ``sums`` are the clusters' parts of its error, ``groups`` the clusters that hold
    a member.
    """

    p: float
    size: float
    quantile: float
    sums: Floats
    groups: int

    @property
    def limits(self) -> lim.Limits:
        """Wilson's interval."""
        return lim.wilson(self.p, self.size, self.quantile)

    @property
    def variance(self) -> float:
        """From the sums over clusters, times G / (G - 1)."""
        return float(np.square(self.sums).sum()) * (small_sample(self.groups) if self.groups > 1 else 1.0)


def share_of(case: Case, hit: Bools, member: Bools) -> Share:
    """Share of hits among members, at the level of a case."""
    assert case.rows is not None
    return share_of_rows(case.rows, case.level, hit, member)


def share_of_rows(rows: Rows, level: float, hit: Bools, member: Bools) -> Share:
    """Share of hits among members. The prior is the worst case: all rows of a cluster agree. O(n)."""
    assert rows.cluster is not None
    weight, size = weights_of(rows) * member, rows.n_clusters
    total = float(weight.sum())
    p = float(weight[hit].sum()) / total
    groups = int(np.count_nonzero(np.bincount(rows.cluster[member], minlength=size)))
    found = Share(p, math.nan, math.nan, group_sums(rows.cluster, weight * (hit - p), size) / total, groups)
    u = concentration(group_sums(rows.cluster, weight * (hit if p < 0.5 else member & ~hit), size))
    bound = p * (1 - p)
    shrunk = (u * (found.variance / bound if bound > 0 else 0.0) + 1 / groups) / (u + 1)
    return replace(found, size=1 / shrunk, quantile=lim.t_quantile(u + ee.PRIOR_DF, level))


def proportion(case: Case) -> Found:
    """A rate at one cut: the rows of the denominator are its members."""
    entry, rows = case.request.measure.proportion, case.rows
    assert entry is not None
    assert rows is not None
    if rows.n_clusters < 2:
        return Found(None, None, (SINGLE_CLUSTER,))
    selected = by_row_selected(case)
    cell = {"tp": rows.positive & selected, "fn": rows.positive & ~selected,
            "fp": ~rows.positive & selected, "tn": ~rows.positive & ~selected}  # fmt: skip
    hit = np.any([cell[name] for name in entry.hits], axis=0)
    found = share_of(case, hit, hit | np.any([cell[name] for name in entry.misses], axis=0))
    se = math.sqrt(found.variance) * entry.slope(found.p) if found.groups > 1 else None
    return Found((entry.forward(found.limits[0]), entry.forward(found.limits[1])), se)


def by_row_selected(case: Case) -> Bools:
    """Which rows the cut calls positive."""
    assert case.rows is not None
    flag = (np.arange(len(case.sweep)) < case.sweep.rows_selected(case.request.options.threshold)).astype(np.float64)
    return by_row(flag, flag, case.sweep, case.rows) > 0


def no_rule(case: Case) -> Found:
    """A standard error without an interval: no rule is known to cover."""
    if not math.isfinite(case.value):
        return Found(None, None, (INFINITE,))
    return Found(None, Clusters(case).std_error, (NO_RULE,))


WALD = by_clusters(_influence)
METHODS: dict[str, dict[str, Method]] = {
    "roc_auc": {"effective-error": by_clusters(_roc_auc), "obuchowski": WALD, "logit": by_clusters(_logit)},
    "average_precision": {"effective-error": by_clusters(_average_precision), "influence": WALD},
    "brier_score": {"effective-error": by_clusters(_brier), "influence": WALD},
    "log_loss": {"log-t": by_clusters(_log_loss), "influence": WALD},
}
RATE_METHODS: dict[str, Method] = {"wilson": proportion, "influence": WALD}
GRADIENT_METHODS: dict[str, Method] = {"none": no_rule, "influence": WALD}
