"""Evaluations: one holder of data, everything else is asked of it."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from rocsolid import _faces
from rocsolid.advised import Advised
from rocsolid.binormal import SmoothRoc, smooth_roc
from rocsolid.calibration import Calibration, calibration, with_band
from rocsolid.calibration.summary import specs as calibration_specs
from rocsolid.comparisons import Comparison
from rocsolid.curves import (
    CostCurve,
    Curve,
    DetCurve,
    GainCurve,
    LiftCurve,
    LogRocCurve,
    NetBenefitCurve,
    PrecisionRecallCurve,
    PrecisionRecallGainCurve,
    ReliabilityCurve,
    RocCurve,
    RocHull,
    curve,
)
from rocsolid.errors import (
    OptionError,
)
from rocsolid.inference import Band, band
from rocsolid.inference.compare import check_terms, compare
from rocsolid.inference.contrast import Subject
from rocsolid.measured import Spec
from rocsolid.measures import find
from rocsolid.measures.registry import check_probabilities
from rocsolid.prevalences import AtPrevalence, PrevalenceCurve, at_prevalence, prevalence_curve
from rocsolid.text import printable

if TYPE_CHECKING:
    from rocsolid.grouped import GroupedEvaluation
    from rocsolid.report.inline import InlineReport


class Evaluation(Advised):
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
    def curve(self, name: Literal["precision_recall_gain", "prg"]) -> PrecisionRecallGainCurve: ...
    @overload
    def curve(self, name: Literal["gain"]) -> GainCurve: ...
    @overload
    def curve(self, name: Literal["lift"]) -> LiftCurve: ...
    @overload
    def curve(self, name: Literal["log_roc"]) -> LogRocCurve: ...
    @overload
    def curve(self, name: Literal["cost"]) -> CostCurve: ...
    @overload
    def curve(self, name: Literal["net_benefit", "decision"]) -> NetBenefitCurve: ...
    @overload
    def curve(self, name: Literal["roc_hull"]) -> RocHull: ...
    @overload
    def curve(self, name: Literal["reliability"]) -> ReliabilityCurve: ...
    @overload
    def curve(self, name: str) -> Curve: ...
    def curve(self, name: str) -> Curve:
        """Draw a curve: frozen arrays, strict to lenient, with ``to_frame()`` and ``plot()``.

        Parameters
        ----------
        name : ``"roc"``, ``"log_roc"`` (over the logarithm of FPR), ``"precision_recall"``, ``"det"``,
            ``"precision_recall_gain"``, ``"gain"``, ``"lift"``, ``"cumulative_flagged"``, ``"cost"``,
            ``"net_benefit"``, ``"roc_hull"``, ``"reliability"``; or a measure at a cut, which gives its value at every
            cut: ``"f1"``, ``"expected_cost(cost_fp=1, cost_fn=10)"``.

        Raises
        ------
        UnknownNameError
            If there is neither such a curve nor such a measure.
        UndefinedMeasureError
            If a class that it needs has no row.
        ProbabilityError
            For the net benefit of scores that are no probabilities.

        Notes
        -----
        O(k) for k distinct scores. Rows of one score are one point, and one straight segment.

        Examples
        --------
        >>> import rocsolid as rs
        >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> ev.curve("cost").envelope_area, ev.curve("recall").values.tolist()
        (0.125, [0.0, 0.5, 0.5, 1.0, 1.0])
        """
        return curve(name, self._sweep)

    def smooth_roc(self, *, method: str = "binormal") -> SmoothRoc:
        """Draw a smoothed ROC curve.

        Parameters
        ----------
        method : ``"binormal"``, the model fitted by maximum likelihood (:meth:`Binormal.fit` gives the fit itself);
            or ``"kernel"``, normal kernels with Silverman's bandwidths, which depend on the scale of the scores.

        Raises
        ------
        UndefinedMeasureError
            If a class is missing or has too few scores, or no binormal curve fits best.
        NotAvailableError
            For weighted rows, clusters and folds.

        Examples
        --------
        >>> import rocsolid as rs
        >>> y, s = rs.Binormal.from_auc(0.9).sample(50, 50, rng=0)
        >>> rs.evaluate(y, s).smooth_roc()
        <smooth ROC curve (binormal): 518 points, area 0.9161; 50 positive, 50 negative; positive: 1>
        """
        self._need_independent_rows("smoothed curves")
        return smooth_roc(self._sweep, method)

    def at_prevalence(self, prevalence: float | None = None, *, negatives_kept: float | None = None) -> AtPrevalence:
        """See the evaluation at another prevalence: precision, NPV, F1, average precision and their curve reweighted.

        Parameters
        ----------
        prevalence : the share of positives where the scores will be used.
        negatives_kept : or the share of negatives that were kept when they were sampled: the prevalence is then the
            one before, n+ / (n+ + n- / kept).

        Returns
        -------
        AtPrevalence
            Asked for ``.average_precision()``, ``.precision(threshold=)``, ``.npv(...)``, ``.f1(...)``, ``.at(...)``
            and ``.curve()``. Points are exact for the sample's ROC curve; an interval is given where simulation
            supports it, and ``.negatives_above`` says how many negatives the precision rests on.

        Raises
        ------
        OptionError
            Unless exactly one of the two is given, the prevalence strictly between 0 and 1.
        UndefinedMeasureError
            For ``negatives_kept`` if one of the classes has no row.

        Examples
        --------
        One negative in ten was kept: two positives stand against twenty negatives.

        >>> import rocsolid as rs
        >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> ev.at_prevalence(negatives_kept=0.1)
        <at prevalence 0.0909: 2 positive, 2 negative; 0.2 negatives decide the precision>
        >>> round(float(ev.at_prevalence(negatives_kept=0.1).precision(threshold=0.3)), 6)
        0.166667
        """
        return at_prevalence(self, prevalence, negatives_kept)

    def average_precision_by_prevalence(self, prevalences: Sequence[float] | None = None) -> PrevalenceCurve:
        """Average precision against the prevalence: each point exact for the sample's ROC curve.

        Parameters
        ----------
        prevalences : strictly between 0 and 1; by default from one half to one in a thousand.

        Raises
        ------
        OptionError
            For no prevalence, or one that is not strictly between 0 and 1.
        UndefinedMeasureError
            If one of the classes has no row.

        Examples
        --------
        >>> import rocsolid as rs
        >>> found = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).average_precision_by_prevalence([0.5, 0.2])
        >>> [str(point.exact) for point in found.estimates]
        ['5/6', '2/3']
        """
        return prevalence_curve(self, prevalences)

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
        ``n_resamples`` are those of the band, 2,000 by default and fewer with more than 100,000 distinct scores.
        O(k n_resamples), up to ten seconds by default; ``ev.curve("reliability")`` has no band.

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

    def plot(
        self,
        curves: Sequence[str] | None = None,
        *,
        band: str | None = None,
        scales: Mapping[str, str] | None = None,
        columns: int | None = None,
        title: str | None = None,
        lang: str = "en",
    ) -> Any:
        """Draw several curves side by side with Matplotlib.

        Parameters
        ----------
        curves : names as in :meth:`curve`; by default ROC, precision-recall, DET, and the reliability curve (the gain
            curve where scores are no probabilities).
        band : ``"pointwise"`` or ``"simultaneous"``, on the curves that have bands.
        scales : of some curves by name, such as ``{"roc": "log"}``.
        columns, title, lang : panels in a row, a heading, and ``"en"`` or ``"zh"`` for the words.

        Returns
        -------
        PanelsDisplay
            With ``figure_``, ``axes_`` and ``displays_`` by curve, and ``save(path)``.

        Raises
        ------
        MissingDependencyError
            Without Matplotlib.
        OptionError, UnknownNameError, UndefinedMeasureError
            For unknown curves, bands and scales, and curves that the rows do not have.

        Examples
        --------
        >>> import rocsolid as rs
        >>> sorted(rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).plot(["roc", "det"]).axes_)
        ['det', 'roc']
        """
        return _faces.plot_panels(
            {self.name or "score": self}, curves, band=band, scales=scales, columns=columns, title=title,
            lang=lang,
        )  # fmt: skip

    @overload
    def report(self, path: None = None, *, title: str | None = None) -> InlineReport: ...
    @overload
    def report(self, path: str | Path, *, title: str | None = None) -> Path: ...
    def report(self, path: str | Path | None = None, *, title: str | None = None) -> Path | InlineReport:
        """Write one self-contained HTML page, whole or not at all, and return its path.

        Without a ``path`` the page comes back instead: a notebook shows it in a sandboxed frame.
        """
        if path is None:
            return _faces.inline_report({self.name or "score": self}, title=title)
        return _faces.write_report({self.name or "score": self}, path, title=title)

    def __repr__(self) -> str:
        """Name, sizes and the two areas."""
        s = self._sweep
        name = f"{printable(self.name)}: " if self.name is not None else ""
        return f"<Evaluation {name}{s.sizes}; {len(s):,} distinct scores; positive: {s.pos_label!r}>"

    def _repr_html_(self) -> str:
        return f"<p><code>{html.escape(repr(self)[1:-1])}</code></p>{self.table()._repr_html_()}"

    # ------------------------------------------------------------------------------------------ comparison

    def by(self, groups: Any, *, min_rows: int = 0) -> GroupedEvaluation:
        """Evaluate each group of rows by itself, such as regions, devices or sexes.

        Parameters
        ----------
        groups : (n,) the group of each row, in the order of the rows given.
        min_rows : groups with fewer rows of either class are not shown, but counted: small cells can give people away,
            and their intervals say little.

        Returns
        -------
        GroupedEvaluation
            A mapping from group to :class:`Evaluation`, with ``.table(measures)``, ``.gaps(measure)`` and
            ``.across()``.

        Raises
        ------
        LengthError, ShapeError, MissingValueError
            Unless there is one group for each row.
        NotAvailableError
            For a sweep without rows, folds, and clusters that reach over several groups.

        Examples
        --------
        >>> import rocsolid as rs
        >>> ev = rs.evaluate([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.2])
        >>> {group: one.roc_auc().value for group, one in ev.by(["a", "a", "b", "b"]).items()}
        {'a': 1.0, 'b': 0.0}
        """
        return _faces.by_groups(self, groups, min_rows)

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
            For bad or ineffective options, rows that are not the same, or if both have the same labels of which
            different ones are positive. Where the labels themselves differ, a note says which are positive.
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


__all__ = ["Evaluation", "Spec"]
