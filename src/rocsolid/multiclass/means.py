"""Means over the parts of a problem of k classes: which have a value, what each weighs, how sure the mean is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rocsolid.errors import UndefinedMeasureError
from rocsolid.inference import estimate, undefined
from rocsolid.inference.limits import Limits
from rocsolid.inputs.classes import ClassRows
from rocsolid.measures.registry import Request
from rocsolid.multiclass.averages import Sum
from rocsolid.multiclass.parts import Deviations, Part, shares
from rocsolid.multiclass.sizes import ClassSizes
from rocsolid.results import Estimate, Interval, Note

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Mean:
    """A mean over parts.

    Attributes
    ----------
    each : estimates of all parts, undefined ones too.
    total : of those that are defined.
    limits_of : (p, 2) limits of those at any level.
    share : of each row (or cluster) in the deviation of the mean; ``None`` for measures without influences.
    df : degrees of freedom of its variance.
    """

    request: Request
    each: tuple[Estimate, ...]
    total: Sum
    limits_of: Callable[[float], Floats]
    share: Floats | None
    df: float

    @property
    def value(self) -> float:
        """The mean."""
        return self.total.value

    def limits(self, level: float) -> Limits | None:
        """Joined limits within the range of the measure, around the value."""
        found = self.total.joined(self.limits_of(level), level)
        if found is None:
            return None
        low, high = self.request.range
        return min(max(found[0], low), self.value), max(min(found[1], high), self.value)


def each_part(request: Request, parts: Sequence[Part], level: float) -> tuple[Estimate, ...]:
    """Estimate every part; one without a value is undefined, with its reason."""
    found = []
    for part in parts:
        try:
            one = estimate(request, part.sweep, confidence_level=level, rows=part.rows)
        except UndefinedMeasureError as error:
            one = undefined(request, part.sweep, error)
        found.append(replace(one, name=part.name, details=dict(one.details)))
    return tuple(found)


def mean_of(request: Request, parts: Sequence[Part], data: ClassRows, *, weighted: bool, level: float) -> Mean:
    """Average the parts that have a value: equally, or by how many rows each stands for.

    A part stands for the rows of its class (one against the rest), or of its two classes (one against one).

    Raises
    ------
    UndefinedMeasureError
        If no part has a value.
    """
    each = each_part(request, parts, level)
    kept = [i for i, one in enumerate(each) if one.undefined is None]
    if not kept:
        raise UndefinedMeasureError(request.spec, f"no class has a value: {each[0].undefined}")
    inside = [parts[i] for i in kept]
    values = np.array([each[i].value for i in kept])
    counts = (
        np.array([_rows_behind(part, data) @ _weights(data) for part in inside]) if weighted else np.ones(len(kept))
    )
    weights = counts / counts.sum()

    def limits_of(other: float) -> Floats:
        found = each if other == level else each_part(request, inside, other)
        return np.array([_ends(found[i].interval) for i in (kept if other == level else range(len(kept)))])

    smooth = request.measure.gradient is not None
    if not smooth:
        return Mean(request, each, Sum(values, weights, np.full((len(kept),) * 2, math.nan)), limits_of, None, 1.0)
    of_rows = [shares(request, part, len(data)) for part in inside]
    if weighted:
        value = math.fsum(weights * values)
        moved = sum(
            (_rows_behind(p, data) * (v - value) for p, v in zip(inside, values.tolist(), strict=True)),
            np.zeros(len(data)),
        )
        of_rows.append(_weights(data) * moved / counts.sum())
    deviations = Deviations(of_rows, data)
    coefficients = np.append(weights, 1.0) if weighted else weights
    share = deviations.of_sum(coefficients)
    return Mean(request, each, Sum(values, weights, deviations.covariance()), limits_of, share, deviations.df(share))


def as_estimate(mean: Mean, data: ClassRows, spec: str, level: float, notes: Sequence[Note] = ()) -> Estimate:
    """Give the mean as an estimate, and say over how many classes it is taken."""
    limits = mean.limits(level)
    defined, every = len(mean.total.values), len(mean.each)
    se = mean.total.std_error
    method = "none" if limits is None else "mover"
    return Estimate(
        measure=spec, value=mean.value, std_error=None if math.isnan(se) else se,
        interval=None if limits is None
        else Interval(low=limits[0], high=limits[1], confidence_level=level, method=method),
        method=method, sizes=sizes_of(data), details={"parts": every, "parts_defined": defined},
        notes=(*notes, *(() if defined == every else (_coverage(mean, defined, every),)),
               *(() if limits is not None else (NO_INTERVAL,))),
    )  # fmt: skip


NO_INTERVAL = Note(
    "no-interval",
    "no interval: a class has none here, or the measure has no default interval",
    "没有区间：某一类在此没有区间，或该指标没有默认区间",
)


def _coverage(mean: Mean, defined: int, every: int) -> Note:
    missing = [one for one in mean.each if one.undefined is not None]
    names = ", ".join(str(one.name) for one in missing[:5])
    return Note(
        "coverage",
        f"mean over {defined} of {every} classes; undefined: {names} ({missing[0].undefined})",
        f"{every} 个类别中 {defined} 个的平均；未定义：{names}",
    )


def sizes_of(data: ClassRows) -> ClassSizes:
    """Rows and classes."""
    n, k = data.scores.shape
    positive = n if data.members is None else int(np.count_nonzero(data.members))
    clusters = None if data.cluster is None else int(data.cluster.max()) + 1
    return ClassSizes(n_pos=positive, n_neg=n * k - positive, n_rows=n, n_classes=k, n_clusters=clusters)


def _ends(interval: Interval | None) -> tuple[float, float]:
    return (math.nan, math.nan) if interval is None else (interval.low, interval.high)


def _rows_behind(part: Part, data: ClassRows) -> Floats:
    """(n,) 1 where a row counts for the weight of a part."""
    out = np.zeros(len(data))
    if part.at is None:
        out[part.rows.positive] = 1
    else:
        out[part.at] = 1
    return out


def _weights(data: ClassRows) -> Floats:
    return np.ones(len(data)) if data.weights is None else data.weights
