"""The paired permutation test and Venkatraman's tests: laws that hold on any data, options, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors
from rocsolid.inference import permutation as pm
from rocsolid.inference.permutation import paired_permutation
from rocsolid.inference.venkatraman import paired_venkatraman, unpaired_venkatraman
from rocsolid.measures import find

RNG = np.random.default_rng(8)
N = 60
Y = RNG.random(N) < 0.5
A = (RNG.normal(size=N) + 1.5 * Y).round(1)
B = (A + RNG.normal(size=N)).round(1)
AUC, AP = find("roc_auc"), find("average_precision")


@pytest.mark.parametrize(
    "spec",
    [
        "roc_auc",
        "average_precision",
        "gini",
        "d_prime",
        "average_precision(prevalence=0.1)",
        "partial_auc(max_fpr=0.2)",
    ],
)
def test_the_statistic_is_the_difference(spec):
    found = paired_permutation(find(spec), Y, A, B, n_resamples=99, rng=0)
    expected = float(rs.measure(spec, Y, A)) - float(rs.measure(spec, Y, B))
    assert found.statistic == pytest.approx(expected, rel=1e-6)
    assert (found.exact, found.n_resamples, found.seed) == (False, 99, 0)


@pytest.mark.parametrize("request_", [AUC, AP])
def test_scales_and_threads_do_not_matter(request_):
    plain = paired_permutation(request_, Y, A, B, n_resamples=200, rng=1)
    assert paired_permutation(request_, Y, np.exp(A), B * 100, n_resamples=200, rng=1) == plain
    assert paired_permutation(request_, Y, -A, -B, n_resamples=200, rng=1, higher_is_positive=False) == plain
    try:
        rs.set_num_threads(1)
        assert paired_permutation(request_, Y, A, B, n_resamples=200, rng=1) == plain
    finally:
        rs.set_num_threads(None)


def test_batches_do_not_matter(monkeypatch):
    plain = [
        test(Y, A, B, n_resamples=200, rng=1)
        for test in (lambda *a, **k: paired_permutation(AUC, *a, **k), paired_venkatraman)
    ]
    monkeypatch.setattr(pm, "BATCH_BYTES", 16 * N * 7)
    again = [
        test(Y, A, B, n_resamples=200, rng=1)
        for test in (lambda *a, **k: paired_permutation(AUC, *a, **k), paired_venkatraman)
    ]
    assert again == plain


def test_exchanging_the_models_turns_the_sign():
    there = paired_permutation(AP, Y[:12], A[:12], B[:12])
    back = paired_permutation(AP, Y[:12], B[:12], A[:12])
    assert there.exact
    assert there.pvalue == back.pvalue
    assert there.statistic == -back.statistic
    greater = paired_permutation(AP, Y[:12], A[:12], B[:12], alternative="greater")
    assert greater.pvalue == paired_permutation(AP, Y[:12], B[:12], A[:12], alternative="less").pvalue


def test_drawn_exchanges_come_close_to_all(monkeypatch):
    exact = paired_permutation(AUC, Y[:13], A[:13], B[:13])
    assert (exact.std_error_of_p, exact.seed) == (0, None)
    monkeypatch.setattr(pm, "EXACT_UNITS", 0)
    drawn = paired_permutation(AUC, Y[:13], A[:13], B[:13], n_resamples=5000, rng=2)
    assert not drawn.exact
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=4 * drawn.std_error_of_p)


def test_identical_models():
    assert paired_permutation(AUC, Y, A, A).pvalue == 1
    assert paired_permutation(find("d_prime"), Y, Y * 1.0, Y * 2.0).pvalue == 1  # both infinite: no difference
    assert paired_venkatraman(Y, A, A * 3).pvalue == 1


def test_rows_of_a_cluster_are_exchanged_together():
    cluster = np.arange(N) // 5  # 12 clusters: 2^12 exchanges
    found = paired_permutation(AUC, Y, A, B, cluster=cluster)
    assert found.exact
    assert found.n_resamples == 2**12
    rows = np.arange(N)
    assert paired_permutation(AUC, Y, A, B, cluster=rows, n_resamples=99, rng=0) == paired_permutation(
        AUC, Y, A, B, n_resamples=99, rng=0
    )


def test_the_smallest_p_value_drawn_is_never_0():
    y = np.arange(40) < 20
    found = paired_permutation(AUC, y, y + RNG.random(40) / 2, RNG.random(40) - y, n_resamples=99, rng=0)
    assert found.pvalue == 0.01


@pytest.mark.parametrize("spec", ["brier_score", "recall(threshold=0.5)"])
def test_measures_of_more_than_the_order_are_refused(spec):
    with pytest.raises(errors.OptionError, match="more than the order"):
        paired_permutation(find(spec), Y, A, B)


def test_options_are_checked():
    with pytest.raises(errors.UnknownNameError, match="alternative"):
        paired_permutation(AUC, Y, A, B, alternative="larger")
    with pytest.raises(errors.OptionError, match="rng"):
        unpaired_venkatraman(Y, A, Y, B, rng="0")


def test_unpaired_venkatraman_sees_shape_not_only_area():
    """Two curves of nearly one area that cross."""
    rng = np.random.default_rng(0)
    y = np.arange(600) < 300
    wide = np.where(y, rng.normal(2.0, 3, 600), rng.normal(size=600))
    narrow = np.where(y, rng.normal(0.65, 0.3, 600), rng.normal(size=600))
    assert abs(float(rs.roc_auc(y, wide)) - float(rs.roc_auc(y, narrow))) < 0.05
    assert unpaired_venkatraman(y, wide, y, narrow, n_resamples=199, rng=0).pvalue == 0.005
    assert paired_venkatraman(y, wide, narrow, n_resamples=199, rng=0).pvalue == 0.005
    assert unpaired_venkatraman(y, -wide, y, -narrow, n_resamples=19, rng=0, higher_is_positive=False).pvalue == 0.05
