"""Everything that holds a column comes in with the same numbers; what can not be used is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocsolid as rs
from rocsolid import errors
from rocsolid.inputs.arrays import read_column

Y = [0, 0, 1, 1, 0, 1, 1, 0, 1, 0]
S = [0.125, 0.25, 0.375, 0.75, 0.5, 1.0, 0.625, 0.5, 0.25, 0.0]
FIRST = rs.areas(Y, S)


class OnlyArrowStream:
    """A column of a library that offers nothing but the Arrow PyCapsule interface."""

    def __init__(self, column):
        self._column = pa.chunked_array([column])

    def __arrow_c_stream__(self, requested_schema=None):
        return self._column.__arrow_c_stream__(requested_schema)


class OnlyArrowArray:
    def __init__(self, column):
        self._column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self._column.__arrow_c_array__(requested_schema)


class OnlyDlpack:
    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class OnlyArray:
    def __init__(self, array):
        self._array = array

    def __array__(self, dtype=None, copy=None):
        return self._array


class Tensor:
    """Behaves as a torch tensor that lives on a device and carries a gradient."""

    def __init__(self, array, dtype="torch.float32", stage=("grad", "device")):
        self._array, self.dtype, self._stage = array, dtype, stage

    def detach(self):
        return Tensor(self._array, self.dtype, tuple(s for s in self._stage if s != "grad"))

    def cpu(self):
        return Tensor(self._array, self.dtype, tuple(s for s in self._stage if s != "device"))

    def float(self):
        return Tensor(self._array, "torch.float32", self._stage)

    def numpy(self):
        if self._stage:
            raise RuntimeError("Can't call numpy() on a tensor that needs detach() and cpu()")
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self._array


COLUMNS = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "object": lambda v: np.array(v, object),
    "masked": np.ma.array,
    "strided": lambda v: np.repeat(np.array(v), 2)[::2],
    "read-only": lambda v: np.frombuffer(np.array(v, float).tobytes()),
    "byte-swapped": lambda v: np.array(v, ">f8"),
    "pandas": pd.Series,
    "pandas-index": pd.Index,
    "pandas-object": lambda v: pd.Series(v, dtype=object),
    "pandas-nullable": lambda v: pd.Series(v).convert_dtypes(),
    "pandas-arrow": lambda v: pd.Series(v, dtype="double[pyarrow]"),
    "pandas-array": pd.array,
    "pandas-shuffled-index": lambda v: pd.Series(v, index=range(len(v), 0, -1)),
    "polars": pl.Series,
    "pyarrow": pa.array,
    "pyarrow-chunked": lambda v: pa.chunked_array([v[:3], v[3:]]),
    "arrow-stream": lambda v: OnlyArrowStream(pa.array(v)),
    "arrow-array": lambda v: OnlyArrowArray(pa.array(v)),
    "dlpack": lambda v: OnlyDlpack(np.array(v)),
    "__array__": lambda v: OnlyArray(np.array(v)),
    "jax": jnp.array,
    "tensor": lambda v: Tensor(np.array(v, np.float32)),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_every_kind_of_column(kind):
    assert rs.areas(COLUMNS[kind](Y), COLUMNS[kind](S)) == FIRST
    assert rs.areas(Y, S, sample_weight=COLUMNS[kind]([1.0] * 10)) == FIRST


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series(Y, dtype="boolean"),
        pd.Series(Y, dtype="Int8"),
        pd.Series(Y, dtype=bool),
        pl.Series(Y).cast(pl.Boolean),
        pa.array([bool(v) for v in Y]),
        jnp.array(Y).astype(bool),
        np.array(Y, bool),
        [bool(v) for v in Y],
        [np.bool_(v) for v in Y],
        [Fraction(v) for v in Y],
    ],
)
def test_boolean_and_whole_number_labels(labels):
    assert rs.areas(labels, S) == FIRST


@pytest.mark.parametrize(
    "labels",
    [
        ["yes" if v else "no" for v in Y],
        np.array(["yes" if v else "no" for v in Y]),
        pd.Series(["yes" if v else "no" for v in Y]),
        pd.Series(["yes" if v else "no" for v in Y], dtype="category"),
        pd.Series(["yes" if v else "no" for v in Y], dtype="string"),
        pd.Categorical(["yes" if v else "no" for v in Y]),
        pl.Series(["yes" if v else "no" for v in Y]),
        pl.Series(["yes" if v else "no" for v in Y], dtype=pl.Categorical),
        pl.Series(["yes" if v else "no" for v in Y], dtype=pl.Enum(["yes", "no"])),
        pa.array(["yes" if v else "no" for v in Y]).dictionary_encode(),
    ],
)
def test_text_and_categories(labels):
    with pytest.raises(errors.PositiveLabelError, match="'no', 'yes'"):
        rs.areas(labels, S)
    assert rs.areas(labels, S, pos_label="yes") == FIRST


def test_categories_of_numbers():
    assert rs.areas(pd.Series(Y, dtype="category"), S) == FIRST


def test_frames_of_two_columns():
    table = {"no": [1 - v for v in S], "yes": S}
    for frame in (pd.DataFrame(table), pl.DataFrame(table), pa.table(table), list(zip(*table.values(), strict=True))):
        assert rs.areas(Y, frame) == FIRST
    for frame in (pd.DataFrame({"s": S}), pl.DataFrame({"s": S}), [[v] for v in S]):
        with pytest.raises(errors.ShapeError):
            rs.areas(Y, frame)


def test_large_whole_numbers_stay_apart():
    for kind in (list, np.array, pd.Series, pl.Series, pa.array, lambda v: pd.Series(v, dtype="Int64")):
        assert rs.areas([0, 1], kind([2**60, 2**60 + 1])).roc_auc == 1.0
        assert rs.areas([1, 0], kind([2**60, 2**60 + 1])).roc_auc == 0.0
    assert rs.areas([0, 1], [2**63, 2**63 + 1]).roc_auc == 1.0
    nulls = pd.Series([2**60, 2**60 + 1, None], dtype="Int64")
    found = rs.evaluate([0, 1, 1], nulls, missing="drop")
    assert found.sweep.scores.tolist() == [2**60 + 1, 2**60]
    thresholds = found.curve("roc").thresholds
    assert thresholds.tolist() == [None, 2**60 + 1, 2**60]
    assert found.at(threshold=2**60 + 1).tp == 1
    assert found.at(threshold=float(2**60)).tp == 1


@pytest.mark.parametrize(
    "scores",
    [[2**60 + 1, 0.5], [2**64, 1], [-1, 2**63], pd.Series([2**60 + 1, 0.5], dtype=object)],
)
def test_numbers_that_no_dtype_holds_are_refused(scores):
    with pytest.raises(errors.PrecisionError):
        rs.areas([0, 1], scores)


def test_decimals():
    close = [Decimal("0.1"), Decimal("0.1000000000000000000000000001")]
    assert rs.areas([0, 1], pa.array(close, pa.decimal128(38, 30))).roc_auc == 1.0
    assert rs.areas([0, 1], pl.Series([Decimal("1.5"), Decimal("2.5")])).roc_auc == 1.0
    with pytest.raises(errors.DtypeError, match="decimal128"):
        rs.areas([0, 1], close)
    with pytest.raises(errors.DtypeError, match="decimal128"):
        rs.areas([0, 1], np.array(close))


def test_bfloat16_is_the_float32_it_stands_for():
    scores = jnp.array(S).astype(jnp.bfloat16)
    assert rs.areas(Y, scores) == FIRST
    assert rs.Sweep.from_arrays(Y, scores).scores.dtype == np.float32
    assert rs.areas(Y, Tensor(np.array(S, np.float32), "torch.bfloat16")) == FIRST


MISSING = {
    "nan": [0.1, np.nan, 0.3],
    "none": [0.1, None, 0.3],
    "masked": np.ma.array([0.1, 9, 0.3], mask=[0, 1, 0]),
    "pandas": pd.Series([0.1, None, 0.3]),
    "pandas-nullable": pd.Series([0.1, None, 0.3], dtype="Float64"),
    "pandas-int": pd.Series([1, None, 3], dtype="Int64"),
    "pandas-object": pd.Series([0.1, pd.NA, 0.3], dtype=object),
    "polars-null": pl.Series([0.1, None, 0.3]),
    "polars-nan": pl.Series([0.1, float("nan"), 0.3]),
    "pyarrow": pa.array([0.1, None, 0.3]),
    "float32": np.array([0.1, np.nan, 0.3], "f4"),
}


@pytest.mark.parametrize("kind", MISSING)
def test_missing_scores(kind):
    with pytest.raises(errors.MissingValueError, match=r"y_score.*1 NaN or null among 3 rows, at row 1") as caught:
        rs.evaluate([0, 1, 1], MISSING[kind])
    assert (caught.value.count, caught.value.positions, caught.value.n) == (1, [1], 3)
    ev = rs.evaluate([0, 1, 1], MISSING[kind], missing="drop")
    assert (ev.n_dropped, ev.sweep.n_pos, ev.sweep.n_neg) == (1, 1, 1)


@pytest.mark.parametrize(
    "labels",
    [
        [0, None, 1],
        [0.0, float("nan"), 1.0],
        pd.Series([0, None, 1], dtype="Int8"),
        pd.Series([False, None, True], dtype="boolean"),
        pd.Series([False, None, True]),
        pl.Series([False, None, True]),
        pa.array([0, None, 1]),
        np.ma.array([0, 1, 1], mask=[0, 1, 0]),
    ],
)
def test_missing_labels_never_become_negatives(labels):
    with pytest.raises(errors.MissingValueError, match="y_true"):
        rs.evaluate(labels, [0.1, 0.2, 0.3])
    ev = rs.evaluate(labels, [0.1, 0.2, 0.3], missing="drop")
    assert (ev.n_dropped, ev.sweep.n_pos, ev.sweep.n_neg) == (1, 1, 1)
    assert "dropped" in [n.code for n in ev.measure("recall(threshold=0.2)").notes]


def test_missing_text_labels():
    for labels in (
        ["a", None, "b"],
        pd.Series(["a", None, "b"]),
        pl.Series(["a", None, "b"]),
        pd.Categorical(["a", None, "b"]),
    ):
        with pytest.raises(errors.MissingValueError):
            rs.evaluate(labels, [1, 2, 3], pos_label="b")
        assert rs.evaluate(labels, [1, 2, 3], pos_label="b", missing="drop").n_dropped == 1


@pytest.mark.parametrize(
    "column",
    [
        np.array([1 + 2j, 0]),
        np.array(["2020-01-01", "2020-01-02"], "M8[D]"),
        np.array([1, 2], "m8[s]"),
        np.array([(1, 2.0), (3, 4.0)], dtype=[("a", int), ("b", float)]),
        np.array([1, 2], np.longdouble),
        pd.Series(pd.to_datetime(["2020-01-01", "2020-01-02"])),
        pl.Series([1, 2]).cast(pl.Datetime),
        ["a", "b"],
        np.array(["0.1", "0.2"]),
        pd.Series(["0.1", "0.2"]),
        [1 + 2j, 3],
        "ab",
        b"ab",
        {"a": 1, "b": 2},
        {1, 2},
        iter([1, 2]),
        (v for v in (1, 2)),
        5,
        5.0,
        None,
        object(),
        pl.LazyFrame({"a": [1, 2]}),
    ],
    ids=lambda c: type(c).__name__,
)
def test_columns_that_are_none(column):
    with pytest.raises(errors.InputError) as caught:
        rs.evaluate([0, 1], column)
    assert caught.value.hint
    assert "y_score" in str(caught.value)


def test_numpy_is_not_copied():
    s = np.arange(4.0)
    assert read_column(s, "y_score").values is s


def test_no_library_is_imported_for_numpy_or_lists():
    import subprocess
    import sys

    code = (
        "import sys, numpy as np, rocsolid as rs;"
        "rs.areas([0, 1], [0.1, 0.2]); rs.evaluate(np.array([0, 1]), np.array([1, 2])).sweep;"
        "print([m for m in ('narwhals', 'pandas', 'polars', 'pyarrow', 'scipy', 'jax', 'torch') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
