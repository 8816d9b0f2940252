"""Many columns of scores at once are what each of them is alone, bit for bit."""

import numpy as np
import polars as pl
import pytest

import rocsolid as rs
from rocsolid import _kernel
from rocsolid.errors import (
    DtypeError,
    EmptyInputError,
    LengthError,
    MissingValueError,
    ShapeError,
    UndefinedMeasureError,
)

DTYPES = ["float16", "float32", "float64", "int8", "int64", "uint64", "bool", ">f8"]


def table(rng, n, k, dtype):
    scores = rng.integers(0, 2, (n, k)) if dtype == "bool" else rng.integers(0, 60, (n, k))
    return (scores / 4).astype(dtype) if dtype[-2] == "f" or dtype[0] == "f" else scores.astype(dtype)


def same(found, y, scores, **options):
    each = [rs.areas(y, scores[:, j], **options) for j in range(scores.shape[1])]
    assert isinstance(found, rs.ColumnAreas)
    assert found.roc_auc.tolist() == [a.roc_auc for a in each]
    assert found.average_precision.tolist() == [a.average_precision for a in each]
    assert not found.roc_auc.flags.writeable


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(10, 1), (200, 3), (1024, 40), (300_000, 2)])
def test_the_columns_of_a_table(dtype, shape):
    rng = np.random.default_rng(1)
    scores = table(rng, *shape, dtype)
    y = np.arange(shape[0]) % 3 == 0
    for one in (scores, np.asfortranarray(scores), table(rng, 2 * shape[0], 2 * shape[1], dtype)[::2, ::-2]):
        same(rs.areas(y, one, columns=True), y, one)


@pytest.mark.parametrize("threads", [1, 2, 3, 50])
def test_the_threads_leave_no_trace(threads):
    rng = np.random.default_rng(2)
    scores, y = rng.normal(size=(300, 33)), rng.integers(0, 2, 300, dtype=np.uint8)
    first = _kernel.areas_of_matrix(scores, y, 1)
    columns = [np.ascontiguousarray(scores[:, j]) for j in range(33)]
    for found in (
        _kernel.areas_of_matrix(scores, y, threads),
        _kernel.areas_of_matrix(np.asfortranarray(scores), y, threads),
        _kernel.areas_of_columns(columns, y, threads),
    ):
        assert found[0].tobytes() == first[0].tobytes()
        assert found[1].tobytes() == first[1].tobytes()
        assert found[2:] == first[2:] == (int(y.sum()), int(300 - y.sum()))


def test_lists_and_frames():
    y, rows = [0, 0, 1, 1], [[1, 1], [3, 2], [2, 3], [4, 4]]
    for scores in (rows, pl.DataFrame(rows, orient="row")):
        assert rs.areas(y, scores, columns=True).roc_auc.tolist() == [0.75, 1.0]


def test_a_mapping_of_any_dtypes():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 500)
    models = {dtype: table(rng, 500, 1, dtype)[:, 0] for dtype in DTYPES} | {"list": rng.random(500).tolist()}
    found = rs.areas(y, models)
    assert list(found) == list(models)
    assert found == {name: rs.areas(y, scores) for name, scores in models.items()}


def test_weights_and_labels():
    rng = np.random.default_rng(4)
    y, scores, weights = rng.choice(["no", "yes"], 200), rng.normal(size=(200, 3)), rng.random(200)
    options = {"sample_weight": weights, "pos_label": "yes"}
    same(rs.areas(y, scores, columns=True, **options), y, scores, **options)
    found = rs.areas(y, {"a": scores[:, 0], "b": scores[:, 1]}, **options)
    assert found == {name: rs.areas(y, scores[:, j], **options) for j, name in enumerate("ab")}


def test_errors_name_the_column():
    y, scores = np.array([0, 1, 0, 1]), np.arange(12.0).reshape(4, 3)
    scores[2, 1] = np.nan
    for one in (scores, np.asfortranarray(scores)):
        with pytest.raises(MissingValueError, match=r"y_score\[:, 1\]"):
            rs.areas(y, one, columns=True)
    with pytest.raises(MissingValueError, match=r"y_score\[:, 1\]"):
        rs.areas(y, pl.DataFrame({"a": [1, 2, 3, 4], "b": [1, None, 3, 4]}), columns=True)
    with pytest.raises(MissingValueError, match=r"y_score\['b'\]"):
        rs.areas(y, {"a": scores[:, 0], "b": scores[:, 1]})
    with pytest.raises(LengthError, match=r"y_score\['b'\]"):
        rs.areas(y, {"a": scores[:, 0], "b": [1, 2]})
    with pytest.raises(ShapeError, match=r"y_score\['b'\]"):
        rs.areas(y, {"a": scores[:, 0], "b": scores})
    with pytest.raises(DtypeError, match=r"y_score\['b'\]"):
        rs.areas(y, {"a": scores[:, 0], "b": list("abcd")})


def test_tables_that_are_none():
    y = [0, 1, 0, 1]
    with pytest.raises(EmptyInputError):
        rs.areas(y, {})
    with pytest.raises(EmptyInputError):
        rs.areas(y, np.empty((4, 0)), columns=True)
    with pytest.raises(ShapeError):
        rs.areas(y, [1, 2, 3, 4], columns=True)
    with pytest.raises(LengthError):
        rs.areas(y, np.zeros((3, 2)), columns=True)
    for scores, columns in ((np.zeros((4, 2)), True), ({"a": [1, 2, 3, 4]}, False)):
        with pytest.raises(UndefinedMeasureError, match="no positives"):
            rs.areas([0, 0, 0, 0], scores, columns=columns)


def test_the_kernel_refuses_what_it_can_not_read():
    y = np.zeros(4, np.uint8)
    assert _kernel.areas_of_columns([], y, 1)[2:] == (0, 0)
    for wrong in (np.zeros((4, 2), np.int32), np.zeros(4)):
        with pytest.raises(TypeError):
            _kernel.areas_of_matrix(wrong, y, 1)
    with pytest.raises(TypeError):
        _kernel.areas_of_columns([np.zeros(4), np.zeros(4, np.float32)], y, 1)
    for wrong in (np.zeros((8, 4))[::2, ::2], np.zeros((3, 2)), np.zeros((3, 2), order="F")):
        with pytest.raises(ValueError, match=r"contiguous|length"):
            _kernel.areas_of_matrix(wrong, y, 1)


def test_rows_of_weight_zero_are_absent_from_every_column():
    y, w = [0, 1, 0, 1, 1], [1, 2, 1, 3, 0]
    table = np.array([[1, 4], [2, 3], [3, 2], [4, 1], [np.nan, np.nan]])
    expected = [rs.areas(y[:4], table[:4, j], sample_weight=w[:4]) for j in (0, 1)]
    assert list(rs.areas(y, {"a": table[:, 0], "b": table[:, 1]}, sample_weight=w).values()) == expected
