"""Coverage of fitted binormal areas by simulation, and of rates at another prevalence by enumeration.

Small here, large with ROCSOLID_NIGHTLY=1, judged as in test_coverage.py by the Monte Carlo error. Enumeration has none.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom
from tests.statistical.test_coverage import lowest_allowed, replicates

import rocsolid as rs
from rocsolid.binormal import fit_sweep
from rocsolid.inference.limits import normal_quantile

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]

CELLS = [(15, 15, 0.75, 0.5, None), (20, 300, 0.9, 0.5, 5), (30, 200, 0.97, 0.5, None), (100, 100, 0.9, 1.0, 5),
         (100, 20, 0.75, 1.0, None)]  # fmt: skip


def fits(model, m, n, levels, r):
    """Fits to samples of the model; degenerate ones, which have no interval, are left out."""
    for seed in range(r):
        y, s = model.sample(m, n, np.random.default_rng((seed, m, n, 11)))
        if levels is not None:
            s = np.digitize(s, np.linspace(-1, model.a / model.b + 0.5, levels - 1))
        try:
            yield fit_sweep(rs.Sweep.from_arrays(y, s))
        except rs.errors.UndefinedMeasureError:
            continue


@pytest.mark.parametrize(("m", "n", "auc", "b", "levels"), CELLS)
def test_fitted_areas(m, n, auc, b, levels, nightly):
    found = [auc in fit.interval for fit in fits(rs.Binormal.from_auc(auc, b), m, n, levels, replicates(nightly))]
    assert np.mean(found) >= lowest_allowed(len(found))


def test_the_bar_catches_half_of_the_variance(nightly):
    """A planted error: intervals from half of the variance."""
    model, hits = rs.Binormal.from_auc(0.75), []
    for fit in fits(model, 100, 100, None, replicates(nightly)):
        half = normal_quantile(0.95) * fit.std_error / math.sqrt(2)
        hits.append(abs(fit.auc - 0.75) <= half)
    assert np.mean(hits) < lowest_allowed(len(hits))


def test_the_test_of_fit_has_its_size(nightly):
    """Pearson's chi-square on groups of scores rejects a true model about as often as it says."""
    pvalues = [f.goodness.pvalue for f in fits(rs.Binormal.from_auc(0.75), 300, 300, None, replicates(nightly) // 2)]
    r = len(pvalues)
    assert abs(np.mean(np.array(pvalues) < 0.05) - 0.05) < 3.9 * math.sqrt(0.05 * 0.95 / r)


# ------------------------------------------------------------------------- rates at a cut, other prevalence


def coverage_by_enumeration(name, m, n, tpr, fpr, pi, method):
    """Chance that the interval covers, over all counts that have a value: exact."""
    q = 1 - pi
    truth = {
        "precision": pi * tpr / (pi * tpr + q * fpr),
        "npv": q * (1 - fpr) / (q * (1 - fpr) + pi * (1 - tpr)),
        "f1": 2 * pi * tpr / (pi * (1 + tpr) + q * fpr),
    }[name]
    covered = total = 0.0
    for tp, fp in product(range(m + 1), range(n + 1)):
        chance = binom.pmf(tp, m, tpr) * binom.pmf(fp, n, fpr)
        if chance < 1e-6:
            continue
        ev = rs.Evaluation(rs.Sweep.from_counts([1, 0], [tp, m - tp], [fp, n - fp]), on_undefined="nan")
        found = ev.measure(f"{name}_at_prevalence(threshold=0.5, prevalence={pi})", method=method)
        if found.undefined is None:
            total += chance
            covered += chance * (truth in found.interval)
    return covered / total


RATES = [("precision", 15, 15, 0.98, 0.01, 0.05, 0.93), ("precision", 20, 50, 0.3, 0.02, 0.005, 0.93),
         ("npv", 50, 50, 0.98, 0.01, 0.05, 0.93), ("f1", 15, 15, 0.95, 0.3, 0.5, 0.93),
         ("f1", 10, 20, 0.3, 0.001, 0.5, 0.92)]  # fmt: skip


@pytest.mark.parametrize(("name", "m", "n", "tpr", "fpr", "pi", "least"), RATES)
def test_rates_at_another_prevalence(name, m, n, tpr, fpr, pi, least):
    auto = coverage_by_enumeration(name, m, n, tpr, fpr, pi, "auto")
    assert least <= auto <= coverage_by_enumeration(name, m, n, tpr, fpr, pi, "clopper-pearson")


def test_enumeration_catches_a_wald_interval():
    assert coverage_by_enumeration("precision", 15, 15, 0.98, 0.01, 0.05, "influence") < 0.5
