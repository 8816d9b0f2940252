"""What all results have in common: they print themselves, and give dictionaries, strict JSON and tables."""

from __future__ import annotations

import html
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from rocsolid.options import unboxed
from rocsolid.text import aligned, escape_markdown, markdown_row, printable

SCHEMA = "rocsolid/1"
"""Version of every dictionary and JSON text written by this package."""


class Result(ABC):
    """A value that prints as ``<one line>`` and writes itself as a dictionary and as JSON."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""

    def to_json(self) -> str:
        """Write ``to_dict()`` as strict JSON: nan becomes null, infinities become null beside ``<key>_is``."""
        return to_json(self.to_dict())

    def _repr_html_(self) -> str:
        return f"<code>{html.escape(repr(self)[1:-1])}</code>"


class GridResult(Result):
    """A result that is a table with remarks below it: as text, HTML and Markdown; names can not break out of it."""

    __slots__ = ()

    @property
    @abstractmethod
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""

    @property
    @abstractmethod
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""

    @property
    @abstractmethod
    def footnotes(self) -> list[str]:
        """Give the remarks, each once."""

    def __repr__(self) -> str:
        """Aligned text with the remarks below."""
        return "\n".join([*aligned(self.printable_rows()), *map(printable, self.footnotes)])

    def _repr_html_(self) -> str:
        head, *body = ([html.escape(cell) for cell in row] for row in self.printable_rows())
        rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in body)
        notes = "".join(f"<p>{html.escape(printable(note))}</p>" for note in self.footnotes)
        titles = "".join(f"<th>{cell}</th>" for cell in head)
        return f"<table><thead><tr>{titles}</tr></thead><tbody>{rows}</tbody></table>{notes}"

    def to_markdown(self) -> str:
        """Give a GitHub-flavoured Markdown table, then the remarks as a list."""
        head, *body = ([escape_markdown(cell) for cell in row] for row in self.printable_rows())
        notes = [f"- {escape_markdown(printable(note))}" for note in self.footnotes]
        return "\n".join([*map(markdown_row, (head, ["---"] * len(head), *body)), "", *notes])

    def printable_rows(self) -> list[list[str]]:
        """Give header and rows, safe to print."""
        return [[printable(cell) for cell in row] for row in (self.header, *self.cells)]


# ---------------------------------------------------------------------------------------------- dictionaries


def plain(value: object) -> Any:
    """Turn a label into something that JSON can hold."""
    value = unboxed(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def json_ready(value: Any) -> Any:
    """Replace what JSON can not hold: nan by null, an infinity by null beside a ``<key>_is`` entry."""
    if isinstance(value, Mapping):
        out: dict[str, Any] = {}
        for key, item in value.items():
            out[str(key)] = json_ready(item)
            if isinstance(item, float) and math.isinf(item):
                out[f"{key}_is"] = "inf" if item > 0 else "-inf"
        return out
    if isinstance(value, (list, tuple)):
        return [json_ready(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def to_json(value: Any) -> str:
    """Write strict JSON, readable text kept as it is."""
    return json.dumps(json_ready(value), ensure_ascii=False, indent=2, allow_nan=False)
