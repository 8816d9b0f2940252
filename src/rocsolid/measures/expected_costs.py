"""Costs over all cuts: least expected cost, area under the cost curve, H-measure. All are read off the ROC hull."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from rocsolid.errors import OptionError
from rocsolid.measures.hull import Hull, hull_of
from rocsolid.measures.other_prevalence import EXACT_ROWS
from rocsolid.measures.ranking import BOTH, NEGLIGIBLE, centred, class_mean, class_shares, negligible
from rocsolid.measures.registry import Gradient, Measure, NoOptions, register
from rocsolid.options import as_cut, as_typed, check_choice, check_number, check_share
from rocsolid.results import Undefined
from rocsolid.sweep import Floats, Sweep

# ------------------------------------------------------------------------------------ area under the cost curve


def _cost_curve_area(sweep: Sweep, options: NoOptions) -> Fraction | float:
    """Sum over edges of the hull of dx dy / (2 (dx + dy)): what their rows cost, averaged over PC."""
    hull = hull_of(sweep)
    if sweep.weights is None and sweep.n_pos + sweep.n_neg <= EXACT_ROWS:
        n, m = int(hull.fp[-1]), int(hull.tp[-1])
        edges = zip(np.diff(hull.fp).tolist(), np.diff(hull.tp).tolist(), strict=True)
        return sum((Fraction(x * y, 2 * (x * m + y * n)) for x, y in edges), Fraction(0))
    dx, dy = hull.widths, hull.heights
    return math.fsum(dx * dy / (2 * (dx + dy)))


def _cost_curve_gradient(sweep: Sweep, options: NoOptions) -> Gradient:
    """A positive is missed while PC < z of its edge and then costs PC, in all z^2/2; a negative (1 - z)^2/2."""
    hull = hull_of(sweep)
    z = hull.per_row(hull.widths / (hull.widths + hull.heights))
    pos, neg = z**2 / 2, (1 - z) ** 2 / 2
    return Gradient(pos - class_mean(pos, sweep.pos_mass), neg - class_mean(neg, sweep.neg_mass), 0.0)


COST_CURVE_AREA: Measure[Any, Any] = register(
    Measure(
        name="cost_curve_area",
        aliases=("expected_cost_uniform", "cost_envelope_area"),
        title="Area under the cost curve",
        title_zh="代价曲线下面积",
        definition="Least normalised expected cost, averaged over probability costs PC from 0 to 1.",
        definition_zh="归一化期望代价的最小值（下包络），在概率代价 PC 从 0 到 1 上取平均。",
        source="Drummond & Holte 2006, Machine Learning 65:95-130",
        input="sweep",
        range=(0.0, 0.25),
        better="lower",
        needs=BOTH,
        options=NoOptions,
        value=_cost_curve_area,
        gradient=_cost_curve_gradient,
        chance=lambda sweep, options: 0.25,
    )
)

# ------------------------------------------------------------------------------------------ least expected cost

EXAMPLE = 'for example "min_expected_cost(cost_fp=1, cost_fn=10)"'


@dataclass(frozen=True, slots=True)
class MinExpectedCost:
    """What a false alarm and a miss cost, and the prevalence at use; by default that of the sample."""

    cost_fp: float
    cost_fn: float
    prevalence: float | None = None

    def __post_init__(self) -> None:
        """Refuse costs that are negative, infinite, or both 0, and a prevalence at which one class is absent."""
        for name, value in (("cost_fp", self.cost_fp), ("cost_fn", self.cost_fn)):
            if not 0 <= check_number(name, value) < math.inf:
                raise OptionError(name, value, "a finite number >= 0", EXAMPLE)
        if self.cost_fp == self.cost_fn == 0:
            raise OptionError("costs", (self.cost_fp, self.cost_fn), "not both 0", EXAMPLE)
        if self.prevalence is not None:
            check_share("prevalence", self.prevalence, ends=False, hint=EXAMPLE)


def _class_costs(sweep: Sweep, options: MinExpectedCost) -> tuple[Any, Any]:
    """What all false alarms together cost, and all misses: (1 - p) c_FP and p c_FN; exact for counts."""
    fp, fn = as_typed(options.cost_fp), as_typed(options.cost_fn)
    if options.prevalence is not None:
        p = as_typed(options.prevalence)
    elif sweep.weights is None:
        p = Fraction(sweep.n_pos, sweep.n_pos + sweep.n_neg)
    else:
        share, complement = class_shares(sweep)
        return complement * float(fp), share * float(fn)
    return (1 - p) * fp, p * fn


def _best_vertices(sweep: Sweep, options: MinExpectedCost) -> tuple[Fraction | float, list[int], Hull]:
    """The least cost, the vertices of the hull that have it, and the hull."""
    hull = hull_of(sweep)
    of_fp, of_fn = _class_costs(sweep, options)
    tp, fp = hull.tp.tolist(), hull.fp.tolist()
    number = Fraction if sweep.weights is None else float
    costs = [of_fp * number(f) / number(fp[-1]) + of_fn * number(tp[-1] - t) / number(tp[-1])
             for f, t in zip(fp, tp, strict=True)]  # fmt: skip
    least = min(costs)
    return least, [i for i, cost in enumerate(costs) if cost == least], hull


def _min_cost(sweep: Sweep, options: MinExpectedCost) -> Fraction | float:
    return _best_vertices(sweep, options)[0]


def _min_cost_gradient(sweep: Sweep, options: MinExpectedCost) -> Gradient:
    """Where the minimum is at one cut, moving that cut does not matter at first order: the gradient at that cut."""
    _, best, hull = _best_vertices(sweep, options)
    flagged = np.arange(len(sweep)) < hull.rows[best[0]]
    if options.prevalence is None:
        return centred(np.where(flagged, 0.0, options.cost_fn), np.where(flagged, options.cost_fp, 0.0), sweep)
    of_fp, of_fn = (float(cost) for cost in _class_costs(sweep, options))
    pos, neg = of_fn * ~flagged, of_fp * flagged
    return Gradient(pos - class_mean(pos, sweep.pos_mass), neg - class_mean(neg, sweep.neg_mass), 0.0)


def _trivial(sweep: Sweep, options: MinExpectedCost) -> float:
    """Cost of the better of flagging everybody and flagging nobody."""
    return float(min(_class_costs(sweep, options)))


def _min_cost_details(sweep: Sweep, options: MinExpectedCost) -> Mapping[str, float]:
    """Where the least cost is had: the strictest and the most lenient best cut (nan: flag nobody)."""
    least, best, hull = _best_vertices(sweep, options)
    of_fp, of_fn = (float(cost) for cost in _class_costs(sweep, options))
    strict, lenient = (_cut(sweep, int(hull.rows[i])) for i in (best[0], best[-1]))
    details = {"strictest_cut": strict, "most_lenient_cut": lenient, "flag_all": of_fp, "flag_none": of_fn}
    if min(of_fp, of_fn) > 0:
        details["share_of_trivial"] = float(least) / min(of_fp, of_fn)
    return details


def _cut(sweep: Sweep, rows: int) -> float:
    """The score at which so many rows of the sweep are flagged."""
    found: float = as_cut(sweep.scores[rows - 1]) if rows else math.nan
    return found


MIN_EXPECTED_COST: Measure[Any, Any] = register(
    Measure(
        name="min_expected_cost",
        aliases=("least_expected_cost",),
        title="Least expected cost",
        title_zh="最小期望代价",
        definition="Least over all cuts of p cost_fn FNR + (1 - p) cost_fp FPR, flagging all or nobody included.",
        definition_zh="对所有阈值（含全判为正、全判为负）取 p·cost_fn·FNR + (1 − p)·cost_fp·FPR 的最小值。",
        source="Drummond & Holte 2006, Machine Learning 65:95-130; Provost & Fawcett 2001",
        input="sweep",
        range=(0.0, math.inf),
        better="lower",
        needs=BOTH,
        options=MinExpectedCost,
        value=_min_cost,
        gradient=_min_cost_gradient,
        chance=_trivial,
        details=_min_cost_details,
        attainable=lambda options: (0.0, float(max(options.cost_fp, options.cost_fn))),
    )
)

# -------------------------------------------------------------------------------------------------- H-measure

PRIORS = ("severity-ratio", "beta-pi", "beta-2-2")


@dataclass(frozen=True, slots=True)
class HMeasure:
    """How costs are weighed: c = cost of a false positive / (that + cost of a miss) has a beta distribution.

    ``prior="severity-ratio"`` is Beta(2, 1 + 1/SR), with its mode at the severity ratio SR = cost of a false positive
    / cost of a miss, by default n+/n-; ``"beta-pi"`` is Beta(1 + pi, 2 - pi) for prevalence pi (Hand & Anagnostopoulos
    2014); ``"beta-2-2"`` that of Hand 2009, the same as ``severity_ratio=1``.
    """

    severity_ratio: float | None = None
    prior: str = "severity-ratio"

    def __post_init__(self) -> None:
        """Refuse a ratio that is not positive, an unknown prior, and a ratio beside another prior."""
        check_choice("prior", self.prior, PRIORS)
        if self.severity_ratio is None:
            return
        if self.prior != "severity-ratio":
            raise OptionError("severity_ratio", self.severity_ratio, f"left out beside prior={self.prior}",
                              f'"h_measure(prior={self.prior})"')  # fmt: skip
        if not 0 < check_number("severity_ratio", self.severity_ratio) < math.inf:
            raise OptionError("severity_ratio", self.severity_ratio, "a finite number > 0",
                              'for example "h_measure(severity_ratio=0.1)"')  # fmt: skip

    def shape(self, prevalence: float) -> tuple[float, float]:
        """The two parameters of the beta distribution, at a prevalence."""
        if self.prior == "beta-pi":
            return 1 + prevalence, 2 - prevalence
        if self.prior == "beta-2-2":
            return 2.0, 2.0
        ratio = prevalence / (1 - prevalence) if self.severity_ratio is None else self.severity_ratio
        return 2.0, 1 + 1 / ratio


Part = Callable[[Any], Any]


def _costs_below(shape: tuple[float, float]) -> tuple[Part, Part]:
    """Integrals of a false positive's cost c from 0 to x, and of a miss's cost 1 - c from x to 1, over Beta(a, b)."""
    from scipy.special import betainc, betaincc

    a, b = shape
    return lambda x: a / (a + b) * betainc(a + 1, b, x), lambda x: b / (a + b) * betaincc(a, b + 1, x)


def _row_costs(hull: Hull, prevalence: float, shape: tuple[float, float]) -> tuple[Floats, Floats]:
    """What a positive and a negative on each edge cost, at the best cut for each c.

    A row on an edge is flagged for c below pi dy / (pi dy + (1 - pi) dx): until then it costs c if it is negative,
    from there on 1 - c if it is positive.
    """
    false_alarm, miss = _costs_below(shape)
    up, across = prevalence * hull.heights, (1 - prevalence) * hull.widths
    turn = up / (up + across)
    return miss(turn), false_alarm(turn)


def _loss(hull: Hull, prevalence: float, shape: tuple[float, float]) -> tuple[float, float]:
    """Expected cost of a row, and that of the best trivial rule: flag everybody while c < pi, nobody after."""
    on_pos, on_neg = _row_costs(hull, prevalence, shape)
    false_alarm, miss = _costs_below(shape)
    loss = prevalence * float(hull.heights @ on_pos) + (1 - prevalence) * float(hull.widths @ on_neg)
    trivial = (1 - prevalence) * float(false_alarm(prevalence)) + prevalence * float(miss(prevalence))
    return loss, trivial


def _h_measure(sweep: Sweep, options: HMeasure) -> float | Undefined:
    if negligible(sweep):
        return Undefined(NEGLIGIBLE)
    pi, _ = class_shares(sweep)
    loss, trivial = _loss(hull_of(sweep), pi, options.shape(pi))
    return 1 - min(loss / trivial, 1.0)  # rounding may exceed what a useless score loses


def _h_gradient(sweep: Sweep, options: HMeasure) -> Gradient:
    """Cuts are the best ones for each c, so to first order only what the rows cost at them counts.

    The prevalence moves the loss of the trivial rule too, and the prior where it depends on it; the latter part is a
    central difference, with an error of about 1e-9.
    """
    pi, _ = class_shares(sweep)
    hull, shape = hull_of(sweep), options.shape(pi)
    loss, trivial = _loss(hull, pi, shape)
    false_alarm, miss = _costs_below(shape)
    on_pos, on_neg = (hull.per_row(-cost / trivial) for cost in _row_costs(hull, pi, shape))
    through_rows = centred(on_pos, on_neg, sweep)
    of_trivial = float(miss(pi)) - float(false_alarm(pi))
    step = 1e-5 * pi * (1 - pi)
    lost = [np.divide(*_loss(hull, pi, options.shape(pi + side))) for side in (step, -step)]
    of_prior = -float(lost[0] - lost[1]) / (2 * step)
    return replace(through_rows, prevalence=through_rows.prevalence + loss / trivial**2 * of_trivial + of_prior)


def _h_details(sweep: Sweep, options: HMeasure) -> Mapping[str, float]:
    """Share of positives, parameters of the prior, both losses."""
    pi, _ = class_shares(sweep)
    shape = options.shape(pi)
    loss, trivial = _loss(hull_of(sweep), pi, shape)
    return {"beta_a": shape[0], "beta_b": shape[1], "loss": loss, "trivial_loss": trivial}


H_MEASURE: Measure[Any, Any] = register(
    Measure(
        name="h_measure",
        aliases=("hand_h", "h"),
        title="H-measure",
        title_zh="H 测度",
        definition="1 - expected least cost / that of the best trivial rule, costs drawn from a beta distribution.",
        definition_zh="1 − 最小期望代价 / 最佳平凡规则的期望代价，其中代价比服从 Beta 分布。",
        source="Hand 2009, Machine Learning 77:103-123; Hand & Anagnostopoulos 2014, 2023",
        input="sweep",
        range=(0.0, 1.0),
        better="higher",
        needs=BOTH,
        options=HMeasure,
        value=_h_measure,
        gradient=_h_gradient,
        chance=lambda sweep, options: 0.0,
        details=_h_details,
    )
)
