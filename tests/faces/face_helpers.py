"""Data and small questions that the tests of the faces share."""

from __future__ import annotations

from pathlib import Path

import numpy as np

HOSTILE = "</style><script>alert(1)</script>\" onload='x' &amp; | `*_ [red]\x1b[31m\u202e 中文"


def study(n=400, seed=0, share=0.35, decimals=None):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    first = 1 / (1 + np.exp(-(2.2 * y - 1 + rng.normal(size=n))))
    second = 1 / (1 + np.exp(-(1.5 * y - 1 + rng.normal(size=n))))
    return y, {"first": first, "second": second if decimals is None else np.round(second, decimals)}


def no_leftovers(folder: Path) -> bool:
    """Whether no temporary file of ours is left in a folder."""
    return not list(folder.glob(".*.part"))
