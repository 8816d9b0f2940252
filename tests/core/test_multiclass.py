"""More than two classes: averages, their intervals, curves, losses, comparison."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors
from rocsolid.measures import find
from rocsolid.multiclass import parts
from rocsolid.multiclass.means import mean_of
from rocsolid.multiclass.parts import one_against_one, one_against_rest

CASE = json.loads((Path(__file__).parents[1] / "oracles" / "cases" / "multi_class.json").read_text("utf-8"))[0]
pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


def table(n=80, k=3, seed=0, sep=1.0, ties=True):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    s = rng.normal(size=(n, k))
    s[np.arange(n), y] += sep
    s = np.round(s, 1) if ties else s
    return y, s


def softmax(s):
    e = np.exp(s)
    return e / e.sum(axis=1, keepdims=True)


# ------------------------------------------------------------------------------------------- recorded values


def test_recorded_case():
    p = np.array(CASE["inputs"]["probabilities"])
    ev, right = rs.evaluate(CASE["inputs"]["labels"], p / p.sum(axis=1, keepdims=True)), CASE["expected"]
    assert [one.value for one in ev.roc_auc(average=None)] == pytest.approx(right["auc_ovr_per_class"], abs=1e-12)
    assert [one.value for one in ev.average_precision(average=None)] == pytest.approx(right["ap_per_class"], abs=1e-12)
    found = {
        "auc_ovr_macro": ev.roc_auc(), "auc_ovr_weighted": ev.roc_auc(average="weighted"),
        "auc_ovo_macro_hand_till": ev.roc_auc(multi_class="ovo"),
        "auc_ovo_weighted": ev.roc_auc(multi_class="ovo", average="weighted"),
        "auc_micro": ev.roc_auc(average="micro"), "ap_macro": ev.average_precision(),
        "ap_micro": ev.average_precision(average="micro"), "log_loss": ev.log_loss(),
        "brier_multiclass": ev.brier_score(), "accuracy": ev.accuracy(),
    }  # fmt: skip
    for name, estimate in found.items():
        assert estimate.value == pytest.approx(right[name], abs=1e-12), name
        assert estimate.interval.low < estimate.value < estimate.interval.high, name


def test_iris_of_note_003():
    """Two measurements of iris flowers, half of the rows, one linear support vector machine a class."""
    from sklearn.datasets import load_iris
    from sklearn.model_selection import train_test_split
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.svm import SVC

    data = load_iris()
    split = train_test_split(data.data[:, :2], data.target, test_size=0.5, random_state=0)
    x_train, x_test, y_train, y_test = split
    scores = OneVsRestClassifier(SVC(kernel="linear", random_state=0)).fit(x_train, y_train).decision_function(x_test)
    ev = rs.evaluate(y_test, scores)
    assert [round(one.value, 6) for one in ev.roc_auc(average=None)] == [1.0, 0.718519, 0.801471]
    assert round(ev.roc_auc(average="micro").value, 6) == 0.858311
    assert round(ev.roc_auc().value, 6) == 0.839996


# ---------------------------------------------------------------------------------------- against definitions


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("spec", ["roc_auc", "average_precision", "f1", "recall", "precision"])
def test_equals_scikit_learn(spec, average):
    from sklearn import metrics

    y, s = table(seed=3)
    w = np.random.default_rng(4).integers(1, 4, len(y)).astype(float)
    onehot, guess = np.eye(3)[y], s.argmax(axis=1)
    names = {"f1": "f1_score", "recall": "recall_score", "precision": "precision_score"}
    for weight in (None, w):
        ev = rs.evaluate(y, s, sample_weight=weight)
        if spec in names:
            right = getattr(metrics, names[spec])(y, guess, average=average, sample_weight=weight)
        else:
            function = metrics.roc_auc_score if spec == "roc_auc" else metrics.average_precision_score
            right = function(onehot, s, average=average, sample_weight=weight)
        assert ev.measure(spec, average=average).value == pytest.approx(right, rel=1e-12)


def test_decisions_equal_scikit_learn():
    from sklearn import metrics

    y, s = table(seed=5, k=4, n=120)
    w = np.random.default_rng(4).random(len(y))
    for weight in (None, w):
        ev, guess = rs.evaluate(y, s, sample_weight=weight), s.argmax(axis=1)
        right = metrics.confusion_matrix(y, guess, sample_weight=weight)
        np.testing.assert_allclose(ev.confusion_matrix().counts, right)
        kappa = metrics.cohen_kappa_score(y, guess, sample_weight=weight)
        assert ev.kappa().value == pytest.approx(kappa)
        assert ev.mcc().value == pytest.approx(metrics.matthews_corrcoef(y, guess, sample_weight=weight))
        assert ev.accuracy().value == pytest.approx(metrics.accuracy_score(y, guess, sample_weight=weight))
        assert ev.error_rate().value == pytest.approx(1 - ev.accuracy().value)
        assert ev.f1(average="micro").value == pytest.approx(ev.accuracy().value)
        weighted = ev.recall(average="weighted")  # which is the accuracy, and has its interval
        assert weighted.value == pytest.approx(ev.accuracy().value)
        assert weighted.interval == ev.accuracy().interval


def test_hand_and_till_by_counting_pairs():
    y, s = table(n=40, seed=6)
    total, pairs = 0.0, 0
    for i in range(3):
        for j in range(i):
            for own, other, column in ((i, j, i), (j, i, j)):
                a, b = s[y == own, column], s[y == other, column]
                total += (np.sign(a[:, None] - b[None, :]) + 1).mean() / 4
            pairs += 1
    assert rs.evaluate(y, s).roc_auc(multi_class="ovo").value == pytest.approx(total / pairs, rel=1e-12)


def test_whole_number_weights_are_repeated_rows():
    y, s = table(n=50, seed=7)
    w = np.random.default_rng(8).integers(0, 4, 50)
    one, many = rs.evaluate(y, s, sample_weight=w), rs.evaluate(np.repeat(y, w), np.repeat(s, w, axis=0))
    for average in ("macro", "weighted", "micro"):
        for spec in ("roc_auc", "average_precision", "recall"):
            assert one.measure(spec, average=average).value == pytest.approx(
                many.measure(spec, average=average).value, rel=1e-12
            )
    p = softmax(s)
    one, many = rs.evaluate(y, p, sample_weight=w), rs.evaluate(np.repeat(y, w), np.repeat(p, w, axis=0))
    assert one.brier_score().value == pytest.approx(many.brier_score().value)
    assert one.log_loss().value == pytest.approx(many.log_loss().value)


# ------------------------------------------------------------------------------------------------ inference


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("split", [one_against_rest, one_against_one])
@pytest.mark.parametrize("spec", ["roc_auc", "average_precision"])
def test_influences_are_derivatives_by_the_weights(spec, split, weighted, monkeypatch):
    """A row's share in the mean is its derivative: more weight on it moves the mean by as much."""
    monkeypatch.setattr(parts, "small_sample", lambda n: 1.0)  # the shares of an unbiased variance are a little larger
    from rocsolid.inputs.classes import read_classes

    y, s = table(n=40, seed=9, ties=False)
    request, base = find(spec), np.random.default_rng(1).uniform(0.5, 2, 40)

    def mean(weights):
        data = read_classes(y, s, sample_weight=weights)
        return mean_of(request, list(split(data)), data, weighted=weighted, level=0.95)

    found = mean(base).share
    for row in range(0, 40, 7):
        up, down = base.copy(), base.copy()
        up[row] += 1e-5
        down[row] -= 1e-5
        slope = (mean(up).value - mean(down).value) / 2e-5 * base[row]
        assert found[row] == pytest.approx(slope, rel=1e-5, abs=1e-9)


