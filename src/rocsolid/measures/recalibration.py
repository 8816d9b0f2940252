"""Calibration in few numbers: slope and intercept of a logistic recalibration, and mean forecast against outcome."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.measures.decomposition import as_given, mean
from rocsolid.measures.ranking import centred, prevalence
from rocsolid.measures.registry import Gradient, Measure, NoOptions, Value, register
from rocsolid.options import check_choice
from rocsolid.results import Note, Undefined
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]
BOTH = frozenset({"positives", "negatives", "probabilities"})

INFINITE_LOGIT = Note(
    "infinite-logit",
    "a forecast of exactly 0 or 1 has an infinite logit, and is not clipped",
    "恰为 0 或 1 的预测其 logit 为无穷大，且不作截断",
)
SEPARATED = Note(
    "separated",
    "no finite slope fits best: the scores separate the classes (or are all equal)",
    "没有有限的最佳斜率：得分将两类完全分开（或得分全部相同）",
)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A logistic regression of the outcome on the logit of the forecast.

    Attributes
    ----------
    intercept, slope : the estimates; the slope is 1 where it was held there.
    fitted : (k,) recalibrated probabilities.
    information : (2, 2) or (1, 1) Fisher information of the mean log likelihood.
    design : (k, 2) or (k, 1) columns: one, and the logit where a slope was fitted.
    log_likelihood : mean log likelihood at the estimates.
    """

    intercept: float
    slope: float
    fitted: Floats
    information: Floats
    design: Floats
    log_likelihood: float


def logits(sweep: Sweep) -> Floats:
    """(k,) ln p - ln(1 - p), infinite at 0 and 1."""
    p = as_given(sweep)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p) - np.log1p(-p), dtype=np.float64)


def unfit(sweep: Sweep, *, slope: bool) -> Note | None:
    """Why there is no maximum-likelihood fit, if there is none."""
    x = logits(sweep)
    if not np.isfinite(x).all():
        return INFINITE_LOGIT
    of_pos, of_neg = x[sweep.pos > 0], x[sweep.neg > 0]
    overlap = of_neg.max() > of_pos.min() and of_pos.max() > of_neg.min()
    return None if overlap or not slope else SEPARATED


def fit(sweep: Sweep, *, slope: bool) -> Fit:
    """Fit outcome ~ intercept + slope x logit, or with the slope held at 1, by Newton's method. O(k) a step.

    The log likelihood is concave; a step that does not raise it is halved. Cox 1958, Biometrika 45:562-565.
    """
    x = logits(sweep)
    design = np.column_stack([np.ones_like(x), x]) if slope else np.ones((len(x), 1))
    offset = np.zeros_like(x) if slope else x
    beta = np.array([0.0, 1.0]) if slope else np.zeros(1)
    total = float(sweep.pos_mass.sum()) + float(sweep.neg_mass.sum())
    pos, neg = sweep.pos_mass / total, sweep.neg_mass / total

    def at(b: Floats) -> tuple[float, Floats]:
        eta = offset + design @ b
        return float(-(pos * np.logaddexp(0, -eta) + neg * np.logaddexp(0, eta)).sum()), _expit(eta)

    likelihood, mu = at(beta)
    for _ in range(200):
        information = design.T @ (design * ((pos + neg) * mu * (1 - mu))[:, None])
        step = np.linalg.solve(information, design.T @ (pos - (pos + neg) * mu))
        raised, there = at(beta + step)
        while raised < likelihood - 1e-15 * abs(likelihood) and np.abs(step).max() > 1e-12:
            step = step / 2
            raised, there = at(beta + step)
        beta, likelihood, mu = beta + step, raised, there
        if np.abs(step).max() <= 1e-12 * max(1.0, float(np.abs(beta).max())):
            break
    information = design.T @ (design * ((pos + neg) * mu * (1 - mu))[:, None])
    return Fit(float(beta[0]), float(beta[1]) if slope else 1.0, mu, information, design, likelihood)


def _expit(x: Floats) -> Floats:
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small))


def _coefficient_gradient(found: Fit, which: int, sweep: Sweep) -> Gradient:
    """Influence of a row on a coefficient: the inverse information times (1, logit) (outcome - fitted)."""
    unit = np.zeros(len(found.information))
    unit[which] = 1
    along = found.design @ np.linalg.solve(found.information, unit)
    return centred(along * (1 - found.fitted), -along * found.fitted, sweep)


# ---------------------------------------------------------------------------------------- slope, intercept


@dataclass(frozen=True, slots=True)
class Intercept:
    """Options: the slope is held at ``"one"``, so that the intercept tells the mean error, or ``"fitted"``."""

    slope: str = "one"

    def __post_init__(self) -> None:
        """Refuse other slopes."""
        check_choice("slope", self.slope, ("one", "fitted"))


