"""The page: self-contained, escaped, in two languages, small whatever the number of rows."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from face_helpers import HOSTILE, no_leftovers, study

import rocsolid as rs
from rocsolid import report
from rocsolid.errors import RocsolidWarning, SourceError, UndefinedMeasureError
from rocsolid.report import render_html
from rocsolid.report.forest import scale_of
from rocsolid.report.markup import VOID, Markup, el, escape, join
from rocsolid.report.text import number, span
from rocsolid.text import printable


class Page(HTMLParser):
    """Elements with their attributes, text by the language it belongs to (``None``: both), and whether tags match."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.text, self.scripts = [], [], [], []
        self.feed(text)
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        assert len(attributes) == len(attrs), f"doubled attribute in <{tag}>"
        self.elements.append((tag, attributes))
        own = None if tag == "html" else attributes.get("lang")
        if tag not in VOID:
            self.open.append((tag, own or (self.open[-1][1] if self.open else None)))

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        opened, _ = self.open.pop()
        assert opened == tag, f"</{tag}> closes <{opened}>"

    def handle_data(self, data):
        tag, language = self.open[-1] if self.open else ("", None)
        if tag == "script":
            self.scripts.append(data)
        elif tag not in ("style", "label", "title"):
            self.text.append((language, data))

    def shown(self, language):
        """What a reader of one language sees."""
        return " ".join(" ".join(text for own, text in self.text if own in (None, language)).split())

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def page(two):
    return render_html.render(report.summarise(two, source="predictions.parquet", command="rocsolid report x"))


def test_well_formed_and_self_contained(page):
    parsed = Page(page)
    tags = {tag for tag, _ in parsed.elements}
    assert not tags & {"link", "img", "iframe", "object", "embed", "form", "base", "video", "audio", "image"}
    assert len(parsed.all("script")) == 2
    for tag, attributes in parsed.elements:
        assert "style" not in attributes
        assert not [a for a in attributes if a.startswith("on")]
        for name in ("href", "src", "action", "data", "xlink:href"):
            assert attributes.get(name, "#").startswith("#"), (tag, attributes)
    assert page.startswith("<!DOCTYPE html>\n")
    assert {"charset": "utf-8"} in parsed.all("meta")


def test_the_policy_allows_this_very_script_and_style_only(page):
    policy = next(a["content"] for a in Page(page).all("meta") if a.get("http-equiv") == "Content-Security-Policy")
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)[1]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; base-uri 'none'; "
        "form-action 'none'"
    )
    for text in (style, script):
        assert not re.search(r"https?:(?!//www.w3.org)|@import|url\(|\beval\b|innerHTML|fetch\(|XMLHttp", text)


def test_split_page_has_nothing_inline(two):
    made = render_html.render_split(report.summarise(two), "page")
    parsed = Page(made.html)
    assert [a for a in parsed.all("script") if "src" in a] == [{"src": "page.js", "defer": ""}]
    assert parsed.all("link") == [{"rel": "stylesheet", "href": "page.css"}]
    assert "<style" not in made.html
    assert "--paper" in made.css
    assert made.js.startswith('"use strict";')


def test_references_lead_somewhere(page):
    parsed = Page(page)
    names = [a["id"] for _, a in parsed.elements if "id" in a]
    assert len(names) == len(set(names))
    for _, attributes in parsed.elements:
        wanted = [attributes[k].lstrip("#") for k in ("href", "for") if k in attributes]
        wanted += attributes.get("aria-labelledby", "").split()
        assert set(wanted) <= set(names), attributes


def test_accessible_structure(page):
    parsed = Page(page)
    assert all(a.get("scope") in ("col", "row") for a in parsed.all("th"))
    pictures = [a for a in parsed.all("svg") if a.get("role") == "img" and "aria-labelledby" in a]
    assert [a["data-panel"] for a in pictures] == [
        "roc", "log_roc", "precision_recall", "det", "flagged_cost", "cost_curve", "decision", "ap_prevalence",
        "precision_prevalence", "scores", "scores", "reliability",
    ]  # fmt: skip
    assert [a["type"] for a in parsed.all("input")] == ["radio", "radio", "text", "text", "range", "range", "range"]
    assert len([a for a in parsed.all("input") if "checked" in a]) == 1
    hidden = [a for a in parsed.all("svg") if a.get("role") != "img"]
    assert all(a.get("aria-hidden") == "true" for a in hidden)
    labelled = {a["for"] for a in parsed.all("label")}
    assert labelled >= {a["id"] for a in parsed.all("input")}


