"""One plain dictionary that holds all a report says; every renderer reads it and nothing else.

Numbers come from the estimates and from counts at true cuts. What only the page needs lies apart, under ``"curves"``,
and can be left out. The JSON schema is ``summary.schema.json`` in this folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rocsolid import _kernel
from rocsolid.errors import ProbabilityError, UndefinedMeasureError
from rocsolid.evaluation import Evaluation, Spec
from rocsolid.evaluations import Evaluations
from rocsolid.inference import WARNED
from rocsolid.measures import Request, compute, find
from rocsolid.measures.ranking import prevalence
from rocsolid.report import methods
from rocsolid.report.crossings import crossings
from rocsolid.report.curves import curves as curves_of
from rocsolid.report.differences import differences
from rocsolid.report.verdict import verdict
from rocsolid.results import Estimate, Note, Undefined
from rocsolid.values import plain

SCHEMA = "rocsolid.summary/2"


def summarise(
    evaluations: Evaluations,
    *,
    measures: Sequence[Spec] | None = None,
    title: str | None = None,
    source: str | None = None,
    command: str | None = None,
    curves: bool = True,
    bands: bool = False,
    comparisons: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Collect what a report says about some models.

    Parameters
    ----------
    evaluations : the models.
    measures : specs; by default those of ``Evaluation.table()``.
    title, source, command : what to print as the title, where the data come from, and what was typed.
    curves : whether to add the cuts and scalars that the page draws and explores.
    bands : whether to add confidence bands of the ROC curves to them, which takes half a second a model.
    comparisons : entries of :func:`rocsolid.report.differences.entry`; by default all pairs by those of ROC-AUC and
        average precision that are among the measures.

    Returns
    -------
    A dictionary of plain values (``rocsolid.summary/2``): ``data``, ``models`` with their ``estimates``,
    ``comparisons``, ``crossings``, ``verdict``, ``notes``, ``methods`` and ``curves``. Texts for people are
    ``{"en": ..., "zh": ...}``. An entry of ``estimates`` is ``Estimate.to_dict()``, under that schema, with further
    keys beside: ``family``, ``title``, ``better``, ``chance``, ``notes_i18n`` and ``undefined_i18n``.

    Raises
    ------
    UndefinedMeasureError
        If a model has rows of one class only: there is nothing to report.
    UnknownNameError, OptionError
        For measures that do not exist.

    Notes
    -----
    O(k) a model and measure, O(n log n) a model for the comparisons; the size of the result does not depend on the
    number of rows.
    """
    for name, member in evaluations.items():
        _need_both_classes(name, member)
    pairs = {name: _estimates(member, measures) for name, member in evaluations.items()}
    models = [_model(name, member, pairs[name]) for name, member in evaluations.items()]
    data = _data(evaluations)
    compared = differences(evaluations, measures) if comparisons is None else comparisons
    return {
        "schema": SCHEMA,
        "rocsolid": _kernel.__version__,
        "title": title,
        "source": source,
        "command": command,
        "data": data,
        "models": models,
        "comparisons": compared,
        "crossings": crossings(evaluations) if curves else [],
        "verdict": verdict(models, compared, data),
        "notes": _notes(pairs),
        "methods": [*_methods(pairs), *methods.comparisons(compared)],
        "curves": curves_of(evaluations, bands=bands) if curves else None,
    }


def _need_both_classes(name: str, member: Evaluation) -> None:
    sweep = member.sweep
    for kind, n in (("positive", sweep.n_pos), ("negative", sweep.n_neg)):
        if n == 0:
            raise UndefinedMeasureError(
                f"evaluation of {name}",
                f"there is no {kind} row ({sweep.n_pos:,} positive, {sweep.n_neg:,} negative; "
                f"positive: {sweep.pos_label!r})",
                "check the labels and pos_label: both classes are needed",
            )


# ---------------------------------------------------------------------------------------------- header


def _data(evaluations: Evaluations) -> dict[str, Any]:
    """Facts on the rows; those that differ between models are ``None`` here and stand beside each model."""
    members = list(evaluations.values())

    def common(fact: Callable[[Evaluation], Any]) -> Any:
        values = [fact(member) for member in members]
        return values[0] if all(v == values[0] for v in values) else None

    return {
        "pos_label": common(lambda m: plain(m.pos_label)),
        "higher_is_positive": common(lambda m: m.sweep.higher_is_positive),
        "confidence_level": common(lambda m: m.confidence_level),
        "weighted": common(lambda m: m.sweep.weights is not None),
        "n": common(lambda m: m.sweep.sizes.n),
        "n_pos": common(lambda m: m.sweep.n_pos),
        "n_neg": common(lambda m: m.sweep.n_neg),
        "effective_pos": common(lambda m: m.sweep.sizes.effective_pos),
        "effective_neg": common(lambda m: m.sweep.sizes.effective_neg),
        "n_clusters": common(lambda m: m.n_clusters),
        "n_folds": common(lambda m: m.n_folds),
        "prevalence": common(lambda m: prevalence(m.sweep)),
        "dropped": common(lambda m: m.n_dropped),
        "hash": _hash(members),
    }


