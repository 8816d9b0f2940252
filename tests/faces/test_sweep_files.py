"""Sweeps in files come back equal; anything else in a file is named for what it is."""

from __future__ import annotations

import decimal
import json
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from face_helpers import no_leftovers
from hypothesis import given
from hypothesis import strategies as st

from rocsolid import Sweep
from rocsolid.errors import MissingDependencyError, OptionError, SourceError
from rocsolid.sources import arrow

ENDINGS = (".sweep", ".parquet", ".arrow")
DTYPES = (
    "float16",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bool",
)


def round_trip(sweep, folder, ending):
    path = folder / f"sweep{ending}"
    sweep.save(path)
    assert no_leftovers(folder)
    return Sweep.load(path)


def same(a, b):
    return a == b and a.scores.dtype == b.scores.dtype and type(a.pos_label) is type(b.pos_label)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("higher", [True, False])
def test_every_dtype(dtype, ending, higher, tmp_path):
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 2 if dtype == "bool" else 90, 60).astype(dtype)
    sweep = Sweep.from_arrays(rng.integers(0, 2, 60), scores, higher_is_positive=higher)
    assert same(round_trip(sweep, tmp_path, ending), sweep)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "scores", [[np.inf, 5e-324, -0.0, -np.inf], [2**60, 2**60 + 1, -(2**63), 2**63 - 1], [0, 2**64 - 1, 5, 7]]
)
def test_extreme_scores(scores, ending, tmp_path):
    sweep = Sweep.from_arrays([0, 1, 1, 0], scores)
    assert same(round_trip(sweep, tmp_path, ending), sweep)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "texts", [["0.10", "0.25", "12345678901234567890123456.789"], ["1E+5", "-3", "1E-20"], ["9" * 60, "1", "0"]]
)
def test_decimals(texts, ending, tmp_path):
    values = [decimal.Decimal(t) for t in texts]
    scores = np.empty(3, object)
    scores[:] = sorted(values, reverse=True)
    sweep = Sweep(scores, np.array([1, 0, 2], np.uint64), np.array([0, 1, 1], np.uint64))
    assert same(round_trip(sweep, tmp_path, ending), sweep)


@pytest.mark.parametrize("label", ["yes", "", '"中文"\n', 0, 1, -(2**70), True, False, 1.0, 0.5, None])
def test_positive_label_keeps_its_type(label, tmp_path):
    sweep = Sweep(np.array([2.0, 1.0]), np.array([1, 0], np.uint64), np.array([0, 1], np.uint64), pos_label=label)
    back = round_trip(sweep, tmp_path, ".parquet")
    assert same(back, sweep)
    assert back.pos_label == label


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("scale", [1.0, 2.0**600, 2.0**-600])
def test_weights_with_all_components(scale, ending, tmp_path):
    rng = np.random.default_rng(1)
    y, s, w = rng.integers(0, 2, 300), rng.integers(0, 20, 300), rng.random(300) * 10.0 ** rng.integers(-9, 9, 300)
    sweep = Sweep.from_arrays(y, s, sample_weight=w * scale)
    assert sweep.weights is not None
    back = round_trip(sweep, tmp_path, ending)
    assert same(back, sweep)
    assert back + back == sweep + sweep


@given(
    rows=st.lists(
        st.tuples(
            st.floats(allow_nan=False, width=32), st.integers(1, 2**40), st.integers(0, 2**40), st.floats(0.5, 1e6)
        ),
        min_size=1, max_size=12,
    ),
    higher=st.booleans(), ending=st.sampled_from(ENDINGS), weighted=st.booleans(),
)  # fmt: skip
def test_any_sweep(tmp_path_factory, rows, higher, ending, weighted):
    scores, pos, neg, weight = zip(*rows, strict=True)
    if weighted:
        y = [i % 2 for i in range(len(rows))]
        sweep = Sweep.from_arrays(y, np.float32(scores), sample_weight=weight, higher_is_positive=higher)
    else:
        sweep = Sweep.from_counts(np.float32(scores), pos, neg, higher_is_positive=higher)
    assert same(round_trip(sweep, tmp_path_factory.mktemp("any"), ending), sweep)


def test_file_says_what_it_is(tmp_path):
    path = tmp_path / "s.parquet"
    Sweep.from_arrays([0, 1], [0.25, 0.5], higher_is_positive=False).save(path)
    schema = pq.read_schema(path)
    facts = json.loads(schema.metadata[b"rocsolid"])
    assert facts == {
        "format": "rocsolid-sweep",
        "version": 1,
        "higher_is_positive": False,
        "pos_label": 1,
        "weight_exponent": None,
    }
    assert schema.names == ["score", "pos", "neg"]