def texts(page, language):
    return Page(page).shown(language)


def test_every_number_of_the_summary_is_on_the_page(two):
    summary = report.summarise(two)
    page = render_html.render(summary)
    for language in ("en", "zh"):
        text = texts(page, language)
        for model, found in zip(summary["models"], summary["curves"]["models"], strict=True):
            for e in model["estimates"]:
                assert number(e["value"]) in text
                assert span(e["low"], e["high"]) in text
            auc, ap = model["estimates"][:2]
            for key in ("concordant", "tied", "discordant"):
                assert f"{auc['details'][key]:,}" in text
            assert f"× {ap['details']['lift']:.3g}" in text
            assert f"AUC {number(auc['value'])}" in text
            assert f"AP {number(ap['value'])}" in text
            assert repr(found["start"]["threshold"]) in text
            for rate in found["start"]["rates"].values():
                assert f"{number(rate['value'])} {span(rate['low'], rate['high'])}" in text
            for value in found["reliability"]["brier"].values():
                assert number(value) in text


def test_the_first_operating_point_is_that_of_the_evaluation(two):
    summary = report.summarise(two)
    for found, member in zip(summary["curves"]["models"], two.values(), strict=True):
        point = member.at(flagged=summary["curves"]["own_prevalence"])
        assert (found["start"]["tp"], found["start"]["fp"]) == (point.tp, point.fp)
        for name, rate in found["start"]["rates"].items():
            expected = getattr(point, name)
            assert rate == {"value": expected.value, "low": expected.interval.low, "high": expected.interval.high}


def untranslated(text):
    """English words in Chinese text, apart from names that have no translation."""
    names = {
        "first", "second", "AUC", "ROC", "AP", "DET",
        "influence", "mover", "Brier", "Wilson", "DeLong", "Boyd", "logit", "effective", "error", "log",
        "rocsolid", "predictions", "parquet", "report", "x", "n", "t", "TP", "FP", "FN", "score", "ln",
        "threshold", "JSON", "CSV", "Markdown", "JavaScript", "Page", "Up", "Down", "Home", "End", "ROC-AUC", "CORP",
    }  # fmt: skip
    sources = re.compile(r"[A-Z][A-Za-z&,.; -]+ (et al\. )?\d{4}[^。一-鿿]*")
    return set(re.findall(r"[A-Za-z]{2,}", re.sub(r"\b[0-9a-f]{16}\b", "", sources.sub("", text)))) - names


def test_chinese_page_has_no_english_left_over(page):
    assert untranslated(texts(page, "zh")) == set()


def test_chinese_page_with_every_note_has_no_english_left_over():
    y, s = [0, 0, 0, 1, 1, 1, 0, 1], [1, 1, 1, 0, 0, 0, 1, np.nan]
    ev = rs.evaluate_many(y, {"first": s}, missing="drop", sample_weight=[1, 2, 3, 4, 5, 6, 7, 8])
    with pytest.warns(RocsolidWarning):
        summary = report.summarise(ev)
    codes = {n["code"] for n in summary["notes"]}
    assert codes >= {"few-rows", "few-scores", "weighted", "dropped"}
    assert untranslated(texts(render_html.render(summary), "zh")) <= {
        "higher_is_positive",
        "is",
        "positive",
        "higher",
        "False",
        "inf",
    }


def test_english_page_has_no_chinese(page):
    assert not re.search("[\u4e00-\u9fff]", texts(page, "en"))


# ------------------------------------------------------------------------------------------ hostile input


@pytest.mark.parametrize(
    "name", [HOSTILE, "</title><base href=x>", "<!--", "]]>", "&lt;", "'\"><svg onload=1>", "a" * 5000, "\0\x1b[2J", ""]
)
def test_hostile_names(name):
    y, scores = study()
    text = np.where(y == 1, name or "p", "other")
    ev = rs.evaluate_many(text, {name: scores["first"], name + "2": scores["second"]}, pos_label=name or "p")
    page = render_html.render(report.summarise(ev, title=name, source=name, command=name))
    plain = render_html.render(report.summarise(rs.evaluate_many(y, {"a": scores["first"], "b": scores["second"]}),
                                                title="t", source="s", command="c"))  # fmt: skip
    shape = [(tag, sorted(attributes)) for tag, attributes in Page(page).elements]
    assert shape == [(tag, sorted(attributes)) for tag, attributes in Page(plain).elements]
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_markup_escapes_everything_else():
    assert el("p", {"title": '"<&'}, "<b>", Markup("<i>"), None, 5) == '<p title="&quot;&lt;&amp;">&lt;b&gt;<i>5</p>'
    assert el("br") == "<br/>"
    assert join(["<", Markup("<br/>")], ", ") == "&lt;, <br/>"
    assert escape("a\nb") == "a b"
    with pytest.raises(ValueError, match="no element name"):
        el("p onclick=x")


