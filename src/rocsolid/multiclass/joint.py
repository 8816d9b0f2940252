"""Measures of all classes at once: losses of probabilities, and what the most likely class of each row gets right."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from rocsolid.errors import NotAvailableError, UndefinedMeasureError
from rocsolid.inference import estimate, with_notes
from rocsolid.inputs.classes import ClassRows
from rocsolid.measures import find
from rocsolid.multiclass.decisions import ConfusionMatrix, confusion, kappa, matthews, predicted
from rocsolid.multiclass.losses import brier, log_loss, loss_interval, probabilities
from rocsolid.multiclass.means import sizes_of
from rocsolid.options import check_choice, check_level
from rocsolid.results import Estimate, Interval, Note
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]

NO_DEFAULT = Note(
    "no-default-interval",
    "no interval by default: none that was simulated to cover; std_error is that of the delta method",
    "默认没有区间：没有经过模拟验证覆盖率的方法；std_error 由 delta 方法给出",
)


class Joint:
    """Labels and a table of scores, and the measures that take all classes together."""

    __slots__ = ("_confidence_level", "_data", "_guess", "_on_undefined", "name")

    def __init__(
        self, data: ClassRows, *, confidence_level: float = 0.95, on_undefined: str = "raise", name: str | None = None
    ) -> None:
        self._data = data
        self._confidence_level = check_level(confidence_level)
        self._on_undefined = check_choice("on_undefined", on_undefined, ("raise", "nan"))
        self._guess: tuple[npt.NDArray[np.intp], int] | None = None
        self.name = name

    @property
    def classes(self) -> tuple[object, ...]:
        """The classes, in the order of the columns."""
        return self._data.classes

    @property
    def confidence_level(self) -> float:
        """Confidence level of intervals unless another is asked for."""
        return self._confidence_level

    @property
    def n_dropped(self) -> int:
        """Rows left out because a label or score was missing (``missing="drop"``)."""
        return self._data.dropped

    def brier_score(self, *, confidence_level: float | None = None) -> Estimate:
        """Mean squared distance of a row's probabilities from its class: 0 to 2 (Brier 1950).

        For two classes it is twice the Brier score of one. Raises ProbabilityError, ProbabilitySumError.
        """
        return self._loss("brier_score", brier, confidence_level)

    def log_loss(self, *, confidence_level: float | None = None) -> Estimate:
        """Mean of -ln of the probability given to a row's class; infinite where one has probability 0."""
        return self._loss("log_loss", log_loss, confidence_level)

    def _loss(self, name: str, of: Callable[..., Floats], confidence_level: float | None) -> Estimate:
        codes = self._one_class_a_row(name)
        level = self._level(confidence_level)
        losses = of(probabilities(name, self._data), codes)
        value, se, limits = loss_interval(name, losses, self._data, level)
        method = "effective-error" if name == "brier_score" else "log-t"
        return self._all(f"{name} (all classes)", value, se, limits, method, level)

    def accuracy(self, *, confidence_level: float | None = None) -> Estimate:
        """Share of rows whose predicted class is theirs, with Wilson's interval."""
        return self._right("accuracy", confidence_level)

    def error_rate(self, *, confidence_level: float | None = None) -> Estimate:
        """Share of rows whose predicted class is not theirs, with Wilson's interval."""
        return self._right("error_rate", confidence_level)

    def _right(self, name: str, confidence_level: float | None) -> Estimate:
        codes, level = self._one_class_a_row(name), self._level(confidence_level)
        hit = (self._predicted()[0] == codes) == (name == "accuracy")
        rows = self._data.binary(hit.astype(np.uint8), np.ones(len(hit), np.bool_), True)
        sweep = Sweep.from_rows(rows)
        found = estimate(find("recall(threshold=0.5)"), sweep, confidence_level=level, rows=rows)
        limits = None if found.interval is None else (found.interval.low, found.interval.high)
        return self._all(name, found.value, found.std_error, limits, found.method or "none", level)

    def kappa(self, *, confidence_level: float | None = None) -> Estimate:
        """Cohen's kappa of predicted and true classes; interval by the delta method (Fleiss, Cohen & Everitt 1969)."""
        return self._agreement("kappa", kappa, confidence_level)

    def mcc(self, *, confidence_level: float | None = None) -> Estimate:
        """Matthews' correlation coefficient of k classes (Gorodkin 2004); interval by the delta method."""
        return self._agreement("mcc", matthews, confidence_level)

    def _agreement(self, name: str, of: Callable[[Floats], tuple[float, Floats]], level: float | None) -> Estimate:
        codes, guess = self._one_class_a_row(name), self._predicted()[0]
        counts = confusion(codes, guess, len(self.classes), self._data.weights)
        value, slope = of(counts.astype(np.float64))
        if math.isnan(value):
            raise UndefinedMeasureError(name, "one class is all there is, in truth or among the predictions")
        w = np.ones(len(codes)) if self._data.weights is None else self._data.weights
        psi = slope[codes, guess]
        psi = w * (psi - float(w @ psi) / float(w.sum())) / float(w.sum())
        if self._data.cluster is not None:
            psi = np.asarray(np.bincount(self._data.cluster, psi), np.float64)
        n = len(psi)
        se = math.sqrt(float(psi @ psi) * n / (n - 1)) if n > 1 else math.nan
        return self._all(name, value, se, None, "none", self._level(level), (NO_DEFAULT,))

    def confusion_matrix(self) -> ConfusionMatrix:
        """Count rows by true and predicted class, the largest score of each row. O(n k)."""
        codes = self._one_class_a_row("a confusion matrix")
        guess, ties = self._predicted()
        return ConfusionMatrix(confusion(codes, guess, len(self.classes), self._data.weights), self.classes, ties)

    def _all(
        self, spec: str, value: float, se: float | None, limits: tuple[float, float] | None, method: str, level: float,
        notes: tuple[Note, ...] = (),
    ) -> Estimate:  # fmt: skip
        interval = None
        if limits is not None:
            interval = Interval(low=limits[0], high=limits[1], confidence_level=level, method=method)
        known = se is not None and not math.isnan(se)
        return self._named(Estimate(
            measure=spec, value=value, std_error=se if known else None, interval=interval, method=method,
            sizes=sizes_of(self._data), notes=notes,
        ))  # fmt: skip

    def _level(self, given: float | None) -> float:
        return self._confidence_level if given is None else check_level(given)

    def _named(self, found: Estimate) -> Estimate:
        return with_notes(found, found.notes, self.name)

    def _one_class_a_row(self, what: str) -> npt.NDArray[np.intp]:
        if self._data.codes is None:
            raise NotAvailableError(f"{what} of rows with several labels", "ask label by label: ev.one(label)")
        return self._data.codes

    def _predicted(self) -> tuple[npt.NDArray[np.intp], int]:
        if self._guess is None:
            self._guess = predicted(self._data.scores)
        return self._guess

    def _indicators(self) -> npt.NDArray[np.uint8]:
        """(n, k) 1 in the column of the predicted class."""
        if self._data.codes is None:
            raise NotAvailableError("predicted classes of rows with several labels", "give a threshold=")
        guess = self._predicted()[0]
        out = np.zeros(self._data.scores.shape, np.uint8)
        out[np.arange(len(guess)), guess] = 1
        return out
