"""Evaluations: estimates, tables, cuts, curves, and the words they are printed in."""

from __future__ import annotations

import copy
import json
import math
import pickle
import warnings

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors
from rocsolid.measures import REGISTRY

RNG = np.random.default_rng(11)
Y = (RNG.random(200) < 0.4).astype(int)
P = 1 / (1 + np.exp(-RNG.normal(size=200) - 1.3 * Y))


@pytest.fixture
def ev():
    return rs.evaluate(Y, P, name="model")


def test_an_estimate_prints_what_matters(ev):
    text = repr(ev.roc_auc())
    for part in ("model: roc_auc", "[", "0.95 CI", "effective-error", f"{Y.sum()} positive", "positive: 1"):
        assert part in text
    assert float(ev.roc_auc()) == ev.roc_auc().value


def test_estimates_are_frozen_leaves_that_travel(ev):
    found = ev.roc_auc()
    with pytest.raises(AttributeError):
        found.value = 1
    with pytest.raises(TypeError):
        found.details["gini"] = 0
    assert pickle.loads(pickle.dumps(found)) == found
    assert copy.deepcopy(found) == found


def test_json_is_strict_and_has_a_version(ev):
    for text in (
        ev.roc_auc().to_json(),
        ev.table().to_json(),
        ev.at(threshold=0.5).to_json(),
        ev.at(threshold=2).to_json(),
    ):
        data = json.loads(text, parse_constant=lambda c: pytest.fail(f"not JSON: {c}"))
        assert data["schema"] == "rocsolid/1"
    assert json.loads(ev.roc_auc().to_json())["exact"].count("/") == 1


def test_methods_and_levels(ev):
    widths = [ev.roc_auc(confidence_level=level).interval.width for level in (0.8, 0.95, 0.99)]
    assert widths == sorted(widths)
    assert rs.evaluate(Y, P, confidence_level=0.8).roc_auc().interval.width == widths[0]
    methods = {ev.roc_auc(method=m).interval.method for m in ("auto", "delong", "logit", "logit-t", "newcombe")}
    assert methods == {"effective-error", "delong", "logit", "logit-t", "newcombe"}
    with pytest.raises(errors.UnknownNameError, match="did you mean 'delong'"):
        ev.roc_auc(method="delongg")
    with pytest.raises(errors.UnknownNameError):
        ev.average_precision(method="delong")
    with pytest.raises(errors.UnknownNameError):
        ev.roc_auc(margins="free")


def test_measures_by_alias_spec_and_object(ev):
    assert ev.measure("AUROC").value == ev.roc_auc().value
    assert ev.measure("c-statistic").measure == "roc_auc"
    assert ev.measure("d'").measure == "d_prime"
    assert ev.measure(REGISTRY["gini"]).value == pytest.approx(2 * ev.roc_auc().value - 1)
    assert ev.measure("sensitivity( threshold = 0.5 )").measure == "recall(threshold=0.5)"
    with pytest.raises(errors.UnknownNameError, match="did you mean 'roc_auc'"):
        ev.measure("roc_acu")
    with pytest.raises(errors.OptionError, match="given `threshold`"):
        ev.measure("recall")
    with pytest.raises(errors.UnknownNameError, match="did you mean 'threshold'"):
        ev.measure("recall(treshold=0.5)")
    with pytest.raises(errors.OptionError, match="without options"):
        ev.measure("roc_auc(threshold=0.5)")
    for spec in (
        "recall(threshold=0.5",
        "recall(0.5)",
        "recall(threshold=1, threshold=2)",
        "",
        "recall(threshold=hull)",
        5,
    ):
        with pytest.raises(errors.OptionError):
            ev.measure(spec)


