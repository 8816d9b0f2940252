"""Coverage of shares by value: log-normal amounts, hits that depend on them or not, few rows and many."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rocsolid.decisions.shares import Frame, Mass, share
from rocsolid.results import Sizes

R, FRAME = 800, Frame(0.95, Sizes(n_pos=1, n_neg=0), 1)


def drawn(rng, shape, log_sd, base, slope):
    """Amounts, and whether a row is caught: logit P = logit base + slope * log amount / log_sd."""
    z = rng.normal(size=shape)
    return np.exp(log_sd * z), rng.random(shape) < 1 / (1 + np.exp(-math.log(base / (1 - base)) - slope * z))


@pytest.mark.parametrize("n", [20, 50, 200, 1000])
@pytest.mark.parametrize("log_sd", [0.5, 1.0, 2.0])
@pytest.mark.parametrize(("base", "slope"), [(0.5, 0.0), (0.8, 0.7), (0.8, -0.7), (0.95, 0.0)])
def test_shares_by_value_cover(n, log_sd, base, slope):
    rng = np.random.default_rng([n, int(10 * log_sd), int(100 * base), int(10 + 10 * slope)])
    z = np.random.default_rng(0).normal(size=1_000_000)  # the truth by a tilted mean: E[a P] / E[a], a = exp(log_sd z)
    truth = float((1 / (1 + np.exp(-math.log(base / (1 - base)) - slope * (z + log_sd)))).mean())
    covered = 0
    for _ in range(R):
        amounts, hits = drawn(rng, n, log_sd, base, slope)
        parts = (Mass(float(amounts[m].sum()), float((amounts[m] ** 2).sum())) for m in (hits, ~hits))
        covered += truth in share("recall", *parts, FRAME, of_amounts=True).interval
    assert covered / R >= 0.93 - 3 * math.sqrt(0.93 * 0.07 / R)
