"""The decision curve with its intervals: net benefit at chosen threshold probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rocsolid import _faces
from rocsolid.errors import OptionError
from rocsolid.measured import Measured
from rocsolid.measures import REGISTRY, Request
from rocsolid.measures.cost import NetBenefit
from rocsolid.results import Estimate, Interval, format_interval
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, GridResult

USUAL = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)


@dataclass(frozen=True, slots=True, repr=False)
class NetBenefits(GridResult):
    """Net benefit of acting from a probability on, against that probability.

    Attributes
    ----------
    estimates : one a threshold, in the order asked for, each with its interval, by itself.
    thresholds, net_benefit, standardized, treat_all, intervals : the same as numbers; ``standardized`` is the share of
        the most that can be had, the prevalence, and ``treat_all`` what acting on every row is worth.
    """

    estimates: tuple[Estimate, ...]
    thresholds: tuple[float, ...]

    @property
    def net_benefit(self) -> tuple[float, ...]:
        """Net benefit at each threshold."""
        return tuple(e.value for e in self.estimates)

    @property
    def standardized(self) -> tuple[float | None, ...]:
        """The same over the prevalence; ``None`` without positives."""
        return tuple(e.details.get("standardized") for e in self.estimates)

    @property
    def treat_all(self) -> tuple[float, ...]:
        """Net benefit of treating everybody; that of nobody is 0."""
        return tuple(e.details["treat_all"] for e in self.estimates)

    @property
    def intervals(self) -> tuple[Interval | None, ...]:
        """Interval at each threshold."""
        return tuple(e.interval for e in self.estimates)

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("threshold", "net benefit", "interval", "standardized", "treat all")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed."""
        return [
            (
                f"{threshold:g}",
                format_number(e.value),
                "none" if e.interval is None else format_interval(e.interval),
                "undefined" if of_most is None else format_number(of_most),
                format_number(everybody),
            )
            for threshold, e, of_most, everybody in zip(
                self.thresholds, self.estimates, self.standardized, self.treat_all, strict=True
            )
        ]

    @property
    def footnotes(self) -> list[str]:
        """Say what the intervals are, and whether a threshold is worth acting on at all."""
        level = next((i.confidence_level for i in self.intervals if i is not None), None)
        said = [] if level is None else [f"intervals: {level:.4g} confidence, each threshold by itself"]
        return [*said, f"{self.estimates[0].sizes}; positive label: {self.estimates[0].pos_label!r}"]

    def to_dict(self) -> dict[str, Any]:
        """Give the estimates as dictionaries under a schema version."""
        return {"schema": SCHEMA, "thresholds": list(self.thresholds), "rows": [e.to_dict() for e in self.estimates]}

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame: ``threshold, net_benefit, low, high, standardized, treat_all``."""
        ends = {side: [None if i is None else getattr(i, side) for i in self.intervals] for side in ("low", "high")}
        columns = {
            "threshold": list(self.thresholds), "net_benefit": list(self.net_benefit), **ends,
            "standardized": list(self.standardized), "treat_all": list(self.treat_all),
        }  # fmt: skip
        return _faces.frame(columns, backend)


def net_benefits(measured: Measured, thresholds: Sequence[float] | None) -> NetBenefits:
    """Net benefit at each threshold. O(k) each."""
    chosen = USUAL if thresholds is None else tuple(thresholds)
    if not chosen:
        raise OptionError("thresholds", thresholds, "at least one threshold", "thresholds=[0.1, 0.2]")
    benefit = REGISTRY["net_benefit"]
    return NetBenefits(tuple(measured.measure(Request(benefit, NetBenefit(t))) for t in chosen), chosen)
