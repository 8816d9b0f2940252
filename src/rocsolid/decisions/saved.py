"""Operating points read back from JSON: what their dictionaries hold, as the values they were."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from rocsolid.decisions.amounts import AmountRates
from rocsolid.decisions.optimism import Optimism
from rocsolid.errors import OptionError, SourceError
from rocsolid.results import Counts, Estimate, Interval, Note, Sizes


def bad_point(source: str, found: str) -> SourceError:
    """Word the error for a text that holds no operating point."""
    return SourceError(
        "file-unreadable", source, f"expected an operating point in {source!r}, found {found}",
        'write one with ev.at(...).save("point.json")',
    )  # fmt: skip


def read_point_text(path: str | Path) -> str:
    """Read a file as text."""
    if not isinstance(path, (str, os.PathLike)):
        raise OptionError("path", path, "the path of a saved point", 'rs.OperatingPoint.load("point.json")')
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise SourceError(
            "file-missing", str(path), f"can not read {str(path)!r}: {error.strerror}", "check the path"
        ) from None
    except UnicodeDecodeError:
        raise bad_point(str(path), "no text") from None


def read_number(held: Mapping[str, Any], key: str) -> Any:
    """Read a number: an infinity stands beside its key, nan is null."""
    if f"{key}_is" in held:
        return float(held[f"{key}_is"])
    return math.nan if held[key] is None else held[key]


def read_notes(texts: Iterable[str]) -> tuple[Note, ...]:
    """Read remarks; only their English text is saved."""
    return tuple(Note("saved", text, text) for text in texts)


def read_estimate(held: Mapping[str, Any]) -> Estimate:
    """Read an estimate from its dictionary."""
    interval = None
    if held["low"] is not None:
        interval = Interval(
            low=held["low"], high=held["high"], confidence_level=held["confidence_level"], method=held["method"]
        )
    undefined = held["undefined"]
    return Estimate(
        measure=held["measure"],
        value=read_number(held, "value"),
        std_error=held["std_error"],
        interval=interval,
        method=held["method"],
        sizes=Sizes(**{k: held[k] for k in ("n_pos", "n_neg", "effective_pos", "effective_neg", "n_clusters")}),
        pos_label=held["pos_label"],
        exact=None if held["exact"] is None else Fraction(held["exact"]),
        details={key: read_number(held["details"], key) for key in held["details"] if not key.endswith("_is")},
        notes=read_notes(held["notes"]),
        undefined=None if undefined is None else Note("undefined", undefined, undefined),
        name=held["name"],
    )


def read_amounts(held: Mapping[str, Any]) -> AmountRates:
    """Read shares by value; sums of squared amounts are not saved."""
    counts = Counts(
        tp=held["caught"], fn=held["missed"], fp=held["flagged_negatives"], tn=held["passed_negatives"]
    )  # fmt: skip
    recall, precision = map(read_estimate, held["rates"])
    return AmountRates(counts=counts, recall=recall, precision=precision, n_flagged=held["n_flagged"])


def read_optimism(held: Mapping[str, Any]) -> Optimism:
    """Read an optimism; a number that is null did not exist."""
    return Optimism(**{key: read_number(held, key) for key in Optimism.__slots__})
