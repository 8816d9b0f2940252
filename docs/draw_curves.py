"""Draw the picture of the README: both classifiers of the demo, their intervals in the legend.

python docs/draw_curves.py [picture.svg]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import matplotlib as mpl
import pyarrow.parquet as pq
from matplotlib.figure import Figure

import rocsolid as rs
from rocsolid import demo

PICTURE = Path(__file__).parent / "assets" / "curves.svg"
STYLES = {"logistic": {"color": "#0072B2"}, "boosting": {"color": "#D55E00", "linestyle": (0, (5, 1.5))}}


def models() -> rs.Evaluations:
    """Evaluate the demo's predictions."""
    with tempfile.TemporaryDirectory() as folder:
        made = demo.write(Path(folder))
        table = pq.read_table(made.path)
    return rs.evaluate_many(table[made.label], {s: table[s] for s in made.scores}, pos_label=made.pos_label)


def legend_of(name: str, estimate: rs.Estimate, short: str) -> str:
    """Name, value and interval, as ``logistic: AUC 0.995 [0.982, 0.999]``."""
    interval = estimate.interval
    assert interval is not None
    return f"{name}: {short} {estimate.value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def draw() -> Figure:
    """Two panels, near the corner where the curves are."""
    figure = Figure(figsize=(9.6, 5.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    for name, model in models().items():
        panels = ((left, "roc", model.roc_auc(), "AUC"), (right, "precision_recall", model.average_precision(), "AP"))
        for ax, kind, estimate, short in panels:
            display = model.curve(kind).plot(ax=ax, name=name)
            display.line_.set(label=legend_of(name, estimate, short), linewidth=2, **STYLES[name])
    left.set(xlim=(-0.005, 0.3), ylim=(0.7, 1.005), title="ROC, upper left corner")
    right.set(xlim=(0.7, 1.005), ylim=(0.7, 1.005), title="Precision and recall, upper right corner")
    for ax in (left, right):
        ax.grid(color="0.92")
        lines = [line for line in ax.get_lines() if line.get_label()[0] != "_" and line.get_label() != "chance"]
        ax.legend(handles=lines, loc="lower right" if ax is left else "lower left", frameon=False)
    return figure


def main(arguments: list[str]) -> None:
    """Draw and save, the same bytes each time."""
    path = Path(arguments[0]) if arguments else PICTURE
    with mpl.rc_context({"svg.hashsalt": "rocsolid", "font.size": 10}):
        draw().savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
