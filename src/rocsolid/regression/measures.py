"""Measures of predicted numbers: each is a function of the rows with its influence and its metadata beside it.

The influence of a row says how the value answers to a little more weight on it; it has weighted mean 0. With M the mean
of the losses l, V the variance of the outcomes y:

    mean loss           l - M
    root of it          (l - M) / (2 sqrt M)
    1 - M / V           -(l - M (y - mean y)^2 / V) / V
    concordance C       2 (c - C m) / D      c, m: share of concordant and of comparable rows, D: the mean of m

The last is that of a ratio of two U-statistics (Hoeffding 1948, Annals of Mathematical Statistics 19:293-325).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rocsolid.errors import UndefinedMeasureError, UnknownNameError
from rocsolid.options import build_options, check_between, format_spec, parse_spec
from rocsolid.regression.concordance import pair_totals
from rocsolid.regression.sample import Sample
from rocsolid.results import Note, Undefined

Floats = npt.NDArray[np.float64]
Value = Fraction | float | Undefined


@dataclass(frozen=True, slots=True)
class Plain:
    """A measure without options."""


@dataclass(frozen=True, slots=True)
class Pinball:
    """Options of the pinball loss: ``alpha``, the share of outcomes that should lie below the prediction."""

    alpha: float

    def __post_init__(self) -> None:
        """Check the share."""
        check_between("alpha", self.alpha, 0, 1)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RegressionMeasure:
    """One measure: what it computes and what people need to know about it.

    Attributes
    ----------
    name, aliases, title, title_zh, definition, definition_zh, source : as for measures of scores.
    range, better : attainable range, and which end is good.
    value : the function of the rows.
    influence : (n,) influences, or ``None`` where the value is not smooth.
    losses : the losses of rows that the value is a mean of, or an increasing function of such a mean.
    details : further plain numbers that people ask for.
    options : the kind of its options.
    """

    name: str
    aliases: tuple[str, ...]
    title: str
    title_zh: str
    definition: str
    definition_zh: str
    source: str
    range: tuple[float, float]
    better: Literal["higher", "lower"]
    value: Callable[[Sample, Any], Value]
    influence: Callable[[Sample, Any], Floats] | None = None
    losses: Callable[[Sample, Any], Floats] | None = None
    details: Callable[[Sample, Any], Mapping[str, float]] | None = None
    options: type[Any] = Plain


@dataclass(frozen=True, slots=True)
class RegressionRequest:
    """A measure with its options; ``spec`` is how it is written."""

    measure: RegressionMeasure
    options: Any

    @property
    def spec(self) -> str:
        """Write it as one would type it."""
        return format_spec(self.measure.name, self.options)


REGISTRY: dict[str, RegressionMeasure] = {}
"""Measures by name."""


def register(entry: RegressionMeasure) -> RegressionMeasure:
    """Add a measure to the registry."""
    REGISTRY[entry.name] = entry
    return entry


def find(spec: object) -> RegressionRequest:
    """Look up a measure by name or alias, with options in brackets; ``-`` is read as ``_``.

    Raises
    ------
    UnknownNameError, OptionError
        For an unknown name or option, or one that is missing or bad.

    Examples
    --------
    >>> find("rmse").spec, find("pinball_loss(alpha=0.9)").options
    ('root_mean_squared_error', Pinball(alpha=0.9))
    """
    if isinstance(spec, RegressionRequest):
        return spec
    name, options = parse_spec(str(spec))
    known = {alias: entry for entry in REGISTRY.values() for alias in (entry.name, *entry.aliases)}
    entry = known.get(name.replace("-", "_"))
    if entry is None:
        raise UnknownNameError("measure of regression", name, known)
    return RegressionRequest(entry, build_options(entry.options, entry.name, options))


def compute(request: RegressionRequest, sample: Sample) -> float | Fraction:
    """Give the value.

    Raises
    ------
    UndefinedMeasureError
        If there is none, or it is beyond the numbers that a float64 can hold.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        try:
            found = request.measure.value(sample, request.options)
        except OverflowError:
            found = math.inf
    if isinstance(found, Undefined):
        raise UndefinedMeasureError(request.spec, found.reason.en)
    if not math.isfinite(found):
        raise UndefinedMeasureError(
            request.spec,
            "the errors are so large that their sum leaves the range of a float64",
            "measure y_true and y_pred in a larger unit",
        )
    return found


# ---------------------------------------------------------------------------------------------- mean losses


def squared(sample: Sample, options: Plain) -> Floats:
    """(y - p)^2."""
    return np.square(sample.y - sample.p)


def absolute(sample: Sample, options: Plain) -> Floats:
    """|y - p|."""
    return np.abs(sample.y - sample.p)


def pinball(sample: Sample, options: Pinball) -> Floats:
    """alpha (y - p) where the outcome is above the prediction, (1 - alpha)(p - y) where it is below."""
    error = sample.y - sample.p
    return np.maximum(options.alpha * error, (options.alpha - 1) * error)


