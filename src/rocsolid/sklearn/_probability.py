"""Brier score and log loss of two or more classes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from rocsolid.errors import DtypeError, EmptyInputError, InputError, ShapeError, warn
from rocsolid.inputs.arrays import Array
from rocsolid.sklearn._arrays import (
    Floats,
    as_classes,
    check_finite,
    check_lengths,
    codes_of,
    equal,
    implied_label,
    one_column,
    read_weights,
    target_kind,
    to_array,
    zero_one,
)
from rocsolid.sklearn._averages import one_hot
from rocsolid.sklearn._checks import ParameterError, check_arrays, check_flag, check_label, check_weights


def _read_probabilities(y_proba: Any) -> Array:
    """Finite numbers in [0, 1], of the float dtype they came in; float64 if that is none.

    Only the range is checked where it holds: NaN and infinity lie outside every range.
    """
    p = to_array(y_proba, "y_proba")
    if p.dtype.kind != "f" or p.dtype.itemsize > 8 or not p.dtype.isnative:
        try:
            if p.dtype.kind == "c":
                raise TypeError
            p = p.astype(np.float64)
        except (TypeError, ValueError):
            raise DtypeError("y_proba", "real numbers", f"dtype {p.dtype}", "convert them to float64") from None
    if p.ndim not in (1, 2):
        raise ShapeError("y_proba", p.shape, "one probability a row, or one column a class", "pass one column a class")
    if not p.size:
        raise EmptyInputError("y_proba")
    low, high = p.min(), p.max()
    if not (low >= 0 and high <= 1):
        check_finite(p, "y_proba")
        what = f"greater than 1: {high}" if high > 1 else f"lower than 0 (y_prob contains values less than 0): {low}"
        raise InputError(
            f"y_prob contains values {what}; probabilities lie in [0, 1]", "nothing is clipped or squashed"
        )
    return p[:, 0] if p.ndim == 2 and p.shape[1] == 1 else p


def _weights_for(sample_weight: Any) -> Floats | None:
    weights = read_weights(sample_weight)
    if weights is not None and np.ndim(sample_weight) == 2:
        raise ShapeError("sample_weight", np.shape(sample_weight), "1D array or scalar", "pass one weight a row")
    return weights


def _classes_of(y: Array, p: Array, labels: Any) -> tuple[Array, Array | None]:
    """The place of each row's class among the columns, or the indicator that ``y`` is.

    Returns ``(codes, None)`` or ``(indicator, indicator)``; for one column of ``p`` there are two classes.
    """
    kind, found = target_kind(y)
    if kind not in ("binary", "multiclass", "multilabel-indicator"):
        raise InputError(f"Unknown label type: {kind}; expected classes in `y_true`")
    columns = 2 if p.ndim == 1 else p.shape[1]
    if kind == "multilabel-indicator":
        if labels is not None:
            raise InputError("`labels` go with one class a row, but y_true was no such: the object is an indicator")
        if y.shape[1] != columns:
            raise _class_count(np.arange(y.shape[1]), columns)
        return y != 0, y
    y = one_column(y, "y_true")
    if labels is None:
        if len(found) == 1:
            raise InputError(
                f"y_true contains only one label ({found[0]}). Please provide the list of all expected class labels "
                "explicitly through the labels argument."
            )
        if len(found) != columns:
            raise _class_count(found, columns)
        classes = found
    else:
        classes = _given(y, labels, columns)
    codes = codes_of(y, classes)
    assert codes is not None
    return codes, None


def _given(y: Array, labels: Any, columns: int) -> Array:
    """The classes that ``labels`` name, sorted; a warning if they were not."""
    given = as_classes(labels)
    if not len(given):
        raise InputError("`labels` names no class (y has 0 samples)")
    classes = np.unique(given)
    if codes_of(y, classes) is None:
        strange = ", ".join(sorted(map(repr, set(y.tolist()) - set(classes.tolist()))))
        raise InputError(f"y_true contains values {{{strange}}} not belonging to the passed labels {given.tolist()}.")
    if len(classes) < 2:
        raise InputError(f"The labels array needs to contain at least two labels, got {classes.tolist()}")
    if len(classes) != columns:
        raise InputError(
            "The number of classes in labels is different from that in y_prob. "
            f"Classes found in labels: {classes}, columns: {columns}"
        )
    if not np.array_equal(classes, given):
        warn(
            f"Labels passed were {given.tolist()}. But this function assumes labels are ordered lexicographically. "
            f"Pass the ordered labels={classes.tolist()} and ensure that the columns of y_prob correspond to this "
            "ordering.",
            UserWarning,
        )
    return classes


def _class_count(classes: Array, columns: int) -> InputError:
    return InputError(
        f"y_true and y_prob contain different number of classes: {len(classes)} vs {columns}. Please provide the true "
        f"labels explicitly through the labels argument. Classes found in y_true: {classes}"
    )


def _check_sums(p: Array) -> None:
    """Warn unless every row adds up to 1, to within the square root of its dtype's precision."""
    if p.ndim == 2 and not np.allclose(p.sum(axis=1), 1, rtol=float(np.sqrt(np.finfo(p.dtype).eps))):
        warn("The y_prob values do not sum to one: are they probabilities?", UserWarning)


