"""More than two classes, and several labels a row."""

from rocsolid.multiclass.curves import MacroRocCurve
from rocsolid.multiclass.decisions import ConfusionMatrix
from rocsolid.multiclass.evaluation import MulticlassEvaluation
from rocsolid.multiclass.sizes import ClassSizes
from rocsolid.multiclass.tables import ClassTable

__all__ = ["ClassSizes", "ClassTable", "ConfusionMatrix", "MacroRocCurve", "MulticlassEvaluation"]
