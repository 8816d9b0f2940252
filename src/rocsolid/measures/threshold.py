"""Measures at one cut: ratios of the four confusion counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from rocsolid.measures.ranking import centred
from rocsolid.measures.registry import AtThreshold, Gradient, Measure, Proportion, register
from rocsolid.results import Counts, Ratio
from rocsolid.sweep import Sweep

CELLS = ("tp", "fp", "fn", "tn")


def cell_gradient(sweep: Sweep, threshold: float, worth: Mapping[str, float]) -> Gradient:
    """Gradient of a measure at a cut that answers to a row by the cell of the confusion matrix it is in. O(k).

    ``worth`` holds the derivative of the measure by each cell's share of all rows.
    """
    flagged = np.arange(len(sweep)) < sweep.rows_selected(threshold)
    on_pos, on_neg = np.where(flagged, worth["tp"], worth["fn"]), np.where(flagged, worth["fp"], worth["tn"])
    return centred(on_pos, on_neg, sweep)


def _rate_gradient(proportion: Proportion) -> Callable[[Sweep, AtThreshold], Gradient]:
    """H / (H + M) = p answers to a row among the hits by (1 - p) / (H + M), among the misses by -p / (H + M)."""

    def gradient(sweep: Sweep, options: AtThreshold) -> Gradient:
        counts = sweep.at(options.threshold)
        hits, misses = proportion.split(counts)
        p = hits / (hits + misses)
        scale = proportion.slope(p) * counts.n / (hits + misses)
        worth = {c: scale * ((c in proportion.hits) * (1 - p) - (c in proportion.misses) * p) for c in CELLS}
        return cell_gradient(sweep, options.threshold, worth)

    return gradient


def _rate(
    name: str,
    aliases: tuple[str, ...],
    titles: tuple[str, str],
    definitions: tuple[str, str],
    proportion: Proportion,
    ratio: Callable[[Counts], Ratio] | None = None,
    needs: tuple[str, ...] = (),
    better: Literal["higher", "lower"] = "higher",
) -> Measure[Any, Any]:
    def of_hits(counts: Counts) -> Ratio:
        hits, misses = proportion.split(counts)
        return Ratio(hits, hits + misses)

    formula = ratio or of_hits
    return register(
        Measure(
            name=name,
            aliases=aliases,
            title=titles[0],
            title_zh=titles[1],
            definition=definitions[0],
            definition_zh=definitions[1],
            source="Fawcett 2006, Pattern Recognition Letters 27:861-874",
            input="counts",
            range=(0.0, 1.0),
            better=better,
            needs=frozenset(needs),
            options=AtThreshold,
            value=lambda counts, options: formula(counts),
            gradient=_rate_gradient(proportion),
            proportion=proportion,
        )
    )


PRECISION = _rate(
    "precision",
    ("positive_predictive_value", "ppv"),
    ("Precision", "查准率"),
    ("TP / (TP + FP): the share of flagged rows that are positive.", "TP / (TP + FP)：判为正例的行中确为正例的比例。"),
    Proportion(("tp",), ("fp",)),
)
RECALL = _rate(
    "recall",
    ("sensitivity", "tpr", "true_positive_rate", "hit_rate"),
    ("Recall", "查全率"),
    ("TP / (TP + FN): the share of positives that are flagged.", "TP / (TP + FN)：正例中被判为正例的比例。"),
    Proportion(("tp",), ("fn",)),
    needs=("positives",),
)
SPECIFICITY = _rate(
    "specificity",
    ("tnr", "true_negative_rate", "selectivity"),
    ("Specificity", "特异度"),
    ("TN / (TN + FP): the share of negatives that are not flagged.", "TN / (TN + FP)：负例中未被判为正例的比例。"),
    Proportion(("tn",), ("fp",)),
    needs=("negatives",),
)
ACCURACY = _rate(
    "accuracy",
    ("share_correct",),
    ("Accuracy", "准确率"),
    ("(TP + TN) / N: the share of rows called right.", "(TP + TN) / N：判定正确的行所占的比例。"),
    Proportion(("tp", "tn"), ("fp", "fn")),
)
F1 = _rate(
    "f1",
    ("f1_score", "f_measure", "dice"),
    ("F1", "F1 值"),
    (
        "2 TP / (2 TP + FP + FN): harmonic mean of precision and recall.",
        "2 TP / (2 TP + FP + FN)：查准率与查全率的调和平均。",
    ),
    # an increasing function, 2 J / (1 + J), of the proportion J = TP / (TP + FP + FN)
    Proportion(("tp",), ("fp", "fn"), lambda j: 2 * j / (1 + j), lambda j: 2 / (1 + j) ** 2),
    ratio=lambda c: Ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn),
)
NPV = _rate(
    "npv",
    ("negative_predictive_value",),
    ("Negative predictive value", "阴性预测值"),
    (
        "TN / (TN + FN): the share of rows not flagged that are negative.",
        "TN / (TN + FN)：未被判为正例的行中确为负例的比例。",
    ),
    Proportion(("tn",), ("fn",)),
)
FPR = _rate(
    "fpr",
    ("false_positive_rate", "false_alarm_rate", "fall_out"),
    ("False-positive rate", "假阳性率"),
    ("FP / (FP + TN): the share of negatives that are flagged.", "FP / (FP + TN)：负例中被判为正例的比例。"),
    Proportion(("fp",), ("tn",)),
    needs=("negatives",),
    better="lower",
)
FNR = _rate(
    "fnr",
    ("false_negative_rate", "miss_rate"),
    ("False-negative rate", "漏报率"),
    ("FN / (FN + TP): the share of positives that are not flagged.", "FN / (FN + TP)：正例中未被判为正例的比例。"),
    Proportion(("fn",), ("tp",)),
    needs=("positives",),
    better="lower",
)
ERROR_RATE = _rate(
    "error_rate",
    ("misclassification_rate", "zero_one_loss"),
    ("Error rate", "错误率"),
    ("(FP + FN) / N: the share of rows called wrong.", "(FP + FN) / N：判定错误的行所占的比例。"),
    Proportion(("fp", "fn"), ("tp", "tn")),
    better="lower",
)
JACCARD = _rate(
    "jaccard",
    ("jaccard_index", "critical_success_index", "threat_score"),
    ("Jaccard", "Jaccard 指数"),
    (
        "TP / (TP + FP + FN): positives flagged, among all rows that are positive or flagged.",
        "TP / (TP + FP + FN)：在所有正例或被判为正例的行中，被判为正例的正例的比例。",
    ),
    Proportion(("tp",), ("fp", "fn")),
)
