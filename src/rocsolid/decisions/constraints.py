"""A constraint on one class, such as ``recall >= 0.9``: its rows in order, and binomial tails of their ranks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.curves.points import need
from rocsolid.errors import NotAvailableError, OptionError
from rocsolid.options import as_cut, check_number
from rocsolid.results import Note
from rocsolid.sweep import Sweep

SIGNS = {"recall": ">=", "specificity": ">=", "fpr": "<="}


@dataclass(frozen=True, slots=True)
class Constraint:
    """One of ``recall >= r``, ``specificity >= s``, ``fpr <= x``, on the rows of one class of a sweep.

    ``share`` is the part of the class at or beyond the cut that the constraint speaks of: r, 1 - s or x.
    """

    name: str
    level: float
    sweep: Sweep

    @property
    def share(self) -> float:
        """What part of the class lies at or beyond the cut."""
        return 1 - self.level if self.name == "specificity" else self.level

    @property
    def of_positives(self) -> bool:
        """Whether it speaks of the positives."""
        return self.name == "recall"

    @property
    def n(self) -> int:
        """Rows of the class."""
        return self.sweep.n_pos if self.of_positives else self.sweep.n_neg

    @property
    def seen(self) -> Any:
        """(k,) rows of the class at or beyond each score."""
        return self.sweep.tp if self.of_positives else self.sweep.fp

    def row_of(self, rank: int) -> int:
        """Row of the sweep that holds the class's ``rank``-th strictest score, 1 the strictest. O(k)."""
        return int(np.searchsorted(self.seen, rank))

    def score(self, row: int) -> Any:
        """The score of a row of the sweep, as the Python value it is."""
        return as_cut(self.sweep.scores[row])

    def in_sample(self) -> int:
        """Row of the cut that meets the constraint in the sample: strictest for recall, most lenient else; -1: none."""
        if self.of_positives:
            return int(np.searchsorted(self.seen / self.n, self.level))
        if self.name == "fpr":
            return int(np.searchsorted(self.seen / self.n, self.level, "right")) - 1
        return int(np.searchsorted(-((self.n - self.seen) / self.n), -self.level, "right")) - 1

    def __str__(self) -> str:
        """Give it as text, such as ``recall >= 0.9``."""
        return f"{self.name} {SIGNS[self.name]} {self.level!r}"

    def cdf(self, k: int) -> float:
        """P(K <= k) where K ~ Binomial(n, share) counts the class beyond the population's cut. O(1)."""
        from scipy.special import betaincc

        if k < 0 or k >= self.n:
            return float(k >= self.n)
        return float(betaincc(k + 1, self.n - k, self.share))

    def rank_at_most(self, tail: float) -> int:
        """The largest rank m with P(K <= m - 1) <= tail; 0 if there is none. O(log n)."""
        return bisect_right(range(self.n + 1), tail, key=self.cdf)

    def rank_at_least(self, mass: float) -> int:
        """The smallest rank m with P(K <= m - 1) >= mass; at most n + 1. O(log n)."""
        return bisect_left(range(self.n + 1), mass, key=self.cdf) + 1


def one_constraint(sweep: Sweep, wanted: Mapping[str, object], what: str) -> Constraint:
    """Take the one constraint given; anything else given has no effect here and is an error.

    Raises
    ------
    OptionError
        If not exactly one of recall, specificity and fpr is given, or it does not lie in (0, 1).
    NotAvailableError
        For weighted rows: order statistics count rows.
    UndefinedMeasureError
        If the class has no row.
    """
    given = {name: value for name, value in wanted.items() if value is not None}
    for name, value in given.items():
        if name not in SIGNS:
            raise OptionError(name, value, f"left out: {what} needs recall, specificity or fpr", f"{name}=None")
    if len(given) != 1:
        raise OptionError("recall, specificity, fpr", given or None, f"one of the three for {what}", "recall=0.9")
    ((name, value),) = given.items()
    level = check_number(name, value)
    if not 0 < level < 1:
        raise OptionError(name, value, "between 0 and 1, both excluded: no sample vouches for all", f"{name}=0.9")
    if sweep.weights is not None:
        raise NotAvailableError(
            f"{what} of weighted rows (order statistics count rows)",
            "leave sample_weight out; repeated rows go in through Sweep.from_counts",
        )
    need(sweep, what, "positives" if name == "recall" else "negatives")
    return Constraint(name, float(level), sweep)


ORDER_STATISTICS = Note(
    "order-statistics",
    "from order statistics of one class: holds for any distribution of independent rows, ties included",
    "由单一类别的次序统计量得出：对任意分布的独立样本成立，允许相同得分",
)
