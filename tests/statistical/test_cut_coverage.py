"""Threshold intervals, guaranteed cuts and crossings keep their level: by simulation, with a planted error each."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import rocsolid as rs
from rocsolid.decisions import constraints
from rocsolid.inference import crossings

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]


def replicates(nightly):
    return 4000 if nightly else 1000


def lowest_allowed(r, target=0.95):
    return target - 3.9 * math.sqrt(target * (1 - target) / r)


def draws(r, m, n, digits=None):
    """Positives N(1, 1), negatives N(0, 1); optionally rounded, so that there are ties."""
    for seed in range(r):
        rng = np.random.default_rng((seed, 41))
        y = np.r_[np.ones(m, int), np.zeros(n, int)]
        s = rng.normal(size=m + n) + y
        yield rs.evaluate(y, s if digits is None else np.round(s, digits))


def beyond(t, mean, digits):
    """Population share at or beyond a threshold; a score that rounds to t or more is half a step below t at least."""
    return ndtr(mean - (t if digits is None else t - 0.5 * 10.0**-digits))


@pytest.mark.parametrize("digits", [None, 1])
@pytest.mark.parametrize(("name", "level"), [("recall", 0.9), ("fpr", 0.1)])
def test_guaranteed_cuts(name, level, digits, nightly):
    r, kept = replicates(nightly), 0
    for ev in draws(r, 120, 120, digits):
        t = ev.at(**{name: level}, guarantee=0.9).threshold
        kept += beyond(t, 1, digits) >= level if name == "recall" else beyond(t, 0, digits) <= level
    assert kept / r >= lowest_allowed(r, 0.9)


def test_the_sample_cut_fails_that_bar(nightly):
    """The planted error: the cut that meets the bound in the sample meets it in the population half of the time."""
    r, kept = replicates(nightly), 0
    for ev in draws(r, 120, 120):
        kept += beyond(ev.threshold_interval(fpr=0.1).threshold, 0, None) <= 0.1
    assert kept / r < lowest_allowed(r, 0.9)


@pytest.mark.parametrize("digits", [None, 1])
@pytest.mark.parametrize(("name", "level"), [("recall", 0.8), ("fpr", 0.2), ("specificity", 0.6)])
def test_threshold_intervals(name, level, digits, nightly):
    r, hits = replicates(nightly), 0
    truth = 1 - ndtri(level) if name == "recall" else -ndtri(level if name == "fpr" else 1 - level)
    truth = truth if digits is None else np.round(truth, digits)
    for ev in draws(r, 90, 90, digits):
        hits += truth in ev.threshold_interval(**{name: level}).interval
    assert hits / r >= lowest_allowed(r)


def test_a_rank_too_narrow_fails(nightly, monkeypatch):
    """The planted error: both limits two ranks inwards."""
    at_most, at_least = constraints.Constraint.rank_at_most, constraints.Constraint.rank_at_least
    monkeypatch.setattr(constraints.Constraint, "rank_at_most", lambda self, tail: at_most(self, tail) + 2)
    monkeypatch.setattr(constraints.Constraint, "rank_at_least", lambda self, mass: at_least(self, mass) - 2)
    r = replicates(nightly)
    hits = sum(1 - ndtri(0.8) in ev.threshold_interval(recall=0.8).interval for ev in draws(r, 90, 90))
    assert hits / r < lowest_allowed(r)


# -------------------------------------------------------------------------------------------- crossings

CROSSING = 0.2238847678
"""Of the binormal pair a 1.8123876049, b 1 and a 1.4328182086, b 1/2."""


def undecided_at_the_crossing(m, n, rho, r):
    """How often neither lead is decided at the true crossing; scores of a row correlate with rho."""
    hits = 0
    for seed in range(r):
        rng = np.random.default_rng((seed, 42))
        y = np.r_[np.ones(m, int), np.zeros(n, int)]
        common = math.sqrt(rho) * rng.normal(size=m + n)
        e1, e2 = (common + math.sqrt(1 - rho) * rng.normal(size=m + n) for _ in range(2))
        scores = {"a": e1 + 1.8123876049 * y, "b": e2 * np.where(y == 1, 2, 1) + 2.8656364173 * y}
        found = rs.crossings(y, scores, n_resamples=300, rng=seed)
        nearest = int(np.argmin(np.abs(found.fpr - CROSSING)))
        hits += 0.025 < found.share[nearest] < 0.975
    return hits / r


@pytest.mark.parametrize(("m", "n", "rho"), [(100, 100, 0.0), (100, 300, 0.6), (50, 200, 0.3)])
def test_a_true_crossing_stays_undecided(m, n, rho, nightly):
    r = 2000 if nightly else 200
    assert undecided_at_the_crossing(m, n, rho, r) >= lowest_allowed(r, 0.94)


def test_too_little_variation_is_noticed(nightly, monkeypatch):
    """The planted error: replicates that vary too little, as if there were four times as many rows."""
    share = crossings.lead_share

    def too_sure(rows, *rest):
        found = share(rows, *rest)
        return ndtr(2 * ndtri(np.clip(found, 1e-9, 1 - 1e-9)))

    monkeypatch.setattr(crossings, "lead_share", too_sure)
    r = 2000 if nightly else 200
    assert undecided_at_the_crossing(100, 100, 0.0, r) < lowest_allowed(r, 0.94)
