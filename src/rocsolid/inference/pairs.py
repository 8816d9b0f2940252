"""Two models and what is known about both: what every test of a difference sees and gives back."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rocsolid.inference.contrast import Contrast, Subject
from rocsolid.inference.limits import Limits
from rocsolid.inference.seeds import Resampling
from rocsolid.inference.tails import PValue
from rocsolid.measures.registry import Request
from rocsolid.options import Margins
from rocsolid.results import Estimate, Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How models are compared."""

    method: str
    paired: bool
    alternative: str
    margin: float | None
    level: float
    margins: Margins
    draws: Resampling | None

    @property
    def two_sided_level(self) -> float:
        """Level of the two-sided interval one limit of which is the one-sided limit asked for."""
        return self.level if self.alternative == "two-sided" else 2 * self.level - 1


@dataclass(frozen=True, slots=True)
class Pair:
    """Two models and what is known about both.

    ``limits`` are those of each model that are joined to limits of the difference: at the two-sided level that the
    terms ask for, ``None`` where there are none; ``limits_at`` gives them at any level.
    """

    request: Request
    subjects: tuple[Subject, Subject]
    estimates: tuple[Estimate, Estimate]
    limits: tuple[Limits | None, Limits | None]
    limits_at: Callable[[float], tuple[Limits | None, Limits | None]]
    contrast: Contrast
    terms: Terms

    @property
    def se(self) -> float:
        """Standard error of the difference."""
        return math.sqrt(self.contrast.variance)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test gives; ``std_error`` where it has one of its own."""

    statistic: float | None
    df: float | None
    p: PValue
    limits: Limits | None
    interval_method: str
    notes: tuple[Note, ...] = ()
    details: Mapping[str, float] = field(default_factory=dict)
    std_error: float | None = None
