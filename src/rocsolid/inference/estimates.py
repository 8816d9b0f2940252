"""From a measure and a sweep to an estimate: which interval methods a measure has, and which is ``auto``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from rocsolid.errors import OptionError, RocsolidError, UndefinedMeasureError
from rocsolid.inference import clustered as clusters
from rocsolid.inference import clustered_parts, clustered_rates
from rocsolid.inference.areas import AVERAGE_PRECISION_METHODS, ROC_AUC_METHODS
from rocsolid.inference.bootstrap_methods import DEFAULT, KINDS, bootstrap_methods
from rocsolid.inference.calibration import CALIBRATION_METHODS, CLUSTERED_CALIBRATION
from rocsolid.inference.case import ZERO_WIDTH, Case, Found, Method, influence, no_interval
from rocsolid.inference.cells import CELL_METHODS
from rocsolid.inference.losses import BRIER_METHODS, LOG_LOSS_METHODS
from rocsolid.inference.other_prevalence import ADJUSTED_AP_METHODS
from rocsolid.inference.partial_areas import PARTIAL_AUC_METHODS
from rocsolid.inference.propagated import PROPAGATED_METHODS
from rocsolid.inference.rates import RATE_METHODS
from rocsolid.inference.rates_at_prevalence import AT_PREVALENCE_METHODS
from rocsolid.inference.seeds import Resampling, resampling
from rocsolid.inference.weighed_areas import BEDROC_METHODS, LOG_AUC_METHODS
from rocsolid.inference.without_interval import without_default
from rocsolid.inputs import Rows
from rocsolid.measures.registry import REGISTRY, Request, Value, compute, number
from rocsolid.options import Margins, check_choice, check_level
from rocsolid.results import Estimate, Interval, Note, Ratio, Sizes
from rocsolid.sweep import Sweep

METHODS: dict[str, dict[str, Method]] = {
    "roc_auc": ROC_AUC_METHODS,
    "average_precision": AVERAGE_PRECISION_METHODS,
    "brier_score": BRIER_METHODS,
    "log_loss": LOG_LOSS_METHODS,
    "partial_auc": PARTIAL_AUC_METHODS,
    "net_benefit": CELL_METHODS,
    "expected_cost": CELL_METHODS,
    "log_auc": LOG_AUC_METHODS,
    "bedroc": BEDROC_METHODS,
    **AT_PREVALENCE_METHODS,
    **PROPAGATED_METHODS,
    **CALIBRATION_METHODS,
}
"""Intervals by measure; others have Wilson's if they are rates, and by default none: only by name, not simulated."""
CLUSTERED = clusters.METHODS | clustered_parts.METHODS | clustered_rates.METHODS | CLUSTERED_CALIBRATION
"""The same where rows come in clusters."""

NO_WIDTH = 1e-14
"""An interval narrower than this is one point and its rounding errors."""


def estimate(
    request: Request,
    sweep: Sweep,
    *,
    method: str = "auto",
    confidence_level: float = 0.95,
    margins: Margins = "random",
    rows: Rows | None = None,
    n_resamples: int | None = None,
    rng: object = None,
) -> Estimate:
    """Compute a measure with its interval; ``rows`` are needed where they come in clusters.

    ``n_resamples`` and ``rng`` are for bootstrap methods, and refused by all others.

    Raises
    ------
    UndefinedMeasureError
        If the measure does not exist on these data. An interval that does not is ``None``, with a note.
    ProbabilityError
        If the measure needs probabilities and the scores are none.
    UnknownNameError, OptionError
        For a method that the measure does not have, or bad options.
    """
    level = check_level(confidence_level)
    check_choice("margins", margins, ("random", "fixed"))
    methods = methods_of(request, clustered=rows is not None and rows.cluster is not None)
    name = _named(method, methods)
    draws = _draws(name, n_resamples, rng)
    raw = compute(request, sweep)
    case = Case(request, number(request, raw), raw, sweep, margins, level, rows, draws)
    found = methods[name](case)
    interval = None
    if found.limits is not None:
        low, high = found.limits
        interval = Interval(low=float(low), high=float(high), confidence_level=level, method=name)
    flat = interval is not None and interval.width < NO_WIDTH
    details = request.measure.details
    return Estimate(
        measure=request.spec,
        value=case.value,
        std_error=found.std_error,
        interval=interval,
        method=name,
        sizes=sizes_of(sweep, rows),
        pos_label=sweep.pos_label,
        exact=_exact(raw),
        details={**({} if details is None else details(sweep, request.options)), **found.details},
        notes=(*found.notes, ZERO_WIDTH) if flat else found.notes,
    )


