"""Coverage of the intervals of errors and of the concordance index, and size of the comparison of two models.

Small here, large with ROCSOLID_NIGHTLY=1; docs/simulate_regression.py runs the same functions for the tables of
docs/explanation/regression.md. True values are known in closed form.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.special import ndtr
from tests.statistical.test_coverage import lowest_allowed, replicates

import rocsolid as rs

pytestmark = pytest.mark.statistical

# ------------------------------------------------------------------------------------------------ populations

ROOT = math.sqrt(2 / math.pi)


def absolute_t(v):
    """E|t| with v degrees of freedom: 2 sqrt(v) Gamma((v + 1)/2) / ((v - 1) sqrt(pi) Gamma(v/2))."""
    return 2 * math.sqrt(v / math.pi) * math.gamma((v + 1) / 2) / ((v - 1) * math.gamma(v / 2))


ERRORS = {
    "normal": (lambda rng, n: rng.normal(size=n), 1.0, ROOT),
    "normal with bias 1": (lambda rng, n: 1 + rng.normal(size=n), 2.0, ROOT * math.exp(-0.5) + 1 - 2 * ndtr(-1)),
    "uniform": (lambda rng, n: rng.uniform(-1, 1, size=n), 1 / 3, 0.5),
    "Laplace": (lambda rng, n: rng.laplace(size=n), 2.0, 1.0),
    "t(5)": (lambda rng, n: rng.standard_t(5, size=n), 5 / 3, absolute_t(5)),
    "t(3)": (lambda rng, n: rng.standard_t(3, size=n), 3.0, absolute_t(3)),
    "exponential": (lambda rng, n: rng.exponential(size=n) - 1, 1.0, 2 / math.e),
    "5 % five times as wide": (
        lambda rng, n: rng.normal(size=n) * np.where(rng.random(n) < 0.05, 5, 1), 0.95 + 0.05 * 25, ROOT * 1.2,
    ),
    "lognormal": (
        lambda rng, n: rng.lognormal(size=n) - math.exp(0.5), math.e * (math.e - 1),
        2 * math.exp(0.5) * (ndtr(0.5) - ndtr(-0.5)),
    ),
}  # fmt: skip
"""Errors: how they are drawn, mean of their squares, mean of their absolute values."""
TAME = tuple(ERRORS)[:7]
"""Errors for which the default interval of the mean absolute error holds its level."""
THIN = ("normal", "normal with bias 1", "uniform", "Laplace")
"""Errors for which the log-t interval of the mean squared error, by name, nearly holds its level."""


def normal_pair(rng, n, rho):
    y = rng.normal(size=n)
    return y, rho * y + math.sqrt(1 - rho * rho) * rng.normal(size=n)


def two_values(rng, n, share, shift):
    y = (rng.random(n) < share).astype(float)
    return y, shift * y + rng.normal(size=n)


def grades(rng, n, shift):
    y = rng.integers(0, 5, size=n).astype(float)
    return y, shift * y + rng.normal(size=n)


def strays(rng, n, share):
    y = rng.normal(size=n)
    return y, np.where(rng.random(n) < share, rng.normal(size=n), y)


def of_strays(e):
    """Both in place 1; one of two 2/3, since the outcome of the other is one end of three numbers; none 1/2."""
    return (1 - e) ** 2 + 2 * e * (1 - e) * 2 / 3 + e * e / 2


def of_grades(shift):
    return float(np.mean([ndtr((b - a) * shift / math.sqrt(2)) for a, b in combinations(range(5), 2)]))


ORDERS = {
    "normal, C = .60": (lambda rng, n: normal_pair(rng, n, 0.3), 0.5 + math.asin(0.3) / math.pi),
    "normal, C = .90": (lambda rng, n: normal_pair(rng, n, 0.95), 0.5 + math.asin(0.95) / math.pi),
    "normal, C = .95": (lambda rng, n: normal_pair(rng, n, 0.99), 0.5 + math.asin(0.99) / math.pi),
    "5 % strays": (lambda rng, n: strays(rng, n, 0.05), of_strays(0.05)),
    "five grades, C = .79": (lambda rng, n: grades(rng, n, 0.7), of_grades(0.7)),
    "two values, half, C = .92": (lambda rng, n: two_values(rng, n, 0.5, 2.0), float(ndtr(math.sqrt(2)))),
    "two values, 10 %, C = .76": (lambda rng, n: two_values(rng, n, 0.1, 1.0), float(ndtr(math.sqrt(0.5)))),
}
"""Outcomes and predictions: how they are drawn, true concordance."""

# ------------------------------------------------------------------------------------------------- simulations


def held(times, seed, draw, true, measure, **options):
    """Share of data sets whose interval holds the true value, among those that have a value; mean width."""
    rng = np.random.default_rng(seed)
    inside = count = 0
    width = 0.0
    for _ in range(times):
        y, p, more = draw(rng)
        if y.min() == y.max():
            continue
        found = rs.regression.evaluate(y, p, **more).measure(measure, **options)
        count += 1
        inside += found.interval is not None and true in found.interval
        width += 0.0 if found.interval is None else found.interval.width
    return inside / count, width / count


def of_errors(times, kind, n, measure, method="auto"):
    """Coverage where predictions are 0 and the outcomes are the errors."""
    draw, square, absolute = ERRORS[kind]
    true = {"mean_absolute_error": absolute, "mean_squared_error": square}[measure]
    return held(times, [n, 7], lambda rng: (draw(rng, n), np.zeros(n), {}), true, measure, method=method)


def of_orders(times, kind, n, method="auto"):
    """Coverage of a concordance index."""
    draw, true = ORDERS[kind]
    return held(times, [n, 8], lambda rng: (*draw(rng, n), {}), true, "concordance_index", method=method)


def of_clusters(times, measure, groups, size, icc, method="auto"):
    """Coverage where rows come in clusters: all that is drawn has a part in common within each."""
    group, shared, own = np.repeat(np.arange(groups), size), math.sqrt(icc), math.sqrt(1 - icc)

    def part(rng):
        return shared * rng.normal(size=groups)[group] + own * rng.normal(size=len(group))

    def draw(rng):
        y = part(rng)
        p = 0.7 * y + math.sqrt(0.51) * part(rng) if measure == "concordance_index" else np.zeros(len(group))
        return y, p, {"cluster": group}

    true = 0.5 + math.asin(0.7) / math.pi if measure == "concordance_index" else ROOT
    return held(times, [groups, 9], draw, true, measure, method=method)


def of_shares(times, share, n, kind="normal", method="log-t"):
    """Coverage of an R squared: normal predictions and errors of a kind."""
    draw, square, _ = ERRORS[kind]
    scale = math.sqrt((1 - share) / share / square)

    def rows(rng):
        p = rng.normal(size=n)
        return p + scale * draw(rng, n), p, {}

    bias = {"normal with bias 1": scale * scale}.get(kind, 0.0)  # the variance of the outcomes has no bias
    true = 1 - scale * scale * square / (1 + scale * scale * square - bias)
    return held(times, [n, 10], rows, true, "r2_score", method=method)


def of_comparison(times, measure, n, kind, common, ratio=1.0):
    """Share of data sets in which equally good models differ at .05, and whose interval holds the true difference.

    Errors have a ``common`` part and one of each model's own; the second model's are ``ratio`` times as large.
    """
    draw = ERRORS[kind][0]
    rng = np.random.default_rng([n, 11])
    a, b = math.sqrt(common), math.sqrt(1 - common)
    many = np.random.default_rng(1)
    size = float(np.abs(a * draw(many, 400_000) + b * draw(many, 400_000)).mean())
    true = (1 - ratio) * size if measure == "mean_absolute_error" else 0.0
    wrong = inside = 0
    for _ in range(times):
        y, both = 2 * rng.normal(size=n), draw(rng, n)
        first, second = a * both + b * draw(rng, n), ratio * (a * both + b * draw(rng, n))
        found = rs.regression.compare(y, {"a": y - first, "b": y - second}, measure=measure)
        wrong += found.pvalue <= 0.05
        inside += found.interval is not None and true in found.interval
    return wrong / times, inside / times


def of_two_orders(times, n, first, second, common):
    """Share of data sets whose interval holds the true difference of two concordance indices."""
    rng = np.random.default_rng([n, 12])
    true = (math.asin(first) - math.asin(second)) / math.pi
    inside = 0
    for _ in range(times):
        y, both = rng.normal(size=n), rng.normal(size=n)
        p = {
            name: rho * y + math.sqrt((1 - rho**2) * common) * both
            + math.sqrt((1 - rho**2) * (1 - common)) * rng.normal(size=n)
            for name, rho in (("a", first), ("b", second))
        }  # fmt: skip
        found = rs.regression.compare(y, p, measure="concordance_index")
        inside += found.interval is not None and true in found.interval
    return inside / times


# ------------------------------------------------------------------------------------------------------- tests


def few(nightly):
    return max(300, replicates(nightly) // 2)


@pytest.mark.parametrize("n", [10, 20, 100])
@pytest.mark.parametrize("kind", TAME)
def test_mean_absolute_error(kind, n, nightly):
    times = few(nightly)
    assert of_errors(times, kind, n, "mean_absolute_error")[0] >= lowest_allowed(times)


@pytest.mark.parametrize("kind", THIN)
def test_mean_squared_error_by_name(kind, nightly):
    times = few(nightly)
    for n in (10, 50):
        assert of_errors(times, kind, n, "mean_squared_error", "log-t")[0] >= lowest_allowed(times) - 0.015


def test_a_mean_squared_error_may_be_missed_however_many_rows_there_are():
    """Why it has no default interval: squares of t(3) errors have no variance."""
    assert of_errors(300, "t(3)", 200, "mean_squared_error", "log-t")[0] < 0.88


@pytest.mark.parametrize("n", [10, 20, 60])
@pytest.mark.parametrize("kind", ORDERS)
def test_concordance_index(kind, n, nightly):
    times = few(nightly)
    assert of_orders(times, kind, n)[0] >= lowest_allowed(times)


@pytest.mark.parametrize("measure", ["mean_absolute_error", "concordance_index"])
def test_clusters(measure, nightly):
    times = few(nightly)
    assert of_clusters(times, measure, 20, 4, 0.5)[0] >= lowest_allowed(times)


@pytest.mark.parametrize("measure", ["mean_squared_error", "mean_absolute_error", "r2_score", "concordance_index"])
def test_size_of_the_comparison(measure, nightly):
    times = few(nightly)
    for n, kind in ((20, "normal"), (100, "normal"), (50, "t(3)"), (50, "exponential")):
        allowed = 0.065 + 3 * math.sqrt(0.065 * 0.935 / times)
        assert of_comparison(times, measure, n, kind, 0.5)[0] <= allowed, (n, kind)


@pytest.mark.parametrize("kind", ["normal", "t(3)", "exponential"])
@pytest.mark.parametrize(("common", "ratio"), [(0.3, 1.0), (0.9, 1.5), (0.9, 3.0)])
def test_differences_of_mean_absolute_errors(kind, common, ratio, nightly):
    times = few(nightly)
    for n in (10, 40):
        assert of_comparison(times, "mean_absolute_error", n, kind, common, ratio)[1] >= lowest_allowed(times), n


@pytest.mark.parametrize(("first", "second"), [(0.5, 0.5), (0.95, 0.8), (0.99, 0.95)])
def test_differences_of_concordance(first, second, nightly):
    times = few(nightly)
    for n, common in ((10, 0.3), (30, 0.9)):
        assert of_two_orders(times, n, first, second, common) >= lowest_allowed(times), (n, common)
