"""The one door: labels, scores and weights are validated and normalised here, once, and nowhere below."""

from rocsolid.inputs.rows import (
    Rows,
    check_beside,
    check_squares,
    nan_error,
    read_rows,
    read_scores,
    scale_weights,
    values_beside,
    with_scores,
)

__all__ = [
    "Rows",
    "check_beside",
    "check_squares",
    "nan_error",
    "read_rows",
    "read_scores",
    "scale_weights",
    "values_beside",
    "with_scores",
]
