"""A measure at a cut, at every cut: F1, recall, expected cost and all others, against the threshold."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Picture, Tabled
from rocsolid.curves.points import Floats, frozen, shares, thresholds
from rocsolid.errors import OptionError, UndefinedMeasureError
from rocsolid.measures.registry import Proportion, Request, Value, check_probabilities, find, unmet
from rocsolid.options import format_spec, parse_spec
from rocsolid.results import Counts, Ratio, Sizes, Undefined
from rocsolid.sweep import Sweep
from rocsolid.text import span

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class MetricCurve(Tabled):
    """One measure at every cut, strict to lenient.

    Attributes
    ----------
    measure : how the measure is asked for, without its threshold: ``"f1"``, ``"expected_cost(cost_fp=1, cost_fn=5)"``.
    thresholds : (k + 1,) cuts; the first, which flags nothing, is nan.
    values : (k + 1,) the measure there; nan where it is undefined, such as precision where nothing is flagged.
    flagged : (k + 1,) share of all rows flagged.
    """

    kind: ClassVar[str] = "metric"
    measure: str
    title: str
    thresholds: Array
    values: Floats
    flagged: Floats
    sizes: Sizes
    pos_label: object

    @classmethod
    def of(cls, sweep: Sweep, spec: str) -> MetricCurve:
        """Draw the curve of a measure over the cuts of a sweep.

        Raises
        ------
        OptionError, UnknownNameError
            If there is no such measure at a cut, or an option is missing or wrong; ``threshold`` is left out.
        UndefinedMeasureError
            If a class that the measure needs has no row.
        ProbabilityError
            If it needs probabilities and the scores are none.

        Notes
        -----
        O(k): rates as arrays, other measures by one call for each cut.

        Examples
        --------
        F1 = 2 TP / (2 TP + FP + FN):

        >>> curve = MetricCurve.of(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]), "f1")
        >>> curve.thresholds.tolist(), [round(value, 4) for value in curve.values.tolist()]
        ([nan, 4.0, 3.0, 2.0, 1.0], [0.0, 0.6667, 0.5, 0.8, 0.6667])
        """
        request = at_any_cut(spec)
        reason = unmet(request.measure, sweep)
        if reason is not None:
            raise UndefinedMeasureError(f"{spec} curve", reason.en, "check the labels and pos_label")
        if "probabilities" in request.measure.needs:
            check_probabilities(request.measure.name, sweep)
        proportion = request.measure.proportion
        values = _values(request, sweep) if proportion is None else _rates(proportion, sweep)
        return cls(
            measure=_without_threshold(request),
            title=request.measure.title,
            thresholds=thresholds(sweep),
            values=frozen(values),
            flagged=shares(sweep.pos_mass + sweep.neg_mass),
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
        )

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, flagged, value``."""
        return _faces.frame({"threshold": self.thresholds, "flagged": self.flagged, "value": self.values}, backend)

    def picture(self) -> Picture:
        """Say what is drawn: values that exist, at finite thresholds; each holds up to the next score."""
        at = self.thresholds.astype(np.float64)
        shown = np.isfinite(at) & np.isfinite(self.values)
        return Picture(line=(at[shown], self.values[shown]), across="Threshold", up=self.title, steps=True)

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the curve with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: the measure, number of points, the range of its values and sizes."""
        known = self.values[~np.isnan(self.values)]
        ends = span(float(known.min()), float(known.max())) if len(known) else "undefined"
        head = f"<{self.measure} by threshold: {len(self.values):,} points, values in {ends}"
        return f"{head}; {self.sizes}; positive: {self.pos_label!r}>"


ANY_CUT = 0.5
"""Stands for the threshold in options until each cut's own takes its place."""


def at_any_cut(spec: str) -> Request:
    """Find a measure at one cut by its spec without a threshold."""
    name, given = parse_spec(spec)
    if "threshold" in given:
        raise OptionError("threshold", given["threshold"], "left out: the curve has them all", f'ev.measure("{spec}")')
    inside = [*(f"{key}={value}" for key, value in given.items()), f"threshold={ANY_CUT}"]
    return find(f"{name}({', '.join(inside)})")


def _without_threshold(request: Request) -> str:
    name, given = parse_spec(format_spec(request.measure.name, request.options))
    parts = [f"{key}={value}" for key, value in given.items() if key != "threshold"]
    return f"{name}({', '.join(parts)})" if parts else name


def _cells(sweep: Sweep) -> dict[str, Array]:
    """(k + 1,) each cell of the confusion matrix at every cut: whole numbers, or sums of weights."""
    scale = 1 if sweep.weights is None else 2.0**sweep.weights.exponent
    tp, fp = (np.concatenate([[mass.dtype.type(0)], np.cumsum(mass)]) * mass.dtype.type(scale)
              for mass in (sweep.pos_mass, sweep.neg_mass))  # fmt: skip
    return {"tp": tp, "fp": fp, "fn": tp[-1] - tp, "tn": fp[-1] - fp}


def _rates(proportion: Proportion, sweep: Sweep) -> Floats:
    cells = _cells(sweep)
    hits, misses = (sum(cells[c].astype(np.float64) for c in part) for part in (proportion.hits, proportion.misses))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = hits / (hits + misses)
    values: Floats = proportion.forward(share)  # type: ignore[arg-type, assignment]  # arithmetic, so arrays will do
    return values


def _values(request: Request, sweep: Sweep) -> Floats:
    """One call for each cut, with that cut in the options."""
    cuts = [ANY_CUT, *sweep.scores.tolist()]
    pairs = zip(cuts, _counts(sweep), strict=True)
    return np.array([
        _number(request.measure.value(counts, replace(request.options, threshold=cut))) for cut, counts in pairs
    ])  # fmt: skip


def _counts(sweep: Sweep) -> Iterator[Counts]:
    cells = [cell.tolist() for cell in _cells(sweep).values()]
    weighted = sweep.weights is not None
    for tp, fp, fn, tn in zip(*cells, strict=True):
        yield Counts(tp=tp, fp=fp, fn=fn, tn=tn, squares=(0.0, 0.0, 0.0, 0.0) if weighted else None)


def _number(value: Value) -> float:
    if isinstance(value, Undefined) or (isinstance(value, Ratio) and not value.denominator):
        return math.nan
    return float(value)
