"""A table of estimates: text, Markdown, HTML, dictionaries, data frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from rocsolid import _faces
from rocsolid.results import Estimate, format_interval
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, GridResult


@dataclass(frozen=True, slots=True, repr=False)
class Table(GridResult):
    """Estimates, one row each; measures that are undefined keep their row and say why."""

    named: ClassVar[str] = "model"
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
        named = (self.named,) if any(row.name is not None for row in self.rows) else ()
        return (*named, "measure", "value", "interval", "method", "n+", "n-")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [_cells(row, named=self.named in self.header) for row in self.rows]

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

    def to_dict(self) -> dict[str, Any]:
        """Give the rows as dictionaries under a schema version."""
        return {"schema": SCHEMA, "rows": [row.to_dict() for row in self.rows]}

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
