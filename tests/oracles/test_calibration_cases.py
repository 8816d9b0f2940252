"""Calibration against recorded cases, field reports, slow definitions and scikit-learn's isotonic regression."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from tests.oracles.test_cases import check, evaluate, load
from tests.strategies import labelled

import rocsolid as rs
from rocsolid import _reference as ref
from rocsolid import errors
from rocsolid.calibration.goodness import hosmer_lemeshow, joint, spiegelhalter
from rocsolid.measures.forecast_bins import forecast_bins
from rocsolid.measures.isotonic import pooled_starts, recalibrated

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


@pytest.mark.parametrize("case", load("calibration"))
def test_calibration(case):
    ev = evaluate(case)

    def of(spec):
        return lambda: ev.measure(spec).value

    computed = {
        "brier": of("brier_score"),
        "brier_reliability": of("brier_reliability"),
        "brier_resolution": of("brier_resolution"),
        "brier_uncertainty": of("brier_uncertainty"),
        "brier_skill_score": of("brier_skill_score"),
        "ece_equal_width10": of("ece"),
        "ece_equal_width5": of("ece(bins=5)"),
        "mce_equal_width10": of("mce(binning=width)"),
        "ece_equal_mass10": of("ece(binning=mass)"),
        "ece_equal_mass5": of("ece(bins=5, binning=mass)"),
        "calibration_in_the_large": of("calibration_in_the_large"),
        "pav_refinement_brier": lambda: of("brier_score")() - of("brier_miscalibration")(),
        "log_loss": of("log_loss"),
        "calibration_slope": of("calibration_slope"),
        "calibration_intercept_with_slope": of("calibration_intercept(slope=fitted)"),
        "calibration_intercept_slope_fixed1": of("calibration_intercept"),
        "spiegelhalter_z": lambda: spiegelhalter(ev.sweep).statistic,
    }
    check(case, computed)
    parts = [of(f"brier_{part}")() for part in ("miscalibration", "discrimination", "uncertainty")]
    assert parts[0] - parts[1] + parts[2] == pytest.approx(case["expected"]["brier"], abs=1e-15)


def test_zero_and_one_are_in_a_bin():
    ev = rs.evaluate([1], [0.0], pos_label=1)
    assert ev.measure("ece").value == 1.0
    assert rs.evaluate([0], [1.0], pos_label=1).measure("mce").value == 1.0


def test_two_things_called_ece_have_two_names():
    ev = rs.evaluate([1, 1], [0.3, 0.7], pos_label=1)
    assert ev.measure("ece(bins=2)").value == pytest.approx(0.5)
    assert ev.measure("ece(bins=2, event=top)").value == pytest.approx(0.2)


def test_an_edge_belongs_to_the_bin_below_it_in_every_dtype():
    tenths = np.arange(1, 11) / 10
    for scores in (tenths, tenths.astype(np.float32)):
        sweep = rs.Sweep.from_arrays([0, 1] * 5, scores)
        assert forecast_bins(sweep, 10, "width").rows.tolist() == [1] * 10
        assert rs.evaluate([0, 1] * 5, scores).curve("reliability").rows.sum() == 10


def test_empty_bins_are_kept():
    curve = rs.evaluate([0, 1, 1], [0.05, 0.95, 0.97]).reliability(binning="width", bins=4, rng=0, n_resamples=50)
    assert curve.rows.tolist() == [1, 0, 0, 2]
    assert np.isnan(curve.observed[1:3]).all()
    assert curve.edges.tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_equal_mass_keeps_ties_together_and_weights_repeat_rows():
    rng = np.random.default_rng(3)
    s, w = np.round(rng.random(80), 1), rng.integers(1, 5, 80)
    y = (rng.random(80) < s).astype(int)
    once = forecast_bins(rs.Sweep.from_arrays(y, s, sample_weight=w), 5, "mass")
    many = forecast_bins(rs.Sweep.from_arrays(np.repeat(y, w), np.repeat(s, w)), 5, "mass")
    assert np.array_equal(once.place, many.place)
    assert np.allclose(once.share, many.share, rtol=1e-15)


@given(labelled(min_size=1))
def test_isotonic_fit_is_the_slow_definition(data):
    y, s = data
    sweep = rs.Sweep.from_arrays(y, s, labels=[0, 1], pos_label=1)
    slow = ref.isotonic_by_min_max(y, s)
    assert recalibrated(sweep)[::-1].tolist() == [float(v) for v in slow]


def test_isotonic_fit_is_that_of_scikit_learn_with_weights():
    isotonic = pytest.importorskip("sklearn.isotonic")
    rng = np.random.default_rng(7)
    for _ in range(30):
        n = int(rng.integers(2, 60))
        s, y, w = np.round(rng.random(n), 1), rng.integers(0, 2, n), rng.random(n) * 10.0 ** rng.integers(-8, 8)
        y[:2] = 0, 1
        sweep = rs.Sweep.from_arrays(y, s, sample_weight=w)
        theirs = isotonic.IsotonicRegression().fit(s, y, sample_weight=w).predict(sweep.scores)
        assert recalibrated(sweep) == pytest.approx(theirs, abs=1e-9)


def test_blocks_rise_strictly():
    assert pooled_starts([1, 1, 0], [1, 1, 1]) == [0]
    assert pooled_starts([], []) == []
    huge = 2**70
    assert pooled_starts([huge, huge + 1], [3 * huge, 3 * huge]) == [0, 1]


def test_decomposition_in_fractions():
    rng = np.random.default_rng(1)
    s = rng.integers(0, 9, 60) / 8
    y = (rng.random(60) < s).astype(int)
    reliability, resolution, uncertainty = ref.murphy(y.tolist(), s.tolist())
    ev = rs.evaluate(y, s)
    for name, exact in (("reliability", reliability), ("resolution", resolution), ("uncertainty", uncertainty)):
        assert ev.measure(f"brier_{name}").value == pytest.approx(float(exact), rel=1e-13)
    assert ev.measure("brier_uncertainty").exact == uncertainty
    assert isinstance(uncertainty, Fraction)


def test_score_test_statistics_by_hand():
    sweep = rs.Sweep.from_arrays([1, 0, 1, 1], [0.2, 0.2, 0.8, 0.8])
    assert hosmer_lemeshow(sweep, bins=2).statistic == pytest.approx((0.6**2 + 0.4**2) / 0.32)
    assert hosmer_lemeshow(sweep, bins=2).df == 2
    assert joint(sweep).undefined.code == "separated" or joint(sweep).df == 2
    sure = rs.Sweep.from_arrays([1, 0], [0.0, 0.0])
    assert spiegelhalter(sure).undefined.code == "no-variance"
    assert hosmer_lemeshow(sure).statistic == math.inf


def test_a_sure_forecast_has_no_logit():
    ev = rs.evaluate([0, 1, 0, 1], [0.0, 0.4, 0.5, 0.8])
    with pytest.raises(errors.UndefinedMeasureError, match="not clipped"):
        ev.measure("calibration_slope")
    with pytest.raises(errors.UndefinedMeasureError, match="separate"):
        rs.evaluate([0, 1], [0.2, 0.8]).measure("calibration_slope")


def test_a_fit_is_undone_by_its_own_slope_and_intercept():
    rng = np.random.default_rng(2)
    x = rng.normal(size=500)
    y = (rng.random(500) < 1 / (1 + np.exp(-x))).astype(int)
    p = 1 / (1 + np.exp(-(0.5 + 2 * x)))
    first = rs.evaluate(y, p)
    a, b = first.measure("calibration_intercept(slope=fitted)").value, first.measure("calibration_slope").value
    again = rs.evaluate(y, 1 / (1 + np.exp(-(a + b * (0.5 + 2 * x)))))
    assert again.measure("calibration_slope").value == pytest.approx(1, abs=1e-9)
    assert again.measure("calibration_intercept").value == pytest.approx(0, abs=1e-9)
    assert again.measure("oe_ratio").value == pytest.approx(1, abs=1e-9)
    assert joint(again.sweep).pvalue == pytest.approx(1)


def test_far_off_forecasts_still_have_a_fit():
    rng = np.random.default_rng(4)
    x = rng.normal(size=300)
    y = (rng.random(300) < 1 / (1 + np.exp(-x))).astype(int)
    p = 1 / (1 + np.exp(-(8 * x + 6)))
    assert rs.evaluate(y, p).measure("calibration_slope").value == pytest.approx(
        rs.evaluate(y, 1 / (1 + np.exp(-x))).measure("calibration_slope").value / 8, rel=1e-6
    )


@pytest.mark.parametrize(
    ("spec", "match"),
    [("ece(bins=0)", "bins"), ("ece(norm=3)", "norm"), ("ece(binning=quantile)", "binning"),
     ("mce(norm=2)", "option"), ("calibration_intercept(slope=2)", "slope"), ("ece(event=1)", "event")],
)  # fmt: skip
def test_unknown_options_are_refused(spec, match):
    with pytest.raises(errors.OptionError, match=match):
        rs.evaluate([0, 1], [0.2, 0.8]).measure(spec)


def test_scores_that_are_no_probabilities_are_refused_everywhere():
    ev = rs.evaluate([0, 1, 1], [0.2, 3.0, 1.0])
    for ask in (ev.calibration, ev.reliability, lambda: ev.curve("reliability")):
        with pytest.raises(errors.ProbabilityError):
            ask()


def test_summary_has_every_number_and_the_tests():
    rng = np.random.default_rng(5)
    p = rng.random(200)
    y = (rng.random(200) < p).astype(int)
    found = rs.evaluate(y, p).calibration()
    assert [row.measure for row in found.table][-1] == "ece(binning=mass)"
    assert len(found.tests) == 3
    assert all(0 <= test.pvalue <= 1 for test in found.tests)
    assert "spiegelhalter" in repr(found)
    assert found.to_dict()["tests"][0]["name"] == "spiegelhalter"
    weighted = rs.evaluate(y, p, sample_weight=np.full(200, 2.0))
    assert weighted.calibration().tests == ()
    with pytest.raises(errors.NotAvailableError):
        weighted.reliability(rng=0)


def test_band_is_reproducible_and_the_plot_counts_rows_below():
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(6)
    p = np.round(rng.random(300), 2)
    ev = rs.evaluate((rng.random(300) < p).astype(int), p)
    for binning in ("isotonic", "width", "mass"):
        a, b = (ev.reliability(binning=binning, n_resamples=200, rng=3) for _ in range(2))
        assert np.array_equal(a.low, b.low, equal_nan=True)
        assert (a.low <= a.high)[a.rows > 0].all()
        display = a.plot(name="m")
        assert display.counts_ax_.get_ylabel() == "Rows"
        assert display._repr_png_()[:4] == b"\x89PNG"
    assert set(a.to_frame().columns) == {"forecast", "observed", "rows", "low", "high"}
