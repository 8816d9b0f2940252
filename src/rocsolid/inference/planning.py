"""How many rows a study needs, and what it reaches with those it has."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from rocsolid.errors import OptionError
from rocsolid.inference.designs import Design, Goal
from rocsolid.options import check_between, check_count
from rocsolid.results import Note
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, Result

FEW = 20
MOST = 1e12
"""Nobody has more rows of a class than this: a goal that needs them can not be reached."""
ROUNDING = 1e-9

FEW_ROWS = Note(
    "few-rows-planned",
    f"a class has fewer than {FEW} rows: the normal approximation behind this plan is rough there",
    f"某一类少于 {FEW} 行：此方案所依据的正态近似在此较为粗略",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Result):
    """What a study reaches with so many rows.

    Attributes
    ----------
    design : the design, such as ``AucAgainst(auc=0.8, null=0.7)``.
    goal : ``"power"`` or ``"half_width"``.
    n_pos, n_neg : whole rows.
    value : the power or half-width that they reach; also ``float(plan)``.
    target : what was asked for, ``None`` if the rows were given.
    details : ``std_error``; of a sample size also ``n_pos_unrounded`` and ``n_neg_unrounded``, which would reach the
        target exactly.
    notes : remarks.
    """

    design: Design
    goal: Goal
    n_pos: int
    n_neg: int
    value: float
    target: float | None = None
    details: Mapping[str, float] = field(default_factory=dict, hash=False)
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        """Freeze the details too."""
        object.__setattr__(self, "details", MappingProxyType(dict(self.details)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by value; a mapping proxy can not be pickled as it is."""
        state = {name: getattr(self, name) for name in self.__slots__}
        return _rebuild, ({**state, "details": dict(self.details)},)

    @property
    def n(self) -> int:
        """All rows."""
        return self.n_pos + self.n_neg

    def __float__(self) -> float:
        """Give what is reached."""
        return self.value

    def __repr__(self) -> str:
        """One line: rows, what they reach, and for what."""
        each = f" {self.design.rows_of}" if self.design.rows_of else ""
        return (
            f"<{self.n_pos:,} positive and {self.n_neg:,} negative rows{each}: {self.goal.replace('_', '-')} "
            f"{format_number(self.value)} for {self.design!r}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers and strings under a schema version."""
        return {
            "schema": SCHEMA,
            "design": self.design.to_dict(),
            "goal": self.goal,
            "n_pos": self.n_pos,
            "n_neg": self.n_neg,
            "value": self.value,
            "target": self.target,
            "details": dict(self.details),
            "notes": [note.en for note in self.notes],
        }


def _rebuild(state: dict[str, Any]) -> Plan:
    return Plan(**state)


def power(design: Design, *, n_pos: int, n_neg: int) -> Plan:
    """Give the power of a test with these rows.

    Parameters
    ----------
    design : :class:`AucAgainst`, :class:`PairedDifference`, :class:`UnpairedDifference` or :class:`PilotDifference`.
    n_pos, n_neg : rows in each class; of each model, where the two have different rows.

    Returns
    -------
    Plan

    Raises
    ------
    OptionError
        If the design is one of a measurement (see :func:`half_width`), or a size is no whole number of at least 2.

    Notes
    -----
    O(1). A normal approximation: see docs for where it is off.

    Examples
    --------
    >>> import rocsolid as rs
    >>> rs.power(rs.AucAgainst(auc=0.8, null=0.7), n_pos=100, n_neg=200)
    <100 positive and 200 negative rows: power 0.9222 for AucAgainst(auc=0.8, null=0.7)>
    """
    return _plan(design, "power", n_pos, n_neg)


def half_width(design: Design, *, n_pos: int, n_neg: int) -> Plan:
    """Give the half-width of the interval to be expected with these rows.

    Parameters
    ----------
    design : :class:`AucWidth`, :class:`AveragePrecisionWidth` or :class:`RecallWidth`.
    n_pos, n_neg : rows in each class.

    Returns
    -------
    Plan

    Raises
    ------
    OptionError
        If the design is one of a test (see :func:`power`), or a size is no whole number of at least 2.

    Notes
    -----
    O(1).

    Examples
    --------
    >>> import rocsolid as rs
    >>> rs.half_width(rs.AucWidth(auc=0.9), n_pos=100, n_neg=200)
    <100 positive and 200 negative rows: half-width 0.0362 for AucWidth(auc=0.9)>
    """
    return _plan(design, "half_width", n_pos, n_neg)


def sample_size(
    design: Design,
    *,
    power: float | None = None,
    half_width: float | None = None,
    ratio: float | None = None,
    prevalence: float | None = None,
) -> Plan:
    """Give the smallest numbers of rows that reach a power, or a half-width.

    Parameters
    ----------
    design : what the study is for.
    power : the power wanted of a test.
    half_width : the half-width wanted of an interval.
    ratio : negatives per positive.
    prevalence : the share of positives, instead of ``ratio``.

    Returns
    -------
    Plan
        With whole rows, rounded up and checked; what would reach the target exactly is in the details.

    Raises
    ------
    OptionError
        If the goal is not that of the design, not exactly one of ``ratio`` and ``prevalence`` is given, or the target
        can not be reached, such as the power of a one-sided test on the wrong side.

    Notes
    -----
    O(1), some dozens of evaluations of the design.

    Examples
    --------
    >>> import rocsolid as rs
    >>> plan = rs.sample_size(rs.AucAgainst(auc=0.8, null=0.7), power=0.9, ratio=2)
    >>> plan
    <93 positive and 186 negative rows: power 0.9008 for AucAgainst(auc=0.8, null=0.7)>
    >>> round(plan.details["n_pos_unrounded"], 2)
    92.78
    """
    target = _target(design, power, half_width)
    per = _negatives_per_positive(ratio, prevalence)
    real = _solve(design, target, per)
    m = max(math.ceil(real - ROUNDING), 2)
    n = max(math.ceil(real * per - ROUNDING), 2)
    while not _reaches(design, design.reached(m, n), target):
        m, n = m + 1, math.ceil((m + 1) * per - ROUNDING)
    found = _plan(design, design.goal, m, n)
    return Plan(
        design=design, goal=design.goal, n_pos=m, n_neg=n, value=found.value, target=target,
        details={**found.details, "n_pos_unrounded": real, "n_neg_unrounded": real * per}, notes=found.notes,
    )  # fmt: skip


def _plan(design: Design, goal: Goal, n_pos: int, n_neg: int) -> Plan:
    _check_design(design, goal)
    m, n = check_count("n_pos", n_pos, 2), check_count("n_neg", n_neg, 2)
    return Plan(
        design=design, goal=goal, n_pos=m, n_neg=n, value=design.reached(m, n),
        details={"std_error": design.std_error(m, n)}, notes=(FEW_ROWS,) if min(m, n) < FEW else (),
    )  # fmt: skip


def _check_design(design: object, goal: Goal) -> None:
    if not isinstance(design, Design):
        raise OptionError("design", design, "a design", "for example rs.AucAgainst(auc=0.8, null=0.7)")
    if design.goal != goal:
        right = design.goal
        raise OptionError(
            "design", design, f"one that has a {goal.replace('_', '-')}", f"pass {right}=, or call rs.{right}(...)"
        )


def _target(design: Design, power: float | None, half_width: float | None) -> float:
    """Give the one goal that was passed, if it is the design's."""
    given: dict[Goal, float | None] = {"power": power, "half_width": half_width}
    if (power is None) == (half_width is None):
        raise OptionError("power, half_width", (power, half_width), "given one at a time", "power=0.8")
    goal: Goal = "power" if half_width is None else "half_width"
    _check_design(design, goal)
    return check_between(goal, given[goal], 0, 1 if goal == "power" else 0.5)


def _negatives_per_positive(ratio: float | None, prevalence: float | None) -> float:
    if (ratio is None) == (prevalence is None):
        raise OptionError("ratio, prevalence", (ratio, prevalence), "given one at a time",
                          "ratio=1 for one negative a positive, or prevalence=0.5")  # fmt: skip
    if ratio is not None:
        return check_between("ratio", ratio, 0, math.inf)
    share = check_between("prevalence", prevalence, 0, 1)
    return (1 - share) / share


def _reaches(design: Design, value: float, target: float) -> bool:
    return value >= target if design.goal == "power" else value <= target


def _solve(design: Design, target: float, per: float) -> float:
    """Real number of positives that reaches the target exactly; the least possible if that is more than enough."""
    from scipy.optimize import brentq

    def gap(log_m: float) -> float:
        return design.reached(math.exp(log_m), math.exp(log_m) * per) - target

    low, high = max(0.0, -math.log(per)), math.log(MOST)  # at least one row of each class
    if _reaches(design, gap(low) + target, target):
        return math.exp(low)
    if not _reaches(design, gap(high) + target, target):
        name = design.goal
        hint = "check the direction of the alternative" if name == "power" else f"{name}=0.05"
        raise OptionError(name, target, f"one that {design!r} can reach with {MOST:,.0f} rows of a class", hint)
    return math.exp(float(brentq(gap, low, high, xtol=1e-14, rtol=1e-14)))
