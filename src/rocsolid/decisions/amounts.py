"""A cut judged by value: what share of the amount is caught, and what the missed amount costs.

With an amount a for each row (a loan, a transaction), recall by amount is sum a over the positives that are flagged,
divided by sum a over all positives; precision by amount likewise over the flagged rows. Amounts are weights of another
kind: they multiply the sampling weights, if there are any.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsolid.decisions.shares import Frame, masses, share
from rocsolid.errors import OptionError, first_positions
from rocsolid.inputs import Rows, check_beside
from rocsolid.inputs.arrays import read_column
from rocsolid.options import check_number
from rocsolid.results import Counts, Estimate
from rocsolid.sweep import Sweep
from rocsolid.text import format_count, format_number, span
from rocsolid.values import SCHEMA, Result


@dataclass(frozen=True, slots=True, kw_only=True)
class AmountRates(Result):
    """What a cut catches and misses, by value.

    Attributes
    ----------
    counts : amounts in the four cells; ``fn`` is what is missed.
    recall, precision : shares of the amount, with intervals.
    n_flagged : flagged rows, or the sum of their sampling weights.
    """

    counts: Counts
    recall: Estimate
    precision: Estimate
    n_flagged: float

    @property
    def caught(self) -> float:
        """Amount of the positives that are flagged."""
        return self.counts.tp

    @property
    def missed(self) -> float:
        """Amount of the positives that are not flagged."""
        return self.counts.fn

    def cost(self, *, per_flag: float) -> float:
        """Cost of the cut on these rows: what is missed, and so much for looking at each flagged row.

        Raises
        ------
        OptionError
            If ``per_flag`` is negative or no number.
        """
        price = float(check_number("per_flag", per_flag))
        if not 0 <= price < float("inf"):
            raise OptionError("per_flag", per_flag, "a finite number >= 0", "per_flag=5")
        return self.missed + price * self.n_flagged

    def __repr__(self) -> str:
        """One line: caught, missed, both shares with their intervals."""
        shares = " ".join(
            f"{e.measure}={format_number(e.value)}"
            + ("" if e.interval is None else f" {span(e.interval.low, e.interval.high)}")
            for e in (self.recall, self.precision)
        )
        return f"<caught {format_count(self.caught)}, missed {format_count(self.missed)}; {shares}>"

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        return {
            "schema": SCHEMA,
            "caught": self.caught,
            "missed": self.missed,
            "flagged_negatives": self.counts.fp,
            "passed_negatives": self.counts.tn,
            "n_flagged": self.n_flagged,
            "rates": [self.recall.to_dict(), self.precision.to_dict()],
        }


def amount_rates(rows: Rows, sweep: Sweep, cut: Any, amount: Any, level: float, name: str | None) -> AmountRates:
    """Judge a cut by value. O(n log n).

    Raises
    ------
    ShapeError, LengthError
        If there is not one amount for each row given.
    OptionError
        For amounts that are negative, infinite or missing.
    """
    value = _amounts(amount, rows)
    weights = value if rows.weights is None else value * rows.weights
    some = weights > 0  # a row without an amount is in no share of it
    own = replace(rows, scores=rows.scores[some], positive=rows.positive[some], weights=weights[some], cluster=None)
    counts = Sweep.from_rows(own, higher_is_positive=sweep.higher_is_positive).at(cut) if some.any() else _NOTHING
    tp, fp, fn, _ = masses(counts)
    plain, frame = sweep.at(cut), Frame(level, sweep.sizes, sweep.pos_label, name)
    return AmountRates(
        counts=counts,
        recall=share("recall_by_amount", tp, fn, frame, of_amounts=True),
        precision=share("precision_by_amount", tp, fp, frame, of_amounts=True),
        n_flagged=plain.tp + plain.fp,
    )


_NOTHING = Counts(tp=0.0, fp=0.0, fn=0.0, tn=0.0, squares=(0.0, 0.0, 0.0, 0.0))


def _amounts(amount: Any, rows: Rows) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Check one amount a row, and leave out those of rows that were left out."""
    column = read_column(amount, "amount")
    n = len(rows.scores) if rows.kept is None else len(rows.kept)
    check_beside(rows, column.values, "amount")
    if column.values.dtype.kind not in "biuf" or column.decimals is not None:
        raise OptionError("amount", column.values.dtype.name, "one number a row", "convert the amounts to floats")
    every = column.values.astype(np.float64)
    absent = np.zeros(n, np.bool_) if column.missing is None else column.missing
    for problem, wrong in (
        ("missing or no finite numbers", absent | ~np.isfinite(every)), ("negative", every < 0),
    ):  # fmt: skip
        used = wrong if rows.kept is None else wrong & rows.kept
        if used.any():
            places = np.flatnonzero(used).tolist()
            found = f"{len(places):,} {problem} among {n:,}, {first_positions(places)}"
            raise OptionError("amount", found, "finite numbers >= 0", "repair the amounts, or fill in 0 for none")
    return every if rows.kept is None else every[rows.kept]
