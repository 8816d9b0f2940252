"""Estimates and intervals of one measure drawn side by side, one small picture a row on a common scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rocsolid.report.markup import Markup, el
from rocsolid.report.svg import COLOURS
from rocsolid.report.text import number, span

WIDTH, HEIGHT, EDGE = 150.0, 18.0, 5.0


@dataclass(frozen=True, slots=True)
class Scale:
    """The ends of the common scale."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Give the position of a value across the picture."""
        return EDGE + (WIDTH - 2 * EDGE) * (value - self.low) / (self.high - self.low)


def scale_of(estimates: Sequence[dict[str, Any]]) -> Scale | None:
    """Find a scale with round ends that holds all intervals; ``None`` where no row has a finite interval."""
    ends = [e[k] for e in estimates for k in ("low", "high") if e[k] is not None and math.isfinite(e[k])]
    if not ends:
        return None
    low, high = min(ends), max(ends)
    step = 10 ** math.floor(math.log10(max(high - low, 1e-12)) - 0.3)
    first, last = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    digits = max(0, -math.floor(math.log10(step)))
    first, last = round(first, digits), round(last, digits)
    return Scale(first, last if last > first else first + step)


def bar(estimate: dict[str, Any], scale: Scale, i: int) -> Markup | None:
    """Draw one row: the interval as a line, the estimate as a dot, and a tick where a useless score lies."""
    low, high, value = estimate["low"], estimate["high"], estimate["value"]
    if low is None or not math.isfinite(high) or not math.isfinite(low):
        return None
    middle = HEIGHT / 2
    colour = f"m{i % COLOURS}"
    start, end = scale.place(low), scale.place(high)
    parts = [
        el("title", None, f"{number(value)} {span(low, high)}"),
    ]
    chance = estimate["chance"]
    if chance is not None and scale.low <= chance <= scale.high:
        parts.append(el("path", {"class": "chance", "d": f"M{scale.place(chance):.1f} 2v{HEIGHT - 4:.0f}"}))
    parts += [
        el("path", {"class": f"whisker {colour}", "d": f"M{start:.1f} {middle:.0f}h{end - start:.1f}"}),
        el("circle", {"class": f"dot {colour}", "cx": scale.place(value), "cy": middle, "r": 3.5}),
    ]
    return el("svg", {"class": "forest", "role": "img", "viewBox": f"0 0 {WIDTH:.0f} {HEIGHT:.0f}"}, *parts)
