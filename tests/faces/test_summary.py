"""The summary is plain, complete and says the numbers of the estimates; renderers need nothing else."""

from __future__ import annotations

import copy
import json
import string
from pathlib import Path

import numpy as np
import pytest
from face_helpers import HOSTILE, study
from tests.contract.test_measures import SPECS

import rocsolid as rs
from rocsolid import measures, report
from rocsolid.errors import RocsolidWarning, UndefinedMeasureError, UnknownNameError
from rocsolid.inference.estimates import METHODS
from rocsolid.report import methods, render_html, render_markdown, render_text, words
from rocsolid.report.text import number, percent
from rocsolid.text import pad, printable, width
from rocsolid.values import to_json


def test_summary_is_json(two):
    summary = report.summarise(two, title="t", source="s", command="c")
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert summary["schema"] == "rocsolid.summary/2"
    assert summary["rocsolid"] == rs.__version__
    assert [summary[k] for k in ("title", "source", "command")] == ["t", "s", "c"]


SCHEMA = Path(report.__file__).with_name("summary.schema.json")


def test_published_schema_is_the_packages():
    assert (Path(__file__).parents[2] / "docs/assets/summary.schema.json").read_bytes() == SCHEMA.read_bytes()


@pytest.mark.filterwarnings("ignore::rocsolid.errors.RocsolidWarning")
@pytest.mark.parametrize(
    "kind", ["plain", "one", "three", "weighted", "clustered", "folds", "logits", "constant", "infinite", "undefined"]
)
def test_every_summary_obeys_the_schema(kind):
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    y, scores = study()
    options = {"weighted": {"sample_weight": np.linspace(0.5, 2, 400)}, "clustered": {"cluster": np.arange(400) // 4},
               "folds": {"fold": np.arange(400) % 4}}.get(kind, {})  # fmt: skip
    chosen = {
        "one": {"first": scores["first"]}, "three": {**scores, "third": scores["first"] ** 2},
        "logits": {k: 20 * v - 3 for k, v in scores.items()}, "constant": {"c": np.full(400, 0.5)},
        "infinite": {"i": np.where(scores["first"] > 0.9, np.inf, scores["first"])},
    }.get(kind, scores)  # fmt: skip
    measures = ["roc_auc", "precision(threshold=99)", "log_loss"] if kind == "undefined" else None
    for curves in (True, False):
        models = rs.evaluate_many(y, chosen, **options)
        summary = report.summarise(models, measures=measures, curves=curves, bands=kind in ("one", "weighted"))
        jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(json.loads(to_json(summary)))


def test_the_schema_forbids_what_is_not_in_it(two):
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    wrong = report.summarise(two) | {"row": 1}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, json.loads(SCHEMA.read_text()))


def test_numbers_are_those_of_the_estimates(two):
    summary = report.summarise(two)
    for model, member in zip(summary["models"], two.values(), strict=True):
        for found, row in zip(model["estimates"], member.table(), strict=True):
            assert found["measure"] == row.measure
            assert found["value"] == row.value
            assert (found["low"], found["high"]) == (row.interval.low, row.interval.high)
            assert found["details"] == dict(row.details)
            assert found["n_pos"] == member.sweep.n_pos
        assert model["distinct_scores"] == len(member.sweep)
    data = summary["data"]
    assert data["n"] == data["n_pos"] + data["n_neg"] == 400
    assert data["prevalence"] == data["n_pos"] / 400
    assert data["pos_label"] == 1
    assert data["higher_is_positive"] is True
    assert data["weighted"] is False


def test_renderers_only_read_the_summary(two):
    """A summary that went through JSON, without the evaluations, gives the same texts; none of them is changed."""
    summary = report.summarise(two, title="t")
    before = copy.deepcopy(summary)
    loaded = json.loads(json.dumps(summary))
    for render in (render_html.render, render_text.render, render_markdown.render, to_json):
        assert render(summary) == render(loaded)
    assert summary == before


def test_same_data_give_the_same_page(two):
    y, scores = study(decimals=2)
    order = np.random.default_rng(9).permutation(len(y))
    again = rs.evaluate_many(y[order], {k: v[order] for k, v in scores.items()})
    assert render_html.render(report.summarise(two)) == render_html.render(report.summarise(again))


