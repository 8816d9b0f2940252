"""Anything array-like to NumPy, labels to classes, scores to what the kernel orders."""

from __future__ import annotations

import decimal
import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid import _kernel
from rocsolid.errors import DtypeError, EmptyInputError, InputError, LengthError, ShapeError, first_positions
from rocsolid.inputs.arrays import Array, BoolArray, read_column
from rocsolid.keys import to_kernel

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.uint8]


def to_array(data: Any, name: str) -> Array:
    """Give any array, list, column, frame or tensor as a NumPy array, NumPy arrays untouched."""
    if type(data) is np.ndarray:
        return data
    plain = isinstance(data, (list, tuple, range)) or isinstance(getattr(data, "dtype", None), np.dtype)
    if plain and not isinstance(data, np.ma.MaskedArray):
        return np.asarray(data)
    column = read_column(data, name)
    if column.missing is not None:
        raise contains_nan(name, column.missing)
    return column.values if column.decimals is None else column.decimals[column.values]


def one_column(values: Array, name: str) -> Array:
    """Give a vector, also of an array with a single column."""
    if values.ndim == 1:
        return values
    if values.ndim == 2 and values.shape[1] == 1:
        return values[:, 0]
    raise ShapeError(name, values.shape, "a 1d array, one value a row", f"pass one column, {name}[:, 0]")


def check_lengths(arrays: Mapping[str, Array | None]) -> None:
    """Refuse columns of different lengths."""
    sizes = {name: len(a) for name, a in arrays.items() if a is not None}
    if len(set(sizes.values())) > 1:
        error = LengthError(sizes)
        found = f"Found input variables with inconsistent numbers of samples: {[*sizes.values()]}"
        error.args = (f"{found}: {error}",)
        raise error


def contains_nan(name: str, mask: Array) -> InputError:
    """Word the error for NaN and null."""
    where = np.flatnonzero(mask if mask.ndim == 1 else mask.any(axis=1)).tolist()
    return InputError(
        f"Input contains NaN (or null): {len(where):,} of {len(mask):,} rows of `{name}`, {first_positions(where)}",
        "leave these rows out, or repair the data",
    )


def check_finite(values: Array, name: str) -> None:
    """Refuse NaN and infinity where amounts count, and what is no real number. One pass where all is well."""
    if values.dtype.kind not in "biufO":
        raise InputError(f"`{name}` has dtype {values.dtype}; expected real numbers")
    if values.dtype.kind != "f" or np.isfinite(values.sum(dtype=np.float64)):
        return
    check_not_nan(values, name)
    infinite = np.isinf(values)
    if infinite.any():
        where = np.flatnonzero(infinite if values.ndim == 1 else infinite.any(axis=1)).tolist()
        raise InputError(
            f"Input contains infinity: {len(where):,} of {len(values):,} rows of `{name}`, {first_positions(where)}"
        )


def check_not_nan(values: Array, name: str) -> None:
    """Refuse NaN and null."""
    if values.dtype.kind == "O":
        absent = (v is None or type(v).__name__ == "NAType" or bool(v != v) for v in values.ravel().tolist())
        mask: BoolArray = np.fromiter(absent, np.bool_, values.size).reshape(values.shape)
    elif values.dtype.kind in "fmM":
        mask = np.isnan(values)
    else:
        return
    if mask.any():
        raise contains_nan(name, mask)


# ------------------------------------------------------------------------------------------------ labels


def target_kind(y: Array, name: str = "y_true") -> tuple[str, Array]:
    """Name the kind of target, by the words of scikit-learn's ``type_of_target``, and give the distinct labels."""
    if len(y) == 0:
        raise EmptyInputError(name)
    if y.dtype.kind == "S" or (y.dtype.kind == "O" and isinstance(y.flat[0], bytes)):
        raise DtypeError(
            name,
            "text or whole numbers",
            "bytes (Support for labels represented as bytes is not supported)",
            f"pass {name}.astype(str)",
        )
    if y.ndim > 2 or (y.dtype.kind == "O" and not isinstance(y.flat[0] if y.size else None, str)):
        return "unknown", y
    several = y.ndim == 2 and y.shape[1] > 1
    check_not_nan(y, name)
    if y.dtype.kind == "f" and not np.all(y == np.trunc(y)):
        return "continuous" + ("-multioutput" if several else ""), y
    labels = np.unique(y)
    if several:
        return (
            "multilabel-indicator" if len(labels) <= 2 and y.dtype.kind in "biuf" else "multiclass-multioutput"
        ), labels
    return ("binary" if len(labels) <= 2 else "multiclass"), labels


