"""Both areas by others. Data are put into a library's own form before the clock starts."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from benches.inputs import Labels, Scores
from benches.timing import Absent, Contestant, Runner

# A ROC area and an average precision, which some libraries lack.
Areas = tuple[float, float | None]
Prepare = Callable[[Labels, Scores], Callable[[], Areas]]


def recipe(y: Labels, s: Scores) -> Areas:
    """The careful NumPy user's way: sort each class, find every positive in both. Exact on ties; checks nothing."""
    member = y == 1
    pos, neg = np.sort(s[member]), np.sort(s[~member])
    left = np.searchsorted(neg, pos, "left")
    u2 = int(left.sum()) + int(np.searchsorted(neg, pos, "right").sum())
    tp = len(pos) - np.searchsorted(pos, pos, "left")
    return u2 / (2 * len(pos) * len(neg)), float((tp / (tp + len(neg) - left)).mean())


def numpy_recipe(y: Labels, s: Scores) -> Callable[[], Areas]:
    return lambda: recipe(y, s)


def scikit_learn(y: Labels, s: Scores) -> Callable[[], Areas]:
    from sklearn.metrics import average_precision_score, roc_auc_score

    return lambda: (float(roc_auc_score(y, s)), float(average_precision_score(y, s)))


def of_groups(rows: Any, pos: Any) -> Areas:
    """Areas of distinct scores from high to low."""
    tp, all_rows = np.cumsum(pos, dtype=np.float64), np.cumsum(rows, dtype=np.float64)
    pos, neg = np.asarray(pos, np.float64), np.asarray(rows, np.float64) - pos
    n_pos, n_neg = tp[-1], all_rows[-1] - tp[-1]
    below = n_neg - (all_rows - tp)
    return float((pos * (2 * below + neg)).sum() / (2 * n_pos * n_neg)), float((pos * (tp / all_rows)).sum() / n_pos)


def polars(y: Labels, s: Scores) -> Callable[[], Areas]:
    import polars as pl

    frame = pl.DataFrame({"y": y, "s": s})

    def call() -> Areas:
        groups = frame.group_by("s").agg(pl.len().alias("rows"), pl.col("y").sum().alias("pos"))
        groups = groups.sort("s", descending=True)
        return of_groups(groups["rows"].to_numpy(), groups["pos"].to_numpy())

    return call


def duckdb(threads: int) -> Prepare:
    def prepare(y: Labels, s: Scores) -> Callable[[], Areas]:
        import duckdb
        import pyarrow as pa

        base = duckdb.connect(config={"threads": threads})
        base.register("arrow", pa.table({"y": y, "s": s}))
        base.execute("create table t as select * from arrow")
        base.unregister("arrow")
        query = "select count(*) as n, sum(y)::bigint as pos from t group by s order by s desc"

        def call() -> Areas:
            groups = base.execute(query).fetchnumpy()
            return of_groups(groups["n"], groups["pos"])

        return call

    return prepare


def catboost(y: Labels, s: Scores) -> Callable[[], Areas]:
    from catboost.utils import eval_metric

    return lambda: (float(eval_metric(y, s, "AUC", thread_count=1)[0]), None)


def torchmetrics(y: Labels, s: Scores) -> Callable[[], Areas]:
    import torch
    from torchmetrics.functional.classification import binary_auroc, binary_average_precision

    torch.set_num_threads(1)
    target, scores = torch.from_numpy(y), torch.from_numpy(s)
    return lambda: (float(binary_auroc(scores, target)), float(binary_average_precision(scores, target)))


def torcheval(y: Labels, s: Scores) -> Callable[[], Areas]:
    import torch
    from torcheval.metrics.functional import binary_auroc

    torch.set_num_threads(1)
    target, scores = torch.from_numpy(y), torch.from_numpy(s)
    return lambda: (float(binary_auroc(scores, target)), None)


NUMPY, SKLEARN, POLARS, DUCKDB = "NumPy recipe", "scikit-learn", "polars group_by", "DuckDB GROUP BY"

# name, modules needed, how to prepare a call
PEERS: dict[str, tuple[tuple[str, ...], Prepare]] = {
    NUMPY: ((), numpy_recipe),
    SKLEARN: (("sklearn",), scikit_learn),
    POLARS: (("polars",), polars),
    DUCKDB: (("duckdb", "pyarrow"), duckdb(1)),
    "catboost, AUC alone": (("catboost",), catboost),
    "torchmetrics": (("torch", "torchmetrics"), torchmetrics),
    "torcheval, AUC alone": (("torch", "torcheval"), torcheval),
}


def duckdb_on(threads: int, y: Labels, s: Scores) -> Contestant:
    """DuckDB on several threads; Polars takes as many as it finds."""
    name, why = f"{DUCKDB}, {threads} threads", missing(PEERS[DUCKDB][0])
    return Absent(name, why) if why else Runner(name, duckdb(threads)(y, s))


def missing(modules: tuple[str, ...]) -> str:
    """Why a peer can not run, or nothing."""
    absent = [m for m in modules if find_spec(m) is None]
    return f"{', '.join(absent)} not installed" if absent else ""


def peers(y: Labels, s: Scores, names: tuple[str, ...] | None = None) -> list[Contestant]:
    """Those named, or all, ready to run."""
    ready: list[Contestant] = []
    for name in names or tuple(PEERS):
        modules, prepare = PEERS[name]
        why = missing(modules)
        ready.append(Absent(name, why) if why else Runner(name, prepare(y, s)))
    return ready
