"""The tables of docs/explanation/intervals.md: how often intervals contain the true value, with strays, with ties.

The large grid, of every interval and test, is `make simulate`.

    python -m docs.simulate_coverage [--replicates 4000] [--seed 1] [--write]

Prints Markdown; ``--write`` puts it into the page. Takes some minutes: every
replicate goes through the package as a user's data would.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from docs.pages import fill
from scipy import integrate, stats

import rocsolid as rs
from rocsolid.errors import UndefinedMeasureError

PAGE = Path(__file__).parent / "explanation" / "intervals.md"

Sample = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Cell:
    """A population and a size: how to draw a data set, and the true value."""

    population: str
    size: str
    draw: Sample
    truth: float


# ----------------------------------------------------------------------------------------------- ROC-AUC


def two_classes(m: int, n: int, pos: Callable[..., np.ndarray], neg: Callable[..., np.ndarray]) -> Sample:
    """Draw m positives and n negatives."""
    y = np.repeat([1, 0], [m, n])
    return lambda rng: (y, np.concatenate([pos(rng, m), neg(rng, n)]))


def normal_shift(auc: float, sd: float) -> float:
    """Mean of the positives that gives this AUC beside standard normal negatives."""
    return float(stats.norm.ppf(auc) * np.sqrt(1 + sd * sd))


def stray(rng: np.random.Generator, n: int) -> np.ndarray:
    """Positives of which one in twenty scores like a negative."""
    return rng.normal(size=n) + normal_shift(0.975, 1) * (rng.random(n) >= 0.05)


def auc_cells() -> Iterator[Cell]:
    """Five populations in four sizes."""
    plain = np.random.Generator.normal
    for m, n in ((10, 40), (20, 400), (60, 600), (300, 3000)):
        size = f"{m}/{n}"
        for auc, sd, name in ((0.8, 1.0, "normal, AUC .80"), (0.95, 1.0, "normal, AUC .95"),
                              (0.95, 2.0, "positives twice as wide, .95")):  # fmt: skip
            shift = normal_shift(auc, sd)
            yield Cell(
                name,
                size,
                two_classes(m, n, lambda r, k, a=shift, b=sd: r.normal(a, b, k), lambda r, k: plain(r, size=k)),
                auc,
            )
        yield Cell("5 % stray positives, .951", size, two_classes(m, n, stray, lambda r, k: plain(r, size=k)), 0.95125)
        yield Cell(
            "yes/no score, .925",
            size,
            two_classes(m, n, lambda r, k: 1.0 * (r.random(k) < 0.9), lambda r, k: 1.0 * (r.random(k) < 0.05)),
            0.925,
        )


# ------------------------------------------------------------------------------------ average precision


def true_ap(mu: float, sd: float, share: float) -> float:
    """Average precision in the population: the mean precision at a positive's score."""

    def precision_times_density(x: float) -> float:
        hit = share * stats.norm.sf(x, mu, sd)
        false = (1 - share) * stats.norm.sf(x)
        return float(hit / (hit + false) * stats.norm.pdf(x, mu, sd)) if hit + false > 0 else 0.0

    return float(integrate.quad(precision_times_density, mu - 10 * sd, mu + 10 * sd, limit=500, points=[mu])[0])


def sampled_rows(total: int, share: float, mu: float, sd: float) -> Sample:
    """Draw rows of which a random number is positive, at least five."""

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        y = np.zeros(0)
        while y.sum() < 5:
            y = (rng.random(total) < share).astype(int)
        return y, np.where(y == 1, rng.normal(mu, sd, total), rng.normal(size=total))

    return draw


def ap_cells() -> Iterator[Cell]:
    """Three populations in five sizes."""
    for total, share in ((300, 0.1), (1000, 0.02), (1000, 0.1), (1000, 0.5), (5000, 0.02)):
        for mu, sd, name in ((1.0, 1.0, "d' 1"), (2.0, 1.0, "d' 2"), (3.0, 0.5, "d' 3, positives half as wide")):
            yield Cell(name, f"{total} at {share:g}", sampled_rows(total, share, mu, sd), true_ap(mu, sd, share))


# ------------------------------------------------------------------------------------------ the tables


def covered(cell: Cell, measure: str, methods: Sequence[str], replicates: int, seed: int) -> tuple[list, list]:
    """Coverage and mean width of each method in one cell; an interval that does not exist covers nothing."""
    rng = np.random.default_rng(seed)
    hits, widths = np.zeros(len(methods)), np.zeros(len(methods))
    for _ in range(replicates):
        ev = rs.evaluate(*cell.draw(rng))
        for i, method in enumerate(methods):
            try:
                interval = ev.measure(measure, method=method).interval
            except UndefinedMeasureError:
                continue
            if interval is not None:
                hits[i] += cell.truth in interval
                widths[i] += interval.width
    return list(hits / replicates), list(widths / replicates)


def table(title: str, cells: Iterator[Cell], measure: str, methods: Sequence[str], options: argparse.Namespace) -> str:
    """Write one table: sizes down, methods across, lowest and highest coverage over the populations."""
    results: dict[str, list[tuple[list, list]]] = {}
    for number, cell in enumerate(cells):
        found = covered(cell, measure, methods, options.replicates, options.seed * 1000 + number)
        results.setdefault(cell.size, []).append(found)
    lines = [f"| {title} | " + " | ".join(f"`{m}`" for m in methods) + f" | width over `{methods[-1]}` |"]
    lines.append("|---" * (len(methods) + 2) + "|")
    for size, found in results.items():
        columns = [span([f[0][i] for f in found], 3) for i in range(len(methods))]
        ratio = span([f[1][0] / f[1][-1] for f in found], 2)
        lines.append(f"| {size} | " + " | ".join(columns) + f" | {ratio} |")
    return "\n".join(lines)


def span(values: list[float], digits: int) -> str:
    """Lowest and highest, without the leading zero."""
    return " to ".join(f"{v:.{digits}f}".removeprefix("0") for v in (min(values), max(values)))


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", rs.RocsolidWarning)
    auc_methods = ("effective-error", "newcombe", "logit", "delong")
    ap_methods = ("effective-error", "boyd", "influence")
    parts = [
        table("ROC-AUC, positives/negatives", auc_cells(), "roc_auc", auc_methods, options),
        table("average precision, rows at prevalence", ap_cells(), "average_precision", ap_methods, options),
    ]
    text = "\n\n".join(parts)
    print(text)
    if options.write:
        fill(PAGE, "simulated", __file__, text)


if __name__ == "__main__":
    main()
