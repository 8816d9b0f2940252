"""``rocsolid gate``, ``sweep`` and ``merge``: exit codes, baselines, outputs, and what is refused."""

from __future__ import annotations

import io
import json
from xml.etree import ElementTree as Xml

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from face_helpers import HOSTILE, no_leftovers

import rocsolid as rs
from rocsolid import cli

BASE = ("--label", "y", "--score", "s")


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def call(*words):
        code = cli.main([str(w) for w in words])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        if code in (2, 3):
            lines = err.splitlines()
            assert len(lines) == 2, err
            assert lines[0].startswith("error: ")
            assert lines[1].startswith("hint: ")
            assert out == ""
        return code, out, err

    return call


@pytest.fixture
def data(tmp_path):
    """A release, the model in use on the same rows in another order, and a release that is much worse."""
    rng = np.random.default_rng(0)
    n = 600
    y = (rng.random(n) < 0.3).astype(int)
    main = 2 * y + rng.normal(size=n)
    made = {"main": main, "new": main + 0.01 * rng.normal(size=n), "bad": 0.5 * y + rng.normal(size=n)}
    for name, scores in made.items():
        at = rng.permutation(n)
        table = pa.table({"id": at, "y": y[at], "s": scores[at], "patient": at // 2, "w": 1.0 + at % 3})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    return y, made


def paired(*words):
    return ("gate", *words[:1], *BASE, "--not-worse-than", "main.parquet", "--key", "id", *words[1:])


def test_the_difference_is_that_of_python(data, run):
    y, scores = data
    code, out, err = run(*paired("new.parquet", "--margin", "0.002", "-f", "json"))
    assert (code, err) == (0, "")
    (check,) = json.loads(out)["checks"]
    expected = rs.compare(y, {"s": scores["new"], "main.parquet": scores["main"]})
    assert (check["value"], check["low"], check["high"]) == (
        expected.difference,
        expected.interval.low,
        expected.interval.high,
    )
    assert check["asked"] == "roc_auc not worse than main.parquet by more than 0.002"


def test_exit_codes(data, run):
    assert run(*paired("new.parquet", "--margin", "0.02"))[0] == 0
    code, out, _ = run(*paired("bad.parquet", "--margin", "0.02"))
    assert code == 1
    assert out.splitlines()[2] == "gate: fail"
    code, out, _ = run(*paired("new.parquet", "--margin", "0.000001"))
    assert code == 0
    assert "not distinguishable" in out
    assert run(*paired("new.parquet", "--margin", "0.000001", "--if-undecided", "fail"))[0] == 1
    assert run("gate", "new.parquet", *BASE, "--require", "auc >= 0.8")[0] == 0
    assert run("gate", "new.parquet", *BASE, "--require", "auc >= 0.8", "--require", "auc@lower>0.99")[0] == 1
    assert run("gate", "new.parquet", *BASE, "--require", "auc >= 80")[0] == 2
    assert run("gate", "nev.parquet", *BASE, "--require", "auc >= 0.8")[0] == 3


def test_clusters_weights_and_measures_go_through(data, run):
    y, scores = data
    ids = np.arange(600)
    words = ("--cluster", "patient", "--weight", "w", "--measure", "average_precision", "auc", "-f", "json")
    _, out, _ = run(*paired("new.parquet", *words))
    found = [(c["measure"], c["low"], c["high"]) for c in json.loads(out)["checks"]]
    both = rs.evaluate_many(y, {"s": scores["new"], "m": scores["main"]}, cluster=ids // 2, sample_weight=1.0 + ids % 3)
    for measure, low, high in found:
        expected = both.compare(measure=measure).interval
        assert (low, high) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_rows_of_one_file_only(data, run, tmp_path):
    table = pq.read_table(tmp_path / "main.parquet")
    pq.write_table(table.slice(7), tmp_path / "less.parquet")
    words = ("gate", "new.parquet", *BASE, "--not-worse-than", "less.parquet", "--key", "id", "--margin", "0.02")
    code, _, err = run(*words)
    assert code == 3
    assert "7 only in 'new.parquet'" in err
    assert "--missing drop" in err
    code, out, _ = run(*words, "--missing", "drop")
    assert code == 0
    assert "compared without 7 rows whose key is only in new.parquet" in out


def test_labels_have_to_agree(data, run, tmp_path):
    table = pq.read_table(tmp_path / "main.parquet").to_pydict()
    table["y"][3] = 1 - table["y"][3]
    pq.write_table(pa.table(table), tmp_path / "main.parquet")
    code, _, err = run(*paired("new.parquet"))
    assert code == 3
    assert f"found 1 that differ: key {table['id'][3]} has" in err


def test_another_column_and_csv(data, run, tmp_path):
    table = pq.read_table(tmp_path / "main.parquet").rename_columns(["id", "y", "old", "patient", "w"])
    rows = zip(*(table[name].to_pylist() for name in ("id", "y", "old")), strict=True)
    (tmp_path / "main.csv").write_text("id,y,old\n" + "".join(f"{i},{y},{s!r}\n" for i, y, s in rows))
    words = ("gate", "new.parquet", *BASE, "--not-worse-than", "main.csv", "--key", "id", "--baseline-score", "old")
    _, out, _ = run(*words, "-f", "json")
    _, same, _ = run(*paired("new.parquet", "-f", "json"))
    one, other = (json.loads(text)["checks"][0] for text in (out, same))
    assert (one["low"], one["high"]) == (other["low"], other["high"])


def test_a_saved_sweep_is_a_baseline_only_by_name(data, run):
    y, scores = data
    assert run("sweep", "main.parquet", *BASE, "-o", "main.sweep")[0] == 0
    words = ("gate", "new.parquet", *BASE, "--not-worse-than", "main.sweep", "--margin", "0.5")
    code, _, err = run(*words)
    assert code == 2
    assert "add --unpaired" in err
    code, out, _ = run(*words, "--unpaired", "-f", "json")
    assert code == 0
    new, main = (rs.evaluate(y, scores[name]) for name in ("new", "main"))
    expected = new.compare(main, paired=False).interval
    (check,) = json.loads(out)["checks"]
    assert (check["low"], check["high"]) == (expected.low, expected.high)
    assert "taken as two independent samples" in check["notes"]
    assert run("sweep", "new.parquet", *BASE, "-o", "new.sweep")[0] == 0
    _, again, _ = run("gate", "new.sweep", "--not-worse-than", "main.sweep", "--unpaired", "-f", "json")
    assert json.loads(again)["checks"][0]["low"] == expected.low
    _, table, _ = run(*words[:-3], "main.parquet", "--unpaired", "-f", "json")
    assert json.loads(table)["checks"][0]["low"] == expected.low


def test_unlike_sweeps_are_not_compared(data, run):
    run("sweep", "main.parquet", *BASE, "-o", "main.sweep", "--lower-is-positive")
    code, _, err = run("gate", "new.parquet", *BASE, "--not-worse-than", "main.sweep", "--unpaired")
    assert code == 3
    assert "same direction" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "--require 'roc_auc@lower >= 0.9'"),
        (("--require", "auc>0.5", "--key", "id"), "left out without --not-worse-than"),
        (("--require", "auc>0.5", "--margin", "0"), "left out without --not-worse-than"),
        (("--require", "auc>0.5", "--measure", "auc"), "`--measure`"),
        (("--require", "auc>0.5", "--if-undecided", "fail"), "`--if-undecided`"),
        (("--not-worse-than", "main.parquet"), "add --key COL"),
        (("--not-worse-than", "main.parquet", "--key", "id", "--unpaired"), "leave one of them out"),
        (("--not-worse-than", "main.parquet", "--key", "id", "--margin", "-1"), "at least 0"),
        (("--not-worse-than", "main.parquet", "--key", "id", "--margin", "nan"), "at least 0"),
        (
            ("--not-worse-than", "main.parquet", "--key", "id", "--measure", "calibration_slope"),
            "more, or less, is better",
        ),
        (("--not-worse-than", "main.parquet", "--key", "id", "--seed", "1"), "left out without --require"),
        (("--require", "auc@lower>0.5", "--seed", "1"), "--seed"),
        (("--require", "ks@lower>0.5"), "hint: add --method bootstrap"),
        (("--require", "auc>0.5", "--junit", "-"), "standard output holds the result"),
        (("--require", "auc>0.5", "--junit", "a", "--summary-file", "./a"), "a file of its own"),
        (("--require", "auc>0.5", "-o", "new.parquet"), "another file than the input"),
        (("--not-worse-than", "main.parquet", "--key", "id", "--junit", "main.parquet"), "another file than the input"),
    ],
)
def test_usage(words, says, data, run, tmp_path):
    code, _, err = run("gate", "new.parquet", *BASE, *words)
    assert code == 2
    assert says in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.parquet", "main.parquet", "new.parquet"]


