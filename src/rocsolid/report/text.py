"""Numbers and labels as the report writes them; a dash stands where there is none."""

from __future__ import annotations

import math

from rocsolid import text
from rocsolid.text import format_count, format_number, printable


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


def exactly(share: float) -> str:
    """Write a share that was asked for or attained, as a percentage with four significant digits."""
    return f"{100 * share:.4g}%"


def span(low: float | None, high: float | None) -> str:
    """Write an interval as ``[low, high]``; a dash where there is none."""
    return "–" if low is None or high is None else text.span(low, high)
