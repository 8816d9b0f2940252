"""The compiled kernel: exact counting over C-contiguous arrays of native byte order. Private.

A table is four things: distinct scores from strict to lenient, positives and negatives with each score, and, for
weighted data, `(pos, neg, pos_sq, neg_sq)`: exact sums of weights and of their squares, each of shape
`(components, rows)`. Row 0 holds the correctly rounded sums, further rows what those leave out.

`ValueError`: columns differ in length, a score is NaN, or a weight is NaN, infinite or negative.
`TypeError`: a dtype other than the annotated ones.
`OverflowError`: a count passes 64 bits, or there are more rows or replicates than can be held.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

_S = TypeVar("_S", np.float32, np.float64, np.int64, np.uint64)
_Weights: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
_Integers: TypeAlias = NDArray[np.uint32] | NDArray[np.uint64]
_ClassSums: TypeAlias = tuple[int, list[int], list[list[int]]]
_Table: TypeAlias = tuple[NDArray[_S], NDArray[np.uint64], NDArray[np.uint64], _Weights | None]

__all__ = [
    "__version__",
    "ap_influence",
    "are_weights",
    "areas",
    "areas_by",
    "areas_of_columns",
    "areas_of_labels",
    "areas_of_matrix",
    "areas_of_tables",
    "average_precision",
    "combine",
    "curve",
    "flags",
    "group",
    "group_by",
    "path_counts",
    "placement_sums",
    "placements",
    "ranks",
    "resample",
    "resample_counts",
    "resample_rows",
    "roc_sums",
    "weighted_areas",
    "weighted_areas_by",
    "weighted_areas_of_columns",
    "weighted_areas_of_matrix",
    "weighted_areas_of_rows",
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

def group_by(path: str, scores: NDArray[_S], positive: NDArray[np.uint8], descending: bool, threads: int) -> _Table[_S]:
    """The same, without weights, by a path named: auto, few, distribute or sort. For tests and measurements."""

def curve(
    kind: str, keep: str, scores: NDArray[_S], positive: NDArray[np.uint8], threads: int, path: str = ...
) -> tuple[NDArray[Any], ...]:
    """Coordinates of a curve and, last, its thresholds; strict to lenient, high scores are strict.

    - roc: false and true positive rates; det: false positive and false negative rates. Thresholds are floats.
    - precision-recall: these two; counts: false and true positives, true and false negatives. Thresholds are scores.

    The first point is that of nothing called positive; its threshold is inf, or among scores without a meaning. `keep`
    is all, corners (without points whose step is that of the next), rises or later rises (without points that, like the
    next, add no positive; the first row's point stays but for later rises). The last point always stays. `path` is as
    in `group_by`.
    """

def areas_of_groups(
    scores: NDArray[_S],
    positive: NDArray[np.uint8],
    codes: NDArray[np.uint32],
    top: int,
    descending: bool,
    threads: int,
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.float64], NDArray[np.float64]]:
    """Positives, negatives, twice U, average precision and gain of the first `top` ranks, of each group of rows."""

class Simplifier:
    """Chooses the vertices of a curve that pictures need, as they are fed, strict to lenient."""

    def __init__(self, straight: int, stepped: bool, tolerance: float) -> None:
        """Of so many pictures of lines, and one of steps or not; `tolerance` in units of the coordinates."""

    def feed(self, vertices: NDArray[np.float64], forced: NDArray[np.bool_]) -> None:
        """(c, 2 pictures): x and y in each straight picture, then recall and precision; forced ones stay."""

    def finish(self) -> NDArray[np.uint64]:
        """Indices of the vertices kept, the first and the last among them."""

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

def weighted_areas_of_rows(
    scores: NDArray[_S], positive: NDArray[np.uint8], weights: NDArray[np.float64], threads: int
) -> tuple[float, float]:
    """The same of rows, without their table, bit for bit; high scores are strict, a row of weight 0 is absent."""

def weighted_areas_by(
    path: str, scores: NDArray[_S], positive: NDArray[np.uint8], weights: NDArray[np.float64], threads: int
) -> tuple[float, float]:
    """The same by a path named: auto, sort or distribute. For tests and measurements."""

def are_weights(weights: NDArray[np.float64]) -> bool:
    """Whether all are finite and none is negative."""

def areas(scores: NDArray[_S], positive: NDArray[np.uint8], threads: int) -> tuple[int, int, int, float]:
    """Twice U, both class sizes and average precision (NaN without positives); high scores are strict."""

def areas_of_labels(scores: NDArray[_S], labels: NDArray[Any], threads: int) -> tuple[int, int, int, float] | None:
    """As `areas`, with labels as for `flags`; None if they are others, or not contiguous."""

def flags(labels: NDArray[Any]) -> tuple[NDArray[np.uint8], int, int | None] | None:
    """Which labels are 1, how many, and the other label, 0 or -1, if it is there. None if there are others, or -0.0.

    Labels are booleans, integers, float32 or float64; None also for other dtypes and for a vector not contiguous.
    """

def areas_by(path: str, scores: NDArray[_S], positive: NDArray[np.uint8], threads: int) -> tuple[int, int, int, float]:
    """The same by a path named: auto, sort, sorted, few, rare or distribute. For tests and measurements."""

def areas_of_columns(
    columns: Sequence[NDArray[_S]], positive: NDArray[np.uint8], threads: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], int, int]:
    """ROC area and average precision of each column, and both class sizes; NaN where undefined.

    Bit for bit what `areas` leads to, column by column; the columns share the threads. With no column both sizes are 0.
    """

def areas_of_matrix(
    matrix: NDArray[_S], positive: NDArray[np.uint8], threads: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], int, int]:
    """As `areas_of_columns`, of the columns of an array of two dimensions, contiguous in C or Fortran order."""

def weighted_areas_of_columns(
    columns: Sequence[NDArray[_S]], positive: NDArray[np.uint8], weights: NDArray[np.float64], threads: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """ROC area and average precision of each column, as `weighted_areas_of_rows`; the columns share the threads."""

def weighted_areas_of_matrix(
    matrix: NDArray[_S], positive: NDArray[np.uint8], weights: NDArray[np.float64], threads: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """As `weighted_areas_of_columns`, of the columns of an array of two dimensions, contiguous in either order."""

def areas_of_tables(
    scores: NDArray[_S], labels: NDArray[Any], threads: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint64], NDArray[np.uint64]] | None:
    """ROC area, average precision, positives and negatives of each column of scores and the same column of labels.

    Both are arrays of two dimensions with any strides; the one column of one goes with all of the other. NaN where
    undefined; None for labels as in `flags`. Bit for bit what `areas` leads to.
    """

def path_counts() -> list[tuple[str, str, str, str, int]]:
    """How often each path was taken for each dtype, since the process began."""

def placements(scores: NDArray[_S], positive: NDArray[np.uint8], descending: bool, threads: int) -> _Integers:
    """Twice the placement of each row, in the order of the input; uint32 where twice the larger class fits.

    For a positive 2 x negatives more lenient + negatives tied, for a negative 2 x positives stricter + positives tied.
    """

def placement_sums(
    placements: Sequence[NDArray[np.uint32]] | Sequence[NDArray[np.uint64]],
    positive: NDArray[np.uint8],
    threads: int,
) -> tuple[_ClassSums, _ClassSums] | None:
    """Per class, the positives first: the rows, each column's total and the sums of products of each two columns.

    Exact; None where a sum passes 128 bits. With n rows, totals t and products s of a class,
    (s[i][j] - t[i] t[j] / n) / (n - 1) / n, over the square of twice the other class, is that class's part of DeLong's
    covariance of the ROC areas of models i and j.
    """

def ranks(scores: NDArray[_S], descending: bool, threads: int) -> tuple[_Integers, int]:
    """The rank of each row's score among the distinct scores, 0 for the strictest; and how many of them there are."""

def ap_influence(
    scores: NDArray[_S],
    positive: NDArray[np.uint8],
    weights: NDArray[np.float64] | None,
    descending: bool,
    threads: int,
) -> NDArray[np.float64]:
    """The raw influence of each row on average precision; 0 for a row of weight 0, all NaN without positives.

    (P + A - AP - B) / pi for a positive and -B / pi for a negative, as in rocsolid.measures.ranking; not centred.
    """

def resample(
    pos: NDArray[np.uint64],
    neg: NDArray[np.uint64],
    n_resamples: int,
    seed: int,
    scheme: str,
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """ROC areas and average precisions of bootstrap replicates 0, 1, ... of a table; NaN where undefined.

    Rows are drawn with replacement. `scheme`: "multinomial", as many as there are; "stratified", of each class as many
    as there are; "poisson", each row a Poisson number of times with mean 1. The first is what a bootstrap means; the
    last is for comparison with engines that draw while they stream, and lets the number of rows vary. The last number
    returned is how many replicates lack a class. A replicate is a function of the table, seed, its number and scheme.
    Ctrl-C interrupts.
    """

def resample_counts(
    pos: NDArray[np.uint64], neg: NDArray[np.uint64], seed: int, replicate: int, scheme: str
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Counts per row of the table in one replicate: the very draws that `resample` takes the areas of."""

def resample_rows(
    ranks: Sequence[NDArray[np.uint32]],
    positive: NDArray[np.uint8],
    n_resamples: int,
    seed: int,
    scheme: str,
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """As `resample`, but draws rows, the same for all models: arrays of shape (models, n_resamples).

    A model is the rank of each row, 0 for the strictest, equal for ties (see `ranks`).
    """
