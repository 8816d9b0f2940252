"""Two cuts: rule in, rule out, and abstain between them.

Rows at or beyond the rule-in cut are called positive, rows not beyond the rule-out cut negative, the others not called.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsolid.decisions.point import OperatingPoint
from rocsolid.decisions.shares import Frame, masses, share
from rocsolid.errors import OptionError
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


def zones(sweep: Sweep, rule_in: Any, rule_out: Any, level: float, name: str | None) -> Zones:
    """Count three zones. O(k).

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
    tp, fp, _, _ = masses(first)
    beyond_pos, beyond_neg, fn, tn = masses(second)
    open_pos, open_neg = beyond_pos - tp, beyond_neg - fp
    frame = Frame(level, sweep.sizes, sweep.pos_label, name)
    return Zones(
        rule_in=strict,
        rule_out=lenient,
        rules=(sweep.rule(strict), sweep.rule(lenient)),
        called_positive=Zone(pos=tp.total, neg=fp.total),
        abstained=Zone(pos=open_pos.total, neg=open_neg.total),
        called_negative=Zone(pos=fn.total, neg=tn.total),
        recall=share("recall", tp, open_pos + fn, frame),
        missed=share("missed", fn, tp + open_pos, frame),
        specificity=share("specificity", tn, open_neg + fp, frame),
        false_alarms=share("false_alarms", fp, open_neg + tn, frame),
        abstained_share=share("abstained", open_pos + open_neg, tp + fp + fn + tn, frame),
        precision=share("precision", tp, fp, frame),
        npv=share("npv", tn, fn, frame),
        accuracy=share("accuracy_of_calls", tp + tn, fp + fn, frame),
    )


def _score_of(cut: Any) -> Any:
    return cut.threshold if isinstance(cut, OperatingPoint) else unboxed(cut)
