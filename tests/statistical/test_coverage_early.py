"""Coverage of the default intervals of LogAUC and BEDROC, and the reason why other areas have none by default.

Small here, large with ROCSOLID_NIGHTLY=1, judged by the Monte Carlo error. The truth is that of 4,000,000 rows, whose
own error is a fiftieth of the sample's or less.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.statistical.test_coverage import coverage, lowest_allowed, normal_scores, replicates

import rocsolid as rs
from rocsolid.measures import compute, find

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]


@cache
def truth(spec, m, n, auc, b, levels):
    """The value in a population with this share of positives."""
    total = 4_000_000
    many = (total * m // (m + n), total * n // (m + n))
    y, s = normal_scores(np.random.default_rng(0), *many, auc, b, levels)
    return float(compute(find(spec), rs.Sweep.from_arrays(y, np.round(s, 3))))


CELLS = [
    ("log_auc", 30, 100, 0.95, 1.0, None),
    ("log_auc", 30, 1000, 0.9, 0.5, None),
    ("log_auc", 100, 300, 0.98, 1.0, None),
    ("log_auc(min_fpr=0.01, max_fpr=1)", 10, 50, 0.8, 2.0, None),
    ("log_auc", 60, 300, 0.85, 1.0, 5),
    ("bedroc", 10, 50, 0.8, 1.0, None),
    ("bedroc", 30, 1000, 0.95, 0.5, None),
    ("bedroc(alpha=5)", 100, 300, 0.9, 2.0, None),
    ("bedroc", 60, 300, 0.85, 1.0, 5),
]


@pytest.mark.parametrize(("spec", "m", "n", "auc", "b", "levels"), CELLS)
def test_early_recognition(spec, m, n, auc, b, levels, nightly):
    r = replicates(nightly)
    covered, _ = coverage(
        r, lambda rng: normal_scores(rng, m, n, auc, b, levels), spec, truth(spec, m, n, auc, b, levels)
    )
    assert covered >= lowest_allowed(r)


@pytest.mark.parametrize("spec", ["log_auc", "bedroc", "prg_area", "cost_curve_area", "h_measure"])
def test_wald_is_no_default(spec):
    """The influence interval of all of them falls short in a sample of a hundred negatives."""
    population = (30, 100, 0.961, 1.0, None)
    wald, _ = coverage(
        400, lambda rng: normal_scores(rng, *population), spec, truth(spec, *population), method="influence"
    )
    assert wald < lowest_allowed(400)
