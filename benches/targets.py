"""The contests that the targets speak of, one function each: data, contestants, claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import rocsolid.sklearn
from benches import ours, peers
from benches.inputs import SHAPES, Labels, Scores, draw
from benches.models import bootstrap, delong
from benches.peers import NUMPY, POLARS, SKLEARN, missing
from benches.plan import Plan
from benches.timing import Absent, Claim, Contest, Contestant, Runner, areas_apart, arrays_apart


def areas_contest(
    key: str, title: str, y: Labels, s: Scores, runners: list[Contestant], claims: list[Claim]
) -> Contest:
    """Contestants of both areas; NumPy's answer is trusted, for it shares no code with ours."""
    return Contest(key, title, len(y), runners, peers.recipe(y, s), areas_apart, claims)


def areas_claim(
    key: str, work: str, peer: str, goal: tuple[float, float], rows: int, *, threads: int = 1, kernel: bool = True
) -> Claim:
    """One about `rs.areas`: several threads are judged by the clock on the wall, one by the CPU's."""
    return Claim(
        key, work, ours.with_threads(ours.AREAS, threads), peer, *goal, clock="wall" if threads > 1 else "cpu",
        target_rows=rows, also=ours.with_threads(ours.KERNEL, threads) if kernel else "",
    )  # fmt: skip


def both(y: Labels, s: Scores, threads: int) -> list[Contestant]:
    """Ours, on one thread and on several, with and without Python around."""
    runners: list[Contestant] = []
    for n in sorted({1, threads}):
        runners += [ours.areas(y, s, n), ours.kernel_areas(y, s, n)]
    return runners


def balanced(plan: Plan, threads: int) -> Contest:
    y, s = draw("balanced", plan.large)
    work, size = "AUC + AP, balanced", 10_000_000
    claims = [
        areas_claim("balanced/1/sklearn", f"{work}, 1 thread", SKLEARN, (60, 130), size),
        areas_claim("balanced/1/numpy", f"{work}, 1 thread", NUMPY, (4, 7), size),
    ]
    if threads > 1:
        several = f"{work}, {threads} threads"
        claims += [
            areas_claim("balanced/2/sklearn", several, SKLEARN, (100, 190), size, threads=threads),
            areas_claim("balanced/2/numpy", several, NUMPY, (7, 13), size, threads=threads),
        ]
    return areas_contest("balanced", "Balanced, float64", y, s, both(y, s, threads) + peers.peers(y, s), claims)


def rare(plan: Plan, threads: int, shape: str, key: str, goal: tuple[float, float]) -> Contest:
    y, s = draw(shape, plan.large)
    claim = areas_claim(f"{key}/1/numpy", f"AUC + AP, {shape}, 1 thread", NUMPY, goal, 10_000_000)
    runners = both(y, s, threads) + peers.peers(y, s, (NUMPY, SKLEARN))
    return areas_contest(key, f"{shape}, float64", y, s, runners, [claim])


def thousand(plan: Plan, threads: int) -> Contest:
    y, s = draw("1,000 distinct", plan.large)
    work = f"AUC + AP, 1,000 distinct, {threads} threads"
    database = peers.duckdb_on(threads, y, s)
    claims = [  # the target names Polars as the tightest peer; here DuckDB may be
        areas_claim("few/2/polars", work, POLARS, (1.5, 3), 10_000_000, threads=threads),
        areas_claim("few/2/duckdb", work, database.name, (1.5, 3), 10_000_000, threads=threads),
    ]
    runners = [*both(y, s, threads), *peers.peers(y, s), database]
    return areas_contest("few", "1,000 distinct, float64", y, s, runners, claims)


def medium(plan: Plan) -> Contest:
    y, s = draw("balanced", plan.medium)
    claim = areas_claim("medium/1/sklearn", "AUC + AP, fits the cache", SKLEARN, (40, 60), 100_000)
    return areas_contest("medium", "Balanced, fits the cache", y, s, both(y, s, 1) + peers.peers(y, s), [claim])


def small(plan: Plan) -> Contest:
    y, s = draw("balanced", plan.small)
    claim = areas_claim("small/1/sklearn", "AUC + AP, whole Python call", SKLEARN, (10, 50), 1_000, kernel=False)
    runners = both(y, s, 1) + peers.peers(y, s, (NUMPY, SKLEARN, POLARS))
    return areas_contest("small", "Balanced, small", y, s, runners, [claim])


def roc_curve(plan: Plan, threads: int) -> Contest:
    y, s = draw("balanced", plan.curve)
    name = "rs.sklearn.roc_curve, 1 thread"
    runners: list[Contestant] = [Runner(name, ours.on(1, lambda: rocsolid.sklearn.roc_curve(y, s)))]
    if threads > 1:
        several = ours.with_threads("rs.sklearn.roc_curve", threads)
        runners.append(Runner(several, ours.on(threads, lambda: rocsolid.sklearn.roc_curve(y, s))))
    answer = rocsolid.sklearn.roc_curve(y, s)
    if missing(("sklearn",)):
        runners.append(Absent(SKLEARN, missing(("sklearn",))))
    else:
        import sklearn.metrics

        runners.append(Runner(SKLEARN, lambda: sklearn.metrics.roc_curve(y, s)))
        answer = sklearn.metrics.roc_curve(y, s)
    claim = Claim("curve/1/sklearn", "roc_curve, drop-in", name, SKLEARN, 10, 25, target_rows=1_000_000)
    return Contest("curve", "roc_curve", len(y), runners, answer, arrays_apart, [claim])


