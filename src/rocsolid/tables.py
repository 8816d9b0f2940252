"""A table of estimates: text, Markdown, HTML, dictionaries, data frames."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rocsolid import _faces
from rocsolid.results import SCHEMA, Estimate, format_interval, format_number, to_json


@dataclass(frozen=True, slots=True)
class Table:
    """Estimates, one row each; measures that are undefined keep their row and say why."""

    rows: tuple[Estimate, ...]

    def __iter__(self) -> Iterator[Estimate]:
        """Iterate over the estimates."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Count the estimates."""
        return len(self.rows)

    def __getitem__(self, index: int) -> Estimate:
        """Give one estimate by position."""
        return self.rows[index]

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        named = ("model",) if any(row.name is not None for row in self.rows) else ()
        return (*named, "measure", "value", "interval", "method", "n+", "n-")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [_cells(row, named="model" in self.header) for row in self.rows]

    @property
    def footnotes(self) -> list[str]:
        """Give each distinct remark once, the positive label first."""
        named = (row.pos_label for row in self.rows if row.pos_label is not None)
        labels = dict.fromkeys(f"positive label: {label!r}" for label in named)
        levels = dict.fromkeys(
            f"intervals: {row.interval.confidence_level:.4g} confidence" for row in self.rows if row.interval
        )
        gaps = dict.fromkeys(f"{row.measure} is undefined: {row.undefined.en}" for row in self.rows if row.undefined)
        notes = dict.fromkeys(note.en for row in self.rows for note in row.notes)
        return [*labels, *levels, *gaps, *notes]

    def __repr__(self) -> str:
        """Aligned text with the remarks below."""
        grid = [self.header, *self.cells]
        widths = [max(len(row[i]) for row in grid) for i in range(len(self.header))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in grid]
        return "\n".join([*lines, *self.footnotes])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(h)}</th>" for h in self.header)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in self.cells
        )
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.footnotes)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"

    def to_markdown(self) -> str:
        """Give a GitHub-flavoured Markdown table, then the remarks as a list."""
        grid = [self.header, tuple("---" for _ in self.header), *self.cells]
        lines = ["| " + " | ".join(_escape_markdown(c) for c in row) + " |" for row in grid]
        return "\n".join([*lines, "", *(f"- {_escape_markdown(note)}" for note in self.footnotes)])

    def to_dict(self) -> dict[str, Any]:
        """Give the rows as dictionaries under a schema version."""
        return {"schema": SCHEMA, "rows": [row.to_dict() for row in self.rows]}

    def to_json(self) -> str:
        """Write ``to_dict()`` as strict JSON."""
        return to_json(self.to_dict())

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame of the ``backend`` named (``"pandas"``, ``"polars"`` or ``"pyarrow"``).

        Raises
        ------
        MissingDependencyError
            If that library is not installed.
        """
        keys = (
            "name",
            "measure",
            "value",
            "std_error",
            "low",
            "high",
            "confidence_level",
            "method",
            "n_pos",
            "n_neg",
        )
        records = [row.to_dict() for row in self.rows]
        return _faces.frame({key: [record[key] for record in records] for key in keys}, backend)


def _cells(row: Estimate, *, named: bool) -> tuple[str, ...]:
    value = format_number(row.value) if row.undefined is None else "undefined"
    interval = "" if row.interval is None else format_interval(row.interval)
    cells = (row.measure, value, interval, row.method or "", f"{row.sizes.n_pos:,}", f"{row.sizes.n_neg:,}")
    return (row.name or "", *cells) if named else cells


def _escape_markdown(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
    return escaped if set(escaped) == {"-"} else html.escape(escaped, quote=False)
