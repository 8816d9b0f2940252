"""Where two ROC curves of the same classes cross, exactly: both are piecewise linear with whole-number vertices.

On the N x P lattice every vertex has a whole FP count F, so between two neighbouring F of either curve the
difference of heights is linear, with rational ends, and changes sign at most once. A common vertical piece is met
by looking at both sides of each F. Heights are kept as whole numerators and denominators; nothing is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Staircase:
    """Vertices of an ROC curve as whole counts, from (0, 0) to (N, P)."""

    fp: Whole
    tp: Whole

    @classmethod
    def of(cls, pos: Whole, neg: Whole) -> Staircase:
        """From counts per distinct score, strict to lenient."""
        # two heights and two runs are multiplied: beyond 62 bits Python's integers take over
        largest = int(pos.sum()) * int(neg.sum()) ** 2
        dtype: Any = np.int64 if largest < 2**61 else object
        fp, tp = (np.concatenate([[0], np.cumsum(counts.astype(np.int64))]).astype(dtype) for counts in (neg, pos))
        return cls(fp, tp)

    def heights(self, at: Whole) -> tuple[tuple[Whole, Whole], tuple[Whole, Whole]]:
        """Numerators and denominators of TP just before and just after each FP count. O(k log k)."""
        first, last = np.searchsorted(self.fp, at, "left"), np.searchsorted(self.fp, at, "right")
        before, after = np.maximum(first - 1, 0), np.minimum(first, len(self.fp) - 1)
        met = last > first
        run = np.where(met, 1, self.fp[after] - self.fp[before])
        rise = self.tp[after] - self.tp[before]
        between = self.tp[before] * run + rise * (at - self.fp[before])
        return (np.where(met, self.tp[after], between), run), (np.where(met, self.tp[last - 1], between), run)


@dataclass(frozen=True, slots=True)
class Piece:
    """An open range of FP counts in which the first curve is higher (1), lower (-1), or as high (0)."""

    start: Fraction
    end: Fraction
    sign: int


@dataclass(frozen=True, slots=True)
class Meeting:
    """The winner changes here: FP and TP counts, and the sign before."""

    fp: Fraction
    tp: Fraction
    before: int


def pieces(first: Staircase, second: Staircase) -> list[Piece]:
    """Ranges of FP counts, in order and without gaps, each with its winner; neighbours differ. O(k log k)."""
    found: list[Piece] = []
    for piece in _raw_pieces(first, second):
        if found and found[-1].sign == piece.sign:
            found[-1] = Piece(found[-1].start, piece.end, piece.sign)
        else:
            found.append(piece)
    return found


def _raw_pieces(first: Staircase, second: Staircase) -> Iterator[Piece]:
    at = np.union1d(first.fp, second.fp)
    (left, right), runs = _differences(first, second, at)
    for i in range(len(at) - 1):
        start, end = Fraction(int(at[i])), Fraction(int(at[i + 1]))
        a, b = int(right[i]), int(left[i + 1])
        if a * b >= 0:
            yield Piece(start, end, _sign(a + b))
            continue
        gap_a, gap_b = (Fraction(abs(d), int(runs[j])) for d, j in ((a, i), (b, i + 1)))
        zero = start + (end - start) * gap_a / (gap_a + gap_b)
        yield Piece(start, zero, _sign(a))
        yield Piece(zero, end, _sign(b))


def _differences(first: Staircase, second: Staircase, at: Whole) -> tuple[tuple[Whole, Whole], Whole]:
    """Numerators of the difference of heights before and after each FP count, and their common denominators."""
    (a_left, a_run), (a_right, _) = first.heights(at)
    (b_left, b_run), (b_right, _) = second.heights(at)
    return (a_left * b_run - b_left * a_run, a_right * b_run - b_right * a_run), a_run * b_run


def _sign(x: int) -> int:
    return (x > 0) - (x < 0)


def meetings(first: Staircase, second: Staircase, ranges: list[Piece]) -> list[Meeting]:
    """Points at which the winner changes; where the curves run together before that, their first common point."""
    found: list[Meeting] = []
    last: Piece | None = None
    for piece in (p for p in ranges if p.sign):
        if last is not None and last.sign != piece.sign:
            height = max(height_before(first, last.end), height_before(second, last.end))
            found.append(Meeting(last.end, height, last.sign))
        last = piece
    return found


def height_before(curve: Staircase, at: Fraction) -> Fraction:
    """TP count just before a rational FP count."""
    after = int(np.searchsorted(curve.fp, math.ceil(at), "left"))  # vertices are whole
    f1, t1 = int(curve.fp[after]), int(curve.tp[after])
    if f1 == at or after == 0:
        return Fraction(t1)
    f0, t0 = int(curve.fp[after - 1]), int(curve.tp[after - 1])
    return t0 + (t1 - t0) * (at - f0) / (f1 - f0)


def height_after(curve: Staircase, at: Fraction) -> Fraction:
    """TP count just after a rational FP count: at the top of a vertical piece."""
    last = int(np.searchsorted(curve.fp, math.floor(at), "right")) - 1
    return Fraction(int(curve.tp[last])) if curve.fp[last] == at else height_before(curve, at)
