"""Measures of ranking: ROC-AUC, Gini, d', average precision."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rocsolid import _kernel
from rocsolid.measures import other_prevalence
from rocsolid.measures.other_prevalence import EXACT_ROWS
from rocsolid.measures.registry import Gradient, Measure, Monotone, NoOptions, Value, register
from rocsolid.options import check_share
from rocsolid.results import Note, Undefined
from rocsolid.sweep import U64, Floats, Sweep

BOTH = frozenset({"positives", "negatives"})

# ---------------------------------------------------------------------------------------------- ROC-AUC


def roc_sums(sweep: Sweep) -> tuple[int, int, int]:
    """Whole-number sums behind ROC-AUC and its variance, for counts: :func:`pair_sums` of both classes. O(k)."""
    return pair_sums(sweep.pos, sweep.neg)


def pair_sums(pos: U64, neg: U64) -> tuple[int, int, int]:
    """Whole-number sums over the pairs of a positive and a negative, from their counts per score.

    Returns ``(U2, A2, B2)``: with ``a`` = twice the negatives that a positive beats (ties count once) and
    ``b`` = twice the positives that beat a negative, U2 = sum of a over positives = sum of b over negatives,
    A2 = sum of a^2, B2 = sum of b^2. O(k); exact at any size.
    """
    sums = _kernel.roc_sums(pos, neg)
    if sums is not None:
        return sums
    below, above = int(neg.sum()), 0  # 128 bits did not suffice: whole numbers of Python, which never overflow
    u2 = a2 = b2 = 0
    for p, n in zip(pos.tolist(), neg.tolist(), strict=True):
        below -= n
        a, b = 2 * below + n, 2 * above + p
        u2, a2, b2 = u2 + p * a, a2 + p * a * a, b2 + n * b * b
        above += p
    return u2, a2, b2


def _roc_auc(sweep: Sweep, options: NoOptions) -> Fraction | float:
    if sweep.weights is None:
        return Fraction(roc_sums(sweep)[0], 2 * sweep.n_pos * sweep.n_neg)
    return _kernel.weighted_areas(sweep.weights.pos, sweep.weights.neg)[0]


def _roc_gradient(sweep: Sweep, options: NoOptions) -> Gradient:
    """Placements: the share of the other class that a row is on the right side of, less its mean, the AUC."""
    pos, neg = sweep.pos_mass, sweep.neg_mass
    fp, tp = np.cumsum(neg, dtype=np.float64), np.cumsum(pos, dtype=np.float64)
    n, m = fp[-1], tp[-1]
    value = float(_roc_auc(sweep, options))
    fp -= 0.5 * neg
    fp /= -n
    fp += 1 - value
    tp -= 0.5 * pos
    tp /= m
    tp -= value
    return Gradient(pos=fp, neg=tp, prevalence=0.0)


def _pair_details(sweep: Sweep, options: NoOptions) -> Mapping[str, float]:
    """Pairs of a positive and a negative: in order, tied, out of order; and the bracket over tie orders."""
    if sweep.weights is not None:
        return {}
    u2, pairs = roc_sums(sweep)[0], sweep.n_pos * sweep.n_neg
    tied = _tied_pairs(sweep)
    concordant = (u2 - tied) // 2
    return {
        "concordant": concordant,
        "tied": tied,
        "discordant": pairs - concordant - tied,
        "tie_share": tied / pairs,
        "lowest_over_tie_orders": concordant / pairs,
        "highest_over_tie_orders": (concordant + tied) / pairs,
        "gini": float(Fraction(u2 - pairs, pairs)),
    }


def _tied_pairs(sweep: Sweep) -> int:
    if float(np.einsum("i,i->", sweep.pos, sweep.neg, dtype=np.float64)) < 2.0**62:
        return int(np.dot(sweep.pos, sweep.neg))
    return sum(p * n for p, n in zip(sweep.pos.tolist(), sweep.neg.tolist(), strict=True))


ROC_AUC: Measure[Any, Any] = register(
    Measure(
        name="roc_auc",
        aliases=("auc", "auroc", "c_statistic", "c_index", "concordance"),
        title="ROC-AUC",
        title_zh="ROC 曲线下面积",
        definition="Share of (positive, negative) pairs in which the positive scores higher; ties count half.",
        definition_zh="在所有（正例，负例）对中，正例得分更高的比例；同分计一半。",
        source="Hanley & McNeil 1982, Radiology 143:29-36; Bamber 1975",
        input="sweep",
        range=(0.0, 1.0),
        better="higher",
        needs=BOTH,
        options=NoOptions,
        value=_roc_auc,
        gradient=_roc_gradient,
        chance=lambda sweep, options: 0.5,
        details=_pair_details,
    )
)

# ------------------------------------------------------------------------ increasing functions of the AUC


def _gini(sweep: Sweep, options: NoOptions) -> Value:
    auc = _roc_auc(sweep, options)
    return 2 * auc - 1


def d_prime_of_auc(auc: float) -> float:
    """d' = sqrt(2) Phi^-1(AUC); minus and plus infinity at 0 and 1."""
    from scipy.special import ndtri

    return math.sqrt(2) * float(ndtri(auc))


