"""What is drawn: the points that are kept, the axes, and paths that Python and the script draw alike."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid import report
from rocsolid.report import panels, scales, svg
from rocsolid.report.curves import average_precisions, curves, prevalence_stops
from rocsolid.report.html_point import rounded
from rocsolid.report.text import count, number, percent

ASSETS = Path(report.__file__).parent / "assets"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def study(n=20_000, share=0.2, seed=0, decimals=None):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    s = 1 / (1 + np.exp(-(rng.normal(size=n) + 1.5 * y - 1.5)))
    return y, s if decimals is None else np.round(s, decimals)


def test_lines_that_run_one_way_lose_only_what_can_not_be_seen():
    rng = np.random.default_rng(2)
    for sign in (1, -1):
        x, y = (np.cumsum(rng.integers(0, 3, 500)) for _ in range(2))
        kept = svg._straightened(x.tolist(), (sign * y).tolist())
        assert kept[0] == 0
        assert kept[-1] == 499
        assert len(kept) < 400
        for a, b in pairwise(kept):
            dx, dy = x[b] - x[a], y[b] - y[a]
            off = np.abs((x[a:b] - x[a]) * dy - (y[a:b] - y[a]) * dx) / max(np.hypot(dx, dy), 1e-9)
            assert off.max() <= 1 + 1e-9


# ------------------------------------------------------------------------------------------------- the cuts


def test_every_kept_cut_is_a_cut_of_the_data():
    y, s = study(n=3000)
    ev = rs.evaluate(y, s)
    (model,) = curves({"a": ev})["models"]
    assert model["thresholds"][0] is None
    for t, tp, fp in list(zip(model["thresholds"], model["tp"], model["fp"], strict=True))[1::7]:
        found = ev.sweep.at(t)
        assert (found.tp, found.fp) == (tp, fp)
        assert t in s


def test_stops_are_exact():
    """At every position of the slider the kept cut is the one that the whole data give."""
    y, s = study(n=3000)
    ev = rs.evaluate(y, s)
    found = curves({"a": ev})
    (model,) = found["models"]
    kept = set(zip(model["tp"], model["fp"], strict=True))
    for rule, asked in (("fpr", found["stops"]["fpr"]), ("recall", found["stops"]["recall"][1:]),
                        ("flagged", found["stops"]["flagged"])):  # fmt: skip
        for value in asked[::5]:
            point = ev.at(**{rule: value}) if rule != "flagged" or value else ev.at(flagged=1e-12)
            assert (point.tp, point.fp) in kept, (rule, value)


def test_average_precision_at_every_stop_is_that_of_the_estimate():
    y, s = study(n=2000, decimals=2)
    ev = rs.evaluate(y, s)
    stops = prevalence_stops(float(y.mean()))
    assert len(stops) == 61
    assert stops == sorted(stops)
    assert float(y.mean()) in stops
    expected = [ev.at_prevalence(p).average_precision().value for p in stops[::6]]
    assert average_precisions(ev.sweep, stops)[::6] == pytest.approx(expected, abs=1e-13)


def test_brier_parts_are_those_of_the_measures():
    y, s = study(n=2000, decimals=2)
    ev = rs.evaluate(y, s)
    parts = curves({"a": ev})["models"][0]["reliability"]["brier"]
    for name, value in parts.items():
        assert value == pytest.approx(ev.measure(f"brier_{name}", method="none").value, abs=1e-12)


def test_net_benefit_is_that_of_the_measure():
    y, s = study(n=2000, decimals=2)
    ev = rs.evaluate(y, s)
    found = curves({"a": ev})["decision"]
    for t, value in list(zip(found["thresholds"], found["models"][0], strict=True))[:60:9]:
        assert value == pytest.approx(ev.measure(f"net_benefit(threshold={t})").value, abs=1e-14)


def test_bands_are_those_of_the_evaluation():
    y, s = study(n=500)
    ev = rs.evaluate(y, s)
    (model,) = curves({"a": ev}, bands=True)["models"]
    for kind, edges in model["bands"].items():
        band = ev.band("roc", kind=kind)
        for side in ("low", "high"):
            for x in np.linspace(0.01, 0.99, 50):
                drawn = np.interp(x, edges[side]["x"], edges[side]["y"])
                assert getattr(band.at(x - 0.001), side) - 0.001 <= drawn <= getattr(band.at(x + 0.001), side) + 0.001
    assert curves({"a": rs.evaluate(y, s, cluster=np.arange(500) // 2)}, bands=True)["models"][0]["bands"] is None


def test_weights_scores_without_order_of_magnitude_and_folds_have_cuts():
    y, s = study(n=400)
    weighted = curves({"a": rs.evaluate(y, s, sample_weight=np.full(400, 0.37))})["models"][0]
    assert weighted["intervals"] is False
    assert weighted["tp"][-1] == pytest.approx(0.37 * y.sum())
    folds = curves({"a": rs.evaluate(y, s, fold=np.arange(400) % 4)})["models"][0]
    assert folds["intervals"] is False
    infinite = curves({"a": rs.evaluate([0, 1] * 4, [-np.inf, np.inf] * 4)})["models"][0]
    assert infinite["thresholds"] == [None, "inf", "-inf"]
    assert infinite["distribution"] is None
    low = curves({"a": rs.evaluate(y, -s, higher_is_positive=False)})
    assert low["models"][0]["thresholds"][1] < low["models"][0]["thresholds"][-1]
    assert low["decision"] is None


# --------------------------------------------------------------------------------------------------- axes


def test_probit_axis():
    def ends(*pairs):
        return scales.probit_range([(np.array([a for a, _ in pairs]), np.array([b for _, b in pairs]))])

    low, high = ends((0, 1), (0.004, 0.9), (0.5, 0.5), (1, 0))
    assert (low, high) == (0.001, 0.999)
    assert ends((0, 1), (0.004, 0.5), (0.1, 0.1), (1, 0)) == (0.001, 0.6)
    assert ends((0, 1), (1e-5, 0.9), (0.1, 0.1), (0.5, 0.02), (1, 0)) == (0.01, 0.6)  # what lies outside does not count
    assert ends((1e-9, 0.6), (0.5, 0.5))[0] == 1e-4
    assert ends((0, 0)) == (0.01, 0.6)  # nothing but zeros: perfect separation
    places = scales.Scale("probit", low, high).place([0, low, 0.5, high, 1])
    assert places == pytest.approx([0, 0, 0.5, 1, 1])
    for low, high in ((1e-6, 0.6), (1e-3, 0.999), (0.01, 0.99), (1e-6, 1 - 1e-6), (0.01, 0.6)):
        axis = scales.Scale("probit", low, high)
        assert len(axis.ticks()) >= 5
        assert np.diff(axis.place(axis.ticks())).min() >= 0.05


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_linear_ticks_are_few_and_inside(low, width):
    ticks = scales.linear_ticks(low, low + width)
    assert 1 <= len(ticks) <= 8
    assert all(low - 1e-6 * width <= t <= low + width * (1 + 1e-6) for t in ticks) or width < 1e-9 * abs(low)


@pytest.mark.parametrize(("low", "high"), [(1e-9, 1), (1e-3, 1), (0.1, 1)])
def test_log_ticks(low, high):
    axis = scales.Scale("log", low, high)
    assert 2 <= len(axis.ticks()) <= 9
    assert axis.place([low, high]).tolist() == [0, 1]


@pytest.mark.filterwarnings("ignore::rocsolid.errors.RocsolidWarning")
def test_perfect_and_reversed_scores_can_be_drawn():
    for scores in ([0.1, 0.2, 0.8, 0.9], [0.9, 0.8, 0.2, 0.1], [0.5] * 4):
        summary = report.summarise(rs.evaluate_many([0, 0, 1, 1], {"a": scores}))
        for kind in ("roc", "log_roc", "precision_recall", "det", "flagged_cost", "cost_curve", "ap_prevalence"):
            (path,) = panels.lines(kind, summary)
            assert path.startswith("M")
            assert "nan" not in path


# ----------------------------------------------------------------------------- the script and Python agree


def run_js(code, **data):
    """Run a module that imports the page's own, with data from Python; what it logs as JSON comes back."""
    text = "\n".join([f"const given = {json.dumps(data)};", code])
    command = [NODE, "--input-type=module", "-e", text]
    done = subprocess.run(command, cwd=ASSETS, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@needs_node
def test_the_script_draws_the_same_paths():
    rng = np.random.default_rng(4)
    y, s = study(n=2000, share=0.3)
    summary = report.summarise(rs.evaluate_many(y, {"a": s, "b": np.round(s + 0.3 * rng.normal(size=2000), 2)}))
    found = summary["curves"]
    from rocsolid.report.page_data import page_data

    out = run_js(
        """
        import { unpack, find } from "./cuts.js";
        import { line, precisionSteps, costs, precisionByPrevalence } from "./draw.js";
        const d = given.data, models = d.models.map(unpack), own = d.own;
        const cut = (m) => find(m, "flagged", own, {higher: true, p: own, ratio: 1});
        console.log(JSON.stringify({
          tables: models.map((m) => [m.thresholds, m.tp, m.fp]),
          precision_recall: models.map((m) => line(d.axes.precision_recall, ...precisionSteps(m, own))),
          flagged_cost: models.map((m) => line(d.axes.flagged_cost, ...costs(m, own, 1))),
          precision_prevalence: models.map((m) => line(d.axes.precision_prevalence,
            ...precisionByPrevalence(m, cut(m), d.prevalence))),
        }));
        """,
        data=page_data(summary),
    )
    for table, model in zip(out.pop("tables"), found["models"], strict=True):
        assert table == [model["thresholds"], model["tp"], model["fp"]]
    for kind, paths in out.items():
        assert paths == panels.lines(kind, summary), kind


@needs_node
def test_the_script_has_the_same_scales():
    values = np.concatenate([np.linspace(0.001, 0.999, 50), np.geomspace(1e-8, 0.5, 40), [0, 1]]).tolist()
    axes = [
        ("linear", 0.0, 1.0),
        ("log", 1e-6, 1.0),
        ("probit", 1e-4, 0.9999),
        ("probit", 1e-3, 0.6),
        ("logit", 1e-3, 0.99),
    ]
    out = run_js(
        'import { place } from "./scales.js";'
        "console.log(JSON.stringify(given.axes.map((a) => given.values.map((v) => place(a, v)))))",
        axes=axes, values=values,
    )  # fmt: skip
    for axis, places in zip(axes, out, strict=True):
        assert places == pytest.approx(scales.Scale(*axis).place(values).tolist(), abs=1e-12)


@needs_node
def test_the_script_writes_numbers_as_python_does():
    rng = np.random.default_rng(0)
    shares = [
        0,
        1,
        0.5,
        0.03125,
        0.15625,
        0.00034999,
        1e-9,
        0.99999,
        0.999999999,
        *rng.random(300),
        *10.0 ** rng.uniform(-9, 0, 300),
    ]
    counts = [0, 1, 999, 1000, 1234567, 0.5, 1234.56789, 1.25e7 + 0.5, 99.95, 0.05, 12.25]
    out = run_js(
        'import { number, percent, count, rounded } from "./numbers.js";'
        "console.log(JSON.stringify([given.shares.map(number), given.shares.map(percent), given.counts.map(count),"
        " given.counts.map(rounded)]))",
        shares=[float(s) for s in shares], counts=counts,
    )  # fmt: skip
    assert out[0] == [number(float(s)) for s in shares]
    assert out[1] == [percent(float(s)) for s in shares]
    assert out[2] == [count(c) for c in counts]
    assert out[3] == [rounded(c) for c in counts]


@needs_node
def test_the_script_writes_thresholds_as_python_does():
    floats = [0.1, 5.0, -3.0, 1e-5, 1.5e-7, 1e16, 123456789012345680.0, 0.0, 1e300, 2.5e-310]
    out = run_js(
        'import { plain } from "./cards.js";'
        "console.log(JSON.stringify([given.floats.map((t) => plain(t, true)), plain(7, false), plain('inf', true)]))",
        floats=floats,
    )
    assert out == [[repr(t) for t in floats], "7", "inf"]


@needs_node
def test_the_script_has_the_same_intervals():
    y, s = study(n=700, share=0.3)
    ev = rs.evaluate(y, s)
    summary = report.summarise(rs.evaluate_many(y, {"a": s}))
    from rocsolid.report.page_data import page_data

    out = run_js(
        'import { unpack, rates } from "./cuts.js"; import { limits } from "./cards.js";'
        "const m = unpack(given.data.models[0]);"
        "console.log(JSON.stringify(m.tp.map((_, i) => [m.thresholds[i], rates(m, i), limits(m, i, given.data.z)])))",
        data=page_data(summary),
    )
    for threshold, rates, limits in out[1::9]:
        point = ev.at(threshold=threshold)
        for name in ("recall", "specificity", "precision", "f1"):
            expected = getattr(point, name)
            assert rates[name] == pytest.approx(expected.value, rel=1e-15)
            assert limits[name] == pytest.approx([expected.interval.low, expected.interval.high], abs=1e-12)


@needs_node
def test_the_script_finds_the_cuts_that_are_asked_for():
    y, s = study(n=900, share=0.3)
    ev = rs.evaluate(y, s)
    summary = report.summarise(rs.evaluate_many(y, {"a": s}))
    from rocsolid.report.page_data import page_data

    asked = [("fpr", 0.1), ("recall", 0.9), ("flagged", summary["curves"]["own_prevalence"])]
    code = """
        import { unpack, find } from "./cuts.js";
        const m = unpack(given.data.models[0]), own = given.data.own;
        const at = (i) => [m.tp[i], m.fp[i]];
        console.log(JSON.stringify({
          asked: given.asked.map(([rule, x]) => at(find(m, rule, x, {higher: true, p: own, ratio: 1}))),
          cost: [0.05, 1, 7].map((ratio) => at(find(m, "cost", 0, {higher: true, p: own, ratio}))),
          nothing: find(m, "flagged", 0, {higher: true, p: own, ratio: 1}),
          precision: at(find(m, "precision", 0.8, {higher: true, p: own, ratio: 1})),
        }));
    """
    out = run_js(code, data=page_data(summary), asked=asked)
    for (rule, x), counts in zip(asked, out["asked"], strict=True):
        point = ev.at(**{rule: x})
        assert counts == [point.tp, point.fp], rule
    for ratio, counts in zip((0.05, 1, 7), out["cost"], strict=True):
        best = ev.best("cost", cost_fp=1, cost_fn=ratio)
        assert counts == [best.tp, best.fp]
    assert out["nothing"] == 0
    point = ev.at(precision=0.8)
    tp, fp = out["precision"]
    assert tp / (tp + fp) >= 0.8
    assert tp <= point.tp <= tp + 10  # the best of the kept cuts, half a pixel from the best of all


def test_paths_are_short_and_end_where_they_should():
    assert svg.path_data([], []) == ""
    assert svg.path_data([0, 1, 5, 6], [0, 1, 5, 6]) == f"M{svg.LEFT} {svg.TOP + svg.INNER}l5 -5l1 -1"
