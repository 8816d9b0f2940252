"""What the most likely class of each row gets right: confusion matrix, accuracy, kappa, Matthews' coefficient."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.text import format_number
from rocsolid.values import SCHEMA, GridResult, plain

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ConfusionMatrix(GridResult):
    """Rows by true class (down) and predicted class (across).

    Attributes
    ----------
    counts : (k, k) whole numbers, or sums of weights.
    classes : the labels, in the order of both axes.
    ties : rows whose largest score is that of several classes: the first of them is predicted.
    """

    counts: npt.NDArray[Any]
    classes: tuple[object, ...]
    ties: int = 0

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return ("true \\ predicted", *map(str, self.classes))

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed, in the order of ``header``."""
        return [
            (str(label), *(f"{v:,}" if isinstance(v, int) else format_number(v) for v in row))
            for label, row in zip(self.classes, self.counts.tolist(), strict=True)
        ]

    @property
    def footnotes(self) -> list[str]:
        """Say what is predicted."""
        ties = f"; {self.ties:,} rows have several, and the first counts" if self.ties else ""
        return [f"predicted: the class of the largest score{ties}"]

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        classes = [plain(label) for label in self.classes]
        return {"schema": SCHEMA, "classes": classes, "counts": self.counts.tolist(), "ties": self.ties}


def predicted(scores: npt.NDArray[Any]) -> tuple[npt.NDArray[np.intp], int]:
    """Give the column of each row's largest score, the first of several, and how many rows have several. O(n k)."""
    best = scores.max(axis=1)
    return scores.argmax(axis=1), int(np.count_nonzero((scores == best[:, None]).sum(axis=1) > 1))


def confusion(true: npt.NDArray[np.intp], guess: npt.NDArray[np.intp], k: int, weights: Floats | None) -> Any:
    """(k, k) counts, or sums of weights. O(n)."""
    flat = np.bincount(true * k + guess, weights, k * k)
    return (flat if weights is not None else flat.astype(np.int64)).reshape(k, k)


def kappa(counts: Floats) -> tuple[float, Floats]:
    """Cohen's kappa, and its derivative by each cell's share (Fleiss, Cohen & Everitt 1969). nan without chance.

    Examples
    --------
    3 of 4 right where 1/2 are by chance:

    >>> kappa(np.array([[2.0, 0], [1, 1]]))[0]
    0.5
    """
    p = counts / counts.sum()
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    seen, chance = float(np.trace(p)), float(rows @ columns)
    if chance == 1:
        return math.nan, np.full_like(p, np.nan)
    by_chance = columns[:, None] + rows[None, :]  # derivative of the chance agreement by cell (i, j)
    slope = np.eye(len(p)) / (1 - chance) - (1 - seen) / (1 - chance) ** 2 * by_chance
    return (seen - chance) / (1 - chance), slope


def matthews(counts: Floats) -> tuple[float, Floats]:
    """Matthews' coefficient of k classes (Gorodkin 2004, R_k), and its derivative by each cell's share."""
    p = counts / counts.sum()
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    common = float(np.trace(p)) - float(rows @ columns)
    true, guess = 1 - float(rows @ rows), 1 - float(columns @ columns)
    if true <= 0 or guess <= 0:
        return math.nan, np.full_like(p, np.nan)
    below = math.sqrt(true * guess)
    d_common = np.eye(len(p)) - columns[:, None] - rows[None, :]
    d_below = (-2 * rows[:, None] * guess - 2 * columns[None, :] * true) / (2 * below)
    return common / below, (d_common - common / below * d_below) / below
