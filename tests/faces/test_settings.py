"""Settings in files, misspelt words, completion, help, and signs of life on a terminal."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rocsolid import cli
from rocsolid.cli import progress as signs

COLUMNS = 'label = "y"\nscore = ["a", "b"]\n'


@pytest.fixture
def run(capsys, monkeypatch, tmp_path, predictions):
    """Run a command in a folder below the one that holds the data."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep" / "er")

    def call(*words):
        code = cli.main([str(w) for w in words])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return call


def models(out):
    return [m["name"] for m in json.loads(out)["models"]]


# ----------------------------------------------------------------------------------------------- settings


@pytest.mark.parametrize("place", ["deep/er", "deep", "."])
@pytest.mark.parametrize("name", ["rocsolid.toml", "pyproject.toml"])
def test_settings_of_the_nearest_folder(name, place, run, predictions, tmp_path):
    head = "" if name == "rocsolid.toml" else '[project]\nname = "x"\n[tool.rocsolid]\n'
    (tmp_path / place / name).write_text(head + COLUMNS)
    code, out, err = run("evaluate", predictions["csv"], "-f", "json")
    assert code == 0
    assert models(out) == ["a", "b"]
    assert err == f"note: from {tmp_path / place / name}: --label --score\n"
    assert "--label=y --score=a --score=b" in json.loads(out)["command"]  # what it says can be typed elsewhere


def test_what_is_typed_counts(run, predictions, tmp_path):
    (tmp_path / "rocsolid.toml").write_text(COLUMNS + 'confidence-level = 0.9\n[evaluate]\nformat = "md"\n')
    _, out, err = run("evaluate", predictions["csv"], "--score", "a", "--format=json")
    assert models(out) == ["a"]
    assert json.loads(out)["data"]["confidence_level"] == 0.9
    assert err.endswith(": --label --confidence-level\n")
    _, out, _ = run("evaluate", predictions["csv"], "-fjson")
    assert models(out) == ["a", "b"]
    _, out, _ = run("evaluate", predictions["csv"])
    assert "| --- |" in out


def test_sections_of_commands_count_before_what_is_common(run, predictions, tmp_path):
    (tmp_path / "rocsolid.toml").write_text(
        COLUMNS + '[gate]\nscore = "a"\nrequire = ["roc_auc@lower >= 0.1", "roc_auc >= 0.2"]\n[report]\ntitle = "-T"\n'
    )
    code, out, _ = run("gate", predictions["csv"], "-f", "json")
    assert code == 0
    assert [(c["model"], c["asked"]) for c in json.loads(out)["checks"]] == [
        ("a", "roc_auc@lower >= 0.1"),
        ("a", "roc_auc@value >= 0.2"),
    ]
    _, page, _ = run("report", predictions["csv"], "-o", "-")
    assert "<h1>-T</h1>" in page or ">-T<" in page


def test_flags_and_no_config(run, predictions, tmp_path):
    (tmp_path / "rocsolid.toml").write_text(COLUMNS + "lower-is-positive = true\n[gate]\nunpaired = false\n")
    _, out, _ = run("evaluate", predictions["csv"], "-f", "json")
    assert json.loads(out)["data"]["higher_is_positive"] is False
    code, _, err = run("--no-config", "evaluate", predictions["csv"])
    assert code == 2
    assert "required: --label, --score" in err
    assert "note" not in err


def test_settings_of_tables_do_not_keep_sweeps_out(run, predictions, tmp_path):
    (tmp_path / "rocsolid.toml").write_text('label = "y"\nscore = "a"\nmissing = "drop"\n')
    assert run("sweep", predictions["csv"], "-o", "a.sweep")[0] == 0
    code, out, _ = run("evaluate", "a.sweep", "-f", "json")
    assert code == 0
    assert models(out) == ["a"]
    assert run("evaluate", "a.sweep", "--label", "y")[0] == 2


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ('labels = "y"', 2, "did you mean 'label'?"),
        ("[evalute]\n", 2, "did you mean 'evaluate'?"),
        ('[gate]\nrequired = "x"', 2, "did you mean 'require'?"),
        ("label = [", 3, "can not read the settings"),
        ("label = true", 2, "to be text or a number"),
        ('label = ["y", "z"]', 2, "to be one value"),
        ('lower-is-positive = "yes"', 2, "to be true or false"),
        ("score = [1979-05-27]", 2, "to be text or a number"),
        ('missing = "ignore"', 2, "invalid choice: 'ignore'"),
        ('missing = "\\u001b[31m\\u202e"', 2, "invalid choice"),
        ('"\\u001b[31m" = 1', 2, "known: "),
    ],
)
def test_wrong_settings(text, code, says, run, predictions, tmp_path):
    (tmp_path / "rocsolid.toml").write_text(text)
    found, out, err = run("evaluate", predictions["csv"])
    assert (found, out) == (code, "")
    assert says in err
    assert "hint: " in err
    assert not {"\x1b", "\u202e"} & set(err)
    assert run("evaluate", "--help")[0] == 0  # help is there all the same


def test_a_project_without_settings_has_none(run, predictions, tmp_path):
    (tmp_path / "deep" / "pyproject.toml").write_text("[tool.other]\nrocsolid = 1\n")
    (tmp_path / "rocsolid.toml").write_text(COLUMNS)
    code, _, err = run("evaluate", predictions["csv"])
    assert code == 0
    assert str(tmp_path / "rocsolid.toml") in err


