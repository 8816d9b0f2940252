"""Averages over classes: their intervals cover the population's value, and equal models are seldom told apart."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.multiclass import averages

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]

ASKED = {
    "macro": lambda ev: ev.roc_auc(),
    "weighted": lambda ev: ev.roc_auc(average="weighted"),
    "one against one": lambda ev: ev.roc_auc(multi_class="ovo"),
    "macro AP": lambda ev: ev.average_precision(),
}


def draw(rng, n, shares, sep, models=1):
    """Each class raises its own column; at least five rows of each."""
    k = len(shares)
    while True:
        y = rng.choice(k, n, p=shares)
        if np.bincount(y, minlength=k).min() >= 5:
            break
    common = rng.normal(size=(n, k))
    common[np.arange(n), y] += sep
    return y, [common + (models > 1) * rng.normal(size=(n, k)) / 2 for _ in range(models)]


def slack(p, r):
    return 3.9 * math.sqrt(p * (1 - p) / r)


@pytest.mark.parametrize(
    ("n", "shares", "sep"), [(60, (1 / 3, 1 / 3, 1 / 3), 1.5), (200, (0.6, 0.3, 0.1), 1.5), (150, (0.2,) * 5, 2.0)]
)
def test_intervals_of_averages_cover(n, shares, sep, nightly):
    rng = np.random.default_rng(n)
    y, (s,) = draw(rng, 100_000, shares, sep)
    big = rs.evaluate(y, s)
    truth = {name: ask(big).value for name, ask in ASKED.items()}
    r, hits = (4000 if nightly else 250), dict.fromkeys(ASKED, 0)
    for _ in range(r):
        y, (s,) = draw(rng, n, shares, sep)
        ev = rs.evaluate(y, s)
        for name, ask in ASKED.items():
            found = ask(ev).interval
            hits[name] += found.low <= truth[name] <= found.high
    for name, count in hits.items():
        assert count / r >= 0.93 - slack(0.93, r), name


def test_models_that_are_alike_are_seldom_told_apart(nightly):
    rng, r = np.random.default_rng(7), 4000 if nightly else 400
    rejected = 0
    for _ in range(r):
        y, (a, b) = draw(rng, 120, (0.5, 0.3, 0.2), 1.5, models=2)
        rejected += rs.evaluate(y, a).compare(rs.evaluate(y, b)).pvalue <= 0.05
    assert rejected / r <= 0.065 + slack(0.05, r)


def test_forgetting_that_a_row_adds_to_several_classes_is_caught(monkeypatch):
    """Planted: a row's part in several classes is forgotten where it makes the mean less sure."""
    rng, r, hits = np.random.default_rng(8), 400, 0
    truth = rs.evaluate(*copies(rng, 100_000)).roc_auc().value
    plain = averages.Sum.joined

    def planted(self, limits, level):
        apart = averages.Sum(self.values, self.weights, np.diag(np.diag(self.covariance)))
        return plain(apart, limits, level)

    for change in (None, planted):
        if change is not None:
            monkeypatch.setattr(averages.Sum, "joined", change)
        hits = 0
        for _ in range(r):
            found = rs.evaluate(*copies(rng, 100)).roc_auc().interval
            hits += found.low <= truth <= found.high
        assert (hits / r >= 0.93 - slack(0.93, r)) == (change is None)


def copies(rng, n):
    """All labels are one and the same, with the same scores: their estimates move as one."""
    y = rng.random(n) < 0.4
    s = rng.normal(size=n) + 1.2 * y
    return np.column_stack([y, y, y]).astype(int), np.column_stack([s, s, s])
