"""Bootstrap and permutation against recorded values and against full enumeration."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.inference.bootstrap import paired_bootstrap
from rocsolid.inference.permutation import paired_permutation
from rocsolid.inference.venkatraman import paired_venkatraman, unpaired_venkatraman
from rocsolid.inputs import read_rows
from rocsolid.measures import find

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
CASES = Path(__file__).parent / "cases"


def load(topic, wanted):
    cases = json.loads((CASES / f"{topic}.json").read_text())
    chosen = [pytest.param(case, id=case["name"]) for case in cases if wanted in case["expected"]]
    assert chosen
    return chosen


def sensitivity_at_specificity(sweep):
    """Recall at a false positive rate of .1, linear between the corners of the curve."""
    fpr, tpr = (np.concatenate([[0], np.cumsum(c) / c.sum()]) for c in (sweep.neg, sweep.pos))
    return np.interp(0.1, fpr, tpr)


@pytest.mark.parametrize("case", load("bootstrap", "auc_bootstrap_ci95"))
def test_stratified_percentiles_of_proc(case):
    ev = rs.evaluate(case["inputs"]["labels"], case["inputs"]["scores"])
    options = {"method": "bootstrap-percentile", "margins": "fixed", "rng": 1}
    found = ev.roc_auc(n_resamples=20_000, **options).interval
    wanted = case["expected"]["auc_bootstrap_ci95"]
    assert np.abs(np.subtract((found.low, found.high), wanted)).max() <= case["tolerance"]
    recall = ev.bootstrap(sensitivity_at_specificity, **options).interval
    wanted = case["expected"]["sens_at_spec0.9_bootstrap_ci95"]
    assert (
        np.abs(np.subtract((recall.low, recall.high), wanted)).max() <= 0.06
    )  # the limits are discrete: see its notes


# -------------------------------------------------------------------------------------------- enumeration

Y, S = [1, 0, 1, 0, 1, 0], [3, 1, 2, 2, 5, 4]


def exact_auc(rows):
    pos, neg = ([s for y, s in rows if y == label] for label in (1, 0))
    if not pos or not neg:
        return None
    wins = sum(2 * (p > n) + (p == n) for p in pos for n in neg)
    return Fraction(wins, 2 * len(pos) * len(neg))


def all_resamples(rows, kind):
    """Every resample with its probability, and the AUC on it."""
    if kind == "fixed":
        classes = [[r for r in rows if r[0] == label] for label in (1, 0)]
        draws = itertools.product(*(itertools.product(c, repeat=len(c)) for c in classes))
        values = Counter(exact_auc([*a, *b]) for a, b in draws)
    elif kind == "cluster":
        groups = [rows[0:2], rows[2:4], rows[4:6]]
        values = Counter(exact_auc(list(itertools.chain(*draw))) for draw in itertools.product(groups, repeat=3))
    else:
        values = Counter(exact_auc(draw) for draw in itertools.product(rows, repeat=len(rows)))
    total = sum(values.values())
    return {value: Fraction(count, total) for value, count in values.items()}


@pytest.mark.parametrize("kind", ["random", "fixed", "cluster"])
def test_replicates_have_the_distribution_of_all_resamples(kind):
    exact = all_resamples(list(zip(Y, S, strict=True)), kind)
    n = 20_000
    rows = read_rows(Y, S, cluster=[0, 0, 1, 1, 2, 2] if kind == "cluster" else None)
    found = paired_bootstrap(find("roc_auc"), rows, [rows.scores], n_resamples=n, rng=3, stratified=kind == "fixed")
    seen = Counter(None if np.isnan(v) else Fraction(float(v)).limit_denominator(60) for v in found.values[0])
    assert set(seen) <= set(exact)
    assert found.degenerate == seen[None]
    for value, p in exact.items():
        error = (float(p * (1 - p)) / n) ** 0.5
        assert seen[value] / n == pytest.approx(float(p), abs=4.5 * error + 1e-12)


@pytest.mark.parametrize("margins", ["random", "fixed"])
def test_percentiles_are_those_of_all_resamples(margins):
    exact = all_resamples(list(zip(Y, S, strict=True)), margins)
    defined = sorted((v, p) for v, p in exact.items() if v is not None)
    total = sum(p for _, p in defined)

    def share(value):
        return float(sum(p for v, p in defined if float(v) <= value) / total)

    n = 19_999
    found = rs.evaluate(Y, S).roc_auc(method="bootstrap-percentile", margins=margins, n_resamples=n, rng=0)
    slack = 4 * (0.025 * 0.975 / n) ** 0.5
    low, high = found.interval.low, found.interval.high
    assert share(low) >= 0.025 - slack >= share(low - 1e-9) - 2 * slack
    assert share(high) >= 0.975 - slack >= share(high - 1e-9) - 2 * slack
    assert found.details["degenerate_resamples"] / n == pytest.approx(float(exact.get(None, 0)), abs=0.01)


# -------------------------------------------------------------------------------------------- permutation


def exact_permutation_p(y, a, b):
    """Two-sided p by all exchanges of mid-ranks, in fractions."""
    ranks = [[sum(2 * (v > w) + (v == w) for w in s) for v in s] for s in (a, b)]

    def difference(swap):
        left, right = ([q if s else p for p, q, s in zip(*pair, swap, strict=True)] for pair in (ranks, ranks[::-1]))
        areas = [exact_auc(list(zip(y, ranks, strict=True))) for ranks in (left, right)]
        return abs(areas[0] - areas[1])

    seen = difference([False] * len(y))
    every = [difference(swap) >= seen for swap in itertools.product([False, True], repeat=len(y))]
    return Fraction(sum(every), len(every))


@pytest.mark.parametrize("seed", range(6))
def test_exact_permutation_enumerates_all_exchanges(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(7) % 2 == seed % 2
    a, b = rng.integers(0, 5, 7), rng.integers(0, 5, 7) * 10.0
    found = paired_permutation(find("roc_auc"), y, a, b)
    assert found.exact
    assert found.pvalue == float(exact_permutation_p(y, a.tolist(), b.tolist()))
    assert found.statistic == pytest.approx(float(rs.roc_auc(y, a)) - float(rs.roc_auc(y, b)))


def first_ranks(scores):
    """Ranks that break ties in the order listed, as R's rank(ties="first")."""
    return np.argsort(np.argsort(scores, kind="stable"), kind="stable").astype(float)


