"""Tables in files: types are kept or certain, names are only names, problems are told apart."""

from __future__ import annotations

import io
import json
import math
import sys
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid.errors import EmptyInputError, MissingDependencyError, SourceError
from rocsolid.sources import files

ODD_NAMES = (
    "a'b", 'a"b', "a;b", "a b", " a ", "得分", "x; DROP TABLE t", "a.b", "a/b~c", "*", "c0", "SELECT",
    "a\\b", "Y", "y", "a,b", "{}", "line", "kind", "",
)  # fmt: skip


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def plain(column):
    return column if isinstance(column, list) else column.to_pylist()


def of(text, tmp_path, name="t.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def code(path, columns, numeric=()):
    with pytest.raises(SourceError) as caught:
        files.read(path, columns, numeric=numeric)
    assert caught.value.hint
    return caught.value.code


# ------------------------------------------------------------------------------------------------- types


@pytest.mark.parametrize(
    ("fields", "kind", "values"),
    [
        (["1", "-2", ""], "int64", [1, -2, None]),
        (["+1", " 7 ", "0"], "int64", [1, 7, 0]),
        (["9223372036854775808", "1"], "uint64", [2**63, 1]),
        (["12345678901234567890123", "-2"], "decimal128(23, 0)", [Decimal("12345678901234567890123"), Decimal(-2)]),
        (["0.5", "1", ".25", "5.", "1e-3", "-1E+2"], "double", [0.5, 1.0, 0.25, 5.0, 0.001, -100.0]),
        (["0.1", "1152921504606846977"], "double", [0.1, float(2**60)]),
        (["0123", "7"], "string", ["0123", "7"]),
        (["00.5", "1"], "string", ["00.5", "1"]),
        (["true", "False", ""], "bool", [True, False, None]),
        (["yes", "no", ""], "string", ["yes", "no", None]),
        (["2020-01-01", "2020-01-02"], "string", ["2020-01-01", "2020-01-02"]),
        (["1_000", "5"], "string", ["1_000", "5"]),
        (["0x10", "5"], "string", ["0x10", "5"]),
        (["NA", "0.5"], "string", ["NA", "0.5"]),
        (["inf", "-Infinity", "1"], "double", [math.inf, -math.inf, 1.0]),
        (["1e400", "1"], "double", [math.inf, 1.0]),
        (["", ""], "double", [None, None]),
    ],
)
def test_types_of_text_are_certain(fields, kind, values, tmp_path):
    path = of("x,i\n" + "".join(f"{f},{i}\n" for i, f in enumerate(fields)), tmp_path)
    column = files.read(path, ["x"])["x"]
    assert str(column.type) == kind
    assert plain(column) == values


def test_nan_in_words_is_a_nan_and_an_empty_field_a_null(tmp_path):
    column = files.read(of("x,i\n0.5,0\nnan,1\nNaN,2\n,3\n", tmp_path), ["x"])["x"]
    values = plain(column)
    assert math.isnan(values[1])
    assert math.isnan(values[2])
    assert values[3] is None


def test_the_last_value_counts_as_much_as_the_first(tmp_path):
    lines = "".join(f"{i}\n" for i in range(50_000))
    assert str(files.read(of(f"x\n{lines}0.5\n", tmp_path), ["x"])["x"].type) == "double"
    assert code(of(f"x\n{lines}oops\n", tmp_path), ["x"], ["x"]) == "not-numbers"


def test_rows_keep_their_order(tmp_path):
    lines = "".join(f"{i},{i % 7}\n" for i in range(300_000))
    assert plain(files.read(of(f"x,y\n{lines}", tmp_path), ["x"])["x"]) == list(range(300_000))


@pytest.mark.parametrize(
    "text", ["a,b\r\n1,2\r\n3,4\r\n", "\ufeffa,b\n1,2\n3,4", "a,b\n1,2\n\n3,4\n\n", '"a",b\n"1",2\n3,4\n']
)
def test_line_ends_marks_and_blank_lines(text, tmp_path):
    assert plain(files.read(of(text, tmp_path), ["a"])["a"]) == [1, 3]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_all_formats_give_the_same(ending, predictions):
    table = files.read(predictions[ending], ["y", "label", "ok", "a", "w"], numeric=["a", "w"])
    reference = files.read(predictions["parquet"], ["y", "label", "ok", "a", "w"])
    for name, column in reference.items():
        assert plain(table[name]) == plain(column)
        assert table[name].type == column.type
    first, second = (rs.evaluate(t["y"], t["a"]).roc_auc().exact for t in (table, reference))
    assert first == second


def test_json_lines_types(tmp_path):
    rows = [
        {"i": 1, "f": 0.5, "s": "0123", "b": True, "m": 1, "big": 2**60 + 1},
        {"i": 2, "f": 2, "s": None, "b": False, "m": "x", "big": None},
    ]
    path = of("".join(json.dumps(r) + "\n" for r in rows), tmp_path, "t.jsonl")
    table = files.read(path, list(rows[0]))
    kinds = {name: "list" if isinstance(c, list) else str(c.type) for name, c in table.items()}
    assert kinds == {"i": "int64", "f": "double", "s": "string", "b": "bool", "m": "list", "big": "int64"}
    assert plain(table["big"]) == [2**60 + 1, None]
    assert plain(table["s"]) == ["0123", None]
    assert plain(table["m"]) == [1, "x"]


def test_json_lines_of_python_may_hold_nan(tmp_path):
    path = of('{"s": NaN}\n{"s": 0.5}\n{"s": Infinity}\n', tmp_path, "t.jsonl")
    values = plain(files.read(path, ["s"], numeric=["s"])["s"])
    assert math.isnan(values[0])
    assert values[1:] == [0.5, math.inf]


def test_parquet_types_stay(tmp_path):
    table = pa.table({
        "f16": np.array([0.5, 0.25], np.float16), "f32": np.array([0.1, 0.2], np.float32),
        "i8": np.array([1, -1], np.int8),
        "d": pa.array([Decimal("0.10"), Decimal("0.25")]),
        "c": pa.array(["a", "b"]).dictionary_encode(), "n": pa.array([1, None]),
    })  # fmt: skip
    pq.write_table(table, tmp_path / "t.parquet")
    back = files.read(tmp_path / "t.parquet", table.column_names, numeric=["f16", "f32", "i8", "d", "n"])
    assert {n: c.type for n, c in back.items()} == {n: table.column(n).type for n in table.column_names}
    assert rs.evaluate([0, 1], back["d"]).sweep.scores.tolist() == [Decimal("0.25"), Decimal("0.10")]


# ------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize(
    "stem", ["plain", "with space", "a'b;c", 'quo"te', "得分", "st*r", "[ab]", "what?", "a=1", "--x"]
)
def test_odd_names(ending, stem, tmp_path):
    path = tmp_path / f"{stem}.{ending}"
    (tmp_path / f"stXr.{ending}").write_text("decoy")
    (tmp_path / f"a.{ending}").write_text("decoy")
    if ending == "parquet":
        pq.write_table(pa.table({n: [i, i] for i, n in enumerate(ODD_NAMES)}), path)
    elif ending == "jsonl":
        path.write_text("".join(json.dumps({n: i for i, n in enumerate(ODD_NAMES)}) + "\n" for _ in range(2)), "utf-8")
    else:
        mark = "," if ending == "csv" else "\t"
        lines = [mark.join(map(quoted, ODD_NAMES)), *[mark.join(map(str, range(len(ODD_NAMES))))] * 2]
        path.write_text("\n".join(lines), "utf-8")
    table = files.read(path, ODD_NAMES)
    assert {name: plain(column) for name, column in table.items()} == {name: [i, i] for i, name in enumerate(ODD_NAMES)}


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\n"), min_size=1), st.integers(-9, 9))
def test_any_name(tmp_path_factory, name, value):
    folder = tmp_path_factory.mktemp("names")
    csv = folder / "t.csv"
    csv.write_text(f"{quoted(name)},other\n{value},1\n", "utf-8")
    lines = folder / "t.jsonl"
    lines.write_text(json.dumps({name: value, name + "x": 1}) + "\n", "utf-8")
    for path in (csv, lines):
        assert plain(files.read(path, [name])[name]) == [value]


