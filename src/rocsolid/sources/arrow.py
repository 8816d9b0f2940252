"""Sweeps in files: Parquet (``.sweep`` or ``.parquet``) or Arrow IPC (``.arrow``), read back equal to the one saved.

Columns ``score, pos, neg``; with weights also ``pos_weight_0, pos_weight_1, ...`` and so on, one column a
component of the exact sums. What is no column (direction, positive label, exponent of the weights) lies in the
schema's metadata under ``rocsolid``, as JSON, with a format name and a version.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import MissingDependencyError, OptionError, SourceError
from rocsolid.sources.output import whole
from rocsolid.sweep import Sweep
from rocsolid.weight_sums import WeightSums

FORMAT = "rocsolid-sweep"
VERSION = 1
ENDINGS = (".sweep", ".parquet", ".arrow")
PARQUET = (".sweep", ".parquet")
"""Endings of files that are Parquet inside."""
_KEY = b"rocsolid"
_SUMS = ("pos_weight", "neg_weight", "pos_weight_sq", "neg_weight_sq")


def save(sweep: Sweep, path: str | Path) -> None:
    """Write a sweep, whole or not at all; the ending chooses the format.

    Raises
    ------
    OptionError
        For another ending than ``.sweep``, ``.parquet`` or ``.arrow``.
    MissingDependencyError
        Without PyArrow.
    SourceError
        If the place can not be written to.

    Notes
    -----
    O(k) time; some 24 bytes a distinct score before compression.
    """
    ending = _ending(path)
    pa = _pyarrow()
    table = _table(sweep, pa)
    with whole(path) as part:
        if ending in PARQUET:
            import pyarrow.parquet as pq

            pq.write_table(table, part, compression="zstd", use_dictionary=False)
        else:
            with pa.OSFile(str(part), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
                writer.write_table(table)


def load(path: str | Path) -> Sweep:
    """Read a sweep that :func:`save` wrote; it equals the one saved.

    Raises
    ------
    SourceError
        ``file-missing``, ``is-a-folder``, ``file-unreadable``, ``not-a-sweep``, ``newer-version`` or
        ``broken-sweep``.
    OptionError
        For another ending than ``.sweep``, ``.parquet`` or ``.arrow``.
    MissingDependencyError
        Without PyArrow.
    """
    ending = _ending(path)
    pa = _pyarrow()
    if not Path(path).exists():
        raise SourceError("file-missing", str(path), f"there is no file {str(path)!r}", "check the path")
    if Path(path).is_dir():
        raise SourceError("is-a-folder", str(path), f"{str(path)!r} is a folder", "name a file in it")
    try:
        table = _read(path, ending, pa)
    except (OSError, pa.ArrowException) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SourceError("file-unreadable", str(path), f"can not read {str(path)!r} as {ending[1:]}: {reason}",
                          "save the sweep again: sweep.save(path)") from None  # fmt: skip
    facts = _facts(table, path)
    try:
        return _sweep(table, facts)
    except (KeyError, TypeError, ValueError, pa.ArrowException) as error:
        raise SourceError("broken-sweep", str(path), f"{str(path)!r} says it is a sweep but is not whole: {error}",
                          "save the sweep again: sweep.save(path)") from None  # fmt: skip


def says_sweep(path: str | Path) -> bool:
    """Whether a file is a sweep: by its ending, or of Parquet by its metadata; no rows are read."""
    ending = Path(path).suffix.lower()
    if ending != ".parquet":
        return ending in ENDINGS
    try:
        import pyarrow.parquet as pq

        return FORMAT.encode() in (pq.read_schema(path).metadata or {}).get(_KEY, b"")
    except (ImportError, OSError, ValueError):  # ArrowInvalid is a ValueError; whoever reads it says what is wrong
        return False


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingDependencyError("a sweep in a file", "pyarrow", "cli") from None
    return pa


def _ending(path: str | Path) -> str:
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise OptionError(
            "path", str(path), "a name that ends in .sweep, .parquet or .arrow", 'for example "main.sweep"'
        )
    return ending


# ---------------------------------------------------------------------------------------------- writing


def _table(sweep: Sweep, pa: Any) -> Any:
    label = sweep.pos_label
    if not (label is None or isinstance(label, (bool, int, float, str))):
        raise OptionError("pos_label", label, "text, a number or a boolean in a sweep to be saved", "use text labels")
    columns: dict[str, Any] = {
        "score": _scores(sweep.scores, pa),
        "pos": pa.array(sweep.pos),
        "neg": pa.array(sweep.neg),
    }
    if sweep.weights is not None:
        for name, components in zip(_SUMS, sweep.weights.arrays, strict=True):
            columns |= {f"{name}_{i}": pa.array(row) for i, row in enumerate(components)}
    facts = {
        "format": FORMAT,
        "version": VERSION,
        "higher_is_positive": sweep.higher_is_positive,
        "pos_label": label,
        "weight_exponent": None if sweep.weights is None else sweep.weights.exponent,
    }
    return pa.table(columns).replace_schema_metadata({_KEY: json.dumps(facts).encode()})


def _scores(scores: npt.NDArray[Any], pa: Any) -> Any:
    if scores.dtype != object:
        return pa.array(scores)
    return pa.array(scores.tolist(), type=_decimal_type(scores.tolist(), pa))


def _decimal_type(values: list[Any], pa: Any) -> Any:
    """Find the Arrow decimal that holds each of the values exactly."""
    before = after = 0
    for value in values:
        _, digits, exponent = value.as_tuple()
        after = max(after, -exponent)
        before = max(before, len(digits) + exponent)
    width = max(1, before + after)
    return pa.decimal128(width, after) if width <= 38 else pa.decimal256(width, after)


# ---------------------------------------------------------------------------------------------- reading


def _read(path: str | Path, ending: str, pa: Any) -> Any:
    if ending in PARQUET:
        import pyarrow.parquet as pq

        with pq.ParquetFile(path) as file:
            return file.read()
    with pa.OSFile(str(path), "rb") as source, pa.ipc.open_file(source) as reader:
        return reader.read_all()


def _facts(table: Any, path: str | Path) -> dict[str, Any]:
    text = (table.schema.metadata or {}).get(_KEY)
    try:
        facts = json.loads(text) if text is not None else {}
    except ValueError:
        facts = {}
    if not isinstance(facts, dict) or facts.get("format") != FORMAT or not isinstance(facts.get("version"), int):
        raise SourceError("not-a-sweep", str(path), f"{str(path)!r} holds a table, but no sweep of rocsolid",
                          "labels and scores in a file: rocsolid evaluate FILE --label COL --score COL")  # fmt: skip
    if facts["version"] > VERSION:
        raise SourceError("newer-version", str(path),
                          f"{str(path)!r} has format version {facts['version']}; this rocsolid reads up to {VERSION}",
                          "pip install --upgrade rocsolid")  # fmt: skip
    return facts


def _sweep(table: Any, facts: dict[str, Any]) -> Sweep:
    scores = _column(table, "score")
    counts = _counts(table, "pos"), _counts(table, "neg")
    if not isinstance(facts["higher_is_positive"], bool):
        raise ValueError("higher_is_positive is not true or false")
    _check_order(scores, higher_first=facts["higher_is_positive"])
    weights = None
    if facts["weight_exponent"] is not None:
        pos, neg, pos_sq, neg_sq = (_components(table, name) for name in _SUMS)
        weights = WeightSums(pos, neg, pos_sq, neg_sq, int(facts["weight_exponent"]))
    return Sweep(scores, *counts, facts["higher_is_positive"], facts["pos_label"], weights)


def _column(table: Any, name: str) -> npt.NDArray[Any]:
    column = table[name]
    if column.null_count:
        raise ValueError(f"column {name} has {column.null_count} nulls")
    if str(column.type).startswith("decimal"):
        out = np.empty(len(column), object)
        out[:] = column.to_pylist()
        return out
    values = np.array(column.to_numpy())
    if values.dtype.kind not in "biuf":
        raise ValueError(f"column {name} has type {column.type}")
    return values


def _counts(table: Any, name: str) -> npt.NDArray[np.uint64]:
    values = _column(table, name)
    if values.dtype != np.uint64:
        raise ValueError(f"column {name} has type {values.dtype}, not uint64")
    return values


def _components(table: Any, name: str) -> npt.NDArray[np.float64]:
    names = [f"{name}_{i}" for i in range(table.num_columns) if f"{name}_{i}" in table.column_names]
    if not names:
        raise ValueError(f"column {name}_0 is missing")
    return np.stack([_column(table, n).astype(np.float64, copy=False) for n in names])


def _check_order(scores: npt.NDArray[Any], *, higher_first: bool) -> None:
    if scores.dtype == np.bool_:
        scores = scores.astype(np.int8)
    rising = scores[::-1] if higher_first else scores
    if not bool(np.all(rising[1:] > rising[:-1])) or (scores.dtype.kind == "f" and bool(np.isnan(scores).any())):
        raise ValueError("its scores are not distinct and in order")
