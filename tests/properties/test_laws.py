"""Laws that hold whatever the numbers are: order, dtype, weights, maps, label swap, merging, threads."""

from __future__ import annotations

import random
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import labelled, ulp_ladder, weighted

import rocsolid as rs

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
SPECS = ("roc_auc", "average_precision", "gini", "d_prime", "recall(threshold=0.5)", "f1(threshold=0.5)")


def everything(evaluation):
    """All numbers of an evaluation, to the bit."""
    return [row.to_json() for row in evaluation.table(SPECS)]


@given(labelled(), st.randoms())
def test_row_order_does_not_matter(data, rnd):
    y, s = data
    order = list(range(len(y)))
    rnd.shuffle(order)
    a, b = rs.evaluate(y, s), rs.evaluate([y[i] for i in order], [s[i] for i in order])
    assert a.sweep == b.sweep
    assert everything(a) == everything(b)


@given(weighted(), st.randoms())
def test_row_order_does_not_matter_with_weights(data, rnd):
    rows = list(zip(*data, strict=True))
    rnd.shuffle(rows)
    y, s, w = zip(*rows, strict=True)
    a = rs.evaluate(data[0], data[1], sample_weight=data[2])
    b = rs.evaluate(list(y), list(s), sample_weight=list(w))
    assert a.sweep == b.sweep
    assert everything(a) == everything(b)


@given(labelled(score=st.integers(0, 100).map(float)))
def test_dtype_does_not_matter(data):
    y, s = data
    first = rs.areas(y, s)
    for dtype in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">f4", ">i8", ">f8"):
        array = np.asarray(s).astype(dtype)
        assert rs.areas(y, array) == first
        sweep = rs.Sweep.from_arrays(y, array)
        assert sweep.scores.dtype == np.dtype(dtype).newbyteorder("=")
        assert sweep.scores.tolist() == sorted(set(array.tolist()), reverse=True)
    for labels in (
        np.array(y, bool),
        np.array(y, "f2"),
        np.array(y, "u1"),
        [2 * v - 1 for v in y],
        [bool(v) for v in y],
    ):
        assert rs.areas(labels, s) == first


@given(labelled(), st.data())
def test_integer_weights_repeat_rows(data, draw):
    y, s = data
    w = draw.draw(st.lists(st.integers(1, 4), min_size=len(y), max_size=len(y)))
    many = rs.evaluate(np.repeat(y, w), np.repeat(s, w))
    few = rs.evaluate(y, s, sample_weight=w)
    for spec in (*SPECS, "precision(threshold=0.5)", "accuracy(threshold=0.5)"):
        a, b = many.table([spec])[0].value, few.table([spec])[0].value
        assert a == pytest.approx(b, rel=1e-13, abs=1e-13, nan_ok=True)


@given(weighted(), st.data())
def test_a_row_of_weight_zero_is_absent(data, draw):
    y, s, w = data
    extra_y, extra_s = draw.draw(labelled(min_size=1, both=False))
    full = rs.evaluate(y + extra_y, s + extra_s, sample_weight=w + [0.0] * len(extra_y))
    assert full.sweep == rs.evaluate(y, s, sample_weight=w).sweep


@given(weighted())
def test_a_common_factor_of_weights_cancels(data):
    y, s, w = data
    a = rs.evaluate(y, s, sample_weight=w)
    b = rs.evaluate(y, s, sample_weight=[v * 2.0**40 for v in w])
    for x, z in zip(a.table(SPECS), b.table(SPECS), strict=True):
        assert x.value == pytest.approx(z.value, rel=1e-12, nan_ok=True)
        if x.interval is not None:
            assert x.interval.low == pytest.approx(z.interval.low, rel=1e-9, abs=1e-12)


@given(labelled())
def test_only_the_order_of_scores_matters(data):
    y, s = data
    levels = sorted(set(s))
    first = rs.evaluate(y, s)
    for around in (0.0, 1.0, -1e300, 2.0**-1022):
        hard = dict(zip(levels, ulp_ladder(len(levels), around), strict=True))
        other = rs.evaluate(y, [hard[v] for v in s])
        assert other.sweep.pos.tolist() == first.sweep.pos.tolist()
        assert other.roc_auc().to_json() == first.roc_auc().to_json()
        assert other.average_precision().to_json() == first.average_precision().to_json()
    whole = {v: 2**60 + i for i, v in enumerate(levels)}
    assert rs.evaluate(y, [whole[v] for v in s]).roc_auc().exact == first.roc_auc().exact


