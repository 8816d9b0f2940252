"""Costs and benefits at one cut: net benefit and expected cost, both sums over two cells of the confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rocsolid.errors import OptionError
from rocsolid.measures.ranking import class_shares
from rocsolid.measures.registry import Gradient, Measure, register
from rocsolid.measures.threshold import CELLS, cell_gradient
from rocsolid.options import as_typed, check_number, check_share
from rocsolid.results import Counts
from rocsolid.sweep import Sweep

Worth = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class NetBenefit:
    """The probability from which on one would act; it is the cut, too."""

    threshold: float

    def __post_init__(self) -> None:
        """Refuse a threshold that is no probability: at 1 the odds are infinite."""
        check_share("threshold", self.threshold, ends=False, hint='for example "net_benefit(threshold=0.2)"')

    @property
    def odds(self) -> Fraction:
        """Worth of a false positive in true positives: t / (1 - t), with t read as typed."""
        t = as_typed(self.threshold)
        return t / (1 - t)

    @property
    def worth(self) -> Worth:
        """What a row of each cell is worth; other cells are worth nothing."""
        return {"tp": Fraction(1), "fp": -self.odds}


@dataclass(frozen=True, slots=True)
class ExpectedCost:
    """A cut, and what a false alarm and a miss cost."""

    threshold: float
    cost_fp: float
    cost_fn: float

    def __post_init__(self) -> None:
        """Refuse costs that are negative, infinite, or both 0."""
        example = "expected_cost(threshold=0.5, cost_fp=1, cost_fn=10)"
        for name, value in (("cost_fp", self.cost_fp), ("cost_fn", self.cost_fn)):
            if not 0 <= check_number(name, value) < math.inf:
                raise OptionError(name, value, "a finite number >= 0", f'for example "{example}"')
        if self.cost_fp == self.cost_fn == 0:
            raise OptionError("costs", (self.cost_fp, self.cost_fn), "not both 0", f'for example "{example}"')

    @property
    def worth(self) -> Worth:
        """What a row of each cell costs; other cells cost nothing."""
        return {"fp": as_typed(self.cost_fp), "fn": as_typed(self.cost_fn)}


Options = NetBenefit | ExpectedCost


def _sum_over_cells(counts: Counts, options: Options) -> Fraction | float:
    """Mean worth of a row: exact for counts."""
    if counts.squares is not None:
        return sum(float(value) * float(getattr(counts, cell)) for cell, value in options.worth.items()) / counts.n
    total = sum((value * int(getattr(counts, cell)) for cell, value in options.worth.items()), Fraction(0))
    return total / int(counts.n)


def _gradient(sweep: Sweep, options: Options) -> Gradient:
    worth = {cell: float(options.worth.get(cell, 0)) for cell in CELLS}
    return cell_gradient(sweep, options.threshold, worth)


def _benefit_details(sweep: Sweep, options: NetBenefit) -> Mapping[str, float]:
    """Net benefit of treating everybody and nobody; and as a share of the most that can be had, the prevalence."""
    share, complement = class_shares(sweep)
    details = {"treat_all": share - complement * float(options.odds), "treat_none": 0.0}
    if share > 0:
        details["standardized"] = float(_sum_over_cells(sweep.at(options.threshold), options)) / share
    return details


def _cost_details(sweep: Sweep, options: ExpectedCost) -> Mapping[str, float]:
    """Cost of flagging everybody and nobody."""
    share, complement = class_shares(sweep)
    return {"flag_all": complement * options.cost_fp, "flag_none": share * options.cost_fn}


NET_BENEFIT: Measure[Any, Any] = register(
    Measure(
        name="net_benefit",
        aliases=("decision_curve_benefit",),
        title="Net benefit",
        title_zh="净获益",
        definition="TP/N - FP/N t/(1 - t): true positives per row, less false ones at the odds of the threshold.",
        definition_zh="TP/N − FP/N · t/(1 − t)：每行的真阳性数，减去按阈值赔率折算的假阳性数。",
        source="Vickers & Elkin 2006, Medical Decision Making 26:565-574",
        input="counts",
        range=(-math.inf, 1.0),
        better="higher",
        needs=frozenset({"probabilities"}),
        options=NetBenefit,
        value=_sum_over_cells,
        gradient=_gradient,
        details=_benefit_details,
        attainable=lambda options: (-float(options.odds), 1.0),
    )
)

EXPECTED_COST: Measure[Any, Any] = register(
    Measure(
        name="expected_cost",
        aliases=("mean_cost", "cost_sensitive_error"),
        title="Expected cost",
        title_zh="期望代价",
        definition="(FN cost_fn + FP cost_fp) / N: mean cost of a row.",
        definition_zh="(FN × cost_fn + FP × cost_fp) / N：每行的平均代价。",
        source="Drummond & Holte 2006, Machine Learning 65:95-130",
        input="counts",
        range=(0.0, math.inf),
        better="lower",
        needs=frozenset(),
        options=ExpectedCost,
        value=_sum_over_cells,
        gradient=_gradient,
        details=_cost_details,
        attainable=lambda options: (0.0, float(max(options.cost_fp, options.cost_fn))),
    )
)
