"""What published points of an ROC curve say about its area: the tightest bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import DtypeError, EmptyInputError, InputError, LengthError, OptionError, ShapeError
from rocsolid.inputs.arrays import read_column
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, Result

Floats = npt.NDArray[np.float64]

NEGLIGIBLE = 1e-12
"""Slopes closer than this are equal: that much is rounding of the differences."""
SWEEPS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AucBounds(Result):
    """Between which values an ROC-AUC lies whose curve passes through given points.

    Attributes
    ----------
    low, high : the tightest bounds; curves exist that reach them, or come as close as one likes.
    trapezoid : area under the straight lines through the points: the AUC if no other cut is possible.
    concave : whether only concave ("proper") curves were considered.
    fpr, tpr : the points, from (0, 0) to (1, 1).
    """

    low: float
    high: float
    trapezoid: float
    concave: bool
    fpr: tuple[float, ...]
    tpr: tuple[float, ...]

    @property
    def width(self) -> float:
        """``high - low``."""
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        """Whether ``value`` lies between the bounds, ends included."""
        return self.low <= value <= self.high

    def __repr__(self) -> str:
        """One line: bounds, trapezoid, points."""
        kind = "concave" if self.concave else "monotone"
        return (
            f"<ROC-AUC from {format_number(self.low)} to {format_number(self.high)}, any {kind} curve through "
            f"{len(self.fpr) - 2} point{'s' if len(self.fpr) != 3 else ''}; "
            f"straight lines: {format_number(self.trapezoid)}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers and lists under a schema version."""
        return {
            "schema": SCHEMA,
            "low": self.low,
            "high": self.high,
            "trapezoid": self.trapezoid,
            "concave": self.concave,
            "fpr": list(self.fpr),
            "tpr": list(self.tpr),
        }


def auc_bounds(*, fpr: Sequence[float], tpr: Sequence[float], concave: bool = False) -> AucBounds:
    """Bound the area under any ROC curve that passes through the points given, as from a paper's table.

    An ROC curve never falls. So between two points it lies in their rectangle: the lowest curve goes right, then up,
    the highest up, then right. A *concave* curve (a "proper" one: a higher score is always a stronger sign of the
    positive) lies above the straight lines through the points, and at each point has a tangent; the highest one is
    the polygon of the tangents that enclose most.

    Parameters
    ----------
    fpr, tpr : (k,) false and true positive rates of the points, in any order; (0, 0) and (1, 1) need not be given.
    concave : whether to consider concave curves only. That is an assumption about the scores, not a fact.

    Returns
    -------
    AucBounds
        They hold for the curve that the points lie on: that of the sample, if the rates are the sample's. Sampling
        error comes on top.

    Raises
    ------
    InputError
        If there is no point, lengths differ, a rate is no number in [0, 1], a curve through the points would have to
        fall, or, with ``concave=True``, to bend upwards.

    Notes
    -----
    O(k log k); the concave upper bound is found by coordinate ascent, O(k) a step, on a concave function, and exact to
    about 1e-12. For one point it is Zhang & Mueller's (2005, Psychometrika 70:203-212).

    Examples
    --------
    One point, (0.2, 0.7). Lowest curve: 0.8 * 0.7 = 0.56; highest: 1 - 0.2 * 0.3 = 0.94; straight lines:
    (1 + 0.7 - 0.2)/2 = 0.75. Highest concave curve: its tangent cuts off 2 * 0.2 * 0.3 = 0.12 at the corner.

    >>> import rocsolid as rs
    >>> rs.auc_bounds(fpr=[0.2], tpr=[0.7])
    <ROC-AUC from 0.5600 to 0.9400, any monotone curve through 1 point; straight lines: 0.7500>
    >>> rs.auc_bounds(fpr=[0.2], tpr=[0.7], concave=True)
    <ROC-AUC from 0.7500 to 0.8800, any concave curve through 1 point; straight lines: 0.7500>
    """
    if not isinstance(concave, bool):
        raise OptionError("concave", concave, "True or False", "concave=True")
    x, y = _points(fpr, tpr)
    width = np.diff(x)
    trapezoid = float(width @ (y[1:] + y[:-1]) / 2)
    if concave:
        low, high = trapezoid, trapezoid + _largest_gain(x, y)
    else:
        low, high = float(width @ y[:-1]), float(width @ y[1:])
    return AucBounds(
        low=low, high=high, trapezoid=trapezoid, concave=concave, fpr=tuple(x.tolist()), tpr=tuple(y.tolist())
    )


