"""Coverage of the intervals at a cut, without luck: every confusion matrix of a size, with its probability.

A simulation would judge a bar with its Monte-Carlo error; here there is none. ``make simulate`` has larger sizes,
random class sizes, weights and clusters.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache

import numpy as np
import pytest
from scipy.stats import binom

import rocsolid as rs
from rocsolid.errors import UndefinedMeasureError
from rocsolid.inference import propagated
from rocsolid.inference.estimates import estimate
from rocsolid.measures import find

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]

TPRS, FPRS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99), (0.001, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5)
OF_TWO = ("youden_j(threshold=0.5)", "lr_positive(threshold=0.5)", "lr_negative(threshold=0.5)",
          "diagnostic_odds_ratio(threshold=0.5)", "act_dcf(prior=0.1)")  # fmt: skip
OF_THREE = ("mcc(threshold=0.5)", "kappa(threshold=0.5)", "f_beta(threshold=0.5, beta=2)")
SIZES = ((5, 10), (10, 10), (7, 30))
FLOOR = 0.93


@lru_cache(maxsize=64)
def intervals(spec, margins, tables):
    """Limits for each table; nan where the measure does not exist, or every interval would be right."""
    found = []
    for tp, fn, fp, tn in tables:
        sweep = rs.Sweep.from_counts([9.0, -9.0], [tp, fn], [fp, tn])
        try:
            one = estimate(find(spec), sweep, margins=margins).interval
        except UndefinedMeasureError:
            one = None
        found.append((math.nan, math.nan) if one is None else (one.low, one.high))
    return np.array(found).T


def truth(spec, tpr, fpr, share):
    request = find(spec)
    return float(propagated.OF_RATES[request.measure.name].function(tpr, fpr, share, request.options))


def by_design(m, n):
    return tuple((tp, m - tp, fp, n - fp) for tp in range(m + 1) for fp in range(n + 1))


def covered(spec, m, n, tpr, fpr):
    """Share of the samples that have the measure."""
    tables = by_design(m, n)
    low, high = intervals(spec, "fixed", tables)
    chance = np.outer(binom.pmf(np.arange(m + 1), m, tpr), binom.pmf(np.arange(n + 1), n, fpr)).ravel()
    value = truth(spec, tpr, fpr, m / (m + n))
    exists = ~np.isnan(low)
    slack = 1e-9 * max(1.0, abs(value))
    hit = (low <= value + slack) & (value <= high + slack)
    return float(chance[hit].sum() / chance[exists].sum())


def lowest(spec, m, n):
    return min(covered(spec, m, n, tpr, fpr) for tpr, fpr in itertools.product(TPRS, FPRS))


@pytest.mark.parametrize("spec", [*OF_TWO, *OF_THREE])
@pytest.mark.parametrize(("m", "n"), SIZES)
def test_class_sizes_by_design(spec, m, n):
    assert lowest(spec, m, n) >= FLOOR


def test_coverage_is_not_far_above_its_level():
    """Counts are discrete and cells are small; on average over rates there is no more than that."""
    each = [covered("youden_j(threshold=0.5)", 10, 10, tpr, fpr) for tpr in TPRS[:5] for fpr in FPRS[3:]]
    assert np.mean(each) < 0.98


@pytest.mark.parametrize("spec", OF_THREE)
@pytest.mark.parametrize("share", [0.4, 0.5])
def test_class_sizes_at_random(spec, share):
    total = 12
    tables = tuple(
        (tp, m - tp, fp, total - m - fp) for m in range(total + 1) for tp in range(m + 1) for fp in range(total - m + 1)
    )
    low, high = intervals(spec, "random", tables)
    cells = np.array(tables)
    m = cells[:, 0] + cells[:, 1]
    for tpr, fpr in itertools.product(TPRS[::2], FPRS[2::2]):
        chance = binom.pmf(m, total, share) * binom.pmf(cells[:, 0], m, tpr) * binom.pmf(cells[:, 2], total - m, fpr)
        value, exists = truth(spec, tpr, fpr, share), ~np.isnan(low)
        hit = (low <= value + 1e-9) & (value <= high + 1e-9)
        assert chance[hit].sum() / chance[exists].sum() >= FLOOR


def test_limits_of_jeffreys_would_fail(monkeypatch):
    """The planted error: limits that lie a quarter of a count further in."""
    monkeypatch.setattr(propagated, "CORRECTION", 0.5)
    intervals.cache_clear()
    try:
        assert covered("youden_j(threshold=0.5)", 10, 10, 0.99, 0.001) < FLOOR
    finally:
        intervals.cache_clear()


def test_not_to_know_that_a_ratio_exists_would_fail(monkeypatch):
    """The planted error: a likelihood ratio that exists by luck, with limits that take the luck for what is usual."""
    assert covered("lr_positive(threshold=0.5)", 7, 30, 0.8, 0.001) >= FLOOR
    monkeypatch.setattr(propagated, "needed", lambda case: (None, None, None))
    intervals.cache_clear()
    try:
        assert covered("lr_positive(threshold=0.5)", 7, 30, 0.8, 0.001) < 0.5
    finally:
        intervals.cache_clear()
