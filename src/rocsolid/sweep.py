"""The sweep: one row per distinct score, ``(score, positives, negatives)``, from strict to lenient.

It is a sufficient statistic: every curve, area and operating point of one model is a function of it, and
sweeps of parts of the data add up exactly to the sweep of the whole.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid import _faces, _kernel, keys
from rocsolid.errors import (
    CountError,
    DtypeError,
    EmptyInputError,
    LengthError,
    MissingValueError,
    OptionError,
    SweepMismatchError,
    first_positions,
)
from rocsolid.inputs import Rows, check_squares, read_rows, scale_weights
from rocsolid.inputs.arrays import Array, read_column
from rocsolid.options import check_direction, check_number, get_num_threads, unboxed
from rocsolid.results import Counts, Sizes
from rocsolid.weight_sums import WeightSums, joined

Floats = npt.NDArray[np.float64]
U64 = npt.NDArray[np.uint64]
MOST_SQUARED = 450
"""Powers of two up to which sums of squared weights stay far from the ends of a float64."""


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Counts of positives and negatives at every distinct score, strict to lenient.

    Attributes
    ----------
    scores : (k,) distinct scores in their native dtype, from strict to lenient.
    pos, neg : (k,) uint64 counts of rows at each score.
    higher_is_positive : the direction; False means that a low score is the positive sign.
    pos_label : the positive label, ``None`` if the counts came without one.
    weights : sums of sampling weights, ``None`` without weights.

    Examples
    --------
    >>> s = Sweep.from_arrays([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1])
    >>> s.scores.tolist(), s.pos.tolist(), s.neg.tolist()
    ([0.9, 0.4, 0.1], [1, 1, 0], [0, 1, 1])
    """

    scores: Array
    pos: U64
    neg: U64
    higher_is_positive: bool = True
    pos_label: object = None
    weights: WeightSums | None = None

    def __post_init__(self) -> None:
        """Make the arrays read-only: a sweep is a value."""
        for array in (self.scores, self.pos, self.neg, *(self.weights.arrays if self.weights else ())):
            array.setflags(write=False)

    # ------------------------------------------------------------------------------------------ building

    @classmethod
    def from_arrays(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: object = None,
        labels: Sequence[object] | None = None,
        sample_weight: Any = None,
        higher_is_positive: bool = True,
        missing: str = "raise",
    ) -> Sweep:
        """Build the sweep of labels and scores.

        Anything that holds a column will do: lists, NumPy, pandas, Polars, PyArrow, tensors. Equality of
        scores is exact; -0.0 and 0.0 are the same score; infinite scores are allowed.

        Raises
        ------
        InputError
            One of its kinds, if the data can not be used as they are.

        Notes
        -----
        O(n log n) time, O(n) memory.
        """
        rows = read_rows(
            y_true, y_score, pos_label=pos_label, labels=labels, sample_weight=sample_weight, missing=missing
        )
        return cls.from_rows(rows, higher_is_positive=check_direction(higher_is_positive))

    @classmethod
    def from_rows(cls, rows: Rows, *, higher_is_positive: bool = True) -> Sweep:
        """Build the sweep of rows that the door has let in."""
        weights, exponent = (None, 0) if rows.weights is None else scale_weights(rows.weights)
        if weights is not None:
            check_squares(weights)
        wide, restore = keys.to_kernel(rows.scores)
        scores, pos, neg, sums = _kernel.group(
            wide, rows.positive.view(np.uint8), weights, higher_is_positive, get_num_threads()
        )
        native = restore(scores) if rows.decimals is None else rows.decimals[scores]
        held = None if sums is None else WeightSums(*sums, exponent=exponent)
        return cls(native, pos, neg, higher_is_positive, rows.pos_label, held)

    @classmethod
    def from_counts(
        cls, scores: Any, pos: Any, neg: Any, *, higher_is_positive: bool = True, pos_label: object = None
    ) -> Sweep:
        """Build a sweep from counts of positives and negatives at given scores, in any order.

        Scores that appear twice are added up; scores without a row are left out.

        Raises
        ------
        CountError
            For counts that are no whole numbers from 0 to 2**64 - 1, or that add up to more.
        LengthError, MissingValueError, DtypeError, EmptyInputError
            For columns that do not fit together, hold NaN or null, or are no numbers; if all counts are 0.

        Examples
        --------
        >>> Sweep.from_counts([0.2, 0.7], pos=[1, 3], neg=[4, 1]).n_neg
        5
        """
        column = read_column(scores, "scores")
        missing = column.missing if column.missing is not None else np.zeros(len(column.values), np.bool_)
        if column.values.dtype.kind == "f":
            missing = missing | np.isnan(column.values)
        if missing.any():
            raise MissingValueError("scores", np.flatnonzero(missing).tolist(), len(missing), droppable=False)
        p, n = _counts(pos, "pos"), _counts(neg, "neg")
        if not len(column.values) == len(p) == len(n):
            raise LengthError({"scores": len(column.values), "pos": len(p), "neg": len(n)})
        if column.values.ndim != 1 or column.values.dtype.kind not in "biuf":
            found = f"shape {column.values.shape} and dtype {column.values.dtype}"
            raise DtypeError("scores", "one real number a row", found, "convert the scores to numbers")
        if not (p.any() or n.any()):
            raise EmptyInputError("pos, neg")
        values = column.values if column.decimals is None else column.decimals[column.values]
        return _combine(values, p, n, None, check_direction(higher_is_positive), unboxed(pos_label))

    def __add__(self, other: object) -> Sweep:
        """Merge two sweeps exactly: the result equals the sweep of all rows together, bit for bit.

        Raises
        ------
        SweepMismatchError
            If direction, positive label or use of weights differ.
        PrecisionError
            If no dtype holds the scores of both exactly (64-bit integers beside floats).
        """
        if not isinstance(other, Sweep):
            return NotImplemented
        if self.higher_is_positive != other.higher_is_positive:
            raise SweepMismatchError("higher_is_positive", self.higher_is_positive, other.higher_is_positive)
        if self.pos_label != other.pos_label and None not in (self.pos_label, other.pos_label):
            raise SweepMismatchError("pos_label", self.pos_label, other.pos_label)
        if (self.weights is None) != (other.weights is None):
            raise SweepMismatchError("use of weights", self.weights is not None, other.weights is not None)
        return _combine(
            keys.join(self.scores, other.scores),
            np.concatenate([self.pos, other.pos]),
            np.concatenate([self.neg, other.neg]),
            joined(self.weights, other.weights),
            self.higher_is_positive,
            self.pos_label if self.pos_label is not None else other.pos_label,
        )

    # ---------------------------------------------------------------------------------------- quantities

    @property
    def tp(self) -> U64:
        """(k,) positives at or above each row. O(k)."""
        return np.cumsum(self.pos, dtype=np.uint64)

    @property
    def fp(self) -> U64:
        """(k,) negatives at or above each row. O(k)."""
        return np.cumsum(self.neg, dtype=np.uint64)

    @property
    def n_pos(self) -> int:
        """All positives."""
        return int(self.pos.sum(dtype=np.uint64))

    @property
    def n_neg(self) -> int:
        """All negatives."""
        return int(self.neg.sum(dtype=np.uint64))

    @property
    def pos_mass(self) -> Floats | U64:
        """(k,) what each row weighs among the positives: counts, or sums of (scaled) weights."""
        return self.pos if self.weights is None else self.weights.pos[0]

    @property
    def neg_mass(self) -> Floats | U64:
        """(k,) what each row weighs among the negatives: counts, or sums of (scaled) weights."""
        return self.neg if self.weights is None else self.weights.neg[0]

    @property
    def pos_square(self) -> Floats | U64:
        """(k,) sums of squared weights of the positives; counts without weights."""
        return self.pos if self.weights is None else self.weights.pos_sq[0]

    @property
    def neg_square(self) -> Floats | U64:
        """(k,) sums of squared weights of the negatives; counts without weights."""
        return self.neg if self.weights is None else self.weights.neg_sq[0]

    @property
    def sizes(self) -> Sizes:
        """Rows per class, and with weights Kish's effective numbers."""
        if self.weights is None:
            return Sizes(n_pos=self.n_pos, n_neg=self.n_neg)
        return Sizes(
            n_pos=self.n_pos,
            n_neg=self.n_neg,
            effective_pos=effective_size(self.weights.pos[0], self.weights.pos_sq[0]),
            effective_neg=effective_size(self.weights.neg[0], self.weights.neg_sq[0]),
        )

    def rule(self, threshold: object) -> str:
        """Word the decision at a threshold, such as ``score >= 0.5``."""
        return f"score {'>=' if self.higher_is_positive else '<='} {threshold!r}"

    def rows_selected(self, threshold: float | Decimal) -> int:
        """How many rows of the sweep a threshold selects; the comparison is exact for every dtype. O(log k)."""
        if not isinstance(threshold, Decimal):
            threshold = check_number("threshold", threshold)
        if self.scores.dtype == object and isinstance(threshold, float) and math.isfinite(threshold):
            threshold = Decimal(repr(threshold))  # as typed: 0.2 is the decimal 0.2, and not the float beside it
        if self.higher_is_positive:  # scores fall: those >= t come first
            return bisect_right(self.scores, _turned(threshold), key=lambda v: _turned(unboxed(v)))
        return bisect_right(self.scores, threshold, key=unboxed)

    def at(self, threshold: float | Decimal) -> Counts:
        """Confusion counts when every score at or beyond ``threshold`` is called positive.

        Without weights the counts are whole numbers; with weights they are sums of weights. O(k).

        Raises
        ------
        OptionError
            If the threshold is no number (or NaN).

        Examples
        --------
        >>> Sweep.from_arrays([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).at(0.4)
        Counts(tp=2, fp=1, fn=0, tn=1, squares=None)
        """
        i = self.rows_selected(threshold)
        if self.weights is None:
            tp, fp = int(self.pos[:i].sum(dtype=np.uint64)), int(self.neg[:i].sum(dtype=np.uint64))
            return Counts(tp=tp, fp=fp, fn=self.n_pos - tp, tn=self.n_neg - fp)
        w, scale = self.weights, 2.0**self.weights.exponent
        if abs(self.weights.exponent) > MOST_SQUARED:
            expected = "of a size whose square a float64 can hold, for rates at a cut"
            raise OptionError("sample_weight", f"{scale:.3g}", expected, f"sample_weight / {scale:.3g}")
        tp_w, fp_w, fn_w, tn_w = (
            float(a.sum()) * scale for a in (w.pos[0, :i], w.neg[0, :i], w.pos[0, i:], w.neg[0, i:])
        )
        tp_s, fp_s, fn_s, tn_s = (
            float(a.sum()) * scale * scale for a in (w.pos_sq[0, :i], w.neg_sq[0, :i], w.pos_sq[0, i:], w.neg_sq[0, i:])
        )
        return Counts(tp=tp_w, fp=fp_w, fn=fn_w, tn=tn_w, squares=(tp_s, fp_s, fn_s, tn_s))

    # ------------------------------------------------------------------------------------ in and out

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``score, pos, neg, tp, fp`` (and the sums of weights).

        Raises
        ------
        MissingDependencyError
            If the library named by ``backend`` is not installed.
        """
        columns: dict[str, Any] = {
            "score": self.scores, "pos": self.pos, "neg": self.neg, "tp": self.tp, "fp": self.fp,
        }  # fmt: skip
        if self.weights is not None:
            scale = 2.0**self.weights.exponent
            columns |= {"pos_weight": self.weights.pos[0] * scale, "neg_weight": self.weights.neg[0] * scale}
        return _faces.frame(columns, backend)

    def save(self, path: str | Path) -> None:
        """Write the sweep, whole or not at all: Parquet (``.sweep``, ``.parquet``) or Arrow IPC (``.arrow``).

        Raises
        ------
        OptionError
            For another ending.
        MissingDependencyError
            Without PyArrow.
        """
        _faces.save_sweep(self, path)

    @staticmethod
    def load(path: str | Path) -> Sweep:
        """Read a sweep that :meth:`save` wrote; it equals the one saved.

        Raises
        ------
        SourceError
            If the file is missing, broken, or no sweep of a known version.
        """
        return _faces.load_sweep(path)

    def __eq__(self, other: object) -> bool:
        """Whether scores (with their dtype), counts, weights, direction and positive label are the same."""
        if not isinstance(other, Sweep):
            return NotImplemented
        mine, theirs = self.weights, other.weights
        return (
            self.higher_is_positive == other.higher_is_positive
            and self.pos_label == other.pos_label
            and self.scores.dtype == other.scores.dtype
            and (mine is None) == (theirs is None)
            and all(np.array_equal(a, b) for a, b in zip(self._arrays(), other._arrays(), strict=True))
            and (mine is None or theirs is None or mine.exponent == theirs.exponent)
        )

    __hash__ = None  # type: ignore[assignment]

    def _arrays(self) -> tuple[Array, ...]:
        return (self.scores, self.pos, self.neg, *(self.weights.arrays if self.weights else ()))

    def __len__(self) -> int:
        """Count the distinct scores."""
        return len(self.scores)

    def __repr__(self) -> str:
        """One line: distinct scores, sizes, direction and positive label."""
        way = "higher" if self.higher_is_positive else "lower"
        return f"<Sweep: {len(self):,} distinct scores, {self.sizes}; {way} = positive, positive: {self.pos_label!r}>"


def _turned(score: Any) -> Any:
    """Minus a score, with all of its digits: the minus of a decimal rounds to 28."""
    return score.copy_negate() if isinstance(score, Decimal) else -score


def effective_size(mass: Any, square: Any) -> float:
    """Kish's effective number of rows, (sum w)^2 / sum w^2; 0 without a row."""
    total, squares = float(mass.sum()), float(square.sum())
    return total * total / squares if squares > 0 else 0.0


