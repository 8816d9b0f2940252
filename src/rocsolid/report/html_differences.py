"""The page's tables of differences: one a measure, a row a pair of models."""

from __future__ import annotations

from typing import Any

from rocsolid.report import forest, svg
from rocsolid.report.bilingual import both, said
from rocsolid.report.difference_grid import omnibus_text, p_of
from rocsolid.report.differences import distinct_notes
from rocsolid.report.html_tables import Cell, interval_head, scale_head, table
from rocsolid.report.markup import Markup, el, join
from rocsolid.report.text import number, span
from rocsolid.report.words import LANGUAGES, Language, word


def differences(summary: dict[str, Any]) -> list[Markup]:
    """Give a table for every measure that was compared, and the reason for those that were not."""
    reasons = {found["unavailable"]["en"]: found["unavailable"] for found in summary["comparisons"]
               if found["unavailable"] is not None}  # fmt: skip
    texts = ({x: word("not_compared", x).format(reason=reasons[r][x]) for x in LANGUAGES} for r in sorted(reasons))
    why = [el("p", {"class": "notes"}, said(text)) for text in texts]
    return [*(_table(summary, found) for found in summary["comparisons"] if found["pairs"]), *why]


def _table(summary: dict[str, Any], found: dict[str, Any]) -> Markup:
    places = {model["name"]: i for i, model in enumerate(summary["models"])}
    scale = forest.scale_of([*found["pairs"], {"low": 0.0, "high": 0.0}])  # 0 is always on it
    heads: list[tuple[str, Markup | str]] = [
        ("num value", both("difference")),
        ("num span", interval_head(found["pairs"][0]["confidence_level"])),
        ("drawn", scale_head(scale)),
        ("num", "p"),
    ]
    if found["adjust"] is not None:
        heads.append(("num", both("p_adjusted", {"how": found["adjust"].capitalize()})))
    rows = [(_pair(pair["models"], places), _cells(pair, scale, places)) for pair in found["pairs"]]
    caption = join(
        [
            el("strong", None, said(found["title"])),
            el("span", {"class": "aside"}, both("first_less_second")),
            el("span", {"class": "aside"}, said(found["hypothesis"])),
        ]
    )
    return table(caption, both("pair"), heads, rows, _below(found))


def _pair(names: list[str], places: dict[str, int]) -> Markup:
    """The first model above, less the second below, each with the look of its line."""
    first, second = (join([svg.key(places[name]), el("bdi", None, name)]) for name in names)
    return el(
        "span",
        {"class": "pair"},
        el("span", {"class": "named"}, first),
        el("span", {"class": "named"}, el("span", {"class": "less"}, "− "), second),
    )


def _cells(pair: dict[str, Any], scale: forest.Scale | None, places: dict[str, int]) -> list[Cell]:
    """Fill a row; the interval is drawn in the colour of the higher model, beside a line at 0."""
    ahead = pair["models"][0 if pair["difference"] >= 0 else 1]
    drawn = {"value": pair["difference"], "low": pair["low"], "high": pair["high"], "chance": 0.0}
    cells: list[Cell] = [
        ("num strong", number(pair["difference"])),
        ("num", span(pair["low"], pair["high"])),
        ("drawn", None if scale is None else forest.bar(drawn, scale, places[ahead])),
        ("num", p_of(pair)),
    ]
    return cells if pair["adjusted_pvalue"] is None else [*cells, ("num", p_of(pair, adjusted=True))]


def _below(found: dict[str, Any]) -> Markup | None:
    """The test of all models, and each remark once, with its pairs unless it belongs to all."""
    lines: list[Markup] = []
    if found["omnibus"] is not None:
        lines.append(both("all_alike", {"test": omnibus_text(found)}))
    for note in distinct_notes(found):
        named = len(note["pairs"]) < len(found["pairs"])
        lines.append(said({x: _line(note, x, named=named) for x in LANGUAGES}))
    return el("ul", {"class": "notes"}, *(el("li", None, line) for line in lines)) if lines else None


def _line(note: dict[str, Any], language: Language, *, named: bool) -> Markup:
    colon, stop, between = (": ", ".", "; ") if language == "en" else ("：", "。", "；")
    text = note[language]
    text = text[:1].upper() + text[1:] if language == "en" else text
    if not named:
        return join([text, stop])
    names = (join([el("bdi", None, a), " − ", el("bdi", None, b)]) for a, b in note["pairs"])
    return join([join(names, between), colon, text, stop])
