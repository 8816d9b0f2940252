"""What a plot needs of a curve: a line, the line of a useless score, and words for the axes."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.curves.points import Floats

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
