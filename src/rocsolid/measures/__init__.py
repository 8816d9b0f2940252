"""Every measure, one registry; importing this package fills it."""

from rocsolid.measures import (
    at_prevalence,
    calibration_error,
    cost,
    decomposition,
    detection,
    early,
    expected_costs,
    explained,
    isotonic_gaps,
    partial_area,
    probability,
    ranking,
    recalibration,
    scalars,
    separation,
    threshold,
    top_k,
    weighed_areas,
)
from rocsolid.measures.cost import ExpectedCost, NetBenefit
from rocsolid.measures.detection import ActDcf, MinDcf
from rocsolid.measures.early import Bedroc
from rocsolid.measures.expected_costs import HMeasure, MinExpectedCost
from rocsolid.measures.explained import D2Absolute
from rocsolid.measures.partial_area import PartialAuc
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
from rocsolid.measures.scalars import FBeta
from rocsolid.measures.separation import Eer, Ks
from rocsolid.measures.top_k import TopK
from rocsolid.measures.weighed_areas import LogAuc

__all__ = [
    "REGISTRY",
    "ActDcf",
    "AtThreshold",
    "Bedroc",
    "D2Absolute",
    "Eer",
    "ExpectedCost",
    "FBeta",
    "Gradient",
    "HMeasure",
    "Ks",
    "LogAuc",
    "Measure",
    "MinDcf",
    "MinExpectedCost",
    "NetBenefit",
    "NoOptions",
    "PartialAuc",
    "Request",
    "TopK",
    "at_prevalence",
    "calibration_error",
    "compute",
    "cost",
    "decomposition",
    "detection",
    "early",
    "expected_costs",
    "explained",
    "find",
    "isotonic_gaps",
    "named",
    "number",
    "partial_area",
    "probability",
    "ranking",
    "recalibration",
    "register",
    "scalars",
    "separation",
    "threshold",
    "top_k",
    "weighed_areas",
]
