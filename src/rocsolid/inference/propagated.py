"""Intervals of functions of the rates at a cut: Youden's J, likelihood ratios, MCC, kappa, F-beta and their kin.

A confusion matrix is three independent proportions: the flagged among the positives (TPR), the flagged among the
negatives (FPR), and the positives among all rows. A measure at a cut is a function of these. Each proportion alone has
limits at every level, and so each of its possible values lies so many normal quantiles z from what was seen. The limits
of the measure are its extremes over all values of the three that lie together at most z from what was seen,

    z_TPR^2 + z_FPR^2 + z_prevalence^2 = z^2,

which is Newcombe's way of propagating imprecision (2011, Communications in Statistics - Theory and Methods
40:3154-3180). They stay within the range of the measure and do not collapse where a cell is empty.

The limits of a proportion lie half-way between Clopper & Pearson's and Jeffreys'. Over 1,000 pairs of sizes and rates
(by enumeration, docs/explanation/intervals.md) these cover .93 and more for every measure; Wilson's go down to .86.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rocsolid.inference.case import Case, Found, Method, influence, standard_error
from rocsolid.inference.limits import Limits
from rocsolid.inference.rates import design_size, squared
from rocsolid.measures.ranking import class_shares
from rocsolid.measures.registry import Proportion
from rocsolid.measures.threshold import CELLS
from rocsolid.results import Counts, Note

Floats = npt.NDArray[np.float64]

CORRECTION = 0.25
"""Counts added to the hits for a lower limit: 0 is Clopper & Pearson's, 1/2 is Jeffreys'.

