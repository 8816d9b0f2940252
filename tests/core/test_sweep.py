"""The sweep as a value: building, merging, cutting, comparing."""

from __future__ import annotations

import math
import pickle
from decimal import Decimal

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors

Y, S = [1, 0, 1, 0, 1], [0.9, 0.4, 0.4, 0.1, 0.1]


def test_rows_go_from_strict_to_lenient():
    sweep = rs.Sweep.from_arrays(Y, S)
    assert sweep.scores.tolist() == [0.9, 0.4, 0.1]
    assert (sweep.pos.tolist(), sweep.neg.tolist()) == ([1, 1, 1], [0, 1, 1])
    assert (sweep.tp.tolist(), sweep.fp.tolist()) == ([1, 2, 3], [0, 1, 2])
    assert (sweep.n_pos, sweep.n_neg, len(sweep)) == (3, 2, 3)
    assert sweep.pos.dtype == sweep.tp.dtype == np.uint64
    lower = rs.Sweep.from_arrays(Y, S, higher_is_positive=False)
    assert lower.scores.tolist() == [0.1, 0.4, 0.9]
    assert (lower.at(0.4).tp, lower.at(0.4).fp) == (2, 2)


def test_a_sweep_is_frozen():
    sweep = rs.Sweep.from_arrays(Y, S)
    with pytest.raises(AttributeError):
        sweep.pos = sweep.neg
    with pytest.raises(ValueError, match="read-only"):
        sweep.pos[0] = 7
    with pytest.raises(TypeError):
        hash(sweep)


def test_both_zeros_are_one_score():
    for dtype in ("f2", "f4", "f8"):
        sweep = rs.Sweep.from_arrays([1, 0, 1], np.array([0.0, -0.0, 1.0], dtype))
        assert (len(sweep), sweep.pos.tolist(), sweep.neg.tolist()) == (2, [1, 1], [0, 1])
        assert not np.signbit(sweep.scores[1])
    assert rs.Sweep.from_arrays([1, 0], [-0.0, -0.0]) == rs.Sweep.from_arrays([1, 0], [0.0, 0.0])


def test_from_counts_adds_up_sorts_and_leaves_out():
    sweep = rs.Sweep.from_counts([1, 3, 2, 1], pos=[1, 2, 0, 3], neg=[0, 1, 0, 5])
    assert sweep.scores.tolist() == [3, 1]
    assert (sweep.pos.tolist(), sweep.neg.tolist()) == ([2, 4], [1, 5])
    by_rows = rs.Sweep.from_arrays([1] * 6 + [0] * 6, [3, 3, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1])
    assert sweep.tp.tolist() == by_rows.tp.tolist()
    assert rs.Sweep.from_counts([0.5], [2.0], [3.0]).n_neg == 3


@pytest.mark.parametrize(
    ("counts", "problem"),
    [
        ([-1, 1], "negative"),
        ([0.5, 1], "fractions"),
        ([math.inf, 1], "fractions"),
        ([math.nan, 1], "fractions"),
        (["a", "b"], "dtype"),
        ([[1], [2]], "shape"),
        ([2**63, 2**63], "add up"),
        (np.array([2**64 - 1, 1], np.uint64), "add up"),
    ],
)
def test_counts_that_are_none(counts, problem):
    with pytest.raises(errors.CountError, match=problem):
        rs.Sweep.from_counts([1, 1] if problem == "add up" else [1, 2], counts, [0, 0])


def test_from_counts_checks_its_columns():
    with pytest.raises(errors.LengthError):
        rs.Sweep.from_counts([1, 2], [1], [1, 2])
    with pytest.raises(errors.MissingValueError):
        rs.Sweep.from_counts([1, math.nan], [1, 1], [1, 2])
    with pytest.raises(errors.MissingValueError):
        rs.Sweep.from_counts([1, 2], [1, None], [1, 2])
    with pytest.raises(errors.DtypeError):
        rs.Sweep.from_counts(["a", "b"], [1, 1], [1, 2])
    with pytest.raises(errors.EmptyInputError):
        rs.Sweep.from_counts([1, 2], [0, 0], [0, 0])
    assert rs.Sweep.from_counts([1, 2], [2**64 - 3, 1], [1, 0]).n_pos == 2**64 - 2


