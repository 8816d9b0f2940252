"""Constants of equal local levels: recorded values, and the fit against the exact computation.

The recorded values come from an independent implementation of the same exact formula (Poissonisation), checked there
against 200,000 Monte Carlo draws; three decimals.
"""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from rocsolid.errors import NotAvailableError
from rocsolid.inference import equal_local_levels as ell

RECORDED = {
    0.90: {20: 2.559, 100: 2.809, 1000: 3.028},
    0.95: {20: 2.822, 100: 3.063, 1000: 3.271, 20_000: 3.432},
    0.99: {20: 3.346, 100: 3.569, 1000: 3.761},
    math.sqrt(0.90): {20: 2.813, 100: 3.054, 1000: 3.263},
    math.sqrt(0.95): {20: 3.056, 100: 3.288, 1000: 3.489, 20_000: 3.642},
    math.sqrt(0.99): {20: 3.545, 100: 3.762, 1000: 3.949},
}
CASES = [(level, n, z) for level, values in RECORDED.items() for n, z in values.items()]


@pytest.mark.parametrize(("level", "n", "z"), CASES)
def test_recorded_constants(level, n, z):
    """The recorded values are those of a fit, within 3e-4 of exact, rounded to 5e-4; a fitted z adds its allowance."""
    assert ell.local_z(n, level) == pytest.approx(z, abs=3e-4 + 5e-4 + (ell.FIT_ERROR if n > ell.EXACT_UP_TO else 0))


@pytest.mark.parametrize(("n", "level"), [(501, 0.95), (900, 0.8), (1500, 0.999), (1200, 1 - 0.1 / 3), (2000, 0.87)])
def test_the_fit_is_close_and_on_the_safe_side(n, level):
    exact = ell.exact_z(n, level)
    assert exact <= ell.fitted_z(n, level) <= exact + 2 * ell.FIT_ERROR


def test_far_outside_the_sizes_fitted():
    """At 60,000 rows, thrice the largest size of the fit."""
    z = ell.fitted_z(60_000, 0.95)
    assert ell.noncrossing(60_000, z - ell.FIT_ERROR) == pytest.approx(0.95, abs=2e-5)
    assert ell.noncrossing(60_000, z) >= 0.95


@pytest.mark.parametrize("n", [2, 3])
def test_small_sizes_by_hand(n):
    """Two or three sorted uniforms: the volume of the box with the order kept, by integration of polynomials."""
    from scipy.special import betainccinv, betaincinv, ndtr

    z = 2.3
    low = [betaincinv(i, n + 1 - i, ndtr(-z)) for i in range(1, n + 1)]
    high = [betainccinv(i, n + 1 - i, ndtr(-z)) for i in range(1, n + 1)]
    cells = sorted({*low, *high})

    def volume(counts):
        """n! times the product of cell lengths over counts!, for points sorted into cells."""
        out = math.factorial(n)
        for c, (a, b) in zip(counts, pairwise(cells), strict=True):
            out *= (b - a) ** c / math.factorial(c)
        return out

    def allowed(counts):
        where = [cell for cell, c in enumerate(counts) for _ in range(c)]
        return all(low[i] <= cells[w] and cells[w + 1] <= high[i] for i, w in enumerate(where))

    def ways(cells_left, points):
        if cells_left == 1:
            yield (points,)
            return
        for first in range(points + 1):
            for rest in ways(cells_left - 1, points - first):
                yield (first, *rest)

    total = sum(volume(counts) for counts in ways(len(cells) - 1, n) if allowed(counts))
    assert ell.noncrossing(n, z) == pytest.approx(total, abs=1e-12)


def test_levels_outside_the_fit_are_refused():
    with pytest.raises(NotAvailableError, match=r"confidence_level from 0\.8 to 0\.999"):
        ell.local_z(501, 0.9999)
    assert ell.local_z(20, 0.9999) > ell.local_z(20, 0.999)