def _combine(
    scores: Array, pos: U64, neg: U64, weights: WeightSums | None, higher_is_positive: bool, pos_label: object
) -> Sweep:
    decimals = None
    if scores.dtype == object:
        decimals, scores = keys.ranks(scores)
    wide, restore = keys.to_kernel(scores)
    try:
        values, p, n, sums = _kernel.combine(wide, pos, neg, weights.arrays if weights else None, higher_is_positive)
        total = int(p.sum(dtype=object)) + int(n.sum(dtype=object)) if len(p) and _near_overflow(p, n) else 0
    except OverflowError:
        raise CountError("pos, neg", "counts that add up to more than 2**64 - 1") from None
    if total >= 2**64:
        raise CountError("pos, neg", f"counts that add up to {total}")
    native = restore(values) if decimals is None else decimals[values]
    held = None if sums is None or weights is None else WeightSums(*sums, exponent=weights.exponent)
    return Sweep(native, p, n, higher_is_positive, pos_label, held)


def _near_overflow(pos: U64, neg: U64) -> bool:
    """Whether the total may pass 2**64; the sum in floats is right to one part in 1e6 at least."""
    return float(pos.sum(dtype=np.float64)) + float(neg.sum(dtype=np.float64)) > 2.0**63


def _counts(data: Any, name: str) -> U64:
    column = read_column(data, name)
    values = column.values
    if column.missing is not None:
        raise MissingValueError(name, np.flatnonzero(column.missing).tolist(), len(values), droppable=False)
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise CountError(name, f"shape {values.shape} and dtype {values.dtype}")
    if values.dtype.kind == "f" and not bool(((values == np.floor(values)) & (values < 2.0**64)).all()):
        raise CountError(name, "fractions or numbers that are not finite")
    if values.dtype.kind in "if" and bool((values < 0).any()):
        raise CountError(name, f"negative numbers, {first_positions(np.flatnonzero(values < 0).tolist())}")
    return np.ascontiguousarray(values.astype(np.uint64))
