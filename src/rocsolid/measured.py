"""Estimates of one model: any measure with its interval, influences, bootstraps, a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import (
    NotAvailableError,
    OptionError,
    ProbabilityError,
    UndefinedMeasureError,
    warn,
)
from rocsolid.inference import BOOTSTRAPS, WARNED, estimate, given_order, remarks_on, undefined, with_notes
from rocsolid.inference.folds import fold_estimate, split
from rocsolid.inputs import Rows
from rocsolid.measures import Measure, Request, find
from rocsolid.measures.own import own_statistic
from rocsolid.measures.partial_area import PARTIAL_AUC, PartialAuc, Range
from rocsolid.options import Margins, check_choice, check_level
from rocsolid.results import Estimate
from rocsolid.sweep import Sweep
from rocsolid.tables import Table

Spec = str | Measure[Any, Any] | Request
RANKING = ("roc_auc", "average_precision")
PROBABILITY = ("brier_score", "log_loss")


class Measured:
    """Labels and scores of one model, and every measure of them: the part of an evaluation that estimates."""

    __slots__ = ("_confidence_level", "_folds", "_on_undefined", "_rows", "_sweep", "_warned", "name")

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
        self._folds = split(rows, higher_is_positive=sweep.higher_is_positive) if rows and rows.fold is not None else ()
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

    @property
    def n_clusters(self) -> int | None:
        """Clusters whose rows are taken as dependent, or ``None``."""
        return None if self._rows is None else self._rows.n_clusters or None

    @property
    def n_folds(self) -> int | None:
        """Folds of the scores, or ``None``."""
        return len(self._folds) or None

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
        n_resamples : resamples that a bootstrap method draws, 2,000 by default.
        rng : what it draws them from: a whole number (the seed), a NumPy ``Generator``, or ``None`` for a fresh seed.
            The seed is in the details and notes; it gives the same again, on any number of threads.

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
        request = find(spec)
        level = self._confidence_level if confidence_level is None else confidence_level
        try:
            found = self._estimate(request, method, level, margins, n_resamples, rng)
        except UndefinedMeasureError as error:
            if self._on_undefined == "raise":
                raise
            found = undefined(request, self._sweep, error)
        return self._finish(found, margins)

    def _estimate(
        self, request: Request, method: str, level: float, margins: Margins, n_resamples: int | None, rng: object
    ) -> Estimate:
        if not self._folds:
            return estimate(
                request, self._sweep, method=method, confidence_level=level, margins=margins, rows=self._rows,
                n_resamples=n_resamples, rng=rng,
            )  # fmt: skip
        if n_resamples is not None or rng is not None:
            raise NotAvailableError("resampling with folds", "leave n_resamples and rng out, or ask fold by fold")
        names = () if self._rows is None else self._rows.fold_names
        return fold_estimate(request, self._folds, names, method=method, confidence_level=level, margins=margins)

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
        ``hanley-mcneil``, ``influence``, and the bootstraps of :meth:`bootstrap`. Undefined unless both classes have
        a row.

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

        Methods: ``effective-error`` (auto), ``boyd``, ``binomial``, ``influence``, and the bootstraps of
        :meth:`bootstrap`. Undefined without positives.

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

    def partial_roc_auc(
        self,
        *,
        fpr: Range | None = None,
        tpr: Range | None = None,
        standardized: bool = False,
        method: str = "auto",
        confidence_level: float | None = None,
        margins: Margins = "random",
        n_resamples: int | None = None,
        rng: object = None,
    ) -> Estimate:
        """Area under the ROC curve over a range of FPR, or of specificity over a range of TPR.

        The measure ``partial_auc`` by its range. McClish-standardised chance has 1/2 and a perfect score 1.
        Undefined unless both classes have a row.

        Parameters
        ----------
        fpr, tpr : one of them, a range (low, high) within [0, 1].
        standardized : True for McClish's scale.
        method, confidence_level, margins, n_resamples, rng : as in :meth:`measure`.

        Raises
        ------
        OptionError
            Unless exactly one range is given, low below high.

        Examples
        --------
        Up to FPR 1/2 the curve is at recall 1/2, so the area is 1/4, on a scale from 1/8 (chance) to 1/2:

        >>> import rocsolid as rs
        >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> ev.partial_roc_auc(fpr=(0, 0.5)).exact, ev.partial_roc_auc(fpr=(0, 0.5), standardized=True).exact
        (Fraction(1, 4), Fraction(2, 3))
        """
        return self.measure(
            Request(PARTIAL_AUC, PartialAuc.over(fpr, tpr, standardized)), method=method,
            confidence_level=confidence_level, margins=margins, n_resamples=n_resamples, rng=rng,
        )  # fmt: skip

    def influence(self, spec: Spec, *, margins: Margins = "random") -> npt.NDArray[np.float64]:
        """Influence of each row on a measure: how much the value owes to it.

        Returns
        -------
        (n,) float64 in the order of the rows given: the value moves by about the mean of these numbers when it is
        computed on this sample instead of on the population, so with N rows sum(w^2 x^2) / sum(w)^2 is its variance up
        to a factor N / (N - 1). Its (weighted) mean is 0. Rows of weight 0 have 0, rows left out by
        ``missing="drop"`` nan.

        Raises
        ------
        OptionError
            If the measure has no gradient, or only a sweep is there instead of rows.
        UndefinedMeasureError
            If the measure does not exist on these data.

        Notes
        -----
        O(n log n). With ``margins="random"`` the number of positives counts as random too. Hampel 1974; derivations
        in docs/explanation/influence.md.

        Examples
        --------
        The positive at 0.35 is on the wrong side of one of two negatives, 0.8 of none; the mean, 3/4, is taken off, and
        the rest divided by the share of positives, 1/2:

        >>> import rocsolid as rs
        >>> rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).influence("roc_auc").tolist()
        [0.5, -0.5, -0.5, 0.5]
        """
        if self._folds:
            raise NotAvailableError("influence with folds", "ask for it fold by fold")
        return given_order(find(spec), self._sweep, self._rows, check_choice("margins", margins, ("random", "fixed")))

    def bootstrap(
        self,
        statistic: Spec | Callable[[Sweep], Any],
        *,
        method: str = "bootstrap",
        confidence_level: float | None = None,
        margins: Margins = "random",
        n_resamples: int | None = None,
        rng: object = None,
    ) -> Estimate:
        """Estimate a measure, or a function of your own, with a bootstrap interval.

        Parameters
        ----------
        statistic : any measure, or a function that takes a :class:`Sweep` and gives a number (nan: undefined).
        method : ``"bootstrap-bca"`` (``"bootstrap"``), ``"bootstrap-percentile"``, ``"bootstrap-basic"``, and for
            measures with two finite ends ``"bootstrap-logit"``.
        margins : ``"random"`` draws from all rows, ``"fixed"`` from each class as many as it has (stratified). Where
            the evaluation has clusters, whole ones are drawn, and rows come with their weights.
        confidence_level, n_resamples, rng : as in :meth:`measure`.

        Returns
        -------
        Estimate. Its details hold ``n_resamples``, ``seed``, ``degenerate_resamples`` (those that lack a class or have
        no value) and the Monte-Carlo standard deviations of both limits, ``mc_error_low`` and ``mc_error_high``.

        Raises
        ------
        OptionError
            For other methods, too few resamples for the level, and BCa limits of a function on more than 5,000 distinct
            (score, class): it is called once for each.

        Notes
        -----
        O(n_resamples k) for k distinct scores. Efron 1987, JASA 82:171-185; Davison & Hinkley 1997.

        Examples
        --------
        How far apart are the mean scores of the classes?

        >>> import rocsolid as rs
        >>> ev = rs.evaluate([0, 0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.5, 0.3])
        >>> def gap(s):
        ...     return s.scores @ s.pos / s.n_pos - s.scores @ s.neg / s.n_neg
        >>> round(float(ev.bootstrap(gap, rng=0)), 4)
        0.25
        """
        check_choice("method", method, ("bootstrap", *BOOTSTRAPS))
        measured = own_statistic(statistic) if callable(statistic) else statistic
        return self.measure(
            measured,
            method=method,
            confidence_level=confidence_level,
            margins=margins,
            n_resamples=n_resamples,
            rng=rng,
        )

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
