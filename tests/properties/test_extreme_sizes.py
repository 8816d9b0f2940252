"""Weights, scores and data of extreme size: the same numbers, or a reason, and never a warning of NumPy's."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors
from rocsolid.binormal import smooth
from rocsolid.calibration import consistency
from rocsolid.measures.isotonic import isotonic_rates, recalibrated

Y = [1, 0, 0, 1, 1, 0, 1, 0]
S = [0.9, 0.8, 0.7, 0.6, 0.6, 0.5, 0.4, 0.1]
W = np.array([1, 3, 2, 1, 4, 1, 2, 5])
AT_A_CUT = (
    "precision", "recall", "specificity", "accuracy", "f1", "npv", "fpr", "fnr", "error_rate", "jaccard", "mcc",
    "kappa", "balanced_accuracy", "youden_j", "lr_positive", "lr_negative", "diagnostic_odds_ratio",
)  # fmt: skip


@pytest.mark.parametrize("exponent", [-400, -270, 270, 400])
@pytest.mark.parametrize("name", AT_A_CUT)
@pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
def test_the_unit_of_the_weights_changes_no_measure_at_a_cut_and_no_curve(name, exponent):
    plain, scaled = (rs.evaluate(Y, S, sample_weight=W * 2.0**power) for power in (0, exponent))
    spec = f"{name}(threshold=0.6)"
    assert scaled.measure(spec).value == pytest.approx(plain.measure(spec).value, rel=1e-12)
    assert scaled.curve(name).values == pytest.approx(plain.curve(name).values, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("exponent", [-400, -270, 270, 400])
@pytest.mark.parametrize("criterion", ["youden", "closest", "f1", "mcc"])
@pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
def test_the_unit_of_the_weights_changes_no_best_cut(criterion, exponent):
    plain, scaled = (rs.evaluate(Y, S, sample_weight=W * 2.0**power).best(criterion) for power in (0, exponent))
    assert (scaled.threshold, scaled.tied) == (plain.threshold, plain.tied)
    assert scaled.attained == pytest.approx(plain.attained, rel=1e-12)
    assert len(repr(scaled)) < 300  # no sum of weights is written with a hundred digits


def test_scores_at_the_ends_of_floats_give_numbers_or_a_reason():
    for scores in ([5e-324, 1e-323, 0.0, 1e-310], [1e308, -1e308, 1.7e308, 1e300]):
        ev = rs.evaluate([0, 1, 0, 1], scores)
        with pytest.raises(errors.UndefinedMeasureError, match="too large or too small for a bandwidth"):
            ev.smooth_roc(method="kernel")
        ev.translate()
    tests = rs.evaluate([0, 1, 0, 1], [5e-324, 1e-323, 0.0, 1e-310]).calibration().tests
    assert tests[2].statistic > 1e300
    assert tests[2].pvalue == 0


def test_many_scores_are_smoothed_as_each_by_itself(monkeypatch):
    y, s = rs.Binormal.from_auc(0.8).sample(3000, 4000, rng=0)
    ev = rs.evaluate(y, s)
    exact = ev.smooth_roc(method="kernel")
    monkeypatch.setattr(smooth, "MANY", 100)
    merged = ev.smooth_roc(method="kernel")
    assert np.abs(merged.fpr - exact.fpr).max() < 1e-5
    assert np.abs(merged.tpr - exact.tpr).max() < 1e-5
    assert merged.roc_auc == pytest.approx(exact.roc_auc, abs=1e-5)


def test_the_isotonic_fit_of_counts_is_that_of_pooled_violators():
    rng = np.random.default_rng(3)
    for _ in range(50):
        n = int(rng.integers(1, 60))
        sweep = rs.Sweep.from_arrays(rng.integers(0, 2, n), np.round(rng.random(n), 1))
        sizes = (sweep.pos + sweep.neg).tolist()
        slow = isotonic_rates(sweep.pos.tolist()[::-1], sizes[::-1])[::-1]
        assert recalibrated(sweep).tolist() == slow.tolist()


def test_a_band_at_fewer_points_holds_the_whole_one(monkeypatch):
    rng = np.random.default_rng(4)
    p = rng.random(500)
    ev = rs.evaluate((rng.random(500) < p).astype(int), p)
    whole = ev.reliability(rng=1, n_resamples=100)
    monkeypatch.setattr(consistency, "MOST_POINTS", 40)
    thin = ev.reliability(rng=1, n_resamples=100)
    assert (thin.low <= whole.low).all()
    assert (thin.high >= whole.high).all()
    assert (thin.low[0], thin.high[-1]) == (whole.low[0], whole.high[-1])
    assert all(a <= b for a, b in pairwise(thin.low))
    monkeypatch.setattr(consistency, "IN_ALL", 100_000)
    assert ev.reliability(rng=1).notes[0].en.startswith("200 sets")


def test_a_large_reliability_band_needs_little_memory_and_time():
    rng = np.random.default_rng(5)
    p = rng.random(150_000)
    ev = rs.evaluate(rng.random(150_000) < p, p)
    curve = ev.reliability(rng=1, n_resamples=50)
    assert curve.low.shape == curve.observed.shape == (150_000,)
    assert (curve.low <= curve.high).all()
    assert Fraction(int((curve.observed < curve.low).sum()), 150_000) < Fraction(1, 5)


def test_a_claim_beyond_all_floats_is_refused():
    with pytest.raises(errors.OptionError, match="finite number"):
        rs.evaluate([0, 1], [0.1, 0.2]).explain("1e400")
