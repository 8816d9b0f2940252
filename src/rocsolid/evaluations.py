"""Several models on the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rocsolid import _faces
from rocsolid.errors import NotAvailableError, UnknownNameError
from rocsolid.evaluation import Evaluation, Spec
from rocsolid.tables import Table


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
