"""The page's tables: facts, models, and one table of estimates a measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rocsolid.report import forest, svg
from rocsolid.report.markup import Markup, el, join
from rocsolid.report.text import count, number, percent, shown, span
from rocsolid.report.words import Language, word

Cell = tuple[str, Markup | str | None]
"""The class of a cell and what it holds."""


def facts(summary: dict[str, Any], language: Language) -> Markup:
    """Give what is common to all models, as pairs of a name and a value."""
    parts: list[Markup] = []
    for key, value, wide in _facts(summary, language):
        if value is not None:
            parts.append(
                el(
                    "div",
                    {"class": "wide" if wide else None},
                    el("dt", None, word(key, language)),
                    el("dd", None, value),
                )
            )
    return el("dl", {"class": "facts"}, *parts)


def _facts(summary: dict[str, Any], language: Language) -> list[tuple[str, str | None, bool]]:
    data = summary["data"]
    differs = word("differs", language)

    def or_differs(key: str, text: Callable[[Any], str]) -> str:
        return differs if data[key] is None else text(data[key])

    return [
        ("source", summary["source"], True),
        ("rows", or_differs("n", count), False),
        ("positives", or_differs("n_pos", count), False),
        ("negatives", or_differs("n_neg", count), False),
        ("prevalence", or_differs("prevalence", percent), False),
        ("positive_label", or_differs("pos_label", shown), False),
        ("direction", word("higher" if data["higher_is_positive"] else "lower", language), False),
        ("weights", _weights(data, language), False),
        ("n_clusters", None if data["n_clusters"] is None else count(data["n_clusters"]), False),
        ("n_folds", None if data["n_folds"] is None else count(data["n_folds"]), False),
        ("dropped", or_differs("dropped", lambda n: _dropped(n, language)), False),
        ("confidence_level", or_differs("confidence_level", level), False),
    ]


def level(value: float) -> str:
    """Write a confidence level, such as ``95%``."""
    return f"{100 * value:.10g}%"


def _weights(data: dict[str, Any], language: Language) -> str:
    if not data["weighted"]:
        return word("unweighted", language)
    pos, neg = data["effective_pos"], data["effective_neg"]
    if pos is None or neg is None:
        return word("weighted", language)
    effective = word("effective", language).format(pos=f"{pos:,.1f}", neg=f"{neg:,.1f}")
    return (
        f"{word('weighted', language)}; {effective}"
        if language == "en"
        else f"{word('weighted', language)}；{effective}"
    )


def _dropped(n: int, language: Language) -> str:
    return word("dropped_none", language) if n == 0 else word("dropped_some", language).format(n=count(n))


# ------------------------------------------------------------------------------------------------ tables


def models(summary: dict[str, Any], language: Language) -> Markup:
    """Give the table of the scores themselves."""
    keys = ["rows", "positives", "negatives", "distinct", "score_range", "tied", "dropped"]
    rows = []
    for i, model in enumerate(summary["models"]):
        ends = f"{_short(model['lowest_score'])} – {_short(model['highest_score'])}"
        tied = model["tied_pairs_share"]
        cells: list[Cell] = [
            ("num", count(model["n"])), ("num", count(model["n_pos"])), ("num", count(model["n_neg"])),
            ("num", count(model["distinct_scores"])), ("num", ends), ("num", "–" if tied is None else percent(tied)),
            ("num", count(model["dropped"])),
        ]  # fmt: skip
        rows.append((named(i, model), cells))
    heads = [("num", word(key, language)) for key in keys]
    return table(word("models_caption", language), word("model", language), heads, rows, None)


def _short(score: object) -> str:
    if not isinstance(score, float):
        return shown(score)
    return number(score) if abs(score) < 1 else f"{score:.6g}"


def estimates(summary: dict[str, Any], spec: str, language: Language) -> Markup:
    """Give the table of one measure, a row a model, with its interval in figures and drawn."""
    found = [
        (i, model, e) for i, model in enumerate(summary["models"]) for e in model["estimates"] if e["measure"] == spec
    ]
    first = found[0][2]
    scale = forest.scale_of([e for _, _, e in found])
    extra = _extra(first["family"])
    heads = [
        ("num value", word("value", language)),
        ("num span", _interval_head(summary, language)),
        ("drawn", scale_head(scale, language)),
        ("method", word("method", language)),
        ("num size", word("n_pos", language)),
        ("num size", word("n_neg", language)),
        *(("num", word(key, language)) for key, _ in extra),
    ]
    rows = [(named(i, model), _cells(e, scale, extra, i, language)) for i, model, e in found]
    caption = join(
        [
            el("strong", None, first["title"][language]),
            el("span", {"class": "aside"}, word(f"better_{first['better']}", language)),
        ]
    )
    return table(caption, word("model", language), heads, rows, _footnotes(summary, spec, language))


Extra = tuple[str, Callable[[dict[str, Any]], str]]


def _extra(family: str) -> list[Extra]:
    """Columns that belong to one measure only."""

    def detail(key: str, text: Callable[[float | None], str]) -> Callable[[dict[str, Any]], str]:
        return lambda e: text(e["details"].get(key))

    columns: list[Extra] = [("chance", lambda e: number(e["chance"]))]
    if family == "roc_auc":
        columns += [("concordant", detail("concordant", count)), ("pairs_tied", detail("tied", count)),
                    ("discordant", detail("discordant", count))]  # fmt: skip
    if family == "average_precision":
        columns.append(("lift", lambda e: "–" if e["details"].get("lift") is None else f"× {e['details']['lift']:.3g}"))
    return columns


def _cells(
    e: dict[str, Any], scale: forest.Scale | None, extra: Sequence[Extra], i: int, language: Language
) -> list[Cell]:
    sizes: list[Cell] = [("num", count(e["n_pos"])), ("num", count(e["n_neg"]))]
    if e["undefined"] is not None:
        reason = word("undefined", language).format(reason=e["undefined_i18n"][language])
        return [
            ("reason", reason),
            ("num", "–"),
            ("drawn", None),
            ("method", "–"),
            *sizes,
            *(("num", "–") for _ in extra),
        ]
    return [
        ("num strong", number(e["value"])), ("num", span(e["low"], e["high"])),
        ("drawn", None if scale is None else forest.bar(e, scale, i, language)),
        ("method", e["method"] or "–"), *sizes, *(("num", text(e)) for _, text in extra),
    ]  # fmt: skip


def _interval_head(summary: dict[str, Any], language: Language) -> str:
    confidence = summary["data"]["confidence_level"]
    if confidence is None:
        return word("interval_any", language)
    return word("interval", language).format(level=level(confidence))


def scale_head(scale: forest.Scale | None, language: Language) -> Markup | str:
    """Give the ends of a scale as the heading above what is drawn on it."""
    if scale is None:
        return ""
    said = word("forest", language).format(low=f"{scale.low:g}", high=f"{scale.high:g}")
    ends = [el("span", {"aria-hidden": "true"}, f"{end:g}") for end in (scale.low, scale.high)]
    return el("span", {"class": "ends", "title": said}, el("span", {"class": "hidden"}, said), *ends)


def _footnotes(summary: dict[str, Any], spec: str, language: Language) -> Markup | None:
    notes = [n for n in summary["notes"] if spec in n["measures"] and not n["warning"]]
    if not notes:
        return None
    return el("ul", {"class": "notes"}, *(el("li", None, remark(n, summary, language)) for n in notes))


def remark(note: dict[str, Any], summary: dict[str, Any], language: Language) -> Markup:
    """Give a remark, with the names of the models that it belongs to unless it belongs to all."""
    text = note[language]
    text = text[:1].upper() + text[1:] if language == "en" else text
    stop = "" if text.endswith(("?", "？", ".", "。")) else "." if language == "en" else "。"
    if len(note["models"]) == len(summary["models"]):
        return join([text, stop])
    names = join((el("bdi", None, name) for name in note["models"]), ", " if language == "en" else "、")
    return join([names, ": " if language == "en" else "：", text, stop])


def named(i: int, model: dict[str, Any]) -> Markup:
    """Give a model's name with the look of its line."""
    return el("span", {"class": "named"}, svg.key(i), el("bdi", None, model["name"]))


def table(
    caption: Markup | str, corner: str, heads: Sequence[tuple[str, Markup | str]],
    rows: Sequence[tuple[Markup, Sequence[Cell]]], below: Markup | None,
) -> Markup:  # fmt: skip
    """Build a table; each cell repeats its heading, for narrow screens where the headings are not shown."""
    head = el(
        "tr",
        None,
        el("th", {"scope": "col", "class": "model"}, corner),
        *(el("th", {"scope": "col", "class": c or None}, h) for c, h in heads),
    )
    body = []
    for name, cells in rows:
        filled = []
        for (kind, content), (_, label) in zip(cells, heads, strict=True):
            lab = None if kind == "drawn" else el("span", {"class": "lab", "aria-hidden": "true"}, label)
            filled.append(el("td", {"class": kind or None}, lab, content))
        body.append(el("tr", None, el("th", {"scope": "row"}, name), *filled))
    built = el("table", None, el("caption", None, caption), el("thead", None, head), el("tbody", None, *body))
    return el("div", {"class": "table"}, built, below)
