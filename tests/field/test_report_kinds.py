"""Every field report has a test that names it; and those of curve ends, areas, bins, cost and speed.

The numbers B.. are those of field_reports.md. A test names a report in its own name or in its docstring. ``LATER`` has
the reports about parts that are not built; a part that is built without its reports is seen, because the argument is
no longer refused.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors
from rocsolid.curves.precision_recall_areas import AREAS

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
HERE = Path(__file__).parent
BY_SECTION = {
    "A ties": "B01 B02 B04 B05 B07 B08 B10 B11",
    "B formats": "B13 B14 B16 B17 B19 B20 B22 B23",
    "C degenerate": "B25 B26 B28 B29 B32 B33 B35 B37 B38",
    "D curve ends": "B40 B41 B43 B44 B45 B47 B49 B51",
    "E averages": "B52 B54 B55 B57 B58",
    "F weights": "B59 B62 B64",
    "G labels": "B65 B67 B68 B69 B71 B72 B73",
    "H infinity": "B75",
    "I areas": "B76 B77 B78 B80 B81",
    "J partial": "B83 B85",
    "K calibration": "B87 B90 B91 B92",
    "L comparison": "B94 B96 B97",
    "M cost": "B100 B101",
}
LATER = {
    "groups": "B31 B61",
    "survival": "B98",
}
REPORTS = [report for reports in BY_SECTION.values() for report in reports.split()]
SOURCES = "\n".join(file.read_text(encoding="utf-8") for file in HERE.parent.rglob("test_*.py"))
TESTS = re.findall(r'def (test_\w+)\([^)]*\):\n(?:    """(.*?)""")?', SOURCES, re.DOTALL)
TESTED = {found.upper() for name, told in TESTS for found in re.findall(r"b\d+", name) + re.findall(r"\bB\d+", told)}
METHODS = ("step", *AREAS)


@pytest.mark.parametrize("report", REPORTS)
def test_every_report_has_a_test(report):
    assert report in TESTED


def test_reports_that_wait_are_about_what_is_refused():
    assert not set(" ".join(LATER.values()).split()) & TESTED
    with pytest.raises(errors.NotAvailableError, match="groups"):
        rs.evaluate([0, 1], [1, 2], groups=[1, 2])


# ----------------------------------------------------------------------------- C, D. curve ends, thresholds


def test_b37_net_benefit_where_the_odds_are_infinite():
    curve = rs.evaluate([0, 1], [0, 1]).curve("net_benefit")
    assert dict(zip(curve.thresholds[1:].tolist(), curve.net_benefit[1:].tolist(), strict=True)) == {1: 0.5, 0: 0.5}
    stray = rs.evaluate([1, 0], [0, 1]).curve("net_benefit")
    assert stray.net_benefit[1] == -math.inf


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("kind", ["roc", "precision_recall"])
def test_b49_what_a_picture_shows_has_the_ends_and_is_within_half_a_pixel(kind, reverse):
    """Points are left out after everything is computed, never rows; the area stays that of all points."""
    n, pixels = 20_000, 800
    y = np.random.default_rng(5).random(n) < np.linspace(0, 1, n)
    curve = rs.evaluate(y, np.arange(n) * (-1 if reverse else 1)).curve(kind)
    thin = curve.thin(pixels=pixels)
    assert len(thin.thresholds) < 4 * pixels < len(curve.thresholds)
    assert thin.area() == curve.area()
    assert set(thin.thresholds[1:].tolist()) <= set(curve.thresholds[1:].tolist())
    if kind == "roc":
        assert (thin.fpr[0], thin.tpr[0], thin.fpr[-1], thin.tpr[-1]) == (0, 0, 1, 1)
        away = np.abs(
            np.interp(curve.fpr + curve.tpr, thin.fpr + thin.tpr, thin.tpr - thin.fpr) - (curve.tpr - curve.fpr)
        )
        assert away.max() <= 2 * math.sqrt(2) * 0.5 / pixels  # along the diagonal, where both curves are functions
    else:
        assert thin.recall[-1] == 1


@pytest.mark.parametrize(
    ("kind", "across", "up"),
    [
        ("roc", "fpr", "tpr"),
        ("precision_recall", "recall", "precision"),
        ("gain", "flagged", "gain"),
        ("lift", "flagged", "lift"),
        ("precision_recall_gain", "recall_gain", "precision_gain"),
        ("roc_hull", "fpr", "tpr"),
        ("net_benefit", "thresholds", "net_benefit"),
        ("cumulative_flagged", "thresholds", "flagged_pos"),
    ],
)
def test_b51_axes_are_not_exchanged(kind, across, up):
    pytest.importorskip("matplotlib")
    curve = rs.evaluate([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.4]).curve(kind)
    if kind == "cumulative_flagged":
        up = next(name for name in type(curve).__slots__ if name not in ("thresholds",))
    display = curve.plot()
    x, y = (set(np.asarray(v, float).tolist()) for v in (display.line_.get_xdata(), display.line_.get_ydata()))
    assert x <= set(getattr(curve, across).tolist()) | {0.0, 1.0}
    assert y <= set(getattr(curve, up).tolist()) | {0.0, 1.0}
    if kind == "precision_recall":
        assert list(zip(curve.recall[1:], curve.precision[1:], strict=True)) == [(0.5, 1.0), (1.0, 0.5)]
        assert (display.ax_.get_ylabel(), display.ax_.get_xlabel().split("\n")[0]) == ("Precision", "Recall")


def test_b58_the_number_beside_a_curve_is_named_and_its_own():
    pytest.importorskip("matplotlib")
    ev = rs.evaluate([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.4])
    assert ev.curve("pr").plot().label == "AP 0.750"
    assert ev.curve("roc").plot().label == f"AUC {ev.roc_auc().value:.3f}"


# --------------------------------------------------------------------------------------------- G. two columns


def test_b72_decisions_and_probabilities_are_not_mixed():
    """Rank measures read the scores, measures at a cut the rule; neither is rounded into the other."""
    ev = rs.evaluate([0, 1], [0.2, 0.9])
    assert ev.roc_auc().value == 1.0
    assert (ev.at(threshold=0.5).precision.value, ev.at(threshold=0.5).recall.value) == (1.0, 1.0)
    close = rs.evaluate([0, 1, 0, 1], [0.51, 0.52, 0.1, 0.49])
    assert close.roc_auc().value == 0.75
    assert close.at(threshold=0.5).recall.value == 0.5


# ---------------------------------------------------------------------------------------- I. AP and PR area


@pytest.mark.parametrize("n", [2, 10, 100])
@pytest.mark.parametrize("m", [1, 2])
def test_b76_constant_scores_by_every_estimator(n, m):
    """Lines to the invented point (0, 1) are the only ones that leave the prevalence."""
    curve = rs.evaluate([1] * m + [0] * (n - 1), [0.5] * (m + n - 1)).curve("pr")
    share = m / (m + n - 1)
    for method in METHODS:
        invented = method in ("trapezoid", "rocr")
        assert curve.area(method) == pytest.approx((1 + share) / 2 if invented else share, rel=1e-12)


def test_b77_each_estimator_has_its_name():
    curve = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).curve("pr")
    found = {method: round(curve.area(method), 4) for method in ("step", "trapezoid", "davis-goadrich", "rocr")}
    assert found == {"step": 0.8333, "trapezoid": 0.7917, "davis-goadrich": 0.7973, "rocr": 0.9167}
    for name in ("auc", "average", "interpolated", ""):
        with pytest.raises(errors.UnknownNameError):
            curve.area(name)


@pytest.mark.parametrize("seed", range(40))
def test_b78_areas_never_leave_their_range(seed):
    """Weights from 1e-8 to 1e8, all-positive blocks, ties: no area passes 1 by more than rounding."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    y = np.r_[1, (rng.random(n) < rng.choice([0.05, 0.5, 0.95, 1.0])).astype(int)]
    s = rng.integers(0, rng.integers(1, 30), n + 1)
    w = 10.0 ** rng.uniform(-8, 8, n + 1)
    for weight in (None, w, np.ceil(w / w.min() % 7)):
        ev = rs.evaluate(y, s, sample_weight=weight)
        curve = ev.curve("pr")
        for method in METHODS:
            if method != "davis-goadrich-steps" or weight is None:
                assert 0 <= curve.area(method) <= 1
        assert 0 <= ev.average_precision().value <= 1
        if 0 in y:
            assert 0 <= ev.roc_auc().value <= 1
            for spec in ("partial_auc(max_fpr=0.3)", "log_auc", "bedroc", "h_measure", "cost_curve_area"):
                found = rs.evaluate(y, s, sample_weight=weight, on_undefined="nan").measure(spec)
                assert 0 <= found.value <= 1 or found.undefined.code == "undefined"


