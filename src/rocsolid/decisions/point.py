"""An operating point: one cut with its counts and rates, asked and attained; it can be saved, applied and judged."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.decisions.amounts import AmountRates
from rocsolid.decisions.monitoring import Monitoring, monitor
from rocsolid.decisions.optimism import Optimism
from rocsolid.decisions.saved import (
    bad_point,
    read_amounts,
    read_estimate,
    read_notes,
    read_number,
    read_optimism,
    read_point_text,
)
from rocsolid.errors import OptionError, RocsolidError
from rocsolid.inputs import read_scores
from rocsolid.options import as_typed, check_number
from rocsolid.results import Counts, Estimate, Note
from rocsolid.sources.output import write_text
from rocsolid.sweep import Sweep
from rocsolid.text import format_count, format_number
from rocsolid.values import SCHEMA, Result, plain

RATES = ("precision", "recall", "specificity", "f1", "accuracy")
CELLS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingPoint(Result):
    """The confusion matrix at one threshold and the rates that follow from it, each with its interval.

    Attributes
    ----------
    threshold : the cut, a score as the Python value it is; infinite where nothing is flagged.
    rule : the decision in words, such as ``score >= 0.5``.
    counts : the four cells; with weights sums of weights.
    precision, recall, specificity, f1, accuracy : rates with their intervals.
    asked : what the cut was chosen for, such as ``"recall >= 0.95"`` or ``"max youden"``; ``None`` if it was given.
    attained : the value of what was asked for, on these rows.
    feasible : False where no cut does what was asked: this one comes nearest, and a note says so.
    tied : thresholds of all cuts that are as good, strict to lenient; the strictest was taken.
    by_amount : shares by value, where amounts were given.
    optimism : how much better a cut chosen on its own rows looks than it is, where that was asked for.
    higher_is_positive : the direction of the scores.
    notes : remarks, each with a stable code.
    """

    threshold: Any
    rule: str
    counts: Counts
    precision: Estimate
    recall: Estimate
    specificity: Estimate
    f1: Estimate
    accuracy: Estimate
    asked: str | None = None
    attained: float | None = None
    feasible: bool = True
    tied: tuple[Any, ...] = ()
    by_amount: AmountRates | None = None
    optimism: Optimism | None = None
    higher_is_positive: bool = True
    notes: tuple[Note, ...] = ()

    @property
    def tp(self) -> float:
        """True positives."""
        return self.counts.tp

    @property
    def fp(self) -> float:
        """False positives."""
        return self.counts.fp

    @property
    def fn(self) -> float:
        """False negatives."""
        return self.counts.fn

    @property
    def tn(self) -> float:
        """True negatives."""
        return self.counts.tn

    @property
    def flagged(self) -> float:
        """Share of the rows that are flagged, (TP + FP) / N."""
        return (self.tp + self.fp) / self.counts.n

    @property
    def rates(self) -> tuple[Estimate, ...]:
        """All rates in one tuple."""
        return (self.precision, self.recall, self.specificity, self.f1, self.accuracy)

    def expected_cost(self, *, cost_fp: float, cost_fn: float, cost_tp: float = 0, cost_tn: float = 0) -> float:
        """Mean cost of a row at this cut, (cost_tp TP + cost_fp FP + cost_fn FN + cost_tn TN) / N.

        Any finite numbers will do; a negative cost is a gain. For counts the sum is exact and rounded once, costs
        being read as typed. ``ev.measure("expected_cost(...)")`` has an interval for the costs of errors. O(1).

        Raises
        ------
        OptionError
            For a cost that is no finite number.

        Examples
        --------
        >>> import rocsolid as rs
        >>> rs.evaluate([0, 0, 1, 1], [1, 4, 3, 8]).at(threshold=4).expected_cost(cost_fp=1, cost_fn=10, cost_tp=-2)
        2.25
        """
        worth = {"cost_tp": cost_tp, "cost_fp": cost_fp, "cost_fn": cost_fn, "cost_tn": cost_tn}
        for name, value in worth.items():
            if not math.isfinite(check_number(name, value)):
                raise OptionError(name, value, "a finite number", f"{name}=1")
        cells = (self.tp, self.fp, self.fn, self.tn)
        total = sum(as_typed(float(v)) * Fraction(c) for v, c in zip(worth.values(), cells, strict=True))
        return float(total / Fraction(self.counts.n))

    # ------------------------------------------------------------------------------------------ other rows

    def apply(self, y_score: Any) -> npt.NDArray[np.bool_]:
        """Decide on new scores.

        Returns
        -------
        (n,) bool, True where a row is flagged; empty for no row. The comparison is exact for every dtype of scores.

        Raises
        ------
        InputError
            One of its kinds, for missing values and scores that are no numbers.

        Notes
        -----
        O(n log n).

        Examples
        --------
        >>> import rocsolid as rs
        >>> point = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at(recall=1)
        >>> point.rule, point.apply([0.2, 0.35, 0.9]).tolist()
        ('score >= 0.35', [False, True, True])
        """
        column = read_scores(y_score)
        every = np.ones(len(column.values), np.uint64)
        if not len(every):
            return np.zeros(0, np.bool_)
        sweep = Sweep.from_counts(y_score, every, 0 * every, higher_is_positive=self.higher_is_positive)
        taken = sweep.rows_selected(self.threshold)
        if taken == 0:
            return np.zeros(len(every), np.bool_)
        last = sweep.scores[taken - 1]  # of the dtype of the scores themselves: nothing is converted
        values = column.values if column.decimals is None else column.decimals[column.values]
        found = values >= last if self.higher_is_positive else values <= last
        return np.asarray(found, np.bool_)

    def judge(
        self,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: object = None,
        sample_weight: Any = None,
        cluster: Any = None,
        missing: str = "raise",
        confidence_level: float | None = None,
        name: str | None = None,
    ) -> OperatingPoint:
        """Judge this cut on other rows; a note sets what was found there beside what was promised here.

        Parameters
        ----------
        pos_label : by default that of this point.
        y_true, y_score, sample_weight, cluster, missing, confidence_level, name : as in :func:`rocsolid.evaluate`;
            the confidence level is by default that of this point.

        Raises
        ------
        InputError
            One of its kinds, for data that can not be used.

        Notes
        -----
        O(n log n). On rows that had no part in the choice the intervals hold as they are.

        Examples
        --------
        >>> import rocsolid as rs
        >>> point = rs.evaluate([0, 0, 1, 1], [1, 4, 3, 8]).best("youden")
        >>> point.judge([0, 1, 1, 0], [2, 9, 6, 8]).recall.exact
        Fraction(1, 2)
        """
        return _faces.judge_point(
            self, y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, cluster=cluster, missing=missing,
            confidence_level=confidence_level, name=name,
        )  # fmt: skip

    def monitor(
        self,
        y_score: Any,
        y_true: Any = None,
        *,
        alpha: float = 0.05,
        looks: int = 1,
        pos_label: object = None,
        missing: str = "raise",
    ) -> Monitoring:
        """Say whether new rows leave the intervals of this point.

        For each rate the question is whether *any* value within the interval here explains the new rows: an exact
        binomial test against the nearer end. Without labels only the share of flagged rows can be watched.

        Parameters
        ----------
        y_score, y_true : (n,) new scores, and labels where they are known.
        alpha : probability of a false alarm over all rates and all looks together, at most.
        looks : how many times one looks in all, this one included; each look gets its part (Bonferroni).
        pos_label, missing : as in :meth:`judge`.

        Raises
        ------
        OptionError
            For a bad ``alpha`` or ``looks``.
        NotAvailableError
            If this point stands on weighted or clustered rows: binomial tests count independent rows.

        Notes
        -----
        O(n log n). The level holds if the true values lie within the intervals here. Those of a cut that was chosen on
        its own rows are too kind: watch a point that was judged on others.

        Examples
        --------
        >>> import rocsolid as rs
        >>> point = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at(threshold=0.5)
        >>> point.monitor([0.1, 0.9, 0.3, 0.2]).alarm
        False
        """
        return monitor(self, y_score, y_true, alpha=alpha, looks=looks, pos_label=pos_label, missing=missing)

    # -------------------------------------------------------------------------------------------- to a file

    def save(self, path: str | Path) -> Path:
        """Write the point as JSON, whole or not at all; return the path.

        Raises
        ------
        SourceError
            If the file can not be written.
        """
        return write_text(path, self.to_json() + "\n")

    @classmethod
    def load(cls, path: str | Path) -> OperatingPoint:
        """Read a point that :meth:`save` wrote.

        Raises
        ------
        SourceError
            If the file is missing, or holds no operating point of a known version.
        """
        return cls.from_json(read_point_text(path), source=str(path))

    @classmethod
    def from_json(cls, text: str, *, source: str = "text") -> OperatingPoint:
        """Read a point from what ``to_json`` wrote: the same cut, counts, rates and remarks (these in English).

        Raises
        ------
        SourceError
            If the text is no operating point of a known version.

        Examples
        --------
        >>> import rocsolid as rs
        >>> point = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at(recall=1)
        >>> rs.OperatingPoint.from_json(point.to_json()).to_json() == point.to_json()
        True
        """
        try:
            held = json.loads(text)
            if held["schema"] != SCHEMA:
                raise bad_point(source, f"schema {held['schema']!r}")
            rates = {rate["measure"].partition("(")[0]: read_estimate(rate) for rate in held["rates"]}
            exact = held["threshold_kind"] == "decimal"
            cut = read_number(held, "threshold") if "threshold_is" in held else held["threshold"]
            return cls(
                threshold=_cut(cut, held["higher_is_positive"], exact=exact),
                rule=held["rule"],
                counts=Counts(**{c: held[c] for c in CELLS}, squares=held["squares"] and tuple(held["squares"])),
                **{name: rates[name] for name in RATES},
                asked=held["asked"],
                attained=None if held["asked"] is None else read_number(held, "attained"),
                feasible=held["feasible"],
                tied=tuple(_cut(t, held["higher_is_positive"], exact=exact) for t in held["tied"]),
                by_amount=None if held["by_amount"] is None else read_amounts(held["by_amount"]),
                optimism=None if held["optimism"] is None else read_optimism(held["optimism"]),
                higher_is_positive=held["higher_is_positive"],
                notes=read_notes(held["notes"]),
            )
        except RocsolidError:
            raise
        except (KeyError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
            raise bad_point(source, f"{type(error).__name__}: {error}") from None

    def __repr__(self) -> str:
        """Rule, what was asked and attained, the four counts and the rates."""
        cells = " ".join(f"{k}={format_count(getattr(self, k))}" for k in CELLS)
        rates = " ".join(f"{e.measure.partition('(')[0]}={format_number(e.value)}" for e in self.rates)
        return f"<{self.rule}{self._asked}: {cells}; {rates}; positive: {self.recall.pos_label!r}>"

    @property
    def _asked(self) -> str:
        if self.asked is None:
            return ""
        rows = self.asked.startswith(("top ", "flagged <= "))  # a number of rows, not a share
        number = "" if self.attained is None else (format_count if rows else format_number)(self.attained)
        attained = f", attained {number}" if number else ""
        return f" ({'' if self.feasible else 'INFEASIBLE: '}{self.asked}{attained})"

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        beyond = isinstance(self.threshold, float) and math.isinf(self.threshold)
        return {
            "schema": SCHEMA,
            "threshold": plain(self.threshold),
            "threshold_kind": "nothing" if beyond else type(self.threshold).__name__.lower(),
            "rule": self.rule,
            "higher_is_positive": self.higher_is_positive,
            "asked": self.asked,
            "attained": self.attained,
            "feasible": self.feasible,
            "tied": [plain(t) for t in self.tied],
            "tp": self.tp,
            "fp": self.fp,
            "fn": self.fn,
            "tn": self.tn,
            "squares": None if self.counts.squares is None else list(self.counts.squares),
            "flagged": self.flagged,
            "rates": [rate.to_dict() for rate in self.rates],
            "by_amount": None if self.by_amount is None else self.by_amount.to_dict(),
            "optimism": None if self.optimism is None else self.optimism.to_dict(),
            "notes": [note.en for note in self.notes],
        }


def _cut(value: Any, higher_is_positive: bool, *, exact: bool) -> Any:
    """Read a threshold; null is the one that flags nothing."""
    if value is None:
        return math.inf if higher_is_positive else -math.inf
    return Decimal(value) if exact else value


def elsewhere(point: OperatingPoint) -> Note:
    """Remind of where a cut comes from, when it is judged on other rows."""
    kept = ", ".join(f"{name} {format_number(getattr(point, name).value)}" for name in ("recall", "specificity"))
    asked = "" if point.asked is None else f" for {point.asked}"
    asked_zh = "" if point.asked is None else f"（{point.asked}）"
    return Note(
        "judged-elsewhere",
        f"the cut was chosen on other rows{asked}, where it had {kept}; the intervals here hold as they are",
        f"该阈值在另一批数据上选出{asked_zh}，在那里 {kept}；此处的区间照常成立",
    )
