"""``rs.gauc``: a measure within each group, in one pass over the rows however many groups there are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid import _kernel, keys
from rocsolid.errors import LengthError, MissingValueError, OptionError, ShapeError
from rocsolid.grouped.mean import FEW_GROUPS, GroupMean, mean_limits, weighted_mean
from rocsolid.inputs import nan_error, read_rows
from rocsolid.inputs.arrays import read_column
from rocsolid.options import check_choice, check_direction, check_level, check_number, get_num_threads
from rocsolid.results import Interval

Floats = npt.NDArray[np.float64]
AVERAGES = ("impressions", "clicks", "equal")
MEASURES = ("roc_auc", "average_precision", "ndcg")
DENSE = 8
"""Whole-number groups are taken as they are where their range is at most so many times the rows."""


def gauc(
    y_true: Any,
    y_score: Any,
    groups: Any,
    *,
    average: str = "impressions",
    measure: str = "roc_auc",
    k: int | None = None,
    pos_label: object = None,
    higher_is_positive: bool = True,
    missing: str = "raise",
    confidence_level: float = 0.95,
) -> GroupMean:
    """Average a measure over groups, such as the ROC-AUC of every user (GAUC).

    A pair of rows of different groups never counts: what differs between groups, such as how often they click, neither
    helps nor harms.

    Parameters
    ----------
    y_true, y_score : (n,) labels and scores, as in :func:`rocsolid.evaluate`.
    groups : (n,) labels of the groups.
    average : what a group weighs: ``"impressions"``, its rows (Zhou et al. 2018); ``"clicks"``, its positives;
        ``"equal"``.
    measure : ``"roc_auc"``; ``"average_precision"``; ``"ndcg"``, the normalised discounted gain of the first ``k``.
    k : of ``"ndcg"``: how many ranks count; by default all.
    pos_label, higher_is_positive, missing : as in :func:`rocsolid.evaluate`.
    confidence_level : of the interval: groups are a sample of groups, however their rows depend on each other.

    Returns
    -------
    GroupMean
        With ``n_groups`` that count, and ``without_positives``, ``without_negatives``: groups without a value. A group
        without positives has none of any measure; one without negatives none of the ROC-AUC.

    Raises
    ------
    InputError, OptionError, UnknownNameError
        For bad input or options.

    Notes
    -----
    O(n log n of the largest group); 16 bytes a row of memory. Tied scores share their ranks.

    Examples
    --------
    The first user's three pairs are in order, the second's one is not, the third never clicks:

    >>> gauc([1, 0, 0, 0, 1, 0], [9, 2, 1, 5, 4, 3], ["a", "a", "a", "b", "b", "c"]).value
    0.6
    >>> gauc([1, 0, 0, 0, 1, 0], [9, 2, 1, 5, 4, 3], ["a", "a", "a", "b", "b", "c"], average="equal").value
    0.5
    """
    check_choice("average", average, AVERAGES)
    check_choice("measure", measure, MEASURES)
    level, top = check_level(confidence_level), _ranks(measure, k)
    found, counts, pos_label = within_groups(
        y_true, y_score, groups, measure=measure, top=top, pos_label=pos_label,
        higher_is_positive=higher_is_positive, missing=missing,
    )  # fmt: skip
    pos, neg = counts
    has_pos, has_neg = pos > 0, neg > 0
    valid = has_pos & has_neg if measure == "roc_auc" else has_pos
    values, rows = found[valid], (pos + neg)[valid]
    weights = {"impressions": rows, "clicks": pos[valid], "equal": np.ones(len(values))}[average].astype(np.float64)
    mean, variance = weighted_mean(values, weights) if len(values) else (math.nan, math.nan)
    known = not math.isnan(variance)
    interval = None
    if known:
        low, high = mean_limits(values, weights, mean, variance, level)
        interval = Interval(low=low, high=high, confidence_level=level, method="effective-error")
    return GroupMean(
        measure=measure if k is None else f"{measure}(k={k})", average=average, value=mean,
        std_error=math.sqrt(variance) if known else None, interval=interval, n_groups=len(values),
        n_rows=int(rows.sum()), without_positives=int(np.count_nonzero(~has_pos & (pos + neg > 0))),
        without_negatives=int(np.count_nonzero(has_pos & ~valid)), pos_label=pos_label,
        notes=() if known else (FEW_GROUPS,),
    )  # fmt: skip


def within_groups(
    y_true: Any, y_score: Any, groups: Any, *, measure: str, top: int, pos_label: object, higher_is_positive: bool,
    missing: str,
) -> tuple[Floats, tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]], object]:  # fmt: skip
    """Value of each group (nan without one), its positives and negatives, and the positive label."""
    rows = read_rows(y_true, y_score, pos_label=pos_label, missing=missing, kernel_finds_nan=missing == "raise")
    codes = codes_within(groups, rows.kept, len(rows.positive) if rows.kept is None else len(rows.kept))
    direction = check_direction(higher_is_positive)
    try:
        pos, neg, twice_u, ap, ndcg = _kernel.areas_of_groups(
            keys.to_kernel(rows.scores)[0], rows.positive.view(np.uint8), codes, top, direction,
            get_num_threads(),
        )  # fmt: skip
    except ValueError:
        raise nan_error(rows.scores) from None
    counts = pos.astype(np.int64), neg.astype(np.int64)
    if measure != "roc_auc":
        return (ap if measure == "average_precision" else ndcg), counts, rows.pos_label
    pairs = 2.0 * counts[0] * counts[1]
    auc = np.divide(twice_u, pairs, out=np.full(len(pairs), np.nan), where=pairs > 0)
    return auc, counts, rows.pos_label


def codes_within(groups: Any, kept: npt.NDArray[np.bool_] | None, n: int) -> npt.NDArray[np.uint32]:
    """Number the groups of the rows that are kept, in no particular order; some numbers may have no row. O(n)."""
    column = read_column(groups, "groups")
    values = column.values
    if values.ndim != 1:
        raise ShapeError("groups", values.shape, "one group a row", "pass one column")
    if len(values) != n:
        raise LengthError({"y_true": n, "groups": len(values)})
    gone = column.missing
    if values.dtype.kind == "f" and np.isnan(values).any():
        gone = np.isnan(values) if gone is None else gone | np.isnan(values)
    if gone is not None and gone.any():
        raise MissingValueError("groups", np.flatnonzero(gone).tolist(), n)
    values = values if kept is None else values[kept]
    if values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < DENSE * len(values) and high - low < 2**32:
            out = np.empty(len(values), np.uint32)
            np.subtract(values, low, out=out, casting="unsafe")  # by blocks: no copy of 64 bits a row
            return out
    if values.dtype.kind == "O":
        place: dict[Any, int] = {}
        number = np.fromiter((place.setdefault(v, len(place)) for v in values.tolist()), np.uint32, len(values))
        return number
    return np.unique(values, return_inverse=True)[1].astype(np.uint32)


def _ranks(measure: str, k: object) -> int:
    """How many ranks count for the gain."""
    if k is None:
        return 2**62
    if measure != "ndcg":
        raise OptionError("k", k, f"left out for {measure}", "measure='ndcg'")
    number = check_number("k", k)
    if number < 1 or number != int(number):
        raise OptionError("k", k, "a whole number of ranks, 1 or more", "k=10")
    return int(number)
