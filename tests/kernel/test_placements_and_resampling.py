"""Placements, ranks, exact sums, influences and replicates, against slow ways and recorded values."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import labelled, weighted

import rocsolid as rs
from rocsolid import _kernel
from rocsolid import _reference as ref
from rocsolid.inference import covariance
from rocsolid.measures import REGISTRY, find

CASES = json.loads((Path(__file__).parents[1] / "oracles/cases/paired_comparison.json").read_text())
DELONG = [case for case in CASES if "/paired_" in case["name"]]

huge = st.integers(-3, 3).map(lambda i: 2**60 + i)


def columns(y, s):
    return np.asarray(s), np.array(y, np.uint8)


def compared(y, s, descending=True):
    """Twice the placements by comparing every row with every row of the other class."""

    def twice(pos, neg):
        return 1 if pos == neg else 2 * int((pos > neg) == descending)

    return [
        sum(twice(a, b) if own else twice(b, a) for other, b in zip(y, s, strict=True) if other != own)
        for own, a in zip(y, s, strict=True)
    ]


@given(labelled(both=False, min_size=0), st.booleans(), st.integers(0, 3))
def test_placements_of_floats(data, descending, threads):
    y, s = data
    found = _kernel.placements(np.array(s, np.float64), np.array(y, np.uint8), descending, threads)
    assert found.dtype == np.uint32
    assert found.tolist() == compared(y, s, descending)


@given(labelled(score=huge), st.booleans())
def test_placements_of_integers_that_no_float_holds(data, descending):
    y, s = data
    for dtype in (np.int64, np.uint64):
        scores = np.array(s, dtype)
        assert _kernel.placements(scores, np.array(y, np.uint8), descending, 1).tolist() == compared(y, s, descending)


@given(labelled(min_size=0, both=False), st.booleans())
def test_ranks_are_those_of_the_sweep(data, descending):
    _, s = data
    scores = np.array(s, np.float64)
    found, distinct = _kernel.ranks(scores, descending, 2)
    values = np.unique(scores)
    expected = np.searchsorted(values, scores)
    assert distinct == len(values)
    assert found.tolist() == (distinct - 1 - expected if descending else expected).tolist()


def delong(models, y):
    """The covariance of the ROC areas as fractions, from the kernel's sums."""
    placements = [_kernel.placements(np.array(s, np.float64), y, True, 1) for s in models]
    sums = _kernel.placement_sums(placements, y, 2)
    assert sums is not None
    total = [[Fraction(0)] * len(models) for _ in models]
    for (n, totals, products), (others, _, _) in zip(sums, sums[::-1], strict=True):
        for i, t in enumerate(totals):
            for j, u in enumerate(totals):
                spread = Fraction(products[i][j]) - Fraction(t * u, n)
                total[i][j] += spread / ((n - 1) * n * (2 * others) ** 2)
    (n_pos, u2, _), (n_neg, also_u2, _) = sums
    assert u2 == also_u2
    return total, [Fraction(u, 2 * n_pos * n_neg) for u in u2]


@pytest.mark.parametrize("case", DELONG, ids=lambda case: case["name"])
def test_published_delong_covariances(case):
    y = np.array(case["inputs"]["labels"], np.uint8)
    cov, areas = delong([case["inputs"]["scores1"], case["inputs"]["scores2"]], y)
    expected, close = case["expected"], {"abs": case["tolerance"]}
    assert float(areas[0]) == pytest.approx(expected["auc1"], **close)
    assert float(areas[1]) == pytest.approx(expected["auc2"], **close)
    assert float(cov[0][1]) == pytest.approx(expected["delong_cov12"], **close)
    spread = float(cov[0][0] + cov[1][1] - 2 * cov[0][1])
    assert float(areas[0] - areas[1]) / spread**0.5 == pytest.approx(expected["delong_z"], **close)
    correlation = float(cov[0][1]) / float(cov[0][0] * cov[1][1]) ** 0.5
    assert correlation == pytest.approx(expected["hanley_mcneil_r_equivalent"], **close)


