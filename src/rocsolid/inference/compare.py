"""Comparison of models: difference, interval and test; two models, or all pairs of several.

The interval joins those of the two models (MOVER), so that it does not collapse where both models separate the sample;
the p value comes from the difference over its standard error. They are different statistics, and in small samples they
may disagree about 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from rocsolid.comparisons import Comparison, Comparisons, Omnibus
from rocsolid.errors import NotAvailableError, OptionError, UndefinedMeasureError
from rocsolid.inference import effective_error as ee
from rocsolid.inference import limits as lim
from rocsolid.inference.contrast import Panel, Subject, panel, unpaired
from rocsolid.inference.difference_tests import METHODS, RESAMPLING
from rocsolid.inference.estimates import estimate
from rocsolid.inference.fold_contrast import fold_panel
from rocsolid.inference.folds import fold_estimate, split
from rocsolid.inference.multiplicity import ADJUSTMENTS, adjusted
from rocsolid.inference.pairing import common_rows
from rocsolid.inference.pairs import Pair, Terms, Verdict
from rocsolid.inference.positive_labels import check_positive_labels
from rocsolid.inference.remarks import dropped_rows, remarks_on, with_notes
from rocsolid.inference.seeds import resampling
from rocsolid.inference.tails import ALTERNATIVES, chi_square_tail
from rocsolid.measures.ranking import AVERAGE_PRECISION
from rocsolid.measures.registry import Request
from rocsolid.options import Margins, check_choice, check_level, check_number
from rocsolid.results import Estimate, Interval, Note

WITHIN_FOLDS = ("influence-t", "mover", "influence", "delong")
"""Tests that look at influences and limits alone, which fold after fold can give."""

FEW_APART = 10
"""So many rows that tell two models apart can hardly show a difference."""

BOTH_PERFECT = Note(
    "both-perfect",
    "both models reach the best possible value: the sample can not tell them apart",
    "两个模型都达到了可能的最优值：该样本无法区分它们",
)
NO_LIMITS = Note(
    "no-interval",
    "no interval of the difference: one of the models has none here, or the difference shows no variation",
    "差值没有区间：其中一个模型在此没有区间，或差值没有变化",
)
UNPAIRED = Note(
    "unpaired",
    "taken as two independent samples",
    "视为两个独立样本",
)


def check_terms(
    *, method: str, paired: bool, alternative: str, margin: object, confidence_level: object, margins: Margins,
    n_resamples: object, rng: object,
) -> Terms:  # fmt: skip
    """Check the options of a comparison.

    Raises
    ------
    OptionError, UnknownNameError
        For a bad or ineffective option.
    """
    name = next(iter(METHODS)) if method == "auto" else check_choice("method", method, ("auto", *METHODS))
    check_choice("alternative", alternative, ALTERNATIVES)
    if not isinstance(paired, bool):
        raise OptionError("paired", paired, "True or False", "paired=True")
    drawn = name in RESAMPLING
    for option, value in (("n_resamples", n_resamples), ("rng", rng)):
        if value is not None and not drawn:
            raise OptionError(
                option, value, f"left out for method {method!r}, which draws nothing", "method='bootstrap'"
            )
    if margin is not None:
        number = check_number("margin", margin)
        if not (math.isfinite(number) and number > 0):
            raise OptionError("margin", margin, "a number above 0", "margin=0.02")
        if name in ("permutation", "venkatraman"):
            raise OptionError(
                "margin", margin, f"left out for method {method!r}, whose null is no difference", "method='auto'"
            )
    return Terms(
        method=name, paired=paired, alternative=alternative, margin=None if margin is None else float(number),
        level=check_level(confidence_level), margins=margins, draws=resampling(n_resamples, rng) if drawn else None,
    )  # fmt: skip


def compare(
    request: Request, subjects: Sequence[Subject], terms: Terms, adjust: str = "holm"
) -> Comparison | Comparisons:
    """Compare two models, or all pairs of more.

    Raises
    ------
    OptionError
        With fewer than two models, or a measure without a gradient.
    UndefinedMeasureError
        If a model has no (finite) value.
    """
    check_choice("adjust", adjust, ADJUSTMENTS)
    if len(subjects) < 2:
        raise OptionError("models", [s.name for s in subjects], "two models or more", "{'a': s1, 'b': s2}")
    if request.measure.gradient is None:
        raise OptionError("measure", request.spec, "a measure with a standard error", "measure='roc_auc'")
    if terms.method in ("delong", "hanley-mcneil"):
        _check_classical(request, subjects, terms.method)
    if terms.method in RESAMPLING and len({subject.sweep.higher_is_positive for subject in subjects}) > 1:
        expected = "one that draws nothing: high scores are the positive sign of one model, low ones of another"
        raise OptionError("method", terms.method, expected, "method='auto'")
    _check_folds(subjects, terms)
    remarks, dropped = check_positive_labels(subjects), 0
    if terms.paired:
        subjects, dropped = common_rows(subjects)
    found = [_estimate(request, subject, terms) for subject in subjects]
    joint = _panel(request, subjects, found, terms) if terms.paired else None
    level = terms.two_sided_level
    if level <= 0:
        expected, hint = "above 0.5 for a one-sided interval", "confidence_level=0.95"
        raise OptionError("confidence_level", terms.level, expected, hint)
    limits = [_limits(request, subject, one, terms, level) for subject, one in zip(subjects, found, strict=True)]
    rows = [_row(request, subjects, found, limits, joint, ab, terms) for ab in combinations(range(len(subjects)), 2)]
    if dropped:
        remarks = (*remarks, dropped_rows(dropped))
    rows = [replace(row, notes=(*row.notes, *remarks)) for row in rows]
    if len(subjects) == 2:
        return rows[0]
    ps = adjusted([row.pvalue for row in rows], adjust)
    return Comparisons(
        rows=tuple(replace(row, adjusted_pvalue=p, details=dict(row.details)) for row, p in zip(rows, ps, strict=True)),
        omnibus=None if joint is None else _omnibus(joint, [e.value for e in found]),
        estimates=tuple(found),
        adjust=adjust,
    )


def _check_folds(subjects: Sequence[Subject], terms: Terms) -> None:
    if all(subject.rows is None or subject.rows.fold is None for subject in subjects):
        return
    if not terms.paired:
        raise NotAvailableError("unpaired comparison with folds", "models of the same folds are paired: paired=True")
    if terms.method not in WITHIN_FOLDS:
        raise NotAvailableError(f"method={terms.method!r} with folds", f"one of {', '.join(WITHIN_FOLDS)}")


def _measured(request: Request, subject: Subject, terms: Terms, level: float) -> Estimate:
    """One model's own estimate: over its folds, if it has any."""
    rows = subject.rows
    if rows is None or rows.fold is None:
        return estimate(request, subject.sweep, confidence_level=level, margins=terms.margins, rows=rows)
    folds = split(rows, higher_is_positive=subject.sweep.higher_is_positive)
    return fold_estimate(request, folds, rows.fold_names, confidence_level=level, margins=terms.margins)


