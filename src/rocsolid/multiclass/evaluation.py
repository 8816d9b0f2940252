"""Evaluations of more than two classes, or of several labels a row."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from rocsolid.comparisons import Comparison
from rocsolid.curves import Curve
from rocsolid.errors import NotAvailableError, OptionError, UndefinedMeasureError, UnknownNameError
from rocsolid.evaluation import Evaluation
from rocsolid.inference import estimate, undefined
from rocsolid.inference.tails import ALTERNATIVES
from rocsolid.inputs.classes import ClassRows
from rocsolid.measured import Spec
from rocsolid.measures import Request, find
from rocsolid.multiclass.contrast import contrast
from rocsolid.multiclass.curves import MacroRocCurve
from rocsolid.multiclass.joint import Joint
from rocsolid.multiclass.means import as_estimate, each_part, mean_of, sizes_of
from rocsolid.multiclass.parts import Part, all_labels, one_against_one, one_against_rest
from rocsolid.multiclass.tables import ClassTable
from rocsolid.options import check_choice, check_number
from rocsolid.results import Estimate
from rocsolid.tables import Table
from rocsolid.text import printable

Floats = npt.NDArray[np.float64]
AVERAGES = ("macro", "weighted", "micro")
SCHEMES = ("ovr", "ovo")
AT_CUT = "threshold"


class MulticlassEvaluation(Joint):
    """Labels and a table of scores, a column a class, and every question one can ask of them.

    Made by :func:`rocsolid.evaluate` from (n, k) scores. Rows have one class each, or, with (n, k) labels, any number
    of labels. Rows need not sum to 1: ranking looks at one column at a time. Columns are those of ``classes``.
    """

    __slots__ = ()

    def one(self, label: object) -> Evaluation:
        """Give one class against the rest: an :class:`Evaluation` with its curves, cuts and everything else.

        Raises
        ------
        UnknownNameError
            If there is no such class.
        """
        for part, own in zip(one_against_rest(self._data), self.classes, strict=True):
            if own == label:
                return self._member(part)
        raise UnknownNameError("class", str(label), [str(own) for own in self.classes])

    def _member(self, part: Part) -> Evaluation:
        return Evaluation(
            part.sweep, rows=part.rows, confidence_level=self._confidence_level, on_undefined=self._on_undefined,
            name=part.name,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------ estimates

    @overload
    def measure(
        self, spec: Spec, *, average: None, multi_class: str = ..., confidence_level: float | None = ...
    ) -> ClassTable: ...
    @overload
    def measure(
        self, spec: Spec, *, average: str = ..., multi_class: str = ..., confidence_level: float | None = ...
    ) -> Estimate: ...
    def measure(
        self, spec: Spec, *, average: str | None = "macro", multi_class: str = "ovr",
        confidence_level: float | None = None,
    ) -> Estimate | ClassTable:  # fmt: skip
        """Estimate any measure of two classes, averaged over the classes.

        Parameters
        ----------
        spec : a name or alias, with options in brackets: ``"roc_auc"``, ``"partial_auc(max_fpr=0.1)"``. A measure at
            a cut without its ``threshold`` is that of the predicted class, the largest score of each row.
        average : ``"macro"``, the mean over the classes; ``"weighted"``, by how many rows each has; ``"micro"``, over
            all rows and classes at once; ``None`` for each class by itself.
        multi_class : ``"ovr"``, each class against the rest; ``"ovo"``, each against each other, by both columns
            (Hand & Till 2001 for ROC-AUC).
        confidence_level : level of the interval; by default that of the evaluation.

        Returns
        -------
        Estimate
            Of the average; ``details`` and a note say how many classes have a value. With ``average=None`` a
            :class:`ClassTable` with a row for each class, undefined ones with their reason.

        Raises
        ------
        UndefinedMeasureError
            If no class has a value.
        UnknownNameError, OptionError
            For an unknown measure or option.

        Notes
        -----
        O(k n log n); one against one O(k^2) sweeps of the rows of two classes. Intervals are joined from those of the
        classes; docs/explanation/multiclass.md has their coverage.
        """
        level = self._level(confidence_level)
        request, parts, text = self._parts(spec, average, multi_class)
        try:
            if average is None:
                return ClassTable(tuple(replace(one, measure=text) for one in each_part(request, parts, level)))
            return self._named(self._averaged(request, parts, text, average, level))
        except UndefinedMeasureError as error:
            if self._on_undefined == "raise":
                raise
            return self._named(undefined(request, parts[0].sweep, error))

    def _averaged(self, request: Request, parts: Sequence[Part], spec: str, average: str, level: float) -> Estimate:
        if average == "micro":
            return self._micro(request, parts[0], spec, level)
        if average == "weighted" and request.measure.name == "recall" and "predicted class" in spec:
            return replace(self.accuracy(confidence_level=level), measure=spec)  # they are one and the same
        mean = mean_of(request, parts, self._data, weighted=average == "weighted", level=level)
        return as_estimate(mean, self._data, spec, level)

    def _micro(self, request: Request, part: Part, spec: str, level: float) -> Estimate:
        found = estimate(request, part.sweep, confidence_level=level, rows=part.rows)
        return Estimate(
            measure=spec, value=found.value, std_error=found.std_error, interval=found.interval, method=found.method,
            sizes=sizes_of(self._data), exact=found.exact, details=found.details, notes=found.notes,
        )  # fmt: skip

    def _parts(self, spec: Spec, average: str | None, multi_class: str) -> tuple[Request, list[Part], str]:
        if average is not None:
            check_choice("average", average, AVERAGES)
        check_choice("multi_class", multi_class, SCHEMES)
        decided = _at_predicted(spec)
        request = find(spec) if decided is None else decided
        words = [*([] if average is None else [average]), *(["ovo"] if multi_class == "ovo" else []),
                 *([] if decided is None else ["predicted class"])]  # fmt: skip
        name = request.spec if decided is None else request.measure.name
        text = f"{name} ({', '.join(words)})" if words else name
        if multi_class == "ovo":
            if average in (None, "micro") or decided is not None or self._data.codes is None:
                expected = "'ovr' for averages of single classes, predicted classes and several labels a row"
                raise OptionError("multi_class", multi_class, expected, "multi_class='ovr'")
            return request, list(one_against_one(self._data)), text
        scores = None if decided is None else self._indicators()
        if average == "micro":
            return request, [all_labels(self._data, scores)], text
        return request, list(one_against_rest(self._data, scores)), text

    @overload
    def roc_auc(self, *, average: None, multi_class: str = ..., confidence_level: float | None = ...) -> ClassTable: ...
    @overload
    def roc_auc(
        self, *, average: str = ..., multi_class: str = ..., confidence_level: float | None = ...
    ) -> Estimate: ...
    def roc_auc(
        self, *, average: str | None = "macro", multi_class: str = "ovr", confidence_level: float | None = None
    ) -> Estimate | ClassTable:
        """Area under the ROC curve, averaged over the classes; see :meth:`measure`.

        Examples
        --------
        Two classes are ranked perfectly, one in three of its four pairs:

        >>> import rocsolid as rs
        >>> ev = rs.evaluate([0, 1, 2, 2], [[0.8, 0.1, 0.1], [0.1, 0.6, 0.3], [0.1, 0.3, 0.6], [0.4, 0.4, 0.2]])
        >>> [float(one) for one in ev.roc_auc(average=None)], round(float(ev.roc_auc()), 6)
        ([1.0, 1.0, 0.75], 0.916667)
        """
        return self.measure("roc_auc", average=average, multi_class=multi_class, confidence_level=confidence_level)

    @overload
    def average_precision(self, *, average: None, confidence_level: float | None = ...) -> ClassTable: ...
    @overload
    def average_precision(self, *, average: str = ..., confidence_level: float | None = ...) -> Estimate: ...
    def average_precision(
        self, *, average: str | None = "macro", confidence_level: float | None = None
    ) -> Estimate | ClassTable:
        """Average precision; macro is the mean AP of several labels. See :meth:`measure`."""
        return self.measure("average_precision", average=average, confidence_level=confidence_level)

    @overload
    def partial_roc_auc(
        self, *, fpr: tuple[float, float], standardized: bool = ..., average: None, confidence_level: float | None = ...
    ) -> ClassTable: ...
    @overload
    def partial_roc_auc(
        self,
        *,
        fpr: tuple[float, float],
        standardized: bool = ...,
        average: str = ...,
        confidence_level: float | None = ...,
    ) -> Estimate: ...
    def partial_roc_auc(
        self, *, fpr: tuple[float, float], standardized: bool = False, average: str | None = "macro",
        confidence_level: float | None = None,
    ) -> Estimate | ClassTable:  # fmt: skip
        """Partial area over a range of FPR; see :meth:`measure` and :meth:`Evaluation.partial_roc_auc`."""
        low, high = (check_number("fpr", end) for end in fpr)
        spec = f"partial_auc(min_fpr={low}, max_fpr={high}, standardized={str(bool(standardized)).lower()})"
        return self.measure(spec, average=average, confidence_level=confidence_level)

    @overload
    def precision(self, *, average: None, confidence_level: float | None = ...) -> ClassTable: ...
    @overload
    def precision(self, *, average: str = ..., confidence_level: float | None = ...) -> Estimate: ...
    def precision(
        self, *, average: str | None = "macro", confidence_level: float | None = None
    ) -> Estimate | ClassTable:
        """Share of right ones among the rows predicted to be of a class; see :meth:`measure`."""
        return self.measure("precision", average=average, confidence_level=confidence_level)

    @overload
    def recall(self, *, average: None, confidence_level: float | None = ...) -> ClassTable: ...
    @overload
    def recall(self, *, average: str = ..., confidence_level: float | None = ...) -> Estimate: ...
    def recall(self, *, average: str | None = "macro", confidence_level: float | None = None) -> Estimate | ClassTable:
        """Share of a class that is predicted to be of it; see :meth:`measure`."""
        return self.measure("recall", average=average, confidence_level=confidence_level)

    @overload
    def f1(self, *, average: None, confidence_level: float | None = ...) -> ClassTable: ...
    @overload
    def f1(self, *, average: str = ..., confidence_level: float | None = ...) -> Estimate: ...
    def f1(self, *, average: str | None = "macro", confidence_level: float | None = None) -> Estimate | ClassTable:
        """F1 of the predicted classes; see :meth:`measure`. Macro is the mean of the classes' F1."""
        return self.measure("f1", average=average, confidence_level=confidence_level)

    # -------------------------------------------------------------------------- tables, curves, comparison

    def table(self, measures: Sequence[Spec] | None = None, *, average: str = "macro") -> Table:
        """Estimate several measures, averaged alike; by default ROC-AUC and average precision, macro and micro."""
        if measures is not None:
            return Table(tuple(self.measure(spec, average=average) for spec in measures))
        asked = [(spec, one) for one in ("macro", "weighted", "micro") for spec in ("roc_auc", "average_precision")]
        return Table(tuple(self.measure(spec, average=one) for spec, one in asked))

    def curve(self, name: str, *, average: str = "micro", label: object = None) -> Curve | MacroRocCurve:
        """Draw a curve of one class (``label``), of all rows and classes (micro), or the mean ROC curve (macro).

        Raises
        ------
        UnknownNameError, OptionError
            If there is no such curve; only the ROC curve has a mean.
        UndefinedMeasureError
            If a class has no row.
        """
        if label is not None:
            return self.one(label).curve(name)
        check_choice("average", average, ("macro", "micro"))
        if average == "micro":
            return self._member(all_labels(self._data)).curve(name)
        if name != "roc":
            raise OptionError("average", average, "'micro' for other curves than roc", "average='micro'")
        return MacroRocCurve.of([self._member(part).curve("roc") for part in one_against_rest(self._data)])

    def compare(
        self, other: MulticlassEvaluation, *, measure: Spec = "roc_auc", average: str = "macro",
        multi_class: str = "ovr", method: str = "auto", alternative: str = "two-sided", margin: float | None = None,
        confidence_level: float | None = None,
    ) -> Comparison:  # fmt: skip
        """Compare an average with that of another model on the same rows, this one less the other.

        ``method="auto"`` is a t test from the rows' influences, ``"mover"`` reads the p value off the joined interval.

        Raises
        ------
        OptionError, UnknownNameError
            For other rows or classes, micro averages, and bad options.
        UndefinedMeasureError
            If no class has a value.
        """
        if not isinstance(other, MulticlassEvaluation) or not _same_rows(self._data, other._data):
            raise OptionError("other", other, "an evaluation of the same rows and classes", "rs.evaluate(y_true, ...)")
        name = "influence-t" if method == "auto" else check_choice("method", method, ("auto", "influence-t", "mover"))
        check_choice("alternative", alternative, ALTERNATIVES)
        if average == "micro":
            raise NotAvailableError("comparison of micro averages", "average='macro'")
        level, models = self._level(confidence_level), (self, other)
        found = []
        for model in models:
            request, parts, text = model._parts(measure, average, multi_class)
            if request.measure.gradient is None:
                raise OptionError("measure", request.spec, "a measure with a standard error", "measure='roc_auc'")
            mean = mean_of(request, parts, model._data, weighted=average == "weighted", level=level)
            found.append((as_estimate(mean, model._data, text, level), mean))
        names = (self.name or "this", other.name or "other")
        names = names if names[0] != names[1] else (f"{names[0]} (this)", f"{names[1]} (other)")
        (one, first), (two, second) = found
        return contrast(
            names, one.measure, (first, second), (one, two), method=name, alternative=alternative,
            margin=None if margin is None else check_number("margin", margin), level=level,
        )  # fmt: skip

    def __repr__(self) -> str:
        """Name, rows and classes."""
        name = f"{printable(self.name)}: " if self.name is not None else ""
        return f"<MulticlassEvaluation {name}{sizes_of(self._data)}: {', '.join(map(str, self.classes[:6]))}>"

    def _repr_html_(self) -> str:
        return f"<p><code>{html.escape(repr(self)[1:-1])}</code></p>{self.table()._repr_html_()}"


def _at_predicted(spec: Spec) -> Request | None:
    """A measure at a cut, asked for without one: at the predicted class, which has an indicator of 1."""
    if not isinstance(spec, str) or AT_CUT in spec:
        return None
    name = spec.partition("(")[0].strip()
    try:
        request = find(f"{name}(threshold=0.5)" if "(" not in spec else f"{spec.rstrip()[:-1]}, threshold=0.5)")
    except (OptionError, UnknownNameError):
        return None
    return request if request.measure.input == "counts" else None


def _same_rows(a: ClassRows, b: ClassRows) -> bool:
    if a.classes != b.classes or len(a) != len(b):
        return False
    if not _equal(a.weights, b.weights) or not _equal(a.cluster, b.cluster):
        return False
    return _equal(a.codes, b.codes) and _equal(a.members, b.members)


def _equal(a: Any, b: Any) -> bool:
    return (a is None) == (b is None) and (a is None or bool(np.array_equal(a, b)))


__all__ = ["MulticlassEvaluation"]