# ------------------------------------------------------------------------------------------- J. partial areas


def test_b83_the_standardised_area_of_a_range_that_does_not_start_at_0():
    ev = rs.evaluate([0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.2, 0.5, 0.7, 0.4, 0.6, 0.8, 0.9])
    inner, first = (ev.partial_roc_auc(fpr=r).exact for r in ((0.1, 0.5), (0, 0.1)))
    assert (inner, first) == (Fraction(2625, 10_000), Fraction(1, 20))
    values = [ev.partial_roc_auc(fpr=r, standardized=True).value for r in ((0.1, 0.5), (0, 0.1))]
    assert [round(v, 4) for v in values] == [0.7545, 0.7368]
    useless = rs.evaluate([0, 1] * 4, [1] * 8)
    for r in ((0, 0.1), (0.1, 0.5), (0.3, 1), (0, 1)):
        assert useless.partial_roc_auc(fpr=r, standardized=True).exact == Fraction(1, 2)
        assert useless.partial_roc_auc(tpr=r, standardized=True).exact == Fraction(1, 2)
        perfect = rs.evaluate([0, 1] * 4, [1, 2] * 4)
        assert perfect.partial_roc_auc(fpr=r, standardized=True).exact == 1
        assert perfect.partial_roc_auc(tpr=r, standardized=True).exact == 1