def _estimate(request: Request, subject: Subject, terms: Terms) -> Estimate:
    found = _measured(request, subject, terms, terms.level)
    if not math.isfinite(found.value):
        reason = f"it is {found.value} for model {subject.name!r}, and infinite values have no difference"
        raise UndefinedMeasureError(request.spec, reason)
    return with_notes(found, remarks_on(subject.sweep, found, margins=terms.margins), subject.name)


def _panel(request: Request, subjects: Sequence[Subject], found: Sequence[Estimate], terms: Terms) -> Panel:
    rows = subjects[0].rows
    if rows is not None and rows.fold is not None:
        return fold_panel(request, subjects, terms.margins)
    return panel(request, subjects, [e.value for e in found], terms.margins)


def _check_classical(request: Request, subjects: Sequence[Subject], method: str) -> None:
    if request.measure.name != "roc_auc":
        raise OptionError("method", method, f"one that suits {request.spec}: this is of ROC-AUC", "method='auto'")
    if any(subject.rows is not None and subject.rows.cluster is not None for subject in subjects):
        raise OptionError("method", method, "one for clustered rows: this takes rows as independent", "method='auto'")


def _limits(request: Request, subject: Subject, found: Estimate, terms: Terms, level: float) -> lim.Limits | None:
    """Limits of one model at a two-sided level, as the interval of a difference needs them."""
    entry, rows = request.measure, subject.rows
    plain = rows is None or (rows.cluster is None and rows.fold is None)
    if entry is AVERAGE_PRECISION and request.options.prevalence is None and plain:
        assert entry.gradient is not None
        gradient, prior = entry.gradient(subject.sweep, request.options), ee.AP_DIFFERENCE_PRIOR
        u = ee.precision_rows(subject.sweep)
        return ee.ap_limits(found.value, u, gradient, subject.sweep, terms.margins, level, prior)
    if level != terms.level:
        found = _measured(request, subject, terms, level)
    return None if found.interval is None else (found.interval.low, found.interval.high)


