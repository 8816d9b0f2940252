"""What has gone wrong in public in libraries like this one; the numbers B.. are those of field_reports.md.

Each test covers the whole kind, not only the reported input.
"""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


def auc(y, s, **options):
    return rs.roc_auc(y, s, **options).value


def ap(y, s, **options):
    return rs.average_precision(y, s, **options).value


# ---------------------------------------------------------------------------- A. ties and float equality


def test_b01_b02_close_scores_stay_apart_at_every_scale():
    for scale in (1.0, 1e-7, 1e-300, 1e200, 5e-324 / 3e-9):
        assert auc([1, 0, 0], np.array([3e-9, 0, 0]) * scale) == 1.0
    base = np.array([2e-9, 8e-9, 7e-9, 1.6e-8])
    for scale in (1e200, 1.0, 1e-7, 1e-300):
        assert auc([0, 0, 1, 1], base * scale) == 0.75
        roc = rs.evaluate([0, 0, 1, 1], base * scale).curve("roc")
        assert roc.fpr.max() == roc.tpr.max() == 1.0


def test_b04_bracket_over_tie_orders():
    found = rs.roc_auc([1, 0, 0, 1], [2, 5, 10, 10])
    assert found.value == 0.375
    assert found.details["lowest_over_tie_orders"] == 0.25
    assert found.details["highest_over_tie_orders"] == 0.5


def test_b05_b07_b08_b10_ties_do_not_depend_on_order():
    for n in (2, 3, 5):
        for y in itertools.product((0, 1), repeat=n):
            if len(set(y)) == 2:
                assert auc(y, [0.5] * n) == 0.5
                assert math.copysign(1, auc(y, [0.5] * n)) == 1
                assert ap(y, [0.5] * n) == pytest.approx(sum(y) / n)
    assert ap([1, 0], [0.5, 0.5]) == ap([0, 1], [0.5, 0.5]) == 0.5


def test_b11_a_tie_block_is_one_segment():
    roc = rs.evaluate([1, 1, 0], [5, 5, 3]).curve("roc")
    assert list(zip(roc.fpr.tolist(), roc.tpr.tolist(), strict=True)) == [(0, 0), (0, 1), (1, 1)]


# --------------------------------------------------------------------------- B. number formats, overflow


def test_b13_labels_in_float16_are_counted():
    y = np.r_[np.ones(3000), np.zeros(3000)].astype("float16")
    ev = rs.evaluate(y, np.arange(6000))
    assert (ev.sweep.n_pos, ev.sweep.n_neg) == (3000, 3000)


def test_b14_float32_weights_do_not_stop_at_2_to_the_24():
    n = 2**24 + 2
    y = np.zeros(n, np.uint8)
    y[0] = 1
    sweep = rs.Sweep.from_arrays(y, np.zeros(n, np.float32), sample_weight=np.ones(n, np.float32))
    assert sweep.at(0).fp == n - 1


