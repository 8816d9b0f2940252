"""What a plot needs of a curve (a line, the line of a useless score, words for the axes), and a notebook (a table)."""

from __future__ import annotations

import html
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from rocsolid.curves.points import Floats
from rocsolid.text import format_number, printable

SHOWN = 11
"""Points of a curve that a notebook shows, the first and the last among them."""

Line = tuple[Floats | list[float], Floats | list[float]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """A curve as it is drawn.

    Attributes
    ----------
    line : x and y of the curve.
    across, up : words for the axes.
    number : the number beside the name in the legend, such as ``"area 0.812"``; empty if there is none.
    chance : x and y of what needs no score, or ``None``.
    steps : whether each height holds back to the point before, as for a rate at a cut.
    square : whether both axes run from 0 to 1.
    log_x : whether the horizontal axis is logarithmic.
    """

    line: Line
    across: str
    up: str
    number: str = ""
    chance: Line | None = None
    steps: bool = False
    square: bool = False
    log_x: bool = False


class Tabled:
    """A curve as a notebook shows it: its line of text, and some of its points."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        columns = _columns(self)
        n = len(next(iter(columns.values())))
        at = np.unique(np.linspace(0, n - 1, min(n, SHOWN)).round().astype(int)).tolist()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_cell(values[i])}</td>" for values in columns.values()) + "</tr>" for i in at
        )
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        left_out = f"<p>{len(at)} of {n:,} points</p>" if len(at) < n else ""
        return f"<p><code>{html.escape(printable(repr(self)[1:-1]))}</code></p>{table}{left_out}"


def _columns(curve: Any) -> dict[str, Any]:
    """The arrays of a curve that stand beside its first one."""
    arrays = {f.name: getattr(curve, f.name) for f in fields(curve) if not f.name.startswith("_")}
    held = {name: values for name, values in arrays.items() if isinstance(values, np.ndarray)}
    n = len(next(iter(held.values())))
    return {name: values for name, values in held.items() if len(values) == n}


def _cell(value: Any) -> str:
    """A number, or nothing where there is none."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, float):
        return format_number(float(value))
    return html.escape(printable(value))
