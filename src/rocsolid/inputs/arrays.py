"""Anything that holds a column, to a NumPy array and a mask of missing entries.

No library is imported that the caller has not: frames and Arrow data come in through narwhals, tensors
through their own methods, everything else through ``__dlpack__`` and ``__array__``.
"""

from __future__ import annotations

import decimal
import numbers
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import DtypeError, MissingDependencyError, PrecisionError, ShapeError
from rocsolid.options import unboxed

Array = npt.NDArray[Any]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Column:
    """Values as they came, and where they are missing (``None``: nowhere, apart from NaN).

    ``decimals`` is set for DECIMAL columns: ``values`` then holds ranks into this sorted array of decimals.
    ``names`` are the column names of a data frame.
    """

    values: Array
    missing: BoolArray | None = None
    decimals: Array | None = None
    names: tuple[str, ...] | None = None


def read_column(data: Any, name: str) -> Column:
    """Read one column (or, for scores, a table of columns) without changing a single value.

    Returns
    -------
    Column
        ``values`` of shape (n,) or (n, k): bool, integer or float in native byte order, or object for text.

    Raises
    ------
    DtypeError
        For things that are no column (text, sets, iterators, mappings) or no usable kind of number.
    PrecisionError
        If whole numbers would have to be rounded.

    Notes
    -----
    O(n). NumPy input of a usable dtype is not copied.
    """
    if isinstance(data, np.ma.MaskedArray):
        inner = read_column(np.asarray(data.data), name)
        mask = np.ma.getmaskarray(data) | _or_false(inner.missing, data.shape)
        return Column(inner.values, mask if mask.any() else None)
    if isinstance(data, np.ndarray):
        return _from_numpy(data, name)
    if isinstance(data, (list, tuple, range)):
        return _from_sequence(data, name)
    if data is None or isinstance(data, (str, bytes, dict, set, frozenset, numbers.Number)) or np.isscalar(data):
        raise DtypeError(name, "a column of values", f"{type(data).__name__} {data!r:.40}", "pass a list or an array")
    if _is_tensor(data):
        return _from_numpy(_tensor_to_numpy(data), name)
    if hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__") or _is_frame_like(data):
        return _from_frame_library(data, name)
    if hasattr(data, "__array__"):
        return _from_numpy(np.asarray(data), name)
    if hasattr(data, "__dlpack__"):
        return _from_numpy(np.from_dlpack(data), name)
    raise DtypeError(
        name,
        "a column of values",
        f"an object of type {type(data).__name__}",
        f"pass list({name}) or an array",
    )


def _or_false(mask: BoolArray | None, shape: tuple[int, ...]) -> BoolArray:
    return np.zeros(shape, np.bool_) if mask is None else mask


# ------------------------------------------------------------------------------------------------ NumPy


def _from_numpy(values: Array, name: str) -> Column:
    kind = values.dtype.kind
    if kind == "V" or values.dtype.name == "bfloat16":
        if values.dtype.name == "bfloat16":  # every bfloat16 is a float32
            return Column(values.astype(np.float32))
        raise DtypeError(name, "plain values", f"structured dtype {values.dtype}", f"pass one field, {name}['field']")
    if kind == "f" and values.dtype.itemsize > 8:
        raise DtypeError(
            name,
            "numbers of at most 64 bits",
            f"dtype {values.dtype} (long double)",
            f"pass {name}.astype('float64')",
        )
    if kind in "biuf":
        return Column(regular(values.astype(values.dtype.newbyteorder("="), copy=False)))
    if kind == "O":
        return _from_objects(values, name)
    if kind in "UST":
        return Column(values.astype(object))
    if kind == "M":  # dates are names of days, and no numbers
        absent = np.isnat(values)
        return Column(np.datetime_as_string(values).astype(object), absent if absent.any() else None)
    raise DtypeError(
        name, "real numbers, booleans or text", f"dtype {values.dtype}", f"convert `{name}` to numbers first"
    )


def regular(values: Array) -> Array:
    """Copy what lies between other things in memory, such as a field of packed records: steps of whole items only."""
    whole = all(step % values.itemsize == 0 for step in values.strides)
    return values if whole and values.flags.aligned else values.copy()


