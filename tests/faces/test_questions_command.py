"""``curve``, ``explain``, ``translate``, ``zones`` and ``days`` say what the same call says in Python."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.cli import main
from rocsolid.curves import CURVES

Y, S = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.9]
DAYS = ["mon", "mon", "mon", "tue", "tue", "tue"]
pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "rows.csv"
    lines = [f"{y},{s},{2**60 + i},{d}" for i, (y, s, d) in enumerate(zip(Y, S, DAYS, strict=True))]
    file.write_text("y,s,k,day\n" + "\n".join(lines))
    return file


def run(capsys, command, path, *words, score=("s",)):
    code = main([command, str(path), "--label", "y", "--score", *score, *words])
    return code, *capsys.readouterr()


@pytest.fixture
def ev():
    return rs.evaluate(Y, S, name="s")


# ------------------------------------------------------------------------------------------------- curve


@pytest.mark.parametrize("name", [*CURVES, "f1", "expected_cost(cost_fp=1, cost_fn=5)"])
def test_csv_reads_back_as_the_curve(capsys, path, ev, name):
    code, out, _ = run(capsys, "curve", path, "--name", name)
    assert code == 0
    head, *rows = csv.reader(io.StringIO(out))
    frame = ev.curve(name).to_frame()
    assert head == list(frame.columns)
    for column, values in zip(head, zip(*rows, strict=True), strict=True):
        read = [math.nan if v == "" else float(v) for v in values]
        assert np.array_equal(read, frame[column].to_numpy(float), equal_nan=True)


def test_json_has_null_where_there_is_no_number(capsys, path, ev):
    code, out, _ = run(capsys, "curve", path, "--name", "precision_recall", "-f", "json")
    held = json.loads(out)
    assert (code, held["curve"]) == (0, "precision_recall")
    assert held["points"]["threshold"][:2] == [None, 0.9]
    assert held["points"]["precision"][1:] == ev.curve("pr").precision[1:].tolist()


def test_several_scores_and_whole_numbers(capsys, path, tmp_path):
    code, out, _ = run(capsys, "curve", path, score=("s", "k"))
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert {row["score_name"] for row in rows} == {"s", "k"}
    assert [row["threshold"] for row in rows if row["score_name"] == "k"][1] == str(2**60 + 5)
    target = tmp_path / "curve.json"
    code, out, err = run(capsys, "curve", path, "-f", "json", "-o", str(target), score=("s", "k"))
    assert (code, out) == (0, "")
    assert "wrote" in err
    assert json.loads(target.read_text())["scores"]["k"]["threshold"][1] == 2**60 + 5


def test_a_curve_that_is_none(capsys, path):
    code, out, err = run(capsys, "curve", path, "--name", "gian")
    assert (code, out) == (2, "")
    assert "did you mean 'gain'" in err


# ------------------------------------------------------------------------------------ questions, answered alike


ASKED = [
    ("explain", ["0.8889"], lambda ev: ev.explain("0.8889")),
    ("translate", [], lambda ev: ev.translate()),
    ("zones", ["--rule-in", "0.8", "--rule-out", "0.35"], lambda ev: ev.zones(rule_in=0.8, rule_out=0.35)),
    (
        "zones",
        ["--rule-in", "specificity=0.9", "--rule-out", "recall=1"],
        lambda ev: ev.zones(rule_in=ev.at(specificity=0.9), rule_out=ev.at(recall=1)),
    ),
    ("days", ["--day", "day", "--capacity", "1"], lambda ev: ev.per_day(DAYS, capacity=1)),
]


@pytest.mark.parametrize(("command", "words", "ask"), ASKED)
def test_the_command_says_what_python_says(capsys, path, ev, command, words, ask):
    result = ask(ev)
    code, out, _ = run(capsys, command, path, *words, "-f", "json")
    assert (code, json.loads(out)) == (0, json.loads(result.to_json()))
    code, out, _ = run(capsys, command, path, *words)
    assert code == 0
    assert out.rstrip("\n") in (repr(result), "s: " + repr(result)[1:-1])
    if command != "days":
        code, out, _ = run(capsys, command, path, *words, "-f", "md")
        assert (code, out.rstrip("\n")) == (0, result.to_markdown().rstrip("\n"))


def test_the_words_may_stand_in_any_order(capsys, path):
    assert main(["explain", str(path), "0.8889", "--score", "s", "--label", "y"]) == 0
    first = capsys.readouterr().out
    assert main(["explain", "--label", "y", "--score", "s", str(path), "0.8889"]) == 0
    assert capsys.readouterr().out == first


def test_several_scores_are_told_apart(capsys, path):
    code, out, _ = run(capsys, "zones", path, "--rule-in", "recall=0.5", "--rule-out", "recall=1", score=("s", "k"))
    assert code == 0
    assert out.startswith("s\nrate")
    assert "\nk\nrate" in out
    _, out, _ = run(capsys, "days", path, "--day", "day", "--capacity", "1", "-f", "json", score=("s", "k"))
    assert list(json.loads(out)["scores"]) == ["s", "k"]


@pytest.mark.parametrize(
    ("command", "words", "told"),
    [
        ("explain", ["high"], "a number"),
        ("explain", [], "NUMBER"),
        ("zones", ["--rule-in", "0.1", "--rule-out", "0.9"], "exchange rule_in and rule_out"),
        ("zones", ["--rule-in", "high", "--rule-out", "0.9"], "--rule-in 0.5"),
        ("zones", ["--rule-in", "auc=0.9", "--rule-out", "0.9"], "specificity=0.95"),
        ("zones", ["--rule-in", "recall=much", "--rule-out", "0.9"], "recall=0.95"),
        ("zones", ["--rule-in", "0.9"], "--rule-out"),
        ("days", ["--day", "day", "--capacity", "0"], "capacity"),
        ("explain", ["0.9", "--cluster", "day"], "cluster"),
    ],
)
def test_what_can_not_be_asked_is_said(capsys, path, command, words, told):
    code, out, err = run(capsys, command, path, *words)
    assert (code, out) == (2, "")
    assert told in err
    assert "hint:" in err


def test_a_column_of_days_that_is_not_there(capsys, path):
    code, _, err = run(capsys, "days", path, "--day", "dya", "--capacity", "1")
    assert code == 3
    assert "did you mean 'day'" in err


# ------------------------------------------------------------------------------------------- saved sweeps


@pytest.mark.parametrize(
    "words",
    [
        ("curve", "--name", "precision_recall"),
        ("explain", "0.8889"),
        ("translate",),
        ("zones", "--rule-in", "specificity=0.9", "--rule-out", "0.35"),
    ],
)
def test_a_saved_sweep_answers_like_its_table(capsys, path, tmp_path, words):
    saved = tmp_path / "s.sweep"
    assert run(capsys, "sweep", path, "-o", str(saved))[0] == 0
    command, *rest = words
    whole = run(capsys, command, path, *rest)
    assert main([command, str(saved), *rest]) == 0
    assert capsys.readouterr().out == whole[1]


def test_days_need_rows(capsys, path, tmp_path):
    saved = tmp_path / "s.sweep"
    run(capsys, "sweep", path, "-o", str(saved))
    assert main(["days", str(saved), "--day", "day", "--capacity", "1"]) == 2
    assert "a table" in capsys.readouterr().err


def test_long_answers_show_a_sign_of_life(capsys, path, monkeypatch):
    import contextlib

    from rocsolid.cli import curve, questions

    said = []

    @contextlib.contextmanager
    def progress(doing):
        said.append(doing)
        yield

    for module in (curve, questions):
        monkeypatch.setattr(module, "progress", progress)
    run(capsys, "explain", path, "0.5")
    run(capsys, "curve", path)
    run(capsys, "days", path, "--day", "day", "--capacity", "1")
    assert said == ["searching", "drawing", "judging"]
