"""The command line, as a function and as a process: results, talk, exit codes, two-line errors."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from face_helpers import HOSTILE, no_leftovers

import rocsolid as rs
from rocsolid import cli, measures

BASE = ("--label", "y", "--score", "a")
BIN = Path(sys.executable).parent / "rocsolid"


def process(*words, stdin=None, **environment):
    command = [str(BIN)] if BIN.exists() else [sys.executable, "-m", "rocsolid.cli"]
    return subprocess.run(
        [*command, *map(str, words)], capture_output=True, text=True, check=False, timeout=120, input=stdin,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )  # fmt: skip


@pytest.fixture
def run(capsys):
    """Call main and give the exit code with both streams; an error is exactly two lines."""

    def call(*words):
        code = cli.main([str(w) for w in words])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        if code not in (0, 130):
            lines = err.splitlines()
            assert len(lines) == 2, err
            assert lines[0].startswith("error: ")
            assert lines[1].startswith("hint: ")
            assert len(lines[1]) > len("hint: ")
            assert out == ""
        return code, out, err

    return call


# ---------------------------------------------------------------------------------------------- evaluate


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_evaluate_says_what_python_says(ending, predictions, run):
    code, out, err = run("evaluate", predictions[ending], "--label", "y", "--score", "a", "b", "-f", "json")
    assert (code, err) == (0, "")
    table = pq.read_table(predictions["parquet"])
    both = rs.evaluate_many(table["y"], {"a": table["a"], "b": table["b"]})
    found = [e for m in json.loads(out)["models"] for e in m["estimates"]]
    assert [(e["measure"], e["value"], e["low"], e["high"]) for e in found] == [
        (r.measure, r.value, r.interval.low, r.interval.high) for r in both.table()
    ]


def test_table_is_plain_and_aligned(predictions, run):
    _, out, _ = run("evaluate", predictions["csv"], "--label", "y", "--score", "a", "b")
    assert "\x1b" not in out
    lines = [line for line in out.splitlines() if "effective-error" in line]
    assert len({line.index("effective-error") for line in lines}) == 1
    assert "200 rows: " in out
    assert "positive: 1" in out


def test_markdown(predictions, run):
    _, out, _ = run("evaluate", predictions["csv"], *BASE, "-f", "md")
    assert "| model | measure | value | interval | method | n+ | n- |" in out
    assert re.search(r"\| a \| roc_auc \| 0\.\d{4} \| \[0\.\d{4}, 0\.\d{4}\] \| effective-error \|", out)


def test_output_file(predictions, run, tmp_path):
    code, out, err = run("evaluate", predictions["csv"], *BASE, "-f", "json", "-o", tmp_path / "r.json")
    assert (code, out) == (0, "")
    assert err == f"wrote {tmp_path / 'r.json'}\n"
    assert json.loads((tmp_path / "r.json").read_text("utf-8"))["schema"] == "rocsolid.summary/2"
    assert no_leftovers(tmp_path)


def test_chosen_measures_and_level(predictions, run):
    words = (
        "--measures",
        "auc",
        "recall(threshold=0.5)",
        "precision(threshold=9)",
        "--confidence-level",
        "0.9",
        "-f",
        "json",
    )
    code, out, _ = run("evaluate", predictions["csv"], *BASE, *words)
    found = json.loads(out)["models"][0]["estimates"]
    assert code == 0
    assert [e["measure"] for e in found] == ["roc_auc", "recall(threshold=0.5)", "precision(threshold=9)"]
    assert found[0]["confidence_level"] == 0.9
    assert found[2]["value"] is None
    assert found[2]["undefined"] == "its denominator is 0 at score >= 9"


def value_of(run, *words):
    code, out, _ = run(*words, "--measures", "roc_auc", "-f", "json")
    assert code == 0
    return json.loads(out)["models"][0]["estimates"][0]


@pytest.mark.parametrize(
    ("label", "positive", "same"),
    [("y", "1", True), ("y", "1.0", True), ("y", "0", False), ("label", "sick", True), ("label", "well", False),
     ("ok", "true", True), ("ok", "True", True), ("ok", "false", False)],
)  # fmt: skip
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_positive_label_is_matched_by_value(label, positive, same, ending, predictions, run):
    reference = value_of(run, "evaluate", predictions["parquet"], *BASE)["value"]
    found = value_of(run, "evaluate", predictions[ending], "--label", label, "--score", "a", "--pos-label", positive)
    assert found["value"] == pytest.approx(reference if same else 1 - reference, abs=1e-15)
    assert str(found["pos_label"]).lower() == positive.lower().removesuffix(".0")


def test_text_labels_that_look_like_numbers(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("y,s\n" + "01,0.9\n02,0.1\n" * 10)
    assert value_of(run, "evaluate", path, "--label", "y", "--score", "s", "--pos-label", "01")["value"] == 1
    code, _, err = run("evaluate", path, "--label", "y", "--score", "s", "--pos-label", "1")
    assert code == 3
    assert "expected --pos-label '1' among the labels, found '01', '02'" in err


def test_direction_and_weights(predictions, run):
    reference = value_of(run, "evaluate", predictions["csv"], *BASE)["value"]
    with_w = value_of(run, "evaluate", predictions["csv"], *BASE, "--weight", "w")
    turned = value_of(run, "evaluate", predictions["csv"], *BASE, "--lower-is-positive")
    assert turned["value"] == pytest.approx(1 - reference)
    assert with_w["effective_pos"] < with_w["n_pos"]


def test_missing_values_are_dropped_when_asked(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("y,s\n" + "1,0.9\n0,0.1\n" * 10 + "1,\n,0.5\n0,nan\n")
    code, _, err = run("evaluate", path, "--label", "y", "--score", "s")
    assert code == 3
    assert "--missing drop" in err
    found = value_of(run, "evaluate", path, "--label", "y", "--score", "s", "--missing", "drop")
    assert (found["n_pos"], found["n_neg"]) == (10, 10)
    assert "3 rows with a missing label or score left out" in found["notes"]


def test_standard_input(predictions):
    for ending in ("csv", "jsonl"):
        done = process("evaluate", "-", *BASE, stdin=predictions[ending].read_text())
        assert done.returncode == 0, done.stderr
        assert "roc_auc" in done.stdout
    assert process("evaluate", "-", *BASE, stdin="").returncode == 3


def test_warnings_go_to_standard_error(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("y,s\n1,0\n0,1\n1,0\n0,1\n")
    code, out, err = run("evaluate", path, "--label", "y", "--score", "s")
    assert code == 0
    lines = err.splitlines()
    assert lines
    assert all(line.startswith("warning: ") for line in lines)
    assert len(lines) == len(set(lines))
    assert any("2 distinct values" in line for line in lines)
    assert "warning" not in out


# ----------------------------------------------------------------------------------- comparison and belonging

COMPARE = ("--label", "y", "--score", "a", "b")


def compared(run, *words):
    code, out, err = run("compare", *words, "-f", "json")
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_compare_says_what_python_says(ending, predictions, run):
    table = pq.read_table(predictions["parquet"])
    y, scores = table["y"], {"a": table["a"], "b": table["b"]}
    expected = rs.compare(y, scores).to_dict()
    (found,) = compared(run, predictions[ending], *COMPARE)["comparisons"]
    assert {k: found["pairs"][0][k] for k in expected} == expected
    _, out, _ = run("compare", predictions[ending], "--label", "y", "--score", "a", "--score", "b")
    assert "Differences, first model less second; test: influence-t, two-sided" in out
    assert f"{expected['difference']:.4f}  [{expected['low']:.4f}, {expected['high']:.4f}]" in out


def test_every_option_of_compare_arrives(predictions, run):
    table = pq.read_table(predictions["parquet"])
    y, scores = table["y"], {"a": table["a"], "b": table["b"]}
    options = {
        "measure": "average_precision", "method": "bootstrap", "alternative": "greater", "margin": 0.02,
        "n_resamples": 200, "confidence_level": 0.9,
    }  # fmt: skip
    words = [w for k, v in options.items() for w in (f"--{k.replace('_', '-')}", v)]
    (found,) = compared(run, predictions["csv"], *COMPARE, *words, "--seed", 5, "--weight", "w")["comparisons"]
    expected = rs.compare(y, scores, rng=5, sample_weight=table["w"], **options).to_dict()
    assert {k: found["pairs"][0][k] for k in expected} == expected
    _, out, _ = run("compare", predictions["csv"], *COMPARE, *words, "--seed", 5)
    assert "200 resamples, seed 5" in out
    (found,) = compared(run, predictions["csv"], *COMPARE, "--cluster", "w")["comparisons"]
    assert found["pairs"][0]["std_error"] == rs.compare(y, scores, cluster=table["w"]).std_error


def test_three_models_are_adjusted_as_asked(predictions, run):
    words = (predictions["csv"], "--label", "y", "--score", "a", "b", "w")
    (holm,) = compared(run, *words)["comparisons"]
    (other,) = compared(run, *words, "--adjust", "bonferroni")["comparisons"]
    assert (holm["adjust"], other["adjust"], len(holm["pairs"])) == ("holm", "bonferroni", 3)
    assert holm["omnibus"]["df"] == 2
    _, out, _ = run("compare", *words, "-f", "md")
    assert "| difference of | models | value | interval | p | p (holm) |" in out
    assert "roc_auc of all models alike: chi2(2) = " in out


def test_clusters_and_folds(predictions, run, tmp_path):
    table = pq.read_table(predictions["parquet"])
    table = table.append_column("who", pa.array([f"p{i // 5}" for i in range(len(table))]))
    table = table.append_column("fold", pa.array([i % 4 for i in range(len(table))]))
    path = tmp_path / "t.parquet"
    pq.write_table(table, path)
    y, a = table["y"], table["a"]
    found = value_of(run, "evaluate", path, *BASE, "--cluster", "who")
    assert found["n_clusters"] == 40
    assert found["low"] == rs.evaluate(y, a, cluster=table["who"]).roc_auc().interval.low
    found = value_of(run, "evaluate", path, *BASE, "--fold", "fold")
    assert found["value"] == rs.evaluate(y, a, fold=table["fold"]).roc_auc().value
    _, out, _ = run("evaluate", path, *COMPARE, "--cluster", "who")
    assert ", in 40 clusters;" in out
    _, out, _ = run("evaluate", path, *COMPARE, "--fold", "fold")
    assert ", in 4 folds;" in out
    assert "difference" in out
    assert "Not compared" not in out
    for option, column, words in (("--cluster", "who", "Clusters"), ("--fold", "fold", "Cross-validation folds")):
        assert run("report", path, *COMPARE, option, column, "-o", tmp_path / "r.html")[0] == 0
        assert words in (tmp_path / "r.html").read_text("utf-8")
        code, _, err = run("evaluate", path, *BASE, option, column + "s")
        assert code == 3
        assert f"did you mean '{column}'?" in err
    assert run("evaluate", path, *BASE, "--cluster", "who", "--fold", "fold")[0] == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--score", "a"], "name two columns of scores or more"),
        ([*COMPARE[2:], "--method", "delonng"], "did you mean 'delong'?"),
        ([*COMPARE[2:], "--alternative", "bigger"], "hint"),
        ([*COMPARE[2:], "--margin", "-1"], "hint: add --margin 0.02"),
        ([*COMPARE[2:], "--n-resamples", "100"], "hint: add --method bootstrap"),
        ([*COMPARE[2:], "--seed", "1"], "--seed"),
        ([*COMPARE[2:], "--adjust", "holm"], "--adjust"),
        ([*COMPARE[2:], "w", "--adjust", "fdr"], "hint"),
        ([*COMPARE[2:], "--measure", "rocauc"], "did you mean"),
        ([*COMPARE[2:], "--measure", "average_precision", "--method", "delong"], "hint: add --method auto"),
        ([*COMPARE[2:], "--confidence-level", "95"], "--confidence-level 0.95"),
    ],
)
def test_usage_of_compare(words, message, predictions, run):
    code, _, err = run("compare", predictions["csv"], "--label", "y", *words)
    assert code == 2
    assert message in err


def test_hostile_names_in_a_comparison(run, tmp_path):
    table = pa.table({"y": [0, 1] * 10, HOSTILE: [float(i % 7) for i in range(20)], "b": [float(i) for i in range(20)]})
    pq.write_table(table, tmp_path / "t.parquet")
    for form in ("table", "md"):
        code, out, err = run("compare", tmp_path / "t.parquet", "--label", "y", "--score", HOSTILE, "b", "-f", form)
        assert code == 0
        assert "\x1b" not in out + err
        assert "\u202e" not in out + err
        assert form == "table" or "<script" not in out


# ----------------------------------------------------------------------------------------------- bad data

BAD = {
    "missing": (None, "y", "s"), "column": ("y,score\n1,.3\n0,.2\n", "y", "scroe"),
    "nan": ("y,s\n1,nan\n0,.2\n1,.5\n", "y", "s"),
    "null": ("y,s\n1,\n0,.2\n1,.5\n", "y", "s"), "nulllabel": ("y,s\n,.1\n0,.2\n1,.5\n", "y", "s"),
    "three": ("y,s\n1,.1\n0,.2\n2,.5\n", "y", "s"), "text": ("y,s\n1,a\n0,b\n", "y", "s"),
    "strings": ("y,s\nyes,.1\nno,.2\n", "y", "s"),
    "oneclass": ("y,s\n1,.1\n1,.2\n", "y", "s"), "empty": ("", "y", "s"), "header": ("y,s\n", "y", "s"),
    "ragged": ("y,s\n1,.1,9\n0,.2\n", "y", "s"), "weights": ("y,s\n1,-1\n0,2\n", "y", "y"),
}  # fmt: skip


@pytest.mark.parametrize("command", ["evaluate", "report"])
@pytest.mark.parametrize("case", BAD)
def test_bad_data(case, command, run, tmp_path):
    text, label, score = BAD[case]
    path, out = tmp_path / "t.csv", tmp_path / "out.html"
    if text is not None:
        path.write_text(text)
    extra = ["--weight", "s"] if case == "weights" else []
    code, _, _ = run(command, path, "--label", label, "--score", score, *extra, "-o", out)
    assert code == 3
    assert not out.exists()
    assert no_leftovers(tmp_path)


def test_bad_parquet_and_folder(run, tmp_path):
    (tmp_path / "h.parquet").write_bytes(b"PAR1\x00\x01garbagePAR1")
    for path in (tmp_path / "h.parquet", tmp_path, tmp_path / "x.xlsx"):
        for command in ("evaluate", "report"):
            assert run(command, path, *BASE, "-o", tmp_path / "r.html")[0] == 3


def test_errors_speak_of_columns_and_options(predictions, run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("truth,good,bad\n" + "yes,1,1\nno,0,\n" * 5)
    _, _, err = run("evaluate", path, "--label", "truth", "--score", "good", "bad", "--pos-label", "yes")
    assert "column 'bad'" in err
    assert "y_score" not in err
    _, _, err = run("evaluate", path, "--label", "truth", "--score", "good")
    assert "hint: name the positive label, for example --pos-label yes" in err
    _, _, err = run("evaluate", path, "--label", "trut", "--score", "good")
    assert "did you mean 'truth'?" in err
    path.write_text("y,s\n1,.1\n1,.2\n")
    _, _, err = run("evaluate", path, "--label", "y", "--score", "s")
    assert "no negative row" in err
    assert "on_undefined" not in err


def test_hostile_names_do_not_reach_the_terminal(run, tmp_path):
    pq.write_table(pa.table({"y": [0, 1] * 10, HOSTILE: [float(i) for i in range(20)]}), tmp_path / "t.parquet")
    for words in (["--score", HOSTILE], ["--score", HOSTILE + "x"], ["--score", HOSTILE, "--pos-label", HOSTILE]):
        code, out, err = run("evaluate", tmp_path / "t.parquet", "--label", "y", *words)
        assert code in (0, 3)
        assert "\x1b" not in out + err
        assert "\u202e" not in out + err
    code, _, _ = run("report", tmp_path / "t.parquet", "--label", "y", "--score", HOSTILE, "-o", tmp_path / "r.html")
    assert code == 0
    page = (tmp_path / "r.html").read_text("utf-8")
    assert page.count("<script") == 2  # the page's own
    assert "<script>alert" not in page


@pytest.mark.parametrize(("package", "extra"), [("pyarrow", "cli"), ("duckdb", "cli")])
def test_missing_package(package, extra, predictions, run, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    code, _, err = run("evaluate", predictions["csv"], *BASE)
    assert code == 3
    assert f'hint: pip install "rocsolid[{extra}]"' in err


def test_output_that_can_not_be_written(predictions, run, tmp_path):
    for command in ("evaluate", "report"):
        assert run(command, predictions["csv"], *BASE, "-o", tmp_path / "no" / "r.html")[0] == 3
        assert run(command, predictions["csv"], *BASE, "-o", tmp_path)[0] == 3


# ------------------------------------------------------------------------------------------------- usage


@pytest.mark.parametrize(
    "words",
    [
        [], ["evaluat"], ["evaluate"], ["evaluate", "FILE"], ["evaluate", "FILE", "--label", "y"],
        ["evaluate", "FILE", *BASE, "--nope"],
        ["evaluate", "FILE", *BASE, "--lab", "y"], ["evaluate", "FILE", *BASE, "-f", "xml"],
        ["evaluate", "FILE", *BASE, "--missing", "bounds"],
        ["evaluate", "FILE", *BASE, "--confidence-level", "x"], ["evaluate", "FILE", *BASE, "--confidence-level", "95"],
        ["evaluate", "FILE", *BASE, "--confidence-level", "nan"], ["evaluate", "FILE", *BASE, "--measures", "rocauc2"],
        ["evaluate", "FILE", *BASE, "--measures", "recall"], ["evaluate", "FILE", *BASE, "--measures", "recall(0.5)"],
        ["report", "FILE", *BASE], ["report", "FILE", *BASE, "-o"],
    ],
)  # fmt: skip
def test_usage(words, predictions, run):
    assert run(*[predictions["csv"] if w == "FILE" else w for w in words])[0] == 2


def test_help_and_version(run, capsys):
    code, out, err = run("--version")
    assert (code, out, err) == (0, f"rocsolid {rs.__version__}\n", "")
    for words in (
        ["--help"],
        ["evaluate", "--help"],
        ["compare", "--help"],
        ["report", "-h"],
        ["demo", "-h"],
        ["measures", "-h"],
    ):
        code, out, err = run(*words)
        assert (code, err) == (0, "")
        assert "usage: rocsolid" in out
    assert "exit codes" in cli.parser().format_help()


def test_measures_lists_the_registry(run):
    code, out, _ = run("measures")
    assert code == 0
    for entry in measures.REGISTRY.values():
        assert entry.name in out
        assert entry.definition in out
        assert all(alias in out for alias in entry.aliases)


# ------------------------------------------------------------------------------------------------ report


def test_report(predictions, run, tmp_path):
    page = tmp_path / "r.html"
    code, out, err = run("report", predictions["csv"], "--label", "label", "--score", "a", "b", "--pos-label", "sick",
                         "-o", page, "--title", "Two <models>")  # fmt: skip
    assert code == 0
    assert out == f"{page}\n"
    assert re.fullmatch(r"wrote .*r\.html \(\d+ KB\)\n", err)
    text = page.read_text("utf-8")
    assert "<h1>Two &lt;models&gt;</h1>" in text
    assert str(predictions["csv"]) in text
    assert "rocsolid report" in text
    assert no_leftovers(tmp_path)


# -------------------------------------------------------------------------------------------- the process


def test_interrupt(predictions, run, monkeypatch):
    from rocsolid.sources import files

    def interrupt(*words: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "read", interrupt)
    code, out, err = run("evaluate", predictions["csv"], *BASE)
    assert (code, out) == (130, "")
    assert err.startswith("error: interrupted")


def test_a_mistake_of_ours_is_no_traceback(predictions, run, monkeypatch):
    from rocsolid.sources import files

    def fail(*words: object, **options: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(files, "read", fail)
    monkeypatch.delenv("ROCSOLID_DEBUG", raising=False)
    code, _, err = run("evaluate", predictions["csv"], *BASE)
    assert code == 70
    assert "internal: ZeroDivisionError: oops" in err
    monkeypatch.setenv("ROCSOLID_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["evaluate", str(predictions["csv"]), *BASE])


def test_closed_pipe_is_quiet(predictions):
    words = ["evaluate", str(predictions["csv"]), *BASE, "-f", "json"]
    reader = subprocess.Popen(
        [sys.executable, "-c", f"import sys\nfrom rocsolid.cli import main\nsys.exit(main({words!r}))"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    reader.stdout.close()
    err = reader.stderr.read().decode()
    reader.stderr.close()
    assert reader.wait(60) == 0
    assert err == ""


def test_process_exit_codes(predictions, tmp_path):
    assert process("evaluate", predictions["csv"], *BASE).returncode == 0
    assert process("evaluate").returncode == 2
    done = process("evaluate", tmp_path / "none.csv", *BASE)
    assert done.returncode == 3
    assert done.stdout == ""
    assert re.fullmatch(r"error: .*\nhint: .*\n", done.stderr)


def test_terminal_without_unicode(predictions):
    done = process(
        "report", predictions["csv"], *BASE, "-o", "/nonexistent/中文.html", PYTHONIOENCODING="ascii", LC_ALL="C"
    )
    assert done.returncode == 3
    assert done.stderr.startswith("error: ")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("colour", [True, False])
def test_terminal_table(colour, predictions, monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not colour:
        monkeypatch.setenv("NO_COLOR", "1")
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    words = ["--score", "a", "b", "--measures", "roc_auc", "precision(threshold=9)"]
    assert cli.main(["evaluate", str(predictions["csv"]), "--label", "y", *words]) == 0
    text = screen.getvalue()
    assert "roc_auc" in text
    assert "effective-error" in text
    assert bool(re.search(r"\x1b\[(\d+;)*3\d(;\d+)*m", text)) is colour  # "undefined" is yellow, or only bold


def test_terminal_without_rich_is_plain(predictions, monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.console", None)
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    assert cli.main(["evaluate", str(predictions["csv"]), *BASE]) == 0
    assert "\x1b" not in screen.getvalue()
    assert "roc_auc" in screen.getvalue()


HEAVY = ("scipy", "duckdb", "pyarrow", "rich", "matplotlib", "sklearn", "pandas", "polars", "narwhals")


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["evaluate", "--help"]])
def test_help_loads_nothing_heavy(words):
    code = (
        "import sys, contextlib, io\nfrom rocsolid.cli import main\n"
        f"with contextlib.redirect_stdout(io.StringIO()): main({words!r})\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr
