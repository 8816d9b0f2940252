"""Coverage of the default intervals by simulation: small here, large with ROCSOLID_NIGHTLY=1.

The Monte Carlo error decides the slack: a 95 % interval that covers at least 93 % fails a cell of R replicates by
chance with probability below 1e-4. A planted error (a standard error 15 % too small, Wald sold as the default)
must be caught by the same bar.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.inference import limits as lim

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]


def replicates(nightly):
    return 4000 if nightly else 500


def lowest_allowed(r, target=0.93):
    return target - 3.9 * math.sqrt(target * (1 - target) / r)


def normal_scores(rng, m, n, auc, b=1.0, levels=None):
    """Positives N(d, (1/b)^2), negatives N(0, 1), with the given AUC; optionally cut into few levels."""
    sd = 1 / b
    d = rs.measures.ranking.d_prime_of_auc(auc) / math.sqrt(2) * math.hypot(1, sd)
    y = np.r_[np.ones(m, int), np.zeros(n, int)]
    s = rng.normal(size=m + n) * np.where(y, sd, 1) + d * y
    return y, s if levels is None else np.digitize(s, np.linspace(-1, d + 1, levels - 1)).astype(float)


def coverage(r, draw, measure, truth, **options):
    hits, widths = 0, 0.0
    for seed in range(r):
        rng = np.random.default_rng((seed, 77))
        interval = rs.evaluate(*draw(rng)).measure(measure, **options).interval
        hits += truth in interval
        widths += interval.width
    return hits / r, widths / r


CELLS = [(10, 40, 0.9, 1.0), (20, 20, 0.75, 1.0), (30, 300, 0.97, 0.5), (8, 100, 0.99, 1.0), (60, 60, 0.6, 2.0)]


@pytest.mark.parametrize(("m", "n", "auc", "b"), CELLS)
def test_roc_auc(m, n, auc, b, nightly):
    r = replicates(nightly)
    covered, _ = coverage(r, lambda rng: normal_scores(rng, m, n, auc, b), "roc_auc", auc)
    assert covered >= lowest_allowed(r)


def test_the_bar_catches_planted_errors(nightly):
    """Wald near 1, and an interval 15 % too short where the rule is tight, fail the bar that the default passes."""
    r = 1500
    wald, _ = coverage(r, lambda rng: normal_scores(rng, 8, 100, 0.97), "roc_auc", 0.97, method="delong")
    assert wald < lowest_allowed(r)

    hits = 0
    for seed in range(r):
        y, s = normal_scores(np.random.default_rng((seed, 3)), 150, 150, 0.75)
        found = rs.evaluate(y, s).roc_auc(method="logit")
        low, high = lim.on_logit(found.value, found.std_error / 1.15, lim.normal_quantile(0.95))
        hits += low <= 0.75 <= high
    assert hits / r < 0.93


def true_ap(auc, prevalence, b=1.0):
    rng = np.random.default_rng(0)
    m = 400_000
    y, s = normal_scores(rng, m, m, auc, b)
    weight = np.where(y == 1, prevalence, 1 - prevalence)
    return rs.areas(y, s, sample_weight=weight).average_precision


@pytest.mark.parametrize(("n", "prevalence", "auc"), [(200, 0.1, 0.85), (400, 0.05, 0.9), (300, 0.5, 0.8)])
def test_average_precision(n, prevalence, auc, nightly):
    r = replicates(nightly)
    truth = true_ap(auc, prevalence)

    def draw(rng):
        m = max(2, rng.binomial(n, prevalence))
        return normal_scores(rng, m, n - m, auc)

    covered, _ = coverage(r, draw, "average_precision", truth)
    assert covered >= lowest_allowed(r)


@pytest.mark.parametrize(("n", "share"), [(60, 0.3), (300, 0.05)])
@pytest.mark.parametrize("measure", ["brier_score", "log_loss"])
def test_mean_losses_of_calibrated_forecasts(n, share, measure, nightly):
    r = replicates(nightly)

    def draw(rng, size=n):
        p = np.clip(rng.beta(2 * share, 2 - 2 * share, size), 1e-9, 1 - 1e-9)
        return (rng.random(size) < p).astype(int), p

    y, p = draw(np.random.default_rng(9), 2_000_000)
    loss = np.square(p - y) if measure == "brier_score" else -np.log(np.where(y == 1, p, 1 - p))
    covered, _ = coverage(r, draw, measure, float(loss.mean()))
    assert covered >= lowest_allowed(r)


@pytest.mark.parametrize("p", [0.9, 0.5, 0.05])
def test_wilson_covers_on_average(p, nightly):
    r = replicates(nightly)

    def draw(rng):
        return np.r_[np.ones(40, int), np.zeros(5, int)], np.r_[(rng.random(40) < p).astype(float), np.zeros(5)]

    covered, _ = coverage(r, draw, "recall(threshold=0.5)", p)
    assert covered >= lowest_allowed(r)


def test_sampling_weights(nightly):
    """Rows drawn with unequal probability and weighted back cover the population's AUC."""
    r = replicates(nightly)

    def draw(rng):
        y, s = normal_scores(rng, 120, 240, 0.8)
        keep = rng.random(360) < np.where(s > 0, 0.9, 0.45)
        return y[keep], s[keep], np.where(s > 0, 1 / 0.9, 1 / 0.45)[keep]

    hits = 0
    for seed in range(r):
        y, s, w = draw(np.random.default_rng((seed, 5)))
        hits += 0.8 in rs.evaluate(y, s, sample_weight=w).roc_auc().interval
    assert hits / r >= lowest_allowed(r)
