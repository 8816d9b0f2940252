"""Comparisons as the summary holds them: every pair of models, with the test and the interval of the difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from rocsolid.comparisons import Comparison, Comparisons
from rocsolid.errors import NotAvailableError, OptionError, UndefinedMeasureError
from rocsolid.evaluation import Evaluation, Spec
from rocsolid.measures import Request, find

COMPARED = ("roc_auc", "average_precision")
"""What a report compares unasked."""
MOST_MODELS = 8
"""A report compares all pairs of so many models; more make a table that nobody reads, and p values that hide a lot."""

Both = dict[str, str]
ALTERNATIVES_ZH = {"two-sided": "双侧", "greater": "单侧，大于", "less": "单侧，小于"}


def differences(evaluations: Any, measures: Sequence[Spec] | None) -> list[dict[str, Any]]:
    """Compare all pairs by those of ROC-AUC and average precision that a report is about. O(k n log n + k^2 n).

    Models that can not be compared get an entry that says why, in both languages.
    """
    if len(evaluations) < 2:
        return []
    asked = [find(spec) for spec in (COMPARED if measures is None else measures)]
    chosen = {request.spec: request for request in asked if request.spec in COMPARED}
    return [_compared(evaluations, request) for request in chosen.values()]


def _compared(evaluations: Any, request: Request) -> dict[str, Any]:
    k = len(evaluations)
    if k > MOST_MODELS:
        pairs = k * (k - 1) // 2
        return _blank(request) | {"unavailable": {
            "en": f"{k} models make {pairs} pairs; compare those that matter with rocsolid compare or rs.compare",
            "zh": f"{k} 个模型共有 {pairs} 对；请用 rocsolid compare 或 rs.compare 比较其中真正关心的几个",
        }}  # fmt: skip
    try:
        return entry(request, evaluations.compare(measure=request))
    except (OptionError, NotAvailableError, UndefinedMeasureError) as error:
        return _blank(request) | {"unavailable": _why_not(evaluations, error)}


def _why_not(evaluations: Mapping[str, Evaluation], error: Exception) -> Both:
    if isinstance(error, NotAvailableError):
        return {"en": "over cross-validation folds it has no comparison", "zh": "该指标没有跨交叉验证折的比较方法"}
    if isinstance(error, UndefinedMeasureError):
        return {"en": "the rows that all models have give it no value", "zh": "在所有模型共有的行上该指标没有值"}
    return {"en": "a paired comparison needs the rows of every model, the same ones in the same order",
            "zh": "配对比较需要每个模型的逐行数据，且各行及其顺序相同"}  # fmt: skip


def _blank(request: Request) -> dict[str, Any]:
    title, options = request.measure, request.spec.removeprefix(request.measure.name)
    return {
        "measure": request.spec,
        "family": request.measure.name,
        "title": {"en": title.title + options, "zh": title.title_zh + options},
        "better": request.measure.better,
        "hypothesis": None,
        "adjust": None,
        "omnibus": None,
        "pairs": [],
        "unavailable": None,
    }


def entry(request: Request, found: Comparison | Comparisons) -> dict[str, Any]:
    """Give one measure's comparisons as plain values.

    Every pair has the keys and values of ``Comparison.to_dict()`` (numbers that are not finite become ``None``), with
    ``notes_i18n`` beside.
    """
    rows = found.rows if isinstance(found, Comparisons) else (found,)
    omnibus = found.omnibus if isinstance(found, Comparisons) else None
    return _blank(request) | {
        "hypothesis": _hypothesis(rows[0]),
        "adjust": found.adjust if isinstance(found, Comparisons) else None,
        "omnibus": None if omnibus is None else _finite(omnibus.to_dict()),
        "pairs": [_pair(row) for row in rows],
    }


def _pair(row: Comparison) -> dict[str, Any]:
    notes = [{"code": note.code, "en": note.en, "zh": note.zh} for note in row.notes]
    return {**_finite(row.to_dict()), "notes_i18n": notes}


def _finite(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in values.items()}


def _hypothesis(row: Comparison) -> Both:
    """The test and what a small p value speaks for."""
    if row.margin is None:
        zh = ALTERNATIVES_ZH[row.alternative]
    elif row.alternative == "two-sided":
        zh = f"等效性，界值 {row.margin:g}"
    else:
        zh = f"{ALTERNATIVES_ZH[row.alternative]}，非劣效性，界值 {row.margin:g}"
    return {"en": row.hypothesis, "zh": f"{row.method}，{zh}"}


def distinct_notes(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Each remark of one measure's comparisons once, with the pairs that it belongs to."""
    notes: dict[str, dict[str, Any]] = {}
    for pair, note in chain.from_iterable(((pair, note) for note in pair["notes_i18n"]) for pair in found["pairs"]):
        known = notes.setdefault(note["en"], {**note, "pairs": []})
        known["pairs"].append(pair["models"])
    return list(notes.values())
