"""Two tables brought together on a key: every row beside the row of the same key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsolid.errors import DtypeError, SourceError


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Where the rows of two tables meet.

    Attributes
    ----------
    here, there : (m,) positions of the pairs in the one table and in the other, in the order of the first.
    only_here, only_there : how many rows have no partner.
    """

    here: Any
    there: Any
    only_here: int
    only_there: int


def paired(keys: Any, others: Any, *, key: str, names: tuple[str, str], missing: str = "raise") -> Paired:
    """Find the row of every key in another table.

    Parameters
    ----------
    keys, others : Arrow columns of keys: whole numbers, texts, dates or decimals; each key once.
    key : the column's name.
    names : what to call the two tables.
    missing : ``"raise"``, or ``"drop"`` to leave out the rows whose key only one table has, and count them.

    Raises
    ------
    SourceError
        ``keys-missing``, ``keys-repeat`` or ``keys-differ``.
    DtypeError
        If the keys are no keys, or of another kind in the other table.

    Notes
    -----
    O(n), by hashing.

    Examples
    --------
    >>> import pyarrow as pa
    >>> both = paired(pa.chunked_array([[3, 1, 2]]), pa.chunked_array([[1, 2, 3]]), key="id", names=("a", "b"))
    >>> both.here.to_pylist(), both.there.to_pylist()
    ([0, 1, 2], [2, 0, 1])
    """
    import pyarrow.compute as pc

    one, other = (_keys(column, key, name) for column, name in zip((keys, others), names, strict=True))
    if _kind(one.type) != _kind(other.type):
        raise DtypeError(f"{key} of {names[1]}", f"keys of the kind {one.type}, as in {names[0]!r}", str(other.type),
                         f"write column {key!r} in the same way in both files")  # fmt: skip
    if one.type != other.type:
        one, other = one.cast(_widest(one.type)), other.cast(_widest(other.type))
    there = pc.index_in(one, value_set=other)
    here = pc.indices_nonzero(pc.is_valid(there))
    only_here, only_there = len(one) - len(here), len(other) - len(here)
    if (only_here or only_there) and missing != "drop":
        lone = one.filter(pc.is_null(there)) if only_here else other.filter(pc.invert(pc.is_in(other, value_set=one)))
        found = f"{only_here:,} only in {names[0]!r} and {only_there:,} only in {names[1]!r}"
        raise SourceError("keys-differ", names[1],
                          f"expected the same keys in both files, found {found}, such as key {_shown(lone[0])}",
                          "add --missing drop to compare on the rows that both have, and have the others counted",
                          )  # fmt: skip
    if not len(here):
        raise SourceError("keys-differ", names[1], f"no key of column {key!r} is in both files",
                          "name the column that says which row is which")  # fmt: skip
    return Paired(here, there.take(here), only_here, only_there)


def _keys(column: Any, key: str, name: str) -> Any:
    """Give a column of keys without dictionary; refuse what is missing, repeated or no key."""
    import pyarrow as pa
    import pyarrow.compute as pc

    hint = "number the rows, and write that column into both files"
    if isinstance(column, list):
        raise DtypeError(f"{key} of {name}", "keys of one kind", "values of several kinds", hint)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_floating(column.type) or pa.types.is_nested(column.type) or pa.types.is_boolean(column.type):
        raise DtypeError(f"{key} of {name}", "whole numbers or texts as keys", str(column.type), hint)
    if column.null_count:
        raise SourceError("keys-missing", name,
                          f"expected a key in every row of column {key!r} of {name!r}, found {column.null_count:,} "
                          f"of {len(column):,} missing", hint)  # fmt: skip
    counts = pc.value_counts(column)
    often = pc.greater(counts.field("counts"), 1)
    if pc.any(often).as_py():
        repeated = counts.field("values").filter(often)
        raise SourceError("keys-repeat", name,
                          f"expected each key once in column {key!r} of {name!r}, found {len(repeated):,} that repeat, "
                          f"such as {_shown(repeated[0])}", hint)  # fmt: skip
    return column


def _kind(dtype: Any) -> str:
    """Name the kinds that can be the same key in two files, whatever their width."""
    import pyarrow as pa

    if pa.types.is_integer(dtype):
        return "whole numbers"
    if pa.types.is_string(dtype) or pa.types.is_large_string(dtype) or str(dtype) == "string_view":
        return "texts"
    return "decimals" if pa.types.is_decimal(dtype) else str(dtype)


def _widest(dtype: Any) -> Any:
    """A type that holds all keys of a kind exactly."""
    import pyarrow as pa

    kind = _kind(dtype)
    return {"whole numbers": pa.decimal128(38, 0), "texts": pa.large_string()}.get(kind, pa.decimal256(76, 38))


def _shown(scalar: Any, limit: int = 40) -> str:
    text = repr(scalar.as_py())
    return text if len(text) <= limit else f"{text[:limit]}..."
