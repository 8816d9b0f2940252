"""Results of comparing models: one pair, or a table of all pairs with a test that they are all alike."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rocsolid import _faces
from rocsolid.results import Estimate, Interval, Note, format_interval
from rocsolid.text import format_number, printable
from rocsolid.values import SCHEMA, GridResult, Result, plain


def format_p(p: float, log10: float = math.nan) -> str:
    """Write a p value for people: four digits, a power of ten where it is small, never 0.

    Examples
    --------
    >>> format_p(0.04321), format_p(3.2e-7), format_p(0.0, -412.3)
    ('0.0432', '3.2e-07', '1e-412')
    """
    if math.isnan(p):
        return "nan"
    if p == 0:
        return f"1e{math.floor(log10) + 1}" if math.isfinite(log10) else "0"
    return f"{p:.4f}" if p >= 0.001 else f"{p:.2g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Result):
    """Difference of a measure between two models, first less second.

    Attributes
    ----------
    measure : the spec, such as ``"roc_auc"``.
    names : the two models.
    difference : value of the first less value of the second.
    interval : confidence interval of the difference, one-sided for one-sided alternatives; ``None`` if there is none
        (a note says why). ``interval.method`` tells how it was made.
    statistic, df : test statistic and its degrees of freedom; ``None`` where the test has none.
    pvalue : nan if there is none, with a note.
    log10_pvalue : its decimal logarithm, finite where ``pvalue`` is too small for a float.
    adjusted_pvalue : adjusted for all comparisons of the same table; ``None`` for a single one.
    method : the test.
    alternative : ``"two-sided"``, ``"greater"`` or ``"less"``.
    margin : of a test of non-inferiority or equivalence, otherwise ``None``.
    paired : whether both models have the same rows.
    std_error : of the difference.
    correlation : of the two estimates; ``None`` if the rows differ.
    estimates : both estimates, with their own intervals.
    details, notes : further plain numbers, and remarks.
    """

    measure: str
    names: tuple[str, str]
    difference: float
    interval: Interval | None
    statistic: float | None
    df: float | None
    pvalue: float
    log10_pvalue: float
    method: str
    alternative: str
    std_error: float | None
    estimates: tuple[Estimate, Estimate]
    correlation: float | None = None
    margin: float | None = None
    paired: bool = True
    adjusted_pvalue: float | None = None
    details: Mapping[str, float] = field(default_factory=dict, hash=False)
    notes: tuple[Note, ...] = ()

    def __float__(self) -> float:
        """Give the difference."""
        return self.difference

    def __repr__(self) -> str:
        """One line: difference, interval, p value, test and both estimates."""
        a, b = map(printable, self.names)
        text = f"<{self.measure}: {a} - {b} = {format_number(self.difference)}"
        if self.interval is not None:
            level = f"{self.interval.confidence_level:.4g} CI ({self.interval.method})"
            text += f" {format_interval(self.interval)} {level}"
        text += f"; p = {format_p(self.pvalue, self.log10_pvalue)} ({self.hypothesis})"
        values = ", ".join(f"{name} {format_number(e.value)}" for name, e in zip((a, b), self.estimates, strict=True))
        sizes = f"{self.estimates[0].sizes}" if self.paired else " and ".join(str(e.sizes) for e in self.estimates)
        return f"{text}; {values}; {sizes}>"

    @property
    def hypothesis(self) -> str:
        """The test and what a small p value speaks for, such as ``delong-t, two-sided``."""
        if self.margin is None:
            return f"{self.method}, {self.alternative}"
        what = "equivalence" if self.alternative == "two-sided" else f"{self.alternative}, non-inferiority"
        return f"{self.method}, {what} with margin {self.margin:g}"

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        interval = self.interval
        return {
            "schema": SCHEMA,
            "measure": self.measure,
            "models": list(self.names),
            "difference": self.difference,
            "low": None if interval is None else interval.low,
            "high": None if interval is None else interval.high,
            "confidence_level": None if interval is None else interval.confidence_level,
            "interval_method": None if interval is None else interval.method,
            "statistic": self.statistic,
            "df": self.df,
            "pvalue": self.pvalue,
            "log10_pvalue": self.log10_pvalue,
            "adjusted_pvalue": self.adjusted_pvalue,
            "method": self.method,
            "alternative": self.alternative,
            "margin": self.margin,
            "paired": self.paired,
            "std_error": self.std_error,
            "correlation": self.correlation,
            "estimates": [e.to_dict() for e in self.estimates],
            "pos_label": plain(self.estimates[0].pos_label),
            "details": dict(self.details),
            "notes": [note.en for note in self.notes],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Omnibus:
    """One test that all models have the same value of a measure."""

    statistic: float
    df: int
    pvalue: float
    log10_pvalue: float
    method: str

    def __repr__(self) -> str:
        """Statistic, degrees of freedom and p value."""
        p = format_p(self.pvalue, self.log10_pvalue)
        return f"<all alike: chi2({self.df}) = {format_number(self.statistic)}, p = {p} ({self.method})>"

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        return {
            "schema": SCHEMA, "statistic": self.statistic, "df": self.df, "pvalue": self.pvalue,
            "log10_pvalue": self.log10_pvalue, "method": self.method,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparisons(GridResult):
    """All pairs of several models on the same rows.

    Attributes
    ----------
    rows : one :class:`Comparison` a pair, with p values adjusted for all of them.
    omnibus : the test that all models are alike; ``None`` if there is none.
    estimates : each model's own estimate, in the order given.
    adjust : how p values are adjusted.
    """

    rows: tuple[Comparison, ...]
    omnibus: Omnibus | None
    estimates: tuple[Estimate, ...]
    adjust: str

    def __iter__(self) -> Iterator[Comparison]:
        """Iterate over the pairs."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.rows)

    def __getitem__(self, pair: int | tuple[str, str]) -> Comparison:
        """Give a comparison by position or by the two names, in the order of the models.

        Raises
        ------
        KeyError
            If there is no such pair.
        """
        if isinstance(pair, int):
            return self.rows[pair]
        for row in self.rows:
            if row.names == pair:
                return row
        raise KeyError(pair)

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("models", "difference", "interval", "p", f"p ({self.adjust})", "method")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [_cells(row) for row in self.rows]

    @property
    def footnotes(self) -> list[str]:
        """Give the omnibus test and each distinct remark once."""
        first = self.rows[0]
        lines = [f"{first.measure}, first less second; {first.estimates[0].sizes}"]
        if first.interval is not None:
            lines.append(f"intervals: {first.interval.confidence_level:.4g} confidence ({first.interval.method})")
        if self.omnibus is not None:
            lines.append(repr(self.omnibus)[1:-1])
        return [*lines, *dict.fromkeys(note.en for row in self.rows for note in row.notes)]

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        return {
            "schema": SCHEMA,
            "adjust": self.adjust,
            "omnibus": None if self.omnibus is None else self.omnibus.to_dict(),
            "estimates": [e.to_dict() for e in self.estimates],
            "rows": [row.to_dict() for row in self.rows],
        }

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame, one pair a row.

        Raises
        ------
        MissingDependencyError
            If the library named by ``backend`` is not installed.
        """
        keys = ("difference", "low", "high", "statistic", "df", "pvalue", "adjusted_pvalue", "std_error", "method")
        records = [row.to_dict() for row in self.rows]
        names: dict[str, list[Any]] = {
            "model": [r["models"][0] for r in records],
            "other": [r["models"][1] for r in records],
        }
        return _faces.frame(names | {key: [record[key] for record in records] for key in keys}, backend)


def _cells(row: Comparison) -> tuple[str, ...]:
    interval = "" if row.interval is None else format_interval(row.interval)
    p = format_p(row.pvalue, row.log10_pvalue)
    adjusted = (
        "" if row.adjusted_pvalue is None else (format_p(row.adjusted_pvalue) if row.adjusted_pvalue else "<1e-300")
    )
    return (f"{row.names[0]} - {row.names[1]}", format_number(row.difference), interval, p, adjusted, row.method)
