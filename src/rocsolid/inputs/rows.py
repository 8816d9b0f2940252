"""Labels, scores and weights together: lengths, missing values, two-column scores, weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid import _kernel
from rocsolid.errors import (
    DtypeError,
    EmptyInputError,
    LabelCountError,
    LengthError,
    MissingValueError,
    NotAvailableError,
    OptionError,
    PositiveLabelError,
    PrecisionError,
    ShapeError,
    WeightError,
)
from rocsolid.inputs.arrays import Array, BoolArray, Column, read_column
from rocsolid.inputs.clusters import Codes, codes_of, names_of
from rocsolid.inputs.labels import positives
from rocsolid.options import check_choice, unboxed

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Clean rows: finite-length arrays of one size without a missing value.

    Attributes
    ----------
    scores : (n,) bool, integer or float in native byte order; ranks where ``decimals`` is set.
    positive : (n,) bool.
    weights : (n,) float64, finite and >= 0, or ``None``.
    decimals : sorted ``decimal.Decimal`` objects that ``scores`` are ranks of, or ``None``.
    pos_label : the positive label as a plain value.
    labels : the labels found, sorted.
    dropped : rows left out because a label or a score was missing.
    kept : which of the rows given are here, ``None`` for all; those dropped or of weight 0 are not.
    absent : which of the rows given were left out because something was missing, ``None`` for none.
    cluster : (n,) number of each row's cluster, 0 to G - 1, or ``None`` for independent rows.
    fold : (n,) number of each row's fold, 0 to V - 1, or ``None`` for one set of scores.
    fold_names : the folds as they were called.
    """

    scores: Array
    positive: BoolArray
    weights: Floats | None
    decimals: Array | None
    pos_label: object
    labels: tuple[object, ...]
    dropped: int
    kept: BoolArray | None = None
    absent: BoolArray | None = None
    cluster: Codes | None = None
    fold: Codes | None = None
    fold_names: tuple[object, ...] = ()

    @property
    def n_clusters(self) -> int:
        """Clusters, 0 where rows are independent."""
        return 0 if self.cluster is None else int(self.cluster.max()) + 1


def read_rows(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: object = None,
    labels: Sequence[object] | None = None,
    sample_weight: Any = None,
    cluster: Any = None,
    fold: Any = None,
    missing: str | None = None,
    score_name: str = "y_score",
    kernel_finds_nan: bool = False,
) -> Rows:
    """Validate and normalise labels, scores, weights and clusters.

    ``score_name`` is what errors call the scores. ``missing=None`` raises as ``"raise"`` does, for callers that leave
    no choice: the hint then speaks of none. With ``kernel_finds_nan`` the scores are not searched for NaN: the
    kernel's first pass does that, and :func:`nan_error` then words it.

    Raises
    ------
    InputError
        One of its kinds, with what was expected, what was found and a hint.
    NotAvailableError
        For more than two columns of scores, more than two ``labels`` and ``missing="bounds"``.

    Notes
    -----
    O(n); NumPy arrays of a usable dtype are not copied unless rows are dropped.
    """
    if missing == "bounds":
        raise NotAvailableError('missing="bounds"', 'use missing="drop", which reports how many rows it leaves out')
    if missing is not None:
        check_choice("missing", missing, ("raise", "drop"))
    truth, score = read_column(y_true, "y_true"), read_column(y_score, score_name)
    weight = None if sample_weight is None else weights_given(sample_weight)
    parts = {name: read_column(v, name) for name, v in (("cluster", cluster), ("fold", fold)) if v is not None}
    others = {"sample_weight": weight} | {name: column.values for name, column in parts.items()}
    _check_shapes(truth, score, others, score_name)
    n = len(truth.values)
    counted = None if weight is None or weight.all() else weight > 0  # a row of weight 0 is absent
    absent = absent_rows(truth, "y_true", missing, counted)
    if not (kernel_finds_nan and score.missing is None and score.values.dtype.kind == "f"):
        absent = absent | absent_rows(score, score_name, missing, counted)
    for name, column in parts.items():
        absent = absent | absent_rows(column, name, missing, counted)
    dropped = int(absent.sum()) if absent.shape else 0
    keep = _kept(n, absent, counted)
    if not isinstance(keep, slice) and not keep.any():
        raise EmptyInputError("y_true", n)
    y, s = truth.values[keep], score.values[keep]
    is_pos, positive_label, found = _labels(y, s, pos_label)
    order = _label_order(labels, found, positive_label)
    if score.names is not None:
        order = _named_order(score.names, order, found, labels is not None, score_name)
    s = _one_column(s, order, positive_label, labels is not None)
    return Rows(
        scores=real_scores(s, score_name),
        positive=np.ascontiguousarray(is_pos),
        weights=None if weight is None else np.ascontiguousarray(weight[keep]),
        decimals=score.decimals,
        pos_label=positive_label,
        labels=tuple(found),
        dropped=dropped,
        kept=None if isinstance(keep, slice) else keep,
        absent=absent if absent.shape else None,
        **{name: codes_of(column.values[keep]) for name, column in parts.items()},
        fold_names=names_of(parts["fold"].values[keep]) if "fold" in parts else (),
    )