# ------------------------------------------------------------------------------------------ misspelt words


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["evalute", "x.csv"], "did you mean 'evaluate'?"),
        (["merg", "x.csv"], "did you mean 'merge'?"),
        (["evaluate", "x.csv", "--lable", "y"], "did you mean '--label'?"),
        (["gate", "x.csv", "--not-worse-then=m"], "did you mean '--not-worse-than'?"),
        (["threshold", "x.csv", "--precison", "1"], "did you mean '--precision'?"),
    ],
)
def test_did_you_mean(words, hint, run):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err.splitlines()[1] == f"hint: {hint}"


def test_words_after_two_dashes_are_no_options(run):
    code, _, err = run("evaluate", "--label", "y", "--score", "a", "--", "--lable")
    assert code == 3
    assert "there is no file '--lable'" in err


def test_settings_are_followed_by_questions_too(run, predictions, tmp_path):
    """``explain`` has one score an option, the others several; what a command does not have is left alone."""
    (tmp_path / "rocsolid.toml").write_text(COLUMNS + 'fold = "k"\n[curve]\nname = "gain"\n')
    code, out, err = run("explain", predictions["csv"], "0.5")
    assert code == 0
    assert err == f"note: from {tmp_path / 'rocsolid.toml'}: --label --score\n"
    assert out.startswith("a\n")
    code, out, err = run("curve", predictions["csv"], "-f", "json")
    assert (code, json.loads(out)["curve"]) == (0, "gain")
    assert err.endswith("--label --score --name\n")
    assert run("translate", predictions["csv"])[0] == 0
    assert run("zones", predictions["csv"], "--rule-in", "0.8", "--rule-out", "0.2", "--score", "a")[0] == 0


# ---------------------------------------------------------------------------------------------- completion


def complete(script, *words):
    line = " ".join(f"'{w}'" for w in words)
    code = f'{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _rocsolid; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes(run):
    _, script, err = run("completion", "bash")
    assert err == ""
    assert complete(script, "rocsolid", "ev") == ["evaluate"]
    assert set(complete(script, "rocsolid", "")) == set(cli.parser().commands)
    assert complete(script, "rocsolid", "gate", "x.csv", "--not") == ["--not-worse-than"]
    assert complete(script, "rocsolid", "evaluate", "--format", "") == ["table", "json", "md"]
    assert complete(script, "rocsolid", "evaluate", "--measures", "roc_a") == ["roc_auc"]
    assert complete(script, "rocsolid", "curve", "x.csv", "--name", "precision_r") == [
        "precision_recall", "precision_recall_gain"
    ]  # fmt: skip
    assert complete(script, "rocsolid", "curve", "x.csv", "--name", "mcc") == ["mcc"]
    assert complete(script, "rocsolid", "days", "x.csv", "--format", "") == ["table", "json"]
    assert complete(script, "rocsolid", "completion", "z") == ["zsh"]
    assert complete(script, "rocsolid", "evaluate", "x") == []  # files, by the shell itself


def test_other_shells_get_a_script(run):
    _, bash, _ = run("completion", "bash")
    _, zsh, _ = run("completion", "zsh")
    assert zsh == f"autoload -U +X bashcompinit && bashcompinit\n{bash}"
    _, fish, _ = run("completion", "fish")
    for name, command in cli.parser().commands.items():
        assert f"-a {name} -d" in fish
        for option in command._option_string_actions:
            if option.startswith("--"):
                assert f"'__fish_seen_subcommand_from {name}' -l {option[2:]} " in fish
    assert all(line.count("'") % 2 == 0 for line in fish.splitlines())


# ---------------------------------------------------------------------------------------------------- help


@pytest.mark.parametrize("command", ["", *cli.parser().commands])
def test_help_is_read_at_a_glance(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert cli.main([command, "--help"] if command else ["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    if not command:
        assert len(lines) <= 24
        told = [line.split() for line in lines if line.startswith("  ")]
        assert {words[0] for words in told} >= set(cli.parser().commands)
        assert all(len(words) > 1 for words in told if words[0] in cli.parser().commands)  # on one line


def test_help_needs_no_heavy_library():
    """That is what keeps it fast."""
    heavy = ("scipy", "narwhals", "pandas", "polars", "pyarrow", "duckdb", "matplotlib", "sklearn", "rich")
    code = (
        "import sys; from rocsolid import cli; cli.main(['--help'])\n"
        f"print([m for m in {heavy!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


# ------------------------------------------------------------------------------------------- signs of life


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("terminal", "seconds", "shown"), [(True, 0.2, True), (True, 0.0, False), (False, 0.2, False)])
def test_progress_on_a_terminal_after_a_while(terminal, seconds, shown, monkeypatch):
    monkeypatch.setattr(signs, "AFTER", 0.05)
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with signs.progress("reading \x1b[31mevil\n"):
        time.sleep(seconds)
    said = stream.getvalue()
    assert (said != "") is shown
    if shown:
        assert "reading" in said
        assert "\x1b[31m" not in said
        assert "\n" not in said
        assert said.endswith(signs.ERASE)  # nothing is left of it


def test_progress_does_not_hide_errors(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with pytest.raises(ZeroDivisionError), signs.progress("dividing"):
        1 / 0  # noqa: B018
    monkeypatch.setattr(sys, "stderr", None)
    with signs.progress("nothing"):
        pass


def test_a_real_terminal_sees_only_the_result_in_its_output(predictions):
    """Standard error is a terminal: what goes to standard output has no trace of it."""
    ours, theirs = pty.openpty()
    words = ["evaluate", str(predictions["csv"]), "--label", "y", "--score", "a"]
    command = [sys.executable, "-m", "rocsolid.cli", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, text=True, check=True, cwd=Path("/"))
    os.close(theirs)
    os.close(ours)
    assert "\x1b" not in done.stdout
    assert "roc_auc" in done.stdout
