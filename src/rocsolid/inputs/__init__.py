"""The one door: labels, scores and weights are validated and normalised here, once, and nowhere below."""

from rocsolid.inputs.rows import Rows, read_rows, scale_weights, with_scores

__all__ = ["Rows", "read_rows", "scale_weights", "with_scores"]
