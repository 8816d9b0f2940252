"""Cuts by constraint and by criterion: recorded values of pROC, exhaustive search in fractions, ties, infeasibility."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs

CASES = json.loads((Path(__file__).parents[1] / "oracles/cases/operating_points.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_recorded_operating_points(case):
    expected = case["expected"]
    ev = rs.evaluate(case["inputs"]["labels"], case["inputs"]["scores"])
    for criterion, key in (("youden", "youden"), ("closest", "topleft")):
        point = ev.best(criterion)
        if f"{key}_threshold_ge" in expected:
            assert point.threshold == expected[f"{key}_threshold_ge"]
            assert point.recall.value == pytest.approx(expected[f"{key}_sensitivity"], abs=1e-12)
            assert point.specificity.value == pytest.approx(expected[f"{key}_specificity"], abs=1e-12)
            assert point.attained == pytest.approx(
                expected[{"youden": "youden_index", "closest": "topleft_distance"}[criterion]], abs=1e-12
            )
    for level in (0.8, 0.9):
        name = f"sens_at_spec{level}"
        point = ev.at(specificity=level)
        assert point.recall.value == pytest.approx(expected[f"{name}_attained"], abs=1e-12)
        assert [point.recall.interval.low, point.recall.interval.high] == pytest.approx(
            expected[f"{name}_wilson95"], abs=1e-9
        )
        exact = ev.measure(f"recall(threshold={point.threshold})", method="clopper-pearson").interval
        assert [exact.low, exact.high] == pytest.approx(expected[f"{name}_clopper_pearson95"], abs=1e-9)


def test_note15_youden_is_tied_and_says_so():
    case = CASES[0]
    point = rs.evaluate(case["inputs"]["labels"], case["inputs"]["scores"]).best("youden")
    assert len(point.tied) > 1
    assert point.threshold == point.tied[0] == max(point.tied)
    assert "tied-cuts" in [note.code for note in point.notes]


# ------------------------------------------------------------------------------------- exhaustive, in fractions


def matrices(y, s):
    """(threshold, tp, fp, fn, tn) of every cut, strict to lenient, counted row by row."""
    out = []
    for t in [math.inf, *sorted(set(s), reverse=True)]:
        tp, fp = (sum(a >= t and b == c for a, b in zip(s, y, strict=True)) for c in (1, 0))
        out.append((t, tp, fp, sum(y) - tp, len(y) - sum(y) - fp))
    return out


def youden(tp, fp, fn, tn):
    return Fraction(tp, tp + fn) - Fraction(fp, fp + tn)


def closest(tp, fp, fn, tn):
    return -(Fraction(fn, tp + fn) ** 2) - Fraction(fp, fp + tn) ** 2


def f1(tp, fp, fn, tn):
    return Fraction(2 * tp, 2 * tp + fp + fn)


def f2(tp, fp, fn, tn):
    return Fraction(5 * tp, 5 * tp + 4 * fn + fp)


def mcc(tp, fp, fn, tn):
    below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    d = tp * tn - fp * fn
    return Fraction(d * abs(d), below) if below else Fraction(-9)


def cost(tp, fp, fn, tn):
    return -Fraction(fp + 3 * fn, tp + fp + fn + tn)


def cost_at(tp, fp, fn, tn):
    return -(Fraction(1, 10) * 3 * Fraction(fn, tp + fn) + Fraction(9, 10) * Fraction(fp, fp + tn))


def gains(tp, fp, fn, tn):
    return -Fraction(fp + 3 * fn - 2 * tp - tn, tp + fp + fn + tn)


def gains_at(tp, fp, fn, tn):
    of_pos, of_neg = Fraction(3 * fn - 2 * tp, tp + fn), Fraction(fp - tn, fp + tn)
    return -(Fraction(1, 10) * of_pos + Fraction(9, 10) * of_neg)


GAINS = {"cost_fp": 1, "cost_fn": 3, "cost_tp": -2, "cost_tn": -1}
CRITERIA = [
    ("youden", {}, youden),
    ("closest", {}, closest),
    ("f1", {}, f1),
    ("f_beta", {"beta": 2}, f2),
    ("mcc", {}, mcc),
    ("cost", {"cost_fp": 1, "cost_fn": 3}, cost),
    ("cost", {"cost_fp": 1, "cost_fn": 3, "prevalence": 0.1}, cost_at),
    ("cost", GAINS, gains),
    ("cost", {**GAINS, "prevalence": 0.1}, gains_at),
]

rows = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 6)), min_size=2, max_size=25).filter(
    lambda r: {y for y, _ in r} == {0, 1} and len({s for _, s in r}) > 1
)


@given(rows)
def test_best_is_the_exhaustive_best_with_all_ties(data):
    y, s = map(list, zip(*data, strict=True))
    ev = rs.evaluate(y, s)
    for name, options, key in CRITERIA:
        found = {t: key(*cells) for t, *cells in matrices(y, s)}
        optima = [t for t, value in found.items() if value == max(found.values())]
        point = ev.best(name, **options)
        assert list(point.tied) == optima, name
        assert point.threshold == optima[0]


@given(rows)
def test_gains_move_the_cost_and_not_the_cut(data):
    """What counts is how much worse an error is than no error: 3 and 2 beside 5 and 2 (Elkan 2001)."""
    y, s = map(list, zip(*data, strict=True))
    ev = rs.evaluate(y, s)
    with_gains, without = ev.best("cost", **GAINS), ev.best("cost", cost_fp=2, cost_fn=5)
    assert with_gains.tied == without.tied
    assert with_gains.attained == with_gains.expected_cost(**GAINS)
    least = (2 * with_gains.fp + 5 * with_gains.fn - 2 * sum(y) - (len(y) - sum(y))) / len(y)
    assert with_gains.attained == pytest.approx(least)
    assert "hit -2, rejection -1" in with_gains.asked


@given(rows, st.sampled_from([0.0, 0.1, 1 / 3, 0.5, 0.9, 1.0]))
def test_constraints_are_the_exhaustive_ones(data, level):
    y, s = map(list, zip(*data, strict=True))
    ev, every = rs.evaluate(y, s), matrices(y, s)
    for name, met, gain in [
        ("recall", lambda tp, fp, fn, tn: tp / (tp + fn) >= level, lambda tp, fp: -fp),
        ("specificity", lambda tp, fp, fn, tn: tn / (tn + fp) >= level, lambda tp, fp: tp),
        ("fpr", lambda tp, fp, fn, tn: fp / (tn + fp) <= level, lambda tp, fp: tp),
        ("precision", lambda tp, fp, fn, tn: tp + fp > 0 and tp / (tp + fp) >= level, lambda tp, fp: tp),
    ]:
        point = ev.at(**{name: level})
        fits = [(t, gain(cells[0], cells[1])) for t, *cells in every if met(*cells)]
        assert point.feasible == bool(fits)
        if fits:
            assert list(point.tied) == [t for t, g in fits if g == max(g for _, g in fits)]
        else:
            assert point.attained == max(tp / (tp + fp) for _, tp, fp, *_ in every if tp + fp)
            assert "infeasible" in [note.code for note in point.notes]
            assert "INFEASIBLE" in repr(point)


@given(rows, st.integers(0, 25))
def test_capacity_takes_the_most_rows_that_fit(data, k):
    y, s = map(list, zip(*data, strict=True))
    ev = rs.evaluate(y, s)
    fits = max(tp + fp for _, tp, fp, *_ in matrices(y, s) if tp + fp <= k)
    assert ev.at(capacity=k).tp + ev.at(capacity=k).fp == fits
    top = ev.at(top_k=k)
    assert (top.tp + top.fp == fits, top.feasible) == (True, fits == k)
    share = ev.at(flagged=k / 25)
    assert share.flagged <= k / 25


@given(rows)
def test_direction_and_weights_do_not_matter(data):
    y, s = map(list, zip(*data, strict=True))
    high, low = rs.evaluate(y, s), rs.evaluate(y, [-v for v in s], higher_is_positive=False)
    double = rs.evaluate(y, s, sample_weight=[2] * len(y))
    for name, options, _ in CRITERIA:
        a, b, c = (ev.best(name, **options) for ev in (high, low, double))
        assert [-t for t in b.tied] == list(a.tied) == list(c.tied)
    assert low.at(recall=0.5).threshold == -high.at(recall=0.5).threshold
    assert double.at(recall=0.5).threshold == high.at(recall=0.5).threshold


# ------------------------------------------------------------------------------------- thresholds as they are printed

DTYPES = {
    "float64": np.array([0.1, 1 / 3, 0.1 + 0.2, 0.3, 5e-324]),
    "float32": np.array([0.1, 0.2, 0.3, 1 / 3, 0.7], np.float32),
    "float16": np.array([0.1, 0.2, 0.3, 1 / 3, 0.7], np.float16),
    "int64": np.array([2**60, 2**60 + 1, 2**60 + 2, 5, -7]),
    "uint8": np.array([0, 1, 2, 254, 255], np.uint8),
}


@pytest.mark.parametrize("scores", DTYPES.values(), ids=DTYPES)
def test_a_printed_threshold_gives_the_same_matrix(scores):
    y = np.array([0, 1, 0, 1, 1])
    ev = rs.evaluate(y, scores)
    for t in ev.sweep.scores.tolist():
        point = ev.at(threshold=t)
        read = type(t)(repr(point.threshold))
        assert ev.at(threshold=read).counts == point.counts
        assert point.rule == f"score >= {t!r}"
        again = rs.OperatingPoint.from_json(point.to_json())
        assert (again.threshold, type(again.threshold)) == (point.threshold, type(point.threshold))
        decided = again.apply(scores)
        assert (int((decided & (y == 1)).sum()), int((decided & (y == 0)).sum())) == (point.tp, point.fp)


def test_decimals_survive_too(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from decimal import Decimal

    column = pa.array([Decimal("0.10"), Decimal("0.20"), Decimal("0.30"), Decimal("0.40")])
    ev = rs.evaluate([0, 1, 0, 1], column)
    point = ev.at(recall=1)
    loaded = rs.OperatingPoint.load(point.save(tmp_path / "point.json"))
    assert loaded.threshold == Decimal("0.20")
    assert loaded.apply(column).tolist() == [False, True, True, True]


def test_nothing_flagged_is_beyond_all_scores():
    ev = rs.evaluate([0, 1, 0], [3, 2, 1])
    point = ev.at(fpr=0)
    assert point.threshold == math.inf
    assert point.tp + point.fp == 0
    assert point.feasible
    assert point.precision.undefined is not None
    held = json.loads(point.to_json())
    assert (held["threshold"], held["threshold_is"]) == (None, "inf")
    again = rs.OperatingPoint.from_json(point.to_json())
    assert again.threshold == math.inf
    assert not again.apply([3, 9]).any()
    endless = rs.evaluate([0, 1, 0], [math.inf, 2, 1]).at(fpr=0)
    assert not endless.feasible
    assert endless.threshold == 2.0
    assert endless.fp == 1


# ----------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    "call",
    [
        lambda ev: ev.at(),
        lambda ev: ev.at(recall=0.9, fpr=0.1),
        lambda ev: ev.at(recall=90),
        lambda ev: ev.at(capacity=1.0),
        lambda ev: ev.at(capacity=-1),
        lambda ev: ev.at(top_k=0.5),
        lambda ev: ev.at(flagged=5),
        lambda ev: ev.best("accuracy"),
        lambda ev: ev.best("youden", beta=2),
        lambda ev: ev.best("f_beta"),
        lambda ev: ev.best("f1", beta=2),
        lambda ev: ev.best("cost"),
        lambda ev: ev.best("cost", cost_fp=0, cost_fn=0),
        lambda ev: ev.best("cost", cost_fp=1, cost_fn=math.inf),
        lambda ev: ev.best("cost", cost_fp=1, cost_fn=2, cost_tp=3),
        lambda ev: ev.best("cost", cost_fp=1, cost_fn=2, cost_tn=math.inf),
        lambda ev: ev.best("cost", cost_fp=1, cost_fn=2, cost_tp=2, cost_tn=1),
        lambda ev: ev.best("youden", cost_tp=-1),
        lambda ev: ev.best("youden", rng=1),
        lambda ev: ev.at(recall=0.9).monitor([1, 2], alpha=0),
        lambda ev: ev.at(recall=0.9).monitor([1, 2], looks=0),
    ],
)
def test_refusals_say_what_to_type(call):
    with pytest.raises(rs.errors.OptionError) as error:
        call(rs.evaluate([0, 1, 0, 1], [1, 2, 3, 4]))
    assert error.value.hint


def test_a_missing_class_and_a_single_score_are_undefined():
    with pytest.raises(rs.errors.UndefinedMeasureError):
        rs.evaluate([0, 0], [1, 2]).at(recall=0.5)
    with pytest.raises(rs.errors.UndefinedMeasureError):
        rs.evaluate([0, 0], [1, 2]).best("youden")
    with pytest.raises(rs.errors.UndefinedMeasureError):
        rs.evaluate([0, 1], [1, 1]).best("mcc")


@pytest.mark.parametrize("text", ["{}", "[]", "no json", '{"schema": "rocsolid/9"}', "null"])
def test_what_is_no_point_is_refused(text):
    with pytest.raises(rs.errors.SourceError):
        rs.OperatingPoint.from_json(text)
    with pytest.raises(rs.errors.SourceError):
        rs.OperatingPoint.load("there is no such file.json")
