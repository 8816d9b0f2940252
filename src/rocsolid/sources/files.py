"""Named columns of a table in a file: CSV, TSV and JSON lines with DuckDB, Parquet with PyArrow.

Text formats have no types, so a column's type is read off *all* its values, never off a sample, and only where
it is certain: whole numbers stay whole, ``0123`` stays text, an empty field is a null, ``nan`` among numbers is a
NaN. Names of files and columns never become part of an SQL text.
"""

from __future__ import annotations

import contextlib
import csv
import difflib
import glob
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from rocsolid.errors import EmptyInputError, MissingDependencyError, SourceError, first_positions
from rocsolid.sources import texts

STDIN = "-"
LONGEST_LINE = 2**30
"""Bytes of the longest row that is read from CSV and TSV."""
MISSING_WORDS = ("na", "n/a", "#n/a", "null", "none", "nan", "<na>", "nil", "missing")
"""What other programs write for a missing value, in lower case; never taken as one without being asked to."""


def read(
    source: str | Path, columns: Sequence[str], *, numeric: Collection[str] = (), missing_values: Sequence[str] = ()
) -> dict[str, Any]:
    """Read some columns of a table.

    Parameters
    ----------
    source : a path that ends in ``.csv``, ``.tsv``, ``.parquet``, ``.jsonl`` or ``.ndjson``; ``"-"`` reads standard
        input as CSV, or as JSON lines if it begins with ``{``.
    columns : names of the columns, exactly as in the file.
    numeric : those of them that have to hold numbers (or booleans).
    missing_values : words that stand for a missing value, exactly as written, beside the empty field of CSV and TSV.

    Returns
    -------
    Each column by name, in its own type: a ``pyarrow.ChunkedArray``, or a list where values of several kinds mix.

    Raises
    ------
    SourceError
        ``file-missing``, ``is-a-folder``, ``file-empty``, ``file-unreadable``, ``unknown-ending``,
        ``unknown-column``, ``duplicate-column``, ``not-numbers`` or ``stdin-unreadable``.
    KeyboardInterrupt
        If the reading was interrupted, whatever the library that reads makes of that.
    EmptyInputError
        If there is a header and not a single row.
    MissingDependencyError
        Without PyArrow or DuckDB.

    Notes
    -----
    O(bytes). Only the columns named are kept in memory.
    """
    wanted = list(dict.fromkeys(columns))
    _need("pyarrow")
    with _located(source) as (path, name):
        reader = _reader(path, name)
        if path.stat().st_size == 0:
            raise SourceError("file-empty", name, f"{name!r} is empty", "check how the file was written")
        table = reader(path, name, wanted, missing_values)
    if not len(table[wanted[0]]):
        raise EmptyInputError(name)
    for column in wanted:
        if column in numeric:
            _check_numeric(table[column], column, name)
    return table


# ------------------------------------------------------------------------------------ which file, how


@contextlib.contextmanager
def _located(source: str | Path) -> Iterator[tuple[Path, str]]:
    """Give an existing file and the name to call it by; standard input is kept in a temporary file."""
    if str(source) != STDIN:
        yield _existing(Path(source)), str(source)
        return
    if sys.stdin is None:
        raise _no_stdin("it is closed")
    with tempfile.TemporaryDirectory(prefix="rocsolid-") as folder:
        path = Path(folder) / "stdin.csv"
        try:
            with path.open("wb") as copy:
                shutil.copyfileobj(sys.stdin.buffer, copy)
        except OSError as error:
            raise _no_stdin(error.strerror or str(error)) from None
        with path.open("rb") as copy:
            lines = copy.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
        yield path.rename(path.with_suffix(".jsonl")) if lines else path, "standard input"


def _no_stdin(reason: str) -> SourceError:
    return SourceError("stdin-unreadable", "standard input", f"can not read standard input: {reason}",
                       "pipe a table into the command, or name a file")  # fmt: skip


def _existing(path: Path) -> Path:
    text = str(path)
    if path.is_dir():
        raise SourceError("is-a-folder", text, f"expected a file, found the folder {text!r}", "name a file in it")
    if not path.exists():
        near = _nearest(path)
        hint = f"did you mean {str(path.with_name(near))!r}?" if near else "check the path"
        raise SourceError("file-missing", text, f"there is no file {text!r}", hint)
    return path


def _nearest(path: Path, cutoff: float = 0.7) -> str | None:
    """Give the file beside ``path`` whose name is most like its own; the ending, which many share, does not count."""

    def alike(name: str) -> float:
        return difflib.SequenceMatcher(None, path.stem.casefold(), Path(name).stem.casefold()).ratio()

    near = [name for name in _siblings(path) if alike(name) >= cutoff]
    return max(near, key=lambda name: (alike(name), name.endswith(path.suffix)), default=None)


def _siblings(path: Path) -> list[str]:
    try:
        return [p.name for p in path.parent.iterdir() if p.suffix.lower() in READERS]
    except OSError:
        return []


