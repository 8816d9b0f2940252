"""Contests over several models or many replicates: DeLong's covariance and the bootstrap."""

from __future__ import annotations

from typing import Any

import numpy as np

from benches import ours, peers
from benches.inputs import Labels, Scores, draw
from benches.ours import Floats
from benches.peers import NUMPY, SKLEARN, missing
from benches.plan import Plan
from benches.timing import Absent, Claim, Contest, Contestant, Runner, arrays_apart

MODELS = 10


def delong(plan: Plan, threads: int) -> Contest:
    y, s = draw("balanced", plan.delong)
    rng = np.random.default_rng(3)
    models = np.stack([s + rng.standard_normal(len(y)) for _ in range(MODELS)])
    runners = [ours.delong(y, models, n) for n in sorted({1, threads})]
    packages = [_confidenceinterval(y, models), _mlstatkit(y, models)]
    runners += [*packages, Runner(NUMPY, lambda: by_numpy(y, models))]
    name = ours.with_threads("rs, DeLong", threads)
    claim = Claim(
        "delong/2/package", f"DeLong, {MODELS} models, {threads} threads", name, tuple(p.name for p in packages),
        100, 400, "wall", target_rows=1_000_000,
    )  # fmt: skip
    title = f"DeLong, {MODELS} models"
    return Contest("delong", title, len(y), runners, by_numpy(y, models), delong_apart, [claim], unit=MODELS)


def by_numpy(y: Labels, models: Floats) -> tuple[Floats, Floats]:
    """A careful NumPy user's DeLong: placements by binary search, no loop over rows."""
    member = y == 1
    placed = []
    for s in models:
        pos, neg = s[member], s[~member]
        placed.append([_share(pos, neg), 1 - _share(neg, pos)])
    of_pos, of_neg = (np.stack([p[i] for p in placed]) for i in (0, 1))
    return of_pos.mean(axis=1), np.cov(of_pos) / of_pos.shape[1] + np.cov(of_neg) / of_neg.shape[1]


def _share(values: Floats, among: Floats) -> Floats:
    """The share of the others below each value, ties counting half."""
    line = np.sort(among)
    twice = np.searchsorted(line, values, "left") + np.searchsorted(line, values, "right")
    return np.asarray(twice / (2 * len(line)))


def delong_apart(found: Any, expected: Any) -> float:
    """Over areas and covariances, as far as a package gives them; NaN marks what it does not."""
    worst = 0.0
    for a, b in zip(found, expected, strict=True):
        given = ~np.isnan(a)
        worst = max(worst, arrays_apart([a[given]], [np.asarray(b)[given]]))
    return worst


def _confidenceinterval(y: Labels, models: Floats) -> Contestant:
    name = "confidenceinterval"
    if missing((name,)):
        return Absent(name, missing((name,)))
    from confidenceinterval.delong import compute_ground_truth_statistics, fastDeLong

    def call() -> tuple[Floats, Floats]:
        order, n_pos, _ = compute_ground_truth_statistics(y == 1, None)
        auc, cov = fastDeLong(models[:, order], n_pos, None)
        return np.asarray(auc), np.asarray(cov)

    return Runner(name, call, note="its fastDeLong on all models; float32 ranks")


def _mlstatkit(y: Labels, models: Floats) -> Contestant:
    name = "MLstatkit"
    if missing((name,)):
        return Absent(name, missing((name,)))
    from MLstatkit import Delong_test

    def call() -> tuple[Floats, Floats]:
        auc, cov = np.full(MODELS, np.nan), np.full((MODELS, MODELS), np.nan)
        *_, auc[0], auc[1], _ = Delong_test(y, models[0], models[1])
        return auc, cov

    return Runner(name, call, part=2 / MODELS, note="two models a call: covariances of one pair only")


def bootstrap(plan: Plan, threads: int) -> Contest:
    y, s = draw("balanced", plan.medium)
    some = plan.replicates_by_peers
    runners = [ours.bootstrap(y, s, plan.replicates, n) for n in sorted({1, threads})]
    runners += [_loop(SKLEARN, y, s, some, plan), _loop(NUMPY, y, s, some, plan)]
    name = ours.with_threads("rs, bootstrap", threads)
    claim = Claim(
        "bootstrap/2/sklearn", f"bootstrap, 2,000 x 1e5, AUC + AP, {threads} threads", name, SKLEARN, 200, 600, "wall",
        target_rows=100_000,
    )  # fmt: skip

    def apart(found: Any, expected: Any) -> float:
        if len(found[0]) == some:  # others draw their own replicates
            return 0.0
        return arrays_apart([a[: len(e)] for a, e in zip(found, expected, strict=True)], expected)

    title = f"Bootstrap, {plan.replicates} replicates"
    return Contest("bootstrap", title, len(y), runners, _same_draws(y, s), apart, [claim], unit=plan.replicates)


def _loop(name: str, y: Labels, s: Scores, some: int, plan: Plan) -> Contestant:
    """The loop that people write."""
    modules, prepare = peers.PEERS[name]
    if missing(modules):
        return Absent(name, missing(modules))

    def call() -> Any:
        rng = np.random.default_rng(ours.SEED)
        found = []
        for _ in range(some):
            rows = rng.integers(0, len(y), len(y))
            found.append(prepare(y[rows], s[rows])())
        return np.array(found, float).T

    return Runner(name, call, part=some / plan.replicates, note=f"{some} of {plan.replicates} replicates")


def _same_draws(y: Labels, s: Scores) -> tuple[Floats, Floats]:
    """What NumPy makes of the first two replicates that the kernel drew."""
    found = []
    for number in range(2):
        drawn = ours.replicate(y, s, number)
        if drawn is None:
            break
        truth, scores, counts = drawn
        rows = np.repeat(np.arange(len(truth)), counts.astype(np.int64))
        found.append(peers.recipe(truth[rows], scores[rows]))
    auc, ap = np.array(found, float).reshape(-1, 2).T
    return auc, ap
