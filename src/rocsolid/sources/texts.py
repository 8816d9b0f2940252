"""Types for columns of text: certain or not at all, judged by every value of the column."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

WHOLE = r"^[+-]?(0|[1-9][0-9]*)$"
NUMBER = r"^[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
NOT_FINITE = r"^[+-]?(nan|inf|infinity)$"
BOOLEAN = r"^(true|false)$"


def typed(column: Any) -> Any:
    """Give a column of strings the type that all its values have; blanks around numbers do not count.

    Whole numbers become int64, uint64 or, beyond, decimals; other numbers float64 (``nan`` and ``inf`` with them);
    true and false booleans. Anything else, such as ``0123``, stays text. O(n).
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    bare = pc.utf8_trim_whitespace(column)
    if column.null_count == len(column):
        return pa.chunked_array([pa.nulls(len(column), pa.float64())])
    if _all(bare, WHOLE):
        return _whole(_unsigned(bare))
    if _all(bare, BOOLEAN):
        return pc.equal(pc.utf8_lower(bare), "true")
    number = pc.match_substring_regex(bare, NUMBER)
    other = pc.match_substring_regex(bare, NOT_FINITE, ignore_case=True)
    if pc.all(pc.or_(number, other)).as_py():
        return pc.cast(_unsigned(pc.utf8_lower(bare)), pa.float64())
    return column


def without(column: Any, words: Sequence[str]) -> Any:
    """Put a null where a column of text holds one of the words; blanks around it do not count. O(n)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not words or not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return column
    plain = column.cast(kind)
    gone = pc.is_in(pc.utf8_trim_whitespace(plain), value_set=pa.array([w.strip() for w in words], kind))
    return pc.if_else(gone, pa.scalar(None, kind), plain)


def typed_json(column: Any, words: Sequence[str] = ()) -> Any:
    """Give a column of JSON texts its type: numbers, booleans or text; a list where these mix. O(n).

    ``words`` stand for a missing value, as text or, like ``-999``, as numbers.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    column = column.cast(pa.string())
    column = pc.if_else(pc.equal(column, "null"), None, column)
    column = without(column, [*words, *(json.dumps(word, ensure_ascii=False) for word in words)])
    if not pc.any(pc.match_substring_regex(column, r'^["\[{]')).as_py():
        plain = typed(column)
        if not pa.types.is_string(plain.type):
            return plain
    coded = column.combine_chunks().dictionary_encode()
    values = [json.loads(text) for text in coded.dictionary.to_pylist()]
    if all(isinstance(v, str) for v in values):
        return pa.chunked_array([pa.array(values, pa.string()).take(coded.indices)])
    return [None if i is None else values[i] for i in coded.indices.to_pylist()]


def first_text(values: Any) -> tuple[object, int] | None:
    """Find the first value that is no number, and its row; ``None`` if the column is numeric. O(n)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(values, list):
        return next(((v, i) for i, v in enumerate(values) if not isinstance(v, (int, float, type(None)))), None)
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return None
    plain = values.cast(pa.string())
    bare = pc.utf8_trim_whitespace(plain)
    number = pc.or_(
        pc.match_substring_regex(bare, NUMBER), pc.match_substring_regex(bare, NOT_FINITE, ignore_case=True)
    )
    row = pc.index(number, False).as_py()
    if row < 0:  # numbers, written as text
        row = pc.index(pc.is_valid(plain), True).as_py()
    return None if row < 0 else (plain[row].as_py(), row)


def _all(column: Any, pattern: str) -> bool:
    import pyarrow.compute as pc

    found = pc.match_substring_regex(column, pattern, ignore_case=pattern == BOOLEAN)
    return bool(pc.all(found).as_py())


def _unsigned(column: Any) -> Any:
    """Take off a plus sign, which Arrow does not read."""
    import pyarrow.compute as pc

    return pc.replace_substring_regex(column, r"^\+", "")


def _whole(column: Any) -> Any:
    """Whole numbers in the first type that holds all of them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for kind in (pa.int64(), pa.uint64()):
        try:
            return pc.cast(column, kind)
        except pa.ArrowInvalid:
            continue
    values = [None if text is None else Decimal(text) for text in column.to_pylist()]
    digits = max(len(v.as_tuple().digits) for v in values if v is not None)
    if digits > 76:
        return column
    kind = pa.decimal128(digits, 0) if digits <= 38 else pa.decimal256(digits, 0)
    return pa.chunked_array([pa.array(values, kind)])
