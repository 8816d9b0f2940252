"""The page's tables of differences: one a measure, a row a pair of models."""

from __future__ import annotations

from typing import Any

from rocsolid.report import forest, svg
from rocsolid.report.difference_grid import omnibus_text, p_of
from rocsolid.report.differences import distinct_notes
from rocsolid.report.html_tables import Cell, level, scale_head, table
from rocsolid.report.markup import Markup, el, join
from rocsolid.report.text import number, span
from rocsolid.report.words import Language, word


def differences(summary: dict[str, Any], language: Language) -> list[Markup]:
    """Give a table for every measure that was compared, and the reason for those that were not."""
    reasons = {found["unavailable"][language] for found in summary["comparisons"] if found["unavailable"] is not None}
    said = [el("p", {"class": "notes"}, word("not_compared", language).format(reason=r)) for r in sorted(reasons)]
    return [*(_table(summary, found, language) for found in summary["comparisons"] if found["pairs"]), *said]


def _table(summary: dict[str, Any], found: dict[str, Any], language: Language) -> Markup:
    places = {model["name"]: i for i, model in enumerate(summary["models"])}
    scale = forest.scale_of([*found["pairs"], {"low": 0.0, "high": 0.0}])  # 0 is always on it
    heads = [
        ("num value", word("difference", language)),
        ("num span", _interval_head(found, language)),
        ("drawn", scale_head(scale, language)),
        ("num", "p"),
    ]
    if found["adjust"] is not None:
        heads.append(("num", word("p_adjusted", language).format(how=found["adjust"].capitalize())))
    rows = [(_pair(pair["models"], places), _cells(pair, scale, places, language)) for pair in found["pairs"]]
    caption = join(
        [
            el("strong", None, found["title"][language]),
            el("span", {"class": "aside"}, word("first_less_second", language)),
            el("span", {"class": "aside"}, found["hypothesis"][language]),
        ]
    )
    return table(caption, word("pair", language), heads, rows, _below(found, language))


def _pair(names: list[str], places: dict[str, int]) -> Markup:
    first, second = (join([svg.key(places[name]), el("bdi", None, name)]) for name in names)
    return el("span", {"class": "pair"}, first, el("span", {"class": "less"}, " − "), second)


def _cells(pair: dict[str, Any], scale: forest.Scale | None, places: dict[str, int], language: Language) -> list[Cell]:
    """Fill a row; the interval is drawn in the colour of the higher model, beside a line at 0."""
    ahead = pair["models"][0 if pair["difference"] >= 0 else 1]
    drawn = {"value": pair["difference"], "low": pair["low"], "high": pair["high"], "chance": 0.0}
    cells: list[Cell] = [
        ("num strong", number(pair["difference"])),
        ("num", span(pair["low"], pair["high"])),
        ("drawn", None if scale is None else forest.bar(drawn, scale, places[ahead], language)),
        ("num", p_of(pair)),
    ]
    return cells if pair["adjusted_pvalue"] is None else [*cells, ("num", p_of(pair, adjusted=True))]


def _interval_head(found: dict[str, Any], language: Language) -> str:
    confidence = found["pairs"][0]["confidence_level"]
    if confidence is None:
        return word("interval_any", language)
    return word("interval", language).format(level=level(confidence))


def _below(found: dict[str, Any], language: Language) -> Markup | None:
    """The test of all models, and each remark once, with its pairs unless it belongs to all."""
    lines: list[Markup | str] = []
    if found["omnibus"] is not None:
        lines.append(word("all_alike", language).format(test=omnibus_text(found)))
    colon, stop, between = (": ", ".", "; ") if language == "en" else ("：", "。", "；")
    for note in distinct_notes(found):
        text = note[language]
        text = text[:1].upper() + text[1:] if language == "en" else text
        if len(note["pairs"]) == len(found["pairs"]):
            lines.append(f"{text}{stop}")
        else:
            names = (join([el("bdi", None, a), " − ", el("bdi", None, b)]) for a, b in note["pairs"])
            lines.append(join([join(names, between), colon, text, stop]))
    return el("ul", {"class": "notes"}, *(el("li", None, line) for line in lines)) if lines else None
