"""Capacity per day, row by row; and what is advised for each use, with the numbers of the parts it is made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs

rows = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 5), st.sampled_from("abc")), min_size=2, max_size=30
).filter(lambda r: {y for y, *_ in r} == {0, 1})


@given(rows, st.integers(1, 6))
def test_each_day_by_hand(data, k):
    y, s, day = map(list, zip(*data, strict=True))
    flagged, tied = [False] * len(y), 0
    for d in set(day):
        mine = [i for i in range(len(y)) if day[i] == d]
        fits = [i for i in mine if sum(s[j] >= s[i] for j in mine) <= k]
        tied += len(fits) < min(k, len(mine))
        for i in fits:
            flagged[i] = True
    found = rs.evaluate(y, s).per_day(day, capacity=k)
    assert found.tp == sum(f and c for f, c in zip(flagged, y, strict=True))
    assert found.tp + found.fp == sum(flagged)
    assert (found.tied_days, found.n_days) == (tied, len(set(day)))
    assert found.recall.value == found.tp / sum(y)
    low = rs.evaluate(y, [-v for v in s], higher_is_positive=False).per_day(day, capacity=k)
    assert low.to_dict() == found.to_dict()


def test_one_day_is_the_capacity_without_an_interval():
    y, s = [0, 0, 1, 1, 1], [1, 4, 3, 8, 9]
    found, point = rs.evaluate(y, s).per_day(["today"] * 5, capacity=2), rs.evaluate(y, s).at(capacity=2)
    assert (found.tp, found.fp) == (point.tp, point.fp)
    assert found.recall.interval is None
    assert found.recall.notes[0].code == "one-day"


def test_per_day_refuses():
    ev = rs.evaluate([0, 1], [1, 2])
    for capacity in (0, 0.5, True, "x"):
        with pytest.raises(rs.errors.OptionError):
            ev.per_day([1, 2], capacity=capacity)
    with pytest.raises(rs.errors.LengthError):
        ev.per_day([1], capacity=1)
    with pytest.raises(rs.errors.MissingValueError):
        ev.per_day(["a", None], capacity=1)
    with pytest.raises(rs.errors.NotAvailableError):
        rs.evaluate([0, 1], [1, 2], sample_weight=[1, 2]).per_day([1, 2], capacity=1)
    clusters = rs.evaluate([0, 1, 1, 0], [1, 2, 3, 4], cluster=[1, 1, 2, 2])
    with pytest.raises(rs.errors.NotAvailableError, match="2 clusters or more go over several days"):
        clusters.per_day([1, 2, 1, 2], capacity=1)
    within = clusters.per_day(["a", "a", "b", "b"], capacity=1)  # a day holds whole clusters: days are drawn anyway
    assert within == rs.evaluate([0, 1, 1, 0], [1, 2, 3, 4]).per_day(["a", "a", "b", "b"], capacity=1)


@pytest.fixture
def ev():
    rng = np.random.default_rng(2)
    y = rng.random(300) < 0.2
    return rs.evaluate(y, np.round(rng.normal(size=300) + 1.5 * y, 2))


def test_capacity_and_screening_are_their_parts(ev):
    found = ev.summary_for("capacity", capacity=30, precision=0.6)
    assert [row.estimate.value for row in found.rows] == [
        ev.average_precision().value, ev.sweep.n_pos / 300, ev.at(capacity=30).precision.value,
        ev.at(precision=0.6).recall.value,
    ]  # fmt: skip
    assert "flagged <= 30" in repr(found)
    found = ev.summary_for("screening", max_fpr=0.2, recall=0.9)
    assert [row.estimate.value for row in found.rows] == [
        ev.roc_auc().value, ev.measure("partial_auc(max_fpr=0.2, standardized=true)").value,
        ev.at(recall=0.9).specificity.value,
    ]  # fmt: skip
    assert all(row.why_zh for row in found.rows)


def test_threshold_is_the_matrix_and_the_cost(ev):
    found = ev.summary_for("threshold", threshold=1, cost_fp=1, cost_fn=5)
    point = ev.at(threshold=1)
    assert [row.estimate.value for row in found.rows[:-1]] == [rate.value for rate in point.rates]
    assert found.rows[-1].estimate.value == point.expected_cost(cost_fp=1, cost_fn=5)
    assert f"tp={point.tp}" in repr(found)


@pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")  # few rows, which is not the point here
def test_groups_and_datasets(ev):
    y, s = [0, 1, 0, 1, 0, 0, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8]
    found = rs.evaluate(y, s).summary_for("groups", groups=list("aaaabbbb"))
    assert [row.of for row in found.rows] == ["a"] * 3 + ["b"] * 3
    assert found.rows[0].estimate.value == rs.roc_auc(y[:4], s[:4]).value
    assert found.rows[4].estimate.value == rs.average_precision(y[4:], s[4:]).value
    lonely = rs.evaluate(y, s).summary_for("groups", groups=list("aabbbbcc"))
    assert lonely.rows[-3].estimate.undefined is not None  # c has no negatives
    assert "can not be compared" in repr(lonely)
    other = rs.evaluate([0, 0, 0, 1], [1, 2, 4, 3])
    found = rs.evaluate(y, s, name="home").summary_for("datasets", datasets={"away": other})
    assert found.rows[-1].estimate.value == other.measure("average_precision(prevalence=0.5)").value
    assert any("can not be compared" in note for note in found.footnotes)
    assert found.to_dict()["rows"][0]["of"] == "home"


def test_what_is_missing_or_has_no_effect_is_refused(ev):
    for use, options in [
        ("capacity", {}), ("capacity", {"capacity": 5}), ("screening", {"max_fpr": 0.1, "recall": 0.9, "precision": 1}),
        ("nothing", {}), ("datasets", {"datasets": [ev]}), ("threshold", {"threshold": 0.5}),
    ]:  # fmt: skip
        with pytest.raises(rs.errors.OptionError) as error:
            ev.summary_for(use, **options)
        assert error.value.hint
