"""Consistency band of a reliability curve: where it would lie if every score were the probability it claims to be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rocsolid.curves.reliability import ReliabilityCurve
from rocsolid.errors import NotAvailableError
from rocsolid.inference.seeds import drawn_note, resampling
from rocsolid.measures.decomposition import as_given
from rocsolid.measures.forecast_bins import forecast_bins
from rocsolid.measures.isotonic import isotonic_rates
from rocsolid.options import check_level
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]


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

    Raises
    ------
    NotAvailableError
        With weights.
    OptionError, ProbabilityError
        For bad options; for scores that are no probabilities.
    """
    level, draws = check_level(confidence_level), resampling(n_resamples, rng)
    curve = ReliabilityCurve.of(sweep, binning=binning, bins=bins)
    if sweep.weights is not None:
        raise NotAvailableError("a consistency band with weights", "pass band=False, or evaluate without sample_weight")
    drawn = _drawn(sweep, curve, bins, draws.n_resamples, np.random.default_rng(draws.seed))
    low, high = _quantiles(drawn, (1 - level) / 2)
    note = drawn_note(draws, "sets of outcomes drawn from the scores", "按得分抽取结果")
    return replace(curve, low=low, high=high, confidence_level=level, notes=(note,))


def _drawn(sweep: Sweep, curve: ReliabilityCurve, bins: int, times: int, rng: np.random.Generator) -> Floats:
    """(times, points) curves of outcomes drawn from the scores, from low to high forecasts."""
    p = as_given(sweep)[::-1]
    sizes = (sweep.pos + sweep.neg).astype(np.int64)[::-1]
    if curve.binning == "isotonic":
        groups = sizes.tolist()
        return np.stack([isotonic_rates(rng.binomial(sizes, p).tolist(), groups) for _ in range(times)])
    place = forecast_bins(sweep, bins, curve.binning).place[::-1]
    with np.errstate(invalid="ignore"):
        return np.stack(
            [np.bincount(place, weights=rng.binomial(sizes, p), minlength=bins) / curve.rows for _ in range(times)]
        )


def _quantiles(drawn: Floats, tail: float) -> tuple[Floats, Floats]:
    """The values that at most a share ``tail`` of the curves lie below, and above: no share between two of them."""
    inside = np.sort(drawn, axis=0)
    cut = int(np.floor(tail * len(drawn)))
    low, high = inside[cut].copy(), inside[-1 - cut].copy()
    low.setflags(write=False)
    high.setflags(write=False)
    return low, high
