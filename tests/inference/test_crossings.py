"""Crossings of two ROC curves: against fractions, against a binormal pair, laws, refusals."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.inference.crossing_points import Staircase, pieces

CASES = Path(__file__).parents[1] / "oracles" / "cases"


def height(vertices, x):
    """TP at an FP count strictly between two vertices' counts, in fractions; slow and obvious."""
    for (f0, t0), (f1, t1) in pairwise(vertices):
        if f0 < x < f1:
            return t0 + Fraction(t1 - t0) * (x - f0) / (f1 - f0)
    below = [t for f, t in vertices if f <= x]
    return Fraction(below[-1])


def vertices(y, s):
    out = [(0, 0)]
    for t in sorted(set(s), reverse=True):
        flagged = [label for label, score in zip(y, s, strict=True) if score >= t]
        out.append((len(flagged) - sum(flagged), sum(flagged)))
    return out


rows = st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=14).filter(
    lambda r: 0 < sum(y for y, _, _ in r) < len(r)
)


@given(rows)
def test_pieces_agree_with_fractions(data):
    y, a, b = ([row[i] for row in data] for i in range(3))
    first, second = vertices(y, a), vertices(y, b)
    found = pieces(*(Staircase(*(np.array(v) for v in zip(*curve, strict=True))) for curve in (first, second)))
    assert found[0].start == 0
    assert found[-1].end == len(y) - sum(y)
    for piece, following in pairwise(found):
        assert piece.end == following.start
        assert piece.sign != following.sign
    for piece in found:
        for share in (Fraction(1, 7), Fraction(1, 3), Fraction(5, 7), Fraction(96, 97)):
            x = piece.start + (piece.end - piece.start) * share
            if x.denominator == 1:
                continue  # a vertical piece may stand here
            gap = height(first, x) - height(second, x)
            assert (gap > 0) - (gap < 0) == piece.sign or gap == 0


@given(rows)
def test_swapping_the_models_swaps_the_leaders(data):
    y, a, b = ([row[i] for row in data] for i in range(3))
    one = rs.crossings(y, {"a": a, "b": b}, n_resamples=100, rng=1)
    two = rs.crossings(y, {"b": b, "a": a}, n_resamples=100, rng=1)
    assert one.ranges == two.ranges
    assert one.crossings == two.crossings
    assert np.allclose(one.share, 1 - two.share, atol=1e-12)


def test_a_model_against_itself():
    y, s = [1, 0, 1, 0, 0], [5, 4, 3, 2, 1]
    found = rs.crossings(y, {"a": s, "b": [10 * v for v in s]}, rng=0)
    assert found.crossings == ()
    assert [(r.low, r.high, r.leader) for r in found.ranges] == [(0.0, 1.0, None)]
    assert found.decided == ()
    assert (found.share == 0.5).all()


def test_a_tie_block_crosses_a_step_inside_a_segment():
    """All tied is the diagonal; the step curve (0, 0) (0, 1/3) (1, 1/3) (1, 1) meets it at FPR 1/3."""
    y = [1, 0, 0, 1, 1]
    found = rs.crossings(y, {"step": [5, 4, 3, 2, 1], "flat": [0] * 5}, rng=0)
    (only,) = found.crossings
    assert (only.exact, only.before, only.after) == (Fraction(1, 3), "step", "flat")
    assert only.tpr == pytest.approx(1 / 3, abs=1e-15)


def test_the_binormal_pair_of_the_notes():
    """Models A (a 1.81, b 1) and B (a 1.43, b 1/2), both AUC 0.90, cross at FPR 0.224, TPR 0.854."""
    cases = json.loads((CASES / "binormal.json").read_text("utf-8"))
    case = next(c for c in cases if c["name"] == "binormal_crossing")
    of, expected = case["inputs"], case["expected"]
    n = 40_000
    from scipy.special import ndtri

    q = ndtri((np.arange(n) + 0.5) / n)  # quantiles instead of draws: the curves are the populations'
    y = np.r_[np.ones(n, int), np.zeros(n, int)]
    a, b = (np.r_[(q + of[f"a{i}"]) / of[f"b{i}"], q] for i in (1, 2))
    found = rs.crossings(y, {"A": a, "B": b}, n_resamples=100, rng=0)
    main = [c for c in found.crossings if 0.01 < c.fpr < 0.9]
    assert (main[0].before, main[-1].after) == ("B", "A")
    for crossing in main:
        assert crossing.fpr == pytest.approx(expected["fpr"], abs=2e-3)
        assert crossing.tpr == pytest.approx(expected["tpr"], abs=1e-3)
        assert expected["fpr"] in crossing.interval


