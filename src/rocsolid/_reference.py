"""Slow, obvious definitions in exact fractions. Tests hold every fast path against them; nothing imports them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

Number = int | float | Fraction


def auc_by_pairs(y: Sequence[int], s: Sequence[Number], w: Sequence[Number] | None = None) -> Fraction:
    """Share of (positive, negative) pairs in order, ties half; pairs count the product of their weights. O(n^2)."""
    weight = [Fraction(v) for v in (w if w is not None else [1] * len(s))]
    won, total = Fraction(0), Fraction(0)
    for a, ta, wa in zip(s, y, weight, strict=True):
        for b, tb, wb in zip(s, y, weight, strict=True):
            if ta and not tb:
                won += wa * wb * Fraction(2 * (a > b) + (a == b), 2)
                total += wa * wb
    return won / total


def ap_by_definition(y: Sequence[int], s: Sequence[Number], w: Sequence[Number] | None = None) -> Fraction:
    """Mean over positives of the precision when every row scored at least as high is flagged. O(n^2)."""
    weight = [Fraction(v) for v in (w if w is not None else [1] * len(s))]
    rows = list(zip(y, s, weight, strict=True))
    total = sum((wt for t, _, wt in rows if t), Fraction(0))
    value = Fraction(0)
    for t, cut, wt in rows:
        if t and wt:
            tp = sum((v for u, x, v in rows if u and x >= cut), Fraction(0))
            flagged = sum((v for _, x, v in rows if x >= cut), Fraction(0))
            value += wt * tp / flagged
    return value / total


def sweep_by_counting(y: Sequence[int], s: Sequence[Number]) -> list[tuple[Number, int, int]]:
    """Rows (score, positives, negatives) from high to low. O(n^2)."""
    return [
        (cut, sum(1 for t, x in zip(y, s, strict=True) if t and x == cut),
         sum(1 for t, x in zip(y, s, strict=True) if not t and x == cut))
        for cut in sorted(set(s), reverse=True)
    ]  # fmt: skip


def delong_by_placements(y: Sequence[int], s: Sequence[Number]) -> Fraction:
    """DeLong's variance of the AUC from the placements of every row. O(n^2)."""
    pos = [x for t, x in zip(y, s, strict=True) if t]
    neg = [x for t, x in zip(y, s, strict=True) if not t]
    v10 = [sum((Fraction(2 * (a > b) + (a == b), 2) for b in neg), Fraction(0)) / len(neg) for a in pos]
    v01 = [sum((Fraction(2 * (a > b) + (a == b), 2) for a in pos), Fraction(0)) / len(pos) for b in neg]
    return _variance_of_mean(v10) + _variance_of_mean(v01)


def _variance_of_mean(values: Sequence[Fraction]) -> Fraction:
    n = len(values)
    mean = sum(values, Fraction(0)) / n
    return sum(((v - mean) ** 2 for v in values), Fraction(0)) / (n - 1) / n


def partial_area_by_tracing(y: Sequence[int], s: Sequence[Number], low: Fraction, high: Fraction) -> Fraction:
    """Area under the ROC curve between two false-positive rates, trapezoid by trapezoid. O(n k)."""
    m, n = sum(y), len(y) - sum(y)
    x0, y0, area = Fraction(0), Fraction(0), Fraction(0)
    for cut in sorted(set(s), reverse=True):
        x1 = Fraction(sum(1 for t, v in zip(y, s, strict=True) if not t and v >= cut), n)
        y1 = Fraction(sum(1 for t, v in zip(y, s, strict=True) if t and v >= cut), m)
        a, b = max(x0, low), min(x1, high)
        if a < b:
            slope = (y1 - y0) / (x1 - x0)
            area += (b - a) * (y0 + slope * ((a + b) / 2 - x0))
        x0, y0 = x1, y1
    return area


def ap_at_prevalence(y: Sequence[int], s: Sequence[Number], prevalence: Fraction) -> Fraction:
    """Average precision of rows weighted so that the positives have this share. O(n^2)."""
    m, n = sum(y), len(y) - sum(y)
    return ap_by_definition(y, s, [prevalence / m if t else (1 - prevalence) / n for t in y])


def points_by_counting(y: Sequence[int], s: Sequence[Number]) -> list[tuple[int, int]]:
    """(FP, TP) at every cut, from (0, 0) on. O(n k)."""
    cuts = sorted(set(s), reverse=True)
    rows = list(zip(y, s, strict=True))
    return [(0, 0)] + [(sum(not t and x >= c for t, x in rows), sum(t and x >= c for t, x in rows)) for c in cuts]


