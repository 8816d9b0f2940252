"""The functions as scorers: make_scorer, cross_validate, GridSearchCV with two processes, displays' arrays."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics as theirs
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_validate

import rocsolid.sklearn as ours

X, Y = make_classification(300, n_informative=4, random_state=0)
X3, Y3 = make_classification(300, n_informative=6, n_classes=3, random_state=0)
PROBABILITY = {"response_method": "predict_proba"}
SCORERS = {
    "roc_auc_score": {"response_method": ("decision_function", "predict_proba")},
    "average_precision_score": {"response_method": ("decision_function", "predict_proba")},
    "log_loss": {**PROBABILITY, "greater_is_better": False},
    "brier_score_loss": {**PROBABILITY, "greater_is_better": False},
}


def scorer(module, name, **more):
    return make_scorer(getattr(module, name), **SCORERS[name], **more)


def test_cross_validate_gives_the_same_scores():
    def run(module):
        scoring = {name: scorer(module, name) for name in SCORERS}
        return cross_validate(LogisticRegression(), X, Y, scoring=scoring, cv=4)

    mine, other = run(ours), run(theirs)
    for name in SCORERS:
        np.testing.assert_allclose(mine[f"test_{name}"], other[f"test_{name}"], rtol=1e-12)


@pytest.mark.parametrize("options", [{"multi_class": "ovr"}, {"multi_class": "ovo", "average": "weighted"}])
def test_several_classes(options):
    def run(module):
        scoring = make_scorer(module.roc_auc_score, **PROBABILITY, **options)
        return cross_validate(LogisticRegression(), X3, Y3, scoring=scoring, cv=3)["test_score"]

    np.testing.assert_allclose(run(ours), run(theirs), rtol=1e-12)


def test_grid_search_in_two_processes():
    scoring = scorer(ours, "roc_auc_score")
    search = GridSearchCV(LogisticRegression(), {"C": [0.01, 1.0]}, scoring=scoring, cv=3, n_jobs=2).fit(X, Y)
    other = GridSearchCV(LogisticRegression(), {"C": [0.01, 1.0]}, scoring="roc_auc", cv=3).fit(X, Y)
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"], rtol=1e-12)
    assert search.best_params_ == other.best_params_