def test_bad_keys(data, run, tmp_path):
    code, _, err = run("gate", "new.parquet", *BASE, "--not-worse-than", "main.parquet", "--key", "patient")
    assert code == 3
    assert "each key once in column 'patient'" in err
    code, _, err = run("gate", "new.parquet", *BASE, "--not-worse-than", "main.parquet", "--key", "ib")
    assert code == 3
    assert "did you mean 'id'" in err


def test_outputs_for_machines(data, run, tmp_path):
    (tmp_path / "summary.md").write_text("# Before\n")
    words = ("--require", "auc>0.5", "--junit", "j.xml", "--summary-file", "summary.md", "-f", "md", "-o", "gate.md")
    code, out, err = run(*paired("bad.parquet", *words))
    assert (code, out) == (1, "")
    assert err.splitlines() == ["wrote j.xml", "wrote summary.md", "wrote gate.md"]
    root = Xml.parse(tmp_path / "j.xml").getroot()
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    summary = (tmp_path / "summary.md").read_text()
    assert summary.startswith("# Before\n\n## rocsolid gate: fail\n")
    assert (tmp_path / "gate.md").read_text() in summary
    assert no_leftovers(tmp_path)


def test_hostile_names(run, tmp_path):
    name = HOSTILE.replace("\x1b[31m", "").replace("/", "")
    table = pa.table({"id": [1, 2, 3, 4], "y": [0, 1, 0, 1], HOSTILE: [0.1, 0.35, 0.4, 0.8]})
    path = tmp_path / f"{name}.parquet"
    pq.write_table(table, path)
    words = (
        path,
        "--label",
        "y",
        "--score",
        HOSTILE,
        "--require",
        "auc > 0.9",
        "--not-worse-than",
        path,
        "--key",
        "id",
    )
    for form in ("table", "md", "json"):
        code, out, err = run("gate", *words, "-f", form, "--junit", "j.xml", "--summary-file", "s.md")
        assert code == 1
        assert "\x1b" not in out + err
        assert "\u202e" not in out + err or form == "json"
    assert "<script>" not in (tmp_path / "s.md").read_text()
    Xml.parse(tmp_path / "j.xml")


