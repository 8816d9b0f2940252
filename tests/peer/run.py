"""Run scikit-learn's installed tests of what rocsolid.sklearn replaces against it: ``make test-peer``.

Its functions, scorers made of them, and displays that draw what they return.

Further arguments go to pytest. The process that runs them is one of its own, since it replaces names in
scikit-learn.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TESTS = (
    "sklearn.metrics.tests.test_ranking",
    "sklearn.metrics.tests.test_common",
    "sklearn.metrics.tests.test_classification",
    "sklearn.metrics.tests.test_score_objects",
    "sklearn.metrics._plot.tests",
)


def main(arguments: list[str], *, report: Path | None = None, quiet: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the tests; scikit-learn's settings for them, not ours, apply."""
    paths = [str(HERE), os.environ.get("PYTHONPATH", "")]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in paths if p), SCIPY_ARRAY_API="1")
    environment.pop("ROCSOLID_FORBID_SKIPS", None)  # theirs skip what needs CuPy and the like
    environment.setdefault("SKLEARN_TESTS_GLOBAL_RANDOM_SEED", "42")
    if report is not None:
        environment["ROCSOLID_PEER_REPORT"] = str(report)
    command = [sys.executable, "-m", "pytest", "-p", "substitution", "-p", "no:cacheprovider", "-q"]
    command += ["-c", os.devnull, "--rootdir", str(HERE), "--pyargs", *TESTS, *arguments]
    return subprocess.run(command, cwd=HERE, env=environment, capture_output=quiet, text=True, check=False, timeout=900)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]).returncode)