def test_one_pair_of_classes_is_the_binary_estimate():
    """Of two labels a row, one with no information: the standard error of a single column is the binary one's."""
    y, s = table(n=60, seed=10)
    ev = rs.evaluate(y, s)
    for c in range(3):
        alone, row = rs.evaluate(y == c, s[:, c]), ev.roc_auc(average=None)[c]
        assert row.std_error == pytest.approx(alone.roc_auc().std_error, rel=1e-12)
        assert row.interval.low == alone.roc_auc().interval.low
        assert ev.one(c).average_precision().value == alone.average_precision().value


def test_standard_errors_are_those_of_the_bootstrap():
    y, s = table(n=300, seed=11, ties=False)
    rng, drawn = np.random.default_rng(1), {"macro": [], "weighted": [], "ovo": []}
    for _ in range(300):
        at = rng.integers(0, 300, 300)
        ev = rs.evaluate(y[at], s[at])
        drawn["macro"].append(ev.roc_auc().value)
        drawn["weighted"].append(ev.roc_auc(average="weighted").value)
        drawn["ovo"].append(ev.roc_auc(multi_class="ovo").value)
    ev = rs.evaluate(y, s)
    assert ev.roc_auc().std_error == pytest.approx(np.std(drawn["macro"]), rel=0.15)
    assert ev.roc_auc(average="weighted").std_error == pytest.approx(np.std(drawn["weighted"]), rel=0.15)
    assert ev.roc_auc(multi_class="ovo").std_error == pytest.approx(np.std(drawn["ovo"]), rel=0.15)


