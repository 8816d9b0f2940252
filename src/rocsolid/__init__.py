"""rocsolid: how good are these scores, how sure are we, and where should we cut?

>>> import rocsolid as rs
>>> ev = rs.evaluate([0, 0, 1, 1, 0, 1, 1, 0, 1, 0], [1, 3, 2, 8, 4, 9, 7, 5, 6, 0])
>>> ev.roc_auc()
<roc_auc = 0.8800 [0.4172, 0.9869] 0.95 CI (effective-error); 5 positive, 5 negative; positive: 1>
"""

from rocsolid import errors, measures
from rocsolid._kernel import __version__
from rocsolid.binormal import Binormal, BinormalCrossing, BinormalFit, Goodness, SmoothRoc
from rocsolid.calibration import Calibration, CalibrationTest
from rocsolid.comparisons import Comparison, Comparisons, Omnibus
from rocsolid.curve_functions import crossings, plot_comparison
from rocsolid.curves import (
    CostCurve,
    CumulativeFlaggedCurve,
    DetCurve,
    GainCurve,
    LiftCurve,
    LogRocCurve,
    MetricCurve,
    NetBenefitCurve,
    PrecisionRecallCurve,
    PrecisionRecallGainCurve,
    ReliabilityCurve,
    RocCurve,
    RocHull,
)
from rocsolid.curves.cost_ranges import CostRange, CostRanges
from rocsolid.decisions import (
    Advice,
    AdviceRow,
    AmountRates,
    DailyCapacity,
    Monitoring,
    OperatingPoint,
    Optimism,
    ThresholdInterval,
    Watched,
    Zone,
    Zones,
)
from rocsolid.errors import RocsolidError, RocsolidWarning
from rocsolid.evaluation import Evaluation
from rocsolid.evaluations import Evaluations
from rocsolid.functions import compare, evaluate, evaluate_many
from rocsolid.grouped import AcrossGroups, GroupedEvaluation, GroupGaps, GroupMean, GroupTable, gauc
from rocsolid.inference import Band
from rocsolid.inference.crossings import Crossing, Crossings, FprRange
from rocsolid.inference.designs import AucAgainst, PairedDifference, PilotDifference, UnpairedDifference
from rocsolid.inference.planning import Plan, half_width, power, sample_size
from rocsolid.inference.pooling import Pooled, PooledSite
from rocsolid.inference.published_points import AucBounds, auc_bounds
from rocsolid.inference.summary_numbers import CountEstimate, interval_from_counts, interval_from_summary
from rocsolid.inference.width_designs import AucWidth, AveragePrecisionWidth, RecallWidth
from rocsolid.multiclass import ClassTable, ConfusionMatrix, MacroRocCurve, MulticlassEvaluation
from rocsolid.one_measure import average_precision, brier_score, d_prime, log_loss, measure, roc_auc
from rocsolid.options import get_num_threads, set_num_threads
from rocsolid.prevalences import AtPrevalence, PrevalenceCurve
from rocsolid.resampling import bootstrap
from rocsolid.results import Areas, ColumnAreas, Counts, Estimate, Interval, Note, Sizes
from rocsolid.scalars import areas
from rocsolid.sites import pool
from rocsolid.sweep import Sweep
from rocsolid.tables import Table
from rocsolid.translation import Explanation, Match, Translation, Word

__all__ = [
    "AcrossGroups",
    "Advice",
    "AdviceRow",
    "AmountRates",
    "Areas",
    "AtPrevalence",
    "AucAgainst",
    "AucBounds",
    "AucWidth",
    "AveragePrecisionWidth",
    "Band",
    "Binormal",
    "BinormalCrossing",
    "BinormalFit",
    "Calibration",
    "CalibrationTest",
    "ClassTable",
    "ColumnAreas",
    "Comparison",
    "Comparisons",
    "ConfusionMatrix",
    "CostCurve",
    "CostRange",
    "CostRanges",
    "CountEstimate",
    "Counts",
    "Crossing",
    "Crossings",
    "CumulativeFlaggedCurve",
    "DailyCapacity",
    "DetCurve",
    "Estimate",
    "Evaluation",
    "Evaluations",
    "Explanation",
    "FprRange",
    "GainCurve",
    "Goodness",
    "GroupGaps",
    "GroupMean",
    "GroupTable",
    "GroupedEvaluation",
    "Interval",
    "LiftCurve",
    "LogRocCurve",
    "MacroRocCurve",
    "Match",
    "MetricCurve",
    "Monitoring",
    "MulticlassEvaluation",
    "NetBenefitCurve",
    "Note",
    "Omnibus",
    "OperatingPoint",
    "Optimism",
    "PairedDifference",
    "PilotDifference",
    "Plan",
    "Pooled",
    "PooledSite",
    "PrecisionRecallCurve",
    "PrecisionRecallGainCurve",
    "PrevalenceCurve",
    "RecallWidth",
    "ReliabilityCurve",
    "RocCurve",
    "RocHull",
    "RocsolidError",
    "RocsolidWarning",
    "Sizes",
    "SmoothRoc",
    "Sweep",
    "Table",
    "ThresholdInterval",
    "Translation",
    "UnpairedDifference",
    "Watched",
    "Word",
    "Zone",
    "Zones",
    "__version__",
    "areas",
    "auc_bounds",
    "average_precision",
    "bootstrap",
    "brier_score",
    "compare",
    "crossings",
    "d_prime",
    "errors",
    "evaluate",
    "evaluate_many",
    "gauc",
    "get_num_threads",
    "half_width",
    "interval_from_counts",
    "interval_from_summary",
    "log_loss",
    "measure",
    "measures",
    "plot_comparison",
    "pool",
    "power",
    "roc_auc",
    "sample_size",
    "set_num_threads",
]
