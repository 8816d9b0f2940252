"""Three learners, one wrapped by another, two that cross: break-even points, F measures, curves of cost.

Which of two crossing learners is better depends on where the list is cut and on what mistakes cost. Needs SciPy.

python examples/dominance_and_costs.py [picture.svg]    (the picture needs Matplotlib)
"""

from __future__ import annotations

import sys
from functools import cache

import numpy as np

import rocsolid as rs

POPULATIONS = {"A": rs.Binormal.from_auc(0.92), "B": rs.Binormal.from_auc(0.90, b=0.5), "C": rs.Binormal.from_auc(0.75)}
FALSE_ALARM, MISS = 1, 5
"""A miss costs five times as much as a false alarm; being right costs nothing."""


@cache
def sample() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """200 positives, then 600 negatives, with the scores of each learner."""
    drawn = {name: model.sample(200, 600, rng=seed) for seed, (name, model) in enumerate(POPULATIONS.items())}
    scores = {name: np.r_[s[y == 1], s[y == 0]] for name, (y, s) in drawn.items()}
    return np.repeat([1, 0], [200, 600]), scores


@cache
def learners() -> rs.Evaluations:
    """All three, to be asked."""
    return rs.evaluate_many(*sample())


def break_even_points() -> dict[str, float]:
    """Where precision and recall are equal: when as many rows are flagged as there are positives."""
    return {name: ev.measure("break_even").value for name, ev in learners().items()}


def f_measures() -> dict[str, list[float | None]]:
    """Largest F_beta where precision counts more (beta 1/2), as much (F1), and less than recall (beta 2)."""
    return {
        name: [ev.best("f_beta", beta=beta).attained for beta in (0.5, 1, 2)] for name, ev in learners().items()
    }  # fmt: skip


def wins(one: str, other: str) -> tuple[rs.FprRange, ...]:
    """Who is ahead over which false-positive rates."""
    y, scores = sample()
    return rs.crossings(y, {name: scores[name] for name in (one, other)}, rng=0).ranges


def least_costs(prevalence: float) -> dict[str, rs.OperatingPoint]:
    """The cut that costs least at a prevalence; ``attained`` is what a row costs there."""
    return {
        name: ev.best("cost", cost_fp=FALSE_ALARM, cost_fn=MISS, prevalence=prevalence)
        for name, ev in learners().items()
    }  # fmt: skip


def draw(path: str) -> None:
    """Precision-recall and ROC curves; the lines of A's cost plane and its lower envelope; envelopes of all three."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 9), layout="constrained")
    (precision, roc), (lines, envelopes) = figure.subplots(2, 2)
    for name, ev in learners().items():
        ev.curve("precision_recall").plot(ax=precision, name=name)
        ev.curve("roc").plot(ax=roc, name=name)
        ev.curve("cost").plot(ax=envelopes, name=name)
    precision.plot([0, 1], [0, 1], color="0.7", linewidth=1)  # break-even points lie on it
    curve = learners()["A"].curve("cost")
    for fpr, fnr in zip(curve.fpr[::20], curve.fnr[::20], strict=True):
        lines.plot([0, 1], [fpr, fnr], color="0.8", linewidth=0.5)
    curve.plot(ax=lines, name="A")
    figure.savefig(path)


def main() -> None:
    """Print who is ahead where, and what is lost."""
    print(learners().table(["roc_auc", "average_precision", "break_even"]))
    for one, other in (("A", "C"), ("A", "B")):
        ranges = ", ".join(f"{r.leader or 'none'} from {r.low:.3f} to {r.high:.3f}" for r in wins(one, other))
        print(f"{one} and {other}, ahead over FPR: {ranges}")
    print("\nlargest F.5, F1, F2")
    for name, found in f_measures().items():
        print(f"  {name}: " + ", ".join(f"{value:.3f}" for value in found))
    for share in (0.05, 0.25, 0.5):
        print(f"\nleast cost of a row at prevalence {share}, a miss counting {MISS}:")
        for name, point in least_costs(share).items():
            print(f"  {name}: {point.attained:.4f} at score >= {point.threshold:.3f}")
    print()
    print(learners().cost_ranges())


if __name__ == "__main__":
    main()
    if len(sys.argv) > 1:
        draw(sys.argv[1])
