"""The top of the list: precision, recall and lift when the k rows with the strictest scores are flagged.

A block of tied scores that the cut goes through gives what it gives on average over the orders of its rows: its
positives in the proportion of the part that is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rocsolid.errors import OptionError
from rocsolid.measures.registry import Measure, Value, register
from rocsolid.options import as_typed, check_count, check_share
from rocsolid.results import Note, Undefined
from rocsolid.sweep import Sweep

Size = Fraction | int | float


def quotient(a: Any, b: Any) -> Fraction | float:
    """a / b, exact unless one of them is a float."""
    if isinstance(a, float) or isinstance(b, float):
        return float(a / b)
    return Fraction(*(v if isinstance(v, Fraction) else int(v) for v in (a, b)))


def positives(sweep: Sweep) -> int | float:
    """Positives: rows, or their weight."""
    return sweep.n_pos if sweep.weights is None else float(sweep.pos_mass.sum())


def _rows(sweep: Sweep) -> int | float:
    n = sweep.n_pos + sweep.n_neg
    return n if sweep.weights is None else float(sweep.pos_mass.sum()) + float(sweep.neg_mass.sum())


@dataclass(frozen=True, slots=True)
class Cut:
    """Positives above the block that the cut goes through; of the block: positives, rows, and rows taken."""

    above: Any
    pos: Any
    rows: Any
    taken: Any

    @property
    def hits(self) -> Any:
        """Positives among the flagged rows, on average over the orders of the block."""
        return self.above + quotient(self.pos * self.taken, self.rows)


def cut_after(sweep: Sweep, size: Size) -> Cut:
    """Find the block of scores in which the flagged rows reach ``size``, 0 < size <= rows. O(k)."""
    pos = sweep.pos_mass
    total = pos + sweep.neg_mass
    flagged, tp = np.cumsum(total), np.cumsum(pos)
    whole = size if isinstance(size, float) else math.ceil(size)
    at = min(int(np.searchsorted(flagged, whole)), len(sweep) - 1)
    kind = int if sweep.weights is None else float
    p, rows = kind(pos[at]), kind(total[at])
    return Cut(kind(tp[at]) - p, p, rows, min(size - (kind(flagged[at]) - rows), rows))


def expected_hits(sweep: Sweep, size: Size) -> Fraction | float:
    """Positives among the first ``size`` rows, on average over the orders of tied rows. O(k).

    Examples
    --------
    One positive on top, then one positive and two negatives tied, of which one is taken:

    >>> expected_hits(Sweep.from_arrays([1, 1, 0, 0], [9, 5, 5, 5]), 2)
    Fraction(4, 3)
    """
    hits: Fraction | float = cut_after(sweep, size).hits
    return hits


@dataclass(frozen=True, slots=True)
class TopK:
    """How many rows are flagged: ``k``, a whole number, or ``share``, a part of all rows; with weights, of weight.

    Examples
    --------
    >>> TopK(share=0.1).k is None
    True
    """

    k: int | None = None
    share: float | None = None

    def __post_init__(self) -> None:
        """Refuse both, none, and sizes that flag nothing."""
        hint = 'for example "precision_at_k(k=10)" or "precision_at_k(share=0.1)"'
        if (self.k is None) == (self.share is None):
            raise OptionError("k and share", (self.k, self.share), "one of the two", hint)
        if self.k is not None:
            object.__setattr__(self, "k", check_count("k", self.k, 1))
        elif check_share("share", self.share, ends=True, hint=hint) == 0:
            raise OptionError("share", self.share, "a number above 0, and at most 1", hint)

    def size(self, sweep: Sweep) -> Size:
        """Rows to flag; a share of the rows may be no whole number."""
        if self.share is None:
            return self.k or 0
        rows = _rows(sweep)
        return self.share * rows if isinstance(rows, float) else as_typed(self.share) * rows


def _measured(formula: Callable[[Any, Any, Sweep], Fraction | float]) -> Callable[[Sweep, TopK], Value]:
    """Make a measure of a function of positives flagged, rows flagged and the sweep."""

    def value(sweep: Sweep, options: TopK) -> Value:
        size = options.size(sweep)
        if size > _rows(sweep):
            n = f"{_rows(sweep):,}"
            return Undefined(Note("too-few-rows", f"there are only {n} rows to flag", f"只有 {n} 行可供判定"))
        return formula(expected_hits(sweep, size), size, sweep)

    return value


def _tie_details(sweep: Sweep, options: TopK) -> Mapping[str, float]:
    """Rows tied at the cut, and how many positives the flagged rows hold in the worst and the best order of them."""
    cut = cut_after(sweep, options.size(sweep))
    if cut.taken == cut.rows:
        return {"tied_at_cut": 0}
    fewest, most = max(0, cut.taken - (cut.rows - cut.pos)), min(cut.pos, cut.taken)
    return {
        "tied_at_cut": cut.rows,
        "fewest_positives": float(cut.above + fewest),
        "most_positives": float(cut.above + most),
    }


def _at_k(
    name: str,
    aliases: tuple[str, ...],
    titles: tuple[str, str],
    definitions: tuple[str, str],
    formula: Callable[[Any, Any, Sweep], Fraction | float],
    top: float = 1.0,
    needs: tuple[str, ...] = ("positives",),
) -> Measure[Any, Any]:
    return register(
        Measure(
            name=name,
            aliases=aliases,
            title=titles[0],
            title_zh=titles[1],
            definition=definitions[0],
            definition_zh=definitions[1],
            source="McSherry & Najork 2008, ECIR, LNCS 4956:414-421 (ties)",
            input="sweep",
            range=(0.0, top),
            better="higher",
            needs=frozenset(needs),
            options=TopK,
            value=_measured(formula),
            details=_tie_details,
        )
    )


PRECISION_AT_K = _at_k(
    "precision_at_k",
    ("top_k_precision",),
    ("Precision at k", "前 k 行的查准率"),
    (
        "Positives among the k strictest rows / k; mean over the orders of ties.",
        "得分最靠前的 k 行中正例数 / k；同分时取平均。",
    ),
    lambda hits, size, sweep: quotient(hits, size),
    needs=(),
)
RECALL_AT_K = _at_k(
    "recall_at_k",
    ("gain_at_k", "top_k_recall"),
    ("Recall at k", "前 k 行的查全率"),
    (
        "Positives among the k strictest rows / positives: the cumulative gain; mean over the orders of ties.",
        "得分最靠前的 k 行中正例数 / 全部正例数，即累积增益；同分时取平均。",
    ),
    lambda hits, size, sweep: quotient(hits, positives(sweep)),
)
LIFT_AT_K = _at_k(
    "lift_at_k",
    ("top_k_lift",),
    ("Lift at k", "前 k 行的提升度"),
    (
        "Precision at k / share of positives: how often more positives are found than by drawing rows at random.",
        "前 k 行的查准率 / 正例比例：相对随机抽取多找到正例的倍数。",
    ),
    lambda hits, size, sweep: quotient(hits * _rows(sweep), size * positives(sweep)),
    top=math.inf,
)