def _points(fpr: Any, tpr: Any) -> tuple[Floats, Floats]:
    """Validate the points; give them in order, each once, with both ends."""
    rates = {name: _rates(values, name) for name, values in (("fpr", fpr), ("tpr", tpr))}
    if len(rates["fpr"]) != len(rates["tpr"]):
        raise LengthError({name: len(values) for name, values in rates.items()})
    if not len(rates["fpr"]):
        raise EmptyInputError("fpr")
    given = {(0.0, 0.0), (1.0, 1.0), *zip(rates["fpr"].tolist(), rates["tpr"].tolist(), strict=True)}
    x, y = (np.array(column, np.float64) for column in zip(*sorted(given), strict=True))
    falls = np.flatnonzero(np.diff(y) < 0)
    if len(falls):
        i = int(falls[0])
        raise InputError(
            f"expected points of a curve that never falls, found ({x[i]:g}, {y[i]:g}) before ({x[i + 1]:g}, "
            f"{y[i + 1]:g})",
            "check that both rates belong to the same cut and none is 1 minus the other: tpr=[sensitivity], "
            "fpr=[1 - specificity]",
        )
    return x, y


def _rates(data: Any, name: str) -> Floats:
    """Read one list of rates: real numbers from 0 to 1."""
    column = read_column(data, name)
    values = column.values if column.decimals is None else column.decimals
    if values.ndim != 1:
        raise ShapeError(name, values.shape, "one-dimensional", f"for example {name}=[0.1, 0.2]")
    try:
        rates = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise DtypeError(name, "rates from 0 to 1", f"values such as {values[0]!r}", f"{name}=[0.1, 0.2]") from None
    outside = rates[~((rates >= 0) & (rates <= 1))]
    if len(outside):
        percent = 1 < outside[0] <= 100
        hint = f"divide percentages by 100: {name}=[{outside[0] / 100:g}, ...]" if percent else f"{name}=[0.1, 0.2]"
        raise InputError(f"expected rates from 0 to 1 in `{name}`, found {outside[0]:g}", hint)
    return rates


def _largest_gain(x: Floats, y: Floats) -> float:
    """Largest area between a concave curve through the points and their straight lines.

    With tangents of slope a and b at the ends of a piece of width w and chord slope s, a >= s >= b, the curve lies
    in the triangle of the two tangents and the chord, whose area is w^2/2 (a - s)(s - b)/(a - b): a concave function
    of the slopes. At (0, 0) the tangent may be vertical, at (1, 1) it may be level. Given its neighbours a and b, the
    best slope g of a point satisfies  w (a - s)/(a - g) = w' (s' - b)/(g - b),  a linear equation.
    """
    chord, w = _pieces(x, y)
    slope = np.array([math.inf, *chord[1:], 0.0])  # tangents at the ends of the pieces; any start inside will do
    for _ in range(SWEEPS):
        moved = 0.0
        for i in range(1, len(chord)):
            a, b = slope[i - 1], slope[i + 1]
            right = w[i] * (chord[i] - b)
            if math.isinf(a):
                best = b + right / w[i - 1]
            else:
                left = w[i - 1] * (a - chord[i - 1])
                best = (right * a + left * b) / (left + right) if left + right > 0 else chord[i]
            best = min(max(best, chord[i]), chord[i - 1])
            moved, slope[i] = max(moved, abs(best - slope[i])), best
        if moved < NEGLIGIBLE:
            break
    return sum(_triangle(w[i], chord[i], slope[i], slope[i + 1]) for i in range(len(chord)))


def _triangle(w: float, s: float, a: float, b: float) -> float:
    if a <= s or s <= b:
        return 0.0
    return w * w / 2 * (s - b if math.isinf(a) else (a - s) * (s - b) / (a - b))


def _pieces(x: Floats, y: Floats) -> tuple[list[float], list[float]]:
    """Chord slopes and widths of the pieces, without the vertical one at FPR 0; refuses a bend upwards."""
    apart = np.concatenate([[True], np.maximum(np.diff(x), np.diff(y)) > NEGLIGIBLE])  # others are one point, rounded
    x, y = x[apart], y[apart]
    w, rise = np.diff(x), np.diff(y)
    depth = (rise[1:] * w[:-1] - rise[:-1] * w[1:]) / (w[1:] + w[:-1])  # of a point below the chord of its neighbours
    bends = np.flatnonzero(depth > NEGLIGIBLE)
    if len(bends):
        i = int(bends[0]) + 1
        raise InputError(
            f"expected points of a concave curve, found that it must bend upwards at ({x[i]:g}, {y[i]:g})",
            "pass concave=False for the bounds that hold for every curve",
        )
    flat = w == 0
    slopes = np.divide(rise, w, out=np.full(len(w), math.inf), where=~flat)
    return slopes[~flat].tolist(), w[~flat].tolist()
