"""Cuts: where to put them, how sure they are, and which of them come with a guarantee."""

from rocsolid.decisions.guaranteed import guaranteed_cut
from rocsolid.decisions.quantiles import ThresholdInterval, threshold_interval

__all__ = ["ThresholdInterval", "guaranteed_cut", "threshold_interval"]
