"""Curves of a sweep: frozen values with arrays of one length, strict to lenient."""

from __future__ import annotations

from collections.abc import Callable

from rocsolid.curves.cost import CostCurve
from rocsolid.curves.cumulative_flagged import CumulativeFlaggedCurve
from rocsolid.curves.det import DetCurve
from rocsolid.curves.gain import GainCurve, LiftCurve
from rocsolid.curves.log_roc import LogRocCurve
from rocsolid.curves.metric import MetricCurve
from rocsolid.curves.net_benefit import NetBenefitCurve
from rocsolid.curves.picture import Picture
from rocsolid.curves.precision_recall import PrecisionRecallCurve
from rocsolid.curves.precision_recall_gain import PrecisionRecallGainCurve
from rocsolid.curves.reliability import ReliabilityCurve
from rocsolid.curves.roc import RocCurve
from rocsolid.curves.roc_hull import RocHull
from rocsolid.errors import OptionError, UnknownNameError
from rocsolid.measures import REGISTRY, named
from rocsolid.sweep import Sweep

Pictured = (
    CostCurve
    | CumulativeFlaggedCurve
    | GainCurve
    | LiftCurve
    | LogRocCurve
    | MetricCurve
    | NetBenefitCurve
    | PrecisionRecallGainCurve
    | RocHull
)
"""Curves that say themselves what is drawn."""
Banded = RocCurve | PrecisionRecallCurve | DetCurve
"""Curves that have confidence bands."""
Curve = Banded | Pictured | ReliabilityCurve

CURVES: dict[str, Callable[[Sweep], Curve]] = {
    "roc": RocCurve.of,
    "precision_recall": PrecisionRecallCurve.of,
    "det": DetCurve.of,
    "log_roc": LogRocCurve.of,
    "precision_recall_gain": PrecisionRecallGainCurve.of,
    "gain": GainCurve.of,
    "lift": LiftCurve.of,
    "cumulative_flagged": CumulativeFlaggedCurve.of,
    "cost": CostCurve.of,
    "net_benefit": NetBenefitCurve.of,
    "roc_hull": RocHull.of,
    "reliability": ReliabilityCurve.of,
}
ALIASES = {"pr": "precision_recall", "prg": "precision_recall_gain", "decision": "net_benefit"}


def curve(name: str, sweep: Sweep) -> Curve:
    """Draw the curve called ``name``, or that of a measure at every cut; an unknown name is an error with a hint."""
    if not isinstance(name, str):
        raise OptionError("curve", name, "the name of a curve or of a measure at a cut", 'for example "roc"')
    typed = name.strip().lower().replace("-", "_")  # as names of measures may be written
    key = ALIASES.get(typed, typed)
    if key in CURVES:
        return CURVES[key](sweep)
    measure = named(name.partition("(")[0].strip())
    if measure is None or measure.input != "counts":
        at_a_cut = (entry.name for entry in REGISTRY.values() if entry.input == "counts")
        raise UnknownNameError("curve", name, (*CURVES, *ALIASES, *at_a_cut))
    return MetricCurve.of(sweep, name)


__all__ = [
    "CURVES",
    "Banded",
    "CostCurve",
    "CumulativeFlaggedCurve",
    "Curve",
    "DetCurve",
    "GainCurve",
    "LiftCurve",
    "LogRocCurve",
    "MetricCurve",
    "NetBenefitCurve",
    "Picture",
    "Pictured",
    "PrecisionRecallCurve",
    "PrecisionRecallGainCurve",
    "ReliabilityCurve",
    "RocCurve",
    "RocHull",
    "curve",
]
