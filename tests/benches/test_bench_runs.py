"""The benchmark runs from end to end at a tiny size, checks answers, and remembers. No time is judged here."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benches.timing import Absent, Claim, Contest, Finding, Runner, areas_apart, judge
from benches.timing import run as run_contest

from benches import inputs, peers, record, show

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    directory = tmp_path_factory.mktemp("history")
    command = [sys.executable, "-m", "benches", "--tiny", "--history", str(directory)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = directory.glob("*-tiny.json")
    return done.stdout, json.loads(path.read_text()), directory


def test_every_target_is_measured_or_says_why_not(bench):
    _, run, _ = bench
    keys = {target["key"].split("/")[0] for target in run["targets"]}
    assert keys == {
        "balanced", "percent", "permille", "few", "medium", "small", "curve", "weighted", "columns", "delong",
        "bootstrap", "memory",
    }  # fmt: skip
    for target in run["targets"]:
        assert target["measured"] is not None or target["note"], target
        assert target["must"] > 0
        assert target["aim"] > 0


def test_all_inputs_are_on_the_grid(bench):
    text, run, _ = bench
    titles = {contest["title"] for contest in run["contests"]}
    assert {f"{shape}, {dtype}" for shape in inputs.SHAPES for dtype in ("float64", "float32")} <= titles
    assert "lognormal, sd 30, float32" in text
    assert run["machine"]["versions"]["numpy"] == np.__version__


def test_the_last_run_is_found_and_what_became_slower_is_said(bench):
    _, run, directory = bench
    before = record.last(directory, "tiny", run["machine"])
    assert before is not None
    assert record.last(directory, "tiny", run["machine"] | {"cpu": "another"}) is None
    finding = Finding("curve", "roc_curve", "scikit-learn", "cpu", 10, 25, 20.0, 100, 100)
    old = {"targets": [{"key": "curve", "measured": 24.0, "rows": 100}]}
    assert record.regressions([finding], old) == ["roc_curve, against scikit-learn: 24 before, 20 now"]
    assert record.regressions([replace(finding, measured=21.0)], old) == []
    assert record.regressions([replace(finding, rows=50)], old) == []
    memory = replace(finding, measured=1.9, at_most=True)
    assert record.regressions([memory], {"targets": [{"key": "curve", "measured": 0.9, "rows": 100}]})


@pytest.mark.parametrize("shape", inputs.SHAPES)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_inputs_are_finite_and_have_both_classes(shape, dtype):
    y, s = inputs.draw(shape, 1000, dtype)
    assert s.dtype == dtype
    assert np.isfinite(s).all()
    assert set(y.tolist()) == {0, 1}


def contest(**answers):
    runners = [Runner(name.replace("_", "."), lambda pair=pair: pair) for name, pair in answers.items()]
    claim = Claim("k", "work", "rs.us", ("peer", "gone"), 1, 2)
    return Contest("k", "t", 10, [*runners, Absent("gone", "not installed")], (0.5, 0.25), areas_apart, [claim])


def test_wrong_answers_are_noted_and_ours_end_the_run():
    result = run_contest(contest(rs_us=(0.5, 0.25), peer=(0.5001, None)), 2, 1, 0)
    assert result.times["rs.us"].right
    assert not result.times["peer"].right
    assert "off by" in result.times["peer"].note
    finding = judge(contest().claims[0], result)
    assert finding.peer == "peer"
    assert finding.measured > 0
    with pytest.raises(SystemExit, match=r"rs\.us is off"):
        run_contest(contest(rs_us=(0.5, 0.2501), peer=(0.5, None)), 1, 1, 0)


def test_what_can_not_run_is_no_failure():
    result = run_contest(contest(rs_us=(0.5, 0.25)), 1, 1, 0)
    finding = judge(contest().claims[0], result)
    assert (finding.measured, finding.reaches(1)) == (None, None)
    assert "not installed" in finding.note


def test_areas_of_groups_are_those_of_the_rows():
    y, s = inputs.draw("1,000 distinct", 5000)
    values, group = np.unique(-s, return_inverse=True)
    found = peers.of_groups(np.bincount(group), np.bincount(group, weights=y))
    assert areas_apart(found, peers.recipe(y, s)) < 1e-12
    assert len(values) > 100


def test_the_page_has_a_place_for_the_tables(tmp_path, bench):
    _, run, _ = bench
    page = tmp_path / "page.md"
    page.write_text(show.PAGE.read_text("utf-8"), "utf-8")
    finding = Finding("k", "some work", "a peer", "cpu", 10, 25, 12.3, 100, 1000)
    show.write("tiny", run["machine"], [finding], [], {"x": None}, page)
    once = page.read_text("utf-8")
    assert "| some work | 100 (target: 1,000) | a peer | cpu | 10 | 25 | 12.3 | yes | NO |  |" in once
    show.write("tiny", run["machine"], [finding], [], {"x": None}, page)
    assert page.read_text("utf-8") == once
