"""Venkatraman's tests: are two ROC curves the same, not only their areas?

Call the share u of all rows that score highest positive. Of the n_pos positives, P(u) are then found. Two models with
the same ROC curve find as many at every u, and the statistic adds up what they differ by:

    paired     E = sum over k = 1 .. n-1 of |2 (P_a(k/n) - P_b(k/n))|
               (an error more among the positives is one more among the negatives: hence the 2)
               Venkatraman & Begg 1996, Biometrika 83:835-848
    unpaired   E = integral over u of |TPR_a(u) - TPR_b(u)|, Venkatraman 2000, Biometrics 56:1134-1138
               with u = w TPR + (1 - w) FPR along each curve, w the share of positives in both samples together

Within ties P is linear, as the ROC curve is: what orders drawn at random would give on average. So E does not depend on
the order of the rows, and without ties it is the papers'. Any statistic is valid under exchange, this one too.

Paired: the mid-ranks of both models are exchanged row by row (:mod:`~rocsolid.inference.permutation`). Unpaired: scores
are replaced by their 1 - u, on which both samples have one distribution by class if the curves agree, and positives and
negatives are dealt anew to the two samples.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rocsolid import _kernel, keys
from rocsolid.inference.permutation import PermutationResult, exchange_test, twice_mid_ranks
from rocsolid.inference.seeds import resampling
from rocsolid.inputs.arrays import Array, BoolArray
from rocsolid.options import get_num_threads

Floats = npt.NDArray[np.float64]

SAME = 1e-12
"""Statistics closer than this, relative to the one seen, are equal and differ by rounding only."""


def paired_venkatraman(
    positive: BoolArray,
    scores_a: Array,
    scores_b: Array,
    *,
    n_resamples: int | None = None,
    rng: object = None,
    higher_is_positive: bool = True,
    cluster: npt.NDArray[np.intp] | None = None,
) -> PermutationResult:
    """Test whether two models of the same rows have the same ROC curve; the statistic is E.

    Parameters
    ----------
    positive : (n,) bool.
    scores_a, scores_b : (n,) clean scores.
    n_resamples, rng, higher_is_positive, cluster : as in
        :func:`~rocsolid.inference.permutation.paired_permutation`.

    Notes
    -----
    O(n log n) for each exchange.

    Examples
    --------
    Both positives on top against both at the bottom: P_a = 1, 2, 2 and P_b = 0, 0, 1 at k = 1, 2, 3.

    >>> y, a = np.array([True, True, False, False]), np.array([4.0, 3.0, 2.0, 1.0])
    >>> paired_venkatraman(y, a, -a).statistic
    8.0
    """
    a, b = (twice_mid_ranks(scores, higher_is_positive=higher_is_positive) for scores in (scores_a, scores_b))
    cuts = np.arange(1.0, len(a))

    def statistic(left: Floats, right: Floats) -> Floats:
        pairs = zip(left, right, strict=True)
        return np.array([2 * np.abs(_found(x, positive, cuts) - _found(y, positive, cuts)).sum() for x, y in pairs])

    return exchange_test(statistic, a, b, n_resamples=n_resamples, rng=rng, cluster=cluster)


def _found(ranks: Floats, positive: BoolArray, cuts: Floats) -> Floats:
    """Positives among the highest ``cuts`` rows; linear within ties."""
    _, pos, neg, _ = _kernel.group(ranks, positive.view(np.uint8), None, True, 1)
    rows, found = (np.concatenate([[0], np.cumsum(counts)]) for counts in (pos + neg, pos))
    return np.asarray(np.interp(cuts, rows, found), np.float64)


def unpaired_venkatraman(
    positive_a: BoolArray,
    scores_a: Array,
    positive_b: BoolArray,
    scores_b: Array,
    *,
    n_resamples: int | None = None,
    rng: object = None,
    higher_is_positive: bool = True,
) -> PermutationResult:
    """Test whether two models of different rows have the same ROC curve; the statistic is E.

    The null distribution takes positives (and negatives) of both samples as exchangeable once their scores are replaced
    by u; u is itself estimated, so the size is right for samples that are not small. Always by drawing.

    Parameters
    ----------
    positive_a, scores_a : labels and clean scores of the first sample, which has both classes.
    positive_b, scores_b : those of the second.
    n_resamples, rng, higher_is_positive : as in :func:`~rocsolid.inference.permutation.paired_permutation`.

    Notes
    -----
    O((n_a + n_b) log(n_a + n_b)) for each deal.

    Examples
    --------
    The same curve twice:

    >>> y, s = np.array([True, False, True, False]), np.array([4.0, 3.0, 2.0, 1.0])
    >>> found = unpaired_venkatraman(y, s, y, s + 7, n_resamples=99, rng=0)
    >>> found.statistic, found.pvalue
    (0.0, 1.0)
    """
    draws = resampling(n_resamples, rng)
    positive = np.concatenate([positive_a, positive_b])
    first = np.arange(len(positive)) < len(positive_a)
    weight = float(positive.mean())
    u = np.concatenate(
        [
            _shares(positive_a, scores_a, weight, higher_is_positive),
            _shares(positive_b, scores_b, weight, higher_is_positive),
        ]
    )
    seen = _area_between(u, positive, first, weight)
    generator, hits = np.random.Generator(np.random.PCG64(draws.seed)), 0
    for _ in range(draws.n_resamples):
        dealt = first.copy()
        for member in (positive, ~positive):
            dealt[member] = generator.permutation(first[member])
        hits += _area_between(u, positive, dealt, weight) >= seen * (1 - SAME)
    p = (1 + hits) / (1 + draws.n_resamples)
    return PermutationResult(
        pvalue=p, statistic=seen, n_resamples=draws.n_resamples, exact=False,
        std_error_of_p=math.sqrt(p * (1 - p) / (draws.n_resamples + 1)), seed=draws.seed,
    )  # fmt: skip


def _shares(positive: BoolArray, scores: Array, weight: float, higher_is_positive: bool) -> Floats:
    """Replace each score by 1 - u in the middle of its ties, so that high still means positive."""
    wide, _ = keys.to_kernel(scores)
    place, k = _kernel.ranks(wide, higher_is_positive, get_num_threads())
    steps = _steps(np.bincount(place[positive], minlength=k), np.bincount(place[~positive], minlength=k), weight)
    return (1 - np.cumsum(steps) + steps / 2)[place]


def _steps(pos: npt.NDArray[np.integer], neg: npt.NDArray[np.integer], weight: float) -> Floats:
    """How far u moves at each distinct score."""
    return np.asarray(weight * pos / pos.sum() + (1 - weight) * neg / neg.sum())


def _area_between(u: Floats, positive: BoolArray, first: BoolArray, weight: float) -> float:
    """Area between both samples' TPR as functions of u, both linear between their corners."""
    curves = []
    for member in (first, ~first):
        _, pos, neg, _ = _kernel.group(u[member], positive[member].view(np.uint8), None, True, 1)
        ends = np.minimum(np.concatenate([[0], np.cumsum(_steps(pos, neg, weight))]), 1.0)
        curves.append((ends, np.concatenate([[0], np.cumsum(pos) / pos.sum()])))
    grid = np.unique(np.concatenate([ends for ends, _ in curves]))
    gap = np.interp(grid, *curves[0]) - np.interp(grid, *curves[1])
    return _absolute_area(grid, gap)


def _absolute_area(x: Floats, gap: Floats) -> float:
    """Integral of |gap|, linear between the points; a segment that crosses 0 is two triangles."""
    size = np.abs(gap)
    left, right, width = size[:-1], size[1:], np.diff(x)
    crosses = gap[:-1] * gap[1:] < 0
    total = left + right
    squares = np.divide(left * left + right * right, total, out=np.zeros_like(total), where=crosses)
    return float((width * np.where(crosses, squares, total) / 2).sum())
