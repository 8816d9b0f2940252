"""Differences of models by simulation: what their intervals cover and how often their tests raise a false alarm.

Two models with normal scores, correlated by .6 within each class, on the same rows. Slack as in test_coverage.py. What
is planted (Wald's interval near 1, rows of a cluster taken as independent) must fail the bars that the default passes.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from docs.simulate_comparisons import Population

import rocsolid as rs

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]

NEAR_ONE = Population(20, 20, (0.97, 0.99))
CLUSTERED = Population(60, 60, (0.8, 0.8), rows=4)
CELLS = [Population(30, 300, (0.8, 0.8)), Population(30, 30, (0.9, 0.75)), NEAR_ONE, CLUSTERED]
HIGHEST_SIZE = 0.065


def replicates(nightly):
    return 4000 if nightly else 500


def slack(r, target):
    """A share of this or worse has a chance below 1e-4 where the target is met."""
    return 3.9 * math.sqrt(target * (1 - target) / r)


def shares(population, r, *, method="auto", clusters=True):
    """Shares of data sets whose interval holds the truth, and whose p value is below .05."""
    truth, counts = population.aucs[0] - population.aucs[1], np.zeros(2)
    for seed in range(r):
        y, scores, cluster = population.draw(np.random.default_rng((seed, 404)))
        given = cluster if clusters and population.rows > 1 else None
        found = rs.compare(y, scores, method=method, cluster=given)
        counts += truth in found.interval, found.pvalue < 0.05
    return counts / r


@pytest.mark.parametrize("population", CELLS, ids=str)
def test_default(population, nightly):
    r = replicates(nightly)
    covered, rejected = shares(population, r)
    assert covered >= 0.93 - slack(r, 0.93)
    if population.aucs[0] == population.aucs[1]:
        assert rejected <= HIGHEST_SIZE + slack(r, HIGHEST_SIZE)


def test_the_bars_catch_planted_errors(nightly):
    r = replicates(nightly)
    assert shares(NEAR_ONE, r, method="delong")[0] < 0.93 - slack(r, 0.93)
    covered, rejected = shares(CLUSTERED, r, clusters=False)
    assert covered < 0.93 - slack(r, 0.93)
    assert rejected > HIGHEST_SIZE + slack(r, HIGHEST_SIZE)
