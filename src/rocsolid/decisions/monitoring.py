"""Whether new rows leave the intervals of an operating point: exact binomial tests against the nearer end.

Let a rate lie within [low, high] by the point's interval, and let x of n new rows have it. If x/n lies within, there is
nothing to say. If it lies above, P(X >= x) for X ~ Binomial(n, high) is the largest probability of so many that any
rate within allows; below, P(X <= x) at low. An alarm is a probability of at most alpha / (rates x looks): by
Bonferroni's inequality a true rate within its interval gives a false alarm, over all rates and looks, with probability
alpha at most.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsolid import _faces
from rocsolid.errors import EmptyInputError, NotAvailableError, OptionError
from rocsolid.inference import limits as lim
from rocsolid.options import check_count, check_share
from rocsolid.results import Interval, format_interval
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, GridResult

if TYPE_CHECKING:
    from rocsolid.decisions.point import OperatingPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """One rate: its interval at the point, the new rows that have it, and how surprising they are.

    ``pvalue`` is the largest probability that any rate within the interval gives to a count as far out; 1 within.
    """

    rate: str
    expected: Interval
    hits: int
    rows: int
    pvalue: float
    leaves: bool


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Monitoring(GridResult):
    """Whether new rows leave the intervals of an operating point; ``alarm`` if one rate does."""

    rule: str
    rows: tuple[Watched, ...]
    alpha: float
    looks: int

    @property
    def alarm(self) -> bool:
        """Whether any rate leaves its interval."""
        return any(row.leaves for row in self.rows)

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("rate", "expected", "found", "rows", "p", "leaves")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [
            (
                row.rate,
                format_interval(row.expected),
                format_number(row.hits / row.rows) if row.rows else "",
                f"{row.hits:,} of {row.rows:,}",
                f"{row.pvalue:.2g}",
                "yes" if row.leaves else "no",
            )
            for row in self.rows
        ]

    @property
    def footnotes(self) -> list[str]:
        """Give the level and what it is shared among."""
        return [
            f"decision: {self.rule}",
            f"false alarms: at most {self.alpha:g} over {len(self.rows)} rates and {self.looks:,} "
            f"look{'s' if self.looks > 1 else ''} in all; each test at {self.alpha / len(self.rows) / self.looks:.2g}",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        return {
            "schema": SCHEMA,
            "rule": self.rule,
            "alarm": self.alarm,
            "alpha": self.alpha,
            "looks": self.looks,
            "rates": [
                {
                    "rate": row.rate, "low": row.expected.low, "high": row.expected.high, "hits": row.hits,
                    "rows": row.rows, "pvalue": row.pvalue, "leaves": row.leaves,
                }
                for row in self.rows
            ],
        }  # fmt: skip


def monitor(
    point: OperatingPoint, y_score: Any, y_true: Any, *, alpha: float, looks: int, pos_label: object, missing: str
) -> Monitoring:
    """Watch a point on new rows; see :meth:`OperatingPoint.monitor`."""
    level, times = check_share("alpha", alpha, ends=False, hint="alpha=0.05"), check_count("looks", looks, 1)
    if point.counts.squares is not None or point.recall.sizes.n_clusters is not None:
        raise NotAvailableError("monitoring of weighted or clustered points", "choose the point on independent rows")
    if y_true is None:
        for name, value, usual in (("pos_label", pos_label, None), ("missing", missing, "raise")):
            if value != usual:
                raise OptionError(name, value, "left out without y_true", "point.monitor(y_score, y_true)")
        flags = point.apply(y_score)
        if not len(flags):
            raise EmptyInputError("y_score")
        counts = {"flagged": (int(flags.sum()), len(flags))}
    else:
        new = _faces.judge_point(
            point, y_true, y_score, pos_label=pos_label, sample_weight=None, cluster=None, missing=missing,
            confidence_level=None, name=None,
        )  # fmt: skip
        tp, fp, fn, tn = (int(getattr(new, cell)) for cell in ("tp", "fp", "fn", "tn"))
        counts = {
            "flagged": (tp + fp, tp + fp + fn + tn), "recall": (tp, tp + fn), "specificity": (tn, tn + fp),
            "precision": (tp, tp + fp),
        }  # fmt: skip
    expected = {name: found for name in counts if (found := _expected(point, name)) is not None}
    limit = level / len(expected) / times
    rows = tuple(_watched(name, expected[name], *counts[name], limit) for name in expected)
    return Monitoring(rule=point.rule, rows=rows, alpha=level, looks=times)


def _expected(point: OperatingPoint, name: str) -> Interval | None:
    """Interval of a rate at the point; ``None`` where it has none there."""
    if name != "flagged":
        found: Interval | None = getattr(point, name).interval
        return found
    level = next((rate.interval.confidence_level for rate in point.rates if rate.interval is not None), 0.95)
    low, high = lim.wilson(point.flagged, point.counts.n, lim.normal_quantile(level))
    return Interval(low=low, high=high, confidence_level=level, method="wilson")


def _watched(name: str, expected: Interval, hits: int, n: int, limit: float) -> Watched:
    p = _surprise(hits, n, expected)
    return Watched(rate=name, expected=expected, hits=hits, rows=n, pvalue=p, leaves=p <= limit)


def _surprise(hits: int, n: int, expected: Interval) -> float:
    """Largest probability, over the interval, of a count as far out; 1 within it."""
    from scipy.special import bdtr, bdtrc

    if n and hits / n > expected.high:
        return float(bdtrc(hits - 1, n, expected.high))
    if n and hits / n < expected.low:
        return float(bdtr(hits, n, expected.low))
    return 1.0