def test_merging_refuses_what_does_not_belong_together():
    a = rs.Sweep.from_arrays(Y, S)
    for b in (
        rs.Sweep.from_arrays(Y, S, higher_is_positive=False),
        rs.Sweep.from_arrays(["a"] * 5, S, pos_label="a"),
        rs.Sweep.from_arrays(Y, S, sample_weight=[1] * 5),
    ):
        with pytest.raises(errors.SweepMismatchError):
            a + b
    with pytest.raises(TypeError):
        a + 1
    unlabelled = rs.Sweep.from_counts([0.5], [1], [1])
    assert (a + unlabelled).pos_label == (unlabelled + a).pos_label == 1


def test_merging_dtypes_is_exact_or_refused():
    f4, f8 = rs.Sweep.from_arrays([1, 0], np.array([0.1, 0.2], "f4")), rs.Sweep.from_arrays([1, 0], [0.1, 0.2])
    both = f4 + f8
    assert both.scores.dtype == np.float64
    assert len(both) == 4  # float32(0.1) is not float64(0.1)
    small = rs.Sweep.from_arrays([1, 0], np.array([1, 2], "i1")) + rs.Sweep.from_arrays([1, 0], np.array([1, 2], "u8"))
    assert len(small) == 2
    large = rs.Sweep.from_arrays([1, 0], np.array([2**60, 2**60 + 1]))
    with pytest.raises(errors.PrecisionError):
        large + f8


def test_at_compares_exactly_for_every_dtype():
    big = rs.Sweep.from_arrays([1, 0], np.array([2**60 + 1, 2**60]))
    assert (big.at(2**60 + 1).tp, big.at(2**60 + 1).fp) == (1, 0)
    single = rs.Sweep.from_arrays([1, 0], np.array([0.7, 0.1], "f4"))
    assert single.at(np.float32(0.7)).tp == 1
    assert single.at(0.7).tp == 0  # float32(0.7) is below 0.7
    assert single.at(float(single.scores[0])).tp == 1
    flags = rs.Sweep.from_arrays([1, 0], [True, False])
    assert (flags.at(1).tp, flags.at(0).fp, flags.at(0.5).fp) == (1, 1, 0)
    assert rs.Sweep.from_arrays(Y, S).at(Decimal("0.4")).tp == 2  # the float 0.4 is a little above the decimal 0.4
    for threshold in (math.nan, "0.5", None, True, [0.5]):
        with pytest.raises(errors.OptionError):
            big.at(threshold)


@pytest.mark.parametrize("t", [-math.inf, -1.0, 0.1, 0.25, 0.4, 0.9, 1.0, math.inf, 0])
def test_at_equals_counting(t):
    for higher in (True, False):
        counts = rs.Sweep.from_arrays(Y, S, higher_is_positive=higher).at(t)
        flagged = [(v >= t) if higher else (v <= t) for v in S]
        assert counts.tp == sum(f and y for f, y in zip(flagged, Y, strict=True))
        assert counts.fp == sum(f and not y for f, y in zip(flagged, Y, strict=True))
        assert (counts.tp + counts.fn, counts.fp + counts.tn, counts.n) == (3, 2, 5)


def test_weighted_counts():
    sweep = rs.Sweep.from_arrays(Y, S, sample_weight=[2, 1, 3, 4, 0.5])
    counts = sweep.at(0.4)
    assert (counts.tp, counts.fp, counts.fn, counts.tn) == (5, 1, 0.5, 4)
    assert counts.squares == (13, 1, 0.25, 16)
    assert sweep.sizes.effective_pos == pytest.approx(5.5**2 / 13.25)


def test_equality():
    a = rs.Sweep.from_arrays(Y, S)
    assert a == rs.Sweep.from_arrays(Y[::-1], S[::-1])
    assert a != rs.Sweep.from_arrays(Y, np.array(S, "f4"))
    assert a != rs.Sweep.from_arrays([1 - v for v in Y], S)
    assert a != rs.Sweep.from_arrays(Y, S, sample_weight=[1] * 5)
    assert a != 5


def test_a_sweep_can_be_pickled():
    for sweep in (rs.Sweep.from_arrays(Y, S), rs.Sweep.from_arrays(Y, S, sample_weight=[1, 2, 3, 4, 5.5])):
        assert pickle.loads(pickle.dumps(sweep)) == sweep


def test_repr_says_what_it_is():
    assert repr(rs.Sweep.from_arrays(Y, S)) == (
        "<Sweep: 3 distinct scores, 3 positive, 2 negative; higher = positive, positive: 1>"
    )
