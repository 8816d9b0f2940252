"""The table of docs/explanation/comparison.md: what intervals of differences cover, and how often tests reject.

    python -m docs.simulate_comparisons [--replicates 2000] [--write]

Two models on the same rows, normal scores with a correlation of .6 within each class; some in clusters of four rows
that share half of their variance. Takes some minutes.
"""

from __future__ import annotations

import argparse
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from docs.pages import fill
from scipy.special import ndtri

import rocsolid as rs

PAGE = Path(__file__).parent / "explanation" / "comparison.md"
CORRELATION, SEED = 0.6, 4


@dataclass(frozen=True)
class Population:
    """m positives and n negatives, scored by two models; ``rows`` of them in each cluster."""

    m: int
    n: int
    aucs: tuple[float, float]
    rows: int = 1

    def __str__(self) -> str:
        """Name it as the table does."""
        a, b = self.aucs
        clusters = f", {(self.m + self.n) // self.rows} clusters" if self.rows > 1 else ""
        return f"{self.m}/{self.n}{clusters} | {a:g} and {b:g}"

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray]:
        """Labels, scores, clusters."""
        y = np.repeat(rng.permutation(np.repeat([1, 0], [self.m // self.rows, self.n // self.rows])), self.rows)
        cluster = np.arange(self.m + self.n) // self.rows
        shared = rng.normal(size=(2, cluster[-1] + 1))[:, cluster] if self.rows > 1 else 0.0
        own = rng.normal(size=(2, len(y)))
        noise = np.sqrt(0.5) * (shared + own) if self.rows > 1 else own
        both = noise[0], CORRELATION * noise[0] + np.sqrt(1 - CORRELATION**2) * noise[1]
        shifts = np.sqrt(2) * ndtri(self.aucs)
        return y, {name: x + shift * y for name, x, shift in zip("ab", both, shifts, strict=True)}, cluster


POPULATIONS = (
    Population(20, 20, (0.8, 0.8)), Population(30, 300, (0.8, 0.8)), Population(100, 100, (0.8, 0.8)),
    Population(30, 300, (0.95, 0.95)), Population(20, 20, (0.97, 0.99)), Population(30, 300, (0.97, 0.99)),
    Population(60, 60, (0.8, 0.8), rows=4), Population(120, 120, (0.9, 0.8), rows=4),
)  # fmt: skip


def simulate(population: Population, replicates: int) -> dict[str, float]:
    """Shares of data sets: intervals that hold the true difference, and p values below .05."""
    rng = np.random.default_rng((SEED, POPULATIONS.index(population)))
    truth, clustered = population.aucs[0] - population.aucs[1], population.rows > 1
    kinds = [("auto", clustered), ("auto" if clustered else "delong", False)]
    tally = np.zeros((2, 2))
    for _ in range(replicates):
        y, scores, cluster = population.draw(rng)
        for k, (method, by_cluster) in enumerate(kinds):
            found = rs.compare(y, scores, method=method, cluster=cluster if by_cluster else None)
            assert found.interval is not None
            tally[k] += found.interval.low <= truth <= found.interval.high, found.pvalue < 0.05
    share = tally / replicates
    return {"covers": share[0, 0], "rejects": share[0, 1], "usual covers": share[1, 0], "usual rejects": share[1, 1]}


def table(replicates: int) -> str:
    """Markdown, a row a population."""
    lines = [
        "| positives/negatives | true AUCs | default: covers | rejects | usual: covers | rejects |",
        "|---|---|---|---|---|---|",
    ]
    for population in POPULATIONS:
        found = simulate(population, replicates)
        lines.append(f"| {population} | " + " | ".join(f"{v:.3f}" for v in found.values()) + " |")
    error = np.sqrt(0.95 * 0.05 / replicates)
    return "\n".join([*lines, "", f"{replicates:,} data sets a row; simulation error of .95 or .05: {error:.4f}.", ""])


def main() -> None:
    """Simulate, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    text = table(args.replicates)
    print(text)
    if args.write:
        fill(PAGE, "simulated", __file__, text)


if __name__ == "__main__":
    warnings.simplefilter("ignore", rs.RocsolidWarning)
    main()
