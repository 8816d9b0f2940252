"""Labelled scores made to hurt: ties on purpose, neighbours, subnormals, infinities, both zeros."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

HOSTILE = [
    0.0, -0.0, 5e-324, -5e-324, 1e-310, 1e308, -1e308, float("inf"), float("-inf"),
    0.1, float(np.nextafter(0.1, 1)), 0.3, 0.1 + 0.2, 1.0, 2.0, 16777216.0, 16777217.0,
]  # fmt: skip

scores = st.one_of(st.sampled_from(HOSTILE), st.floats(allow_nan=False), st.integers(-3, 3).map(float))
weights = st.one_of(st.integers(1, 5).map(float), st.floats(2.0**-100, 2.0**100))


@st.composite
def labelled(draw, min_size=2, max_size=40, score=scores, both=True):
    """Labels (at least one of each class if ``both``) and scores."""
    s = draw(st.lists(score, min_size=min_size, max_size=max_size))
    y = draw(st.lists(st.integers(0, 1), min_size=len(s), max_size=len(s)))
    if both and len(set(y)) == 1:
        y[draw(st.integers(0, len(y) - 1))] = 1 - y[0]
    return y, s


@st.composite
def weighted(draw, max_size=30):
    """Labels, scores and positive weights."""
    y, s = draw(labelled(max_size=max_size))
    return y, s, draw(st.lists(weights, min_size=len(s), max_size=len(s)))


def ulp_ladder(n, around=0.0):
    """``n`` distinct neighbouring floats in rising order, centred on ``around`` (subnormals around 0)."""
    low = around
    for _ in range(n // 2):
        low = float(np.nextafter(low, -np.inf))
    out = [low]
    while len(out) < n:
        out.append(float(np.nextafter(out[-1], np.inf)))
    return out
