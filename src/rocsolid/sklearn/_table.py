"""Labels and scores of a binary problem, and the table of their distinct scores, out of the kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rocsolid import _kernel
from rocsolid.errors import InputError, WeightError
from rocsolid.inputs import scale_weights
from rocsolid.inputs.arrays import Array
from rocsolid.options import get_num_threads
from rocsolid.sklearn._arrays import (
    Flags,
    Floats,
    check_lengths,
    check_not_nan,
    contains_nan,
    equal,
    implied_label,
    is_ranked,
    one_column,
    ordered,
    read_weights,
    target_kind,
    to_array,
    unsupported,
    zero_one,
)

WORTH_A_THREAD = 250_000
"""With fewer rows the kernel stays on one thread, and how many there could be need not be looked up."""


def threads(n: int) -> int:
    """The threads for n rows; they change no bit of a result."""
    return 1 if n < WORTH_A_THREAD else get_num_threads()


class Binary(NamedTuple):
    """Rows of a binary problem, ready for the kernel, and the way back to the dtype of the scores."""

    positive: Flags
    scores: Array
    weights: Floats | None
    restore: Callable[[Array], Array]
    ranked: bool = False
    """Whether the kernel gets ranks, because it does not know the scores' dtype."""


class Table(NamedTuple):
    """Distinct scores from strict to lenient, with the positives and negatives (or their weight) at each."""

    scores: Array
    pos: Array
    neg: Array


def read_binary(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> Binary:
    """Validate labels, scores and weights for the curves.

    Raises
    ------
    InputError
        For targets that are not binary, an open positive label, NaN, lengths that differ, weights that are
        all zero.
    """
    y, s, weights = to_array(y_true, "y_true"), to_array(y_score, "y_score"), read_weights(sample_weight)
    positive = zero_one(y) if pos_label is None or (pos_label == 1 and not isinstance(pos_label, str)) else None
    if positive is None:
        check_lengths({"y_true": y, "y_score": s, "sample_weight": weights})
        kind, labels = target_kind(y)
        if kind != "binary":
            raise unsupported(kind)
        positive = equal(one_column(y, "y_true"), implied_label(labels) if pos_label is None else pos_label)
    return rows(positive, s, weights)


def rows(positive: Flags, scores: Array, weights: Floats | None) -> Binary:
    """Put flags, scores and weights together."""
    if len(positive) != len(scores) or (weights is not None and len(weights) != len(positive)):
        check_lengths({"y_true": positive, "y_score": scores, "sample_weight": weights})
    column = one_column(scores, "y_score")
    wide, restore = ordered(column)
    if weights is not None:
        check_not_nan(wide, "y_score")  # the kernel leaves rows of weight zero out, and would not see theirs
    return Binary(np.ascontiguousarray(positive), wide, weights, restore, is_ranked(column.dtype))


def tabulate(rows: Binary) -> Table:
    """Count (or weigh) both classes at every distinct score. O(n log n)."""
    if rows.weights is None:
        try:
            scores, pos, neg, _ = _kernel.group(rows.scores, rows.positive, None, True, threads(len(rows.scores)))
        except ValueError:
            raise nan_or(rows) from None
        return Table(rows.restore(scores), pos, neg)
    scaled = exact_weights(rows.weights)
    if scaled is None:
        return _signed(rows)
    weights, exponent = scaled
    scores, _, _, sums = _kernel.group(rows.scores, rows.positive, weights, True, threads(len(weights)))
    assert sums is not None
    pos, neg = sums[0][0], sums[1][0]
    if exponent:
        pos, neg = np.ldexp(pos, exponent), np.ldexp(neg, exponent)
    return Table(rows.restore(scores), pos, neg)


def draw(rows: Binary, kind: str, keep: str) -> tuple[Array, ...]:
    """Draw a curve of rows without weights: its coordinates and thresholds, strict to lenient, from (0, 0) on.

    A point is left out only if ``keep`` says so: ``"corners"`` leaves out those on a straight line, ``"rises"`` and
    ``"later rises"`` those between two others with the same true positives.
    """
    try:
        return _kernel.curve(kind, keep, rows.scores, rows.positive, threads(len(rows.scores)))
    except ValueError:
        raise nan_or(rows) from None


def exact_weights(weights: Floats) -> tuple[Floats, int] | None:
    """Give weights as the kernel adds them exactly, and their exponent; ``None`` for negative or extreme ones."""
    if weights.min() < 0:
        return None
    try:
        return scale_weights(weights + 0.0)
    except WeightError:
        return None


def _signed(rows: Binary) -> Table:
    """The table of weights that may be negative, summed in plain float64."""
    assert rows.weights is not None
    there = rows.weights != 0
    scores, place = np.unique(rows.scores[there], return_inverse=True)
    positive, weights = rows.positive[there] != 0, rows.weights[there]
    pos = np.bincount(place[positive], weights[positive], len(scores))
    neg = np.bincount(place[~positive], weights[~positive], len(scores))
    return Table(rows.restore(scores[::-1]), pos[::-1], neg[::-1])


def nan_or(rows: Binary) -> InputError:
    """The error behind a refusal of the kernel: a score is NaN."""
    return contains_nan("y_score", np.isnan(rows.scores))
