"""Intervals and covariances of every measure."""

from rocsolid.inference.band import Band
from rocsolid.inference.bands import band
from rocsolid.inference.bootstrap_methods import KINDS as BOOTSTRAPS
from rocsolid.inference.covariance import Variance, covariance, variance
from rocsolid.inference.estimates import estimate, methods_of, undefined
from rocsolid.inference.remarks import WARNED, remarks_on, with_notes
from rocsolid.inference.row_influence import given_order

__all__ = [
    "BOOTSTRAPS",
    "WARNED",
    "Band",
    "Variance",
    "band",
    "covariance",
    "estimate",
    "given_order",
    "methods_of",
    "remarks_on",
    "undefined",
    "variance",
    "with_notes",
]
