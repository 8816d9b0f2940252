"""Speed of the areas, alone and with intervals, beside scikit-learn and a careful NumPy recipe.

    python benches/run.py [--rows 100000 1000000] [--rounds 5] [--threads 1 2] [--no-history]

One process; in each round all contestants run in a new order, and the best round of each counts. Only the ratios
within one run mean something. All must give the same values, or there is no table. CPU time is the sum over threads.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import scipy
import sklearn
from sklearn.metrics import average_precision_score, roc_auc_score

import rocsolid as rs

HISTORY = Path(__file__).parent / "history"
Data = tuple[np.ndarray, np.ndarray]
Areas = tuple[float, float]
Contestant = Callable[[np.ndarray, np.ndarray], Areas]

# ------------------------------------------------------------------------------------------ contestants


def kernel_on(threads: int) -> Contestant:
    """`rs.areas`, the whole call with its validation, on some threads."""

    def call(y: np.ndarray, s: np.ndarray) -> Areas:
        rs.set_num_threads(threads)
        found = rs.areas(y, s)
        return found.roc_auc, found.average_precision

    return call


def with_intervals(y: np.ndarray, s: np.ndarray) -> Areas:
    """`rs.evaluate` and both areas with their default intervals."""
    rs.set_num_threads(1)
    ev = rs.evaluate(y, s)
    return ev.roc_auc().value, ev.average_precision().value


def scikit_learn(y: np.ndarray, s: np.ndarray) -> Areas:
    """Both functions of scikit-learn, without intervals."""
    return roc_auc_score(y, s), average_precision_score(y, s)


def numpy_recipe(y: np.ndarray, s: np.ndarray) -> Areas:
    """Sort each class, find every positive among both; ties come out right. No checks, no intervals."""
    member = y == 1
    pos, neg = np.sort(s[member]), np.sort(s[~member])
    left = np.searchsorted(neg, pos, "left")
    u2 = int(left.sum()) + int(np.searchsorted(neg, pos, "right").sum())
    tp = len(pos) - np.searchsorted(pos, pos, "left")
    return u2 / (2 * len(pos) * len(neg)), float((tp / (tp + len(neg) - left)).mean())


# ------------------------------------------------------------------------------------------------- data


def balanced(rng: np.random.Generator, n: int) -> Data:
    """Half positive, all scores different."""
    y = (rng.random(n) < 0.5).astype(np.int64)
    return y, rng.normal(size=n) + y


def rare(rng: np.random.Generator, n: int) -> Data:
    """One positive in a hundred."""
    y = (rng.random(n) < 0.01).astype(np.int64)
    return y, rng.normal(size=n) + 2 * y


def thousand_scores(rng: np.random.Generator, n: int) -> Data:
    """Probabilities in three decimals."""
    y = (rng.random(n) < 0.3).astype(np.int64)
    return y, np.round(1 / (1 + np.exp(-rng.normal(size=n) - y)), 3)


DATA = {"balanced": balanced, "1 % positive": rare, "1,000 distinct": thousand_scores}

# ------------------------------------------------------------------------------------------------- runs


def timed(contestants: dict[str, Contestant], data: Data, rounds: int, calls: int) -> dict[str, dict[str, float]]:
    """Best wall and CPU seconds a call of each contestant, over rounds of some calls; all must agree first."""
    expected = scikit_learn(*data)
    for name, call in contestants.items():
        if not np.allclose(call(*data), expected, rtol=1e-9, atol=0):
            raise SystemExit(f"{name} gives {call(*data)}, scikit-learn {expected}")
    best = {name: {"wall": float("inf"), "cpu": float("inf")} for name in contestants}
    order = np.random.default_rng(0)
    for _ in range(rounds):
        for name in order.permutation(list(contestants)):
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in range(calls):
                contestants[name](*data)
            spent = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
            best[name] = {clock: min(best[name][clock], seconds / calls) for clock, seconds in spent.items()}
    return best


def machine() -> dict[str, str]:
    """What the numbers depend on."""
    info = Path("/proc/cpuinfo")
    models = [line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")] \
        if info.exists() else []  # fmt: skip
    return {
        "cpu": models[0] if models else platform.processor() or platform.machine(),
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "python": platform.python_version(),
        "rocsolid": rs.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def show(title: str, rows: int, best: dict[str, dict[str, float]]) -> None:
    """Print one table; `times` is how many times the CPU time of the first contestant each one takes."""
    print(f"\n{title}, {rows:,} rows")
    print(f"  {'':32}{'wall ns/row':>13}{'CPU ns/row':>13}{'times':>9}")
    first = next(iter(best.values()))["cpu"]
    for name, spent in best.items():
        wall, cpu = (spent[clock] / rows * 1e9 for clock in ("wall", "cpu"))
        print(f"  {name:32}{wall:13.1f}{cpu:13.1f}{spent['cpu'] / first:9.1f}", flush=True)


def main() -> None:
    """Run everything, print tables, keep a record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, nargs="+", default=sorted({1, rs.get_num_threads()}))
    parser.add_argument("--no-history", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", rs.RocsolidWarning)
    contestants: dict[str, Contestant] = {
        f"rs.areas, {n} thread{'s' if n > 1 else ''}": kernel_on(n) for n in options.threads
    }
    contestants |= {
        "rs.evaluate, both intervals": with_intervals,
        "NumPy recipe": numpy_recipe,
        "scikit-learn, both areas": scikit_learn,
    }
    about = machine()
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    records = []
    for rows in options.rows:
        for title, draw in DATA.items():
            calls = max(1, 100_000 // rows)
            best = timed(contestants, draw(np.random.default_rng(rows), rows), options.rounds, calls)
            show(title, rows, best)
            records.append({"data": title, "rows": rows, "rounds": options.rounds, "calls": calls, "seconds": best})
    if not options.no_history:
        now = datetime.now(UTC)
        HISTORY.mkdir(exist_ok=True)
        path = HISTORY / f"{now:%Y%m%d-%H%M%S}.json"
        path.write_text(json.dumps({"when": f"{now:%Y-%m-%dT%H:%M:%SZ}", **about, "runs": records}, indent=2) + "\n")
        print(f"\nrecorded in benches/history/{path.name}")


if __name__ == "__main__":
    main()
