"""One picture, several areas: which class is positive, which average, and how sure, on patients of a heart clinic.

Three classifiers on the Cleveland data (303 patients, as the package scikit-lego carries them; its label marks the 83
with the worse narrowing). A fifth of the patients is held out. Pipeline and numbers are this example's own: the kind of
story is known from many course projects, and it repeats itself on any small test set. Needs scikit-learn, pandas and
scikit-lego.

python examples/heart_disease.py [picture.svg]    (the picture needs Matplotlib)
"""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklego.datasets import load_hearts

import rocsolid as rs

CATEGORIES = ["cp", "restecg", "slope", "thal"]
SEED = 0


@cache
def held_out() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Labels of the patients held out ("sick" or "well"), and the scores of three classifiers for being sick."""
    table = load_hearts(as_frame=True)
    label = np.where(table.pop("target") == 1, "sick", "well")
    train_x, test_x, train_y, test_y = train_test_split(
        table, label, test_size=0.2, stratify=label, random_state=SEED
    )  # fmt: skip
    numbers = [name for name in table.columns if name not in CATEGORIES]
    scores = {}
    for name, classifier in (
        ("support vectors", SVC(random_state=SEED)),
        ("random forest", RandomForestClassifier(300, random_state=SEED)),
        ("logistic", LogisticRegression(max_iter=1000)),
    ):
        columns = make_column_transformer(
            (StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"), CATEGORIES)
        )
        model = make_pipeline(columns, classifier).fit(train_x, train_y)
        if name == "support vectors":
            scores[name] = -model.decision_function(test_x)  # scikit-learn's is for the last label, "well"
        else:
            scores[name] = model.predict_proba(test_x)[:, 0]
    return test_y, scores


def models() -> rs.Evaluations:
    """All three, with the sick as the positive class."""
    label, scores = held_out()
    return rs.evaluate_many(label, scores, pos_label="sick")


def both_classes(name: str = "random forest") -> dict[str, float]:
    """The areas of one classifier with either class as the positive one, and both averages over the classes.

    The micro average ranks each patient twice, once for each class: another list, and another number.
    """
    label, scores = held_out()
    p = scores[name]
    sick, well = rs.evaluate(label, p, pos_label="sick"), rs.evaluate(label, 1 - p, pos_label="well")
    found = {
        "ROC-AUC, sick": float(sick.roc_auc()),
        "ROC-AUC, well": float(well.roc_auc()),
        "ROC-AUC, micro": float(rs.roc_auc(np.r_[label == "sick", label == "well"], np.r_[p, 1 - p])),
        "AP, sick": float(sick.average_precision()),
        "AP, well": float(well.average_precision()),
        "prevalence, sick": float(np.mean(label == "sick")),
        "prevalence, well": float(np.mean(label == "well")),
    }
    found["ROC-AUC, macro"] = (found["ROC-AUC, sick"] + found["ROC-AUC, well"]) / 2
    return found


def published_interval(auc: float) -> tuple[float, float]:
    """Hanley and McNeil's interval from the area and the class sizes alone."""
    label, _ = held_out()
    n_pos = int(np.sum(label == "sick"))
    found = rs.interval_from_summary(auc=auc, n_pos=n_pos, n_neg=len(label) - n_pos, method="hanley-mcneil").interval
    assert found is not None
    return found.low, found.high


def draw(path: str) -> None:
    """ROC curves of all three, and the precision-recall curves of one for either class, with their chance lines."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 5), layout="constrained")
    left, right = figure.subplots(1, 2)
    for name, ev in models().items():
        ev.curve("roc").plot(ax=left, name=name)
    label, scores = held_out()
    p = scores["random forest"]
    for positive, score in (("sick", p), ("well", 1 - p)):
        rs.evaluate(label, score, pos_label=positive).curve("precision_recall").plot(ax=right, name=positive)
    right.set_xlabel("Recall")  # of either class
    figure.savefig(path)


def main() -> None:
    """Print the table, the areas of either class, and whether the classifiers differ."""
    found = models()
    print(found.table(["roc_auc", "average_precision"]))
    print("\nrandom forest, either class as the positive one:")
    for name, value in both_classes().items():
        print(f"  {name}: {value:.4f}")
    auc = float(found["random forest"].roc_auc())
    low, high = published_interval(auc)
    print(f"\nHanley & McNeil from {auc:.3f} and the class sizes: {low:.2f} to {high:.2f}")
    print("\nDo they differ?")
    print(found.compare())


if __name__ == "__main__":
    main()
    if len(sys.argv) > 1:
        draw(sys.argv[1])
