"""Displays by curve, figures of several panels, forests: what is drawn, where, and in which words."""

from __future__ import annotations

import warnings
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from face_helpers import HOSTILE, no_leftovers, study
from matplotlib.figure import Figure
from matplotlib.text import Text
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import cross_validate

import rocsolid as rs
from rocsolid import plot
from rocsolid.curves import CURVES
from rocsolid.errors import DtypeError, OptionError, SourceError, UndefinedMeasureError, UnknownNameError
from rocsolid.measures import REGISTRY
from rocsolid.plot import probit
from rocsolid.plot.display import limits_of
from rocsolid.plot.displays import DISPLAYS
from rocsolid.plot.scales import LogAcross, Probit, thinned, traced
from rocsolid.plot.style import DASHES, PALETTE, look
from rocsolid.plot.words import ZH, font, say

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
KINDS = [*DISPLAYS.values()]


@pytest.fixture(scope="module")
def data():
    y, scores = study(n=300)
    return y, scores["first"], np.round(scores["second"], 1)


def texts(figure):
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


# ------------------------------------------------------------------------------------------ from predictions


@pytest.mark.parametrize("kind", KINDS)
def test_from_predictions_draws_the_curve_of_the_evaluation(kind, data):
    y, p, _ = data
    ax = Figure().add_subplot()
    display = kind.from_predictions(y, p, name="logistic", ax=ax)
    assert isinstance(display, kind)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    assert display.label.startswith("logistic")
    same = plot.draw(rs.evaluate(y, p).curve(kind.KIND))
    assert isinstance(same, kind)
    assert np.array_equal(same.line_.get_xydata(), display.line_.get_xydata())
    display.figure_.canvas.draw()


def test_the_legend_has_the_interval(data):
    y, p, _ = data
    ev = rs.evaluate(y, p)
    for kind, found, short in (
        (plot.RocCurveDisplay, ev.roc_auc(), "AUC"),
        (plot.PrecisionRecallDisplay, ev.average_precision(), "AP"),
    ):
        limits = found.interval
        assert kind.from_predictions(y, p).label == f"{short} {found.value:.3f} [{limits.low:.3f}, {limits.high:.3f}]"


def test_a_mean_over_folds_is_called_one(data):
    y, p, _ = data
    ev = rs.evaluate(y, p, fold=np.arange(len(y)) % 5)
    figure = ev.plot(["roc", "gain"])
    assert figure.displays_["roc"][0].label.endswith("], fold mean")
    assert "fold" not in figure.displays_["gain"][0].label


def test_options_of_the_data_go_through(data):
    y, p, _ = data
    labels = np.where(y == 1, "sick", "well")
    display = plot.RocCurveDisplay.from_predictions(labels, -p, pos_label="sick", higher_is_positive=False)
    assert np.array_equal(display.line_.get_ydata(), rs.evaluate(y, p).curve("roc").tpr)
    assert "positive: 'sick'" in display.ax_.get_xlabel()
    heavy = plot.RocCurveDisplay.from_predictions(y, p, sample_weight=1.0 + np.arange(len(y)) % 3)
    assert heavy.label != display.label
    with pytest.raises(rs.errors.PositiveLabelError):
        plot.RocCurveDisplay.from_predictions(labels, p)
    with pytest.raises(rs.errors.MissingValueError):
        plot.RocCurveDisplay.from_predictions(y, np.where(y == 1, np.nan, p))
    with pytest.raises(UndefinedMeasureError):
        plot.RocCurveDisplay.from_predictions([1, 1], [0.1, 0.2])


def test_several_classes_are_drawn_one_by_one_or_as_their_mean():
    rng = np.random.default_rng(0)
    y, scores = rng.integers(0, 3, 90), rng.random((90, 3))
    scores /= scores.sum(axis=1, keepdims=True)
    with pytest.raises(rs.errors.ShapeError, match="two classes"):
        plot.RocCurveDisplay.from_predictions(y, scores)
    ev = rs.evaluate(y, scores)
    ax = ev.curve("roc", label=1).plot(name="one").ax_
    mean = ev.curve("roc", average="macro")
    display = mean.plot(ax=ax, name="mean")
    assert display.label == f"mean (mean area {mean.area():.3f})"
    assert "positive:" not in display.ax_.get_xlabel()
    assert "<table>" in mean._repr_html_()


