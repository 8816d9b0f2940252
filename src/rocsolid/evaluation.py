"""Evaluations: one holder of data, everything else is asked of it."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, overload

from rocsolid import _faces
from rocsolid.curves import Curve, DetCurve, PrecisionRecallCurve, RocCurve, curve
from rocsolid.decisions import ThresholdInterval, guaranteed_cut, threshold_interval
from rocsolid.errors import (
    NotAvailableError,
    OptionError,
    ProbabilityError,
    UndefinedMeasureError,
    UnknownNameError,
    warn,
)
from rocsolid.inference import WARNED, Band, band, estimate, remarks_on, undefined, with_notes
from rocsolid.inputs import Rows
from rocsolid.measures import REGISTRY, AtThreshold, Measure, Request, find
from rocsolid.options import Margins, check_choice, check_level, unboxed
from rocsolid.results import Estimate, Note, OperatingPoint
from rocsolid.sweep import Sweep
from rocsolid.tables import Table

Spec = str | Measure[Any, Any] | Request
RANKING = ("roc_auc", "average_precision")
PROBABILITY = ("brier_score", "log_loss")
RATES = ("precision", "recall", "specificity", "f1", "accuracy")


class Evaluation:
    """Labels and scores of one model, and every question one can ask of them.

    Made by :func:`evaluate`. It holds the rows next to their sweep; the results it gives do not.
    """

    __slots__ = ("_confidence_level", "_on_undefined", "_rows", "_sweep", "_warned", "name")

    def __init__(
        self,
        sweep: Sweep,
        *,
        rows: Rows | None = None,
        confidence_level: float = 0.95,
        on_undefined: str = "raise",
        name: str | None = None,
    ) -> None:
        self._sweep = sweep
        self._rows = rows
        self._confidence_level = check_level(confidence_level)
        self._on_undefined = check_choice("on_undefined", on_undefined, ("raise", "nan"))
        self._warned: set[str] = set()
        self.name = name

    @property
    def sweep(self) -> Sweep:
        """The sweep: one row per distinct score."""
        return self._sweep

    @property
    def pos_label(self) -> object:
        """The label that counts as positive."""
        return self._sweep.pos_label

    @property
    def n_dropped(self) -> int:
        """Rows left out because a label or score was missing (``missing="drop"``)."""
        return 0 if self._rows is None else self._rows.dropped

    @property
    def confidence_level(self) -> float:
        """Confidence level of intervals unless another is asked for."""
        return self._confidence_level

    # --------------------------------------------------------------------------------------- estimates

    def measure(
        self,
        spec: Spec,
        *,
        method: str = "auto",
        confidence_level: float | None = None,
        margins: Margins = "random",
        n_resamples: int | None = None,
        rng: object = None,
    ) -> Estimate:
        """Estimate any measure of the registry.

        Parameters
        ----------
        spec : a name or alias, with options in brackets: ``"roc_auc"``, ``"recall(threshold=0.5)"``.
        method : ``"auto"`` or an interval method of that measure by name.
        confidence_level : level of the interval; by default that of the evaluation.
        margins : ``"random"`` for a sampled test set, ``"fixed"`` if the class sizes were set by design.
        n_resamples, rng : for resampling methods, which are not available yet.

        Returns
        -------
        Estimate

        Raises
        ------
        UndefinedMeasureError
            If there is no value on these data (with ``on_undefined="nan"``: value nan and the reason).
        ProbabilityError
            If the measure needs probabilities and the scores are none.
        UnknownNameError, OptionError
            For an unknown measure, method or option.
        """
        if n_resamples is not None or rng is not None:
            raise NotAvailableError("resampling (n_resamples, rng)", "leave them out: the default interval needs none")
        request = find(spec)
        level = self._confidence_level if confidence_level is None else confidence_level
        try:
            found = estimate(request, self._sweep, method=method, confidence_level=level, margins=margins)
        except UndefinedMeasureError as error:
            if self._on_undefined == "raise":
                raise
            found = undefined(request, self._sweep, error)
        return self._finish(found, margins)

    def _finish(self, found: Estimate, margins: str = "random") -> Estimate:
        """Add the model's name and the remarks on the data, and warn once about what is probably not meant."""
        remarks = remarks_on(self._sweep, found, dropped=self.n_dropped, margins=margins)
        for note in remarks:
            if note.code in WARNED and note.code not in self._warned:
                self._warned.add(note.code)
                warn(note.en)
        return with_notes(found, remarks, self.name)

    def roc_auc(
        self,
        *,
        method: str = "auto",
        confidence_level: float | None = None,
        margins: Margins = "random",
        n_resamples: int | None = None,
        rng: object = None,
    ) -> Estimate:
        """Area under the ROC curve, with ``.exact`` as a fraction and the pairs in ``.details``.

        Methods: ``effective-error`` (auto), ``delong``, ``logit``, ``logit-t``, ``newcombe``,
        ``hanley-mcneil``, ``influence``. Undefined unless both classes have a row.

        Examples
        --------
        Three of the four (positive, negative) pairs are in order:

        >>> import rocsolid as rs
        >>> rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc().exact
        Fraction(3, 4)
        """
        return self.measure(
            "roc_auc", method=method, confidence_level=confidence_level, margins=margins,
            n_resamples=n_resamples, rng=rng,
        )  # fmt: skip

    def average_precision(
        self,
        *,
        method: str = "auto",
        confidence_level: float | None = None,
        margins: Margins = "random",
        n_resamples: int | None = None,
        rng: object = None,
    ) -> Estimate:
        """Average precision, with the chance level and the lift over it in ``.details``.

        Methods: ``effective-error`` (auto), ``boyd``, ``binomial``, ``influence``. Undefined without positives.

        Examples
        --------
        Precision is 1/1 at the first positive and 2/3 at the second, so AP = 5/6:

        >>> import rocsolid as rs
        >>> rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).average_precision().exact
        Fraction(5, 6)
        """
        return self.measure(
            "average_precision", method=method, confidence_level=confidence_level, margins=margins,
            n_resamples=n_resamples, rng=rng,
        )  # fmt: skip

    def table(self, measures: Sequence[Spec] | None = None) -> Table:
        """Estimate several measures; one that is undefined keeps its row and says why.

        By default ROC-AUC and average precision, and for probabilities Brier score and log loss.
        """
        if isinstance(measures, str):
            raise OptionError("measures", measures, "a list of measures", f"table([{measures!r}])")
        return Table(tuple(self._row(find(spec)) for spec in (self._usual() if measures is None else measures)))

    def _usual(self) -> tuple[str, ...]:
        return RANKING + (PROBABILITY if self.looks_like_probabilities else ())

    @property
    def looks_like_probabilities(self) -> bool:
        """Whether all scores lie in [0, 1], are no mere 0/1 decisions, and high means positive."""
        s = self._sweep
        low, high = sorted((float(s.scores[0]), float(s.scores[-1])))
        decisions = s.scores.dtype.kind not in "fO" or set(s.scores[:3].tolist()) <= {0, 1}
        return s.higher_is_positive and not decisions and low >= 0 and high <= 1

    def _row(self, request: Request) -> Estimate:
        try:
            return self.measure(request)
        except (UndefinedMeasureError, ProbabilityError) as error:
            return self._finish(undefined(request, self._sweep, error))

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
            cut, note = guaranteed_cut(self._sweep, {"threshold": threshold, **others}, guarantee)
            return self._point(cut, (note,))
        for name, value in others.items():
            if value is not None:
                raise NotAvailableError(f"a cut by `{name}`", "pass threshold=; .curve('roc') lists them all")
        if threshold is None:
            raise OptionError("threshold", None, "a number", "for example ev.at(threshold=0.5)")
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
        level = self._confidence_level if confidence_level is None else confidence_level
        return band(
            name, self._sweep, kind=kind, method=method, guarantee=guarantee, confidence_level=level,
            prevalence=prevalence,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------- faces

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write one self-contained HTML page, whole or not at all; return its path."""
        return Evaluations({self.name or "score": self}).report(path, title=title)

    def __repr__(self) -> str:
        """Name, sizes and the two areas."""
        s = self._sweep
        name = f"{self.name}: " if self.name is not None else ""
        return f"<Evaluation {name}{s.sizes}; {len(s):,} distinct scores; positive: {s.pos_label!r}>"

    def _repr_html_(self) -> str:
        return f"<p><code>{html.escape(repr(self)[1:-1])}</code></p>{self.table()._repr_html_()}"


class Evaluations(Mapping[str, Evaluation]):
    """Several models on the same rows, by name."""

    def __init__(self, members: Mapping[str, Evaluation]) -> None:
        self._members = dict(members)

    def __getitem__(self, name: str) -> Evaluation:
        """Give the evaluation of one model; an unknown name is an error with the nearest one as a hint."""
        if name not in self._members:
            raise UnknownNameError("model", name, self._members)
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the models' names."""
        return iter(self._members)

    def __len__(self) -> int:
        """Count the models."""
        return len(self._members)

    def __contains__(self, name: object) -> bool:
        """Whether there is a model of this name."""
        return name in self._members

    def table(self, measures: Sequence[Spec] | None = None) -> Table:
        """Estimate several measures of every model, one row each."""
        return Table(tuple(row for member in self._members.values() for row in member.table(measures)))

    def compare(
        self,
        *,
        measure: Spec = "roc_auc",
        method: str = "auto",
        paired: bool = True,
        alternative: str = "two-sided",
        margin: float | None = None,
        adjust: str = "holm",
        n_resamples: int | None = None,
        rng: object = None,
    ) -> None:
        """Refuse: paired comparison is planned and not built yet."""
        raise NotAvailableError("comparison of models", "ask each model for its interval with .table()")

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write one self-contained HTML page on all models, whole or not at all; return its path."""
        return _faces.write_report(self, path, title=title)

    def __repr__(self) -> str:
        """One line a model."""
        return "\n".join(repr(member) for member in self._members.values())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()
