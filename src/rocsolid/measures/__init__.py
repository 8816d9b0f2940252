"""Every measure, one registry; importing this package fills it."""

from rocsolid.measures import (
    calibration_error,
    cost,
    decomposition,
    partial_area,
    probability,
    ranking,
    recalibration,
    threshold,
)
from rocsolid.measures.registry import (
    REGISTRY,
    AtThreshold,
    Gradient,
    Measure,
    NoOptions,
    Request,
    compute,
    find,
    number,
    register,
)

__all__ = [
    "REGISTRY",
    "AtThreshold",
    "Gradient",
    "Measure",
    "NoOptions",
    "Request",
    "calibration_error",
    "compute",
    "cost",
    "decomposition",
    "find",
    "number",
    "partial_area",
    "probability",
    "ranking",
    "recalibration",
    "register",
    "threshold",
]
