"""What to report for a use of the scores (``summary_for``), and what other tools would (``translate``, ``explain``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rocsolid.decided import Decided
from rocsolid.decisions.advice import Advice, AdviceRow, check_use, row
from rocsolid.decisions.shares import Frame, Mass, share
from rocsolid.errors import NotAvailableError, OptionError
from rocsolid.inference.contrast import Subject
from rocsolid.inference.positive_labels import check_positive_labels
from rocsolid.inputs import values_beside
from rocsolid.inputs.clusters import codes_of
from rocsolid.measures import find
from rocsolid.results import Estimate
from rocsolid.sweep import Sweep
from rocsolid.text import format_count, format_number
from rocsolid.translation import Explanation, Translation, explain, translate


class Advised(Decided):
    """The part of an evaluation that advises."""

    __slots__ = ()

    def translate(self) -> Translation:
        """Say what other tools would report of the same data, by which definition.

        Returns
        -------
        Translation
            Areas under the ROC and the precision-recall curve as scikit-learn, pROC, ROCR, PRROC, precrec, XGBoost,
            Spark and Keras compute them, version by version: each is held against recorded outputs of the tool itself.
            Tools that do not take such data (weights, scores outside [0, 1]) are named with the reason.

        Raises
        ------
        UndefinedMeasureError
            If a class has no row.
        NotAvailableError
            With clusters or folds.

        Notes
        -----
        O(k) for k distinct scores.

        Examples
        --------
        Five numbers for one area under the precision-recall curve:

        >>> import rocsolid as rs
        >>> found = rs.evaluate([1, 0, 1, 0], [4, 3, 2, 1]).translate()
        >>> [round(found[key].value, 4) for key in (("scikit-learn", "average_precision_score"), ("ROCR", "pr_auc"))]
        [0.8333, 0.9167]
        """
        self._need_independent_rows("translation")
        return translate(self._sweep)

    def explain(self, claimed: float | str) -> Explanation:
        """Name the definitions, classes, averages and mistakes that give a claimed number on these data.

        Parameters
        ----------
        claimed : the number; as text where its last digits are zeros (``"0.790"``).

        Returns
        -------
        Explanation
            Everything that gives the number to its last digit: areas by any definition, of either class, of decisions
            instead of scores, with ties in the best or the worst order, on 200 thresholds, averaged over classes;
            rates at 0.5 and losses. If nothing does, what comes closest.

        Raises
        ------
        OptionError
            If ``claimed`` is no finite number.
        UndefinedMeasureError
            If a class has no row.
        NotAvailableError
            With clusters or folds.

        Notes
        -----
        O(k) for k distinct scores.

        Examples
        --------
        >>> import rocsolid as rs
        >>> found = rs.evaluate([1, 0, 1, 0, 0], [5, 4, 3, 2, 1]).explain("0.7973")
        >>> [(match.definition, match.taken.en) for match in found]
        [('PR area by Davis & Goadrich', 'as it is')]
        """
        self._need_independent_rows("explanation")
        return explain(self._sweep, claimed)

    def summary_for(
        self,
        use: str,
        *,
        capacity: float | None = None,
        precision: float | None = None,
        max_fpr: float | None = None,
        recall: float | None = None,
        groups: Any = None,
        datasets: Mapping[str, Advised] | None = None,
        threshold: float | None = None,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
    ) -> Advice:
        """Compute what is worth reporting for a use of the scores, with the reason beside each number.

        Parameters
        ----------
        use : ``"capacity"`` (only the top of the list is looked at; needs ``capacity`` and ``precision``),
            ``"screening"`` (nearly every positive has to be found; ``max_fpr`` and ``recall``), ``"groups"`` (groups
            of different prevalence; ``groups``), ``"datasets"`` (``datasets``) or ``"threshold"`` (a threshold is
            chosen; ``threshold``, ``cost_fp`` and ``cost_fn``).
        capacity, precision, recall, threshold : as in :meth:`at`.
        max_fpr : the largest false-positive rate that can be used.
        groups : (n,) the group of each row.
        datasets : other evaluations by name.
        cost_fp, cost_fn : what a false positive and a miss cost.

        Raises
        ------
        UnknownNameError, OptionError
            For an unknown use; missing or ineffective arguments.
        UndefinedMeasureError
            If a class that a cut is asked for has no row.

        Notes
        -----
        O(n log n). A number without a value keeps its row and says why. Intervals at chosen cuts take them as given.

        Examples
        --------
        >>> import rocsolid as rs
        >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> [row.what for row in ev.summary_for("screening", max_fpr=0.5, recall=0.9).rows]
        ['roc_auc', 'partial_auc(max_fpr=0.5, standardized=true)', 'specificity at score >= 0.35 (recall >= 0.9)']
        """
        given = {
            "capacity": capacity, "precision": precision, "max_fpr": max_fpr, "recall": recall, "groups": groups,
            "datasets": datasets, "threshold": threshold, "cost_fp": cost_fp, "cost_fn": cost_fn,
        }  # fmt: skip
        check_use(use, given)
        if use == "groups":
            return self._for_groups(groups)
        if use == "datasets":
            return self._for_datasets(given["datasets"])
        made: dict[str, Callable[[], list[AdviceRow]]] = {
            "capacity": lambda: self._for_capacity(capacity, precision),
            "screening": lambda: self._for_screening(max_fpr, recall),
            "threshold": lambda: self._for_threshold(threshold, cost_fp, cost_fn),
        }
        return Advice(use=use, rows=tuple(made[use]()), remarks=self._counts_at(threshold))

    def _for_capacity(self, capacity: Any, precision: Any) -> list[AdviceRow]:
        return [
            self._of("average_precision", "ap"),
            row("prevalence", self._prevalence, "prevalence"),
            self._at_cut("precision", {"capacity": capacity}, "within"),
            self._at_cut("recall", {"precision": precision}, "at_precision"),
        ]

    def _for_screening(self, max_fpr: Any, recall: Any) -> list[AdviceRow]:
        return [
            self._of("roc_auc", "auc"),
            self._of(f"partial_auc(max_fpr={max_fpr}, standardized=true)", "partial"),
            self._at_cut("specificity", {"recall": recall}, "at_recall"),
        ]

    def _for_threshold(self, threshold: Any, cost_fp: Any, cost_fn: Any) -> list[AdviceRow]:
        cost = f"expected_cost(threshold={threshold}, cost_fp={cost_fp}, cost_fn={cost_fn})"
        rates = self.at(threshold=threshold).rates
        return [*(row(rate.measure, rate, "cut") for rate in rates), self._of(cost, "cost")]

    def _counts_at(self, threshold: Any) -> tuple[str, ...]:
        """The confusion matrix, where a threshold is what it is about."""
        if threshold is None:
            return ()
        point = self.at(threshold=threshold)
        cells = " ".join(f"{cell}={format_count(getattr(point, cell))}" for cell in ("tp", "fp", "fn", "tn"))
        return (f"{point.rule}: {cells}",)

    def _for_groups(self, groups: Any) -> Advice:
        rows = []
        for name, part in self._parts(groups).items():
            rows += [part._of("roc_auc", "auc", name), part._of("average_precision", "own", name)]
            rows.append(row("prevalence", part._prevalence, "prevalence", name))
        return Advice(use="groups", rows=tuple(rows), remarks=("average precision of groups can not be compared: their "
                      "prevalences differ",) if len({r.estimate.value for r in rows[2::3]}) > 1 else ())  # fmt: skip

    def _for_datasets(self, datasets: Any) -> Advice:
        if (
            not isinstance(datasets, Mapping)
            or not datasets
            or not all(isinstance(v, Advised) for v in datasets.values())
        ):
            raise OptionError("datasets", datasets, "evaluations by name", 'datasets={"other": rs.evaluate(y, s)}')
        members = {self.name or "this": self, **{str(name): other for name, other in datasets.items()}}
        labels = check_positive_labels(Subject(name, one._sweep, one._rows) for name, one in members.items())
        own, rows, remarks = self._prevalence.value, [], [note.en for note in labels]
        for name, member in members.items():
            pi = member._prevalence
            rows += [member._of("roc_auc", "auc", name), row("prevalence", pi, "prevalence", name)]
            if pi.value == own:
                rows.append(member._of("average_precision", "own", name))
            else:
                rows.append(member._of(f"average_precision(prevalence={own!r})", "adjusted", name))
                remarks.append(
                    f"{name} has prevalence {format_number(pi.value)}, not {format_number(own)}: its own average "
                    "precision can not be compared"
                )
        return Advice(use="datasets", rows=tuple(rows), remarks=tuple(remarks))

    # ------------------------------------------------------------------------------------------ parts

    @property
    def _prevalence(self) -> Estimate:
        """Share of the positives, with its interval (Wilson; with weights at the effective size)."""
        s = self._sweep
        scale = 1.0 if s.weights is None else 2.0**s.weights.exponent
        pos, neg = (
            Mass(float(mass.sum()) * scale, None if s.weights is None else float(square.sum()) * scale**2)
            for mass, square in ((s.pos_mass, s.pos_square), (s.neg_mass, s.neg_square))
        )
        return share("prevalence", pos, neg, Frame(self._confidence_level, s.sizes, s.pos_label, self.name))

    def _of(self, spec: str, why: str, of: str = "") -> AdviceRow:
        request = find(spec)
        return row(request.spec, self._row(request), why, of)

    def _at_cut(self, rate: str, asked: dict[str, Any], why: str) -> AdviceRow:
        """A rate at a cut that is chosen here."""
        point = self.at(**asked)
        nearest = "" if point.feasible else "INFEASIBLE: "
        return row(f"{rate} at {point.rule} ({nearest}{point.asked})", getattr(point, rate), why)

    def _parts(self, groups: Any) -> dict[str, Advised]:
        """One evaluation a group, in the order of their first rows."""
        if self._rows is None or self._folds:
            raise NotAvailableError("groups of folds, or of a sweep without rows", "rs.evaluate(y_true, y_score)")
        rows = self._rows
        values = values_beside(rows, groups, "groups")
        names, labels = values.tolist(), codes_of(values)
        out: dict[str, Advised] = {}
        for code in range(int(labels.max()) + 1):
            at = labels == code
            part = replace(
                rows, scores=rows.scores[at], positive=rows.positive[at], kept=None, absent=None, dropped=0,
                weights=None if rows.weights is None else rows.weights[at],
                cluster=None if rows.cluster is None else codes_of(rows.cluster[at]),
            )  # fmt: skip
            name = str(names[int(np.argmax(at))])
            out[name] = type(self)(
                Sweep.from_rows(part, higher_is_positive=self._sweep.higher_is_positive), rows=part,
                confidence_level=self._confidence_level, on_undefined="nan", name=name,
            )  # fmt: skip
        return out
