"""The default intervals against the runnable reference that came with their derivation, to 1e-12."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs

SPEC = importlib.util.spec_from_file_location("intervals_ref", Path(__file__).parent / "intervals_ref.py")
reference = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(reference)

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")

counts = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(sum), min_size=1, max_size=40)


def sweep_of(rows):
    pos, neg = np.array(rows).T
    return rs.Sweep.from_counts(np.arange(len(rows), 0, -1.0), pos, neg), pos.astype(float), neg.astype(float)


def same(estimate, expected):
    assert estimate.interval.method == "effective-error"
    got = (estimate.value, estimate.interval.low, estimate.interval.high)
    assert got == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(
    counts.filter(lambda r: sum(p for p, _ in r) >= 1 and sum(n for _, n in r) >= 1), st.sampled_from([0.8, 0.95, 0.99])
)
def test_roc_auc(rows, level):
    sweep, pos, neg = sweep_of(rows)
    same(rs.Evaluation(sweep).roc_auc(confidence_level=level), reference.auc_ci(pos, neg, level))


@given(
    counts.filter(lambda r: sum(p for p, _ in r) >= 2 and sum(n for _, n in r) >= 2), st.sampled_from([0.8, 0.95, 0.99])
)
def test_average_precision(rows, level):
    sweep, pos, neg = sweep_of(rows)
    ev = rs.Evaluation(sweep, confidence_level=level)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        random, fixed = (reference.ap_ci(pos, neg, level, stratified=s) for s in (False, True))
    same(ev.average_precision(), random)
    same(ev.average_precision(margins="fixed"), fixed)


def test_pins_printed_by_the_reference():
    """The numbers of the reference's own demonstration."""
    rng = np.random.default_rng(0)
    y = (np.arange(60) < 20).astype(int)
    s = rng.normal(size=60) + 1.5 * y
    ev = rs.evaluate(y, s)
    same(ev.roc_auc(), reference.auc_ci(*reference.sweep(y, s)))
    same(ev.average_precision(), reference.ap_ci(*reference.sweep(y, s)))


@pytest.mark.parametrize(
    ("rows", "auc"),
    [
        ([(8, 0), (0, 11)], 1.0),
        ([(0, 11), (8, 0)], 0.0),
        ([(8, 11)], 0.5),
        ([(1, 0), (0, 20)], 1.0),
        ([(1, 0), (0, 1)], 1.0),
    ],
)
def test_degenerate_samples_get_an_interval_of_some_width(rows, auc):
    estimate = rs.Evaluation(sweep_of(rows)[0]).roc_auc()
    assert estimate.value == auc
    assert estimate.interval.low <= auc <= estimate.interval.high
    assert estimate.interval.width > 0.1


def test_many_rows_turn_auto_into_delong():
    """At 2,000 rows in the smaller class the width is within 2 % of logit-DeLong."""
    rng = np.random.default_rng(3)
    for shift in (0.5, 1.2, 2.3):
        y = np.arange(12_000) < 2_000
        ev = rs.evaluate(y, rng.normal(size=len(y)) + shift * y)
        ratio = ev.roc_auc().interval.width / ev.roc_auc(method="logit").interval.width
        assert ratio == pytest.approx(1, abs=0.02)
