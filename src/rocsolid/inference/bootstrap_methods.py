"""Interval methods by bootstrap, for every measure: replicates, then limits, with all that should be known of both."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import OptionError
from rocsolid.inference import bootstrap_limits as bl
from rocsolid.inference.acceleration import acceleration
from rocsolid.inference.bootstrap import replicates
from rocsolid.inference.case import INFINITE, NO_LOGIT, Case, Found, Method, clipped
from rocsolid.inference.seeds import drawn_note
from rocsolid.measures.registry import Measure
from rocsolid.results import Note

Floats = npt.NDArray[np.float64]
Kind = Callable[[Case, Floats], bl.Bounds | Note]

EXTENDED = Note(
    "extended",
    "the bootstrap limits did not contain the estimate and were extended to it",
    "自助法区间未包含估计值，已延伸至估计值",
)
NO_BCA = Note(
    "no-bca",
    "no interval: the bias correction or acceleration does not exist here; method='bootstrap-percentile' has one",
    "没有区间：此处偏差校正或加速常数不存在；method='bootstrap-percentile' 有区间",
)
TOO_FEW = Note(
    "too-few-replicates",
    "no interval: too few resamples have a value; margins='fixed' draws each class for itself",
    "没有区间：有值的重抽样太少；margins='fixed' 按类分别抽样",
)


def _percentile(case: Case, values: Floats) -> bl.Bounds:
    return bl.percentile(values, case.level)


def _basic(case: Case, values: Floats) -> bl.Bounds:
    return bl.basic(values, case.value, case.level)


def _bca(case: Case, values: Floats) -> bl.Bounds | Note:
    skewness = acceleration(case)
    return NO_BCA if math.isnan(skewness) else bl.bca(values, case.value, skewness, case.level) or NO_BCA


def _logit(case: Case, values: Floats) -> bl.Bounds | Note:
    """On the logit of the position within the attainable range."""
    low, high = case.request.range
    if not low < case.value < high:
        return NO_LOGIT
    size = high - low
    found = bl.logit((values - low) / size, (case.value - low) / size, case.level)
    return bl.Bounds(low + size * found.low, low + size * found.high, size * found.error_low, size * found.error_high)


def _method(kind: Kind) -> Method:
    """Make an interval method of a kind of limits."""

    def found(case: Case) -> Found:
        assert case.draws is not None
        wanted, needed = case.draws.n_resamples, bl.fewest(case.level)
        if wanted < needed:
            raise OptionError(
                "n_resamples", wanted, f"at least {needed:,} at confidence level {case.level:g}", "n_resamples=2000"
            )
        if not math.isfinite(case.value):
            return Found(None, None, (INFINITE,))
        values = replicates(case.request, case.sweep, case.rows, case.draws, stratified=case.margins == "fixed")
        kept = np.sort(values[~np.isnan(values)])
        details = {"n_resamples": wanted, "seed": case.draws.seed, "degenerate_resamples": wanted - len(kept)}
        notes = _remarks(case, wanted - len(kept))
        if len(kept) < needed:
            return Found(None, None, (*notes, TOO_FEW), details)
        sd = float(kept.std(ddof=1)) if math.isfinite(kept[0]) and math.isfinite(kept[-1]) else None
        bounds = kind(case, kept)
        if isinstance(bounds, Note):
            return Found(None, sd, (*notes, bounds), details)
        return _around(case, bounds, sd, notes, details)

    return found


def _around(
    case: Case, bounds: bl.Bounds, sd: float | None, notes: tuple[Note, ...], details: Mapping[str, float]
) -> Found:
    """Keep the limits within the attainable range and around the estimate, and say where they were not."""
    within = clipped((bounds.low, bounds.high), math.nan, *case.request.range)
    assert within.limits is not None
    low, high = within.limits
    around = min(low, case.value), max(high, case.value)
    extended = (EXTENDED,) if around != (low, high) else ()
    errors = {"mc_error_low": bounds.error_low, "mc_error_high": bounds.error_high}
    return Found(around, sd, (*notes, *within.notes, *extended), {**details, **errors})


def _remarks(case: Case, degenerate: int) -> tuple[Note, ...]:
    """Say what was drawn, and how many resamples are left out."""
    assert case.draws is not None
    if case.rows is not None and case.rows.cluster is not None:
        scheme = "bootstrap resamples of whole clusters", "整群自助重抽样"
    elif case.margins == "fixed":
        scheme = "bootstrap resamples of each class (stratified)", "按类分层自助重抽样"
    else:
        scheme = "bootstrap resamples of all rows", "全部行的自助重抽样"
    drawn = drawn_note(case.draws, *scheme)
    return (drawn, _left_out(degenerate, case.draws.n_resamples)) if degenerate else (drawn,)


def _left_out(degenerate: int, wanted: int) -> Note:
    return Note(
        "degenerate-resamples",
        f"{degenerate:,} of {wanted:,} resamples lack a class or have no value, and are left out",
        f"{wanted:,} 次重抽样中有 {degenerate:,} 次缺少某一类或没有数值，已略去",
    )


KINDS: dict[str, Kind] = {
    "bootstrap-percentile": _percentile,
    "bootstrap-basic": _basic,
    "bootstrap-bca": _bca,
    "bootstrap-logit": _logit,
}
DEFAULT = "bootstrap-bca"
"""What ``method="bootstrap"`` means."""


def bootstrap_methods(measure: Measure[Any, Any]) -> dict[str, Method]:
    """Bootstrap methods of a measure: all four, the logit only where both ends of its range are finite."""
    bounded = all(math.isfinite(end) for end in measure.range)
    return {name: _method(kind) for name, kind in KINDS.items() if bounded or name != "bootstrap-logit"}
