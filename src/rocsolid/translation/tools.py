"""The same data in the words of other tools: which area each of them reports, by its own definition.

A tool is here only if these definitions give the outputs that were recorded from it, on fourteen data sets with ties
(tests/oracles/tools: versions, scripts and outputs).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.curves.precision_recall_areas import davis_goadrich_steps, lower_trapezoid, trapezoid
from rocsolid.inference.areas import delong
from rocsolid.inference.limits import normal_quantile
from rocsolid.measures.registry import compute, find, number
from rocsolid.results import Note
from rocsolid.sweep import Sweep
from rocsolid.text import format_number
from rocsolid.translation.binned import at_thresholds, interpolated, rocr_pr_auc
from rocsolid.translation.running import Running, need_both
from rocsolid.values import SCHEMA, GridResult, plain

MOST_OF_SPARK = 2000
"""From so many distinct scores on Spark puts neighbours together; which, depends on its partitions."""


@dataclass(frozen=True, slots=True)
class Word:
    """What one tool reports: the call, its value, and the definition behind it."""

    tool: str
    version: str
    call: str
    value: float
    definition: Note


@dataclass(frozen=True, slots=True)
class Entry:
    """A tool's number: how it is computed; whether the tool takes weights, and only scores within [0, 1]."""

    tool: str
    version: str
    call: str
    definition: Note
    value: Callable[[Sweep], float]
    weights: bool = True
    probabilities: bool = False
    distinct: float = math.inf


@dataclass(frozen=True, slots=True, repr=False)
class Translation(GridResult):
    """The same data as other tools report them; ``left_out`` says which tools do not take such data.

    Attributes
    ----------
    rows : one :class:`Word` a tool and number.
    pos_label : the positive label.
    left_out : tools that can not be asked, each with the reason.
    """

    rows: tuple[Word, ...]
    pos_label: object
    left_out: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Word]:
        """Iterate over the words."""
        return iter(self.rows)

    def __getitem__(self, key: tuple[str, str]) -> Word:
        """Give a tool's number by the names of both.

        Raises
        ------
        KeyError
            If there is none.
        """
        for word in self.rows:
            if (word.tool, word.call) == key:
                return word
        raise KeyError(key)

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("tool", "call", "value", "definition")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [(f"{w.tool} {w.version}", w.call, format_number(w.value, 6), w.definition.en) for w in self.rows]

    @property
    def footnotes(self) -> list[str]:
        """Give the positive label, and the tools left out."""
        return [f"positive label: {self.pos_label!r}; as these versions compute it at their defaults", *self.left_out]

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        return {
            "schema": SCHEMA,
            "pos_label": plain(self.pos_label),
            "rows": [
                {"tool": w.tool, "version": w.version, "call": w.call, "value": w.value, "definition": w.definition.en,
                 "definition_zh": w.definition.zh}
                for w in self.rows
            ],
            "left_out": list(self.left_out),
        }  # fmt: skip


def translate(sweep: Sweep) -> Translation:
    """Say what other tools would report. O(k) for k distinct scores.

    Raises
    ------
    UndefinedMeasureError
        If a class has no row.
    """
    need_both(sweep, "translation")
    words, out = [], dict[str, str]()
    for entry in TOOLS:
        reason = _why_not(entry, sweep)
        if reason:
            out[f"{entry.tool}: {reason}"] = ""
        else:
            words.append(Word(entry.tool, entry.version, entry.call, entry.value(sweep), entry.definition))
    return Translation(tuple(words), sweep.pos_label, tuple(out))


def _why_not(entry: Entry, sweep: Sweep) -> str | None:
    if sweep.scores.dtype.kind == "O":
        return "takes no decimals"
    if sweep.weights is not None and not entry.weights:
        return "takes no weights"
    if entry.probabilities and not (sweep.higher_is_positive and _within_unit(sweep)):
        return "cuts at thresholds from 0 to 1, high scores being positive"
    if len(sweep) >= entry.distinct:
        return f"puts scores together from {entry.distinct:,} distinct ones on"
    return None


def _within_unit(sweep: Sweep) -> bool:
    low, high = sorted((float(sweep.scores[0]), float(sweep.scores[-1])))
    return low >= 0 and high <= 1


# --------------------------------------------------------------------------------------------- definitions


def _roc_auc(sweep: Sweep) -> float:
    request = find("roc_auc")
    return number(request, compute(request, sweep))


def _average_precision(sweep: Sweep) -> float:
    request = find("average_precision")
    return number(request, compute(request, sweep))


def _single(sweep: Sweep) -> Running:
    """Scores in single precision: what differs by less is tied."""
    with np.errstate(over="ignore"):  # what is too large for single precision is infinite there, and tied
        scores = np.asarray(sweep.scores, np.float32)
    return Running.of_sweep(sweep).merged(scores)