# ------------------------------------------------------------------------------------------------- estimators


def test_from_estimator(data):
    y, p, s = data
    table = np.column_stack([p, s])
    for fitted, scores in (
        (LogisticRegression().fit(table, y), lambda m: m.predict_proba(table)[:, 1]),
        (RidgeClassifier().fit(table, y), lambda m: m.decision_function(table)),
    ):
        display = plot.RocCurveDisplay.from_estimator(fitted, table, y)
        assert np.array_equal(display.line_.get_ydata(), rs.evaluate(y, scores(fitted)).curve("roc").tpr)
        assert display.name == type(fitted).__name__
    words = np.where(y == 1, "a", "b")  # the positive class comes first by alphabet
    for kind in (LogisticRegression, RidgeClassifier):
        with pytest.raises(OptionError, match="not guessed"):
            plot.RocCurveDisplay.from_estimator(kind().fit(table, words), table, words)
        named = plot.RocCurveDisplay.from_estimator(kind().fit(table, words), table, words, pos_label="a")
        numbers = plot.RocCurveDisplay.from_estimator(kind().fit(table, y), table, y)
        assert named.label.split("(")[1] == numbers.label.split("(")[1]


def test_estimators_that_will_not_do(data):
    y, p, _ = data
    table = p[:, None]
    ridge = RidgeClassifier().fit(table, y)
    with pytest.raises(OptionError, match="a classifier with predict_proba"):
        plot.RocCurveDisplay.from_estimator(ridge, table, y, response_method="predict_proba")
    with pytest.raises(UnknownNameError, match="did you mean 'predict_proba'"):
        plot.RocCurveDisplay.from_estimator(ridge, table, y, response_method="predict_prob")
    with pytest.raises(OptionError, match="a classifier with"):
        plot.RocCurveDisplay.from_estimator(object(), table, y)
    three = LogisticRegression().fit(table, np.arange(len(y)) % 3)
    with pytest.raises(OptionError, match="fitted to two classes"):
        plot.RocCurveDisplay.from_estimator(three, table, y)
    with pytest.raises(OptionError, match="one of"):
        plot.RocCurveDisplay.from_estimator(ridge, table, y, pos_label=7)


@pytest.mark.parametrize("frame", [False, True])
def test_from_cv_results(frame, data):
    y, p, s = data
    table = pd.DataFrame({"p": p, "s": s}) if frame else np.column_stack([p, s])
    truth = pd.Series(y) if frame else y
    found = cross_validate(LogisticRegression(), table, truth, cv=4, return_estimator=True, return_indices=True)
    display = plot.RocCurveDisplay.from_cv_results(found, table, truth, name="logistic")
    assert len(display.displays_) == len(display.lines_) == 4
    values = [float(part.curve.roc_auc) for part in display.displays_]
    assert display.estimate_.value == pytest.approx(np.mean(values))
    names = [t.get_text() for t in display.ax_.get_legend().get_texts()]
    assert names[0].startswith(f"logistic (4 folds, AUC {np.mean(values):.3f} [")
    assert names[1:] == ["chance"]
    other = plot.RocCurveDisplay.from_cv_results(found, table, truth, ax=display.ax_)
    assert other.lines_[0].get_color() != display.lines_[0].get_color()
    assert plot.GainCurveDisplay.from_cv_results(found, table, truth).estimate_ is None
    with pytest.raises(OptionError, match="return_indices=True"):
        plot.RocCurveDisplay.from_cv_results({"estimator": []}, table, truth)


# ---------------------------------------------------------------------------------------------------- scales