def test_hive_folders_add_no_columns(tmp_path):
    folder = tmp_path / "y=5"
    folder.mkdir()
    assert code(of("a\n1\n", folder), ["y"]) == "unknown-column"


# ----------------------------------------------------------------------------------------------- problems


def test_missing_file_with_a_near_name(tmp_path):
    of("a\n1\n", tmp_path, "predictions.csv")
    with pytest.raises(SourceError, match=r"did you mean '.*predictions\.csv'") as caught:
        files.read(tmp_path / "prediction.csv", ["a"])
    assert caught.value.code == "file-missing"
    assert code(tmp_path / "no" / "x.csv", ["a"]) == "file-missing"


def test_folder_empty_ending(tmp_path):
    assert code(tmp_path, ["a"]) == "is-a-folder"
    for ending in files.READERS:
        assert code(of("", tmp_path, f"empty{ending}"), ["a"]) == "file-empty"
    assert code(of("a", tmp_path, "t.xlsx"), ["a"]) == "unknown-ending"
    assert code(of("a", tmp_path, "t"), ["a"]) == "unknown-ending"


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.parquet", "t.jsonl"])
def test_header_only(name, tmp_path):
    path = tmp_path / name
    if name == "t.parquet":
        pq.write_table(pa.table({"a": pa.array([], pa.int64())}), path)
    else:
        path.write_text("\n" if name == "t.jsonl" else "a\n")
    with pytest.raises(EmptyInputError):
        files.read(path, ["a"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.parquet", b"PAR1\x00\x01garbagePAR1"),
        ("t.parquet", b"a,b\n1,2\n"),
        ("t.csv", "a,b\n1,2\n3,4,5\n"),
        ("t.csv", "a,b\n1,2\n3\n"),
        ("t.csv", 'a,b\n"1,2\n3,4\n'),
        ("t.csv", "a,b\n1,é\n".encode("latin1")),
        ("t.csv", b"a,b\n1,2\n3,\xff\n"),
        ("t.csv", "a,é\n1,2\n".encode("latin1")),
        ("t.csv", "\n\na,b\n1,2\n"),
        ("t.csv", b"\x00\x01\x02\xff"),
        ("t.jsonl", '{"a": 1}\n{"a": 1,\n'),
        ("t.jsonl", '{"a": 1}\n[1, 2]\n'),
        ("t.jsonl", '{"a": 1}\n5\n'),
        ("t.jsonl", "a,b\n1,2\n"),
    ],
)
def test_unreadable(name, content, tmp_path):
    assert code(of(content, tmp_path, name), ["a"]) == "file-unreadable"


