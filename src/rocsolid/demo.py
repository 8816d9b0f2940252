"""The demo's data: two classifiers on scikit-learn's breast-cancer data, scored by cross-validation."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocsolid.errors import MissingDependencyError
from rocsolid.sources.output import whole

SEED = 0
FOLDS = 5
POSITIVE = "malignant"
"""What the data code as 0; the file has the words, and this one is the positive."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """A file of labels and scores, and what its columns are."""

    path: Path
    label: str
    scores: tuple[str, ...]
    pos_label: str


NEEDED = {"pyarrow": ("pyarrow", "cli"), "sklearn": ("scikit-learn", "sklearn")}
"""Modules with the names of their packages and the extras that they belong to."""


def check() -> None:
    """Raise ``MissingDependencyError`` that names all that the demo needs and has not. O(1); imports nothing."""
    absent = [NEEDED[module] for module in NEEDED if not _installed(module)]
    if absent:
        packages, extras = zip(*absent, strict=True)
        raise MissingDependencyError("the demo", "` and `".join(packages), ",".join(extras))


def _installed(module: str) -> bool:
    if module in sys.modules:  # a module set to None counts as missing
        return sys.modules[module] is not None
    return importlib.util.find_spec(module) is not None


def write(folder: Path) -> Predictions:
    """Fit, predict and write ``predictions.parquet`` into an existing folder.

    Logistic regression on standardised variables and gradient boosting, each row scored by a model that has not seen
    it (stratified folds). All seeds are fixed.

    Raises
    ------
    MissingDependencyError
        Without scikit-learn or PyArrow.
    SourceError
        If the folder can not be written to.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingDependencyError("the demo", "pyarrow", "cli") from None
    labels, scores = _predict()
    found = Predictions(folder / "predictions.parquet", "diagnosis", tuple(scores), POSITIVE)
    with whole(found.path) as part:
        pq.write_table(pa.table({found.label: pa.array(labels.tolist(), pa.string()), **scores}), part)
    return found


def _predict() -> tuple[Any, dict[str, Any]]:
    """Give the labels in words, and the probability of the positive one by model."""
    try:
        from sklearn.datasets import load_breast_cancer
        from sklearn.ensemble import GradientBoostingClassifier
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import StratifiedKFold, cross_val_predict
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from threadpoolctl import threadpool_limits
    except ImportError:
        raise MissingDependencyError("the demo", "scikit-learn", "sklearn") from None
    data = load_breast_cancer()
    labels = data.target_names[data.target]
    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "boosting": GradientBoostingClassifier(random_state=SEED),
    }
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    column = sorted(set(labels.tolist())).index(POSITIVE)
    # one thread: more only wait for each other on data this small, for minutes where the machine is busy
    with threadpool_limits(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = {
            name: cross_val_predict(model, data.data, labels, cv=folds, method="predict_proba")[:, column]
            for name, model in models.items()
        }
    return labels, scores
