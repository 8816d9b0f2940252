"""Measures of a clustering without a reference, from Euclidean distances: blocks of rows, never all pairs at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.clustering.results import ClusteringScore, Value, no_value, score
from rocsolid.errors import LengthError
from rocsolid.inputs.numbers import Floats, missing_error, read_labels, read_numbers
from rocsolid.options import check_choice

BLOCK = 1 << 22
"""Distances in memory at once: 32 MiB of float64 (a single row of them where there are more rows than that)."""

ONE_CLUSTER = no_value("there is one cluster, and nothing to be apart from", "只有一个簇，没有可与之分离的对象")


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Points sorted by cluster: those of cluster j are ``points[edges[j]:edges[j + 1]]``; ``order``: their rows."""

    points: Floats
    edges: npt.NDArray[np.intp]
    order: npt.NDArray[np.intp]

    @property
    def k(self) -> int:
        """Clusters."""
        return len(self.edges) - 1

    @property
    def sizes(self) -> npt.NDArray[np.intp]:
        """Rows of each cluster."""
        return np.diff(self.edges)

    @property
    def code(self) -> npt.NDArray[np.intp]:
        """Cluster of each point."""
        return np.repeat(np.arange(self.k), self.sizes)

    def members(self) -> Iterator[Floats]:
        """Points, cluster by cluster."""
        return (self.points[a:b] for a, b in pairwise(self.edges.tolist()))


def grouped(X: Any, clusters: Any) -> Grouped:  # noqa: N803  (as scikit-learn's users write it)
    """Read points and their clusters. O(n d + n log n)."""
    points, missing = read_numbers(X, "X", ndim=2)
    if missing is not None:
        raise missing_error("X", missing, "leave these rows out, or repair the data")
    code = read_labels(clusters, "clusters")
    if len(code) != len(points):
        raise LengthError({"X": len(points), "clusters": len(code)})
    order = np.argsort(code, kind="stable")
    return Grouped(points[order], np.append(0, np.cumsum(np.bincount(code))), order)