def test_clusters_of_single_rows_change_little_and_repeated_rows_widen():
    y, s = table(n=60, seed=12)
    plain, single = rs.evaluate(y, s), rs.evaluate(y, s, cluster=np.arange(60))
    assert single.roc_auc().std_error == pytest.approx(plain.roc_auc().std_error, rel=0.05)
    twice = rs.evaluate(np.tile(y, 2), np.tile(s, (2, 1)), cluster=np.tile(np.arange(60), 2))
    assert twice.roc_auc().std_error == pytest.approx(single.roc_auc().std_error, rel=0.02)
    assert "60 clusters" in repr(twice.roc_auc())


def test_perfect_classes_keep_an_interval():
    y = np.repeat([0, 1, 2], 10)
    found = rs.evaluate(y, np.eye(3)[y]).roc_auc()
    assert found.value == 1
    assert 0.6 < found.interval.low < 0.95
    assert found.interval.high == 1


# --------------------------------------------------------------------------------------- absent classes


def test_absent_classes_are_undefined_and_said():
    """Field report B52: per class 1, 1, undefined; the mean over those defined is 1, of 2 of 3 classes."""
    ev = rs.evaluate([0, 1, 1], [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.2, 0.7, 0.1]], labels=[0, 1, 2])
    each = ev.roc_auc(average=None)
    assert [one.value for one in each][:2] == [1, 1]
    assert each[2].undefined is not None
    for scheme in ("ovr", "ovo"):
        found = ev.roc_auc(multi_class=scheme)
        assert found.value == 1
        assert any(note.code == "coverage" for note in found.notes)
    assert ev.roc_auc().details["parts_defined"] == 2
    with pytest.raises(errors.UndefinedMeasureError, match="no class"):
        rs.evaluate([0, 0], [[1, 0, 0], [1, 0, 0]], labels=[0, 1, 2]).roc_auc()
    gone = rs.evaluate([0, 0], [[1, 0, 0], [1, 0, 0]], labels=[0, 1, 2], on_undefined="nan").roc_auc()
    assert math.isnan(gone.value)
    assert gone.undefined is not None


def test_rows_need_not_sum_to_one_for_ranking():
    """Field report B55."""
    y, s = [0, 1, 2, 0], np.float32([[0.33333] * 3, [0.2, 0.5, 0.1], [0, 0, 1], [3, 1, 2]])
    assert rs.evaluate(y, s).roc_auc().value > 0.5
    with pytest.raises(errors.ProbabilityError):
        rs.evaluate(y, s).log_loss()
    with pytest.raises(errors.ProbabilitySumError, match="row 1"):
        rs.evaluate(y, [[0.3, 0.3, 0.4], [0.2, 0.5, 0.1], [0, 0, 1], [1, 0, 0]]).brier_score()


