"""The acceleration of BCa limits: how fast the standard error changes with the value, a sixth of a skewness.

    acc = sum d^3 / (6 (sum d^2)^(3/2))          d: what a row, or cluster, adds to the value, times the factor 1 / size

Efron 1987, JASA 82:171-185, eq. 7.3; for several samples Davison & Hinkley 1997, eq. 5.23. From influences where the
measure has a gradient, otherwise by leaving out each row once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rocsolid.errors import OptionError
from rocsolid.inference.bootstrap import Model, counted, needs_rows, value_of
from rocsolid.inference.case import Case
from rocsolid.inference.row_influence import row_influence, total_influence, weights_of
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

JACKKNIFE_LIMIT = 5000
"""A measure without a gradient is computed once for each (distinct score, class); beyond this many it is refused."""


def acceleration(case: Case) -> float:
    """Give the acceleration; nan where it does not exist, 0 where no row has any influence.

    O(k) with a gradient; without one O(k^2), for k distinct scores.

    Raises
    ------
    OptionError
        If a measure without a gradient had to be computed more than 5,000 times.
    """
    if case.request.measure.gradient is None:
        return _skewness(*_jackknife(case))
    return _skewness(*(_of_rows(case) if _by_rows(case) else _of_cells(case)))


def _by_rows(case: Case) -> bool:
    return case.rows is not None and needs_rows(case.rows)


def _skewness(d: Floats, times: Floats | float = 1.0) -> float:
    """Sum of cubes over 6 (sum of squares)^1.5, in units of the largest influence: cubes of small ones underflow."""
    of_rows = np.where(np.asarray(times) > 0, d, 0.0)
    largest = float(np.abs(of_rows).max(initial=0.0))
    if largest == 0:
        return 0.0
    unit = of_rows / largest
    squares = float((times * np.square(unit)).sum())
    return float((times * unit**3).sum()) / (6 * math.sqrt(squares) ** 3)


def _of_cells(case: Case) -> tuple[Floats, Floats]:
    """Influences of each (distinct score, class), and how many rows have them."""
    entry, sweep = case.request.measure, case.sweep
    assert entry.gradient is not None
    gradient = entry.gradient(sweep, case.request.options)
    m, n = sweep.n_pos, sweep.n_neg
    share, drift = m / (m + n), gradient.prevalence / (m + n) if case.margins == "random" else 0.0
    pos = gradient.pos / max(m, 1) + drift * (1 - share)
    neg = gradient.neg / max(n, 1) - drift * share
    return np.concatenate([pos, neg]), np.concatenate([sweep.pos, sweep.neg]).astype(np.float64)


def _of_rows(case: Case) -> tuple[Floats, float]:
    """Weighted influences of the rows, summed over clusters where there are any."""
    assert case.rows is not None
    rows, weight = case.rows, weights_of(case.rows)
    found = row_influence(case.request, case.sweep, rows)
    d = weight * total_influence(found, rows.positive, weight, random=case.margins == "random") / weight.sum()
    return (d if rows.cluster is None else np.bincount(rows.cluster, d).astype(np.float64)), 1.0


def _jackknife(case: Case) -> tuple[Floats, Floats]:
    """Mean less the value without one row (or cluster), and how many rows give that same value.

    By class, each with its factor (n - 1) / n, where the classes are drawn for themselves.
    """
    left_out, times, positive = _rows_left_out(case) if _by_rows(case) else _cells_left_out(case.sweep)
    if len(times) > JACKKNIFE_LIMIT:
        raise OptionError(
            "method", "bootstrap-bca",
            f"another for `{case.request.spec}`, which has no gradient and would be computed {len(times):,} times",
            "method='bootstrap-percentile'",
        )  # fmt: skip
    values = np.array([value_of(case.request, sweep, case.sweep) for sweep in left_out])
    strata = (positive, ~positive) if case.margins == "fixed" else (np.ones(len(times), np.bool_),)
    d = np.empty_like(values)
    for member in strata:
        size = float(times[member].sum())
        if size:
            mean = float(times[member] @ values[member]) / size
            d[member] = (mean - values[member]) * (size - 1) / size
    return d, times


def _cells_left_out(sweep: Sweep) -> tuple[Iterator[Sweep], Floats, Bools]:
    """Sweeps without one row of each (distinct score, class), how many rows are alike, and their class."""
    at_pos, at_neg = np.flatnonzero(sweep.pos), np.flatnonzero(sweep.neg)

    def left_out() -> Iterator[Sweep]:
        for i in at_pos.tolist():
            yield counted(sweep, _less_one(sweep.pos, i), sweep.neg)
        for i in at_neg.tolist():
            yield counted(sweep, sweep.pos, _less_one(sweep.neg, i))

    times = np.concatenate([sweep.pos[at_pos], sweep.neg[at_neg]]).astype(np.float64)
    return left_out(), times, np.arange(len(times)) < len(at_pos)


def _less_one(counts: npt.NDArray[np.uint64], i: int) -> npt.NDArray[np.uint64]:
    less = counts.copy()
    less[i] -= np.uint64(1)
    return less


def _rows_left_out(case: Case) -> tuple[Iterator[Sweep], Floats, Bools]:
    """The same for rows with weights, or for whole clusters (whose class is of no use)."""
    assert case.rows is not None
    model, positive = Model(case.rows, case.sweep), case.rows.positive
    unit = np.arange(len(positive)) if case.rows.cluster is None else case.rows.cluster
    n = int(unit.max()) + 1
    left_out = (model.drawn((unit != i).astype(np.uint64)) for i in range(n))
    return left_out, np.ones(n), positive[:n]
