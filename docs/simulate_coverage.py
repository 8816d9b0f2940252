"""The tables of docs/explanation/intervals.md: how often intervals contain the true value.

    python docs/simulate_coverage.py [--replicates 4000] [--seed 1] [--write]

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
from scipy import integrate, stats
from scipy.special import digamma

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


# --------------------------------------------------------------------------------------- mean losses


def calibrated(n: int, a: float, b: float) -> Sample:
    """Draw calibrated Beta(a, b) probabilities and what happened."""

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        p = rng.beta(a, b, n)
        return (rng.random(n) < p).astype(int), p

    return draw


def loss_cells(loss: str) -> Iterator[Cell]:
    """Calibrated probabilities, moderate, sharp and rare, in three sizes."""
    for n in (30, 100, 1000):
        for a, b, name in ((2.0, 2.0, "moderate"), (0.3, 0.3, "sharp"), (0.5, 9.5, "rare")):
            if loss == "brier_score":
                truth = a * b / ((a + b) * (a + b + 1))
            else:  # mean binary entropy under Beta(a, b), in closed form
                mean = a / (a + b)
                truth = float(digamma(a + b + 1) - mean * digamma(a + 1) - (1 - mean) * digamma(b + 1))
            yield Cell(f"{name}: Beta({a:g}, {b:g})", str(n), calibrated(n, a, b), truth)


# ----------------------------------------------------------- partial areas, AP at another prevalence, costs


Curve = tuple[np.ndarray, np.ndarray]


def binormal(auc: float, sd: float, stray_share: float = 0.0) -> tuple[Callable[..., np.ndarray], Curve]:
    """Draw positives beside standard normal negatives; and the exact curve, points dense along both axes."""
    shift = normal_shift(auc, sd)
    cuts = np.linspace(9 + shift + 9 * sd, min(-9, shift - 9 * sd), 400_001)
    tpr = (1 - stray_share) * stats.norm.sf(cuts, shift, sd) + stray_share * stats.norm.sf(cuts)

    def pos(rng: np.random.Generator, k: int) -> np.ndarray:
        return np.where(rng.random(k) < stray_share, rng.normal(size=k), rng.normal(shift, sd, k))

    return pos, (stats.norm.sf(cuts), tpr)


POPULATIONS = ((0.8, 1.0, 0.0), (0.95, 1.0, 0.0), (0.9, 2.0, 0.0), (0.9, 0.5, 0.0), (0.95, 1.0, 0.05))
"""AUC, spread of the positives, share of stray ones."""


def area_between(curve: Curve, low: float, high: float) -> float:
    """Area under a dense curve over a range of its first coordinate."""
    at = np.linspace(low, high, 20_001)
    return float(np.trapezoid(np.interp(at, *curve), at))


def partial_cells(low: float, high: float, on_tpr: bool) -> Iterator[Cell]:
    """Five populations in four sizes."""
    for m, n in ((10, 40), (20, 400), (60, 60), (100, 1000)):
        for auc, sd, share in POPULATIONS:
            pos, (fpr, tpr) = binormal(auc, sd, share)
            seen = ((1 - tpr)[::-1], (1 - fpr)[::-1]) if on_tpr else (fpr, tpr)
            truth = area_between(seen, *((1 - high, 1 - low) if on_tpr else (low, high)))
            draw = two_classes(m, n, pos, lambda r, k: r.normal(size=k))
            yield Cell(f"{auc}, {sd}, {share}", f"{m}/{n}", draw, truth)


def adjusted_cells(prevalence: float) -> Iterator[Cell]:
    """Five populations in three sizes."""
    for m, n in ((30, 300), (100, 1000), (500, 5000)):
        for auc, sd, share in POPULATIONS:
            pos, (fpr, tpr) = binormal(auc, sd, share)
            hits = prevalence * tpr
            flagged = hits + (1 - prevalence) * fpr
            precision = np.divide(hits, flagged, out=np.ones_like(hits), where=flagged > 0)
            truth = float((np.diff(tpr) * (precision[1:] + precision[:-1]) / 2).sum())
            draw = two_classes(m, n, pos, lambda r, k: r.normal(size=k))
            yield Cell(f"{auc}, {sd}, {share}", f"{m}/{n} at {prevalence:g}", draw, truth)


def decision_cells(worth: tuple[float, float, float]) -> Iterator[Cell]:
    """Yes/no decisions at four qualities; ``worth`` of a true positive, a false positive and a miss."""
    for n in (40, 100, 400, 2000):
        for share in (0.05, 0.2, 0.5):
            for tpr, fpr in ((0.6, 0.02), (0.8, 0.1), (0.95, 0.01), (0.99, 0.3)):
                hit, false, miss = share * tpr, (1 - share) * fpr, share * (1 - tpr)

                def draw(
                    rng: np.random.Generator, n: int = n, share: float = share, tpr: float = tpr, fpr: float = fpr
                ) -> tuple[np.ndarray, np.ndarray]:
                    y = (rng.random(n) < share).astype(int)
                    return y, np.where(rng.random(n) < np.where(y == 1, tpr, fpr), 0.7, 0.3)

                truth = worth[0] * hit + worth[1] * false + worth[2] * miss
                yield Cell(f"{share}, {tpr}, {fpr}", str(n), draw, truth)


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


def smooth_tables(options: argparse.Namespace) -> Iterator[str]:
    """Write the tables of partial areas, of average precision at another prevalence, and of sums over cells."""
    both = ("effective-error", "influence")
    for low, high, axis in ((0.0, 0.1, "fpr"), (0.1, 0.3, "fpr"), (0.8, 1.0, "tpr")):
        cells = partial_cells(low, high, axis == "tpr")
        spec = f"partial_auc(min_{axis}={low}, max_{axis}={high})"
        yield table(f"partial area, {axis.upper()} {low:g} to {high:g}", cells, spec, both, options)
    for prevalence in (0.01, 0.1):
        spec = f"average_precision(prevalence={prevalence})"
        yield table(
            "average precision, positives/negatives at a prevalence", adjusted_cells(prevalence), spec, both, options
        )
    sums = (
        ("net benefit at .5, rows", "net_benefit(threshold=0.5)", (1.0, -1.0, 0.0)),
        (
            "expected cost, misses 20 times as dear, rows",
            "expected_cost(threshold=0.5, cost_fp=1, cost_fn=20)",
            (0.0, 1.0, 20.0),
        ),
    )
    for title, spec, worth in sums:
        yield table(title, decision_cells(worth), spec, ("mover", "influence"), options)


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
        table("Brier score, rows", loss_cells("brier_score"), "brier_score", ("effective-error", "influence"), options),
        table("log loss, rows", loss_cells("log_loss"), "log_loss", ("log-t", "influence"), options),
        *smooth_tables(options),
    ]
    text = "\n\n".join(parts)
    print(text)
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        head, begin, rest = page.partition("<!-- simulated: written by docs/simulate_coverage.py -->\n")
        _, end, tail = rest.partition("<!-- end -->")
        PAGE.write_text(f"{head}{begin}\n{text}\n\n{end}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
