"""Several models on one cost plane: which of them is best at which probability costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rocsolid.curves.points import need
from rocsolid.measures import compute, find, number
from rocsolid.measures.hull import hull_of, upper_hull
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, GridResult

NOBODY, EVERYBODY = "(flag nobody)", "(flag everybody)"
Point = tuple[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRange:
    """A range of probability costs and what costs least in it.

    Attributes
    ----------
    low, high : ends of the range of PC.
    best : the models that cost least there, several where they have the same cut; or ``"(flag nobody)"``,
        ``"(flag everybody)"``, which need no model.
    """

    low: float
    high: float
    best: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CostRanges(GridResult):
    """Which of several models costs least at which probability costs PC, in the sample.

    Attributes
    ----------
    names : the models.
    ranges : from PC 0 to 1, without gaps; neighbours differ.
    areas : area under each model's own cost curve.
    envelope_area : area under the envelope of all models, for a choice of the model by PC.
    sizes : rows per class, by model.
    """

    names: tuple[str, ...]
    ranges: tuple[CostRange, ...]
    areas: tuple[float, ...]
    envelope_area: float
    sizes: tuple[Sizes, ...]
    pos_label: object = None

    @property
    def dominant(self) -> str | None:
        """The model that is best, or as good, wherever any model beats the trivial rules; ``None`` if there is none."""
        useful = [set(one.best) for one in self.ranges if one.best not in ((NOBODY,), (EVERYBODY,))]
        return next((name for name in self.names if useful and all(name in best for best in useful)), None)

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("PC from", "to", "best")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give one row a range."""
        return [(format_number(one.low), format_number(one.high), " = ".join(one.best)) for one in self.ranges]

    @property
    def footnotes(self) -> list[str]:
        """Give the areas, and what PC is."""
        each = ", ".join(f"{name} {format_number(area)}" for name, area in zip(self.names, self.areas, strict=True))
        return [
            f"area under the cost curve: {each}; of the best at each PC {format_number(self.envelope_area)}",
            "PC = p cost_fn / (p cost_fn + (1 - p) cost_fp) for prevalence p; point estimates without an interval",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        return {
            "schema": SCHEMA,
            "names": list(self.names),
            "ranges": [{"low": one.low, "high": one.high, "best": list(one.best)} for one in self.ranges],
            "areas": list(self.areas),
            "envelope_area": self.envelope_area,
            "dominant": self.dominant,
            "notes": self.footnotes,
        }


def cost_ranges(sweeps: Mapping[str, Sweep]) -> CostRanges:
    """Find who is best where; exact for counts. O(k) a model.

    The lower envelope of the lines of all models belongs to the hull of the points of all models: each vertex of it
    is best between the PCs of its two edges, and some model has it.

    Raises
    ------
    UndefinedMeasureError
        If a model lacks one of the classes.

    Examples
    --------
    Model a finds one positive before all negatives, model b both after one of two negatives: a is best while the
    line from (0, 0) to (1, 1/2) lies below that from (0, 1/2) to (1, 0), up to PC 1/2.

    >>> y = [1, 1, 0, 0]
    >>> found = cost_ranges({"a": Sweep.from_arrays(y, [4, 1, 3, 2]), "b": Sweep.from_arrays(y, [3, 2, 4, 1])})
    >>> [(one.low, one.high, one.best) for one in found.ranges]
    [(0.0, 0.5, ('a',)), (0.5, 1.0, ('b',))]
    """
    owners: dict[Point, tuple[str, ...]] = {(0, 0): (NOBODY,), (1, 1): (EVERYBODY,)}
    for name, sweep in sweeps.items():
        need(sweep, "cost curve", "positives", "negatives")
        for point in _vertices(sweep):
            if owners.get(point) not in ((NOBODY,), (EVERYBODY,)):
                owners[point] = (*owners.get(point, ()), name)
    points = sorted(owners)
    x, y = (np.array([point[axis] for point in points], object) for axis in (0, 1))
    best = upper_hull(x, y).tolist()
    edges = list(zip(np.diff(x[best]), np.diff(y[best]), strict=True))
    turns = [0, *(dx / Fraction(dx + dy) for dx, dy in edges), 1]
    request = find("cost_curve_area")
    return CostRanges(
        names=tuple(sweeps),
        ranges=_merged([(turns[i], turns[i + 1], owners[points[v]]) for i, v in enumerate(best)]),
        areas=tuple(number(request, compute(request, sweep)) for sweep in sweeps.values()),
        envelope_area=float(sum(dx * dy / Fraction(2 * (dx + dy)) for dx, dy in edges)),
        sizes=tuple(sweep.sizes for sweep in sweeps.values()),
        pos_label=next(iter(sweeps.values())).pos_label,
    )


def _vertices(sweep: Sweep) -> list[Point]:
    """(FPR, TPR) of the vertices of a model's hull: as fractions, those of weights as the floats they are."""
    hull = hull_of(sweep)
    fp, tp = hull.fp.tolist(), hull.tp.tolist()
    rate: Any = Fraction if sweep.weights is None else lambda part, whole: Fraction(part / whole)
    return [(rate(f, fp[-1]), rate(t, tp[-1])) for f, t in zip(fp, tp, strict=True)]


def _merged(found: list[tuple[Any, Any, tuple[str, ...]]]) -> tuple[CostRange, ...]:
    """Join neighbours with the same winners; leave out ranges of one point."""
    out: list[tuple[Any, Any, tuple[str, ...]]] = []
    for low, high, best in found:
        if low == high:
            continue
        if out and out[-1][2] == best:
            out[-1] = (out[-1][0], high, best)
        else:
            out.append((low, high, best))
    return tuple(CostRange(low=float(low), high=float(high), best=best) for low, high, best in out)
