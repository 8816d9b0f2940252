"""Cross-validated estimates: means over folds, whatever the scale of each fold's scores."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")

MEASURES = ["roc_auc", "gini", "average_precision", "brier_score", "log_loss", "recall(threshold=0.5)",
            "specificity(threshold=0.5)", "precision(threshold=0.5)", "accuracy(threshold=0.5)"]  # fmt: skip


def folds(n=200, v=5, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, 1 / (1 + np.exp(-rng.normal(size=n) - y)), np.arange(n) % v


@pytest.mark.parametrize("measure", MEASURES)
def test_the_value_is_the_mean_over_folds(measure):
    y, s, f = folds()
    found = rs.evaluate(y, s, fold=f).measure(measure)
    each = [rs.measure(measure, y[f == v], s[f == v]).value for v in range(5)]
    assert found.value == pytest.approx(np.mean(each), rel=1e-14)
    assert list(found.details.values()) == each
    assert list(found.details) == [f"fold {v}" for v in range(5)]
    assert found.interval.low < found.value < found.interval.high
    assert "fold-mean" in [note.code for note in found.notes]
    assert found.sizes.n == 200


@pytest.mark.parametrize("measure", MEASURES)
def test_one_fold_is_no_fold(measure):
    y, s, _ = folds()
    one, none = rs.evaluate(y, s, fold=["all"] * 200).measure(measure), rs.evaluate(y, s).measure(measure)
    assert one.value == pytest.approx(none.value, rel=1e-14)
    got = (one.interval.low, one.interval.high)
    assert got == pytest.approx((none.interval.low, none.interval.high), rel=1e-12)


def test_scores_of_different_folds_are_never_compared():
    y, s, f = folds()
    apart, shifted = rs.evaluate(y, s, fold=f).roc_auc(), rs.evaluate(y, s + 10.0 * f, fold=f).roc_auc()
    assert shifted.value == apart.value
    assert shifted.interval == apart.interval


def test_standard_error_of_independent_folds():
    """DeLong's variances of the folds, added, over the square of their number."""
    y, s, f = folds()
    each = [rs.evaluate(y[f == v], s[f == v]).roc_auc(method="delong").std_error for v in range(5)]
    found = rs.evaluate(y, s, fold=f).roc_auc()
    assert found.std_error == pytest.approx(math.sqrt(sum(np.square(each))) / 5, rel=1e-12)


def test_curves_and_cuts_take_all_rows_together():
    y, s, f = folds()
    apart, together = rs.evaluate(y, s, fold=f), rs.evaluate(y, s)
    assert apart.sweep == together.sweep
    assert apart.at(threshold=0.5) == together.at(threshold=0.5)


def test_a_fold_without_a_value_is_named():
    y, s, f = [0, 1, 1, 1], [0.1, 0.8, 0.3, 0.4], ["a", "a", "b", "b"]
    with pytest.raises(rs.errors.UndefinedMeasureError, match="in fold 'b': there are no negatives"):
        rs.evaluate(y, s, fold=f).roc_auc()
    gap = rs.evaluate(y, s, fold=f, on_undefined="nan").roc_auc()
    assert math.isnan(gap.value)
    assert "fold 'b'" in gap.undefined.en


def test_what_folds_can_not_do():
    y, s, f = folds()
    ev = rs.evaluate(y, s, fold=f)
    with pytest.raises(rs.errors.NotAvailableError, match="d_prime"):
        ev.measure("d_prime")
    with pytest.raises(rs.errors.NotAvailableError, match="influence"):
        ev.influence("roc_auc")
    with pytest.raises(rs.errors.NotAvailableError, match="fold"):
        rs.evaluate(y, s, fold=f, cluster=f)
    with pytest.raises(rs.errors.LengthError, match="fold"):
        rs.evaluate(y, s, fold=[1, 2])


@pytest.mark.statistical
def test_coverage_of_folds_whose_scores_differ(nightly):
    """Five fits with scales of their own; the truth is the AUC that all of them have."""
    r, auc = (4000 if nightly else 400), 0.85
    d = math.sqrt(2) * 1.0364333894937898
    hits = 0
    for seed in range(r):
        rng = np.random.default_rng((seed, 12))
        y, f = rng.random(100) < 0.3, np.arange(100) % 5
        s = rng.normal(size=100) + d * y + 3.0 * f
        try:
            hits += auc in rs.evaluate(y, s, fold=f).roc_auc().interval
        except rs.errors.UndefinedMeasureError:
            hits += 1
    assert 0.93 - 3.9 * math.sqrt(0.93 * 0.07 / r) <= hits / r <= 0.995
