"""What rocsolid.sklearn does with odd input, and where it differs from scikit-learn on purpose."""

from __future__ import annotations

import doctest
import importlib
import inspect
import math
import pkgutil
import subprocess
import sys
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.metrics as theirs
from sklearn.exceptions import UndefinedMetricWarning

import rocsolid as rs
import rocsolid.sklearn as ours

Y = np.array([0, 0, 1, 1])
S = np.array([0.1, 0.4, 0.35, 0.8])
CURVES = ("confusion_matrix_at_thresholds", "roc_curve", "precision_recall_curve", "det_curve")
BINARY = (*CURVES, "roc_auc_score", "average_precision_score")


def call(module, name, *args, **named):
    return getattr(module, name)(*args, **named)


# --------------------------------------------------------------------------------------------- the surface


@pytest.mark.parametrize("name", ours.__all__)
def test_signatures_are_the_same(name):
    mine, other = inspect.signature(getattr(ours, name)), inspect.signature(getattr(theirs, name))
    shape = [(p.name, p.kind, p.default) for p in mine.parameters.values()]
    assert shape == [(p.name, p.kind, p.default) for p in other.parameters.values()]


@pytest.mark.parametrize("name", ours.__all__)
def test_docstrings_make_the_promises(name):
    text = inspect.getdoc(getattr(ours, name))
    for promise in ("Parameters", "Returns", "Raises", "Notes", "Examples"):
        assert f"\n{promise}\n---" in text, promise


@pytest.mark.parametrize("name", [m.name for m in pkgutil.walk_packages(ours.__path__, "rocsolid.sklearn.")])
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_scikit_learn_is_neither_imported_nor_needed():
    code = (
        "import sys, rocsolid.sklearn as m\n"
        "m.roc_auc_score([0, 1], [0.1, 0.9]); m.roc_curve([0, 1], [0.1, 0.9]); m.log_loss([0, 1], [0.1, 0.9])\n"
        "assert not {'sklearn', 'scipy', 'pandas', 'narwhals'} & set(sys.modules), 'too much is imported'\n"
        "sys.modules['sklearn'] = None\n"
        "import warnings\n"
        "with warnings.catch_warnings(record=True) as w:\n"
        "    warnings.simplefilter('always')\n"
        "    print(m.roc_auc_score([1, 1], [0.1, 0.9]), w[0].category.__name__, w[0].filename)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "nan RocsolidWarning <string>\n"


# ------------------------------------------------------------------------------------------- columns of all kinds


class Tensor:
    """As much of a torch tensor as is needed to read one."""

    def __init__(self, values):
        self.values, self.dtype, self.shape = np.asarray(values), "torch.float32", np.shape(values)

    def __len__(self):
        return len(self.values)

    def detach(self):
        return self

    def cpu(self):
        return self

    def numpy(self):
        return self.values


CONTAINERS = {
    "list": list, "tuple": tuple, "pandas": pd.Series, "nullable": lambda v: pd.Series(v).convert_dtypes(),
    "polars": pl.Series, "arrow": pa.array, "chunked": lambda v: pa.chunked_array([v]), "tensor": Tensor,
    "index": pd.Index, "column": lambda v: np.asarray(v)[:, None], "frame": lambda v: pd.DataFrame({"a": v}),
    "strided": lambda v: np.repeat(v, 2)[::2], "read-only": lambda v: np.frombuffer(np.asarray(v).tobytes(), v.dtype),
    "swapped": lambda v: v.astype(v.dtype.newbyteorder()),
}  # fmt: skip


@pytest.mark.parametrize("kind", CONTAINERS)
@pytest.mark.parametrize("name", BINARY)
def test_columns_of_every_kind(name, kind):
    make = CONTAINERS[kind]
    value, expected = (
        call(ours, name, make(Y), make(S), sample_weight=make(S + 1)),
        call(ours, name, Y, S, sample_weight=S + 1),
    )
    np.testing.assert_array_equal(np.asarray(value[-1] if isinstance(value, tuple) else value),
                                  np.asarray(expected[-1] if isinstance(expected, tuple) else expected))  # fmt: skip


@pytest.mark.parametrize("kind", ["list", "pandas", "polars"])
def test_tables_of_classes(kind):
    p = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6], [0.4, 0.4, 0.2]])
    table = {"list": p.tolist(), "pandas": pd.DataFrame(p), "polars": pl.DataFrame(p)}[kind]
    labels = pd.Series(["x", "y", "z", "y"])
    assert ours.roc_auc_score(labels, table, multi_class="ovr") == theirs.roc_auc_score(labels, p, multi_class="ovr")
    assert math.isclose(ours.log_loss(labels, table), theirs.log_loss(labels, p))


# ----------------------------------------------------------------------------------------- undefined and refused


