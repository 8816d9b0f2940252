"""The programs in examples/ run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
DRAWS = {"two_measurements.py", "areas_by_hand.py", "equal_areas.py", "dominance_and_costs.py", "heart_disease.py"}
"""Examples that take the name of a picture."""
NEEDS = {"heart_disease.py": "sklego"}
"""Packages of the development environment that carry an example's data."""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.name)
def test_example_runs(example, tmp_path):
    if example.name in NEEDS:
        pytest.importorskip(NEEDS[example.name])
    picture = [str(tmp_path / "picture.svg")] if example.name in DRAWS else []
    command = [sys.executable, "-W", "error", str(example), *picture]
    environment = dict(os.environ, MPLBACKEND="agg")
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, cwd=tmp_path, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert all(Path(p).stat().st_size > 1000 for p in picture)


def test_the_picture_of_the_readme_can_be_drawn(tmp_path):
    picture = tmp_path / "curves.svg"
    script = ROOT / "docs" / "draw_curves.py"
    environment = dict(os.environ, OMP_NUM_THREADS="1")  # its threads wait for each other where cores are busy
    command = [sys.executable, str(script), str(picture)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    assert picture.stat().st_size > 10_000


def test_the_picture_of_the_bands_can_be_drawn(tmp_path):
    picture = tmp_path / "bands.svg"
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    command = [sys.executable, "-m", "docs.draw_bands", "--replicates", "2", "--picture", str(picture)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=environment, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert picture.stat().st_size > 10_000


def test_the_picture_of_coverage_can_be_drawn(tmp_path):
    picture = tmp_path / "coverage.svg"
    command = [sys.executable, "-m", "docs.draw_coverage", "--replicates", "5", "--picture", str(picture)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "percentile bootstrap" in done.stdout
    assert picture.stat().st_size > 10_000
