"""Exact sums of weights beside the rows of a sweep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class WeightSums:
    """Per row of the sweep and per class: sum of w and sum of w^2, exact, times ``2**-exponent`` (its square).

    Each array has shape (components, k): component 0 is the correctly rounded sum, the others hold what the
    rounding left over, so that sums of parts add up to the sum of the whole, bit for bit.
    """

    pos: Floats
    neg: Floats
    pos_sq: Floats
    neg_sq: Floats
    exponent: int = 0

    @property
    def arrays(self) -> tuple[Floats, Floats, Floats, Floats]:
        """The four arrays in the kernel's order."""
        return self.pos, self.neg, self.pos_sq, self.neg_sq


def joined(a: WeightSums | None, b: WeightSums | None) -> WeightSums | None:
    """Put the rows of two sweeps below each other, in the larger unit; ``None`` unless both have weights. O(k)."""
    if a is None or b is None:
        return None
    exponent = max(a.exponent, b.exponent)
    parts = []
    for left, right, power in zip(a.arrays, b.arrays, (1, 1, 2, 2), strict=True):
        height = max(len(left), len(right))
        padded = [
            np.pad(np.ldexp(x, power * (e - exponent)), ((0, height - len(x)), (0, 0)))
            for x, e in ((left, a.exponent), (right, b.exponent))
        ]
        parts.append(np.ascontiguousarray(np.concatenate(padded, axis=1)))
    pos, neg, pos_sq, neg_sq = parts
    return WeightSums(pos, neg, pos_sq, neg_sq, exponent)
