"""Precision, negative predictive value and F1 at a cut, at a prevalence other than the sample's.

With the true- and false-positive rates T and F of the sample and the prevalence pi given, the three are

    precision = pi T / (pi T + (1 - pi) F),    NPV = (1 - pi)(1 - F) / ((1 - pi)(1 - F) + pi (1 - T)),
    F1 = 2 pi T / (pi (1 + T) + (1 - pi) F).

Counts are weighed by whole numbers, so that each value is an exact ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.measures.ranking import BOTH
from rocsolid.measures.registry import Gradient, Measure, register
from rocsolid.options import as_typed, check_share
from rocsolid.results import Counts, Ratio
from rocsolid.sweep import Sweep
from rocsolid.weight_sums import WeightSums


@dataclass(frozen=True, slots=True)
class AtThresholdAndPrevalence:
    """A cut, and the share of positives among the rows that it will be used on.

    Raises
    ------
    OptionError
        If the prevalence is not strictly between 0 and 1.
    """

    threshold: float
    prevalence: float

    def __post_init__(self) -> None:
        """Refuse a prevalence at which one class is absent."""
        hint = 'for example "precision_at_prevalence(threshold=0.5, prevalence=0.01)"'
        check_share("prevalence", self.prevalence, ends=False, hint=hint)


@dataclass(frozen=True, slots=True)
class _Weighed:
    """Cells of the confusion matrix as they would be at the prevalence, up to one common factor."""

    tp: float
    fp: float
    fn: float
    tn: float

    @classmethod
    def of(cls, counts: Counts, prevalence: float) -> _Weighed:
        """Multiply positives by p n and negatives by (q - p) m, for pi = p / q and classes of m and n."""
        pi = as_typed(prevalence)
        m, n = counts.tp + counts.fn, counts.fp + counts.tn
        of_pos, of_neg = pi.numerator * n, (pi.denominator - pi.numerator) * m
        return cls(counts.tp * of_pos, counts.fp * of_neg, counts.fn * of_pos, counts.tn * of_neg)


Of = Callable[[_Weighed], Ratio]
Slopes = Callable[[float, float, float, float], tuple[float, float]]
"""Derivatives of the value v by T and F, from (v, T, F, pi)."""


def _gradient(formula: Of, slopes: Slopes) -> Callable[[Sweep, AtThresholdAndPrevalence], Gradient]:
    """T answers to a positive by 1 - T if it is flagged and -T if not; F likewise to a negative. O(k)."""

    def gradient(sweep: Sweep, options: AtThresholdAndPrevalence) -> Gradient:
        counts = sweep.at(options.threshold)
        tpr, fpr = counts.tp / (counts.tp + counts.fn), counts.fp / (counts.fp + counts.tn)
        value = float(formula(_Weighed.of(counts, options.prevalence)))
        by_tpr, by_fpr = slopes(value, tpr, fpr, options.prevalence)
        flagged = np.arange(len(sweep)) < sweep.rows_selected(options.threshold)
        pos, neg = by_tpr * np.subtract(flagged, tpr), by_fpr * np.subtract(flagged, fpr)
        return Gradient(pos=pos, neg=neg, prevalence=0.0)

    return gradient


def _precision_slopes(value: float, tpr: float, fpr: float, pi: float) -> tuple[float, float]:
    flagged = pi * tpr + (1 - pi) * fpr
    return pi * (1 - value) / flagged, -(1 - pi) * value / flagged


def _npv_slopes(value: float, tpr: float, fpr: float, pi: float) -> tuple[float, float]:
    passed = pi * (1 - tpr) + (1 - pi) * (1 - fpr)
    return pi * value / passed, -(1 - pi) * (1 - value) / passed


def _f1_slopes(value: float, tpr: float, fpr: float, pi: float) -> tuple[float, float]:
    sizes = pi * (1 + tpr) + (1 - pi) * fpr
    return pi * (2 - value) / sizes, -(1 - pi) * value / sizes


def _measure(
    name: str,
    aliases: tuple[str, ...],
    titles: tuple[str, str],
    definitions: tuple[str, str],
    formula: Of,
    slopes: Slopes,
    negatives: str,
) -> Measure[Any, Any]:
    def value(counts: Counts, options: AtThresholdAndPrevalence) -> Ratio:
        return formula(_Weighed.of(counts, options.prevalence))

    def details(sweep: Sweep, options: AtThresholdAndPrevalence) -> Mapping[str, float]:
        counts = sweep.at(options.threshold)
        return {f"negatives_{negatives}": counts.fp if negatives == "flagged" else counts.tn}

    return register(
        Measure(
            name=name,
            aliases=aliases,
            title=titles[0],
            title_zh=titles[1],
            definition=definitions[0],
            definition_zh=definitions[1],
            source="Mercaldo, Lau & Zhou 2007, Statistics in Medicine 26:2170-2183; Elkan 2001",
            input="counts",
            range=(0.0, 1.0),
            better="higher",
            needs=BOTH,
            options=AtThresholdAndPrevalence,
            value=value,
            gradient=_gradient(formula, slopes),
            details=details,
        )
    )


PRECISION_AT_PREVALENCE = _measure(
    "precision_at_prevalence",
    ("ppv_at_prevalence",),
    ("Precision at a prevalence", "给定正例比例下的查准率"),
    (
        "pi TPR / (pi TPR + (1 - pi) FPR): the share of flagged rows that are positive, at prevalence pi.",
        "π TPR / (π TPR + (1 − π) FPR)：正例比例为 π 时，判为正例的行中确为正例的比例。",
    ),
    lambda cells: Ratio(cells.tp, cells.tp + cells.fp),
    _precision_slopes,
    "flagged",
)
NPV_AT_PREVALENCE = _measure(
    "npv_at_prevalence",
    ("negative_predictive_value_at_prevalence",),
    ("NPV at a prevalence", "给定正例比例下的阴性预测值"),
    (
        "(1 - pi) TNR / ((1 - pi) TNR + pi FNR): the share of rows not flagged that are negative, at prevalence pi.",
        "(1 − π) TNR / ((1 − π) TNR + π FNR)：正例比例为 π 时，未判为正例的行中确为负例的比例。",
    ),
    lambda cells: Ratio(cells.tn, cells.tn + cells.fn),
    _npv_slopes,
    "not_flagged",
)
F1_AT_PREVALENCE = _measure(
    "f1_at_prevalence",
    ("f1_score_at_prevalence",),
    ("F1 at a prevalence", "给定正例比例下的 F1 值"),
    (
        "2 pi TPR / (pi (1 + TPR) + (1 - pi) FPR): harmonic mean of recall and precision at prevalence pi.",
        "2π TPR / (π (1 + TPR) + (1 − π) FPR)：正例比例为 π 时查准率与查全率的调和平均。",
    ),
    lambda cells: Ratio(2 * cells.tp, 2 * cells.tp + cells.fp + cells.fn),
    _f1_slopes,
    "flagged",
)


def reweighted(sweep: Sweep, prevalence: float) -> Sweep:
    """The sweep with negatives weighed so that positives have the share given; both classes must have a row. O(k).

    Examples
    --------
    At prevalence 1/5 one negative stands for (4/5) / (1/5) * 2/2 = 4 rows:

    >>> reweighted(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]), 0.2).neg_mass.tolist()
    [0.0, 4.0, 0.0, 4.0]
    """
    m, n = (float(mass.sum()) for mass in (sweep.pos_mass, sweep.neg_mass))
    factor = (1 - prevalence) * m / (prevalence * n)
    if sweep.weights is None:
        pos, neg = (counts.astype(np.float64)[None] for counts in (sweep.pos, sweep.neg))
        held = WeightSums(pos, neg * factor, pos.copy(), neg * factor**2)
    else:
        w = sweep.weights
        held = WeightSums(w.pos, w.neg * factor, w.pos_sq, w.neg_sq * factor**2, w.exponent)
    return Sweep(sweep.scores, sweep.pos, sweep.neg, sweep.higher_is_positive, sweep.pos_label, held)


def share_with_all_negatives(sweep: Sweep, kept: float) -> float:
    """Prevalence before negatives were left out at random, of which the share ``kept`` is here. O(k).

    Examples
    --------
    Two positives, and two of ten negatives:

    >>> share_with_all_negatives(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]), 0.2)
    0.16666666666666666
    """
    part = as_typed(kept)
    m, n = (mass.sum() for mass in (sweep.pos_mass, sweep.neg_mass))
    if sweep.weights is None:
        below = int(m) * part.numerator + int(n) * part.denominator
        return int(m) * part.numerator / below
    return float(m) * kept / (float(m) * kept + float(n))
