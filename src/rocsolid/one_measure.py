"""One measure at once: ``rs.roc_auc`` and its kin, short for ``evaluate(...).measure(...)``."""

from __future__ import annotations

from typing import Any

from rocsolid.evaluation import Spec
from rocsolid.functions import evaluate, need_one_column
from rocsolid.options import Margins
from rocsolid.results import Estimate


def measure(
    spec: Spec,
    y_true: Any,
    y_score: Any,
    *,
    pos_label: object = None,
    sample_weight: Any = None,
    higher_is_positive: bool = True,
    missing: str = "raise",
    on_undefined: str = "raise",
    confidence_level: float = 0.95,
    method: str = "auto",
    margins: Margins = "random",
    n_resamples: int | None = None,
    rng: object = None,
) -> Estimate:
    """Estimate any measure of the registry; short for ``evaluate(...).measure(spec, ...)``.

    Examples
    --------
    >>> import rocsolid as rs
    >>> rs.measure("recall(threshold=0.4)", [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).exact
    Fraction(1, 2)
    """
    need_one_column(y_true, y_score)
    evaluation = evaluate(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, higher_is_positive=higher_is_positive,
        missing=missing, on_undefined=on_undefined, confidence_level=confidence_level,
    )  # fmt: skip
    return evaluation.measure(spec, method=method, margins=margins, n_resamples=n_resamples, rng=rng)


def roc_auc(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: object = None,
    sample_weight: Any = None,
    higher_is_positive: bool = True,
    missing: str = "raise",
    on_undefined: str = "raise",
    confidence_level: float = 0.95,
    method: str = "auto",
    margins: Margins = "random",
    n_resamples: int | None = None,
    rng: object = None,
) -> Estimate:
    """Area under the ROC curve: the share of (positive, negative) pairs in order, ties counting half.

    Short for ``evaluate(...).measure("roc_auc", ...)``; arguments and errors as there.

    Notes
    -----
    O(n log n). Undefined unless both classes have a row. Hanley & McNeil 1982; interval: see docs.

    Examples
    --------
    >>> import rocsolid as rs
    >>> round(float(rs.roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])), 4)
    0.75
    """
    return measure(
        "roc_auc", y_true, y_score, pos_label=pos_label, sample_weight=sample_weight,
        higher_is_positive=higher_is_positive, missing=missing, on_undefined=on_undefined,
        confidence_level=confidence_level, method=method, margins=margins, n_resamples=n_resamples, rng=rng,
    )  # fmt: skip


def average_precision(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: object = None,
    sample_weight: Any = None,
    higher_is_positive: bool = True,
    missing: str = "raise",
    on_undefined: str = "raise",
    confidence_level: float = 0.95,
    method: str = "auto",
    margins: Margins = "random",
    n_resamples: int | None = None,
    rng: object = None,
) -> Estimate:
    """Average precision: the mean, over positives, of the precision at their score.

    Short for ``evaluate(...).measure("average_precision", ...)``; arguments and errors as there.

    Notes
    -----
    O(n log n). Undefined without positives. Boyd, Eng & Page 2013; interval: see docs.

    Examples
    --------
    >>> import rocsolid as rs
    >>> round(float(rs.average_precision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])), 4)
    0.8333
    """
    return measure(
        "average_precision", y_true, y_score, pos_label=pos_label, sample_weight=sample_weight,
        higher_is_positive=higher_is_positive, missing=missing, on_undefined=on_undefined,
        confidence_level=confidence_level, method=method, margins=margins, n_resamples=n_resamples, rng=rng,
    )  # fmt: skip


def d_prime(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: object = None,
    sample_weight: Any = None,
    higher_is_positive: bool = True,
    missing: str = "raise",
    on_undefined: str = "raise",
    confidence_level: float = 0.95,
    method: str = "auto",
    margins: Margins = "random",
    n_resamples: int | None = None,
    rng: object = None,
) -> Estimate:
    """Distance d' = sqrt(2) Phi^-1(ROC-AUC) of two unit normals with this AUC.

    Short for ``evaluate(...).measure("d_prime", ...)``; arguments and errors as there.

    Notes
    -----
    O(n log n). Infinite at AUC 0 and 1; undefined unless both classes have a row. Simpson & Fitter 1973.

    Examples
    --------
    >>> import rocsolid as rs
    >>> round(float(rs.d_prime([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])), 4)
    0.9539
    """
    return measure(
        "d_prime", y_true, y_score, pos_label=pos_label, sample_weight=sample_weight,
        higher_is_positive=higher_is_positive, missing=missing, on_undefined=on_undefined,
        confidence_level=confidence_level, method=method, margins=margins, n_resamples=n_resamples, rng=rng,
    )  # fmt: skip


def brier_score(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: object = None,
    sample_weight: Any = None,
    higher_is_positive: bool = True,
    missing: str = "raise",
    on_undefined: str = "raise",
    confidence_level: float = 0.95,
    method: str = "auto",
    margins: Margins = "random",
    n_resamples: int | None = None,
    rng: object = None,
) -> Estimate:
    """Mean squared distance between probability and outcome.

    Short for ``evaluate(...).measure("brier_score", ...)``; arguments and errors as there.

    Notes
    -----
    O(n log n). Scores outside [0, 1] are refused. Brier 1950.

    Examples
    --------
    >>> import rocsolid as rs
    >>> round(float(rs.brier_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])), 4)
    0.1581
    """
    return measure(
        "brier_score", y_true, y_score, pos_label=pos_label, sample_weight=sample_weight,
        higher_is_positive=higher_is_positive, missing=missing, on_undefined=on_undefined,
        confidence_level=confidence_level, method=method, margins=margins, n_resamples=n_resamples, rng=rng,
    )  # fmt: skip


def log_loss(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: object = None,
    sample_weight: Any = None,
    higher_is_positive: bool = True,
    missing: str = "raise",
    on_undefined: str = "raise",
    confidence_level: float = 0.95,
    method: str = "auto",
    margins: Margins = "random",
    n_resamples: int | None = None,
    rng: object = None,
) -> Estimate:
    """Mean of -ln of the probability given to what happened.

    Short for ``evaluate(...).measure("log_loss", ...)``; arguments and errors as there.

    Notes
    -----
    O(n log n). Infinite if that probability was 0 once; scores outside [0, 1] are refused. Good 1952.

    Examples
    --------
    >>> import rocsolid as rs
    >>> round(float(rs.log_loss([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])), 4)
    0.4723
    """
    return measure(
        "log_loss", y_true, y_score, pos_label=pos_label, sample_weight=sample_weight,
        higher_is_positive=higher_is_positive, missing=missing, on_undefined=on_undefined,
        confidence_level=confidence_level, method=method, margins=margins, n_resamples=n_resamples, rng=rng,
    )  # fmt: skip
