"""The table of the kernel by every path, dtype, direction and number of threads, against sorting."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from test_paths import DTYPES, KINDS, LABELS, as_dtype

from rocsolid import _kernel

PATHS = ["auto", "few", "distribute"]


def agree(path, scores, positive, descending, threads):
    found = _kernel.group_by(path, scores, positive, descending, threads)
    expected = _kernel.group_by("sort", scores, positive, descending, 1)
    for column, other in zip(found[:3], expected[:3], strict=True):
        assert column.dtype == other.dtype
        assert column.tobytes() == other.tobytes()
    assert found[3] is None


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("threads", [1, 3])
def test_small(path, dtype, threads):
    rng = np.random.default_rng([PATHS.index(path), DTYPES.index(dtype), threads])
    for repeat, (kind, label) in itertools.product(range(22), itertools.product(KINDS.values(), LABELS.values())):
        n = repeat if repeat < 18 else int(rng.integers(18, 2000))
        agree(path, as_dtype(kind(rng, n), dtype), label(rng, n), bool(repeat % 2), threads)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_large(kind, dtype):
    rng = np.random.default_rng(17)
    scores = as_dtype(KINDS[kind](rng, 600_000), dtype)
    for label, path, threads in itertools.product(("half", "rare"), PATHS, (1, 2, 5)):
        agree(path, scores, LABELS[label](rng, len(scores)), threads != 2, threads)


@pytest.mark.parametrize("path", PATHS)
def test_nan(path):
    for n, place in itertools.product((1, 70, 400_000), (0, -1)):
        scores = np.linspace(0, 1, n)
        scores[place] = np.nan
        with pytest.raises(ValueError, match="NaN"):
            _kernel.group_by(path, scores, np.zeros(n, np.uint8), True, 2)


MEMORY = """
import resource, sys
import numpy as np
from rocsolid import _kernel

n, rng = 4_000_000, np.random.default_rng(0)
scores, positive = rng.permutation(n).astype(float), rng.integers(0, 2, n, dtype=np.uint8)
_kernel.group(scores[:1000], positive[:1000], None, True, 1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
table = _kernel.group(scores, positive, None, True, int(sys.argv[1]))
assert len(table[0]) == n
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / n)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux")
@pytest.mark.parametrize("threads", [1, 2])
def test_memory(threads):
    """All rows distinct: 24 bytes a row for the table, 8 for the scores on their way."""
    run = subprocess.run([sys.executable, "-c", MEMORY, str(threads)], capture_output=True, text=True, check=True)
    assert float(run.stdout) < 60


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_weighted_rows_have_the_areas_of_their_table(kind, dtype):
    rng = np.random.default_rng(18)
    for n in (1, 2, 50, 3000):
        scores, positive = as_dtype(KINDS[kind](rng, n), dtype), LABELS["half"](rng, n)
        weights = np.where(rng.random(n) < 0.1, 0.0, rng.random(n))
        sums = _kernel.group(scores, positive, weights, True, 1)[3]
        assert sums is not None
        found = _kernel.weighted_areas_of_rows(scores, positive, weights, 2)
        assert np.array(found).tobytes() == np.array(_kernel.weighted_areas(sums[0], sums[1])).tobytes()
