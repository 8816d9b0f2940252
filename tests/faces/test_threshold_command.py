"""``rocsolid threshold``: one line, or the point as JSON; whole numbers stay exact; infeasible is an exit code."""

from __future__ import annotations

import json

import pytest

import rocsolid as rs
from rocsolid.cli import main

Y, S = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.9]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "rows.csv"
    file.write_text("y,s,k\n" + "\n".join(f"{y},{s},{2**60 + i}" for i, (y, s) in enumerate(zip(Y, S, strict=True))))
    return file


def run(capsys, path, *words, score="s"):
    code = main(["threshold", str(path), "--label", "y", "--score", score, *words])
    return code, *capsys.readouterr()


def test_one_line(capsys, path):
    code, out, _ = run(capsys, path, "--recall", "0.95")
    assert (code, out.count("\n")) == (0, 1)
    assert out.strip() == "s: " + repr(rs.evaluate(Y, S, name="s").at(recall=0.95))[1:-1]


@pytest.mark.parametrize(
    ("words", "ask"),
    [
        (["--specificity", "0.6"], lambda ev: ev.at(specificity=0.6)),
        (["--fpr", "0.4"], lambda ev: ev.at(fpr=0.4)),
        (["--precision", "0.9"], lambda ev: ev.at(precision=0.9)),
        (["--capacity", "3"], lambda ev: ev.at(capacity=3)),
        (["--capacity", "0.5"], lambda ev: ev.at(capacity=0.5)),
        (["--top-k", "2"], lambda ev: ev.at(top_k=2)),
        (["--flagged", "0.4"], lambda ev: ev.at(flagged=0.4)),
        (["--threshold", "0.35"], lambda ev: ev.at(threshold=0.35)),
        (["--best", "youden"], lambda ev: ev.best("youden")),
        (["--best", "f_beta", "--beta", "2"], lambda ev: ev.best("f_beta", beta=2)),
        (["--best", "cost", "--cost-fp", "1", "--cost-fn", "5"], lambda ev: ev.best("cost", cost_fp=1, cost_fn=5)),
        (
            ["--best", "cost", "--cost-fp", "1", "--cost-fn", "5", "--cost-tp", "-2", "--cost-tn", "-0.5"],
            lambda ev: ev.best("cost", cost_fp=1, cost_fn=5, cost_tp=-2, cost_tn=-0.5),
        ),
        (
            ["--best", "f1", "--optimism", "--seed", "1", "--n-resamples", "20"],
            lambda ev: ev.best("f1", optimism=True, rng=1, n_resamples=20),
        ),
    ],
)
def test_json_is_the_point(capsys, path, words, ask):
    code, out, _ = run(capsys, path, *words, "--format", "json")
    assert code == 0
    assert json.loads(out) == json.loads(ask(rs.evaluate(Y, S, name="s")).to_json())


def test_whole_numbers_stay_exact(capsys, path):
    code, out, _ = run(capsys, path, "--threshold", str(2**60 + 3), "-f", "json", score="k")
    assert (code, json.loads(out)["threshold"]) == (0, 2**60 + 3)
    assert json.loads(out)["tp"] + json.loads(out)["fp"] == 3


def test_what_can_not_be_done_is_said(capsys, path):
    code, out, err = run(capsys, path, "--top-k", "9")
    assert code == 3
    assert "INFEASIBLE" in out
    assert "there are only 6 rows" in err
    for words in (
        [], ["--recall", "0.9", "--fpr", "0.1"], ["--recall", "90"], ["--recall", "0.5", "--beta", "2"],
        ["--best", "f1", "--recall", "0.5"], ["--threshold", "high"], ["--best", "area"],
    ):  # fmt: skip
        code, out, err = run(capsys, path, *words)
        assert (code, out, "hint:" in err) == (2, "", True)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ([], "hint: for example --recall 0.9"),
        (["--recall", ".9", "--fpr", ".1"], "found '--recall, --fpr'"),
        (["--recall", "90"], "hint: add --recall 0.9"),
        (["--best", "cost"], "hint: --best cost --cost-fp 1 --cost-fn 10"),
        (["--best", "youden", "--beta", "2"], "expected --beta to be left out: it has no effect on 'youden'"),
        (["--capacity", "1.5"], "hint: --capacity 2 for rows, --flagged 1.0 for all of them"),
        (["--precision", ".9", "--guarantee", ".9"], "hint: leave --precision out"),
        (["--recall", ".9", "--guarantee", ".999"], "--guarantee 0.999 is within reach"),
        (["--best", "youden", "--n-resamples", "200"], "hint: add --optimism"),
    ],
)
def test_errors_speak_of_options_and_never_of_python(typed, says, tmp_path, capsys):
    rows = [f"{i % 3 == 0:d},{(7 * i) % 20}" for i in range(30)]
    file = tmp_path / "rows.csv"
    file.write_text("y,s\n" + "\n".join(rows) + "\n")
    assert main(["threshold", str(file), "--label", "y", "--score", "s", *typed]) in (2, 3)
    said = capsys.readouterr().err
    assert says in said
    assert "ev." not in said
    assert "`" not in said.partition("hint:")[2]
