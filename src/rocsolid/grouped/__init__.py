"""Rows in groups: one model group by group, and measures within each of many groups with their mean."""

from rocsolid.grouped.evaluation import GroupedEvaluation
from rocsolid.grouped.mean import GroupMean
from rocsolid.grouped.tables import AcrossGroups, GroupGaps, GroupTable
from rocsolid.grouped.within import gauc

__all__ = ["AcrossGroups", "GroupGaps", "GroupMean", "GroupTable", "GroupedEvaluation", "gauc"]