@pytest.mark.parametrize("label", [0, 1, -1, 7, "a"])
def test_one_class(label):
    y = [label] * 4
    with pytest.warns(UndefinedMetricWarning, match="Only one class"):
        assert math.isnan(ours.roc_auc_score(y, S))


def test_labels_that_nobody_has():
    """scikit-learn gives 0 without a warning where all shares are zero, so we do."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("roc_auc_score", "average_precision_score"):
            for module in (theirs, ours):
                assert call(module, name, np.zeros((3, 2), int), np.eye(3)[:, :2], average="weighted") == 0


def test_warnings_point_at_the_caller():
    with pytest.warns(UndefinedMetricWarning) as caught:
        values = ours.roc_auc_score([1, 1], [0.1, 0.2]), ours.roc_auc_score([[1, 0], [1, 1]], [[1, 0], [1, 0]])
    assert np.isnan(values).all()
    assert [w.filename for w in caught] == [__file__] * 2


BAD_INPUT = {
    "NaN score": (Y, [0.1, np.nan, 0.2, 0.3]),
    "null score": (Y, [0.1, None, 0.2, 0.3]),
    "nullable score": (Y, pd.Series([1, None, 2, 3], dtype="Int64")),
    "NaN label": ([0, 1, np.nan, 1], S),
    "lengths": (Y, S[:3]),
    "empty": ([], []),
    "text scores": (Y, ["a", "b", "c", "d"]),
    "complex": (Y, S + 1j),
    "three classes": ([0, 1, 2, 1], S),
    "fractions as labels": ([0.5, 1, 0.5, 1], S),
    "bytes": ([b"a", b"b", b"a", b"b"], S),
    "objects": (np.array([0, 1, 1, 0], object), S),
    "two columns": (Y, np.stack([S, S], axis=1)),
    "no array": (1, S),
    "nothing": (Y, None),
    "text": ("0110", S),
    "generator": (iter([0, 1]), S),
}


@pytest.mark.parametrize("case", BAD_INPUT)
@pytest.mark.parametrize("name", BINARY)
def test_bad_input_is_refused_by_both(name, case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((ValueError, TypeError, IndexError)):
            call(theirs, name, *BAD_INPUT[case])
    with pytest.raises((ValueError, TypeError)) as caught:
        call(ours, name, *BAD_INPUT[case])
    assert isinstance(caught.value, rs.RocsolidError)


@pytest.mark.parametrize("weights", [[1, 2], [np.nan, 1, 1, 1], [np.inf, 1, 1, 1], [0, 0, 0, 0], 3, "a", ["a"] * 4])
@pytest.mark.parametrize("name", [*BINARY, "brier_score_loss", "log_loss"])
def test_bad_weights_are_refused_by_both(name, weights):
    for module in (theirs, ours):
        with pytest.raises((ValueError, TypeError)):
            call(module, name, Y, S, sample_weight=weights)


OPTIONS = [
    ("roc_auc_score", {"average": "mean"}), ("roc_auc_score", {"max_fpr": 0}), ("roc_auc_score", {"max_fpr": 1.5}),
    ("roc_auc_score", {"multi_class": "all"}), ("roc_auc_score", {"labels": 3}), ("roc_curve", {"pos_label": [1]}),
    ("roc_curve", {"drop_intermediate": 1}), ("average_precision_score", {"pos_label": None}),
    ("average_precision_score", {"pos_label": 5}), ("det_curve", {"drop_intermediate": None}),
    ("brier_score_loss", {"scale_by_half": 2}), ("log_loss", {"normalize": "no"}), ("top_k_accuracy_score", {"k": 0}),
    ("top_k_accuracy_score", {"k": 1.5}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_bad_options_are_refused_by_both(name, options):
    for module in (theirs, ours):
        with pytest.raises(ValueError, match=r".") as caught:
            call(module, name, Y, S, **options)
        assert isinstance(caught.value, TypeError) or options == {"pos_label": 5}


@pytest.mark.parametrize(
    "bad", [[-0.1, 0.5, 0.5, 0.5], [0.1, 0.5, 0.5, 1.1], [0.1, np.nan, 0.5, 0.5], [np.inf, 0, 1, 0]]
)
@pytest.mark.parametrize("name", ["brier_score_loss", "log_loss"])
def test_probabilities_are_checked(name, bad):
    for module in (theirs, ours):
        with pytest.raises(ValueError, match="contains"):
            call(module, name, Y, bad)


def test_old_names_and_places():
    with pytest.warns(FutureWarning):
        assert ours.log_loss(Y, y_pred=S) == ours.log_loss(Y, S)
    with pytest.warns(FutureWarning):
        late = ours.confusion_matrix_at_thresholds(Y, S, 1)
    np.testing.assert_array_equal(late[1], ours.confusion_matrix_at_thresholds(Y, S)[1])


# ---------------------------------------------------------------------------------- different on purpose


def test_areas_are_rounded_once():
    """Fractions say what is right; scikit-learn's sums of rounded steps may miss it by some last places."""
    rng = np.random.default_rng(3)
    for n in (7, 60, 500):
        y, s = rng.integers(0, 2, n), rng.integers(0, n // 2, n)
        y[:2] = 0, 1
        pairs = Fraction(0)
        for a in s[y == 1]:
            pairs += int((s[y == 0] < a).sum()) + Fraction(int((s[y == 0] == a).sum()), 2)
        assert ours.roc_auc_score(y, s) == float(pairs / (int(y.sum()) * int((1 - y).sum())))


def test_weights_add_up_exactly():
    """One huge weight and many small ones: in float64 order decides what is left of them."""
    n = 1000
    y = np.tile([0, 1], n)
    s = np.arange(2 * n, dtype=float)
    weights = np.r_[2.0**60, np.ones(2 * n - 1)]
    fps = ours.confusion_matrix_at_thresholds(y, s, sample_weight=weights)[1]
    assert fps[-2] == n - 1
    assert fps[-1] == float(2**60 + n - 1)
    order = np.random.default_rng(0).permutation(2 * n)
    assert ours.roc_auc_score(y, s, sample_weight=weights) == ours.roc_auc_score(
        y[order], s[order], sample_weight=weights[order]
    )


def test_equal_weights_leave_no_rounding_points():
    """Equal weights are no weights: the same corners; scikit-learn keeps some whose steps differ by rounding."""
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, 300), rng.random(300)
    plain, weighted = ours.roc_curve(y, s), ours.roc_curve(y, s, sample_weight=np.full(300, 0.1))
    np.testing.assert_array_equal(plain[2], weighted[2])
    assert len(theirs.roc_curve(y, s, sample_weight=np.full(300, 0.1))[2]) > len(plain[2])


