"""Coverage of recall and precision at a capacity per day: days that are alike, and days that differ a lot."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs

R = 250


def study(rng, n_days, spread, rows_a_day=30):
    """Days whose log-odds of a positive have a standard deviation ``spread``."""
    n = rng.poisson(rows_a_day, n_days) + 1
    day = np.repeat(np.arange(n_days), n)
    y = rng.random(len(day)) < 1 / (1 + 9 * np.exp(-spread * rng.normal(size=n_days)))[day]
    return y, rng.normal(size=len(day)) + 1.5 * y, day


@pytest.mark.parametrize("spread", [0.0, 1.5])
@pytest.mark.parametrize("n_days", [8, 40])
@pytest.mark.parametrize("capacity", [1, 5])
def test_rates_at_a_daily_capacity_cover(spread, n_days, capacity):
    rng = np.random.default_rng([int(10 * spread), n_days, capacity])
    y, s, day = study(rng, 20_000, spread)
    truth = rs.evaluate(y, s).per_day(day, capacity=capacity)
    covered = np.zeros(2)
    for _ in range(R):
        y, s, day = study(rng, n_days, spread)
        found = rs.evaluate(y, s).per_day(day, capacity=capacity)
        covered += [truth.recall.value in found.recall.interval, truth.precision.value in found.precision.interval]
    assert covered.min() / R >= 0.93 - 3 * math.sqrt(0.93 * 0.07 / R)