def test_one_value_for_each_class():
    """Field report B57."""
    s = [[0.4, 0.3, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7], [0.3, 0.5, 0.2]]
    found = rs.evaluate([0, 1, 2, 2], s).roc_auc(average=None)
    assert len(found) == 3
    assert "class" in repr(found).splitlines()[0]


def test_two_columns_use_the_positive_one():
    """Field report B54."""
    s = [[0.3, 0.7], [0.8, 0.2], [0.6, 0.4]]
    found = rs.evaluate(["cat", "dog", "cat"], s, labels=["cat", "dog"], pos_label="dog").roc_auc()
    assert found.value == 0


# ---------------------------------------------------------------------------------------- several labels


def test_several_labels_a_row():
    from sklearn import metrics

    rng = np.random.default_rng(13)
    y = rng.random((60, 4)) < [0.2, 0.4, 0.5, 0.1]
    s = rng.normal(size=(60, 4)) + y
    ev = rs.evaluate(y, s, labels=["dog", "rain", "car", "bell"])
    for average in ("macro", "weighted", "micro"):
        right = metrics.average_precision_score(y, s, average=average)
        assert ev.average_precision(average=average).value == pytest.approx(right, rel=1e-12)
        assert ev.roc_auc(average=average).value == pytest.approx(metrics.roc_auc_score(y, s, average=average))
    assert ev.one("rain").roc_auc().value == ev.roc_auc(average=None)[1].value
    recall = ev.measure("recall(threshold=0.5)").value
    assert recall == pytest.approx(metrics.recall_score(y, s >= 0.5, average="macro"))
    for refused in (ev.accuracy, ev.log_loss, ev.confusion_matrix, ev.kappa):
        with pytest.raises(errors.NotAvailableError, match="several labels"):
            refused()
    with pytest.raises(errors.OptionError, match="ovr"):
        ev.roc_auc(multi_class="ovo")


# -------------------------------------------------------------------------------------------------- curves


def test_the_macro_curve_has_the_mean_area():
    for seed in range(5):
        y, s = table(n=50, k=4, seed=seed)
        ev = rs.evaluate(y, s)
        curve = ev.curve("roc", average="macro")
        assert np.trapezoid(curve.tpr, curve.fpr) == pytest.approx(ev.roc_auc().value, rel=1e-12)
        assert curve.area() == pytest.approx(ev.roc_auc().value, rel=1e-15)
        assert (np.diff(curve.fpr) >= 0).all()
        assert (np.diff(curve.tpr) >= -1e-15).all()
        assert curve.to_frame().shape[0] == len(curve.fpr)
    assert ev.curve("roc").area() == ev.roc_auc(average="micro").value
    assert ev.curve("precision_recall", label=2).area() == ev.average_precision(average=None)[2].value
    with pytest.raises(errors.OptionError, match="micro"):
        ev.curve("precision_recall", average="macro")


# ---------------------------------------------------------------------------------------------- comparison


def test_compare_averages():
    y, s = table(n=150, seed=14, sep=1.5)
    worse = s + 1.5 * np.random.default_rng(2).normal(size=s.shape)
    a, b = rs.evaluate(y, s, name="new"), rs.evaluate(y, worse, name="old")
    for average, scheme in (("macro", "ovr"), ("weighted", "ovr"), ("macro", "ovo")):
        found = a.compare(b, average=average, multi_class=scheme)
        back = b.compare(a, average=average, multi_class=scheme)
        assert found.difference == pytest.approx(
            a.roc_auc(average=average, multi_class=scheme).value - b.roc_auc(average=average, multi_class=scheme).value
        )
        assert found.pvalue == pytest.approx(back.pvalue)
        assert found.interval.low == pytest.approx(-back.interval.high)
        assert found.pvalue < 0.01
        assert found.interval.low > 0
    same = a.compare(a)
    assert (same.difference, same.pvalue) == (0, 1)
    inverted = a.compare(b, method="mover")
    level = rs.evaluate(y, s).compare(b, confidence_level=1 - inverted.pvalue).interval
    assert abs(level.low) < 1e-6
    shuffled = rs.evaluate(y[::-1], s[::-1])
    with pytest.raises(errors.OptionError, match="same rows"):
        a.compare(shuffled)
    with pytest.raises(errors.NotAvailableError):
        a.compare(b, average="micro")


