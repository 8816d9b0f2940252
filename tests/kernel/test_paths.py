"""Every path of the kernel by name, dtype and number of threads, against plain sorting, on data made to break them."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest

from rocsolid import _kernel

PATHS = ["auto", "sorted", "few", "rare", "distribute"]
DTYPES = ["float32", "float64", "int64", "uint64"]
EDGES = np.array([0.0, -0.0, 5e-324, -5e-324, np.inf, -np.inf, 1e308, -1e308, 1.0, np.nextafter(1.0, 2.0)])
KINDS = {
    "edges": lambda rng, n: rng.choice(EDGES, n),
    "equal": lambda rng, n: np.full(n, 0.25),
    "two values": lambda rng, n: rng.integers(0, 2, n).astype(float),
    "far clusters": lambda rng, n: rng.integers(0, 2, n) * 1e15 + rng.normal(size=n),
    "near ties": lambda rng, n: 1 + rng.integers(0, 40, n) * 2.0**-52,
    "lognormal": lambda rng, n: np.exp(30 * rng.normal(size=n)),
    "rising": lambda rng, n: np.sort(rng.normal(size=n)),
    "falling": lambda rng, n: -np.sort(rng.normal(size=n)),
    "half zeros": lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, rng.random(n)),
    "thousandths": lambda rng, n: np.round(rng.random(n), 3),
    "subnormal": lambda rng, n: rng.integers(0, 1 << 20, n).view(np.float64),
    "plain": lambda rng, n: rng.normal(size=n),
}
LABELS = {
    "half": lambda rng, n: rng.integers(0, 2, n, dtype=np.uint8),
    "rare": lambda rng, n: (rng.random(n) < 0.02).astype(np.uint8) * np.uint8(7),
    "one positive": lambda rng, n: (np.arange(n) == rng.integers(max(n, 1))).astype(np.uint8),
    "one negative": lambda rng, n: (np.arange(n) != rng.integers(max(n, 1))).astype(np.uint8),
}


def as_dtype(scores, dtype):
    """Scores of another type in nearly the same order; integers keep differences beyond 2**53."""
    if dtype.startswith("float"):
        with np.errstate(over="ignore"):
            return scores.astype(dtype)
    whole = (np.clip(scores, -1e6, 1e6) * 1e6).astype(np.int64) + (1 << 60)
    return whole if dtype == "int64" else whole.view(np.uint64) + np.uint64(1 << 62)


def agree(path, scores, positive, threads):
    u2, n_pos, n_neg, ap = _kernel.areas_by(path, scores, positive, threads)
    expected = _kernel.areas_by("sort", scores, positive, 1)
    assert (u2, n_pos, n_neg) == expected[:3]
    assert (np.isnan(ap) and np.isnan(expected[3])) or abs(ap - expected[3]) <= np.spacing(expected[3])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_small(path, dtype, threads):
    rng = np.random.default_rng([PATHS.index(path), DTYPES.index(dtype), threads])
    before = taken()
    for repeat, (kind, label) in itertools.product(range(22), itertools.product(KINDS.values(), LABELS.values())):
        n = repeat if repeat < 18 else int(rng.integers(18, 2000))
        agree(path, as_dtype(kind(rng, n), dtype), label(rng, n), threads)
    if path in ("few", "rare", "distribute"):  # the others give way to another path, as they should
        key = path, dtype, THREADS[threads]
        assert taken()[key] - before[key] >= 1000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_large(kind, dtype):
    rng = np.random.default_rng(7)
    scores = as_dtype(KINDS[kind](rng, 600_000), dtype)
    for label in ("half", "rare", "one positive"):
        positive = LABELS[label](rng, len(scores))
        for path, threads in itertools.product(PATHS, (1, 3)):
            agree(path, scores, positive, threads)


THREADS = {1: "1", 2: "2", 5: "more"}


def taken(task="areas"):
    """Calls so far, by path, dtype and number of threads."""
    counts = _kernel.path_counts()
    return {(path, dtype, threads): calls for of, path, dtype, threads, calls in counts if of == task}


@pytest.mark.parametrize(
    ("kind", "label", "path"),
    [
        ("plain", "half", "distribute"),
        ("lognormal", "half", "distribute"),
        ("plain", "rare", "rare"),
        ("plain", "one positive", "rare"),
        ("thousandths", "half", "few"),
        ("two values", "rare", "few"),
        ("equal", "half", "sorted"),
        ("rising", "half", "sorted"),
        ("falling", "rare", "sorted"),
    ],
)
def test_the_plan_chooses(kind, label, path):
    rng = np.random.default_rng(8)
    n = 200_000 if path != "rare" else 2_000_000
    positive = LABELS[label](rng, n) if kind != "plain" or label != "rare" else (rng.random(n) < 0.005).view(np.uint8)
    before = taken()
    _kernel.areas(KINDS[kind](rng, n), positive, 1)
    now = taken()
    assert {key for key in now if now[key] != before[key]} == {(path, "float64", "1")}


@pytest.mark.parametrize("path", PATHS)
def test_the_same_bits_on_any_number_of_threads(path):
    rng = np.random.default_rng(9)
    scores, positive = rng.normal(size=1_500_000), rng.integers(0, 2, 1_500_000, dtype=np.uint8)
    one = _kernel.areas_by(path, scores, positive, 1)
    assert all(_kernel.areas_by(path, scores, positive, threads) == one for threads in (2, 3, 4, 8))


@pytest.mark.parametrize("path", PATHS)
def test_nan(path):
    for n, place in itertools.product((1, 70, 400_000), (0, -1)):
        scores = np.linspace(0, 1, n)
        scores[place] = np.nan
        with pytest.raises(ValueError, match="NaN"):
            _kernel.areas_by(path, scores, np.zeros(n, np.uint8), 2)


def test_an_unknown_path_is_refused():
    with pytest.raises(ValueError, match="path"):
        _kernel.areas_by("fastest", np.zeros(1), np.zeros(1, np.uint8), 1)


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_counts_on_threads_of_its_own():
    code = """
import os, warnings, numpy as np
from rocsolid import _kernel
warnings.simplefilter("ignore")
s = np.random.default_rng(0).random(1_000_000); y = (s > 0.3).view(np.uint8)
one = _kernel.areas(s, y, 3)
child = os.fork()
if child == 0:
    os._exit(0 if _kernel.areas(s, y, 3) == one else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert _kernel.areas(s, y, 3) == one
"""
    run(code)


def test_importing_starts_no_thread():
    count = "len(os.listdir('/proc/self/task'))"
    if not os.path.isdir("/proc/self/task"):
        pytest.skip("no /proc")
    assert run(f"import os, numpy; a = {count}; import rocsolid._kernel; print({count} - a)") == "0"
