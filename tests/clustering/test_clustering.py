"""Clusterings: pairs one by one, scikit-learn where it is right, and stated answers where it makes one up."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid import errors
from rocsolid.clustering import geometry
from rocsolid.clustering.pairs import pairs_within
from sklearn import metrics

c = rs.clustering
TOGETHER, APART, HALVES = [0] * 6, list(range(6)), [0, 0, 0, 1, 1, 1]
partitions = st.integers(1, 25).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2))


def counted(reference, clusters):
    """The four numbers, pair by pair."""
    kinds = [0, 0, 0, 0]
    for i, j in combinations(range(len(reference)), 2):
        kinds[2 * (clusters[i] != clusters[j]) + (reference[i] != reference[j])] += 1
    return kinds


def random_partitions(seed, n=60, k=5):
    rng = np.random.default_rng(seed)
    reference = rng.integers(0, k, n)
    return reference, np.where(rng.random(n) < 0.6, reference, rng.integers(0, k + 2, n))


# ------------------------------------------------------------------------------------------------- pairs


@given(partitions)
def test_pairs_are_those_that_one_counts(both):
    pairs = c.pair_counts(*both)
    assert [pairs.a, pairs.b, pairs.c, pairs.d] == counted(*both)
    assert pairs.total == math.comb(len(both[0]), 2)


@given(partitions, st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_the_names_matter(both, random):
    order = random.sample(range(len(both[0])), len(both[0]))
    named = [[f"group {4 - label}" for label in (part[i] for i in order)] for part in both]
    assert c.pair_counts(*named) == c.pair_counts(*both)


def test_pairs_of_any_size_are_whole_numbers():
    sizes = np.array([10**10, 10**10, 3])
    assert pairs_within(sizes) == 2 * math.comb(10**10, 2) + 3  # beyond 64 bits


def test_many_rows_need_no_table_of_pairs():
    rng = np.random.default_rng(1)
    n = 200_000
    pairs = c.pair_counts(rng.integers(0, 50_000, n), rng.integers(0, 3, n))
    assert pairs.total == math.comb(n, 2)


@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_agrees_on_pairs(seed):
    both = random_partitions(seed)
    pairs, confusion = c.pair_counts(*both), metrics.cluster.pair_confusion_matrix(*both) // 2
    assert [[pairs.d, pairs.b], [pairs.c, pairs.a]] == confusion.tolist()
    assert c.rand(*both).value == pytest.approx(metrics.rand_score(*both), abs=1e-14)
    assert c.adjusted_rand(*both).value == pytest.approx(metrics.adjusted_rand_score(*both), abs=1e-14)
    assert c.fowlkes_mallows(*both).value == pytest.approx(metrics.fowlkes_mallows_score(*both), abs=1e-14)


@given(partitions)
def test_precision_recall_and_their_mean(both):
    a, b, miss, _ = counted(*both)
    precision, recall = (f(*both, on_undefined="nan") for f in (c.pair_precision, c.pair_recall))
    assert precision.exact == (Fraction(a, a + b) if a + b else None)
    assert recall.exact == (Fraction(a, a + miss) if a + miss else None)
    if a:
        p, r = precision.exact, recall.exact
        assert c.pair_f(*both).exact == 2 * p * r / (p + r)
        assert c.pair_f(*both, beta=0.5).exact == Fraction(5, 4) * p * r / (p / 4 + r)
        assert c.fowlkes_mallows(*both).value == pytest.approx(math.sqrt(p * r))
        assert c.jaccard(*both).exact == Fraction(a, a + b + miss)


# ------------------------------------------------------------------------------------------- information


@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_agrees_on_information(seed):
    both = random_partitions(seed)
    assert c.mutual_information(*both).value == pytest.approx(metrics.mutual_info_score(*both), abs=1e-13)
    assert c.homogeneity(*both).value == pytest.approx(metrics.homogeneity_score(*both), abs=1e-13)
    assert c.completeness(*both).value == pytest.approx(metrics.completeness_score(*both), abs=1e-13)
    assert c.v_measure(*both, beta=0.3).value == pytest.approx(metrics.v_measure_score(*both, beta=0.3), abs=1e-13)
    for average in ("arithmetic", "geometric", "min", "max"):
        theirs = metrics.normalized_mutual_info_score(*both, average_method=average)
        assert c.normalized_mutual_information(*both, average=average).value == pytest.approx(theirs, abs=1e-13)
        theirs = metrics.adjusted_mutual_info_score(*both, average_method=average)
        assert c.adjusted_mutual_information(*both, average=average).value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(
    "both", [([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]), ([0, 0, 0, 0, 1, 1], APART), (HALVES, TOGETHER)]
)
@pytest.mark.parametrize("average", ["arithmetic", "max"])
def test_adjusted_information_by_all_permutations(both, average):
    reference, clusters = both
    information = [c.mutual_information(reference, list(p)).value for p in permutations(clusters)]
    expected = math.fsum(information) / len(information)
    entropies = c.mutual_information(reference, clusters).details.values()
    best = max(entropies) if average == "max" else sum(entropies) / 2
    wanted = (c.mutual_information(reference, clusters).value - expected) / (best - expected)
    assert c.adjusted_mutual_information(reference, clusters, average=average).value == pytest.approx(wanted, abs=1e-12)


# ---------------------------------------------------------------------------------------------- geometry


def points(seed, n=40, k=4):
    rng = np.random.default_rng(seed)
    label = np.arange(n) % k
    return rng.normal(size=(n, 3)) + 2 * label[:, None], label


@pytest.mark.parametrize("block", [1, 60, 1 << 22])
@pytest.mark.parametrize("seed", range(3))
def test_blocks_of_any_size_give_what_all_pairs_give(seed, block, monkeypatch):
    monkeypatch.setattr(geometry, "BLOCK", block)
    x, label = points(seed)
    apart = np.linalg.norm(x[:, None] - x, axis=2)
    same = label[:, None] == label
    assert c.dunn(x, label).value == pytest.approx(apart[~same].min() / apart[same].max(), rel=1e-12)
    assert c.silhouette_widths(x, label) == pytest.approx(metrics.silhouette_samples(x, label), abs=1e-9)
    assert c.silhouette(x, label).value == pytest.approx(metrics.silhouette_score(x, label), abs=1e-9)
    theirs = metrics.davies_bouldin_score(x, label)
    assert c.davies_bouldin(x, label, scatter="centroid").value == pytest.approx(theirs, rel=1e-12)
    width = [np.mean([apart[i, j] for i, j in combinations(np.flatnonzero(label == g), 2)]) for g in range(4)]
    centre = [x[label == g].mean(axis=0) for g in range(4)]
    worst = [
        max((width[i] + width[j]) / np.linalg.norm(centre[i] - centre[j]) for j in range(4) if i != j) for i in range(4)
    ]
    assert c.davies_bouldin(x, label).value == pytest.approx(np.mean(worst), rel=1e-12)


def test_distances_far_from_the_origin_are_not_lost():
    """Where distances come from inner products, a common offset of 1e8 swamps them."""
    x, label = points(0)
    assert c.silhouette(x + 1e8, label).value == pytest.approx(c.silhouette(x, label).value, abs=1e-6)


def test_a_column_of_points_may_be_flat():
    assert c.dunn([0, 2, 10, 12], [0, 0, 1, 1]).value == c.dunn([[0], [2], [10], [12]], [0, 0, 1, 1]).value == 4


# ---------------------------------------------------------------------------------------- stated answers

X6 = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
UNDEFINED = {
    "one row": [lambda f=f: f([0], [0]) for f in (c.rand, c.adjusted_rand, c.jaccard, c.fowlkes_mallows, c.pair_f)],
    "nothing together": [lambda f=f: f(APART, APART) for f in (c.adjusted_rand, c.jaccard, c.fowlkes_mallows)],
    "nothing together in clusters": [lambda: c.pair_precision(HALVES, APART), lambda: c.fowlkes_mallows(HALVES, APART)],
    "nothing together in the reference": [lambda: c.pair_recall(APART, HALVES)],
    "no choice": [
        lambda: c.adjusted_rand(TOGETHER, TOGETHER), lambda: c.adjusted_mutual_information(TOGETHER, TOGETHER),
        lambda: c.adjusted_mutual_information(APART, APART),
        lambda: c.adjusted_mutual_information(HALVES, TOGETHER, average="min"),
        lambda: c.normalized_mutual_information(TOGETHER, TOGETHER),
        lambda: c.normalized_mutual_information(TOGETHER, HALVES, average="geometric"),
    ],
    "one cluster": [
        lambda: c.davies_bouldin(X6, TOGETHER), lambda: c.dunn(X6, TOGETHER), lambda: c.silhouette(X6, TOGETHER),
        lambda: c.silhouette_widths(X6, TOGETHER),
    ],
    "a cluster of one row": [lambda: c.davies_bouldin(X6, [0, 0, 1, 1, 1, 2])],
    "every row alone": [lambda: c.dunn(X6, APART)],
    "one centre": [lambda: c.davies_bouldin([0, 2, 1, 1], [0, 0, 1, 1], scatter="centroid")],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "call"), [(kind, call) for kind, calls in UNDEFINED.items() for call in calls])
def test_undefined_with_its_reason(kind, call):
    with pytest.raises(errors.UndefinedMeasureError, match=r"is undefined: .*\nHint: "):
        call()


def test_undefined_as_nan():
    found = c.adjusted_rand(TOGETHER, TOGETHER, on_undefined="nan")
    assert math.isnan(found.value)
    assert found.undefined.zh != found.undefined.en
    assert "undefined (" in repr(found)


def test_answers_that_definitions_give():
    assert c.rand(TOGETHER, TOGETHER).exact == 1
    assert c.adjusted_rand(HALVES, TOGETHER).value == 0
    assert c.adjusted_mutual_information(HALVES, TOGETHER).value == 0
    assert c.adjusted_mutual_information(HALVES, APART).value == 0
    assert (c.homogeneity(TOGETHER, HALVES).value, c.completeness(HALVES, TOGETHER).value) == (1, 1)
    assert c.v_measure(TOGETHER, TOGETHER).value == 1
    assert c.v_measure(HALVES, TOGETHER).value == 0
    assert c.silhouette(X6, APART).value == 0  # Rousseeuw: a row alone has width 0
    assert c.silhouette([0, 0, 0, 0], [0, 0, 1, 1]).value == 0  # and so has one as near to either
    assert c.silhouette_widths([0, 1, 9], [0, 0, 1]).tolist()[2] == 0
    assert c.davies_bouldin(X6, APART, scatter="centroid").value == 0


# --------------------------------------------------------------------------------------------- at the door


def test_labels_of_any_kind():
    wanted = c.pair_counts([0, 0, 1], [0, 1, 1])
    for reference in (
        ["a", "a", "b"],
        [True, True, False],
        [0.5, 0.5, 2],
        pd.Series(["a", "a", "b"], dtype="category"),
    ):
        assert c.pair_counts(reference, np.array([7, 9, 9], np.uint8)) == wanted


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: c.rand([0, None, 1, None], [0, 0, 1, 1]), errors.MissingValueError, "at rows 1, 3\nHint: leave these"),
        (lambda: c.rand([0, 1], [0.5, math.nan]), errors.MissingValueError, "`clusters`.* at row 1"),
        (lambda: c.rand(["a", math.nan], [0, 1]), errors.MissingValueError, "`reference`.* at row 1"),
        (lambda: c.rand([0, 1], [0, 1, 1]), errors.LengthError, "`reference` has 2, `clusters` has 3"),
        (lambda: c.rand([], []), errors.EmptyInputError, "`reference`"),
        (lambda: c.rand([[0, 1]], [[0, 1]]), errors.ShapeError, "one-dimensional"),
        (lambda: c.rand([{}, {}], [0, 1]), errors.DtypeError, "labels such as"),
        (lambda: c.dunn([[0], [math.inf]], [0, 1]), errors.InputError, "finite numbers in `X`.*row 1"),
        (lambda: c.dunn([[0, 1], [2, math.nan]], [0, 1]), errors.MissingValueError, "`X`.* at row 1"),
        (lambda: c.dunn([["a"], ["b"]], [0, 1]), errors.DtypeError, "real numbers"),
        (lambda: c.dunn([[0], [1]], [0, 1, 1]), errors.LengthError, "`X` has 2"),
        (lambda: c.dunn([[2**60 + 1], [1]], [0, 1]), errors.PrecisionError, "1152921504606846977"),
        (lambda: c.davies_bouldin(X6, HALVES, scatter="centre"), errors.UnknownNameError, "did you mean 'centroid'"),
        (lambda: c.normalized_mutual_information(HALVES, HALVES, average="mean"), errors.UnknownNameError, "average"),
        (lambda: c.pair_f(HALVES, HALVES, beta=0), errors.OptionError, "above 0, found 0"),
        (lambda: c.rand(HALVES, HALVES, on_undefined="zero"), errors.UnknownNameError, "on_undefined"),
    ],
)  # fmt: skip
def test_what_can_not_be_used(call, kind, text):
    with pytest.raises(kind, match=f"(?s){text}"):
        call()


def test_results_are_values():
    found = c.jaccard(HALVES, [0, 0, 1, 1, 2, 2])
    assert pickle.loads(pickle.dumps(found)) == found
    assert Fraction(found.to_dict()["exact"]) == found.exact == Fraction(2, 7)
    assert f"{found:.2f}" == f"{found.value:.2f}"
    with pytest.raises(AttributeError):
        found.value = 1
