"""rocsolid: how good are these scores, how sure are we, and where should we cut?

>>> import rocsolid as rs
>>> ev = rs.evaluate([0, 0, 1, 1, 0, 1, 1, 0, 1, 0], [1, 3, 2, 8, 4, 9, 7, 5, 6, 0])
>>> ev.roc_auc()
<roc_auc = 0.8800 [0.4172, 0.9869] 0.95 CI (effective-error); 5 positive, 5 negative; positive: 1>
"""

import typing as _typing
from importlib import import_module as _import_module

from rocsolid._kernel import __version__

if _typing.TYPE_CHECKING:
    from rocsolid import clustering, errors, measures, regression
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
    from rocsolid.net_benefits import NetBenefits
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
    "NetBenefits",
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
    "clustering",
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
    "regression",
    "roc_auc",
    "sample_size",
    "set_num_threads",
]

_MODULES = ("clustering", "errors", "measures", "regression")
"""Names that are modules."""
_HOMES = {
    "binormal": "Binormal BinormalCrossing BinormalFit Goodness SmoothRoc",
    "calibration": "Calibration CalibrationTest",
    "comparisons": "Comparison Comparisons Omnibus",
    "curve_functions": "crossings plot_comparison",
    "curves": (
        "CostCurve CumulativeFlaggedCurve DetCurve GainCurve LiftCurve LogRocCurve MetricCurve "
        "NetBenefitCurve PrecisionRecallCurve PrecisionRecallGainCurve ReliabilityCurve RocCurve "
        "RocHull"
    ),
    "curves.cost_ranges": "CostRange CostRanges",
    "decisions": (
        "Advice AdviceRow AmountRates DailyCapacity Monitoring OperatingPoint Optimism "
        "ThresholdInterval Watched Zone Zones"
    ),
    "errors": "RocsolidError RocsolidWarning",
    "evaluation": "Evaluation",
    "evaluations": "Evaluations",
    "functions": "compare evaluate evaluate_many",
    "grouped": "AcrossGroups GroupedEvaluation GroupGaps GroupMean GroupTable gauc",
    "inference": "Band",
    "inference.crossings": "Crossing Crossings FprRange",
    "inference.designs": "AucAgainst PairedDifference PilotDifference UnpairedDifference",
    "inference.planning": "Plan half_width power sample_size",
    "inference.pooling": "Pooled PooledSite",
    "inference.published_points": "AucBounds auc_bounds",
    "inference.summary_numbers": "CountEstimate interval_from_counts interval_from_summary",
    "inference.width_designs": "AucWidth AveragePrecisionWidth RecallWidth",
    "multiclass": "ClassTable ConfusionMatrix MacroRocCurve MulticlassEvaluation",
    "net_benefits": "NetBenefits",
    "one_measure": "average_precision brier_score d_prime log_loss measure roc_auc",
    "options": "get_num_threads set_num_threads",
    "prevalences": "AtPrevalence PrevalenceCurve",
    "resampling": "bootstrap",
    "results": "Areas ColumnAreas Counts Estimate Interval Note Sizes",
    "scalars": "areas",
    "sites": "pool",
    "sweep": "Sweep",
    "tables": "Table",
    "translation": "Explanation Match Translation Word",
}
"""Where each name comes from. A name is imported when it is first used: a command's help needs none of them."""
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> _typing.Any:
    """Import what is first named."""
    if name in _MODULES:
        found: _typing.Any = _import_module(f"rocsolid.{name}")
    elif name in _HOME:
        found = getattr(_import_module(f"rocsolid.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'rocsolid' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Give the public names."""
    return sorted(__all__)