def test_a_seed_repeats_and_is_reported():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    scores = {"a": rng.normal(size=60) + y, "b": rng.normal(size=60) + y}
    one = rs.crossings(y, scores)
    again = rs.crossings(y, scores, rng=one.seed)
    assert (one.share == again.share).all()
    drawn = [rs.crossings(y, scores, n_resamples=100, rng=np.random.default_rng(1)).seed for _ in range(2)]
    assert drawn[0] == drawn[1]
    with pytest.raises(ValueError, match="read-only"):
        one.share[0] = 1
    read = json.loads(one.to_json())
    assert read["seed"] == one.seed
    assert len(read["crossings"]) == len(one.crossings)


def test_direction():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 60)
    a, b = rng.normal(size=60) + y, rng.normal(size=60) + y
    high = rs.crossings(y, {"a": a, "b": b}, rng=0)
    low = rs.crossings(y, {"a": -a, "b": -b}, rng=0, higher_is_positive=False)
    assert high.crossings == low.crossings


def test_refused():
    y = [0, 1, 1]
    for scores in ({"a": y}, {"a": y, "b": y, "c": y}):
        with pytest.raises(rs.errors.OptionError, match="two models"):
            rs.crossings(y, scores)
    with pytest.raises(rs.errors.DtypeError):
        rs.crossings(y, [y, y])
    for options in ({"rng": -1}, {"rng": "x"}, {"rng": True}, {"n_resamples": 5}, {"n_resamples": 200.0}):
        with pytest.raises(rs.errors.OptionError):
            rs.crossings(y, {"a": y, "b": y}, **options)
    with pytest.raises(rs.errors.UndefinedMeasureError, match="no negatives"):
        rs.crossings([1, 1], {"a": [1, 2], "b": [1, 2]})
    with pytest.raises(rs.errors.LengthError):
        rs.crossings(y, {"a": y, "b": [1, 2]})


def test_ranges_say_heights_and_cuts():
    rng = np.random.default_rng(8)
    y = (rng.random(120) < 0.4).astype(int)
    scores = {"a": np.round(rng.normal(size=120) + y, 1), "b": np.round(rng.normal(size=120) * (1 + y) + y, 1)}
    found = rs.crossings(y, scores, rng=0, n_resamples=200)
    assert len(found.ranges) > 2
    curves = {name: rs.evaluate(y, s).curve("roc") for name, s in scores.items()}
    for one in (*found.ranges, *found.decided):
        assert 0 <= one.tpr_low <= one.tpr_high <= 1
        if one.leader is None or one.strictest is None:
            continue
        curve = curves[one.leader]
        for cut in (one.strictest, one.most_lenient):
            at = curve.thresholds.tolist().index(cut)
            assert one.low - 1e-12 <= curve.fpr[at] <= one.high + 1e-12
            assert one.tpr_low - 1e-12 <= curve.tpr[at] <= one.tpr_high + 1e-12
        middle = (one.low + one.high) / 2
        other = next(c for name, c in curves.items() if name != one.leader)
        assert np.interp(middle, curve.fpr, curve.tpr) > np.interp(middle, other.fpr, other.tpr)
    turned = {name: -s for name, s in scores.items()}
    low_first = rs.crossings(y, turned, rng=0, n_resamples=200, higher_is_positive=False)
    assert [-r.strictest for r in low_first.ranges if r.strictest is not None] == [
        r.strictest for r in found.ranges if r.strictest is not None
    ]