def test_a_monotone_measure_inherits_the_interval(ev):
    auc, gini, d = ev.roc_auc(), ev.measure("gini"), ev.measure("d_prime")
    assert gini.interval.low == pytest.approx(2 * auc.interval.low - 1)
    assert gini.std_error == pytest.approx(2 * auc.std_error)
    assert d.value == pytest.approx(rs.measures.ranking.d_prime_of_auc(auc.value))
    assert d.interval.high == pytest.approx(rs.measures.ranking.d_prime_of_auc(auc.interval.high))
    perfect = rs.evaluate([0] * 9 + [1] * 9, range(18))
    assert perfect.measure("d_prime").value == math.inf
    assert math.isfinite(perfect.measure("d_prime").interval.low)
    assert perfect.measure("d_prime").std_error is None


def test_details(ev):
    ap = ev.average_precision().details
    assert ap["chance"] == pytest.approx(Y.mean())
    assert ap["lift"] == pytest.approx(ev.average_precision().value / Y.mean())
    assert set(ev.roc_auc().details) >= {"concordant", "tied", "discordant", "gini", "tie_share"}


def test_the_table(ev):
    table = ev.table()
    assert [row.measure for row in table] == ["roc_auc", "average_precision", "brier_score", "log_loss"]
    assert len(table) == 4
    text = repr(table)
    for part in ("positive label: 1", "intervals: 0.95 confidence", "at prevalence", "class sizes taken as random"):
        assert part in text
    assert table.to_markdown().splitlines()[1].replace(" ", "") == "|---|---|---|---|---|---|---|"
    assert "<table>" in table._repr_html_()
    assert [row.measure for row in rs.evaluate(Y, 10 * P).table()] == ["roc_auc", "average_precision"]
    refused = rs.evaluate(Y, 10 * P).table(["brier_score"])[0]
    assert "needs probabilities" in refused.undefined.en


def test_hostile_names_are_escaped():
    ev = rs.evaluate(Y, P, name="<script>alert(1)</script>|`x`")
    assert "<script>" not in ev.table()._repr_html_()
    assert "<script>" not in ev._repr_html_()
    assert "<script>" not in ev.roc_auc()._repr_html_()
    assert "<script>" not in ev.table().to_markdown()


def test_an_operating_point(ev):
    point = ev.at(threshold=0.5)
    flagged = P >= 0.5
    assert point.tp == int((flagged & (Y == 1)).sum())
    assert point.precision.value == pytest.approx(point.tp / (point.tp + point.fp))
    assert point.recall.exact.denominator <= Y.sum()
    assert point.f1.value == pytest.approx(2 / (1 / point.precision.value + 1 / point.recall.value))
    assert point.accuracy.value == pytest.approx((flagged == Y).mean())
    for rate in point.rates:
        assert rate.interval.method == "wilson"
        assert rate.interval.low < rate.value < rate.interval.high
    assert "score >= 0.5" in repr(point)
    assert "score <= 0.5" in repr(rs.evaluate(Y, -P, higher_is_positive=False).at(threshold=0.5))
    assert ev.at(threshold=np.float64(0.5)).threshold == 0.5
    assert ev.at(threshold=0).recall.value == 1.0


def test_wilson_with_weights_uses_the_linearised_variance():
    w = RNG.gamma(1, size=200)
    point = rs.evaluate(Y, P, sample_weight=w).at(threshold=0.5)
    hit = (P >= 0.5)[Y == 1]
    v = w[Y == 1]
    p = (v * hit).sum() / v.sum()
    assert point.recall.value == pytest.approx(p)
    assert point.recall.std_error == pytest.approx(math.sqrt((v**2 * (hit - p) ** 2).sum()) / v.sum())
    same = rs.evaluate(Y, P, sample_weight=np.full(200, 7.0)).at(threshold=0.5)
    assert same.recall.interval.low == pytest.approx(rs.evaluate(Y, P).at(threshold=0.5).recall.interval.low)


