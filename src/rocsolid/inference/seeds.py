"""How many resamples, and which: every resampling method draws from one printed whole number, the seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocsolid.errors import OptionError
from rocsolid.options import unboxed
from rocsolid.results import Note

N_RESAMPLES = 2000
"""Resamples unless another number is asked for."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """What a resampling method draws: ``n_resamples`` resamples from ``seed``. ``rng=seed`` gives the same again."""

    n_resamples: int
    seed: int


def resampling(n_resamples: object = None, rng: object = None) -> Resampling:
    """Check both options of resampling methods.

    Parameters
    ----------
    n_resamples : a whole number of at least 1; ``None`` for 2,000.
    rng : a whole number from 0 to 2**64 - 1; a NumPy ``Generator``, from which one number is taken; or ``None`` for a
        fresh seed, which results print.

    Raises
    ------
    OptionError
        For anything else.

    Examples
    --------
    >>> resampling(500, rng=7)
    Resampling(n_resamples=500, seed=7)
    """
    number = N_RESAMPLES if n_resamples is None else unboxed(n_resamples)
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise OptionError("n_resamples", n_resamples, "a whole number >= 1", f"n_resamples={N_RESAMPLES}")
    return Resampling(number, _seed(rng))


def _seed(rng: object) -> int:
    if rng is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**32))
    seed = unboxed(rng)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise OptionError("rng", rng, "a whole number from 0 to 2**64 - 1, a NumPy Generator or None", "rng=0")
    return seed


def drawn_note(draws: Resampling, scheme: str, scheme_zh: str) -> Note:
    """Say what was drawn, so that it can be drawn again."""
    return Note(
        "resamples",
        f"{draws.n_resamples:,} {scheme}, seed {draws.seed}: rng={draws.seed} gives the same again",
        f"{scheme_zh} {draws.n_resamples:,} 次，种子 {draws.seed}：rng={draws.seed} 可重现同样的结果",
    )
