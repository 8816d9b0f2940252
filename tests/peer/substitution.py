"""A pytest plugin that puts rocsolid.sklearn in the place of scikit-learn's functions, for its own tests.

Loaded with ``-p substitution`` before any test module is imported, so that their names and tables hold ours.
Of test_common.py, which goes over all metrics, only the tests of ours are kept. Nothing of scikit-learn's test
files is here: they run where they are installed. EXCLUDED names the tests left out, and why.
"""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path

import pytest
import sklearn.metrics
import sklearn.metrics._classification
import sklearn.metrics._ranking

import rocsolid.sklearn

HOMES = (sklearn.metrics, sklearn.metrics._ranking, sklearn.metrics._classification)
EXCLUDED: dict[str, str] = json.loads((Path(__file__).parent / "excluded.json").read_text(encoding="utf-8"))
USED: set[str] = set()

for name in rocsolid.sklearn.__all__:
    for home in HOMES:
        if hasattr(home, name):
            setattr(home, name, getattr(rocsolid.sklearn, name))


def is_ours(metric):
    """Whether a metric, perhaps with options set or wrapped, is one of ours."""
    while isinstance(metric, functools.partial):
        metric = metric.func
    closure = [cell.cell_contents for cell in getattr(metric, "__closure__", None) or ()]
    names = set(getattr(getattr(metric, "__code__", None), "co_names", ()))
    return (
        getattr(metric, "__module__", "").startswith("rocsolid.")
        or any(callable(inner) and is_ours(inner) for inner in closure)
        or bool(names & set(rocsolid.sklearn.__all__))
    )


def concerns_us(item):
    """Whether a test of test_common.py takes one of our functions, by itself or by its name in the tables."""
    metrics = item.module.ALL_METRICS
    values = getattr(item, "callspec", None) and item.callspec.params.values()
    return any(is_ours(v) or (isinstance(v, str) and v in metrics and is_ours(metrics[v])) for v in values or ())


def short(item):
    """The name of a test as EXCLUDED spells it: without its folder."""
    return item.nodeid.rpartition("/")[2]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Keep the tests of our functions, less the excluded ones."""
    kept, left = [], []
    for item in items:
        if item.path.name == "test_common.py" and not concerns_us(item):
            left.append(item)
        elif short(item) in EXCLUDED:
            USED.add(short(item))
            left.append(item)
        else:
            kept.append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def pytest_terminal_summary(terminalreporter):
    """Write the counts where the caller asked for them."""
    counts = {
        key: len(terminalreporter.stats.get(key, ())) for key in ("passed", "failed", "error", "skipped", "xfailed")
    }
    report = os.environ.get("ROCSOLID_PEER_REPORT")
    if report:
        Path(report).write_text(json.dumps({**counts, "excluded": sorted(USED)}), encoding="utf-8")
