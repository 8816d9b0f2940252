"""ROC-AUC and average precision as floats: binary, multiclass, multilabel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocsolid import _kernel
from rocsolid.errors import InputError, ShapeError, warn
from rocsolid.inputs.arrays import Array, BoolArray
from rocsolid.keys import matrix_to_kernel
from rocsolid.sklearn._arrays import (
    Floats,
    as_classes,
    check_lengths,
    check_not_nan,
    codes_of,
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
from rocsolid.sklearn._averages import average_columns, average_pairs, one_hot
from rocsolid.sklearn._checks import (
    check_arrays,
    check_average,
    check_choice,
    check_label,
    check_max_fpr,
    check_weights,
    warn_undefined,
)
from rocsolid.sklearn._curves import auc, running
from rocsolid.sklearn._table import Binary, Table, exact_weights, nan_or, rows, tabulate, threads

ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case: it is nan"


def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    sample_weight: Any = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: Any = None,
) -> Any:
    """Area under the ROC curve, exact and rounded once: the share of pairs in order, ties counting half.

    Parameters
    ----------
    y_true : (n,) labels, the larger of two being positive, or an (n, k) indicator of k labels.
    y_score : (n,) scores; (n, k) for k labels or k classes, the latter adding up to 1 in each row.
    average : for k labels or classes: ``"macro"``, ``"weighted"`` by the size of each, ``"micro"`` (all cells
        together), ``"samples"`` (by rows; not for classes), or ``None`` for all k values.
    sample_weight : (n,) weights; rows of weight zero are absent.
    max_fpr : the standardised partial area up to this false positive rate (McClish 1989); not for classes.
    multi_class : ``"ovr"``, one class against the rest, or ``"ovo"``, all pairs of classes (Hand & Till 2001).
    labels : the k classes in the order of the columns, sorted; those of ``y_true`` by default.

    Returns
    -------
    float, or (k,) float64 with ``average=None``; nan with an ``UndefinedMetricWarning`` where a class is missing.

    Raises
    ------
    InputError
        For data that do not fit together, NaN, class scores that do not add up to 1.
    ParameterError, OptionError
        For options that are not allowed, or not for several classes.

    Notes
    -----
    O(n log n) for each label or class; O(k n log n) for ``"ovo"``.

    Examples
    --------
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    >>> roc_auc_score([[1, 0], [0, 1], [1, 1]], [[0.9, 0.2], [0.1, 0.7], [0.3, 0.1]], average=None)
    array([1. , 0.5])
    """
    check_arrays({"y_true": y_true, "y_score": y_score})
    check_weights(sample_weight)
    check_average(average)
    check_max_fpr(max_fpr)
    check_choice("multi_class", multi_class, ("raise", "ovr", "ovo"))
    if labels is not None:
        check_arrays({"labels": labels})
    y, s = to_array(y_true, "y_true"), to_array(y_score, "y_score")
    limit = None if max_fpr is None or max_fpr == 1 else float(max_fpr)
    positive = zero_one(y) if s.ndim == 1 else None
    if positive is not None:
        return binary_roc_auc(rows(positive, s, read_weights(sample_weight)), limit)
    check_lengths({"y_true": y, "y_score": s})
    kind, found = target_kind(y)
    if kind == "multiclass" or (kind == "binary" and s.ndim == 2 and s.shape[1] > 2):
        if limit is not None:
            raise InputError(
                "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set to `None`, "
                f"received `max_fpr={max_fpr}` instead"
            )
        return _multiclass(y, s, found, multi_class, average, labels, sample_weight)
    if kind == "binary":
        larger = equal(one_column(y, "y_true"), found[-1])
        if len(found) < 2:
            larger = np.zeros_like(larger)
        return binary_roc_auc(rows(larger, s, read_weights(sample_weight)), limit)
    if kind != "multilabel-indicator":
        raise unsupported(kind)
    implied_label(found)
    _same_shape(y, s)
    each = _roc_aucs if limit is None else None
    weights = read_weights(sample_weight)
    return average_columns(lambda one: binary_roc_auc(one, limit), each, y == 1, s, average, weights, y)


def _one_column_a_class(s: Array) -> InputError:
    return InputError(
        "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. "
        f"Got `y_score.shape={s.shape}`.",
        "pass one column a class",
    )


def _same_shape(y: Array, s: Array) -> None:
    if s.shape != y.shape:
        raise ShapeError("y_score", s.shape, f"of the shape of y_true, {y.shape}", "pass one column a label")


def _multiclass(
    y: Array, s: Array, found: Array, multi_class: str, average: str | None, labels: Any, sample_weight: Any
) -> Any:
    """One class against the rest, or each pair of classes."""
    if multi_class == "raise":
        raise InputError("multi_class must be in ('ovo', 'ovr') for more than two classes", "multi_class='ovr'")
    if s.ndim != 2:
        raise _one_column_a_class(s)
    check_not_nan(s, "y_score")
    if not np.allclose(1, s.sum(axis=1)):
        raise InputError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum up to 1.0 over classes"
        )
    allowed = ("micro", "macro", "weighted", None) if multi_class == "ovr" else ("macro", "weighted", None)
    if average not in allowed:
        raise InputError(f"average must be one of {allowed} for multiclass problems, found {average!r}")
    y = one_column(y, "y_true")
    codes = codes_of(y, _classes(y, found, labels, s.shape[1]))
    assert codes is not None
    if multi_class == "ovr":
        weights = read_weights(sample_weight)
        hot = one_hot(codes, s.shape[1])
        return average_columns(lambda one: binary_roc_auc(one, None), _roc_aucs, hot, s, average, weights, hot)
    if average is None:
        raise NotImplementedError("average=None is not implemented for multi_class='ovo'.")
    if sample_weight is not None:
        raise InputError(
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, "
            "'sample_weight' must be None in this case."
        )
    return average_pairs(lambda pair: binary_roc_auc(pair, None), codes, s, average)


def _classes(y: Array, found: Array, labels: Any, columns: int) -> Array:
    """The classes in the order of the columns."""
    if labels is None:
        if len(found) != columns:
            raise InputError(
                f"Number of classes in y_true not equal to the number of columns in 'y_score': {len(found)}, {columns}",
                "pass labels= with all classes",
            )
        return found
    classes = as_classes(labels)
    distinct = np.unique(classes)
    if len(distinct) != len(classes):
        raise InputError("Parameter 'labels' must be unique: a class is named twice")
    if not np.array_equal(distinct, classes):
        raise InputError("Parameter 'labels' must be ordered: sort the classes, and the columns with them")
    if len(classes) != columns:
        raise InputError(
            f"Number of given labels, {len(classes)}, not equal to the number of columns in 'y_score', {columns}"
        )
    if codes_of(y, classes) is None:
        raise InputError("'y_true' contains labels not in parameter 'labels'")
    return classes


# ----------------------------------------------------------------------------------------- binary values


def binary_roc_auc(data: Binary, limit: float | None) -> float:
    """ROC-AUC of one column, or its standardised part up to ``limit``; nan with a warning without both classes."""
    if limit is not None:
        return _partial(data, limit)
    if data.weights is None:
        try:
            u2, n_pos, n_neg, _ = _kernel.areas(data.scores, data.positive, threads(len(data.scores)))
        except ValueError:
            raise nan_or(data) from None
        return u2 / (2 * n_pos * n_neg) if n_pos and n_neg else warn_undefined(ONE_CLASS)
    value = _weighted_areas(data)
    if value is not None:
        return value[0] if value[0] == value[0] else warn_undefined(ONE_CLASS)
    table = tabulate(data)
    tps, fps = running(table.pos), running(table.neg)
    if tps[-1] <= 0 or fps[-1] <= 0:
        return warn_undefined(ONE_CLASS)
    return auc(np.append(0.0, fps) / fps[-1], np.append(0.0, tps) / tps[-1])


def _roc_aucs(positive: BoolArray, scores: Array) -> Floats:
    """ROC-AUC of every column; nan, each with a warning, where one lacks a class."""
    values, _, n_pos, n_neg = _columns(positive, scores)
    for j in np.flatnonzero((n_pos == 0) | (n_neg == 0)).tolist():
        values[j] = warn_undefined(ONE_CLASS)
    return values


def _precisions(positive: BoolArray, scores: Array) -> Floats:
    """Average precision of every column; 0, each with a warning, where one has no positives."""
    _, values, n_pos, _ = _columns(positive, scores)
    for j in np.flatnonzero(n_pos == 0).tolist():
        values[j] = _no_positives()
    return values


def _columns(positive: BoolArray, scores: Array) -> tuple[Floats, Floats, Array, Array]:
    """Areas and class sizes of every column, in one call."""
    dtype = scores.dtype
    if is_ranked(dtype):
        wide, _ = ordered(scores)
    else:
        wide = matrix_to_kernel(scores.astype(dtype.newbyteorder("="), copy=False))
    try:
        found = _kernel.areas_of_tables(wide, positive, threads(scores.size))
    except ValueError:
        raise contains_nan("y_score", np.isnan(scores)) from None
    assert found is not None
    return found


def _weighted_areas(data: Binary) -> tuple[float, float] | None:
    """Both areas of exact weight sums; ``None`` where the weights are negative or too far apart."""
    assert data.weights is not None
    scaled = exact_weights(data.weights)
    if scaled is None:
        return None
    return _kernel.weighted_areas_of_rows(data.scores, data.positive, scaled[0], threads(len(data.scores)))


def _partial(data: Binary, limit: float) -> float:
    table = tabulate(data)
    tps, fps = running(table.pos), running(table.neg)
    if not (tps[-1] > 0 and fps[-1] > 0):
        return warn_undefined(ONE_CLASS)
    fpr, tpr = np.append(0.0, fps / fps[-1]), np.append(0.0, tps / tps[-1])
    stop = int(np.searchsorted(fpr, limit, side="right"))
    height = np.interp(limit, fpr[stop - 1 : stop + 1], tpr[stop - 1 : stop + 1])
    area = auc(np.append(fpr[:stop], limit), np.append(tpr[:stop], height))
    chance = limit * limit / 2
    return float((1 + (area - chance) / (limit - chance)) / 2)


def average_precision_score(
    y_true: Any, y_score: Any, *, average: str | None = "macro", pos_label: Any = 1, sample_weight: Any = None
) -> Any:
    """Average precision, rounded once: the mean over positives of the precision at their score.

    Parameters
    ----------
    y_true : (n,) labels of two or more classes, or an (n, k) indicator of k labels.
    y_score : (n,) scores; (n, k) for k labels or classes.
    average : as in :func:`roc_auc_score`; all four words for classes too.
    pos_label : the positive of two labels; fixed to 1 for an indicator or several classes.
    sample_weight : (n,) weights; rows of weight zero are absent.

    Returns
    -------
    float, or (k,) float64 with ``average=None``; 0 with a ``UserWarning`` where there is no positive.

    Raises
    ------
    InputError
        For data that do not fit together, NaN, a ``pos_label`` that is none of two labels.
    ParameterError
        For options that are not allowed.

    Notes
    -----
    O(n log n) for each label or class.

    Examples
    --------
    >>> average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8333333333333334
    """
    check_arrays({"y_true": y_true, "y_score": y_score})
    check_weights(sample_weight)
    check_average(average)
    check_label(pos_label, none=False)
    y, s = to_array(y_true, "y_true"), to_array(y_score, "y_score")
    positive = zero_one(y) if s.ndim == 1 and pos_label == 1 and not isinstance(pos_label, str) else None
    if positive is not None:
        return binary_average_precision(rows(positive, s, read_weights(sample_weight)))
    kind, found = target_kind(y)
    if kind == "binary":
        if len(found) == 2 and not equal(found, pos_label).any():
            raise InputError(f"pos_label={pos_label} is not a valid label. It should be one of {found}")
        return binary_average_precision(rows(equal(one_column(y, "y_true"), pos_label), s, read_weights(sample_weight)))
    if kind not in ("multiclass", "multilabel-indicator"):
        raise unsupported(kind)
    if pos_label != 1:
        raise InputError(
            f"Parameter pos_label is fixed to 1 for {kind} y_true. Do not set pos_label or set pos_label to 1."
        )
    if kind == "multilabel-indicator":
        check_lengths({"y_true": y, "y_score": s})
        hot, support = y == 1, y
    else:
        codes = codes_of(one_column(y, "y_true"), found)
        assert codes is not None
        hot = support = one_hot(codes, len(found))
        if s.shape != hot.shape:
            raise _one_column_a_class(s)
    _same_shape(hot, s)
    weights = read_weights(sample_weight)
    return average_columns(binary_average_precision, _precisions, hot, s, average, weights, support)


def binary_average_precision(data: Binary) -> float:
    """Average precision of one column; 0 with a warning without positives."""
    if data.weights is None:
        try:
            _, n_pos, _, value = _kernel.areas(data.scores, data.positive, threads(len(data.scores)))
        except ValueError:
            raise nan_or(data) from None
        return value if n_pos else _no_positives()
    both = _weighted_areas(data)
    if both is None:
        return _signed_average_precision(tabulate(data))
    return both[1] if not math.isnan(both[1]) else _no_positives()


def _no_positives() -> float:
    warn("No positive class found in y_true, recall is set to one for all thresholds: the value is 0", UserWarning)
    return 0.0


def _signed_average_precision(table: Table) -> float:
    """With negative weights: the sum of recall gained times precision, not below zero."""
    tps = running(table.pos)
    called = tps + running(table.neg)
    if tps[-1] == 0:
        return _no_positives()
    precision: Floats = np.divide(tps, called, out=np.zeros_like(tps), where=called != 0)
    return max(0.0, float((table.pos * precision).sum() / tps[-1]))
