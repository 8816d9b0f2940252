"""The page: one file in two languages, complete without its script, which makes it move. Nothing is loaded."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from importlib import resources
from typing import Any

from rocsolid.report import html_point as point
from rocsolid.report import html_tables as tables
from rocsolid.report import panels, svg
from rocsolid.report.bilingual import both, said
from rocsolid.report.html_differences import differences
from rocsolid.report.markup import Markup, el, join
from rocsolid.report.page_data import embedded, has_reliability
from rocsolid.report.text import number
from rocsolid.report.words import HTML_LANGUAGE, LANGUAGES, Language, word
from rocsolid.text import printable

OWN_NAME: dict[Language, str] = {"en": "English", "zh": "中文"}
SCRIPTS: tuple[str, ...] = ("scales", "numbers", "cuts", "draw", "state", "cards", "panels", "tables", "main")
"""The parts of the script, each after those that it uses."""


@dataclass(frozen=True, slots=True)
class Page:
    """The three parts of a page."""

    html: str
    css: str
    js: str


def render(summary: dict[str, Any]) -> str:
    """Give the page of a summary (with curves) as one self-contained text.

    Every name in it is escaped; its size depends on the number of models, not of rows. O(size).
    """
    css, js = style(), script()
    return _document(
        summary, _policy(_digest(css), _digest(js)), el("style", None, Markup(css)), el("script", None, Markup(js))
    )


def render_split(summary: dict[str, Any], stem: str) -> Page:
    """Give the page in three parts, for servers that allow nothing inline: style and script lie beside. O(size)."""
    link = el("link", {"rel": "stylesheet", "href": f"{stem}.css"})
    html = _document(summary, _policy("self", "self"), link, el("script", {"src": f"{stem}.js", "defer": ""}))
    return Page(html, style(), script())


def _policy(style: str, script: str) -> str:
    """What a browser may load and run: these two, and nothing else from anywhere."""
    return f"default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    """What a content policy allows: this very text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def style() -> str:
    """Give the style sheet, without comments and the spaces that only people need."""
    text = re.sub(r"/\*.*?\*/", "", _asset("report.css"), flags=re.DOTALL)
    return re.sub(r"\s*([{};,])\s*", r"\1", re.sub(r":\s+", ":", text)).replace(";}", "}").strip()


