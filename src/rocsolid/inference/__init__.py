"""Intervals and covariances of every measure."""

from rocsolid.inference.band import Band
from rocsolid.inference.bands import band
from rocsolid.inference.covariance import Variance, covariance, variance
from rocsolid.inference.estimates import estimate, methods_of, undefined
from rocsolid.inference.remarks import WARNED, remarks_on, with_notes

__all__ = [
    "WARNED",
    "Band",
    "Variance",
    "band",
    "covariance",
    "estimate",
    "methods_of",
    "remarks_on",
    "undefined",
    "variance",
    "with_notes",
]