def test_published_delong_covariance_of_three_models():
    (case,) = (case for case in CASES if case["name"] == "delong1988/three")
    given, expected = case["inputs"], case["expected"]
    y = np.array(given["labels"], np.uint8)
    cov, areas = delong([given["scores"], given["scores2"], given["scores3"]], y)
    close = {"abs": case["tolerance"]}
    assert [float(a) for a in areas] == pytest.approx(expected["aucs"], **close)
    assert [float(cov[i][i]) ** 0.5 for i in range(3)] == pytest.approx(expected["standard_errors"], **close)
    for name, i, j in (("cov_12", 0, 1), ("cov_13", 0, 2), ("cov_23", 1, 2)):
        assert float(cov[i][j]) == pytest.approx(expected[name], **close)
    contrast = np.array([[1, -1, 0], [1, 0, -1]])
    theta = contrast @ [float(a) for a in areas]
    chi2 = theta @ np.linalg.solve(contrast @ np.array(cov, float) @ contrast.T, theta)
    assert chi2 == pytest.approx(expected["contrast_chi2_df2"], abs=1e-8)


def of_rows(name, y, s, w=None):
    """A measure's gradient, row by row, and the gradient."""
    sweep = rs.Sweep.from_arrays(y, s, sample_weight=w)
    gradient = REGISTRY[name].gradient(sweep, find(name).options)
    at = [sweep.scores.tolist().index(v) for v in s]
    return np.where(np.array(y) == 1, gradient.pos[at], gradient.neg[at]), gradient


@given(labelled(min_size=6), st.randoms(use_true_random=False))
def test_covariance_of_the_integers_is_that_of_the_gradients(data, random):
    y, s = data
    if min(sum(y), len(y) - sum(y)) < 2:
        return
    other = random.sample(s, len(s))
    cov, _ = delong([s, other], np.array(y, np.uint8))
    psi = [of_rows("roc_auc", y, scores)[0] for scores in (s, other)]
    np.testing.assert_allclose(np.array(cov, float), covariance(psi, np.array(y, bool)), rtol=1e-12, atol=1e-14)
    assert cov[0][0] == ref.delong_by_placements(y, s)


def test_sums_beyond_128_bits_and_wide_columns():
    big = np.array([2**64 - 1, 2**64 - 1, 1], np.uint64)
    assert _kernel.placement_sums([big], np.array([1, 1, 0], np.uint8), 1) is None
    (n, totals, products), rest = _kernel.placement_sums([big], np.array([1, 0, 0], np.uint8), 1)
    assert (n, totals, products) == (1, [2**64 - 1], [[(2**64 - 1) ** 2]])
    assert rest == (2, [2**64], [[(2**64 - 1) ** 2 + 1]])
    with pytest.raises(TypeError):
        _kernel.placement_sums([big, big.astype(np.uint32)], np.zeros(3, np.uint8), 1)


def check_influence(y, s, w):
    scores, positive = columns(y, s)
    weights = None if w is None else np.array(w)
    found = _kernel.ap_influence(scores.astype(float), positive, weights, True, 1)
    centred, gradient = of_rows("average_precision", y, s, w)
    mass = np.ones(len(y)) if w is None else np.array(w)
    share = mass[positive == 1].sum() / mass.sum()
    means = [np.average(found[positive == label], weights=mass[positive == label]) for label in (0, 1)]
    scale = np.where(positive == 1, share, 1 - share)
    again = scale * (found - np.array(means)[positive])
    size = np.abs(found).max() + 1
    np.testing.assert_allclose(again, centred, rtol=1e-12, atol=1e-12 * size)
    assert means[1] - means[0] == pytest.approx(gradient.prevalence, rel=1e-12, abs=1e-12 * size)


@given(labelled())
def test_influence_is_the_gradient_before_it_is_centred(data):
    check_influence(*data, None)


@given(weighted())
def test_weighted_influence_is_the_gradient_before_it_is_centred(data):
    y, s, w = data
    check_influence(y, s, np.clip(w, 1e-3, 1e3))


def some_table(k=500, seed=3):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 3, k).astype(np.uint64), rng.integers(0, 4, k).astype(np.uint64)


SCHEMES = ("multinomial", "stratified", "poisson")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_replicates_are_the_areas_of_their_counts(scheme):
    pos, neg = some_table()
    auc, ap, degenerate = _kernel.resample(pos, neg, 20, 11, scheme, 2)
    assert degenerate == 0
    for r in range(20):
        p, n = _kernel.resample_counts(pos, neg, 11, r, scheme)
        assert scheme == "poisson" or int(p.sum() + n.sum()) == int(pos.sum() + neg.sum())
        if scheme == "stratified":
            assert int(p.sum()) == int(pos.sum())
        assert auc[r] == float(Fraction(_kernel.roc_sums(p, n)[0], 2 * int(p.sum()) * int(n.sum())))
        assert ap[r] == pytest.approx(_kernel.average_precision(p, n), rel=1e-14)