def test_b83_the_range_is_asked_for_in_one_way():
    ev = rs.evaluate([0, 1, 0, 1], [1, 2, 3, 4])
    spec = "partial_auc(min_tpr=0.9, standardized=true)"
    assert ev.partial_roc_auc(tpr=(0.9, 1), standardized=True) == ev.measure(spec)
    bad = ({}, {"fpr": (0, 0.1), "tpr": (0.9, 1)}, {"fpr": 0.1}, {"fpr": (0.1,)}, {"fpr": (0.2, 0.1)}, {"tpr": (0, 2)},
           {"fpr": ("0", "1")}, {"fpr": (0, 0.1), "standardized": "yes"})  # fmt: skip
    for options in bad:
        with pytest.raises(errors.OptionError) as caught:
            ev.partial_roc_auc(**options)
        assert caught.value.hint


def test_b85_a_curve_is_cut_at_the_limit_between_two_points():
    """Points at FPR 0 and 0.4; the limit lies between them."""
    ev = rs.evaluate([1] * 5 + [0] * 5, [9] * 5 + [5, 5, 1, 1, 1])
    assert ev.partial_roc_auc(fpr=(0, 0.3)).exact == Fraction(3, 10)
    assert ev.partial_roc_auc(fpr=(0, 0.3), standardized=True).exact == 1
    one_step = rs.evaluate([1, 1, 0, 0], [5] * 4)
    for end in (0.1, 0.25, 0.3, 0.999, 1):
        assert one_step.partial_roc_auc(fpr=(0, end)).exact == Fraction(str(end)) ** 2 / 2


# -------------------------------------------------------------------------------------------- K. calibration


@pytest.mark.parametrize("bins", [1, 2, 10, 15])
@pytest.mark.parametrize("binning", ["width", "mass"])
def test_b87_every_probability_is_in_a_bin(bins, binning):
    edges = np.arange(bins + 1) / bins
    for p in [0.0, 1.0, 5e-324, *edges.tolist(), *np.nextafter(edges[1:], 0).tolist()]:
        curve = rs.evaluate([1], [p], pos_label=1).reliability(binning=binning, bins=bins, n_resamples=20, rng=0)
        assert curve.rows.sum() == 1
        found = rs.measure(f"ece(bins={bins}, binning={binning})", [1], [p], pos_label=1)
        assert found.value == pytest.approx(1 - p, abs=1e-15)
    every = rs.evaluate([0, 1] * 50, np.linspace(0, 1, 100)).curve("reliability")
    assert every.rows.sum() == 100