def _slope(sweep: Sweep, options: NoOptions) -> Value:
    reason = unfit(sweep, slope=True)
    return fit(sweep, slope=True).slope if reason is None else Undefined(reason)


def _intercept(sweep: Sweep, options: Intercept) -> Value:
    with_slope = options.slope == "fitted"
    reason = unfit(sweep, slope=with_slope)
    return fit(sweep, slope=with_slope).intercept if reason is None else Undefined(reason)


CALIBRATION_SLOPE: Measure[Any, Any] = register(
    Measure(
        name="calibration_slope",
        aliases=(),
        title="Calibration slope",
        title_zh="校准斜率",
        definition="Slope of a logistic regression of the outcome on the score's logit; below 1 means too extreme.",
        definition_zh="以得分的 logit 对结果作逻辑回归的斜率；1 为恰当，小于 1 表示预测过于极端。",
        source="Cox 1958, Biometrika 45:562-565; Van Calster et al. 2016, Journal of Clinical Epidemiology 74:167-176",
        input="sweep",
        range=(-math.inf, math.inf),
        better="target",
        target=1.0,
        needs=BOTH,
        options=NoOptions,
        value=_slope,
        gradient=lambda sweep, options: _coefficient_gradient(fit(sweep, slope=True), 1, sweep),
    )
)
CALIBRATION_INTERCEPT: Measure[Any, Any] = register(
    Measure(
        name="calibration_intercept",
        aliases=(),
        title="Calibration intercept",
        title_zh="校准截距",
        definition="Intercept of that regression, the slope held at 1 (default) or fitted; above 0 scores are too low.",
        definition_zh="上述回归的截距，斜率固定为 1（默认）或一并拟合；0 为恰当，大于 0 表示预测偏低。",
        source="Cox 1958, Biometrika 45:562-565; Van Calster et al. 2016, Journal of Clinical Epidemiology 74:167-176",
        input="sweep",
        range=(-math.inf, math.inf),
        better="target",
        target=0.0,
        needs=BOTH,
        options=Intercept,
        value=_intercept,
        gradient=lambda sweep, options: _coefficient_gradient(fit(sweep, slope=options.slope == "fitted"), 0, sweep),
    )
)

# ---------------------------------------------------------------------------------- mean against outcome


def mean_forecast(sweep: Sweep) -> float:
    """Mean of the scores over all rows."""
    p = as_given(sweep)
    return mean(sweep, p, p)


def _mean_error(sweep: Sweep, options: NoOptions) -> Value:
    p = as_given(sweep)
    return mean(sweep, p - 1, p)


def _mean_error_gradient(sweep: Sweep, options: NoOptions) -> Gradient:
    p = as_given(sweep)
    return centred(p - 1, p.copy(), sweep)


def _observed_expected(sweep: Sweep, options: NoOptions) -> Value:
    expected = mean_forecast(sweep)
    if expected == 0:
        return Undefined(Note("nothing-expected", "all scores are 0: nothing is expected", "得分全为 0：期望数为 0"))
    return prevalence(sweep) / expected


def _observed_expected_gradient(sweep: Sweep, options: NoOptions) -> Gradient:
    """(outcome - O:E x score) / mean score."""
    p, expected = as_given(sweep), mean_forecast(sweep)
    ratio = prevalence(sweep) / expected
    return centred((1 - ratio * p) / expected, -ratio * p / expected, sweep)


CALIBRATION_IN_THE_LARGE: Measure[Any, Any] = register(
    Measure(
        name="calibration_in_the_large",
        aliases=("mean_calibration_error",),
        title="Calibration in the large",
        title_zh="总体校准误差",
        definition="Mean score less the share of positives; 0 is right, above 0 the scores are too high.",
        definition_zh="平均得分减去正例比例；0 为恰当，大于 0 表示得分偏高。",
        source="Steyerberg et al. 2010, Epidemiology 21:128-138",
        input="sweep",
        range=(-1.0, 1.0),
        better="target",
        target=0.0,
        needs=frozenset({"probabilities"}),
        options=NoOptions,
        value=_mean_error,
        gradient=_mean_error_gradient,
    )
)
OBSERVED_EXPECTED: Measure[Any, Any] = register(
    Measure(
        name="oe_ratio",
        aliases=("observed_expected", "o_e_ratio"),
        title="Observed : expected",
        title_zh="观察与期望之比",
        definition="Number of positives over the sum of the scores; 1 is right, above 1 the scores are too low.",
        definition_zh="正例数与得分之和的比；1 为恰当，大于 1 表示得分偏低。",
        source="Debray et al. 2017, BMJ 356:i6460",
        input="sweep",
        range=(0.0, math.inf),
        better="target",
        target=1.0,
        needs=frozenset({"probabilities"}),
        options=NoOptions,
        value=_observed_expected,
        gradient=_observed_expected_gradient,
    )
)