def brier_score_loss(
    y_true: Any,
    y_proba: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    scale_by_half: bool | str = "auto",
) -> float:
    """Brier score: the mean squared distance between probabilities and what happened.

    Parameters
    ----------
    y_true : (n,) labels, or an (n, k) indicator.
    y_proba : (n,) probabilities of the positive label, or (n, k) of k classes in sorted order.
    sample_weight : (n,) weights.
    pos_label : the positive label for (n,) probabilities: 1 of 0/1 and -1/1, else the larger number; text needs it.
    labels : the k classes, by default those of ``y_true``.
    scale_by_half : True for a range of [0, 1], False for [0, 2]; ``"auto"`` halves for two classes.

    Returns
    -------
    float

    Raises
    ------
    InputError
        For values outside [0, 1], NaN, classes and columns that do not fit together, weights that are all zero.
    ParameterError
        For arguments of the wrong kind.

    Notes
    -----
    O(nk), in float64 for every dtype.

    Examples
    --------
    >>> brier_score_loss([0, 1, 1], [0.5, 0.5, 1.0])
    0.16666666666666666
    """
    check_arrays({"y_true": y_true, "y_proba": y_proba})
    check_weights(sample_weight)
    check_label(pos_label, none=True)
    if not (isinstance(scale_by_half, (bool, np.bool_)) or scale_by_half == "auto"):
        raise ParameterError("scale_by_half", scale_by_half, "True, False or 'auto'")
    if labels is not None:
        check_arrays({"labels": labels})
    y, p = to_array(y_true, "y_true"), _read_probabilities(y_proba)
    weights = _weights_for(sample_weight)
    check_lengths({"y_proba": p, "y_true": y, "sample_weight": weights})
    if p.ndim == 1:
        distance = p - _positives(y, pos_label)
        mean = _mean_square(distance, weights)
        return mean if scale_by_half else 2 * mean
    _check_sums(p)
    codes, indicator = _classes_of(y, p, labels)
    hot = one_hot(codes, p.shape[1]) if indicator is None else codes
    squares = np.square(p - hot, dtype=np.float64).sum(axis=1)
    halve = p.shape[1] == 2 if scale_by_half == "auto" else bool(scale_by_half)
    return float(np.average(squares, weights=weights)) * (0.5 if halve else 1.0)


def _positives(y: Array, pos_label: Any) -> Floats:
    """One for positive rows, else zero."""
    flags = zero_one(y) if pos_label is None or (pos_label == 1 and not isinstance(pos_label, str)) else None
    if flags is None:
        y = one_column(y, "y_true")
        kind, found = target_kind(y)
        if kind != "binary":
            raise InputError(
                f"The type of the target inferred from y_true is {kind} but should be binary according to the shape of "
                "y_prob."
            )
        if pos_label is None:
            pos_label = implied_label(found) if found.dtype.kind in "UO" else found[-1]
        flags = equal(y, pos_label)
    return flags.astype(np.float64)


