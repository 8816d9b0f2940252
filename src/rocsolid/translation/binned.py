"""Areas as tools compute them that have a fixed grid of cuts, or ways of their own with ties."""

from __future__ import annotations

import numpy as np

from rocsolid.curves.precision_recall_areas import davis_goadrich
from rocsolid.sweep import Sweep
from rocsolid.translation.running import Running

THRESHOLDS = 200
EDGE = 1e-7
"""The first and the last threshold lie so far outside of [0, 1]."""


def at_thresholds(sweep: Sweep) -> Running:
    """Cut at 200 thresholds from 0 to 1, a score being flagged if it is above, in single precision. O(k)."""
    inner = np.linspace(0, 1, THRESHOLDS)[1:-1]
    cuts = np.concatenate([[-EDGE], inner, [1 + EDGE]]).astype(np.float32)
    scores = np.asarray(sweep.scores, np.float32)
    cell = np.searchsorted(cuts, scores, side="left")  # how many thresholds a score is above
    return Running.of_sweep(sweep).merged(cell)


def rocr_pr_auc(run: Running) -> float:
    """Area under lines, as ROCR computes it. O(n+) and more where scores are tied.

    The lines go through the least FP of each TP. Where a step has more than two positives, points of Davis &
    Goadrich are put between; their places are counted as if none had been put in before, so that after the first such
    step they no longer are in order, and neither are the lines.
    """
    first = np.append(True, run.pos > 0)
    tp, fp = run.tp[first], run.fp[first]
    total = float(tp[-1])
    recall = (tp / total).tolist()
    precision = [1.0, *(tp[1:] / (tp[1:] + fp[1:])).tolist()]
    for i, (gain, loss) in enumerate(zip(np.diff(tp), np.diff(fp), strict=True)):
        if gain > 2:
            x = np.arange(1, int(gain) + 1)
            here = x + tp[i]
            recall[i + 1 : i + 1] = (here / total).tolist()
            precision[i + 1 : i + 1] = (here / (here + fp[i] + loss / gain * x)).tolist()
    height = np.asarray(precision)
    return float(np.diff(recall) @ (height[1:] + height[:-1])) / 2


def interpolated(run: Running) -> float:
    """Davis & Goadrich between the cuts that there are."""
    return davis_goadrich(run.tp, run.fp)
