"""The one door: labels, scores and weights are validated and normalised here, once, and nowhere below."""

from rocsolid.inputs.rows import Rows, check_squares, nan_error, read_rows, scale_weights, with_scores

__all__ = ["Rows", "check_squares", "nan_error", "read_rows", "scale_weights", "with_scores"]
