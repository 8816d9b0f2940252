"""Areas under the precision-recall curve, each estimator under its own name.

All take (k + 1,) running positives ``tp`` and negatives ``fp`` from (0, 0) on, counts or sums of weights.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocsolid.curves.points import Floats


def _precision(tp: Floats, fp: Floats, first: float) -> Floats:
    """Precision at every point, with a value of one's choice where nothing is flagged."""
    flagged = tp + fp
    return np.divide(tp, flagged, out=np.full_like(tp, first), where=flagged > 0)


def _under_lines(tp: Floats, precision: Floats) -> float:
    return float(np.diff(tp) @ (precision[1:] + precision[:-1])) / 2 / float(tp[-1])


def trapezoid(tp: Floats, fp: Floats) -> float:
    """Straight lines through all points and through (recall 0, precision 1): too high where scores are tied. O(k).

    Examples
    --------
    (0, 1) (1/2, 1) (1/2, 1/2) (1, 2/3): 1/2 + 7/12 / 2

    >>> round(24 * trapezoid(np.array([0.0, 1, 1, 2, 2]), np.array([0.0, 0, 1, 1, 2])), 9)
    19.0
    """
    return _under_lines(tp, _precision(tp, fp, 1.0))


def lower_trapezoid(tp: Floats, fp: Floats) -> float:
    """Straight lines through all points, level from recall 0 to the first (Boyd, Eng & Page 2013). O(k)."""
    precision = _precision(tp, fp, 1.0)
    precision[0] = precision[1]
    return _under_lines(tp, precision)


def rocr(tp: Floats, fp: Floats) -> float:
    """Straight lines through the highest precision of each recall, and (0, 1); ROCR's ``aucpr`` without ties. O(k)."""
    first = np.concatenate([[True], np.diff(tp) > 0])
    return _under_lines(tp[first], _precision(tp, fp, 1.0)[first])


def davis_goadrich(tp: Floats, fp: Floats) -> float:
    """Area under the curve between points, along which TP and FP grow in proportion (Davis & Goadrich 2006). O(k).

    From a point with n rows flagged over d positives and e rows in all, with c = FP - (e/d - 1) TP: the integral of
    t / (c + t e/d) is d^2/e - c d^2/e^2 ln((n + e)/n), and d^2/e from (0, 0) on.

    Examples
    --------
    1 for the first positive; for the second the integral of t / (1 + t) from 1 to 2:

    >>> found = davis_goadrich(np.array([0.0, 1, 1, 2, 2]), np.array([0.0, 0, 1, 1, 2]))
    >>> round(found, 6), round((1 + 1 - float(np.log(3 / 2))) / 2, 6)
    (0.797267, 0.797267)
    """
    gains = np.flatnonzero(np.diff(tp) > 0)
    t, f, n = tp[gains], fp[gains], (tp + fp)[gains]
    d, e = np.diff(tp)[gains], np.diff(tp + fp)[gains]
    per_row = d / e
    c = f - (1 / per_row - 1) * t
    growth = np.log1p(np.divide(e, n, out=np.zeros_like(n), where=n > 0))
    return float(np.sum(d * per_row - c * per_row**2 * growth)) / float(tp[-1])


def davis_goadrich_steps(tp: Floats, fp: Floats) -> float:
    """Straight lines through that curve at every whole number of positives; level from recall 0. O(k + n+)."""
    gains = np.diff(tp)
    inside = np.repeat(np.arange(len(gains)), gains.astype(np.int64))  # the segment of each positive
    place = np.arange(1, len(inside) + 1) - tp[inside]  # its number within the segment
    share = place / gains[inside]
    on = tp[inside] + place
    end = on / (on + fp[inside] + share * np.diff(fp)[inside])
    before = on - 1
    flagged = before + fp[inside] + (place - 1) / gains[inside] * np.diff(fp)[inside]
    start = np.divide(before, flagged, out=end.copy(), where=flagged > 0)
    return float(np.sum(start + end)) / 2 / float(tp[-1])


AREAS: dict[str, Callable[[Floats, Floats], float]] = {
    "trapezoid": trapezoid,
    "davis-goadrich": davis_goadrich,
    "davis-goadrich-steps": davis_goadrich_steps,
    "lower-trapezoid": lower_trapezoid,
    "rocr": rocr,
}
"""Estimators beside average precision, by name."""
