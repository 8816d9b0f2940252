"""The part of a summary that the pictures and controls of a page read: a table of true cuts a model, and exact scalars.

Every kept point is a cut of the data, with its threshold and its counts; rates follow by one division. What is a sum
over all points, such as average precision at another prevalence, is computed here, from the whole sweep.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.curves.points import from_zero, thresholds
from rocsolid.curves.simplified import kept_vertices
from rocsolid.evaluation import Evaluation
from rocsolid.measures.hull import hull_of
from rocsolid.measures.ranking import prevalence
from rocsolid.options import unboxed
from rocsolid.report.roc_bands import roc_bands
from rocsolid.report.scales import Floats, probit_range
from rocsolid.report.scores import decision_curves, distribution, reliability
from rocsolid.results import Estimate
from rocsolid.sweep import Sweep

STOPS = 61
"""Positions of the sliders of prevalence and of the cost ratio."""
RATES = ("recall", "specificity", "precision", "f1")
Stops = dict[str, list[Any]]


def curves(evaluations: Mapping[str, Evaluation], *, bands: bool = False) -> dict[str, Any]:
    """Collect the cuts, the positions of the sliders and what belongs to them.

    Returns
    -------
    ``stops`` of the operating point by linking rule, of the ``prevalence`` and of the ``cost_ratio`` (what a miss costs
    as a multiple of a false alarm); ``start``, the first operating point; ``axes``; ``decision``, or ``None`` where not
    all scores are probabilities; and ``models``, whose ``thresholds``, ``tp`` and ``fp`` are (p,) columns of one table,
    ``hull`` the rows of it that lie on the ROC hull, ``bands`` those of its ROC curve if they are asked for.

    Raises
    ------
    UndefinedMeasureError
        If a class has no row.

    Notes
    -----
    O(k) a model; the size of the result does not depend on k.
    """
    members = list(evaluations.values())
    own = prevalence(members[0].sweep)
    stops = rule_stops(members)
    prevalences = prevalence_stops(own)
    models = [
        _model(member, stops, prevalences, own) | {"bands": roc_bands(member) if bands else None} for member in members
    ]
    rates = [_rates(model) for model in models]
    low, high = probit_range([(fpr, 1 - tpr) for tpr, fpr in rates])
    least = min(float(fpr[fpr > 0].min()) for _, fpr in rates)
    return {
        "stops": stops,
        "prevalence": prevalences,
        "own_prevalence": own,
        "cost_ratio": [float(f"{ratio:.3g}") for ratio in np.geomspace(1e-3, 1e3, STOPS)],
        "start": {"rule": "flagged", "asked": own, "prevalence": own, "cost_ratio": 1.0},
        "axes": {"log_low": 10.0 ** min(-1, max(-9, math.floor(math.log10(least)))), "det_low": low, "det_high": high},
        "decision": decision_curves(members, own),
        "models": models,
    }


def prevalence_stops(own: float) -> list[float]:
    """Geometric steps up to 0.9, the nearest of them replaced by the prevalence of the data."""
    low = min(1e-3, 10.0 ** math.floor(math.log10(own)))
    stops = [float(f"{p:.3g}") for p in np.geomspace(low, 0.9, STOPS)]
    nearest = min(range(STOPS), key=lambda i: abs(math.log(stops[i] / own)))
    stops[nearest] = own
    return sorted(stops)


def rule_stops(members: list[Evaluation]) -> Stops:
    """Positions of the operating point, strict to lenient, by what links the models.

    FPR and flagged share in geometric steps, recall in steps of 1 %, scores at quantiles of all models together.
    """
    least = min(0.5 / member.sweep.n_neg for member in members)
    decade = 10.0 ** max(-6, math.floor(math.log10(least)) + 1)
    shares = sorted({0.0, *(float(f"{x:.2g}") for x in np.geomspace(min(decade, 0.01), 1, STOPS))})
    flagged = sorted({*shares, *(prevalence(member.sweep) for member in members)})
    return {
        "fpr": shares,
        "recall": [i / 100 for i in range(101)],
        "flagged": flagged,
        "score": _score_stops(members),
    }


def _score_stops(members: list[Evaluation]) -> list[Any]:
    """Round scores near quantiles of every model, close together at the strict end; some 60 in all."""
    each = max(5, STOPS // len(members))
    part = np.concatenate([np.geomspace(1e-4, 0.05, each // 3), np.linspace(0.06, 1, each - each // 3)])
    found: set[Any] = set()
    for member in members:
        sweep = member.sweep
        flagged = from_zero(sweep.pos_mass + sweep.neg_mass)[1:]
        rows = np.searchsorted(flagged, part * flagged[-1] * (1 - 1e-12)).clip(0, len(sweep) - 1)
        found |= {unboxed(sweep.scores[i]) for i in rows.tolist()}
    short = {float(f"{score:.4g}") if isinstance(score, float) else score for score in found if math.isfinite(score)}
    return [_score(score) for score in sorted(short, reverse=members[0].sweep.higher_is_positive)]


def _model(member: Evaluation, stops: Stops, prevalences: list[float], own: float) -> dict[str, Any]:
    sweep = member.sweep
    tp, fp = from_zero(sweep.pos_mass), from_zero(sweep.neg_mass)
    kept = kept_vertices(sweep, stops=sorted(_stop_points(sweep, stops, tp, fp)))
    cuts, on_hull = thresholds(sweep), set(hull_of(sweep).rows.tolist())
    scale, whole = _unit_of(sweep)
    weighed = np.float64 if not whole else np.int64
    independent = sweep.weights is None and member.n_clusters is None and member.n_folds is None
    return {
        "thresholds": [None if i == 0 else _score(unboxed(cuts[i])) for i in kept.tolist()],
        "tp": (tp[kept] * scale).astype(weighed).tolist(),
        "fp": (fp[kept] * scale).astype(weighed).tolist(),
        "hull": [j for j, i in enumerate(kept.tolist()) if i in on_hull],
        "intervals": independent,
        "average_precision": average_precisions(sweep, prevalences),
        "start": _start(member, own, intervals=independent),
        "distribution": distribution(sweep),
        "reliability": reliability(member),
    }


def _unit_of(sweep: Sweep) -> tuple[float, bool]:
    """What sums of weights are multiplied by to be those of the caller, and whether they are whole counts."""
    return (1.0, True) if sweep.weights is None else (2.0**sweep.weights.exponent, False)


def _score(score: Any) -> Any:
    """A threshold as JSON holds it: numbers as they are; infinities, decimals and what floats can not hold as text."""
    if isinstance(score, bool | int):
        return int(score) if abs(score) <= 2**53 else str(int(score))
    return float(score) if isinstance(score, float) and math.isfinite(score) else str(score)


def _stop_points(sweep: Sweep, stops: Stops, tp: Floats, fp: Floats) -> set[int]:
    """Points that the sliders lead to: the most recall within the limit of FPR, the most rows, the strictest recall."""
    flagged = tp + fp
    most = tp[np.searchsorted(fp / fp[-1], stops["fpr"], side="right") - 1]
    found = [
        np.searchsorted(tp, most, side="left"),
        np.searchsorted(tp / tp[-1], stops["recall"], side="left"),
        np.searchsorted(flagged / flagged[-1], stops["flagged"], side="right") - 1,
    ]
    scores = [s for s in stops["score"] if not isinstance(s, str)]
    return {int(i) for i in np.concatenate(found)} | {sweep.rows_selected(s) for s in scores}


def average_precisions(sweep: Sweep, prevalences: list[float]) -> list[float]:
    """Average precision at each prevalence, from all cuts of the sweep. O(prevalences k).

    At prevalence p the precision of a cut is p TPR / (p TPR + (1 - p) FPR), and each positive counts as much as ever.
    """
    gained = np.flatnonzero(sweep.pos_mass)
    tpr, fpr = ((mass / mass[-1])[gained] for mass in (np.cumsum(sweep.pos_mass), np.cumsum(sweep.neg_mass)))
    share = np.asarray(sweep.pos_mass, np.float64)[gained] / float(sweep.pos_mass.sum())
    return [float(np.sum(share * (p * tpr / (p * tpr + (1 - p) * fpr)))) for p in prevalences]


def _start(member: Evaluation, share: float, *, intervals: bool) -> dict[str, Any]:
    """The first operating point: as many rows flagged as there are positives, as ``Evaluation.at`` judges it."""
    point = member.at(flagged=share)
    return {
        "threshold": None if point.flagged == 0 else _score(unboxed(point.threshold)),
        "tp": point.tp, "fp": point.fp, "fn": point.fn, "tn": point.tn,
        "rates": {name: _rate(getattr(point, name), intervals=intervals) for name in RATES},
    }  # fmt: skip


def _rate(found: Estimate, *, intervals: bool) -> dict[str, float | None]:
    if found.undefined is not None:
        return {"value": None, "low": None, "high": None}
    limits = found.interval if intervals else None
    return {
        "value": found.value,
        "low": None if limits is None else limits.low,
        "high": None if limits is None else limits.high,
    }


def _rates(model: dict[str, Any]) -> tuple[Floats, npt.NDArray[np.float64]]:
    tp, fp = (np.asarray(model[key], np.float64) for key in ("tp", "fp"))
    return tp / tp[-1], fp / fp[-1]
