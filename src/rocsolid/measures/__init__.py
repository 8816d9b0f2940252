"""Every measure, one registry; importing this package fills it."""

from rocsolid.measures import probability, ranking, threshold
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
    "compute",
    "find",
    "number",
    "probability",
    "ranking",
    "register",
    "threshold",
]