def test_log_and_probit_axes_show_true_rates(data):
    y, _, s = data
    curve = rs.evaluate(y, s).curve("roc")  # ten tied scores: long straight segments
    for name in ("log", "probit"):
        display = plot.RocCurveDisplay(curve).plot(scale=name)
        x, up = display.line_.get_data()
        if name == "probit":
            from scipy.special import ndtr

            x, up = ndtr(x), ndtr(up)
        low = x.min()
        inside = (x > low * 1.001) & (x < 1 - low * 1.001)
        assert up[inside] == pytest.approx(np.interp(x[inside], curve.fpr, curve.tpr), abs=2e-3)
        assert len(x) > len(curve.fpr)  # a straight segment is bent there
    log = plot.RocCurveDisplay(curve).plot(scale="log")
    assert log.ax_.get_xscale() == "log"
    assert log.ax_.get_xlim()[0] == LogAcross.of(curve.fpr).low


def test_a_second_curve_never_narrows_the_axes(data):
    y, p, _ = data
    ax = plot.RocCurveDisplay.from_predictions(y, p, scale="log").ax_
    before = ax.get_xlim()
    coarse = plot.RocCurveDisplay.from_predictions([0, 1] * 50, np.r_[np.zeros(50), np.ones(50)], scale="log", ax=ax)
    assert coarse.ax_.get_xlim() == before


@pytest.mark.parametrize("kind", KINDS)
def test_scales_that_a_curve_does_not_have(kind, data):
    y, p, _ = data
    expected = UnknownNameError if kind.KIND in ("roc", "det") else OptionError
    with pytest.raises(expected, match="scale"):
        kind.from_predictions(y, p, scale="logit")


def test_a_smooth_curve_has_axes_of_its_own(data):
    y, p, _ = data
    with pytest.raises(OptionError, match="the smooth_roc curve has axes of its own"):
        rs.evaluate(y, p).smooth_roc().plot().plot(scale="log")


def test_segments_stay_on_the_curve():
    x, y = np.array([0.0, 0.2, 0.2, 1.0]), np.array([0.0, 0.5, 0.7, 1.0])
    for scale in (LogAcross(1e-4), Probit(1e-3)):
        across, up = traced(x, y, scale)
        assert np.isfinite(across).all()
        assert (np.diff(across) >= 0).all()
        assert (np.diff(up) >= 0).all()
    assert traced(x, y, plot.display.Linear()) == (pytest.approx(x), pytest.approx(y))


# ----------------------------------------------------------------------------------------------------- bands


@pytest.mark.parametrize("kind", [plot.RocCurveDisplay, plot.PrecisionRecallDisplay, plot.DetCurveDisplay])
def test_bands_hold_their_curve(kind, data):
    y, p, _ = data
    for band in ("pointwise", "simultaneous"):
        display = kind.from_predictions(y, p, band=band)
        assert display.band_ in display.ax_.collections
        assert display.band.kind == band
        edge = display.band_.get_paths()[0].vertices
        x, up = display.line_.get_data()
        middle = np.argsort(np.abs(x - np.median(x)))[0]
        near = edge[np.abs(edge[:, 0] - x[middle]) < 0.05, 1]
        assert near.min() <= up[middle] <= near.max()


def test_the_edges_of_a_band_are_drawn_where_it_reads(data):
    """Precision bends between two points of the band: what is drawn is what ``band.at`` says."""
    y, _, _ = data
    ev = rs.evaluate(y, np.full(len(y), 0.3))
    for kind in ("roc", "precision_recall", "det"):
        band = ev.band(kind)
        x, low, high = limits_of(band)
        for i in range(0, len(x), 7):
            if np.sum(np.isclose(x, x[i], atol=1e-9)) == 1:
                read = band.at(float(x[i]))
                assert (low[i], high[i]) == pytest.approx((read.low, read.high), abs=1e-9)
    assert len(x) > len(band.x)


