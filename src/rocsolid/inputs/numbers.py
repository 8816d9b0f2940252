"""Columns of finite numbers, and columns of labels of any kind, complete: what needs neither classes nor scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import DtypeError, EmptyInputError, InputError, MissingValueError, PrecisionError, ShapeError
from rocsolid.inputs.arrays import Array, BoolArray, Column, read_column
from rocsolid.inputs.clusters import Codes, codes_of

Floats = npt.NDArray[np.float64]

EXACT = 2.0**53
"""Beyond, not every whole number is a float64."""


def read_numbers(data: Any, name: str, *, ndim: int = 1) -> tuple[Floats, BoolArray | None]:
    """Read finite real numbers as float64, and say which rows are missing (``None``: none).

    Returns
    -------
    (n,) array, or (n, d) with ``ndim=2``, where one column may come as (n,). Missing rows hold 0.

    Raises
    ------
    DtypeError, ShapeError, EmptyInputError, PrecisionError
        If these are no numbers, have another shape, no row, or would be rounded.
    InputError
        If a number is infinite: an amount is needed.

    Notes
    -----
    O(n d).
    """
    column = read_column(data, name)
    values = column.values
    if ndim == 2 and values.ndim == 1:
        values = values[:, None]
    if values.ndim != ndim:
        expected = "one-dimensional" if ndim == 1 else "of shape (n, d), one row a point"
        raise ShapeError(name, values.shape, expected, f"pass {name}.ravel() or one column" if ndim == 1 else "pass X")
    if not values.size:
        raise EmptyInputError(name)
    if values.dtype.kind not in "biuf" or column.decimals is not None:
        found = "decimals" if column.decimals is not None else f"dtype {values.dtype}"
        raise DtypeError(name, "real numbers", found, f"convert `{name}` to float64")
    exact = _as_float64(values, name)
    missing = np.isnan(exact)
    if column.missing is not None:
        missing |= column.missing.reshape(missing.shape)
    gone: BoolArray = missing if ndim == 1 else np.asarray(missing.any(axis=1))
    exact = np.where(missing, 0.0, exact) if gone.any() else exact
    infinite = ~np.isfinite(exact) if ndim == 1 else ~np.isfinite(exact).all(axis=1)
    if infinite.any():
        raise InputError(
            f"expected finite numbers in `{name}`, found {int(infinite.sum()):,} infinite, "
            f"first at row {int(infinite.argmax())}",
            "leave these rows out, or repair the data",
        )
    return exact, gone if gone.any() else None


def _as_float64(values: Array, name: str) -> Floats:
    out = np.ascontiguousarray(values, np.float64)
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8:
        large = values[np.abs(out) >= EXACT].tolist()
        rounded = next((v for v in large if int(float(v)) != v), None)
        if rounded is not None:
            raise PrecisionError(name, rounded, "a float64", f"subtract a common offset from `{name}` first")
    return out


def read_labels(data: Any, name: str) -> Codes:
    """Number the labels of a complete column from 0, in the order of their first row; any hashable kind will do.

    Raises
    ------
    MissingValueError
        With the positions: a missing label is no group of its own unless it is given a name.
    ShapeError, DtypeError, EmptyInputError
        If this is not one label a row.

    Examples
    --------
    >>> read_labels(["b", "a", "b"], "clusters").tolist()
    [0, 1, 0]
    """
    column = read_column(data, name)
    if column.values.ndim != 1:
        raise ShapeError(name, column.values.shape, "one-dimensional", f"pass one label a row, {name}.ravel()")
    if not len(column.values):
        raise EmptyInputError(name)
    missing = without_label(column)
    if missing.any():
        hint = f"leave these rows out, or give them a label of their own such as 'none' in `{name}`"
        raise missing_error(name, missing, hint)
    try:
        return codes_of(column.values)
    except TypeError:
        found = f"objects of type {type(column.values[0]).__name__}"
        raise DtypeError(name, "labels such as whole numbers or text", found, "pass one label a row") from None


def without_label(column: Column) -> BoolArray:
    """Tell where a label is missing: null, or NaN. O(n)."""
    values = column.values
    if values.dtype.kind == "f":
        missing = np.isnan(values)
    elif values.dtype.kind == "O":
        missing = np.array([isinstance(v, float) and v != v for v in values.tolist()], np.bool_)
    else:
        missing = np.zeros(len(values), np.bool_)
    return missing if column.missing is None else missing | column.missing


def missing_error(name: str, missing: BoolArray, hint: str) -> MissingValueError:
    """Say where something is missing, with the hint that fits here."""
    error = MissingValueError(name, np.flatnonzero(missing).tolist(), len(missing))
    error.hint = hint
    error.args = (f"{error.message}\nHint: {hint}",)
    return error
