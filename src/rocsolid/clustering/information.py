"""Agreement of a clustering with a reference, from entropies, in nats.

With cells n_ij, margins r_i and c_j, and n rows:

    H(R) = -sum_i r_i/n log(r_i/n)        MI = sum_ij n_ij/n log(n n_ij / (r_i c_j))
    homogeneity  MI / H(R)                completeness  MI / H(C)           Rosenberg & Hirschberg 2007, EMNLP-CoNLL
    V            (1 + beta) MI / (beta H(C) + H(R)), their weighted harmonic mean
    normalised   MI / average(H(R), H(C))                                   Vinh, Epps & Bailey 2010, JMLR 11:2837-2854
    adjusted     (MI - E) / (average(H(R), H(C)) - E), E the mean over partitions with the same sizes
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from rocsolid.clustering.pairs import Integers, Overlap, overlap
from rocsolid.clustering.results import ClusteringScore, Value, no_value, score
from rocsolid.errors import MissingDependencyError, OptionError
from rocsolid.options import check_choice, check_number

AVERAGES: dict[str, Callable[[float, float], float]] = {
    "arithmetic": lambda a, b: (a + b) / 2,
    "geometric": lambda a, b: math.sqrt(a * b),
    "min": min,
    "max": max,
}
NO_ENTROPY = no_value(
    "a partition that puts all rows together has no entropy to share: 0/0",
    "把所有行放在一起的划分没有熵可供比较：0/0",
)
NO_CHOICE = no_value(
    "chance agrees as well as anything here: expected and best mutual information are the same",
    "在此随机划分与最佳划分一样好：互信息的期望值与最大值相同",
)


def entropy(sizes: Integers) -> float:
    """Entropy of a partition from its sizes, 0 for a single group. O(k)."""
    n = int(sizes.sum())
    return math.fsum(s / n * math.log(n / s) for s in sizes.tolist())


def shared(table: Overlap) -> float:
    """Mutual information, never below 0."""
    n, r, c = table.n, table.reference[table.of_reference].tolist(), table.clusters[table.of_clusters].tolist()
    parts = (s / n * math.log(n * s / (a * b)) for s, a, b in zip(table.cells.tolist(), r, c, strict=True))
    return max(math.fsum(parts), 0.0)


def _result(measure: str, table: Overlap, value: Value, on_undefined: str) -> ClusteringScore:
    details = {"reference_entropy": entropy(table.reference), "clusters_entropy": entropy(table.clusters)}
    return score(
        measure, value, n=table.n, n_clusters=len(table.clusters), n_reference=len(table.reference), details=details,
        on_undefined=on_undefined,
    )  # fmt: skip


def mutual_information(reference: Any, clusters: Any) -> ClusteringScore:
    """Mutual information of a clustering and a reference, in nats: what one tells about the other.

    Parameters
    ----------
    reference, clusters : (n,) labels of any kind, one a row.

    Returns
    -------
    ClusteringScore, from 0 to the smaller entropy; both entropies in ``.details``.

    Raises
    ------
    InputError
        One of its kinds, if the labels are not one a row, complete, in both.

    Notes
    -----
    O(n log n), memory O(n). Shannon 1948; as a measure of agreement: Strehl & Ghosh 2002, JMLR 3:583-617.

    Examples
    --------
    Identical halves share all of one bit, log 2:

    >>> round(float(mutual_information([0, 0, 1, 1], ["a", "a", "b", "b"])), 6)
    0.693147
    """
    table = overlap(reference, clusters)
    return _result("mutual_information", table, shared(table), "raise")


def normalized_mutual_information(
    reference: Any, clusters: Any, *, average: str = "arithmetic", on_undefined: str = "raise"
) -> ClusteringScore:
    """Mutual information over an average of both entropies.

    Parameters
    ----------
    reference, clusters : (n,) labels of any kind, one a row.
    average : ``"arithmetic"``, ``"geometric"``, ``"min"`` or ``"max"``: of the two entropies.
    on_undefined : ``"raise"``, or ``"nan"`` for nan with the reason.

    Returns
    -------
    ClusteringScore, in [0, 1]. Not corrected for chance: it grows with the number of clusters. Undefined where the
    average is 0: where both partitions (with ``"min"`` or ``"geometric"`` one of them) put all rows together.

    Raises
    ------
    UndefinedMeasureError
        If there is no value.
    UnknownNameError
        For another average.
    InputError
        One of its kinds, if the labels are not one a row, complete, in both.

    Notes
    -----
    O(n log n). Vinh, Epps & Bailey 2010, JMLR 11:2837-2854, table 2.

    Examples
    --------
    Entropies log 2 and log 4, mutual information log 2: 1 / 1.5.

    >>> round(float(normalized_mutual_information([0, 0, 1, 1], [0, 1, 2, 3])), 6)
    0.666667
    """
    check_choice("average", average, tuple(AVERAGES))
    table = overlap(reference, clusters)
    whole = AVERAGES[average](entropy(table.reference), entropy(table.clusters))
    value: Value = min(shared(table) / whole, 1.0) if whole > 0 else NO_ENTROPY
    return _result(f"normalized_mutual_information(average={average})", table, value, on_undefined)


def adjusted_mutual_information(
    reference: Any, clusters: Any, *, average: str = "arithmetic", on_undefined: str = "raise"
) -> ClusteringScore:
    """Mutual information beyond that of random partitions with the same sizes; 1 at best, 0 by chance.

    Parameters and errors are those of :func:`normalized_mutual_information`.

    Returns
    -------
    ClusteringScore, at most 1 and possibly negative. Undefined where expected and best value are the same: where both
    partitions put all rows together, or both put every row apart (with ``"min"`` or ``"geometric"`` one of them).

    Raises
    ------
    MissingDependencyError
        Without scikit-learn, which has the expectation right; and those of :func:`normalized_mutual_information`.

    Notes
    -----
    Computed by :func:`sklearn.metrics.adjusted_mutual_info_score`, O(groups^2 n) at worst, wherever one of the
    partitions leaves a choice. Vinh, Epps & Bailey 2010, JMLR 11:2837-2854, eq. 10.

    Examples
    --------
    Two halves, and their agreement with themselves:

    >>> round(float(adjusted_mutual_information([0, 0, 1, 1], ["a", "a", "b", "b"])), 6)
    1.0
    """
    check_choice("average", average, tuple(AVERAGES))
    table = overlap(reference, clusters)
    return _result(
        f"adjusted_mutual_information(average={average})", table, _adjusted(table, average), on_undefined
    )  # fmt: skip


def _adjusted(table: Overlap, average: str) -> Value:
    both = (table.reference, table.clusters)
    if any(len(sizes) in (1, table.n) for sizes in both):
        # All together or all apart: every partition of the same sizes shares as much, and nothing is left beyond. The
        # smaller entropy is then all that can be shared, too.
        best = AVERAGES[average](*map(entropy, both))
        alike = average == "min" or all(len(sizes) == table.n for sizes in both)
        return NO_CHOICE if best == 0 or alike else 0.0
    try:
        from sklearn.metrics import adjusted_mutual_info_score
    except ImportError:
        raise MissingDependencyError("adjusted mutual information", "scikit-learn", "sklearn") from None
    reference, clusters = (part.repeat(table.cells) for part in (table.of_reference, table.of_clusters))
    return float(adjusted_mutual_info_score(reference, clusters, average_method=average))


def homogeneity(reference: Any, clusters: Any) -> ClusteringScore:
    """Homogeneity: how far each cluster holds rows of one group of the reference only, MI / H(reference).

    Parameters, errors and cost are those of :func:`mutual_information`.

    Returns
    -------
    ClusteringScore, in [0, 1]. 1 by definition where the reference puts all rows together: nothing can be mixed.

    Notes
    -----
    Rosenberg & Hirschberg 2007, EMNLP-CoNLL, eq. 1.

    Examples
    --------
    Singletons are pure, one cluster is not:

    >>> homogeneity([0, 0, 1, 1], [0, 1, 2, 3]).value, homogeneity([0, 0, 1, 1], [0, 0, 0, 0]).value
    (1.0, 0.0)
    """
    table = overlap(reference, clusters)
    return _result("homogeneity", table, _part(shared(table), entropy(table.reference)), "raise")


def completeness(reference: Any, clusters: Any) -> ClusteringScore:
    """Completeness: how far each group of the reference lies in one cluster, MI / H(clusters).

    Parameters, errors and cost are those of :func:`mutual_information`.

    Returns
    -------
    ClusteringScore, in [0, 1]. 1 by definition where there is one cluster: nothing can be torn apart.

    Notes
    -----
    Rosenberg & Hirschberg 2007, EMNLP-CoNLL, eq. 2.

    Examples
    --------
    >>> completeness([0, 0, 1, 1], [0, 1, 2, 3]).value, completeness([0, 0, 1, 1], [0, 0, 0, 0]).value
    (0.5, 1.0)
    """
    table = overlap(reference, clusters)
    return _result("completeness", table, _part(shared(table), entropy(table.clusters)), "raise")


def _part(information: float, whole: float) -> float:
    return min(information / whole, 1.0) if whole > 0 else 1.0


def v_measure(reference: Any, clusters: Any, *, beta: float = 1.0) -> ClusteringScore:
    """V-measure: harmonic mean of homogeneity and completeness, the latter counting ``beta`` times as much.

    Parameters, errors and cost are those of :func:`mutual_information`, and ``beta``, a finite number above 0.

    Returns
    -------
    ClusteringScore, in [0, 1]. 1 where both partitions put all rows together: both parts are 1 by definition. With
    ``beta=1`` it is the arithmetically normalised mutual information.

    Notes
    -----
    Rosenberg & Hirschberg 2007, EMNLP-CoNLL, eq. 3.

    Examples
    --------
    Homogeneity 1 and completeness 1/2: 2/3.

    >>> round(float(v_measure([0, 0, 1, 1], [0, 1, 2, 3])), 6)
    0.666667
    """
    number = check_number("beta", beta)
    if not (math.isfinite(number) and number > 0):
        raise OptionError("beta", beta, "a finite number above 0", "beta=1")
    table = overlap(reference, clusters)
    information, whole = shared(table), number * entropy(table.clusters) + entropy(table.reference)
    value = min((1 + number) * information / whole, 1.0) if whole > 0 else 1.0
    return _result(f"v_measure(beta={number:g})" if number != 1 else "v_measure", table, value, "raise")
