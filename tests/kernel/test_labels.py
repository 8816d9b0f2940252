"""Labels read by the kernel: the same as a look at each of them."""

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import _kernel
from rocsolid.inputs.labels import positives

DTYPES = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_flags_of_every_dtype(dtype):
    rng = np.random.default_rng(9)
    for n in (1, 15, 1024, 5000):
        for other in (0,) if dtype[0] in "bu" else (0, -1):
            labels = np.where(rng.random(n) < 0.5, 1, other).astype(dtype)
            flags, n_pos, found = _kernel.flags(labels)
            assert flags.tolist() == [int(v == 1) for v in labels.tolist()]
            assert n_pos == flags.sum()
            assert found == (None if n_pos == n else other)


@pytest.mark.parametrize("labels", [[0, 1, 2], [0, -1, 1], [0.5, 1.0], [np.nan, 1.0], [-0.0, 1.0], [np.inf, 0.0]])
def test_other_labels_are_left_to_the_door(labels):
    array = np.array(labels)
    assert _kernel.flags(array) is None
    assert _kernel.areas_of_labels(np.arange(float(len(labels))), array, 1) is None


def test_what_is_not_read_at_all():
    for array in (np.zeros(4, ">i8"), np.zeros(4, "f2"), np.zeros((2, 2)), np.array(["a"]), np.zeros(8)[::2]):
        assert _kernel.flags(array) is None
    with pytest.raises(ValueError, match="NaN"):
        _kernel.areas_of_labels(np.array([np.nan, 1.0]), np.array([0, 1]), 1)
    with pytest.raises(ValueError, match="length"):
        _kernel.areas_of_labels(np.array([1.0]), np.array([0, 1]), 1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_labels_found_keep_their_kind(dtype):
    labels = np.array([1, 0, 1], dtype)
    _, positive, found = positives(labels, None)
    assert [type(v) for v in found] == [type(labels[0].item())] * 2
    assert (positive, found) == (1, [0, 1])


@pytest.mark.parametrize("n", [3, 100, 1000])
def test_both_ways_into_areas_are_the_same(n):
    """Vectors that the kernel reads as they are, and the same in lists and in other layouts."""
    rng = np.random.default_rng(10)
    y, s = rng.integers(0, 2, n), rng.integers(0, 40, n) / 8
    y[:2] = [0, 1]
    expected = rs.areas(y.tolist(), s.tolist())
    for labels in (y, y.astype(bool), y.astype("f4"), 2 * y - 1, np.repeat(y, 2)[::2], y.astype(">i4")):
        for scores in (s, s.astype("f4"), np.repeat(s, 3)[::3], s.astype(">f8"), (8 * s).astype("i8")):
            assert rs.areas(labels, scores) == expected
