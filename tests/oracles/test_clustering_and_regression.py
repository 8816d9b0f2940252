"""Recorded values of clusterCrit and scikit-learn."""

from __future__ import annotations

import pytest
from tests.oracles.test_cases import check, load

import rocsolid as rs


@pytest.mark.parametrize("case", load("clustering"))
def test_clustering(case):
    c, given = rs.clustering, case["inputs"]
    both, points = (given["reference"], given["clusters"]), (given["X"], given["clusters"])
    pairs = c.pair_counts(*both)
    computed = {
        "pairs_a_SS": pairs.a, "pairs_b_SD": pairs.b, "pairs_c_DS": pairs.c, "pairs_d_DD": pairs.d,
        "jaccard": float(c.jaccard(*both)), "fowlkes_mallows": float(c.fowlkes_mallows(*both)),
        "rand": float(c.rand(*both)), "adjusted_rand": float(c.adjusted_rand(*both)),
        "dbi_pairwise_scatter": float(c.davies_bouldin(*points, scatter="pairwise")),
        "dbi_centroid_scatter_1979": float(c.davies_bouldin(*points, scatter="centroid")),
        "dunn": float(c.dunn(*points)), "silhouette": float(c.silhouette(*points)),
    }  # fmt: skip
    check(case, computed)


@pytest.mark.parametrize("case", load("regression"))
def test_regression(case):
    ev = rs.regression.evaluate(case["inputs"]["y_true"], case["inputs"]["y_pred"])
    names = ("mse", "rmse", "mae", "median_ae", "r2", "explained_variance", "max_error", "mape")
    check(case, {name: ev.measure(name).value for name in names})
