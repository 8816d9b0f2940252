"""Differences of models with their intervals, one line a pair: ``rs.plot_comparison``."""

from __future__ import annotations

import math
from typing import Any

from rocsolid.comparisons import Comparison, Comparisons, format_p
from rocsolid.errors import DtypeError
from rocsolid.measures import find
from rocsolid.plot.drawn import Drawn
from rocsolid.plot.style import CHANCE, PALETTE, plain, styled
from rocsolid.plot.words import give_fonts, say
from rocsolid.text import format_number, span

DECIDED, OPEN = PALETTE[0], "0.45"


class ForestDisplay(Drawn):
    """A forest of differences.

    Attributes
    ----------
    ax_, figure_ : the axes and their figure.
    points_ : the marks of the differences, first pair on top.
    whiskers_ : the lines of the intervals; ``None`` for a pair without one.
    """

    def __init__(self, rows: tuple[Comparison, ...]) -> None:
        self.rows = rows
        self.ax_: Any = None
        self.figure_: Any = None
        self.points_: list[Any] = []
        self.whiskers_: list[Any] = []

    def plot(self, ax: Any = None, *, lang: str = "en") -> ForestDisplay:
        """Draw the forest on ``ax`` (by default on a new figure) and return this display."""
        with styled(lang):
            from matplotlib.figure import Figure

            if ax is None:
                size = (7.5, 1.3 + 0.42 * len(self.rows))
                ax = Figure(figsize=size, layout="constrained").add_subplot()
            self.ax_, self.figure_ = ax, ax.figure
            self.points_, self.whiskers_ = [], []
            low, high = self._ends()
            ax.axvline(0, **CHANCE)
            for place in self._margins():
                ax.axvline(place, color="0.7", linestyle=(0, (4, 3)), linewidth=1.0, zorder=1.0)
            for i, row in enumerate(self.rows):
                self._draw(row, i, low, high)
            self._mark(low, high, lang)
            give_fonts(ax)
        return self

    def _margins(self) -> list[float]:
        """Where the margin lies: below 0 for "greater", above for "less", on both sides for equivalence."""
        first = self.rows[0]
        sides = {"greater": (-1,), "less": (1,), "two-sided": (-1, 1)}[first.alternative]
        return [] if first.margin is None else [side * first.margin for side in sides]

    def _ends(self) -> tuple[float, float]:
        """Ends of the axis: all intervals, one-sided ones from their finite side, and 0."""
        seen = [0.0]
        for row in self.rows:
            seen.append(row.difference)
            if row.interval is not None:
                seen += [row.interval.low] if row.alternative != "less" else []
                seen += [row.interval.high] if row.alternative != "greater" else []
        seen += self._margins()
        low, high = min(seen), max(seen)
        room = 0.06 * (high - low) or 0.05
        return low - room, high + room

    def _draw(self, row: Comparison, i: int, low: float, high: float) -> None:
        """One pair: the interval as a line, with an arrow where it goes on, and the difference as a dot."""
        limits, whisker, color = row.interval, None, OPEN
        if limits is not None:
            color = DECIDED if not limits.low <= 0 <= limits.high else OPEN
            (whisker,) = self.ax_.plot(
                [max(limits.low, low), min(limits.high, high)], [i, i], color=color, linewidth=2.0, zorder=2.0
            )
            for end, beyond, mark in ((low, limits.low < low, "<"), (high, limits.high > high, ">")):
                if beyond:
                    self.ax_.plot([end], [i], marker=mark, color=color, markersize=6, clip_on=False)
        (point,) = self.ax_.plot([row.difference], [i], marker="o", color=color, markersize=6, zorder=3.0)
        self.points_.append(point)
        self.whiskers_.append(whisker)
        text = format_number(row.difference, 3) + ("" if limits is None else f" {span(limits.low, limits.high, 3)}")
        if not math.isnan(row.pvalue):
            adjusted = row.adjusted_pvalue
            text += f"  p = {format_p(row.pvalue, row.log10_pvalue) if adjusted is None else format_p(adjusted)}"
        self.ax_.annotate(text, (1.02, i), xycoords=("axes fraction", "data"), va="center", fontsize="small")

    def _mark(self, low: float, high: float, lang: str) -> None:
        first = self.rows[0]
        names = [f"{plain(row.names[0])} − {plain(row.names[1])}" for row in self.rows]
        self.ax_.set_yticks(range(len(self.rows)), labels=names)
        self.ax_.set(xlim=(low, high), ylim=(len(self.rows) - 0.5, -0.5))
        self.ax_.tick_params(left=False)
        self.ax_.spines[["left", "right", "top"]].set_visible(False)
        request = find(first.measure)
        title = request.measure.title if lang == "en" else request.measure.title_zh
        options = first.measure.removeprefix(request.measure.name)
        level = "" if first.interval is None else f" ({100 * first.interval.confidence_level:.10g}%)"
        colon = ": " if lang == "en" else "："
        self.ax_.set_xlabel(f"{say('Difference', lang)}{colon}{plain(title + options)}{level}")


def forest(found: Comparison | Comparisons, *, ax: Any = None, lang: str = "en") -> ForestDisplay:
    """Draw differences of models with their intervals; see :func:`rocsolid.plot_comparison`.

    Raises
    ------
    DtypeError
        If ``found`` is no comparison.
    """
    if not isinstance(found, (Comparison, Comparisons)):
        raise DtypeError("found", "a comparison", type(found).__name__, "rs.compare(y_true, {'a': s1, 'b': s2})")
    rows = found.rows if isinstance(found, Comparisons) else (found,)
    return ForestDisplay(rows).plot(ax, lang=lang)
