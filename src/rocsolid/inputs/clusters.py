"""Which rows belong together, as a cluster or a fold: any labels, turned into numbers from 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.intp]


def codes_of(labels: npt.NDArray[Any]) -> Codes:
    """Number the labels in the order of their first row; equal labels share a number. O(n log n).

    Examples
    --------
    >>> codes_of(np.array(["b", "a", "b"], object)).tolist()
    [0, 1, 0]
    """
    if labels.dtype.kind == "O":  # text, or values that can not be put in order
        seen: dict[Any, int] = {}
        return np.array([seen.setdefault(label, len(seen)) for label in labels.tolist()], np.intp)
    _, first, code = np.unique(labels, return_index=True, return_inverse=True)
    place = np.empty(len(first), np.intp)
    place[np.argsort(first)] = np.arange(len(first))
    return place[code]


def names_of(labels: npt.NDArray[Any]) -> tuple[Any, ...]:
    """Give the different labels in the order of their first row, as plain values. O(n)."""
    return tuple(dict.fromkeys(labels.tolist()))
