"""Populations: how to draw a data set, and what is true.

Scores are normal: negatives N(0, 1), positives N(d, 1/b^2) with the d that gives the AUC asked for; ``b = 0.5`` has
positives twice as wide. Two models share their labels and, within a class, have scores of correlation rho. In clusters
a part (the intraclass correlation) of every score is the cluster's; the truth is about rows of different clusters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import digamma, entr, expit, ndtri
from scipy.stats import norm

FEWEST = 5
"""Rows that each class has at least; a sample of random class sizes with fewer is drawn again."""
FEWEST_CLUSTERS = 3


@dataclass
class Sample:
    """Rows of one or two models."""

    positive: np.ndarray
    scores: list[np.ndarray]
    weights: np.ndarray | None = None
    cluster: np.ndarray | None = None
    fold: np.ndarray | None = None
    options: dict[str, Any] = field(default_factory=dict)


def shift(auc: float, b: float = 1.0) -> float:
    return float(ndtri(auc)) * math.hypot(1, 1 / b)


def cuts_of(auc: float, b: float, levels: int) -> np.ndarray:
    """Where scores are cut into levels, lenient to strict."""
    return np.linspace(-1, shift(auc, b) + 1, levels - 1)


# -------------------------------------------------------------------------------------------------- labels


def labels(rng: np.random.Generator, m: int, n: int, sampled: bool) -> np.ndarray:
    """Class sizes as given, or those of m + n sampled rows."""
    if not sampled:
        return np.arange(m + n) < m
    while True:
        positive = rng.random(m + n) < m / (m + n)
        if FEWEST <= positive.sum() <= m + n - FEWEST:
            return positive


def clustered_labels(rng: np.random.Generator, groups: int, share: float, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Two to six rows a cluster; one label for all of them (``"constant"``) or one each (``"mixed"``)."""
    while True:
        cluster = np.repeat(np.arange(groups), rng.integers(2, 7, groups))
        drawn = rng.random(groups)[cluster] if kind == "constant" else rng.random(len(cluster))
        positive = drawn < share
        sides = (positive, ~positive)
        if all(side.sum() >= FEWEST and len(np.unique(cluster[side])) >= FEWEST_CLUSTERS for side in sides):
            return positive, cluster


# -------------------------------------------------------------------------------------------------- scores


def noise(
    rng: np.random.Generator, size: int, k: int, rho: float, cluster: np.ndarray | None = None, icc: float = 0.0
) -> list[np.ndarray]:
    """Standard normal columns, one for each of k models."""

    def columns(size: int) -> list[np.ndarray]:
        if k == 1:
            return [rng.normal(size=size)]
        common = math.sqrt(rho) * rng.normal(size=size)
        return [common + math.sqrt(1 - rho) * rng.normal(size=size) for _ in range(k)]

    own = columns(size)
    if cluster is None:
        return own
    of_cluster = columns(int(cluster.max()) + 1)
    return [math.sqrt(icc) * u[cluster] + math.sqrt(1 - icc) * e for u, e in zip(of_cluster, own, strict=True)]


def scored(positive: np.ndarray, column: np.ndarray, auc: float, b: float, levels: int | None = None) -> np.ndarray:
    s = np.where(positive, column / b + shift(auc, b), column)
    return s if levels is None else np.digitize(s, cuts_of(auc, b, levels)).astype(float)


def as_probability(s: np.ndarray, auc: float, b: float) -> np.ndarray:
    """Forecasts, not calibrated ones: one half midway between the classes' means."""
    return expit(s - shift(auc, b) / 2)


# --------------------------------------------------------------------------------------------------- truths


@lru_cache(maxsize=4096)
def curve(auc: float, b: float, levels: int | None) -> tuple[np.ndarray, np.ndarray]:
    """FPR and TPR of the population, strict to lenient."""
    d = shift(auc, b)
    if levels is None:
        cuts = np.linspace(max(9, d + 9 / b), min(-9, d - 9 / b), 40_001)
    else:
        cuts = np.r_[np.inf, cuts_of(auc, b, levels)[::-1], -np.inf]
    return norm.sf(cuts), norm.sf(cuts, d, 1 / b)


@lru_cache(maxsize=4096)
def true_auc(auc: float, b: float, levels: int | None) -> float:
    return auc if levels is None else float(np.trapezoid(curve(auc, b, levels)[1], curve(auc, b, levels)[0]))


