"""Cuts: where to put them, how sure they are, and which of them come with a guarantee."""

from rocsolid.decisions.advice import Advice, AdviceRow
from rocsolid.decisions.amounts import AmountRates, amount_rates
from rocsolid.decisions.best import Criterion, best_cut, check_criterion
from rocsolid.decisions.constrained import constrained_cut, one_way
from rocsolid.decisions.cuts import Choice
from rocsolid.decisions.daily import DailyCapacity, daily_capacity
from rocsolid.decisions.guaranteed import guaranteed_cut
from rocsolid.decisions.monitoring import Monitoring, Watched
from rocsolid.decisions.optimism import Optimism, estimate_optimism, need_no_draws
from rocsolid.decisions.point import RATES, OperatingPoint, elsewhere
from rocsolid.decisions.quantiles import ThresholdInterval, threshold_interval
from rocsolid.decisions.zones import Zone, Zones, zones

__all__ = [
    "RATES",
    "Advice",
    "AdviceRow",
    "AmountRates",
    "Choice",
    "Criterion",
    "DailyCapacity",
    "Monitoring",
    "OperatingPoint",
    "Optimism",
    "ThresholdInterval",
    "Watched",
    "Zone",
    "Zones",
    "amount_rates",
    "best_cut",
    "check_criterion",
    "constrained_cut",
    "daily_capacity",
    "elsewhere",
    "estimate_optimism",
    "guaranteed_cut",
    "need_no_draws",
    "one_way",
    "threshold_interval",
    "zones",
]
