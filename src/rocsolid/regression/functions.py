"""The measures of predicted numbers as functions of outcomes and predictions, under scikit-learn's names."""

from __future__ import annotations

from typing import Any

from rocsolid.regression.evaluation import evaluate
from rocsolid.regression.results import RegressionEstimate


def _of(
    spec: str, y_true: Any, y_pred: Any, sample_weight: Any, cluster: Any, missing: str, on_undefined: str, method: str,
    confidence_level: float, n_resamples: int | None, rng: object,
) -> RegressionEstimate:  # fmt: skip
    ev = evaluate(
        y_true, y_pred, sample_weight=sample_weight, cluster=cluster, missing=missing, on_undefined=on_undefined,
        confidence_level=confidence_level,
    )  # fmt: skip
    return ev.measure(spec, method=method, n_resamples=n_resamples, rng=rng)


def mean_squared_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    on_undefined: str = "raise",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: object = None,
) -> RegressionEstimate:
    """Mean squared error, with its standard error; in the square of the outcome's unit.

    Parameters
    ----------
    y_true, y_pred : (n,) outcomes and predictions: finite numbers.
    sample_weight : (n,) sampling weights, finite and >= 0; a row of weight 0 is absent.
    cluster : (n,) labels: rows of one cluster may depend on each other.
    missing : ``"raise"``, or ``"drop"`` to leave out rows that lack anything; they are counted.
    on_undefined : ``"raise"``, or ``"nan"`` for nan with the reason.
    method : ``"auto"``, which gives no interval, since none covers whatever the errors are; by name ``"log-t"``, which
        covers where errors have tails like the normal's, ``"influence"``, ``"bootstrap"`` (BCa),
        ``"bootstrap-percentile"`` and ``"bootstrap-basic"``.
    confidence_level : level of the interval.
    n_resamples, rng : of a bootstrap: how many, 2,000 by default, and from what seed.

    Returns
    -------
    RegressionEstimate, >= 0. Undefined only where it is too large for a float64.

    Raises
    ------
    InputError
        One of its kinds, if the data can not be used as they are.
    UnknownNameError, OptionError
        For bad or ineffective options.

    Notes
    -----
    O(n). Errors are rounded to float64 and squared, their sum is exact: the order of rows does not change a bit.

    Examples
    --------
    Errors 1, -1, 2 and 0:

    >>> mean_squared_error([3, 1, 4, 2], [2, 2, 2, 2])
    <mean_squared_error = 1.5000; 4 rows>
    """
    return _of(
        "mean_squared_error", y_true, y_pred, sample_weight, cluster, missing, on_undefined, method,
        confidence_level, n_resamples, rng,
    )  # fmt: skip


def root_mean_squared_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    on_undefined: str = "raise",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: object = None,
) -> RegressionEstimate:
    """Root mean squared error, with its standard error; in the outcome's unit.

    Parameters, methods, errors and cost are those of :func:`mean_squared_error`, of which it is the square root.

    Examples
    --------
    The root of (1 + 1 + 4 + 0) / 4:

    >>> round(float(root_mean_squared_error([3, 1, 4, 2], [2, 2, 2, 2])), 6)
    1.224745
    """
    return _of(
        "root_mean_squared_error", y_true, y_pred, sample_weight, cluster, missing, on_undefined, method,
        confidence_level, n_resamples, rng,
    )  # fmt: skip


