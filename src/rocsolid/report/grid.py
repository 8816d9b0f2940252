"""A summary as lines of cells and remarks: what the terminal, plain text and Markdown have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsolid.report.text import count, number, percent, shown, span
from rocsolid.text import printable


@dataclass(frozen=True, slots=True)
class Grid:
    """Heading lines, a table and the remarks below it; all text is printable."""

    title: str | None
    heading: tuple[str, ...]
    columns: tuple[str, ...]
    right: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...]


def grid(summary: dict[str, Any]) -> Grid:
    """Lay a summary out in English. O(models x measures)."""
    columns = ("model", "measure", "value", "interval", "method", "n+", "n-")
    rows = [_row(model, e) for model in summary["models"] for e in model["estimates"]]
    return Grid(
        title=None if summary["title"] is None else printable(summary["title"]),
        heading=(_heading(summary["data"]),),
        columns=columns,
        right=(False, False, True, True, False, True, True),
        rows=tuple(rows),
        remarks=tuple(_remarks(summary)),
    )


def _heading(data: dict[str, Any]) -> str:
    if data["n"] is None:
        sizes = "rows differ by model"
    else:
        sizes = f"{count(data['n'])} rows: {count(data['n_pos'])} positive, {count(data['n_neg'])} negative"
    if data["n_clusters"] is not None:
        sizes += f", in {count(data['n_clusters'])} clusters"
    if data["n_folds"] is not None:
        sizes += f", in {count(data['n_folds'])} folds"
    parts = [sizes, f"positive: {shown(data['pos_label'])}"]
    if data["prevalence"] is not None:
        parts.append(f"prevalence {percent(data['prevalence'])}")
    parts.append("higher score = positive" if data["higher_is_positive"] else "lower score = positive")
    if data["confidence_level"] is not None:
        parts.append(f"{100 * data['confidence_level']:.10g}% intervals")
    return "; ".join(parts)


def _row(model: dict[str, Any], e: dict[str, Any]) -> tuple[str, ...]:
    name, measure = printable(model["name"]), printable(e["measure"])
    sizes = (count(e["n_pos"]), count(e["n_neg"]))
    if e["undefined"] is not None:
        return (name, measure, "undefined", "", "", *sizes)
    interval = "" if e["low"] is None else span(e["low"], e["high"])
    return (name, measure, number(e["value"]), interval, e["method"] or "", *sizes)


def _remarks(summary: dict[str, Any]) -> list[str]:
    said = [
        f"{printable(model['name'])}: {printable(e['measure'])} is undefined: {printable(e['undefined'])}"
        for model in summary["models"]
        for e in model["estimates"]
        if e["undefined"] is not None
    ]
    said += [remark(note, summary) for note in summary["notes"] if not note["warning"]]
    return said


def remark(note: dict[str, Any], summary: dict[str, Any]) -> str:
    """Write a remark in English, with the names of its models unless it belongs to all of them."""
    if len(note["models"]) == len(summary["models"]):
        return printable(note["en"])
    return f"{', '.join(printable(name) for name in note['models'])}: {printable(note['en'])}"
