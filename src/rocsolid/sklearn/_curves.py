"""Curves: confusion counts, ROC, precision-recall and DET.

Without weights the kernel draws them; with weights they are two running sums of its table.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from rocsolid.errors import DtypeError, InputError, warn
from rocsolid.inputs.arrays import Array
from rocsolid.sklearn._arrays import Floats, check_lengths, one_column, to_array
from rocsolid.sklearn._checks import check_arrays, check_flag, check_label, check_weights, warn_undefined
from rocsolid.sklearn._table import Binary, draw, read_binary, tabulate


def _read(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> Binary:
    check_arrays({"y_true": y_true, "y_score": y_score})
    check_weights(sample_weight)
    check_label(pos_label, none=True)
    return read_binary(y_true, y_score, pos_label, sample_weight)


def running(steps: Array) -> Floats:
    """Sums up to each row as float64; counts are added as the whole numbers they are, which is ten times faster."""
    sums: Floats = steps.cumsum().astype(np.float64, copy=False)
    return sums


Confusion = tuple[Floats, Floats, Floats, Floats, Array]


def _keywords_soon(function: Callable[..., Confusion]) -> Callable[..., Confusion]:
    """Let ``pos_label`` and ``sample_weight`` come by position, with a warning, as scikit-learn does until 1.11."""

    @functools.wraps(function)
    def call(y_true: Any, y_score: Any, *late: Any, pos_label: Any = None, sample_weight: Any = None) -> Confusion:
        if late:
            given = dict(zip(("pos_label", "sample_weight"), late, strict=False))
            shown = ", ".join(f"{key}={value}" for key, value in given.items())
            text = f"Pass {shown} as keyword args: by position they are an error from scikit-learn 1.11 on"
            warn(text, FutureWarning)
            pos_label, sample_weight = given["pos_label"], given.get("sample_weight", sample_weight)
        return function(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)

    return call


@_keywords_soon
def confusion_matrix_at_thresholds(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> Confusion:
    """Confusion counts at every distinct score: rows scored at or above a threshold are called positive.

    Parameters
    ----------
    y_true : (n,) labels 0/1, -1/1 or boolean; other pairs need ``pos_label``.
    y_score : (n,) scores; infinite ones are ordered like any other.
    pos_label : the positive label, 1 by default.
    sample_weight : (n,) weights; rows of weight zero are absent.

    Returns
    -------
    tns, fps, fns, tps : (k,) float64 counts, or sums of weights.
    thresholds : (k,) distinct scores in falling order, in the dtype of ``y_score``.

    Raises
    ------
    InputError
        For targets that are not binary, NaN, lengths that differ, weights that are all zero.
    ParameterError
        For arguments of the wrong kind.

    Notes
    -----
    O(n log n). Counts are exact; sums of weights are rounded once per score.

    Examples
    --------
    >>> tns, fps, fns, tps, thresholds = confusion_matrix_at_thresholds([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.4])
    >>> thresholds.tolist(), tps.tolist(), fps.tolist()
    ([0.9, 0.4, 0.2], [1.0, 2.0, 2.0], [0.0, 1.0, 2.0])
    """
    data = _read(y_true, y_score, pos_label, sample_weight)
    if data.weights is None:
        fps, tps, tns, fns, scores = (points[1:] for points in draw(data, "counts", "all"))
        return tns, fps, fns, tps, data.restore(scores)
    table = tabulate(data)
    tps, fps = running(table.pos), running(table.neg)
    return fps[-1] - fps, fps, tps[-1] - tps, tps, table.scores


def roc_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = True
) -> tuple[Floats, Floats, Floats]:
    """ROC curve: false and true positive rates at falling thresholds, beginning with (0, 0) at infinity.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight : as in :func:`confusion_matrix_at_thresholds`.
    drop_intermediate : leave out points on a straight line between two others, which no plot would show: those
        whose step to them is the same as the step from them.

    Returns
    -------
    fpr, tpr : (k,) float64 rates; nan with an ``UndefinedMetricWarning`` if their class has no row.
    thresholds : (k,) float64, ``inf`` first.

    Raises
    ------
    InputError, ParameterError
        As in :func:`confusion_matrix_at_thresholds`.

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> fpr, tpr, thresholds = roc_curve([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.4])
    >>> fpr.tolist(), tpr.tolist(), thresholds.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [inf, 0.9, 0.4, 0.2])
    """
    check_flag("drop_intermediate", drop_intermediate)
    data = _read(y_true, y_score, pos_label, sample_weight)
    if data.weights is None:
        fpr, tpr, thresholds = draw(data, "roc", "corners" if drop_intermediate else "all")
        _without("negative", fpr)
        _without("positive", tpr)
        return fpr, tpr, _own(thresholds, data)
    scores, pos, neg = tabulate(data)
    keep = _corners(pos, neg) if drop_intermediate and len(pos) > 2 else None
    fpr, tpr = _rates(neg, keep, "negative"), _rates(pos, keep, "positive")
    return fpr, tpr, _after(np.inf, scores, keep)


def _own(thresholds: Floats, data: Binary) -> Floats:
    """Thresholds for scores that the kernel knows by their rank; others are what they are already."""
    if data.ranked:
        thresholds[1:] = data.restore(thresholds[1:].astype(np.int64))
    return thresholds


def _without(name: str, rates: Floats) -> None:
    """Warn where the rates of a class are 0 / 0, and make them nan, whose sign a division leaves open."""
    if rates[-1] != rates[-1]:
        rates.fill(_warn_without(name))


def _warn_without(name: str) -> float:
    rate = {"negative": "false", "positive": "true"}[name]
    return warn_undefined(f"No {name} samples in y_true, {rate} positive value should be meaningless: it is nan")


def _corners(pos: Array, neg: Array) -> Array:
    """Rows whose step differs from the next one's, and both ends."""
    turns = pos[1:-1] != pos[2:]
    turns |= neg[1:-1] != neg[2:]
    return _with_ends(turns)


