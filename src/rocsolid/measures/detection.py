"""Detection: cost at the best and at the Bayes cut, and the cost of log-likelihood ratios over all priors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rocsolid.errors import OptionError, UndefinedMeasureError
from rocsolid.measures.ranking import BOTH, class_mean
from rocsolid.measures.registry import Gradient, Measure, NoOptions, register
from rocsolid.measures.separation import hull, roc_counts
from rocsolid.measures.top_k import quotient
from rocsolid.options import as_typed, check_number, check_share
from rocsolid.sweep import Floats, Sweep

# ------------------------------------------------------------------------------------- detection costs


@dataclass(frozen=True, slots=True)
class _DetectionCost:
    """Prior of a target, costs of a miss and a false alarm; normalised by the better of the two trivial decisions."""

    prior: float
    cost_miss: float = 1
    cost_false_alarm: float = 1
    normalized: bool = True

    def __post_init__(self) -> None:
        """Refuse priors of one class only, costs that are not above 0, and anything but true and false."""
        example = 'for example "min_dcf(prior=0.01, cost_miss=10, cost_false_alarm=1)"'
        check_share("prior", self.prior, ends=False, hint=example)
        for name, cost in (("cost_miss", self.cost_miss), ("cost_false_alarm", self.cost_false_alarm)):
            if not 0 < check_number(name, cost) < math.inf:
                raise OptionError(name, cost, "a finite number > 0", example)
        if not isinstance(self.normalized, bool):
            raise OptionError("normalized", self.normalized, "true or false", "normalized=false")

    @property
    def worth(self) -> tuple[Fraction, Fraction]:
        """What a miss rate of 1 and a false-alarm rate of 1 cost, each read as typed."""
        prior = as_typed(self.prior)
        miss, alarm = prior * as_typed(self.cost_miss), (1 - prior) * as_typed(self.cost_false_alarm)
        scale = min(miss, alarm) if self.normalized else 1
        return miss / scale, alarm / scale


@dataclass(frozen=True, slots=True)
class MinDcf(_DetectionCost):
    """Options of the smallest detection cost over all cuts.

    Examples
    --------
    >>> [str(cost) for cost in MinDcf(0.1, cost_miss=10).worth]
    ['10/9', '1']
    """


@dataclass(frozen=True, slots=True)
class ActDcf(_DetectionCost):
    """Options of the detection cost at the Bayes cut of log-likelihood ratios.

    Examples
    --------
    >>> round(ActDcf(0.01).threshold, 4)
    4.5951
    """

    @property
    def threshold(self) -> float:
        """Natural logarithm of the likelihood ratio from which on accepting costs less."""
        odds = (1 - as_typed(self.prior)) * as_typed(self.cost_false_alarm)
        odds /= as_typed(self.prior) * as_typed(self.cost_miss)
        return math.log(odds.numerator) - math.log(odds.denominator)


def _cost(options: _DetectionCost, fp: Any, fn: Any, n: Any, m: Any) -> Fraction | float:
    miss, alarm = options.worth
    if isinstance(fp, float):
        return float(float(miss) * fn / m + float(alarm) * fp / n)
    return miss * Fraction(int(fn), int(m)) + alarm * Fraction(int(fp), int(n))


def _min_dcf(sweep: Sweep, options: MinDcf) -> Fraction | float:
    """A linear cost is smallest in a corner of the hull, of which there are few. O(k)."""
    fp, tp = hull(*roc_counts(sweep))
    n, m = fp[-1], tp[-1]
    costs: list[Fraction | float] = [_cost(options, x, m - y, n, m) for x, y in zip(fp, tp, strict=True)]
    return min(costs)


def _act_dcf(sweep: Sweep, options: ActDcf) -> Fraction | float:
    _check_ratios("act_dcf", sweep)
    counts = sweep.at(options.threshold)
    return _cost(options, counts.fp, counts.fn, counts.fp + counts.tn, counts.tp + counts.fn)


def _act_dcf_gradient(sweep: Sweep, options: ActDcf) -> Gradient:
    """Linear in the two rates: what a missed positive and a flagged negative cost, less the mean of their class."""
    miss, alarm = (float(worth) for worth in options.worth)
    flagged = np.arange(len(sweep)) < sweep.rows_selected(options.threshold)
    missed, called = (~flagged).astype(np.float64), flagged.astype(np.float64)
    return Gradient(
        pos=miss * (missed - class_mean(missed, sweep.pos_mass)),
        neg=alarm * (called - class_mean(called, sweep.neg_mass)),
        prevalence=0.0,
    )


def _check_ratios(name: str, sweep: Sweep) -> None:
    """Refuse scores of which the low ones are the positive sign: they are no likelihood ratios of the positive."""
    if not sweep.higher_is_positive:
        raise UndefinedMeasureError(
            name,
            "it reads a score as the log-likelihood ratio of the positive, and here low scores are positive",
            "pass -y_score with higher_is_positive=True",
        )


_DCF_SOURCE = "Martin & Przybocki 2000 (NIST); Brümmer & du Preez 2006"
MIN_DCF: Measure[Any, Any] = register(
    Measure(
        name="min_dcf",
        aliases=("min_detection_cost", "mindcf"),
        title="minDCF",
        title_zh="最小检测代价（minDCF）",
        definition="Smallest prior cost_miss FNR + (1 - prior) cost_false_alarm FPR over all cuts.",
        definition_zh="所有阈值上 prior·cost_miss·FNR + (1 − prior)·cost_false_alarm·FPR 的最小值。",
        source=_DCF_SOURCE,
        input="sweep",
        range=(0.0, math.inf),
        better="lower",
        needs=BOTH,
        options=MinDcf,
        value=_min_dcf,
        attainable=lambda options: (0.0, float(min(options.worth))),
    )
)
ACT_DCF: Measure[Any, Any] = register(
    Measure(
        name="act_dcf",
        aliases=("actual_detection_cost", "actdcf"),
        title="actDCF",
        title_zh="实际检测代价（actDCF）",
        definition="Detection cost at the Bayes cut, the scores being natural-log likelihood ratios.",
        definition_zh="把得分视为自然对数似然比，在贝叶斯阈值处的检测代价。",
        source=_DCF_SOURCE,
        input="sweep",
        range=(0.0, math.inf),
        better="lower",
        needs=BOTH,
        options=ActDcf,
        value=_act_dcf,
        gradient=_act_dcf_gradient,
        attainable=lambda options: (0.0, float(sum(options.worth))),
    )
)

# ------------------------------------------------------------------------------------------------ Cllr


def _bits(sweep: Sweep) -> tuple[Floats, Floats]:
    """(k,) cost in bits of a positive, log2(1 + e^-s), and of a negative, log2(1 + e^s)."""
    _check_ratios("cllr", sweep)
    ratios = np.asarray(sweep.scores, dtype=np.float64)
    return np.logaddexp(0.0, -ratios) / math.log(2), np.logaddexp(0.0, ratios) / math.log(2)


def _mean(bits: Floats, mass: Any) -> float:
    """Mean over the rows of a class; scores at which it has none do not count, infinite ones either."""
    return class_mean(bits[mass > 0], mass[mass > 0])


def _cllr(sweep: Sweep, options: NoOptions) -> float:
    on_pos, on_neg = _bits(sweep)
    return (_mean(on_pos, sweep.pos_mass) + _mean(on_neg, sweep.neg_mass)) / 2


def _cllr_gradient(sweep: Sweep, options: NoOptions) -> Gradient:
    """Half of a row's cost, less the mean of its class."""
    halves = ((bits, mass) for bits, mass in zip(_bits(sweep), (sweep.pos_mass, sweep.neg_mass), strict=True))
    pos, neg = (np.where(mass > 0, (bits - _mean(bits, mass)) / 2, 0.0) for bits, mass in halves)
    return Gradient(pos=pos, neg=neg, prevalence=0.0)


