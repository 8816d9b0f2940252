"""Which vertices of a curve a picture needs: as few as one pass finds, none of the rest visible.

The picture is so many pixels wide and high; no point of the full curve is further than the tolerance (half a pixel)
from the simplified one, nor the other way round, in any of the pictures asked for at once. Every kept vertex is a true
vertex with its threshold and counts. Nothing is to be computed from what is kept but a picture: areas and best cuts
come from the sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from rocsolid import _kernel
from rocsolid.curves.points import Floats, frozen, need
from rocsolid.errors import OptionError
from rocsolid.measures.hull import Indices, hull_of
from rocsolid.options import check_choice, check_number
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

C = TypeVar("C", bound="DataclassInstance")
CHUNK = 1 << 16
"""Vertices whose coordinates are in memory at once."""
SLACK = 0.998
"""Part of the tolerance that is used: the rest is for rounding."""

PICTURES = ("roc", "log_roc", "det", "precision_recall")
"""ROC; ROC with a logarithmic FPR axis from half a negative on; DET on normal deviates, cut off at half a row."""


def kept_vertices(
    sweep: Sweep,
    *,
    pictures: Sequence[str] = PICTURES,
    pixels: int = 800,
    tolerance: float = 0.5,
    stops: npt.ArrayLike = (),
) -> Indices:
    """Choose the vertices of a sweep that pictures of its curves need.

    Parameters
    ----------
    sweep : with both classes.
    pictures : of :data:`PICTURES`, all looked at together.
    pixels : width and height of a picture; a larger one needs its own choice.
    tolerance : in pixels.
    stops : numbers of vertices that are kept in any case, besides both ends and the convex hull of the ROC curve.

    Returns
    -------
    (h,) rising numbers of vertices from 0 (nothing flagged) to k (all flagged): how many of the sweep's rows are
    flagged there.

    Raises
    ------
    UndefinedMeasureError
        If a class has no row.
    OptionError, UnknownNameError
        For a bad option.

    Notes
    -----
    O(k), one pass; h depends on the picture, not on k: some 600 to 1,300 for all four pictures.

    Examples
    --------
    One step up, one to the right: the corner is the hull's.

    >>> kept_vertices(Sweep.from_arrays([1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]), pictures=["roc"]).tolist()
    [0, 3, 6]
    """
    need(sweep, "roc", "positives", "negatives")
    for name in pictures:
        check_choice("pictures", name, PICTURES)
    tp, fp = (np.concatenate([[0.0], np.cumsum(mass)]) for mass in (sweep.pos_mass, sweep.neg_mass))
    forced = np.zeros(len(tp), np.bool_)
    forced[np.asarray(stops, np.intp)] = True
    forced[hull_of(sweep).rows] = True
    straight = [STRAIGHT[name](sweep.sizes) for name in PICTURES[:3] if name in pictures]
    stepped = "precision_recall" in pictures

    def coordinates(a: int, b: int) -> list[Floats]:
        tpr, fpr = tp[a:b] / tp[-1], fp[a:b] / fp[-1]
        out = [axis for picture in straight for axis in picture(fpr, tpr)]
        return [*out, tpr, _precision(tp[a:b], fp[a:b])] if stepped else out

    return _chosen(len(straight), stepped, forced, coordinates, pixels, tolerance)


def thinned(curve: C, axes: Sequence[Floats], fields: Sequence[str], *, pixels: int, tolerance: float) -> C:
    """Leave out the points of a curve that its picture does not need; all else of it stays as it is. O(k).

    Parameters
    ----------
    axes : within [0, 1]: x and y of a path of lines that never fall; or recall, precision, and nothing, for steps.
    fields : the curve's arrays with a number for each point.
    """
    kept = kept_points(axes[0], axes[1], steps=len(axes) == 3, pixels=pixels, tolerance=tolerance)
    few: dict[str, Any] = {name: frozen(getattr(curve, name)[kept]) for name in fields}
    return replace(curve, **few)


def kept_points(x: Floats, y: Floats, *, steps: bool = False, pixels: int = 800, tolerance: float = 0.5) -> Indices:
    """Choose the points that the picture of a path needs. O(k).

    Parameters
    ----------
    x, y : (k,) within [0, 1]. Neither falls from point to point; with ``steps``, which hold each y back to the point
        before, only ``x`` must not.
    """
    forced = np.zeros(len(x), np.bool_)
    return _chosen(int(not steps), steps, forced, lambda a, b: (x[a:b], y[a:b]), pixels, tolerance)


def _chosen(
    straight: int, stepped: bool, forced: npt.NDArray[np.bool_], coordinates: Callable[[int, int], Iterable[Floats]],
    pixels: int, tolerance: float,
) -> Indices:  # fmt: skip
    _check_scale(pixels, tolerance)
    simplifier = _kernel.Simplifier(straight, stepped, SLACK * tolerance)
    for a in range(0, len(forced), CHUNK):
        part = forced[a : a + CHUNK]
        simplifier.feed(np.column_stack(list(coordinates(a, a + len(part)))) * float(pixels), part)
    return simplifier.finish().astype(np.int64)


def _check_scale(pixels: object, tolerance: object) -> None:
    if not check_number("pixels", pixels) >= 1:
        raise OptionError("pixels", pixels, "a number of pixels, 1 or more", "pixels=800")
    if not 0 < check_number("tolerance", tolerance) < float("inf"):
        raise OptionError("tolerance", tolerance, "pixels, above 0", "tolerance=0.5")


# ------------------------------------------------------------------------------------------------- pictures

Axes = Callable[[Floats, Floats], tuple[Floats, Floats]]


def _plain(_: Sizes) -> Axes:
    return lambda fpr, tpr: (fpr, tpr)


def _log(sizes: Sizes) -> Axes:
    """Decades of the FPR from that of half a negative on."""
    floor = np.log10(0.5 / _size(sizes.n_neg, sizes.effective_neg))
    return lambda fpr, tpr: (1 - np.log10(np.maximum(fpr, 10.0**floor)) / floor, tpr)


def det_axes(sizes: Sizes) -> Axes:
    """Normal deviates of both rates, which never fall; cut off at half a row."""
    from scipy.special import ndtri

    ends = [0.5 / _size(*of) for of in (
        (sizes.n_neg, sizes.effective_neg), (sizes.n_pos, sizes.effective_pos)
    )]  # fmt: skip

    def axis(rate: Floats, end: float) -> Floats:
        return (ndtri(np.clip(rate, end, 1 - end)) / -ndtri(end) + 1) / 2

    return lambda fpr, tpr: (axis(fpr, min(ends[0], 0.49)), axis(tpr, min(ends[1], 0.49)))


STRAIGHT: dict[str, Callable[[Sizes], Axes]] = {"roc": _plain, "log_roc": _log, "det": det_axes}


def _size(rows: int, effective: float | None) -> float:
    return max(1.0, float(rows) if effective is None else effective)


def _precision(tp: Floats, fp: Floats) -> Floats:
    """Precision; where nothing is flagged that of the first cut, with which the picture begins."""
    flagged = tp + fp
    out = np.divide(tp, flagged, out=np.zeros_like(tp), where=flagged > 0)
    if not flagged[0]:
        out[0] = out[1]
    return out
