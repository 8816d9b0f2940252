"""The operating point of the page: controls, a card a model, and the table of thresholds."""

from __future__ import annotations

from typing import Any

from rocsolid.report import svg
from rocsolid.report.bilingual import both, said
from rocsolid.report.html_tables import level, named, short_score
from rocsolid.report.markup import Markup, el, join
from rocsolid.report.panels import relative_cost
from rocsolid.report.text import count, exactly, number, percent, span
from rocsolid.report.words import LANGUAGES, word
from rocsolid.text import printable

RULES = ("flagged", "fpr", "recall", "precision", "score", "cost")
RATES = ("recall", "specificity", "precision", "f1")
ROWS = 40
"""So many thresholds stand in the tables of all models, but ten for each at least and thirty at most."""


def controls(summary: dict[str, Any]) -> Markup:
    """Give what moves the page; it is shown where the script runs."""
    found = summary["curves"]
    places = {"point": 0, "prevalence": found["prevalence"].index(found["own_prevalence"]),
              "cost": found["cost_ratio"].index(1.0)}  # fmt: skip
    tops = {"point": len(found["stops"]["flagged"]), "prevalence": len(found["prevalence"]),
            "cost": len(found["cost_ratio"])}  # fmt: skip
    sliders = [
        el(
            "div", {"class": "slider"},
            el("label", {"for": f"slide-{key}"}, both(f"slider_{key}")),
            el("output", {"id": f"out-{key}", "for": f"slide-{key}"}),
            el("input", {"type": "range", "id": f"slide-{key}", "min": 0, "max": tops[key] - 1, "step": 1,
                         "value": places[key]}),
        )
        for key in ("point", "prevalence", "cost")
    ]  # fmt: skip
    rules = [
        el("button", {"type": "button", "data-rule": rule, "aria-pressed": "true" if rule == "flagged" else "false"},
           both(f"rule_{rule}"))
        for rule in RULES
    ]  # fmt: skip
    asked = el(
        "div", {"class": "typed"},
        el("label", {"for": "asked", "class": "hidden"}, both("asked_value")),
        el("input", {"type": "text", "id": "asked", "inputmode": "decimal", "size": 7, "autocomplete": "off"}),
        el("span", {"id": "asked-unit"}, "%"),
        el("label", {"for": "top-k"}, both("top_k")),
        el("input", {"type": "text", "id": "top-k", "inputmode": "numeric", "size": 7, "autocomplete": "off"}),
        el("button", {"type": "button", "id": "reset"}, both("reset")),
    )  # fmt: skip
    return el(
        "div", {"class": "controls js", "role": "group", "aria-labelledby": "h-explore"},
        el("div", {"class": "rules"}, el("span", {"class": "lead", "id": "link-by"}, both("link_by")),
           el("div", {"class": "buttons", "role": "group", "aria-labelledby": "link-by"}, *rules), asked),
        el("div", {"class": "sliders"}, *sliders),
        el("p", {"id": "trouble", "role": "alert"}),
    )  # fmt: skip


def cards(summary: dict[str, Any]) -> Markup:
    """Give one card a model: the rule, both confusion matrices, rates."""
    return el("div", {"class": "cards"}, *(_card(summary, i) for i in range(len(summary["models"]))))


def _card(summary: dict[str, Any], i: int) -> Markup:
    model, found = summary["models"][i], summary["curves"]["models"][i]
    own, start = summary["curves"]["own_prevalence"], found["start"]
    tpr, fpr = start["tp"] / found["tp"][-1], start["fp"] / found["fp"][-1]
    flagged = (start["tp"] + start["fp"]) / (found["tp"][-1] + found["fp"][-1])
    rates = [(name, start["rates"][name]["value"], start["rates"][name]) for name in RATES]
    rows = [_rate(name, number(value), span(limits["low"], limits["high"])) for name, value, limits in rates]
    place = summary["curves"]["prevalence"].index(own)
    rows += [
        _rate("flagged_share", percent(flagged), ""),
        _rate("precision_here", number(start["rates"]["precision"]["value"]), ""),
        _rate("ap_here", number(found["average_precision"][place]), ""),
        _rate("cost_here", number(float(relative_cost(tpr, fpr, own, 1.0))), ""),
    ]
    asked = {x: word("attained", x).format(rule=word("rule_flagged", x), asked=exactly(own), attained=exactly(flagged))
             for x in LANGUAGES}  # fmt: skip
    return el(
        "div", {"class": "card", "data-model": i},
        el("h3", None, named(i, model)),
        el("p", {"class": "rule", "data-k": "rule"}, _rule(start["threshold"], summary)),
        el("p", {"class": "asked", "data-k": "asked"}, said(asked)),
        _matrix(start, per_10000(tpr, fpr, own), own),
        el("table", {"class": "rates"}, el("caption", {"class": "hidden"}, both("rate")), el("tbody", None, *rows)),
    )  # fmt: skip


