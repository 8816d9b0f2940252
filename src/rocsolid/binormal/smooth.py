"""Smoothed ROC curves: points of a model, or of kernel estimates of the two score distributions."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.curves.picture import Picture
from rocsolid.curves.points import frozen, need
from rocsolid.errors import DtypeError, NotAvailableError, UndefinedMeasureError
from rocsolid.results import Note, Sizes
from rocsolid.sweep import Sweep
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, Result

Floats = npt.NDArray[np.float64]
DEVIATES = 257
REACH = 8.0
AT_ONCE = 2_000_000
"""Pairs of a score and a cut that are held in memory together."""
MANY = 10_000
"""Distinct scores of a class up to which each has its own kernel."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SmoothRoc(Result):
    """A smoothed ROC curve as points from (0, 0) to (1, 1).

    Attributes
    ----------
    fpr, tpr : (p,) rates, never decreasing.
    roc_auc : the area of the smooth curve itself, not a sum over its points.
    method : ``"binormal"`` or ``"kernel"``.
    sizes, pos_label : of the data, ``None`` for a model without any.
    notes : remarks on how it was made.
    """

    kind: ClassVar[str] = "smooth_roc"
    fpr: Floats
    tpr: Floats
    roc_auc: float
    method: str
    sizes: Sizes | None = None
    pos_label: object = None
    notes: tuple[Note, ...] = ()

    def area(self) -> float:
        """Area under the smooth curve."""
        return self.roc_auc

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``fpr, tpr``."""
        return _faces.frame({"fpr": self.fpr, "tpr": self.tpr}, backend)

    def picture(self) -> Picture:
        """Say what is drawn: the curve and the line of a useless score."""
        return Picture(
            line=(self.fpr, self.tpr), across="False positive rate", up="True positive rate",
            number=f"AUC {format_number(self.roc_auc, 3)}, {self.method}", chance=([0.0, 1.0], [0.0, 1.0]), square=True,
        )  # fmt: skip

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the curve and its chance line with Matplotlib; return the display (``ax_ figure_ line_``)."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers and lists under a schema version."""
        return {
            "schema": SCHEMA, "method": self.method, "roc_auc": self.roc_auc, "fpr": self.fpr.tolist(),
            "tpr": self.tpr.tolist(), "notes": [note.en for note in self.notes],
        }  # fmt: skip

    def __repr__(self) -> str:
        """One line: method, number of points and area."""
        rows = "" if self.sizes is None else f"; {self.sizes}; positive: {self.pos_label!r}"
        return f"<smooth ROC curve ({self.method}): {len(self.fpr):,} points, area {format_number(self.roc_auc)}{rows}>"


def points_of(tpr: Callable[[Floats], Floats], fpr: Callable[[Floats], Floats], auc: float, method: str) -> SmoothRoc:
    """Draw a model: equal steps of the normal deviates of either rate, so that all four ends are seen. O(points)."""
    from scipy.special import ndtr

    rates = np.concatenate([[0.0], ndtr(np.linspace(-REACH, REACH, DEVIATES)), [1.0]])
    across = np.concatenate([rates, fpr(rates)])
    up = np.concatenate([tpr(rates), rates])
    order = np.lexsort((up, across))
    # where rates round to the same number neighbours may change places
    return SmoothRoc(frozen(across[order]), frozen(np.maximum.accumulate(up[order])), auc, method)


# --------------------------------------------------------------------------------------------------- kernel


def kernel_roc(sweep: Sweep) -> SmoothRoc:
    """Smooth both classes' scores by a normal kernel each, with Silverman's bandwidth of that class.

    A smoothed rate is the mean of Phi((score - t) / h), and the area the mean over pairs of
    Phi((positive - negative) / sqrt(h+^2 + h-^2)), which lies closer to 1/2 than the exact one: smoothing blurs both
    classes.

    Raises
    ------
    UndefinedMeasureError
        If a class has fewer than two distinct scores, or scores are infinite: no bandwidth.
    NotAvailableError
        For weighted rows.

    Notes
    -----
    O(k points + k+ k-); of more than 10,000 distinct scores of a class those within 1/64 of its bandwidth are taken as
    their mean, which moves no rate by more than 1e-5. Silverman 1986, equation 3.31: h = 0.9 min(sd, IQR / 1.34)
    n^(-1/5); Zou, Hall & Shapiro 1997. Unlike the binormal fit it depends on the scale of the scores.

    Examples
    --------
    >>> found = kernel_roc(Sweep.from_arrays([0, 0, 0, 1, 1, 1], [1, 2, 3, 11, 12, 13]))
    >>> round(found.roc_auc, 6)
    1.0
    """
    need(sweep, "smooth_roc", "positives", "negatives")
    if sweep.weights is not None:
        raise NotAvailableError("a kernel curve of weighted rows", 'leave the weights out, or curve("roc")')
    scores = _amounts(sweep)
    pos, neg = (_Class.of(scores, counts) for counts in (sweep.pos, sweep.neg))
    tail = 9.0
    cuts = np.linspace(
        max(pos.scores.max() + tail * pos.width, neg.scores.max() + tail * neg.width),
        min(pos.scores.min() - tail * pos.width, neg.scores.min() - tail * neg.width),
        1025,
    )
    spread = math.hypot(pos.width, neg.width)
    return SmoothRoc(
        fpr=_closed(neg.share_above(cuts)),
        tpr=_closed(pos.share_above(cuts)),
        roc_auc=1 - float(pos.shares @ neg.share_above(pos.scores, spread)),
        method="kernel",
        sizes=sweep.sizes,
        pos_label=sweep.pos_label,
        notes=(_bandwidths(pos.width, neg.width),),
    )


