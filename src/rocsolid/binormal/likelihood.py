"""Maximum likelihood of the binormal model from counts in ordered categories (Dorfman & Alf 1969).

Categories run from strict to lenient. Cut j, below category j, flags a share Phi(z_j) of the negatives and
Phi(w_j) of the positives, w_j = a + b z_j, so that counts n_j and m_j have the log likelihood

    sum_j n_j log(Phi(z_j) - Phi(z_{j-1})) + sum_j m_j log(Phi(w_j) - Phi(w_{j-1})).

Each step is one of scoring: the expected information of the cuts is tridiagonal, bordered by a and b, and takes O(k).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

STEPS = 500
HALVINGS = 40
ENOUGH = 1e-15
"""Converged once a step would gain less than this in log likelihood (half the score's quadratic form)."""
ROUNDING = 1e-13
"""A relative loss of log likelihood that is no loss."""


@dataclass(frozen=True, slots=True, eq=False)
class Likely:
    """The maximum: parameters, cuts, log likelihood, covariance of (a, b); not ``converged`` if there is none."""

    a: float
    b: float
    cuts: Floats
    log_likelihood: float
    covariance: Floats
    converged: bool


def maximise(pos: Floats, neg: Floats, a: float, b: float) -> Likely:
    """Climb from (a, b) by scoring with step halving; counts per category, none without a row. O(k) a step."""
    theta = np.concatenate([[a, b], _first_cuts(pos, neg, a, b)])
    value = log_likelihood(theta, pos, neg)
    for _ in range(STEPS):
        step, covariance, gain = _scoring_step(theta, pos, neg)
        if gain < ENOUGH:
            return Likely(float(theta[0]), float(theta[1]), theta[2:], value, covariance, True)
        size = 1.0
        for _ in range(HALVINGS):
            nearby = theta + size * step
            found = log_likelihood(nearby, pos, neg)
            if found >= value - ROUNDING * abs(value):
                break
            size /= 2
        else:
            break
        theta, value = nearby, found
    return Likely(float(theta[0]), float(theta[1]), theta[2:], value, np.full((2, 2), math.nan), False)


def log_likelihood(theta: Floats, pos: Floats, neg: Floats) -> float:
    """Log likelihood of (a, b, cuts); minus infinity where the cuts are out of order or b is not above 0. O(k)."""
    a, b, z = theta[0], theta[1], theta[2:]
    if not b > 0 or not bool((np.diff(z) > 0).all()):
        return -math.inf
    total = 0.0
    for counts, ends in ((neg, z), (pos, a + b * z)):
        cells = probabilities(ends)
        seen = counts > 0
        if not bool((cells[seen] > 0).all()):
            return -math.inf
        total += float(counts[seen] @ np.log(cells[seen]))
    return total


def probabilities(ends: Floats) -> Floats:
    """(k,) chances of the categories between the cuts, from whichever tail is exact. O(k)."""
    from scipy.special import ndtr

    below = np.concatenate([[-np.inf], ends])
    above = np.concatenate([ends, [np.inf]])
    flip = below > 0
    low, high = np.where(flip, -above, below), np.where(flip, -below, above)
    cells: Floats = ndtr(high) - ndtr(low)
    return cells


def _first_cuts(pos: Floats, neg: Floats, a: float, b: float) -> Floats:
    """Cuts that flag the shares of all rows that were flagged, by bisection: they rise strictly."""
    from scipy.special import ndtr

    share = pos.sum() / (pos.sum() + neg.sum())
    flagged = np.cumsum(pos + neg)[:-1] / (pos.sum() + neg.sum())
    low, high = np.full(len(flagged), -40.0), np.full(len(flagged), 40.0)
    for _ in range(80):
        middle = (low + high) / 2
        over = share * ndtr(a + b * middle) + (1 - share) * ndtr(middle) > flagged
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    found: Floats = (low + high) / 2
    return found


def _scoring_step(theta: Floats, pos: Floats, neg: Floats) -> tuple[Floats, Floats, float]:
    """Information^-1 score, the covariance of (a, b), and half of score' information^-1 score. O(k)."""
    from scipy.linalg import LinAlgError, solveh_banded

    a, b, z = theta[0], theta[1], theta[2:]
    of_neg, score_neg = _of_cuts(z, neg)
    of_pos, score_pos = _of_cuts(a + b * z, pos)
    by_line = np.stack([np.ones_like(z), z], axis=1)  # derivatives of w = a + b z by a and b
    spread = _times(of_pos, by_line)
    try:  # the cuts are eliminated (Schur's complement)
        solved = solveh_banded(
            of_neg + b * b * of_pos, np.column_stack([b * spread, score_neg + b * score_pos]), lower=True
        )
        border, of_cuts = solved[:, :2], solved[:, 2]
        covariance = np.linalg.inv(by_line.T @ spread - b * spread.T @ border)
    except (LinAlgError, ValueError):
        return theta, np.full((2, 2), math.nan), math.inf
    ab = covariance @ (by_line.T @ score_pos - b * spread.T @ of_cuts)
    step = np.concatenate([ab, of_cuts - border @ ab])
    score = np.concatenate([by_line.T @ score_pos, score_neg + b * score_pos])
    return step, covariance, float(step @ score) / 2


def _of_cuts(ends: Floats, counts: Floats) -> tuple[Any, Floats]:
    """Expected information of one class about its cuts, as its diagonal and the one below, and the score. O(k)."""
    cells = np.maximum(probabilities(ends), 1e-300)
    density = np.exp(-np.square(ends) / 2) / math.sqrt(2 * math.pi)
    total = counts.sum()
    across = np.square(density) * (1 / cells[:-1] + 1 / cells[1:])
    beside = np.zeros_like(density)
    beside[:-1] = -density[:-1] * density[1:] / cells[1:-1]
    score = density * (counts[:-1] / cells[:-1] - counts[1:] / cells[1:])
    return total * np.stack([across, beside]), score


def _times(banded: Any, columns: Floats) -> Floats:
    """Product of a symmetric tridiagonal matrix with some columns."""
    out: Floats = banded[0][:, None] * columns
    out[1:] += banded[1][:-1, None] * columns[:-1]
    out[:-1] += banded[1][:-1, None] * columns[1:]
    return out
