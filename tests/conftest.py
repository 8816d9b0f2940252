"""What all tests share: hypothesis profiles, and a switch that turns skipped tests into a failure.

ROCSOLID_HYPOTHESIS=dev|ci|nightly   how many random cases (dev is the default)
ROCSOLID_FORBID_SKIPS=1              a skipped test fails the session: nothing may go untested unnoticed
ROCSOLID_NIGHTLY=1                   large simulations in tests/statistical
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("dev", max_examples=60, deadline=None, suppress_health_check=SLOW_IS_FINE)
settings.register_profile("ci", max_examples=200, deadline=None, suppress_health_check=SLOW_IS_FINE, print_blob=True)
settings.register_profile(
    "nightly", max_examples=5000, deadline=None, suppress_health_check=SLOW_IS_FINE, print_blob=True
)
settings.load_profile(os.environ.get("ROCSOLID_HYPOTHESIS", "dev"))


@pytest.fixture(scope="session")
def nightly() -> bool:
    """Whether this is the long run."""
    return os.environ.get("ROCSOLID_NIGHTLY") == "1"


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """Fail a session that skipped something while skips are forbidden."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or os.environ.get("ROCSOLID_FORBID_SKIPS") != "1":
        return
    if reporter.stats.get("skipped") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter):
    """Count what was skipped."""
    skipped = len(terminalreporter.stats.get("skipped", []))
    forbidden = os.environ.get("ROCSOLID_FORBID_SKIPS") == "1"
    verdict = ": this fails the run (ROCSOLID_FORBID_SKIPS=1)" if skipped and forbidden else ""
    terminalreporter.write_line(f"skipped: {skipped}{verdict}")
