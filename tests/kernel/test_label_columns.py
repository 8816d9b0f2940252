"""Many columns of labels at once are what each is alone, bit for bit, in any layout; so are scores in any layout."""

import numpy as np
import polars as pl
import pytest

import rocsolid as rs
from rocsolid import _kernel
from rocsolid.errors import (
    EmptyInputError,
    LabelCountError,
    LengthError,
    MissingValueError,
    PositiveLabelError,
    ShapeError,
    UndefinedMeasureError,
)

LABELS = ["bool", "int8", "uint8", "int32", "int64", "uint64", "float32", "float64"]


def layouts(table):
    wide = np.zeros((2 * len(table), 3 * table.shape[1]), table.dtype)
    wide[::2, ::-3] = table
    return (table, np.asfortranarray(table), wide[::2, ::-3])


def same(found, y, scores, **options):
    each = [rs.areas(y[:, j], scores[:, j % scores.shape[1]], **options) for j in range(y.shape[1])]
    assert isinstance(found, rs.ColumnAreas)
    assert found.roc_auc.tolist() == [a.roc_auc for a in each]
    assert found.average_precision.tolist() == [a.average_precision for a in each]


@pytest.mark.parametrize("dtype", LABELS)
@pytest.mark.parametrize("shape", [(10, 1), (300, 3), (1024, 40)])
def test_a_column_of_scores_a_column_of_labels(dtype, shape):
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 2, shape)
    labels[:2] = [[0], [1]]
    for y in layouts(labels.astype(dtype)):
        for scores in layouts(rng.integers(0, 90, shape).astype(rng.choice(["f4", "f8", "i8", "u8", "i2"]))):
            same(rs.areas(y, scores, columns=True), y, scores)


@pytest.mark.parametrize("scores", [np.arange(90) % 7, (np.arange(90.0) % 11)[:, None]])
def test_one_column_of_scores_for_all(scores):
    y = np.random.default_rng(6).integers(0, 2, (90, 9)) * 2 - 1
    same(rs.areas(y, scores, columns=True), y, scores.reshape(90, 1))


@pytest.mark.parametrize("threads", [1, 2, 3, 50])
def test_the_threads_leave_no_trace(threads):
    rng = np.random.default_rng(7)
    scores, y = rng.normal(size=(700, 33)), rng.integers(0, 2, (700, 33))
    first = _kernel.areas_of_tables(scores, y, 1)
    found = _kernel.areas_of_tables(scores[::1], np.asfortranarray(y), threads)
    assert [a.tobytes() for a in found] == [a.tobytes() for a in first]


def test_weights_and_other_labels():
    rng = np.random.default_rng(8)
    y, scores, weights = rng.choice(["no", "yes"], (200, 3)), rng.normal(size=(200, 3)), rng.random(200)
    same(rs.areas(y, scores, columns=True, pos_label="yes"), y, scores, pos_label="yes")
    same(rs.areas(y == "yes", scores, columns=True, sample_weight=weights), y == "yes", scores, sample_weight=weights)
    options = {"pos_label": "no", "sample_weight": weights}
    same(rs.areas(y, scores[:, 0], columns=True, **options), y, scores[:, :1], **options)


def test_lists_and_frames():
    y, s = [[0, 1], [0, 0], [1, 0], [1, 1]], [0.1, 0.4, 0.35, 0.8]
    for labels in (y, pl.DataFrame(y, orient="row"), np.array(y, "O")):
        assert rs.areas(labels, s, columns=True).roc_auc.tolist() == [0.75, 0.5]


def test_errors_name_the_column():
    y, s = np.array([[0, 1], [1, 0], [0, 1]]), np.arange(6.0).reshape(3, 2)
    with pytest.raises(UndefinedMeasureError, match=r"column 1.*no negatives"):
        rs.areas(np.where([[True, False]], y, 1), s, columns=True)
    with pytest.raises(LabelCountError) as caught:
        rs.areas(np.where([[True, False]], y, [[0], [1], [2]]), s, columns=True)
    assert caught.value.__notes__ == ["This is about column 1 of y_true."]
    with pytest.raises(PositiveLabelError):
        rs.areas(y + 1, s, columns=True)
    s[2, 1] = np.nan
    with pytest.raises(MissingValueError) as caught:
        rs.areas(y, s, columns=True)
    assert caught.value.__notes__ == ["This is about column 1 of y_true."]
    with pytest.raises(MissingValueError, match=r"y_true\[:, 1\]"):
        rs.areas(pl.DataFrame({"a": [0, 1, 0], "b": [1, None, 0]}), [1, 2, 3], columns=True)


def test_tables_that_do_not_fit():
    y = np.array([[0, 1], [1, 0], [0, 1]])
    with pytest.raises(LengthError):
        rs.areas(y, [1, 2], columns=True)
    with pytest.raises(ShapeError, match="y_score"):
        rs.areas(y, np.zeros((3, 3)), columns=True)
    with pytest.raises(EmptyInputError):
        rs.areas(y[:, :0], [1, 2, 3], columns=True)
    assert _kernel.areas_of_tables(np.zeros((3, 2)), y + 1, 1) is None
    assert _kernel.areas_of_tables(np.zeros((3, 2)), y.astype("O"), 1) is None
    with pytest.raises(TypeError):
        _kernel.areas_of_tables(np.zeros(3), y, 1)
    with pytest.raises(ValueError, match="length"):
        _kernel.areas_of_tables(np.zeros((4, 2)), y, 1)