def per_10000(tpr: float, fpr: float, prevalence: float) -> list[float]:
    """Give the confusion matrix of ten thousand rows at a prevalence: TP, FP, FN, TN."""
    pos, neg = 10_000 * prevalence, 10_000 * (1 - prevalence)
    return [pos * tpr, neg * fpr, pos * (1 - tpr), neg * (1 - fpr)]


def rounded(value: float) -> str:
    """Write a number of rows: whole from 100 on, with one decimal below."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:.1f}"


def _rule(threshold: Any, summary: dict[str, Any]) -> Markup | str:
    if threshold is None:
        return both("flags_nothing")
    sign = "≥" if summary["data"]["higher_is_positive"] is not False else "≤"
    return join([both("rule_score"), f" {sign} {threshold if isinstance(threshold, str) else repr(threshold)}"])


def _rate(name: str, value: str, limits: str) -> Markup:
    return el(
        "tr", None, el("th", {"scope": "row"}, both(name)), el("td", {"class": "num strong", "data-k": name}, value),
        el("td", {"class": "num", "data-k": f"{name}-limits"}, limits),
    )  # fmt: skip


def _matrix(start: dict[str, Any], per: list[float], prevalence: float) -> Markup:
    """The confusion matrix: each cell in rows of the data, and below as it would be among 10,000."""

    def cell(key: str, share: float) -> Markup:
        parts = (el("b", {"data-k": key}, count(start[key])), el("i", {"data-k": f"per-{key}"}, rounded(share)))
        return el("td", {"class": f"num {key}"}, *parts)

    def row(name: str, *cells: Markup) -> Markup:
        return el("tr", None, el("th", {"scope": "row"}, both(name)), *cells)

    tp, fp, fn, tn = (cell(key, share) for key, share in zip(("tp", "fp", "fn", "tn"), per, strict=True))
    heads = (el("th", {"scope": "col"}, both(k)) for k in ("is_positive", "is_negative"))
    caption = el("span", {"data-k": "per-caption"}, both("per_10000", {"prevalence": percent(prevalence)}))
    return el(
        "table", {"class": "matrix"}, el("caption", None, both("in_data"), el("i", None, caption)),
        el("thead", None, el("tr", None, el("td"), *heads)),
        el("tbody", None, row("is_flagged", tp, fp), row("is_passed", fn, tn)),
    )  # fmt: skip


def point_note(summary: dict[str, Any]) -> Markup:
    """Say what the intervals at the cut mean, or why there are none."""
    if all(model["intervals"] for model in summary["curves"]["models"]):
        confidence = summary["data"]["confidence_level"]
        return both("point_note", {"level": level(0.95 if confidence is None else confidence)})
    return both("point_dependent")


# ---------------------------------------------------------------------------------------------- thresholds


def cuts(summary: dict[str, Any], i: int) -> Markup:
    """Give the table of thresholds of one model: cuts that meet evenly spread recalls."""
    found = summary["curves"]["models"][i]
    chosen = recall_cuts(found, max(10, min(30, ROWS // len(summary["models"]))))
    keys = ("flagged_share", "recall", "roc_x", "precision", "f1")
    heads = (el("th", {"scope": "col"}, h) for h in (both("threshold"), "TP", "FP", *map(both, keys)))
    rows = [el("tr", None, *(el("td", None, text) for text in _cut(found, j))) for j in chosen]
    name = el("span", {"class": "named"}, svg.key(i), el("bdi", None, summary["models"][i]["name"]))
    return el(
        "details", {"open": "" if i == 0 else None}, el("summary", None, name),
        el("div", {"class": "table scroll", "role": "region", "aria-labelledby": "h-cuts"},
           el("table", {"class": "cuts"}, el("thead", None, el("tr", None, *heads)), el("tbody", None, *rows))),
    )  # fmt: skip


def recall_cuts(model: dict[str, Any], rows: int) -> list[int]:
    """Choose the rows of the table of cuts: the strictest that reaches each of evenly spread recalls."""
    total, chosen, j = model["tp"][-1], [], 0
    for step in range(1, rows + 1):
        while model["tp"][j] / total < step / rows:
            j += 1
        chosen.append(j)
    return list(dict.fromkeys(chosen))


def _cut(model: dict[str, Any], j: int) -> list[str]:
    tp, fp, pos, neg = model["tp"][j], model["fp"][j], model["tp"][-1], model["fp"][-1]
    threshold = model["thresholds"][j]
    return [
        printable(short_score(threshold) if isinstance(threshold, float) else str(threshold)),
        count(tp), count(fp), percent((tp + fp) / (pos + neg)), number(tp / pos), number(fp / neg),
        number(tp / (tp + fp)), number(2 * tp / (tp + fp + pos)),
    ]  # fmt: skip
