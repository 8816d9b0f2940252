"""One model, group by group: every measure of each group, how far groups lie apart, and pairs across groups."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import NotAvailableError, OptionError, UndefinedMeasureError, UnknownNameError
from rocsolid.evaluation import Evaluation
from rocsolid.grouped.tables import AcrossGroups, GroupGaps, GroupTable, Suppressed
from rocsolid.inference import undefined
from rocsolid.inference.multiplicity import adjusted
from rocsolid.inputs import Rows, values_beside
from rocsolid.inputs.clusters import codes_of, names_of
from rocsolid.measured import Spec
from rocsolid.measures import find
from rocsolid.options import check_count
from rocsolid.sweep import Sweep
from rocsolid.text import several

Bools = npt.NDArray[np.bool_]


class GroupedEvaluation(Mapping[object, Evaluation]):
    """Evaluations of the groups of one model's rows, by group.

    Made by ``ev.by(groups)``. A mapping from group to :class:`Evaluation`; groups with too few rows of a class are left
    out of it, and counted in ``suppressed``.
    """

    def __init__(self, whole: Evaluation, groups: Any, *, min_rows: int = 0) -> None:
        rows = whole.subject("whole").rows
        if rows is None:
            raise NotAvailableError("groups of a sweep", "rs.evaluate(y_true, y_score).by(groups)")
        if rows.fold is not None:
            raise NotAvailableError("groups with folds", "leave fold= out")
        check_count("min_rows", min_rows, least=0)
        labels = values_beside(rows, groups, "groups")
        self.whole, self._rows = whole, rows
        self._codes, names = codes_of(labels), names_of(labels)
        self._need_whole_clusters()
        members = {name: self._codes == c for c, name in enumerate(names)}
        self._members = {
            name: rows_of for name, rows_of in members.items() if _smaller_class(rows, rows_of) >= min_rows
        }
        self.suppressed = tuple(
            Suppressed(name, int(rows_of.sum())) for name, rows_of in members.items() if name not in self._members
        )
        self._found: dict[object, Evaluation] = {}
        if not self._members:
            most = max(_smaller_class(rows, rows_of) for rows_of in members.values())
            expected = f"at most {most:,}, the rows of the smaller class in the best filled group"
            raise OptionError("min_rows", min_rows, expected, f"min_rows={most}")

    def _need_whole_clusters(self) -> None:
        """Groups are compared as independent samples."""
        cluster = self._rows.cluster
        if cluster is None:
            return
        pairs = len(np.unique(cluster.astype(np.int64) * (int(self._codes.max()) + 1) + self._codes))
        if pairs > self._rows.n_clusters:
            raise NotAvailableError("clusters that reach over several groups", "groups that hold whole clusters")

    def __getitem__(self, group: object) -> Evaluation:
        """Give one group's evaluation; an unknown group is an error with the nearest one as a hint."""
        if group not in self._members:
            raise UnknownNameError("group", str(group), [str(name) for name in self._members])
        if group not in self._found:
            self._found[group] = self._part(self._members[group], str(group))
        return self._found[group]

    def __iter__(self) -> Iterator[object]:
        """Iterate over the groups, in the order of their first row."""
        return iter(self._members)

    def __len__(self) -> int:
        """Count the groups."""
        return len(self._members)

    def __contains__(self, group: object) -> bool:
        """Whether there is a group of this name that is shown."""
        return group in self._members

    def _part(self, chosen: Bools, name: str) -> Evaluation:
        rows = _rows_of(self._rows, chosen)
        sweep = Sweep.from_rows(rows, higher_is_positive=self.whole.sweep.higher_is_positive)
        return Evaluation(sweep, rows=rows, confidence_level=self.whole.confidence_level, on_undefined="nan", name=name)

    def table(self, measures: Sequence[Spec] = ("roc_auc", "average_precision")) -> GroupTable:
        """Estimate measures of every group, each row beside the group's own prevalence.

        Average precision, precision and their kin depend on the prevalence: they are not compared between groups of
        different prevalence, where ``ev.at_prevalence(p)`` puts all on one.
        """
        return GroupTable(tuple(row for one in self.values() for row in one.table(list(measures))), self.suppressed)

    def gaps(self, measure: Spec = "roc_auc", *, to: object = "rest", adjust: str = "holm") -> GroupGaps:
        """Say how far each group lies from the rest of the rows, or from one group.

        Parameters
        ----------
        measure : any with a standard error. At a threshold: ``"recall(threshold=0.5)"`` (equal opportunity),
            ``"fpr(threshold=0.5)"`` (with it equalised odds), ``"precision(threshold=0.5)"`` (predictive parity).
        to : ``"rest"``, all other rows; or a group, the reference.
        adjust : of p values: ``"holm"``, ``"bonferroni"`` or ``"none"``.

        Returns
        -------
        GroupGaps
            Group less the other side, with the interval of a difference of independent samples and Student's t.
            A group without a value keeps its row and says why.

        Raises
        ------
        UnknownNameError, OptionError
            For an unknown measure or group, or a measure without a standard error.
        """
        request = find(measure)
        if request.measure.gradient is None:
            raise OptionError("measure", request.spec, "a measure with a standard error", "measure='roc_auc'")
        found, missing = [], []
        for group, member in self._members.items():
            if to != "rest" and group == to:
                continue
            other = self._part(~member, "rest") if to == "rest" else self[to]
            try:
                one = self[group].compare(other, measure=request, paired=False)
            except UndefinedMeasureError as error:
                missing.append(replace(undefined(request, self[group].sweep, error), name=str(group)))
                continue
            found.append(one)
        ps = adjusted([one.pvalue for one in found], adjust)
        return GroupGaps(
            tuple(replace(one, adjusted_pvalue=p, details={}) for one, p in zip(found, ps, strict=True)),
            tuple(missing), self.suppressed, adjust,
        )  # fmt: skip

    def across(self) -> AcrossGroups:
        """ROC-AUC within each group and across it and the rest: whose positives are ranked below whose negatives?

        Returns
        -------
        AcrossGroups
            For each group: ``within`` (subgroup AUC); ``rest_positive`` (BPSN: positives of the rest against its
            negatives); ``rest_negative`` (BNSP: its positives against negatives of the rest), the last two also known
            as xAUC (Borkan et al. 2019; Kallus & Zhou 2019). All with intervals; undefined ones say why.
        """
        positive, out = self._rows.positive, []
        for group, member in self._members.items():
            chosen = (member, member & ~positive | ~member & positive, member & positive | ~member & ~positive)
            within, bpsn, bnsp = (self._part(rows, str(group)).roc_auc() for rows in chosen)
            out.append((str(group), (within, bpsn, bnsp)))
        return AcrossGroups(tuple(out), self.suppressed)

    def __repr__(self) -> str:
        """One line: groups shown and left out, and the rows of all."""
        left = f", {several(len(self.suppressed), 'group')} not shown" if self.suppressed else ""
        return f"<GroupedEvaluation of {several(len(self), 'group')}{left}; {self.whole.sweep.sizes}>"

    def _repr_html_(self) -> str:
        return f"<p><code>{html.escape(repr(self)[1:-1])}</code></p>{self.table()._repr_html_()}"


def _smaller_class(rows: Rows, member: Bools) -> int:
    pos = int(np.count_nonzero(rows.positive & member))
    return min(pos, int(np.count_nonzero(member)) - pos)


def _rows_of(rows: Rows, chosen: Bools) -> Rows:
    """Some of the rows, clusters numbered anew."""
    return replace(
        rows, scores=rows.scores[chosen], positive=rows.positive[chosen],
        weights=None if rows.weights is None else rows.weights[chosen], kept=None, absent=None, dropped=0,
        cluster=None if rows.cluster is None else codes_of(rows.cluster[chosen]),
    )  # fmt: skip


__all__ = ["GroupedEvaluation"]
