"""Coverage of the default intervals of calibration measures, and size of the tests of calibration.

Small here, large with ROCSOLID_NIGHTLY=1, judged by the Monte Carlo error.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit
from tests.statistical.test_coverage import lowest_allowed, replicates

import rocsolid as rs
from rocsolid.calibration import calibration_tests

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]

GRID = np.linspace(-8, 8, 4001)
SPECS = (
    "calibration_slope", "calibration_intercept", "calibration_intercept(slope=fitted)", "calibration_in_the_large",
    "oe_ratio", "d2_log_loss", "d2_absolute_error",
)  # fmt: skip
POPULATIONS = ((0.0, 1.0, 0.0, 1.0, 60), (0.0, 1.0, -2.5, 1.0, 150), (0.3, 0.7, 0.0, 1.5, 150))


def truth(a, b, middle, spread):
    """Population values where the logit of the score is normal, and the outcome's is a + b times it."""
    w = np.exp(-GRID * GRID / 2)
    w /= w.sum()
    eta = middle + spread * GRID
    p, t = expit(eta), expit(a + b * eta)
    share = w @ t
    intercept = brentq(lambda c: float(w @ (expit(c + eta) - t)), -10, 10)
    entropy = -share * math.log(share) - (1 - share) * math.log1p(-share)
    saved_log = 1 + w @ (t * np.log(p) + (1 - t) * np.log1p(-p)) / entropy
    saved_absolute = 1 - w @ (t * (1 - p) + (1 - t) * p) / (2 * share * (1 - share))
    values = (b, intercept, a, w @ p - share, share / (w @ p), saved_log, saved_absolute)
    return dict(zip(SPECS, values, strict=True))


def sample(rng, a, b, middle, spread, n):
    eta = middle + spread * rng.normal(size=n)
    return (rng.random(n) < expit(a + b * eta)).astype(int), expit(eta)


@pytest.mark.parametrize("population", POPULATIONS)
def test_default_intervals_cover(population, nightly):
    times = max(200, replicates(nightly) // 3)
    true, rng = truth(*population[:4]), np.random.default_rng(11)
    held = dict.fromkeys(SPECS, 0)
    for _ in range(times):
        ev = rs.evaluate(*sample(rng, *population))
        for spec in SPECS:
            held[spec] += true[spec] in ev.measure(spec).interval
    for spec in SPECS:
        assert held[spec] / times >= lowest_allowed(times), spec


@pytest.mark.parametrize(("middle", "n"), [(0.0, 300), (-2.0, 800)])
def test_sizes(middle, n, nightly):
    times, rng = (5000 if nightly else 500), np.random.default_rng(12)
    rejected = np.zeros(3)
    for _ in range(times):
        y, p = sample(rng, 0.0, 1.0, middle, 1.0, n)
        rejected += [test.pvalue < 0.05 for test in calibration_tests(rs.Sweep.from_arrays(y, p))]
    assert (rejected / times <= 0.065 + 3 * math.sqrt(0.05 * 0.95 / times)).all()
    assert (rejected / times >= 0.035 - 3 * math.sqrt(0.05 * 0.95 / times)).all()


def test_tests_notice_scores_that_are_too_sure():
    y, p = sample(np.random.default_rng(13), 0.0, 0.5, 0.0, 1.5, 1000)
    assert all(test.pvalue < 0.001 for test in calibration_tests(rs.Sweep.from_arrays(y, p)))
