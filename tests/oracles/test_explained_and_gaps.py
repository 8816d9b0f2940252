"""D2 against scikit-learn and sums of fractions; ICI, E50, E90 and Emax against the slow isotonic fit."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from tests.strategies import labelled

import rocsolid as rs
from rocsolid import _reference as ref

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


def study(seed, n=200):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    p = np.round(np.clip(1 / (1 + np.exp(-rng.normal(size=n) - 1.5 * y)), 0.01, 0.99), 2)
    return y, p, rng.random(n) + 0.1


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighted", [False, True])
def test_d2_is_that_of_scikit_learn(seed, weighted):
    metrics = pytest.importorskip("sklearn.metrics")
    y, p, w = study(seed)
    weight = w if weighted else None
    ev = rs.evaluate(y, p, sample_weight=weight)
    for spec, theirs in (
        ("d2_log_loss", metrics.d2_log_loss_score(y, p, sample_weight=weight)),
        ("d2_brier", metrics.d2_brier_score(y, p, sample_weight=weight)),
        ("d2_absolute_error(baseline=median)", metrics.d2_absolute_error_score(y, p, sample_weight=weight)),
    ):
        assert ev.measure(spec).value == pytest.approx(theirs, rel=1e-12)


@given(labelled(min_size=2))
def test_d2_absolute_in_fractions(data):
    y, s = data
    if len(set(y)) < 2:
        return
    p = [Fraction(v) for v in np.argsort(np.argsort(s)) % 17]
    p = [v / 16 for v in p]
    loss = sum(abs(t - v) for t, v in zip(y, p, strict=True)) / len(y)
    share = Fraction(sum(y), len(y))
    ev = rs.evaluate(y, [float(v) for v in p])
    by_prevalence, by_median = 1 - loss / (2 * share * (1 - share)), 1 - loss / min(share, 1 - share)
    assert ev.measure("d2_absolute_error").value == pytest.approx(float(by_prevalence), abs=1e-12)
    assert ev.measure("d2_absolute_error(baseline=median)").value == pytest.approx(float(by_median), abs=1e-12)


def test_d2_at_its_ends():
    y = [0, 1, 0, 1, 1]
    share = [0.6] * 5
    for spec in ("d2_log_loss", "d2_brier", "d2_absolute"):
        assert rs.measure(spec, y, share).value == pytest.approx(0, abs=1e-15)
        assert rs.measure(spec, y, [float(v) for v in y]).value == 1.0
    lost = rs.measure("d2_log_loss", [0, 1, 1], [1.0, 0.5, 0.5])
    assert lost.value == -math.inf
    assert lost.interval is None
    with pytest.raises(rs.errors.UnknownNameError):
        rs.measure("d2_absolute_error(baseline=mean)", y, share)


def test_a_single_positive_is_no_obstacle_in_one_sample():
    """Rows are drawn as one sample; with class sizes by design one row of a class shows no variation."""
    y, p, _ = study(0, 60)
    lone = np.arange(60) == 0
    free, fixed = (rs.evaluate(lone, p).measure("d2_log_loss", margins=m) for m in ("random", "fixed"))
    assert free.interval.low < free.value < free.interval.high < 1
    assert fixed.interval is None
    assert fixed.notes[0].code == "single-row"
    usual = rs.evaluate(y, p).measure("d2_log_loss")
    total = rs.evaluate(y, p).influence("d2_log_loss")
    assert usual.std_error == pytest.approx(total.std(ddof=1) / math.sqrt(60), rel=0.02)


def by_hand(y, p):
    """Gaps of all rows in fractions, the mean, the middle, the 90th percentile and the largest."""
    fit = dict(zip(sorted(set(p)), ref.isotonic_by_min_max(y, p), strict=True))
    gaps = sorted(abs(Fraction(v) - fit[v]) for v in p)
    n = len(gaps)

    def quantile(tenths):
        at, rest = divmod(n * tenths, 10)
        return gaps[at] if rest else (gaps[at - 1] + gaps[at]) / 2

    return sum(gaps) / n, quantile(5), quantile(9), gaps[-1]


@given(labelled(min_size=1))
def test_gaps_by_the_slow_fit(data):
    y, s = data
    if len(set(s)) > 12:
        return
    p = [(int(v) % 13) / 16 for v in np.argsort(np.argsort(s))]
    ev = rs.evaluate(y, p, pos_label=1)
    names = ("ici_isotonic", "e50_isotonic", "e90_isotonic", "emax_isotonic")
    for name, expected in zip(names, by_hand(y, p), strict=True):
        assert ev.measure(name).value == pytest.approx(float(expected), abs=1e-14), name


def test_gaps_are_too_large_on_average_and_say_so():
    """Scores that are probabilities have gaps of 0 in the population, never in a sample."""
    rng = np.random.default_rng(0)
    p = rng.random(200)
    found = rs.evaluate((rng.random(200) < p).astype(int), p).measure("ici_isotonic")
    assert found.value > 0
    assert found.interval is None
    assert "never negative" in found.notes[0].en
    again = rs.evaluate((rng.random(200) < p).astype(int), p).measure("ici_isotonic", method="bootstrap", rng=0)
    assert again.interval is not None
