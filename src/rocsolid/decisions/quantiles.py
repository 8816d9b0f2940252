"""The interval of a threshold: where in the population does recall reach r, or the false-positive rate x?

With K the number of a class's n rows at or beyond the population's cut, K ~ Binomial(n, share). The a-th strictest
row is at or beyond the cut unless K < a, the b-th is at or below it unless K >= b; so the cut lies between them with
probability P(a <= K < b), whatever the distribution (Thompson 1936; David & Nagaraja 2003, section 7.1). Ties only
raise it: with atoms the rows beyond the cut are fewer, and those at it or beyond it more, than the share.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocsolid.decisions.constraints import ORDER_STATISTICS, Constraint, one_constraint
from rocsolid.options import check_level
from rocsolid.results import Interval, Note, Sizes
from rocsolid.sweep import Sweep
from rocsolid.values import SCHEMA, Result, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdInterval(Result):
    """The cut that meets a constraint: in the sample, and within which limits in the population.

    Attributes
    ----------
    constraint : such as ``"recall >= 0.9"``.
    threshold : the cut that meets it in the sample, a quantile of that one class; nan if no score does.
    interval : limits of the population's cut, as scores; an end is infinite where the rows set none.
    actual_level : the probability that the interval rests on, at least ``interval.confidence_level`` where
        both ends are finite.
    sizes, pos_label : rows per class and the positive label.
    notes : remarks, each with a stable code.
    """

    constraint: str
    threshold: Any
    interval: Interval
    actual_level: float
    sizes: Sizes
    pos_label: object = None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """One line: constraint, cut, limits, level, sizes."""
        low, high = self.interval.low, self.interval.high
        return (
            f"<threshold for {self.constraint} = {self.threshold!r} [{low!r}, {high!r}] "
            f"{self.interval.confidence_level:.4g} CI ({self.interval.method}); {self.sizes}; "
            f"positive: {self.pos_label!r}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        return {
            "schema": SCHEMA,
            "constraint": self.constraint,
            "threshold": plain(self.threshold),
            "low": plain(self.interval.low),
            "high": plain(self.interval.high),
            "confidence_level": self.interval.confidence_level,
            "actual_level": self.actual_level,
            "method": self.interval.method,
            "n_pos": self.sizes.n_pos,
            "n_neg": self.sizes.n_neg,
            "pos_label": plain(self.pos_label),
            "notes": [note.en for note in self.notes],
        }


def threshold_interval(sweep: Sweep, wanted: Mapping[str, object], confidence_level: float) -> ThresholdInterval:
    """Sample cut and population limits; see :meth:`rocsolid.Evaluation.threshold_interval`. O(k)."""
    constraint = one_constraint(sweep, wanted, "the interval of a threshold")
    level = check_level(confidence_level)
    half = (1 - level) / 2
    strict, lenient = constraint.rank_at_most(half), constraint.rank_at_least(1 - half)
    found = constraint.in_sample()
    ends = _end(constraint, strict, found, strictest=True), _end(constraint, lenient, found, strictest=False)
    low, high = ends[::-1] if sweep.higher_is_positive else ends
    open_end = () if math.isfinite(low) and math.isfinite(high) else (OPEN_END,)
    return ThresholdInterval(
        constraint=str(constraint),
        threshold=constraint.score(found) if found >= 0 else math.nan,
        interval=Interval(low=low, high=high, confidence_level=level, method="order-statistics"),
        actual_level=constraint.cdf(lenient - 1) - constraint.cdf(strict - 1),
        sizes=sweep.sizes,
        pos_label=sweep.pos_label,
        notes=(ORDER_STATISTICS, *open_end, *(() if found >= 0 else (NO_CUT,))),
    )


def _end(constraint: Constraint, rank: int, found: int, *, strictest: bool) -> Any:
    """One end as a score, infinite where the class has no row of this rank; the sample's cut stays inside."""
    if not 1 <= rank <= constraint.n:
        return math.inf if strictest == constraint.sweep.higher_is_positive else -math.inf
    row = constraint.row_of(rank)
    if found >= 0:
        row = min(row, found) if strictest else max(row, found)
    return constraint.score(row)


NO_CUT = Note(
    "no-cut",
    "no score of the sample meets the constraint as a cut",
    "样本中没有任何得分作为阈值能满足该约束",
)
OPEN_END = Note(
    "open-end",
    "an end is infinite: the class has too few rows for a limit at this level",
    "一端为无穷：该类样本量不足以在此水平下给出界限",
)