@pytest.mark.parametrize("case", load("paired_comparison", "venkatraman_E"))
def test_paired_venkatraman_of_proc(case):
    y = np.array(case["inputs"]["labels"], bool)
    a, b = (np.array(case["inputs"][key], float) for key in ("scores1", "scores2"))
    found = paired_venkatraman(y, first_ranks(a), first_ranks(b), rng=0)
    assert found.statistic == case["expected"]["venkatraman_E"]
    assert found.pvalue == pytest.approx(case["expected"]["venkatraman_p"], abs=case["tolerance"])
    order = np.random.default_rng(0).permutation(len(y))  # ties are linear: the order of the rows does not matter
    ours, again = paired_venkatraman(y, a, b, rng=0), paired_venkatraman(y[order], a[order], b[order], rng=0)
    assert ours.statistic == pytest.approx(again.statistic)
    assert ours.pvalue == pytest.approx(again.pvalue, abs=5 * ours.std_error_of_p)


@pytest.mark.parametrize("case", load("unpaired_comparison", "venkatraman_p"))
def test_unpaired_venkatraman_of_proc(case):
    data = {key: np.array(value) for key, value in case["inputs"].items()}
    found = unpaired_venkatraman(data["labels1"] == 1, data["scores1"], data["labels2"] == 1, data["scores2"], rng=0)
    assert found.pvalue == pytest.approx(case["expected"]["venkatraman_p"], abs=case["tolerance"])
