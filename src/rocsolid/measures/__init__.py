"""Every measure, one registry; importing this package fills it."""

from rocsolid.measures import (
    at_prevalence,
    cost,
    early,
    expected_costs,
    partial_area,
    probability,
    ranking,
    threshold,
    weighed_areas,
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
    named,
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
    "early",
    "expected_costs",
    "find",
    "named",
    "number",
    "partial_area",
    "probability",
    "ranking",
    "register",
    "threshold",
    "weighed_areas",
]
