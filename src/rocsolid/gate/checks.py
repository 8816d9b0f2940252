"""What a gate found: one check a requirement or comparison, and the verdict on all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rocsolid.results import Note, Sizes
from rocsolid.text import format_number, printable, span
from rocsolid.values import SCHEMA, GridResult, Result

PASS, FAIL, UNDECIDED = "pass", "fail", "not distinguishable"
VERDICTS = (PASS, FAIL, UNDECIDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Result):
    """One thing that was asked of one model.

    Attributes
    ----------
    asked : what was asked, such as ``"roc_auc@lower >= 0.9"``.
    model, measure : of which model, by which measure.
    verdict : ``"pass"``, ``"fail"`` or ``"not distinguishable"``.
    why : the reason in one sentence, in English and Chinese.
    value, low, high : the estimate (of a comparison: the difference, model less baseline) with its interval.
    confidence_level, method : of the interval; ``None`` without one.
    sizes : rows per class that it rests on.
    notes : remarks of the estimate.
    """

    asked: str
    model: str
    measure: str
    verdict: str
    why: Note
    value: float
    low: float | None
    high: float | None
    confidence_level: float | None
    method: str | None
    sizes: Sizes
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """One line: the verdict, what was asked, and why."""
        return f"<{self.verdict}: {printable(self.model)}: {self.asked}; {printable(self.why)}>"

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        return {
            "schema": SCHEMA, "asked": self.asked, "model": self.model, "measure": self.measure,
            "verdict": self.verdict, "why": self.why.en, "why_zh": self.why.zh,
            "value": self.value, "low": self.low, "high": self.high,
            "confidence_level": self.confidence_level, "method": self.method, "n_pos": self.sizes.n_pos,
            "n_neg": self.sizes.n_neg, "notes": [note.en for note in self.notes],
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Gate(GridResult):
    """All checks, and one verdict: ``fail`` if one of them fails, else ``not distinguishable`` if one is undecided.

    Attributes
    ----------
    checks : in the order asked.
    source : where the data come from.
    remarks : what else has to be said, such as rows that could not be paired.
    """

    checks: tuple[Check, ...]
    source: str
    remarks: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Check]:
        """Iterate over the checks."""
        return iter(self.checks)

    def __len__(self) -> int:
        """Count the checks."""
        return len(self.checks)

    @property
    def verdict(self) -> str:
        """The worst of the verdicts."""
        found = {check.verdict for check in self.checks}
        return next((verdict for verdict in (FAIL, UNDECIDED) if verdict in found), PASS)

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("verdict", "model", "asked", "found", "interval", "n+", "n-")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [
            (check.verdict, check.model, check.asked, format_number(check.value),
             "" if check.low is None or check.high is None else span(check.low, check.high),
             f"{check.sizes.n_pos:,}", f"{check.sizes.n_neg:,}")
            for check in self.checks
        ]  # fmt: skip

    @property
    def footnotes(self) -> list[str]:
        """Give the verdict, why each check did not pass, the levels and remarks."""
        reasons = [f"{check.model}: {check.why}" for check in self.checks if check.verdict != PASS]
        levels = dict.fromkeys(
            f"intervals: {check.confidence_level:.4g} confidence, two-sided"
            for check in self.checks
            if check.confidence_level is not None
        )
        notes = dict.fromkeys(note.en for check in self.checks for note in check.notes)
        return [f"gate: {self.verdict}", *reasons, *levels, *self.remarks, *notes]

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "source": self.source,
            "checks": [check.to_dict() for check in self.checks],
            "remarks": list(self.remarks),
        }