# ---------------------------------------------------------------------------------------------- problems


def code_of(path):
    with pytest.raises(SourceError) as caught:
        arrow.load(path)
    assert caught.value.hint
    return caught.value.code


@pytest.fixture
def sweep():
    return Sweep.from_arrays([0, 1, 1], [0.25, 0.5, 0.75])


@pytest.mark.parametrize("ending", ENDINGS)
def test_missing_and_folder(ending, tmp_path):
    assert code_of(tmp_path / f"none{ending}") == "file-missing"
    (tmp_path / f"folder{ending}").mkdir()
    assert code_of(tmp_path / f"folder{ending}") == "is-a-folder"


@pytest.mark.parametrize("ending", ENDINGS)
def test_broken(ending, tmp_path, sweep):
    path = tmp_path / f"s{ending}"
    sweep.save(path)
    whole = path.read_bytes()
    for broken in (b"", b"garbage", whole[: len(whole) // 2], b"PAR1" + b"\0" * 40 + b"PAR1"):
        path.write_bytes(broken)
        assert code_of(path) == "file-unreadable"


def test_foreign_and_newer(tmp_path, sweep):
    table = pa.table({"y": [1, 0], "s": [0.5, 0.25]})
    pq.write_table(table, tmp_path / "foreign.parquet")
    assert code_of(tmp_path / "foreign.parquet") == "not-a-sweep"
    for text in (b"not json", b"[1]", b'{"format": "other", "version": 1}', b'{"format": "rocsolid-sweep"}'):
        pq.write_table(table.replace_schema_metadata({b"rocsolid": text}), tmp_path / "odd.parquet")
        assert code_of(tmp_path / "odd.parquet") == "not-a-sweep"
    newer = arrow._table(sweep, pa)
    facts = json.loads(newer.schema.metadata[b"rocsolid"]) | {"version": 2}
    pq.write_table(newer.replace_schema_metadata({b"rocsolid": json.dumps(facts).encode()}), tmp_path / "newer.parquet")
    assert code_of(tmp_path / "newer.parquet") == "newer-version"


@pytest.mark.parametrize(
    "change",
    [
        {"score": pa.array([0.25, 0.5, 0.75])},  # wrong order
        {"score": pa.array([0.5, 0.5, 0.25])},  # not distinct
        {"score": pa.array([np.nan, 0.5, 0.25])},
        {"score": pa.array([0.5, None, 0.25])},
        {"score": pa.array(["c", "b", "a"])},
        {"pos": pa.array([1, 1, 1], pa.int64())},
        {"pos": None},
    ],
)
def test_not_whole(change, tmp_path, sweep):
    table = arrow._table(sweep, pa)
    for name, column in change.items():
        i = table.column_names.index(name)
        table = table.remove_column(i) if column is None else table.set_column(i, name, column)
    pq.write_table(table, tmp_path / "s.parquet")
    assert code_of(tmp_path / "s.parquet") == "broken-sweep"


def test_unknown_ending(tmp_path, sweep):
    for act in (sweep.save, Sweep.load):
        with pytest.raises(OptionError, match=r"\.parquet or \.arrow"):
            act(tmp_path / "sweep.csv")


def test_without_pyarrow(tmp_path, sweep, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for act in (sweep.save, Sweep.load):
        with pytest.raises(MissingDependencyError) as caught:
            act(tmp_path / "sweep.parquet")
        assert caught.value.hint == 'pip install "rocsolid[cli]"'


def test_failed_save_leaves_the_old_file(tmp_path, sweep, monkeypatch):
    path = tmp_path / "s.parquet"
    sweep.save(path)
    before = path.read_bytes()

    def fail(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", fail)
    with pytest.raises(SourceError, match="No space left") as caught:
        sweep.save(path)
    assert caught.value.code == "not-writable"
    assert path.read_bytes() == before
    assert no_leftovers(tmp_path)


def test_labels_that_json_can_not_hold_are_refused_before_a_file_is_written(tmp_path):
    sweep = Sweep.from_arrays([b"a", b"b"], [1, 2], pos_label=b"b")
    with pytest.raises(OptionError, match="pos_label"):
        sweep.save(tmp_path / "sweep.parquet")
    assert not list(tmp_path.iterdir())