def distances(rows: Floats, others: Floats) -> Iterator[tuple[slice, Floats]]:
    """Distances of all pairs, some rows at a time. O(n m d) time, memory of one block."""
    from scipy.spatial.distance import cdist

    step = max(1, BLOCK // max(len(others), 1))
    for start in range(0, len(rows), step):
        block = slice(start, min(start + step, len(rows)))
        yield block, cdist(rows[block], others)


def _result(
    measure: str, data: Grouped, value: Value, on_undefined: str, details: dict[str, float] | None = None
) -> ClusteringScore:
    return score(measure, value, n=len(data.points), n_clusters=data.k, details=details, on_undefined=on_undefined)


# ----------------------------------------------------------------------------------------- Davies-Bouldin


def davies_bouldin(
    X: Any,  # noqa: N803
    clusters: Any,
    *,
    scatter: str = "pairwise",
    on_undefined: str = "raise",
) -> ClusteringScore:
    """Davies-Bouldin index: how wide clusters are beside the distance of their centres; small is good.

    Parameters
    ----------
    X : (n, d) points: finite numbers.
    clusters : (n,) labels of any kind, one a row.
    scatter : what the width of a cluster is. ``"pairwise"``, the mean distance of its pairs of rows (textbooks, such as
        Zhou Zhihua 2016, eq. 9.12); ``"centroid"``, the mean distance to its centre (Davies & Bouldin 1979, and
        scikit-learn). They give different numbers, and the result names its own.
    on_undefined : ``"raise"``, or ``"nan"`` for nan with the reason.

    Returns
    -------
    ClusteringScore, >= 0: the mean over clusters of the largest (width + other's width) / distance of centres.
    Undefined for one cluster, where two centres coincide, and with ``"pairwise"`` where a cluster has a single row,
    which makes no pair; with ``"centroid"`` such a row has width 0.

    Raises
    ------
    UndefinedMeasureError
        If there is no value.
    InputError, UnknownNameError
        If the data can not be used as they are, or for another scatter.

    Notes
    -----
    ``"centroid"``: O(n d + k^2 d). ``"pairwise"``: O(d sum n_k^2), memory 32 MiB beside the points. Davies & Bouldin
    1979, IEEE Transactions on Pattern Analysis and Machine Intelligence 1:224-227.

    Examples
    --------
    On a line, {0, 2} and {10, 12}: pairs 2 apart, centres 10 apart; each row 1 from its centre.

    >>> X = [[0], [2], [10], [12]]
    >>> davies_bouldin(X, [0, 0, 1, 1]).value, davies_bouldin(X, [0, 0, 1, 1], scatter="centroid").value
    (0.4, 0.2)
    """
    check_choice("scatter", scatter, ("pairwise", "centroid"))
    data = grouped(X, clusters)
    return _result(f"davies_bouldin(scatter={scatter})", data, _davies_bouldin(data, scatter), on_undefined)


def _davies_bouldin(data: Grouped, scatter: str) -> Value:
    if data.k == 1:
        return ONE_CLUSTER
    lonely = int((data.sizes == 1).sum())
    if scatter == "pairwise" and lonely:
        plural = "s hold" if lonely != 1 else " holds"
        return no_value(
            f"{lonely:,} cluster{plural} a single row, which makes no pair; scatter='centroid' has a value",
            f"有 {lonely:,} 个簇只含一行，构不成样本对；scatter='centroid' 有数值",
        )
    centres = np.stack([points.mean(axis=0) for points in data.members()])
    width = _mean_pairs(data) if scatter == "pairwise" else _mean_to_centres(data, centres)
    worst = np.zeros(data.k)
    for block, apart in distances(centres, centres):
        own = np.arange(data.k)[block]
        apart[np.arange(len(own)), own] = np.inf
        if not apart.all():
            return no_value("two clusters have the same centre", "有两个簇的中心相同")
        worst[block] = ((width[block, None] + width) / apart).max(axis=1)
    return float(worst.mean())


def _mean_pairs(data: Grouped) -> Floats:
    """Mean distance of the pairs of rows of each cluster: each pair is met twice, and each row meets itself at 0."""
    sums = [sum(float(apart.sum()) for _, apart in distances(points, points)) for points in data.members()]
    return np.asarray(np.array(sums) / (data.sizes * (data.sizes - 1)))


def _mean_to_centres(data: Grouped, centres: Floats) -> Floats:
    each = [
        np.linalg.norm(points - centre, axis=1).mean() for points, centre in zip(data.members(), centres, strict=True)
    ]
    return np.array(each)


# ------------------------------------------------------------------------------------------- Dunn, silhouette


def dunn(X: Any, clusters: Any, *, on_undefined: str = "raise") -> ClusteringScore:  # noqa: N803
    """Dunn index: the smallest distance of two rows of different clusters over the largest within one; large is good.

    Parameters
    ----------
    X : (n, d) points: finite numbers.
    clusters : (n,) labels of any kind, one a row.
    on_undefined : ``"raise"``, or ``"nan"`` for nan with the reason.

    Returns
    -------
    ClusteringScore, >= 0, with both distances in ``.details``. Undefined for one cluster, and where no cluster holds
    two different points: the largest distance within one is then 0. A single row has diameter 0, by the definition.

    Raises
    ------
    UndefinedMeasureError
        If there is no value.
    InputError
        One of its kinds, if the data can not be used as they are.

    Notes
    -----
    Nearest rows between clusters and the diameter within (Dunn 1974, Journal of Cybernetics 4:95-104, eq. 3); the
    literature has other distances under the same name. O(n^2 d), memory 32 MiB beside the points.

    Examples
    --------
    On a line, {0, 2} and {10, 12}: 8 between, 2 within.

    >>> dunn([[0], [2], [10], [12]], ["a", "a", "b", "b"])
    <dunn = 4.0000; 4 rows in 2 clusters>
    """
    data = grouped(X, clusters)
    if data.k == 1:
        return _result("dunn", data, ONE_CLUSTER, on_undefined)
    between, within = np.inf, 0.0
    code = data.code
    for block, apart in distances(data.points, data.points):
        same = code[block, None] == code
        within = max(within, float(apart[same].max()))
        others = apart[~same]
        between = min(between, float(others.min())) if others.size else between
    details = {"smallest_between": between, "largest_within": within}
    nothing = no_value("no cluster holds two different points", "没有任何簇含有两个不同的点")
    return _result("dunn", data, between / within if within > 0 else nothing, on_undefined, details)


def silhouette(X: Any, clusters: Any, *, on_undefined: str = "raise") -> ClusteringScore:  # noqa: N803
    """Mean silhouette width: how much nearer rows are to their own cluster than to the nearest other; large is good.

    Parameters
    ----------
    X : (n, d) points: finite numbers.
    clusters : (n,) labels of any kind, one a row.
    on_undefined : ``"raise"``, or ``"nan"`` for nan with the reason.

    Returns
    -------
    ClusteringScore, in [-1, 1]: the mean of :func:`silhouette_widths`. Undefined for one cluster.

    Raises
    ------
    UndefinedMeasureError
        If there is no value.
    InputError
        One of its kinds, if the data can not be used as they are.

    Notes
    -----
    O(n^2 d), memory 32 MiB beside the points. Rousseeuw 1987, Journal of Computational and Applied Mathematics
    20:53-65.

    Examples
    --------
    On a line, {0, 2} and {10, 12}: the rows at 0 and 12 are 2 from their fellow and on average 11 from the others,
    those at 2 and 10 are 9 from them: (1 - 2/11 + 1 - 2/9) / 2.

    >>> round(float(silhouette([[0], [2], [10], [12]], [0, 0, 1, 1])), 6)
    0.79798
    """
    data = grouped(X, clusters)
    value: Value = ONE_CLUSTER if data.k == 1 else float(_widths(data).mean())
    alone = float((data.sizes == 1).sum())
    return _result("silhouette", data, value, on_undefined, {"clusters_of_one_row": alone})


def silhouette_widths(X: Any, clusters: Any) -> Floats:  # noqa: N803
    """Silhouette width of each row: (b - a) / max(a, b), mean distances to its own (a) and the nearest other (b).

    Parameters and cost are those of :func:`silhouette`.

    Returns
    -------
    (n,) array in the order of the rows, in [-1, 1]. By Rousseeuw's definition 0 for a row that is alone in its cluster,
    and where a = b, also where both are 0.

    Raises
    ------
    UndefinedMeasureError
        For one cluster.
    InputError
        One of its kinds, if the data can not be used as they are.

    Examples
    --------
    >>> silhouette_widths([[0], [2], [10], [12]], [0, 0, 1, 1]).round(4).tolist()
    [0.8182, 0.7778, 0.7778, 0.8182]
    """
    data = grouped(X, clusters)
    if data.k == 1:
        _result("silhouette_widths", data, ONE_CLUSTER, "raise")
    widths = np.empty(len(data.points))
    widths[data.order] = _widths(data)
    return widths


def _widths(data: Grouped) -> Floats:
    """Widths of the sorted rows."""
    widths, code, sizes = np.empty(len(data.points)), data.code, data.sizes
    for block, apart in distances(data.points, data.points):
        sums = np.add.reduceat(apart, data.edges[:-1], axis=1)
        own, here = code[block], np.arange(len(apart))
        a = sums[here, own] / np.maximum(sizes[own] - 1, 1)
        means = sums / sizes
        means[here, own] = np.inf
        b = means.min(axis=1)
        largest = np.maximum(a, b)
        widths[block] = np.divide(b - a, largest, out=np.zeros(len(a)), where=(largest > 0) & (sizes[own] > 1))
    return widths
