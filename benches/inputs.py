"""Labels and scores that kernels find easy, hard, or are misled by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.int64]
Scores = npt.NDArray[Any]
Data = tuple[Labels, Scores]


def _labels(rng: np.random.Generator, n: int, share: float) -> Labels:
    y = (rng.random(n) < share).astype(np.int64)
    y[0], y[-1] = 0, 1  # both classes, however few the rows
    return y


def _normal(rng: np.random.Generator, n: int, share: float = 0.5, shift: float = 1.0) -> Data:
    y = _labels(rng, n, share)
    return y, rng.standard_normal(n) + shift * y


def balanced(rng: np.random.Generator, n: int) -> Data:
    """Half positive, hardly a tie."""
    return _normal(rng, n)


def one_percent(rng: np.random.Generator, n: int) -> Data:
    """One positive in a hundred."""
    return _normal(rng, n, 0.01, 2)


def one_permille(rng: np.random.Generator, n: int) -> Data:
    """One positive in a thousand."""
    return _normal(rng, n, 0.001, 2)


def thousand(rng: np.random.Generator, n: int) -> Data:
    """Probabilities in three decimals."""
    y, s = _normal(rng, n, 0.3)
    return y, np.round(1 / (1 + np.exp(-s)), 3)


def ascending(rng: np.random.Generator, n: int) -> Data:
    """In order already."""
    y, s = _normal(rng, n)
    order = np.argsort(s)
    return y[order], s[order]


def descending(rng: np.random.Generator, n: int) -> Data:
    """In order, the other way."""
    y, s = ascending(rng, n)
    return y[::-1].copy(), s[::-1].copy()


def all_equal(rng: np.random.Generator, n: int) -> Data:
    """One score."""
    return _labels(rng, n, 0.5), np.full(n, 0.25)


def half_zeros(rng: np.random.Generator, n: int) -> Data:
    """Every other row has score zero."""
    y, s = _normal(rng, n)
    return y, np.where(rng.random(n) < 0.5, 0.0, s)


def two_clusters(rng: np.random.Generator, n: int) -> Data:
    """Two clusters so far apart that equal steps between them are of no use."""
    y, s = _normal(rng, n)
    return y, s * 1e-3 + np.where(rng.random(n) < 0.5, 0.0, 1e9)


def lognormal(rng: np.random.Generator, n: int) -> Data:
    """Scores over two hundred orders of magnitude."""
    y, s = _normal(rng, n)
    return y, np.exp(30 * s)


SHAPES: dict[str, Callable[[np.random.Generator, int], Data]] = {
    "balanced": balanced,
    "1 % positive": one_percent,
    "0.1 % positive": one_permille,
    "1,000 distinct": thousand,
    "sorted": ascending,
    "reversed": descending,
    "all equal": all_equal,
    "half zeros": half_zeros,
    "two far clusters": two_clusters,
    "lognormal, sd 30": lognormal,
}


def draw(shape: str, rows: int, dtype: str = "float64") -> Data:
    """The same data for the same arguments. What float32 can not hold becomes its largest number."""
    y, s = SHAPES[shape](np.random.default_rng(rows), rows)
    if dtype == "float32":
        s = np.minimum(s, np.finfo(np.float32).max).astype(np.float32)
    return y, s