def with_scores(rows: Rows, y_score: Any, score_name: str) -> Rows:
    """Other scores, one a row, for labels and weights that are valid and complete already.

    Raises
    ------
    InputError
        One of its kinds, if the scores can not be used as they are.
    """
    column = read_column(y_score, score_name)
    if column.values.ndim != 1:
        raise ShapeError(score_name, column.values.shape, "one score a row", "pass one column")
    n = len(rows.positive) if rows.kept is None else len(rows.kept)
    if len(column.values) != n:
        raise LengthError({"y_true": n, score_name: len(column.values)})
    absent_rows(column, score_name, None, rows.kept)
    values = column.values if rows.kept is None else column.values[rows.kept]
    return replace(rows, scores=real_scores(values, score_name), decimals=column.decimals)


def read_scores(y_score: Any, name: str = "y_score") -> Column:
    """Scores without labels, one real number a row.

    Raises
    ------
    ShapeError, DtypeError, MissingValueError
        For anything else.
    """
    column = read_column(y_score, name)
    if column.values.ndim != 1:
        raise ShapeError(name, column.values.shape, "one score a row", "pass one column")
    absent_rows(column, name, None, None)
    if len(column.values):
        real_scores(column.values, name)
    return column


def values_beside(rows: Rows, data: Any, name: str) -> Array:
    """Other values of the same rows, such as their days: one for each row given, those of the rows that are here.

    Raises
    ------
    ShapeError, LengthError, MissingValueError
        Unless there is one value for each row.
    """
    column = read_column(data, name)
    check_beside(rows, column.values, name)
    absent_rows(column, name, None, rows.kept)
    return column.values if rows.kept is None else column.values[rows.kept]


def check_beside(rows: Rows, values: Array, name: str) -> None:
    """Refuse what is not one value for each row given."""
    n = len(rows.scores) if rows.kept is None else len(rows.kept)
    if values.ndim != 1:
        raise ShapeError(name, values.shape, "one-dimensional", f"pass one {name} value a row")
    if len(values) != n:
        raise LengthError({"y_true": n, name: len(values)})


def _check_shapes(truth: Column, score: Column, others: Mapping[str, Array | None], score_name: str) -> None:
    if truth.values.ndim != 1:
        raise ShapeError(
            "y_true",
            truth.values.shape,
            "one-dimensional",
            "pass one label a row, y_true.ravel() or one column",
        )
    if score.values.ndim not in (1, 2):
        raise ShapeError(score_name, score.values.shape, "one score a row, or one column a class", "pass one column")
    sizes = {"y_true": len(truth.values), score_name: len(score.values)}
    for name, values in others.items():
        if values is not None:
            if values.ndim != 1:
                raise ShapeError(name, values.shape, "one-dimensional", f"pass one {name} value a row")
            sizes[name] = len(values)
    if len(set(sizes.values())) > 1:
        raise LengthError(sizes)
    if sizes["y_true"] == 0:
        raise EmptyInputError("y_true")
    if score.values.ndim == 2 and score.values.shape[1] < 2:
        raise ShapeError(
            score_name,
            score.values.shape,
            "of shape (n,), or (n, 2) with one column a class",
            f"pass {score_name}[:, 0]",
        )


def _kept(n: int, absent: BoolArray, counted: BoolArray | None) -> slice | BoolArray:
    """Rows to go on with: all of them without a copy where nothing is missing and no weight is 0."""
    if counted is None:
        return ~absent if absent.shape else slice(None)
    return counted & ~absent


def absent_rows(column: Column, name: str, missing: str | None, counted: BoolArray | None) -> BoolArray:
    """Rows with NaN or null among those that count; an error unless they are to be dropped."""
    mask = _is_nan(column.values)
    if column.missing is not None:
        mask = column.missing if mask is None else mask | column.missing
    if mask is None or not mask.any():
        return np.asarray(False)
    if mask.ndim == 2:
        mask = np.asarray(mask.any(axis=1))
    if counted is not None:
        mask = mask & counted
        if not mask.any():
            return np.asarray(False)
    if missing != "drop":
        raise MissingValueError(name, np.flatnonzero(mask).tolist(), len(mask), droppable=missing is not None)
    return mask


def nan_error(scores: Array, name: str = "y_score") -> MissingValueError:
    """Say where the NaN is that the kernel met."""
    return MissingValueError(name, np.flatnonzero(np.isnan(scores)).tolist(), len(scores), droppable=False)