def test_rows_are_those_of_the_estimates_with_more_beside(two):
    """One schema, one shape: every key of ``Estimate.to_dict()`` says the same in a summary."""
    specs = ["roc_auc", "precision(threshold=99)", "log_loss"]
    for model, member in zip(report.summarise(two, measures=specs)["models"], two.values(), strict=True):
        for found, row in zip(model["estimates"], member.table(specs), strict=True):
            assert row.to_dict().items() <= found.items() or found["value"] != found["value"]
            assert {k: found[k] for k in row.to_dict() if k != "value"} == {
                k: v for k, v in row.to_dict().items() if k != "value"
            }
            assert [n["en"] for n in found["notes_i18n"]] == found["notes"]
            assert set(found) - set(row.to_dict()) == {
                "family", "title", "better", "chance", "notes_i18n", "undefined_i18n"
            }  # fmt: skip


def test_curves_can_be_left_out_and_carry_no_numbers(two):
    assert report.summarise(two, curves=False)["curves"] is None
    summary = report.summarise(two)
    numbers = {k: v for k, v in summary.items() if k not in ("curves", "crossings")}
    assert numbers.items() <= report.summarise(two, curves=False).items()


def test_measures_may_be_chosen(two):
    summary = report.summarise(two, measures=["gini", "recall(threshold=0.5)"], curves=False)
    assert [e["measure"] for e in summary["models"][0]["estimates"]] == ["gini", "recall(threshold=0.5)"]
    assert summary["models"][0]["estimates"][1]["title"] == {
        "en": "Recall · score >= 0.5",
        "zh": "查全率 · score >= 0.5",
    }
    assert summary["verdict"] == []
    with pytest.raises(UnknownNameError, match="did you mean 'gini'"):
        report.summarise(two, measures=["ginni"])


def test_facts_that_differ_are_left_to_the_models():
    y, scores = study()
    holes = scores["first"].copy()
    holes[:7] = np.nan
    summary = report.summarise(rs.evaluate_many(y, {"a": holes, "b": scores["second"]}, missing="drop"))
    assert summary["data"]["n"] is None
    assert [m["dropped"] for m in summary["models"]] == [7, 0]
    assert any(n["code"] == "dropped" and n["models"] == ["a"] for n in summary["notes"])
    assert "differs by model" in render_html.render(summary)
    assert "a: 7 rows with a missing label or score left out" in render_text.render(summary)


def test_one_class_is_refused_by_name():
    both = rs.evaluate_many([1, 1, 1], {"only": [0.1, 0.2, 0.3]})
    with pytest.raises(UndefinedMeasureError, match=r"evaluation of only.*no negative row"):
        report.summarise(both)


def test_undefined_keeps_its_reason_in_both_languages(two):
    summary = report.summarise(two, measures=["precision(threshold=99)", "log_loss"], curves=False)
    undefined = summary["models"][0]["estimates"][0]
    assert undefined["undefined"] == "its denominator is 0 at score >= 99"
    assert undefined["undefined_i18n"] == {
        "en": "its denominator is 0 at score >= 99",
        "zh": "在 score >= 99 处分母为 0",
    }
    logits = rs.evaluate_many([0, 1, 0, 1] * 10, {"logit": np.arange(40.0)})
    summary = report.summarise(logits, measures=["brier_score"])
    assert "得分在 0 到 39 之间" in summary["models"][0]["estimates"][0]["undefined_i18n"]["zh"]
    assert "undefined" in render_text.render(summary)
    assert "probabilities" in render_html.render(summary)


# ------------------------------------------------------------------------------------------------ verdict


def said(y, scores, **options):
    return report.summarise(rs.evaluate_many(y, scores, **options), curves=False)["verdict"]


def test_verdict_of_one_model():
    y, scores = study()
    verdict = said(y, {"only": scores["first"]})
    assert len(verdict) == 2
    assert "“only” has a ROC-AUC of 0.9" in verdict[0]["en"]
    assert "times the" in verdict[1]["en"]


def test_verdict_says_when_nothing_is_shown():
    rng = np.random.default_rng(0)
    y, s = np.arange(200) % 2, rng.random(200)
    assert "the interval holds 0.5" in said(y, {"coin": s})[0]["en"]
    with pytest.warns(RocsolidWarning, match="below chance"):
        verdict = said(y, {"wrong": -y + 0.3 * s})
    assert "the wrong way round" in verdict[0]["en"]


def test_models_on_different_rows_are_compared_on_those_they_share():
    y, scores = study()
    holes = scores["first"].copy()
    holes[:7] = np.nan
    models = rs.evaluate_many(y, {"a": holes, "b": scores["second"]}, missing="drop")
    summary = report.summarise(models, curves=False)
    assert "over the 393 rows that every model has a score for" in summary["verdict"][-1]["en"]
    assert summary["comparisons"][0]["pairs"][0]["difference"] == models.compare().difference


