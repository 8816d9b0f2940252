"""Options, errors and warnings as scikit-learn's callers expect them, in this package's wording."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from rocsolid.errors import OptionError, RocsolidWarning, warn

AVERAGES = ("micro", "macro", "weighted", "samples")


class ParameterError(OptionError, TypeError):
    """An argument of a kind or value that is not allowed; both a ``ValueError`` and a ``TypeError``."""

    code = "bad-parameter"


def check_arrays(arrays: Mapping[str, object]) -> None:
    """Refuse what is no array, list or column: scalars, text, ``None``, sparse matrices, iterators."""
    for name, data in arrays.items():
        if type(data) is np.ndarray or type(data) is list:
            continue
        arraylike = hasattr(data, "__len__") or hasattr(data, "shape") or hasattr(data, "__array__")
        if not arraylike or isinstance(data, (str, bytes)):
            raise ParameterError(name, data, "an array, a list or a column of a frame")
        if hasattr(data, "tocsr"):
            raise ParameterError(name, type(data).__name__, "a dense array", f"pass {name}.toarray()")


def check_weights(sample_weight: object) -> None:
    """Refuse weights that are neither ``None`` nor a column."""
    if sample_weight is not None:
        check_arrays({"sample_weight": sample_weight})


def check_average(average: object) -> None:
    """Refuse an average that is neither ``None`` nor one of the four."""
    if average is not None and not (isinstance(average, str) and average in AVERAGES):
        raise ParameterError("average", average, "one of " + ", ".join(map(repr, AVERAGES)) + " or None")


def check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    """Refuse a word that is not one of ``allowed``."""
    if not (isinstance(value, str) and value in allowed):
        raise ParameterError(name, value, "one of " + ", ".join(map(repr, allowed)))


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(name, value, "True or False")


def check_label(pos_label: object, *, none: bool) -> None:
    """Refuse a positive label that is no number, text or boolean (or ``None``, where ``none`` allows it)."""
    if isinstance(pos_label, (int, str, np.bool_, numbers.Real)) or (none and pos_label is None):
        return
    raise ParameterError("pos_label", pos_label, "a number, text or a boolean" + (" or None" if none else ""))


def check_max_fpr(max_fpr: Any) -> None:
    """Refuse a limit that is neither ``None`` nor in (0, 1]."""
    if max_fpr is None:
        return
    if not isinstance(max_fpr, (numbers.Real, np.bool_)) or not 0 < float(max_fpr) <= 1:
        raise ParameterError("max_fpr", max_fpr, "None or a number above 0 and at most 1", "max_fpr=0.1")


def check_count(name: str, value: Any) -> int:
    """Give a whole number of at least 1."""
    if not isinstance(value, (int, np.integer)) or value < 1:
        raise ParameterError(name, value, "a whole number of at least 1", f"{name}=1")
    return int(value)


def warn_undefined(text: str) -> float:
    """Warn that a value does not exist, in scikit-learn's category where it is installed, and give nan.

    scikit-learn is imported here and nowhere else: only when there is something to warn of.
    """
    try:
        from sklearn.exceptions import UndefinedMetricWarning
    except ImportError:
        warn(text, RocsolidWarning)
    else:
        warn(text, UndefinedMetricWarning)
    return math.nan
