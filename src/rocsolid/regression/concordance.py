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

from rocsolid.regression.sample import Sample

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


def row_pairs(sample: Sample) -> RowPairs:
    """Count the pairs of each row. O(n log n); the same bits for any order of rows.

    Examples
    --------
    >>> y, p = np.array([1.0, 2.0, 2.0, 3.0]), np.array([5.0, 5.0, 7.0, 6.0])
    >>> pairs = row_pairs(Sample(y, p))
    >>> pairs.comparable.tolist(), pairs.concordant.tolist(), pairs.tied.tolist()
    ([3, 2, 2, 3], [2, 1, 1, 2], [1, 1, 0, 0])
    """
    _, y_rank = np.unique(sample.y, return_inverse=True)
    _, p_rank = np.unique(sample.p, return_inverse=True)
    weight = np.ones(sample.n, np.int64) if sample.weight is None else sample.weight
    # Within one outcome high predictions come first, so that a row before another with a smaller rank has a smaller
    # outcome too. By weight last: sums of weights then do not depend on the order in which rows came.
    order = np.lexsort((weight, -p_rank, y_rank))
    y, p, w = y_rank[order], p_rank[order], weight[order]
    whole = w.sum()
    same_y, same_p = _sums_by(y, w), _sums_by(p, w)
    _, both = np.unique(y * (int(p.max()) + 1) + p, return_inverse=True)
    found = (whole - same_y, below_and_above(p, w), same_p - _sums_by(both, w))
    back = np.empty_like(order)
    back[order] = np.arange(sample.n)
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
    total, at = np.zeros_like(w), np.arange(len(rank))
    for bit in reversed(range(int(rank.max()).bit_length())):
        r, here = rank[at], w[at]
        upper = (r >> bit) & 1 == 1
        first = _starts(r >> (bit + 1))
        low, high = np.where(upper, 0, here), np.where(upper, here, 0)
        lows_before, highs_through = np.cumsum(low) - low, np.cumsum(high)
        lows = lows_before - lows_before[first]
        last = np.append(first[1:][first[1:] != first[:-1]], len(r)) - 1  # of each block, in order
        block = np.cumsum(np.append(True, first[1:] != first[:-1])) - 1
        highs = highs_through[last[block]] - highs_through
        total[at] += np.where(upper, lows, highs)
        at = at[np.argsort(r >> bit, kind="stable")]
    return total


def _starts(block: Numbers) -> Numbers:
    """Give, for each place, where its block of equal numbers begins."""
    new = np.append(True, block[1:] != block[:-1])
    return np.asarray(np.maximum.accumulate(np.where(new, np.arange(len(block)), 0)))


@dataclass(frozen=True, slots=True)
class PairTotals:
    """Pairs with different outcomes, by what the predictions do; with weights sums of products of weights."""

    concordant: int | float
    tied: int | float
    comparable: int | float


def pair_totals(sample: Sample, pairs: RowPairs) -> PairTotals:
    """Add up the pairs of the rows, each of which is there twice."""
    parts = (pairs.concordant, pairs.tied, pairs.comparable)
    if sample.weight is None:
        a, b, c = (sum(part.tolist()) // 2 for part in parts)  # whole numbers without an upper bound
        return PairTotals(a, b, c)
    return PairTotals(*(math.fsum((sample.weight * part).tolist()) / 2 for part in parts))
