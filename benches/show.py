"""Tables on the terminal, and the marked block of the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benches.record import busy
from benches.timing import Finding, Result

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "performance.md"
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
Table = list[list[str]]


def aligned(rows: Table) -> str:
    """Columns of equal width; the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    pad = [str.ljust] + [str.rjust] * (len(widths) - 1)
    return "\n".join(
        "  ".join(p(cell, w) for p, cell, w in zip(pad, row, widths, strict=True)).rstrip() for row in rows
    )


def markdown(rows: Table) -> str:
    """The same for a page."""
    head, *body = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|" + "---|" * len(rows[0]), *body])


def about_text(about: dict[str, Any], plan: str) -> str:
    """One or two sentences on where the numbers come from."""
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    text = (
        f"{about['cpu']}, {about['cores']} cores, {about['system']}, Python {about['python']}, {versions}; "
        f"plan {plan}; load {about['load']} when it began."
    )
    if busy(about):
        text += " The machine was busy: ratios of wall times on several threads are lower than on a quiet one."
    return text


def contest_text(result: Result) -> str:
    """Times of everyone, by the unit of work."""
    unit = "ns/row" if result.unit == 1 else "ns/row/item"
    first = next((t for n, t in result.times.items() if n.startswith("rs.")), None) or next(iter(result.times.values()))
    rows: Table = [["", f"wall {unit}", f"CPU {unit}", "CPU times"]]
    work = result.rows * result.unit
    for name, times in result.times.items():
        cells = [f"{times.wall / work * 1e9:.4g}", f"{times.cpu / work * 1e9:.4g}", f"{times.cpu / first.cpu:.3g}"]
        rows.append([f"  {name}" + (f" ({times.note})" if times.note else ""), *cells])
    absent = "".join(f"\n  {name}: {why}" for name, why in result.absent.items())
    return f"\n{result.title}, {result.rows:,} rows; best of {result.rounds}\n{aligned(rows)}{absent}"


def number(value: float) -> str:
    """Three digits, no exponent."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def targets_table(findings: Sequence[Finding]) -> Table:
    """What is claimed and whether it holds."""
    rows: Table = [["work", "rows", "against", "clock", "must", "aim", "measured", "must holds", "aim holds", "note"]]
    words = {True: "yes", False: "NO", None: "?"}
    for f in findings:
        sign = "<= " if f.at_most else ""
        size = f"{f.rows:,}" if f.rows == f.target_rows else f"{f.rows:,} (target: {f.target_rows:,})"
        measured = "-" if f.measured is None else number(f.measured)
        verdicts = [words[f.reaches(goal)] for goal in (f.must, f.aim)]
        rows.append([
            f.work, size, f.peer, f.clock, sign + number(f.must), sign + number(f.aim), measured, *verdicts, f.note,
        ])  # fmt: skip
    return rows


def grid_table(results: Sequence[Result]) -> Table:
    """Nanoseconds a row of everyone on every input; a star marks a wrong answer."""
    names = list(dict.fromkeys(name for r in results for name in r.times))
    rows: Table = [["wall ns/row (* wrong answer)", "rows", *names]]
    for result in results:
        cells = []
        for name in names:
            times = result.times.get(name)
            star = "*" if times and not times.right else ""
            cells.append(number(times.wall / result.rows * 1e9) + star if times else "-")
        rows.append([result.title, f"{result.rows:,}", *cells])
    return rows


def memory_table(memory: dict[str, float | None]) -> Table:
    """Peak extra memory as a multiple of the input."""
    rows = [[name, "-" if value is None else f"{value:.2f}"] for name, value in memory.items()]
    return [["peak extra memory / input", ""], *rows]


def write(
    plan: str,
    about: dict[str, Any],
    findings: Sequence[Finding],
    grid: Sequence[Result],
    memory: dict[str, float | None],
    page: Path = PAGE,
) -> None:
    """Put the tables between the marks of the page."""
    text = page.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not end:
        raise SystemExit(f"{page} has no block between {BEGIN} and {END}")
    parts = [about_text(about, plan), markdown(targets_table(findings)), markdown(grid_table(grid))]
    parts.append(markdown(memory_table(memory)))
    page.write_text(head + BEGIN + "\n\n" + "\n\n".join(parts) + "\n\n" + END + tail, "utf-8")