def test_b16_perfect_separation_is_exactly_one():
    s = np.r_[np.linspace(0, 1, 14, endpoint=False), np.linspace(1, 2, 37, endpoint=False)]
    assert auc(np.r_[np.zeros(14), np.ones(37)], s.astype(np.float32)) == 1.0
    n = 3_000_000
    y = np.arange(n) % 2
    pairs = Fraction(sum(range(1, n // 2 + 1)), (n // 2) ** 2)  # each odd row beats the even ones before it
    assert rs.areas(y, np.arange(n)).roc_auc == float(pairs)


def test_b17_b19_no_hidden_sigmoid():
    assert auc([0, 1, 0, 1], [97.0, 98.0, 99.0, 100.0]) == 0.75
    with pytest.raises(errors.ProbabilityError):
        rs.brier_score([0, 1], [-1.0, 3.0])
    assert rs.evaluate([0, 1], [0.2, 0.9]).at(threshold=0.5).tp == 1


@pytest.mark.parametrize("n", [2**16, 2**17])
def test_b20_sizes_beyond_kernel_limits(n):
    rng = np.random.default_rng(0)
    y, s = rng.random(n) < 0.5, rng.random(n)
    p, q = np.sort(s[y]), np.sort(s[~y])
    u = np.searchsorted(q, p, "left").sum() + np.searchsorted(q, p, "right").sum()
    assert rs.areas(y, s).roc_auc == float(Fraction(int(u), 2 * len(p) * len(q)))


@pytest.mark.parametrize(("m", "n"), [(50_000, 50_000), (70_000, 70_000), (40_000, 100_000)])
def test_b22_b23_products_of_class_sizes_do_not_overflow(m, n):
    s = np.r_[np.arange(m) * 2 + 1, np.arange(n) * 2]
    found = rs.evaluate(np.r_[np.ones(m), np.zeros(n)], s).roc_auc(method="delong")
    won = sum(min(i + 1, n) for i in range(m))
    assert found.exact == Fraction(won, m * n)
    assert 0 < found.std_error < 0.01
    assert found.interval.low <= found.value <= found.interval.high


def test_b22_three_thousand_million_a_class():
    n = 3_000_000_000
    sweep = rs.Sweep.from_counts([3, 2, 1], [n - 10, 5, 5], [5, 5, n - 10])
    ev = rs.Evaluation(sweep)
    expected = Fraction((n - 10) * (2 * (n - 5) + 5) + 5 * (2 * (n - 10) + 5) + 5 * (n - 10), 2 * n * n)
    assert ev.roc_auc().exact == expected
    assert 0 < ev.roc_auc(method="delong").std_error < 1e-8
    assert 0 < ev.average_precision().value <= 1
    details = ev.roc_auc().details
    assert details["concordant"] + details["tied"] + details["discordant"] == n * n
    huge = rs.Evaluation(rs.Sweep.from_counts([2, 1], [2**62, 1], [1, 2**62]))  # products pass 2**128
    assert huge.roc_auc().exact == Fraction(2 * 2**62 * 2**62 + 2**62 + 2**62, 2 * (2**62 + 1) ** 2)


# -------------------------------------------------------------------------------- C. degenerate samples


@pytest.mark.parametrize("y", [[1, 1, 1], [0, 0, 0]])
def test_b25_b28_one_class_is_undefined_with_a_reason(y):
    s = [0.1, 0.2, 0.3]
    with pytest.raises(errors.UndefinedMeasureError, match="there are no"):
        auc(y, s)
    with pytest.raises(errors.UndefinedMeasureError):
        rs.areas(y, s)
    for name in ("roc", "det"):
        with pytest.raises(errors.UndefinedMeasureError):
            rs.evaluate(y, s).curve(name)
    found = rs.roc_auc(y, s, on_undefined="nan")
    assert math.isnan(found.value)
    assert "there are no" in found.undefined.en
    assert json.loads(found.to_json())["value"] is None
    row = rs.evaluate(y, s).table(["roc_auc"])[0]
    assert math.isnan(row.value)
    assert "undefined" in repr(row)


def test_b26_average_precision_without_positives():
    with pytest.raises(errors.UndefinedMeasureError):
        ap([0, 0], [0.1, 0.2])
    alone = rs.average_precision([1, 1], [0.1, 0.2])
    assert alone.value == 1.0  # without negatives every precision is 1 (B59 wants it), and a note says so
    assert [note.code for note in alone.notes] == ["no-negatives", "prevalence-average_precision"]


def test_b29_always_a_two_by_two_table():
    point = rs.evaluate([0, 0], [0, 0]).at(threshold=1)
    assert (point.tp, point.fp, point.fn, point.tn) == (0, 0, 0, 2)
    assert point.specificity.value == 1.0
    assert math.isnan(point.recall.value)
    assert "no positives" in point.recall.undefined.en
    assert "denominator is 0" in point.precision.undefined.en


def test_b33_one_positive_has_an_interval_but_no_delong():
    ev = rs.evaluate([0, 0, 0, 1], [0.1, 0.2, 0.7, 0.5])
    assert ev.roc_auc().exact == Fraction(2, 3)
    assert 0 < ev.roc_auc().interval.low < 2 / 3 < ev.roc_auc().interval.high <= 1
    for method in ("delong", "logit", "logit-t"):
        found = ev.roc_auc(method=method)
        assert (found.exact, found.interval, found.std_error) == (Fraction(2, 3), None, None)
        assert "single row" in found.notes[0].en
    for method in ("newcombe", "hanley-mcneil"):
        assert ev.roc_auc(method=method).interval.width > 0


def test_b35_intervals_stay_inside_and_around_the_estimate():
    ev = rs.evaluate([0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.55, 0.5, 0.8, 0.9])
    wald = ev.roc_auc(method="delong")
    assert wald.value == 8 / 9
    assert wald.std_error**2 == pytest.approx(0.024691, abs=5e-7)
    assert wald.interval.low == pytest.approx(0.581, abs=5e-4)
    assert wald.interval.high == 1.0
    assert "clipped" in [note.code for note in wald.notes]
    logit = ev.roc_auc(method="logit").interval
    assert (logit.low, logit.high) == (pytest.approx(0.261, abs=5e-4), pytest.approx(0.995, abs=5e-4))


@pytest.mark.parametrize("n", [2, 3, 4, 8])
def test_every_interval_holds_its_estimate(n):
    for ranks in itertools.islice(itertools.product(range(3), repeat=n), 0, None, 1 if n < 8 else 97):
        for y in itertools.product((0, 1), repeat=n) if n < 8 else [(0, 1) * 4, (1, 1, 1, 0, 0, 0, 0, 0)]:
            if len(set(y)) < 2:
                continue
            ev = rs.evaluate(y, [r / 2 for r in ranks])
            for spec, methods in (
                ("roc_auc", ("auto", "delong", "logit", "logit-t", "newcombe", "hanley-mcneil", "influence")),
                ("average_precision", ("auto", "boyd", "binomial", "influence")),
                ("brier_score", ("auto", "influence")),
                ("f1(threshold=0.5)", ("auto",)),
                ("gini", ("auto", "delong")),
            ):
                for method in methods:
                    low, high = (-1, 1) if spec == "gini" else (0, 1)
                    try:
                        found = ev.measure(spec, method=method)
                    except errors.UndefinedMeasureError:
                        continue
                    if found.interval is not None:
                        assert low <= found.interval.low <= found.value <= found.interval.high <= high, (spec, method)


def test_b38_missing_and_constant_scores():
    with pytest.raises(errors.MissingValueError, match="at row 1") as caught:
        auc([0, 0, 1, 1], [0.1, math.nan, 0.35, 0.8])
    assert (caught.value.count, caught.value.positions) == (1, [1])
    ev = rs.evaluate([0, 0, 1, 1], [0.5] * 4)
    assert ev.roc_auc().value == 0.5
    assert len(ev.curve("roc").fpr) == 2


# ----------------------------------------------------------------------------- D. curve ends, thresholds


def test_b40_curves_start_at_the_origin():
    roc = rs.evaluate([0, 0, 1, 1, 1], [0.89, 0.61, 0.83, 0.62, 0.90]).curve("roc")
    assert (roc.fpr[0], roc.tpr[0], roc.fpr[-1], roc.tpr[-1]) == (0, 0, 1, 1)


def test_b41_predict_nothing_has_no_threshold():
    ev = rs.evaluate([0, 1], [0.2, 0.9])
    for name in ("roc", "precision_recall", "det"):
        thresholds = ev.curve(name).thresholds
        assert math.isnan(thresholds[0])
        assert thresholds[1:].tolist() == [0.9, 0.2]
    infinite = rs.evaluate([0, 1, 1], [0.2, 0.9, math.inf])
    assert infinite.at(threshold=math.inf).tp == 1
    assert infinite.curve("roc").thresholds[1] == math.inf


def test_b43_no_invented_precision_recall_point():
    curve = rs.evaluate([0, 0, 1, 1, 0], [0.8, 0.8, 0.8, 0.2, 0.2]).curve("precision_recall")
    assert math.isnan(curve.precision[0])
    assert (curve.recall[1], curve.precision[1]) == (0.5, 1 / 3)
    assert curve.area() == pytest.approx(0.5 / 3 + 0.5 * 0.4)


def test_b44_curve_is_not_cut_at_full_recall():
    curve = rs.evaluate([0, 0, 0, 1], [0.1, 0.2, 0.3, 0.9]).curve("pr")
    assert curve.precision[1:].tolist() == [1.0, 0.5, 1 / 3, 0.25]


def test_b45_columns_have_one_length():
    ev = rs.evaluate([0, 1, 0, 1], [0.1, 0.2, 0.2, 0.3])
    roc, pr, det = ev.curve("roc"), ev.curve("pr"), ev.curve("det")
    assert len({len(v) for v in (roc.fpr, roc.tpr, roc.thresholds, pr.precision, pr.recall, pr.thresholds,
                                 det.fpr, det.fnr, det.thresholds)}) == 1  # fmt: skip


def test_b47_repeated_lowest_score():
    curve = rs.evaluate([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.4]).curve("pr")
    assert list(zip(curve.recall[1:].tolist(), curve.precision[1:].tolist(), strict=True)) == [(0.5, 1), (1, 0.5)]
    assert curve.area() == 0.75


def test_b49_curves_are_not_cut():
    n = 20_000
    ev = rs.evaluate(np.arange(n) % 2, np.arange(n))
    assert len(ev.curve("roc").fpr) == n + 1
    assert len(ev.sweep) == n


# ------------------------------------------------------------------------------------- E. two-column scores


def test_b54_two_columns_use_the_positive_one():
    y, scores = ["cat", "dog", "cat"], [[0.3, 0.7], [0.8, 0.2], [0.6, 0.4]]
    assert auc(y, scores, pos_label="dog") == 0.0
    assert rs.evaluate(y, scores, pos_label="dog", labels=["dog", "cat"]).roc_auc().value == 1.0
    assert auc([0, 1, 0], scores) == 0.0
    assert auc([-1, 1, -1], np.array(scores)) == 0.0


# ------------------------------------------------------------------------------------------- F. weights


def test_b59_weights_count():
    y, s, w = [1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]
    assert ap(y, s) == 0.5
    assert ap(y, s, sample_weight=w) == 1.0
    with pytest.raises(TypeError):
        rs.evaluate(y, s, sample_weights=w)


def test_b62_class_constant_weights_cancel_in_roc_only():
    y, s = [1, 0, 1, 0, 0], [5, 4, 3, 2, 1]
    w = [5 if v else 1 for v in y]
    assert auc(y, s, sample_weight=w) == auc(y, s)
    assert ap(y, s) == pytest.approx(0.8333, abs=5e-5)
    assert ap(y, s, sample_weight=w) == pytest.approx(0.9545, abs=5e-5)


def test_b64_extreme_weights_do_not_overflow():
    for w in (1e308, 1.0, 1e-308):
        assert rs.brier_score([0, 1], [0.2, 0.8], sample_weight=[w, w]).value == pytest.approx(0.04)
        assert rs.log_loss([0, 1], [0.2, 0.8], sample_weight=[w, w]).value == pytest.approx(-math.log(0.8))
        found = rs.brier_score([0, 1], [0.2, 0.8], sample_weight=[w, w])
        assert found.interval.low <= found.value <= found.interval.high


# --------------------------------------------------------------------------------- G. labels, direction


def test_b65_text_labels_need_the_positive_one():
    y, s = ["no", "yes", "no", "yes"], [0.1, 0.9, 0.4, 0.35]
    with pytest.raises(errors.PositiveLabelError, match="pos_label="):
        auc(y, s)
    assert auc(y, s, pos_label="yes") == 0.75
    assert ap(y, s, pos_label="yes") == pytest.approx(0.8333, abs=5e-5)


def test_b67_the_positive_label_holds_everywhere():
    y, s = ["a", "b", "a", "a"], [0.9, 0.2, 0.6, 0.4]
    ev = rs.evaluate(y, s, pos_label="a")
    assert ev.average_precision().value == 1.0
    assert ev.curve("pr").area() == 1.0
    assert ev.at(threshold=0.4).tp == 3
    assert ev.average_precision().pos_label == ev.curve("roc").pos_label == ev.sweep.pos_label == "a"


def test_b68_b69_direction_is_never_flipped():
    y = [0] * 5 + [1] * 5
    s = [v / 10 for v in range(1, 11)]
    assert auc(y, s) == 1.0
    assert auc([0, 0, 1, 1], [0.8, 0.9, 0.1, 0.2]) == 0.0
    with pytest.warns(rs.RocsolidWarning, match="below chance"):
        assert rs.evaluate(y * 3, [-v for v in s * 3]).roc_auc().value == 0.0
    assert auc(y, s, higher_is_positive=False) == 0.0


def test_b71_labels_one_and_two_are_not_counts():
    y, s = [1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8]
    with pytest.raises(errors.PositiveLabelError):
        auc(y, s)
    roc = rs.evaluate(y, s, pos_label=2).curve("roc")
    assert roc.tpr.tolist() == [0, 0.5, 0.5, 1, 1]
    assert roc.fpr.tolist() == [0, 0, 0.5, 0.5, 1]
    assert roc.area() == 0.75


def test_b73_decisions_as_scores_are_allowed_with_a_warning():
    with pytest.warns(rs.RocsolidWarning, match="2 distinct"):
        assert rs.evaluate([0, 0, 1, 1] * 3, [0, 1, 1, 1] * 3).roc_auc().value == 0.75


# ----------------------------------------------------------------------------------- H. infinite scores


def test_b75_infinite_scores_are_ordered():
    for dtype in ("f2", "f4", "f8"):
        assert auc([0, 0, 1, 1], np.array([0.1, 0.2, 0.8, np.inf], dtype)) == 1.0
        assert auc([0, 0, 1, 1], np.array([-np.inf, 0.2, 0.8, np.inf], dtype)) == 1.0
    with pytest.raises(errors.ProbabilityError):
        rs.brier_score([0, 1], [0.2, math.inf])


# -------------------------------------------------------------------------------------- I. AP and PR area


def test_b76_constant_scores_give_the_prevalence():
    assert ap([1] + [0] * 99, [0.5] * 100) == 0.01


def test_b77_the_step_area():
    assert ap([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]) == pytest.approx(0.8333, abs=5e-5)


def test_b80_counts_are_merged_not_measures():
    a, b = rs.Sweep.from_arrays([1, 0], [0.9, 0.1]), rs.Sweep.from_arrays([1, 0], [0.2, 0.8])
    assert rs.Evaluation(a + b).average_precision().value == pytest.approx(0.8333, abs=5e-5)


def test_b81_however_the_arrays_were_built():
    y = np.array([True, False] * 5)
    s = np.arange(10.0)
    first = rs.areas(y, s)
    wide = np.zeros((10, 3))
    wide[:, 1] = s
    for labels, scores in (
        (y.tolist(), s.tolist()),
        (tuple(y), s[::-1][::-1]),
        (y.astype(object), s.astype(object)),
        (y, wide[:, 1]),
        (np.array(y, order="F"), s.astype(">f8")),
    ):
        assert rs.areas(labels, scores) == first
    frozen = s.copy()
    frozen.setflags(write=False)
    assert rs.areas(y, frozen) == first


def test_b92_log_loss_of_a_forecast_that_ruled_out_what_happened():
    found = rs.log_loss([1, 1, 1], [0.0, 0.0, 0.0])
    assert found.value == math.inf
    assert found.interval is None
    assert "infinite" in [note.code for note in found.notes]
    assert json.loads(found.to_json())["value_is"] == "inf"
    assert rs.log_loss([1, 0], [1.0, 0.0]).value == 0.0
