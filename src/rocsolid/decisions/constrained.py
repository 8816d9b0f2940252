"""Cuts that meet a constraint: at least so much recall, at most so many rows.

    recall >= r                      the fewest false positives
    specificity >= s, fpr <= x,
    precision >= p                   the most recall
    capacity, top_k, flagged         the most rows that the budget allows

The correctly rounded ratio is compared with the number given. Of cuts that are as good the strictest is taken; where
no cut meets the constraint, the one that comes nearest is, and the choice says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rocsolid.decisions.cuts import CHOSEN_HERE, Choice, Cuts, Floats
from rocsolid.errors import OptionError
from rocsolid.options import check_count, check_share, unboxed
from rocsolid.results import Note
from rocsolid.sweep import Sweep
from rocsolid.text import format_count, format_number


def _precision(cuts: Cuts) -> Floats:
    with np.errstate(invalid="ignore"):
        return cuts.tp / cuts.flagged  # nan where nothing is flagged


RATES: dict[str, Callable[[Cuts], Floats]] = {
    "recall": lambda cuts: cuts.tp / cuts.pos,
    "specificity": lambda cuts: (cuts.neg - cuts.fp) / cuts.neg,
    "fpr": lambda cuts: cuts.fp / cuts.neg,
    "precision": _precision,
}
"""Rates that a constraint may speak of, at every cut."""
NEEDS = {"recall": ("positives",), "specificity": ("negatives",), "fpr": ("negatives",), "precision": ("positives",)}
BUDGETS = ("capacity", "top_k", "flagged")
WAYS = ("threshold", *RATES, *BUDGETS)


def one_way(wanted: Mapping[str, object]) -> tuple[str, Any]:
    """Take the one way given to choose a cut.

    Raises
    ------
    OptionError
        If there is none, or a second that would have no effect.
    """
    given = {name: value for name, value in wanted.items() if value is not None}
    if len(given) != 1:
        found = given or None
        raise OptionError(", ".join(wanted), found, "exactly one of them", "for example ev.at(threshold=0.5)")
    ((name, value),) = given.items()
    return name, value


def constrained_cut(sweep: Sweep, name: str, value: object) -> Choice:
    """Choose the cut for a constraint by name. O(k).

    Raises
    ------
    OptionError
        For a share outside [0, 1], or a capacity that could be read in two ways.
    UndefinedMeasureError
        If the class that the constraint speaks of has no row.

    Examples
    --------
    Recall is 1/2 at 8 and 1 at 5, which flags one negative:

    >>> sweep = Sweep.from_arrays([1, 0, 1, 0], [8, 6, 5, 1])
    >>> found = constrained_cut(sweep, "recall", 0.75)
    >>> found.threshold, found.asked, found.attained
    (5, 'recall >= 0.75', 1.0)
    """
    cuts = Cuts(sweep)
    return _rate_cut(cuts, name, value) if name in RATES else _budget_cut(cuts, name, value)


def _rate_cut(cuts: Cuts, name: str, value: object) -> Choice:
    level = check_share(name, value, ends=True, hint=f"{name}=0.9")
    cuts.need(f"cut by {name}", *NEEDS[name])
    rate = np.where(cuts.legal, RATES[name](cuts), np.nan)
    met = rate <= level if name == "fpr" else rate >= level
    asked = f"{name} {'<=' if name == 'fpr' else '>='} {level!r}"
    if not met.any():
        nearest = np.nanmin(rate) if name == "fpr" else np.nanmax(rate)
        met = rate == nearest
        return _best_of(cuts, met, cuts.tp, rate, asked, (CHOSEN_HERE, _infeasible(asked, nearest)))
    gain = -cuts.fp if name == "recall" else cuts.tp
    return _best_of(cuts, met, gain, rate, asked, (CHOSEN_HERE,))


def _best_of(cuts: Cuts, met: Any, gain: Floats, rate: Floats, asked: str, notes: tuple[Note, ...]) -> Choice:
    """Of the cuts that meet the constraint, those with the most of what else counts."""
    tied = np.flatnonzero(met & (gain == gain[met].max()))
    return cuts.choice(tied, asked, rate[tied[0]], feasible=len(notes) == 1, notes=notes)


def _infeasible(asked: str, nearest: float) -> Note:
    shown = format_number(float(nearest))
    return Note(
        "infeasible",
        f"no cut has {asked} on these rows; the best attainable is {shown}",
        f"这批数据上没有阈值满足 {asked}；可达到的最好值为 {shown}",
    )


# --------------------------------------------------------------------------------------------------- budgets


def _budget_cut(cuts: Cuts, name: str, value: object) -> Choice:
    """The most lenient cut within a budget of rows; the strictest there is where even that flags too many."""
    share, limit = _budget(name, value)
    used = cuts.flagged / (cuts.pos + cuts.neg) if share else cuts.flagged
    fits = np.flatnonzero(cuts.legal & (used <= limit))
    asked = f"flagged share <= {limit!r}" if share else f"{'top' if name == 'top_k' else 'flagged <='} {limit!r}"
    taken = int(fits[-1]) if len(fits) else 1
    feasible = bool(len(fits)) and (name != "top_k" or bool(used[taken] == limit))
    notes = (CHOSEN_HERE,) if feasible else (CHOSEN_HERE, _between(cuts, taken, asked, len(fits) > 0))
    return cuts.choice(np.array([taken]), asked, used[taken], feasible=feasible, notes=notes)


def _budget(name: str, value: object) -> tuple[bool, float]:
    """Whether a budget is a share of the rows, and how large it is."""
    if name == "flagged":
        return True, check_share("flagged", value, ends=True, hint="flagged=0.05")
    number = unboxed(value)
    if name == "top_k" or not isinstance(number, float):
        return False, check_count(name, value, 0)
    if not 0 < number < 1:
        raise OptionError(
            "capacity", value, "a whole number of rows, or a share between 0 and 1", f"capacity={number:.0f} for rows, "
            "flagged=1.0 for all of them",
        )  # fmt: skip
    return True, number


def _between(cuts: Cuts, taken: int, asked: str, fits: bool) -> Note:
    """Equal scores stand or fall together: say what the cuts on both sides of the budget flag."""
    less, more = format_count(cuts.flagged[taken]), format_count(cuts.flagged[min(taken + 1, len(cuts.tp) - 1)])
    if not fits:
        return Note(
            "infeasible", f"no cut has {asked}: the strictest there is flags {less}",
            f"没有阈值满足 {asked}：最严格的阈值也标记 {less} 行",
        )  # fmt: skip
    if less == more:
        return Note("infeasible", f"there are only {less} rows for {asked}", f"{asked}：总共只有 {less} 行")
    return Note(
        "infeasible", f"no cut gives {asked}: equal scores stand together, so it is {less} rows or {more}",
        f"没有阈值恰好满足 {asked}：得分相同的行不可拆分，只能是 {less} 行或 {more} 行",
    )  # fmt: skip