def _mean_square(distance: Floats, weights: Floats | None) -> float:
    if weights is None:
        return float(np.dot(distance, distance)) / len(distance)
    return float(np.average(np.square(distance), weights=weights))


def log_loss(
    y_true: Any,
    y_proba: Any = None,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
    y_pred: Any = "deprecated",
) -> float:
    """Log loss: the mean of -ln of the probability that was given to what happened.

    Parameters
    ----------
    y_true : (n,) labels, or an (n, k) indicator.
    y_proba : (n,) probabilities of the larger of two labels, or (n, k) of k classes in sorted order. They are
        moved into [eps, 1 - eps] with the eps of their dtype, so the loss is finite.
    normalize : False for the sum in place of the mean.
    sample_weight : (n,) weights.
    labels : the classes, by default those of ``y_true``.
    y_pred : the old name of ``y_proba``; a ``FutureWarning`` until scikit-learn 1.11.

    Returns
    -------
    float

    Raises
    ------
    InputError
        For values outside [0, 1], NaN, one class only (without ``labels``), classes and columns that do not fit.
    ParameterError
        For arguments of the wrong kind.

    Notes
    -----
    O(nk), logarithms and sums in float64 for every dtype.

    Examples
    --------
    >>> log_loss([0, 1], [0.5, 0.5])
    0.6931471805599453
    """
    y_proba = _renamed(y_proba, y_pred)
    check_arrays({"y_true": y_true, "y_proba": y_proba})
    check_weights(sample_weight)
    check_flag("normalize", normalize)
    if labels is not None:
        check_arrays({"labels": labels})
    y, p = to_array(y_true, "y_true"), _read_probabilities(y_proba)
    weights = _weights_for(sample_weight)
    check_lengths({"y_proba": p, "y_true": y, "sample_weight": weights})
    _check_sums(p)
    losses = _log_losses(y, p, labels)
    if normalize:
        return float(losses.mean() if weights is None else np.average(losses, weights=weights))
    return float(losses.sum() if weights is None else np.dot(losses, weights))


def _log_losses(y: Array, p: Array, labels: Any) -> Floats:
    """The loss of each row."""
    flags = zero_one(y) if labels is None and p.ndim == 1 else None
    if flags is not None and 0 < np.count_nonzero(flags) < len(flags):
        return _minus_log(np.where(flags.view(np.bool_), p, 1 - p))
    codes, indicator = _classes_of(y, p, labels)
    if p.ndim == 1 and indicator is None:
        return _minus_log(np.where(codes == 1, p, 1 - p))
    if p.ndim == 1:
        p = np.stack([1 - p, p], axis=1)
    if indicator is None:
        return _minus_log(np.take_along_axis(p, codes[:, None], axis=1)[:, 0])
    losses: Floats = np.where(codes, _minus_log(p), 0.0).sum(axis=1)
    return losses


def _minus_log(p: Array) -> Floats:
    eps = np.finfo(p.dtype).eps
    inside = np.clip(p, eps, 1 - eps).astype(np.float64, copy=False)
    losses: Floats = -np.log(inside)
    return losses


def _renamed(y_proba: Any, y_pred: Any) -> Any:
    """``y_proba`` under either of its names."""
    if isinstance(y_pred, str) and y_pred == "deprecated":
        return y_proba
    if y_proba is not None:
        raise InputError("Cannot use both `y_pred` and `y_proba`. `y_pred` is deprecated, pass `y_proba` alone")
    warnings.warn(
        "`y_pred` was renamed to `y_proba` in version 1.9 and will be removed in 1.11", FutureWarning, stacklevel=3
    )
    return y_pred