def _min_cllr(sweep: Sweep, options: NoOptions) -> float:
    """Cllr of the best monotone recalibration: on each side of the hull the ratio is its slope a/b, of TPR and FPR.

    The side costs (a log2(1 + b/a) + b log2(1 + a/b)) / 2, nothing where a or b is 0. O(k).
    """
    fp, tp = hull(*roc_counts(sweep))
    sides = zip(np.diff(fp).tolist(), np.diff(tp).tolist(), strict=True)
    n, m = fp[-1], tp[-1]
    return math.fsum(_side(float(quotient(y, m)), float(quotient(x, n))) for x, y in sides if x and y) / 2


def _side(a: float, b: float) -> float:
    return (a * math.log1p(b / a) + b * math.log1p(a / b)) / math.log(2)


def _cllr_details(sweep: Sweep, options: NoOptions) -> Mapping[str, float]:
    """The part that no recalibration removes, and the part that it does."""
    least = _min_cllr(sweep, options)
    return {"min_cllr": least, "calibration_loss": _cllr(sweep, options) - least}


_CLLR_SOURCE = "Brümmer & du Preez 2006, Computer Speech & Language 20:230-275"
CLLR: Measure[Any, Any] = register(
    Measure(
        name="cllr",
        aliases=("log_likelihood_ratio_cost",),
        title="Cllr",
        title_zh="对数似然比代价（Cllr）",
        definition="Mean of the class means of log2(1 + e^-s) (positives) and log2(1 + e^s) (negatives), in bits.",
        definition_zh="正例 log2(1 + e^−s) 与负例 log2(1 + e^s) 两个类均值的平均，单位为比特。",
        source=_CLLR_SOURCE,
        input="sweep",
        range=(0.0, math.inf),
        better="lower",
        needs=BOTH,
        options=NoOptions,
        value=_cllr,
        gradient=_cllr_gradient,
        details=_cllr_details,
    )
)
MIN_CLLR: Measure[Any, Any] = register(
    Measure(
        name="min_cllr",
        aliases=("minimum_cllr", "cllr_min"),
        title="minCllr",
        title_zh="最小 Cllr",
        definition="Cllr after the best non-decreasing recalibration (pool adjacent violators, no pseudo-counts).",
        definition_zh="经最优单调重新校准（PAV，不加伪计数）之后的 Cllr。",
        source=_CLLR_SOURCE,
        input="sweep",
        range=(0.0, 1.0),
        better="lower",
        needs=BOTH,
        options=NoOptions,
        value=_min_cllr,
    )
)