def _with_ends(inner: Array) -> Array:
    """Places of the rows to keep, where ``inner`` speaks of all rows but the first and last."""
    keep = np.empty(len(inner) + 2, np.bool_)
    keep[0] = keep[-1] = True
    keep[1:-1] = inner
    return keep.nonzero()[0]


def _after(first: float, values: Array, keep: Array | None) -> Floats:
    """``first`` and then the values kept, in one new array."""
    out = np.empty(1 + len(values if keep is None else keep))
    out[0] = first
    out[1:] = values if keep is None else values.take(keep)
    return out


def _rates(steps: Array, keep: Array | None, name: str) -> Floats:
    sums = steps.cumsum()
    total = float(sums[-1])
    out = _after(0.0, sums, keep)
    if total > 0:
        out /= total
        return out
    return np.full_like(out, _warn_without(name))


def precision_recall_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> tuple[Floats, Floats, Array]:
    """Precision and recall at rising thresholds; a last point (1, 0) without threshold ends the curve.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight : as in :func:`confusion_matrix_at_thresholds`.
    drop_intermediate : leave out thresholds between two others with the same true positives.

    Returns
    -------
    precision, recall : (k + 1,) float64. Without positives recall is one, with a ``UserWarning``.
    thresholds : (k,) distinct scores in rising order, in the dtype of ``y_score``.

    Raises
    ------
    InputError, ParameterError
        As in :func:`confusion_matrix_at_thresholds`.

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> precision, recall, thresholds = precision_recall_curve([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.1])
    >>> precision.tolist(), recall.tolist()
    ([0.5, 0.6666666666666666, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.5, 0.0])
    """
    check_flag("drop_intermediate", drop_intermediate)
    data = _read(y_true, y_score, pos_label, sample_weight)
    if data.weights is None:
        precision, recall, scores = draw(data, "precision-recall", "rises" if drop_intermediate else "all")
        precision[0] = 1.0  # nothing is called there
        if recall[-1] != recall[-1]:
            recall.fill(_no_positives())
            recall[0] = 0.0
        return precision[::-1], recall[::-1], data.restore(scores[1:])[::-1]
    scores, pos, neg = tabulate(data)
    tps, called = running(pos), running(neg)
    called += tps
    if drop_intermediate and len(pos) > 2:
        keep = _with_ends((pos[1:-1] != 0) | (pos[2:] != 0))
        last, scores, tps, called = tps[-1], scores[keep], tps[keep], called[keep]
    else:
        last = tps[-1]
    precision, recall = _precision(tps, called), _recall(tps, last)
    return precision, recall, scores[::-1]


def _no_positives() -> float:
    warn("No positive class found in y_true, recall is set to one for all thresholds.", UserWarning)
    return 1.0


