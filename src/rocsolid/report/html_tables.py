"""The page's tables: facts, models, and one table of estimates a measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rocsolid.report import forest, svg
from rocsolid.report.bilingual import both, said
from rocsolid.report.markup import Markup, el, join
from rocsolid.report.text import count, number, percent, shown, span
from rocsolid.report.words import LANGUAGES, Language

Cell = tuple[str, Markup | str | None]
"""The class of a cell and what it holds."""


def facts(summary: dict[str, Any]) -> Markup:
    """Give what is common to all models, as pairs of a name and a value."""
    return el(
        "dl", {"class": "facts"},
        *(el("div", {"class": "wide" if wide else None}, el("dt", None, both(key)), el("dd", None, value))
          for key, value, wide in _facts(summary) if value is not None),
    )  # fmt: skip


def _facts(summary: dict[str, Any]) -> list[tuple[str, Markup | str | None, bool]]:
    data = summary["data"]

    def or_differs(key: str, text: Callable[[Any], Markup | str]) -> Markup | str:
        return both("differs") if data[key] is None else text(data[key])

    return [
        ("source", summary["source"], True),
        ("rows", or_differs("n", count), False),
        ("positives", or_differs("n_pos", count), False),
        ("negatives", or_differs("n_neg", count), False),
        ("prevalence", or_differs("prevalence", percent), False),
        ("positive_label", or_differs("pos_label", shown), False),
        ("direction", both("higher" if data["higher_is_positive"] else "lower"), False),
        ("weights", _weights(data), False),
        ("n_clusters", None if data["n_clusters"] is None else count(data["n_clusters"]), False),
        ("n_folds", None if data["n_folds"] is None else count(data["n_folds"]), False),
        ("dropped", or_differs("dropped", _dropped), False),
        ("confidence_level", or_differs("confidence_level", level), False),
        ("hash", data["hash"], False),
    ]


def level(value: float) -> str:
    """Write a confidence level, such as ``95%``."""
    return f"{100 * value:.10g}%"


def _weights(data: dict[str, Any]) -> Markup:
    if not data["weighted"]:
        return both("unweighted")
    pos, neg = data["effective_pos"], data["effective_neg"]
    if pos is None or neg is None:
        return both("weighted")
    return join([both("weighted"), "; ", both("effective", {"pos": f"{pos:,.1f}", "neg": f"{neg:,.1f}"})])


def _dropped(n: int) -> Markup:
    return both("dropped_none") if n == 0 else both("dropped_some", {"n": count(n)})


# ------------------------------------------------------------------------------------------------ tables


def overview(summary: dict[str, Any]) -> Markup:
    """Give one row a model with all that was estimated; the script makes it sortable."""
    models = summary["models"]
    specs = list(dict.fromkeys(e["measure"] for model in models for e in model["estimates"]))
    found = {(model["name"], e["measure"]): e for model in models for e in model["estimates"]}
    titles = {e["measure"]: e["title"] for model in models for e in model["estimates"]}
    lift = "average_precision" in specs
    heads: list[tuple[str, Markup | str]] = [("num", said(titles[spec])) for spec in specs]
    heads += [("num", both("lift_ap"))] if lift else []
    rows = []
    for i, model in enumerate(models):
        estimates = [found.get((model["name"], spec)) for spec in specs]
        cells: list[Cell] = [("num", _with_limits(e)) for e in estimates]
        if lift:
            times = found[model["name"], "average_precision"]["details"].get("lift")
            cells.append(("num", "–" if times is None else f"× {times:.3g}"))
        rows.append((named(i, model), cells))
    caption = el("span", {"class": "hidden"}, both("summary"))
    return table(caption, both("model"), heads, rows, None, kind="overview")


def _with_limits(e: dict[str, Any] | None) -> Markup:
    if e is None or e["value"] is None or e["undefined"] is not None:
        return el("span", None, "–")
    limits = None if e["low"] is None else el("span", {"class": "limits"}, span(e["low"], e["high"]))
    return join([el("span", {"class": "strong"}, number(e["value"])), " ", limits])


def models(summary: dict[str, Any]) -> Markup:
    """Give the table of the scores themselves."""
    keys = ["rows", "positives", "negatives", "distinct", "score_range", "tied", "dropped"]
    rows = []
    for i, model in enumerate(summary["models"]):
        ends = f"{short_score(model['lowest_score'])} – {short_score(model['highest_score'])}"
        tied = model["tied_pairs_share"]
        cells: list[Cell] = [
            ("num", count(model["n"])), ("num", count(model["n_pos"])), ("num", count(model["n_neg"])),
            ("num", count(model["distinct_scores"])), ("num", ends), ("num", "–" if tied is None else percent(tied)),
            ("num", count(model["dropped"])),
        ]  # fmt: skip
        rows.append((named(i, model), cells))
    heads: list[tuple[str, Markup | str]] = [("num", both(key)) for key in keys]
    return table(both("models_caption"), both("model"), heads, rows, None)


def short_score(score: object) -> str:
    """Write a score with six significant digits at most."""
    if not isinstance(score, float):
        return shown(score)
    return number(score) if abs(score) < 1 else f"{score:.6g}"


def estimates(summary: dict[str, Any], spec: str) -> Markup:
    """Give the table of one measure, a row a model, with its interval in figures and drawn."""
    found = [
        (i, model, e) for i, model in enumerate(summary["models"]) for e in model["estimates"] if e["measure"] == spec
    ]
    first = found[0][2]
    scale = forest.scale_of([e for _, _, e in found])
    extra = _extra(first["family"])
    heads: list[tuple[str, Markup | str]] = [
        ("num value", both("value")),
        ("num span", interval_head(summary["data"]["confidence_level"])),
        ("drawn", scale_head(scale)),
        ("method", both("method")),
        ("num size", both("n_pos")),
        ("num size", both("n_neg")),
        *(("num", both(key)) for key, _ in extra),
    ]
    rows = [(named(i, model), _cells(e, scale, extra, i)) for i, model, e in found]
    caption = join(
        [
            el("strong", None, said(first["title"])),
            el("span", {"class": "aside"}, both(f"better_{first['better']}")),
        ]
    )
    return table(caption, both("model"), heads, rows, _footnotes(summary, spec))


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


def _cells(e: dict[str, Any], scale: forest.Scale | None, extra: Sequence[Extra], i: int) -> list[Cell]:
    sizes: list[Cell] = [("num", count(e["n_pos"])), ("num", count(e["n_neg"]))]
    if e["undefined"] is not None:
        reason = e["undefined_i18n"]
        said_so = said({"en": f"undefined: {reason['en']}", "zh": f"无定义：{reason['zh']}"})
        dashes: list[Cell] = [("num", "–") for _ in extra]
        return [("reason", said_so), ("num", "–"), ("drawn", None), ("method", "–"), *sizes, *dashes]
    return [
        ("num strong", number(e["value"])), ("num", span(e["low"], e["high"])),
        ("drawn", None if scale is None else forest.bar(e, scale, i)),
        ("method", e["method"] or "–"), *sizes, *(("num", text(e)) for _, text in extra),
    ]  # fmt: skip


def interval_head(confidence: float | None) -> Markup:
    """Give the heading of a column of intervals."""
    return both("interval_any") if confidence is None else both("interval", {"level": level(confidence)})


def scale_head(scale: forest.Scale | None) -> Markup | str:
    """Give the ends of a scale as the heading above what is drawn on it."""
    if scale is None:
        return ""
    words = both("forest", {"low": f"{scale.low:g}", "high": f"{scale.high:g}"})
    ends = [el("span", {"aria-hidden": "true"}, f"{end:g}") for end in (scale.low, scale.high)]
    return el("span", {"class": "ends"}, el("span", {"class": "hidden"}, words), *ends)


def _footnotes(summary: dict[str, Any], spec: str) -> Markup | None:
    notes = [n for n in summary["notes"] if spec in n["measures"] and not n["warning"]]
    if not notes:
        return None
    return el("ul", {"class": "notes"}, *(el("li", None, remark(n, summary)) for n in notes))


def remark(note: dict[str, Any], summary: dict[str, Any]) -> Markup:
    """Give a remark in both languages."""
    return said({x: _remark(note, summary, x) for x in LANGUAGES})


def _remark(note: dict[str, Any], summary: dict[str, Any], language: Language) -> Markup:
    """A remark, with the names of the models that it belongs to unless it belongs to all."""
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
    caption: Markup | str, corner: Markup | str, heads: Sequence[tuple[str, Markup | str]],
    rows: Sequence[tuple[Markup, Sequence[Cell]]], below: Markup | None, kind: str | None = None,
) -> Markup:  # fmt: skip
    """Build a table; cells of the overview repeat their headings, for narrow screens where rows are cards."""
    head = el(
        "tr",
        None,
        el("th", {"scope": "col", "class": "model"}, corner),
        *(el("th", {"scope": "col", "class": c or None}, h) for c, h in heads),
    )
    body = []
    for name, cells in rows:
        filled = []
        for (look, content), (_, label) in zip(cells, heads, strict=True):
            lab = None if kind != "overview" else el("span", {"class": "lab", "aria-hidden": "true"}, label)
            filled.append(el("td", {"class": look or None}, lab, content))
        body.append(el("tr", None, el("th", {"scope": "row"}, name), *filled))
    built = el("table", None, el("caption", None, caption), el("thead", None, head), el("tbody", None, *body))
    return el("div", {"class": f"table {kind}" if kind else "table"}, el("div", {"class": "scroll"}, built), below)
