"""A pytest plugin that puts rocsolid.sklearn in the place of scikit-learn's functions, for scikit-learn's own tests.

Loaded with ``-p substitution`` before any test module is imported, so that the names and tables in them hold our
functions. Of test_common.py, which goes over all metrics, the tests that take one of ours are kept. Nothing of
scikit-learn's test files is here: they run where they are installed.

EXCLUSIONS is the list of what is left out, and why. One that no longer applies to any test fails the run.
"""

from __future__ import annotations

import functools
import json
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import sklearn.metrics
import sklearn.metrics._classification
import sklearn.metrics._plot.det_curve
import sklearn.metrics._plot.precision_recall_curve
import sklearn.metrics._plot.roc_curve
import sklearn.metrics._ranking
import sklearn.metrics._scorer

import rocsolid.sklearn

HOMES = (
    sklearn.metrics,
    sklearn.metrics._ranking,
    sklearn.metrics._classification,
    sklearn.metrics._scorer,
    sklearn.metrics._plot.det_curve,
    sklearn.metrics._plot.precision_recall_curve,
    sklearn.metrics._plot.roc_curve,
)

for name in rocsolid.sklearn.__all__:
    for home in HOMES:
        if hasattr(home, name):
            setattr(home, name, getattr(rocsolid.sklearn, name))


@dataclass(frozen=True)
class Exclusion:
    """A test of scikit-learn's that is left out."""

    test: str
    when: Callable[[dict[str, object]], bool]
    why: str


def infinite_score(params):
    """Whether a test gives infinite scores, and nothing else that is wrong, to a function that orders them."""
    y, s = np.asarray(params["y_true"], float), np.asarray(params["y_score"], float)
    ordered = plain(params["metric"]).__name__ in ("roc_auc_score", "average_precision_score")
    return ordered and bool(np.isfinite(y).all() and np.isinf(s).any() and not np.isnan(s).any())


EXCLUSIONS = (
    Exclusion(
        "test_continuous_inf_nan_input",
        infinite_score,
        "Infinite scores are ordered, not refused: a ranking needs an order and no amounts. The cases with NaN run.",
    ),
    Exclusion(
        "test_scoring_is_not_metric",
        lambda params: True,
        "A function given for a scorer is told by its home in the module sklearn.metrics, where ours do not live.",
    ),
)
FOUND: Counter[str] = Counter()
OURS = set(rocsolid.sklearn.__all__) | {"RocCurveDisplay", "PrecisionRecallDisplay", "DetCurveDisplay"}
"""Names by which a test calls our functions: theirs, and those of the displays that draw what they return."""


def plain(metric):
    """The function under its options."""
    while isinstance(metric, functools.partial):
        metric = metric.func
    return metric


def is_ours(metric):
    """Whether a metric is one of ours, has one inside (an option set, a helper around it) or calls one by name."""
    metric = plain(metric)
    inside = [cell.cell_contents for cell in getattr(metric, "__closure__", None) or ()]
    names = set(getattr(getattr(metric, "__code__", None), "co_names", ()))
    return (
        getattr(metric, "__module__", "").startswith("rocsolid.")
        or any(callable(inner) and is_ours(inner) for inner in inside)
        or bool(names & set(rocsolid.sklearn.__all__))
    )


def params_of(item):
    """What a test is run with."""
    return item.callspec.params if hasattr(item, "callspec") else {}


def concerns_us(item):
    """Whether a test calls one of our functions, or takes one, by itself or by its name in the tables."""
    metrics = getattr(item.module, "ALL_METRICS", {})
    values = params_of(item).values()
    given = any(is_ours(v) if callable(v) else isinstance(v, str) and is_ours(metrics.get(v)) for v in values)
    return given or bool(set(item.function.__code__.co_names) & OURS)


def exclusion_of(item):
    """The exclusion that a test falls under, or None."""
    name = item.originalname
    return next((e for e in EXCLUSIONS if e.test == name and e.when(params_of(item))), None)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Keep the tests of our functions, less the excluded ones."""
    kept, left = [], []
    for item in items:
        exclusion = None
        if item.path.name != "test_ranking.py" and not concerns_us(item):
            left.append(item)
        elif (exclusion := exclusion_of(item)) is not None:
            FOUND[exclusion.test] += 1
            left.append(item)
        else:
            kept.append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def pytest_terminal_summary(terminalreporter):
    """Say what was left out, and write the counts where the caller asked for them."""
    stats = terminalreporter.stats
    counts = {key: len(stats.get(key, ())) for key in ("passed", "failed", "error", "skipped")}
    share = FOUND.total() / max(1, FOUND.total() + counts["passed"])
    for exclusion in EXCLUSIONS:
        terminalreporter.write_line(f"excluded: {FOUND[exclusion.test]} cases of {exclusion.test}: {exclusion.why}")
    terminalreporter.write_line(f"excluded in all: {FOUND.total()} cases, {share:.1%} of those that could run")
    report = os.environ.get("ROCSOLID_PEER_REPORT")
    if report:
        Path(report).write_text(json.dumps({**counts, "excluded": FOUND}), encoding="utf-8")
