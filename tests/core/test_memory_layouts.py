"""Arrays that lie in memory in unusual ways: every one gives what its copy gives."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import rocsolid as rs
import rocsolid.sklearn as ours
from rocsolid import _kernel, errors

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")

Y = np.array([0, 1, 0, 1, 1, 0])
RNG = np.random.default_rng(4)


def packed(dtype: str, width: int, n: int = 6) -> np.ndarray:
    """A field of packed records: its rows are no whole items apart."""
    records = np.zeros(n, [("id", "u1"), ("it", dtype, (width,))])
    records["it"] = np.round(RNG.random((n, width)) * 5)
    return records["it"]


def unaligned(values: np.ndarray) -> np.ndarray:
    out = np.frombuffer(bytearray(values.nbytes + 1), values.dtype, offset=1, count=len(values))
    out[:] = values
    return out


def same(found, expected):
    for name in ("roc_auc", "average_precision"):
        assert np.array_equal(getattr(found, name), getattr(expected, name))


@pytest.mark.parametrize("weights", [None, np.array([1.0, 2, 0.5, 1, 1, 3])])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u2"])
def test_tables_of_packed_records(dtype, weights):
    table = packed(dtype, 3)
    assert not all(step % table.itemsize == 0 for step in table.strides)
    found = rs.areas(Y, table, columns=True, sample_weight=weights)
    same(found, rs.areas(Y, table.copy(), columns=True, sample_weight=weights))


@pytest.mark.parametrize("dtype", ["i4", "f8", "i8", "u2"])
def test_label_tables_of_packed_records(dtype):
    labels = packed(dtype, 2)
    labels[:] = (np.arange(12).reshape(6, 2) * 7) % 3 == 0
    labels[0], labels[1] = 0, 1
    scores = RNG.random((6, 2))
    found = rs.areas(labels, scores, columns=True)
    same(found, rs.areas(labels.copy(), scores, columns=True))


def test_tables_with_gaps_and_weights():
    wide, w = RNG.random((6, 6)), np.ones(6)
    for view in (wide[:, :3], wide[:, ::-1], wide[::-1, 1::2], wide.T[:, :6]):
        found = rs.areas(Y, view, columns=True, sample_weight=w)
        same(found, rs.areas(Y, view.copy(), columns=True, sample_weight=w))


def test_vectors_between_items():
    s, w = RNG.random(6), RNG.random(6)
    expected = rs.areas(Y, s, sample_weight=w)
    assert rs.areas(Y, unaligned(s)) == rs.areas(Y, s)
    assert rs.areas(unaligned(Y), unaligned(s), sample_weight=unaligned(w)) == expected
    assert rs.areas(Y, {"a": unaligned(s)}, sample_weight=unaligned(w))["a"] == expected
    assert rs.evaluate(unaligned(Y), unaligned(s)).roc_auc().value == rs.areas(Y, s).roc_auc
    assert ours.roc_auc_score(Y, unaligned(s), sample_weight=unaligned(w)) == expected.roc_auc
    assert np.array_equal(ours.roc_curve(unaligned(Y), unaligned(s))[0], ours.roc_curve(Y, s)[0])


def test_the_kernel_refuses_what_it_would_misread():
    table = packed("f8", 3)
    with pytest.raises(TypeError, match="whole items"):
        _kernel.areas_of_tables(table, Y[:, None], 1)
    with pytest.raises(TypeError, match="whole items"):
        _kernel.areas_of_tables(np.ones((6, 2)), packed("i8", 2), 1)
    with pytest.raises(TypeError, match="whole items"):
        _kernel.areas_of_matrix(table, Y.astype(np.uint8), 1)


def with_na(values):
    return [pd.NA if value is None else value for value in values]


@pytest.mark.parametrize("as_labels", [
    lambda v: pd.Series(v, dtype="string"), lambda v: pd.Series(v, dtype="string[pyarrow]"),
    lambda v: pd.Series(with_na(v), dtype=object), with_na,
])  # fmt: skip
def test_missing_text(as_labels):
    y, s = as_labels(["q", "p", "q", "p", None]), [0.1, 0.5, 0.4, 0.9, 0.3]
    with pytest.raises(errors.MissingValueError):
        rs.evaluate(y, s, pos_label="p")
    ev = rs.evaluate(y, s, pos_label="p", missing="drop")
    assert (ev.n_dropped, ev.roc_auc().value) == (1, 1.0)
    with pytest.raises(errors.MissingValueError):
        rs.evaluate([0, 1, 0, 1, 1], s, cluster=y)


def test_missing_decimals():
    from decimal import Decimal

    s = pd.Series([Decimal(1), None, Decimal(3), Decimal(2)], dtype=pd.ArrowDtype(pa.decimal128(10, 2)))
    assert rs.evaluate([0, 1, 1, 0], s, missing="drop").roc_auc().value == 1
    with pytest.raises(errors.DtypeError, match="found decimals"):
        rs.areas([0, 1, 1], [1, 2, 3], sample_weight=s.drop(1))


def test_one_class_with_weights_is_said():
    for w in ([1, 1, 1], None):
        with pytest.raises(errors.UndefinedMeasureError):
            rs.areas([0, 0, 0], [1, 2, 3], sample_weight=w)
    with pytest.raises(errors.UndefinedMeasureError):
        rs.areas([0, 1, 0], [1, 2, 3], sample_weight=[1, 0, 1])


def test_weights_that_can_not_be_held():
    y, s = [1, 1, 0, 0, 1], [1.0, 3, 2, 0, 2]
    with pytest.raises(errors.WeightError, match="beside the largest"):
        rs.areas(y, s, sample_weight=[1e-22, 3e-22, 1e300, 2e300, 2.2e-22])
    with pytest.raises(errors.WeightError, match="squared"):
        rs.evaluate(y, s, sample_weight=[1, 1, 1e-170, 1e-170, 1])
    assert rs.areas(y, s, sample_weight=[1, 1, 1e-170, 1e-170, 1]).roc_auc == 0.75
    for w in ([1e170] * 5, [1e-170] * 5):
        ev = rs.evaluate(y, s, sample_weight=w)
        assert ev.roc_auc().interval == rs.evaluate(y, s, sample_weight=[1] * 5).roc_auc().interval
        with pytest.raises(errors.OptionError, match="whose square"):
            ev.at(threshold=1.5)


def test_names_that_are_alike_as_text():
    with pytest.raises(errors.OptionError, match="differ as text"):
        rs.areas([0, 1], {1: [1, 2], "1": [2, 1]})


def test_labels_beyond_the_floats():
    with pytest.raises(errors.LabelCountError):
        rs.areas(np.array([2**53, 2**53 + 1, 0, 0]), [1.0, 2, 3, 0], pos_label=2.0**53)


def test_an_indicator_without_any_label():
    y, p = np.zeros((2, 3), int), [[0.2, 0.3, 0.5]] * 2
    assert ours.brier_score_loss(y, p) == pytest.approx(0.38)
    assert ours.log_loss(y, p) == 0


def test_scores_that_are_no_real_numbers():
    y, text, complex_ = [0, 1, 2, 1], np.array([["10", "9", "8"]] * 4), np.array([[0.1 + 1j, 0.2, 0.3]] * 4)
    for function, scores in (
        (ours.top_k_accuracy_score, text), (ours.top_k_accuracy_score, complex_),
        (ours.brier_score_loss, complex_), (ours.log_loss, complex_),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="real numbers"):
            function(y, scores)


def test_too_many_threads():
    with pytest.raises(errors.OptionError, match="65,536"):
        rs.set_num_threads(2**70)
