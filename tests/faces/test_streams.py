"""Streams and signals of the process: interrupts, full and closed streams, output that is the input."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest

from rocsolid import cli

BASE = ["--label", "y", "--score", "a"]
PROGRAM = [sys.executable, "-c", "import sys\nfrom rocsolid.cli import main\nsys.exit(main())"]
needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")


def shell(words, streams):
    line = shlex.join([*PROGRAM, *map(str, words)]) + " " + streams
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, timeout=120)


def refused(done, message):
    assert done.returncode == 3, done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 2, done.stderr
    assert lines[0] == f"error: {message}"
    assert lines[1].startswith("hint: ")


# --------------------------------------------------------------------------------------- full and closed


@needs_full
@pytest.mark.parametrize(
    "words",
    [["evaluate", "FILE", *BASE], ["evaluate", "FILE", *BASE, "-f", "json"], ["report", "FILE", *BASE, "-o", "-"],
     ["measures"], ["--help"], ["--version"]],
)  # fmt: skip
def test_full_standard_output(words, predictions):
    done = shell([predictions["csv"] if w == "FILE" else w for w in words], ">/dev/full")
    refused(done, "can not write standard output: No space left on device")


@pytest.mark.parametrize("words", [["evaluate", "FILE", *BASE], ["report", "FILE", *BASE, "-o", "OUT"], ["measures"]])
def test_closed_standard_output(words, predictions, tmp_path):
    page = tmp_path / "r.html"
    done = shell([{"FILE": predictions["csv"], "OUT": page}.get(w, w) for w in words], ">&-")
    refused(done, "can not write standard output: it is closed")
    assert not page.exists()


def test_closed_standard_output_is_not_needed_for_a_file(predictions, tmp_path):
    done = shell(["evaluate", predictions["csv"], *BASE, "-o", tmp_path / "t.txt"], ">&-")
    assert done.returncode == 0, done.stderr
    assert "roc_auc" in (tmp_path / "t.txt").read_text()


def test_closed_standard_input():
    refused(shell(["evaluate", "-", *BASE], "<&-"), "can not read standard input: it is closed")


@pytest.mark.parametrize("stream", ["2>&-", pytest.param("2>/dev/full", marks=needs_full)])
def test_lost_standard_error_changes_no_result(stream, predictions, tmp_path):
    done = shell(["evaluate", predictions["csv"], *BASE, "-o", tmp_path / "t.txt"], stream)
    assert (done.returncode, done.stdout) == (0, "")
    done = shell(["evaluate", tmp_path / "none.csv", *BASE], stream)
    assert (done.returncode, done.stdout) == (3, "")


# ------------------------------------------------------------------------------------------------ output


def test_a_dash_is_standard_output(predictions, capsys):
    assert cli.main(["evaluate", str(predictions["csv"]), *BASE]) == 0
    table = capsys.readouterr().out
    assert cli.main(["evaluate", str(predictions["csv"]), *BASE, "-o", "-"]) == 0
    assert capsys.readouterr().out == table
    assert cli.main(["report", str(predictions["csv"]), *BASE, "-o", "-"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("<!DOCTYPE html>")
    assert out.rstrip().endswith("</html>")
    assert "wrote" not in err


@pytest.mark.parametrize("command", ["evaluate", "report"])
@pytest.mark.parametrize("how", ["same", "relative", "link", "hard"])
def test_the_input_is_never_the_output(command, how, predictions, tmp_path, capsys, monkeypatch):
    path = predictions["csv"]
    before = path.read_bytes()
    monkeypatch.chdir(tmp_path)
    out = {"same": path, "relative": path.name, "link": tmp_path / "link.csv", "hard": tmp_path / "hard.csv"}[how]
    if how == "link":
        out.symlink_to(path)
    if how == "hard":
        out.hardlink_to(path)
    assert cli.main([command, str(path), *BASE, "-o", str(out)]) == 2
    err = capsys.readouterr().err
    assert re.fullmatch(r"error: .*another file than the input.*\nhint: .+\n", err)
    assert path.read_bytes() == before


def test_the_input_is_not_the_output_of_a_redirection_either(predictions):
    path = predictions["csv"]
    before = path.read_bytes()
    done = shell(["evaluate", "-", *BASE, "-o", path], f"<{shlex.quote(str(path))}")
    assert done.returncode == 2
    assert path.read_bytes() == before


def test_a_demo_page_that_is_its_predictions_is_refused(tmp_path, capsys, monkeypatch):
    from rocsolid import demo
    from rocsolid.cli import commands

    found = demo.Predictions(tmp_path / "predictions.parquet", "y", ("a",), "1")
    found.path.write_bytes(b"kept")
    (tmp_path / "report.html").symlink_to(found.path)
    monkeypatch.setattr(demo, "write", lambda _: found)
    monkeypatch.setattr(commands, "evaluate", lambda _: 0)
    assert cli.main(["demo", "-o", str(tmp_path)]) == 2
    assert "another file than the input" in capsys.readouterr().err
    assert found.path.read_bytes() == b"kept"


# --------------------------------------------------------------------------------------------- interrupts


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("delay", [0.0, 0.03, 0.1, 0.2, 0.35, 0.6])
def test_interrupt_at_any_time(delay, ending, tmp_path):
    """From the first line of ``main`` on; before it Python itself imports the package."""
    path = tmp_path / f"t.{ending}"
    n = 400_000
    if ending == "csv":
        path.write_text("y,a\n" + "".join(f"{i % 2},{i % 9973}\n" for i in range(n)))
    elif ending == "jsonl":
        path.write_text("".join(f'{{"y":{i % 2},"a":{i % 9973}}}\n' for i in range(n)))
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"y": [i % 2 for i in range(n)], "a": [i % 9973 for i in range(n)]}), path)
    code = "import sys\nfrom rocsolid.cli import main\nprint('up', file=sys.stderr, flush=True)\nsys.exit(main())"
    words = ["report", str(path), *BASE, "-o", str(tmp_path / "r.html")]
    process = subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stderr.readline() == b"up\n"
    time.sleep(delay + 0.002)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    told = err.decode()
    assert "Traceback" not in told
    assert "internal" not in told
    assert process.returncode in (cli.FINE, cli.INTERRUPTED, -signal.SIGINT)  # fine: it had been faster
    if process.returncode == cli.INTERRUPTED:
        assert told == "error: interrupted\nhint: no output file was changed\n"
        assert not (tmp_path / "r.html").exists()


def test_an_interrupt_that_became_another_error_is_one(predictions, capsys, monkeypatch):
    """Libraries turn Ctrl-C into errors of their own, such as an ImportError while they are loaded."""
    from rocsolid.sources import files

    def read(*words, **options):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("a library could not be loaded") from None

    monkeypatch.setattr(files, "read", read)
    assert cli.main(["evaluate", str(predictions["csv"]), *BASE]) == 130
    assert capsys.readouterr().err.startswith("error: interrupted\n")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_in_a_callback_is_not_lost(predictions, capsys, monkeypatch):
    """Nothing can be raised from a weak reference's callback: Python would print it and go on."""
    import weakref

    from rocsolid.sources import files

    class Thing:
        pass

    def read(*words, **options):
        thing = Thing()
        kept = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
        del thing
        for _ in range(500):
            time.sleep(0.01)
        raise AssertionError(kept)

    monkeypatch.setattr(files, "read", read)
    hook = sys.unraisablehook
    assert cli.main(["evaluate", str(predictions["csv"]), *BASE]) == 130
    assert capsys.readouterr().err == "error: interrupted\nhint: no output file was changed\n"
    assert sys.unraisablehook == hook


# ---------------------------------------------------------------------------------------- missing values


@pytest.mark.parametrize("column", ["label", "score"])
def test_words_of_other_programs(column, tmp_path, capsys):
    path = tmp_path / "t.csv"
    last = "NA,0.5\n" if column == "label" else "1,NA\n"
    path.write_text("y,a\n" + "1,0.9\n0,0.1\n" * 5 + last)
    assert cli.main(["evaluate", str(path), *BASE]) == 3
    assert "--missing-values NA" in capsys.readouterr().err
    assert cli.main(["evaluate", str(path), *BASE, "--missing-values", "NA", "NULL"]) == 3
    assert "--missing drop" in capsys.readouterr().err
    assert cli.main(["evaluate", str(path), *BASE, "--missing-values", "NA", "NULL", "--missing", "drop"]) == 0
    assert "10 rows: 5 positive, 5 negative" in capsys.readouterr().out
