"""A summary as aligned plain text."""

from __future__ import annotations

from typing import Any

from rocsolid.report.difference_grid import grids
from rocsolid.report.grid import Grid
from rocsolid.report.text import pad, width


def render(summary: dict[str, Any]) -> str:
    """Give aligned plain text, wide characters counted as two cells."""
    return "\n\n".join(_part(laid) for laid in grids(summary))


def _part(laid: Grid) -> str:
    lines = [*(() if laid.title is None else (laid.title,)), *laid.heading, "", *_table(laid)]
    return "\n".join([*lines, "", *laid.remarks] if laid.remarks else lines)


def _table(laid: Grid) -> list[str]:
    grid_rows = [laid.columns, *laid.rows]
    widths = [max(width(row[i]) for row in grid_rows) for i in range(len(laid.columns))]
    return [
        "  ".join(pad(cell, w, right=r) for cell, w, r in zip(row, widths, laid.right, strict=True)).rstrip()
        for row in grid_rows
    ]