def unsupported(kind: str) -> InputError:
    """Word the error for a target of the wrong kind."""
    return InputError(f"{kind} format is not supported: expected two kinds of labels, one label a row in `y_true`")


def zero_one(y: Array) -> Flags | None:
    """Give 0/1, boolean or -1/1 labels as flags in one pass; ``None`` if they are anything else."""
    if y.ndim != 1 or not y.size:
        return None
    if y.dtype.kind == "b":
        return np.ascontiguousarray(y).view(np.uint8)
    if y.dtype.kind not in "iuf":
        return None
    read = _kernel.flags(np.ascontiguousarray(y))
    return None if read is None else read[0]


def equal(y: Array, label: Any) -> Flags:
    """Flags of the rows with this label; a label of another kind is in no row."""
    same = np.asarray(y == label)
    return same.view(np.uint8) if same.shape == y.shape else np.zeros(y.shape, np.uint8)


def implied_label(labels: Array) -> object:
    """Give 1, the positive label of 0/1 and -1/1; other labels leave it open.

    Raises
    ------
    InputError
        If the labels are other ones.
    """
    if labels.dtype.kind in "biuf" and set(labels.tolist()) in ({0}, {1}, {-1}, {0, 1}, {-1, 1}):
        return 1
    found = ", ".join(repr(v) for v in labels.tolist())
    raise InputError(
        f"y_true takes value in {{{found}}} and pos_label is not specified: either make y_true take value in {{0, 1}} "
        "or {-1, 1} or pass pos_label explicitly.",
        f"pass pos_label={labels.tolist()[-1]!r}",
    )


def codes_of(y: Array, classes: Array) -> npt.NDArray[np.intp] | None:
    """Give the place of each label in the sorted ``classes``, or ``None`` if one is not there."""
    if (y.dtype.kind in "UO") != (classes.dtype.kind in "UO"):
        return None
    codes = np.searchsorted(classes, y)
    codes[codes == len(classes)] = 0
    return codes if bool(np.all(classes[codes] == y)) else None


# --------------------------------------------------------------------------------------- scores, weights


def is_ranked(dtype: np.dtype[Any]) -> bool:
    """Whether the kernel gets ranks in the place of such scores."""
    return not (dtype.kind in "biu" or (dtype.kind == "f" and dtype.itemsize <= 8))


def ordered(scores: Array, name: str = "y_score") -> tuple[Array, Callable[[Array], Array]]:
    """Give scores as the kernel orders them, of the same shape, and the way back.

    Numbers of up to 64 bits keep their exact value; longer ones, decimals and times go in as ranks.
    """
    kind, dtype = scores.dtype.kind, scores.dtype
    if not is_ranked(dtype):
        wide, restore = to_kernel(scores.astype(dtype.newbyteorder("="), copy=False))
        return wide, restore if dtype.isnative else lambda values: values.astype(dtype)
    if kind == "c":
        raise InputError("Complex data not supported: scores need an order", "pass the real part")
    if kind not in "fOmM":
        raise DtypeError(name, "real numbers", f"dtype {dtype}", "convert the scores to numbers")
    check_not_nan(scores, name)
    if kind == "O" and not all(isinstance(v, (numbers.Real, decimal.Decimal)) for v in scores.ravel().tolist()):
        raise DtypeError(name, "real numbers", "text or other objects", "convert the scores to numbers")
    distinct, ranks = np.unique(scores, return_inverse=True)
    return ranks.reshape(scores.shape).astype(np.int64, copy=False), lambda values: distinct[values]


def read_weights(sample_weight: Any, *, some: bool = True) -> Floats | None:
    """Give weights as float64: finite, and where ``some`` asks for it not all of them zero."""
    if sample_weight is None:
        return None
    values = one_column(to_array(sample_weight, "sample_weight"), "sample_weight")
    weights = np.ascontiguousarray(values, dtype=np.float64)
    check_finite(weights, "sample_weight")
    if some and not weights.any():
        raise InputError("Sample weights must contain at least one non-zero number: a row of weight zero is absent")
    return weights


def as_classes(labels: Sequence[Any] | Array) -> Array:
    """Give ``labels`` as a vector."""
    return one_column(to_array(labels, "labels"), "labels")
