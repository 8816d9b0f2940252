"""The areas of weighted rows against fractions, and by every path, dtype and number of threads against sorting."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from test_paths import DTYPES, KINDS, LABELS, as_dtype

from rocsolid import _kernel
from rocsolid import _reference as ref

PATHS = ["auto", "distribute"]
WEIGHTS = {
    "exponential": lambda rng, n: rng.exponential(size=n),
    "equal": lambda rng, n: np.full(n, 0.1),
    "whole": lambda rng, n: rng.integers(1, 10, n).astype(float),
    "with zeros": lambda rng, n: rng.integers(0, 3, n) * rng.random(n),
    "single": lambda rng, n: rng.exponential(size=n).astype(np.float32).astype(float),
    "some decades": lambda rng, n: rng.random(n) * 10.0 ** rng.integers(-4, 5, n),
    "subnormal": lambda rng, n: rng.integers(1, 1 << 40, n).view(np.float64),
    "far apart": lambda rng, n: rng.random(n) * 2.0 ** rng.integers(-200, 200, n),
    "heavy negatives": lambda rng, n: 2.0 ** (-45.0 * rng.integers(0, 2, n)),
}


def bits(areas):
    return np.array(areas).tobytes()


def ulps(got, exact):
    return abs(Fraction(got) - exact) / Fraction(math.ulp(float(exact)))


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("path", ["auto", "sort", "distribute"])
def test_fractions(kind, path):
    """The ROC area rounded once; the average precision within a unit in the last place."""
    rng = np.random.default_rng([1, *kind.encode()])
    for repeat in range(120):
        n = int(rng.integers(2, 40))
        y, s = rng.integers(0, 2, n, dtype=np.uint8), rng.integers(0, 1 + repeat, n).astype(float)
        w = WEIGHTS[kind](rng, n)
        if kind == "heavy negatives":  # the average precision of positives that hardly weigh
            w = np.where(y == 1, 2.0**-45, rng.random(n))
        y_there = y[w > 0]
        roc, ap = _kernel.weighted_areas_by(path, s, y, w, 1)
        if len(set(y_there.tolist())) == 2:
            exact = ref.auc_by_pairs(y.tolist(), s.tolist(), w.tolist())
            assert roc == float(exact) if kind != "far apart" else ulps(roc, exact) <= 1
        else:
            assert math.isnan(roc)
        if y_there.any():
            assert ulps(ap, ref.ap_by_definition(y.tolist(), s.tolist(), w.tolist())) <= 1
        else:
            assert math.isnan(ap)


def taken():
    counts: dict[tuple[str, str], int] = {}
    for task, path, dtype, _, calls in _kernel.path_counts():
        if task == "weighted areas":
            counts[path, dtype] = counts.get((path, dtype), 0) + calls
    return counts


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_small(path, dtype, threads):
    rng = np.random.default_rng([PATHS.index(path), DTYPES.index(dtype), threads])
    before, weights = taken(), itertools.cycle(WEIGHTS.values())
    for repeat, (kind, label) in itertools.product(range(34), itertools.product(KINDS.values(), LABELS.values())):
        n = repeat if repeat < 18 else int(rng.integers(18, 2000))
        data = as_dtype(kind(rng, n), dtype), label(rng, n), next(weights)(rng, n)
        assert bits(_kernel.weighted_areas_by(path, *data, threads)) == bits(
            _kernel.weighted_areas_by("sort", *data, 1)
        )
    if path == "distribute":  # weights that are too far apart give way to sorting, as they should
        assert taken()[path, dtype] - before[path, dtype] >= 1000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_large(kind, dtype):
    rng = np.random.default_rng(7)
    n = 600_000
    scores, weights = as_dtype(KINDS[kind](rng, n), dtype), WEIGHTS["exponential"](rng, n)
    before = taken()
    for label in ("half", "rare"):
        positive = LABELS[label](rng, n)
        expected = bits(_kernel.weighted_areas_by("sort", scores, positive, weights, 1))
        for threads in (1, 3):
            assert bits(_kernel.weighted_areas_of_rows(scores, positive, weights, threads)) == expected
    assert taken()["distribute", dtype] - before["distribute", dtype] == 4


def test_the_order_of_rows_leaves_no_trace():
    rng = np.random.default_rng(8)
    n = 400_000
    scores, positive = rng.normal(size=n).round(4), rng.integers(0, 2, n, dtype=np.uint8)
    weights = rng.exponential(size=n)
    first = bits(_kernel.weighted_areas_of_rows(scores, positive, weights, 1))
    for threads in (1, 2, 4, 8):
        rows = rng.permutation(n)
        found = _kernel.weighted_areas_of_rows(scores[rows], positive[rows], weights[rows], threads)
        assert bits(found) == first


def test_the_unit_of_the_weights_falls_out():
    """Weights that are all multiplied by a power of two give the same bits, down to subnormal ones."""
    rng = np.random.default_rng(9)
    scores, positive = rng.normal(size=500), rng.integers(0, 2, 500, dtype=np.uint8)
    weights = rng.integers(1, 1 << 30, 500).astype(float)
    first = bits(_kernel.weighted_areas_by("distribute", scores, positive, weights, 1))
    for exponent in (-1074, -1000, -31, 400, 900):
        scaled = np.ldexp(weights, exponent)
        assert bits(_kernel.weighted_areas_by("distribute", scores, positive, scaled, 1)) == first


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, -1.0, -5e-324])
def test_what_is_no_weight_is_refused(bad):
    assert _kernel.are_weights(np.array([0.0, -0.0, 5e-324, 1e308]))
    for n, place in itertools.product((1, 70, 400_000), (0, -1)):
        weights = np.ones(n)
        weights[place] = bad
        assert not _kernel.are_weights(weights)
        with pytest.raises(ValueError, match="weight"):
            _kernel.weighted_areas_of_rows(np.zeros(n), np.ones(n, np.uint8), weights, 2)


def test_the_columns_of_a_matrix():
    rng = np.random.default_rng(10)
    matrix, positive = rng.normal(size=(3000, 9)).round(2), rng.integers(0, 2, 3000, dtype=np.uint8)
    weights = rng.exponential(size=3000)
    columns = [np.ascontiguousarray(column) for column in matrix.T]
    expected = [_kernel.weighted_areas_of_rows(column, positive, weights, 1) for column in columns]
    for threads in (1, 2, 20):
        for found in (
            _kernel.weighted_areas_of_columns(columns, positive, weights, threads),
            _kernel.weighted_areas_of_matrix(matrix, positive, weights, threads),
            _kernel.weighted_areas_of_matrix(np.asfortranarray(matrix), positive, weights, threads),
        ):
            assert list(zip(*(areas.tolist() for areas in found), strict=True)) == expected
    assert [len(areas) for areas in _kernel.weighted_areas_of_columns([], positive, weights, 1)] == [0, 0]