def relative(sample: Sample, options: Plain) -> Floats:
    """|y - p| / |y|."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.abs((sample.y - sample.p) / sample.y)


def mean_of(losses: Callable[[Sample, Any], Floats]) -> Callable[[Sample, Any], float]:
    """Make the mean of some losses a measure."""
    return lambda sample, options: sample.mean(losses(sample, options))


def centred(losses: Callable[[Sample, Any], Floats]) -> Callable[[Sample, Any], Floats]:
    """Make the influence on a mean of losses: each less the mean."""

    def influence(sample: Sample, options: Any) -> Floats:
        found = losses(sample, options)
        return found - sample.mean(found)

    return influence


def mean_relative(sample: Sample, options: Plain) -> Value:
    """Mean error as a share of the outcome; undefined where one is 0."""
    zeros = int(np.count_nonzero(sample.y == 0))
    if zeros:
        return Undefined(
            Note(
                "zero-outcome",
                f"{zeros:,} of {sample.n:,} outcomes are 0, and an error has no share of 0",
                f"{sample.n:,} 个真实值中有 {zeros:,} 个为 0，误差无法表示为 0 的比例",
            )
        )
    return sample.mean(relative(sample, options))


def root(sample: Sample, options: Plain) -> float:
    """Root of the mean squared error."""
    return math.sqrt(sample.mean(squared(sample, options)))


def root_influence(sample: Sample, options: Plain) -> Floats:
    """Influence on it; 0 where there is no error, and no derivative either."""
    losses = squared(sample, options)
    mean = sample.mean(losses)
    return (losses - mean) / (2 * math.sqrt(mean)) if mean > 0 else np.zeros(sample.n)


# ------------------------------------------------------------------------------------------ shares of variance


def spread(sample: Sample, values: Floats) -> Floats:
    """(v - mean v)^2."""
    return np.square(values - sample.mean(values))


def unexplained(sample: Sample, options: Plain) -> Floats:
    """(e - mean e)^2 of the errors e = y - p."""
    return spread(sample, sample.y - sample.p)


CONSTANT = Undefined(
    Note(
        "constant-outcome",
        "all outcomes are alike, so there is no variance to explain",
        "所有真实值都相同，没有可解释的方差",
    )
)


def share_of_variance(losses: Callable[[Sample, Any], Floats]) -> Callable[[Sample, Any], Value]:
    """Make 1 less a mean loss over the variance of the outcomes a measure."""

    def value(sample: Sample, options: Plain) -> Value:
        if sample.y.min() == sample.y.max():
            return CONSTANT
        return 1 - sample.mean(losses(sample, options)) / sample.mean(spread(sample, sample.y))

    return value


def share_influence(losses: Callable[[Sample, Any], Floats]) -> Callable[[Sample, Any], Floats]:
    """Make the influence on it."""

    def influence(sample: Sample, options: Plain) -> Floats:
        found, around = losses(sample, options), spread(sample, sample.y)
        m, v = sample.mean(found), sample.mean(around)
        return -(found - m * around / v) / v

    return influence


# ------------------------------------------------------------------------------------------------- order


def weighted_median(values: Floats, w: Floats) -> float:
    """Median of values that count w times: the mean of the lowest and the highest number that halves the weight."""
    order = np.argsort(values, kind="stable")
    ordered, through = values[order], np.cumsum(w[order])
    half = through[-1] / 2
    low, high = np.searchsorted(through, half, "left"), np.searchsorted(through, half, "right")
    return float((ordered[low] + ordered[min(high, len(ordered) - 1)]) / 2)


def median(sample: Sample, options: Plain) -> float:
    """Median absolute error."""
    return weighted_median(absolute(sample, options), sample.w)


def largest(sample: Sample, options: Plain) -> float:
    """Largest absolute error."""
    return float(absolute(sample, options).max())


NO_PAIR = Undefined(
    Note(
        "no-pair",
        "all outcomes are alike, so no pair of rows has an order",
        "所有真实值都相同，没有任何一对样本有先后之分",
    )
)


def concordance(sample: Sample, options: Plain) -> Value:
    """Concordant pairs and half of the tied ones among the comparable ones."""
    total = pair_totals(sample.pairs, sample.weight)
    if not total.comparable:
        return NO_PAIR
    if isinstance(total.comparable, int):
        return Fraction(2 * int(total.concordant) + int(total.tied), 2 * total.comparable)
    return (total.concordant + total.tied / 2) / total.comparable


def concordance_parts(sample: Sample) -> tuple[Floats, Floats, float]:
    """Shares c and m of all rows that are concordant (tied: half) and comparable with each row; D, the mean of m."""
    pairs, w = sample.pairs, sample.w
    whole = float(w.sum())
    c, m = (pairs.concordant + pairs.tied / 2) / whole, pairs.comparable / whole
    return c, m, sample.mean(m)


def concordance_influence(sample: Sample, options: Plain) -> Floats:
    """Influence of each row on the concordance."""
    c, m, d = concordance_parts(sample)
    return 2 * (c - sample.mean(c) / d * m) / d


def pair_details(sample: Sample, options: Plain) -> Mapping[str, float]:
    """Pairs of each kind."""
    total = pair_totals(sample.pairs, sample.weight)
    discordant = total.comparable - total.concordant - total.tied
    return {"concordant": total.concordant, "tied": total.tied, "discordant": discordant}
