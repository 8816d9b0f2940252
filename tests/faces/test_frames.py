"""Data frames: three libraries, nulls, big numbers, and what happens without a library."""

from __future__ import annotations

import decimal
import sys

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.errors import MissingDependencyError, UnknownNameError
from rocsolid.sources import frames

BACKENDS = ("pandas", "polars", "pyarrow")


def values(frame, name):
    """A column as Python values with None for missing ones."""
    if type(frame).__module__.startswith("pyarrow"):
        return frame.column(name).to_pylist()
    if type(frame).__module__.startswith("polars"):
        return frame[name].to_list()
    return [None if v is None or v != v else v for v in frame[name].tolist()]


@pytest.mark.parametrize("backend", BACKENDS)
def test_native_frame_with_all_columns(backend):
    frame = frames.build(
        {"a": np.array([1, 2], np.uint64), "b": [0.5, None], "c": ["x", None], "d": np.array([1.5, 2])}, backend
    )
    assert type(frame).__module__.split(".")[0] == backend
    assert values(frame, "a") == [1, 2]
    assert values(frame, "b") == [0.5, None]
    assert values(frame, "c") == ["x", None]
    assert values(frame, "d") == [1.5, 2.0]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", ["roc", "pr", "det"])
def test_curves_begin_without_a_threshold(backend, kind):
    frame = rs.evaluate([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8]).curve(kind).to_frame(backend)
    assert values(frame, "threshold") == [None, 0.8, 0.4, 0.35, 0.1]


def test_missing_threshold_is_a_null_and_not_a_nan():
    curve = rs.evaluate([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8]).curve("pr")
    assert curve.to_frame("pyarrow").column("threshold").null_count == 1
    assert curve.to_frame("polars")["precision"].null_count() == 1
    assert np.isnan(curve.to_frame("pandas")["threshold"].to_numpy()[0])


@pytest.mark.parametrize("backend", BACKENDS)
def test_whole_numbers_beyond_float_survive(backend):
    frame = rs.evaluate([0, 1], np.array([2**60, 2**60 + 1])).curve("roc").to_frame(backend)
    assert values(frame, "threshold")[-1] == 2**60


@pytest.mark.parametrize("backend", BACKENDS)
def test_whole_numbers_beyond_float_survive_beside_a_missing_one(backend):
    frame = frames.build({"t": [None, 2**60 + 1, 2**60], "small": [None, 1, 2]}, backend)
    assert values(frame, "t") == [None, 2**60 + 1, 2**60]
    assert values(frame, "small") == [None, 1, 2]
    curve = rs.evaluate([0, 1], np.array([2**60 + 1, 2**60 + 3])).curve("roc").to_frame(backend)
    assert values(curve, "threshold") == [None, 2**60 + 3, 2**60 + 1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_decimals_survive(backend):
    import pyarrow as pa

    scores = pa.array([decimal.Decimal("0.10"), decimal.Decimal("0.25")])
    frame = rs.Sweep.from_arrays([0, 1], scores).to_frame(backend)
    assert values(frame, "score") == [decimal.Decimal("0.25"), decimal.Decimal("0.10")]


@pytest.mark.parametrize("backend", BACKENDS)
def test_table_and_weighted_sweep(backend):
    y, s, w = [0, 1, 0, 1, 1, 0, 1, 0, 1, 0], np.arange(10.0), np.arange(1.0, 11)
    table = rs.evaluate(y, s).table(["roc_auc", "recall(threshold=3)"]).to_frame(backend)
    assert values(table, "measure") == ["roc_auc", "recall(threshold=3)"]
    assert len(values(rs.Sweep.from_arrays(y, s, sample_weight=w).to_frame(backend), "pos_weight")) == 10


def test_unknown_backend():
    with pytest.raises(UnknownNameError, match="did you mean 'polars'"):
        frames.build({"a": [1]}, "polar")


@pytest.mark.parametrize("backend", BACKENDS)
def test_absent_library(backend, monkeypatch):
    monkeypatch.setitem(sys.modules, backend, None)
    with pytest.raises(MissingDependencyError) as caught:
        frames.build({"a": [1]}, backend)
    assert caught.value.hint == f"pip install {backend}"
    assert caught.value.package == backend
