"""Three classes, one against the rest: an AUC each, their mean (macro), and all rows in one list (micro).

Iris flowers by their sepals alone, split in half; a linear support vector machine a class. The two averages differ: the
micro one compares scores of different machines with each other. Needs scikit-learn.

python examples/averages_of_classes.py
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import label_binarize
from sklearn.svm import SVC

import rocsolid as rs


def scores_of_machines() -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores of the test half, a column a class."""
    features, target = load_iris(return_X_y=True)
    labels = label_binarize(target, classes=[0, 1, 2])
    train_x, test_x, train_y, test_y = train_test_split(features[:, :2], labels, test_size=0.5, random_state=0)
    machine = OneVsRestClassifier(SVC(kernel="linear", random_state=0)).fit(train_x, train_y)
    return test_y, machine.decision_function(test_x)


def areas() -> dict[str, float]:
    """The area of each class, and both averages."""
    labels, scores = scores_of_machines()
    each = [float(rs.roc_auc(labels[:, k], scores[:, k])) for k in range(3)]
    micro = float(rs.roc_auc(labels.ravel(), scores.ravel()))
    return {"class 0": each[0], "class 1": each[1], "class 2": each[2], "macro": float(np.mean(each)), "micro": micro}


def mean_average_precision() -> dict[str, float]:
    """Average precision of each class, and their mean: classes count alike, however common each is."""
    labels, scores = scores_of_machines()
    each = [float(rs.average_precision(labels[:, k], scores[:, k])) for k in range(3)]
    return {**{f"class {k}": value for k, value in enumerate(each)}, "mean": float(np.mean(each))}


def both_ways() -> tuple[float, float, float, float]:
    """Of a problem of two classes, each as the positive one: the ROC-AUC is the same, average precision is not."""
    y, s = rs.Binormal.from_auc(0.9).sample(30, 60, rng=1)
    sick, well = rs.evaluate(y, s), rs.evaluate(1 - y, -s)
    return (
        float(sick.roc_auc()),
        float(well.roc_auc()),
        float(sick.average_precision()),
        float(well.average_precision()),
    )


def main() -> None:
    """Print the areas."""
    for name, value in areas().items():
        print(f"{name}: {value:.6f}")
    for name, value in mean_average_precision().items():
        print(f"average precision, {name}: {value:.6f}")
    sick, well, ap_sick, ap_well = both_ways()
    print(f"two classes, either positive: ROC-AUC {sick:.4f} and {well:.4f}, AP {ap_sick:.4f} and {ap_well:.4f}")


if __name__ == "__main__":
    main()