def _d_prime_slope(auc: float) -> float:
    """Derivative of d' by the AUC: sqrt(2) / phi(Phi^-1(AUC))."""
    if not 0 < auc < 1:
        return math.inf
    z = d_prime_of_auc(auc) / math.sqrt(2)
    return math.sqrt(2) * math.sqrt(2 * math.pi) * math.exp(z * z / 2)


def _scaled(base: Gradient, slope: float) -> Gradient:
    return Gradient(pos=base.pos * slope, neg=base.neg * slope, prevalence=base.prevalence * slope)


def _d_prime_gradient(sweep: Sweep, options: NoOptions) -> Gradient:
    slope = _d_prime_slope(float(_roc_auc(sweep, options)))
    return _scaled(_roc_gradient(sweep, options), slope)


GINI: Measure[Any, Any] = register(
    Measure(
        name="gini",
        aliases=("gini_coefficient", "somers_d", "accuracy_ratio"),
        title="Gini",
        title_zh="基尼系数",
        definition="2 ROC-AUC - 1: concordant less discordant pairs, as a share of all pairs.",
        definition_zh="2 × ROC-AUC − 1：顺序正确的对减去顺序颠倒的对，占全部对的比例。",
        source="Somers 1962; Hand & Till 2001",
        input="sweep",
        range=(-1.0, 1.0),
        better="higher",
        needs=BOTH,
        options=NoOptions,
        value=_gini,
        gradient=lambda sweep, options: _scaled(_roc_gradient(sweep, options), 2.0),
        chance=lambda sweep, options: 0.0,
        monotone=Monotone("roc_auc", lambda auc: 2 * auc - 1, lambda auc: 2.0),
    )
)

D_PRIME: Measure[Any, Any] = register(
    Measure(
        name="d_prime",
        aliases=("dprime", "d"),
        title="d'",
        title_zh="辨别力 d'",
        definition="sqrt(2) Phi^-1(ROC-AUC): distance of two unit normals with this AUC.",
        definition_zh="√2 Φ⁻¹(ROC-AUC)：具有同样 AUC 的两个单位方差正态分布之间的距离。",
        source="Green & Swets 1966; Simpson & Fitter 1973",
        input="sweep",
        range=(-math.inf, math.inf),
        better="higher",
        needs=BOTH,
        options=NoOptions,
        value=lambda sweep, options: d_prime_of_auc(float(_roc_auc(sweep, options))),
        gradient=_d_prime_gradient,
        chance=lambda sweep, options: 0.0,
        monotone=Monotone("roc_auc", d_prime_of_auc, _d_prime_slope),
    )
)

# ------------------------------------------------------------------------------------ average precision


@dataclass(frozen=True, slots=True)
class AveragePrecision:
    """The prevalence to give the average precision at; by default that of the sample."""

    prevalence: float | None = None

    def __post_init__(self) -> None:
        """Refuse a prevalence at which one class is absent."""
        if self.prevalence is not None:
            hint = 'for example "average_precision(prevalence=0.01)"'
            check_share("prevalence", self.prevalence, ends=False, hint=hint)


def _average_precision(sweep: Sweep, options: AveragePrecision) -> Value:
    if options.prevalence is None:
        return _own_average_precision(sweep)
    if sweep.n_neg == 0:
        return Undefined(NO_FALSE_POSITIVES)
    return other_prevalence.adjusted_average_precision(sweep, options.prevalence)


NO_FALSE_POSITIVES = Note(
    "no-negatives",
    "there are no negatives, so there is no false-positive rate to weigh with another prevalence",
    "没有负例，因此没有可按其他正例比例加权的假阳性率",
)


def _own_average_precision(sweep: Sweep) -> Fraction | float:
    if sweep.weights is not None:
        return _kernel.weighted_areas(sweep.weights.pos, sweep.weights.neg)[1]
    if sweep.n_pos + sweep.n_neg <= EXACT_ROWS:
        tp, flagged, total = 0, 0, Fraction(0)
        for p, n in zip(sweep.pos.tolist(), sweep.neg.tolist(), strict=True):
            tp, flagged = tp + p, flagged + p + n
            total += Fraction(p * tp, flagged)
        return total / tp
    value = _kernel.average_precision(sweep.pos, sweep.neg)
    assert value is not None  # the needs were checked: there are positives
    return value


def flagged_at_rows(sweep: Sweep) -> Any:
    """(k,) rows (or weight) at or above each score. O(k); one array, no conversion."""
    total = sweep.pos_mass + sweep.neg_mass
    return np.cumsum(total, out=total)


def precision_at_rows(sweep: Sweep) -> Floats:
    """(k,) precision when every row down to and including row k is called positive. O(k)."""
    precision: Floats = np.cumsum(sweep.pos_mass) / flagged_at_rows(sweep)
    return precision


def _ap_gradient(sweep: Sweep, options: AveragePrecision) -> Gradient:
    if options.prevalence is None:
        return _own_ap_gradient(sweep)
    return other_prevalence.adjusted_gradient(sweep, options.prevalence)


