"""A table with a row for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rocsolid.tables import Table


@dataclass(frozen=True, slots=True, repr=False)
class ClassTable(Table):
    """Estimates of one measure, a row for each class."""

    named: ClassVar[str] = "class"

    @property
    def footnotes(self) -> list[str]:
        """Give each distinct remark once; every class is the positive one in its row."""
        return [note for note in super(ClassTable, self).footnotes if not note.startswith("positive label: ")]
