"""Several models on the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from rocsolid import _faces
from rocsolid.comparisons import Comparison, Comparisons
from rocsolid.curves.cost_ranges import CostRanges, cost_ranges
from rocsolid.errors import UnknownNameError
from rocsolid.evaluation import Evaluation, Spec
from rocsolid.inference.compare import check_terms, compare
from rocsolid.measures import find
from rocsolid.tables import Table

if TYPE_CHECKING:
    from rocsolid.report.inline import InlineReport


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
        confidence_level: float | None = None,
    ) -> Comparison | Comparisons:
        """Compare two models, or all pairs of more, on the rows that they share; see :func:`rocsolid.compare`.

        Returns
        -------
        Comparison
            For two models: first less second.
        Comparisons
            For more: all pairs, with adjusted p values and a test that all are alike.

        Raises
        ------
        OptionError, UnknownNameError
            For bad or ineffective options, fewer than two models, or models that do not have the same rows.
        UndefinedMeasureError
            If a model has no value.

        Examples
        --------
        >>> import rocsolid as rs
        >>> both = rs.evaluate_many([0, 0, 1, 1], {"old": [1, 3, 2, 4], "new": [1, 2, 3, 4]})
        >>> both.compare().difference
        -0.25
        """
        first = next(iter(self._members.values()))
        terms = check_terms(
            method=method, paired=paired, alternative=alternative, margin=margin, margins="random",
            confidence_level=first.confidence_level if confidence_level is None else confidence_level,
            n_resamples=n_resamples, rng=rng,
        )  # fmt: skip
        subjects = [member.subject(name) for name, member in self._members.items()]
        return compare(find(measure), subjects, terms, adjust)

    def cost_ranges(self) -> CostRanges:
        """Find which model costs least at which probability costs, flagging nobody or everybody included.

        Returns
        -------
        CostRanges
            With ``ranges`` of PC, ``dominant`` where one model is best in all of them, and ``areas``.

        Raises
        ------
        UndefinedMeasureError
            If a model lacks one of the classes.

        Notes
        -----
        O(k) a model, exact; in the sample, without intervals. Drummond & Holte 2006, Machine Learning 65:95-130.

        Examples
        --------
        >>> import rocsolid as rs
        >>> both = rs.evaluate_many([1, 1, 0, 0], {"a": [4, 1, 3, 2], "b": [3, 2, 4, 1]})
        >>> [(one.low, one.high, one.best) for one in both.cost_ranges().ranges]
        [(0.0, 0.5, ('a',)), (0.5, 1.0, ('b',))]
        """
        return cost_ranges({name: member.sweep for name, member in self._members.items()})

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
        """Draw several curves side by side with Matplotlib, all models in each.

        Parameters
        ----------
        curves : names as in :meth:`Evaluation.curve`; by default ROC, precision-recall, DET, and the reliability
            curve (the gain curve where scores are no probabilities).
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
        >>> both = rs.evaluate_many([0, 0, 1, 1], {"old": [1, 3, 2, 4], "new": [1, 2, 3, 4]})
        >>> [display.name for display in both.plot(["roc"]).displays_["roc"]]
        ['old', 'new']
        """
        return _faces.plot_panels(
            self, curves, band=band, scales=scales, columns=columns, title=title,
            lang=lang,
        )  # fmt: skip

    @overload
    def report(self, path: None = None, *, title: str | None = None) -> InlineReport: ...
    @overload
    def report(self, path: str | Path, *, title: str | None = None) -> Path: ...
    def report(self, path: str | Path | None = None, *, title: str | None = None) -> Path | InlineReport:
        """Write one self-contained HTML page on all models, whole or not at all, and return its path.

        Without a ``path`` the page comes back instead: a notebook shows it in a sandboxed frame.
        """
        if path is None:
            return _faces.inline_report(self, title=title)
        return _faces.write_report(self, path, title=title)

    def __repr__(self) -> str:
        """One line a model."""
        return "\n".join(repr(member) for member in self._members.values())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()
