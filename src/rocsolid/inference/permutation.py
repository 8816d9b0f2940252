"""The paired permutation test: two models of the same rows, exchanged row by row.

Null hypothesis: the two scores of a row are exchangeable, once both are on the scale of ranks. Then every exchange of
the two mid-ranks of some rows was as likely as what was seen, and the p value is the share of exchanges that show at
least as large a difference (Venkatraman & Begg 1996, Biometrika 83:835-848; Bandos, Rockette & Gur 2005, Statistics in
Medicine 24:2873-2893). All exchanges are enumerated where few rows differ; otherwise they are drawn, and the one
that was seen counts among them, so that the test keeps its size with any number of draws (Phipson & Smyth 2010).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid import _kernel, keys
from rocsolid.errors import OptionError
from rocsolid.inference.bootstrap import area_of
from rocsolid.inference.seeds import resampling
from rocsolid.inputs.arrays import Array, BoolArray
from rocsolid.measures.registry import Request, compute, number
from rocsolid.options import check_choice, get_num_threads
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]
Statistic = Callable[[Floats, Floats], Floats]

EXACT_UNITS = 14
"""All 2^d exchanges are enumerated where at most so many rows (or clusters) differ between the models."""
SAME = 1e-12
"""Statistics closer than this (relative to the one seen, above 1) are equal and differ by rounding only."""
BATCH_BYTES = 1 << 26
"""Memory for the exchanged ranks of one call of the kernel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationResult:
    """A permutation test.

    Attributes
    ----------
    pvalue : share of exchanges at least as extreme as what was seen.
    statistic : what was seen, first model less second.
    n_resamples : exchanges looked at: all there are, or those drawn.
    exact : whether that were all.
    std_error_of_p : Monte-Carlo standard error of ``pvalue``, 0 if exact.
    seed : what the exchanges were drawn from, ``None`` if exact.
    """

    pvalue: float
    statistic: float
    n_resamples: int
    exact: bool
    std_error_of_p: float
    seed: int | None


def paired_permutation(
    request: Request,
    positive: BoolArray,
    scores_a: Array,
    scores_b: Array,
    *,
    n_resamples: int | None = None,
    rng: object = None,
    alternative: str = "two-sided",
    higher_is_positive: bool = True,
    cluster: npt.NDArray[Any] | None = None,
) -> PermutationResult:
    """Test whether two models differ in a measure of ranking, by exchanging their mid-ranks.

    Parameters
    ----------
    request : a measure that depends on the order of scores only.
    positive : (n,) bool.
    scores_a, scores_b : (n,) clean scores of both models.
    n_resamples, rng : as in :func:`~rocsolid.inference.seeds.resampling`; not used where all exchanges are enumerated.
    alternative : ``"two-sided"``, ``"greater"`` (the first model's measure is larger) or ``"less"``.
    higher_is_positive : the direction of both scores.
    cluster : (n,) whole numbers from 0: rows of a cluster are exchanged together.

    Notes
    -----
    O(n log n) for each exchange, on all threads for areas.

    Raises
    ------
    OptionError
        For a measure that looks at more than the order, and bad options.

    Examples
    --------
    The first model has both positives on top, the second both at the bottom. All four rows differ; of the 16 exchanges
    only the one seen and its mirror show a difference of 1:

    >>> from rocsolid.measures import find
    >>> y, a = np.array([True, True, False, False]), np.array([4.0, 3.0, 2.0, 1.0])
    >>> paired_permutation(find("roc_auc"), y, a, -a).pvalue
    0.125
    """
    values = _values(request, np.ascontiguousarray(positive))
    a, b = (twice_mid_ranks(scores, higher_is_positive=higher_is_positive) for scores in (scores_a, scores_b))
    return exchange_test(
        lambda left, right: _difference(values(left), values(right)), a, b,
        n_resamples=n_resamples, rng=rng, alternative=alternative, cluster=cluster,
    )  # fmt: skip


