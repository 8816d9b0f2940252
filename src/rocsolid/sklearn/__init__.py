"""The ranking functions of ``sklearn.metrics``, with their names, signatures and results, at the kernel's speed.

Replace ``from sklearn.metrics import roc_auc_score`` by ``from rocsolid.sklearn import roc_auc_score``; nothing
else changes. scikit-learn need not be installed.

Where results differ, they do so on purpose: areas are exact and rounded once, weights are added exactly in
float64 whatever their dtype, infinite scores are ordered instead of refused. See docs/sklearn.md.

>>> from rocsolid.sklearn import roc_auc_score
>>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.75
"""

from rocsolid.sklearn._areas import average_precision_score, roc_auc_score
from rocsolid.sklearn._curves import (
    auc,
    confusion_matrix_at_thresholds,
    det_curve,
    precision_recall_curve,
    roc_curve,
)
from rocsolid.sklearn._probability import brier_score_loss, log_loss
from rocsolid.sklearn._rows import label_ranking_loss, top_k_accuracy_score

__all__ = [
    "auc",
    "average_precision_score",
    "brier_score_loss",
    "confusion_matrix_at_thresholds",
    "det_curve",
    "label_ranking_loss",
    "log_loss",
    "precision_recall_curve",
    "roc_auc_score",
    "roc_curve",
    "top_k_accuracy_score",
]
