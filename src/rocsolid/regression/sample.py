"""Outcomes and predictions row by row: the one door of regression."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import EmptyInputError, LengthError, ShapeError
from rocsolid.inputs.arrays import read_column
from rocsolid.inputs.clusters import Codes, codes_of
from rocsolid.inputs.numbers import missing_error, read_numbers, without_label
from rocsolid.inputs.rows import scale_weights, weights_given
from rocsolid.options import check_choice
from rocsolid.regression.concordance import RowPairs, row_pairs
from rocsolid.regression.results import RowSizes

Floats = npt.NDArray[np.float64]
DROP = 'pass missing="drop" to leave these rows out and have them counted, or repair the data'


@dataclass(frozen=True, eq=False)
class Sample:
    """Complete rows of one model.

    Attributes
    ----------
    y, p : (n,) outcomes and predictions, finite.
    weight : (n,) weights above 0, ``None`` for equal ones.
    cluster : (n,) numbers from 0 of the rows that may depend on each other, ``None`` for independent rows.
    dropped : rows left out because something was missing.
    """

    y: Floats
    p: Floats
    weight: Floats | None = None
    cluster: Codes | None = None
    dropped: int = 0

    @property
    def n(self) -> int:
        """Rows."""
        return len(self.y)

    @property
    def w(self) -> Floats:
        """Weights, ones where there are none."""
        return np.ones(self.n) if self.weight is None else self.weight

    @property
    def units(self) -> float:
        """How many independent terms a mean has: rows (Kish's effective number with weights), or clusters."""
        if self.cluster is not None:
            return float(len(np.unique(self.cluster)))
        if self.weight is None:
            return float(self.n)
        return float(self.weight.sum() ** 2 / np.square(self.weight).sum())

    @property
    def sizes(self) -> RowSizes:
        """Rows and clusters, for results."""
        effective = None if self.weight is None else float(self.weight.sum() ** 2 / np.square(self.weight).sum())
        clusters = None if self.cluster is None else len(np.unique(self.cluster))
        return RowSizes(n=self.n, effective_n=effective, n_clusters=clusters)

    @cached_property
    def pairs(self) -> RowPairs:
        """Concordant, tied and comparable pairs of each row, counted once. O(n log n)."""
        return row_pairs(self.y, self.p, self.weight)

    def mean(self, values: Floats) -> float:
        """Give the weighted mean: the sum is exact, so the order of rows does not matter; then one division. O(n)."""
        if self.weight is None:
            return math.fsum(values.tolist()) / self.n
        return math.fsum((self.weight * values).tolist()) / math.fsum(self.weight.tolist())

    def shares(self, values: Floats) -> Floats:
        """Give what each row, or each cluster, adds to a weighted mean, up to a factor."""
        parts = self.w * values
        return parts if self.cluster is None else np.bincount(self.cluster, parts).astype(np.float64)

    def drawn(self, times: npt.NDArray[np.uint64]) -> Sample:
        """Give the sample that holds each row so many times, as weights."""
        at = np.flatnonzero(times)
        return Sample(self.y[at], self.p[at], self.w[at] * times[at])


def read_samples(
    y_true: Any,
    predictions: Mapping[str, Any],
    *,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
) -> dict[str, Sample]:
    """Validate outcomes, the predictions of one or several models, weights and clusters; keep common complete rows.

    ``predictions`` maps what errors call a model's predictions to them.

    Raises
    ------
    InputError
        One of its kinds, with what was expected, what was found and a hint.

    Notes
    -----
    O(n) for each model.
    """
    check_choice("missing", missing, ("raise", "drop"))
    columns = {"y_true": read_numbers(y_true, "y_true")}
    columns |= {name: read_numbers(values, name) for name, values in predictions.items()}
    weight = None if sample_weight is None else weights_given(sample_weight)
    groups = None if cluster is None else read_column(cluster, "cluster")
    sizes = {name: values for name, (values, _) in columns.items()}
    sizes |= {} if weight is None else {"sample_weight": weight}
    sizes |= {} if groups is None else {"cluster": groups.values}
    for name, values in sizes.items():
        if values.ndim != 1:
            raise ShapeError(name, values.shape, "one-dimensional", f"pass one {name} value a row")
    if len({len(values) for values in sizes.values()}) > 1:
        raise LengthError({name: len(values) for name, values in sizes.items()})
    n = len(columns["y_true"][0])
    counted = np.ones(n, np.bool_) if weight is None else weight > 0  # a row of weight 0 is absent
    masks = {name: mask for name, (_, mask) in columns.items()}
    masks |= {} if groups is None else {"cluster": without_label(groups)}
    absent = np.zeros(n, np.bool_)
    for name, mask in masks.items():
        if mask is not None and (mask & counted).any():
            if missing == "raise":
                raise missing_error(name, mask & counted, DROP)
            absent |= mask & counted
    keep = counted & ~absent
    if not keep.any():
        raise EmptyInputError("y_true", n)
    whole = bool(keep.all())
    y = columns["y_true"][0] if whole else columns["y_true"][0][keep]
    common = Sample(
        y, y, None if weight is None else scale_weights(weight[keep])[0],
        None if groups is None else codes_of(groups.values[keep]), int(absent.sum()),
    )  # fmt: skip
    return {name: replace(common, p=columns[name][0] if whole else columns[name][0][keep]) for name in predictions}
