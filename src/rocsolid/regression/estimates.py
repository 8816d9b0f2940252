"""From rows and a measure to an estimate."""

from __future__ import annotations

from fractions import Fraction

from rocsolid.errors import OptionError
from rocsolid.inference.case import ZERO_WIDTH
from rocsolid.inference.remarks import dropped_rows
from rocsolid.inference.seeds import Resampling, resampling
from rocsolid.options import check_choice, check_level
from rocsolid.regression.intervals import Case, Method, closed_forms, unbounded
from rocsolid.regression.measures import RegressionRequest, compute
from rocsolid.regression.resampling import DEFAULT, KINDS, bootstrap_method
from rocsolid.regression.results import RegressionEstimate
from rocsolid.regression.sample import Sample
from rocsolid.results import Interval, Note

WEIGHTED = Note(
    "weighted",
    "weights are taken as sampling weights: intervals by linearisation, with an effective number of rows",
    "权重视为抽样权重：区间采用线性化方法与有效行数",
)


def methods_of(request: RegressionRequest, sample: Sample) -> dict[str, Method]:
    """Interval methods of a measure by name; the first one is ``auto``, the last are bootstraps."""
    drawn = () if unbounded(request) else KINDS
    return closed_forms(request, sample) | {kind: bootstrap_method(kind) for kind in drawn}


def estimate(
    request: RegressionRequest,
    sample: Sample,
    *,
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: object = None,
    rng: object = None,
    name: str | None = None,
) -> RegressionEstimate:
    """Compute a measure with its interval.

    Raises
    ------
    UndefinedMeasureError
        If it has no value on these rows.
    UnknownNameError, OptionError
        For a method that the measure does not have, or bad or ineffective options.
    """
    level, methods = check_level(confidence_level), methods_of(request, sample)
    chosen = _named(method, methods)
    draws = _draws(chosen, n_resamples, rng)
    raw = compute(request, sample)
    found = methods[chosen](Case(request, float(raw), sample, level, draws))
    interval = None
    if found.limits is not None:
        low, high = found.limits
        interval = Interval(low=float(low), high=float(high), confidence_level=level, method=chosen)
    details = request.measure.details
    flat = interval is not None and interval.width == 0 and ZERO_WIDTH not in found.notes
    return RegressionEstimate(
        measure=request.spec,
        value=float(raw),
        std_error=found.std_error,
        interval=interval,
        method=chosen,
        sizes=sample.sizes,
        exact=raw if isinstance(raw, Fraction) else None,
        details={**({} if details is None else details(sample, request.options)), **found.details},
        notes=(*found.notes, *((ZERO_WIDTH,) if flat else ()), *remarks(sample)),
        name=name,
    )


def remarks(sample: Sample) -> tuple[Note, ...]:
    """What should be known about the rows."""
    weighted = (WEIGHTED,) if sample.weight is not None else ()
    return (*weighted, dropped_rows(sample.dropped)) if sample.dropped else weighted


def _named(method: str, methods: dict[str, Method]) -> str:
    if method == "bootstrap" and DEFAULT in methods:
        return DEFAULT
    if method == "auto":
        return next(iter(methods))
    drawn = ("bootstrap",) if DEFAULT in methods else ()
    return check_choice("method", method, ("auto", *drawn, *methods))


def _draws(method: str, n_resamples: object, rng: object) -> Resampling | None:
    if method in KINDS:
        return resampling(n_resamples, rng)
    for option, value in (("n_resamples", n_resamples), ("rng", rng)):
        if value is not None:
            expected = f"left out for method {method!r}, which draws nothing"
            raise OptionError(option, value, expected, "method='bootstrap'")
    return None