def mean_absolute_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    on_undefined: str = "raise",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: object = None,
) -> RegressionEstimate:
    """Mean absolute error with its interval; in the outcome's unit.

    Parameters, errors and cost are those of :func:`mean_squared_error`.

    Returns
    -------
    RegressionEstimate, >= 0. The default interval, ``"log-t"``, is symmetric on the logarithm; without any error there
    is none. By simulation it covers in 93 % or more of samples of 10 to 1,000 rows, for errors that are normal,
    uniform, Laplace, exponential or Student's with 3 degrees of freedom; below that for more extreme ones
    (docs/explanation/regression.md).

    Examples
    --------
    (1 + 1 + 2 + 0) / 4:

    >>> mean_absolute_error([3, 1, 4, 2], [2, 2, 2, 2])
    <mean_absolute_error = 1.0000 [0.2320, 4.3106] 0.95 CI (log-t); 4 rows>
    """
    return _of(
        "mean_absolute_error", y_true, y_pred, sample_weight, cluster, missing, on_undefined, method,
        confidence_level, n_resamples, rng,
    )  # fmt: skip


def median_absolute_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    on_undefined: str = "raise",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: object = None,
) -> RegressionEstimate:
    """Median absolute error with its interval; in the outcome's unit.

    Parameters, errors and cost are those of :func:`mean_squared_error`; O(n log n).

    Returns
    -------
    RegressionEstimate, >= 0. The default interval, ``"order-statistics"``, is exact for any continuous distribution: it
    covers in at least the level asked for (Thompson 1936, Annals of Mathematical Statistics 7:122-128). At 0.95 it
    needs 6 rows. With weights or clusters there is none by default; the bootstraps of :func:`mean_squared_error` by
    name.

    Examples
    --------
    Of the errors 0, 1, 1 and 2:

    >>> median_absolute_error([3, 1, 4, 2], [2, 2, 2, 2]).value
    1.0
    """
    return _of(
        "median_absolute_error", y_true, y_pred, sample_weight, cluster, missing, on_undefined, method,
        confidence_level, n_resamples, rng,
    )  # fmt: skip


def max_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    on_undefined: str = "raise",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: object = None,
) -> RegressionEstimate:
    """Largest absolute error; in the outcome's unit.

    Parameters, errors and cost are those of :func:`mean_squared_error`; weights matter only where they are 0. There
    is no interval by any method: the largest error seen says nothing about the largest one possible.

    Examples
    --------
    >>> max_error([3, 1, 4, 2], [2, 2, 2, 2]).value
    2.0
    """
    return _of(
        "max_error", y_true, y_pred, sample_weight, cluster, missing, on_undefined, method,
        confidence_level, n_resamples, rng,
    )  # fmt: skip


def mean_absolute_percentage_error(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    on_undefined: str = "raise",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: object = None,
) -> RegressionEstimate:
    """Mean absolute error as a share of the outcome, with its standard error.

    Parameters, methods, errors and cost are those of :func:`mean_squared_error`. As in scikit-learn a share, not a
    percentage. Undefined where an outcome is 0.

    Examples
    --------
    1/2 and 1/4:

    >>> mean_absolute_percentage_error([2, 4], [1, 5]).value
    0.375
    """
    return _of(
        "mean_absolute_percentage_error", y_true, y_pred, sample_weight, cluster, missing, on_undefined, method,
        confidence_level, n_resamples, rng,
    )  # fmt: skip


def pinball_loss(
    y_true: Any,
    y_pred: Any,
    *,
    alpha: float,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    on_undefined: str = "raise",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: object = None,
) -> RegressionEstimate:
    """Pinball loss of predicted quantiles, with its standard error; in the outcome's unit.

    Parameters, methods, errors and cost are those of :func:`mean_squared_error`, and ``alpha``, between 0 and 1: the
    share of outcomes that should lie below the prediction. Of ``alpha=0.5`` it is half the mean absolute error, and
    has its default interval; towards the ends few rows decide, and there is none by default.

    Notes
    -----
    Koenker & Bassett 1978, Econometrica 46:33-50.

    Examples
    --------
    One outcome 1 above the prediction, one 1 below, one 2 above, one right: (0.9 + 0.1 + 1.8 + 0) / 4.

    >>> round(float(pinball_loss([3, 1, 4, 2], [2, 2, 2, 2], alpha=0.9)), 6)
    0.7
    """
    return _of(
        f"pinball_loss(alpha={alpha})", y_true, y_pred, sample_weight, cluster, missing, on_undefined, method,
        confidence_level, n_resamples, rng,
    )  # fmt: skip


