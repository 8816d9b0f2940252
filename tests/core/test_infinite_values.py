"""Infinite values and influences near 0: an interval or a note, and never an error of NumPy's or Python's."""

import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
Y, P = [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0], [1.0, 0.0, 0.0, 0.5, 0.0, 0.5, 0.5, 0.0, 0.5, 1.0, 0.5, 0.5]


@pytest.mark.parametrize("beside", [{}, {"fold": [0, 1] * 6}, {"cluster": [0, 1, 2, 3] * 3}], ids=str)
@pytest.mark.parametrize("name", ["log_loss", "log_reliability", "log_miscalibration"])
def test_an_infinite_loss_has_a_note_and_no_interval(name, beside):
    ev = rs.evaluate(Y, P, **beside)
    if "fold" in beside and name != "log_loss":
        with pytest.raises(errors.NotAvailableError):
            ev.measure(name)
        return
    found = ev.measure(name)
    assert (found.value, found.interval, found.std_error) == (math.inf, None, None)
    assert any("infinite" in note.en or "never negative" in note.en for note in found.notes)
    if "fold" not in beside:
        with pytest.raises(errors.UndefinedMeasureError, match="inf"):
            ev.influence(name)


@pytest.mark.parametrize("method", ["bootstrap", "bootstrap-logit"])
@pytest.mark.parametrize("spec", ["bedroc(alpha=2000)", "h_measure(severity_ratio=0.01)"])
def test_influences_near_zero_have_moments(spec, method):
    rng = np.random.default_rng(8)
    for _ in range(20):
        y = rng.permutation([1] * 9 + [0] * 12)
        found = rs.evaluate(y, rng.random(21)).measure(spec, method=method, n_resamples=100, rng=0)
        assert found.interval is None or found.interval.low <= found.value <= found.interval.high


def test_a_bootstrap_of_hardly_any_variation_has_an_interval_or_none():
    """Scores at which a class has no row have a gradient too, and count for nothing."""
    for y, s in (([1, 0, 0], [0.2, 0.7, 0.5]), ([1] + [0] * 20, [0.0] + [1.0] * 12 + [0.5] * 8)):
        for spec in ("accuracy(threshold=0.5)", "recall(threshold=1.0)", "roc_auc", "log_auc"):
            found = rs.evaluate(y, s).measure(spec, method="bootstrap", n_resamples=100, rng=0)
            assert found.interval is None or found.interval.low <= found.value <= found.interval.high


def test_an_expected_cost_lies_within_its_interval_to_the_last_digit():
    spec = "expected_cost(threshold=0.5638722616681088, cost_fp=1, cost_fn=7)"
    ev = rs.evaluate([1, 0, 0], [0.2202367737668454, 0.7301459629955208, 0.5638722616681088])
    for margins in ("random", "fixed"):
        found = ev.measure(spec, margins=margins)
        assert found.interval.low <= found.value <= found.interval.high


def test_replicates_that_differ_by_next_to_nothing_have_a_monte_carlo_error():
    found = rs.evaluate([1] + [0] * 19, [0.5] + [0.0, 1.0, 0.5] * 6 + [0.0]).measure(
        "bedroc(alpha=2000)", method="bootstrap-logit", n_resamples=200, rng=0
    )
    assert found.interval is None or found.interval.low <= found.value <= found.interval.high


def test_resamples_with_infinite_values_give_a_reason_instead_of_a_difference():
    y = [0, 1] + [1] * 10
    s = [0.0, 2.0, 1.0, 0.5, 2.0, 3.0, 3.0, 1.0, 2.0, 3.0, 2.0, 0.0]
    a, b = rs.evaluate(y, s), rs.evaluate(y, [0.1, -0.2, *s[2:]])
    found = a.compare(b, measure="d_prime", method="bootstrap", n_resamples=200, rng=0)
    assert found.interval is None
    assert "infinite-resamples" in {note.code for note in found.notes}


def test_the_joined_test_reaches_levels_at_which_a_rate_is_its_own_limit():
    y = [1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1]
    rng = np.random.default_rng(0)
    for _ in range(5):
        a, b = rs.evaluate(y, [0.5] * 12), rs.evaluate(y, np.round(rng.random(12), 1))
        for name in ("precision", "f1"):
            found = a.compare(b, measure=f"{name}_at_prevalence(threshold=0.5, prevalence=0.02)", method="mover")
            assert 0 <= found.pvalue <= 1


def test_limits_on_the_log_scale_may_be_infinite():
    y, p, q = [0, 1, 0, 1], [0.5, 0.25, 0.3, 0.75], [0.4, 0.3, 0.2, 0.7]
    for name in ("log_loss", "oe_ratio"):
        found = rs.evaluate(y, p).measure(name, confidence_level=1 - 1e-12)
        assert found.interval.low <= found.value <= found.interval.high
    assert 0 <= rs.evaluate(y, p).compare(rs.evaluate(y, q), measure="log_loss", method="mover").pvalue <= 1
