"""Evaluations: one holder of data, everything else is asked of it."""

from __future__ import annotations

import html
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Literal, overload

from rocsolid import _faces
from rocsolid.comparisons import Comparison
from rocsolid.curves import Curve, DetCurve, PrecisionRecallCurve, RocCurve, curve
from rocsolid.decisions import (
    RATES,
    Choice,
    OperatingPoint,
    ThresholdInterval,
    best_cut,
    check_criterion,
    constrained_cut,
    elsewhere,
    estimate_optimism,
    guaranteed_cut,
    need_no_draws,
    one_way,
    threshold_interval,
)
from rocsolid.errors import (
    NotAvailableError,
    OptionError,
)
from rocsolid.inference import Band, band
from rocsolid.inference.compare import check_terms, compare
from rocsolid.inference.contrast import Subject
from rocsolid.measured import Measured, Spec
from rocsolid.measures import REGISTRY, AtThreshold, Request, find
from rocsolid.options import unboxed
from rocsolid.text import printable


class Evaluation(Measured):
    """Labels and scores of one model, and every question one can ask of them.

    Made by :func:`evaluate`. It holds the rows next to their sweep; the results it gives do not.
    """

    __slots__ = ()

    # ------------------------------------------------------------------------------- curves and cuts

    @overload
    def curve(self, name: Literal["roc"]) -> RocCurve: ...
    @overload
    def curve(self, name: Literal["precision_recall", "pr"]) -> PrecisionRecallCurve: ...
    @overload
    def curve(self, name: Literal["det"]) -> DetCurve: ...
    @overload
    def curve(self, name: str) -> Curve: ...
    def curve(self, name: str) -> Curve:
        """Draw a curve: ``"roc"``, ``"precision_recall"`` or ``"det"``. O(k)."""
        return curve(name, self._sweep)

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
        flagged : at most this share of the rows is flagged.
        guarantee : with ``recall``, ``specificity`` or ``fpr``: the cut is chosen so that the population's rate keeps
            the bound with this confidence, for any distribution (Wilks 1941); a note states it.

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
            return self._point(Choice(cut, notes=(note,)))
        name, value = one_way(wanted)
        cut = Choice(unboxed(value)) if name == "threshold" else constrained_cut(self._sweep, name, value)
        return (self._pooled() if self._folds else self)._point(cut)

    def best(
        self,
        criterion: str,
        *,
        beta: float | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
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
            For the optimism of weighted rows, clusters or folds.

        Notes
        -----
        O(k), and O(n_resamples k) with optimism. Sources of the criteria stand in the module ``decisions/best.py``.

        Examples
        --------
        >>> import rocsolid as rs
        >>> point = rs.evaluate([0, 0, 1, 1], [1, 4, 3, 8]).best("youden")
        >>> point.threshold, point.attained, point.tied
        (8, 0.5, (8, 3))
        """
        wanted = check_criterion(
            criterion, beta=beta, cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence
        )  # fmt: skip
        choice = best_cut(self._sweep, wanted)
        point = (self._pooled() if self._folds else self)._point(choice)
        if not optimism:
            need_no_draws(n_resamples, rng)
            return point
        self._need_independent_rows("the optimism of a cut")
        assert choice.attained is not None
        found = estimate_optimism(self._sweep, wanted, choice.attained, n_resamples=n_resamples, rng=rng)
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

    def band(
        self,
        name: str,
        *,
        kind: str = "simultaneous",
        method: str = "auto",
        guarantee: bool = False,
        confidence_level: float | None = None,
        prevalence: float | str | None = None,
    ) -> Band:
        """Draw the confidence band of ``"roc"``, ``"precision_recall"`` or ``"det"``; it contains its own curve.

        Parameters
        ----------
        kind : ``"simultaneous"``, for the whole curve at once, or ``"pointwise"``, at each x by itself.
        method : ``"ellipse"`` (auto), the narrower ``"jeffreys"`` (pointwise), ``"rectangle"`` (the proven one).
        guarantee : True for the band whose level is proven for any distribution, a fifth wider.
        prevalence : of a precision-recall band: the sample's by default, a number, or ``"sampled"`` for the
            population's, which then has an interval of its own.

        Raises
        ------
        UndefinedMeasureError
            If one of the classes has no row.
        OptionError, UnknownNameError
            For an unknown curve or option, and for options that do not go together.
        NotAvailableError
            For weighted rows, and for levels outside [0.8, 0.999] with more than 500 rows in a class.

        Notes
        -----
        O(n); at most 4,096 cuts are looked at. See docs/explanation/bands.md.
        """
        self._need_independent_rows("bands")
        level = self._confidence_level if confidence_level is None else confidence_level
        return band(
            name, self._sweep, kind=kind, method=method, guarantee=guarantee, confidence_level=level,
            prevalence=prevalence,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------- faces

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write one self-contained HTML page, whole or not at all; return its path."""
        return _faces.write_report({self.name or "score": self}, path, title=title)

    def __repr__(self) -> str:
        """Name, sizes and the two areas."""
        s = self._sweep
        name = f"{printable(self.name)}: " if self.name is not None else ""
        return f"<Evaluation {name}{s.sizes}; {len(s):,} distinct scores; positive: {s.pos_label!r}>"

    def _repr_html_(self) -> str:
        return f"<p><code>{html.escape(repr(self)[1:-1])}</code></p>{self.table()._repr_html_()}"

    # ------------------------------------------------------------------------------------------ comparison

    def subject(self, name: str) -> Subject:
        """What a comparison looks at, under a name."""
        return Subject(name, self._sweep, self._rows)

    def compare(
        self,
        other: Evaluation,
        *,
        measure: Spec = "roc_auc",
        method: str = "auto",
        paired: bool = True,
        alternative: str = "two-sided",
        margin: float | None = None,
        confidence_level: float | None = None,
        n_resamples: int | None = None,
        rng: object = None,
    ) -> Comparison:
        """Compare with another model, this one less the other; see :func:`rocsolid.compare`.

        ``paired=True`` needs the same rows in the same order; independent samples only by name, ``paired=False``.

        Raises
        ------
        OptionError, UnknownNameError
            For bad or ineffective options, or rows that are not the same.
        UndefinedMeasureError
            If a model has no value.

        Examples
        --------
        >>> import rocsolid as rs
        >>> monday = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> tuesday = rs.evaluate([0, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.8])
        >>> monday.compare(tuesday, paired=False).difference
        -0.25
        """
        if not isinstance(other, Evaluation):
            raise OptionError("other", other, "an Evaluation", "rs.evaluate(y_true, y_score)")
        terms = check_terms(
            method=method, paired=paired, alternative=alternative, margin=margin, margins="random",
            confidence_level=self._confidence_level if confidence_level is None else confidence_level,
            n_resamples=n_resamples, rng=rng,
        )  # fmt: skip
        names = (self.name or "this", other.name or "other")
        if names[0] == names[1]:
            names = (f"{names[0]} (this)", f"{names[1]} (other)")
        found = compare(find(measure), [self.subject(names[0]), other.subject(names[1])], terms)
        assert isinstance(found, Comparison)
        return found

    def _need_independent_rows(self, what: str) -> None:
        """Refuse what would take the rows of a cluster, or the scores of several folds, as one sample."""
        if self._rows is not None and (self._rows.cluster is not None or self._folds):
            raise NotAvailableError(f"{what} with clusters or folds", "evaluate without cluster and fold")

    def _pooled(self) -> Evaluation:
        """All rows together, whatever their fold."""
        rows = None if self._rows is None else replace(self._rows, fold=None)
        return Evaluation(
            self._sweep, rows=rows, confidence_level=self._confidence_level, on_undefined=self._on_undefined,
            name=self.name,
        )  # fmt: skip


__all__ = ["Evaluation", "Spec"]
