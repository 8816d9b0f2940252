"""Count each day where its data are, add the counts up, lose nothing. Needs NumPy only.

python examples/merge_days.py
"""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np

import rocsolid as rs

rng = np.random.default_rng(20)


def one_day() -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores of a day; in earnest these stay on the machine that has them."""
    y = rng.random(50_000) < 0.02
    return y, np.round(rng.normal(size=50_000) + 2 * y, 2)


days = [one_day() for _ in range(7)]
week = reduce(add, (rs.Sweep.from_arrays(y, s) for y, s in days))
print(week)
print(rs.Evaluation(week, name="week").table())

whole = rs.Sweep.from_arrays(*(np.concatenate(parts) for parts in zip(*days, strict=True)))
print("equal to counting all rows at once:", week == whole)
