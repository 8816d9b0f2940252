"""What is drawn: thinned curves look the same, and the axes hold what they should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.report import scales
from rocsolid.report.curves import COLUMNS, drawn


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=300), st.integers(1, 20))
def test_thinning_keeps_each_columns_extremes(points, columns):
    x = np.sort([p[0] for p in points])
    y = np.array([p[1] for p in points])
    kept = scales.thin(x, y, columns)
    assert np.all(np.diff(kept) > 0)
    assert kept[0] == 0
    assert kept[-1] == len(x) - 1
    column = np.minimum((x * columns).astype(int), columns - 1)
    for c in np.unique(column):
        inside = np.flatnonzero(column == c)
        left = np.intersect1d(inside, kept)
        assert {inside[0], inside[-1]} <= set(left)
        assert y[left].min() == y[inside].min()
        assert y[left].max() == y[inside].max()
    if len(x) > 4 * columns:
        assert len(kept) <= 4 * columns


def test_thinning_runs_backwards_too():
    x = np.linspace(1, 0, 10_000)
    y = np.sin(40 * x)
    kept = scales.thin(x, y, 50)
    assert len(kept) <= 200
    assert y[kept].max() == y.max()
    assert y[kept].min() == y.min()


def test_short_curves_are_left_alone():
    x = np.linspace(0, 1, 40)
    assert scales.thin(x, x, 10).tolist() == list(range(40))


@pytest.mark.parametrize("kind", ["roc", "precision_recall", "det"])
def test_size_is_bounded_and_ends_are_kept(kind):
    rng = np.random.default_rng(0)
    y = rng.random(100_000) < 0.2
    ev = rs.evaluate_many(y, {"a": rng.normal(size=100_000) + y})
    line = drawn(ev)[kind]["lines"][0]
    assert len(line["x"]) == len(line["y"]) <= 4 * COLUMNS
    assert min(line["x"]) == 0 or kind == "det"
    assert max(line["x"]) == 1
    assert min(line["y"]) >= 0
    assert max(line["y"]) <= 1


def test_steps_have_average_precision_as_their_area():
    rng = np.random.default_rng(3)
    y = rng.random(300) < 0.3
    ev = rs.evaluate(y, np.round(rng.normal(size=300) + y, 1))
    line = drawn({"a": ev})["precision_recall"]["lines"][0]
    x, p = np.array(line["x"]), np.array(line["y"])
    assert np.sum(np.diff(x) * p[1:]) == pytest.approx(ev.average_precision().value, abs=1e-12)


def test_probit_axis():
    def ends(*pairs):
        return scales.probit_range([(np.array([a for a, _ in pairs]), np.array([b for _, b in pairs]))])

    low, high = ends((0, 1), (0.004, 0.9), (0.5, 0.5), (1, 0))
    assert (low, high) == (0.001, 0.999)
    assert ends((0, 1), (0.004, 0.5), (0.1, 0.1), (1, 0)) == (0.001, 0.6)
    assert ends((0, 1), (1e-5, 0.9), (0.1, 0.1), (0.5, 0.02), (1, 0)) == (0.01, 0.6)  # what lies outside does not count
    assert ends((1e-9, 0.6), (0.5, 0.5))[0] == 1e-4
    assert ends((0, 0)) == (0.01, 0.6)  # nothing but zeros: perfect separation
    places = scales.on_probit([0, low, 0.5, high, 1], low, high)
    assert places == pytest.approx([0, 0, 0.5, 1, 1])
    for low, high in ((1e-6, 0.6), (1e-3, 0.999), (0.01, 0.99), (1e-6, 1 - 1e-6), (0.01, 0.6)):
        ticks = scales.probit_ticks(low, high)
        assert len(ticks) >= 5
        assert np.diff(scales.on_probit(ticks, low, high)).min() >= 0.05


def test_perfect_and_reversed_scores_can_be_drawn():
    for scores in ([0.1, 0.2, 0.8, 0.9], [0.9, 0.8, 0.2, 0.1], [0.5] * 4):
        parts = drawn({"a": rs.evaluate([0, 0, 1, 1], scores)})
        for kind in ("roc", "precision_recall", "det"):
            values = np.array([parts[kind]["lines"][0][axis] for axis in "xy"])
            assert np.isfinite(values).all()
            assert values.min() >= 0
            assert values.max() <= 1