def test_infinite_scores_are_ordered():
    y, s = [0, 1, 0, 1], [-np.inf, 0.0, 0.5, np.inf]
    assert ours.roc_auc_score(y, s) == ours.roc_auc_score(y, [1, 2, 3, 4]) == 0.75
    assert ours.average_precision_score(y, s) == ours.average_precision_score(y, [1, 2, 3, 4])
    assert ours.precision_recall_curve(y, s)[2].tolist() == [-np.inf, 0.0, 0.5, np.inf]
    fpr, tpr, thresholds = ours.roc_curve(y, s)
    assert thresholds.tolist() == [np.inf, np.inf, 0.5, 0.0, -np.inf]
    assert (fpr[:2].tolist(), tpr[:2].tolist()) == ([0, 0], [0, 0.5])


def test_low_precision_probabilities_are_summed_in_float64():
    p = np.linspace(0.01, 0.99, 999, dtype=np.float16)
    y = np.arange(999) % 2
    exact = np.mean((p.astype(float) - y) ** 2)
    assert math.isclose(ours.brier_score_loss(y, p), exact, rel_tol=1e-12)
    assert math.isclose(ours.log_loss(y, p), theirs.log_loss(y, p.astype(float)), rel_tol=1e-3)


def test_shapes_of_labels_and_scores_must_agree():
    y = np.array([[0, 1, 1], [1, 0, 1], [0, 0, 0]])
    with pytest.raises(ValueError, match="shape"):
        ours.roc_auc_score(y, np.zeros((3, 2)))


# ------------------------------------------------------------------------------------------- exact orders


@pytest.mark.parametrize("scores", [
    np.array([2**60, 2**60 + 1, 2**60 + 2]), np.array([2**63, 2**63 + 1, 2**63 + 2], np.uint64),
    np.array([1.0, np.nextafter(1, 2), 2.0]), np.array([0, 5e-324, 1e-323]),
    np.array(["2020-01-01", "2020-01-02", "2020-01-03"], "M8[D]"), np.array([1, 2, 3], "g") + np.finfo("g").eps,
])  # fmt: skip
def test_neighbours_stay_apart(scores):
    assert ours.roc_auc_score([0, 0, 1], scores) == 1.0
    assert ours.precision_recall_curve([0, 0, 1], scores)[2].dtype == scores.dtype
    assert (ours.precision_recall_curve([0, 0, 1], scores)[2] == scores).all()


def test_both_zeros_are_one_score():
    assert ours.roc_auc_score([0, 1], [-0.0, 0.0]) == 0.5


def test_rows_of_weight_zero_are_absent_from_averages_by_rows():
    labels = np.array([[1, 0, 0], [1, 1, 1], [0, 1, 0]])  # the second row has no area
    scores = np.array([[0.9, 0.2, 0.3], [0.1, 0.2, 0.3], [0.5, 0.4, 0.1]])
    weights = np.array([1.0, 0.0, 3.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        found = [m.roc_auc_score(labels, scores, average="samples", sample_weight=weights) for m in (ours, theirs)]
    assert found == [(1 * 1 + 3 * 0.5) / 4] * 2
