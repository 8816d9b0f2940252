"""The fast paths against fractions, on every small pattern and on hostile inputs."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from tests.strategies import labelled, weighted

import rocsolid as rs
from rocsolid import _reference as ref

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


def ulps(got, exact):
    return abs(Fraction(got) - exact) / Fraction(math.ulp(float(exact)))


def tie_patterns(n):
    """Every weak order of n rows, as dense ranks."""
    for ranks in itertools.product(range(n), repeat=n):
        if set(ranks) == set(range(max(ranks) + 1)):
            yield ranks


@pytest.mark.parametrize("n", range(2, 6))
def test_every_label_and_tie_pattern(n):
    for ranks in tie_patterns(n):
        for y in itertools.product((0, 1), repeat=n):
            if len(set(y)) == 2:
                auc, ap = ref.auc_by_pairs(y, ranks), ref.ap_by_definition(y, ranks)
                areas = rs.areas(y, ranks)
                assert areas.roc_auc == float(auc)
                assert ulps(areas.average_precision, ap) <= 1


@pytest.mark.parametrize("n", [6, 7])
def test_every_composition_of_tie_blocks(n):
    """For 6 and 7 rows the order within a block can not matter, so blocks of counts cover every pattern."""
    for sizes in (c for k in range(1, n + 1) for c in itertools.product(range(1, n + 1), repeat=k) if sum(c) == n):
        for pos in itertools.product(*(range(size + 1) for size in sizes)):
            if not 0 < sum(pos) < n:
                continue
            y, s = [], []
            for level, (size, p) in enumerate(zip(sizes, pos, strict=True)):
                y += [1] * p + [0] * (size - p)
                s += [-level] * size
            sweep = rs.Sweep.from_arrays(np.array(y), np.array(s))
            assert sweep.pos.tolist() == list(pos)
            auc, ap = rs.measures.compute(rs.measures.find("roc_auc"), sweep), rs.areas(y, s).average_precision
            assert auc == ref.auc_by_pairs(y, s)
            assert ulps(ap, ref.ap_by_definition(y, s)) <= 1


@given(labelled())
def test_areas_and_variance_equal_the_fractions(data):
    y, s = data
    ev = rs.evaluate(y, s)
    assert ev.roc_auc().exact == ref.auc_by_pairs(y, s)
    assert ev.average_precision().exact == ref.ap_by_definition(y, s)
    areas = rs.areas(y, s)
    assert areas.roc_auc == float(ref.auc_by_pairs(y, s))
    assert ulps(areas.average_precision, ref.ap_by_definition(y, s)) <= 1
    if min(sum(y), len(y) - sum(y)) >= 2:
        exact = float(ref.delong_by_placements(y, s))
        assert ev.roc_auc(method="delong").std_error ** 2 == pytest.approx(exact, rel=1e-14, abs=1e-300)


@given(labelled())
def test_sweep_equals_counting(data):
    y, s = data
    sweep = rs.Sweep.from_arrays(y, s)
    rows = list(zip(sweep.scores.tolist(), sweep.pos.tolist(), sweep.neg.tolist(), strict=True))
    assert rows == ref.sweep_by_counting(y, s)
    lenient = rs.Sweep.from_arrays(y, s, higher_is_positive=False)
    assert list(zip(lenient.scores.tolist(), lenient.pos.tolist(), lenient.neg.tolist(), strict=True)) == rows[::-1]


@given(weighted())
def test_weighted_areas_equal_the_fractions(data):
    y, s, w = data
    areas = rs.areas(y, s, sample_weight=w)
    assert areas.roc_auc == pytest.approx(float(ref.auc_by_pairs(y, s, w)), rel=1e-14, abs=1e-300)
    assert areas.average_precision == pytest.approx(float(ref.ap_by_definition(y, s, w)), rel=1e-14)


@given(labelled())
def test_pairs_add_up(data):
    y, s = data
    auc = rs.evaluate(y, s).roc_auc()
    pairs = [auc.details[k] for k in ("concordant", "tied", "discordant")]
    assert sum(pairs) == sum(y) * (len(y) - sum(y))
    assert auc.exact == Fraction(2 * pairs[0] + pairs[1], 2 * sum(pairs))
    assert auc.details["lowest_over_tie_orders"] <= auc.value <= auc.details["highest_over_tie_orders"]


@given(labelled())
def test_every_threshold_reproduces_its_counts_after_printing(data):
    y, s = data
    sweep = rs.Sweep.from_arrays(y, s)
    for score, tp, fp in zip(sweep.scores.tolist(), sweep.tp.tolist(), sweep.fp.tolist(), strict=True):
        counts = sweep.at(float(repr(score)))
        assert (counts.tp, counts.fp) == (tp, fp)
        assert counts.tp == sum(1 for t, x in zip(y, s, strict=True) if t and x >= score)


def test_chance_level_of_ap_is_the_mean_over_all_orders():
    for n in range(1, 7):
        for m in range(1, n + 1):
            orders = [o for o in itertools.product((0, 1), repeat=n) if sum(o) == m]
            mean = sum((ref.ap_by_definition(o, range(n, 0, -1)) for o in orders), Fraction(0)) / len(orders)
            assert rs.measures.ranking.expected_random_ap(m, n - m) == pytest.approx(float(mean), rel=1e-12)
