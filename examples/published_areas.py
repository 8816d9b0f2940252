"""How sure is an AUC of which only the value and the class sizes are known? Needs SciPy.

Hanley and McNeil's standard error answers for exponential scores, the conservative interval for any. The scarcer class
decides: a hundred times as many negatives do not make up for a fifth of the positives.

python examples/published_areas.py
"""

from __future__ import annotations

import rocsolid as rs

PUBLISHED = ((0.90, 50, 50_000), (0.90, 250, 360), (0.97, 25, 36))


def standard_errors() -> list[float]:
    """Hanley and McNeil's, one a line of the table."""
    return [
        float(rs.interval_from_summary(auc=a, n_pos=m, n_neg=n).details["hanley_mcneil_se"]) for a, m, n in PUBLISHED
    ]


def intervals(method: str = "hanley-mcneil") -> list[tuple[float, float]]:
    """Their intervals at 95 %."""
    found = [rs.interval_from_summary(auc=a, n_pos=m, n_neg=n, method=method).interval for a, m, n in PUBLISHED]
    return [(interval.low, interval.high) for interval in found if interval is not None]


def main() -> None:
    """Print the table."""
    print("AUC   n+   n-     SE        Hanley-McNeil  conservative")
    for (auc, m, n), se, (low, high), (wide_low, wide_high) in zip(
        PUBLISHED, standard_errors(), intervals(), intervals("conservative"), strict=True
    ):
        print(f"{auc:.2f}  {m:<3}  {n:<5}  {se:.7f}  {low:.2f} to {high:.2f}   {wide_low:.2f} to {wide_high:.2f}")


if __name__ == "__main__":
    main()
