"""Concordance of predictions with outcomes: pairs of rows, counted row by row without looking at each pair.

For a row, the rows that lie below it in both orders are those that come before it and have a smaller rank, once all are
sorted by outcome. Such counts are sums over the bits of the rank: two ranks are in the order of the highest bit in
which they differ. So the rows are dealt, bit by bit, into halves of equal higher bits, and each row of an upper half
counts those of the lower half before it; log2(n) passes, each O(n), whole numbers throughout where there are no
weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class RowPairs:
    """For each row, the rows it makes a pair with: counts, or sums of their weights.

    Attributes
    ----------
    comparable : rows with another outcome.
    concordant : those that the prediction puts on the same side as the outcome.
    tied : those with the same prediction.
    """

    comparable: Numbers
    concordant: Numbers
    tied: Numbers


def row_pairs(y: Floats, p: Floats, weight: Floats | None = None) -> RowPairs:
    """Count the pairs of each row. O(n log n); the same bits for any order of rows.

    Examples
    --------
    >>> y, p = np.array([1.0, 2.0, 2.0, 3.0]), np.array([5.0, 5.0, 7.0, 6.0])
    >>> pairs = row_pairs(y, p)
    >>> pairs.comparable.tolist(), pairs.concordant.tolist(), pairs.tied.tolist()
    ([3, 2, 2, 3], [2, 1, 1, 2], [1, 1, 0, 0])
    """
    _, y_rank = np.unique(y, return_inverse=True)
    _, p_rank = np.unique(p, return_inverse=True)
    every = np.ones(len(y), np.int64) if weight is None else weight
    # Within one outcome high predictions come first, so that a row before another with a smaller rank has a smaller
    # outcome too. By weight last: sums of weights then do not depend on the order in which rows came.
    order = np.lexsort((every, -p_rank, y_rank))
    outcome, rank, w = y_rank[order], p_rank[order], every[order]
    same_y, same_p = _sums_by(outcome, w), _sums_by(rank, w)
    _, both = np.unique(outcome * (int(rank.max()) + 1) + rank, return_inverse=True)
    found = (w.sum() - same_y, below_and_above(rank, w), same_p - _sums_by(both, w))
    back = np.empty_like(order)
    back[order] = np.arange(len(y))
    return RowPairs(*(part[back] for part in found))


def _sums_by(group: Numbers, w: Numbers) -> Numbers:
    """Sum of the weights of each row's group; counts stay whole numbers."""
    sums = np.bincount(group) if w.dtype.kind == "i" else np.bincount(group, w)
    return np.asarray(sums[group])


def below_and_above(rank: Numbers, w: Numbers) -> Numbers:
    """For each row, add the weights of the rows before it with a smaller rank and after it with a larger one.

    Examples
    --------
    >>> below_and_above(np.array([2, 0, 1]), np.array([1, 1, 1])).tolist()
    [0, 1, 1]
    """
    total, at, place = np.zeros_like(w), np.arange(len(rank)), np.arange(len(rank))
    first = np.zeros(len(rank), np.intp)  # of the block of equal higher bits that a place is in
    for bit in reversed(range(int(rank.max()).bit_length())):
        upper = (rank[at] >> bit) & 1 == 1
        here = w[at]
        lows, highs = _before(np.where(upper, 0, here), first), _after(np.where(upper, here, 0), first)
        total[at] += np.where(upper, lows, highs)
        below = _before(~upper, first)  # rows of the lower half before each, in its block
        middle = first + below + _after(~upper, first) + ~upper
        to = np.where(upper, middle + place - first - below, first + below)
        at[to], first[to] = at.copy(), np.where(upper, middle, first)
    return total


def _before(values: Numbers, first: Numbers) -> Numbers:
    """Sums of the values that come before each in its block."""
    through = np.cumsum(values) - values
    return np.asarray(through - through[first])


def _after(values: Numbers, first: Numbers) -> Numbers:
    """Sums of the values that come after each in its block."""
    through = np.cumsum(values)
    ends = np.flatnonzero(np.append(first[1:] != first[:-1], True))  # the last place of each block, in order
    sizes = np.diff(np.append(-1, ends))
    return np.asarray(np.repeat(through[ends], sizes) - through)


@dataclass(frozen=True, slots=True)
class PairTotals:
    """Pairs with different outcomes, by what the predictions do; with weights sums of products of weights."""

    concordant: int | float
    tied: int | float
    comparable: int | float


def pair_totals(pairs: RowPairs, weight: Floats | None = None) -> PairTotals:
    """Add up the pairs of the rows, each of which is there twice."""
    parts = (pairs.concordant, pairs.tied, pairs.comparable)
    if weight is None:
        a, b, c = (sum(part.tolist()) // 2 for part in parts)  # whole numbers without an upper bound
        return PairTotals(a, b, c)
    return PairTotals(*(math.fsum((weight * part).tolist()) / 2 for part in parts))