def test_truncated_parquet(tmp_path, predictions):
    whole = predictions["parquet"].read_bytes()
    for cut in (5, len(whole) // 2, len(whole) - 1):
        assert code(of(whole[:cut], tmp_path, "cut.parquet"), ["a"]) == "file-unreadable"


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_unknown_column(ending, predictions):
    with pytest.raises(SourceError, match="did you mean 'label'") as caught:
        files.read(predictions[ending], ["y", "lable"])
    assert caught.value.code == "unknown-column"
    assert "'ok'" in caught.value.message
    with pytest.raises(SourceError, match="did you mean 'label'"):
        files.read(predictions[ending], ["LABEL"])
    with pytest.raises(SourceError, match="name one of the columns"):
        files.read(predictions[ending], ["zzzzzzzz"])


@pytest.mark.parametrize(
    ("name", "text"), [("t.csv", "a;b\n1;2\n"), ("t.csv", "a\tb\n1\t2\n"), ("t.tsv", "a,b\n1,2\n")]
)
def test_other_separators(name, text, tmp_path):
    with pytest.raises(SourceError, match="seems to separate its columns") as caught:
        files.read(of(text, tmp_path, name), ["a"])
    assert caught.value.code == "file-unreadable"
    assert plain(files.read(of("a;b\n1\n", tmp_path), ["a;b"])["a;b"]) == [1]


def test_doubled_column(tmp_path):
    path = of("s,s,t\n1,2,3\n", tmp_path)
    assert code(path, ["s"]) == "duplicate-column"
    assert plain(files.read(path, ["t"])["t"]) == [3]


@pytest.mark.parametrize(
    ("fields", "example", "row"), [(["1", "x", "2"], "x", 1), (["0123", "4"], "0123", 0), (["1", "", "NA"], "NA", 2)]
)
def test_text_where_numbers_are_needed(fields, example, row, tmp_path):
    path = of("s,i\n" + "".join(f"{f},1\n" for f in fields), tmp_path)
    with pytest.raises(SourceError, match=f"found '{example}' at row {row}") as caught:
        files.read(path, ["s"], numeric=["s"])
    assert caught.value.code == "not-numbers"


@pytest.mark.parametrize(
    "rows", [['{"s": "0.5"}', '{"s": 1}'], ['{"s": [1]}', '{"s": 1}'], ['{"s": "a"}', '{"s": "b"}']]
)
def test_json_text_where_numbers_are_needed(rows, tmp_path):
    assert code(of("\n".join(rows), tmp_path, "t.jsonl"), ["s"], ["s"]) == "not-numbers"


def test_json_key_that_only_later_lines_have(tmp_path):
    path = of('{"a": 1}\n{"a": 2, "b": 3}\n', tmp_path, "t.jsonl")
    assert plain(files.read(path, ["b"])["b"]) == [None, 3]
    path = of('{"a": 1, "b": null}\n', tmp_path, "t.jsonl")
    assert plain(files.read(path, ["b"])["b"]) == [None]


@pytest.mark.parametrize("package", ["duckdb", "pyarrow"])
def test_without_a_library(package, predictions, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependencyError) as caught:
        files.read(predictions["csv"], ["a"])
    assert caught.value.hint == 'pip install "rocsolid[cli]"'
    assert caught.value.package == package


# ---------------------------------------------------------------------------------------- standard input


class Stdin:
    def __init__(self, content):
        self.buffer = io.BytesIO(content)


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b'  {"a": 1, "b": 2}\n', b"\xef\xbb\xbfa,b\n1,2\n"])
def test_standard_input(content, monkeypatch):
    monkeypatch.setattr(sys, "stdin", Stdin(content))
    assert plain(files.read("-", ["a"])["a"]) == [1]