def _row(
    request: Request, subjects: Sequence[Subject], found: Sequence[Estimate], limits: Sequence[lim.Limits | None],
    joint: Panel | None, pair: tuple[int, int], terms: Terms,
) -> Comparison:  # fmt: skip
    a, b = pair
    both, values = (subjects[a], subjects[b]), (found[a].value, found[b].value)
    contrast = unpaired(request, *both, values, terms.margins) if joint is None else joint.contrast(a, b)

    def limits_at(level: float) -> tuple[lim.Limits | None, lim.Limits | None]:
        first, second = (_limits(request, subjects[k], found[k], terms, level) for k in pair)
        return first, second

    case = Pair(request, both, (found[a], found[b]), (limits[a], limits[b]), limits_at, contrast, terms)
    verdict = METHODS[terms.method](case)
    interval = None
    if verdict.limits is not None:
        low, high = _within_range(verdict.limits, case)
        interval = Interval(low=low, high=high, confidence_level=terms.level, method=verdict.interval_method)
    return Comparison(
        measure=request.spec, names=(both[0].name, both[1].name), difference=contrast.difference, interval=interval,
        statistic=verdict.statistic, df=verdict.df, pvalue=verdict.p.p, log10_pvalue=verdict.p.log10,
        method=terms.method, alternative=terms.alternative, margin=terms.margin, paired=terms.paired,
        std_error=_std_error(verdict, case), estimates=case.estimates,
        correlation=contrast.rho if terms.paired else None, details=verdict.details,
        notes=(*verdict.notes, *(() if interval is not None else (NO_LIMITS,)), *_remarks(case)),
    )  # fmt: skip


def _std_error(verdict: Verdict, case: Pair) -> float | None:
    se = case.se if verdict.std_error is None else verdict.std_error
    return None if math.isnan(se) else se


def _within_range(limits: lim.Limits, case: Pair) -> lim.Limits:
    """One-sided alternatives have one limit; nothing lies beyond the largest difference that there can be."""
    low, high = case.request.range
    widest = high - low
    first, last = max(limits[0], -widest), min(limits[1], widest)
    if case.terms.alternative == "greater":
        last = widest
    elif case.terms.alternative == "less":
        first = -widest
    return min(first, case.contrast.difference), max(last, case.contrast.difference)


def _omnibus(joint: Panel, values: Sequence[float]) -> Omnibus | None:
    """Wald's chi-square that all values are alike; for ROC-AUC that of DeLong, DeLong & Clarke-Pearson 1988."""
    c = joint.matrix()
    if np.isnan(c).any():
        return None
    k = len(values)
    contrasts = np.column_stack([np.ones(k - 1), -np.eye(k - 1)])
    d, spread = contrasts @ np.asarray(values), contrasts @ c @ contrasts.T
    rank = int(np.linalg.matrix_rank(spread, hermitian=True)) if spread.any() else 0
    statistic = float(d @ np.linalg.pinv(spread, hermitian=True) @ d) if rank else 0.0
    p = chi_square_tail(statistic, rank)
    return Omnibus(statistic=statistic, df=rank, pvalue=p.p, log10_pvalue=p.log10, method="wald")


def _remarks(case: Pair) -> tuple[Note, ...]:
    notes = [] if case.terms.paired else [UNPAIRED]
    entry, apart = case.request.measure, case.contrast.rows_apart
    best = entry.target if entry.better == "target" else case.request.range[int(entry.better == "higher")]
    if all(found.value == best for found in case.estimates):
        notes.append(BOTH_PERFECT)
    elif apart is not None and 0 < apart < FEW_APART:
        notes.append(
            Note(
                "low-power",
                f"only {apart} row{'s tell' if apart != 1 else ' tells'} the models apart: too few for a difference",
                f"只有 {apart} 行能区分两个模型：几乎不可能显示出差异",
            )
        )
    seen = {
        note.code: note for found in case.estimates for note in found.notes if note.code in ("few-rows", "few-scores")
    }
    return (*notes, *seen.values())
