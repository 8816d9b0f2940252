"""Measures that look along rows: label ranking loss and top-k accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import InputError
from rocsolid.inputs.arrays import Array, BoolArray
from rocsolid.sklearn._arrays import (
    Floats,
    as_classes,
    check_finite,
    check_lengths,
    codes_of,
    one_column,
    ordered,
    read_weights,
    target_kind,
    to_array,
    unsupported,
)
from rocsolid.sklearn._checks import check_arrays, check_count, check_flag, check_weights, warn_undefined

CELLS = 1 << 20
"""Rows go in blocks of about so many cells, which bounds the memory."""


def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Mean over rows of the share of (relevant, irrelevant) label pairs in the wrong order; ties are wrong.

    Parameters
    ----------
    y_true : (n, k) indicator, dense or a SciPy sparse matrix.
    y_score : (n, k) finite scores.
    sample_weight : (n,) weights.

    Returns
    -------
    float : a row whose labels are all relevant, or none of them, counts 0.

    Raises
    ------
    InputError
        For a target that is no indicator, shapes that differ, NaN or infinity.
    ParameterError
        For arguments of the wrong kind.

    Notes
    -----
    O(n k log k), by blocks of rows; memory for about a million cells.

    Examples
    --------
    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]])
    0.75
    """
    if hasattr(y_true, "tocsr"):
        y_true = y_true.toarray()
    check_arrays({"y_true": y_true, "y_score": y_score})
    check_weights(sample_weight)
    y, s = to_array(y_true, "y_true"), to_array(y_score, "y_score")
    weights = read_weights(sample_weight, some=False)
    check_lengths({"y_true": y, "y_score": s, "sample_weight": weights})
    check_finite(s, "y_score")
    kind, _ = target_kind(y)
    if kind != "multilabel-indicator":
        raise unsupported(kind)
    if s.shape != y.shape:
        raise InputError(f"y_true and y_score have different shape: {y.shape} and {s.shape}", "pass one column a label")
    wide, relevant = ordered(s)[0], y != 0
    step = max(1, CELLS // y.shape[1])
    losses = [_row_losses(relevant[i : i + step], wide[i : i + step]) for i in range(0, len(y), step)]
    return float(np.average(np.concatenate(losses), weights=weights))


def _row_losses(relevant: BoolArray, scores: Array) -> Floats:
    """The share of wrong pairs of each row, from a sort along the rows."""
    n, k = scores.shape
    order = np.argsort(scores, axis=1)
    s = np.take_along_axis(scores, order, axis=1)
    good = np.take_along_axis(relevant, order, axis=1)
    # irrelevant labels below each place of the rising order; tied ones do not count as below
    below: Array = np.cumsum(~good, axis=1) - ~good
    new = np.ones((n, k), np.bool_)
    new[:, 1:] = s[:, 1:] != s[:, :-1]
    # below never falls along a row, so the last start of a run of ties is the largest so far
    below = np.maximum.accumulate(np.where(new, below, 0), axis=1)
    n_good = good.sum(axis=1)
    pairs = n_good * (k - n_good)
    right = np.where(good, below, 0).sum(axis=1)
    losses: Floats = (pairs - right) / np.maximum(pairs, 1)
    return losses


def top_k_accuracy_score(
    y_true: Any, y_score: Any, *, k: int = 2, normalize: bool = True, sample_weight: Any = None, labels: Any = None
) -> float:
    """Share of rows whose class is among the k classes with the highest scores; of tied ones the last is first.

    Parameters
    ----------
    y_true : (n,) labels.
    y_score : (n, c) scores of c classes in sorted order; (n,) for two classes, cut at 0.5 if all scores lie in
        [0, 1] and at 0 otherwise.
    k : how many classes count as a hit.
    normalize : False for the number of hits, or their weight.
    sample_weight : (n,) weights.
    labels : the c classes, sorted; those of ``y_true`` by default.

    Returns
    -------
    float : 1 with an ``UndefinedMetricWarning`` if there are no more than k classes.

    Raises
    ------
    InputError
        For classes and columns that do not fit together, NaN or infinity.
    ParameterError
        For arguments of the wrong kind.

    Notes
    -----
    O(nc).

    Examples
    --------
    >>> top_k_accuracy_score([0, 1, 2], [[0.5, 0.2, 0.3], [0.5, 0.3, 0.2], [0.4, 0.3, 0.3]], k=2)
    1.0
    """
    check_arrays({"y_true": y_true, "y_score": y_score})
    check_weights(sample_weight)
    check_flag("normalize", normalize)
    k = check_count("k", k)
    if labels is not None:
        check_arrays({"labels": labels})
    y = one_column(to_array(y_true, "y_true"), "y_true")
    s = to_array(y_score, "y_score")
    kind, found = target_kind(y)
    if kind not in ("binary", "multiclass"):
        raise InputError(f"y type must be 'binary' or 'multiclass', got {kind!r} instead")
    weights = read_weights(sample_weight, some=False)
    check_lengths({"y_true": y, "y_score": s, "sample_weight": weights})
    check_finite(s, "y_score")
    codes, s = _columns(y, s, kind, found, labels)
    classes = 2 if s.ndim == 1 else s.shape[1]
    if k >= classes:
        warn_undefined(
            f"'k' ({k}) greater than or equal to 'n_classes' ({classes}) will result in a perfect score and is "
            "therefore meaningless."
        )
        hits: Array = np.ones(len(y), np.bool_)
    elif s.ndim == 1:
        cut = 0.5 if s.min() >= 0 and s.max() <= 1 else 0.0
        hits = (s > cut) == codes
    else:
        hits = _ahead(s, codes) < k
    if normalize:
        return float(np.average(hits, weights=weights))
    return float(hits.sum() if weights is None else np.dot(hits, weights))


def _ahead(s: Array, codes: npt.NDArray[np.intp]) -> Array:
    """How many classes go before each row's own: those with higher scores, and later ones with the same."""
    own = np.take_along_axis(s, codes[:, None], axis=1)
    higher: Array = np.count_nonzero(s > own, axis=1)
    tied = s == own
    if np.count_nonzero(tied) > len(s):
        higher += np.count_nonzero(tied & (np.arange(s.shape[1]) > codes[:, None]), axis=1)
    return higher


def _columns(y: Array, s: Array, kind: str, found: Array, labels: Any) -> tuple[npt.NDArray[np.intp], Array]:
    """The place of each row's class among the columns, and the scores without a needless second dimension."""
    classes = found
    if labels is not None:
        classes = as_classes(labels)
        if len(np.unique(classes)) != len(classes):
            raise InputError("Parameter 'labels' must be unique: a class is named twice")
        if not np.array_equal(np.unique(classes), classes):
            raise InputError("Parameter 'labels' must be ordered: sort the classes, and the columns with them")
        if len(classes) > 2:
            kind = "multiclass"
    if s.ndim == 2 and s.shape[1] == 1 and len(classes) == 2:
        s = s[:, 0]
    if s.ndim == 1 and kind == "multiclass":
        raise InputError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. "
            f"Got `y_score.shape={s.shape}`."
        )
    if s.ndim == 2 and kind == "binary":
        raise InputError(
            f"`y_true` is binary while y_score is 2d with {s.shape[1]} classes. If `y_true` does not contain all the "
            "labels, `labels` must be provided"
        )
    columns = 2 if s.ndim == 1 else s.shape[1]
    if len(classes) != columns:
        what = "Number of classes in 'y_true'" if labels is None else "Number of given labels"
        raise InputError(
            f"{what} ({len(classes)}) not equal to the number of classes in 'y_score' ({columns}).",
            "You can provide a list of all known classes by assigning it to the `labels` parameter",
        )
    codes = codes_of(y, classes)
    if codes is None:
        raise InputError("'y_true' contains labels not in parameter 'labels'.")
    return codes, s