def test_standard_input_is_named_in_errors(monkeypatch):
    monkeypatch.setattr(sys, "stdin", Stdin(b"a,b\n1,2\n"))
    with pytest.raises(SourceError, match="in 'standard input'"):
        files.read("-", ["c"])
    monkeypatch.setattr(sys, "stdin", Stdin(b""))
    assert code("-", ["c"]) == "file-empty"


def test_closed_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert code("-", ["c"]) == "stdin-unreadable"


# ------------------------------------------------------------------------------- what messages may not do


SECRET = "secret" * 20_000


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (f"a,b\n1,2\n3,4,{SECRET}\n", 3, "expected 2 columns, found 3"),
        (f"a,b\n{SECRET}\n3,4\n", 2, "expected 2 columns, found 1"),
        (f'a,b\n"{SECRET},2\n3,4\n', 2, "a quote is opened and not closed"),
        (f'a,b\n1,2\n"x"{SECRET},2\n', 3, "a quote is opened and not closed"),
        (f'a,b\n1,"{SECRET}\nExpected Number of Columns: 8 Found: 9",3\n', 2, "expected 2 columns, found 3"),
    ],
)
def test_rows_are_not_quoted(text, line, problem, tmp_path):
    with pytest.raises(SourceError) as caught:
        files.read(of(text, tmp_path), ["a"])
    assert f"line {line}: {problem}" in caught.value.message
    assert "secret" not in str(caught.value)
    assert f"look at line {line}" in caught.value.hint


