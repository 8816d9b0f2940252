"""The tables of docs/explanation/bootstrap.md: coverage of bootstrap intervals, size of the permutation tests.

    python -m docs.simulate_bootstrap [--replicates 2000] [--write]

Prints Markdown; ``--write`` puts it into the page. 1,999 resamples an interval, 199 exchanges a test. Minutes.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from docs.pages import fill
from docs.simulate_coverage import Cell, normal_shift, sampled_rows, true_ap

import rocsolid as rs
from rocsolid.inference.permutation import paired_permutation
from rocsolid.inference.venkatraman import paired_venkatraman, unpaired_venkatraman

PAGE = Path(__file__).parent / "explanation" / "bootstrap.md"
KINDS = ("percentile", "basic", "bca", "logit")


def cells(measure: str) -> Iterator[Cell]:
    """Normal scores at several sizes: rows of which a random number is positive, at least five."""
    if measure == "roc_auc":
        sizes = ((60, 0.5, 0.8), (50, 0.2, 0.9), (200, 0.1, 0.95), (110, 0.1, 0.97), (400, 0.05, 0.8), (2000, 0.2, 0.9))
        for total, share, auc in sizes:
            yield Cell(f"AUC {auc}", f"{total:,} at {share}", sampled_rows(total, share, normal_shift(auc, 1), 1), auc)
        return
    for total, share, mu, sd in (
        (100, 0.5, 1, 1), (100, 0.1, 1.5, 1), (300, 0.1, 2, 1), (1000, 0.02, 1.5, 1), (1000, 0.1, 1, 1),
        (1000, 0.5, 3, 0.5), (5000, 0.02, 2, 1),
    ):  # fmt: skip
        truth = true_ap(mu, sd, share)
        yield Cell(f"AP {truth:.3f}", f"{total:,} at {share}", sampled_rows(total, share, mu, sd), truth)


def coverage_table(measure: str, replicates: int) -> list[str]:
    """Coverage and mean width of each kind of limits, and of the default interval, one line a cell."""
    methods = [f"bootstrap-{kind}" for kind in KINDS] + ["auto"]
    lines = ["| rows at prevalence | population | " + " | ".join(f"`{m}`" for m in methods) + " |",
             "|---|---|" + "---|" * len(methods)]  # fmt: skip
    for cell in cells(measure):
        hits, width = np.zeros(len(methods)), np.zeros(len(methods))
        for seed in range(replicates):
            evaluation = rs.evaluate(*cell.draw(np.random.default_rng((seed, 11))))
            for i, method in enumerate(methods):
                drawn = {} if method == "auto" else {"n_resamples": 1999, "rng": seed}
                interval = evaluation.measure(measure, method=method, **drawn).interval
                if interval is not None:
                    hits[i] += cell.truth in interval
                    width[i] += interval.width
        entries = (f"{h / replicates:.3f} ({w / replicates:.3f})" for h, w in zip(hits, width, strict=True))
        lines.append(f"| {cell.size} | {cell.population} | " + " | ".join(entries) + " |")
    return lines


def two_models(rng: np.random.Generator, m: int, n: int, d: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, and two models with equal curves whose scores share half of their variance, on different scales."""
    y = np.arange(m + n) < m
    common, own = rng.normal(size=m + n), rng.normal(size=(2, m + n))
    a, b = (common + own) / np.sqrt(2) + d * y
    return y, a, np.exp(b)


def size_table(replicates: int) -> list[str]:
    """Share of p values of at most .05 where the null hypothesis holds."""
    lines = ["| positives/negatives | AUC | permutation, AUC | permutation, AP | Venkatraman, paired | unpaired |",
             "|---|---|---|---|---|---|"]  # fmt: skip
    auc, ap = rs.measures.find("roc_auc"), rs.measures.find("average_precision")
    for m, n, area in ((10, 10, 0.75), (20, 80, 0.8), (40, 40, 0.95)):
        rejected = np.zeros(4)
        for seed in range(replicates):
            rng = np.random.default_rng((seed, 12))
            y, a, b = two_models(rng, m, n, normal_shift(area, 1))
            other, _, c = two_models(rng, m, n, normal_shift(area, 1))
            drawn = {"n_resamples": 199, "rng": seed}
            found = (
                paired_permutation(auc, y, a, b, **drawn), paired_permutation(ap, y, a, b, **drawn),
                paired_venkatraman(y, a, b, **drawn), unpaired_venkatraman(y, a, other, c, **drawn),
            )  # fmt: skip
            rejected += [result.pvalue <= 0.05 for result in found]
        lines.append(f"| {m}/{n} | {area} | " + " | ".join(f"{r / replicates:.3f}" for r in rejected) + " |")
    return lines


def main() -> None:
    """Print the tables, or put them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    warnings.simplefilter("ignore", rs.RocsolidWarning)
    parts = ["**ROC-AUC**", "", *coverage_table("roc_auc", args.replicates), "", "**Average precision**", ""]
    parts += [*coverage_table("average_precision", args.replicates), "", "**Size of tests at .05**", ""]
    text = "\n".join([*parts, *size_table(args.replicates)])
    print(text)
    if args.write:
        fill(PAGE, "simulated", __file__, text)


if __name__ == "__main__":
    main()
