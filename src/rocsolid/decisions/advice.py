"""What to report for a use of the scores, computed, with the reason beside each number.

capacity    only the top of the list is looked at: average precision with the prevalence, precision within the
            capacity, recall at the precision required
screening   nearly every positive has to be found: ROC-AUC, partial AUC over the usable FPR, specificity at the
            sensitivity required
groups      groups of different prevalence: ROC-AUC of each; average precision only beside its own prevalence
datasets    different data sets: ROC-AUC; average precision only where prevalences are alike
threshold   a threshold is chosen: neither area, but the confusion matrix there and what it costs
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocsolid.errors import OptionError
from rocsolid.options import check_choice
from rocsolid.results import Estimate, format_interval
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, GridResult

NEEDED: dict[str, tuple[str, ...]] = {
    "capacity": ("capacity", "precision"),
    "screening": ("max_fpr", "recall"),
    "groups": ("groups",),
    "datasets": ("datasets",),
    "threshold": ("threshold", "cost_fp", "cost_fn"),
}
"""Uses, and what each needs to know."""
EXAMPLES = {
    "capacity": 'ev.summary_for("capacity", capacity=100, precision=0.8)',
    "screening": 'ev.summary_for("screening", max_fpr=0.1, recall=0.95)',
    "groups": 'ev.summary_for("groups", groups=column)',
    "datasets": 'ev.summary_for("datasets", datasets={"other": other_evaluation})',
    "threshold": 'ev.summary_for("threshold", threshold=0.5, cost_fp=1, cost_fn=10)',
}

WHY = {
    "ap": ("the top of the list decides it; read it beside the prevalence", "主要由列表最前面决定；须与阳性占比一起读"),
    "prevalence": ("what a useless score has as average precision", "随机排序的平均精度"),
    "within": ("of the rows that will be looked at, so many are positive", "审核容量内有多少是阳性"),
    "at_precision": ("of the positives, so many are found at that precision", "在要求的 precision 下能找到多少阳性"),
    "auc": ("does not depend on the prevalence", "不受阳性占比影响"),
    "partial": ("only over false-positive rates that can be used", "只看可用的假阳性率范围"),
    "at_recall": ("what finding so many positives costs in negatives", "达到要求的 sensitivity 时的 specificity"),
    "own": ("only beside the prevalence of its own rows", "必须配上各自的阳性占比"),
    "adjusted": (
        "at the prevalence of the first: comparable",
        "换算到第一个数据集的阳性占比后才可比较",
    ),
    "cut": ("at the threshold that will be used", "在实际使用的阈值处"),
    "cost": ("what a row costs on average at this threshold", "在此阈值处每行的平均代价"),
}
"""Reasons in English and Chinese."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceRow:
    """One number: what it is, of which rows, and why it is here."""

    what: str
    of: str
    estimate: Estimate
    why: str
    why_zh: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Advice(GridResult):
    """What to report for one use of the scores."""

    use: str
    rows: tuple[AdviceRow, ...]
    remarks: tuple[str, ...] = ()

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return (*(("of",) if self._named else ()), "report", "value", "interval", "why")

    @property
    def _named(self) -> bool:
        return any(row.of for row in self.rows)

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        out = []
        for row in self.rows:
            e = row.estimate
            value = "undefined" if e.undefined else format_number(e.value)
            interval = "" if e.interval is None else format_interval(e.interval)
            out.append((*((row.of,) if self._named else ()), row.what, value, interval, row.why))
        return out

    @property
    def footnotes(self) -> list[str]:
        """Give each distinct remark once."""
        labels = (f"positive label: {row.estimate.pos_label!r}" for row in self.rows)
        gaps = (f"{row.what} is undefined: {row.estimate.undefined.en}" for row in self.rows if row.estimate.undefined)
        notes = (note.en for row in self.rows for note in row.estimate.notes)
        return list(dict.fromkeys([*labels, *self.remarks, *gaps, *notes]))

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        return {
            "schema": SCHEMA,
            "use": self.use,
            "rows": [
                {"what": row.what, "of": row.of, "why": row.why, "why_zh": row.why_zh, **row.estimate.to_dict()}
                for row in self.rows
            ],
            "remarks": list(self.remarks),
        }


def row(what: str, estimate: Estimate, why: str, of: str = "") -> AdviceRow:
    """Put a number beside its reason."""
    en, zh = WHY[why]
    return AdviceRow(what=what, of=of, estimate=estimate, why=en, why_zh=zh)


def check_use(use: str, given: Mapping[str, object]) -> None:
    """Check that a use has all it needs to know, and nothing that has no effect on it.

    Raises
    ------
    UnknownNameError, OptionError
        For an unknown use; missing or ineffective arguments.
    """
    check_choice("use", use, tuple(NEEDED))
    for name in NEEDED[use]:
        if given[name] is None:
            raise OptionError(name, None, f"given for {use!r}", EXAMPLES[use])
    for name, value in given.items():
        if value is not None and name not in NEEDED[use]:
            raise OptionError(name, value, f"left out: it has no effect on {use!r}", EXAMPLES[use])
