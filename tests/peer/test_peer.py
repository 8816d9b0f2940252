"""scikit-learn's own ranking tests pass with our functions in the place of its own."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

LEAST_PASSED = 880
"""As many passed with scikit-learn 1.9.1; fewer means that tests are no longer found."""
MOST_EXCLUDED = 27
"""Fewer than 3 % of all cases, none about a result; see substitution.py."""


def test_the_tests_of_scikit_learn_pass(tmp_path):
    pytest.importorskip("sklearn.metrics.tests.test_ranking")
    spec = importlib.util.spec_from_file_location("peer_run", Path(__file__).parent / "run.py")
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    report = tmp_path / "report.json"
    done = run.main(["--tb=short"], report=report, quiet=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    counts = json.loads(report.read_text(encoding="utf-8"))
    assert counts["failed"] == counts["error"] == 0
    assert counts["passed"] >= LEAST_PASSED
    assert 0 < sum(counts["excluded"].values()) <= MOST_EXCLUDED
