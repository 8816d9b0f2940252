"""What the curves share: cumulative shares from the point (0, 0) on, and thresholds beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import UndefinedMeasureError
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]


def need(sweep: Sweep, what: str, *classes: str) -> None:
    """Raise if a class that a curve (or a cut) needs is missing."""
    need_rows(sweep.sizes, what, *classes)


def need_rows(sizes: Sizes, what: str, *classes: str) -> None:
    """Raise if a class that a curve (or a cut) needs has no row."""
    for name, n in (("positives", sizes.n_pos), ("negatives", sizes.n_neg)):
        if name in classes and n == 0:
            found = f"({sizes.n_pos:,} positive, {sizes.n_neg:,} negative)"
            raise UndefinedMeasureError(what, f"there are no {name} {found}", "check the labels and pos_label")


def frozen(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Make an array read-only: a curve is a value."""
    values.setflags(write=False)
    return values


def from_zero(mass: Any) -> Floats:
    """(k + 1,) running sums that start at 0."""
    out = np.zeros(len(mass) + 1)
    np.cumsum(mass, out=out[1:])
    return out


def shares(mass: Any) -> Floats:
    """(k + 1,) running shares of the whole, from 0 to exactly 1."""
    out = from_zero(mass)
    out /= out[-1]
    return frozen(out)


def thresholds(sweep: Sweep) -> npt.NDArray[Any]:
    """(k + 1,) thresholds; the first point selects nothing and has none: nan.

    Whole-number scores that a float64 can not hold, and decimals, stay what they are, in an object array
    that begins with ``None``.
    """
    scores = sweep.scores
    exact = scores.dtype.kind in "bf" or (
        scores.dtype.kind in "iu" and (not len(scores) or max(abs(int(scores[0])), abs(int(scores[-1]))) <= 2**53)
    )
    if exact:
        return frozen(np.concatenate([[np.nan], scores.astype(np.float64)]))
    out = np.empty(len(scores) + 1, object)
    out[1:] = scores.tolist()
    return frozen(out)
