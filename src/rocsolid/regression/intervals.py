"""Intervals of measures of predicted numbers, by name; the first method of a measure is its default.

What covers was simulated (docs/explanation/regression.md). A mean of losses without an upper bound has no interval that
covers whatever the errors are (Bahadur & Savage 1956, Annals of Mathematical Statistics 27:1115-1122): what a sample
has not seen may be any size. Absolute errors of all but extreme distributions are tame enough; their squares are not.

    log-t            value exp(-+ t(nu + 1) sqrt(r / N))   r: squared variation of the losses, shrunk to a prior
    effective-error  Wilson's, with an effective size from the shrunk variance, as for a clustered ROC-AUC
    order-statistics the exact interval of a median
    influence        Wald, with the normal quantile
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from rocsolid.inference import limits as lim
from rocsolid.inference.case import CLIPPED, ZERO_WIDTH
from rocsolid.inference.covariance import covariance
from rocsolid.inference.seeds import Resampling
from rocsolid.regression.measures import RegressionRequest, absolute, concordance_parts, spread
from rocsolid.regression.sample import Sample
from rocsolid.results import Note

Floats = npt.NDArray[np.float64]

LOG_PRIOR_ROWS = 1.0
"""Rows that the prior of a loss counts for."""
ABSOLUTE_PRIOR, SQUARE_PRIOR = 2.0, 5.0
"""Squared coefficient of variation of losses under the prior; 5 is that of squared Laplace errors."""
LOG_DF = 1.0

PAIR_PRIOR_RATIO = 4 / 3
"""2/3 of the ROC-AUC's two classes, 1/n+ + 1/n- = 2 / (N D) with D the share of comparable pairs."""
PAIR_DF = 6.0


@dataclass(frozen=True, slots=True)
class Case:
    """All that an interval method may look at."""

    request: RegressionRequest
    value: float
    sample: Sample
    level: float
    draws: Resampling | None = None

    @property
    def z(self) -> float:
        """Normal quantile of the level."""
        return lim.normal_quantile(self.level)


@dataclass(frozen=True, slots=True)
class Found:
    """What a method gives: limits (or ``None`` with a note), a standard error, remarks and further numbers."""

    limits: lim.Limits | None
    std_error: float | None
    notes: tuple[Note, ...] = ()
    details: Mapping[str, float] = field(default_factory=dict)


Method = Callable[[Case], Found]

SINGLE = Note(
    "single-row",
    "no interval: a single row (or cluster) shows no variation",
    "没有区间：只有一行（或一个群），看不到变化",
)
NO_ERROR = Note(
    "no-spread",
    "no interval: no row has an error, and what has not been seen may be any size",
    "没有区间：没有任何一行有误差，而未见到的误差可能任意大",
)
NO_DEFAULT = Note(
    "no-default-interval",
    "no interval by default: none covers whatever the errors are, since few large ones may decide; for errors with "
    "tails like the normal's ask by name, method='log-t', or method='bootstrap'",
    "默认不给区间：少数很大的误差可能起决定作用，没有方法能对任意误差分布保证覆盖率；"
    "若误差的尾部与正态相近，可指定 method='log-t' 或 method='bootstrap'",
)
NO_MAXIMUM = Note(
    "no-interval",
    "no interval: the largest error seen says nothing about the largest one possible, and no resample can exceed it",
    "没有区间：见到的最大误差不能说明可能的最大误差，重抽样也不会超过它",
)
NO_MEDIAN = Note(
    "no-default-interval",
    "no interval by default: order statistics need equal weights and independent rows; method='bootstrap' draws one",
    "默认不给区间：次序统计量要求等权重且各行独立；method='bootstrap' 可用自助法给出",
)
TOO_FEW = Note(
    "too-few-rows",
    "no interval: at this level a median needs more rows (6 at 0.95)",
    "没有区间：在该置信水平下中位数需要更多的行（0.95 时为 6 行）",
)


def influences(case: Case) -> Floats:
    """Influence of each row."""
    entry = case.request.measure
    assert entry.influence is not None
    return entry.influence(case.sample, case.request.options)


def standard_error(case: Case) -> float:
    """Influence-function standard error; nan for a single row or cluster."""
    sample = case.sample
    found = covariance(
        influences(case), np.ones(sample.n, np.bool_), weight=sample.weight, cluster=sample.cluster, margins="fixed"
    )
    return math.sqrt(float(found[0, 0]))


def participation(parts: Floats) -> float:
    """Effective number of rows (or clusters) that make up a sum: (sum x)^2 / sum x^2."""
    below = float(np.square(parts).sum())
    return float(parts.sum()) ** 2 / below if below > 0 else 0.0


# ----------------------------------------------------------------------------------------------- methods


def influence(case: Case) -> Found:
    """Wald with the influence-function standard error, cut at the attainable range."""
    se = standard_error(case)
    if math.isnan(se):
        return Found(None, None, (SINGLE,))
    limits = lim.wald(case.value, se, case.z)
    cut = lim.clip(limits, *case.request.measure.range)
    flat = (ZERO_WIDTH,) if se == 0 else ()
    return Found(cut, se, (*flat, *((CLIPPED,) if cut != limits else ())))


