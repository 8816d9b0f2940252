"""The functions people type: ``rs.evaluate``, ``rs.roc_auc`` and their kin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from rocsolid.comparisons import Comparison, Comparisons
from rocsolid.errors import DtypeError, EmptyInputError, NotAvailableError, OptionError
from rocsolid.evaluation import Evaluation, Spec
from rocsolid.evaluations import Evaluations
from rocsolid.inputs import read_rows
from rocsolid.inputs.classes import is_table, read_classes
from rocsolid.multiclass import MulticlassEvaluation
from rocsolid.options import check_choice, check_direction, check_level
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
    y_score : (n,) scores, or (n, 2) with one column a class, of which the positive's is used. With more columns, or
        with (n, k) labels of 0 and 1 where a row may have several, the result is a :class:`MulticlassEvaluation`.
    pos_label : the label that counts as positive; never guessed from the order of labels.
    labels : the labels in the order of the columns of ``y_score``.
    sample_weight : (n,) sampling weights, finite and >= 0; a row of weight 0 is absent.
    cluster : (n,) labels of what rows belong to, such as a patient: intervals then take the rows of one as dependent.
    fold : (n,) labels of cross-validation folds: measures are then means over the folds, whose scores need not be
        comparable; curves, cuts and the sweep take all rows together.
    groups : refused: :meth:`Evaluation.by` evaluates group by group.
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
    if is_table(y_true, y_score):
        return cast("Evaluation", _evaluate_table(
            y_true, y_score, labels=labels, sample_weight=sample_weight, cluster=cluster, missing=missing,
            on_undefined=on_undefined, confidence_level=confidence_level, name=name,
            higher_is_positive=higher_is_positive,
            refused={"pos_label": pos_label, "groups": groups, "fold": fold},
        ))  # fmt: skip
    return _evaluate(
        y_true, y_score, "y_score", pos_label=pos_label, labels=labels, sample_weight=sample_weight, cluster=cluster,
        groups=groups, fold=fold, higher_is_positive=higher_is_positive, missing=missing, on_undefined=on_undefined,
        confidence_level=confidence_level, name=name,
    )  # fmt: skip


def need_one_column(y_true: Any, y_score: Any) -> None:
    """Refuse a table of several classes where one number of two classes is asked for."""
    if is_table(y_true, y_score):
        expected = "one score a row (or two columns), since a table of classes has no single number"
        hint = "rs.evaluate(y_true, y_score).roc_auc(average='macro')"
        raise OptionError("y_score", "a column for each class", expected, hint)


def _evaluate_table(
    y_true: Any, y_score: Any, *, labels: Sequence[object] | None, sample_weight: Any, cluster: object, missing: str,
    on_undefined: str, confidence_level: float, name: str | None, higher_is_positive: bool,
    refused: Mapping[str, object],
) -> MulticlassEvaluation:  # fmt: skip
    """Evaluate a table of scores; what only two classes have is refused."""
    if not check_direction(higher_is_positive):
        refused = {**refused, "higher_is_positive": False}
    for option, value in refused.items():
        if value is not None:
            expected = "left out for a table of scores, where each class is the positive one in turn"
            raise OptionError(option, value, expected, "rs.evaluate(y_true, y_score).one(label)")
    data = read_classes(y_true, y_score, labels=labels, sample_weight=sample_weight, cluster=cluster, missing=missing)
    return MulticlassEvaluation(data, confidence_level=confidence_level, on_undefined=on_undefined, name=name)


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
        raise NotAvailableError("`groups` here", "rs.evaluate(y_true, y_score).by(groups)")
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


def compare(
    y_true: Any,
    y_scores: Any,
    *,
    measure: Spec = "roc_auc",
    method: str = "auto",
    paired: bool = True,
    alternative: str = "two-sided",
    margin: float | None = None,
    cluster: object = None,
    fold: object = None,
    sample_weight: Any = None,
    confidence_level: float = 0.95,
    adjust: str = "holm",
    n_resamples: int | None = None,
    rng: object = None,
    pos_label: object = None,
    higher_is_positive: bool = True,
    missing: str = "raise",
) -> Comparison | Comparisons:
    """Compare models on the same rows: is the difference real, and how large may it be?

    Parameters
    ----------
    y_true : (n,) labels.
    y_scores : a mapping from name to (n,) scores, or a data frame with a column a model.
    measure : what is compared: any measure with a standard error, such as ``"roc_auc"`` or
        ``"recall(threshold=0.5)"``.
    method : ``"auto"`` (t test from influences; interval joined from both models' own), ``"mover"`` (that interval
        read backwards: p is the level at which it ends at 0 or at the margin; a dozen estimates of each model),
        ``"delong"`` (ROC-AUC: z test and Wald interval), ``"influence"`` (z test of any measure),
        ``"hanley-mcneil"``, ``"bootstrap"``, ``"permutation"`` (exchange of ranks) or ``"venkatraman"`` (are the
        whole ROC curves alike?).
    paired : False takes the models as independent samples; never assumed.
    alternative : ``"two-sided"``; ``"greater"`` asks whether the first model's value is larger, ``"less"`` smaller.
    margin : the largest difference that does not matter. With ``"greater"`` the question becomes whether the first
        is larger than the second less the margin (non-inferiority where larger is better), with ``"less"`` whether it
        is smaller than the second plus the margin; with ``"two-sided"`` whether the difference lies within plus and
        minus the margin (equivalence, by two one-sided tests).
    fold : (n,) labels of cross-validation folds: models are compared within each, and the differences averaged.
    cluster, sample_weight, pos_label, higher_is_positive, missing : as in :func:`evaluate`; a row that lacks a score
        of one model is left out of all.
    confidence_level : of the interval; one-sided for one-sided alternatives.
    adjust : of p values among more than two models: ``"holm"``, ``"bonferroni"`` or ``"none"``.
    n_resamples, rng : for the resampling methods; ``rng`` is a seed or a NumPy ``Generator``.

    Returns
    -------
    Comparison
        For two models: ``difference`` (first less second), ``interval``, ``statistic``, ``pvalue``, ``method``,
        both ``estimates``.
    Comparisons
        For more: all pairs with adjusted p values, and one test that all are alike.

    Raises
    ------
    InputError
        One of its kinds, for data that can not be used.
    OptionError, UnknownNameError
        For bad or ineffective options, or fewer than two models.
    UndefinedMeasureError
        If a model has no value.

    Notes
    -----
    O(k n log n + k^2 n) for k models. Zero is no magic number: the interval (MOVER, Zou & Donner 2008) and the p value
    (DeLong, DeLong & Clarke-Pearson 1988 with Satterthwaite's degrees of freedom) are different statistics and may
    disagree about it in small samples.

    Examples
    --------
    The new model has all four pairs in order, the old one three. Only placements of the old model vary: 1/2 and 1 in
    either class, with variance 1/8, so the variance of the difference is 1/8 / 2 + 1/8 / 2:

    >>> import rocsolid as rs
    >>> found = rs.compare([0, 0, 1, 1], {"new": [1, 2, 3, 4], "old": [1, 3, 2, 4]})
    >>> found.difference, round(found.std_error**2, 12)
    (0.25, 0.125)
    """
    members = evaluate_many(
        y_true, y_scores, pos_label=pos_label, sample_weight=sample_weight, cluster=cluster, fold=fold,
        higher_is_positive=higher_is_positive, missing=missing, confidence_level=confidence_level,
    )  # fmt: skip
    return members.compare(
        measure=measure, method=method, paired=paired, alternative=alternative, margin=margin, adjust=adjust,
        n_resamples=n_resamples, rng=rng,
    )  # fmt: skip