def test_the_logarithmic_curve_has_the_band_of_the_roc_curve(data):
    y, p, _ = data
    ev = rs.evaluate(y, p)
    display = plot.LogRocCurveDisplay.from_predictions(y, p, band="simultaneous")
    assert display.band.curve == "roc"
    assert display.ax_.get_xscale() == "log"
    assert display.ax_.get_xlim() == (display.line_.get_xdata()[0], 1)
    assert display.label.startswith(f"LogAUC {ev.measure('log_auc').value:.3f}")
    edge = display.band_.get_paths()[0].vertices[:, 0]
    assert edge.min() == display.line_.get_xdata()[0]
    assert ev.plot(["log_roc", "gain"], band="pointwise").displays_["log_roc"][0].band_ is not None
    with pytest.raises(OptionError, match="a band of the roc curve"):
        plot.LogRocCurveDisplay(ev.curve("log_roc"), band=ev.band("det"))


def test_bands_of_other_curves(data):
    y, p, _ = data
    ev = rs.evaluate(y, p)
    with pytest.raises(OptionError, match="a band of the roc curve"):
        plot.RocCurveDisplay(ev.curve("roc"), band=ev.band("det"))
    with pytest.raises(UnknownNameError):
        plot.RocCurveDisplay.from_predictions(y, p, band="wide")
    with pytest.raises(UnknownNameError):
        plot.GainCurveDisplay.from_predictions(y, p, band="pointwise")
    with pytest.raises(OptionError, match="consistency"):
        plot.CalibrationDisplay.from_predictions(y, p, band="pointwise")
    assert plot.CalibrationDisplay.from_predictions(y, p, band="consistency").band_ is not None


# ------------------------------------------------------------------------------------------------------ looks


def test_models_differ_in_colour_and_dash(data):
    y, p, s = data
    figure = rs.evaluate_many(y, {"a": p, "b": s, "c": -p}).plot(["roc"])
    lines = [display.line_ for display in figure.displays_["roc"]]
    assert [line.get_color() for line in lines] == list(PALETTE[:3])
    assert len({line.get_linestyle() + str(line._dash_pattern) for line in lines}) == 3
    names = [t.get_text().split(" (")[0] for t in figure.axes_["roc"].get_legend().get_texts()]
    assert names == ["a", "b", "c", "chance"]
    assert len({(str(look(i)["color"]), str(look(i)["linestyle"])) for i in range(len(PALETTE) * len(DASHES))}) == 30
    chosen = plot.RocCurveDisplay.from_predictions(y, p).plot(color="black", linestyle=":")
    assert (chosen.line_.get_color(), chosen.line_.get_linestyle()) == ("black", ":")


def test_a_chance_line_is_drawn_once(data):
    y, p, s = data
    figure = rs.evaluate_many(y, {"a": p, "b": s}).plot(["roc"])
    first, second = figure.displays_["roc"]
    assert first.chance_level_ is second.chance_level_
    assert len(figure.axes_["roc"].get_lines()) == 3


# ---------------------------------------------------------------------------------------------------- Chinese

needs_font = pytest.mark.skipif(font() is None, reason="no font with Chinese characters")


