"""Simplified curves: every picture within half a pixel, both ways, measured by brute force."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.curves import simplified
from rocsolid.curves.simplified import PICTURES, kept_vertices
from rocsolid.measures.hull import hull_of
from rocsolid.sweep import Sweep

PIXELS = 800


def paths(sweep, at):
    """Polylines of the vertices ``at`` in pixels, by picture; written down from the definitions."""
    tp, fp = np.r_[0, np.cumsum(sweep.pos_mass)], np.r_[0, np.cumsum(sweep.neg_mass)]
    tpr, fpr = tp / tp[-1], fp / fp[-1]
    n, m = (s if e is None else e for s, e in (
        (sweep.sizes.n_neg, sweep.sizes.effective_neg), (sweep.sizes.n_pos, sweep.sizes.effective_pos)
    ))  # fmt: skip

    def log(x):
        return 1 + math.log10(max(x, 0.5 / n)) / math.log10(2 * n)

    def probit(x, size):
        end = min(0.5 / size, 0.49)
        z = NormalDist().inv_cdf
        return (z(min(max(x, end), 1 - end)) - z(end)) / (z(1 - end) - z(end))

    precision = tp[1:] / (tp[1:] + fp[1:])
    precision = np.r_[precision[0], precision]
    steps = [(tpr[at[0]], precision[at[0]])]
    for a, b in pairwise(at):
        steps += [(tpr[a], precision[b]), (tpr[b], precision[b])]
    found = {
        "roc": [(fpr[i], tpr[i]) for i in at],
        "log_roc": [(log(fpr[i]), tpr[i]) for i in at],
        "det": [(probit(fpr[i], n), probit(tpr[i], m)) for i in at],
        "precision_recall": steps,
    }
    return {name: PIXELS * np.array(path) for name, path in found.items()}


def furthest(path, other):
    """Largest distance of a point of one polyline from another: vertices, and points between them."""
    between = np.linspace(0, 1, 9)[:, None, None]
    points = (path[:-1] + between * np.diff(path, axis=0)).reshape(-1, 2)
    start, step = other[:-1], np.diff(other, axis=0)
    length = np.maximum((step**2).sum(axis=1), 1e-300)
    worst = 0.0
    for p in points:
        foot = np.clip(((p - start) * step).sum(axis=1) / length, 0, 1)[:, None]
        worst = max(worst, float(np.sqrt((((start + foot * step) - p) ** 2).sum(axis=1).min())))
    return worst


def every_sweep():
    rng = np.random.default_rng(1)
    for n, share, levels in ((1500, 0.5, None), (1500, 0.03, None), (4000, 0.3, 200), (60, 0.5, 7), (900, 0.9, None)):
        y = rng.random(n) < share
        s = rng.normal(size=n) * np.where(y, 2.0, 1.0) + 1.3 * y
        s = s if levels is None else np.round(s * levels / 8)
        yield pytest.param(Sweep.from_arrays(y, s), id=f"{n}-{share}-{levels}")
    y, s, w = rng.random(700) < 0.4, rng.normal(size=700), rng.gamma(1, size=700)
    yield pytest.param(Sweep.from_arrays(y, s + y, sample_weight=w), id="weights")
    for y, s in (
        ([1, 0], [2, 1]),
        ([0, 1], [2, 1]),
        ([1, 0], [1, 1]),
        ([1, 0, 0, 0], [1, 2, 3, 4]),
        ([1, 1, 0], [3, 2, 1]),
    ):
        yield pytest.param(Sweep.from_arrays(y, s), id=f"{y}{s}")


SWEEPS = list(every_sweep())


@pytest.mark.parametrize("tolerance", [0.5, 4])
@pytest.mark.parametrize("sweep", SWEEPS)
def test_no_picture_is_off_by_more_than_the_tolerance(sweep, tolerance):
    kept = kept_vertices(sweep, tolerance=tolerance, pixels=PIXELS)
    full, few = paths(sweep, range(len(sweep) + 1)), paths(sweep, kept.tolist())
    for name in PICTURES:
        assert furthest(full[name], few[name]) <= tolerance, name
        assert furthest(few[name], full[name]) <= tolerance, name


@pytest.mark.parametrize("sweep", SWEEPS)
def test_ends_hull_and_stops_are_kept(sweep):
    k = len(sweep)
    kept = kept_vertices(sweep, stops=[k // 2])
    assert (np.diff(kept) > 0).all()
    assert {0, k, k // 2, *hull_of(sweep).rows.tolist()} <= set(kept.tolist())


def test_each_picture_alone_needs_no_more_than_all_and_is_right(monkeypatch):
    rng = np.random.default_rng(3)
    y = rng.random(3000) < 0.3
    sweep = Sweep.from_arrays(y, rng.normal(size=3000) + y)
    together = kept_vertices(sweep)
    for name in PICTURES:
        alone = kept_vertices(sweep, pictures=[name])
        assert len(alone) < len(together) < 1500
        full, few = (paths(sweep, at)[name] for at in (range(len(sweep) + 1), alone.tolist()))
        assert max(furthest(full, few), furthest(few, full)) <= 0.5
    monkeypatch.setattr(simplified, "CHUNK", 17)
    assert kept_vertices(sweep).tolist() == together.tolist()


def test_what_is_kept_does_not_grow_with_the_rows():
    rng = np.random.default_rng(4)
    y = rng.random(300_000) < 0.1
    assert len(kept_vertices(Sweep.from_arrays(y, rng.normal(size=len(y)) + 1.5 * y))) < 1500


@pytest.mark.parametrize("name", ["roc", "det", "precision_recall"])
def test_a_thinned_curve_keeps_true_points_and_exact_areas(name):
    rng = np.random.default_rng(5)
    y = rng.random(20_000) < 0.2
    curve = rs.evaluate(y, rng.normal(size=20_000) + y).curve(name)
    thin = curve.thin()
    assert type(thin) is type(curve)
    arrays = [name for name in curve.__dataclass_fields__ if isinstance(getattr(curve, name), np.ndarray)]
    whole = {tuple(row) for row in np.nan_to_num(np.column_stack([getattr(curve, f) for f in arrays]), nan=-1).tolist()}
    for row in np.nan_to_num(np.column_stack([getattr(thin, f) for f in arrays]), nan=-1).tolist():
        assert tuple(row) in whole
    assert len(getattr(thin, arrays[0])) < 1600
    assert thin.area() == curve.area()
    if name == "precision_recall":
        assert thin.area("davis-goadrich") == curve.area("davis-goadrich")
    assert len(getattr(curve.thin(tolerance=20), arrays[0])) < len(getattr(thin, arrays[0]))


def test_bad_scales_are_refused():
    curve = rs.evaluate([1, 0, 1, 0], [4, 3, 2, 1]).curve("roc")
    for bad in ({"pixels": 0}, {"tolerance": 0}, {"tolerance": math.inf}, {"pixels": math.nan}):
        with pytest.raises(rs.errors.OptionError, match=next(iter(bad))):
            curve.thin(**bad)
    with pytest.raises(rs.errors.UnknownNameError):
        kept_vertices(Sweep.from_arrays([1, 0], [1, 2]), pictures=["rock"])
    with pytest.raises(rs.errors.UndefinedMeasureError):
        kept_vertices(Sweep.from_arrays([1, 1], [1, 2]))
