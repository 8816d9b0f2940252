"""Tables of groups: measures beside their prevalence, gaps, and areas across groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from rocsolid.comparisons import Comparison, format_p
from rocsolid.results import Estimate, format_interval
from rocsolid.tables import Table
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, GridResult, plain


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A group that is not shown, since one of its classes has too few rows."""

    group: object
    n: int


@dataclass(frozen=True, slots=True, repr=False)
class GroupTable(Table):
    """Estimates of groups, each beside its prevalence."""

    named: ClassVar[str] = "group"
    suppressed: tuple[Suppressed, ...] = ()

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return (*super(GroupTable, self).header, "prevalence")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        printed = super(GroupTable, self).cells
        return [(*cells, _share(row)) for cells, row in zip(printed, self.rows, strict=True)]

    @property
    def footnotes(self) -> list[str]:
        """Give each distinct remark once, and say which groups are not shown."""
        notes = [note for note in super(GroupTable, self).footnotes if not _of_one_prevalence(note)]
        return [*notes, *_left_out(self.suppressed)]

    def to_dict(self) -> dict[str, Any]:
        """Give the rows as dictionaries under a schema version."""
        found = super(GroupTable, self).to_dict()
        return {**found, "suppressed": [plain(one.group) for one in self.suppressed]}


def _of_one_prevalence(note: str) -> bool:
    """Remarks that name one group's prevalence: it has a column of its own."""
    return " at prevalence " in note and "class sizes taken as" in note


def _share(row: Estimate) -> str:
    return format_number(row.sizes.n_pos / row.sizes.n) if row.sizes.n else ""


def _left_out(groups: tuple[Suppressed, ...]) -> list[str]:
    if not groups:
        return []
    names = ", ".join(str(one.group) for one in groups[:5]) + (", ..." if len(groups) > 5 else "")
    return [f"{len(groups):,} group{'s' if len(groups) != 1 else ''} with too few rows of a class not shown: {names}"]


@dataclass(frozen=True, slots=True, repr=False)
class GroupGaps(GridResult):
    """Differences of groups: each less the rest, or less a reference.

    Attributes
    ----------
    rows : comparisons of independent samples, with adjusted p values.
    undefined : groups (or references) without a value, with the reason.
    suppressed : groups with too few rows.
    adjust : how p values were adjusted.
    """

    rows: tuple[Comparison, ...]
    undefined: tuple[Estimate, ...]
    suppressed: tuple[Suppressed, ...]
    adjust: str

    def __iter__(self) -> Iterator[Comparison]:
        """Iterate over the comparisons."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Count the comparisons."""
        return len(self.rows)

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("group", "value", "against", "value", "gap", "interval", "p", f"p ({self.adjust})")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        found = [
            (row.names[0], format_number(row.estimates[0].value), row.names[1], format_number(row.estimates[1].value),
             format_number(row.difference), "" if row.interval is None else format_interval(row.interval),
             format_p(row.pvalue, row.log10_pvalue),
             format_p(row.pvalue if row.adjusted_pvalue is None else row.adjusted_pvalue, row.log10_pvalue))
            for row in self.rows
        ]  # fmt: skip
        return [*found, *((one.name or "", "undefined", "", "", "", "", "", "") for one in self.undefined)]

    @property
    def footnotes(self) -> list[str]:
        """Say what the gaps are of, and what is missing."""
        measure = dict.fromkeys(row.measure for row in self.rows)
        notes = [f"gaps in {name}; groups are taken as independent samples" for name in measure]
        notes += dict.fromkeys(f"{one.name}: {one.undefined.en}" for one in self.undefined if one.undefined)
        return [*notes, *_left_out(self.suppressed)] or ["no group has a gap"]

    def to_dict(self) -> dict[str, Any]:
        """Give the rows as dictionaries under a schema version."""
        return {
            "schema": SCHEMA, "rows": [row.to_dict() for row in self.rows], "adjust": self.adjust,
            "undefined": [one.to_dict() for one in self.undefined],
            "suppressed": [plain(one.group) for one in self.suppressed],
        }  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class AcrossGroups(GridResult):
    """ROC-AUC within groups and across each group and the rest.

    Attributes
    ----------
    rows : for each group its name, and the areas within it, of the rest's positives against its negatives (BPSN), and
        of its positives against the rest's negatives (BNSP).
    suppressed : groups with too few rows.
    """

    rows: tuple[tuple[str, tuple[Estimate, Estimate, Estimate]], ...]
    suppressed: tuple[Suppressed, ...]

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("group", "within", "interval", "BPSN", "interval", "BNSP", "interval")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [(name, *(text for one in areas for text in _area(one))) for name, areas in self.rows]

    @property
    def footnotes(self) -> list[str]:
        """Say what the columns are."""
        return [
            "ROC-AUC; BPSN: positives of the rest against negatives of the group; BNSP: positives of the group against "
            "negatives of the rest",
            *_left_out(self.suppressed),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Give the areas as dictionaries under a schema version."""
        names = ("within", "rest_positive", "rest_negative")
        rows = [
            {"group": name, **{key: one.to_dict() for key, one in zip(names, areas, strict=True)}}
            for name, areas in self.rows
        ]
        return {"schema": SCHEMA, "rows": rows, "suppressed": [plain(one.group) for one in self.suppressed]}


def _area(one: Estimate) -> tuple[str, str]:
    if one.undefined is not None:
        return "undefined", ""
    return format_number(one.value), "" if one.interval is None else format_interval(one.interval)