@needs_font
def test_all_words_are_there_in_chinese(data):
    y, p, s = data
    both = rs.evaluate_many(y, {"a": p, "b": p / 2 + s / 3})
    figure = both.plot([*CURVES, "f1"], lang="zh", columns=4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a missing glyph is a warning
        figure.figure_.canvas.draw()
    for ax in figure.axes_.values():
        for text in (ax.get_xlabel(), ax.get_ylabel()):
            left = text.replace("F1", "").replace("PC", "").split("\n")[0]
            assert not any("a" <= c <= "z" for c in left), text
        for name in ax.get_legend().get_texts():
            words = name.get_text().replace("AUC", "").replace("AP", "")
            assert not any(len(part) > 1 and part.isascii() and part.isalpha() for part in words.split()), words
    forest = rs.plot_comparison(both.compare(), lang="zh")
    assert REGISTRY["roc_auc"].title_zh in forest.ax_.get_xlabel()


@needs_font
def test_chinese_names_need_no_chinese_axes(data):
    y, p, _ = data
    display = plot.RocCurveDisplay.from_predictions(y, p, name="逻辑回归")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        display.figure_.canvas.draw()


@needs_font
def test_axes_that_were_there_before_get_the_font_too(data):
    y, p, s = data
    ax, other = Figure().subplots(2)
    family = ax.title.get_fontfamily()
    plot.RocCurveDisplay.from_predictions(y, p, name="逻辑回归", lang="zh", ax=ax)
    rs.plot_comparison(rs.compare(y, {"新": p, "旧": s}), lang="zh", ax=other)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax.figure.canvas.draw()
    assert ax.title.get_fontfamily() == family  # empty, and none of ours


@needs_font
def test_folds_and_means_of_classes_have_chinese_words_too(data):
    y, p, _ = data
    found = cross_validate(LogisticRegression(), p[:, None], y, cv=3, return_estimator=True, return_indices=True)
    folds = plot.RocCurveDisplay.from_cv_results(found, p[:, None], y, name="逻辑回归", lang="zh")
    rng = np.random.default_rng(0)
    mean = rs.evaluate(rng.integers(0, 3, 90), rng.dirichlet([1, 1, 1], 90)).curve("roc", average="macro")
    display = mean.plot(lang="zh")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        folds.figure_.canvas.draw()
        display.figure_.canvas.draw()
    assert folds.lines_[0].get_label().startswith("逻辑回归 (3 折, AUC")
    assert display.ax_.get_ylabel() == ZH["Mean true positive rate"]
    assert display.label.startswith("平均面积")


def test_without_a_font_chinese_is_refused(data, monkeypatch):
    y, p, _ = data
    monkeypatch.setattr("rocsolid.plot.words.font", lambda: None)
    with pytest.raises(OptionError, match="no font"):
        plot.RocCurveDisplay.from_predictions(y, p, lang="zh")
    plot.RocCurveDisplay.from_predictions(y, p)
    with pytest.raises(UnknownNameError):
        plot.RocCurveDisplay.from_predictions(y, p, lang="de")


def test_words_without_a_translation_stay():
    assert say("Recall", "zh") == ZH["Recall"]
    assert say("my model", "zh") == "my model"
    assert say(REGISTRY["f1"].title, "zh") == REGISTRY["f1"].title_zh


# --------------------------------------------------------------------------------------------------- thinning


@pytest.mark.parametrize("kind", ["noise", "walk", "back and forth", "flat"])
def test_thinning_changes_no_pixel(kind):
    rng = np.random.default_rng(0)
    n, columns = 60_000, 64
    x = np.sort(rng.random(n)) if kind != "back and forth" else rng.random(n).cumsum() % 1
    x = np.zeros(n) if kind == "flat" else x
    y = rng.normal(size=n) if kind == "noise" else rng.normal(size=n).cumsum()
    across, up = thinned(x, y, pixels=columns)
    if kind != "back and forth":
        assert len(across) <= 4 * (columns + 1)
    assert (across[0], up[0], across[-1], up[-1]) == (x[0], y[0], x[-1], y[-1])
    if kind in ("noise", "walk"):
        place = lambda v: np.floor((v - x[0]) * columns / (x[-1] - x[0]))  # noqa: E731
        for c in range(columns):
            whole, part = y[place(x) == c], up[place(across) == c]
            assert (whole.min(), whole.max(), whole[0], whole[-1]) == (part.min(), part.max(), part[0], part[-1])


def corners(x, y, steps):
    """What Matplotlib draws: the points, or for steps both ends of each."""
    if not steps:
        return np.column_stack([x, y])
    return np.column_stack([np.repeat(x, 2)[:-1], np.append(y[0], np.repeat(y[1:], 2))])


def distances(points, path):
    """How far each point lies from a path of lines."""
    a, b = path[:-1], path[1:]
    run = b - a
    length = np.maximum((run**2).sum(axis=1), 1e-300)
    out = []
    for point in points:
        t = np.clip(((point - a) * run).sum(axis=1) / length, 0, 1)
        out.append(np.sqrt((((a + t[:, None] * run) - point) ** 2).sum(axis=1).min()))
    return np.array(out)


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("kind", ["rises", "falls", "log", "steps"])
def test_paths_that_never_turn_back_move_by_half_a_pixel_at_most(kind, back):
    rng = np.random.default_rng(1)
    n, pixels = 6_000, 100
    x, y = np.sort(rng.random(n) ** 4), np.sort(rng.random(n)) ** 0.3
    if kind == "falls":
        y = 3 - 7 * y
    if kind == "steps":
        y = rng.normal(size=n).cumsum() / np.arange(9, n + 9)
    if back:
        x, y = x[::-1], y if kind == "steps" else y[::-1]
    across, up = thinned(x, y, pixels=pixels, log_x=kind == "log", steps=kind == "steps")
    assert len(across) < n / 10
    assert (across[0], up[0], across[-1], up[-1]) == (x[0], y[0], x[-1], y[-1])
    place = np.log10(x) if kind == "log" else x
    part = np.log10(across) if kind == "log" else across
    sides = [np.array([np.ptp(place), np.ptp(y)]) / pixels for _ in range(2)]
    whole, few = (corners(*drawn, kind == "steps") / sides[0] for drawn in ((place, y), (part, up)))
    assert distances(whole, few).max() <= 0.5
    assert distances(few, whole).max() <= 0.5


@pytest.mark.parametrize("name", [*CURVES, "f1", "precision", "diagnostic_odds_ratio", "mcc"])
def test_pictures_are_finite(name, data):
    """Thinning relies on it."""
    y, p, s = data
    for scores in (p, s, np.round(p), np.zeros(len(y))):
        display = rs.evaluate(y, scores).curve(name).plot()
        assert np.isfinite(display.line_.get_xydata().astype(float)).all()


def test_a_million_rows_make_small_files(tmp_path):
    rng = np.random.default_rng(0)
    y = (rng.random(300_000) < 0.1).astype(int)
    figure = rs.evaluate(y, y + rng.normal(size=len(y))).plot(["roc", "pr", "det"], scales={"roc": "log"})
    for name in ("a.svg", "a.pdf"):
        assert figure.save(tmp_path / name).stat().st_size < 300_000
    display = figure.displays_["roc"][0]
    at = np.logspace(-5, 0, 500)
    drawn, true = (
        np.interp(at, *points) for points in (display.line_.get_data(), (display.curve.fpr, display.curve.tpr))
    )
    assert drawn == pytest.approx(true, abs=2e-3)  # the left end is not thinned away on a log axis


# ---------------------------------------------------------------------------------------------------- figures


def test_usual_panels(data):
    y, p, _ = data
    assert list(rs.evaluate(y, p).plot().axes_) == ["roc", "precision_recall", "det", "reliability"]
    assert list(rs.evaluate(y, 9 * p).plot().axes_) == ["roc", "precision_recall", "det", "gain"]
    figure = rs.evaluate(y, p, name="m").plot("f1", title="$T_1$\x1b")
    assert list(figure.axes_) == ["f1"]
    assert "\x1b" not in "".join(texts(figure.figure_))
    assert figure._repr_png_().startswith(b"\x89PNG")
    figure = rs.evaluate(y, p).plot(["roc", "gain"], band="pointwise")
    assert figure.displays_["roc"][0].band_ is not None
    assert figure.displays_["gain"][0].band_ is None


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"curves": []}, OptionError),
        ({"curves": ["pr", "precision_recall"]}, OptionError),
        ({"curves": ["rok"]}, UnknownNameError),
        ({"curves": ["roc"], "scales": {"det": "log"}}, OptionError),
        ({"curves": ["roc"], "band": "wide"}, UnknownNameError),
        ({"curves": ["roc"], "lang": "xx"}, UnknownNameError),
    ],
)
def test_panels_that_can_not_be(options, error, data):
    y, p, _ = data
    with pytest.raises(error):
        rs.evaluate(y, p).plot(**options)


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_same_figure_is_the_same_file(ending, data, tmp_path):
    y, p, _ = data
    made = [plot.RocCurveDisplay.from_predictions(y, p, name=HOSTILE, band="pointwise") for _ in range(2)]
    one, two = (display.save(tmp_path / f"{i}.{ending}", dpi=50).read_bytes() for i, display in enumerate(made))
    assert one == two
    assert one[:4] in (b"\x89PNG", b"<?xm", b"%PDF")
    assert b"<script>" not in one
    assert no_leftovers(tmp_path)


