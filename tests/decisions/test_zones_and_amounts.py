"""Two cuts with abstention, and shares by value: by hand, against row by row counting, with weights."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs

rows = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6), st.integers(0, 9)), min_size=2, max_size=25).filter(
    lambda r: {y for y, *_ in r} == {0, 1}
)


@given(rows, st.integers(0, 6), st.integers(0, 6))
def test_zones_count_every_row_once(data, a, b):
    y, s, _ = map(np.array, zip(*data, strict=True))
    strict, lenient = max(a, b), min(a, b)
    ev = rs.evaluate(y, s)
    found = ev.zones(rule_in=strict, rule_out=ev.at(threshold=lenient))
    zone = np.where(s >= strict, 2, np.where(s >= lenient, 1, 0))
    for got, number in ((found.called_positive, 2), (found.abstained, 1), (found.called_negative, 0)):
        assert (got.pos, got.neg) == tuple(int(((zone == number) & (y == c)).sum()) for c in (1, 0))
    right = ((zone == 2) & (y == 1)).sum() + ((zone == 0) & (y == 0)).sum()
    called = (zone != 1).sum()
    assert found.accuracy.undefined is not None if not called else found.accuracy.value == right / called
    assert found.recall.value == ((zone == 2) & (y == 1)).sum() / y.sum()
    if strict == lenient:
        point = ev.at(threshold=strict)
        assert found.specificity.value == point.specificity.value
        assert found.recall.interval == point.recall.interval
    weighted = rs.evaluate(y, s, sample_weight=np.full(len(y), 2.0)).zones(rule_in=strict, rule_out=lenient)
    assert weighted.recall.value == found.recall.value
    assert weighted.recall.interval.low == pytest.approx(found.recall.interval.low, abs=1e-12)


def test_zones_print_and_refuse():
    ev = rs.evaluate([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    text = repr(ev.zones(rule_in=5, rule_out=3))
    assert "not called (between): 1 positive, 1 negative" in text
    assert ev.zones(rule_in=5, rule_out=3).to_dict()["abstained"] == {"pos": 1, "neg": 1}
    with pytest.raises(rs.errors.OptionError, match="rule_in"):
        ev.zones(rule_in=3, rule_out=5)
    with pytest.raises(rs.errors.NotAvailableError):
        rs.evaluate([0, 1, 1, 0], [1, 2, 3, 4], fold=[1, 1, 2, 2]).zones(rule_in=3, rule_out=2)


@pytest.mark.parametrize("weighted", [False, True])
def test_zones_of_clusters_have_the_intervals_of_rates_at_a_cut(weighted):
    rng = np.random.default_rng(3)
    cluster = np.arange(300) // 5
    y = (rng.random(300) < 0.4).astype(int)
    s = np.round(rng.normal(size=300) + y + rng.normal(size=60)[cluster], 1)
    w = rng.random(300) + 0.2 if weighted else None
    ev = rs.evaluate(y, s, cluster=cluster, sample_weight=w)
    found = ev.zones(rule_in=1.5, rule_out=0)
    for rate, spec in ((found.recall, "recall(threshold=1.5)"), (found.precision, "precision(threshold=1.5)"),
                       (found.specificity, "specificity(threshold=0)"), (found.npv, "npv(threshold=0)"),
                       (found.missed, "fnr(threshold=0)"), (found.false_alarms, "fpr(threshold=1.5)")):  # fmt: skip
        alone = ev.measure(spec)
        assert rate.value == pytest.approx(alone.value)
        assert (rate.interval.low, rate.interval.high) == pytest.approx((alone.interval.low, alone.interval.high))
        assert rate.std_error == pytest.approx(alone.std_error, rel=0.05)
    assert found.recall.sizes.n_clusters == 60
    apart = rs.evaluate(y, s, sample_weight=w).zones(rule_in=1.5, rule_out=0)
    assert apart.abstained == found.abstained
    assert apart.abstained_share.interval.width < found.abstained_share.interval.width
    lone = rs.evaluate([0, 1, 1, 0], [1, 2, 3, 4], cluster=[1] * 4).zones(rule_in=3, rule_out=2)
    assert lone.recall.interval is None
    assert lone.recall.notes[0].code == "single-cluster"


@given(rows, st.integers(0, 6))
def test_shares_by_value_are_sums_over_rows(data, cut):
    y, s, a = map(np.array, zip(*data, strict=True))
    point = rs.evaluate(y, s).at(threshold=cut, amount=a)
    by, flag = point.by_amount, s >= cut
    caught, missed, wrong = (int(a[m].sum()) for m in (flag & (y == 1), ~flag & (y == 1), flag & (y == 0)))
    assert (by.caught, by.missed, by.counts.fp, by.n_flagged) == (caught, missed, wrong, flag.sum())
    for rate, hits, misses in ((by.recall, caught, missed), (by.precision, caught, wrong)):
        if hits + misses:
            assert rate.value == float(Fraction(hits, hits + misses))
            assert rate.interval.low <= rate.value <= rate.interval.high
        else:
            assert rate.undefined is not None
    assert by.cost(per_flag=2) == missed + 2 * flag.sum()
    assert rs.OperatingPoint.from_json(point.to_json()).to_json() == point.to_json()


def test_amounts_follow_their_rows():
    y, s, a = [0, 1, 1, 0], [1.0, 2.0, np.nan, 4.0], [1, 2, np.nan, 8]
    by = rs.evaluate(y, s, missing="drop").at(threshold=2, amount=a).by_amount
    assert (by.caught, by.counts.fp) == (2, 8)
    double = rs.evaluate([0, 1, 1], [1, 2, 3], sample_weight=[1, 3, 0]).at(threshold=2, amount=[5, 7, -1]).by_amount
    assert (double.caught, double.missed) == (21, 0)


@pytest.mark.parametrize("amount", [[1, 2, 3, -4], [1, 2, 3, np.inf], [1, 2, None, 3], ["a", "b", "c", "d"]])
def test_amounts_that_are_none_are_refused(amount):
    with pytest.raises(rs.errors.OptionError, match="amount"):
        rs.evaluate([0, 1, 0, 1], [1, 2, 3, 4]).at(threshold=2, amount=amount)


def test_one_amount_a_row():
    with pytest.raises(rs.errors.LengthError):
        rs.evaluate([0, 1, 0, 1], [1, 2, 3, 4]).at(threshold=2, amount=[1])


def test_expected_cost_is_exact():
    point = rs.evaluate([0, 0, 0, 1, 1], [1, 4, 0, 3, 8]).at(threshold=4)
    assert point.expected_cost(cost_fp=0.1, cost_fn=0.7) == float(Fraction(8, 50))
    assert (
        point.expected_cost(cost_fp=1, cost_fn=10)
        == rs.evaluate([0, 0, 0, 1, 1], [1, 4, 0, 3, 8])
        .measure("expected_cost(threshold=4, cost_fp=1, cost_fn=10)")
        .value
    )
    with pytest.raises(rs.errors.OptionError):
        point.expected_cost(cost_fp=float("inf"), cost_fn=1)
