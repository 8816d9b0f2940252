"""What of this library takes part. A kernel function that this build lacks is said to be absent."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

import rocsolid as rs
from benches.inputs import Labels, Scores
from benches.timing import Absent, Contestant, Runner
from rocsolid import _kernel

NOT_HERE = "not in this build"
Floats = npt.NDArray[np.float64]


def kernel(name: str) -> Callable[..., Any] | None:
    """A function of the kernel, if this build has it."""
    return getattr(_kernel, name, None)


def on(threads: int, call: Callable[[], Any]) -> Callable[[], Any]:
    """The call with so many threads."""

    def limited() -> Any:
        rs.set_num_threads(threads)
        return call()

    return limited


def with_threads(name: str, threads: int) -> str:
    """`name, 2 threads`."""
    return f"{name}, {threads} thread{'s' if threads > 1 else ''}"


# ------------------------------------------------------------------------------------------------ areas

AREAS, KERNEL = "rs.areas", "rs._kernel.areas"


def areas(y: Labels, s: Scores, threads: int, weight: Any = None) -> Runner:
    """The whole Python call, validation included."""
    return Runner(with_threads(AREAS, threads), on(threads, lambda: pair(y, s, weight)))


def pair(y: Labels, s: Scores, weight: Any = None) -> tuple[float, float]:
    """ROC area and average precision."""
    found = rs.areas(y, s, sample_weight=weight)
    return found.roc_auc, found.average_precision


def kernel_areas(y: Labels, s: Scores, threads: int) -> Runner:
    """The kernel alone, labels as bytes."""
    positive = y.astype(np.uint8)

    def call() -> tuple[float, float]:
        u2, n_pos, n_neg, ap = _kernel.areas(s, positive, threads)
        return u2 / (2 * n_pos * n_neg), ap

    return Runner(with_threads(KERNEL, threads), call)


def columns(y: Labels, table: Floats, threads: int) -> Contestant:
    """Many score columns, the columns of a matrix in column order, against one label vector."""
    name = with_threads("rs, all columns", threads)

    def call() -> Any:
        found = rs.areas(y, table, columns=True)
        return found.roc_auc, found.average_precision

    return Runner(name, on(threads, call))


# -------------------------------------------------------------------------------------- rows of several models


def delong(y: Labels, models: Floats, threads: int) -> Contestant:
    """Areas and their covariance, (k,) and (k, k), from placements in whole numbers; a model is a row."""
    name = with_threads("rs, DeLong", threads)
    place, sums = kernel("placements"), kernel("placement_sums")
    if place is None or sums is None:
        return Absent(name, f"placements {NOT_HERE}")

    def call() -> tuple[Floats, Floats]:
        positive = (y == 1).view(np.uint8)
        found = sums([place(s, positive, True, threads) for s in models], positive, threads)
        (n_pos, twice_u, _), (n_neg, _, _) = found
        cov = np.zeros((len(models), len(models)))
        for (n, totals, products), others in zip(found, (n_neg, n_pos), strict=True):
            for i, t in enumerate(totals):
                for j, u in enumerate(totals):
                    spread = n * products[i][j] - t * u
                    cov[i, j] += float(Fraction(spread, n * n * (n - 1) * (2 * others) ** 2))
        return np.array([u / (2 * n_pos * n_neg) for u in twice_u]), cov

    return Runner(name, call)


# -------------------------------------------------------------------------------------------------- bootstrap

SEED = 7


def bootstrap(y: Labels, s: Scores, replicates: int, threads: int) -> Contestant:
    """Areas of all replicates, from the rows: counting per distinct score is part of the work."""
    name = with_threads("rs, bootstrap", threads)
    resample = kernel("resample")
    if resample is None:
        return Absent(name, f"resample {NOT_HERE}")

    def call() -> Any:
        sweep = rs.Sweep.from_arrays(y, s)
        return resample(sweep.pos, sweep.neg, replicates, SEED, "multinomial", threads)[:2]

    return Runner(name, on(threads, call))


def replicate(y: Labels, s: Scores, number: int) -> tuple[Labels, Scores, npt.NDArray[np.uint64]] | None:
    """Labels, scores and counts of one replicate, for others to compute its areas from."""
    counts = kernel("resample_counts")
    if counts is None:
        return None
    sweep = rs.Sweep.from_arrays(y, s)
    pos, neg = counts(sweep.pos, sweep.neg, SEED, number, "multinomial")
    truth = np.repeat(np.array([1, 0], np.int64), len(pos))
    return truth, np.tile(sweep.scores, 2), np.concatenate([pos, neg])
