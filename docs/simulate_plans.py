"""The tables of docs/explanation/planning.md and pooling.md: power claimed and had, coverage of pooled intervals.

    python -m docs.simulate_plans [--replicates 4000] [--write]

The studies are simulated by the functions of tests/statistical, in other numbers. Prints Markdown; ``--write`` puts
it into the pages. Takes some minutes.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from docs.pages import EXPLANATION, fill
from tests.statistical import test_planning as plans
from tests.statistical import test_summary_and_pooled_coverage as pooled

import rocsolid as rs

AGAINST = [
    (30, 60, 0.70, 0.50), (93, 186, 0.80, 0.70), (40, 200, 0.90, 0.80), (20, 40, 0.95, 0.80), (15, 100, 0.97, 0.90),
]  # fmt: skip
PAIRED = [
    (74, 74, 0.85, 0.80, 0.9), (100, 100, 0.80, 0.70, 0.3), (40, 160, 0.90, 0.80, 0.5), (30, 60, 0.95, 0.85, 0.5),
]  # fmt: skip
METHODS = ("conservative", "newcombe", "hanley-mcneil", "logit")
SIZES = ((5, 20), (10, 40), (20, 20), (20, 400), (100, 10), (60, 60), (60, 600))
SITES = [*pooled.POOLED, (10, 50, 100, 0.95, 0.3), (10, 10, 20, 0.9, 0.5)]


def table(head: list[str], rows: list[list[str]]) -> str:
    """Write Markdown."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def power_against(r: int) -> str:
    """One AUC against a value, by the three variances."""
    rows = []
    for m, n, auc, null in AGAINST:
        claimed = [
            f"{rs.power(rs.AucAgainst(auc=auc, null=null, variance=v), n_pos=m, n_neg=n).value:.3f}"
            for v in ("binormal", "hanley-mcneil", "obuchowski-binormal")
        ]
        rows.append([f"{m}/{n}", f"{auc:g} v. {null:g}", f"{plans.power_against(r, m, n, auc, null):.3f}", *claimed])
    return table(
        ["positives/negatives", "AUC", "simulated", "`binormal`", "`hanley-mcneil`", "`obuchowski-binormal`"], rows
    )


def power_paired(r: int) -> str:
    """DeLong's test of two models."""
    rows = []
    for m, n, a, b, rho in PAIRED:
        claimed = rs.power(rs.PairedDifference(auc_a=a, auc_b=b, correlation=rho), n_pos=m, n_neg=n).value
        had = plans.power_of_difference(r, m, n, a, b, rho)
        rows.append([f"{m}/{n}", f"{a:g} v. {b:g}", f"{rho:g}", f"{had:.3f}", f"{claimed:.3f}"])
    return table(["positives/negatives", "AUCs", "correlation of scores", "simulated", "`PairedDifference`"], rows)


def coverage_of_pools(r: int) -> str:
    """Coverage of the typical site by the three intervals, and of another site."""
    rows = []
    for k, m, n, auc, tau in SITES:
        found = [pooled.pooled_coverage(r, k, m, n, auc, tau, interval=i)
                 for i in ("hartung-knapp-modified", "hartung-knapp", "wald")]  # fmt: skip
        cells = [f"{mean:.3f}" for mean, _ in found]
        rows.append([str(k), f"{m}/{n}", f"{auc:g}", f"{tau:g}", *cells, f"{found[0][1]:.3f}"])
    return table(["sites", "rows of a site", "AUC", "tau", "`hartung-knapp-modified`", "`hartung-knapp`", "`wald`",
                  "prediction"], rows)  # fmt: skip


def below_all(auc: float) -> Callable[..., Any]:
    """Positives of which a share lies below all negatives, the others above all."""
    return lambda rng, k, m, n: (np.where(rng.random((k, m)) < auc, 9.0, -9.0), rng.uniform(size=(k, n)))


def coverage_from_summary(r: int) -> str:
    """Lowest and mean coverage, and mean width, of the methods from summary numbers."""
    found: dict[str, list[tuple[str, float, float]]] = {m: [] for m in METHODS}
    for m, n in SIZES:
        for auc in (0.6, 0.75, 0.9, 0.95, 0.975):
            draws = {f"b={b}": pooled.normal(auc, b) for b in (0.5, 1, 2)}
            draws |= {"stray": pooled.stray(auc), "below": below_all(auc)}
            for name, draw in draws.items():
                rng, areas = np.random.default_rng((m, n, round(1000 * auc))), []
                for _ in range(max(r // 100, 1)):
                    pos, neg = draw(rng, 100, m, n)
                    areas.append((pos[:, :, None] > neg[:, None, :]).mean((1, 2)))
                values, counts = np.unique(np.concatenate(areas), return_counts=True)
                for method in METHODS:
                    made = [rs.interval_from_summary(auc=a, n_pos=m, n_neg=n, method=method).interval for a in values]
                    hit = np.array([i is not None and auc in i for i in made])
                    width = np.array([0 if i is None else i.width for i in made])
                    found[method].append((name, *(float(np.average(x, weights=counts)) for x in (hit, width))))
    rows = []
    for method, cells in found.items():
        apart = [min(c for name, c, _ in cells if (name == "below") == below) for below in (False, True)]
        mean, width = (float(np.mean([cell[i] for cell in cells])) for i in (1, 2))
        rows.append([f"`{method}`", *(f"{x:.3f}" for x in (*apart, mean, width))])
    return table(["method", "lowest", "lowest with positives below all", "mean", "mean width"], rows)


def main() -> None:
    """Simulate, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=4000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore", rs.RocsolidWarning)
    r = options.replicates
    tables: dict[tuple[str, str], Callable[[int], Any]] = {
        ("planning", "against"): power_against,
        ("planning", "paired"): power_paired,
        ("planning", "summary"): lambda r: coverage_from_summary(r // 2),
        ("pooling", "sites"): lambda r: coverage_of_pools(max(r // 4, 1)),
    }
    for (page, key), build in tables.items():
        text = build(r)
        print(text, end="\n\n", flush=True)
        if options.write:
            fill(EXPLANATION / f"{page}.md", key, __file__, text)


if __name__ == "__main__":
    main()
