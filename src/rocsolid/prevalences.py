"""One evaluation at other prevalences: the same ROC curve, with the classes weighed as they will come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rocsolid import _faces
from rocsolid.curves import PrecisionRecallCurve
from rocsolid.curves.points import need
from rocsolid.errors import OptionError
from rocsolid.measured import Measured
from rocsolid.measures import REGISTRY, Request
from rocsolid.measures.at_prevalence import AtThresholdAndPrevalence, reweighted, share_with_all_negatives
from rocsolid.measures.other_prevalence import negatives_above
from rocsolid.measures.ranking import AveragePrecision
from rocsolid.measures.registry import AtThreshold
from rocsolid.options import check_share
from rocsolid.results import Estimate, Interval, format_interval
from rocsolid.tables import Table
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, GridResult

USUAL = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)


class AtPrevalence:
    """An evaluation seen at another prevalence; made by :meth:`Evaluation.at_prevalence`.

    Rates within a class stay what they are; precision and what depends on it are reweighted, exactly.

    Attributes
    ----------
    prevalence : the share of positives that values are given at.
    negatives_above : negatives of the sample that are as likely as positives there, n pi / (1 - pi): those that decide
        the precision. With fewer than two of them average precision has no interval.
    """

    __slots__ = ("_measured", "negatives_above", "prevalence")

    def __init__(self, measured: Measured, prevalence: float) -> None:
        self._measured = measured
        self.prevalence = check_share("prevalence", prevalence, ends=False, hint="ev.at_prevalence(0.01)")
        self.negatives_above = negatives_above(measured.sweep, self.prevalence)

    def average_precision(
        self,
        *,
        method: str = "auto",
        confidence_level: float | None = None,
        n_resamples: int | None = None,
        rng: object = None,
    ) -> Estimate:
        """Average precision at the prevalence, short for ``ev.measure("average_precision(prevalence=...)")``.

        Examples
        --------
        Precision is 1 at the first positive, and at the second, with half of the negatives above,
        1/5 / (1/5 + 4/5 * 1/2):

        >>> import rocsolid as rs
        >>> rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at_prevalence(0.2).average_precision().exact
        Fraction(2, 3)
        """
        request = Request(REGISTRY["average_precision"], AveragePrecision(self.prevalence))
        return self._measured.measure(
            request, method=method, confidence_level=confidence_level, n_resamples=n_resamples, rng=rng
        )

    def precision(self, *, threshold: float) -> Estimate:
        """Precision at a cut: pi TPR / (pi TPR + (1 - pi) FPR)."""
        return self._rate("precision_at_prevalence", threshold)

    def npv(self, *, threshold: float) -> Estimate:
        """Negative predictive value at a cut: the share of rows not flagged that are negative."""
        return self._rate("npv_at_prevalence", threshold)

    def f1(self, *, threshold: float) -> Estimate:
        """F1 at a cut: the harmonic mean of recall and precision."""
        return self._rate("f1_at_prevalence", threshold)

    def at(self, *, threshold: float) -> Table:
        """Judge one cut: recall and specificity, which stay, and precision, NPV and F1 at the prevalence.

        Examples
        --------
        >>> import rocsolid as rs
        >>> view = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at_prevalence(0.2)
        >>> [str(rate.exact) for rate in view.at(threshold=0.4)]
        ['1/2', '1/2', '1/5', '4/5', '2/7']
        """
        cut = AtThreshold(threshold)
        stay = [self._measured.measure(Request(REGISTRY[name], cut)) for name in ("recall", "specificity")]
        return Table((*stay, self.precision(threshold=threshold), self.npv(threshold=threshold),
                      self.f1(threshold=threshold)))  # fmt: skip

    def curve(self) -> PrecisionRecallCurve:
        """Draw the precision-recall curve at the prevalence; its cuts and recalls are those of the sample. O(k).

        Raises
        ------
        UndefinedMeasureError
            If one of the classes has no row.
        """
        sweep = self._measured.sweep
        need(sweep, "precision_recall curve", "positives", "negatives")
        drawn = PrecisionRecallCurve.of(reweighted(sweep, self.prevalence))
        return replace(drawn, prevalence=self.prevalence, sizes=sweep.sizes)

    def _rate(self, name: str, threshold: float) -> Estimate:
        entry = REGISTRY[name]
        return self._measured.measure(Request(entry, AtThresholdAndPrevalence(threshold, self.prevalence)))

    def __repr__(self) -> str:
        """One line: the prevalence, the sizes and the negatives that decide."""
        return (
            f"<at prevalence {format_number(self.prevalence)}: {self._measured.sweep.sizes}; "
            f"{self.negatives_above:.3g} negatives decide the precision>"
        )


def at_prevalence(measured: Measured, prevalence: float | None, negatives_kept: float | None) -> AtPrevalence:
    """See an evaluation at a prevalence, or at the one it had before negatives were left out."""
    if (prevalence is None) == (negatives_kept is None):
        given = {"prevalence": prevalence, "negatives_kept": negatives_kept}
        raise OptionError("prevalence", given, "exactly one of the two", "ev.at_prevalence(0.01)")
    if prevalence is not None:
        return AtPrevalence(measured, prevalence)
    kept = check_share("negatives_kept", negatives_kept, ends=True, hint="negatives_kept=0.1 if one in ten is here")
    need(measured.sweep, "at_prevalence", "positives", "negatives")
    if kept == 0:
        raise OptionError("negatives_kept", negatives_kept, "above 0", "negatives_kept=0.1 if one in ten is here")
    return AtPrevalence(measured, share_with_all_negatives(measured.sweep, kept))


# -------------------------------------------------------------------------------------- against prevalence


@dataclass(frozen=True, slots=True, repr=False)
class PrevalenceCurve(GridResult):
    """Average precision against the prevalence of the positives.

    Attributes
    ----------
    estimates : one a prevalence, in the order asked for, each with its interval or the reason why there is none.
    prevalence, average_precision, low, high : the same as numbers; ends are nan without an interval.
    """

    estimates: tuple[Estimate, ...]

    @property
    def prevalence(self) -> tuple[float, ...]:
        """The prevalences, which are also the chance levels."""
        return tuple(e.details["chance"] for e in self.estimates)

    @property
    def average_precision(self) -> tuple[float, ...]:
        """Average precision at each of them."""
        return tuple(e.value for e in self.estimates)

    @property
    def intervals(self) -> tuple[Interval | None, ...]:
        """Interval at each of them."""
        return tuple(e.interval for e in self.estimates)

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("prevalence", "average_precision", "interval", "lift", "negatives above")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed."""
        return [
            (
                format_number(e.details["chance"]),
                format_number(e.value),
                "none" if e.interval is None else format_interval(e.interval),
                format_number(e.details["lift"], 2),
                f"{e.details['negatives_above']:.3g}",
            )
            for e in self.estimates
        ]

    @property
    def footnotes(self) -> list[str]:
        """Say what the last column decides."""
        level = next((e.interval.confidence_level for e in self.estimates if e.interval is not None), None)
        said = [] if level is None else [f"intervals: {level:.4g} confidence"]
        return [*said, f"{self.estimates[0].sizes}", "no interval where fewer than 2 negatives decide the precision"]

    def to_dict(self) -> dict[str, Any]:
        """Give the estimates as dictionaries under a schema version."""
        return {"schema": SCHEMA, "rows": [e.to_dict() for e in self.estimates]}

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``prevalence, average_precision, low, high``; ends are null without one."""
        ends = {side: [None if i is None else getattr(i, side) for i in self.intervals] for side in ("low", "high")}
        columns = {"prevalence": list(self.prevalence), "average_precision": list(self.average_precision), **ends}
        return _faces.frame(columns, backend)


def prevalence_curve(measured: Measured, prevalences: Sequence[float] | None) -> PrevalenceCurve:
    """Average precision at each prevalence. O(k) each."""
    if isinstance(prevalences, (str, bytes)) or not (prevalences is None or hasattr(prevalences, "__iter__")):
        raise OptionError("prevalences", prevalences, "a list of prevalences", "prevalences=[0.1, 0.01]")
    chosen = USUAL if prevalences is None else tuple(prevalences)
    if not chosen:
        raise OptionError("prevalences", prevalences, "at least one prevalence", "prevalences=[0.1, 0.01]")
    return PrevalenceCurve(tuple(AtPrevalence(measured, p).average_precision() for p in chosen))
