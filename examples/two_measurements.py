"""Two measurements as scores: table, cut, picture. Needs `pip install "rocsolid[plot,sklearn]"`.

python examples/two_measurements.py [picture.svg]
"""

from __future__ import annotations

import sys

from sklearn.datasets import load_breast_cancer

import rocsolid as rs

data = load_breast_cancer()
diagnosis = data.target_names[data.target]
scores = {"radius": data.data[:, 0], "texture": data.data[:, 1]}

models = rs.evaluate_many(diagnosis, scores, pos_label="malignant")
print(models.table())
print(models["radius"].at(threshold=15))

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
    for name, model in models.items():
        model.curve("roc").plot(ax=axes[0], name=name)
        model.curve("precision_recall").plot(ax=axes[1], name=name)
    figure.savefig(sys.argv[1])
