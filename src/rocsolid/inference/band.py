"""The band as a value: arrays strict to lenient, read at any x, and asked whether it holds a curve."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsolid import _faces
from rocsolid.curves import Curve, PrecisionRecallCurve, ReliabilityCurve, RocCurve
from rocsolid.errors import OptionError
from rocsolid.inference.envelope import Floats, sides
from rocsolid.options import check_number
from rocsolid.results import Interval, Note, Sizes
from rocsolid.values import SCHEMA, Result, plain

OUTWARD = 2.0**-50
"""Precision limits are moved outward by this share, so that their rounding can not cut off the curve itself."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Band(Result):
    """A confidence band around a curve.

    Attributes
    ----------
    curve : ``"roc"``, ``"precision_recall"`` or ``"det"``.
    x : (p,) FPR (recall for precision-recall), from 0 to 1; a value stands twice where an edge is vertical.
    low, high : (p,) limits of TPR, precision or FNR; straight between neighbours (see ``fpr_low`` for precision).
    kind : ``"simultaneous"``, for the whole curve at once, or ``"pointwise"``.
    method : ``"ellipse"``, ``"jeffreys"`` or ``"rectangle"``.
    confidence_level : its level.
    guarantee : whether the level is proven for any distribution.
    sizes, pos_label : rows per class and the positive label.
    prevalence : that of a precision-recall band, an interval of one point unless it was sampled.
    fpr_low, fpr_high : (p,) for precision-recall, the limits of FPR at each recall, straight between neighbours.
    notes : what the band states, each with a stable code.
    """

    curve: str
    x: Floats
    low: Floats
    high: Floats
    kind: str
    method: str
    confidence_level: float
    guarantee: bool
    sizes: Sizes
    pos_label: object = None
    prevalence: Interval | None = None
    fpr_low: Floats | None = None
    fpr_high: Floats | None = None
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        """Make the arrays read-only: a band is a value."""
        for array in (self.x, self.low, self.high, self.fpr_low, self.fpr_high):
            if array is not None:
                array.setflags(write=False)

    def with_rates(self, fpr_low: Floats, fpr_high: Floats, prevalence: Interval) -> Band:
        """Give the band with the FPR limits that its precision follows from."""
        return replace(self, fpr_low=fpr_low, fpr_high=fpr_high, prevalence=prevalence)

    def at(self, x: float) -> Interval:
        """Read the band at one FPR (recall for precision-recall); on a vertical piece all of it. O(log p).

        Raises
        ------
        OptionError
            If ``x`` is no number from 0 to 1.

        Examples
        --------
        Two rows of each class say nothing about TPR at FPR 0 but that it is below 1:

        >>> import rocsolid as rs
        >>> band = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).band("roc", kind="pointwise")
        >>> interval = band.at(0)
        >>> interval.low, round(interval.high, 4)
        (0.0, 0.9874)
        """
        number = check_number("x", x)
        if not 0 <= number <= 1:
            raise OptionError("x", x, "a rate from 0 to 1", "for example .at(0.1)")
        low, high = self._limits(np.array([float(number)]))
        return Interval(
            low=float(low[0]), high=float(high[0]), confidence_level=self.confidence_level, method=self.method
        )

    def _limits(self, at: Floats) -> tuple[Floats, Floats]:
        """Limits at several places, all of a vertical piece."""
        if self.fpr_low is None or self.fpr_high is None or self.prevalence is None:
            return np.minimum(*sides(self.x, self.low, at)), np.maximum(*sides(self.x, self.high, at))
        rates = np.minimum(*sides(self.x, self.fpr_low, at)), np.maximum(*sides(self.x, self.fpr_high, at))
        return precision_limits(at, *rates, self.prevalence)

    def contains(self, curve: Curve) -> bool:
        """Whether a curve lies inside, ends included: ROC and DET with their segments, precision-recall at its points.

        O((p + k) log (p + k)).

        Raises
        ------
        OptionError
            If the curve is of another kind, or its precision refers to another prevalence.

        Examples
        --------
        >>> import rocsolid as rs
        >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> ev.band("roc").contains(ev.curve("roc"))
        True
        """
        if curve.kind != self.curve or isinstance(curve, ReliabilityCurve):
            raise OptionError("curve", curve.kind, f"a {self.curve} curve", f'ev.curve("{self.curve}")')
        if isinstance(curve, PrecisionRecallCurve):
            if self.prevalence is not None and curve.prevalence not in self.prevalence:
                found = f"prevalence {curve.prevalence:.6g}"
                expected = f"at the band's prevalence, {self.prevalence.low:.6g}"
                raise OptionError("curve", found, expected, f"prevalence={curve.prevalence!r} in ev.band(...)")
            drawn = ~np.isnan(curve.precision)  # nothing is selected at the first point
            low, high = self._limits(curve.recall[drawn])
            return bool(((low <= curve.precision[drawn]) & (curve.precision[drawn] <= high)).all())
        y = curve.tpr if isinstance(curve, RocCurve) else curve.fnr
        at = np.union1d(self.x, curve.fpr)  # all are straight in between
        inside = (
            (low <= middle) & (middle <= high)
            for low, middle, high in zip(
                sides(self.x, self.low, at), sides(curve.fpr, y, at), sides(self.x, self.high, at), strict=True
            )
        )
        return all(bool(part.all()) for part in inside)

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``x, low, high``."""
        return _faces.frame({"x": self.x, "low": self.low, "high": self.high}, backend)

    def __repr__(self) -> str:
        """One line: kind, curve, level, method, sizes."""
        proven = ", proven" if self.guarantee else ""
        where = "" if self.prevalence is None else f" at prevalence {_interval_text(self.prevalence)}"
        return (
            f"<{self.kind} {self.curve} band{where}, {self.confidence_level:.4g} ({self.method}{proven}); "
            f"{self.sizes}; positive: {self.pos_label!r}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        return {
            "schema": SCHEMA,
            "curve": self.curve,
            "kind": self.kind,
            "method": self.method,
            "confidence_level": self.confidence_level,
            "guarantee": self.guarantee,
            "prevalence_low": None if self.prevalence is None else self.prevalence.low,
            "prevalence_high": None if self.prevalence is None else self.prevalence.high,
            "x": self.x.tolist(),
            "low": self.low.tolist(),
            "high": self.high.tolist(),
            "n_pos": self.sizes.n_pos,
            "n_neg": self.sizes.n_neg,
            "pos_label": plain(self.pos_label),
            "notes": [note.en for note in self.notes],
        }


def _interval_text(share: Interval) -> str:
    return f"{share.low:.4g}" if share.low == share.high else f"{share.low:.4g} to {share.high:.4g}"


def precision_limits(recall: Floats, fpr_low: Floats, fpr_high: Floats, share: Interval) -> tuple[Floats, Floats]:
    """Precision pi r / (pi r + (1 - pi) x) at the highest and the lowest FPR; [0, 1] at recall 0."""
    hits = share.low * recall, share.high * recall
    alarms = (1 - share.low) * fpr_high, (1 - share.high) * fpr_low
    low, high = (
        np.divide(hit, hit + alarm, out=np.full_like(recall, empty), where=hit > 0)
        for hit, alarm, empty in zip(hits, alarms, (0.0, 1.0), strict=True)
    )
    return low * (1 - OUTWARD), np.minimum(high * (1 + OUTWARD), 1.0)
