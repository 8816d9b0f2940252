"""Two cuts: rule in, rule out, and abstain between them.

Rows at or beyond the rule-in cut are called positive, rows not beyond the rule-out cut negative, the others not called.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsolid.decisions.point import OperatingPoint
from rocsolid.decisions.shares import Frame, Mass, masses, share, share_by_cluster
from rocsolid.errors import OptionError
from rocsolid.inference.row_influence import score_ranks
from rocsolid.inputs import Rows
from rocsolid.options import unboxed
from rocsolid.results import Estimate, format_interval
from rocsolid.sweep import Sweep
from rocsolid.text import format_count, format_number
from rocsolid.values import SCHEMA, GridResult, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """Rows of one zone by class; with weights sums of weights."""

    pos: float
    neg: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Zones(GridResult):
    """Three zones of scores, their counts and what they are worth, with intervals.

    Attributes
    ----------
    rule_in, rule_out : the two cuts.
    called_positive, abstained, called_negative : positives and negatives in each zone.
    recall : share of the positives that are called positive.
    missed : share of the positives that are called negative.
    specificity : share of the negatives that are called negative.
    false_alarms : share of the negatives that are called positive.
    abstained_share : share of all rows that are not called.
    precision : share of the rows called positive that are.
    npv : share of the rows called negative that are.
    accuracy : share of the rows called that are called right.
    """

    rule_in: Any
    rule_out: Any
    rules: tuple[str, str]
    called_positive: Zone
    abstained: Zone
    called_negative: Zone
    recall: Estimate
    missed: Estimate
    specificity: Estimate
    false_alarms: Estimate
    abstained_share: Estimate
    precision: Estimate
    npv: Estimate
    accuracy: Estimate

    @property
    def rates(self) -> tuple[Estimate, ...]:
        """All shares."""
        return (
            self.recall, self.missed, self.specificity, self.false_alarms, self.abstained_share, self.precision,
            self.npv, self.accuracy,
        )  # fmt: skip

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("rate", "value", "interval")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [
            (
                rate.measure,
                "undefined" if rate.undefined else format_number(rate.value),
                "" if rate.interval is None else format_interval(rate.interval),
            )
            for rate in self.rates
        ]

    @property
    def footnotes(self) -> list[str]:
        """Give the zones with their counts."""
        zones = {
            f"called positive ({self.rules[0]})": self.called_positive,
            "not called (between)": self.abstained,
            f"called negative (not {self.rules[1]})": self.called_negative,
        }
        return [
            *(f"{name}: {format_count(z.pos)} positive, {format_count(z.neg)} negative" for name, z in zones.items()),
            f"positive label: {self.recall.pos_label!r}",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        zones = ("called_positive", "abstained", "called_negative")
        return {
            "schema": SCHEMA,
            "rule_in": plain(self.rule_in),
            "rule_out": plain(self.rule_out),
            **{name: {"pos": getattr(self, name).pos, "neg": getattr(self, name).neg} for name in zones},
            "rates": [rate.to_dict() for rate in self.rates],
        }


POS, NEG = ("in_pos", "open_pos", "out_pos"), ("in_neg", "open_neg", "out_neg")
SHARES: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "recall": ("recall", ("in_pos",), POS),
    "missed": ("missed", ("out_pos",), POS),
    "specificity": ("specificity", ("out_neg",), NEG),
    "false_alarms": ("false_alarms", ("in_neg",), NEG),
    "abstained_share": ("abstained", ("open_pos", "open_neg"), POS + NEG),
    "precision": ("precision", ("in_pos",), ("in_pos", "in_neg")),
    "npv": ("npv", ("out_neg",), ("out_neg", "out_pos")),
    "accuracy": ("accuracy_of_calls", ("in_pos", "out_neg"), ("in_pos", "out_neg", "in_neg", "out_pos")),
}
"""Each share: its name as printed, which rows are hits, and among which rows; rows by zone and class."""


def zones(sweep: Sweep, rule_in: Any, rule_out: Any, level: float, name: str | None, rows: Rows | None = None) -> Zones:
    """Count three zones. O(k), and O(n) where ``rows`` come in clusters.

    Raises
    ------
    OptionError
        If a cut is no number, or the rule-in cut is more lenient than the rule-out cut.
    """
    strict, lenient = (
        unboxed(cut.threshold if isinstance(cut, OperatingPoint) else cut) for cut in (rule_in, rule_out)
    )
    first, second = sweep.at(strict), sweep.at(lenient)
    if sweep.rows_selected(strict) > sweep.rows_selected(lenient):
        raise OptionError(
            "rule_in", strict, f"at least as strict as rule_out ({lenient!r})", "exchange rule_in and rule_out"
        )
    in_pos, in_neg, _, _ = masses(first)
    beyond_pos, beyond_neg, out_pos, out_neg = masses(second)
    parts = {
        "in_pos": in_pos, "open_pos": beyond_pos - in_pos, "out_pos": out_pos,
        "in_neg": in_neg, "open_neg": beyond_neg - in_neg, "out_neg": out_neg,
    }  # fmt: skip
    if rows is None or rows.cluster is None:
        shares = _of_masses(parts, Frame(level, sweep.sizes, sweep.pos_label, name))
    else:
        sizes = replace(sweep.sizes, n_clusters=rows.n_clusters)
        shares = _of_clusters(sweep, rows, strict, lenient, Frame(level, sizes, sweep.pos_label, name))
    zone = {
        kind: Zone(pos=parts[f"{kind}_pos"].total, neg=parts[f"{kind}_neg"].total) for kind in ("in", "open", "out")
    }
    return Zones(
        rule_in=strict, rule_out=lenient, rules=(sweep.rule(strict), sweep.rule(lenient)),
        called_positive=zone["in"], abstained=zone["open"], called_negative=zone["out"], **shares,
    )  # fmt: skip


def _of_masses(parts: dict[str, Mass], frame: Frame) -> dict[str, Estimate]:
    """Shares of independent rows, from their numbers (or weights) by zone and class."""

    def total(names: tuple[str, ...]) -> Mass:
        first, *others = (parts[name] for name in names)
        return sum(others, first)

    found = {}
    for key, (measure, hits, among) in SHARES.items():
        misses = tuple(name for name in among if name not in hits)
        found[key] = share(measure, total(hits), total(misses), frame)
    return found


def _of_clusters(sweep: Sweep, rows: Rows, strict: Any, lenient: Any, frame: Frame) -> dict[str, Estimate]:
    """Shares of rows in clusters, row by row."""
    place = score_ranks(sweep, rows)
    called, not_out = place < sweep.rows_selected(strict), place < sweep.rows_selected(lenient)
    zone = {"in": called, "open": not_out & ~called, "out": ~not_out}
    of_class = {"pos": rows.positive, "neg": ~rows.positive}
    member = {f"{z}_{c}": zone[z] & of_class[c] for z in zone for c in of_class}

    def any_of(names: tuple[str, ...]) -> Any:
        return np.any([member[name] for name in names], axis=0)

    return {
        key: share_by_cluster(measure, rows, any_of(hits), any_of(among), frame)
        for key, (measure, hits, among) in SHARES.items()
    }