def _own_ap_gradient(sweep: Sweep) -> Gradient:
    """Influence of a row on AP (derived in docs/explanation/influence.md).

    With precision P_k, flagged rows n_k, A_k = sum_{j>=k} pos_j/n_j and B_k = sum_{j>=k} pos_j P_j/n_j, a
    positive counts (P_k + A_k - AP - B_k)/pi and a negative -B_k/pi. O(k) time and three arrays of length k.
    """
    pos = sweep.pos_mass
    share, _ = class_shares(sweep)
    value = float(_own_average_precision(sweep))
    on_pos = precision_at_rows(sweep)  # P
    gain: Floats = pos / flagged_at_rows(sweep)
    on_neg = _reversed_cumsum(gain * on_pos)  # B
    on_pos += _reversed_cumsum(gain)  # P + A
    del gain
    on_pos -= on_neg
    on_pos -= value
    on_pos /= share
    on_neg /= -share
    return centred(on_pos, on_neg, sweep)


def centred(on_pos: Floats, on_neg: Floats, sweep: Sweep) -> Gradient:
    """Make a gradient of raw influences, those of a row that is one of all rows; the arrays are used up. O(k)."""
    share, complement = class_shares(sweep)
    mean_pos, mean_neg = class_mean(on_pos, sweep.pos_mass), class_mean(on_neg, sweep.neg_mass)
    on_pos -= mean_pos
    on_pos *= share
    on_neg -= mean_neg
    on_neg *= complement
    return Gradient(pos=on_pos, neg=on_neg, prevalence=mean_pos - mean_neg)


def _reversed_cumsum(values: Floats) -> Floats:
    """Sums over this row and all more lenient ones, in place."""
    np.cumsum(values[::-1], out=values[::-1])
    return values


def class_mean(values: Any, mass: Any) -> float:
    """Mean over the rows of a class, 0 without rows: their influences then count for nothing."""
    total = float(mass.sum())
    return float(np.einsum("i,i->", values, mass)) / total if total > 0 else 0.0


def expected_random_ap(n_pos: int, n_neg: int) -> float:
    """Mean AP of a random order without ties: H_N/N + (m-1)/(N-1) (1 - H_N/N). O(1).

    Source: Bestgen 2015, Information Retrieval Journal 18; checked by enumeration in the tests.

    Examples
    --------
    >>> round(expected_random_ap(5, 10), 4)
    0.4437
    """
    from scipy.special import digamma

    total = n_pos + n_neg
    if total == 1:
        return 1.0
    first = (float(digamma(total + 1)) + float(np.euler_gamma)) / total
    return first + (n_pos - 1) / (total - 1) * (1 - first)


def class_shares(sweep: Sweep) -> tuple[float, float]:
    """Shares of positives and of negatives, of rows or of weight, each rounded for itself: neither is a false 0."""
    m, n = float(sweep.pos_mass.sum()), float(sweep.neg_mass.sum())
    return m / (m + n), n / (m + n)


NEGLIGIBLE = Note(
    "negligible-class",
    "one class weighs less than 1e-15 of the whole: a float64 can not tell its share from none",
    "某一类的权重不到总量的 1e-15：float64 无法将其占比与零区分",
)


def negligible(sweep: Sweep) -> bool:
    """Whether a class that has rows all but vanishes beside the other, which only weights can do."""
    return sweep.weights is not None and min(class_shares(sweep)) < 1e-15


def prevalence(sweep: Sweep) -> float:
    """Share of positives, of rows or of weight."""
    return class_shares(sweep)[0]


def _ap_chance(sweep: Sweep, options: AveragePrecision) -> float:
    return prevalence(sweep) if options.prevalence is None else options.prevalence


def _ap_details(sweep: Sweep, options: AveragePrecision) -> Mapping[str, float]:
    if options.prevalence is not None:
        value = float(other_prevalence.adjusted_average_precision(sweep, options.prevalence))
        above = other_prevalence.negatives_above(sweep, options.prevalence)
        return {"chance": options.prevalence, "lift": value / options.prevalence, "negatives_above": above}
    share = prevalence(sweep)
    value = float(_own_average_precision(sweep))
    details = {"chance": share, "lift": value / share}
    if sweep.weights is None:
        details["chance_of_random_order"] = expected_random_ap(sweep.n_pos, sweep.n_neg)
    return details


AVERAGE_PRECISION: Measure[Any, Any] = register(
    Measure(
        name="average_precision",
        aliases=("ap", "pr_auc_step", "auprc_step"),
        title="Average precision",
        title_zh="平均查准率（AP）",
        definition="Mean over positives of the precision at their score: sum of recall gain times precision.",
        definition_zh="对每个正例取其得分处的查准率，再求平均，即查全率增量乘以查准率之和。",
        source="Buckley & Voorhees 2000; Boyd, Eng & Page 2013; Su, Yuan & Zhu 2015",
        input="sweep",
        range=(0.0, 1.0),
        better="higher",
        needs=frozenset({"positives"}),
        options=AveragePrecision,
        value=_average_precision,
        gradient=_ap_gradient,
        chance=_ap_chance,
        details=_ap_details,
    )
)
