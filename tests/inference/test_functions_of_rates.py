"""Intervals of functions of the rates at a cut: a second computation, published examples, limits and edges."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import beta, binom, norm

import rocsolid as rs
from rocsolid.inference.propagated import OF_RATES, Seen, extremes
from rocsolid.measures import REGISTRY, find

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")

SPECS = (
    "youden_j(threshold=0.5)",
    "balanced_accuracy(threshold=0.5)",
    "lr_positive(threshold=0.5)",
    "lr_negative(threshold=0.5)",
    "diagnostic_odds_ratio(threshold=0.5)",
    "mcc(threshold=0.5)",
    "kappa(threshold=0.5)",
    "f_beta(threshold=0.5, beta=2)",
    "act_dcf(prior=0.4)",
)
TABLES = ((40, 10, 7, 300), (5, 0, 3, 27), (9, 1, 2, 8), (30, 70, 5, 95), (12, 3, 250, 750))
Z = float(norm.ppf(0.975))


def table(tp, fn, fp, tn):
    return rs.Evaluation(rs.Sweep.from_counts([0.9, 0.1], [tp, fn], [fp, tn]))


def test_every_one_of_them_is_here():
    assert {find(spec).measure.name for spec in SPECS} == set(OF_RATES)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("cells", TABLES)
def test_the_function_of_rates_is_the_measure(spec, cells):
    tp, fn, fp, tn = cells
    if "odds" in spec and fn == 0:
        return
    request = find(spec)
    rates = tp / (tp + fn), fp / (fp + tn), (tp + fn) / sum(cells)
    again = OF_RATES[request.measure.name].function(*rates, request.options)
    assert again == pytest.approx(table(*cells).measure(spec).value, rel=1e-12)


# ------------------------------------------------------------------------------- once more, slowly and plainly


def limit(hits, misses, z, given):
    """One-sided limit of a proportion, by root finding on a distribution function instead of its inverse."""
    size, tail = hits + misses, norm.cdf(-abs(z))
    if z > 0:
        return 1 - limit(misses, hits, -z, {"hit": "miss", "miss": "hit", None: None}[given])
    if z == 0:
        return hits / size
    if hits == 0 or (given == "hit" and hits == 1):
        return 0.0

    def gap(p):
        chance = 1 - (1 - p) ** size if given == "hit" else 1.0
        return beta.cdf(p, hits + 0.25, misses + 0.75) - tail * chance

    return min(brentq(gap, 1e-15, hits / size + 1e-9, xtol=1e-15), hits / size)


def by_search(spec, cells, margins):
    """The extremes over a fine lattice of directions."""
    tp, fn, fp, tn = cells
    request, total = find(spec), sum(cells)
    rule = OF_RATES[request.measure.name]
    three = rule.prevalence and margins == "random"
    angle = np.linspace(0, math.pi / 2, 16 if three else 31)
    across = np.linspace(-math.pi / 2, math.pi / 2, 17) if three else [0.0]
    found = []
    for up in (1, -1):  # every one of them rises with one of the rates and falls with the other
        for a, b in itertools.product(angle, across):
            for sign in (1, -1):
                t = limit(tp, fn, up * Z * math.cos(a) * math.cos(b), rule.positives)
                f = limit(fp, tn, sign * up * Z * math.sin(a) * math.cos(b), rule.negatives)
                pi = limit(tp + fn, fp + tn, Z * math.sin(b), None) if three else (tp + fn) / total
                with np.errstate(all="ignore"):
                    found.append(rule.function(*map(np.float64, (t, f, pi)), request.options))
    return float(np.nanmin(found)), float(np.nanmax(found))


@pytest.mark.parametrize("spec", [s for s in SPECS if not OF_RATES[find(s).measure.name].prevalence])
@pytest.mark.parametrize("cells", TABLES[:3])
def test_two_rates_against_a_search(spec, cells):
    if "odds" in spec and cells[1] == 0:
        return
    interval = table(*cells).measure(spec).interval
    low, high = by_search(spec, cells, "random")
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=4e-3, abs=1e-3)
    assert interval.low <= low + 1e-8
    assert interval.high >= high * (1 - 1e-8)


@pytest.mark.parametrize("spec", [s for s in SPECS if OF_RATES[find(s).measure.name].prevalence])
@pytest.mark.parametrize("margins", ["random", "fixed"])
def test_with_the_prevalence_against_a_search(spec, margins):
    cells = TABLES[2]
    interval = table(*cells).measure(spec, margins=margins).interval
    low, high = by_search(spec, cells, margins)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=6e-3)
    assert interval.low <= low + 1e-8
    assert interval.high >= high - 1e-8


def test_one_rate_alone_has_its_own_limits():
    """A function that looks at one of two proportions: its own limits, between Clopper-Pearson's and Jeffreys'."""
    low, high = extremes(lambda p, q: p + 0 * q, [Seen(8, 2), Seen(3, 7)], Z, np.eye(2))
    assert low == pytest.approx(beta.ppf(0.025, 8.25, 2.75), abs=1e-9)
    assert high == pytest.approx(beta.ppf(0.975, 8.75, 2.25), abs=1e-9)
    exact, jeffreys = (rs.interval_from_counts(8, 10, method=m).interval for m in ("clopper-pearson", "jeffreys"))
    assert exact.low < low < jeffreys.low
    assert jeffreys.high < high < exact.high


def test_correlation_of_one_makes_them_one():
    """Two proportions that move as one: a difference of equal ones does not move at all, a sum moves twice."""
    same = [Seen(20, 20), Seen(20, 20)]
    low, high = extremes(lambda p, q: p - q, same, Z, np.ones((2, 2)))
    assert (low, high) == pytest.approx((0, 0), abs=1e-12)
    low, high = extremes(lambda p, q: (p + q) / 2, same, Z, np.ones((2, 2)))
    assert high == pytest.approx(beta.ppf(0.975, 20.75, 20.25), abs=1e-9)


# --------------------------------------------------------------------------------------- published examples


def koopman(x, m, y, n):
    """Score interval of a ratio of proportions (Koopman 1984, Biometrics 40:513-517), by root finding."""

    def gap(ratio):
        a = (m + n) * ratio
        b = (m + y) * ratio + x + n
        q = (b - math.sqrt(b * b - 4 * a * (x + y))) / (2 * a)
        p = ratio * q
        return (x - m * p) ** 2 / (m * p * (1 - p)) * (1 + m * (ratio - p) / (n * (1 - p))) - Z**2

    ratio = (x / m) / (y / n)
    return brentq(gap, ratio / 50, ratio * (1 - 1e-9)), brentq(gap, ratio * (1 + 1e-9), ratio * 50)


def test_a_likelihood_ratio_beside_koopmans_interval():
    """Koopman's example, 36 of 40 against 16 of 80: 2.94 to 7.15."""
    assert koopman(36, 40, 16, 80) == pytest.approx((2.94, 7.15), abs=0.005)
    found = table(36, 4, 16, 64).measure("lr_positive(threshold=0.5)")
    assert (
        found.exact
        == rs.measure("lr_positive(threshold=0.5)", [1] * 40 + [0] * 80, [1] * 36 + [0] * 4 + [1] * 16 + [0] * 64).exact
    )
    assert (found.interval.low, found.interval.high) == pytest.approx(koopman(36, 40, 16, 80), rel=0.06)


