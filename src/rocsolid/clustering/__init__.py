"""Clusterings: agreement with a reference by pairs and by information, and compactness without one.

>>> import rocsolid as rs
>>> rs.clustering.adjusted_rand(["x", "x", "y", "y", "y"], [0, 0, 1, 1, 2])
<adjusted_rand = 0.5455; 5 rows in 3 clusters against 2 of the reference>
"""

from rocsolid.clustering.agreement import (
    adjusted_rand,
    fowlkes_mallows,
    jaccard,
    pair_f,
    pair_precision,
    pair_recall,
    rand,
)
from rocsolid.clustering.geometry import davies_bouldin, dunn, silhouette, silhouette_widths
from rocsolid.clustering.information import (
    adjusted_mutual_information,
    completeness,
    homogeneity,
    mutual_information,
    normalized_mutual_information,
    v_measure,
)
from rocsolid.clustering.pairs import PairCounts, pair_counts
from rocsolid.clustering.results import ClusteringScore

__all__ = [
    "ClusteringScore",
    "PairCounts",
    "adjusted_mutual_information",
    "adjusted_rand",
    "completeness",
    "davies_bouldin",
    "dunn",
    "fowlkes_mallows",
    "homogeneity",
    "jaccard",
    "mutual_information",
    "normalized_mutual_information",
    "pair_counts",
    "pair_f",
    "pair_precision",
    "pair_recall",
    "rand",
    "silhouette",
    "silhouette_widths",
    "v_measure",
]
