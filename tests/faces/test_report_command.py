"""`rocsolid report`: the page, the same as JSON, and the page in three files."""

from __future__ import annotations

import json

import pytest

from rocsolid import cli


@pytest.fixture
def report(predictions, capsys):
    def call(*words):
        base = ["report", predictions["csv"], "--label", "y", "--score", "a", "b"]
        code = cli.main([str(word) for word in (*base, *words)])
        return code, *capsys.readouterr()

    return call


def test_json_is_what_the_page_says(report, tmp_path):
    code, out, err = report("--json", "-o", "-")
    assert code == 0, err
    held = json.loads(out)
    assert held["schema"] == "rocsolid.summary/2"
    assert len(held["curves"]["models"]) == 2
    assert report("--json", "-o", tmp_path / "r.json")[0] == 0
    again = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert again["models"] == held["models"]


def test_split_writes_three_files(report, tmp_path):
    code, _, err = report("--split", "-o", tmp_path / "page.html")
    assert code == 0, err
    assert sorted(p.name for p in tmp_path.glob("page.*")) == ["page.css", "page.html", "page.js"]
    assert 'src="page.js"' in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize("words", [("-o", "-"), ("-o", "page.txt"), ("-o", "page.html", "--json")])
def test_split_needs_a_page(report, words):
    code, out, err = report("--split", *words)
    assert (code, out) == (2, "")
    assert "-o report.html --split" in err
