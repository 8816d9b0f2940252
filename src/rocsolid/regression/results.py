"""Results of regression: estimates, tables, comparisons; the names are those of results for scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from rocsolid import _faces
from rocsolid.comparisons import format_p
from rocsolid.results import Interval, Note, format_interval
from rocsolid.text import format_number, printable
from rocsolid.values import SCHEMA, GridResult, Result


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSizes:
    """How many rows a result rests on.

    With weights ``effective_n`` is Kish's (sum w)^2 / sum w^2; ``n_clusters`` is set where rows were taken as
    dependent.
    """

    n: int
    effective_n: float | None = None
    n_clusters: int | None = None

    def __str__(self) -> str:
        """Give the sizes, such as ``120 rows in 30 clusters``."""
        text = f"{self.n:,} row{'s' if self.n != 1 else ''}"
        if self.n_clusters is not None:
            text += f" in {self.n_clusters:,} cluster{'s' if self.n_clusters != 1 else ''}"
        return text if self.effective_n is None else f"{text} (effective {self.effective_n:,.1f})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressionEstimate(Result):
    """One measure of one model's predictions, with how sure it is.

    Attributes
    ----------
    measure : the spec, such as ``"mean_squared_error"`` or ``"pinball_loss(alpha=0.9)"``.
    value : the point estimate; nan where undefined (see ``undefined``).
    std_error : its standard error, ``None`` where the method has none.
    interval : the confidence interval, ``None`` where there is none (a note says why).
    method : how the interval was made.
    sizes : rows that the estimate rests on.
    exact : the value as a fraction, where it is a ratio of whole numbers.
    details, notes : further plain numbers, and remarks.
    undefined : why there is no value, otherwise ``None``.
    name : the model's name, where one was given.
    """

    measure: str
    value: float
    std_error: float | None
    interval: Interval | None
    method: str | None
    sizes: RowSizes
    exact: Fraction | None = None
    details: Mapping[str, float] = field(default_factory=dict, hash=False)
    notes: tuple[Note, ...] = ()
    undefined: Note | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        """Freeze the details too."""
        object.__setattr__(self, "details", MappingProxyType(dict(self.details)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by value; a mapping proxy can not be pickled as it is."""
        state = {name: getattr(self, name) for name in self.__slots__}
        return _rebuilt, ({**state, "details": dict(self.details)},)

    def __float__(self) -> float:
        """Give the point estimate."""
        return self.value

    def __format__(self, spec: str) -> str:
        """Format the point estimate, as in ``f"{estimate:.3f}"``; without a spec as printed."""
        return format(self.value, spec) if spec else repr(self)

    def __repr__(self) -> str:
        """One line: value, interval, method and rows."""
        head = self.measure if self.name is None else f"{printable(self.name)}: {self.measure}"
        if self.undefined is not None:
            return f"<{head} = undefined ({self.undefined.en}); {self.sizes}>"
        body = format_number(self.value)
        if self.interval is not None:
            body += f" {format_interval(self.interval)} {self.interval.confidence_level:.4g} CI ({self.method})"
        return f"<{head} = {body}; {self.sizes}>"

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        interval = self.interval
        return {
            "schema": SCHEMA,
            "name": self.name,
            "measure": self.measure,
            "value": self.value,
            "exact": None if self.exact is None else f"{self.exact.numerator}/{self.exact.denominator}",
            "std_error": self.std_error,
            "low": None if interval is None else interval.low,
            "high": None if interval is None else interval.high,
            "confidence_level": None if interval is None else interval.confidence_level,
            "method": self.method,
            "n": self.sizes.n,
            "effective_n": self.sizes.effective_n,
            "n_clusters": self.sizes.n_clusters,
            "details": dict(self.details),
            "notes": [note.en for note in self.notes],
            "undefined": None if self.undefined is None else self.undefined.en,
        }


def _rebuilt(state: dict[str, Any]) -> RegressionEstimate:
    return RegressionEstimate(**state)


