"""The picture and the table of docs/explanation/bands.md: bands beside a percentile bootstrap, and what they cover.

    python -m docs.draw_bands [--replicates 500] [--picture docs/assets/bands.svg] [--write]

``--write`` puts the table into the page. Takes some minutes.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
from docs.pages import fill
from matplotlib.figure import Figure
from scipy.special import ndtr, ndtri

import rocsolid as rs

HERE = Path(__file__).parent
PAGE, PICTURE = HERE / "explanation" / "bands.md", HERE / "assets" / "bands.svg"
BLUE, ORANGE = "#0072B2", "#D55E00"
FPRS = np.array([0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95])
SHOWN = [0.01, 0.05, 0.1, 0.3, 0.7]
TAIL = np.geomspace(1e-5, 0.5, 100)
WHOLE = np.r_[TAIL, 1 - TAIL[-2::-1]]


@dataclass(frozen=True)
class Population:
    """Binormal: TPR = Phi(a + b Phi^-1(FPR)); m positives and n negatives are drawn."""

    m: int
    n: int
    auc: float
    b: float

    def tpr(self, x: np.ndarray) -> np.ndarray:
        """The true curve."""
        return ndtr(ndtri(self.auc) * np.hypot(1, self.b) + self.b * ndtri(x))

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Labels and scores."""
        positives = (ndtri(self.auc) * np.hypot(1, self.b) + rng.normal(size=self.m)) / self.b
        return np.repeat([1, 0], [self.m, self.n]), np.r_[positives, rng.normal(size=self.n)]


DRAWN = Population(50, 200, 0.9, 1.0)
POPULATIONS = [
    Population(20, 50, 0.9, 1.0), Population(50, 500, 0.7, 0.5), DRAWN, Population(200, 50, 0.9, 0.5),
    Population(200, 200, 0.98, 1.0),
]  # fmt: skip


def percentile(y: np.ndarray, s: np.ndarray, x: np.ndarray, rng: np.random.Generator, times: int = 300) -> np.ndarray:
    """(2, len(x)) percentile limits of the empirical TPR at each FPR, rows drawn within their class."""
    positives, negatives = s[y == 1], s[y == 0]
    curves = np.empty((times, len(x)))
    for row in curves:
        p, n = (np.sort(rng.choice(scores, len(scores))) for scores in (positives, negatives))
        cut = n[len(n) - 1 - np.floor(x * len(n)).astype(int).clip(0, len(n) - 1)]
        row[:] = 1 - np.searchsorted(p, cut, "right") / len(p)
    return np.quantile(curves, [0.025, 0.975], axis=0)


def limits(band: rs.Band, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What ``band.at`` gives, at many x at once."""
    return band._limits(x)


def covered(population: Population, replicates: int) -> dict[str, np.ndarray]:
    """Share of replicates that contain the truth: at each FPR, and for the whole curve."""
    truth, whole, hits = population.tpr(FPRS), population.tpr(WHOLE), {}
    for seed in range(replicates):
        rng = np.random.default_rng((seed, 31))
        y, s = population.draw(rng)
        ev = rs.evaluate(y, s)
        found = {
            "ellipse": (limits(ev.band("roc", kind="pointwise"), FPRS), truth),
            "jeffreys": (limits(ev.band("roc", kind="pointwise", method="jeffreys"), FPRS), truth),
            "bootstrap": (percentile(y, s, FPRS, rng), truth),
            "whole ellipse": (limits(ev.band("roc"), WHOLE), whole),
            "whole rectangle": (limits(ev.band("roc", guarantee=True), WHOLE), whole),
        }
        for name, ((low, high), true) in found.items():
            inside = (low <= true) & (true <= high)
            hits[name] = hits.get(name, 0) + (inside.all(keepdims=True) if name.startswith("whole") else inside)
    return {name: count / replicates for name, count in hits.items()}


def table(results: dict[Population, dict[str, np.ndarray]], replicates: int) -> str:
    """Markdown."""
    at = [int(np.flatnonzero(x == FPRS)[0]) for x in SHOWN]
    lines = [
        f"Nominal 0.95, {replicates} replicates a row (standard error of .95: {(0.0475 / replicates) ** 0.5:.3f}).",
        "\"At\" columns: coverage at FPR " + ", ".join(f"{x:g}" for x in SHOWN) + " of the pointwise limits,",
        "the bootstrap's by percentiles. \"Whole\" columns: of the whole curve by simultaneous bands.\n",
        "| n+ / n- | AUC | b | at: ellipse | at: jeffreys | at: bootstrap | whole: ellipse | whole: rectangle |",
        "|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for p, found in results.items():
        cells = [" ".join(f"{v:.3f}" for v in found[k][at]) for k in ("ellipse", "jeffreys", "bootstrap")]
        whole = [f"{found[k][0]:.3f}" for k in ("whole ellipse", "whole rectangle")]
        lines.append(f"| {p.m} / {p.n} | {p.auc:g} | {p.b:g} | {' | '.join(cells + whole)} |")
    return "\n".join(lines) + "\n"


def draw(found: dict[str, np.ndarray]) -> Figure:
    """Left one sample with its bands, right the coverage of each at every FPR."""
    figure = Figure(figsize=(9.6, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    rng = np.random.default_rng(1)
    y, s = DRAWN.draw(rng)
    ev, fine = rs.evaluate(y, s), np.linspace(0, 1, 401)
    band, roc = ev.band("roc", kind="pointwise"), ev.curve("roc")
    left.fill_between(
        band.x, band.low, band.high, color=BLUE, alpha=0.2, linewidth=0, label="ellipse band, 95 % at each FPR"
    )
    low, high = percentile(y, s, fine, rng, 2000)
    for line, label in ((low, "percentile bootstrap"), (high, None)):
        left.step(fine, line, color=ORANGE, linestyle=(0, (4, 1.5)), linewidth=1.2, label=label)
    left.plot(roc.fpr, roc.tpr, color=BLUE, linewidth=1.5, label=f"sample: {DRAWN.m} positives, {DRAWN.n} negatives")
    left.plot(fine, DRAWN.tpr(fine), color="black", linewidth=1, label="true curve")
    left.set(
        xlim=(0, 0.5), ylim=(0.2, 1), xlabel="False-positive rate", ylabel="True-positive rate", title="One sample"
    )
    left.legend(loc="lower right", frameon=False)
    right.axhline(0.95, color="0.6", linewidth=1)
    right.plot(FPRS, found["ellipse"], "o-", color=BLUE, label="ellipse band")
    right.plot(FPRS, found["bootstrap"], "s--", color=ORANGE, label="percentile bootstrap")
    right.set(xscale="log", ylim=(0, 1.02), xlabel="False-positive rate", title="How often the true curve is inside")
    right.legend(loc="lower left", frameon=False)
    for ax in (left, right):
        ax.grid(color="0.92")
    return figure


def main() -> None:
    """Simulate, draw, print; the same bytes each time."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--replicates", type=int, default=500)
    parser.add_argument("--picture", type=Path, default=PICTURE)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    populations = POPULATIONS if options.write else [DRAWN]
    results = {p: covered(p, options.replicates) for p in populations}
    text = table(results, options.replicates)
    print(text)
    if options.write:
        fill(PAGE, "coverage", __file__, text)
    with mpl.rc_context({"svg.hashsalt": "rocsolid", "font.size": 10}):
        metadata = {"Date": None} if options.picture.suffix == ".svg" else None
        draw(results[DRAWN]).savefig(options.picture, metadata=metadata)
    print(options.picture)


if __name__ == "__main__":
    main()
