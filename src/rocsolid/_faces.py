"""The one place where lower layers reach up: each function imports its face when it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocsolid.comparisons import Comparison, Comparisons
    from rocsolid.decisions import OperatingPoint
    from rocsolid.evaluation import Evaluation
    from rocsolid.grouped import GroupedEvaluation
    from rocsolid.report.inline import InlineReport
    from rocsolid.results import Estimate
    from rocsolid.sweep import Sweep


def frame(columns: Mapping[str, Any], backend: str) -> Any:
    """Build a data frame; see :mod:`rocsolid.sources.frames`."""
    from rocsolid.sources.frames import build

    return build(columns, backend)


def save_sweep(sweep: Sweep, path: str | Path) -> None:
    """Write a sweep to a file; see :mod:`rocsolid.sources.arrow`."""
    from rocsolid.sources.arrow import save

    save(sweep, path)


def load_sweep(path: str | Path) -> Sweep:
    """Read a sweep from a file; see :mod:`rocsolid.sources.arrow`."""
    from rocsolid.sources.arrow import load

    return load(path)


def by_groups(evaluation: Evaluation, groups: Any, min_rows: int) -> GroupedEvaluation:
    """Evaluate a model group by group; see :mod:`rocsolid.grouped`."""
    from rocsolid.grouped import GroupedEvaluation

    return GroupedEvaluation(evaluation, groups, min_rows=min_rows)


def plot_curve(curve: Any, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
    """Draw a curve; see :mod:`rocsolid.plot`."""
    from rocsolid import plot

    return plot.draw(curve, ax=ax, name=name, lang=lang)


def plot_panels(
    models: Mapping[str, Evaluation],
    curves: Sequence[str] | None,
    *,
    band: str | None,
    scales: Mapping[str, str] | None,
    columns: int | None,
    title: str | None,
    lang: str,
) -> Any:
    """Draw several curves in one figure; see :func:`rocsolid.plot.panels`."""
    from rocsolid.plot import panels

    return panels(models, curves, band=band, scales=scales, columns=columns, title=title, lang=lang)


def plot_forest(found: Comparison | Comparisons, *, ax: Any, lang: str) -> Any:
    """Draw differences of models; see :mod:`rocsolid.plot.forest`."""
    from rocsolid.plot import forest

    return forest(found, ax=ax, lang=lang)


def write_report(models: Mapping[str, Evaluation], path: str | Path, title: str | None = None) -> Path:
    """Write the HTML page; see :mod:`rocsolid.report`."""
    from rocsolid import report
    from rocsolid.evaluations import Evaluations

    return report.write(Evaluations(models), path, title=title)


def inline_report(models: Mapping[str, Evaluation], title: str | None = None) -> InlineReport:
    """Make the HTML page for a notebook; see :mod:`rocsolid.report.inline`."""
    from rocsolid.evaluations import Evaluations
    from rocsolid.report.inline import inline

    return inline(Evaluations(models), title=title)


def sentence(estimate: Estimate, lang: str) -> str:
    """Word an estimate; see :mod:`rocsolid.report.sentences`."""
    from rocsolid.report import sentences

    return sentences.sentence(estimate, lang)


def cell(estimate: Estimate, form: str) -> str:
    """Write an estimate as a cell; see :mod:`rocsolid.report.sentences`."""
    from rocsolid.report import sentences

    return sentences.cell(estimate, form)


def judge_point(
    point: OperatingPoint,
    y_true: Any,
    y_score: Any,
    *,
    pos_label: object,
    sample_weight: Any,
    cluster: Any,
    missing: str,
    confidence_level: float | None,
    name: str | None,
) -> OperatingPoint:
    """Judge an operating point on other rows; see :func:`rocsolid.evaluate`."""
    from rocsolid.functions import evaluate

    told = point.recall.pos_label if pos_label is None else pos_label
    held = next((rate.interval.confidence_level for rate in point.rates if rate.interval is not None), 0.95)
    evaluation = evaluate(
        y_true, y_score, pos_label=told, sample_weight=sample_weight, cluster=cluster, missing=missing, name=name,
        confidence_level=held if confidence_level is None else confidence_level,
        higher_is_positive=point.higher_is_positive,
    )  # fmt: skip
    return evaluation.judged(point)