def test_models_without_common_rows_are_ranked_and_not_compared():
    y, scores = study()
    one, other = (rs.evaluate(y[rows], scores["first"][rows]) for rows in (slice(0, 200), slice(0, 300)))
    summary = report.summarise(rs.Evaluations({"a": one, "b": other}), curves=False)
    assert summary["verdict"][0]["en"].startswith("Each judged on its own rows, which may differ: of 2 models")
    assert "different rows (rows judged: a: 200, b: 300) and are not comparable" in summary["verdict"][-1]["en"]
    assert "Not compared: a paired comparison needs the rows of every model" in render_text.render(summary)
    assert "Models are not compared" in render_html.render(report.summarise(rs.Evaluations({"a": one, "b": other})))


def test_comparisons_are_those_of_compare(two):
    for found in report.summarise(two)["comparisons"]:
        expected = two.compare(measure=found["measure"])
        (pair,) = found["pairs"]
        assert {k: pair[k] for k in expected.to_dict()} == expected.to_dict()
        text = render_text.render(report.summarise(two, curves=False))
        row = next(line for line in text.splitlines() if line.startswith(found["measure"]))
        assert f"{expected.difference:.4f}" in row
        assert f"[{expected.interval.low:.4f}, {expected.interval.high:.4f}]" in row


# ----------------------------------------------------------------------------------- both languages, words


def blanks(text):
    return sorted(field for _, field, _, _ in string.Formatter().parse(text) if field is not None)


@pytest.mark.parametrize("key", list(words.WORDS))
def test_every_word_in_both_languages(key):
    en, zh = words.WORDS[key]
    assert en
    assert zh
    assert blanks(en) == blanks(zh)
    if key not in ("n_pos", "n_neg", "attained_plain"):
        assert any("\u4e00" <= c <= "\u9fff" for c in zh)
    assert not any("\u4e00" <= c <= "\u9fff" for c in en)


def test_every_measure_and_interval_is_explained_in_both_languages():
    for entry in measures.REGISTRY.values():
        assert methods.definition(entry)["en"] == entry.definition
    for measure, named in METHODS.items():
        first = next(iter(named))
        found = methods.interval(measure, first)
        assert found is not None
        assert found["en"].startswith(f"{first}: ")
        assert found["zh"].startswith(f"{first}：")


def test_every_default_interval_is_explained():
    """Whatever the table of any measure may name as its method has a text, and not only its own name."""
    y, s = study()
    summary = report.summarise(rs.evaluate_many(y, {"a": s["first"]}), measures=list(SPECS.values()), curves=False)
    assert len(summary["methods"]) == len(measures.REGISTRY)
    for entry in summary["methods"]:
        assert len(entry["interval"]["en"]) > 30, entry
        assert len(entry["interval"]["zh"]) > 12, entry


# --------------------------------------------------------------------------------------------------- text


def test_printable():
    clean = printable(HOSTILE)
    assert "\x1b" not in clean
    assert "\u202e" not in clean
    assert "中文" in clean
    assert printable("a\nb\tc\0") == "a b c\ufffd"
    assert printable("\ud800") == "\ufffd"


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0%"), (1, "100%"), (0.3726, "37.3%"), (1e-4, "0.010%"), (1e-9, "1e-07%"), (0.5, "50.0%")]
)
def test_percent(share, text):
    assert percent(share) == text
    assert percent(0.99999999) not in ("100%", "100.0%", "100.000%")


def test_numbers_and_widths():
    assert number(None) == "–"
    assert number(0.25) == "0.2500"
    assert width("中文a") == 5
    assert width("e\u0301") == 1
    assert pad("中", 4) == "中  "
    assert pad("1", 3, right=True) == "  1"


def test_plain_text_is_aligned_in_cells():
    y, scores = study()
    text = render_text.render(
        report.summarise(rs.evaluate_many(y, {"中文模型": scores["first"], "b": scores["second"]}), curves=False)
    )
    lines = [line for line in text.splitlines() if "roc_auc" in line and "effective-error" in line]
    assert len({width(line[: line.index("roc_auc")]) for line in lines}) == 1
    lines = [line for line in text.splitlines() if " - b" in line]
    assert len(lines) == 2
    assert len({width(line.partition("[")[0]) for line in lines}) == 1


def test_hostile_names_stay_in_their_cell():
    y, scores = study()
    summary = report.summarise(rs.evaluate_many(y, {HOSTILE: scores["first"], "b": scores["second"]}), curves=False)
    for part in render_markdown.render(summary).split("Differences"):
        table = [line for line in part.splitlines() if line.startswith("|")]
        assert len({line.replace("\\|", "").count("|") for line in table}) == 1
    assert "<script" not in render_markdown.render(summary)
    assert "\x1b" not in render_text.render(summary)