def test_files_that_can_not_be(data, tmp_path):
    y, p, _ = data
    display = plot.RocCurveDisplay.from_predictions(y, p)
    with pytest.raises(OptionError, match=r"\.png, \.svg, \.pdf"):
        display.save(tmp_path / "a.bmp")
    with pytest.raises(SourceError):
        display.save(tmp_path / "no" / "a.png")
    with pytest.raises(OptionError, match="drawn before it is saved"):
        plot.RocCurveDisplay(display.curve).save(tmp_path / "a.png")


# ---------------------------------------------------------------------------------------------------- forests


def test_forest(data):
    y, p, s = data
    found = rs.compare(y, {"a": p, "b": s, "$c_1$": -p})
    forest = rs.plot_comparison(found)
    assert [point.get_xdata()[0] for point in forest.points_] == [row.difference for row in found]
    for whisker, row in zip(forest.whiskers_, found, strict=True):
        assert whisker.get_xdata().tolist() == [row.interval.low, row.interval.high]
    assert [t.get_text() for t in forest.ax_.get_yticklabels()] == ["a − b", "a − \\$c_1\\$", "b − \\$c_1\\$"]
    assert forest.ax_.get_ylim()[0] > forest.ax_.get_ylim()[1]  # the first pair on top
    assert "ROC-AUC" in forest.ax_.get_xlabel()
    forest.figure_.canvas.draw()
    ax = Figure().add_subplot()
    assert rs.plot_comparison(found[0], ax=ax).ax_ is ax


