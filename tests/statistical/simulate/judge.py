"""The bars: what a default interval and a default test must do, and how sure a simulation is about it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tests.statistical.simulate.grid import COMPARED, Cell
from tests.statistical.simulate.run import Result

FLOOR, CEILING = 0.93, 0.99
LARGEST, SMALLEST = 0.065, 0.03
SURE = 2.0
"""A bar is missed for sure where the estimate is so many Monte-Carlo standard errors beyond it."""


@dataclass(frozen=True)
class Found:
    """A share of data sets, with its Monte-Carlo standard error."""

    share: float
    r: int

    @property
    def error(self) -> float:
        """With one imagined data set more on either side, so that it is not 0 at 0 and 1."""
        p = (self.share * self.r + 1) / (self.r + 2)
        return math.sqrt(p * (1 - p) / self.r)

    def below(self, bar: float, errors: float = 0.0) -> bool:
        return self.share + errors * self.error < bar

    def above(self, bar: float, errors: float = 0.0) -> bool:
        return self.share - errors * self.error > bar

    def __str__(self) -> str:
        return f"{self.share:.3f}".removeprefix("0")


def coverage(found: Result, method: str = "auto") -> Found:
    """An interval that does not exist covers nothing."""
    return Found(found.by_method[method].hits / found.r, found.r)


def rejection(found: Result, method: str = "auto") -> Found:
    return Found(found.by_method[method].rejected / found.r, found.r)


def width(found: Result, method: str = "auto") -> float:
    tally = found.by_method[method]
    return tally.width / (found.r - tally.none) if found.r > tally.none else math.nan


def discrete(cell: Cell) -> bool:
    """Counts at a cut: coverage swings from population to population, and is judged by its mean."""
    return cell.measure.startswith(("recall", "net_benefit", "expected_cost"))


def equal(cell: Cell) -> bool:
    """Both models are alike, so that rejections are errors."""
    return cell.family in COMPARED and cell["auc"] == cell["other"]


def floor_holds(cell: Cell) -> bool:
    return cell.smaller >= 5


def ceiling_holds(cell: Cell, found: Result) -> bool:
    return cell.smaller >= 30 and found.best / found.r < 0.01 and not discrete(cell)


def size_holds(cell: Cell) -> bool:
    return cell.smaller >= 30 and cell["auc"] <= 0.95


def missed(cell: Cell, found: Result, errors: float = 0.0) -> list[str]:
    """Name the bars that a cell misses by more than so many Monte-Carlo standard errors."""
    covered, out = coverage(found), []
    if floor_holds(cell) and not discrete(cell) and covered.below(FLOOR, errors):
        out.append("coverage below .93")
    if ceiling_holds(cell, found) and covered.above(CEILING, errors):
        out.append("coverage above .99")
    if equal(cell):
        size = rejection(found)
        if size.above(LARGEST, errors):
            out.append("size above .065")
        if size_holds(cell) and size.below(SMALLEST, errors):
            out.append("size below .03")
    return out


def undecided(cell: Cell, found: Result) -> bool:
    """Whether more data sets could show that a bar is missed: it is, or nearly."""
    return any(not bar.startswith("coverage above") for bar in missed(cell, found, errors=-1.5)) and not any(
        not bar.startswith("coverage above") for bar in missed(cell, found, errors=4)
    )