def _mean_loss(case: Case, prior: float) -> tuple[float, float]:
    """Half width of the interval of the logarithm of a mean loss; effective number of rows that make it up."""
    sample, losses = case.sample, case.request.measure.losses
    assert losses is not None
    found = losses(sample, case.request.options)
    mean, nu = sample.mean(found), participation(sample.shares(found))
    variance = covariance(
        found - mean, np.ones(sample.n, np.bool_), weight=sample.weight, cluster=sample.cluster, margins="fixed"
    )
    ratio = float(variance[0, 0]) / mean**2 * sample.units
    shrunk = (nu * ratio + LOG_PRIOR_ROWS * prior) / (nu + LOG_PRIOR_ROWS)
    return lim.t_quantile(nu + LOG_DF, case.level) * math.sqrt(shrunk / sample.units), nu


def _log_t(prior: float, power: float) -> Method:
    """Make the log-t method of a mean of losses (power 1) or its root (power 1/2)."""

    def method(case: Case) -> Found:
        se = standard_error(case)
        if math.isnan(se):
            return Found(None, None, (SINGLE,))
        if case.value == 0:
            return Found(None, se, (NO_ERROR,))
        half, nu = _mean_loss(case, prior)
        limits = case.value * math.exp(-power * half), case.value * math.exp(power * half)
        return Found(limits, se, details={"effective_error_rows": nu})

    return method


def _share_log_t(case: Case) -> Found:
    """1 - M / V: the interval of log(M / V), with as many degrees of freedom as rows make up the scarcer of both."""
    sample, se = case.sample, standard_error(case)
    if math.isnan(se):
        return Found(None, None, (SINGLE,))
    if case.value == 1:
        return Found(None, se, (NO_ERROR,))
    losses = case.request.measure.losses
    assert losses is not None
    found, around = losses(sample, case.request.options), spread(sample, sample.y)
    nu = min(participation(sample.shares(found)), participation(sample.shares(around)))
    rest = 1 - case.value
    half = lim.t_quantile(nu + LOG_DF, case.level) * se / rest
    limits = 1 - rest * math.exp(half), 1 - rest * math.exp(-half)
    return Found(limits, se, details={"effective_error_rows": nu})


def _concordance(case: Case) -> Found:
    """Wilson's interval with an effective size: the clustered ROC-AUC's rule, every row being of both classes."""
    sample, se, value = case.sample, standard_error(case), case.value
    c, m, share = concordance_parts(sample)
    errors = m - c if value >= 0.5 else c
    nu, units, bound = participation(sample.shares(errors)), sample.units, value * (1 - value)
    ratio = 0.0 if math.isnan(se) or bound == 0 else se**2 / bound
    shrunk = (nu * ratio + PAIR_PRIOR_RATIO / (units * share)) / (nu + 1)
    limits = lim.wilson(value, 1 / shrunk, lim.t_quantile(nu + PAIR_DF, case.level))
    return Found(limits, None if math.isnan(se) else se, details={"effective_error_rows": nu})


def _order_statistics(case: Case) -> Found:
    """Limits of a median: order statistics whose binomial tails are at most half of what the level leaves."""
    from scipy.special import bdtr

    ordered, n = np.sort(absolute(case.sample, case.request.options)), case.sample.n
    tails = bdtr(np.arange(n), n, 0.5)  # P(at most k of n errors lie below the median)
    k = int(np.searchsorted(tails, (1 - case.level) / 2, "right"))  # how many ranks can be left out at either end
    if k == 0:
        return Found(None, None, (TOO_FEW,))
    return Found((float(ordered[k - 1]), float(ordered[n - k])), None)


def _nothing(note: Note) -> Method:
    def method(case: Case) -> Found:
        if case.request.measure.influence is None:
            return Found(None, None, (note,))
        se = standard_error(case)
        return Found(None, None, (SINGLE,)) if math.isnan(se) else Found(None, se, (note,))

    return method


def closed_forms(request: RegressionRequest, sample: Sample) -> dict[str, Method]:
    """Methods of a measure that draw nothing, by name; the first is the default."""
    entry = request.measure
    if entry.name == "concordance_index":
        return {"effective-error": _concordance, "influence": influence}
    if entry.name == "median_absolute_error":
        plain = sample.weight is None and sample.cluster is None
        return {"order-statistics": _order_statistics} if plain else {"none": _nothing(NO_MEDIAN)}
    if entry.name == "max_error":
        return {"none": _nothing(NO_MAXIMUM)}
    named = {"log-t": _log_of(request), "influence": influence}
    tame = entry.name == "mean_absolute_error" or request.spec == "pinball_loss(alpha=0.5)"  # half of the former
    return named if tame else {"none": _nothing(NO_DEFAULT), **named}


def _log_of(request: RegressionRequest) -> Method:
    name: str = request.measure.name
    if name in ("r2_score", "explained_variance"):
        return _share_log_t
    if name in ("mean_squared_error", "root_mean_squared_error"):
        return _log_t(SQUARE_PRIOR, 0.5 if name == "root_mean_squared_error" else 1.0)
    return _log_t(ABSOLUTE_PRIOR, 1.0)


def unbounded(request: RegressionRequest) -> bool:
    """Whether resampling says nothing about a measure, the largest error."""
    return request.measure.name == "max_error"
