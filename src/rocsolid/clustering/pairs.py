"""Two partitions of the same rows: their table, and the pairs of rows that they put together or apart.

Every pair of rows is of one of four kinds (Rand 1971, JASA 66:846-850, table 1):

                          together in the reference    apart in the reference
    together in clusters             a                           b
    apart in clusters                c                           d

A cell of the table with s rows holds s (s - 1) / 2 pairs, so the kinds follow from sizes alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import LengthError
from rocsolid.inputs.numbers import read_labels
from rocsolid.values import SCHEMA, Result

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """The contingency table of two partitions: its cells that hold rows, and its margins.

    Attributes
    ----------
    cells : (m,) rows in each occupied cell; there are at most as many as rows.
    of_reference, of_clusters : (m,) the group of either partition that a cell belongs to.
    reference, clusters : sizes of the groups.
    """

    cells: Integers
    of_reference: npt.NDArray[np.intp]
    of_clusters: npt.NDArray[np.intp]
    reference: Integers
    clusters: Integers

    @property
    def n(self) -> int:
        """All rows."""
        return int(self.cells.sum())


def overlap(reference: Any, clusters: Any) -> Overlap:
    """Read two partitions and count the rows that each pair of groups has in common. O(n log n), memory O(n).

    Raises
    ------
    LengthError
        If they have different numbers of rows.
    MissingValueError
        If a label is missing.
    """
    r, c = read_labels(reference, "reference"), read_labels(clusters, "clusters")
    if len(r) != len(c):
        raise LengthError({"reference": len(r), "clusters": len(c)})
    width = int(c.max()) + 1
    occupied, cells = np.unique(r * width + c, return_counts=True)
    return Overlap(cells, occupied // width, occupied % width, np.bincount(r), np.bincount(c))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts(Result):
    """Pairs of rows by what two partitions do with them: whole numbers of any size.

    Attributes
    ----------
    a : together in both.
    b : together in ``clusters`` only.
    c : together in the ``reference`` only.
    d : apart in both.
    n, n_clusters, n_reference : rows, and groups of both partitions.
    """

    a: int
    b: int
    c: int
    d: int
    n: int
    n_clusters: int
    n_reference: int

    @property
    def total(self) -> int:
        """All pairs, n (n - 1) / 2."""
        return self.a + self.b + self.c + self.d

    def __repr__(self) -> str:
        """One line: the four numbers."""
        kinds = f"{self.a:,} together in both, {self.b:,} in clusters only, {self.c:,} in the reference only"
        return f"<pair_counts: {kinds}, {self.d:,} apart in both; {self.n:,} rows>"

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        return {
            "schema": SCHEMA, "a": self.a, "b": self.b, "c": self.c, "d": self.d,
            "n": self.n, "n_clusters": self.n_clusters, "n_reference": self.n_reference,
        }  # fmt: skip


def pair_counts(reference: Any, clusters: Any) -> PairCounts:
    """Count the pairs of rows that a clustering and a reference put together or apart.

    Parameters
    ----------
    reference, clusters : (n,) labels of any kind, one a row; only which rows share a label counts.

    Returns
    -------
    PairCounts, with ``a`` (together in both), ``b`` (in clusters only), ``c`` (in the reference only) and ``d``.

    Raises
    ------
    LengthError, MissingValueError, ShapeError, EmptyInputError
        If the labels are not one a row, complete, in both.

    Notes
    -----
    From sizes of groups, without a table of pairs: O(n log n) time, O(n) memory, exact. Rand 1971, JASA 66:846-850.

    Examples
    --------
    Of six pairs, (0, 1) is together in both; (2, 3) in the reference only; (1, 2) and (0, 2) in the clusters only.

    >>> pair_counts([0, 0, 1, 1], ["x", "x", "x", "y"])
    <pair_counts: 1 together in both, 2 in clusters only, 1 in the reference only, 2 apart in both; 4 rows>
    """
    return counts_of(overlap(reference, clusters))


def counts_of(table: Overlap) -> PairCounts:
    """Count the pairs of each kind from sizes."""
    n = table.n
    a, in_clusters, in_reference = map(pairs_within, (table.cells, table.clusters, table.reference))
    return PairCounts(
        a=a,
        b=in_clusters - a,
        c=in_reference - a,
        d=n * (n - 1) // 2 - in_clusters - in_reference + a,
        n=n,
        n_clusters=len(table.clusters),
        n_reference=len(table.reference),
    )


def pairs_within(sizes: Integers) -> int:
    """Sum of s (s - 1) / 2, in whole numbers without an upper bound: few sizes differ, at most sqrt(2 n)."""
    size, times = (part.tolist() for part in np.unique(sizes, return_counts=True))
    return sum(t * (s * (s - 1) // 2) for s, t in zip(size, times, strict=True))
