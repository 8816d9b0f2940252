"""rocsolid: how good are these scores, how sure are we, and where should we cut?

>>> import rocsolid as rs
>>> ev = rs.evaluate([0, 0, 1, 1, 0, 1, 1, 0, 1, 0], [1, 3, 2, 8, 4, 9, 7, 5, 6, 0])
>>> ev.roc_auc()
<roc_auc = 0.8800 [0.4172, 0.9869] 0.95 CI (effective-error); 5 positive, 5 negative; positive: 1>
"""

from rocsolid import errors, measures
from rocsolid._kernel import __version__
from rocsolid.comparisons import Comparison, Comparisons
from rocsolid.errors import RocsolidError, RocsolidWarning
from rocsolid.evaluation import Evaluation
from rocsolid.evaluations import Evaluations
from rocsolid.functions import compare, evaluate, evaluate_many
from rocsolid.one_measure import average_precision, brier_score, d_prime, log_loss, measure, roc_auc
from rocsolid.options import get_num_threads, set_num_threads
from rocsolid.resampling import bootstrap
from rocsolid.results import Areas, ColumnAreas, Counts, Estimate, Interval, OperatingPoint
from rocsolid.scalars import areas
from rocsolid.sweep import Sweep
from rocsolid.tables import Table

__all__ = [
    "Areas",
    "ColumnAreas",
    "Comparison",
    "Comparisons",
    "Counts",
    "Estimate",
    "Evaluation",
    "Evaluations",
    "Interval",
    "OperatingPoint",
    "RocsolidError",
    "RocsolidWarning",
    "Sweep",
    "Table",
    "__version__",
    "areas",
    "average_precision",
    "bootstrap",
    "brier_score",
    "compare",
    "d_prime",
    "errors",
    "evaluate",
    "evaluate_many",
    "get_num_threads",
    "log_loss",
    "measure",
    "measures",
    "roc_auc",
    "set_num_threads",
]
