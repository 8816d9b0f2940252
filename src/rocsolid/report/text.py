"""Text for people: names made harmless, numbers, widths in a terminal."""

from __future__ import annotations

import math
import unicodedata

from rocsolid.results import format_count, format_number

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: object) -> str:
    """Make any text safe to print: one line, without control characters or overrides of the reading direction."""
    return "".join(_character(c) for c in str(text))


def _character(c: str) -> str:
    if c in "\n\t\r":
        return " "
    return REPLACEMENT if c in _BIDI or unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c


def shown(value: object) -> str:
    """Write a label or score: text in quotes, anything else as Python writes it."""
    return printable(repr(value))


def number(value: float | None) -> str:
    """Write a number with four decimals (more close to 0 and 1); a dash where there is none."""
    return "–" if value is None else format_number(value)


def count(value: float | None) -> str:
    """Write a count with thousands separators; a dash where there is none."""
    return "–" if value is None else format_count(value)


def percent(share: float) -> str:
    """Write a share as a percentage with at least three significant digits, never a false 0 % or 100 %."""
    if share in (0, 1):
        return f"{share:.0%}"
    rest = min(share, 1 - share)
    if rest >= 0.001:
        return f"{100 * share:.1f}%"
    if share == rest and rest < 1e-5:
        return f"{100 * share:.2g}%"
    places = min(14, -math.floor(math.log10(100 * rest)) + 1)
    return f"{100 * share:.{places}f}%"


def span(low: float | None, high: float | None) -> str:
    """Write an interval as ``[low, high]``; a dash where there is none."""
    if low is None or high is None:
        return "–"
    return f"[{format_number(low)}, {format_number(high)}]"


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
