"""An evaluation of predicted numbers: one holder of rows, every measure is asked of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import OptionError, UndefinedMeasureError
from rocsolid.options import check_choice, check_level
from rocsolid.regression.estimates import estimate, remarks
from rocsolid.regression.measures import REGISTRY, RegressionRequest, compute, find
from rocsolid.regression.results import RegressionEstimate, RegressionTable
from rocsolid.regression.sample import Sample, read_samples
from rocsolid.results import Note

USUAL = ("mean_absolute_error", "root_mean_squared_error", "r2_score", "concordance_index")
"""What a table shows unless other measures are asked for."""


class RegressionEvaluation:
    """Outcomes and predictions of one model, and every measure of them. Made by :func:`evaluate`."""

    __slots__ = ("_confidence_level", "_on_undefined", "_sample", "name")

    def __init__(self, sample: Sample, *, confidence_level: float, on_undefined: str, name: str | None) -> None:
        self._sample = sample
        self._confidence_level = check_level(confidence_level)
        self._on_undefined = check_choice("on_undefined", on_undefined, ("raise", "nan"))
        self.name = name

    def measure(
        self,
        spec: str | RegressionRequest,
        *,
        method: str = "auto",
        confidence_level: float | None = None,
        n_resamples: int | None = None,
        rng: object = None,
    ) -> RegressionEstimate:
        """Estimate a measure.

        Parameters
        ----------
        spec : a name or alias, with options in brackets: ``"rmse"``, ``"pinball_loss(alpha=0.9)"``.
        method : ``"auto"`` or an interval method of that measure by name; ``"bootstrap"`` is ``"bootstrap-bca"``.
        confidence_level : level of the interval; by default that of the evaluation.
        n_resamples, rng : resamples that a bootstrap draws, 2,000 by default, and from what: a seed, a NumPy
            ``Generator``, or ``None`` for a fresh seed, which the result prints.

        Returns
        -------
        RegressionEstimate

        Raises
        ------
        UndefinedMeasureError
            If there is no value (with ``on_undefined="nan"``: value nan and the reason).
        UnknownNameError, OptionError
            For an unknown measure, method or option.
        """
        request = find(spec)
        level = self._confidence_level if confidence_level is None else confidence_level
        try:
            return estimate(
                request, self._sample, method=method, confidence_level=level, n_resamples=n_resamples, rng=rng,
                name=self.name,
            )  # fmt: skip
        except UndefinedMeasureError as error:
            if self._on_undefined == "raise":
                raise
            return self._undefined(request, error)

    def _undefined(self, request: RegressionRequest, error: UndefinedMeasureError) -> RegressionEstimate:
        return RegressionEstimate(
            measure=request.spec, value=math.nan, std_error=None, interval=None, method=None,
            sizes=self._sample.sizes, notes=remarks(self._sample), name=self.name,
            undefined=Note("undefined", error.reason, error.reason),
        )  # fmt: skip

    def table(self, measures: Sequence[str | RegressionRequest] | None = None) -> RegressionTable:
        """Estimate several measures; one that is undefined keeps its row and says why.

        By default mean absolute error, root mean squared error, R squared and the concordance index.
        """
        if isinstance(measures, str):
            raise OptionError("measures", measures, "a list of measures", f"table([{measures!r}])")
        return RegressionTable(tuple(self._row(find(spec)) for spec in (USUAL if measures is None else measures)))

    def _row(self, request: RegressionRequest) -> RegressionEstimate:
        try:
            return self.measure(request)
        except UndefinedMeasureError as error:
            return self._undefined(request, error)

    def influence(self, spec: str | RegressionRequest) -> npt.NDArray[np.float64]:
        """Influence of each row on a smooth measure: how much the value owes to it.

        Returns
        -------
        (n,) float64 with weighted mean 0, in the order of the rows that are here: those without a missing value and of
        weight above 0. The value moves by about ``x dw / sum(w)`` when the weight of a row grows by ``dw``.

        Raises
        ------
        OptionError
            If the measure has no influences.
        UndefinedMeasureError
            If it has no value.

        Notes
        -----
        O(n), of the concordance index O(n log n).
        """
        request = find(spec)
        if request.measure.influence is None:
            smooth = ", ".join(name for name, entry in REGISTRY.items() if entry.influence is not None)
            raise OptionError(
                "measure", request.spec, f"a smooth measure: {smooth}", "influence('mean_absolute_error')"
            )
        compute(request, self._sample)
        return request.measure.influence(self._sample, request.options)

    def __repr__(self) -> str:
        """One line: the rows."""
        head = "" if self.name is None else f" {self.name!r}"
        return f"<regression evaluation{head}: {self._sample.sizes}>"


def evaluate(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    on_undefined: str = "raise",
    confidence_level: float = 0.95,
    name: str | None = None,
) -> RegressionEvaluation:
    """Evaluate predicted numbers.

    Parameters
    ----------
    y_true, y_pred : (n,) outcomes and predictions: finite numbers.
    sample_weight : (n,) sampling weights, finite and >= 0; a row of weight 0 is absent.
    cluster : (n,) labels: rows of one cluster may depend on each other.
    missing : ``"raise"``, or ``"drop"`` to leave out rows that lack anything; they are counted.
    on_undefined : ``"raise"``, or ``"nan"`` for nan with the reason.
    confidence_level : level of intervals unless another is asked for.
    name : the model's name.

    Returns
    -------
    RegressionEvaluation, with ``.measure(...)``, ``.table(...)`` and ``.influence(...)``.

    Raises
    ------
    InputError
        One of its kinds, if the data can not be used as they are.
    OptionError
        For bad options.

    Notes
    -----
    O(n).

    Examples
    --------
    Errors 1, -1, 2 and 0:

    >>> ev = evaluate([3, 1, 4, 2], [2, 2, 2, 2])
    >>> [ev.measure(m).value for m in ("mae", "mse", "median_ae", "max_error")]
    [1.0, 1.5, 1.0, 2.0]
    """
    samples = read_samples(y_true, {"y_pred": y_pred}, sample_weight=sample_weight, cluster=cluster, missing=missing)
    return RegressionEvaluation(
        samples["y_pred"], confidence_level=confidence_level, on_undefined=on_undefined, name=name
    )