# ------------------------------------------------------------------------------------------- sweep and merge


def test_parts_add_up_to_the_whole(data, run, tmp_path):
    table = pq.read_table(tmp_path / "new.parquet")
    for name, part in (("a", table.slice(0, 100)), ("b", table.slice(100)), ("all", table)):
        pq.write_table(part, tmp_path / f"{name}.parquet")
        code, out, err = run("sweep", f"{name}.parquet", *BASE, "-o", f"{name}.sweep")
        assert (code, err) == (0, f"wrote {name}.sweep\n")
        assert f"{len(part)} distinct scores" in out
    assert run("merge", "a.sweep", "b.sweep", "-o", "c.sweep")[0] == 0
    assert rs.Sweep.load(tmp_path / "c.sweep") == rs.Sweep.load(tmp_path / "all.sweep")
    whole = json.loads(run("evaluate", "new.parquet", *BASE, "-f", "json")[1])["models"][0]["estimates"]
    from_sweep = json.loads(run("evaluate", "c.sweep", "-f", "json")[1])["models"][0]["estimates"]
    assert [(e["value"], e["low"], e["high"]) for e in whole] == [(e["value"], e["low"], e["high"]) for e in from_sweep]
    assert run("report", "c.sweep", "-o", "c.html")[0] == 0
    assert run("threshold", "c.sweep", "--recall", "0.9")[0] == 0


def test_weights_are_kept(data, run):
    words = (*BASE, "--weight", "w")
    assert run("sweep", "new.parquet", *words, "-o", "w.sweep")[0] == 0
    table, counts = (
        json.loads(run("evaluate", *what, "--confidence-level", "0.9", "-f", "json")[1])["models"][0]["estimates"]
        for what in (("new.parquet", *words), ("w.sweep",))
    )
    assert [(e["value"], e["low"]) for e in table] == [(e["value"], e["low"]) for e in counts]


