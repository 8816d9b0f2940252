"""Capacity per day: each day the k strictest rows are looked at, whatever their scores are.

There is no single threshold then, and rows of one day compete with each other. So days are the units: with H_d hits
of M_d rows on day d, the rate is R = sum H_d / sum M_d, and its variance that of a ratio of means over days,

    D / (D - 1) sum (H_d - R M_d)^2 / (sum M_d)^2            (Cochran 1977, Sampling Techniques, section 6.3)

Its interval is Wilson's at the effective size R (1 - R) / variance, at most sum M_d, with Student's t whose degrees of
freedom are one less than the effective number of days, (sum M_d)^2 / sum M_d^2. Checked by simulation in
tests/statistical.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.decisions.shares import NO_ROWS, Frame
from rocsolid.errors import NotAvailableError
from rocsolid.inference import limits as lim
from rocsolid.inference.row_influence import score_ranks
from rocsolid.inputs import Rows, values_beside
from rocsolid.inputs.clusters import Codes, codes_of
from rocsolid.results import Estimate, Interval, Note, format_interval
from rocsolid.sweep import Sweep
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, Result

ONE_DAY = Note(
    "one-day", "no interval: one day shows no variation between days", "没有区间：只有一天，看不到各天之间的变化"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyCapacity(Result):
    """What a capacity of so many rows a day catches.

    Attributes
    ----------
    capacity, n_days : rows that can be looked at each day, and how many days there are.
    tp, fp, fn, tn : rows over all days.
    recall, precision : with intervals that take days as the units.
    tied_days : days on which equal scores stood on both sides of the capacity: fewer rows were flagged there.
    """

    capacity: int
    n_days: int
    tp: int
    fp: int
    fn: int
    tn: int
    recall: Estimate
    precision: Estimate
    tied_days: int

    def __repr__(self) -> str:
        """One line: capacity, days, counts, both rates."""
        rates = " ".join(
            f"{e.measure}={format_number(e.value)}" + ("" if e.interval is None else f" {format_interval(e.interval)}")
            for e in (self.recall, self.precision)
        )
        ties = f"; ties left room on {self.tied_days:,} days" if self.tied_days else ""
        return (
            f"<top {self.capacity:,} of each of {self.n_days:,} days: tp={self.tp:,} fp={self.fp:,} fn={self.fn:,} "
            f"tn={self.tn:,}; {rates}{ties}; positive: {self.recall.pos_label!r}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        names = ("capacity", "n_days", "tp", "fp", "fn", "tn", "tied_days")
        return {
            "schema": SCHEMA,
            **{name: getattr(self, name) for name in names},
            "rates": [self.recall.to_dict(), self.precision.to_dict()],
        }


def daily_capacity(rows: Rows, sweep: Sweep, day: Any, capacity: int, level: float, name: str | None) -> DailyCapacity:
    """Flag the strictest rows of each day, at most ``capacity``. O(n log n).

    Raises
    ------
    ShapeError, LengthError, MissingValueError
        If there is not one day for each row given.
    NotAvailableError
        If a cluster has rows on several days.
    """
    days = codes_of(values_beside(rows, day, "day"))
    _need_clusters_within_days(rows, days)
    flagged, tied = _flagged(score_ranks(sweep, rows), days, capacity)
    n_days = int(days.max()) + 1

    def per_day(which: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        return np.bincount(days, which, n_days).astype(np.float64)

    positive = rows.positive
    cells = (flagged & positive, flagged & ~positive, ~flagged & positive, ~flagged & ~positive)
    tp, fp, fn, tn = map(per_day, cells)
    frame = Frame(level, sweep.sizes, sweep.pos_label, name)
    return DailyCapacity(
        capacity=capacity, n_days=n_days, tied_days=tied, tp=int(tp.sum()), fp=int(fp.sum()), fn=int(fn.sum()),
        tn=int(tn.sum()), recall=ratio("recall", tp, tp + fn, frame), precision=ratio("precision", tp, tp + fp, frame),
    )  # fmt: skip


def _need_clusters_within_days(rows: Rows, days: Codes) -> None:
    """Refuse clusters that join days: days would no longer be independent. Within a day they change nothing."""
    if rows.cluster is None:
        return
    n_pairs = len(np.unique(rows.cluster.astype(np.int64) * (int(days.max()) + 1) + days))
    if n_pairs > rows.n_clusters:
        raise NotAvailableError(
            f"a capacity per day where {n_pairs - rows.n_clusters:,} clusters or more go over several days",
            "evaluate without cluster, or pass weeks (or months) that hold whole clusters as day=",
        )


def _flagged(place: npt.NDArray[Any], days: Codes, capacity: int) -> tuple[npt.NDArray[np.bool_], int]:
    """Which rows are flagged: those that, with all of their day as strict or stricter, fit; and days cut by ties."""
    order = np.lexsort((place, days))
    day, score = days[order], place[order]
    first = np.r_[True, day[1:] != day[:-1]]
    start = np.flatnonzero(first)[np.cumsum(first) - 1]
    new = first | np.r_[True, score[1:] != score[:-1]]
    ends = np.r_[np.flatnonzero(new)[1:], len(order)][np.cumsum(new) - 1]  # where the block of equal scores ends
    fits = ends - start <= capacity
    straddles = ~fits & (np.flatnonzero(new)[np.cumsum(new) - 1] - start < capacity)
    flagged = np.empty(len(order), np.bool_)
    flagged[order] = fits
    return flagged, len(np.unique(day[straddles]))


def ratio(measure: str, hits: npt.NDArray[np.float64], sizes: npt.NDArray[np.float64], frame: Frame) -> Estimate:
    """Estimate sum of hits over sum of sizes, units (days) being drawn. O(D)."""
    total, n = float(sizes.sum()), len(sizes)
    rate = float(hits.sum()) / total if total else math.nan
    bare = Estimate(
        measure=measure, value=rate, std_error=None, interval=None, method=None, sizes=frame.sizes,
        pos_label=frame.pos_label, name=frame.name, undefined=None if total else NO_ROWS,
    )  # fmt: skip
    if not total or n < 2:
        return replace(bare, notes=(ONE_DAY,) if total else ())
    variance = n / (n - 1) * float(((hits - rate * sizes) ** 2).sum()) / total**2
    size = min(rate * (1 - rate) / variance, total) if variance else total
    days = total**2 / float((sizes**2).sum())
    low, high = lim.wilson(rate, size, lim.t_quantile(max(days - 1, 1.0), frame.level))
    interval = Interval(low=min(low, rate), high=max(high, rate), confidence_level=frame.level, method="wilson-t")
    return replace(bare, std_error=math.sqrt(variance), interval=interval, method="wilson-t")