def _amounts(sweep: Sweep) -> Floats:
    """Scores as numbers that grow towards the positive."""
    if sweep.scores.dtype.kind not in "biuf":
        raise DtypeError("y_score", "numbers that a float holds", "decimals", "convert the scores to float64")
    scores = sweep.scores.astype(np.float64)
    if not bool(np.isfinite(scores).all()):
        raise UndefinedMeasureError("smooth_roc", "infinite scores have no distance to others", 'use curve("roc")')
    return scores if sweep.higher_is_positive else -scores


@dataclass(frozen=True, slots=True, eq=False)
class _Class:
    """Distinct scores of one class, their shares, and the bandwidth."""

    scores: Floats
    shares: Floats
    width: float

    @classmethod
    def of(cls, scores: Floats, counts: npt.NDArray[np.uint64]) -> _Class:
        held = counts > 0
        values, n = scores[held], int(counts.sum())
        if len(values) < 2:
            raise UndefinedMeasureError("smooth_roc", "one distinct score of a class has no spread", 'curve("roc")')
        width = _bandwidth(np.repeat(values, counts[held].astype(np.int64)))
        return cls(*_merged(values, counts[held] / n, width), width)

    def share_above(self, cuts: Floats, width: float | None = None) -> Floats:
        """Share above each cut when the scores are blurred, by the bandwidth or another width; in parts."""
        from scipy.special import ndtr

        blur = self.width if width is None else width
        parts = np.array_split(cuts, 1 + len(cuts) * len(self.scores) // AT_ONCE)
        return np.concatenate([ndtr((self.scores - part[:, None]) / blur) @ self.shares for part in parts])


def _bandwidth(rows: Floats) -> float:
    """Silverman's bandwidth of the scores of one class."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        low, high = np.quantile(rows, (0.25, 0.75))
        spreads = (float(rows.std(ddof=1)), float(high - low) / 1.34)
    spread = min(spreads) or spreads[0]  # half of the rows on one score: only the other one says something
    width: float = 0.9 * spread * len(rows) ** -0.2
    widest = float(np.abs(rows).max()) / 4 + 9 * width
    if width < sys.float_info.min or not widest < sys.float_info.max / 16:
        reason = "the scores, or their differences, are too large or too small for a bandwidth in float64"
        raise UndefinedMeasureError("smooth_roc", reason, "multiply y_score by a power of two")
    return width


def _merged(values: Floats, shares: Floats, width: float) -> tuple[Floats, Floats]:
    """Scores within 1/64 of a bandwidth as their mean, where there are many: rates move by less than 1e-5. O(k).

    A blurred share has second derivatives of at most 0.242 / width^2, and the mean leaves an error of second order:
    at most 0.242 / 2 / 128^2, of which a smooth distribution has a thousandth.
    """
    if len(values) <= MANY:
        return values, shares
    starts = np.flatnonzero(np.r_[True, np.diff(np.floor(values / (width / 64))) != 0])
    together = np.add.reduceat(shares, starts)
    return np.add.reduceat(values * shares, starts) / together, together


def _closed(rates: Floats) -> Floats:
    """From exactly 0 to exactly 1: what the tails leave out is below 1e-18."""
    return frozen(np.concatenate([[0.0], np.minimum(np.maximum.accumulate(rates), 1.0), [1.0]]))


def _bandwidths(pos: float, neg: float) -> Note:
    a, b = format_number(pos), format_number(neg)
    return Note(
        "bandwidth",
        f"normal kernels with Silverman's bandwidths {a} (positives), {b} (negatives); the area is drawn to 1/2",
        f"正态核，Silverman 带宽：正例 {a}，负例 {b}；面积会偏向 1/2",
    )
