"""Bins of probabilities: how many rows, what was forecast and what came true in each; empty bins are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.options import check_choice, check_count
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]

BINNINGS = ("width", "mass")
EVENTS = ("positive", "top")


@dataclass(frozen=True, slots=True, eq=False)
class ForecastBins:
    """Arrays of one entry a bin, from low to high forecasts; where a bin is empty its means are nan.

    Attributes
    ----------
    edges : (bins + 1,) where bins end, the upper end inside; of bins of equal mass the largest forecast in each.
    rows : (bins,) numbers of rows.
    mass : (bins,) rows, or sums of (scaled) weights.
    hits : (bins,) rows (or weights) in which the event happened.
    forecast, observed : (bins,) mean forecast and share of the event.
    place : (k,) the bin of each group of equal forecasts, in the order of the sweep (of ``max(p, 1 - p)``, falling,
        with ``event="top"``).
    """

    edges: Floats
    rows: npt.NDArray[np.int64]
    mass: Floats
    hits: Floats
    forecast: Floats
    observed: Floats
    place: npt.NDArray[np.intp]

    @property
    def share(self) -> Floats:
        """(bins,) share of all rows (or weight)."""
        return np.asarray(self.mass / self.mass.sum())

    @property
    def gaps(self) -> Floats:
        """(bins,) how far the mean forecast is from what came true; 0 in empty bins."""
        return np.where(self.mass > 0, np.abs(self.forecast - self.observed), 0.0)


def forecast_bins(sweep: Sweep, bins: int, binning: str, event: str = "positive") -> ForecastBins:
    """Put the rows of a sweep into bins. O(k log bins), O(k log k) for ``event="top"``.

    ``binning="width"``: bin i of B is ((i - 1)/B, i/B], the first with 0 too; an edge is the number of the scores'
    own dtype nearest to i/B, so that 0.1 is in the first of ten bins. ``"mass"``: the bin in which the middle of
    the rows with that score falls, when all rows are cut into B runs of equal mass; ties are never torn apart.
    ``event="top"`` judges the likelier class, max(p, 1 - p); p = 1/2 calls the positive.

    Raises
    ------
    OptionError, UnknownNameError
        If ``bins`` is no whole number of at least 1, or a name is unknown.
    """
    count = check_count("bins", bins, 1)
    check_choice("binning", binning, BINNINGS)
    check_choice("event", event, EVENTS)
    scores, rows = sweep.scores, (sweep.pos + sweep.neg).astype(np.int64)
    p, hits, misses = np.asarray(scores, dtype=np.float64), _floats(sweep.pos_mass), _floats(sweep.neg_mass)
    if event == "top":
        low = p < 0.5
        p, hits, misses = np.where(low, 1 - p, p), np.where(low, misses, hits), np.where(low, hits, misses)
        order = np.argsort(-p, kind="stable")
        p, hits, misses, rows = p[order], hits[order], misses[order], rows[order]
    mass = hits + misses
    if binning == "width":
        dtype = scores.dtype if scores.dtype.kind == "f" and event == "positive" else np.dtype(np.float64)
        edges = (np.arange(count + 1) / count).astype(dtype).astype(np.float64)
        place = np.searchsorted(edges[1:], p, side="left")
    else:
        place = _runs(p, mass, count)
        edges = _largest(p, place, count)
    return _gathered(edges, place, count, rows, p, mass, hits)


def _floats(mass: Any) -> Floats:
    return np.asarray(mass, dtype=np.float64)


def _runs(p: Floats, mass: Floats, count: int) -> npt.NDArray[np.intp]:
    """The run of equal mass in which the middle of each group of equal forecasts falls, from low to high."""
    first = np.flatnonzero(np.concatenate([[True], p[1:] != p[:-1]]))
    groups = np.add.reduceat(mass, first)[::-1]
    twice_middle = 2 * np.cumsum(groups) - groups
    run = np.floor(twice_middle * count / (2 * groups.sum())).astype(np.intp)
    sizes = np.diff(np.append(first, len(p)))
    return np.repeat(np.minimum(run, count - 1)[::-1], sizes)


def _largest(p: Floats, place: npt.NDArray[np.intp], count: int) -> Floats:
    """0, then the largest forecast in each bin; an empty one ends where the bin before it does."""
    top = np.zeros(count + 1)
    np.maximum.at(top, place + 1, p)
    return np.maximum.accumulate(top)


def _gathered(
    edges: Floats, place: npt.NDArray[np.intp], count: int, rows: Any, p: Floats, mass: Floats, hits: Floats
) -> ForecastBins:
    def total(values: Any) -> Floats:
        return np.asarray(np.bincount(place, weights=values, minlength=count), dtype=np.float64)

    size = total(mass)
    with np.errstate(invalid="ignore"):
        forecast, observed = total(mass * p) / size, total(hits) / size
    return ForecastBins(edges, total(rows).astype(np.int64), size, total(hits), forecast, observed, place)
