"""Coverage of intervals from summary numbers, of rates at a cut by exact enumeration, and of pooled sites."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import rocsolid as rs
from rocsolid.measures.ranking import d_prime_of_auc

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]


def lowest_allowed(r, target=0.93):
    return target - 3.9 * math.sqrt(target * (1 - target) / r)


def distance(auc, b=1.0):
    return d_prime_of_auc(auc) / math.sqrt(2) * math.hypot(1, 1 / b)


def normal(auc, b):
    return lambda rng, k, m, n: (rng.normal(distance(auc, b), 1 / b, (k, m)), rng.normal(size=(k, n)))


def stray(auc):
    """Positives of which a share has scores like negatives, the others beyond all of them."""
    share = 2 * (1 - auc)
    return lambda rng, k, m, n: (rng.normal(50.0 * (rng.random((k, m)) >= share), 1), rng.normal(size=(k, n)))


CELLS = {
    "normal, .75": (20, 20, 0.75, normal(0.75, 1)),
    "normal, .95": (10, 40, 0.95, normal(0.95, 1)),
    "positives twice as wide": (20, 400, 0.95, normal(0.95, 0.5)),
    "positives half as wide": (60, 60, 0.9, normal(0.9, 2)),
    "stray positives": (60, 600, 0.95, stray(0.95)),
}


def coverage_from_summary(cell, r, method):
    m, n, auc, draw = CELLS[cell]
    rng, hits = np.random.default_rng(11), 0
    for _ in range(r // 100):
        pos, neg = draw(rng, 100, m, n)
        areas = (pos[:, :, None] > neg[:, None, :]).mean((1, 2))
        hits += sum(auc in rs.interval_from_summary(auc=a, n_pos=m, n_neg=n, method=method).interval for a in areas)
    return hits / r


@pytest.mark.parametrize("cell", CELLS)
def test_the_default_from_summary_numbers_covers(cell, nightly):
    r = 10_000 if nightly else 1_000
    assert coverage_from_summary(cell, r, "auto") >= lowest_allowed(r)


@pytest.mark.parametrize("method", ["newcombe", "hanley-mcneil"])
def test_methods_that_assume_more_fail_where_it_does_not_hold(method):
    assert coverage_from_summary("stray positives", 1_000, method) < lowest_allowed(1_000)


def coverage_of_counts(n, method, shares):
    """Coverage at each true share, by adding up the binomial distribution: no simulation error."""
    found = [rs.interval_from_counts(k, n, method=method).interval for k in range(n + 1)]
    low, high = (np.array([getattr(i, end) for i in found]) for end in ("low", "high"))
    chance = stats.binom.pmf(np.arange(n + 1)[:, None], n, shares)
    return (chance * ((low[:, None] <= shares) & (shares <= high[:, None]))).sum(0)


@pytest.mark.parametrize("n", [5, 10, 50, 200])
def test_coverage_of_proportions(n):
    shares = (np.arange(2000) + 0.5) / 2000
    exact, wilson, jeffreys = (coverage_of_counts(n, m, shares) for m in ("clopper-pearson", "wilson", "jeffreys"))
    assert exact.min() >= 0.95
    assert wilson.mean() == pytest.approx(0.953, abs=0.006)
    assert jeffreys.mean() == pytest.approx(0.952, abs=0.012)
    assert exact.mean() > wilson.mean()


def pooled_coverage(r, k, m, n, auc, tau, **options):
    """Coverage of the typical site's AUC and of another site's, over r collections of k sites."""
    truth, hits, ahead = math.log(auc / (1 - auc)), 0, 0
    for seed in range(r):
        rng = np.random.default_rng((seed, 13))
        estimates = {}
        for i, (size, own) in enumerate(zip(rng.choice([0.5, 1, 3], k), truth + tau * rng.normal(size=k), strict=True)):
            pos = rng.normal(distance(1 / (1 + math.exp(-own))), 1, max(5, int(m * size)))
            neg = rng.normal(size=max(5, int(n * size)))
            y = np.repeat([1, 0], [len(pos), len(neg)])
            estimates[str(i)] = rs.roc_auc(y, np.r_[pos, neg])
        found = rs.pool(estimates, **options)
        hits += auc in found.interval
        ahead += 1 / (1 + math.exp(-(truth + tau * rng.normal()))) in found.prediction
    return hits / r, ahead / r


POOLED = [(3, 30, 60, 0.8, 0.3), (5, 30, 60, 0.9, 0.3), (5, 15, 30, 0.95, 0.3), (10, 50, 100, 0.8, 0.0)]


@pytest.mark.parametrize("cell", POOLED)
def test_the_pooled_interval_covers(cell, nightly):
    r = 4_000 if nightly else 300
    assert pooled_coverage(r, *cell)[0] >= lowest_allowed(r)


def test_a_wald_interval_of_few_sites_does_not():
    assert pooled_coverage(300, 3, 30, 60, 0.8, 0.5, interval="wald")[0] < lowest_allowed(300)
