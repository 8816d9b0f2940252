"""The functions people type: ``rs.evaluate``, ``rs.roc_auc`` and their kin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocsolid.errors import DtypeError, EmptyInputError, NotAvailableError, OptionError
from rocsolid.evaluation import Evaluation, Spec
from rocsolid.evaluations import Evaluations
from rocsolid.inputs import read_rows
from rocsolid.options import Margins, check_choice, check_direction, check_level
from rocsolid.results import Estimate
from rocsolid.sweep import Sweep


def evaluate(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: object = None,
    labels: Sequence[object] | None = None,
    sample_weight: Any = None,
    cluster: object = None,
    groups: object = None,
    fold: object = None,
    higher_is_positive: bool = True,
    missing: str = "raise",
    on_undefined: str = "raise",
    confidence_level: float = 0.95,
    name: str | None = None,
) -> Evaluation:
    """Take labels and scores of one model; ask the result for measures, curves, cuts, tables and a report.

    Parameters
    ----------
    y_true : (n,) labels: booleans, 0/1, -1/1; any other pair of labels needs ``pos_label``.
    y_score : (n,) scores, or (n, 2) with one column a class, of which the positive's is used.
    pos_label : the label that counts as positive; never guessed from the order of labels.
    labels : the two labels in the order of the columns of ``y_score``.
    sample_weight : (n,) sampling weights, finite and >= 0; a row of weight 0 is absent.
    cluster : (n,) labels of what rows belong to, such as a patient: intervals then take the rows of one as dependent.
    fold : (n,) labels of cross-validation folds: measures are then means over the folds, whose scores need not be
        comparable; curves, cuts and the sweep take all rows together.
    groups : not available yet; refused if given.
    higher_is_positive : False if low scores are the positive sign; never inferred.
    missing : ``"raise"``, or ``"drop"`` to leave out rows with a NaN or null label or score and count them.
    on_undefined : ``"raise"``, or ``"nan"`` to get nan with the reason.
    confidence_level : level of all intervals, 0.95 by default.
    name : a name for the model, printed on its results.

    Returns
    -------
    Evaluation

    Raises
    ------
    InputError
        One of its kinds, with what was expected, what was found and a hint.
    NotAvailableError
        For arguments whose part is not built yet.

    Notes
    -----
    O(n log n) time. Any column will do: lists, NumPy, pandas, Polars, PyArrow, tensors.

    Examples
    --------
    >>> import rocsolid as rs
    >>> ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> float(ev.roc_auc()), ev.roc_auc().exact
    (0.75, Fraction(3, 4))
    """
    return _evaluate(
        y_true, y_score, "y_score", pos_label=pos_label, labels=labels, sample_weight=sample_weight, cluster=cluster,
        groups=groups, fold=fold, higher_is_positive=higher_is_positive, missing=missing, on_undefined=on_undefined,
        confidence_level=confidence_level, name=name,
    )  # fmt: skip


def _evaluate(
    y_true: Any,
    y_score: Any,
    score_name: str,
    *,
    pos_label: object,
    labels: Sequence[object] | None,
    sample_weight: Any,
    cluster: object,
    groups: object,
    fold: object,
    higher_is_positive: bool,
    missing: str,
    on_undefined: str,
    confidence_level: float,
    name: str | None,
) -> Evaluation:
    """Evaluate scores that errors call ``score_name``."""
    if groups is not None:
        raise NotAvailableError("`groups`", "leave groups out; it is refused here, never ignored")
    if fold is not None and cluster is not None:
        raise NotAvailableError("`cluster` together with `fold`", "leave one of them out")
    check_level(confidence_level)
    check_choice("on_undefined", on_undefined, ("raise", "nan"))
    direction = check_direction(higher_is_positive)
    rows = read_rows(
        y_true, y_score, pos_label=pos_label, labels=labels, sample_weight=sample_weight, cluster=cluster,
        fold=fold, missing=missing, score_name=score_name,
    )  # fmt: skip
    sweep = Sweep.from_rows(rows, higher_is_positive=direction)
    if not len(sweep):
        raise EmptyInputError("sample_weight", len(rows.scores))
    return Evaluation(sweep, rows=rows, confidence_level=confidence_level, on_undefined=on_undefined, name=name)


def evaluate_many(
    y_true: Any,
    y_scores: Any,
    *,
    pos_label: object = None,
    labels: Sequence[object] | None = None,
    sample_weight: Any = None,
    cluster: object = None,
    groups: object = None,
    fold: object = None,
    higher_is_positive: bool = True,
    missing: str = "raise",
    on_undefined: str = "raise",
    confidence_level: float = 0.95,
) -> Evaluations:
    """Take the scores of several models on the same rows: a mapping from name to scores, or a data frame.

    Everything else is as in :func:`evaluate`. A row that lacks a score of one model is left out of that
    model only (``missing="drop"``).

    Raises
    ------
    DtypeError
        If ``y_scores`` is no mapping.
    EmptyInputError
        If it is empty.

    Examples
    --------
    >>> import rocsolid as rs
    >>> both = rs.evaluate_many([0, 0, 1, 1], {"old": [1, 3, 2, 4], "new": [1, 2, 3, 4]})
    >>> [float(ev.roc_auc()) for ev in both.values()]
    [0.75, 1.0]
    """
    if not isinstance(y_scores, Mapping) and hasattr(y_scores, "columns") and hasattr(y_scores, "__getitem__"):
        y_scores = {name: y_scores[name] for name in y_scores.columns}  # a data frame, one column a model
    if not isinstance(y_scores, Mapping):
        raise DtypeError(
            "y_scores", "a mapping from model name to scores", type(y_scores).__name__, "{'a': s1, 'b': s2}"
        )
    if not y_scores:
        raise EmptyInputError("y_scores")
    if len({str(name) for name in y_scores}) < len(y_scores):
        raise OptionError("y_scores", list(y_scores), "models whose names differ as text", "{'a': s1, 'b': s2}")
    return Evaluations(
        {
            str(name): _evaluate(
                y_true, scores, f"y_scores[{name!r}]", pos_label=pos_label, labels=labels,
                sample_weight=sample_weight, cluster=cluster, groups=groups, fold=fold,
                higher_is_positive=higher_is_positive, missing=missing, on_undefined=on_undefined,
                confidence_level=confidence_level, name=str(name),
            )
            for name, scores in y_scores.items()
        }
    )  # fmt: skip


# ------------------------------------------------------------------------------------ one measure at once


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