def test_b90_which_class_is_forecast_is_part_of_the_name():
    y, p = [1, 1], [0.3, 0.7]
    assert rs.measure("ece(bins=2)", y, p, pos_label=1).value == pytest.approx(0.5)
    assert rs.measure("ece(bins=2, event=top)", y, p, pos_label=1).value == pytest.approx(0.2)


def test_b91_recalibration_is_never_put_in_the_place_of_the_scores():
    """An isotonic fit makes ties of reversed neighbours; rank measures do not see it."""
    y, s = [0, 1, 0, 1], [0.2, 0.3, 0.1, 0.25]
    ev = rs.evaluate(y, s)
    assert ev.roc_auc().value == 1.0
    swapped = rs.evaluate([1, 0], [0.2, 0.3])
    assert swapped.curve("reliability").observed.tolist() == [0.5, 0.5]
    assert swapped.roc_auc().value == 0.0


# ------------------------------------------------------------------------------------- L. comparison, intervals


def test_b94_equal_areas_of_crossing_curves():
    """The test of the areas says nothing, that of the curves that they differ."""
    rng = np.random.default_rng(1)
    n = 400
    y = np.r_[np.ones(n, int), np.zeros(n, int)]
    narrow = np.r_[rng.normal(1.2, 1, n), rng.normal(0, 1, n)]
    wide = np.r_[rng.normal(1.2 * math.sqrt(10 / 2), 3, n), rng.normal(0, 1, n)]
    models = {"narrow": narrow, "wide": wide}
    assert rs.compare(y, models).pvalue > 0.05
    assert rs.compare(y, models, method="venkatraman", n_resamples=500, rng=0).pvalue < 0.01


def test_b96_a_bootstrap_interval_does_not_shrink_with_the_resamples():
    y = [0] * 8 + [1] * 6
    s = [0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.45, 0.55, 0.65, 0.8, 0.85, 0.9]
    ev = rs.evaluate(y, s)
    widths = [ev.roc_auc(method="bootstrap-percentile", n_resamples=n, rng=1).interval.width for n in (500, 5000)]
    assert min(widths) > 0.2
    assert widths[0] == pytest.approx(widths[1], rel=0.2)


def test_b97_an_argument_without_effect_is_an_error():
    ev = rs.evaluate([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8])
    with pytest.raises(errors.OptionError, match="no effect"):
        ev.best("youden", prevalence=0.1)
    with pytest.raises(errors.OptionError, match="draws nothing"):
        ev.roc_auc(n_resamples=100)
    with pytest.raises(errors.OptionError):
        ev.measure("roc_auc(prevalence=0.1)")
    with pytest.raises(errors.OptionError, match="left out"):
        ev.best("youden", rng=1)


# -------------------------------------------------------------------------------------------------- M. cost


def test_b100_many_small_batches_are_counts_not_rows():
    """A thousand updates hold the distinct scores alone, and give the whole."""
    rng = np.random.default_rng(0)
    y = rng.random((1000, 32)) < 0.3
    s = rng.integers(0, 256, (1000, 32)).astype(np.uint8)
    total = rs.Sweep.from_arrays(y[0], s[0])
    for labels, scores in zip(y[1:], s[1:], strict=True):
        total = total + rs.Sweep.from_arrays(labels, scores)
    assert len(total) == 256
    assert rs.Evaluation(total).roc_auc().exact == rs.evaluate(y.ravel(), s.ravel()).roc_auc().exact


def test_b101_rows_are_sorted_once(monkeypatch):
    """Six questions share one sweep."""
    calls = []
    grouped = rs.Sweep.from_rows.__func__
    monkeypatch.setattr(
        rs.Sweep, "from_rows", classmethod(lambda cls, *args, **kw: calls.append(1) or grouped(cls, *args, **kw))
    )
    ev = rs.evaluate(np.arange(1000) % 3 == 0, np.arange(1000) / 1000)
    ev.table()
    ev.curve("roc")
    ev.curve("pr")
    ev.at(recall=0.9)
    ev.best("youden")
    ev.calibration()
    assert len(calls) == 1