# -------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("kwargs", "error", "words"),
    [
        ({"pos_label": 1}, errors.OptionError, "each class"),
        ({"fold": [0, 1, 0, 1]}, errors.OptionError, "each class"),
        ({"higher_is_positive": False}, errors.OptionError, "each class"),
        ({"labels": [0, 1]}, errors.OptionError, "3 different labels"),
        ({"labels": [0, 1, 5]}, errors.OptionError, "all labels of y_true"),
        ({"sample_weight": [1, 1, 1]}, errors.LengthError, "sample_weight"),
    ],
)
def test_bad_options(kwargs, error, words):
    with pytest.raises(error, match=words):
        rs.evaluate([0, 1, 2, 0], np.eye(4)[:, :3], **kwargs)


def test_bad_input():
    s = np.eye(4)[:, :3]
    with pytest.raises(errors.OptionError, match="2 different ones"):
        rs.evaluate([0, 1, 1, 0], s)
    with pytest.raises(errors.MissingValueError):
        rs.evaluate([0, 1, 2, 0], np.where(s > 0, np.nan, s))
    assert rs.evaluate([0, 1, 2, 0], np.where([[0], [0], [0], [1]], np.nan, s), missing="drop").n_dropped == 1
    with pytest.raises(errors.ShapeError):
        rs.evaluate(np.eye(4), s)
    with pytest.raises(errors.DtypeError, match="0 and 1"):
        rs.evaluate(2 * np.eye(4)[:, :3], s)
    with pytest.raises(errors.UnknownNameError):
        rs.evaluate([0, 1, 2, 0], s).one(7)
    ev = rs.evaluate([0, 1, 2, 0], s)
    with pytest.raises(errors.UnknownNameError):
        ev.roc_auc(average="marco")
    with pytest.raises(errors.UnknownNameError):
        ev.measure("rock")


def test_columns_named_after_the_labels():
    import pandas as pd

    y, s = table(n=30, seed=1)
    names = np.array(["a", "b", "c"])
    frame = pd.DataFrame(s, columns=list(names))[["c", "a", "b"]]
    assert rs.evaluate(names[y], frame).roc_auc().value == rs.evaluate(y, s).roc_auc().value
    assert rs.evaluate(names[y], frame).classes == ("c", "a", "b")


def test_labels_in_another_order_than_the_named_columns_are_refused():
    import pandas as pd

    y, s = table(n=30, seed=1)
    names = np.array(["a", "b", "c"])
    frame = pd.DataFrame(s, columns=list(names))[["c", "a", "b"]]
    with pytest.raises(errors.OptionError, match="order of the columns") as refused:
        rs.evaluate(names[y], frame, labels=["a", "b", "c"])
    assert "['c', 'a', 'b']" in refused.value.hint
    members = pd.DataFrame(np.eye(3, dtype=int)[y], columns=list(names))
    with pytest.raises(errors.OptionError, match="order of the columns"):
        rs.evaluate(members, frame)
    right = rs.evaluate(members[["c", "a", "b"]], frame)
    assert right.roc_auc().value == rs.evaluate(names[y], frame).roc_auc().value


def test_functions_of_one_number_refuse_a_table():
    y, s = table(n=30, seed=1)
    for ask in (rs.roc_auc, rs.average_precision, rs.brier_score):
        with pytest.raises(errors.OptionError, match="one score a row"):
            ask(y, s)
    with pytest.raises(errors.OptionError, match="one score a row"):
        rs.bootstrap(y, s, "roc_auc", rng=0)