def exchange_test(
    statistic: Statistic,
    a: Floats,
    b: Floats,
    *,
    n_resamples: int | None,
    rng: object,
    alternative: str = "two-sided",
    cluster: npt.NDArray[Any] | None = None,
) -> PermutationResult:
    """Refer a statistic of two (m, n) stacks of rank columns, m values each, to exchanges of (n,) ``a`` and ``b``."""
    check_choice("alternative", alternative, ("two-sided", "greater", "less"))
    draws = resampling(n_resamples, rng)
    seen = float(statistic(a[None], b[None])[0])
    unit, d = _units(a != b, cluster)
    exact = d <= EXACT_UNITS
    wanted = 2**d if exact else draws.n_resamples
    masks = _Exchanges(d, None if exact else draws.seed)
    hits, size = 0, max(1, BATCH_BYTES // (16 * len(a)))
    for start in range(0, wanted, size):
        swap = np.take(masks.next(min(size, wanted - start)), unit, axis=1)
        values = statistic(np.where(swap, b, a), np.where(swap, a, b))
        hits += _at_least(values, seen, alternative)
    p = hits / wanted if exact else (1 + hits) / (1 + wanted)
    return PermutationResult(
        pvalue=p, statistic=seen, n_resamples=wanted, exact=exact,
        std_error_of_p=0.0 if exact else math.sqrt(p * (1 - p) / (wanted + 1)), seed=None if exact else draws.seed,
    )  # fmt: skip


def _at_least(values: Floats, seen: float, alternative: str) -> int:
    """How many values are at least as extreme as the one seen."""
    if alternative == "two-sided":
        values, seen = np.abs(values), abs(seen)
    elif alternative == "less":
        values, seen = -values, -seen
    return int(np.count_nonzero(values >= seen - SAME * max(1.0, abs(seen))))


def _units(differ: BoolArray, cluster: npt.NDArray[Any] | None) -> tuple[npt.NDArray[np.intp], int]:
    """Number the rows (or clusters) whose exchange changes anything, 0 to d - 1; d for all others."""
    own = np.arange(len(differ)) if cluster is None else np.asarray(cluster, np.intp)
    matters = np.bincount(own, differ) > 0
    d = int(np.count_nonzero(matters))
    return np.where(matters, np.cumsum(matters) - 1, d)[own], d


class _Exchanges:
    """Which of d units to exchange: all 2^d possibilities in order, or random ones; unit d is never exchanged."""

    def __init__(self, d: int, seed: int | None) -> None:
        self.d, self.done = d, 0
        self.bits = None if seed is None else np.random.PCG64(seed)

    def next(self, size: int) -> BoolArray:
        """Give the next exchanges, (size, d + 1)."""
        out = np.zeros((size, self.d + 1), np.bool_)
        if self.bits is None:
            code = np.arange(self.done, self.done + size)
            out[:, : self.d] = code[:, None] >> np.arange(self.d) & 1
        else:
            words = self.bits.random_raw((size, -(-self.d // 64)))
            drawn = np.unpackbits(words.astype("<u8").view(np.uint8), axis=1)
            out[:, : self.d] = drawn[:, : self.d]
        self.done += size
        return out


# ------------------------------------------------------------------------------------------- ranks and values


def twice_mid_ranks(scores: Array, *, higher_is_positive: bool = True) -> Floats:
    """Twice the mid-rank of each score, ties sharing their mean, the largest the strictest. O(n log n).

    Examples
    --------
    >>> twice_mid_ranks(np.array([0.3, 0.1, 0.3, 0.9])).tolist()
    [5.0, 2.0, 5.0, 8.0]
    """
    wide, _ = keys.to_kernel(scores)
    place, k = _kernel.ranks(wide, higher_is_positive, get_num_threads())  # 0 is the strictest
    count = np.bincount(place, minlength=k)
    at_or_above = np.cumsum(count)
    return np.asarray(2 * (len(scores) - at_or_above) + count + 1, np.float64)[place]


def _values(request: Request, positive: BoolArray) -> Callable[[Floats], Floats]:
    """Make the function that gives a measure of each column of ranks in an (m, n) stack."""
    entry = request.measure
    base = area_of(request)
    if base is not None:

        def areas(stack: Floats) -> Floats:
            found = _kernel.areas_of_matrix(_narrow(stack).T, positive.view(np.uint8), get_num_threads())
            area = found[0] if base == "roc_auc" else found[1]
            forward = None if entry.monotone is None else entry.monotone.forward
            return area if forward is None else np.vectorize(forward, otypes=[np.float64])(area)

        return areas
    if entry.input != "sweep" or "probabilities" in entry.needs:
        raise OptionError(
            "method", "permutation", f"another for `{request.spec}`, which looks at more than the order of scores",
            "method='bootstrap'",
        )  # fmt: skip

    def each(stack: Floats) -> Floats:
        sweeps = (_sweep(column, positive) for column in stack)
        return np.array([number(request, compute(request, sweep)) for sweep in sweeps])

    return each


def _narrow(stack: Floats) -> npt.NDArray[Any]:
    """Ranks as float32 where that holds them exactly: half the memory, and faster to sort."""
    return stack.astype(np.float32) if 2 * stack.shape[1] < 2**24 else stack


def _sweep(ranks: Floats, positive: BoolArray) -> Sweep:
    scores, pos, neg, _ = _kernel.group(ranks, positive.view(np.uint8), None, True, 1)
    return Sweep(scores, pos, neg, True, None)


def _difference(a: Floats, b: Floats) -> Floats:
    """First less second; 0 where they are equal, infinite ones too."""
    return np.subtract(a, b, out=np.zeros_like(a), where=a != b)
