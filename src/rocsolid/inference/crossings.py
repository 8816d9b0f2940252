"""Crossings of two ROC curves measured on the same rows, and how sure each curve's lead is.

The points are exact (:mod:`rocsolid.inference.crossing_points`). The rows of each class are then drawn anew, both
scores of a row together (Efron & Tibshirani 1993, chapter 8). At a given FPR the share of replicates in which a
curve is higher says how sure its lead is; an FPR at which neither leads in 1 - alpha/2 of them is *undecided*. At a
true crossing the curves are equally high, so it is left undecided with probability about 1 - alpha: the undecided
range around a crossing is its confidence interval, found by inverting the test of equal heights.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.inference.crossing_points import Piece, Staircase, height_after, height_before, meetings, pieces
from rocsolid.options import unboxed
from rocsolid.results import Interval, Note, Sizes, format_interval
from rocsolid.text import format_number, printable
from rocsolid.values import SCHEMA, Result, plain

Floats = npt.NDArray[np.float64]
CELLS = 512
"""At most about twice so many FPRs are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FprRange:
    """A range of FPR and the model that leads there; ``None`` where neither does.

    ``tpr_low`` and ``tpr_high`` are the leader's TPR (of both, where neither leads) just after the lower end and just
    before the upper one; ``strictest`` and ``most_lenient`` the leader's cuts on that piece of its curve,
    ``None`` if there is no such cut or no leader.
    """

    low: float
    high: float
    leader: str | None
    tpr_low: float
    tpr_high: float
    strictest: float | None = None
    most_lenient: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """A point where the lead changes.

    Attributes
    ----------
    fpr, tpr : the point; ``exact`` is its FPR as a fraction.
    before, after : the leading model at lower and at higher FPR.
    interval : of the FPR: the undecided range around the point.
    """

    fpr: float
    tpr: float
    exact: Fraction
    before: str
    after: str
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Crossings(Result):
    """Where two ROC curves cross, who leads in between, and how sure that is.

    Attributes
    ----------
    names : the two models.
    crossings : the points at which the lead changes, by FPR.
    ranges : who leads in the sample, range by range, exactly.
    decided : ranges in which one model leads in at least 1 - alpha/2 of the replicates, at each FPR by itself.
    fpr : (p,) FPRs looked at, each in the middle between two FPRs that the sample can show.
    share : (p,) part of the replicates in which the first model is higher there; equal heights count half.
    confidence_level, n_resamples, seed : of the bootstrap; ``rng=seed`` repeats it.
    sizes, pos_label, notes : rows per class, the positive label, remarks.
    """

    names: tuple[str, str]
    crossings: tuple[Crossing, ...]
    ranges: tuple[FprRange, ...]
    decided: tuple[FprRange, ...]
    fpr: Floats
    share: Floats
    confidence_level: float
    n_resamples: int
    seed: int
    sizes: Sizes
    pos_label: object = None
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        """Make the arrays read-only: a result is a value."""
        self.fpr.setflags(write=False)
        self.share.setflags(write=False)

    def __repr__(self) -> str:
        """One line: the crossings with their intervals, sizes."""
        points = ", ".join(
            f"{printable(c.before)} -> {printable(c.after)} at FPR {format_number(c.fpr)} {format_interval(c.interval)}"
            for c in self.crossings[:3]
        )
        more = f", ... ({len(self.crossings):,} in all)" if len(self.crossings) > 3 else ""
        first, second = map(printable, self.names)
        return (
            f"<crossings of {first} and {second}: {(points or 'none') + more}; {self.sizes}; "
            f"positive: {self.pos_label!r}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        spans = {
            key: [{name: plain(getattr(r, name)) for name in FprRange.__slots__} for r in value]
            for key, value in (("ranges", self.ranges), ("decided", self.decided))
        }
        points = [
            {"fpr": c.fpr, "tpr": c.tpr, "exact": f"{c.exact.numerator}/{c.exact.denominator}", "before": c.before,
             "after": c.after, "low": c.interval.low, "high": c.interval.high}
            for c in self.crossings
        ]  # fmt: skip
        return {
            "schema": SCHEMA, "names": list(self.names), "crossings": points, **spans, "fpr": self.fpr.tolist(),
            "share": self.share.tolist(), "confidence_level": self.confidence_level,
            "n_resamples": self.n_resamples, "seed": self.seed, "n_pos": self.sizes.n_pos,
            "n_neg": self.sizes.n_neg, "pos_label": plain(self.pos_label), "notes": [n.en for n in self.notes],
        }  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class PairedRanks:
    """Two models on the same rows: the rank of each row's score among the distinct ones, 0 the strictest."""

    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    positive: npt.NDArray[np.bool_]
    cuts: tuple[npt.NDArray[Any], npt.NDArray[Any]]
    """Distinct scores of both models, strict to lenient."""

    def staircases(self) -> tuple[Staircase, Staircase]:
        """Both curves as whole counts."""
        one, two = (
            Staircase.of(*(np.bincount(ranks[member], minlength=int(ranks.max()) + 1) for member in self._classes()))
            for ranks in (self.first, self.second)
        )
        return one, two

    def _classes(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        return self.positive, ~self.positive


def find_crossings(
    rows: PairedRanks, names: tuple[str, str], pos_label: object, level: float, n_resamples: int, seed: int
) -> Crossings:
    """Exact crossings, and the bootstrap's word on them. O(k log k + n_resamples n)."""
    n_pos, n_neg = int(rows.positive.sum()), int((~rows.positive).sum())
    first, second = rows.staircases()
    spans = pieces(first, second)
    fpr = _middles(n_neg)
    share = lead_share(rows, fpr, n_resamples, seed)
    decided = _decided(fpr, share, level)
    leaders = {1: names[0], -1: names[1], 0: None}
    crossings = tuple(
        Crossing(
            fpr=float(m.fp / n_neg), tpr=float(m.tp / n_pos), exact=m.fp / n_neg, before=str(leaders[m.before]),
            after=str(leaders[-m.before]), interval=_around(float(m.fp / n_neg), fpr, decided, level),
        )
        for m in meetings(first, second, spans)
    )  # fmt: skip
    return Crossings(
        names=names,
        crossings=crossings,
        ranges=tuple(_range(p, rows, (first, second), leaders) for p in spans),
        decided=tuple(_range(p, rows, (first, second), leaders) for p in _decided_pieces(n_neg, decided, fpr)),
        fpr=fpr,
        share=share,
        confidence_level=level,
        n_resamples=n_resamples,
        seed=seed,
        sizes=Sizes(n_pos=n_pos, n_neg=n_neg),
        pos_label=pos_label,
        notes=(LEFT_END,),
    )


def _middles(n_neg: int) -> Floats:
    """FPRs (j + 1/2) / N, where no curve of any replicate is vertical: all of them, or equal and geometric steps."""
    if n_neg <= CELLS:
        return (np.arange(n_neg) + 0.5) / n_neg
    steps = np.concatenate([np.linspace(0, n_neg - 1, CELLS), np.geomspace(1, n_neg, CELLS) - 1])
    return (np.unique(np.floor(steps)) + 0.5) / n_neg


def lead_share(rows: PairedRanks, fpr: Floats, n_resamples: int, seed: int) -> Floats:
    """Share of replicates in which the first curve is higher at each FPR; equal heights count half."""
    rng = np.random.default_rng(seed)
    members = [np.flatnonzero(member) for member in (rows.positive, ~rows.positive)]
    ranks = [tuple(r[member] for member in members) for r in (rows.first, rows.second)]
    lengths = [int(r.max()) + 1 for r in (rows.first, rows.second)]
    at, lead = fpr * len(members[1]), np.zeros(len(fpr))
    for _ in range(n_resamples):
        times = [np.bincount(rng.integers(0, len(m), len(m)), minlength=len(m)).astype(np.float64) for m in members]
        heights = []
        for (of_pos, of_neg), length in zip(ranks, lengths, strict=True):
            tp, fp = _running(of_pos, times[0], length), _running(of_neg, times[1], length)
            heights.append(np.interp(at, fp, tp))
        lead += np.sign(heights[0] - heights[1])
    found: Floats = (lead / n_resamples + 1) / 2
    return found


def _running(ranks: npt.NDArray[np.int64], times: Floats, length: int) -> Floats:
    """Rows drawn at or beyond each rank, from 0 on."""
    return np.concatenate([[0.0], np.cumsum(np.bincount(ranks, times, length))])


def _decided(fpr: Floats, share: Floats, level: float) -> npt.NDArray[np.int64]:
    """1 where the first model leads surely, -1 where the second does, 0 where neither."""
    sure = 0.5 + level / 2
    return (share >= sure).astype(np.int64) - (share <= 1 - sure).astype(np.int64)


def _around(point: float, fpr: Floats, decided: npt.NDArray[np.int64], level: float) -> Interval:
    """The undecided range around a point, out to the nearest decided FPR on either side, or to 0 and 1."""
    sure = fpr[decided != 0]
    below, above = sure[sure <= point], sure[sure > point]
    return Interval(
        low=float(below[-1]) if len(below) else 0.0,
        high=float(above[0]) if len(above) else 1.0,
        confidence_level=level,
        method="paired-bootstrap",
    )


def _decided_pieces(n_neg: int, decided: npt.NDArray[np.int64], fpr: Floats) -> list[Piece]:
    """Runs of FPRs with one sure leader; each FPR looked at is a half of a count."""
    edges = np.flatnonzero(np.diff(decided)) + 1
    runs = [run for run in np.split(np.arange(len(fpr)), edges) if decided[run[0]] != 0]
    at = [Fraction(round(2 * x * n_neg), 2) for x in fpr.tolist()]
    return [Piece(at[run[0]], at[run[-1]], int(decided[run[0]])) for run in runs]


def _range(
    piece: Piece, rows: PairedRanks, curves: tuple[Staircase, Staircase], leaders: dict[int, str | None]
) -> FprRange:
    """What the leader shows between two FP counts: its heights, and which of its cuts lie there."""
    which = 1 if piece.sign < 0 else 0
    curve, n_neg, n_pos = curves[which], int(curves[0].fp[-1]), int(curves[0].tp[-1])
    low, high = height_after(curve, piece.start), height_before(curve, piece.end)
    fp, tp = curve.fp[1:], curve.tp[1:]
    inside = (fp >= piece.start) & (fp <= piece.end) & (tp >= low) & (tp <= high)
    cuts: Any = rows.cuts[which][inside] if piece.sign else []
    return FprRange(
        low=float(piece.start / n_neg), high=float(piece.end / n_neg), leader=leaders[piece.sign],
        tpr_low=float(low / n_pos), tpr_high=float(high / n_pos),
        strictest=unboxed(cuts[0]) if len(cuts) else None, most_lenient=unboxed(cuts[-1]) if len(cuts) else None,
    )  # fmt: skip


LEFT_END = Note(
    "left-end",
    "left of the strictest negatives and right of the most lenient positives the bootstrap sees no variation and "
    "is too sure; each FPR is judged by itself",
    "在最高分负例以左、最低分正例以右，自助法看不到变化，结论会过于肯定；各 FPR 单独判断",
)
