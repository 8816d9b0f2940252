"""Text for people: numbers written honestly, names made harmless, lines laid out in a terminal or in Markdown."""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections.abc import Sequence

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_SPECIAL = re.compile(r"([\\`*_{}\[\]|#~!@])")

# ----------------------------------------------------------------------------------------------- numbers


def format_number(value: float, digits: int = 4) -> str:
    """Write a number for people: four decimals, more where it is close to 0 or 1, never a false 0 or 1."""
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if value in (0, 1):
        return f"{value:.{digits}f}"
    size = abs(value)
    if size < 10 ** (1 - digits):
        return f"{value:.{digits - 1}g}"
    if size < 1 and 1 - size < 0.5 * 10**-digits:
        places = min(16, digits - 2 - math.floor(math.log10(1 - size)))
        return f"{value:.{places}f}"
    return f"{value:.{digits}f}"


def format_count(value: float) -> str:
    """Write a count with thousands separators; a weighted one keeps six significant digits."""
    if isinstance(value, float) and not abs(value) < 1e15:  # digits that a float does not hold
        return f"{value:.6g}"
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,.6g}"


def several(n: int, what: str) -> str:
    """Write a number of things, such as ``1 group`` or ``2,000 groups``.

    Examples
    --------
    >>> several(1, "group"), several(2000, "group"), several(3, "class")
    ('1 group', '2,000 groups', '3 classes')
    """
    ending = "" if n == 1 else "es" if what.endswith("s") else "s"
    return f"{n:,} {what}{ending}"


def span(low: float, high: float, digits: int = 4) -> str:
    """Write an interval as ``[low, high]``."""
    return f"[{format_number(low, digits)}, {format_number(high, digits)}]"


# ------------------------------------------------------------------------------------------------- names


def printable(text: object) -> str:
    """Make any text safe to print: one line, without control characters or overrides of the reading direction."""
    return "".join(_character(c) for c in str(text))


def _character(c: str) -> str:
    if c in "\n\t\r":
        return " "
    return REPLACEMENT if c in _BIDI or unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c


def escape_markdown(text: str) -> str:
    """Escape what Markdown or HTML would read; a measure's underscores inside words are harmless and stay."""
    plain = html.escape(text, quote=False)
    return _SPECIAL.sub(lambda m: m[0] if m[0] in "_[]" and _harmless(m) else "\\" + m[0], plain)


def _harmless(match: re.Match[str]) -> bool:
    """Underscores between letters, and brackets of an interval, which are followed by no bracket of a link."""
    text, i = match.string, match.start()
    if match[0] == "_":
        return 0 < i < len(text) - 1 and text[i - 1].isalnum() and text[i + 1].isalnum()
    return re.fullmatch(r"\[[-\d., einfa]+\]", text) is not None


# ------------------------------------------------------------------------------------------------- lines


def width(text: str) -> int:
    """Count the cells that a text takes in a terminal: wide characters take two, combining ones none."""
    return sum(_cells(c) for c in text)


def _cells(c: str) -> int:
    if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in ("W", "F") else 1


def pad(text: str, cells: int, *, right: bool = False) -> str:
    """Fill a text up with blanks to a width in cells."""
    blank = " " * max(0, cells - width(text))
    return blank + text if right else text + blank


def aligned(rows: Sequence[Sequence[str]], right: Sequence[bool] | None = None) -> list[str]:
    """Lay rows out in columns, two blanks apart; those marked stand to the right. No blanks at the end."""
    sides = right or [False] * len(rows[0])
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(pad(cell, w, right=r) for cell, w, r in zip(row, widths, sides, strict=True)).rstrip() for row in rows
    ]


def markdown_row(cells: Sequence[str]) -> str:
    """Write one line of a Markdown table from cells that are escaped already."""
    return "| " + " | ".join(cells) + " |"
