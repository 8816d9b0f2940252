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
from rocsolid.errors import (
    NotAvailableError,
    OptionError,
)
from rocsolid.inference.compare import check_terms, compare
from rocsolid.inference.contrast import Subject
from rocsolid.measured import Measured, Spec
from rocsolid.measures import REGISTRY, AtThreshold, Request, find
from rocsolid.options import unboxed
from rocsolid.results import OperatingPoint

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
    ) -> OperatingPoint:
        """Judge one cut: confusion counts, and rates with Wilson intervals.

        Rows with ``score >= threshold`` are called positive (``<=`` with ``higher_is_positive=False``).
        A rate whose denominator is 0 has the value nan and says why. Cuts by recall, specificity and so on are
        not available yet.

        Raises
        ------
        OptionError
            If the threshold is missing or no number.
        NotAvailableError
            For the other ways to choose a cut.
        """
        others = {"recall": recall, "specificity": specificity, "fpr": fpr, "precision": precision,
                  "capacity": capacity, "top_k": top_k, "flagged": flagged}  # fmt: skip
        for name, value in others.items():
            if value is not None:
                raise NotAvailableError(f"a cut by `{name}`", "pass threshold=; .curve('roc') lists them all")
        if threshold is None:
            raise OptionError("threshold", None, "a number", "for example ev.at(threshold=0.5)")
        if self._folds:
            return self._pooled().at(threshold=threshold)
        cut = unboxed(threshold)
        counts = self._sweep.at(cut)
        rates = {name: self._row(Request(REGISTRY[name], AtThreshold(cut))) for name in RATES}
        return OperatingPoint(threshold=cut, rule=self._sweep.rule(cut), counts=counts, **rates)

    # ------------------------------------------------------------------------------------------- faces

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write one self-contained HTML page, whole or not at all; return its path."""
        return _faces.write_report({self.name or "score": self}, path, title=title)

    def __repr__(self) -> str:
        """Name, sizes and the two areas."""
        s = self._sweep
        name = f"{self.name}: " if self.name is not None else ""
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

    def _pooled(self) -> Evaluation:
        """All rows together, whatever their fold."""
        rows = None if self._rows is None else replace(self._rows, fold=None)
        return Evaluation(
            self._sweep, rows=rows, confidence_level=self._confidence_level, on_undefined=self._on_undefined,
            name=self.name,
        )  # fmt: skip


__all__ = ["Evaluation", "Spec"]
