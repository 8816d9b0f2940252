"""Scores of a fitted classifier, and which of its classes they speak for."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import OptionError
from rocsolid.options import check_choice, unboxed

METHODS = ("predict_proba", "decision_function")
CLEAR = (0, 1), (-1, 1)
"""Pairs of classes of which the second is the positive one; ``False, True`` equal the first."""


def responses(
    estimator: Any, rows: Any, response_method: str = "auto", pos_label: object = None
) -> tuple[npt.NDArray[np.float64], object]:
    """Ask a binary classifier for the scores of some rows.

    Returns
    -------
    (n,) scores, high ones for the positive class, and its label.

    Raises
    ------
    OptionError, UnknownNameError
        If it has not two classes, not that method, or if it is not said which class is positive.
    """
    check_choice("response_method", response_method, ("auto", *METHODS))
    names = METHODS if response_method == "auto" else (response_method,)
    method = next((getattr(estimator, name) for name in names if hasattr(estimator, name)), None)
    if method is None:
        raise OptionError("estimator", type(estimator).__name__, f"a classifier with {' or '.join(names)}",
                          "from_predictions(y_true, y_score)")  # fmt: skip
    classes = [unboxed(label) for label in getattr(estimator, "classes_", ())]
    if len(classes) != 2:
        raise OptionError("estimator", classes, "fitted to two classes", "from_predictions(y_true == label, y_score)")
    at = _place(classes, pos_label)
    values = np.asarray(method(rows), dtype=np.float64)
    if values.ndim == 2:
        return values[:, at], classes[at]
    return (values if at else -values), classes[at]  # a decision function speaks for the second class


def _place(classes: list[Any], pos_label: object) -> int:
    if pos_label is None:
        if tuple(classes) in CLEAR:
            return 1
        raise OptionError("pos_label", None, f"one of {classes!r}: which is positive is not guessed",
                          f"pos_label={classes[1]!r}")  # fmt: skip
    if unboxed(pos_label) not in classes:
        raise OptionError("pos_label", pos_label, f"one of {classes!r}", f"pos_label={classes[1]!r}")
    return classes.index(unboxed(pos_label))


def rows_of(table: Any, at: Any) -> Any:
    """Take some rows of an array, a data frame or a list."""
    if hasattr(table, "iloc"):
        return table.iloc[at]
    if isinstance(table, list):
        return [table[i] for i in at]
    return table[at]
