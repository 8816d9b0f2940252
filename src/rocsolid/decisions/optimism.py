"""Optimism: how much better a cut looks on the rows it was chosen on than it is.

Each of B resamples of the rows chooses its own best cut; its criterion there, less that of the same cut on the rows
themselves, is one draw of the optimism. Their mean is taken off what the chosen cut attains (Efron 1983, JASA
78:316-331; Harrell, Lee & Mark 1996, Statistics in Medicine 15:361-387). The threshold is not moved by it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid import _kernel
from rocsolid.decisions.best import Criterion, keys
from rocsolid.decisions.cuts import Cuts
from rocsolid.errors import NotAvailableError, OptionError
from rocsolid.inference.bootstrap import Model, counted, needs_rows, times_drawn
from rocsolid.inference.seeds import Resampling, resampling
from rocsolid.inputs import Rows
from rocsolid.options import unboxed
from rocsolid.sweep import Sweep
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, Result

N_RESAMPLES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimism(Result):
    """What a criterion attains on its own rows, and what is left of it elsewhere.

    Attributes
    ----------
    apparent : the criterion at the chosen cut, on the rows it was chosen on.
    optimism : the mean of what resamples promise more than their cuts keep (less, for criteria to be made small).
    corrected : ``apparent - optimism``.
    mc_error : Monte-Carlo standard error of the optimism.
    n_resamples, degenerate, seed : what was drawn, how many lacked a class, and from what.
    """

    apparent: float
    optimism: float
    corrected: float
    mc_error: float
    n_resamples: int
    degenerate: int
    seed: int

    def __repr__(self) -> str:
        """One line."""
        return (
            f"<apparent {format_number(self.apparent)}, optimism {format_number(self.optimism)}, corrected "
            f"{format_number(self.corrected)}; {self.n_resamples:,} resamples, seed {self.seed}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        return {"schema": SCHEMA, **{key: getattr(self, key) for key in self.__slots__}}


def estimate_optimism(
    sweep: Sweep, wanted: Criterion, attained: float, *, n_resamples: object, rng: object, rows: Rows | None = None
) -> Optimism:
    """Estimate the optimism of the best cut. O(n_resamples k); with weights or clusters of ``rows`` O(n_resamples n).

    Resamples are those of every bootstrap here: of rows, which come with their weights, or of whole clusters.

    Raises
    ------
    NotAvailableError
        For sums of weights without their rows.
    OptionError
        For bad ``n_resamples`` or ``rng``.
    """
    if rows is None and sweep.weights is not None:
        raise NotAvailableError("optimism from sums of weights", "evaluate the rows, or leave sample_weight out")
    draws = resampling(N_RESAMPLES if n_resamples is None else n_resamples, rng)
    own = keys(wanted, Cuts(sweep))
    gaps = np.full(draws.n_resamples, np.nan)
    for r, drawn in enumerate(_drawn(sweep, rows, draws)):
        if (drawn.n_pos > 0, drawn.n_neg > 0) != (sweep.n_pos > 0, sweep.n_neg > 0):
            continue
        found = keys(wanted, Cuts(drawn))
        taken = int(found.argmax())  # the first of the best: the strictest
        here = sweep.rows_selected(unboxed(drawn.scores[taken - 1])) if taken else 0
        if math.isfinite(found[taken]) and math.isfinite(own[here]):
            gaps[r] = wanted.value(float(found[taken])) - wanted.value(float(own[here]))
    kept = gaps[~np.isnan(gaps)]
    mean = float(kept.mean()) if len(kept) else math.nan
    return Optimism(
        apparent=attained,
        optimism=mean,
        corrected=attained - mean,
        mc_error=float(kept.std(ddof=1) / math.sqrt(len(kept))) if len(kept) > 1 else math.nan,
        n_resamples=draws.n_resamples,
        degenerate=draws.n_resamples - len(kept),
        seed=draws.seed,
    )


def _drawn(sweep: Sweep, rows: Rows | None, draws: Resampling) -> Iterator[Sweep]:
    """The sweep of each resample."""
    if rows is not None and needs_rows(rows):
        model = Model(rows, sweep)
        for r in range(draws.n_resamples):
            yield model.drawn(times_drawn(rows, draws.seed, r, stratified=False))
        return
    for r in range(draws.n_resamples):
        pos, neg = _kernel.resample_counts(sweep.pos, sweep.neg, draws.seed, r, "multinomial")
        yield counted(sweep, pos, neg)


def need_no_draws(n_resamples: object, rng: object) -> None:
    """Refuse options of the bootstrap where nothing is drawn."""
    for option, value in (("n_resamples", n_resamples), ("rng", rng)):
        if value is not None:
            raise OptionError(option, value, "left out where nothing is drawn", "optimism=True")
