"""A share of rows, or of an amount, as an estimate: hits over hits and misses, with Wilson's interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from rocsolid.inference import limits as lim
from rocsolid.inference.clustered import SINGLE_CLUSTER, Bools, share_of_rows
from rocsolid.inference.rates import design_size
from rocsolid.inputs import Rows
from rocsolid.measures.registry import Proportion
from rocsolid.results import Counts, Estimate, Interval, Note, Sizes

PART = Proportion(("tp",), ("fp",))
NO_ROWS = Note("denominator-0", "there are no such rows", "没有这样的行")


@dataclass(frozen=True, slots=True)
class Mass:
    """Rows of some kind: how many (or the sum of their weights), and with weights the sum of squares."""

    total: float
    squares: float | None = None

    def __add__(self, other: Mass) -> Mass:
        """Both kinds together."""
        if self.squares is None or other.squares is None:
            return Mass(self.total + other.total)
        return Mass(self.total + other.total, self.squares + other.squares)

    def __sub__(self, part: Mass) -> Mass:
        """What is left beside a part."""
        if self.squares is None or part.squares is None:
            return Mass(self.total - part.total)
        return Mass(self.total - part.total, self.squares - part.squares)


@dataclass(frozen=True, slots=True)
class Frame:
    """What the estimates of one question have in common."""

    level: float
    sizes: Sizes
    pos_label: object
    name: str | None = None


def share(measure: str, hits: Mass, misses: Mass, frame: Frame, *, of_amounts: bool = False) -> Estimate:
    """Estimate hits / (hits + misses). O(1).

    Without weights the interval is Wilson's (1927); with weights it takes the effective size, from the linearised
    variance (Korn & Graubard 1998). Amounts have longer tails than sampling weights: the smaller of that size and
    Kish's, (sum w)^2 / sum w^2, is taken, and Student's t with one less degree of freedom than Kish's size. Checked by
    simulation (tests/statistical): with log-normal amounts up to a log-sd of 2 the effective size by itself covers
    60 % of the time in the worst cell, this one 93 %.
    """
    total = hits.total + misses.total
    if not total:
        return Estimate(
            measure=measure, value=math.nan, std_error=None, interval=None, method=None, sizes=frame.sizes,
            pos_label=frame.pos_label, undefined=NO_ROWS, name=frame.name,
        )  # fmt: skip
    p, size, quantile = hits.total / total, total, lim.normal_quantile(frame.level)
    if hits.squares is not None and misses.squares is not None:
        squares = (hits.squares, misses.squares, 0.0, 0.0)
        size = design_size(Counts(tp=hits.total, fp=misses.total, fn=0.0, tn=0.0, squares=squares), PART, p)
        if of_amounts:
            kish = total * total / (hits.squares + misses.squares)
            size, quantile = min(size, kish), lim.t_quantile(max(kish - 1, 1.0), frame.level)
    low, high = lim.wilson(p, size, quantile)
    method = "wilson-t" if of_amounts else "wilson"
    return Estimate(
        measure=measure,
        value=p,
        std_error=math.sqrt(p * (1 - p) / size),
        interval=Interval(low=min(low, p), high=max(high, p), confidence_level=frame.level, method=method),
        method=method,
        sizes=frame.sizes,
        pos_label=frame.pos_label,
        name=frame.name,
    )


def share_by_cluster(measure: str, rows: Rows, hit: Bools, member: Bools, frame: Frame) -> Estimate:
    """Estimate the share of hits among member rows that come in clusters; the interval is that of rates at a cut. O(n).

    A single cluster shows no variation between clusters, and has no interval.
    """
    bare = Estimate(
        measure=measure, value=math.nan, std_error=None, interval=None, method=None, sizes=frame.sizes,
        pos_label=frame.pos_label, name=frame.name,
    )  # fmt: skip
    if not member.any():
        return replace(bare, undefined=NO_ROWS)
    found = share_of_rows(rows, frame.level, hit, member)
    if rows.n_clusters < 2:
        return replace(bare, value=found.p, notes=(SINGLE_CLUSTER,))
    low, high = min(found.limits[0], found.p), max(found.limits[1], found.p)
    return replace(
        bare, value=found.p, std_error=math.sqrt(found.variance) if found.groups > 1 else None, method="wilson",
        interval=Interval(low=low, high=high, confidence_level=frame.level, method="wilson"),
    )  # fmt: skip


def masses(counts: Counts) -> tuple[Mass, Mass, Mass, Mass]:
    """The four cells (tp, fp, fn, tn) with their squares."""
    tp, fp, fn, tn = counts.squares or (None,) * 4
    return Mass(counts.tp, tp), Mass(counts.fp, fp), Mass(counts.fn, fn), Mass(counts.tn, tn)
