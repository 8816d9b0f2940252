"""No data make the kernel slow out of all proportion. Times depend on the machine: only `make nightly` judges them."""

import os
import time

import numpy as np
from tests.kernel.test_paths import DTYPES, KINDS, LABELS, as_dtype

from rocsolid import _kernel

ROWS = 300_000
# Sorting takes some eight times as long as plain data; quadratic work would take thousands of times as long.
GENEROUS = 20.0


def cost(scores, positive):
    """Seconds of CPU for both areas on one thread, and for the table: the best of five each."""
    tasks = (lambda: _kernel.areas(scores, positive, 1), lambda: _kernel.group(scores, positive, None, True, 1))
    best = [np.inf, np.inf]
    for _ in range(5):
        for i, task in enumerate(tasks):
            start = time.process_time()
            task()
            best[i] = min(best[i], time.process_time() - start)
    return np.array(best)


def test_hard_data_cost_little_more_than_plain_data():
    rows = ROWS if os.environ.get("ROCSOLID_NIGHTLY") else 1000
    for dtype in DTYPES:
        rng = np.random.default_rng(10)
        plain = cost(as_dtype(KINDS["plain"](rng, rows), dtype), LABELS["half"](rng, rows))
        for kind, draw in KINDS.items():
            for label, labels in LABELS.items():
                hard = cost(as_dtype(draw(rng, rows), dtype), labels(rng, rows))
                assert rows < ROWS or (hard <= GENEROUS * plain).all(), (dtype, kind, label, hard / plain)