def test_a_sweep_in_parquet_is_known_by_what_it_says(data, run):
    assert run("sweep", "new.parquet", *BASE, "-o", "counts.parquet")[0] == 0
    assert run("evaluate", "counts.parquet")[0] == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("evaluate", "a.sweep", "--label", "y"), "`--label` to be left out for a saved sweep"),
        (("evaluate", "a.sweep", "--missing", "drop"), "`--missing` to be left out"),
        (("evaluate", "new.parquet"), "arguments are required: --label, --score"),
        (("compare", "a.sweep"), "--unpaired"),
        (("sweep", "a.sweep", "-o", "b.sweep"), "a sweep already"),
        (("sweep", "new.parquet", *BASE, "-o", "b.csv"), "a name that ends in .sweep"),
        (("sweep", "new.parquet", *BASE, "-o", "-"), "a name that ends in .sweep"),
        (("sweep", "new.parquet", *BASE, "w", "-o", "b.sweep"), "one column"),
        (("sweep", "new.parquet", *BASE, "--cluster", "w", "-o", "b.sweep"), "which rows belong together"),
        (("sweep", "new.parquet", *BASE, "--confidence-level", "0.9", "-o", "b.sweep"), "counts have no interval"),
        (("merge", "a.sweep", "-o", "b.sweep"), "two saved sweeps or more"),
        (("merge", "a.sweep", "./a.sweep", "-o", "b.sweep"), "its rows would count twice"),
        (("merge", "a.sweep", "b.sweep", "-o", "a.sweep"), "another file than the input"),
    ],
)
def test_wrong_use_of_sweeps(words, says, data, run):
    run("sweep", "main.parquet", *BASE, "-o", "a.sweep")
    code, _, err = run(*words)
    assert code == 2
    assert says in err


def test_sweeps_that_are_none(data, run, tmp_path):
    (tmp_path / "broken.sweep").write_text("no")
    assert run("evaluate", "broken.sweep")[0] == 3
    assert run("evaluate", "absent.sweep")[0] == 3
    run("sweep", "main.parquet", *BASE, "-o", "a.sweep")
    assert run("merge", "a.sweep", "broken.sweep", "-o", "c.sweep")[0] == 3
    assert not (tmp_path / "c.sweep").exists()


def test_standard_input_is_read_once(data, run, tmp_path, monkeypatch):
    table = pq.read_table(tmp_path / "new.parquet").to_pydict()
    lines = ["id,y,s", *(f"{i},{y},{s!r}" for i, y, s in zip(table["id"], table["y"], table["s"], strict=True))]
    stream = io.TextIOWrapper(io.BytesIO(("\n".join(lines) + "\n").encode()))
    monkeypatch.setattr("sys.stdin", stream)
    words = ("--require", "auc>0.5", "--not-worse-than", "main.parquet", "--key", "id", "-f", "json")
    code, out, _ = run("gate", "-", *BASE, *words)
    assert code == 0
    _, same, _ = run(*paired("new.parquet", "--require", "auc>0.5", "-f", "json"))
    assert [c["low"] for c in json.loads(out)["checks"]] == [c["low"] for c in json.loads(same)["checks"]]


def test_missing_values_name_their_file(data, run, tmp_path):
    table = pq.read_table(tmp_path / "main.parquet").to_pydict()
    table["s"][5] = float("nan")
    pq.write_table(pa.table(table), tmp_path / "main.parquet")
    code, _, err = run(*paired("new.parquet"))
    assert code == 3
    assert "column 's of main.parquet'" in err
    code, out, _ = run(*paired("new.parquet", "--missing", "drop", "-f", "json"))
    assert code == 0
    assert json.loads(out)["checks"][0]["n_pos"] + json.loads(out)["checks"][0]["n_neg"] == 599


def test_a_missing_label_is_no_other_label(data, run, tmp_path):
    table = pq.read_table(tmp_path / "main.parquet").to_pydict()
    table["y"][3] = None
    pq.write_table(pa.table(table), tmp_path / "main.parquet")
    assert run(*paired("new.parquet", "--margin", "0.02"))[0] == 0
