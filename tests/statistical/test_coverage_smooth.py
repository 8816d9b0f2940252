"""Coverage of the default intervals of partial areas, of average precision at another prevalence, and of cell sums.

Small here, large with ROCSOLID_NIGHTLY=1, judged as in test_coverage.py: by the Monte Carlo error. Each bar is shown
to catch a planted error.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import norm
from tests.statistical.test_coverage import coverage, lowest_allowed, normal_scores, replicates

import rocsolid as rs
from rocsolid.inference import limits as lim
from rocsolid.measures import find

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]


def true_partial_area(spec, auc, b, levels=None):
    """From the population's curve: exact points, straight between them where the scores have few levels."""
    shift = float(ndtri(auc)) * np.hypot(1, 1 / b)
    cuts = np.linspace(-9, 9 + shift, 200_001) if levels is None else np.linspace(-1, shift + 1, levels - 1)
    cuts = np.r_[np.inf, cuts[::-1], -np.inf]
    fpr, tpr = norm.sf(cuts), norm.sf(cuts, shift, 1 / b)
    options = find(spec).options
    x, height = (1 - tpr[::-1], 1 - fpr[::-1]) if options.on_tpr else (fpr, tpr)
    inside = np.union1d(np.linspace(float(options.low), float(options.high), 20_001), x)
    inside = inside[(inside >= float(options.low)) & (inside <= float(options.high))]
    return float(options.shown(np.trapezoid(np.interp(inside, x, height), inside)))


PARTIAL = [
    ("partial_auc(max_fpr=0.1)", 10, 100, 0.9, 1.0, None),
    ("partial_auc(max_fpr=0.1, standardized=true)", 100, 60, 0.8, 2.0, None),
    ("partial_auc(max_fpr=0.05)", 20, 400, 0.98, 1.0, None),
    ("partial_auc(min_fpr=0.1, max_fpr=0.3)", 30, 30, 0.75, 0.5, None),
    ("partial_auc(min_fpr=0.2, max_fpr=0.25)", 60, 600, 0.95, 1.0, None),
    ("partial_auc(min_tpr=0.9)", 60, 60, 0.8, 1.0, None),
    ("partial_auc(min_tpr=0.8, max_tpr=0.9)", 100, 20, 0.95, 1.0, None),
    ("partial_auc(max_fpr=0.2)", 30, 60, 0.85, 1.0, 5),
    ("partial_auc(min_tpr=0.8)", 40, 40, 0.85, 1.0, 5),
]


@pytest.mark.parametrize(("spec", "m", "n", "auc", "b", "levels"), PARTIAL)
def test_partial_auc(spec, m, n, auc, b, levels, nightly):
    r = replicates(nightly)
    truth = true_partial_area(spec, auc, b, levels)
    covered, _ = coverage(r, lambda rng: normal_scores(rng, m, n, auc, b, levels), spec, truth)
    assert covered >= lowest_allowed(r)


def test_partial_auc_tends_to_the_influence_interval():
    """Many rows in the range: nothing is left of the prior."""
    y, s = normal_scores(np.random.default_rng(1), 20_000, 40_000, 0.8)
    ev = rs.evaluate(y, s)
    for spec in ("partial_auc(max_fpr=0.1)", "partial_auc(min_tpr=0.8)"):
        auto, wald = (ev.measure(spec, method=method).interval.width for method in ("auto", "influence"))
        assert auto == pytest.approx(wald, rel=0.01)


def test_the_bar_catches_planted_errors_in_partial_areas():
    """Wald sold as the default, and standard errors without the part of the estimated quantile."""
    r, spec = 1000, "partial_auc(max_fpr=0.1)"
    truth = true_partial_area(spec, 0.97, 1.0)
    wald, _ = coverage(r, lambda rng: normal_scores(rng, 10, 60, 0.97), spec, truth, method="influence")
    assert wald < lowest_allowed(r)

    hits, truth = 0, true_partial_area(spec, 0.9, 2.0)
    for seed in range(r):
        y, s = normal_scores(np.random.default_rng((seed, 4)), 2000, 100, 0.9, 2.0)
        sweep = rs.Sweep.from_arrays(y, s)
        g = find(spec).measure.gradient(sweep, find(spec).options)
        se = np.sqrt((np.square(g.pos) * sweep.pos).sum()) / 2000  # the positives alone
        low, high = lim.on_logit(rs.Evaluation(sweep).measure(spec).value / 0.1, se / 0.1, lim.normal_quantile(0.95))
        hits += low <= truth / 0.1 <= high
    assert hits / r < lowest_allowed(r)