KEPT = (
    r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`"""
    r"""|(?:(?<=[(!,=])|(?<=[(,=&] ))/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/)"""
)
"""Strings, templates and regular expressions of the script, which stay as they are."""


def script() -> str:
    """Join the modules of the script into one text, without imports, comments and the spaces that only people need."""
    text = "\n".join(_asset(f"{name}.js") for name in SCRIPTS)
    text = re.sub(r"^(?:import [^;]*;$|export )", "", text, flags=re.MULTILINE)
    text = re.sub(KEPT + r"|/\*.*?\*/|//[^\n]*", lambda m: m[1] or "", text, flags=re.DOTALL)
    text = re.sub(KEPT + r"|\s*([=?:,{}();<>&|])\s*", lambda m: m[1] or m[2], text)
    return '"use strict";(()=>{' + re.sub(r"\s*\n\s*", "\n", text).strip() + "})();"


def _asset(name: str) -> str:
    return resources.files("rocsolid.report").joinpath(f"assets/{name}").read_text(encoding="utf-8")


def _document(summary: dict[str, Any], policy: str, styled: Markup, scripted: Markup) -> str:
    title = summary["title"]
    if title is None:
        title = " · ".join(word("page_title", x) for x in LANGUAGES)
    head = el(
        "head", None,
        el("meta", {"charset": "utf-8"}),
        el("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
        el("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        el("meta", {"name": "generator", "content": f"rocsolid {summary['rocsolid']}"}),
        el("title", None, title),
        styled,
    )  # fmt: skip
    body = el(
        "body", None,
        *(el("input", _choice(x)) for x in LANGUAGES),
        svg.store(len(summary["models"])), _bar(), _article(summary),
        el("p", {"id": "live", "class": "hidden", "aria-live": "polite"}),
        el("script", {"type": "application/json", "id": "data"}, embedded(summary)),
        scripted,
    )  # fmt: skip
    return f"<!DOCTYPE html>\n{el('html', {'lang': 'en'}, head, body)}\n"


def _choice(language: Language) -> dict[str, str | float | None]:
    return {
        "type": "radio",
        "name": "language",
        "id": f"lang-{language}",
        "class": "choice",
        "checked": "" if language == LANGUAGES[0] else None,
        "aria-label": OWN_NAME[language],
    }


def _bar() -> Markup:
    languages = (
        el("label", {"for": f"lang-{x}", "lang": HTML_LANGUAGE[x]}, OWN_NAME[x]) for x in LANGUAGES
    )  # fmt: skip
    tools = (el("button", {"type": "button", "id": key, "class": "js"}, both(key)) for key in ("dark", "print", "json"))
    return el("div", {"class": "bar"}, *tools, el("div", {"class": "switch"}, *languages))


# ---------------------------------------------------------------------------------------------- sections


def _article(summary: dict[str, Any]) -> Markup:
    title = both("page_title") if summary["title"] is None else summary["title"]
    return el(
        "main", {"class": "page"},
        el("header", None, el("h1", None, title), _verdict(summary)),
        _warnings(summary),
        _section("facts", tables.facts(summary)),
        _section("summary", tables.overview(summary), _copying()),
        el("div", {"class": "explore"}, *_explore(summary)),
        _section("differences", *differences(summary), _crossings(summary)) if summary["comparisons"] else None,
        _section("cuts", _cuts_note(summary), *(point.cuts(summary, i) for i in range(len(summary["models"])))),
        _section("details", *_estimates(summary), tables.models(summary)),
        _section("methods", _methods(summary)),
        _footer(summary),
    )  # fmt: skip


def _explore(summary: dict[str, Any]) -> list[Markup]:
    found = summary["curves"]
    costs = ["flagged_cost", "cost_curve", *(["decision"] if found["decision"] else [])]
    return [
        _section("explore", point.controls(summary), el("p", {"class": "notes js"}, both("how_to")),
                 el("noscript", None, el("p", {"class": "notes"}, both("need_script")))),
        _section("point", point.cards(summary), el("p", {"class": "notes"}, point.point_note(summary))),
        _section("ranking", _choose_bands(summary), _figures(summary, *RANKING), _pooled(summary)),
        _section("costs", _figures(summary, *costs)),
        _section("prevalence_part", _figures(summary, "ap_prevalence", "precision_prevalence")),
        _section("scores_part", _scores(summary), _no_probabilities(summary)),
    ]  # fmt: skip


def _section(key: str, *children: Markup | None) -> Markup:
    return el(
        "section", {"class": f"part-{key}", "aria-labelledby": f"h-{key}"},
        el("h2", {"id": f"h-{key}"}, both(key)), *children,
    )  # fmt: skip


def _verdict(summary: dict[str, Any]) -> Markup | None:
    if not summary["verdict"]:
        return None
    return el("div", {"class": "verdict"}, *(el("p", None, said(sentence)) for sentence in summary["verdict"]))


def _warnings(summary: dict[str, Any]) -> Markup | None:
    found = [n for n in summary["notes"] if n["warning"]]
    if not found:
        return None
    items = (el("li", None, tables.remark(n, summary)) for n in found)
    return el(
        "aside", {"class": "warnings", "aria-labelledby": "h-warnings"},
        el("h2", {"id": "h-warnings"}, both("warnings")), el("ul", None, *items),
    )  # fmt: skip


def _copying() -> Markup:
    keys = ("copy_markdown", "copy_csv")
    return el(
        "p", {"class": "tools js"}, *(el("button", {"type": "button", "id": key}, both(key)) for key in keys),
        el("output", {"id": "copied"}),
    )  # fmt: skip


def _estimates(summary: dict[str, Any]) -> list[Markup]:
    specs = dict.fromkeys(e["measure"] for model in summary["models"] for e in model["estimates"])
    return [tables.estimates(summary, spec) for spec in specs]


def _cuts_note(summary: dict[str, Any]) -> Markup:
    return el("p", {"class": "notes above"}, _with_rule("cuts_note", summary))


def _with_rule(key: str, summary: dict[str, Any]) -> Markup:
    """Words that name the decision."""
    sign = "≤" if summary["data"]["higher_is_positive"] is False else "≥"
    rule = {"en": f"score {sign} t", "zh": f"得分 {sign} t"}
    return said({x: word(key, x).format(rule=rule[x]) for x in LANGUAGES})


# ----------------------------------------------------------------------------------------------- figures


def _figures(summary: dict[str, Any], *kinds: str) -> Markup:
    return el("div", {"class": "curves"}, *(_figure(kind, summary, panels.picture(kind, summary)) for kind in kinds))


RANKING = ("roc", "log_roc", "precision_recall", "det")
CHANCE = {"flagged_cost": "trivial_line", "cost_curve": "trivial_line", "decision": "trivial_line",
          "reliability": "diagonal_line"}  # fmt: skip
"""What the dotted line is, where it is not chance."""


def _figure(kind: str, summary: dict[str, Any], picture: Markup) -> Markup:
    entries = []
    for i, model in enumerate(summary["models"]):
        if kind == "reliability" and summary["curves"]["models"][i]["reliability"] is None:
            continue
        value = svg.area(kind, model)
        number = None if value is None else el("span", {"class": "area"}, value)
        entries.append(el("li", None, svg.key(i), el("bdi", None, model["name"]), number))
    entries.append(el("li", None, svg.key(None), both(CHANCE.get(kind, "chance_line"))))
    return el(
        "figure", {"class": f"of-{kind}"},
        el("h3", {"id": f"p-{kind}-name"}, both(kind)), picture,
        el("figcaption", None, el("ul", {"class": "legend"}, *entries), el("p", None, both(f"{kind}_note"))),
    )  # fmt: skip


def _scores(summary: dict[str, Any]) -> Markup:
    figures = [_distribution(summary, i) for i in range(len(summary["models"]))]
    if has_reliability(summary):
        made = _figure("reliability", summary, panels.reliability(summary))
        figures.append(join([made, _brier(summary)]))
    return el("div", {"class": "curves"}, *figures)


def _distribution(summary: dict[str, Any], i: int) -> Markup:
    head = el("h3", {"id": f"p-scores-{i}-name"}, both("scores"), " · ", el("bdi", None, summary["models"][i]["name"]))
    if summary["curves"]["models"][i]["distribution"] is None:
        return el("figure", None, head, el("p", {"class": "notes"}, both("one_score")))
    if i > 0:
        return el("figure", {"class": "of-scores"}, head, panels.distribution(summary, i))
    entries = (
        el("li", None, el("span", {"class": f"swatch {name}", "aria-hidden": "true"}), both(f"{kind}_class"))
        for name, kind in (("pos", "positive"), ("neg", "negative"))
    )
    return el(
        "figure", {"class": "of-scores"}, head, panels.distribution(summary, i),
        el("figcaption", None, el("ul", {"class": "legend"}, *entries), el("p", None, both("scores_note"))),
    )  # fmt: skip


def _brier(summary: dict[str, Any]) -> Markup:
    keys = ("miscalibration", "discrimination", "uncertainty")
    rows = []
    for i, model in enumerate(summary["models"]):
        fit = summary["curves"]["models"][i]["reliability"]
        if fit is not None:
            cells: list[tables.Cell] = [("num", number(fit["brier"][key])) for key in keys]
            rows.append((tables.named(i, model), cells))
    heads: list[tuple[str, Markup | str]] = [("num", both(key)) for key in keys]
    return tables.table(both("brier_parts"), both("model"), heads, rows, None)


def _no_probabilities(summary: dict[str, Any]) -> Markup | None:
    return None if summary["curves"]["decision"] else el("p", {"class": "notes"}, both("no_probabilities"))


def _choose_bands(summary: dict[str, Any]) -> Markup | None:
    """Let the reader choose a band; it is drawn already, and hidden."""
    if not any(model["bands"] for model in summary["curves"]["models"]):
        return None
    kinds = ("none", "pointwise", "simultaneous")
    buttons = (
        el("button", {"type": "button", "data-band": kind, "aria-pressed": "true" if kind == "none" else "false"},
           both(f"bands_{kind}"))
        for kind in kinds
    )  # fmt: skip
    return el(
        "div", {"class": "choose js", "role": "group", "aria-labelledby": "choose-bands"},
        el("span", {"class": "lead", "id": "choose-bands"}, both("bands")), el("div", {"class": "buttons"}, *buttons),
    )  # fmt: skip


def _pooled(summary: dict[str, Any]) -> Markup | None:
    return None if summary["data"]["n_folds"] is None else el("p", {"class": "notes"}, both("curves_pooled"))


def _crossings(summary: dict[str, Any]) -> Markup | None:
    lines = [said(line) for line in summary["crossings"]]
    if not lines:
        return None
    return el(
        "div", {"class": "crossings"}, el("h3", None, both("crossings")),
        el("ul", {"class": "notes"}, *(el("li", None, line) for line in lines)),
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------- methods


def _methods(summary: dict[str, Any]) -> Markup:
    parts = []
    for entry in summary["methods"]:
        lines = [("definition", said(entry["definition"])), ("reference", entry["source"])]
        if entry["interval"] is not None:
            lines.append(("interval_method", said(entry["interval"])))
        pairs = join(join([el("dt", None, both(key)), el("dd", None, text)]) for key, text in lines)
        parts.append(el("div", {"class": "method"}, el("h3", None, said(entry["title"])), el("dl", None, pairs)))
    rules = el("ul", {"class": "notes"}, *(el("li", None, text) for text in _conventions(summary)))
    return join([el("div", {"class": "method-list"}, *parts), rules])


def _conventions(summary: dict[str, Any]) -> list[Markup]:
    data = summary["data"]
    lines = [_with_rule("convention_rule", summary)]
    lines.append(both("convention_weighted" if data["weighted"] else "convention_exact"))
    lines.append(both("convention_margins"))
    if data["n_clusters"] is not None:
        lines.append(both("convention_clusters"))
    if len(summary["models"]) > 1:
        lines.append(both("convention_paired"))
    return lines


def _footer(summary: dict[str, Any]) -> Markup:
    command = None
    if summary["command"] is not None:
        command = el("p", None, both("command"), ": ", el("code", None, printable(summary["command"])))
    return el("footer", None, command, el("p", None, both("made_by", {"version": summary["rocsolid"]})))