def _named(method: str, methods: Mapping[str, Method]) -> str:
    """Find the method that a name stands for."""
    if method == "bootstrap":
        return DEFAULT
    return next(iter(methods)) if method == "auto" else check_choice("method", method, ("auto", "bootstrap", *methods))


def _draws(method: str, n_resamples: object, rng: object) -> Resampling | None:
    """What a bootstrap method draws; its options are refused for a method that draws nothing."""
    if method in KINDS:
        return resampling(n_resamples, rng)
    for option, value in (("n_resamples", n_resamples), ("rng", rng)):
        if value is not None:
            expected = f"left out for method {method!r}, which draws nothing"
            raise OptionError(option, value, expected, "method='bootstrap'")
    return None


def undefined(request: Request, sweep: Sweep, error: RocsolidError) -> Estimate:
    """Give the row of a table for a measure without a value: nan with its reason."""
    reason = error.reason if isinstance(error, UndefinedMeasureError) else error.message
    return Estimate(
        measure=request.spec,
        value=math.nan,
        std_error=None,
        interval=None,
        method=None,
        sizes=sweep.sizes,
        pos_label=sweep.pos_label,
        undefined=Note("undefined", reason, reason),
    )


def _exact(raw: Value) -> Fraction | None:
    if isinstance(raw, Fraction):
        return raw
    if isinstance(raw, Ratio) and float(raw.numerator).is_integer() and float(raw.denominator).is_integer():
        return Fraction(int(raw.numerator), int(raw.denominator))
    return None


def sizes_of(sweep: Sweep, rows: Rows | None) -> Sizes:
    """Rows per class, and clusters where there are any."""
    return sweep.sizes if rows is None else replace(sweep.sizes, n_clusters=rows.n_clusters or None)


def methods_of(request: Request, *, clustered: bool = False) -> dict[str, Method]:
    """Interval methods of a measure by name; the first one is ``auto``, the last are bootstraps."""
    return closed_forms_of(request, clustered=clustered) | bootstrap_methods(request.measure)


def closed_forms_of(request: Request, *, clustered: bool = False) -> dict[str, Method]:
    """Interval methods that draw nothing; the first one is ``auto``."""
    entry = request.measure
    special, rates = (CLUSTERED, clusters.RATE_METHODS) if clustered else (METHODS, RATE_METHODS)
    if entry.monotone is not None:
        base = Request(REGISTRY[entry.monotone.base], request.options)
        return {name: _through(method, base) for name, method in closed_forms_of(base, clustered=clustered).items()}
    if entry.name == "average_precision" and request.options.prevalence is not None:
        return clustered_parts.ADJUSTED_AP_METHODS if clustered else ADJUSTED_AP_METHODS
    if entry.name in special:
        return special[entry.name]
    if entry.proportion is not None:
        return rates
    if entry.gradient is None:
        return {"none": no_interval}
    if clustered:
        return clusters.GRADIENT_METHODS
    return without_default({"influence": influence})


def _through(method: Method, base: Request) -> Method:
    """Carry the interval of the base measure through the increasing function, end by end."""

    def mapped(case: Case) -> Found:
        monotone = case.request.measure.monotone
        assert monotone is not None
        raw = compute(base, case.sweep)
        value = number(base, raw)
        found = method(Case(base, value, raw, case.sweep, case.margins, case.level, case.rows))
        limits = (
            None if found.limits is None else (monotone.forward(found.limits[0]), monotone.forward(found.limits[1]))
        )
        se = None if found.std_error is None else found.std_error * monotone.slope(value)
        return Found(limits, None if se is None or not math.isfinite(se) else se, found.notes)

    return mapped
