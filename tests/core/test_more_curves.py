"""Curves beyond ROC, precision-recall and DET: gains, costs, benefits, hulls, and any measure at every cut."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors
from rocsolid.curves import CURVES, MetricCurve
from rocsolid.measures import REGISTRY

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
RNG = np.random.default_rng(11)
Y = (RNG.random(300) < 0.3).astype(int)
P = np.round(1 / (1 + np.exp(-RNG.normal(size=300) - 1.5 * Y + 1)), 2)
NEW = sorted(set(CURVES) - {"roc", "precision_recall", "det", "reliability"})
# how each measure at a cut is asked for as a curve; one that is missing fails
AT_A_CUT = {
    "precision": "precision",
    "recall": "recall",
    "specificity": "specificity",
    "f1": "f1",
    "accuracy": "accuracy",
    "expected_cost": "expected_cost(cost_fp=1, cost_fn=5)",
    "npv": "npv",
    "fpr": "fpr",
    "fnr": "fnr",
    "error_rate": "error_rate",
    "jaccard": "jaccard",
    "balanced_accuracy": "balanced_accuracy",
    "youden_j": "youden_j",
    "lr_positive": "lr_positive",
    "lr_negative": "lr_negative",
    "diagnostic_odds_ratio": "diagnostic_odds_ratio",
    "mcc": "mcc",
    "kappa": "kappa",
    "f_beta": "f_beta(beta=2)",
    "precision_at_prevalence": "precision_at_prevalence(prevalence=0.1)",
    "npv_at_prevalence": "npv_at_prevalence(prevalence=0.1)",
    "f1_at_prevalence": "f1_at_prevalence(prevalence=0.1)",
    "net_benefit": None,  # has a curve of its own, since the threshold is also its odds
}


@pytest.fixture(scope="module")
def ev():
    return rs.evaluate(Y, P)


def arrays_of(curve):
    found = {name: getattr(curve, name) for name in type(curve).__slots__}
    return {name: value for name, value in found.items() if isinstance(value, np.ndarray)}


def test_every_measure_at_a_cut_is_named():
    assert sorted(AT_A_CUT) == sorted(name for name, m in REGISTRY.items() if m.input == "counts")


@pytest.mark.parametrize("kind", [*NEW, "f1"])
def test_curves_are_read_only_values_that_pickle_and_print(ev, kind):
    curve = ev.curve(kind)
    assert len(arrays_of(curve)) >= 2
    for array in arrays_of(curve).values():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    again = pickle.loads(pickle.dumps(curve))
    for name, array in arrays_of(curve).items():
        assert np.array_equal(getattr(again, name), array, equal_nan=array.dtype.kind == "f")
    assert "\n" not in repr(curve)
    assert "positive: 1" in repr(curve)
    frame = curve.to_frame()
    assert "threshold" in frame.columns
    assert len(frame) == len(curve.thresholds)


@pytest.mark.parametrize("kind", [*NEW, "f1", "expected_cost(cost_fp=1, cost_fn=5)"])
def test_integer_weights_repeat_rows(kind):
    w = RNG.integers(1, 4, 300)
    weighted = arrays_of(rs.evaluate(Y, P, sample_weight=w).curve(kind))
    repeated = arrays_of(rs.evaluate(np.repeat(Y, w), np.repeat(P, w)).curve(kind))
    assert list(weighted) == list(repeated)
    for name, array in weighted.items():
        assert array == pytest.approx(repeated[name], rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("kind", [*NEW, "f1"])
def test_every_row_is_one_cut_and_thresholds_survive_printing(ev, kind):
    curve = ev.curve(kind)
    assert math.isnan(curve.thresholds[0])
    for at in curve.thresholds[1:]:
        assert float(repr(float(at))) == at
        ev.sweep.at(float(repr(float(at))))
    if kind != "roc_hull":
        assert curve.thresholds[1:].tolist() == ev.sweep.scores.tolist()
    wide = rs.evaluate([0, 1, 1], np.array([2**60, 2**60 + 1, 2**60 + 2])).curve("gain").thresholds.tolist()
    assert wide == [None, 2**60 + 2, 2**60 + 1, 2**60]


@pytest.mark.parametrize("name", [name for name, spec in AT_A_CUT.items() if spec])
def test_a_measure_at_every_cut_is_the_measure_at_each(ev, name):
    quiet = {"on_undefined": "nan"}
    weighted = rs.evaluate(Y, P, sample_weight=RNG.random(300), **quiet)
    for one in (rs.evaluate(Y, P, **quiet), weighted, rs.evaluate(Y, -P, higher_is_positive=False, **quiet)):
        curve = one.curve(AT_A_CUT[name])
        for i in (1, 2, 17, len(curve.values) - 1):
            spec = AT_A_CUT[name].rstrip(")") + ("(" if "(" not in AT_A_CUT[name] else ", ")
            alone = one.measure(f"{spec}threshold={float(curve.thresholds[i])!r})")
            assert curve.values[i] == pytest.approx(alone.value, rel=1e-12, nan_ok=True)
        assert curve.measure == AT_A_CUT[name]
    if name == "precision":
        assert math.isnan(ev.curve(name).values[0])


def test_other_curves_agree_with_what_they_are_made_of(ev):
    roc, gain, lift, flags = (ev.curve(kind) for kind in ("roc", "gain", "lift", "cumulative_flagged"))
    precision = ev.curve("pr").precision
    assert (gain.gain == roc.tpr).all()
    assert lift.lift[1:] == pytest.approx(precision[1:] / gain.prevalence)
    assert gain.flagged == pytest.approx(gain.prevalence * roc.tpr + (1 - gain.prevalence) * roc.fpr)
    pi = gain.prevalence
    assert gain.area() == pytest.approx(pi / 2 + (1 - pi) * roc.area())
    assert flags.largest_gap == pytest.approx(np.max(roc.tpr - roc.fpr))
    assert math.isnan(lift.at(0))
    assert (gain.at(0), gain.at(1)) == (0, 1)
    for bad in (-0.1, 1.5, "all", True, math.nan):
        with pytest.raises(errors.OptionError):
            gain.at(bad)
    prg = ev.curve("prg")
    for i in (5, 20, 40):
        recall, prec = roc.tpr[i], precision[i]
        assert prg.recall_gain[i] == pytest.approx((recall - pi) / ((1 - pi) * recall))
        assert prg.precision_gain[i] == pytest.approx((prec - pi) / ((1 - pi) * prec))


def test_the_cost_curve_is_below_all_its_lines(ev):
    curve = ev.curve("cost")
    for pc in np.linspace(0, 1, 101):
        assert curve.at(pc) == pytest.approx(np.min((1 - pc) * curve.fpr + pc * curve.fnr), abs=1e-12)
    low, high = curve.operating_range
    assert 0 <= low < high <= 1
    assert curve.at((low + high) / 2) < min((low + high) / 2, 1 - (low + high) / 2)
    assert curve.at(low / 2) == pytest.approx(low / 2)
    assert rs.evaluate([0, 1, 0, 1], [1, 1, 1, 1]).curve("cost").operating_range is None
    assert rs.evaluate([0, 1, 0, 1], [1, 1, 1, 1]).curve("cost").envelope_area == 0.25
    assert rs.evaluate([0, 1, 0, 1], [1, 2, 1, 2]).curve("cost").envelope_area == 0
    for i in range(len(curve.best_thresholds)):  # the cut said to be best between two corners is
        pc = (curve.pc[i] + curve.pc[i + 1]) / 2
        at = curve.best_thresholds[i]
        row = 0 if math.isnan(at) else curve.thresholds.tolist().index(at)
        assert (1 - pc) * curve.fpr[row] + pc * curve.fnr[row] == pytest.approx(curve.at(pc))
    with pytest.raises(errors.OptionError, match="not both 0"):
        curve.probability_cost(prevalence=0.1, cost_fp=0, cost_fn=0)


def test_net_benefit(ev):
    curve = ev.curve("net_benefit")
    for i in (1, 30, 60):
        at = float(curve.thresholds[i])
        alone = ev.measure(f"net_benefit(threshold={at!r})")
        assert curve.net_benefit[i] == pytest.approx(alone.value)
        assert curve.standardized[i] == pytest.approx(alone.details["standardized"])
        assert curve.treat_all[i] == pytest.approx(alone.details["treat_all"])
    with pytest.raises(errors.ProbabilityError):
        rs.evaluate([0, 1], [0, 2]).curve("net_benefit")


def test_the_decision_curve_has_intervals_at_chosen_thresholds(ev):
    found = ev.net_benefits([0.05, 0.3, 0.6])
    for threshold, estimate in zip(found.thresholds, found.estimates, strict=True):
        assert estimate == ev.measure(f"net_benefit(threshold={threshold})")
    assert all(i.low <= v <= i.high for i, v in zip(found.intervals, found.net_benefit, strict=True))
    assert found.standardized == pytest.approx([v / Y.mean() for v in found.net_benefit])
    curve = ev.curve("net_benefit")
    assert found.treat_all[1] == pytest.approx(Y.mean() - (1 - Y.mean()) * 3 / 7)
    assert curve.prevalence == Y.mean()
    frame = found.to_frame()
    assert list(frame.columns) == ["threshold", "net_benefit", "low", "high", "standardized", "treat_all"]
    assert "each threshold by itself" in repr(found)
    assert len(ev.net_benefits().estimates) == 10
    assert found.to_dict()["rows"][0]["measure"] == "net_benefit(threshold=0.05)"
    grouped = rs.evaluate(Y, P, cluster=np.arange(300) // 3).net_benefits([0.3])
    assert grouped.intervals[0] is not None
    none = rs.evaluate([0, 0, 0], [0.1, 0.2, 0.3]).net_benefits([0.15])
    assert none.standardized == (None,)
    assert none.cells[0][3] == "undefined"
    for bad in ([], [0.0], [1.0], ["x"]):
        with pytest.raises(errors.OptionError):
            ev.net_benefits(bad)
    with pytest.raises(errors.ProbabilityError):
        rs.evaluate([0, 1], [0, 2]).net_benefits()


def test_net_benefit_at_0_and_1():
    """Field report B37: at 0 everybody is treated, at 1 a false positive costs without end."""
    clean, stray = (rs.evaluate(y, p).curve("decision") for y, p in (([0, 1], [0, 1]), ([0, 1], [1, 0])))
    assert clean.thresholds.tolist()[1:] == [1, 0]
    assert clean.net_benefit.tolist() == [0, 0.5, 0.5]
    assert stray.net_benefit.tolist() == [0, -math.inf, 0.5]
    assert stray.treat_all.tolist()[1:] == [-math.inf, 0.5]
    stray.plot().figure_.canvas.draw()


def test_ends_of_curves_in_the_field():
    """B40: (0, 0) is always there. B44: no end at full recall. B47: repeated lowest score. B11: ties are one step."""
    b40 = rs.evaluate([0, 0, 1, 1, 1], [0.89, 0.61, 0.83, 0.62, 0.90])
    for kind, x, y in (("roc", "fpr", "tpr"), ("gain", "flagged", "gain"), ("roc_hull", "fpr", "tpr")):
        curve = b40.curve(kind)
        assert (getattr(curve, x)[0], getattr(curve, y)[0]) == (0, 0)
        assert (getattr(curve, x)[-1], getattr(curve, y)[-1]) == (1, 1)
    b44 = rs.evaluate([0, 0, 0, 1], [0.1, 0.2, 0.3, 0.9]).curve("precision")
    assert b44.values.tolist()[1:] == [1, 0.5, pytest.approx(1 / 3), 0.25]
    b47 = rs.evaluate([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.4])
    assert b47.curve("pr").precision.tolist()[1:] == [1, 0.5]
    assert b47.curve("pr").area() == 0.75
    assert b47.curve("gain").flagged.tolist() == [0, 0.25, 1]
    b11 = rs.evaluate([1, 1, 0], [5, 5, 3])
    assert b11.curve("roc_hull").tpr.tolist() == [0, 1, 1]


@pytest.mark.parametrize("kind", NEW)
def test_one_class(kind):
    only_positives, only_negatives = (rs.evaluate([label] * 3, [0.1, 0.2, 0.3]) for label in (1, 0))
    if kind == "net_benefit":
        assert np.isnan(only_negatives.curve(kind).standardized).all()
        return
    with pytest.raises(errors.UndefinedMeasureError, match="no positives"):
        only_negatives.curve(kind)
    if kind in ("gain", "lift"):
        assert only_positives.curve(kind).thresholds[1] == 0.3
    else:
        with pytest.raises(errors.UndefinedMeasureError, match="no negatives"):
            only_positives.curve(kind)


def test_names_that_are_no_curve(ev):
    for name in ("gian", "roc_auc", "h_measure", ""):
        with pytest.raises(errors.UnknownNameError):
            ev.curve(name)
    with pytest.raises(errors.OptionError, match="name"):
        ev.curve("f1(threshold")
    with pytest.raises(errors.OptionError, match="the curve has them all"):
        ev.curve("f1(threshold=0.5)")
    with pytest.raises(errors.OptionError, match="given `cost_fp`"):
        ev.curve("expected_cost")
    with pytest.raises(errors.UndefinedMeasureError, match="no positives"):
        rs.evaluate([0, 0], [1, 2]).curve("recall")
    with pytest.raises(errors.UnknownNameError):
        ev.band("gain")
    assert isinstance(ev.curve("sensitivity"), MetricCurve)


@pytest.mark.parametrize("kind", [*NEW, "f1"])
@pytest.mark.parametrize("scores", [[0.1, 0.2, 0.8, 0.9], [0.5] * 4, [0.9, 0.8, 0.2, 0.1]])
def test_pictures(kind, scores):
    pytest.importorskip("matplotlib")
    curve = rs.evaluate([0, 0, 1, 1], scores).curve(kind)
    display = curve.plot(name="a")
    display.figure_.canvas.draw()
    picture = curve.picture()
    assert np.array_equal(display.line_.get_xdata(), picture.line[0])
    assert display.ax_.get_ylabel() == picture.up
    assert display.label.startswith("a")
    curve.plot(ax=display.ax_)


def test_the_logarithmic_curve_is_the_roc_curve(ev):
    roc, log = ev.curve("roc"), ev.curve("log_roc")
    assert (log.fpr == roc.fpr).all()
    assert (log.tpr == roc.tpr).all()
    assert log.area() == ev.measure("log_auc").value
    x, y = log.picture().line
    assert x[0] == 0.001
    assert x[-1] == y[-1] == 1
    assert (np.diff(x) >= 0).all()
    assert (np.diff(y) >= 0).all()
    inside = ~np.isin(x, roc.fpr)
    assert y[inside] == pytest.approx(np.interp(x[inside], roc.fpr, roc.tpr))
    assert log.picture().log_x
    assert rs.evaluate([0] * 5000 + [1], [*range(5000), 4998.5]).curve("log_roc").picture().line[0][0] == 1 / 5000


# ----------------------------------------------------------------------------------------------- several models


def test_who_costs_least_where():
    rng = np.random.default_rng(3)
    y = (rng.random(200) < 0.4).astype(int)
    models = rs.evaluate_many(y, {n: np.round(rng.normal(size=200) + y * d, 1) for n, d in (("a", 1.4), ("b", 1.2))})
    found = models.cost_ranges()
    curves = {name: ev.curve("cost") for name, ev in models.items()}
    assert found.ranges[0].low == 0
    assert found.ranges[-1].high == 1
    for one, after in zip(found.ranges, found.ranges[1:], strict=False):
        assert one.high == after.low
        assert one.best != after.best
    for one in found.ranges:
        pc = (one.low + one.high) / 2
        costs = {name: curve.at(pc) for name, curve in curves.items()}
        costs |= {"(flag nobody)": pc, "(flag everybody)": 1 - pc}
        least = min(costs.values())
        assert all(costs[name] == pytest.approx(least) for name in one.best)
    assert found.envelope_area <= min(found.areas)
    assert found.areas == tuple(curve.envelope_area for curve in curves.values())
    text = repr(found)
    assert "PC from" in text
    assert json.loads(found.to_json())["names"] == ["a", "b"]
    scores = {name: rng.normal(size=200) + y for name in models}
    weighted = rs.evaluate_many(y, scores, sample_weight=rng.random(200)).cost_ranges()
    assert weighted.ranges[0].low == 0


def test_dominance():
    y = [0, 0, 0, 1, 1, 1]
    better, worse = [1, 2, 4, 3, 5, 6], [1, 4, 5, 2, 3, 6]
    found = rs.evaluate_many(y, {"worse": worse, "better": better}).cost_ranges()
    assert found.dominant == "better"
    same = rs.evaluate_many(y, {"one": better, "two": [10 * s for s in better]}).cost_ranges()
    assert same.dominant == "one"
    assert all(set(r.best) == {"one", "two"} or r.best[0].startswith("(") for r in same.ranges)
    crossing = rs.evaluate_many([1, 1, 0, 0], {"a": [4, 1, 3, 2], "b": [3, 2, 4, 1]}).cost_ranges()
    assert crossing.dominant is None
    assert crossing.envelope_area == float(Fraction(1, 8))
    useless = rs.evaluate_many([0, 1], {"a": [1, 1]}).cost_ranges()
    assert useless.dominant is None
    assert [r.best for r in useless.ranges] == [("(flag nobody)",), ("(flag everybody)",)]