def test_a_difference_beside_newcombes():
    """Newcombe 1998 (Statistics in Medicine 17:873-890), method 10: 56/70 - 48/80 has .0524 to .3339."""
    found = table(56, 14, 48, 32).measure("youden_j(threshold=0.5)")
    assert (found.interval.low, found.interval.high) == pytest.approx((0.0524, 0.3339), abs=0.011)


def test_with_many_rows_it_is_the_interval_of_the_standard_error():
    """On a scale on which the measure is near to normal: logarithms for ratios, Fisher's z for correlations."""
    scales = {"lr_positive": np.log, "lr_negative": np.log, "diagnostic_odds_ratio": np.log}
    for spec in SPECS:
        found = table(60_000, 20_000, 30_000, 130_000).measure(spec)
        scale = scales.get(found.measure.partition("(")[0], lambda v: v)
        slope = 1 / found.value if scale is np.log else 1.0
        ends = scale(found.interval.low), scale(found.interval.high)
        assert ends == pytest.approx(
            tuple(scale(found.value) + sign * Z * slope * found.std_error for sign in (-1, 1)), rel=1e-2, abs=2e-4
        )


# ---------------------------------------------------------------------------------------------------- edges


def test_given_that_one_was_flagged():
    """The lower limit of an FPR that is known to be above 0: the binomial tail as a share of the chance of a hit."""
    p = float(Seen(3, 97, "hit").at(np.array([-Z]))[0])
    low, high = (binom.sf(k - 1, 100, p) / binom.sf(0, 100, p) for k in (4, 3))
    assert low < 0.025 < high  # between the tails of 4 and of 3: hits + 1/4
    assert float(Seen(1, 99, "hit").at(np.array([-Z]))[0]) == 0
    assert float(Seen(300, 9700, "hit").at(np.array([-Z]))[0]) == pytest.approx(
        float(Seen(300, 9700).at(np.array([-Z]))[0]), rel=1e-9
    )
    assert float(Seen(7, 3, "miss").at(np.array([Z]))[0]) == pytest.approx(
        1 - float(Seen(3, 7, "hit").at(np.array([-Z]))[0])
    )