# ------------------------------------------------------------------------------------------------- sizes


def test_size_does_not_grow_with_rows():
    rng = np.random.default_rng(0)
    sizes = {}
    for n in (1000, 100_000):
        y = rng.random(n) < 0.1
        ev = rs.evaluate_many(y, {"a": 1 / (1 + np.exp(-rng.normal(size=n) - y)), "b": rng.normal(size=n) + 2 * y})
        sizes[n] = len(render_html.render(report.summarise(ev)).encode())
    assert sizes[100_000] < 1024 * (100 + 2 * 40)
    assert sizes[100_000] < 2 * sizes[1000]


def test_the_page_holds_cuts_and_no_rows():
    """Of many rows few scores are on the page, each with counts and none with a label."""
    y, scores = study(n=50_000)
    page = render_html.render(report.summarise(rs.evaluate_many(y, scores)))
    (held,) = [json.loads(text) for text in Page(page).scripts if text.startswith("{")]
    for model in held["models"]:
        assert len(model["thresholds"]) < 2500 * 11
        assert set(model) == {"thresholds", "floats", "tp", "fp", "intervals", "ap"}


def test_names_can_not_break_out_of_the_embedded_data():
    y, scores = study()
    name = "</script><script>alert(1)</script>\u2028<!--"
    page = render_html.render(report.summarise(rs.evaluate_many(y, {name: scores["first"]})))
    assert len(Page(page).all("script")) == 2
    (held,) = [json.loads(text) for text in Page(page).scripts if text.startswith("{")]
    assert held["names"] == [printable(name)]


def test_bars_lie_on_a_round_scale_that_holds_them():
    estimates = [{"low": 0.9185, "high": 0.9594}, {"low": 0.8398, "high": 0.9005}, {"low": None, "high": None}]
    scale = scale_of(estimates)
    assert (scale.low, scale.high) == (0.83, 0.96)
    assert scale.place(0.83) < scale.place(0.96)
    assert scale_of([{"low": None, "high": None}]) is None
    assert scale_of([{"low": 1.0, "high": 1.0}]).high > 1.0
    assert scale_of([{"low": -3.0, "high": np.inf}]).low <= -3.0


# ----------------------------------------------------------------------------------------------- writing


def test_write_returns_the_path(two, tmp_path):
    path = two.report(tmp_path / "r.html", title="Two models")
    assert path == tmp_path / "r.html"
    assert "<h1>Two models</h1>" in path.read_text("utf-8")
    assert no_leftovers(tmp_path)
    assert two["first"].report(tmp_path / "one.html").exists()


def test_write_fails_whole(two, tmp_path):
    with pytest.raises(SourceError, match="no folder"):
        two.report(tmp_path / "no" / "r.html")
    with pytest.raises(UndefinedMeasureError):
        rs.evaluate([1, 1], [0.1, 0.2]).report(tmp_path / "r.html")
    assert not list(tmp_path.iterdir())


def test_special_sweeps_have_a_page():
    import decimal

    import pyarrow as pa

    y = [0, 1] * 10
    columns = {
        "infinite": [-np.inf, np.inf] * 10, "whole": [2**60, 2**60 + 1] * 5 + list(range(10)),
        "float16": np.arange(20, dtype=np.float16),
        "decimal": pa.array([decimal.Decimal(i) / 4 for i in range(20)]), "flags": [True, False, True, True] * 5,
    }  # fmt: skip
    for name, scores in columns.items():
        with warnings_allowed():
            page = render_html.render(report.summarise(rs.evaluate_many(y, {name: scores})))
        assert not re.search(r"\bnan\b", Page(page).shown("en"), re.IGNORECASE)
        assert '"nan' not in page


def warnings_allowed():
    import contextlib
    import warnings

    @contextlib.contextmanager
    def quiet():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocsolidWarning)
            yield

    return quiet()


def test_no_plot_library_is_needed(two, monkeypatch):
    for name in ("matplotlib", "rich", "pyarrow", "duckdb"):
        monkeypatch.setitem(sys.modules, name, None)
    assert render_html.render(report.summarise(two))
