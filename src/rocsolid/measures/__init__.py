"""Every measure, one registry; importing this package fills it."""

from rocsolid.measures import at_prevalence, cost, partial_area, probability, ranking, threshold
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
    "at_prevalence",
    "compute",
    "cost",
    "find",
    "number",
    "partial_area",
    "probability",
    "ranking",
    "register",
    "threshold",
]