def _precision(tps: Floats, called: Floats) -> Floats:
    """Rising thresholds and the end point; zero where nothing is called (only negative weights lead there)."""
    out = np.zeros(len(tps) + 1)
    out[-1] = 1.0
    if called.all():
        np.divide(tps, called, out=out[-2::-1])
    else:
        np.divide(tps, called, out=out[-2::-1], where=called != 0)
    return out


def _recall(tps: Floats, total: float) -> Floats:
    out = np.empty(len(tps) + 1)
    out[-1] = 0.0
    if total == 0:
        out[:-1] = _no_positives()
    else:
        np.divide(tps, total, out=out[-2::-1])
    return out


def det_curve(
    y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> tuple[Floats, Floats, Floats]:
    """Detection error trade-off: false positive and false negative rates at rising thresholds.

    The curve runs from the last threshold that misses no positive to the first that lets no negative pass;
    where only an infinite threshold does that, it is there.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight : as in :func:`confusion_matrix_at_thresholds`.
    drop_intermediate : leave out thresholds between two others with the same true positives.

    Returns
    -------
    fpr, fnr, thresholds : (k,) float64.

    Raises
    ------
    InputError
        Also if one of the classes has no row.
    ParameterError
        For arguments of the wrong kind.

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> fpr, fnr, thresholds = det_curve([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5])
    >>> fpr.tolist(), fnr.tolist(), thresholds.tolist()
    ([0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.4, 0.5, 0.9])
    """
    check_flag("drop_intermediate", drop_intermediate)
    rows = _read(y_true, y_score, pos_label, sample_weight)
    ones = int(np.count_nonzero(rows.positive))
    if ones in (0, len(rows.positive)):
        raise InputError(
            "Only one class is present in y_true. Detection error tradeoff curve is not defined in that case: "
            f"{ones:,} of {len(rows.positive):,} rows are positive"
        )
    if rows.weights is None:
        fpr, fnr, thresholds = draw(rows, "det", "later rises" if drop_intermediate else "all")
        window = _window(fpr, fnr)
        return fpr[window][::-1], fnr[window][::-1], _own(thresholds, rows)[window][::-1]
    scores, pos, neg = tabulate(rows)
    keep = _with_ends((pos[:-1] != 0) | (pos[1:] != 0)) if drop_intermediate and len(pos) > 1 else None
    tps, fps = _after(0.0, running(pos), None), _after(0.0, running(neg), None)
    p, n = tps[-1], fps[-1]
    thresholds = _after(np.inf, scores, None)
    if keep is not None:
        tps, fps, thresholds = tps[keep], fps[keep], thresholds[keep]
    window = _window(fps, p - tps)
    return (fps[window] / n)[::-1], ((p - tps[window]) / p)[::-1], thresholds[window][::-1]


def _window(false: Floats, missed: Floats) -> slice:
    """From the last point without false positives to the first one without false negatives."""
    first = int(np.searchsorted(false, 0.0, side="right")) - 1
    last = int(np.searchsorted(-missed, 0.0, side="left"))
    return slice(first, max(last, first) + 1)


def auc(x: Any, y: Any) -> float:
    """Area under a curve by the trapezoidal rule.

    Parameters
    ----------
    x : (n,) coordinates, rising or falling throughout.
    y : (n,) heights.

    Returns
    -------
    float

    Raises
    ------
    InputError
        For fewer than two points, lengths that differ, or an ``x`` that turns.
    ParameterError
        For what is no array.

    Notes
    -----
    O(n).

    Examples
    --------
    >>> auc([0.0, 0.5, 1.0], [0.0, 1.0, 1.0])
    0.75
    """
    check_arrays({"x": x, "y": y})
    xs, ys = to_array(x, "x"), to_array(y, "y")
    check_lengths({"x": xs, "y": ys})
    given, heights = one_column(xs, "x"), one_column(ys, "y")
    if len(given) < 2:
        raise InputError(f"At least 2 points are needed to compute area under curve, but x.shape = {given.shape}")
    for name, values in (("x", given), ("y", heights)):
        if values.dtype.kind not in "biufO":
            raise DtypeError(name, "real numbers", f"dtype {values.dtype}", "convert the coordinates to numbers")
    xs, ys = given.astype(np.float64), heights.astype(np.float64)
    steps = np.diff(xs)
    sign = 1.0
    if (steps < 0).any():
        if not (steps <= 0).all():
            raise InputError(f"x is neither increasing nor decreasing : {given}", "sort the points along the curve")
        sign = -1.0
    return float(sign * (steps * (ys[1:] + ys[:-1])).sum() / 2)
