"""Optimism: how much better a cut looks on the rows it was chosen on than it is.

Each of B resamples of the rows chooses its own best cut; its criterion there, less that of the same cut on the rows
themselves, is one draw of the optimism. Their mean is taken off what the chosen cut attains (Efron 1983, JASA
78:316-331; Harrell, Lee & Mark 1996, Statistics in Medicine 15:361-387). The threshold is not moved by it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid import _kernel
from rocsolid.decisions.best import Criterion, keys
from rocsolid.decisions.cuts import Cuts
from rocsolid.errors import NotAvailableError, OptionError
from rocsolid.inference.seeds import resampling
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
    sweep: Sweep, wanted: Criterion, attained: float, *, n_resamples: object, rng: object
) -> Optimism:
    """Estimate the optimism of the best cut. O(n_resamples k).

    Raises
    ------
    NotAvailableError
        For weighted rows.
    OptionError
        For bad ``n_resamples`` or ``rng``.
    """
    if sweep.weights is not None:
        raise NotAvailableError("optimism of weighted rows", "leave sample_weight out")
    draws = resampling(N_RESAMPLES if n_resamples is None else n_resamples, rng)
    own = keys(wanted, Cuts(sweep))
    gaps = np.full(draws.n_resamples, np.nan)
    for r in range(draws.n_resamples):
        pos, neg = _kernel.resample_counts(sweep.pos, sweep.neg, draws.seed, r, "multinomial")
        if bool(pos.any()) != bool(sweep.n_pos) or bool(neg.any()) != bool(sweep.n_neg):
            continue
        drawn = keys(wanted, Cuts(Sweep(sweep.scores, pos, neg, sweep.higher_is_positive)))
        taken = int(drawn.argmax())  # the first of the best: the strictest
        if math.isfinite(drawn[taken]) and math.isfinite(own[taken]):
            gaps[r] = wanted.value(float(drawn[taken])) - wanted.value(float(own[taken]))
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


def need_no_draws(n_resamples: object, rng: object) -> None:
    """Refuse options of the bootstrap where nothing is drawn."""
    for option, value in (("n_resamples", n_resamples), ("rng", rng)):
        if value is not None:
            raise OptionError(option, value, "left out where nothing is drawn", "optimism=True")