def _is_nan(values: Array) -> BoolArray | None:
    """Where a value is NaN; ``None`` for dtypes that have no NaN."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind == "O":
        return np.array([v != v for v in values.ravel().tolist()], np.bool_).reshape(values.shape)
    return None


def _labels(y: Array, s: Array, pos_label: object) -> tuple[BoolArray, object, list[object]]:
    try:
        return positives(y, pos_label)
    except (LabelCountError, PositiveLabelError) as error:
        if s.ndim == 1 and s.dtype.kind in "biuf" and y.dtype.kind == "f" and bool(np.isin(s, (0, 1)).all()):
            error.hint = "did you swap the arguments? the labels come first: rs.evaluate(y_true, y_score)"
            error.args = (f"{error.message}\nHint: {error.hint}",)
        raise


def _label_order(labels: Sequence[object] | None, found: list[object], pos_label: object) -> list[object]:
    """The two labels in the order of the score columns."""
    if labels is None:
        if isinstance(pos_label, (bool, int, float)) and pos_label == 1 and set(found) <= {0, 1, -1}:
            return [next((v for v in found if v != 1), 0), pos_label]
        return found
    order = [unboxed(v) for v in labels]
    if len(order) > 2:
        raise NotAvailableError("more than two classes", "for one class against the rest pass y_true == label")
    strange = [v for v in found if v not in order]
    if strange or len(set(order)) != 2 or pos_label not in order:
        expected = f"the two labels, among them {[*found]!r} and the positive one"
        raise OptionError("labels", list(labels), expected, f"labels={found if len(found) == 2 else [0, 1]!r}")
    return order


def _named_order(
    names: tuple[str, ...], order: list[object], found: list[object], given: bool, score_name: str
) -> list[object]:
    """The labels in the order of a frame's columns, where the columns are named after them."""
    by_name = {str(label): label for label in (*order, *found)}
    if len(names) != 2 or set(names) - set(by_name):
        return order
    named = [by_name[name] for name in names]
    if given and named != order:
        raise OptionError("labels", order, f"in the order of the columns of `{score_name}`", f"labels={named!r}")
    return named


def _one_column(s: Array, order: list[object], pos_label: object, named: bool) -> Array:
    if s.ndim == 1:
        return s
    if s.shape[1] > 2:
        raise NotAvailableError(
            f"a table of {s.shape[1]} score columns",
            "for several models use rs.evaluate_many(y_true, {'a': s1, 'b': s2})",
        )
    if len(order) != 2:
        raise OptionError(
            "labels",
            order if named else None,
            "the two labels in the order of the score columns",
            "labels=[0, 1]",
        )
    return s[:, order.index(pos_label)]


def real_scores(s: Array, name: str) -> Array:
    """Scores in one piece of memory; an error unless they are numbers."""
    if s.dtype.kind not in "biuf":
        example = next((v for v in s.ravel().tolist() if not isinstance(v, (int, float))), None)
        raise DtypeError(name, "real numbers", f"text or objects such as {example!r}", "convert the scores to numbers")
    return np.ascontiguousarray(s)


# ----------------------------------------------------------------------------------------------- weights


def weights_given(data: Any) -> Floats:
    """(n,) weights as float64; an error unless they are finite, not negative and represented exactly."""
    column = read_column(data, "sample_weight")
    values = column.values
    if values.dtype.kind not in "biuf" or column.decimals is not None:
        found = "decimals" if column.decimals is not None else f"dtype {values.dtype}"
        raise DtypeError("sample_weight", "real numbers", found, "convert the weights to float64")
    weights = np.ascontiguousarray(values, np.float64)
    large = values[weights > 2.0**53].tolist() if values.dtype.kind in "iu" else []
    rounded = next((v for v in large if float(v) != v), None)
    if rounded is not None:
        raise PrecisionError("sample_weight", rounded, "a float64", "pass counts through Sweep.from_counts")
    n = len(weights)
    if column.missing is not None:
        raise WeightError("missing", np.flatnonzero(column.missing).tolist(), n)
    if not _kernel.are_weights(weights.reshape(-1)):
        for problem, bad_rows in (
            ("NaN", np.isnan(weights)),
            ("infinite", np.isinf(weights)),
            ("negative", weights < 0),
        ):
            if bad_rows.any():
                raise WeightError(problem, np.flatnonzero(bad_rows).tolist(), n)
    return weights


def check_squares(weights: Floats) -> None:
    """Refuse scaled weights whose squares, which variances are made of, are lost beside the largest."""
    with np.errstate(under="ignore"):
        lost = np.flatnonzero((weights > 0) & (np.square(weights) < SMALLEST_SQUARE))
    if lost.size:
        raise WeightError("too small to be squared beside the largest", lost.tolist(), len(weights))


SMALLEST_SQUARE = 2.0**-900
"""Far from where a float64 loses bits: sums of squares are still divided by squares of sums."""


EXPONENT_RANGE = 256
"""Weights whose largest lies within 2**+-256 are used as they are, so that sums and squares can neither
overflow nor lose bits; others are scaled by a power of two, which is exact."""


def scale_weights(weights: Floats) -> tuple[Floats, int]:
    """Scale weights by an exact power of two into the safe range; return them and the exponent taken out.

    The exponent grows with the largest weight, so parts of a data set merge to the same as the whole.
    """
    largest = float(weights.max()) if weights.size else 0.0
    exponent = math.frexp(largest)[1] if largest > 0 else 0
    if abs(exponent) <= EXPONENT_RANGE:
        return weights, 0
    scaled = np.ldexp(weights, -exponent)
    lost = np.flatnonzero(np.ldexp(scaled, exponent) != weights)
    if lost.size:
        raise WeightError("too small to count beside the largest", lost.tolist(), len(weights))
    return scaled, exponent