def _median(sweep: Sweep, counts: Any) -> float:
    """Median score of a class, the mean of the two in the middle; the larger means positive."""
    sign = 1.0 if sweep.higher_is_positive else -1.0
    rows = np.cumsum(counts)
    n = int(rows[-1])
    middle = np.searchsorted(rows, [(n - 1) // 2 + 1, n // 2 + 1])
    lower, upper = map(float, sweep.scores[middle])
    both = lower + upper
    return sign * (both / 2 if math.isfinite(both) else lower / 2 + upper / 2)


def _turned(sweep: Sweep) -> bool:
    """Whether pROC, which looks at the medians, takes low scores for positive."""
    return _median(sweep, sweep.neg) > _median(sweep, sweep.pos)


def _proc_auc(sweep: Sweep) -> float:
    area = _roc_auc(sweep)
    return 1 - area if _turned(sweep) else area


def _proc_limit(side: int) -> Callable[[Sweep], float]:
    def limit(sweep: Sweep) -> float:
        reach = normal_quantile(0.95) * math.sqrt(delong(sweep).total)
        return min(1.0, max(0.0, _proc_auc(sweep) + side * reach))

    return limit


def _area(function: Callable[[Any, Any], float]) -> Callable[[Sweep], float]:
    def area(sweep: Sweep) -> float:
        run = Running.of_sweep(sweep)
        return function(run.tp, run.fp)

    return area


# --------------------------------------------------------------------------------------------------- tools

PAIRS = Note("pairs", "share of pairs in the right order, ties half", "次序正确的样本对所占比例，同分计一半")
STEP = Note("step", "average precision: precision at each positive's cut", "平均查准率：各正例处的查准率取平均")
LINES = Note(
    "trapezoid", "lines through all points and (recall 0, precision 1)", "经过所有点和（查全率 0，查准率 1）的折线"
)
LEVEL = Note("lower-trapezoid", "lines through all points, level before the first", "经过所有点的折线，首点之前水平")
CURVED = Note("davis-goadrich", "TP and FP grow in proportion between points", "两点之间 TP 与 FP 按比例增长")
STEPS = Note(
    "davis-goadrich-steps", "that curve at every whole positive, lines between", "在每个整数正例处取该曲线，其间为直线"
)
UPPER = Note(
    "rocr", "lines through the highest precision of each recall; points put between large steps, out of order",
    "各查全率处最高查准率连成的折线；较大的台阶间插入的点次序有误",
)  # fmt: skip
TURNED = Note(
    "pairs-turned", "as pairs; turned round if positives have the lower median", "同样本对比例；若正例中位数较低则取反"
)
WALD = Note("delong", "Wald interval with DeLong's variance, cut at 0 and 1", "DeLong 方差的 Wald 区间，截断于 0 和 1")
NEARLY = Note(
    "davis-goadrich-grid",
    "as Davis & Goadrich, to about 1e-5, on a grid of recalls",
    "同 Davis 与 Goadrich，在查全率网格上计算，精确到约 1e-5",
)
BINNED_ROC = Note("binned-roc", "lines between cuts at 200 thresholds", "200 个阈值处的点连成的折线")
BINNED_PR = Note("binned-davis-goadrich", "Davis & Goadrich between cuts at 200 thresholds",
                 "200 个阈值之间按 Davis 与 Goadrich 插值")  # fmt: skip

TOOLS: tuple[Entry, ...] = (
    Entry("scikit-learn", "1.9.1", "roc_auc_score", PAIRS, _roc_auc),
    Entry("scikit-learn", "1.9.1", "average_precision_score", STEP, _average_precision),
    Entry("scikit-learn", "1.9.1", "auc(recall, precision)", LINES, _area(trapezoid)),
    Entry("pROC", "1.18.0", "roc_auc", TURNED, _proc_auc, weights=False),
    Entry("pROC", "1.18.0", "ci_low", WALD, _proc_limit(-1), weights=False),
    Entry("pROC", "1.18.0", "ci_high", WALD, _proc_limit(1), weights=False),
    Entry("ROCR", "1.0.11", "roc_auc", PAIRS, _roc_auc, weights=False),
    Entry("ROCR", "1.0.11", "pr_auc", UPPER, lambda sweep: rocr_pr_auc(Running.of_sweep(sweep)), weights=False),
    Entry("PRROC", "1.4", "roc_auc", PAIRS, _roc_auc, weights=False),
    Entry("PRROC", "1.4", "auc_integral", CURVED, lambda sweep: interpolated(Running.of_sweep(sweep)), weights=False),
    Entry("PRROC", "1.4", "auc_davis_goadrich", STEPS, _area(davis_goadrich_steps), weights=False),
    Entry("precrec", "0.14.4", "roc_auc", PAIRS, _roc_auc, weights=False),
    Entry("precrec", "0.14.4", "pr_auc", NEARLY, lambda sweep: interpolated(Running.of_sweep(sweep)), weights=False),
    Entry("XGBoost", "3.2.0", "auc", PAIRS, lambda sweep: _single(sweep).roc_auc()),
    Entry("XGBoost", "3.2.0", "aucpr", CURVED, lambda sweep: interpolated(_single(sweep))),
    Entry("Spark", "4.3.0", "areaUnderROC", PAIRS, _roc_auc, distinct=MOST_OF_SPARK),
    Entry("Spark", "4.3.0", "areaUnderPR", LEVEL, _area(lower_trapezoid), distinct=MOST_OF_SPARK),
    Entry("Keras", "3.15.1", "AUC(curve='ROC')", BINNED_ROC, lambda sweep: at_thresholds(sweep).roc_auc(),
          probabilities=True),
    Entry("Keras", "3.15.1", "AUC(curve='PR')", BINNED_PR, lambda sweep: interpolated(at_thresholds(sweep)),
          probabilities=True),
)  # fmt: skip