@pytest.mark.parametrize(("alternative", "margins"), [("two-sided", 2), ("greater", 1), ("less", 1)])
def test_forest_with_margin_and_open_ends(alternative, margins, data):
    y, p, s = data
    found = rs.compare(y, {"a": p, "b": s}, alternative=alternative, margin=0.02)
    forest = rs.plot_comparison(found)
    upright = [line for line in forest.ax_.get_lines() if line.get_xdata()[0] in (-0.02, 0.02)]
    assert len(upright) == margins
    arrows = [line.get_marker() for line in forest.ax_.get_lines() if line.get_marker() in ("<", ">")]
    assert arrows == {"two-sided": [], "greater": [">"], "less": ["<"]}[alternative]
    low, high = forest.ax_.get_xlim()
    assert high - low < 0.5  # an open end does not widen the axis


def test_forest_without_an_interval(data):
    y, p, s = data
    found = replace(rs.compare(y, {"a": p, "b": s}), interval=None, pvalue=float("nan"), details={})
    forest = rs.plot_comparison(found)
    assert forest.whiskers_ == [None]
    forest.figure_.canvas.draw()
    with pytest.raises(DtypeError, match="a comparison"):
        rs.plot_comparison(SimpleNamespace())


# -------------------------------------------------------------------------------------------------- to_frame


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("name", [*CURVES, "f1"])
def test_every_curve_gives_a_frame(name, backend, data):
    y, p, _ = data
    curve = rs.evaluate(y, p).curve(name)
    frame = curve.to_frame(backend)
    assert type(frame).__module__.split(".")[0] == backend
    assert len(frame) >= 2
    with pytest.raises(UnknownNameError):
        curve.to_frame("excel")


def test_probit_module_is_used_for_both():
    assert probit.TICKS[0] == 1e-5
