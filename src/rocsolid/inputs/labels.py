"""Which rows are positive: never guessed beyond False/True, 0/1 and -1/1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocsolid import _kernel
from rocsolid.errors import DtypeError, LabelCountError, PositiveLabelError
from rocsolid.inputs.arrays import Array, BoolArray
from rocsolid.options import unboxed


def positives(values: Array, pos_label: object) -> tuple[BoolArray, object, list[object]]:
    """Tell which rows are positive, the positive label as a plain value, and the labels found, sorted.

    ``values`` has no missing entries. O(n) for booleans and numbers.

    Raises
    ------
    PositiveLabelError
        If the positive label is not known, or is not among two labels found.
    LabelCountError
        If there are more than two labels.
    """
    label = unboxed(pos_label)
    if values.dtype == np.bool_ and label in (None, True):
        return values, True, _found_booleans(values)
    if values.dtype.kind in "biuf":
        usual = _usual(values) if label is None else None
        return usual or _numeric(values, label)
    return _objects(values, label)


def _found_booleans(values: BoolArray) -> list[object]:
    return [v for v, there in ((False, not values.all()), (True, bool(values.any()))) if there]


def _usual(values: Array) -> tuple[BoolArray, object, list[object]] | None:
    """0/1 and -1/1, in one pass; ``None`` for all that needs a second look."""
    read = _kernel.flags(np.ascontiguousarray(values))
    if read is None:
        return None
    flags, n_pos, other = read
    found = ([] if other is None else [other]) + ([1] if n_pos else [])
    return flags.view(np.bool_), 1, [values.dtype.type(v).item() for v in found]


def _numeric(values: Array, label: object) -> tuple[BoolArray, object, list[object]]:
    target = 1 if label is None else label
    if isinstance(target, str):
        raise PositiveLabelError(_distinct(values), label)
    if values.dtype.kind in "iu" and isinstance(target, float) and target.is_integer():
        target = int(target)  # a comparison as floats would merge labels beyond 2**53
    is_pos = np.asarray(values == target)
    # Comparisons of whole arrays only: picking out the rows of a class costs more than all the counting.
    all_pos, any_pos = bool(is_pos.all()), bool(is_pos.any())
    other = None if all_pos else values[int(is_pos.argmin())].item()
    if not all_pos and not (is_pos | (values == other)).all():
        found = _distinct(values)
        if len(found) > 2:
            raise LabelCountError(found, label)
        raise PositiveLabelError(found, label)
    if label is None and other not in (None, 0, -1):
        raise PositiveLabelError(_distinct(values))
    positive = values[int(is_pos.argmax())].item() if any_pos else None
    found = sorted(v for v in (other, positive) if v is not None)
    return is_pos, target if label is not None else 1, found


def _distinct(values: Array) -> list[object]:
    return [v.item() for v in np.unique(values)]


def _objects(values: Array, label: object) -> tuple[BoolArray, object, list[object]]:
    items = [unboxed(v) for v in values.tolist()]
    try:
        found: list[object] = list(dict.fromkeys(items))
    except TypeError:
        raise DtypeError(
            "y_true",
            "labels such as 0/1, booleans or text",
            f"objects of type {type(items[0]).__name__}",
            "pass one label a row",
        ) from None
    found = in_order(found)
    if len(found) > 2:
        raise LabelCountError(found, label)
    if label is None or (label not in found and len(found) == 2):
        raise PositiveLabelError(found, label)
    return np.fromiter((v == label for v in items), np.bool_, len(items)), label, found


def in_order(labels: Sequence[Any]) -> list[Any]:
    """Sort labels; those of different kinds are sorted within their kind."""
    try:
        return sorted(labels)
    except TypeError:
        return sorted(labels, key=lambda v: (type(v).__name__, str(v)))
