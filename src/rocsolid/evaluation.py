"""Evaluations: one holder of data, everything else is asked of it."""

from __future__ import annotations

import html
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, overload

from rocsolid import _faces
from rocsolid.calibration import Calibration, calibration, with_band
from rocsolid.calibration.summary import specs as calibration_specs
from rocsolid.comparisons import Comparison
from rocsolid.curves import Curve, DetCurve, PrecisionRecallCurve, ReliabilityCurve, RocCurve, curve
from rocsolid.decisions import ThresholdInterval, guaranteed_cut, threshold_interval
from rocsolid.errors import (
    NotAvailableError,
    OptionError,
)
from rocsolid.inference import Band, band
from rocsolid.inference.compare import check_terms, compare
from rocsolid.inference.contrast import Subject
from rocsolid.measured import Measured, Spec
from rocsolid.measures import REGISTRY, AtThreshold, Request, find
from rocsolid.measures.registry import check_probabilities
from rocsolid.options import unboxed
from rocsolid.results import Note, OperatingPoint
from rocsolid.text import printable

RATES = ("precision", "recall", "specificity", "f1", "accuracy")


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
    def curve(self, name: Literal["reliability"]) -> ReliabilityCurve: ...
    @overload
    def curve(self, name: str) -> Curve: ...
    def curve(self, name: str) -> Curve:
        """Draw a curve: ``"roc"``, ``"precision_recall"``, ``"det"`` or ``"reliability"`` (isotonic). O(k)."""
        return curve(name, self._sweep)

    def at(
        self,
        *,
        threshold: float | Decimal | None = None,
        recall: float | None = None,
        specificity: float | None = None,
        fpr: float | None = None,
        precision: float | None = None,
        capacity: int | None = None,
        top_k: int | None = None,
        flagged: float | None = None,
        guarantee: float | None = None,
    ) -> OperatingPoint:
        """Judge one cut: confusion counts, and rates with Wilson intervals.

        Rows with ``score >= threshold`` are called positive (``<=`` with ``higher_is_positive=False``).
        A rate whose denominator is 0 has the value nan and says why. With ``guarantee=0.95`` and one of ``recall``,
        ``specificity`` and ``fpr`` the cut is chosen so that the population's rate keeps the bound with that
        confidence, for any distribution (Wilks 1941); a note states it. Other ways to choose a cut are not
        available yet.

        Raises
        ------
        OptionError
            If the threshold is missing or no number, or an argument has no effect beside the others.
        UndefinedMeasureError
            If there are too few rows for the guarantee; the message says how many it takes.
        NotAvailableError
            For the other ways to choose a cut.
        """
        others = {"recall": recall, "specificity": specificity, "fpr": fpr, "precision": precision,
                  "capacity": capacity, "top_k": top_k, "flagged": flagged}  # fmt: skip
        if guarantee is not None:
            self._need_independent_rows("a cut with a guarantee")
            cut, note = guaranteed_cut(self._sweep, {"threshold": threshold, **others}, guarantee)
            return self._point(cut, (note,))
        for name, value in others.items():
            if value is not None:
                raise NotAvailableError(f"a cut by `{name}`", "pass threshold=; .curve('roc') lists them all")
        if threshold is None:
            raise OptionError("threshold", None, "a number", "for example ev.at(threshold=0.5)")
        if self._folds:
            return self._pooled().at(threshold=threshold)
        return self._point(unboxed(threshold))

    def _point(self, cut: Any, notes: tuple[Note, ...] = ()) -> OperatingPoint:
        counts = self._sweep.at(cut)
        rates = {name: self._row(Request(REGISTRY[name], AtThreshold(cut))) for name in RATES}
        return OperatingPoint(threshold=cut, rule=self._sweep.rule(cut), counts=counts, notes=notes, **rates)

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

    # -------------------------------------------------------------------------------------- calibration

    def calibration(self, *, bins: int = 10, binning: str = "mass") -> Calibration:
        """Say whether the scores are the probabilities that they claim to be, with tests.

        ``bins`` and ``binning`` (``"mass"`` or ``"width"``) are those of the expected calibration error and of the
        Hosmer-Lemeshow test; everything else needs no bins. With weights there are no tests. O(k).

        Raises
        ------
        ProbabilityError
            If the scores are no probabilities.
        OptionError, UnknownNameError
            For bad bins.
        NotAvailableError
            With clusters or folds: the tests take rows as independent.

        Examples
        --------
        >>> import rocsolid as rs
        >>> ev = rs.evaluate([0, 0, 1, 1, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.2, 0.6, 0.9, 0.7])
        >>> ev.calibration().tests[1]
        <slope=1, intercept=0: chi-square(2) = 0.0650, p = 0.9680>
        """
        self._need_independent_rows("tests of calibration")
        check_probabilities("calibration", self._sweep)
        return calibration(self.table(calibration_specs(bins, binning)), self._sweep, bins=bins, binning=binning)

    def reliability(
        self,
        *,
        binning: str = "isotonic",
        bins: int = 10,
        confidence_level: float | None = None,
        n_resamples: int | None = None,
        rng: object = None,
    ) -> ReliabilityCurve:
        """Draw the reliability curve with its consistency band; see :func:`rocsolid.calibration.with_band`.

        ``binning="isotonic"`` needs no bins (CORP); ``"width"`` and ``"mass"`` have ``bins`` of them. ``rng`` and
        ``n_resamples`` are those of the band. O(k n_resamples), about two seconds for a million points drawn: with many
        distinct scores ask for fewer resamples, or for ``ev.curve("reliability")``, which has no band.

        Raises
        ------
        ProbabilityError, OptionError, UnknownNameError, NotAvailableError
            For scores that are no probabilities, bad options, and for weights, clusters or folds.
        """
        self._need_independent_rows("consistency bands")
        return with_band(
            self._sweep, binning=binning, bins=bins, n_resamples=n_resamples, rng=rng,
            confidence_level=self._confidence_level if confidence_level is None else confidence_level,
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
