"""The page: one file, no script, nothing loaded; English and Chinese, switched by two radio buttons."""

from __future__ import annotations

from importlib import resources
from typing import Any

from rocsolid.report import html_tables as tables
from rocsolid.report import svg
from rocsolid.report.html_differences import differences
from rocsolid.report.markup import Markup, el, join
from rocsolid.report.words import HTML_LANGUAGE, LANGUAGES, Language, word
from rocsolid.text import printable

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
OWN_NAME: dict[Language, str] = {"en": "English", "zh": "中文"}


def render(summary: dict[str, Any]) -> str:
    """Give the page of a summary (with curves) as text.

    Every name in it is escaped; its size depends on the number of models, not of rows. O(size).
    """
    title = summary["title"]
    if title is None:
        title = " · ".join(word("page_title", x) for x in LANGUAGES)
    head = el(
        "head", None,
        el("meta", {"charset": "utf-8"}),
        el("meta", {"http-equiv": "Content-Security-Policy", "content": POLICY}),
        el("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        el("meta", {"name": "generator", "content": f"rocsolid {summary['rocsolid']}"}),
        el("title", None, title),
        el("style", None, _style()),
    )  # fmt: skip
    body = el(
        "body", None,
        *(el("input", _choice(x, first=x == LANGUAGES[0])) for x in LANGUAGES),
        el("div", {"class": "switch"}, *(_label(x) for x in LANGUAGES)),
        svg.store(summary["curves"]),
        *(_article(summary, x) for x in LANGUAGES),
    )  # fmt: skip
    return f"<!DOCTYPE html>\n{el('html', {'lang': 'en'}, head, body)}\n"


def _style() -> Markup:
    text = resources.files("rocsolid.report").joinpath("assets/report.css").read_text(encoding="utf-8")
    return Markup(text)


def _choice(language: Language, *, first: bool) -> dict[str, str | float | None]:
    return {
        "type": "radio",
        "name": "language",
        "id": f"lang-{language}",
        "class": "choice",
        "checked": "" if first else None,
    }


def _label(language: Language) -> Markup:
    return el("label", {"for": f"lang-{language}", "lang": HTML_LANGUAGE[language]}, OWN_NAME[language])


def _article(summary: dict[str, Any], language: Language) -> Markup:
    title = word("page_title", language) if summary["title"] is None else summary["title"]
    figures = (_figure(kind, summary, language) for kind in svg.CURVES)
    return el(
        "article", {"lang": HTML_LANGUAGE[language], "class": f"page {language}"},
        el("header", None, el("h1", None, title), _verdict(summary, language)),
        _warnings(summary, language),
        _section("facts", language, tables.facts(summary, language)),
        _section("estimates", language, *_estimates(summary, language), tables.models(summary, language)),
        _section("differences", language, *differences(summary, language)) if summary["comparisons"] else None,
        _section("curves", language, el("div", {"class": "curves"}, *figures), _pooled(summary, language)),
        _section("methods", language, _methods(summary, language)),
        _footer(summary, language),
    )  # fmt: skip


def _pooled(summary: dict[str, Any], language: Language) -> Markup | None:
    if summary["data"]["n_folds"] is None:
        return None
    return el("p", {"class": "notes"}, word("curves_pooled", language))


def _section(key: str, language: Language, *children: Markup | None) -> Markup:
    name = f"{language}-{key}"
    return el(
        "section",
        {"class": f"part-{key}", "aria-labelledby": name},
        el("h2", {"id": name}, word(key, language)),
        *children,
    )


def _verdict(summary: dict[str, Any], language: Language) -> Markup | None:
    if not summary["verdict"]:
        return None
    return el("div", {"class": "verdict"}, *(el("p", None, said[language]) for said in summary["verdict"]))


def _warnings(summary: dict[str, Any], language: Language) -> Markup | None:
    found = [n for n in summary["notes"] if n["warning"]]
    if not found:
        return None
    items = (el("li", None, tables.remark(n, summary, language)) for n in found)
    return el(
        "aside", {"class": "warnings", "aria-labelledby": f"{language}-warnings"},
        el("h2", {"id": f"{language}-warnings"}, word("warnings", language)), el("ul", None, *items),
    )  # fmt: skip


def _estimates(summary: dict[str, Any], language: Language) -> list[Markup]:
    specs = dict.fromkeys(e["measure"] for model in summary["models"] for e in model["estimates"])
    return [tables.estimates(summary, spec, language) for spec in specs]


def _figure(kind: str, summary: dict[str, Any], language: Language) -> Markup:
    entries = []
    for i, model in enumerate(summary["models"]):
        value = svg.area(kind, model)
        entries.append(
            el(
                "li",
                None,
                svg.key(i),
                el("bdi", None, model["name"]),
                None if value is None else el("span", {"class": "area"}, value),
            )
        )
    entries.append(el("li", None, svg.key(None), el("span", None, word("chance_line", language))))
    return el(
        "figure", None,
        el("h3", None, word(kind, language)),
        svg.picture(kind, summary, language),
        el("figcaption", None, el("ul", {"class": "legend"}, *entries), el("p", None, word(f"{kind}_note", language))),
    )  # fmt: skip


def _methods(summary: dict[str, Any], language: Language) -> Markup:
    parts = []
    for entry in summary["methods"]:
        lines = [("definition", entry["definition"][language]), ("reference", entry["source"])]
        if entry["interval"] is not None:
            lines.append(("interval_method", entry["interval"][language]))
        pairs = join(join([el("dt", None, word(key, language)), el("dd", None, text)]) for key, text in lines)
        parts.append(el("div", {"class": "method"}, el("h3", None, entry["title"][language]), el("dl", None, pairs)))
    rules = el("ul", {"class": "notes"}, *(el("li", None, text) for text in _conventions(summary, language)))
    return join([el("div", {"class": "method-list"}, *parts), rules])


def _conventions(summary: dict[str, Any], language: Language) -> list[str]:
    data = summary["data"]
    rule = ("score ≥ t", "得分 ≥ t") if data["higher_is_positive"] else ("score ≤ t", "得分 ≤ t")
    said = [word("convention_rule", language).format(rule=rule[LANGUAGES.index(language)])]
    said.append(word("convention_weighted" if data["weighted"] else "convention_exact", language))
    said.append(word("convention_margins", language))
    if data["n_clusters"] is not None:
        said.append(word("convention_clusters", language))
    if len(summary["models"]) > 1:
        said.append(word("convention_paired", language))
    return said


def _footer(summary: dict[str, Any], language: Language) -> Markup:
    command = None
    if summary["command"] is not None:
        command = el(
            "p",
            None,
            word("command", language),
            ": " if language == "en" else "：",
            el("code", None, printable(summary["command"])),
        )
    return el("footer", None, command, el("p", None, word("made_by", language).format(version=summary["rocsolid"])))