@dataclass(frozen=True, slots=True, repr=False)
class RegressionTable(GridResult):
    """Estimates, one row each; measures that are undefined keep their row and say why."""

    rows: tuple[RegressionEstimate, ...]

    def __iter__(self) -> Iterator[RegressionEstimate]:
        """Iterate over the estimates."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Count the estimates."""
        return len(self.rows)

    def __getitem__(self, index: int) -> RegressionEstimate:
        """Give one estimate by position."""
        return self.rows[index]

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("measure", "value", "std error", "interval", "method", "n")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [
            (
                row.measure,
                "undefined" if row.undefined is not None else format_number(row.value),
                "" if row.std_error is None else format_number(row.std_error),
                "" if row.interval is None else format_interval(row.interval),
                row.method or "",
                f"{row.sizes.n:,}",
            )
            for row in self.rows
        ]

    @property
    def footnotes(self) -> list[str]:
        """Give each distinct remark once."""
        levels = (f"intervals: {row.interval.confidence_level:.4g} confidence" for row in self.rows if row.interval)
        gaps = (f"{row.measure} is undefined: {row.undefined.en}" for row in self.rows if row.undefined)
        notes = (note.en for row in self.rows for note in row.notes)
        return list(dict.fromkeys([*levels, *gaps, *notes]))

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
        keys = ("name", "measure", "value", "std_error", "low", "high", "confidence_level", "method", "n")
        records = [row.to_dict() for row in self.rows]
        return _faces.frame({key: [record[key] for record in records] for key in keys}, backend)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressionComparison(Result):
    """Difference of a measure between two models of the same rows, first less second.

    Attributes
    ----------
    measure, names : the measure and the two models.
    difference : value of the first less value of the second.
    interval : of the difference, one-sided for one-sided alternatives; ``None`` if there is none (a note says why).
        ``interval.method`` tells how it was made.
    method : the test.
    statistic, df : of the t test; ``None`` where there is none.
    pvalue, log10_pvalue : nan if there is none, with a note; the logarithm is finite where the p value is too small.
    adjusted_pvalue : adjusted for all comparisons of the same table; ``None`` for a single one.
    alternative : ``"two-sided"``, ``"greater"`` or ``"less"``.
    std_error : of the difference.
    correlation : of the two estimates.
    estimates : both estimates, with their own intervals.
    notes : remarks.
    """

    measure: str
    names: tuple[str, str]
    difference: float
    interval: Interval | None
    statistic: float | None
    df: float | None
    pvalue: float
    log10_pvalue: float
    alternative: str
    std_error: float | None
    correlation: float
    estimates: tuple[RegressionEstimate, RegressionEstimate]
    method: str = "influence-t"
    adjusted_pvalue: float | None = None
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
        text += f"; p = {format_p(self.pvalue, self.log10_pvalue)} ({self.method}, {self.alternative})"
        values = ", ".join(f"{name} {format_number(e.value)}" for name, e in zip((a, b), self.estimates, strict=True))
        return f"{text}; {values}; {self.estimates[0].sizes}>"

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
            "statistic": self.statistic,
            "df": self.df,
            "pvalue": self.pvalue,
            "log10_pvalue": self.log10_pvalue,
            "adjusted_pvalue": self.adjusted_pvalue,
            "method": self.method,
            "alternative": self.alternative,
            "std_error": self.std_error,
            "correlation": self.correlation,
            "estimates": [e.to_dict() for e in self.estimates],
            "notes": [note.en for note in self.notes],
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RegressionComparisons(GridResult):
    """All pairs of several models on the same rows, p values adjusted for all of them."""

    rows: tuple[RegressionComparison, ...]
    estimates: tuple[RegressionEstimate, ...]
    adjust: str

    def __iter__(self) -> Iterator[RegressionComparison]:
        """Iterate over the pairs."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.rows)

    def __getitem__(self, pair: int | tuple[str, str]) -> RegressionComparison:
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
        return ("models", "difference", "interval", "p", f"p ({self.adjust})")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [
            (
                f"{row.names[0]} - {row.names[1]}",
                format_number(row.difference),
                "" if row.interval is None else format_interval(row.interval),
                format_p(row.pvalue, row.log10_pvalue),
                "" if row.adjusted_pvalue is None else format_p(row.adjusted_pvalue),
            )
            for row in self.rows
        ]

    @property
    def footnotes(self) -> list[str]:
        """Give the measure and each distinct remark once."""
        first = self.rows[0]
        lines = [f"{first.measure}, first less second; {first.estimates[0].sizes}; {first.method}"]
        return [*lines, *dict.fromkeys(note.en for row in self.rows for note in row.notes)]

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        return {
            "schema": SCHEMA,
            "adjust": self.adjust,
            "estimates": [e.to_dict() for e in self.estimates],
            "rows": [row.to_dict() for row in self.rows],
        }