Of 0, .1, .25, .3, .33 and .5 the largest with no cell below .93; .3 goes down to .921 for LR-, .5 to .895 for
Youden's J. Mean coverage is .970.
"""

TPR, FPR = Proportion(("tp",), ("fn",)), Proportion(("fp",), ("tn",))
PREVALENCE = Proportion(("tp", "fn"), ("fp", "tn"))


@dataclass(frozen=True, slots=True)
class Seen:
    """Hits and misses of a proportion, effective ones with weights.

    ``given`` names what must have been seen for the measure to exist: a hit, or a miss. The limit beyond which that
    would be unlikely is then one of the binomial distribution that has at least one of them: without this a
    likelihood ratio that exists since, by luck, one negative was flagged would be taken for what it mostly is.
    """

    hits: float
    misses: float
    given: Literal["hit", "miss"] | None = None

    def at(self, z: Floats) -> Floats:
        """Values that lie z normal quantiles above (z > 0) or below what was seen: one-sided limits."""
        from scipy.special import ndtr

        size = self.hits + self.misses
        values = np.full(z.shape, self.hits / size if size else 0.5)
        down, up = z < 0, z > 0
        values[down] = _lower(self.hits, self.misses, ndtr(z[down]), given=self.given == "hit")
        values[up] = 1 - _lower(self.misses, self.hits, ndtr(-z[up]), given=self.given == "miss")
        return values


def _lower(hits: float, misses: float, tail: Floats, *, given: bool) -> Floats:
    """Lower limits of a proportion, each with this much in the tail; ``given`` that there is a hit."""
    from scipy.special import betaincinv

    if hits <= (1 if given else 0):  # a lone hit that had to be there speaks against no proportion, however small
        return np.zeros_like(tail)
    a, b = hits + CORRECTION, misses + 1 - CORRECTION
    limit: Floats = betaincinv(a, b, tail)
    if given:
        limit = _given_a_hit(limit, a, b, hits + misses, tail)
    return np.minimum(limit, hits / (hits + misses))


def _given_a_hit(p: Floats, a: float, b: float, size: float, tail: Floats) -> Floats:
    """Solve I_p(a, b) = tail (1 - (1 - p)^n): the tail as a share of the chance that there is a hit at all.

    Newton's method on logarithms, from the solution without the chance.
    """
    from scipy.special import betainc, betaln

    for _ in range(20):
        mass, chance = betainc(a, b, p), -np.expm1(size * np.log1p(-p))
        gap = np.log(mass / (tail * chance))
        density = np.exp((a - 1) * np.log(p) + (b - 1) * np.log1p(-p) - betaln(a, b))
        step = gap / (p * (density / mass - size * (1 / chance - 1) / (1 - p)))
        p = p * np.exp(-step)
        if np.abs(step).max(initial=0.0) < 1e-12:
            break
    return p


# ------------------------------------------------------------------------------------- extremes on a sphere

ROUNDS = 10
"""Each looks at a part of the sphere 0.4 as wide as the last; a limit is then right to about 1e-9 of itself."""


def extremes(function: Callable[..., Floats], seen: Sequence[Seen], z: float, correlation: Floats) -> Limits:
    """Smallest and largest value of a function of two or three proportions that lie at most z from what was seen.

    O(1): some hundred to two thousand beta quantiles.

    Examples
    --------
    A difference of 9/10 and 3/10; with Wilson's limits Newcombe has .17 to .81.

    >>> low, high = extremes(lambda p, q: p - q, [Seen(9, 1), Seen(3, 7)], 1.959964, np.eye(2))
    >>> round(float(low), 3), round(float(high), 3)
    (0.134, 0.873)
    """
    spread, axes = np.linalg.eigh(correlation)
    root = axes * np.sqrt(np.maximum(spread, 0))

    def at(directions: Floats) -> Floats:
        with np.errstate(all="ignore"):
            return function(*(one.at(e) for one, e in zip(seen, z * root @ directions.T, strict=True)))

    start = _directions(len(seen))
    return _least(at, start), -_least(lambda directions: -at(directions), start)


def _least(value: Callable[[Floats], Floats], start: Floats) -> float:
    """Smallest value over unit vectors: the best of ``start``, then of ever closer neighbours of the best."""
    values = value(start)
    best = start[np.nanargmin(values)]
    low, reach = float(np.nanmin(values)), 0.3
    steps = np.array(list(product(np.linspace(-1, 1, 5), repeat=start.shape[1] - 1)))
    for _ in range(ROUNDS):
        if math.isinf(low):
            break
        tangent = np.linalg.svd(best[None])[2][1:]
        near = best + reach * steps @ tangent
        near /= np.linalg.norm(near, axis=1, keepdims=True)
        values = value(near)
        if np.nanmin(values) < low:
            best, low = near[np.nanargmin(values)], float(np.nanmin(values))
        reach *= 0.4
    return low


def _directions(dimension: int) -> Floats:
    """Unit vectors all around: every five degrees of a circle, or 160 on a spiral about a sphere."""
    if dimension == 2:
        angle = np.arange(72) * (math.pi / 36)
        return np.column_stack([np.cos(angle), np.sin(angle)])
    turn = np.arange(160)
    height = 1 - (2 * turn + 1) / 160
    angle, radius = turn * (math.pi * (3 - math.sqrt(5))), np.sqrt(1 - height**2)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), height])


# -------------------------------------------------------------------------------------------- the measures


@dataclass(frozen=True, slots=True)
class OfRates:
    """A measure as a function of TPR, FPR, prevalence and its options.

    ``prevalence`` says that it depends on it; the rest, what must be seen of positives and of negatives to have it.
    """

    function: Callable[[Any, Any, Any, Any], Any]
    prevalence: bool = False
    positives: Literal["hit", "miss"] | None = None
    negatives: Literal["hit", "miss"] | None = None


def _flagged(t: Any, f: Any, pi: Any) -> Any:
    return pi * t + (1 - pi) * f


def _mcc(t: Any, f: Any, pi: Any, options: Any) -> Any:
    flagged = _flagged(t, f, pi)
    return (t - f) * np.sqrt(pi * (1 - pi) / (flagged * (1 - flagged)))


def _kappa(t: Any, f: Any, pi: Any, options: Any) -> Any:
    flagged = _flagged(t, f, pi)
    return 2 * pi * (1 - pi) * (t - f) / (pi * (1 - flagged) + (1 - pi) * flagged)


def _f_beta(t: Any, f: Any, pi: Any, options: Any) -> Any:
    square = float(options.square)
    return (1 + square) * pi * t / (square * pi + _flagged(t, f, pi))


def _detection_cost(t: Any, f: Any, pi: Any, options: Any) -> Any:
    miss, alarm = (float(worth) for worth in options.worth)
    return miss * (1 - t) + alarm * f


OF_RATES: dict[str, OfRates] = {
    "youden_j": OfRates(lambda t, f, pi, options: t - f),
    "balanced_accuracy": OfRates(lambda t, f, pi, options: (t + 1 - f) / 2),
    "lr_positive": OfRates(lambda t, f, pi, options: t / f, negatives="hit"),
    "lr_negative": OfRates(lambda t, f, pi, options: (1 - t) / (1 - f), negatives="miss"),
    "diagnostic_odds_ratio": OfRates(
        lambda t, f, pi, options: t * (1 - f) / (f * (1 - t)), positives="miss", negatives="hit"
    ),
    "act_dcf": OfRates(_detection_cost),
    "mcc": OfRates(_mcc, prevalence=True),
    "kappa": OfRates(_kappa, prevalence=True),
    "f_beta": OfRates(_f_beta, prevalence=True),
}
"""Measures whose interval is made in this way."""

UNBOUNDED = Note(
    "unbounded",
    "no upper limit: the measure exists only where a row of that cell is seen, and a single one may be luck",
    "没有上限：只有在该格中见到行时指标才存在，而仅有一行可能只是偶然",
)


def limits_of(case: Case, seen: Sequence[Seen], z: float, correlation: Floats) -> Limits:
    """Limits of the measure from TPR, FPR and prevalence as they were seen, and the correlation of the three."""
    rule, options = OF_RATES[case.request.measure.name], case.request.options
    if rule.prevalence and case.margins == "random":
        low, high = extremes(lambda t, f, pi: rule.function(t, f, pi, options), seen, z, correlation)
    else:
        share = class_shares(case.sweep)[0]
        low, high = extremes(lambda t, f: rule.function(t, f, share, options), seen[:2], z, correlation[:2, :2])
    return min(low, case.value), max(high, case.value)


def needed(case: Case) -> tuple[Literal["hit", "miss"] | None, ...]:
    """What must be seen of TPR, FPR and prevalence for the measure to exist."""
    rule = OF_RATES[case.request.measure.name]
    return rule.positives, rule.negatives, None


def _propagated(case: Case) -> Found:
    counts = case.sweep.at(case.request.options.threshold)
    seen = [_seen(counts, one, given) for one, given in zip((TPR, FPR, PREVALENCE), needed(case), strict=True)]
    correlation = np.eye(3) if counts.squares is None else _correlation(counts, seen)
    limits = limits_of(case, seen, case.z, correlation)
    se = standard_error(case)
    return Found(limits, None if math.isnan(se) else se, remark(limits))


def remark(limits: Limits) -> tuple[Note, ...]:
    """Say why there is no upper limit."""
    return (UNBOUNDED,) if math.isinf(limits[1]) else ()


def _seen(counts: Counts, proportion: Proportion, given: Literal["hit", "miss"] | None) -> Seen:
    """Hits and misses; with weights of an effective size, the smaller of the linearised variance's and Kish's.

    That variance is itself known from few rows: by it alone Youden's J covered .92 with 30 positives.
    """
    hits, misses = proportion.split(counts)
    if counts.squares is None or hits + misses == 0:
        return Seen(float(hits), float(misses), given)
    p = hits / (hits + misses)
    kish = (hits + misses) ** 2 / sum(proportion.split(squared(counts)))
    size = min(design_size(counts, proportion, p), kish)
    return Seen(p * size, (1 - p) * size, given)


def _correlation(counts: Counts, seen: Sequence[Seen]) -> Floats:
    """Correlation of the three proportions with weights, linearised; without them they are independent."""
    assert counts.squares is not None
    answers = np.zeros((3, len(CELLS)))
    for i, proportion in enumerate((TPR, FPR, PREVALENCE)):
        hits, misses = proportion.split(counts)
        p = hits / (hits + misses) if hits + misses else 0.0
        answers[i] = [(c in proportion.hits) * (1 - p) - (c in proportion.misses) * p for c in CELLS]
    joint = (answers * np.asarray(counts.squares)) @ answers.T
    return as_correlation(joint)


def as_correlation(joint: Floats) -> Floats:
    """Correlation matrix of a covariance matrix; what does not vary goes with nothing."""
    own = np.sqrt(np.diag(joint))
    below = np.outer(own, own)
    found: Floats = np.divide(joint, below, out=np.zeros_like(joint), where=below > 0)
    np.fill_diagonal(found, 1.0)
    return found


PROPAGATED_METHODS: dict[str, dict[str, Method]] = {
    name: {"propagated": _propagated, "influence": influence} for name in OF_RATES
}
