"""What the functions of clustering give back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from rocsolid.errors import UndefinedMeasureError
from rocsolid.options import check_choice
from rocsolid.results import Note, Undefined
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, Result

Value = Fraction | float | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteringScore(Result):
    """One measure of a clustering.

    Attributes
    ----------
    measure : the measure with the definition that was asked for, such as ``"davies_bouldin(scatter=pairwise)"``.
    value : the number; nan where undefined (see ``undefined``).
    n : rows.
    n_clusters : groups of the clustering.
    n_reference : groups of the reference; ``None`` for measures that need none.
    exact : the value as a fraction, where it is a ratio of whole numbers.
    details : further plain numbers.
    notes : remarks, each with a stable code.
    undefined : why there is no value, otherwise ``None``.
    """

    measure: str
    value: float
    n: int
    n_clusters: int
    n_reference: int | None = None
    exact: Fraction | None = None
    details: Mapping[str, float] = field(default_factory=dict, hash=False)
    notes: tuple[Note, ...] = ()
    undefined: Note | None = None

    def __post_init__(self) -> None:
        """Freeze the details too."""
        object.__setattr__(self, "details", MappingProxyType(dict(self.details)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by value; a mapping proxy can not be pickled as it is."""
        state = {name: getattr(self, name) for name in self.__slots__}
        return _rebuilt, ({**state, "details": dict(self.details)},)

    def __float__(self) -> float:
        """Give the value."""
        return self.value

    def __format__(self, spec: str) -> str:
        """Format the value, as in ``f"{score:.3f}"``; without a spec as printed."""
        return format(self.value, spec) if spec else repr(self)

    def __repr__(self) -> str:
        """One line: value, rows and numbers of groups."""
        body = format_number(self.value) if self.undefined is None else f"undefined ({self.undefined.en})"
        clusters = f"{self.n_clusters:,} cluster{'s' if self.n_clusters != 1 else ''}"
        against = "" if self.n_reference is None else f" against {self.n_reference:,} of the reference"
        return f"<{self.measure} = {body}; {self.n:,} row{'s' if self.n != 1 else ''} in {clusters}{against}>"

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        return {
            "schema": SCHEMA,
            "measure": self.measure,
            "value": self.value,
            "exact": None if self.exact is None else f"{self.exact.numerator}/{self.exact.denominator}",
            "n": self.n,
            "n_clusters": self.n_clusters,
            "n_reference": self.n_reference,
            "details": dict(self.details),
            "notes": [note.en for note in self.notes],
            "undefined": None if self.undefined is None else self.undefined.en,
        }


def _rebuilt(state: dict[str, Any]) -> ClusteringScore:
    return ClusteringScore(**state)


def no_value(en: str, zh: str) -> Undefined:
    """Say why there is no value."""
    return Undefined(Note("undefined", en, zh))


def score(
    measure: str,
    value: Value,
    *,
    n: int,
    n_clusters: int,
    n_reference: int | None = None,
    details: Mapping[str, float] | None = None,
    notes: tuple[Note, ...] = (),
    on_undefined: str,
) -> ClusteringScore:
    """Make the result of a value, or raise, or give nan with the reason, where there is none.

    Raises
    ------
    UndefinedMeasureError
        If there is no value and ``on_undefined`` is ``"raise"``.
    """
    check_choice("on_undefined", on_undefined, ("raise", "nan"))
    reason = value.reason if isinstance(value, Undefined) else None
    if reason is not None and on_undefined == "raise":
        raise UndefinedMeasureError(measure, reason.en)
    return ClusteringScore(
        measure=measure,
        value=math.nan if isinstance(value, Undefined) else float(value),
        n=n,
        n_clusters=n_clusters,
        n_reference=n_reference,
        exact=value if isinstance(value, Fraction) else None,
        details={} if details is None else details,
        notes=notes,
        undefined=reason,
    )