def test_a_lone_false_alarm_gives_no_upper_limit():
    found = table(40, 10, 1, 299).measure("lr_positive(threshold=0.5)")
    assert found.interval.high == math.inf
    assert found.interval.low > 20
    assert "unbounded" in [note.code for note in found.notes]
    assert '"high_is": "inf"' in found.to_json()
    assert table(40, 10, 2, 298).measure("lr_positive(threshold=0.5)").interval.high < math.inf


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    "cells", [(8, 0, 0, 11), (0, 8, 11, 0), (1, 0, 0, 1), (8, 0, 3, 8), (5, 3, 0, 11), (0, 3, 2, 9)]
)
def test_never_of_no_width_and_within_the_range(spec, cells):
    found = rs.Evaluation(table(*cells).sweep, on_undefined="nan").measure(spec)
    if found.undefined is not None:
        return
    low, high = REGISTRY[find(spec).measure.name].range
    assert low <= found.interval.low <= found.value <= found.interval.high <= high
    assert found.interval.high - found.interval.low > 0.01


def test_higher_levels_have_wider_intervals():
    for spec in SPECS:
        each = [table(9, 2, 3, 30).measure(spec, ).interval if level == 0.95 else
                rs.Evaluation(table(9, 2, 3, 30).sweep, confidence_level=level).measure(spec).interval
                for level in (0.5, 0.8, 0.95, 0.999)]  # fmt: skip
        assert all(a.low > b.low and a.high < b.high for a, b in itertools.pairwise(each))


def test_integer_weights_are_sampling_weights():
    """Weights that are all 2 say nothing: effective numbers are those of the rows."""
    y, s = np.repeat([1, 1, 0, 0], [9, 2, 3, 30]), np.repeat([0.9, 0.1, 0.9, 0.1], [9, 2, 3, 30])
    for spec in SPECS:
        plain = rs.evaluate(y, s).measure(spec).interval
        twice = rs.evaluate(y, s, sample_weight=np.full(44, 2.0)).measure(spec).interval
        assert (twice.low, twice.high) == pytest.approx((plain.low, plain.high), rel=1e-7)


def test_a_row_a_cluster_is_not_shorter_than_rows():
    rng = np.random.default_rng(3)
    y = rng.random(200) < 0.4
    s = np.where(rng.random(200) < np.where(y, 0.8, 0.2), 0.7, 0.3)
    for spec in SPECS:
        rows = rs.evaluate(y, s).measure(spec).interval
        clusters = rs.evaluate(y, s, cluster=np.arange(200)).measure(spec).interval
        assert rows.width * 0.95 < clusters.width < rows.width * 1.35
        twice = (
            rs.evaluate(np.repeat(y, 2), np.repeat(s, 2), cluster=np.repeat(np.arange(200), 2)).measure(spec).interval
        )
        assert (twice.low, twice.high) == pytest.approx((clusters.low, clusters.high), rel=0.02)


def test_differences_without_a_limit():
    y = [1] * 50 + [0] * 300
    one = [1] * 40 + [0] * 10 + [1] + [0] * 299  # a single false alarm: no upper limit
    two = [1] * 40 + [0] * 10 + [1] * 6 + [0] * 294
    found = rs.compare(y, {"one": one, "two": two}, measure="lr_positive(threshold=0.5)")
    assert found.interval.high == math.inf
    assert math.isfinite(found.interval.low)
    assert "on-logarithms" in [note.code for note in found.notes]
    again = rs.compare(y, {"two": two, "one": one}, measure="lr_positive(threshold=0.5)")
    assert again.interval.low == -math.inf
    assert again.pvalue == pytest.approx(found.pvalue)


def test_a_ratio_is_tested_on_its_logarithm():
    """Unpaired, two likelihood ratios are independent: z of the log ratio from the textbook variance, 1/x - 1/n."""
    first, second = table(40, 10, 20, 280), table(30, 20, 15, 285)
    spec = "lr_positive(threshold=0.5)"
    found = first.compare(second, measure=spec, paired=False)
    ratio = math.log(first.measure(spec).value / second.measure(spec).value)
    # the influence function has n - 1 in the place of n
    parts = [(1 / x - 1 / n) * n / (n - 1) for x, n in ((40, 50), (20, 300), (30, 50), (15, 300))]
    assert found.statistic == pytest.approx(ratio / math.sqrt(sum(parts)), rel=1e-9)


@pytest.mark.parametrize("hits", [1.01, 1.5, 2, 3, 20, 1e4])
@pytest.mark.parametrize("misses", [0, 0.3, 30, 1e6])
def test_the_limit_given_a_hit_solves_its_equation(hits, misses):
    """Also with effective counts hardly above 1, and far out in the tail."""
    z = -np.linspace(0.1, 6, 40)
    p = Seen(hits, misses, "hit").at(z)
    assert (np.diff(p) <= 0).all()
    free = p < hits / (hits + misses) * (1 - 1e-12)
    size = hits + misses
    left = beta.logcdf(p, hits + 0.25, misses + 0.75)
    right = norm.logcdf(z) + np.log(-np.expm1(size * np.log1p(-np.minimum(p, 1 - 1e-16))))
    assert left[free] == pytest.approx(right[free], abs=1e-8)