def r2_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    on_undefined: str = "raise",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: object = None,
) -> RegressionEstimate:
    """R squared: 1 less mean squared error over the variance of the outcomes, with its standard error.

    Parameters, methods and cost are those of :func:`mean_squared_error`.

    Returns
    -------
    RegressionEstimate, at most 1, negative where the mean of the outcomes would be the better prediction. Undefined
    where all outcomes are alike. Predictions are taken as given: an R squared on the rows that a model was fitted to
    flatters it, and no interval knows.

    Raises
    ------
    UndefinedMeasureError
        If all outcomes are alike; and the errors of :func:`mean_squared_error`.

    Notes
    -----
    Kvalseth 1985, The American Statistician 39:279-285, definition 1.

    Examples
    --------
    Outcomes 3 1 4 2 have variance 5/4; errors 0 1 0 -1 have mean square 1/2:

    >>> r2_score([3, 1, 4, 2], [3, 0, 4, 3])
    <r2_score = 0.6000; 4 rows>
    """
    return _of(
        "r2_score", y_true, y_pred, sample_weight, cluster, missing, on_undefined, method,
        confidence_level, n_resamples, rng,
    )  # fmt: skip


def explained_variance(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    on_undefined: str = "raise",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: object = None,
) -> RegressionEstimate:
    """Explained variance: 1 less the variance of the errors over that of the outcomes, with its standard error.

    Parameters, methods and cost are those of :func:`mean_squared_error`; undefined where all outcomes are alike. It
    does not see a bias: :func:`r2_score` does.

    Examples
    --------
    Predictions that are all 5 too high:

    >>> explained_variance([3, 1, 4, 2], [8, 6, 9, 7]).value, r2_score([3, 1, 4, 2], [8, 6, 9, 7]).value
    (1.0, -19.0)
    """
    return _of(
        "explained_variance", y_true, y_pred, sample_weight, cluster, missing, on_undefined, method,
        confidence_level, n_resamples, rng,
    )  # fmt: skip


def concordance_index(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    on_undefined: str = "raise",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: object = None,
) -> RegressionEstimate:
    """Concordance index: the share of pairs of rows that the predictions put in the right order, with its interval.

    Parameters are those of :func:`mean_squared_error`. Of two rows with different outcomes the one with the higher
    outcome should have the higher prediction; equal predictions count half; pairs with equal outcomes do not count.
    For outcomes of two values it is the ROC-AUC, for complete ones (tau + 1) / 2 of Kendall. Censored outcomes are
    not handled.

    Returns
    -------
    RegressionEstimate, in [0, 1], with ``.exact`` as a fraction (without weights) and the pairs in ``.details``; a pair
    weighs the product of its rows' weights. Undefined where all outcomes are alike. The default interval,
    ``"effective-error"``, is that of the ROC-AUC of clustered rows; ``"influence"`` and the bootstraps by name.

    Raises
    ------
    UndefinedMeasureError
        If all outcomes are alike; and the errors of :func:`mean_squared_error`.

    Notes
    -----
    O(n log n); each pair is counted, none is looked at. Harrell et al. 1982, JAMA 247:2543-2546; influence of a
    ratio of U-statistics, Hoeffding 1948.

    Examples
    --------
    Of six pairs the predictions turn round one, and tie one:

    >>> concordance_index([1, 2, 3, 4], [1, 3, 2, 3]).exact
    Fraction(3, 4)
    """
    return _of(
        "concordance_index", y_true, y_pred, sample_weight, cluster, missing, on_undefined, method,
        confidence_level, n_resamples, rng,
    )  # fmt: skip


r_squared = r2_score
"""Another name of :func:`r2_score`."""
