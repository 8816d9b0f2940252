"""Measures within each of many groups, and their mean: the AUC of each user, session or query."""

from rocsolid.grouped.mean import GroupMean
from rocsolid.grouped.within import gauc, within_groups

__all__ = ["GroupMean", "gauc", "within_groups"]