def _reader(path: Path, name: str) -> Reader:
    ending = path.suffix.lower()
    if ending not in READERS:
        raise SourceError("unknown-ending", name, f"can not tell from its ending how to read {name!r}",
                          f"known endings: {', '.join(READERS)}; or pipe CSV in and write - for the file")  # fmt: skip
    return READERS[ending]


def _need(package: str) -> Any:
    try:
        return __import__(package)
    except ImportError:
        raise MissingDependencyError("reading files", package, "cli") from None


# ------------------------------------------------------------------------------------------ the formats


def _read_csv(path: Path, name: str, wanted: list[str], gone: Sequence[str]) -> dict[str, Any]:
    return _delimited(path, name, wanted, gone, ",")


def _read_tsv(path: Path, name: str, wanted: list[str], gone: Sequence[str]) -> dict[str, Any]:
    return _delimited(path, name, wanted, gone, "\t")


def _delimited(path: Path, name: str, wanted: list[str], gone: Sequence[str], separator: str) -> dict[str, Any]:
    duckdb = _need("duckdb")
    header = _header(path, name, separator)
    _check_separator(header, wanted, name)
    places = [_place(column, header, name) for column in wanted]
    with _reading(name, duckdb.Error), _connection(duckdb) as connection:
        relation = connection.read_csv(
            glob.escape(str(path.resolve())), header=True, auto_detect=False, sep=separator, quotechar='"',
            escapechar='"', skiprows=0, hive_partitioning=False, max_line_size=LONGEST_LINE,
            columns={f"c{i}": "VARCHAR" for i in range(len(header))},
        )  # fmt: skip
        table = relation.select(*(duckdb.ColumnExpression(f"c{i}") for i in places)).to_arrow_table()
    return {column: texts.typed(texts.without(table.column(i), gone)) for i, column in enumerate(wanted)}


def _header(path: Path, name: str, separator: str) -> list[str]:
    """Read the first line, as the names that they are: nothing is renamed, trimmed or guessed."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file, delimiter=separator, strict=True), [])
    except (UnicodeDecodeError, csv.Error, OSError) as error:
        raise _unreadable(name, str(error)) from None
    if not header:
        raise _unreadable(name, "its first line is blank, expected the names of the columns")
    return header


def _check_separator(header: list[str], wanted: list[str], name: str) -> None:
    """Say so if the columns seem to be separated by something else."""
    other = next((mark for mark in (";", "\t", "|", ",") if mark in header[0]), None)
    if len(header) == 1 and header[0] not in wanted and other is not None:
        raise SourceError("file-unreadable", name,
                          f"{name!r} seems to separate its columns by {other!r}: "
                          f"its header is one name, {_short(header[0])}",
                          "save it with commas as .csv, or with tabs as .tsv")  # fmt: skip


def _read_parquet(path: Path, name: str, wanted: list[str], gone: Sequence[str]) -> dict[str, Any]:
    pa = _need("pyarrow")
    import pyarrow.parquet as pq

    with _reading(name, OSError, pa.ArrowException), pq.ParquetFile(path) as file:
        header = list(file.schema_arrow.names)
        for column in wanted:
            _place(column, header, name)
        table = file.read(columns=wanted)
    return {column: texts.without(table.column(column), gone) for column in wanted}


def _read_json_lines(path: Path, name: str, wanted: list[str], gone: Sequence[str]) -> dict[str, Any]:
    duckdb = _need("duckdb")
    with _reading(name, duckdb.Error), _connection(duckdb) as connection:
        lines = connection.read_json(
            glob.escape(str(path.resolve())), format="newline_delimited", records="false", columns={"line": "JSON"}
        )
        line = duckdb.ColumnExpression("line")
        parts = [
            duckdb.FunctionExpression("json_extract", line, duckdb.ConstantExpression(_pointer(column))).alias(f"c{i}")
            for i, column in enumerate(wanted)
        ]
        kind = duckdb.FunctionExpression("json_type", line).alias("kind")
        table = lines.select(*parts, kind).to_arrow_table()
    _check_lines(table, name)
    for i, column in enumerate(wanted):
        if table.column(i).null_count == len(table) and len(table):
            _place(column, _keys(path), name)
    return {column: texts.typed_json(table.column(i), gone) for i, column in enumerate(wanted)}


def _pointer(key: str) -> str:
    """Write a key as a JSON pointer (RFC 6901)."""
    return "/" + key.replace("~", "~0").replace("/", "~1")


def _check_lines(table: Any, name: str) -> None:
    import numpy as np

    kinds = table.column("kind").to_numpy()
    wrong = np.flatnonzero(kinds != "OBJECT").tolist()
    if wrong:
        raise _unreadable(name, f"expected one JSON object a line, found {kinds[wrong[0]]} {first_positions(wrong)}")


def _keys(path: Path, lines: int = 100) -> list[str]:
    """Give the keys of the first lines."""
    import json

    keys: dict[str, None] = {}
    with path.open(encoding="utf-8-sig") as file:
        for _, line in zip(range(lines), file, strict=False):
            if line.strip():
                keys |= dict.fromkeys(json.loads(line))
    return list(keys)


Reader = Callable[[Path, str, list[str], Sequence[str]], dict[str, Any]]
READERS: dict[str, Reader] = {
    ".csv": _read_csv,
    ".tsv": _read_tsv,
    ".parquet": _read_parquet,
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
}


@contextlib.contextmanager
def _connection(duckdb: Any) -> Iterator[Any]:
    """Open a database in memory that fetches no extension and shares nothing with the caller's."""
    config = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    with duckdb.connect(":memory:", config=config) as connection:
        yield connection


