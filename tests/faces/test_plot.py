"""Plots: scikit-learn's display manners, exact steps, and nothing global touched."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from face_helpers import study
from matplotlib.figure import Figure

import rocsolid as rs
from rocsolid import plot
from rocsolid.curves import CURVES
from rocsolid.errors import DtypeError, MissingDependencyError, OptionError, UnknownNameError
from rocsolid.plot import probit, words

KINDS = ("roc", "precision_recall", "det")


@pytest.fixture
def ev():
    y, scores = study()
    return rs.evaluate(y, np.round(scores["first"], 2))


def texts(axis):
    return [t.get_text() for t in axis.get_legend().get_texts()]


@pytest.mark.parametrize("kind", KINDS)
def test_display(kind, ev):
    display = ev.curve(kind).plot(name="logistic")
    assert isinstance(display, plot.CurveDisplay)
    assert display.figure_ is display.ax_.figure
    assert display.line_ in display.ax_.get_lines()
    assert display.chance_level_ in display.ax_.get_lines()
    short, value = ("AP", ev.average_precision().value) if kind == "precision_recall" else ("AUC", ev.roc_auc().value)
    assert texts(display.ax_) == [f"logistic ({short} {value:.3f})", "chance"]
    assert "positive: 1" in display.ax_.get_xlabel()
    display.figure_.canvas.draw()


@pytest.mark.parametrize("kind", KINDS)
def test_draws_on_given_axes_and_again(kind, ev):
    axes = Figure().add_subplot()
    first = ev.curve(kind).plot(ax=axes, name="a")
    second = plot.draw(ev.curve(kind), axes, "b")
    assert first.ax_ is second.ax_ is axes
    assert [t.split(" (")[0] for t in texts(axes)] == ["a", "b", "chance"]
    again = first.plot(name="c")
    assert again is first
    assert first.ax_ is not axes


def test_roc_line_is_the_curve(ev):
    display = ev.curve("roc").plot()
    assert np.array_equal(display.line_.get_xdata(), ev.curve("roc").fpr)
    assert np.array_equal(display.line_.get_ydata(), ev.curve("roc").tpr)
    assert display.label == f"AUC {ev.roc_auc().value:.3f}"


def test_precision_recall_is_drawn_as_the_steps_that_average_precision_measures(ev):
    """The area under the very path that Matplotlib draws is average precision."""
    from matplotlib.cbook import STEP_LOOKUP_MAP

    line = ev.curve("pr").plot().line_
    assert line.get_drawstyle() == "steps-pre"
    x, y = STEP_LOOKUP_MAP["steps-pre"](line.get_xdata(), line.get_ydata())
    assert np.isfinite(y).all()
    assert np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2) == pytest.approx(ev.average_precision().value, abs=1e-12)


def test_chance_lines(ev):
    roc, pr = ev.curve("roc").plot(), ev.curve("pr").plot()
    assert roc.chance_level_.get_xydata().tolist() == [[0, 0], [1, 1]]
    share = ev.sweep.n_pos / 400
    assert pr.chance_level_.get_ydata().tolist() == [share, share]
    det = ev.curve("det").plot().chance_level_.get_xydata()
    assert det[:, 0] == pytest.approx(-det[:, 1])  # miss = 1 - false alarm


def test_det_axes_are_normal_deviates(ev):
    display = ev.curve("det").plot()
    low, high = probit.ends(ev.curve("det").fpr, ev.curve("det").fnr)
    assert low <= 0.001
    assert high == 1 - low
    places, labels = display.ax_.get_xticks(), [t.get_text() for t in display.ax_.get_xticklabels()]
    assert labels == [t.get_text() for t in display.ax_.get_yticklabels()]
    shares = [float(label) / 100 for label in labels]
    assert probit.deviates(np.array(shares), 1e-9, 1 - 1e-9) == pytest.approx(places)
    assert display.ax_.get_xlim() == display.ax_.get_ylim()
    assert np.isfinite(display.line_.get_xydata()).all()
    assert "%" in display.ax_.get_xlabel()


@pytest.mark.parametrize("scores", [[0.1, 0.2, 0.8, 0.9], [0.9, 0.8, 0.2, 0.1], [0.5] * 4])
@pytest.mark.parametrize("kind", KINDS)
def test_extreme_curves(kind, scores):
    rs.evaluate([0, 0, 1, 1], scores).curve(kind).plot().figure_.canvas.draw()


@pytest.mark.parametrize("name", ["_hidden", "$x^2", "a_b $c$", "<b>", "中", ""])
def test_names_are_shown_as_they_are(name, ev):
    display = ev.curve("roc").plot(name=name)
    assert texts(display.ax_)[0].replace("\\$", "$").strip().startswith(f"{name} (".strip())
    if name != "中":  # no glyph in Matplotlib's own font
        display.figure_.canvas.draw()


def test_label_of_a_nearly_perfect_score_is_no_false_one():
    y = np.r_[np.zeros(20_000), np.ones(20_000)]
    s = np.arange(40_000.0)
    s[20_000], s[19_999] = s[19_999], s[20_000]
    label = rs.evaluate(y, s).curve("roc").plot().label
    assert label not in ("AUC 1.000", "AUC 1")


def test_notebooks_show_a_picture(ev):
    display = plot.CurveDisplay(ev.curve("roc"))
    assert display._repr_png_() is None
    assert display.plot()._repr_png_().startswith(b"\x89PNG")


def test_nothing_global_changes():
    code = (
        "import sys, warnings; warnings.simplefilter('error')\n"
        "import matplotlib as mpl, rocsolid as rs\n"
        "before = {k: mpl.rcParams._get(k) for k in mpl.rcParams}\n"
        "ev = rs.evaluate([0, 1, 0, 1], [.1, .4, .35, .8])\n"
        "for kind in ('roc', 'pr', 'det'): ev.curve(kind).plot().figure_.canvas.draw()\n"
        "assert {k: mpl.rcParams._get(k) for k in mpl.rcParams} == before\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("method", ["binormal", "kernel"])
def test_smoothed_curves_are_drawn_like_others(ev, method):
    smooth = ev.smooth_roc(method=method)
    display = smooth.plot(ax=ev.curve("roc").plot(name="steps").ax_, name="smooth")
    assert np.array_equal(display.line_.get_xdata(), smooth.fpr)
    assert texts(display.ax_)[1] == f"smooth (AUC {smooth.roc_auc:.3f}, {method})"
    assert rs.Binormal(1.5, 1).roc().plot().chance_level_ is not None


EVERY = [*CURVES, "f1", "expected_cost(cost_fp=1, cost_fn=5)"]


@pytest.fixture
def chinese():
    if words.font() is None:
        pytest.skip("no font with Chinese characters")


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("kind", EVERY)
def test_every_word_of_a_picture_has_a_chinese_one(kind, ev):
    """Drawn without a glyph that is missing, which would be a warning; English stays as it was."""
    display = ev.curve(kind).plot(name="模型", lang="zh")
    display.figure_.canvas.draw()
    axes = [display.ax_] if display.counts_ax_ is None else [display.ax_, display.counts_ax_]
    labels = [axis.label.get_text() for ax in axes for axis in (ax.xaxis, ax.yaxis)]
    for text in filter(None, [*labels, *texts(display.ax_)]):
        assert words.HAN.search(text), text
    below = axes[-1].get_xlabel()
    assert below.endswith("（正例：1）")
    english = ev.curve(kind).plot(name="model")
    assert not any(words.HAN.search(text) for text in [english.ax_.get_ylabel(), *texts(english.ax_)])


@pytest.mark.usefixtures("chinese")
def test_chinese_names_are_drawn_in_english_pictures_too(ev):
    ev.curve("roc").plot(name="逻辑回归").figure_.canvas.draw()
    smooth = ev.smooth_roc().plot(lang="zh")
    assert texts(smooth.ax_)[0].endswith("双正态")
    binned = ev.reliability(binning="width", n_resamples=20, rng=0).plot(lang="zh")
    binned.figure_.canvas.draw()
    assert texts(binned.ax_) == ["等宽分箱", "完全校准"]


@pytest.mark.usefixtures("chinese")
def test_a_mean_over_classes_is_drawn_too():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 90)
    scores = rng.normal(size=(90, 3)) + 2 * np.eye(3)[y]
    curve = rs.evaluate(y, scores, labels=[0, 1, 2]).curve("roc", average="macro")
    display = curve.plot(name="三类", lang="zh")
    display.figure_.canvas.draw()
    assert np.array_equal(display.line_.get_ydata(), curve.tpr)
    assert texts(display.ax_)[0].startswith("三类 (平均面积 0.")


def test_languages_that_can_not_be_drawn(ev, monkeypatch):
    with pytest.raises(UnknownNameError):
        ev.curve("roc").plot(lang="de")
    monkeypatch.setattr(words, "font", lambda: None)
    with pytest.raises(OptionError, match="no font") as caught:
        ev.curve("roc").plot(lang="zh")
    assert "fonts-noto-cjk" in caught.value.hint


def test_no_curve(ev):
    with pytest.raises(DtypeError, match="a curve"):
        plot.draw([0, 1])


def test_without_matplotlib(ev, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependencyError) as caught:
        ev.curve("roc").plot()
    assert caught.value.hint == 'pip install "rocsolid[plot]"'