@given(labelled())
def test_swapping_labels_and_direction_changes_nothing(data):
    y, s = data
    auc = rs.evaluate(y, s).roc_auc()
    swapped = rs.evaluate([1 - v for v in y], [-v for v in s]).roc_auc()
    assert swapped.exact == auc.exact
    assert swapped.interval.low == pytest.approx(auc.interval.low, abs=1e-14)
    assert swapped.interval.high == pytest.approx(auc.interval.high, abs=1e-14)
    lower = rs.evaluate(y, [-v for v in s], higher_is_positive=False)
    assert lower.roc_auc().exact == auc.exact
    assert rs.evaluate(y, [-v for v in s]).roc_auc().exact == 1 - auc.exact


@given(labelled(max_size=60), st.data())
def test_merged_chunks_are_the_whole(data, draw):
    y, s = data
    whole = rs.Sweep.from_arrays(y, s)
    which = draw.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)))
    parts = [
        rs.Sweep.from_arrays([a for a, c in zip(y, which, strict=True) if c == k],
                             [b for b, c in zip(s, which, strict=True) if c == k])
        for k in set(which)
    ]  # fmt: skip
    random.Random(len(y)).shuffle(parts)
    merged = parts[0]
    for part in parts[1:]:
        merged = merged + part
    assert merged == whole
    assert sum(len(p.scores) for p in parts) >= len(whole)


@given(weighted(), st.data())
def test_merged_weighted_chunks_are_the_whole_to_the_bit(data, draw):
    y, s, w = (np.array(v, float) for v in data)
    whole = rs.Sweep.from_arrays(y, s, sample_weight=w)
    which = np.array(draw.draw(st.lists(st.integers(0, 2), min_size=len(y), max_size=len(y))))
    merged = None
    for k in set(which.tolist()):
        part = rs.Sweep.from_arrays(y[which == k], s[which == k], sample_weight=w[which == k])
        merged = part if merged is None else merged + part
    assert merged == whole


def test_weights_of_any_size_merge_and_count():
    y, s = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]
    for unit in (1e308, 1.0, 1e-300, 5e-324):
        w = [unit, unit, unit, unit]
        sweep = rs.Sweep.from_arrays(y, s, sample_weight=w)
        assert rs.areas(y, s, sample_weight=w) == rs.areas(y, s)
        halves = rs.Sweep.from_arrays(y[:2], s[:2], sample_weight=w[:2]) + rs.Sweep.from_arrays(
            y[2:], s[2:], sample_weight=w[2:]
        )
        assert halves == sweep
    with pytest.raises(rs.errors.WeightError, match="too small to count"):
        rs.areas(y, s, sample_weight=[1e308, 1e308, 5e-324, 1e308])


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "u8"])
def test_thread_count_does_not_matter(dtype):
    rng = np.random.default_rng(1)
    n = 1_200_000
    y = rng.random(n) < 0.4
    s = (1000 * rng.gamma(2, size=n) * (1 + y)).astype(dtype)
    w = rng.random(n)
    found = []
    for threads in (1, 2, 5):
        rs.set_num_threads(threads)
        try:
            found.append((rs.Sweep.from_arrays(y, s), rs.areas(y, s), rs.Sweep.from_arrays(y, s, sample_weight=w)))
        finally:
            rs.set_num_threads(None)
    assert found[0] == found[1] == found[2]


def test_decimals_merge_in_exact_order():
    import pyarrow as pa

    values = [Decimal("0.1"), Decimal("0.1000000000000000000000000001"), Decimal("0.3"), Decimal("0.1")]
    column = pa.array(values, pa.decimal128(38, 30))
    sweep = rs.Sweep.from_arrays([1, 1, 0, 0], column)
    assert sweep.pos.tolist() == [0, 1, 1]
    parts = rs.Sweep.from_arrays([1, 1], column[:2]) + rs.Sweep.from_arrays([0, 0], column[2:])
    assert parts == sweep
    assert sweep.at(Decimal("0.1000000000000000000000000001")).tp == 1