def test_intervals_with_equal_weights_are_those_without():
    plain = rs.evaluate(Y, P)
    for c in (1.0, 0.37, 1e300):
        weighted = rs.evaluate(Y, P, sample_weight=np.full(200, c))
        for spec in ("roc_auc", "average_precision", "brier_score", "log_loss", "d_prime"):
            a, b = plain.measure(spec), weighted.measure(spec)
            assert b.value == pytest.approx(a.value, rel=1e-13)
            assert b.std_error == pytest.approx(a.std_error, rel=1e-9)
            assert (b.interval.low, b.interval.high) == pytest.approx((a.interval.low, a.interval.high), rel=1e-9)


def test_curves(ev):
    roc, pr, det = ev.curve("roc"), ev.curve("precision_recall"), ev.curve("det")
    assert roc.area() == ev.roc_auc().value == pytest.approx(np.trapezoid(roc.tpr, roc.fpr))
    assert pr.area() == ev.average_precision().value == pytest.approx((np.diff(pr.recall) * pr.precision[1:]).sum())
    assert det.area() == pytest.approx(1 - roc.area())
    assert (det.fnr == 1 - roc.tpr).all()
    with pytest.raises(errors.UnknownNameError, match="did you mean 'roc'"):
        ev.curve("rok")
    with pytest.raises(errors.UnknownNameError):
        pr.area(method="simpson")
    weighted = rs.evaluate(Y, P, sample_weight=RNG.random(200)).curve("roc")
    assert (weighted.fpr[-1], weighted.tpr[-1]) == (1, 1)
    assert weighted.area() == pytest.approx(np.trapezoid(weighted.tpr, weighted.fpr))
    for curve in (roc, pr, det):
        assert "points" in repr(curve)


def test_warnings_come_once_and_say_what_to_do():
    ev = rs.evaluate([0, 0, 1, 1], [1, 2, 3, 4])
    with pytest.warns(rs.RocsolidWarning, match="only 2 rows"):
        ev.roc_auc()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ev.roc_auc()
    assert "few-rows" in [note.code for note in ev.roc_auc().notes]


def test_warnings_point_at_the_line_of_the_caller():
    ev = rs.evaluate([0, 0, 1, 1], [1, 2, 3, 4])
    with pytest.warns(rs.RocsolidWarning) as caught:
        ev.roc_auc()
    assert caught[0].filename == __file__
    with pytest.warns(rs.RocsolidWarning) as caught:
        rs.average_precision([0, 0, 1, 1], [1, 2, 3, 4])
    assert caught[0].filename == __file__
    with pytest.warns(rs.RocsolidWarning) as caught:
        rs.evaluate([0, 0, 1, 1], [1, 2, 3, 4]).table()
    assert caught[0].filename == __file__


def test_threads():
    assert rs.get_num_threads() >= 1
    rs.set_num_threads(3)
    assert rs.get_num_threads() == 3
    rs.set_num_threads(None)
    for bad in (0, -1, 1.5, True, "2"):
        with pytest.raises(errors.OptionError):
            rs.set_num_threads(bad)


def test_threads_from_the_environment(monkeypatch):
    monkeypatch.setenv("ROCSOLID_NUM_THREADS", "1")
    assert rs.get_num_threads() == 1
    for bad in ("0", "two", "-1"):
        monkeypatch.setenv("ROCSOLID_NUM_THREADS", bad)
        with pytest.raises(errors.OptionError, match="ROCSOLID_NUM_THREADS"):
            rs.get_num_threads()


def test_the_functions_take_the_same_options():
    assert rs.roc_auc(Y, P, method="delong").interval.method == "delong"
    assert rs.d_prime(Y, P).measure == "d_prime"
    assert rs.brier_score(Y, P).value == pytest.approx(((P - Y) ** 2).mean())
    assert rs.log_loss(Y, P).value == pytest.approx(-np.log(np.where(Y == 1, P, 1 - P)).mean())
    assert rs.measure("recall(threshold=0.5)", Y, P).value == rs.evaluate(Y, P).at(threshold=0.5).recall.value
    assert rs.average_precision(Y, P, margins="fixed").std_error < rs.average_precision(Y, P).std_error


