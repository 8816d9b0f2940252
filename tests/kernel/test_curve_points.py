"""Curves from the kernel are running sums of its table, by every path, on any number of threads."""

import numpy as np
import pytest

from rocsolid import _kernel

KINDS = {
    "roc": lambda tp, fp, p, n: [fp / n, tp / p],
    "det": lambda tp, fp, p, n: [fp / n, (p - tp) / p],
    "precision-recall": lambda tp, fp, p, n: [tp / (tp + fp), tp / p],
    "counts": lambda tp, fp, p, n: [fp, tp, n - fp, p - tp],
}
KEEPS = {
    "all": lambda own, following: True,
    "corners": lambda own, following: own != following,
    "rises": lambda own, following: own[0] > 0 or following[0] > 0,
    "later rises": lambda own, following: own[0] > 0 or following[0] > 0,
}


def reference(scores, positive, kind, keep):
    """Point by point, from the table; without the first one."""
    values, pos, neg, _ = _kernel.group(scores, positive, None, True, 1)
    steps = list(zip(pos.tolist(), neg.tolist(), strict=True))
    last = len(steps) - 1
    stays = [
        i == last or (i == 0 and keep != "later rises") or KEEPS[keep](steps[i], steps[i + 1])
        for i in range(len(steps))
    ]
    tp, fp = np.cumsum(pos).astype(float), np.cumsum(neg).astype(float)
    with np.errstate(invalid="ignore"):
        columns = KINDS[kind](tp, fp, tp[-1], fp[-1])
    return [c[stays] for c in (*columns, values)]


def draw(rng, n, distinct, dtype, share):
    scores = rng.integers(0, distinct, n)
    scores = scores / 8 - 3 if dtype[0] == "f" else scores
    return scores.astype(dtype), (rng.random(n) < share).astype(np.uint8)


@pytest.mark.parametrize("path", ["auto", "sort", "few", "distribute"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("keep", KEEPS)
def test_every_path_draws_the_table(path, kind, keep):
    rng = np.random.default_rng(11)
    for n in (1, 2, 3, 20, 64, 65, 200, 3000):
        for distinct, dtype in ((1, "f8"), (4, "u8"), (60, "f4"), (10**6, "i8"), (10**12, "f8")):
            for share in (0, 0.03, 0.5, 1):
                scores, positive = draw(rng, n, distinct, dtype, share)
                found = _kernel.curve(kind, keep, scores, positive, 1, path)
                for a, b in zip(found, reference(scores, positive, kind, keep), strict=True):
                    np.testing.assert_array_equal(a[1:], b)


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("distinct", [10**4, 10**12])
def test_many_rows_on_any_number_of_threads(keep, distinct):
    rng = np.random.default_rng(12)
    scores, positive = draw(rng, 600_000, distinct, "f8", 0.3)
    first = _kernel.curve("roc", keep, scores, positive, 1)
    for a, b in zip(first, reference(scores, positive, "roc", keep), strict=True):
        np.testing.assert_array_equal(a[1:], b)
    again = rng.permutation(len(scores))
    for threads in (2, 3):
        found = _kernel.curve("roc", keep, scores[again], positive[again], threads)
        assert [a.tobytes() for a in found] == [a.tobytes() for a in first]


def test_the_first_point_calls_nothing():
    scores, positive = np.array([1, 2, 3, 4]), np.array([0, 1, 0, 1], np.uint8)
    for kind, first in (("roc", [0, 0, np.inf]), ("det", [0, 1, np.inf])):
        assert [a[0] for a in _kernel.curve(kind, "all", scores, positive, 1)] == first
    assert [a[0] for a in _kernel.curve("counts", "all", scores, positive, 1)[:-1]] == [0, 0, 2, 2]


def test_what_the_kernel_refuses():
    y = np.array([0, 1], np.uint8)
    with pytest.raises(ValueError, match="NaN"):
        _kernel.curve("roc", "all", np.array([1, np.nan]), y, 1)
    with pytest.raises(ValueError, match="length"):
        _kernel.curve("roc", "all", np.array([1.0]), y, 1)
    for kind, keep, path in (("roc", "some", "auto"), ("cost", "all", "auto"), ("roc", "all", "fast")):
        with pytest.raises(ValueError, match="no such"):
            _kernel.curve(kind, keep, np.array([1.0, 2.0]), y, 1, path)
