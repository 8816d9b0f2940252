"""A summary as GitHub-flavoured Markdown."""

from __future__ import annotations

from typing import Any

from rocsolid.report.difference_grid import grids
from rocsolid.report.grid import Grid
from rocsolid.text import escape_markdown, markdown_row


def render(summary: dict[str, Any]) -> str:
    """Give a heading, the tables, and the remarks as lists; names can not break out of their cell."""
    return "\n\n".join(_part(laid) for laid in grids(summary))


def _part(laid: Grid) -> str:
    lines = [] if laid.title is None else [f"# {escape_markdown(laid.title)}", ""]
    lines += [escape_markdown(line) for line in laid.heading]
    head, *body = (markdown_row([escape_markdown(cell) for cell in row]) for row in (laid.columns, *laid.rows))
    lines += ["", head, markdown_row(["---:" if r else "---" for r in laid.right]), *body]
    if laid.remarks:
        lines += ["", *(f"- {escape_markdown(remark)}" for remark in laid.remarks)]
    return "\n".join(lines)
