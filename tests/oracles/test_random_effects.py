"""Random effects on the BCG trials (Colditz et al. 1994), as R's metafor prints them in its documentation."""

from __future__ import annotations

import numpy as np
import pytest

from rocsolid.inference import random_effects as re

# vaccinated: cases, others; not vaccinated: cases, others
BCG = np.array(
    [
        (4, 119, 11, 128), (6, 300, 29, 274), (3, 228, 11, 209), (62, 13536, 248, 12619), (33, 5036, 47, 5761),
        (180, 1361, 372, 1079), (8, 2537, 10, 619), (505, 87886, 499, 87892), (29, 7470, 45, 7232),
        (17, 1699, 65, 1600),        (186, 50448, 141, 27197), (5, 2493, 3, 2338), (27, 16886, 29, 17825),
    ],
    float,
)  # fmt: skip


@pytest.fixture(scope="module")
def risks():
    a, b, c, d = BCG.T
    return re.Sites(np.log(a / (a + b) / (c / (c + d))), 1 / a - 1 / (a + b) + 1 / c - 1 / (c + d))


@pytest.mark.parametrize(
    ("method", "tau2"), [("reml", 0.3132), ("dersimonian-laird", 0.3088), ("paule-mandel", 0.3181)]
)
def test_tau2(risks, method, tau2):
    assert re.TAU2[method](risks) == pytest.approx(tau2, abs=5e-5)


def test_heterogeneity(risks):
    assert risks.q(0) == pytest.approx(152.2330, abs=5e-5)
    assert re.q_profile(risks, 0.95) == pytest.approx((0.1197, 1.1115), abs=5e-5)


def test_means(risks):
    tau2 = re.reml(risks)
    mu, se, limits = re.mean_interval(risks, tau2, "wald", 0.95)
    assert (mu, se, *limits) == pytest.approx((-0.7145, 0.1798, -1.0669, -0.3622), abs=5e-5)
    _, se, limits = re.mean_interval(risks, tau2, "hartung-knapp", 0.95)
    assert (se, *limits) == pytest.approx((0.1808, -1.1084, -0.3206), abs=5e-5)
    assert re.mean_interval(risks, 0.0, "hartung-knapp-modified", 0.95)[1] > se / 5


def test_odds_ratios():
    """The example of van Houwelingen, Arends & Stijnen (2002); the lower end is 0.13015 and printed as 0.1302."""
    a, b, c, d = BCG.T
    odds = re.Sites(np.log(a * d / (b * c)), (1 / BCG).sum(1))
    assert re.q_profile(odds, 0.95) == pytest.approx((0.1302, 1.1812), abs=1e-4)


def test_reml_is_the_highest_point_of_the_restricted_likelihood():
    """Against a fine grid, on sites with and without spread."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        v = rng.uniform(0.05, 0.5, 6)
        sites = re.Sites(rng.normal(0, np.sqrt(v + (seed % 3) * 0.1)), v)

        grid = np.linspace(0, 5, 20_001)
        w = 1 / (sites.v + grid[:, None])
        mean = (w @ sites.y) / w.sum(1)
        q = (w * np.square(sites.y - mean[:, None])).sum(1)
        best = grid[np.argmax(np.log(w).sum(1) - np.log(w.sum(1)) - q)]
        assert re.reml(sites) == pytest.approx(best, abs=3e-4)


def test_equal_variances_by_hand():
    """With equal v: tau^2 = s^2 - v for all three estimators, and Hartung-Knapp is Student's t interval."""
    y = np.array([0.0, 1.0, 2.0, 5.0])
    sites = re.Sites(y, np.full(4, 0.5))
    for estimator in re.TAU2.values():
        assert estimator(sites) == pytest.approx(y.var(ddof=1) - 0.5, rel=1e-9)
    se = re.hartung_knapp(sites, re.reml(sites), modified=False)
    assert se == pytest.approx(y.std(ddof=1) / 2, rel=1e-9)


def test_no_spread():
    sites = re.Sites(np.ones(4), np.full(4, 0.5))
    assert [estimator(sites) for estimator in re.TAU2.values()] == [0, 0, 0]
    assert re.q_profile(sites, 0.95) == (0, 0)