def test_probability_measures_read_a_score_as_probability_of_the_positive():
    with pytest.raises(errors.UndefinedMeasureError, match="1 - y_score"):
        rs.brier_score(Y, 1 - P, higher_is_positive=False)
    assert "low scores" in rs.evaluate(Y, 1 - P, higher_is_positive=False).table(["brier_score"])[0].undefined.en
    assert rs.brier_score(1 - Y, P, pos_label=0).value == pytest.approx(((P - Y) ** 2).mean())
    with pytest.raises(errors.ProbabilityError, match="from 0"):
        rs.brier_score([0, 1], [0, 2])


def test_zero_is_a_number_everywhere():
    ev = rs.evaluate([0, 1, 0, 1] * 3, [-1.0, 0.0, 0.0, 1.0] * 3)
    assert ev.at(threshold=0).tp == 6
    assert ev.measure("recall(threshold=0)").value == 1.0
    assert ev.measure("recall(threshold=0)").measure == "recall(threshold=0)"


@pytest.mark.parametrize("method", ["delong", "logit", "logit-t"])
def test_an_interval_that_does_not_exist_leaves_the_value(method):
    perfect = rs.evaluate([0] * 8 + [1] * 8, range(16)).roc_auc(method=method)
    assert perfect.value == 1.0
    assert {note.code for note in perfect.notes} & {"no-logit", "zero-width"}
    alone = rs.evaluate([0, 0, 0, 1] * 1, [0.1, 0.2, 0.7, 0.5])
    with pytest.warns(rs.RocsolidWarning):
        found = alone.roc_auc(method=method)
    assert found.value == 2 / 3
    assert found.interval is None
    assert "single-row" in [note.code for note in found.notes]


def test_intervals_of_no_width_are_marked():
    constant = rs.evaluate([0, 1] * 20, [0.5] * 40)
    with pytest.warns(rs.RocsolidWarning):
        constant.roc_auc()
    for method in ("delong", "logit", "logit-t", "influence"):
        assert "zero-width" in [note.code for note in constant.roc_auc(method=method).notes]
    perfect = rs.evaluate([0] * 9 + [1] * 9, range(18))
    assert "zero-width" in [note.code for note in perfect.average_precision(method="influence").notes]
    for level in (0.9999999999999999, 1.0, 5e-324 * 0):
        with pytest.raises(errors.OptionError):
            constant.roc_auc(confidence_level=level)
    assert constant.confidence_level == 0.95
    assert rs.roc_auc(Y, P, confidence_level=np.float32(0.5)).interval.confidence_level == 0.5


def test_curves_are_values(ev):
    for curve, names in (("roc", "fpr tpr"), ("pr", "precision recall"), ("det", "fpr fnr")):
        for name in (*names.split(), "thresholds"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(ev.curve(curve), name)[0] = 7


def test_a_cut_is_asked_for_in_one_way(ev):
    with pytest.raises(errors.OptionError, match="threshold"):
        ev.at()
    with pytest.raises(errors.OptionError, match="exactly one"):
        ev.at(threshold=0.5, recall=0.9)


def test_small_comforts(ev):
    assert f"{ev.roc_auc():.3f}" == f"{ev.roc_auc().value:.3f}"
    assert f"{ev.roc_auc()}" == repr(ev.roc_auc())
    assert len({ev.roc_auc(), ev.roc_auc()}) == 1
    with pytest.raises(errors.OptionError, match="table"):
        ev.table("roc_auc")
    with pytest.raises(errors.OptionError):
        rs.Sweep.from_arrays([0, 1], [1, 2], higher_is_positive="no")
    decisions = rs.evaluate([0, 1] * 9, [0.0, 1.0] * 9)
    assert not decisions.looks_like_probabilities
