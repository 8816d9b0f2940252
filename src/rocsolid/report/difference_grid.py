"""The comparisons of a summary as lines of cells and remarks, for the terminal, plain text and Markdown."""

from __future__ import annotations

from typing import Any

from rocsolid.comparisons import format_p
from rocsolid.report.differences import distinct_notes
from rocsolid.report.grid import Grid, grid
from rocsolid.report.text import number, span
from rocsolid.text import printable


def grids(summary: dict[str, Any]) -> list[Grid]:
    """Lay a summary out in English: the estimates, and the differences if there are any. O(size)."""
    first = grid(summary)
    entries = summary["comparisons"]
    if not entries:
        return [first]
    if not any(found["pairs"] for found in entries):
        return [_with_reasons(first, entries)]
    return [first, _differences(entries)]


def _with_reasons(laid: Grid, entries: list[dict[str, Any]]) -> Grid:
    """No comparison at all: the estimates' remarks say why."""
    reasons = dict.fromkeys(f"Not compared: {found['unavailable']['en']}" for found in entries)
    return Grid(laid.title, laid.heading, laid.columns, laid.right, laid.rows, (*laid.remarks, *reasons))


def _differences(entries: list[dict[str, Any]]) -> Grid:
    shown = [found for found in entries if found["pairs"]]
    adjust = shown[0]["adjust"]
    columns = ["difference of", "models", "value", "interval", "p"]
    if adjust is not None:
        columns.append(f"p ({adjust})")
    return Grid(
        title=None,
        heading=(f"Differences, first model less second; test: {shown[0]['hypothesis']['en']}",),
        columns=tuple(columns),
        right=(False, False, True, True, *(True for _ in columns[4:])),
        rows=tuple(_row(found["measure"], pair) for found in shown for pair in found["pairs"]),
        remarks=tuple(_remarks(entries)),
    )


def _row(measure: str, pair: dict[str, Any]) -> tuple[str, ...]:
    first, second = (printable(name) for name in pair["models"])
    cells = (printable(measure), f"{first} - {second}", number(pair["difference"]), span(pair["low"], pair["high"]),
             p_of(pair))  # fmt: skip
    return cells if pair["adjusted_pvalue"] is None else (*cells, p_of(pair, adjusted=True))


def p_of(pair: dict[str, Any], *, adjusted: bool = False) -> str:
    """Write a p value, or a dash where there is none."""
    p, log10 = pair["adjusted_pvalue" if adjusted else "pvalue"], pair["log10_pvalue"]
    if p is None:
        return "–"
    return format_p(p) if log10 is None else format_p(p, log10)


def _remarks(entries: list[dict[str, Any]]) -> list[str]:
    said: dict[str, None] = {}
    for found in entries:
        if found["unavailable"] is not None:
            said[f"{found['measure']} not compared: {found['unavailable']['en']}"] = None
        if found["omnibus"] is not None:
            said[f"{found['measure']} of all models alike: {omnibus_text(found)}"] = None
        for pair in found["pairs"]:
            if "seed" in pair["details"]:
                n, seed = pair["details"]["n_resamples"], pair["details"]["seed"]
                said[f"{n:,.0f} resamples, seed {seed:.0f}"] = None
        for note in distinct_notes(found):
            every = len(note["pairs"]) == len(found["pairs"])
            of = "" if every else "; ".join(f"{printable(a)} - {printable(b)}" for a, b in note["pairs"]) + ": "
            said[f"{found['measure']}: {of}{printable(note['en'])}"] = None
    return list(said)


def omnibus_text(found: dict[str, Any]) -> str:
    """Write the test that all models are alike, such as ``chi2(2) = 2.5340, p = 0.2817``."""
    test = found["omnibus"]
    p = "–" if test["pvalue"] is None else format_p(test["pvalue"], _log(test["log10_pvalue"]))
    return f"chi2({test['df']}) = {number(test['statistic'])}, p = {p}"


def _log(value: float | None) -> float:
    return float("nan") if value is None else value