def _hash(members: list[Evaluation]) -> str:
    """Name the data: the same rows in any order have the same name, and other scores or labels another one. O(k)."""
    digest = hashlib.sha256()
    for member in members:
        sweep = member.sweep
        text = sweep.scores.dtype.kind == "O"
        scores = "\n".join(map(str, sweep.scores)).encode() if text else np.ascontiguousarray(sweep.scores).tobytes()
        arrays = (sweep.pos, sweep.neg, *(sweep.weights.arrays if sweep.weights is not None else ()))
        for part in (scores, *(np.ascontiguousarray(a).tobytes() for a in arrays)):
            digest.update(part)
    return digest.hexdigest()[:16]


def _model(name: str, member: Evaluation, estimates: list[tuple[Request, Estimate]]) -> dict[str, Any]:
    sweep = member.sweep
    ends = sorted((sweep.scores[0], sweep.scores[-1]))
    tied = next((e.details.get("tie_share") for _, e in estimates if "tie_share" in e.details), None)
    return {
        "name": name,
        "n": sweep.sizes.n,
        "n_pos": sweep.n_pos,
        "n_neg": sweep.n_neg,
        "prevalence": prevalence(sweep),
        "dropped": member.n_dropped,
        "distinct_scores": len(sweep),
        "lowest_score": plain(ends[0]),
        "highest_score": plain(ends[1]),
        "tied_pairs_share": tied,
        "estimates": [_estimate(request, found, member) for request, found in estimates],
    }


# ------------------------------------------------------------------------------------------- estimates


def _estimates(member: Evaluation, measures: Sequence[Spec] | None) -> list[tuple[Request, Estimate]]:
    return [(find(row.measure), row) for row in member.table(measures)]


def _estimate(request: Request, found: Estimate, member: Evaluation) -> dict[str, Any]:
    entry = request.measure
    asked = _asked(request, member)
    return {
        "family": entry.name,
        "title": {"en": " · ".join([entry.title, *asked]), "zh": " · ".join([entry.title_zh, *asked])},
        "better": entry.better,
        "chance": _chance(request, found, member),
        "notes_i18n": [{"code": note.code, "en": note.en, "zh": note.zh} for note in found.notes],
        "undefined_i18n": None if found.undefined is None else _reason(request, found, member),
        **found.to_dict(),  # last: what has one of its names is what the estimate says, under its schema
    }


def _chance(request: Request, found: Estimate, member: Evaluation) -> float | None:
    chance = request.measure.chance
    return None if chance is None or found.undefined is not None else chance(member.sweep, request.options)


def _asked(request: Request, member: Evaluation) -> list[str]:
    """The options that a title must name: the rule of a cut, and what else was asked for, as typed."""
    threshold = getattr(request.options, "threshold", None)
    rule = [] if threshold is None else [member.sweep.rule(threshold)]
    inside = request.spec.partition("(")[2].removesuffix(")")
    others = [part for part in inside.split(", ") if part and not part.startswith("threshold=")]
    return [*rule, *([", ".join(others)] if others else [])]


def _reason(request: Request, found: Estimate, member: Evaluation) -> dict[str, str]:
    """Say in both languages why there is no value."""
    try:
        value = compute(request, member.sweep)
    except ProbabilityError as error:
        return {"en": error.message, "zh": f"需要 [0, 1] 内的概率，而得分在 {error.low:g} 到 {error.high:g} 之间"}
    if isinstance(value, Undefined):
        return {"en": value.reason.en, "zh": value.reason.zh}
    reason = found.undefined.en if found.undefined is not None else ""
    return {"en": reason, "zh": f"区间无法求得（{reason}）"}


def _notes(pairs: Mapping[str, list[tuple[Request, Estimate]]]) -> list[dict[str, Any]]:
    """Each distinct remark once, with the models and measures that it belongs to."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for name, estimates in pairs.items():
        for request, row in estimates:
            for note in row.notes:
                entry = found.setdefault((note.code, note.en), _note(note, request))
                entry["models"] += [name] if name not in entry["models"] else []
                entry["measures"] += [request.spec] if request.spec not in entry["measures"] else []
    return list(found.values())


def _note(note: Note, request: Request) -> dict[str, Any]:
    """A remark as a dictionary; one that begins with the measure's name gets its title instead."""
    entry, texts = request.measure, {"en": note.en, "zh": note.zh}
    for language, title in (("en", entry.title), ("zh", entry.title_zh)):
        if texts[language].startswith(f"{entry.name} "):
            gap = " " if language == "en" else ""
            texts[language] = f"{title}{gap}{texts[language].removeprefix(entry.name).lstrip()}"
    return {"code": note.code, "warning": note.code in WARNED, "models": [], "measures": [], **texts}


def _methods(pairs: Mapping[str, list[tuple[Request, Estimate]]]) -> list[dict[str, Any]]:
    """Each measure once: what it is, where it comes from, how its interval is made."""
    rows = [pair for estimates in pairs.values() for pair in estimates]
    entries: dict[str, dict[str, Any]] = {}
    for request, row in rows:
        entry = request.measure
        known = entries.setdefault(
            entry.name,
            {
                "measure": entry.name,
                "title": {"en": entry.title, "zh": entry.title_zh},
                "definition": methods.definition(entry),
                "source": entry.source,
                "interval": None,
            },
        )
        if known["interval"] is None:
            known["interval"] = methods.interval(entry.name, row.method)
    return list(entries.values())
