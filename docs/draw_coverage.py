"""Where usual intervals lose, in the picture and the table of docs/explanation/intervals.md: Wald near 1, percentiles.

    python -m docs.draw_coverage [--replicates 2000] [--picture docs/assets/coverage.svg] [--write]

``--write`` puts the table into the page. Takes some minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
from docs.pages import fill
from matplotlib.figure import Figure
from scipy.special import ndtr, ndtri

import rocsolid as rs

HERE = Path(__file__).parent
PAGE, PICTURE = HERE / "explanation" / "intervals.md", HERE / "assets" / "coverage.svg"
BLUE, ORANGE = "#0072B2", "#D55E00"
ROWS, SHARE, LEVEL, RESAMPLES, SEED = 220, 1 / 11, 0.95, 999, 11
AUCS = (0.70, 0.80, 0.90, 0.95, 0.975, 0.99)

Method = Callable[[rs.Evaluation, int], rs.Estimate]
METHODS: dict[str, dict[str, Method]] = {
    "ROC-AUC": {
        "default": lambda ev, _: ev.roc_auc(),
        "Wald (DeLong)": lambda ev, _: ev.roc_auc(method="delong"),
    },
    "Average precision": {
        "default": lambda ev, _: ev.average_precision(),
        "percentile bootstrap": lambda ev, i: ev.average_precision(
            method="bootstrap-percentile", n_resamples=RESAMPLES, rng=i
        ),
    },
}


@dataclass(frozen=True)
class Coverage:
    """How often an interval held the truth, and how wide it was on average."""

    covered: int
    replicates: int
    width: float

    @property
    def share(self) -> float:
        """The coverage."""
        return self.covered / self.replicates

    @property
    def error(self) -> float:
        """Its Monte-Carlo error, one standard deviation."""
        return float(np.sqrt(self.share * (1 - self.share) / self.replicates))


def truth(measure: str, auc: float) -> float:
    """The population's value: normal scores of equal spread, one row in eleven positive."""
    if measure == "ROC-AUC":
        return auc
    shift = np.sqrt(2) * ndtri(auc)
    cuts = np.linspace(shift + 9, -9, 200_001)
    tpr, fpr = ndtr(shift - cuts), ndtr(-cuts)
    precision = SHARE * tpr / (SHARE * tpr + (1 - SHARE) * fpr)
    return float(np.sum((precision[1:] + precision[:-1]) / 2 * np.diff(tpr)))


def simulate(replicates: int) -> dict[tuple[str, str, float], Coverage]:
    """Coverage by measure, method and AUC; class sizes vary as those of a sample do."""
    found = {}
    for k, auc in enumerate(AUCS):
        rng = np.random.default_rng((SEED, k))
        tally = {(measure, name): [0, 0.0] for measure, named in METHODS.items() for name in named}
        for i in range(replicates):
            y = rng.random(ROWS) < SHARE
            ev = rs.evaluate(y, rng.normal(size=ROWS) + np.sqrt(2) * ndtri(auc) * y)
            for (measure, name), counts in tally.items():
                interval = METHODS[measure][name](ev, i).interval
                assert interval is not None
                counts[0] += interval.low <= truth(measure, auc) <= interval.high
                counts[1] += (interval.high - interval.low) / replicates
        for (measure, name), (covered, width) in tally.items():
            found[measure, name, auc] = Coverage(int(covered), replicates, width)
    return found


def draw(found: dict[tuple[str, str, float], Coverage]) -> Figure:
    """Coverage against AUC, with two Monte-Carlo errors on either side."""
    figure = Figure(figsize=(9.6, 4.2), layout="constrained")
    for ax, (measure, named) in zip(figure.subplots(1, 2, sharey=True), METHODS.items(), strict=True):
        ax.axhline(LEVEL, color="0.45", linewidth=1, linestyle=(0, (4, 2)))
        for name, colour, marker in zip(named, (BLUE, ORANGE), "os", strict=True):
            cells = [found[measure, name, auc] for auc in AUCS]
            ax.errorbar(range(len(AUCS)), [c.share for c in cells], [2 * c.error for c in cells], color=colour,
                        marker=marker, linewidth=2, capsize=2, label=name)  # fmt: skip
        ax.set(title=measure, xlabel="true AUC", xticks=range(len(AUCS)), xticklabels=[f"{a:g}" for a in AUCS])
        ax.legend(loc="lower left", frameon=False)
        ax.grid(axis="y", color="0.92")
    figure.axes[0].set(ylabel="intervals that hold the truth", ylim=(None, 1.005))
    return figure


def table(found: dict[tuple[str, str, float], Coverage]) -> str:
    """Markdown: coverage and mean width."""
    replicates = next(iter(found.values())).replicates
    lines = [
        "| measure | interval | " + " | ".join(f"AUC {a:g}" for a in AUCS) + " |",
        "|---|---|" + "---|" * len(AUCS),
    ]
    for measure, named in METHODS.items():
        for name in named:
            cells = (found[measure, name, auc] for auc in AUCS)
            lines.append(
                f"| {measure} | {name} | " + " | ".join(f"{c.share:.3f} ({c.width:.3f})" for c in cells) + " |"
            )
    error = np.sqrt(LEVEL * (1 - LEVEL) / replicates)
    return "\n".join([*lines, "", f"{replicates:,} data sets a column; the simulation error of a coverage of .95 is "
                                  f"{error:.4f}. In brackets the mean width."]) + "\n"  # fmt: skip


def main() -> None:
    """Simulate, draw, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--picture", type=Path, default=PICTURE)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    found = simulate(args.replicates)
    with mpl.rc_context({"svg.hashsalt": "rocsolid", "font.size": 10}):
        draw(found).savefig(args.picture, metadata={"Date": None} if args.picture.suffix == ".svg" else None)
    text = table(found)
    print(text)
    if args.write:
        fill(PAGE, "usual", __file__, text)


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore", rs.RocsolidWarning)
    main()
