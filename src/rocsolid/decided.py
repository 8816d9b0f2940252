"""Decisions on one model: cuts given and chosen, zones, amounts: the part of an evaluation that decides."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from rocsolid.decisions import (
    RATES,
    Choice,
    DailyCapacity,
    OperatingPoint,
    ThresholdInterval,
    Zones,
    amount_rates,
    best_cut,
    check_criterion,
    constrained_cut,
    daily_capacity,
    elsewhere,
    estimate_optimism,
    guaranteed_cut,
    need_no_draws,
    one_way,
    threshold_interval,
    zones,
)
from rocsolid.errors import NotAvailableError, OptionError
from rocsolid.measured import Measured
from rocsolid.measures import REGISTRY, AtThreshold, Request
from rocsolid.options import check_count, check_level, unboxed


class Decided(Measured):
    """Every question about cuts."""

    __slots__ = ()

    def at(
        self,
        *,
        threshold: float | Decimal | None = None,
        recall: float | None = None,
        specificity: float | None = None,
        fpr: float | None = None,
        precision: float | None = None,
        capacity: float | None = None,
        top_k: int | None = None,
        flagged: float | None = None,
        guarantee: float | None = None,
        amount: Any = None,
    ) -> OperatingPoint:
        """Judge one cut, given or chosen: confusion counts, and rates with Wilson intervals.

        Rows with ``score >= threshold`` are called positive (``<=`` with ``higher_is_positive=False``).
        A rate whose denominator is 0 has the value nan and says why.

        Parameters
        ----------
        threshold : the cut itself; exactly one of this and the following is given.
        recall : at least so much of it, with the fewest false positives.
        specificity, precision, fpr : at least so much (at most so much FPR), with the most recall.
        capacity : at most so many rows are flagged; a fraction between 0 and 1 is a share of all rows.
        top_k : exactly the so many strictest rows; ties may make that impossible, and the point says so.
        flagged : at most this share of the rows is flagged. With weights all three count weights instead of rows.
        guarantee : with ``recall``, ``specificity`` or ``fpr``: the cut is chosen so that the population's rate keeps
            the bound with this confidence, for any distribution (Wilks 1941); a note states it.
        amount : (n,) value of each row, such as a sum of money: the point then says ``by_amount`` which shares of it
            are caught.

        Returns
        -------
        OperatingPoint, with what was ``asked`` and ``attained``. The correctly rounded ratio is compared with the
        number given. Where no cut does what is asked, ``feasible`` is False and the point is the nearest there is. Of
        cuts that are as good (``tied``) the strictest is taken. A cut that flags nothing is infinite.

        Raises
        ------
        OptionError
            If not exactly one way is given, or a number is out of range.
        UndefinedMeasureError
            If the class that a constraint speaks of has no row, or there are too few rows for the guarantee; the
            message says how many it takes.

        Notes
        -----
        O(k). Recorded values of R's pROC: tests/oracles/cases/operating_points.json.

        Examples
        --------
        >>> import rocsolid as rs
        >>> point = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at(recall=0.9)
        >>> point.rule, point.attained, point.fp, point.precision.exact
        ('score >= 0.35', 1.0, 1, Fraction(2, 3))
        """
        wanted = {"threshold": threshold, "recall": recall, "specificity": specificity, "fpr": fpr,
                  "precision": precision, "capacity": capacity, "top_k": top_k, "flagged": flagged}  # fmt: skip
        if guarantee is not None:
            self._need_independent_rows("a cut with a guarantee")
            cut, note = guaranteed_cut(self._sweep, wanted, guarantee)
            return self._with_amounts(self._point(Choice(cut, notes=(note,))), amount)
        name, value = one_way(wanted)
        cut = Choice(unboxed(value)) if name == "threshold" else constrained_cut(self._sweep, name, value)
        return self._with_amounts((self._pooled() if self._folds else self)._point(cut), amount)

    def best(
        self,
        criterion: str,
        *,
        beta: float | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        cost_tp: float | None = None,
        cost_tn: float | None = None,
        prevalence: float | None = None,
        optimism: bool = False,
        n_resamples: int | None = None,
        rng: object = None,
    ) -> OperatingPoint:
        """Choose the best cut by a criterion; of cuts that are as good (``tied``) the strictest is taken.

        Parameters
        ----------
        criterion : ``"youden"`` (recall + specificity - 1), ``"closest"`` (least distance from FPR 0, recall 1),
            ``"f1"``, ``"f_beta"``, ``"mcc"`` or ``"cost"``.
        beta : of ``"f_beta"``, how many times recall counts as much as precision.
        cost_fp, cost_fn : of ``"cost"``, what a false positive and a miss cost.
        cost_tp, cost_tn : of ``"cost"``, what a true positive and a true negative cost, 0 by default; a gain is a
            negative cost.
        prevalence : of ``"cost"``, another than that of these rows.
        optimism : True to estimate, by bootstrap, how much better the cut looks here than elsewhere.
        n_resamples, rng : of the optimism, 500 resamples by default; ``rng`` is a seed or a NumPy ``Generator``.

        Returns
        -------
        OperatingPoint. ``attained`` is the criterion (the distance, the expected cost of a row); all optima are
        compared as fractions.

        Raises
        ------
        UnknownNameError, OptionError
            For an unknown criterion; missing, bad or ineffective options.
        UndefinedMeasureError
            If a class has no row, or all rows share one score and the criterion has no value.
        NotAvailableError
            For the optimism in folds, or of sums of weights without their rows.

        Notes
        -----
        O(k), and O(n_resamples k) with optimism; rows are drawn with their weights, and clusters as a whole. Sources of
        the criteria stand in the module ``decisions/best.py``.

        Examples
        --------
        >>> import rocsolid as rs
        >>> point = rs.evaluate([0, 0, 1, 1], [1, 4, 3, 8]).best("youden")
        >>> point.threshold, point.attained, point.tied
        (8, 0.5, (8, 3))
        """
        wanted = check_criterion(
            criterion, beta=beta, cost_fp=cost_fp, cost_fn=cost_fn, cost_tp=cost_tp, cost_tn=cost_tn,
            prevalence=prevalence,
        )  # fmt: skip
        choice = best_cut(self._sweep, wanted)
        point = (self._pooled() if self._folds else self)._point(choice)
        if not optimism:
            need_no_draws(n_resamples, rng)
            return point
        if self._folds:
            raise NotAvailableError("the optimism of a cut with folds", "evaluate without fold")
        assert choice.attained is not None
        found = estimate_optimism(
            self._sweep, wanted, choice.attained, n_resamples=n_resamples, rng=rng, rows=self._rows
        )
        return replace(point, optimism=found)

    def _point(self, choice: Choice) -> OperatingPoint:
        cut = choice.threshold
        counts = self._sweep.at(cut)
        rates = (self._row(Request(REGISTRY[name], AtThreshold(cut))) for name in RATES)
        precision, recall, specificity, f1, accuracy = rates
        return OperatingPoint(
            threshold=cut, rule=self._sweep.rule(cut), counts=counts, asked=choice.asked, attained=choice.attained,
            feasible=choice.feasible, tied=choice.tied, higher_is_positive=self._sweep.higher_is_positive,
            notes=choice.notes, precision=precision, recall=recall, specificity=specificity, f1=f1, accuracy=accuracy,
        )  # fmt: skip

    def _with_amounts(self, point: OperatingPoint, amount: Any) -> OperatingPoint:
        """Add shares by value, if there are amounts."""
        if amount is None:
            return point
        self._need_independent_rows("a cut judged by amount")
        if self._rows is None:
            raise OptionError(
                "amount", "no rows, only a sweep", "left out without rows", "rs.evaluate(y_true, y_score)"
            )
        found = amount_rates(self._rows, self._sweep, point.threshold, amount, self._confidence_level, self.name)
        return replace(point, by_amount=found)

    def zones(
        self,
        *,
        rule_in: float | Decimal | OperatingPoint,
        rule_out: float | Decimal | OperatingPoint,
        confidence_level: float | None = None,
    ) -> Zones:
        """Judge two cuts: rows beyond ``rule_in`` are called positive, rows short of ``rule_out`` negative.

        The rows between are not called. Both cuts are scores, or points such as ``ev.at(specificity=0.95)`` and
        ``ev.at(recall=0.95)``. All shares have Wilson intervals, which take the cuts as given; with weights or
        clusters those of rates at a cut. O(k), with clusters O(n).

        Raises
        ------
        OptionError
            If a cut is no number, or ``rule_in`` is more lenient than ``rule_out``.
        NotAvailableError
            With folds.

        Examples
        --------
        >>> import rocsolid as rs
        >>> found = rs.evaluate([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6]).zones(rule_in=5, rule_out=3)
        >>> found.called_positive, found.abstained, found.called_negative
        (Zone(pos=2, neg=0), Zone(pos=1, neg=1), Zone(pos=0, neg=2))
        """
        if self._folds:
            raise NotAvailableError("zones with folds", "evaluate without fold")
        level = self._confidence_level if confidence_level is None else check_level(confidence_level)
        return zones(self._sweep, rule_in, rule_out, level, self.name, self._rows)

    def per_day(self, day: Any, *, capacity: int, confidence_level: float | None = None) -> DailyCapacity:
        """Judge a capacity per day: of each day the strictest rows are flagged, at most ``capacity``.

        Parameters
        ----------
        day : (n,) the day (or shift, or week) of each row, any labels; of times of the day each is one of its own.
        capacity : rows that can be looked at each day.

        Returns
        -------
        DailyCapacity. There is no single threshold; ties at the border are left out, and their days counted. Intervals
        take days as the units that are drawn; with one day there is none.

        Raises
        ------
        OptionError
            If ``capacity`` is no whole number of at least 1.
        LengthError, MissingValueError
            If there is not one day for each row.
        NotAvailableError
            With weights or folds, and with clusters that go over several days.

        Notes
        -----
        O(n log n).

        Examples
        --------
        >>> import rocsolid as rs
        >>> found = rs.evaluate([1, 0, 0, 1, 1, 0], [9, 8, 1, 5, 4, 3]).per_day(list("aaabbb"), capacity=1)
        >>> found.tp, found.fp, found.fn, found.recall.value
        (2, 0, 1, 0.6666666666666666)
        """
        if self._folds:
            raise NotAvailableError("a capacity per day with folds", "evaluate without fold")
        if self._rows is None or self._sweep.weights is not None:
            what = (
                "a capacity per day of weighted rows (how many rows of a day does one stand for?) or of a sweep alone"
            )
            raise NotAvailableError(what, "leave sample_weight out")
        level = self._confidence_level if confidence_level is None else check_level(confidence_level)
        rows = check_count("capacity", capacity, 1)
        return daily_capacity(self._rows, self._sweep, day, rows, level, self.name)

    def judged(self, point: OperatingPoint) -> OperatingPoint:
        """Judge a cut that was chosen on other rows; see :meth:`OperatingPoint.judge`."""
        return replace(self._point(Choice(point.threshold)), notes=(elsewhere(point),))

    def threshold_interval(
        self,
        *,
        recall: float | None = None,
        specificity: float | None = None,
        fpr: float | None = None,
        confidence_level: float | None = None,
    ) -> ThresholdInterval:
        """Say where the cut lies that gives this recall, specificity or FPR in the population.

        Limits are order statistics of one class: for any distribution, ties included (Thompson 1936). An end is
        infinite where there are too few rows for it. Exactly one of the three is given, within (0, 1); weighted
        rows are refused. O(k).

        The cut estimates a quantile of that one class: for FPR and specificity the most lenient score that meets the
        bound. ``ev.at(fpr=...)`` looks at the positives too: it goes on to the strictest cut that loses none of them,
        which may be stricter than this one and has the same recall.

        Examples
        --------
        The median of ten lies between the second and the ninth with probability 1 - 22/1024:

        >>> import rocsolid as rs
        >>> rs.evaluate([1] * 10 + [0], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0]).threshold_interval(recall=0.5)
        <threshold for recall >= 0.5 = 6 [2, 9] 0.95 CI (order-statistics); 10 positive, 1 negative; positive: 1>
        """
        self._need_independent_rows("intervals of a threshold")
        level = self._confidence_level if confidence_level is None else confidence_level
        return threshold_interval(self._sweep, {"recall": recall, "specificity": specificity, "fpr": fpr}, level)

    def _need_independent_rows(self, what: str) -> None:
        """Refuse what would take the rows of a cluster, or the scores of several folds, as one sample."""
        if self._rows is not None and (self._rows.cluster is not None or self._folds):
            raise NotAvailableError(f"{what} with clusters or folds", "evaluate without cluster and fold")

    def _pooled(self) -> Decided:
        """All rows together, whatever their fold."""
        rows = None if self._rows is None else replace(self._rows, fold=None)
        return type(self)(
            self._sweep, rows=rows, confidence_level=self._confidence_level, on_undefined=self._on_undefined,
            name=self.name,
        )  # fmt: skip
