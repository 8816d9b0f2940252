"""Agreement of a clustering with a reference, from pairs of rows: exact fractions of whole numbers.

With the counts a, b, c, d of :func:`~rocsolid.clustering.pair_counts` and N = a + b + c + d pairs:

    Rand            (a + d) / N                                        Rand 1971, JASA 66:846-850
    Jaccard         a / (a + b + c)                                    Jaccard 1912, on pairs
    Fowlkes-Mallows a / sqrt((a + b) (a + c))                          Fowlkes & Mallows 1983, JASA 78:553-569
    F               (1 + beta^2) a / ((1 + beta^2) a + b + beta^2 c)
    adjusted Rand   (a - E) / (M - E)                                  Hubert & Arabie 1985, J. Classification 2:193-218
                    with E = (a + b)(a + c) / N and M = ((a + b) + (a + c)) / 2
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from rocsolid.clustering.pairs import PairCounts, pair_counts
from rocsolid.clustering.results import ClusteringScore, Value, no_value, score
from rocsolid.errors import OptionError
from rocsolid.options import as_typed, check_number

NO_PAIR = no_value("a single row makes no pair", "只有一行，构不成样本对")
NONE_TOGETHER = no_value(
    "neither the clusters nor the reference put any two rows together", "聚类与参照都没有把任何两行放在一起"
)
NONE_IN_CLUSTERS = no_value("no cluster holds two rows", "没有任何簇含有两行")
NONE_IN_REFERENCE = no_value("no group of the reference holds two rows", "参照中没有任何组含有两行")
NO_CHOICE = no_value(
    "both partitions put all rows together, or both put every row apart: chance agrees as well as anything",
    "两个划分都把所有行放在一起，或都把每一行单独分开：随机划分的一致性同样如此",
)


def _share(part: int, whole: int, otherwise: Value) -> Value:
    return Fraction(part, whole) if whole else otherwise


def _result(measure: str, pairs: PairCounts, value: Value, on_undefined: str) -> ClusteringScore:
    kinds = {kind: getattr(pairs, kind) for kind in "abcd"}
    return score(
        measure, value, n=pairs.n, n_clusters=pairs.n_clusters, n_reference=pairs.n_reference, details=kinds,
        on_undefined=on_undefined,
    )  # fmt: skip


def rand(reference: Any, clusters: Any, *, on_undefined: str = "raise") -> ClusteringScore:
    """Rand index: the share of pairs that both partitions treat alike, (a + d) / N.

    Parameters
    ----------
    reference, clusters : (n,) labels of any kind, one a row.
    on_undefined : ``"raise"``, or ``"nan"`` for nan with the reason.

    Returns
    -------
    ClusteringScore, in [0, 1], with ``.exact`` as a fraction and the pairs in ``.details``. Undefined for one row.

    Raises
    ------
    UndefinedMeasureError
        If there is no value.
    InputError
        One of its kinds, if the labels are not one a row, complete, in both.

    Notes
    -----
    O(n log n), memory O(n). Rand 1971, JASA 66:846-850.

    Examples
    --------
    One pair together in both and two apart in both, of six:

    >>> rand([0, 0, 1, 1], [0, 0, 0, 1]).exact
    Fraction(1, 2)
    """
    pairs = pair_counts(reference, clusters)
    return _result("rand", pairs, _share(pairs.a + pairs.d, pairs.total, NO_PAIR), on_undefined)


def adjusted_rand(reference: Any, clusters: Any, *, on_undefined: str = "raise") -> ClusteringScore:
    """Adjusted Rand index: agreement beyond that of a random partition with the same sizes; 1 at best, 0 by chance.

    Parameters, errors and cost are those of :func:`rand`.

    Returns
    -------
    ClusteringScore, at most 1 and possibly negative. Undefined for one row, and where both partitions put all rows
    together or both put every row apart: expected and best agreement are then the same, 0/0.

    Notes
    -----
    Hubert & Arabie 1985, Journal of Classification 2:193-218, eq. 5.

    Examples
    --------
    a, b, c = 1, 2, 1 of six pairs: expected 3 * 2 / 6 = 1, so nothing is left beyond chance.

    >>> adjusted_rand([0, 0, 1, 1], [0, 0, 0, 1]).exact
    Fraction(0, 1)
    """
    pairs = pair_counts(reference, clusters)
    p, q, n = pairs.a + pairs.b, pairs.a + pairs.c, pairs.total
    value = _share(2 * (pairs.a * n - p * q), (p + q) * n - 2 * p * q, NO_CHOICE if n else NO_PAIR)
    return _result("adjusted_rand", pairs, value, on_undefined)


def jaccard(reference: Any, clusters: Any, *, on_undefined: str = "raise") -> ClusteringScore:
    """Jaccard index of pairs: together in both among those together in either, a / (a + b + c).

    Parameters, errors and cost are those of :func:`rand`.

    Returns
    -------
    ClusteringScore, in [0, 1]. Undefined where no two rows are together in either partition.

    Notes
    -----
    Jaccard 1912, New Phytologist 11:37-50, on pairs of rows.

    Examples
    --------
    >>> jaccard([0, 0, 1, 1], [0, 0, 0, 1]).exact
    Fraction(1, 4)
    """
    pairs = pair_counts(reference, clusters)
    return _result(
        "jaccard", pairs, _share(pairs.a, pairs.a + pairs.b + pairs.c, NONE_TOGETHER if pairs.total else NO_PAIR),
        on_undefined,
    )  # fmt: skip


def fowlkes_mallows(reference: Any, clusters: Any, *, on_undefined: str = "raise") -> ClusteringScore:
    """Fowlkes-Mallows index: geometric mean of pairwise precision and recall, a / sqrt((a + b)(a + c)).

    Parameters, errors and cost are those of :func:`rand`.

    Returns
    -------
    ClusteringScore, in [0, 1]. Undefined where one of the partitions puts no two rows together.

    Notes
    -----
    Fowlkes & Mallows 1983, JASA 78:553-569.

    Examples
    --------
    1 / sqrt(3 * 2):

    >>> round(float(fowlkes_mallows([0, 0, 1, 1], [0, 0, 0, 1])), 6)
    0.408248
    """
    pairs = pair_counts(reference, clusters)
    precision, recall = _precision(pairs), _recall(pairs)
    value: Value
    if isinstance(precision, Fraction) and isinstance(recall, Fraction):
        value = math.sqrt(precision * recall)
    else:
        value = recall if isinstance(precision, Fraction) else precision
    return _result("fowlkes_mallows", pairs, value, on_undefined)


def _precision(pairs: PairCounts) -> Value:
    return _share(pairs.a, pairs.a + pairs.b, NONE_IN_CLUSTERS if pairs.total else NO_PAIR)


def _recall(pairs: PairCounts) -> Value:
    return _share(pairs.a, pairs.a + pairs.c, NONE_IN_REFERENCE if pairs.total else NO_PAIR)


def pair_precision(reference: Any, clusters: Any, *, on_undefined: str = "raise") -> ClusteringScore:
    """Pairwise precision: of the pairs that share a cluster, those that belong together, a / (a + b).

    Parameters, errors and cost are those of :func:`rand`; undefined where no cluster holds two rows.

    Examples
    --------
    >>> pair_precision([0, 0, 1, 1], [0, 0, 0, 1]).exact
    Fraction(1, 3)
    """
    pairs = pair_counts(reference, clusters)
    return _result("pair_precision", pairs, _precision(pairs), on_undefined)


def pair_recall(reference: Any, clusters: Any, *, on_undefined: str = "raise") -> ClusteringScore:
    """Pairwise recall: of the pairs that belong together, those that share a cluster, a / (a + c).

    Parameters, errors and cost are those of :func:`rand`; undefined where no group of the reference holds two rows.

    Examples
    --------
    >>> pair_recall([0, 0, 1, 1], [0, 0, 0, 1]).exact
    Fraction(1, 2)
    """
    pairs = pair_counts(reference, clusters)
    return _result("pair_recall", pairs, _recall(pairs), on_undefined)


def pair_f(reference: Any, clusters: Any, *, beta: float = 1.0, on_undefined: str = "raise") -> ClusteringScore:
    """Pairwise F: harmonic mean of pairwise precision and recall, recall counting ``beta`` squared times as much.

    Parameters, errors and cost are those of :func:`rand`, and ``beta``, a finite number above 0.

    Returns
    -------
    ClusteringScore, in [0, 1]. Undefined where no two rows are together in either partition.

    Notes
    -----
    van Rijsbergen 1979, Information Retrieval, chapter 7, on pairs of rows.

    Examples
    --------
    Precision 1/3 and recall 1/2: 2 a / (2 a + b + c) = 2/5.

    >>> pair_f([0, 0, 1, 1], [0, 0, 0, 1]).exact
    Fraction(2, 5)
    """
    number = check_number("beta", beta)
    if not (math.isfinite(number) and number > 0):
        raise OptionError("beta", beta, "a finite number above 0", "beta=1")
    pairs, square = pair_counts(reference, clusters), as_typed(number) ** 2
    found = (1 + square) * pairs.a
    whole = found + pairs.b + square * pairs.c
    value: Value = found / whole if whole else (NONE_TOGETHER if pairs.total else NO_PAIR)
    return _result(f"pair_f(beta={number:g})" if number != 1 else "pair_f", pairs, value, on_undefined)
