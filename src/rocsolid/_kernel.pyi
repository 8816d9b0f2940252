"""The compiled kernel: exact counting over C-contiguous arrays of native byte order. Private.

A table is four things: distinct scores from strict to lenient, positives and negatives with each score, and, for
weighted data, `(pos, neg, pos_sq, neg_sq)`: exact sums of weights and of their squares, each of shape
`(components, rows)`. Row 0 holds the correctly rounded sums, further rows what those leave out.

`ValueError`: columns differ in length, or a score is NaN. `TypeError`: a dtype other than the annotated ones.
`OverflowError`: a count passes 64 bits.
"""

from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

_S = TypeVar("_S", np.float32, np.float64, np.int64, np.uint64)
_Weights: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
_Table: TypeAlias = tuple[NDArray[_S], NDArray[np.uint64], NDArray[np.uint64], _Weights | None]

__all__ = [
    "__version__",
    "areas",
    "areas_by",
    "average_precision",
    "combine",
    "group",
    "path_counts",
    "roc_sums",
    "weighted_areas",
]
__version__: str

def group(
    scores: NDArray[_S],
    positive: NDArray[np.uint8],
    weights: NDArray[np.float64] | None,
    descending: bool,
    threads: int,
) -> _Table[_S]:
    """Count positives and negatives per distinct score; a row of weight 0 is absent."""

def combine(
    scores: NDArray[_S],
    pos: NDArray[np.uint64],
    neg: NDArray[np.uint64],
    weights: _Weights | None,
    descending: bool,
) -> _Table[_S]:
    """Add up the rows of each distinct score, in any order; rows without counts are absent."""

def roc_sums(pos: NDArray[np.uint64], neg: NDArray[np.uint64]) -> tuple[int, int, int] | None:
    """Twice U, and the sums of squared twice-placements of both classes; None beyond 128 bits."""

def average_precision(pos: NDArray[np.uint64], neg: NDArray[np.uint64]) -> float | None:
    """Average precision, rounded once; None without positives or beyond 64 bits."""

def weighted_areas(pos: NDArray[np.float64], neg: NDArray[np.float64]) -> tuple[float, float]:
    """ROC area and average precision of sums of weights; NaN where undefined."""

def areas(scores: NDArray[_S], positive: NDArray[np.uint8], threads: int) -> tuple[int, int, int, float]:
    """Twice U, both class sizes and average precision (NaN without positives); high scores are strict."""

def areas_by(path: str, scores: NDArray[_S], positive: NDArray[np.uint8], threads: int) -> tuple[int, int, int, float]:
    """The same by a path named: auto, sort, sorted, few, rare or distribute. For tests and measurements."""

def path_counts() -> list[tuple[str, str, int]]:
    """How often each path was taken for each dtype, since the process began."""
