"""Peak memory of the areas beside their input, in a process of its own.

    python -m benches.memory WAY SHAPE ROWS LABELS THREADS

prints the peak beyond what the process held before the call, as a multiple of the bytes of labels and scores.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import rocsolid as rs
from benches import peers
from benches.inputs import draw
from benches.plan import Plan
from benches.timing import Finding

STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
ROOT = Path(__file__).parents[1]
# So that what was freed while the data were drawn is not at hand, resident already, for the call.
GIVE_BACK = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
SHAPES = ("balanced", "1 % positive", "1,000 distinct", "half zeros", "all equal", "sorted")


def _status(key: str) -> int:
    (line,) = (line for line in STATUS.read_text().splitlines() if line.startswith(key))
    return int(line.split()[1]) * 1024


def extra(way: str, shape: str, rows: int, labels: str, threads: int) -> float:
    """Peak beyond the input, over the input; measured in this process."""
    rs.set_num_threads(threads)

    def call(y: Any, s: Any) -> object:
        if way == "rs":
            return rs.areas(y, s)
        return peers.PEERS[way][1](y, s)()

    warm, scores = draw("balanced", 1000)
    call(warm.astype(labels), scores)  # imports and the like
    y, s = draw(shape, rows)
    y = y.astype(labels)
    gc.collect()
    RESET.write_text("5")  # the peak so far is forgotten
    before = _status("VmRSS:")
    call(y, s)
    return (_status("VmHWM:") - before) / (y.nbytes + s.nbytes)


def measure(way: str, shape: str, rows: int, labels: str, threads: int) -> float | None:
    """The same in a child process; None where the system can not say."""
    if not (STATUS.exists() and RESET.exists()):
        return None
    command = [sys.executable, "-m", "benches.memory", way, shape, str(rows), labels, str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | GIVE_BACK)
    return float(done.stdout) if done.returncode == 0 else None


def targets(plan: Plan, threads: int) -> tuple[list[Finding], dict[str, float | None]]:
    """The largest multiple over shapes and kinds of labels, and all of them."""
    rows = plan.memory
    inputs = [(shape, labels) for shape in SHAPES for labels in ("uint8", "int64")][: plan.memory_inputs]
    found = {
        f"rs.areas, {shape}, {labels} labels": measure("rs", shape, rows, labels, threads) for shape, labels in inputs
    }
    known = {name: value for name, value in found.items() if value is not None}
    worst = max(known, key=lambda name: known[name]) if known else ""
    ways = () if plan.memory_inputs else (peers.NUMPY, peers.SKLEARN)
    others = {f"{way}, balanced, int64 labels": measure(way, "balanced", rows, "int64", 1) for way in ways}
    finding = Finding(
        "memory", "peak extra memory of both areas, float64", "the input", "memory", 1.3, 1.0,
        known.get(worst), rows, 10_000_000, f"worst: {worst}" if worst else "needs Linux's /proc", at_most=True,
    )  # fmt: skip
    return [finding], found | others


if __name__ == "__main__":
    WAY, SHAPE, ROWS, LABELS, THREADS = sys.argv[1:]
    print(extra(WAY, SHAPE, int(ROWS), LABELS, int(THREADS)))
