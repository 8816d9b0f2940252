"""Consistency band of a reliability curve: where it would lie if every score were the probability it claims to be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rocsolid.curves.reliability import ReliabilityCurve
from rocsolid.errors import NotAvailableError
from rocsolid.inference.seeds import N_RESAMPLES, drawn_note, resampling
from rocsolid.measures.decomposition import as_given
from rocsolid.measures.forecast_bins import forecast_bins
from rocsolid.options import check_level
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]
IN_ALL, FEWEST = 200_000_000, 200
"""Distinct scores that are drawn in all unless a number of resamples is asked for, and the least such number."""
MOST_POINTS = 4096
"""Points of the isotonic curve at which the band is drawn; between two of them it runs as wide as at either."""


def with_band(
    sweep: Sweep,
    *,
    binning: str = "isotonic",
    bins: int = 10,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: object = None,
) -> ReliabilityCurve:
    """Draw the curve with its pointwise consistency band, by drawing outcomes from the scores. O(k n_resamples).

    In each resample every row is positive with the probability that its score claims; the curve is drawn again, and
    at each point the band runs between quantiles of these curves (Broecker & Smith 2007, Weather and Forecasting
    22:651-661; for the isotonic curve Dimitriadis, Gneiting & Jordan 2021). A calibrated score leaves it at a given
    point with a probability of about 1 - confidence_level; somewhere it may leave it more often.

    ``n_resamples`` is 2,000 by default, and fewer with more than 100,000 distinct scores, 200 from a million on. The
    band of an isotonic curve of more than 4,096 points is drawn at so many of them; each drawn curve rises, so between
    two points it lies between the lower limit of the one and the upper limit of the other.

    Raises
    ------
    NotAvailableError
        With weights.
    OptionError, ProbabilityError
        For bad options; for scores that are no probabilities.
    """
    usual = max(FEWEST, min(N_RESAMPLES, IN_ALL // len(sweep)))
    level, draws = check_level(confidence_level), resampling(usual if n_resamples is None else n_resamples, rng)
    curve = ReliabilityCurve.of(sweep, binning=binning, bins=bins)
    if sweep.weights is not None:
        raise NotAvailableError("a consistency band with weights", 'ev.curve("reliability"), which has no band')
    shown = _shown(curve)
    drawn = _drawn(sweep, curve, shown, bins, draws.n_resamples, np.random.default_rng(draws.seed))
    low, high = _quantiles(drawn, (1 - level) / 2)
    everywhere = np.arange(len(curve.rows))
    low = low[np.searchsorted(shown, everywhere, side="right") - 1]
    high = high[np.searchsorted(shown, everywhere)]
    for limits in (low, high):
        limits.setflags(write=False)
    note = drawn_note(draws, "sets of outcomes drawn from the scores", "按得分抽取结果")
    return replace(curve, low=low, high=high, confidence_level=level, notes=(note,))


def _shown(curve: ReliabilityCurve) -> npt.NDArray[np.intp]:
    """Points at which the band is drawn, both ends among them; bins are few, and do not rise."""
    k = len(curve.rows)
    if curve.binning != "isotonic" or k <= MOST_POINTS:
        return np.arange(k)
    return np.linspace(0, k - 1, MOST_POINTS).astype(np.intp)


def _drawn(
    sweep: Sweep, curve: ReliabilityCurve, shown: npt.NDArray[np.intp], bins: int, times: int, rng: np.random.Generator
) -> Floats:
    """(times, points) curves of outcomes drawn from the scores, from low to high forecasts."""
    from scipy.optimize import isotonic_regression  # in floats, which is as good for what is drawn, and much faster

    p = as_given(sweep)[::-1]
    sizes = (sweep.pos + sweep.neg).astype(np.int64)[::-1]
    out = np.empty((times, len(shown)))
    if curve.binning == "isotonic":
        for row in out:
            row[:] = isotonic_regression(_outcomes(sizes, p, rng) / sizes, weights=sizes).x[shown]
        return out
    place = forecast_bins(sweep, bins, curve.binning).place[::-1]
    with np.errstate(invalid="ignore"):
        for row in out:
            row[:] = np.bincount(place, weights=_outcomes(sizes, p, rng), minlength=bins) / curve.rows
    return out


def _outcomes(sizes: npt.NDArray[np.int64], p: Floats, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Positives among the rows of each score; single rows are drawn ten times as fast."""
    if int(sizes.max()) == 1:
        return (rng.random(len(p)) < p).astype(np.int64)
    return rng.binomial(sizes, p)


def _quantiles(drawn: Floats, tail: float) -> tuple[Floats, Floats]:
    """The values that at most a share ``tail`` of the curves lie below, and above: no share between two of them."""
    inside = np.sort(drawn, axis=0)
    cut = int(np.floor(tail * len(drawn)))
    return inside[cut], inside[-1 - cut]
