"""Bootstrap intervals of measures of predicted numbers: rows, or whole clusters, drawn with replacement by the kernel.

Limits, their Monte-Carlo errors and what the methods are called are those of
:mod:`rocsolid.inference.bootstrap_limits`; the acceleration is a sixth of the skewness of the influences, or of the
values without each row (Efron 1987, JASA 82:171-185).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rocsolid import _kernel
from rocsolid.errors import OptionError, UndefinedMeasureError
from rocsolid.inference import bootstrap_limits as bl
from rocsolid.inference.bootstrap_methods import EXTENDED, NO_BCA
from rocsolid.inference.seeds import Resampling, drawn_note
from rocsolid.regression.intervals import Case, Found, Method, influences
from rocsolid.regression.measures import RegressionRequest, compute
from rocsolid.regression.sample import Sample
from rocsolid.results import Note

Floats = npt.NDArray[np.float64]

KINDS = ("bootstrap-percentile", "bootstrap-basic", "bootstrap-bca")
DEFAULT = "bootstrap-bca"
"""What ``method="bootstrap"`` means."""
TOO_FEW = Note(
    "too-few-replicates",
    "no interval: too few resamples have a value",
    "没有区间：有值的重抽样太少",
)


def replicates(request: RegressionRequest, sample: Sample, draws: Resampling) -> Floats:
    """Values on bootstrap samples, nan where there is none. ``n_resamples`` times the cost of one value."""
    code = sample.cluster
    every = np.ones(sample.n if code is None else int(code.max()) + 1, np.uint64)
    none = np.zeros_like(every)
    values = np.empty(draws.n_resamples)
    for r in range(draws.n_resamples):
        times, _ = _kernel.resample_counts(every, none, draws.seed, r, "multinomial")
        values[r] = value_or_nan(request, sample.drawn(times if code is None else times[code]))
    return values


def value_or_nan(request: RegressionRequest, sample: Sample) -> float:
    """Give the value, nan where there is none."""
    try:
        return float(compute(request, sample))
    except UndefinedMeasureError:
        return math.nan


def acceleration(case: Case) -> float:
    """Give the acceleration: sum d^3 / (6 (sum d^2)^(3/2)), d being what a row, or cluster, adds to the value."""
    smooth = case.request.measure.influence is not None
    d = case.sample.shares(influences(case)) if smooth else _left_out(case)
    squares = float(np.square(d).sum())
    return float((d**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0


def _left_out(case: Case) -> Floats:
    """Mean less the value without each row or cluster."""
    sample = case.sample
    unit = np.arange(sample.n) if sample.cluster is None else sample.cluster
    values = [value_or_nan(case.request, sample.drawn((unit != i).astype(np.uint64))) for i in np.unique(unit)]
    return np.asarray(np.mean(values) - np.array(values))


def _bounds(kind: str, case: Case, kept: Floats) -> bl.Bounds | Note:
    if kind == "bootstrap-percentile":
        return bl.percentile(kept, case.level)
    if kind == "bootstrap-basic":
        return bl.basic(kept, case.value, case.level)
    skewness = acceleration(case)
    return NO_BCA if math.isnan(skewness) else bl.bca(kept, case.value, skewness, case.level) or NO_BCA


def bootstrap_method(kind: str) -> Method:
    """Make an interval method."""

    def method(case: Case) -> Found:
        assert case.draws is not None
        wanted, needed = case.draws.n_resamples, bl.fewest(case.level)
        if wanted < needed:
            expected = f"at least {needed:,} at confidence level {case.level:g}"
            raise OptionError("n_resamples", wanted, expected, "n_resamples=2000")
        values = replicates(case.request, case.sample, case.draws)
        kept = np.sort(values[~np.isnan(values)])
        details = {"n_resamples": wanted, "seed": case.draws.seed, "degenerate_resamples": wanted - len(kept)}
        whole = case.sample.cluster is not None
        scheme = ("bootstrap resamples of whole clusters", "整群自助重抽样") if whole else _OF_ROWS
        notes = (drawn_note(case.draws, *scheme), *_gone(wanted - len(kept), wanted))
        if len(kept) < needed:
            return Found(None, None, (*notes, TOO_FEW), details)
        sd, bounds = float(kept.std(ddof=1)), _bounds(kind, case, kept)
        if isinstance(bounds, Note):
            return Found(None, sd, (*notes, bounds), details)
        low, high = min(bounds.low, case.value), max(bounds.high, case.value)
        extended = (EXTENDED,) if (low, high) != (bounds.low, bounds.high) else ()
        errors = {"mc_error_low": bounds.error_low, "mc_error_high": bounds.error_high}
        return Found((low, high), sd, (*notes, *extended), {**details, **errors})

    return method


_OF_ROWS = ("bootstrap resamples of all rows", "全部行的自助重抽样")


def _gone(degenerate: int, wanted: int) -> tuple[Note, ...]:
    if not degenerate:
        return ()
    return (
        Note(
            "degenerate-resamples",
            f"{degenerate:,} of {wanted:,} resamples have no value, and are left out",
            f"{wanted:,} 次重抽样中有 {degenerate:,} 次没有数值，已略去",
        ),
    )