# ---------------------------------------------------------------------------------------------- problems


@contextlib.contextmanager
def _reading(name: str, *kinds: type[BaseException]) -> Iterator[None]:
    try:
        yield
    except SourceError:
        raise
    except Exception as error:
        if _is_interrupt(error):
            raise KeyboardInterrupt from None
        if isinstance(error, kinds):
            raise _unreadable(name, str(error)) from None
        raise


def _is_interrupt(error: Exception) -> bool:
    """Whether a library has made an error of its own out of Ctrl-C: DuckDB and PyArrow do."""
    return type(error).__name__ in ("InterruptException", "ArrowCancelled") or (
        isinstance(error, RuntimeError) and str(error).startswith("Query interrupted")
    )


def _unreadable(name: str, reason: str) -> SourceError:
    hint = "check that the file is whole, UTF-8, and of the kind that its ending says"
    line = re.search(r"CSV Error on Line: (\d+)", reason)
    if line is not None:
        told = f"line {line[1]}: {_csv_problem(reason)}"
        hint = f"look at line {line[1]} of the file; " + hint
    else:
        told = _first_lines(reason)
    return SourceError("file-unreadable", name, f"can not read {name!r}: {told}", hint)


def _csv_problem(reason: str) -> str:
    """Say what is wrong with a row of a CSV without quoting it: DuckDB's message has the row, whatever it holds."""
    # after the row come DuckDB's own words, each at the beginning of a line; the last one found is the true one
    columns = re.findall(r"^Expected Number of Columns: (\d+) Found: (\d+)\s*$", reason, re.MULTILINE)
    if columns:
        return f"expected {columns[-1][0]} columns, found {columns[-1][1]}"
    for words, problem in (
        ("Value with unterminated quote found", "a quote is opened and not closed, or text follows a closing quote"),
        ("Invalid unicode", "it is not UTF-8"),
        ("not utf-8 encoded", "it is not UTF-8"),
        ("Maximum line size", f"the row is longer than {LONGEST_LINE:,} bytes"),
    ):
        if re.search(f"^{words}|{words}.*$", reason.partition("Possible fixes:")[0][-400:], re.MULTILINE):
            return problem
    return "the row is no valid CSV"


def _first_lines(reason: str) -> str:
    """Give what other libraries say in several lines, without their advice and what they quote of the file."""
    told = []
    for line in [line.strip() for line in reason.splitlines() if line.strip()][:4]:
        if line.startswith(("Possible", "Try ", "*", "Original Line")):
            break
        told.append(line.removeprefix("Invalid Input Error: ")[:300])
    return "; ".join(told) or "unknown reason"


def _short(value: object, limit: int = 40) -> str:
    """Write a name or value of the file, cut where it is long."""
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]}... ({len(str(value)):,} characters)"


def _place(column: str, header: list[str], name: str) -> int:
    """Give the position of a column; unknown and doubled names are errors."""
    found = header.count(column)
    if found == 1:
        return header.index(column)
    if found > 1:
        raise SourceError("duplicate-column", name, f"{name!r} has {found} columns named {column!r}",
                          "rename one of them in the file")  # fmt: skip
    folded = {h.casefold(): h for h in reversed(header)}
    near = [folded[h] for h in difflib.get_close_matches(column.casefold(), folded, n=1, cutoff=0.5)]
    more = f", ... ({len(header)} in all)" if len(header) > 12 else ""
    shown = ", ".join(_short(h, 60) for h in header[:12]) + more
    raise SourceError("unknown-column", name, f"there is no column {column!r} in {name!r}; it has {shown or 'none'}",
                      f"did you mean {near[0]!r}?" if near else "name one of the columns there are")  # fmt: skip


def _check_numeric(values: Any, column: str, name: str) -> None:
    wrong = texts.first_text(values)
    if wrong is not None:
        example, row = wrong
        hint = missing_hint([example]) or "repair that field (an empty one counts as missing), or name another column"
        raise SourceError("not-numbers", name,
                          f"expected numbers in column {column!r} of {name!r}, found {_short(example)} at row {row}",
                          hint)  # fmt: skip


def missing_hint(values: Collection[object]) -> str | None:
    """Say which option to add if some values look like another program's words for a missing value."""
    found = [v.strip() for v in values if isinstance(v, str) and v.strip().lower() in MISSING_WORDS]
    words = list(dict.fromkeys(found))
    if not words:
        return None
    written = " ".join(shlex.quote(w) for w in words)
    return f"if that means a missing value, add --missing-values {written}, and --missing drop to leave such rows out"
