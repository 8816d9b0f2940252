"""Columns to a native data frame of pandas, Polars or PyArrow, through narwhals."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import MissingDependencyError
from rocsolid.options import check_choice

BACKENDS = ("pandas", "polars", "pyarrow")
_HAVE_NULLS = ("polars", "pyarrow")


def build(columns: Mapping[str, Any], backend: str) -> Any:
    """Build a data frame with one column an entry.

    A nan in a float array says "no such number" (such as the threshold that selects nothing): it becomes a
    null where the library has nulls apart from nan (Polars, PyArrow), and stays nan in pandas.

    Parameters
    ----------
    columns : arrays or lists of one length, by name.
    backend : ``"pandas"``, ``"polars"`` or ``"pyarrow"``.

    Returns
    -------
    The native frame: ``pandas.DataFrame``, ``polars.DataFrame`` or ``pyarrow.Table``.

    Raises
    ------
    UnknownNameError
        For another ``backend``.
    MissingDependencyError
        If that library is not installed.

    Notes
    -----
    O(n). The library is imported here, not before.
    """
    check_choice("backend", backend, BACKENDS)
    if not _installed(backend):
        raise MissingDependencyError(f"a frame of {backend!r}", backend, "")
    import narwhals.stable.v2 as nw

    ready = {name: _column(values, nulls=backend in _HAVE_NULLS) for name, values in columns.items()}
    if backend == "pandas":
        ready = {name: _exact(values) for name, values in ready.items()}
    return nw.from_dict(ready, backend=backend).to_native()  # type: ignore[arg-type]


def _installed(package: str) -> bool:
    if package in sys.modules:  # a module set to None counts as missing
        return sys.modules[package] is not None
    return importlib.util.find_spec(package) is not None


def _column(values: Any, *, nulls: bool) -> Any:
    """One column as the libraries take it: arrays as they are, objects and missing numbers as lists."""
    array = values if isinstance(values, np.ndarray) else _as_array(values)
    if array is None:
        return list(values)
    if array.dtype == object:
        return array.tolist()
    if nulls and array.dtype.kind == "f":
        missing = np.isnan(array)
        if missing.any():
            return [None if gone else value for value, gone in zip(array.tolist(), missing.tolist(), strict=True)]
    return array


def _exact(values: Any) -> Any:
    """Keep whole numbers that a float can not hold as objects: pandas rounds a list of numbers with a ``None``."""
    if isinstance(values, list) and None in values and any(isinstance(v, int) and abs(v) > 2**53 for v in values):
        kept = np.empty(len(values), object)
        kept[:] = values
        return kept
    return values


def _as_array(values: Any) -> npt.NDArray[np.float64] | None:
    """Give a list of floats (and ``None``) as an array; anything else is no float column."""
    items = list(values)
    if not any(isinstance(v, float) for v in items) or not all(v is None or isinstance(v, float) for v in items):
        return None
    return np.array([np.nan if v is None else v for v in items], np.float64)