def _from_sequence(data: Sequence[Any], name: str) -> Column:
    items = list(data)
    if items and all(_is_row(v) for v in items):
        return _from_nested(items, name)
    values = np.empty(len(items), object)
    for i, item in enumerate(items):
        values[i] = item if isinstance(item, np.generic) else unboxed(item)  # a list of 0-d arrays or tensors
    return _from_objects(values, name)


def _is_row(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (getattr(value, "ndim", 0) or 0) >= 1


def _from_nested(rows: list[Any], name: str) -> Column:
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise ShapeError(
            name, (len(rows),), "rows of one length", f"found rows of {min(widths)} to {max(widths)} values"
        )
    columns = [_from_sequence([row[j] for row in rows], name) for j in range(widths.pop())]
    return stack(columns, len(rows))


def stack(columns: list[Column], n: int) -> Column:
    """Put columns side by side into one of shape (n, k)."""
    if not columns:
        return Column(np.empty((n, 0)))
    values = np.stack([c.values for c in columns], axis=1)
    masks = [_or_false(c.missing, (n,)) for c in columns]
    return Column(values, np.stack(masks, axis=1) if any(c.missing is not None for c in columns) else None)


def _from_objects(values: Array, name: str) -> Column:
    """Python objects: numbers become the smallest NumPy kind that holds each of them exactly."""
    flat = values.ravel().tolist()
    missing = np.fromiter((_is_null(v) for v in flat), np.bool_, len(flat))
    present = [v for v, absent in zip(flat, missing.tolist(), strict=True) if not absent]
    kinds = {type(v) for v in present}
    mask = missing.reshape(values.shape) if missing.any() else None
    if any(issubclass(k, decimal.Decimal) for k in kinds):
        raise DtypeError(
            name,
            "numbers that NumPy knows",
            "Python Decimal objects (floats would merge some of them)",
            f"pass an Arrow decimal128 column, or [float(v) for v in {name}] where that is exact enough",
        )
    if not all(issubclass(k, (bool, np.bool_, numbers.Real, np.integer, np.floating)) for k in kinds):
        return Column(values if mask is None else _nulls_alike(values, mask), mask)  # text and other labels stay
    numeric = _exact_numbers(present, name)
    out = np.zeros(len(flat), numeric.dtype)
    out[~missing] = numeric
    return Column(out.reshape(values.shape), mask)


def _nulls_alike(values: Array, missing: BoolArray) -> Array:
    """Put ``None`` where something is missing: pandas' NA can not even be compared with itself."""
    out = values.copy()
    out[missing] = None
    return out


def _is_null(value: Any) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _exact_numbers(present: list[Any], name: str) -> Array:
    if not present:
        return np.empty(0, np.float64)
    if all(isinstance(v, (np.floating, np.integer, np.bool_)) for v in present):
        kinds = {v.dtype for v in present}
        if len(kinds) == 1:
            return _from_numpy(np.array(present), name).values
    if all(isinstance(v, (bool, np.bool_)) for v in present):
        return np.array(present, np.bool_)
    if all(isinstance(v, (int, np.integer, np.bool_)) for v in present):
        low, high = min(present), max(present)
        if low >= -(2**63) and high < 2**63:
            return np.array([int(v) for v in present], np.int64)
        if low >= 0 and high < 2**64:
            return np.array([int(v) for v in present], np.uint64)
        raise PrecisionError(name, int(low if low < -(2**63) else high), "a 64-bit integer", "scale the numbers down")
    numeric = np.array([float(v) for v in present], np.float64)
    for given, stored in zip(present, numeric.tolist(), strict=True):
        if given != stored and given == given:  # NaN is unlike itself and is no rounding
            raise PrecisionError(name, given, "a float64 among other floats", "pass whole numbers only, or floats only")
    return numeric


# ---------------------------------------------------------------------------------- tensors and frames


def _is_tensor(data: Any) -> bool:
    return hasattr(data, "detach") and hasattr(data, "cpu") and hasattr(data, "numpy")


def _tensor_to_numpy(data: Any) -> Array:
    """Bring a torch tensor to the CPU without its gradient; a bfloat16 becomes the float32 that it is."""
    tensor = data.detach().cpu()
    if str(getattr(tensor, "dtype", "")).endswith("bfloat16"):
        tensor = tensor.float()
    return np.asarray(tensor.numpy())


def _is_frame_like(data: Any) -> bool:
    root = type(data).__module__.partition(".")[0]
    return root in ("pandas", "polars", "pyarrow", "modin", "cudf", "narwhals")


def _from_frame_library(data: Any, name: str) -> Column:
    import narwhals.stable.v2 as nw

    native = _as_arrow(data) if _needs_arrow(data) else data
    wrapped = nw.from_native(native, pass_through=True, allow_series=True)
    if isinstance(wrapped, nw.Series):
        return _from_series(wrapped, name)
    if isinstance(wrapped, nw.DataFrame):
        columns = [_from_series(wrapped.get_column(c), name) for c in wrapped.columns]
        if any(c.decimals is not None for c in columns):
            raise ShapeError(name, wrapped.shape, "one column where it holds decimals", f"pass {name}['column']")
        return replace(stack(columns, len(wrapped)), names=tuple(str(c) for c in wrapped.columns))
    if isinstance(wrapped, nw.LazyFrame):
        raise DtypeError(name, "values in memory", "a lazy frame", f"pass {name}.collect()")
    return _from_numpy(np.asarray(data), name)


def _needs_arrow(data: Any) -> bool:
    """Whether only the Arrow PyCapsule interface opens this object (``pyarrow.Array`` counts as such)."""
    root = type(data).__module__.partition(".")[0]
    if root == "pyarrow":
        return type(data).__name__ not in ("ChunkedArray", "Table")
    return not _is_frame_like(data)


def _as_arrow(data: Any) -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingDependencyError("reading Arrow data", "pyarrow", "cli") from None
    if hasattr(data, "__arrow_c_stream__"):
        try:
            return pa.chunked_array(data)
        except (TypeError, ValueError, pa.ArrowInvalid):
            return pa.table(data)
    array = pa.array(data)
    return pa.chunked_array([array])


def _from_series(series: Any, name: str) -> Column:
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    mask = series.is_null().to_numpy().astype(np.bool_)
    missing = mask if mask.any() else None
    if isinstance(dtype, nw.Decimal):
        return _from_decimals(series, missing)
    if dtype in (nw.Int128, nw.UInt128):
        raise DtypeError(name, "integers of at most 64 bits", f"dtype {dtype}", "cast the column to Int64")
    if dtype.is_numeric() or dtype == nw.Boolean:
        return Column(_numbers(series, mask, missing is not None), missing)
    if dtype in (nw.Date, nw.Datetime):
        return replace(_from_numpy(np.asarray(series.to_numpy()), name), missing=missing)
    if dtype.is_temporal():
        raise DtypeError(name, "numbers, booleans or text", f"dtype {dtype}", "convert the times to numbers first")
    objects = np.empty(len(series), object)
    objects[:] = series.to_list()
    inner = _from_objects(objects, name)
    return Column(inner.values, missing if inner.missing is None else inner.missing | mask)


def _numbers(series: Any, mask: BoolArray, any_missing: bool) -> Array:
    """Numbers in their own dtype: nulls are taken out first, since they would turn integers into floats."""
    if not any_missing:
        values = np.asarray(series.to_numpy())
        if values.dtype.kind in "biuf":
            return values.astype(values.dtype.newbyteorder("="), copy=False)
        return np.array(series.to_list())  # nullable pandas booleans arrive as objects
    present = np.asarray(series.drop_nulls().to_numpy())
    if present.dtype.kind == "O":
        present = np.array(present.tolist())
    out = np.zeros(len(mask), present.dtype if present.size else np.float64)
    out[~mask] = present
    return out


def _from_decimals(series: Any, missing: BoolArray | None) -> Column:
    """DECIMAL columns in exact order: ranks of the distinct decimals, which are few or at least hashable."""
    items = series.to_list()
    items = [None if _is_null(v) else v for v in items]
    distinct = sorted({v for v in items if v is not None})
    rank = {v: i for i, v in enumerate(distinct)}
    ranks = np.fromiter((0 if v is None else rank[v] for v in items), np.int64, len(items))
    decimals = np.empty(len(distinct), object)
    decimals[:] = distinct
    return Column(ranks, missing, decimals)