def weighted(plan: Plan, threads: int) -> Contest:
    y, s = draw("balanced", plan.large)
    w = np.random.default_rng(1).exponential(size=len(y))
    runners: list[Contestant] = [ours.areas(y, s, n, w) for n in sorted({1, threads})]
    runners.append(_weighted_by_sklearn(y, s, w))
    claim = areas_claim(
        "weighted/1/sklearn", "weighted AUC + AP, 1 thread", SKLEARN, (25, 40), 10_000_000, kernel=False
    )
    return Contest("weighted", "Balanced, weighted", len(y), runners, _weighted(y, s, w), areas_apart, [claim])


def _weighted(y: Labels, s: Scores, w: Any) -> tuple[float, float]:
    """By NumPy: sums of weights per distinct score."""
    order = np.argsort(-s, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(s[order])), len(s) - 1)
    tp, fp = (np.cumsum(np.where(y[order] == label, w[order], 0))[ends] for label in (1, 0))
    dtp, dfp = np.diff(tp, prepend=0), np.diff(fp, prepend=0)
    auc = float((dtp * (fp[-1] - fp + dfp / 2)).sum() / (tp[-1] * fp[-1]))
    return auc, float((dtp * (tp / (tp + fp))).sum() / tp[-1])


def _weighted_by_sklearn(y: Labels, s: Scores, w: Any) -> Contestant:
    if missing(("sklearn",)):
        return Absent(SKLEARN, missing(("sklearn",)))
    from sklearn.metrics import average_precision_score, roc_auc_score

    return Runner(
        SKLEARN,
        lambda: (roc_auc_score(y, s, sample_weight=w), average_precision_score(y, s, sample_weight=w)),
    )


def columns(plan: Plan, threads: int) -> Contest:
    y, s = draw("balanced", plan.medium)
    rng = np.random.default_rng(2)
    table = np.empty((plan.medium, plan.columns), order="F")
    for j in range(plan.columns):
        table[:, j] = s + rng.standard_normal(len(y))
    some = plan.columns_by_peers

    def looped(name: str) -> Contestant:
        modules, prepare = peers.PEERS[name]
        if missing(modules):
            return Absent(name, missing(modules))

        def call() -> Any:
            return np.array([prepare(y, table[:, j])() for j in range(some)], float).T

        return Runner(name, call, part=some / plan.columns, note=f"{some} of {plan.columns} columns")

    def apart(found: Any, expected: Any) -> float:
        return arrays_apart([np.asarray(a)[:some] for a in found], expected)

    answer = np.array([peers.recipe(y, table[:, j]) for j in range(some)]).T
    runners = [ours.columns(y, table, n) for n in sorted({1, threads})] + [looped(SKLEARN), looped(NUMPY)]
    name = ours.with_threads("rs, all columns", threads)
    claim = Claim(
        "columns/2/sklearn", f"1,000 score columns x 1e5, {threads} threads", name, SKLEARN, 60, 150, "wall",
        target_rows=100_000,
    )  # fmt: skip
    title = f"{plan.columns} score columns"
    return Contest("columns", title, len(y), runners, answer, apart, [claim], unit=plan.columns)


Drawn = tuple[str, Callable[[], Contest]]


def targets(plan: Plan, threads: int) -> Iterator[Drawn]:
    """All contests by key, each drawn when its turn comes: what one holds is gone before the next begins."""
    percent, permille = ("1 % positive", "percent", (2.2, 4.0)), ("0.1 % positive", "permille", (3.0, 6.0))
    yield "balanced", lambda: balanced(plan, threads)
    yield "percent", lambda: rare(plan, threads, *percent)
    yield "permille", lambda: rare(plan, threads, *permille)
    yield "few", lambda: thousand(plan, threads)
    yield "medium", lambda: medium(plan)
    yield "small", lambda: small(plan)
    yield "curve", lambda: roc_curve(plan, threads)
    yield "weighted", lambda: weighted(plan, threads)
    yield "columns", lambda: columns(plan, threads)
    yield "delong", lambda: delong(plan, threads)
    yield "bootstrap", lambda: bootstrap(plan, threads)


def grid(plan: Plan, threads: int) -> Iterator[Drawn]:
    """Every shape in both float dtypes, then balanced data of every size."""
    inputs = [(shape, dtype, plan.grid) for shape in SHAPES for dtype in ("float64", "float32")]
    inputs += [("balanced", "float64", rows) for rows in plan.sizes if rows != plan.grid]
    for shape, dtype, rows in inputs:
        key = f"grid/{shape}/{dtype}/{rows}"
        yield key, partial(on_grid, key, shape, dtype, rows, plan, threads)


def on_grid(key: str, shape: str, dtype: str, rows: int, plan: Plan, threads: int) -> Contest:
    """Ours beside all peers, or beside NumPy alone where others would take minutes."""
    y, s = draw(shape, rows, dtype)
    others = peers.peers(y, s, (NUMPY,) if rows >= plan.ours_only else None)
    runners = [ours.areas(y, s, n) for n in sorted({1, threads})]
    return areas_contest(key, f"{shape}, {dtype}", y, s, [*runners, *others], [])
