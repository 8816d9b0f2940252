"""``rs.areas``: both areas as plain floats, of one column of scores or of many, for loops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, overload

import numpy as np

from rocsolid import _kernel
from rocsolid.errors import (
    EmptyInputError,
    LengthError,
    MissingValueError,
    OptionError,
    RocsolidError,
    ShapeError,
    UndefinedMeasureError,
)
from rocsolid.inputs import Rows, nan_error, read_rows, scale_weights, with_scores
from rocsolid.inputs.arrays import Array, Column, read_column
from rocsolid.inputs.rows import Floats
from rocsolid.keys import matrix_to_kernel, to_kernel
from rocsolid.options import get_num_threads
from rocsolid.results import Areas, ColumnAreas


@overload
def areas(
    y_true: Any,
    y_score: Mapping[str, Any],
    *,
    sample_weight: Any = ...,
    pos_label: object = ...,
    columns: bool = ...,
) -> dict[str, Areas]: ...
@overload
def areas(
    y_true: Any, y_score: Any, *, sample_weight: Any = ..., pos_label: object = ..., columns: Literal[True]
) -> ColumnAreas: ...
@overload
def areas(
    y_true: Any, y_score: Any, *, sample_weight: Any = ..., pos_label: object = ..., columns: Literal[False] = ...
) -> Areas: ...
def areas(
    y_true: Any, y_score: Any, *, sample_weight: Any = None, pos_label: object = None, columns: bool = False
) -> Areas | ColumnAreas | dict[str, Areas]:
    """ROC-AUC and average precision in one pass, as two plain floats; of many models at once too.

    Both are exact and rounded once (average precision to within one unit in the last place), for any order of
    rows, any ties and any number of threads.

    Parameters
    ----------
    y_true : (n,) labels: booleans, 0/1, -1/1; any other pair of labels needs ``pos_label``. With ``columns=True`` also
        an (n, k) table of k labels a row.
    y_score : (n,) scores; a mapping from name to scores; with ``columns=True`` an (n, k) table of scores.
    sample_weight : (n,) sampling weights, finite and >= 0; a row of weight 0 is absent.
    pos_label : the label that counts as positive; never guessed from the order of labels.
    columns : take each column of a table for itself: a model, or, where the labels are a table too, the scores of
        column j for the labels of column j. One column of scores, (n,), goes with all columns of labels.

    Returns
    -------
    Areas; for a mapping a dict of them, by name; with ``columns=True`` :class:`ColumnAreas`: two (k,) arrays.

    Raises
    ------
    UndefinedMeasureError
        If one class has no row.
    InputError
        If the data can not be used as they are; it names the column.

    Notes
    -----
    O(n) time for scores that spread, O(n log n) for any; at most 1.3 times the memory of the input beside it.
    Labels are validated once, and columns share the threads. A table may lie in memory in any way; some columns of it
    are copied at a time.

    Examples
    --------
    >>> import rocsolid as rs
    >>> rs.areas([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    Areas(roc_auc=0.75, average_precision=0.8333333333333334)
    >>> rs.areas([0, 0, 1, 1], {"old": [1, 3, 2, 4], "new": [1, 2, 3, 4]})["new"]
    Areas(roc_auc=1.0, average_precision=1.0)
    >>> rs.areas([0, 0, 1, 1], [[1, 1], [3, 2], [2, 3], [4, 4]], columns=True).roc_auc.tolist()
    [0.75, 1.0]
    >>> rs.areas([[0, 1], [0, 0], [1, 0], [1, 1]], [0.1, 0.4, 0.35, 0.8], columns=True).roc_auc.tolist()
    [0.75, 0.5]
    """
    if isinstance(y_score, Mapping):
        return _of_mapping(y_true, y_score, sample_weight, pos_label)
    if columns:
        return _of_table(y_true, y_score, sample_weight, pos_label)
    if sample_weight is None and pos_label is None and (found := _plain(y_true, y_score)) is not None:
        return _ratios(*found)
    rows = read_rows(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, kernel_finds_nan=True)
    if rows.weights is not None:
        _check_classes(*_class_sizes(rows))
    try:
        return _of_rows(rows)
    except RocsolidError:  # whose kinds are ValueErrors, too
        raise
    except ValueError:
        if rows.kept is not None:  # the door counts the rows that are left out as well
            read_rows(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
        raise nan_error(rows.scores) from None


def _of_rows(rows: Rows) -> Areas:
    """Ask the kernel, which finds NaN (ValueError)."""
    scores, _ = to_kernel(rows.scores)
    labels, threads = rows.positive.view(np.uint8), get_num_threads()
    if rows.weights is None:
        return _ratios(*_kernel.areas(scores, labels, threads))
    return Areas(*_kernel.weighted_areas_of_rows(scores, labels, _scaled(rows.weights), threads))


def _plain(y_true: Any, y_score: Any) -> tuple[int, int, int, float] | None:
    """What most calls bring, vectors of 0/1 labels and of scores as the kernel reads them, in one pass.

    Anything else, and anything that is wrong, is ``None``: the door reads or words it.
    """
    if type(y_true) is not np.ndarray or type(y_score) is not np.ndarray or not y_true.size:
        return None
    try:
        return _kernel.areas_of_labels(y_score, y_true, get_num_threads())
    except (TypeError, ValueError):
        return None


def _ratios(u2: int, n_pos: int, n_neg: int, average_precision: float) -> Areas:
    _check_classes(n_pos, n_neg)
    return Areas(u2 / (2 * n_pos * n_neg), average_precision)


def _scaled(weights: Floats) -> Floats:
    return scale_weights(weights)[0]  # areas are ratios: the scale falls out


def _class_sizes(rows: Rows) -> tuple[int, int]:
    n_pos = int(np.count_nonzero(rows.positive))
    return n_pos, len(rows.positive) - n_pos


def _check_classes(n_pos: int, n_neg: int, what: str = "areas") -> None:
    if n_pos and n_neg:
        return
    missing = "positives" if not n_pos else "negatives"
    raise UndefinedMeasureError(
        what,
        f"there are no {missing} ({n_pos:,} positive, {n_neg:,} negative)",
        "check the labels and pos_label",
    )


def _of_mapping(y_true: Any, y_scores: Mapping[str, Any], weights: Any, pos_label: object) -> dict[str, Areas]:
    if not y_scores:
        raise EmptyInputError("y_score")
    if len({str(key) for key in y_scores}) < len(y_scores):
        raise OptionError("y_score", list(y_scores), "models whose names differ as text", "{'a': s1, 'b': s2}")
    models: dict[str, Rows] = {}
    first: Rows | None = None
    for key, scores in y_scores.items():
        name = f"y_score[{key!r}]"
        if first is None:
            first = read_rows(y_true, scores, pos_label=pos_label, sample_weight=weights, score_name=name)
        models[str(key)] = with_scores(first, scores, name)
    assert first is not None
    _check_classes(*_class_sizes(first))
    weights_of = None if first.weights is None else _scaled(first.weights)
    wide = {name: to_kernel(rows.scores)[0] for name, rows in models.items()}
    found: dict[str, Areas] = {}
    for dtype in {scores.dtype for scores in wide.values()}:
        alike = [name for name in wide if wide[name].dtype == dtype]
        columns, labels = [wide[name] for name in alike], first.positive.view(np.uint8)
        if weights_of is None:
            roc, precision, _, _ = _kernel.areas_of_columns(columns, labels, get_num_threads())
        else:
            roc, precision = _kernel.weighted_areas_of_columns(columns, labels, weights_of, get_num_threads())
        found |= dict(zip(alike, map(Areas, roc.tolist(), precision.tolist()), strict=True))
    return {name: found[name] for name in models}


def _of_table(y_true: Any, y_score: Any, weights: Any, pos_label: object) -> ColumnAreas:
    truth, table = read_column(y_true, "y_true"), read_column(y_score, "y_score")
    if truth.values.ndim == 2:
        return _of_tables(truth, table, weights, pos_label)
    scores = table.values
    if scores.ndim != 2:
        raise ShapeError("y_score", scores.shape, "of shape (n, k), one column a model", "leave columns=True out")
    if not scores.shape[1]:
        raise EmptyInputError("y_score")
    if table.missing is not None:
        _raise_missing(table.missing)
    rows = read_rows(y_true, scores[:, 0], pos_label=pos_label, sample_weight=weights, score_name=_column_name(0))
    there = slice(None) if rows.kept is None else rows.kept
    wide, flags = matrix_to_kernel(scores[there]), rows.positive.view(np.uint8)
    weights_of = None if rows.weights is None else _scaled(rows.weights)
    try:
        if weights_of is not None:
            wide = wide if wide.flags.forc else np.ascontiguousarray(wide)
            roc, precision = _kernel.weighted_areas_of_matrix(wide, flags, weights_of, get_num_threads())
        elif wide.flags.forc:
            roc, precision, _, _ = _kernel.areas_of_matrix(wide, flags, get_num_threads())
        else:
            found = _kernel.areas_of_tables(wide, flags[:, None], get_num_threads())
            assert found is not None
            roc, precision, _, _ = found
    except ValueError:
        for j in range(scores.shape[1]):  # a column at a time: a mask of the whole table may not fit
            _raise_missing(np.isnan(scores[:, j : j + 1]) & (True if rows.kept is None else rows.kept[:, None]), j)
        raise
    _check_classes(*_class_sizes(rows))
    return ColumnAreas(roc, precision)


def _of_tables(truth: Column, table: Column, weights: Any, pos_label: object) -> ColumnAreas:
    """Column j of the scores for the labels of column j; one column of scores for all columns of labels."""
    labels, scores = truth.values, table.values if table.values.ndim == 2 else table.values[:, None]
    n, k = labels.shape
    if len(scores) != n:
        raise LengthError({"y_true": n, "y_score": len(scores)})
    if not labels.size:
        raise EmptyInputError("y_true")
    if scores.shape[1] not in (1, k):
        raise ShapeError("y_score", table.values.shape, f"one column, or {k} as y_true has", "pass a column a label")
    for column, name in ((truth, "y_true"), (table, "y_score")):
        if column.missing is not None:
            _raise_missing(column.missing.reshape(n, -1), name=name)
    if weights is None and pos_label is None and scores.dtype.kind in "biuf":
        try:
            found = _kernel.areas_of_tables(matrix_to_kernel(scores), labels, get_num_threads())
        except ValueError:
            found = None  # NaN, which is worded below
        if found is not None:
            return _checked(found)
    # Weights, other labels, and the words for what is wrong.
    scores = np.broadcast_to(scores, (n, k))
    each = [_one_of(labels[:, j], scores[:, j], j, weights, pos_label) for j in range(k)]
    return ColumnAreas(np.array([a.roc_auc for a in each]), np.array([a.average_precision for a in each]))


def _one_of(labels: Array, scores: Array, column: int, weights: Any, pos_label: object) -> Areas:
    try:
        return areas(labels, scores, sample_weight=weights, pos_label=pos_label)
    except RocsolidError as error:
        error.add_note(f"This is about column {column} of y_true.")
        raise


def _checked(found: tuple[Array, Array, Array, Array] | None) -> ColumnAreas:
    """The columns' areas, if each column has both classes."""
    assert found is not None
    roc, precision, n_pos, n_neg = found
    for j in np.flatnonzero((n_pos == 0) | (n_neg == 0)).tolist():
        _check_classes(int(n_pos[j]), int(n_neg[j]), f"areas of column {j}")
    return ColumnAreas(roc, precision)


def _column_name(column: int, name: str = "y_score") -> str:
    return f"{name}[:, {column}]"


def _raise_missing(missing: Array, first: int = 0, name: str = "y_score") -> None:
    """Name the first column that lacks a value; ``first`` is the number of the mask's first column."""
    for j in np.flatnonzero(missing.any(axis=0)).tolist():
        rows = np.flatnonzero(missing[:, j]).tolist()
        raise MissingValueError(_column_name(first + j, name), rows, len(missing), droppable=False)
