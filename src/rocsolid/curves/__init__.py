"""Curves of a sweep: frozen values with arrays of one length, strict to lenient."""

from __future__ import annotations

from rocsolid.curves.det import DetCurve
from rocsolid.curves.precision_recall import PrecisionRecallCurve
from rocsolid.curves.reliability import ReliabilityCurve
from rocsolid.curves.roc import RocCurve
from rocsolid.errors import UnknownNameError
from rocsolid.sweep import Sweep

Curve = RocCurve | PrecisionRecallCurve | DetCurve | ReliabilityCurve

CURVES: dict[str, type[RocCurve] | type[PrecisionRecallCurve] | type[DetCurve] | type[ReliabilityCurve]] = {
    "roc": RocCurve,
    "precision_recall": PrecisionRecallCurve,
    "det": DetCurve,
    "reliability": ReliabilityCurve,
}
_ALIASES = {"pr": "precision_recall"}


def curve(name: str, sweep: Sweep) -> Curve:
    """Draw the curve called ``name``; an unknown name is an error with the nearest one as a hint."""
    key = _ALIASES.get(name, name)
    if key not in CURVES:
        raise UnknownNameError("curve", name, (*CURVES, *_ALIASES))
    return CURVES[key].of(sweep)


__all__ = ["CURVES", "Curve", "DetCurve", "PrecisionRecallCurve", "ReliabilityCurve", "RocCurve", "curve"]
