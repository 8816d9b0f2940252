"""Displays by curve, in scikit-learn's manner: made from predictions, from an estimator, or from cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from rocsolid.curves import (
    CostCurve,
    Curve,
    DetCurve,
    GainCurve,
    LiftCurve,
    LogRocCurve,
    NetBenefitCurve,
    PrecisionRecallCurve,
    PrecisionRecallGainCurve,
    ReliabilityCurve,
    RocCurve,
)
from rocsolid.errors import OptionError, ShapeError
from rocsolid.evaluation import Evaluation
from rocsolid.functions import evaluate
from rocsolid.plot.display import BANDED, CURVE, CurveDisplay, legend
from rocsolid.plot.drawn import Drawn
from rocsolid.plot.responses import responses, rows_of
from rocsolid.plot.style import look, plain, styled
from rocsolid.plot.words import say
from rocsolid.results import Estimate


class FromPredictions(CurveDisplay):
    """A display that makes its own curve.

    Every subclass draws one curve; ``from_predictions`` takes labels and scores, ``from_estimator`` a fitted
    classifier, ``from_cv_results`` what ``cross_validate`` of scikit-learn gives back.
    """

    KIND: ClassVar[str]
    AREA: ClassVar[str | None] = None
    """The measure whose estimate stands in the legend; these curves have bands too."""

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: object = None,
        sample_weight: Any = None,
        higher_is_positive: bool = True,
        missing: str = "raise",
        confidence_level: float = 0.95,
        name: str | None = None,
        band: str | None = None,
        scale: str | None = None,
        lang: str = "en",
        ax: Any = None,
    ) -> Self:
        """Draw the curve of labels and scores.

        Parameters
        ----------
        y_true, y_score, pos_label, sample_weight, higher_is_positive, missing, confidence_level : as in
            :func:`rocsolid.evaluate`.
        name : the model's name in the legend.
        band : ``"pointwise"`` or ``"simultaneous"`` for a confidence band, where the curve has one.
        scale, lang, ax : as in :meth:`CurveDisplay.plot`.

        Raises
        ------
        InputError
            One of its kinds, if the data can not be used as they are.
        UndefinedMeasureError
            If a class that the curve needs has no row.
        UnknownNameError, OptionError
            For a band or scale that the curve does not have.

        Notes
        -----
        O(n log n). No backend is chosen and no global setting is changed.

        Examples
        --------
        >>> from rocsolid.plot import RocCurveDisplay
        >>> display = RocCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="logistic")
        >>> display.line_.get_ydata().tolist()
        [0.0, 0.5, 0.5, 1.0, 1.0]
        """
        found = evaluate(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, higher_is_positive=higher_is_positive,
            missing=missing, confidence_level=confidence_level, name=name, on_undefined="nan",
        )  # fmt: skip
        if not isinstance(found, Evaluation):
            raise ShapeError("y_score", np.shape(y_score), "scores of two classes", 'ev.curve("roc", label=...).plot()')
        display = cls.from_evaluation(found, band=band)
        display.plot(ax, scale=scale, lang=lang)
        return display

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803  (as scikit-learn calls it)
        y: Any,
        *,
        response_method: str = "auto",
        pos_label: object = None,
        sample_weight: Any = None,
        name: str | None = None,
        band: str | None = None,
        scale: str | None = None,
        lang: str = "en",
        ax: Any = None,
    ) -> Self:
        """Draw the curve of a fitted classifier on rows that it was not fitted to.

        ``response_method`` is ``"predict_proba"``, ``"decision_function"``, or ``"auto"`` for the first that there is;
        ``name`` is by default that of the estimator's class. The rest is as in :meth:`from_predictions`.

        Raises
        ------
        OptionError
            If the classifier has no such method, or not two classes.
        """
        scores, positive = responses(estimator, X, response_method, pos_label)
        return cls.from_predictions(
            y, scores, pos_label=positive, sample_weight=sample_weight, name=name or type(estimator).__name__,
            band=band, scale=scale, lang=lang, ax=ax,
        )  # fmt: skip

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,  # noqa: N803
        y: Any,
        *,
        response_method: str = "auto",
        pos_label: object = None,
        name: str | None = None,
        scale: str | None = None,
        lang: str = "en",
        ax: Any = None,
    ) -> FoldsDisplay:
        """Draw one curve a fold of ``cross_validate(..., return_estimator=True, return_indices=True)``.

        Each classifier is drawn on the rows that it was not fitted to; the legend has the mean of the area over the
        folds, with its interval.

        Raises
        ------
        OptionError
            If ``cv_results`` lacks the estimators or the indices, or for a classifier as in :meth:`from_estimator`.
        """
        for key in ("estimator", "indices"):
            if key not in cv_results:
                hint = "cross_validate(..., return_estimator=True, return_indices=True)"
                raise OptionError("cv_results", sorted(cv_results), f"with {key!r}", hint)
        truth, scores, fold, positive = [], [], [], pos_label
        for i, (fitted, test) in enumerate(zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True)):
            values, positive = responses(fitted, rows_of(X, test), response_method, pos_label)
            truth.append(rows_of(y, test))
            scores.append(values)
            fold += [i] * len(values)
        return FoldsDisplay(cls, truth, scores, fold, positive, name).plot(ax, scale=scale, lang=lang)

    @classmethod
    def from_evaluation(cls, found: Evaluation, *, band: str | None = None) -> Self:
        """Take the curve, and the band if one is named, of an evaluation; nothing is drawn yet."""
        return cls(
            cls._curve_of(found), name=found.name, estimate=cls._area_of(found),
            band=None if band is None else found.band(BANDED.get(cls.KIND, cls.KIND), kind=band),
        )  # fmt: skip

    @classmethod
    def _curve_of(cls, found: Evaluation) -> Curve:
        return found.curve(cls.KIND)

    @classmethod
    def _area_of(cls, found: Evaluation) -> Estimate | None:
        return None if cls.AREA is None else found.measure(cls.AREA)


class RocCurveDisplay(FromPredictions):
    """The ROC curve; ``scale="log"`` looks closer at low false positive rates, ``"probit"`` at both ends."""

    KIND, AREA = "roc", "roc_auc"


class LogRocCurveDisplay(FromPredictions):
    """The ROC curve where alarms are rare, on the axis whose area is LogAUC."""

    KIND, AREA = "log_roc", "log_auc"


class PrecisionRecallDisplay(FromPredictions):
    """The precision-recall curve, in the steps whose area is average precision."""

    KIND, AREA = "precision_recall", "average_precision"


class DetCurveDisplay(FromPredictions):
    """The detection error trade-off on normal deviates, or with ``scale="log"`` against the log of the FPR."""

    KIND, AREA = "det", "roc_auc"


class CostCurveDisplay(FromPredictions):
    """The lower envelope of expected costs, beside that of flagging nobody or everybody."""

    KIND = "cost"


class NetBenefitDisplay(FromPredictions):
    """The decision curve, beside that of flagging everybody."""

    KIND = "net_benefit"


class GainCurveDisplay(FromPredictions):
    """Share of positives found against share of rows flagged."""

    KIND = "gain"


class LiftCurveDisplay(FromPredictions):
    """How many times as many positives as by chance, against share of rows flagged."""

    KIND = "lift"


class PrecisionRecallGainDisplay(FromPredictions):
    """The precision-recall-gain curve."""

    KIND = "precision_recall_gain"


class CalibrationDisplay(FromPredictions):
    """The reliability curve, binning-free (CORP), with the numbers of rows below.

    ``band="consistency"`` adds where the curve would lie if the scores were probabilities, drawn with seed 0. For bins,
    and for another seed, draw ``ev.reliability(binning=..., bins=..., rng=...).plot()``.
    """

    KIND = "reliability"

    @classmethod
    def from_evaluation(cls, found: Evaluation, *, band: str | None = None) -> Self:
        """Take the curve of an evaluation, with its consistency band if that is named."""
        if band not in (None, "consistency"):
            raise OptionError("band", band, 'None or "consistency"', 'band="consistency"')
        return cls(found.curve("reliability") if band is None else found.reliability(rng=0), name=found.name)


DISPLAYS: dict[type, type[FromPredictions]] = {
    RocCurve: RocCurveDisplay,
    LogRocCurve: LogRocCurveDisplay,
    PrecisionRecallCurve: PrecisionRecallDisplay,
    DetCurve: DetCurveDisplay,
    CostCurve: CostCurveDisplay,
    NetBenefitCurve: NetBenefitDisplay,
    GainCurve: GainCurveDisplay,
    LiftCurve: LiftCurveDisplay,
    PrecisionRecallGainCurve: PrecisionRecallGainDisplay,
    ReliabilityCurve: CalibrationDisplay,
}
"""The display of every curve that has one of its own."""


class FoldsDisplay(Drawn):
    """One curve a fold, in one colour, with the mean of their areas in the legend.

    Attributes
    ----------
    displays_ : one display a fold.
    lines_ : their lines.
    estimate_ : the mean of the area over the folds, ``None`` for a curve without one.
    ax_, figure_ : the axes and their figure.
    """

    def __init__(
        self, kind: type[FromPredictions], truth: Sequence[Any], scores: Sequence[Any], fold: Sequence[int],
        pos_label: object, name: str | None,
    ) -> None:  # fmt: skip
        self.name = name
        self._parts = [
            kind.from_evaluation(evaluate(y, s, pos_label=pos_label, on_undefined="nan"))
            for y, s in zip(truth, scores, strict=True)
        ]
        self.estimate_: Estimate | None = None
        if kind.AREA is not None:
            together = evaluate(np.concatenate([np.asarray(y) for y in truth]), np.concatenate(list(scores)),
                                pos_label=pos_label, fold=fold, on_undefined="nan")  # fmt: skip
            self.estimate_ = together.measure(kind.AREA)
        self.displays_: list[FromPredictions] = []
        self.lines_: list[Any] = []
        self.ax_: Any = None
        self.figure_: Any = None

    def plot(self, ax: Any = None, *, scale: str | None = None, lang: str = "en") -> FoldsDisplay:
        """Draw all folds; parameters as in :meth:`CurveDisplay.plot`."""
        before = 0 if ax is None else sum(line.get_gid() == CURVE for line in ax.get_lines())
        shown = look(before)
        number = self._parts[0].number_of(self.estimate_, lang)
        head = f"{len(self._parts)} {say('folds', lang)}" + (f", {number}" if number else "")
        label = head if self.name is None else f"{plain(self.name)} ({head})"
        self.displays_ = []
        for i, part in enumerate(self._parts):
            part.plot(ax, scale=scale, lang=lang, color=shown["color"], linestyle="-")
            part.line_.set(alpha=0.55, linewidth=1, label=label if not i else "_fold", gid=CURVE if not i else "fold")
            self.displays_.append(part)
            ax = part.ax_
        self.ax_, self.figure_ = ax, ax.figure
        self.lines_ = [part.line_ for part in self.displays_]
        with styled(lang):
            legend(ax)
        return self
