"""The tables of docs/explanation/regression.md: coverage of intervals of errors and concordance, size of comparisons.

    python -m docs.simulate_regression [--replicates 2000] [--write] [TABLE ...]

The data sets are simulated by the functions of tests/statistical, in other numbers. Prints Markdown; ``--write`` puts
it into the page. Takes some minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from docs.pages import EXPLANATION, fill
from docs.simulate_plans import table
from tests.statistical import test_regression_coverage as t

SIZES = (10, 20, 50, 200, 1000)
SHORT = (10, 20, 50, 200)
ROWS = [str(n) for n in SIZES]


def share(p: float) -> str:
    """Write a share as the other pages do."""
    return f"{p:.3f}".removeprefix("0")


def errors(r: int) -> str:
    """Mean absolute and mean squared error by log-t, every distribution of errors."""
    rows = []
    for kind in t.ERRORS:
        for measure, name in (("mean_absolute_error", "MAE"), ("mean_squared_error", "MSE")):
            found = [share(t.of_errors(r, kind, n, measure, "log-t")[0]) for n in SIZES]
            rows.append([kind, name, *found])
    return table(["errors", "", *ROWS], rows)


def shares(r: int) -> str:
    """R squared by log-t."""
    rows = []
    for kind in ("normal", "Laplace", "t(3)", "exponential"):
        for true in (0.1, 0.5, 0.9, 0.99):
            rows.append([kind, f"{true:g}", *(share(t.of_shares(r, true, n, kind)[0]) for n in SHORT)])
    return table(["errors", "R squared", *map(str, SHORT)], rows)


def orders(r: int) -> str:
    """The concordance index by its default, and by Wald."""
    rows = []
    for kind in t.ORDERS:
        for method, name in (("auto", "default"), ("influence", "Wald")):
            rows.append([kind, name, *(share(t.of_orders(r, kind, n, method)[0]) for n in SHORT)])
    return table(["outcomes and predictions", "", *map(str, SHORT)], rows)


def clusters(r: int) -> str:
    """Rows in clusters."""
    rows = []
    for measure in ("mean_absolute_error", "concordance_index"):
        for size, icc in ((2, 0.3), (2, 0.8), (5, 0.3), (5, 0.8)):
            found = [share(t.of_clusters(r, measure, groups, size, icc)[0]) for groups in (10, 20, 50)]
            rows.append([measure, f"{size}", f"{icc:g}", *found])
    return table(["measure", "rows a cluster", "correlation", "10 clusters", "20", "50"], rows)


def comparisons(r: int) -> str:
    """Size of the t test where models are equally good; coverage of the joined interval."""
    rows = []
    for kind in ("normal", "t(3)", "exponential"):
        for measure in ("mean_absolute_error", "mean_squared_error", "r2_score", "concordance_index"):
            found = [[t.of_comparison(r, measure, n, kind, c) for c in (0.3, 0.9)] for n in (10, 20, 100)]
            sizes = [" ".join(share(size) for size, _ in pair) for pair in found]
            rows.append([kind, measure, *sizes])
    return table(["errors", "measure", "10", "20", "100"], rows)


def differences(r: int) -> str:
    """Coverage of the joined interval of the difference of two mean absolute errors."""
    rows = []
    for kind in ("normal", "Laplace", "t(3)", "exponential", "lognormal"):
        for ratio in (1.0, 1.5, 3.0):
            found = [
                " ".join(share(t.of_comparison(r, "mean_absolute_error", n, kind, c, ratio)[1]) for c in (0.3, 0.9))
                for n in (10, 20, 100)
            ]
            rows.append([kind, f"{ratio:g}", *found])
    return table(["errors", "times as large", "10", "20", "100"], rows)


def concordances(r: int) -> str:
    """Coverage of the joined interval of the difference of two concordance indices."""
    rows = []
    for a, b in ((0.5, 0.5), (0.7, 0.3), (0.9, 0.9), (0.95, 0.8), (0.99, 0.95)):
        found = [" ".join(share(t.of_two_orders(r, n, a, b, c)) for c in (0.3, 0.9)) for n in (10, 20, 60)]
        rows.append([f"{a:g} and {b:g}", *found])
    return table(["correlations", "10", "20", "60"], rows)


TABLES: dict[str, Callable[[int], str]] = {
    "errors": errors, "shares": shares, "orders": orders, "clusters": clusters, "comparisons": comparisons,
    "differences": differences, "concordances": concordances,
}  # fmt: skip


def main() -> None:
    """Simulate and print, or write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("tables", nargs="*", help="which of them; all by default")
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if set(options.tables) - set(TABLES):
        parser.error(f"tables are {', '.join(TABLES)}")
    for key in options.tables or TABLES:
        text = TABLES[key](options.replicates)
        print(f"{key}\n\n{text}\n", flush=True)
        if options.write:
            fill(EXPLANATION / "regression.md", key, __file__, text)


if __name__ == "__main__":
    main()