def least_cost_by_trying(points: Sequence[tuple[int, int]], of_fp: Fraction, of_fn: Fraction) -> Fraction:
    """Least of of_fp FPR + of_fn FNR over all cuts. O(k)."""
    n, m = points[-1]
    return min(of_fp * Fraction(f, n) + of_fn * Fraction(m - t, m) for f, t in points)


def cost_curve_area_by_lines(points: Sequence[tuple[int, int]]) -> Fraction:
    """Area under the lower envelope of the lines, trapezoid by trapezoid between all places where two cross. O(k^3)."""
    n, m = points[-1]
    lines = {(Fraction(f, n), Fraction(m - t, m)) for f, t in points}
    places = {Fraction(0), Fraction(1)}
    for a, b in lines:
        for c, d in lines:
            turn = (a - c) - (b - d)
            if turn and 0 < (a - c) / turn < 1:
                places.add((a - c) / turn)
    at = sorted(places)
    lowest = [min((1 - z) * a + z * b for a, b in lines) for z in at]
    pairs = zip(at, at[1:], lowest, lowest[1:], strict=False)
    return sum(((z1 - z0) * (c0 + c1) / 2 for z0, z1, c0, c1 in pairs), Fraction(0))


def gain_area_by_segments(points: Sequence[tuple[int, int]]) -> Fraction:
    """Area under precision gain over recall gain from 0 on: straight between points, cut where it enters. O(k)."""
    n, m = points[-1]
    area = Fraction(0)
    for (f0, t0), (f1, t1) in itertools.pairwise(points):
        start = max(Fraction(t0), Fraction(m * m, n + m))  # recall gain 0: recall = prevalence
        if t1 <= start:
            continue
        f_start = f0 + Fraction(f1 - f0, t1 - t0) * (start - t0)
        (x0, y0), (x1, y1) = ((1 - Fraction(m, n) * (m - t) / t, 1 - Fraction(m, n) * f / t)
                              for f, t in ((f_start, start), (Fraction(f1), Fraction(t1))))  # fmt: skip
        area += (x1 - x0) * (y0 + y1) / 2
    return area


def davis_goadrich_by_steps(points: Sequence[tuple[int, int]]) -> Fraction:
    """Area under lines between interpolated points at every whole number of positives, level from 0. O(n)."""
    steps: list[tuple[int, Fraction]] = []
    for (f0, t0), (f1, t1) in itertools.pairwise(points):
        steps.append((t0, Fraction(t0, t0 + f0)) if t0 + f0 else (0, Fraction(t1, t1 + f1)))
        for x in range(1, t1 - t0 + 1):
            steps.append((t0 + x, (t0 + x) / (t0 + x + f0 + Fraction(f1 - f0, t1 - t0) * x)))
    pairs = itertools.pairwise(steps)
    return sum(((b - a) * (p + q) / 2 for (a, p), (b, q) in pairs), Fraction(0)) / points[-1][1]


def isotonic_by_min_max(y: Sequence[int], s: Sequence[Number]) -> list[Fraction]:
    """Isotonic fit at rising distinct scores: largest over a <= i of the least mean over a..b, b >= i. O(n k^3)."""
    cuts = sorted(set(s))
    rows = [[t for t, x in zip(y, s, strict=True) if x == cut] for cut in cuts]

    def rate(a: int, b: int) -> Fraction:
        inside = [t for group in rows[a : b + 1] for t in group]
        return Fraction(sum(inside), len(inside))

    k = len(cuts)
    return [max(min(rate(a, b) for b in range(i, k)) for a in range(i + 1)) for i in range(k)]


def murphy(y: Sequence[int], s: Sequence[Number]) -> tuple[Fraction, Fraction, Fraction]:
    """Reliability, resolution and uncertainty of the Brier score over distinct forecasts. O(n k)."""
    n, base = len(y), Fraction(sum(y), len(y))
    reliability, resolution = Fraction(0), Fraction(0)
    for cut in set(s):
        inside = [t for t, x in zip(y, s, strict=True) if x == cut]
        observed = Fraction(sum(inside), len(inside))
        reliability += len(inside) * (Fraction(cut) - observed) ** 2 / n
        resolution += len(inside) * (observed - base) ** 2 / n
    return reliability, resolution, base * (1 - base)
