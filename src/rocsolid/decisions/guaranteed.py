"""A cut with a guarantee: "FPR <= x with 95 % confidence", for any distribution.

Let D_1, ..., D_n be the scores of the class, strict to lenient, and K ~ Binomial(n, x).

    fpr <= x     cut strictly above D_m. It fails if P(S > D_m) > x, and then fewer than m of the rows lie in the
                 strictest part of the population, which holds a share x or more: probability <= P(K <= m - 1).
                 The largest m with P(K <= m - 1) <= 1 - confidence is taken.
    recall >= r  cut at D_m. It fails if P(S >= D_m) < r, and then m or more rows lie in a part that holds a share
                 r or less: probability <= P(K >= m). The smallest m with P(K >= m) <= 1 - confidence is taken.

Ties can only help. These are one-sided tolerance limits (Wilks 1941, Annals of Mathematical Statistics 12:91-96).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rocsolid.decisions.constraints import Constraint, one_constraint
from rocsolid.errors import OptionError, UndefinedMeasureError
from rocsolid.options import check_number
from rocsolid.results import Note
from rocsolid.sweep import Sweep


def guaranteed_cut(sweep: Sweep, wanted: Mapping[str, object], guarantee: float) -> tuple[Any, Note]:
    """Give the cut and the statement that it carries. O(k).

    Raises
    ------
    OptionError
        If not exactly one of recall, specificity and fpr is given, or a level is not in (0, 1).
    UndefinedMeasureError
        If the class has too few rows (the message says how many it takes), or ties leave no score to cut at.

    Examples
    --------
    The smallest of 59 vouches for 95 % of the class: 0.95^59 < 0.05:

    >>> sweep = Sweep.from_arrays([1] * 59 + [0], list(range(1, 60)) + [0])
    >>> guaranteed_cut(sweep, {"recall": 0.95}, 0.95)[0]
    1

    Cut above the second of 100 negatives: 0.95^100 + 100 (0.05) 0.95^99 = 0.037 is below 0.05, a third term not:

    >>> sweep = Sweep.from_arrays([0] * 100 + [1], list(range(100)) + [200])
    >>> guaranteed_cut(sweep, {"fpr": 0.05}, 0.95)[0]
    99
    """
    confidence = float(check_number("guarantee", guarantee))
    if not 0 < confidence < 1:
        raise OptionError("guarantee", guarantee, "a confidence between 0 and 1, both excluded", "guarantee=0.95")
    constraint = one_constraint(sweep, wanted, "a cut with a guarantee")
    rank, row = _recall_row(constraint, confidence) if constraint.of_positives else _fpr_row(constraint, confidence)
    return constraint.score(row), _statement(constraint, confidence, rank)


def _recall_row(constraint: Constraint, confidence: float) -> tuple[int, int]:
    """Rank and row of the strictest cut that vouches for a recall: P(K <= m - 1) >= confidence."""
    rank = constraint.rank_at_least(confidence)
    if rank > constraint.n:
        raise _too_few(constraint, confidence)
    return rank, constraint.row_of(rank)


def _fpr_row(constraint: Constraint, confidence: float) -> tuple[int, int]:
    """Rank and row of the most lenient cut that vouches for an FPR: the score just stricter than D_m."""
    rank = constraint.rank_at_most(1 - confidence)
    if rank == 0:
        raise _too_few(constraint, confidence)
    row = constraint.row_of(rank) - 1
    if row < 0:
        top = constraint.score(0)
        raise UndefinedMeasureError(
            f"cut with {constraint}",
            f"the strictest score, {top!r}, is shared by a negative that has to stay below the cut",
            "ask for less, or break the ties at the top by a finer score",
        )
    return rank, row


def _too_few(constraint: Constraint, confidence: float) -> UndefinedMeasureError:
    """How many rows the guarantee takes, and what these rows can vouch for."""
    kept = constraint.level if constraint.of_positives else 1 - constraint.share
    needed = math.ceil(math.log1p(-confidence) / math.log(kept))
    reach = math.floor((1 - confidence) ** (1 / constraint.n) * 1e4) / 1e4  # of recall or specificity, rounded down
    level = 1 - reach if constraint.name == "fpr" else reach
    within = (
        f"; ev.at({constraint.name}={level:.4g}, guarantee={confidence!r}) is within reach" if 0 < reach < 1 else ""
    )
    rows = "positives" if constraint.of_positives else "negatives"
    return UndefinedMeasureError(
        f"cut with {constraint}",
        f"{confidence!r} confidence takes at least {needed:,} {rows}, found {constraint.n:,}",
        f"score at least {needed - constraint.n:,} more {rows}{within}",
    )


def _statement(constraint: Constraint, confidence: float, rank: int) -> Note:
    rows, zh = ("positives", "正例") if constraint.of_positives else ("negatives", "负例")
    actual = constraint.cdf(rank - 1) if constraint.of_positives else 1 - constraint.cdf(rank - 1)
    actual = math.floor(actual * 1e6) / 1e6  # never more than is true
    return Note(
        "guaranteed-cut",
        f"{constraint} in the population with confidence {confidence!r} (at least {actual:g}, from rank {rank:,} of "
        f"{constraint.n:,} {rows}), for any distribution of independent rows; the intervals of the rates take the cut "
        "as given, although it was chosen on these rows",
        f"总体中 {constraint}，置信度 {confidence!r}（至少 {actual:g}，取自 {constraint.n:,} 个{zh}中的"
        f"第 {rank:,} 位），对任意分布的独立样本成立；各比率的区间视该阈值为给定，而它是在同一批数据上选出的",
    )
