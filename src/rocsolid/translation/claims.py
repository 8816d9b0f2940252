"""What a claimed number may be: definitions, classes, averages and mistakes that give it on these data."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from rocsolid.curves.precision_recall_areas import AREAS
from rocsolid.errors import OptionError, RocsolidError
from rocsolid.measures.registry import compute, find, number
from rocsolid.results import Note
from rocsolid.sweep import Sweep
from rocsolid.text import format_number
from rocsolid.translation.binned import at_thresholds, interpolated
from rocsolid.translation.running import Running, need_both
from rocsolid.values import SCHEMA, GridResult

NEAREST = 3
"""So many numbers are shown if none fits."""


@dataclass(frozen=True, slots=True)
class Match:
    """A number of these data: its definition, how the data were taken, its value."""

    definition: str
    taken: Note
    value: float


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(GridResult):
    """What a claimed number may be.

    Attributes
    ----------
    claimed : the number as it was claimed.
    matches : all that give it to its last digit, plain readings first.
    nearest : if nothing does, the numbers that come closest.
    """

    claimed: str
    matches: tuple[Match, ...]
    nearest: tuple[Match, ...]

    def __iter__(self) -> Iterator[Match]:
        """Iterate over the matches."""
        return iter(self.matches)

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("number", "data taken", "value")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [(m.definition, m.taken.en, format_number(m.value, 6)) for m in self.matches or self.nearest]

    @property
    def footnotes(self) -> list[str]:
        """Say whether anything fits."""
        if not self.matches:
            return [f"nothing looked at gives {self.claimed}; these come closest"]
        return [f"{len(self.matches)} of what was looked at give {self.claimed}: a claim of more digits leaves fewer"]

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        matches, nearest = (
            [{"definition": m.definition, "taken": m.taken.en, "taken_zh": m.taken.zh, "value": m.value} for m in some]
            for some in (self.matches, self.nearest)
        )
        return {"schema": SCHEMA, "claimed": self.claimed, "matches": matches, "nearest": nearest}


def explain(sweep: Sweep, claimed: object) -> Explanation:
    """Find what gives a claimed number. O(k) for each of some hundred definitions and readings.

    Raises
    ------
    OptionError
        Unless ``claimed`` is a finite number, or one as text.
    UndefinedMeasureError
        If a class has no row.
    """
    wanted, half = _read(claimed)
    need_both(sweep, "explanation")
    found = list(_candidates(sweep))
    fits = tuple(m for m in found if abs(m.value - float(wanted)) <= half)
    nearest = () if fits else tuple(sorted(found, key=lambda m: abs(m.value - float(wanted)))[:NEAREST])
    return Explanation(str(claimed), fits, nearest)


def _read(claimed: object) -> tuple[Decimal, float]:
    """The number, and half a unit of its last digit (with room for the rounding of a float)."""
    text = str(claimed).strip()
    try:
        wanted = Decimal(text)
    except InvalidOperation:
        raise OptionError("claimed", claimed, "a number", 'ev.explain(0.7973) or ev.explain("0.790")') from None
    if isinstance(claimed, bool) or not math.isfinite(float(wanted)):  # as large as a measure can be
        raise OptionError("claimed", claimed, "a finite number", 'ev.explain(0.7973) or ev.explain("0.790")')
    exponent = wanted.as_tuple().exponent
    assert isinstance(exponent, int)
    return wanted, 0.5 * 10.0**exponent * (1 + 1e-9) + 1e-15


# ------------------------------------------------------------------------------------------------ readings

AS_IT_IS = Note("as-it-is", "as it is", "原样")
OTHER_CLASS = Note("other-class", "the other class as positive, scores turned round", "以另一类为正例，得分取反")
MIXED_UP = Note("labels-swapped", "the other class as positive, scores as they are", "以另一类为正例，得分不变")
BACKWARDS = Note("backwards", "scores turned round", "得分取反")
DECISIONS = Note("decisions", "decisions at 0.5 in the place of scores", "以 0.5 处的判定代替得分")
BEST = Note("ties-best", "tied rows in the best order", "同分各行取最有利的次序")
WORST = Note("ties-worst", "tied rows in the worst order", "同分各行取最不利的次序")
BINNED = Note("200-thresholds", "cut at 200 thresholds from 0 to 1", "以 0 到 1 的 200 个阈值切分")
MACRO = Note("macro", "mean over both classes, each as positive", "两类分别作为正例后取平均")
WEIGHTED = Note("weighted", "mean over both classes, weighted by their sizes", "两类分别作为正例后按样本量加权平均")


def _readings(sweep: Sweep) -> Iterator[tuple[Note, Running]]:
    pos, neg = sweep.pos_mass, sweep.neg_mass
    yield AS_IT_IS, Running.of(pos, neg)
    yield OTHER_CLASS, Running.of(neg[::-1], pos[::-1])
    yield MIXED_UP, Running.of(neg, pos)
    yield BACKWARDS, Running.of(pos[::-1], neg[::-1])
    if sweep.scores.dtype.kind == "f" and sweep.higher_is_positive and 0 <= sweep.scores[-1] <= sweep.scores[0] <= 1:
        flagged = np.asarray(sweep.scores) >= 0.5
        if 0 < np.count_nonzero(flagged) < len(flagged):
            yield DECISIONS, Running.of(*([m[flagged].sum(), m[~flagged].sum()] for m in (pos, neg)))
        yield BINNED, at_thresholds(sweep)
    if sweep.weights is None and bool(((sweep.pos > 0) & (sweep.neg > 0)).any()):
        yield BEST, _row_by_row(sweep, positives_first=True)
        yield WORST, _row_by_row(sweep, positives_first=False)


def _row_by_row(sweep: Sweep, *, positives_first: bool) -> Running:
    """A cut at every positive, as if no scores were equal. O(k + n+)."""
    length = sweep.pos.astype(np.int64) + 1  # the positives of a score, and all its negatives
    last = np.cumsum(length) - 1
    pos, neg = np.ones(int(last[-1]) + 1), np.zeros(int(last[-1]) + 1)
    at = last if positives_first else last - length + 1
    pos[at], neg[at] = 0, sweep.neg
    return Running.of(pos, neg)


AREAS_OF: dict[str, Callable[[Running], float]] = {
    "ROC-AUC": Running.roc_auc,
    "average precision": Running.average_precision,
    "PR area by trapezoid": lambda run: AREAS["trapezoid"](run.tp, run.fp),
    "PR area by Davis & Goadrich": interpolated,
    "PR area by lower trapezoid": lambda run: AREAS["lower-trapezoid"](run.tp, run.fp),
    "PR area by ROCR, without its ties": lambda run: AREAS["rocr"](run.tp, run.fp),
    "Gini": lambda run: 2 * run.roc_auc() - 1,
    "largest F1": lambda run: float(np.max(2 * run.tp / (run.tp[-1] + run.tp + run.fp))),
    "largest accuracy": lambda run: float(np.max(run.tp + run.fp[-1] - run.fp) / (run.tp[-1] + run.fp[-1])),
    "largest TPR - FPR": lambda run: float(np.max(run.tp / run.tp[-1] - run.fp / run.fp[-1])),
}
AT_HALF = ("accuracy", "balanced_accuracy", "precision", "recall", "specificity", "npv", "f1", "mcc", "kappa")
OF_PROBABILITIES = ("brier_score", "log_loss")


def _candidates(sweep: Sweep) -> Iterator[Match]:
    """Plain readings first."""
    readings = list(_readings(sweep))
    for taken, run in readings:
        for definition, area in AREAS_OF.items():
            yield Match(definition, taken, area(run))
    own, other = readings[0][1], readings[1][1]
    share = float(own.tp[-1] / (own.tp[-1] + own.fp[-1]))
    for definition in ("average precision", "PR area by trapezoid", "PR area by Davis & Goadrich"):
        a, b = (AREAS_OF[definition](run) for run in (own, other))
        yield Match(definition, MACRO, (a + b) / 2)
        yield Match(definition, WEIGHTED, share * a + (1 - share) * b)
    for spec in (*(f"{name}(threshold=0.5)" for name in AT_HALF), *OF_PROBABILITIES):
        request = find(spec)
        try:
            value = number(request, compute(request, sweep))
        except RocsolidError:  # no probabilities, or nothing flagged: no reading
            continue
        if math.isfinite(value):
            yield Match(spec, AS_IT_IS, value)
