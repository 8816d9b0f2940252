"""Averages of a binary score over labels, cells, rows or pairs of classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.inputs.arrays import Array, BoolArray
from rocsolid.sklearn._arrays import Floats, check_lengths, ordered
from rocsolid.sklearn._table import Binary, rows

Score = Callable[[Binary], float]
Each = Callable[[BoolArray, Array], Floats]
"""The score of every column at once, without weights."""
Codes = npt.NDArray[np.intp]


def one_hot(codes: Codes, k: int) -> BoolArray:
    """The (n, k) indicator of class numbers, its columns contiguous."""
    return np.asarray(codes == np.arange(k)[:, None]).T


def average_columns(
    score: Score,
    each: Each | None,
    positive: BoolArray,
    scores: Array,
    average: str | None,
    weights: Floats | None,
    support: Array,
) -> Any:
    """Average ``score`` over the columns of an indicator in one of the four ways, or give all its values.

    ``each``, if there is one, scores all columns in one call. ``support`` is the indicator as it came, by whose sums
    ``"weighted"`` weighs the columns.
    """
    check_lengths({"y_true": positive, "y_score": scores, "sample_weight": weights})
    k = positive.shape[1]
    if average == "micro":
        repeated = None if weights is None else np.repeat(weights, k)
        return score(rows(positive.ravel().view(np.uint8), scores.ravel(), repeated))
    if average == "samples":
        return _mean(_each(score, each, positive.T, scores.T, None), weights)
    shares = None
    if average == "weighted":
        shares = support.sum(axis=0) if weights is None else (support * weights[:, None]).sum(axis=0)
        if np.isclose(shares.sum(), 0.0):
            return 0
    values = _each(score, each, positive, scores, weights)
    if average is None:
        return values
    return _mean(values, shares)


def _mean(values: Floats, weights: Array | None) -> float:
    """What has weight 0 is absent, even if it has no value."""
    if weights is None:
        return float(values.mean())
    return float(np.average(np.where(weights == 0, 0.0, values), weights=weights))


def _each(score: Score, each: Each | None, positive: BoolArray, scores: Array, weights: Floats | None) -> Floats:
    """The score of every column."""
    if each is not None and weights is None:
        return each(positive, scores)
    return np.array([score(column) for column in _columns(positive, scores, weights)], np.float64)


def _columns(positive: BoolArray, scores: Array, weights: Floats | None) -> Iterator[Binary]:
    """Columns as the kernel takes them: scores are converted once, and laid out by columns."""
    flags = np.asfortranarray(positive).view(np.uint8)
    wide, restore = ordered(scores.T)  # in C order, so that its rows, our columns, are contiguous
    for j in range(positive.shape[1]):
        if weights is None:
            yield Binary(flags[:, j], wide[j], None, restore)
        else:
            yield rows(flags[:, j], wide[j], weights)


def average_pairs(score: Score, codes: Codes, scores: Array, average: str) -> np.float64:
    """Average over pairs of classes of both one-against-one scores; ``"weighted"`` by the rows of each pair."""
    by_class = [np.flatnonzero(codes == c) for c in np.unique(codes)]
    wide, restore = ordered(scores.T)
    values, sizes = [], []
    for first, second in combinations(by_class, 2):
        both = np.concatenate([first, second])
        flags = np.zeros(len(both), np.uint8)
        flags[: len(first)] = 1
        a, b = codes[first[0]], codes[second[0]]
        one = score(Binary(flags, wide[a][both], None, restore))
        other = score(Binary(1 - flags, wide[b][both], None, restore))
        values.append((one + other) / 2)
        sizes.append(len(both))
    shares = np.array(sizes) / len(codes) if average == "weighted" else None
    return np.float64(np.average(values, weights=shares))
