"""``python run_tools.py DATASETS.json OUT.json``: what scikit-learn, XGBoost, Spark and Keras say, at their defaults.

Needs scikit-learn, xgboost, pyspark (with Java) and keras (with torch); none of them is a dependency of the tests.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

os.environ["KERAS_BACKEND"] = "torch"


def scikit_learn(y, s):
    from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_auc_score

    precision, recall, _ = precision_recall_curve(y, s)
    return {
        "roc_auc_score": roc_auc_score(y, s),
        "average_precision_score": average_precision_score(y, s),
        "auc(recall, precision)": auc(recall, precision),
    }


def xgboost(y, s):
    """The scores enter as margins of a model without trees."""
    import numpy as np
    import xgboost as xgb

    data = xgb.DMatrix(np.zeros((len(y), 1)), label=y, base_margin=np.asarray(s, np.float32))
    out = {}
    for metric in ("auc", "aucpr"):
        options = {"objective": "binary:logitraw", "eval_metric": metric, "base_score": 0.5}
        model = xgb.train(options, data, num_boost_round=0)
        out[metric] = float(model.eval(data).split(":")[-1])  # printed with all digits that a float32 has
    return out


SESSION = {}


def spark(y, s):
    from pyspark.ml.evaluation import BinaryClassificationEvaluator
    from pyspark.sql import SparkSession

    if not SESSION:
        builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        SESSION["it"] = builder.config("spark.sql.shuffle.partitions", "1").getOrCreate()
        SESSION["it"].sparkContext.setLogLevel("ERROR")
    rows = [(float(a), float(b)) for a, b in zip(y, s, strict=True)]
    frame = SESSION["it"].createDataFrame(rows, ["label", "rawPrediction"])
    names = ("areaUnderROC", "areaUnderPR")
    return {name: BinaryClassificationEvaluator(metricName=name).evaluate(frame) for name in names}


def keras(y, s):
    import keras as k

    out = {}
    for curve in ("ROC", "PR"):
        metric = k.metrics.AUC(curve=curve)
        metric.update_state(y, s)
        out[f"AUC(curve={curve!r})"] = float(metric.result())
    return out


TOOLS = {"scikit-learn": scikit_learn, "XGBoost": xgboost, "Spark": spark, "Keras": keras}


def versions():
    from importlib.metadata import version

    packages = {"scikit-learn": "scikit-learn", "XGBoost": "xgboost", "Spark": "pyspark", "Keras": "keras"}
    return {tool: version(package) for tool, package in packages.items()}


if __name__ == "__main__":
    datasets = json.loads(Path(sys.argv[1]).read_text())
    results = {}
    for name, data in datasets.items():
        results[name] = {tool: run(data["labels"], data["scores"]) for tool, run in TOOLS.items()}
    found = {"versions": versions(), "results": results}
    Path(sys.argv[2]).write_text(json.dumps(found, indent=2) + "\n")
