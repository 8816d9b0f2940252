"""Notebooks: what each result shows, and a notebook that is executed."""

from __future__ import annotations

import html
import re
import sys
from html.parser import HTMLParser

import pytest
from face_helpers import HOSTILE, no_leftovers, study

import rocsolid as rs
from rocsolid.curves import CURVES

VOID = {"br", "meta", "hr", "img", "input", "link"}


class Balance(HTMLParser):
    """Complains of a tag that is not closed; collects tags and their attributes."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes = [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture
def hostile():
    y, scores = study(decimals=2)
    labels = [HOSTILE if label else "ok" for label in y]
    return rs.evaluate_many(labels, {HOSTILE: scores["first"], "b": scores["second"]}, pos_label=HOSTILE)


def shown(models):
    first = models[HOSTILE]
    yield from (
        first,
        models,
        first.roc_auc(),
        first.table(),
        models.compare(),
        first.at(recall=0.9),
        first.band("roc"),
    )
    yield from (first.curve(name) for name in (*CURVES, "f1"))


def test_names_can_not_break_out(hostile):
    for result in shown(hostile):
        text = result._repr_html_()
        found = Balance(text)
        assert set(found.tags) <= {"p", "code", "table", "thead", "tbody", "tr", "th", "td"}, type(result)
        assert not found.attributes
        assert "\x1b" not in text
        assert "\u202e" not in text


@pytest.mark.parametrize("name", [*CURVES, "f1"])
def test_curves_show_their_ends(name, hostile):
    curve = hostile["b"].curve(name)
    text = curve._repr_html_()
    rows = text.count("<tr>") - 1
    assert rows <= 11
    if name == "roc":
        assert f"{rows} of {len(curve.fpr):,} points" in text
        assert "<td>0.0000</td><td>0.0000</td><td></td>" in text
        assert "<td>1.0000</td><td>1.0000</td>" in text


def test_a_short_curve_is_shown_whole():
    curve = rs.evaluate([0, 1], [0.25, 0.75], on_undefined="nan").curve("roc")
    assert curve._repr_html_().count("<tr>") == 4
    assert " of " not in curve._repr_html_()


def test_whole_numbers_beyond_floats_are_shown_as_they_are():
    curve = rs.evaluate([0, 1, 0, 1], [2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3], on_undefined="nan").curve("roc")
    assert str(2**60 + 3) in curve._repr_html_()


def test_the_page_in_a_frame(hostile, tmp_path):
    for source in (hostile, hostile["b"]):
        page = source.report(title=HOSTILE)
        frame = page._repr_html_()
        found = Balance(frame)
        assert found.tags == ["iframe"]
        (sandbox,) = re.findall(r'sandbox="([^"]*)"', frame)
        assert "allow-same-origin" not in sandbox  # its scripts, if any, reach nothing of the notebook
        assert "allow-top-navigation" not in sandbox
        (inside,) = re.findall(r'srcdoc="([^"]*)"', frame)
        assert html.unescape(inside) == page.page
        written = page.save(tmp_path / "page.html")
        assert written.read_text("utf-8") == page.page
        assert source.report(tmp_path / "other.html", title=HOSTILE).read_text("utf-8") == page.page
        assert repr(page).startswith("<report: ")
    assert no_leftovers(tmp_path)


CELLS = (
    "import numpy as np, rocsolid as rs\n"
    "rng = np.random.default_rng(0)\n"
    "y = (rng.random(300) < 0.3).astype(int)\n"
    "p = 1 / (1 + np.exp(1 - 2 * y - rng.normal(size=300)))\n"
    "both = rs.evaluate_many(y, {'a': p, 'b': rng.random(300)})",
    "both",
    "both['a']",
    "both['a'].roc_auc()",
    "both.compare()",
    "both['a'].curve('roc')",
    "both['a'].curve('roc').plot()",
    "both.plot(['roc', 'pr'], lang='en')",
    "rs.plot_comparison(both.compare())",
    "both.report()",
)


@pytest.mark.filterwarnings("ignore")  # those of Jupyter's own packages
def test_a_notebook_runs(tmp_path, monkeypatch):
    nbclient = pytest.importorskip("nbclient", reason="pip install nbclient ipykernel")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    for name in ("JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in CELLS])
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    outputs = [cell["outputs"] for cell in notebook.cells]
    assert outputs[0] == []
    kinds = [set(out[0]["data"]) for out in outputs[1:]]
    assert all(len(out) == 1 for out in outputs[1:])
    assert all("text/html" in kind for kind in (*kinds[:5], kinds[8]))
    assert all("image/png" in kind for kind in kinds[5:8])
    assert "<iframe sandbox=" in outputs[-1][0]["data"]["text/html"]
    assert sys.executable
