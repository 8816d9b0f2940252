"""A summary as aligned plain text."""

from __future__ import annotations

from typing import Any

from rocsolid.report.difference_grid import grids
from rocsolid.report.grid import Grid
from rocsolid.text import aligned


def render(summary: dict[str, Any]) -> str:
    """Give aligned plain text, wide characters counted as two cells."""
    return "\n\n".join(_part(laid) for laid in grids(summary))


def _part(laid: Grid) -> str:
    lines = [
        *(() if laid.title is None else (laid.title,)),
        *laid.heading,
        "",
        *aligned([laid.columns, *laid.rows], laid.right),
    ]
    return "\n".join([*lines, "", *laid.remarks] if laid.remarks else lines)