@lru_cache(maxsize=4096)
def true_ap(auc: float, b: float, levels: int | None, share: float) -> float:
    """Precision at a positive's score, on average; with levels whole rows count."""
    fpr, tpr = curve(auc, b, levels)
    hits = share * tpr
    flagged = hits + (1 - share) * fpr
    precision = np.divide(hits, flagged, out=np.ones_like(hits), where=flagged > 0)
    height = precision[1:] if levels is not None else (precision[1:] + precision[:-1]) / 2
    return float((np.diff(tpr) * height).sum())


@lru_cache(maxsize=4096)
def expected_ap(auc: float, b: float, m: int, n: int) -> float:
    """Mean average precision of samples of m positives and n negatives, from 40,000 of them: above the population's.

    The k-th positive from the top, with j negatives above it, has a precision of k / (k + j).
    """
    rng = np.random.default_rng((1, m, n))
    found = []
    for _ in range(40):
        positives = -np.sort(-(rng.normal(size=(1000, m)) / b + shift(auc, b)), axis=1)
        negatives = rng.normal(size=(1000, n))
        above = (negatives[:, None, :] > positives[:, :, None]).sum(axis=2)
        rank = np.arange(1, m + 1)
        found.append((rank / (rank + above)).mean())
    return float(np.mean(found))


@lru_cache(maxsize=4096)
def true_partial(auc: float, b: float, low: float, high: float) -> float:
    fpr, tpr = curve(auc, b, None)
    at = np.linspace(low, high, 20_001)
    return float(np.trapezoid(np.interp(at, fpr, tpr), at))


@lru_cache(maxsize=4096)
def true_brier(auc: float, b: float, share: float) -> float:
    z = np.linspace(-9, 9, 20_001)
    density = norm.pdf(z)
    on_pos = np.square(1 - as_probability(z / b + shift(auc, b), auc, b))
    on_neg = np.square(as_probability(z, auc, b))
    return float(np.trapezoid(density * (share * on_pos + (1 - share) * on_neg), z))


@lru_cache(maxsize=4096)
def true_recall(auc: float, b: float) -> float:
    """At a forecast of one half, where a score is midway between the means."""
    return float(norm.cdf(shift(auc, b) / 2 * b))


def true_alarms(auc: float, b: float) -> float:
    """FPR at that cut."""
    return float(norm.sf(shift(auc, b) / 2))


def true_cells(measure: str, auc: float, b: float, share: float) -> float:
    """Net benefit, or cost with a miss worth five false alarms, at a forecast of one half."""
    tpr, fpr = true_recall(auc, b), true_alarms(auc, b)
    if measure.startswith("net"):
        return share * tpr - (1 - share) * fpr
    return (1 - share) * fpr + 5 * share * (1 - tpr)


def true_at_cut(measure: str, tpr: float, fpr: float, share: float) -> float:
    """From the four cells of a population with these rates."""
    a, b, c, d = share * tpr, (1 - share) * fpr, share * (1 - tpr), (1 - share) * (1 - fpr)
    by_chance = (a + c) * (a + b) + (b + d) * (c + d)
    return {
        "youden_j": lambda: a / (a + c) + d / (b + d) - 1,
        "lr_positive": lambda: (a / b) * (b + d) / (a + c),
        "lr_negative": lambda: (c / d) * (b + d) / (a + c),
        "diagnostic_odds_ratio": lambda: a * d / (b * c),
        "mcc": lambda: (a * d - b * c) / math.sqrt((a + c) * (b + d) * (a + b) * (c + d)),
        "kappa": lambda: (a + d - by_chance) / (1 - by_chance),
        "f_beta": lambda: 5 * a / (5 * a + 4 * c + b),
    }[measure.partition("(")[0]]()


def true_loss(measure: str, p: float, q: float) -> float:
    """Of calibrated Beta(p, q) forecasts: the mean of x (1 - x), or the mean binary entropy; D2 beside the prevalence.

    The mean absolute error of such a forecast is twice the mean of x (1 - x).
    """
    mean = p / (p + q)
    squared = p * q / ((p + q) * (p + q + 1))
    entropy = float(digamma(p + q + 1) - mean * digamma(p + 1) - (1 - mean) * digamma(q + 1))
    if measure == "d2_log_loss":
        return 1 - entropy / float(entr(mean) + entr(1 - mean))
    if measure == "d2_absolute_error":
        return 1 - squared / (mean * (1 - mean))
    return squared if measure == "brier_score" else entropy