def test_long_fields_are_cut(tmp_path):
    with pytest.raises(SourceError) as caught:
        files.read(of(f"s,i\n{SECRET},1\n", tmp_path), ["s"], numeric=["s"])
    assert len(str(caught.value)) < 600
    with pytest.raises(SourceError) as caught:
        files.read(of(f"{SECRET},b\n1,2\n", tmp_path), ["s"])
    assert len(str(caught.value)) < 600


def test_long_rows_are_read(tmp_path):
    path = of(f'a,b\n1,"{"x" * 5_000_000}"\n2,y\n', tmp_path)
    assert plain(files.read(path, ["a"])["a"]) == [1, 2]


@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
def test_words_for_missing_values(name, tmp_path):
    mark = "," if name == "t.csv" else "\t"
    rows = ["0.5", "NA", " NULL ", "", "1"]
    path = of(f"s{mark}i\n" + "".join(f"{r}{mark}{i}\n" for i, r in enumerate(rows)), tmp_path, name)
    column = files.read(path, ["s"], numeric=["s"], missing_values=["NA", "NULL"])["s"]
    assert plain(column) == [0.5, None, None, None, 1.0]
    assert str(column.type) == "double"
    with pytest.raises(SourceError, match="--missing-values NA, and --missing drop"):
        files.read(path, ["s"], numeric=["s"])


def test_words_for_missing_values_in_typed_files(tmp_path):
    path = of('{"s": "NA", "n": -999}\n{"s": "x", "n": 1}\n', tmp_path, "t.jsonl")
    table = files.read(path, ["s", "n"], missing_values=["NA", "-999"])
    assert (plain(table["s"]), plain(table["n"])) == ([None, "x"], [None, 1])
    made = pa.table({"s": ["NA", "x"], "c": pa.array(["x", "NA"]).dictionary_encode(), "n": [1, 2]})
    pq.write_table(made, tmp_path / "t.parquet")
    table = files.read(tmp_path / "t.parquet", ["s", "c", "n"], missing_values=["NA"])
    assert [plain(c) for c in table.values()] == [[None, "x"], ["x", None], [1, 2]]


@pytest.mark.parametrize(
    ("there", "asked", "near"),
    [("inf.csv", "missing.csv", False), ("b.csv", "a.csv", False), ("Predictions.csv", "prediction.csv", True),
     ("data.csv", "data.tsv", True)],
)  # fmt: skip
def test_only_near_names_are_suggested(there, asked, near, tmp_path):
    of("a\n1\n", tmp_path, there)
    with pytest.raises(SourceError) as caught:
        files.read(tmp_path / asked, ["a"])
    assert ("did you mean" in caught.value.hint) is near


@pytest.mark.parametrize("kind", ["InterruptException", "RuntimeError"])
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_an_interrupt_inside_duckdb_is_one(kind, ending, predictions, monkeypatch):
    import duckdb

    error = {"InterruptException": duckdb.InterruptException, "RuntimeError": RuntimeError}[kind]

    class Broken:
        def __enter__(self):
            raise error("Query interrupted")

        def __exit__(self, *_):
            return False

    monkeypatch.setattr(files, "_connection", lambda _: Broken())
    with pytest.raises(KeyboardInterrupt):
        files.read(predictions[ending], ["a"])
