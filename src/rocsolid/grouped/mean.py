"""The mean of a measure over groups, each a draw of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.inference.effective_error import loss_limits
from rocsolid.results import Interval, Note
from rocsolid.text import format_number, several
from rocsolid.values import SCHEMA, Result, plain

Floats = npt.NDArray[np.float64]

FEW_GROUPS = Note("few-groups", "no interval: fewer than two groups have a value", "没有区间：有取值的组少于两个")


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMean(Result):
    """Mean of a measure over groups.

    Attributes
    ----------
    measure : what is measured within each group: ``"roc_auc"``, ``"average_precision"``, ``"ndcg(k=10)"``.
    average : what a group weighs: ``"impressions"``, its rows; ``"clicks"``, its positives; ``"equal"``.
    value : the weighted mean over the groups that have a value; nan if none has.
    std_error, interval : groups taken as a sample of groups; ``None`` with fewer than two.
    n_groups, n_rows : groups that count, and their rows.
    without_positives, without_negatives : groups left out since they have no value, and why.
    pos_label : the label that counts as positive.
    notes : remarks.
    """

    measure: str
    average: str
    value: float
    std_error: float | None
    interval: Interval | None
    n_groups: int
    n_rows: int
    without_positives: int
    without_negatives: int
    pos_label: object = None
    notes: tuple[Note, ...] = ()

    @property
    def skipped(self) -> int:
        """Groups that have no value."""
        return self.without_positives + self.without_negatives

    def __float__(self) -> float:
        """Give the mean."""
        return self.value

    def __repr__(self) -> str:
        """One line: mean, interval, groups that count and those that do not."""
        ci = ""
        if self.interval is not None:
            ends = f"[{format_number(self.interval.low)}, {format_number(self.interval.high)}]"
            ci = f" {ends} {self.interval.confidence_level:.4g} CI ({self.interval.method})"
        left = f"{self.skipped:,} skipped: {self.without_positives:,} without positives, "
        left += f"{self.without_negatives:,} without negatives"
        return (
            f"<{self.measure} within groups, by {self.average} = {format_number(self.value)}{ci}; "
            f"{several(self.n_groups, 'group')} of {several(self.n_rows, 'row')}; {left}; positive: {self.pos_label!r}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers and strings under a schema version."""
        interval = self.interval
        return {
            "schema": SCHEMA, "measure": self.measure, "average": self.average, "value": self.value,
            "std_error": self.std_error, "low": None if interval is None else interval.low,
            "high": None if interval is None else interval.high,
            "confidence_level": None if interval is None else interval.confidence_level,
            "method": None if interval is None else interval.method, "n_groups": self.n_groups, "n_rows": self.n_rows,
            "without_positives": self.without_positives, "without_negatives": self.without_negatives,
            "pos_label": plain(self.pos_label), "notes": [note.en for note in self.notes],
        }  # fmt: skip


def weighted_mean(values: Floats, weights: Floats) -> tuple[float, float]:
    """Mean of groups, and its variance where groups are drawn, each with its weight. O(groups).

    The linearised variance of a ratio: sum w^2 (A - mean)^2 / (sum w)^2 times g / (g - 1); nan for a single group.
    """
    total, g = float(weights.sum()), len(values)
    mean = math.fsum((weights * values).tolist()) / total  # the same in any order of the groups
    if g < 2:
        return mean, math.nan
    apart = weights * (values - mean)
    return mean, float(apart @ apart) / total**2 * g / (g - 1)


def mean_limits(values: Floats, weights: Floats, mean: float, variance: float, level: float) -> tuple[float, float]:
    """Limits of the mean of values in [0, 1]: the rule of mean losses, for what is missing to 1. O(groups)."""
    size = float(weights.sum()) ** 2 / float(weights @ weights)
    part = 1 - values if mean > 0.5 else values
    made = weights * part
    nu = float(made.sum()) ** 2 / float(made @ made) if made.any() else 0.0
    return loss_limits(mean, variance, size, nu, level)
