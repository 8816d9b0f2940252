"""Scores in the four dtypes that the kernel orders, and back: every step is exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import PrecisionError, SweepMismatchError
from rocsolid.inputs.arrays import Array, regular

Dtype = np.dtype[Any]


def to_kernel(scores: Array) -> tuple[Array, Callable[[Array], Array]]:
    """Widen scores, exactly, to a dtype that the kernel knows; return the way back too."""
    dtype = scores.dtype
    wide = np.require(scores, _kernel_dtype(dtype), ["C_CONTIGUOUS", "ALIGNED"])
    return wide, lambda values: values.astype(dtype, copy=False)


def matrix_to_kernel(scores: Array) -> Array:
    """Widen a matrix of scores as :func:`to_kernel` does, in whatever order it lies in memory."""
    return regular(scores.astype(_kernel_dtype(scores.dtype), order="K", copy=False))


def _kernel_dtype(dtype: Dtype) -> npt.DTypeLike:
    return {"b": np.int64, "i": np.int64, "u": np.uint64}.get(dtype.kind, np.float32 if dtype.itemsize < 4 else dtype)


def ranks(decimals: Array) -> tuple[Array, Array]:
    """Sorted distinct decimals and the rank of each entry."""
    distinct = sorted(set(decimals.tolist()))
    rank = {v: i for i, v in enumerate(distinct)}
    table = np.empty(len(distinct), object)
    table[:] = distinct
    return table, np.array([rank[v] for v in decimals.tolist()], np.int64)


def join(a: Array, b: Array) -> Array:
    """Scores of two sweeps in one array of a dtype that holds both exactly."""
    if a.dtype == b.dtype:
        return np.concatenate([a, b])
    if object in (a.dtype, b.dtype):
        raise SweepMismatchError("dtype of scores", str(a.dtype), str(b.dtype))
    joint = np.result_type(a.dtype, b.dtype)
    for part in (a, b):
        if joint.kind == "f" and part.dtype.kind in "iu":
            wrong = [v for v in part.tolist() if float(joint.type(v)) != v]
            if wrong:
                raise PrecisionError("scores", wrong[0], f"a {joint}", "build both sweeps from scores of one dtype")
    return np.concatenate([a.astype(joint), b.astype(joint)])
