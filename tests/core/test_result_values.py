"""What all results have in common: they write themselves, and a name can not break out of where it stands."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.gate import Gate, judge, parse
from rocsolid.text import aligned, escape_markdown, printable, width
from rocsolid.values import GridResult, Result

HOSTILE = "<b>a|b</b>\\ \x1b[31m\n[x](http://e.vil)\u202e*"


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    rng = np.random.default_rng(3)
    y = np.arange(60) % 2
    models = {HOSTILE: y + rng.normal(size=60), "模型": y + rng.normal(size=60), "c": rng.normal(size=60)}
    two = {name: models[name] for name in (HOSTILE, "c")}
    ev = rs.evaluate(y, models[HOSTILE], name=HOSTILE)
    one = ev.roc_auc()
    shares = rs.evaluate(y, 1 / (1 + np.exp(-models["c"])), name=HOSTILE).calibration()
    names = np.array([HOSTILE, "b", "c"])
    groups = ev.by(names[np.arange(60) % 3])
    classes = rs.evaluate(names[np.arange(60) % 3], np.column_stack(list(models.values())), labels=[*names])
    found = [
        one, shares, shares.tests[0],
        ev.at(threshold=0.5), ev.table(), ev.band("roc"), ev.threshold_interval(recall=0.8),
        rs.compare(y, two), rs.compare(y, models), rs.crossings(y, two, rng=1, n_resamples=100),
        rs.pool({HOSTILE: one, "b": one, "c": one}), rs.auc_bounds(fpr=[0.1], tpr=[0.8]),
        rs.evaluate_many(y, models).cost_ranges(), ev.translate(), ev.explain(0.5),
        rs.interval_from_counts(3, 9), rs.power(rs.AucAgainst(auc=0.7, null=0.5), n_pos=30, n_neg=60),
        ev.best("youden", optimism=True, rng=1, n_resamples=20).optimism, ev.at(recall=0.5).monitor(models["c"], y),
        ev.zones(rule_in=1, rule_out=0), ev.at(threshold=0.5, amount=np.arange(60)).by_amount,
        ev.per_day(np.arange(60) // 10, capacity=3), ev.summary_for("groups", groups=[HOSTILE, "a", "a"] * 20),
        rs.Binormal(1.2, 0.8), rs.Binormal.fit(y, models[HOSTILE]), ev.smooth_roc(),
        ev.average_precision_by_prevalence([0.5, 0.01]), classes.roc_auc(average=None), classes.confusion_matrix(),
        groups.table(), groups.gaps(), groups.across(),
        judge(parse("auc > 0.5"), ev),
        Gate(checks=(judge(parse("auc > 0.99"), ev),), source=HOSTILE, remarks=(HOSTILE,)),
        rs.gauc(y, models["c"], [HOSTILE, "a"] * 30),
    ]  # fmt: skip
    return {type(result).__name__: result for result in found}


def kinds(cls: type) -> set[type]:
    return {cls, *(kind for sub in cls.__subclasses__() for kind in kinds(sub))}


def test_every_kind_of_result_is_here(results):
    assert set(results) == {kind.__name__ for kind in kinds(Result)} - {"Result", "GridResult"}


def test_results_write_themselves(results):
    for result in results.values():
        read = json.loads(result.to_json())
        assert read["schema"] == "rocsolid/1"
        html = result._repr_html_()
        assert "<b>" not in html
        assert "\x1b" not in html + repr(result)
        assert "\u202e" not in html + repr(result)
        assert "<table>" in html or html.startswith("<code>")


def test_an_evaluation_prints_harmlessly():
    ev = rs.evaluate([0, 1] * 10, list(range(20)), name=HOSTILE)
    assert "\x1b" not in repr(ev) + ev._repr_html_()
    assert "<b>" not in ev._repr_html_()


def test_a_name_stays_in_its_cell(results):
    for result in results.values():
        if isinstance(result, GridResult):
            lines = result.to_markdown().splitlines()
            table = lines[: lines.index("")]
            assert {line.replace("\\|", "").count("|") for line in table} == {len(result.header) + 1}
            assert "<b>" not in result.to_markdown()
            assert not re.search(r"[^\\]\]\(", result.to_markdown())


def test_wide_characters_are_aligned():
    lines = aligned([("模型", "1"), ("a", "22")], (False, True))
    assert lines == ["模型   1", "a     22"]
    assert {width(line) for line in lines} == {8}


def test_markdown_keeps_what_is_harmless():
    assert [escape_markdown(text) for text in ("roc_auc", "[0.1, 0.2]")] == ["roc_auc", "[0.1, 0.2]"]
    assert escape_markdown("_x_ <i>") == "\\_x\\_ &lt;i&gt;"
    assert printable("a\nb\x07") == "a b\N{REPLACEMENT CHARACTER}"
