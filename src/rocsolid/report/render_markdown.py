"""A summary as GitHub-flavoured Markdown."""

from __future__ import annotations

import html
import re
from typing import Any

from rocsolid.report.difference_grid import grids
from rocsolid.report.grid import Grid

_SPECIAL = re.compile(r"([\\`*_{}\[\]|#~!@])")


def render(summary: dict[str, Any]) -> str:
    """Give a heading, the tables, and the remarks as lists; names can not break out of their cell."""
    return "\n\n".join(_part(laid) for laid in grids(summary))


def _part(laid: Grid) -> str:
    lines = [] if laid.title is None else [f"# {_escape(laid.title)}", ""]
    lines += [_escape(line) for line in laid.heading]
    lines += ["", _line([_escape(c) for c in laid.columns]), _line(["---:" if r else "---" for r in laid.right])]
    lines += [_line([_escape(cell) for cell in row]) for row in laid.rows]
    if laid.remarks:
        lines += ["", *(f"- {_escape(remark)}" for remark in laid.remarks)]
    return "\n".join(lines)


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _escape(text: str) -> str:
    """Escape what Markdown or HTML would read; a measure's underscores inside words are harmless and stay."""
    plain = html.escape(text, quote=False)
    return _SPECIAL.sub(lambda m: m[0] if m[0] in "_[]" and _harmless(m) else "\\" + m[0], plain)


def _harmless(match: re.Match[str]) -> bool:
    """Underscores between letters, and brackets of an interval, which are followed by no bracket of a link."""
    text, i = match.string, match.start()
    if match[0] == "_":
        return 0 < i < len(text) - 1 and text[i - 1].isalnum() and text[i + 1].isalnum()
    return re.fullmatch(r"\[[-\d., einfa]+\]", text) is not None