def test_replicates_are_the_same_on_any_number_of_threads():
    pos, neg = some_table(20_000)
    one = _kernel.resample(pos, neg, 40, 5, "multinomial", 1)
    ranks = [_kernel.ranks(np.random.default_rng(i).normal(size=5000).round(2), True, 1)[0] for i in range(3)]
    y = (np.arange(5000) % 3 == 0).astype(np.uint8)
    rows = _kernel.resample_rows(ranks, y, 40, 5, "multinomial", 1)
    for threads in (2, 3):
        for a, b in zip(one, _kernel.resample(pos, neg, 40, 5, "multinomial", threads), strict=True):
            np.testing.assert_array_equal(a, b)
        for a, b in zip(rows, _kernel.resample_rows(ranks, y, 40, 5, "multinomial", threads), strict=True):
            np.testing.assert_array_equal(a, b)
    few = _kernel.resample_rows(ranks, y, 7, 5, "multinomial", 2)
    np.testing.assert_array_equal(few[0], rows[0][:, :7])


def test_the_bootstrap_spreads_as_delong_says():
    rng = np.random.default_rng(8)
    y = (rng.random(3000) < 0.3).astype(np.uint8)
    shared = rng.normal(size=3000)
    models = [shared + rng.normal(size=3000) + y, (shared + rng.normal(size=3000) + 0.7 * y).round(1)]
    cov, areas = delong(models, y)
    ranks = [_kernel.ranks(s, True, 1)[0] for s in models]
    n = 20_000
    for scheme in SCHEMES:
        auc, _, degenerate = _kernel.resample_rows(ranks, y, n, 1, scheme, 2)
        assert degenerate == 0
        found = np.cov(auc)
        # the spread of a variance over n draws, and what a sample of 3,000 rows leaves between the two formulas
        np.testing.assert_allclose(found, np.array(cov, float), rtol=5 * (2 / n) ** 0.5 + 0.01)
        error = 5 * (np.diag(found) / n) ** 0.5
        assert (np.abs(auc.mean(axis=1) - np.array(areas, float)) < error).all()


def test_degenerate_replicates_are_nan_and_counted():
    pos, neg = np.array([1, 0], np.uint64), np.array([0, 1], np.uint64)
    auc, ap, degenerate = _kernel.resample(pos, neg, 1000, 1, "multinomial", 1)
    assert degenerate == np.isnan(auc).sum() > 400
    assert 0 < np.isnan(ap).sum() < degenerate  # without negatives average precision is 1
    assert _kernel.resample(pos, neg, 1000, 1, "stratified", 1)[2] == 0
    ranks = [np.array([0, 1], np.uint32)] * 2
    auc, _, degenerate = _kernel.resample_rows(ranks, np.array([1, 0], np.uint8), 1000, 1, "multinomial", 1)
    assert auc.shape == (2, 1000)
    assert (np.isnan(auc).sum(axis=1) == degenerate).all()


def test_bad_columns_are_refused():
    y, s = np.array([1, 0], np.uint8), np.array([0.5, np.nan])
    for call in (_kernel.placements, lambda *a: _kernel.ap_influence(a[0], a[1], None, *a[2:])):
        with pytest.raises(ValueError, match="NaN"):
            call(s, y, True, 1)
        with pytest.raises(ValueError, match="length"):
            call(s[:1], y, True, 1)
    with pytest.raises(ValueError, match="length"):
        _kernel.resample_rows([np.zeros(3, np.uint32)], y, 1, 1, "stratified", 1)
    big = np.array([2**64 - 1], np.uint64)
    with pytest.raises(OverflowError, match="64 bits"):
        _kernel.resample(big, big, 1, 1, "stratified", 1)
    with pytest.raises(ValueError, match="scheme"):
        _kernel.resample(*some_table(), 1, 1, "bayesian", 1)
    with pytest.raises(OverflowError, match="replicates"):
        _kernel.resample(*some_table(), 2**63, 1, "stratified", 1)
