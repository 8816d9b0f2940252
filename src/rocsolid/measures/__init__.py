"""Every measure, one registry; importing this package fills it."""

from rocsolid.measures import cost, detection, partial_area, probability, ranking, scalars, separation, threshold, top_k
from rocsolid.measures.detection import ActDcf, MinDcf
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
from rocsolid.measures.scalars import FBeta
from rocsolid.measures.separation import Eer, Ks
from rocsolid.measures.top_k import TopK

__all__ = [
    "REGISTRY",
    "ActDcf",
    "AtThreshold",
    "Eer",
    "FBeta",
    "Gradient",
    "Ks",
    "Measure",
    "MinDcf",
    "NoOptions",
    "Request",
    "TopK",
    "compute",
    "cost",
    "detection",
    "find",
    "number",
    "partial_area",
    "probability",
    "ranking",
    "register",
    "scalars",
    "separation",
    "threshold",
    "top_k",
]
