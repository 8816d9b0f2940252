"""Predicted numbers: errors, R squared, concordance; each with how sure it is, and paired comparison of models.

>>> import rocsolid as rs
>>> rs.regression.mean_absolute_error([3.0, 1.0, 4.0, 2.0, 6.0], [2.5, 1.5, 3.0, 2.5, 5.0])
<mean_absolute_error = 0.7000 [0.3189, 1.5367] 0.95 CI (log-t); 5 rows>
"""

from rocsolid.regression import catalogue as _catalogue
from rocsolid.regression.comparison import compare
from rocsolid.regression.evaluation import RegressionEvaluation, evaluate
from rocsolid.regression.functions import (
    concordance_index,
    explained_variance,
    max_error,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    median_absolute_error,
    pinball_loss,
    r2_score,
    r_squared,
    root_mean_squared_error,
)
from rocsolid.regression.measures import REGISTRY, RegressionMeasure
from rocsolid.regression.results import (
    RegressionComparison,
    RegressionComparisons,
    RegressionEstimate,
    RegressionTable,
)

__all__ = [
    "REGISTRY",
    "RegressionComparison",
    "RegressionComparisons",
    "RegressionEstimate",
    "RegressionEvaluation",
    "RegressionMeasure",
    "RegressionTable",
    "compare",
    "concordance_index",
    "evaluate",
    "explained_variance",
    "max_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_squared_error",
    "median_absolute_error",
    "pinball_loss",
    "r2_score",
    "r_squared",
    "root_mean_squared_error",
]

assert _catalogue.CONCORDANCE_INDEX.name in REGISTRY