# ------------------------------------------------------------------------------- at another prevalence


def true_adjusted(auc, b, prevalence):
    shift = float(ndtri(auc)) * np.hypot(1, 1 / b)
    cuts = np.linspace(9 + 9 * shift, -9 - 9 * shift, 400_001)
    fpr, tpr = norm.sf(cuts), norm.sf(cuts, shift, 1 / b)
    hits = prevalence * tpr
    precision = np.divide(hits, hits + (1 - prevalence) * fpr, out=np.ones_like(hits), where=hits > 0)
    return float((np.diff(tpr) * (precision[1:] + precision[:-1]) / 2).sum())


ADJUSTED = [
    (100, 1000, 0.9, 1.0, 0.01),
    (500, 5000, 0.98, 2.0, 0.005),
    (30, 300, 0.8, 0.5, 0.05),
    (300, 100, 0.9, 1.0, 0.5),
]


@pytest.mark.parametrize(("m", "n", "auc", "b", "prevalence"), ADJUSTED)
def test_average_precision_at_another_prevalence(m, n, auc, b, prevalence, nightly):
    r = replicates(nightly)
    truth = true_adjusted(auc, b, prevalence)
    spec = f"average_precision(prevalence={prevalence})"
    covered, _ = coverage(r, lambda rng: normal_scores(rng, m, n, auc, b), spec, truth)
    assert covered >= lowest_allowed(r)


def test_the_bar_catches_the_naive_interval():
    """Wald with the right standard error, where a handful of negatives decides; the default is right there."""
    r, truth, spec = 500, true_adjusted(0.995, 2.0, 0.005), "average_precision(prevalence=0.005)"
    naive, auto = (
        coverage(r, lambda rng: normal_scores(rng, 100, 1000, 0.995, 2.0), spec, truth, method=method)[0]
        for method in ("influence", "auto")
    )
    assert naive < lowest_allowed(r) <= auto


# ------------------------------------------------------------------------------- net benefit and cost


def decisions(n, share, tpr, fpr):
    """Rows that are flagged at 0.5, or not; ``n`` rows of one population."""

    def draw(rng):
        y = (rng.random(n) < share).astype(int)
        return y, np.where(rng.random(n) < np.where(y, tpr, fpr), 0.7, 0.3)

    return draw


SUMS = [
    ("net_benefit(threshold=0.5)", lambda w, x, y, z: w - x),
    ("expected_cost(threshold=0.5, cost_fp=1, cost_fn=20)", lambda w, x, y, z: x + 20 * y),
    ("expected_cost(threshold=0.5, cost_fp=5, cost_fn=1)", lambda w, x, y, z: 5 * x + y),
]
POPULATIONS = [(40, 0.3, 0.8, 0.1), (100, 0.1, 0.9, 0.02), (100, 0.5, 0.95, 0.05), (400, 0.05, 0.7, 0.01)]


@pytest.mark.parametrize(("spec", "formula"), SUMS)
def test_cell_sums_cover_on_average(spec, formula, nightly):
    """Counts are discrete, so it is the mean over populations that is held to the level, as for Wilson's interval."""
    r = replicates(nightly)
    found = []
    for n, share, tpr, fpr in POPULATIONS:
        truth = formula(share * tpr, (1 - share) * fpr, share * (1 - tpr), (1 - share) * (1 - fpr))
        found.append(coverage(r, decisions(n, share, tpr, fpr), spec, truth)[0])
    assert np.mean(found) >= lowest_allowed(len(POPULATIONS) * r, 0.945)
    assert min(found) >= lowest_allowed(r, 0.90)


def test_cell_sums_with_class_sizes_set_by_design(nightly):
    r, spec = replicates(nightly), "net_benefit(threshold=0.5)"

    def draw(rng):
        y = np.repeat([1, 0], [30, 70])
        return y, np.where(rng.random(100) < np.where(y, 0.9, 0.05), 0.7, 0.3)

    covered, fixed_width = coverage(r, draw, spec, 0.3 * 0.9 - 0.7 * 0.05, margins="fixed")
    assert covered >= lowest_allowed(r)
    assert fixed_width < coverage(50, draw, spec, 0.0)[1]


def test_the_bar_catches_wald_for_costs():
    """Wald near the limit of no errors at all."""
    r, spec = 500, "expected_cost(threshold=0.5, cost_fp=1, cost_fn=20)"
    truth = 0.7 * 0.01 + 20 * 0.3 * 0.05
    covered, _ = coverage(r, decisions(60, 0.3, 0.95, 0.01), spec, truth, method="influence")
    assert covered < lowest_allowed(r, 0.90)
