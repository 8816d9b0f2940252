"""What every band promises: its own curve inside, limits within [0, 1], outward joins, options that are refused."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.inference import bands, envelope

OPTIONS = [{}, {"guarantee": True}, {"kind": "pointwise"}, {"kind": "pointwise", "method": "jeffreys"}]
CURVES = ["roc", "precision_recall", "det"]


def evaluation(seed, m, n, levels=None, shift=1.2):
    rng = np.random.default_rng(seed)
    y = np.r_[np.ones(m, int), np.zeros(n, int)]
    s = rng.normal(size=m + n) + shift * y
    return rs.evaluate(y, s if levels is None else np.digitize(s, np.linspace(-2, 3, levels - 1)))


SHAPES = [(1, 1, None), (1, 40, None), (30, 2, None), (40, 60, None), (40, 60, 4), (150, 120, 30), (5, 5, 1)]


@pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize(("m", "n", "levels"), SHAPES)
def test_a_band_contains_its_own_curve(m, n, levels, curve, options):
    for seed in range(4):
        for shift in (-1.0, 1.2, 9.0):
            ev = evaluation(seed, m, n, levels, shift)
            band = ev.band(curve, **options)
            assert band.contains(ev.curve(curve))
            assert (band.low >= 0).all()
            assert (band.high <= 1).all()
            assert (band.low <= band.high).all()
            assert (np.diff(band.x) >= 0).all()
            assert (band.x[0], band.x[-1]) == (0, 1)


@pytest.mark.parametrize("options", [*OPTIONS, {"confidence_level": 0.8}])
@pytest.mark.parametrize("levels", [None, 40])
def test_fewer_stops_enclose_all_vertices(levels, options, monkeypatch):
    ev = evaluation(7, 180, 240, levels)
    x = np.linspace(0, 1, 997)
    for curve in CURVES:
        low, high = ev.band(curve, **options)._limits(x)
        with monkeypatch.context() as patch:
            patch.setattr(envelope.choose_stops, "__defaults__", (25,))
            fewer = ev.band(curve, **options)
        assert len(fewer.x) < 2000
        fewer_low, fewer_high = fewer._limits(x)
        slack = 1e-12  # two roundings of the same line
        assert (fewer_low <= low + slack).all()
        assert (fewer_high >= high - slack).all()
        assert fewer.contains(ev.curve(curve))


def test_the_outline_encloses_each_of_its_regions():
    ev = evaluation(3, 35, 50)
    tp, fp = (np.r_[0, c.astype(np.int64)] for c in (ev.sweep.tp, ev.sweep.fp))
    regions = [
        envelope.region(tp, fp, np.arange(len(tp)), (2.5 * math.cos(p), 2.5 * math.sin(p)), envelope.clopper_pearson)
        for p in (0.2, 0.7, 1.3)
    ]
    x, low, high = envelope.outline([u for u, _ in regions], [v for _, v in regions])
    at = np.union1d(np.linspace(0, 1, 1001), x)
    for upper, lower in regions:
        assert (np.maximum(*envelope.sides(x, high, at)) >= np.maximum(*envelope.sides(*upper, at)) - 1e-14).all()
        assert (np.minimum(*envelope.sides(x, low, at)) <= np.minimum(*envelope.sides(*lower, at)) + 1e-14).all()


def test_a_single_row_of_each_class_by_hand():
    """Rectangle band at local levels alpha' = 1 - sqrt(0.95): vertices (0,0), (0,1), (1,1), all limits by hand."""
    tail = (1 - math.sqrt(0.95)) / 2
    band = rs.evaluate([1, 0], [2, 1]).band("roc", guarantee=True)
    # one of one: [tail, 1]; none of one: [0, 1 - tail]
    assert band.at(0).high == 1
    assert band.at(0).low == 0
    assert band.at(1).low == pytest.approx(tail, abs=1e-12)
    assert band.at(1 - tail).low == pytest.approx(0, abs=1e-12)
    # the straight join from (1 - tail, tail) of (0, 1) to (1, tail) of (1, 1)
    assert band.at(1 - tail / 2).low == pytest.approx(tail, abs=1e-12)


def test_precision_is_the_roc_band_read_sideways():
    """Through the definition: some FPR within the ROC band at this TPR gives each precision, at any prevalence."""
    ev = evaluation(11, 60, 90)
    roc, pr = ev.band("roc"), ev.band("pr", prevalence=0.03)
    grid = np.linspace(0, 1, 20_001)
    low, high = roc._limits(grid)
    for r in (0.2, 0.5, 0.77, 0.95):
        inside = grid[(low <= r) & (r <= high)]
        found = pr.at(r)
        assert found.low == pytest.approx(0.03 * r / (0.03 * r + 0.97 * inside[-1]), rel=1e-3)
        assert found.high == pytest.approx(0.03 * r / (0.03 * r + 0.97 * inside[0]), rel=1e-2)


def test_det_is_one_minus_roc():
    ev = evaluation(12, 60, 90)
    roc, det = ev.band("roc").at(0.3), ev.band("det").at(0.3)
    assert (det.low, det.high) == (pytest.approx(1 - roc.high), pytest.approx(1 - roc.low))


def test_bands_are_nested_by_level_and_kind():
    ev = evaluation(13, 80, 90)
    x = np.linspace(0, 1, 301)
    narrow_to_wide = [
        {"kind": "pointwise", "confidence_level": 0.8}, {"kind": "pointwise"}, {}, {"confidence_level": 0.99},
        {"guarantee": True, "confidence_level": 0.99},
    ]  # fmt: skip
    limits = [ev.band("roc", **options)._limits(x) for options in narrow_to_wide]
    for (low, high), (wider_low, wider_high) in pairwise(limits):
        assert (wider_low <= low + 1e-12).all()
        assert (wider_high >= high - 1e-12).all()


def test_sampled_prevalence_is_wider_and_says_so():
    ev = evaluation(14, 60, 240)
    given, sampled = ev.band("pr"), ev.band("pr", prevalence="sampled")
    assert given.prevalence.low == given.prevalence.high == 0.2
    assert sampled.prevalence.low < 0.2 < sampled.prevalence.high
    assert sampled.at(0.5).low < given.at(0.5).low
    assert sampled.contains(ev.curve("pr"))
    assert [n.code for n in sampled.notes] == ["band-simultaneous", "sampled-prevalence"]
    assert [n.code for n in given.notes] == ["band-simultaneous", "at-prevalence"]


def test_another_curve_is_outside():
    ev, other = evaluation(15, 200, 200, shift=2.0), evaluation(16, 200, 200, shift=0.2)
    for curve in ("roc", "det", "precision_recall"):
        assert not ev.band(curve).contains(other.curve(curve))


def test_a_curve_that_leaves_between_its_vertices_is_outside():
    """Three vertices inside the band, a straight chord through its lower edge."""
    ev = evaluation(17, 400, 400, shift=2.0)
    assert not ev.band("roc").contains(rs.evaluate([0, 1], [1, 1]).curve("roc"))


def test_refusals():
    ev = evaluation(18, 20, 20)
    for options, text in [
        ({"kind": "both"}, "kind"), ({"method": "wald"}, "method"), ({"guarantee": 1}, "True or False"),
        ({"guarantee": True, "kind": "pointwise"}, "simultaneous"), ({"method": "jeffreys"}, "pointwise"),
        ({"guarantee": True, "method": "ellipse"}, "rectangle"), ({"method": "rectangle"}, "guarantee=True"),
        ({"prevalence": 0.1}, "does not depend"), ({"confidence_level": 95}, "between 0 and 1"),
    ]:  # fmt: skip
        with pytest.raises(rs.errors.OptionError, match=text):
            ev.band("roc", **options)
    for prevalence in (0, 1, math.nan, "random", True):
        with pytest.raises(rs.errors.OptionError, match="prevalence"):
            ev.band("pr", prevalence=prevalence)
    with pytest.raises(rs.errors.UnknownNameError):
        ev.band("rocc")
    with pytest.raises(rs.errors.OptionError, match="roc curve"):
        ev.band("roc").contains(ev.curve("det"))
    with pytest.raises(rs.errors.OptionError, match="prevalence"):
        ev.band("pr", prevalence=0.1).contains(ev.curve("pr"))
    with pytest.raises(rs.errors.OptionError, match="rate from 0 to 1"):
        ev.band("roc").at(1.5)
    with pytest.raises(rs.errors.NotAvailableError, match="whole counts"):
        rs.evaluate([0, 1], [1, 2], sample_weight=[1.0, 0.5]).band("roc")
    with pytest.raises(rs.errors.UndefinedMeasureError, match="no negatives"):
        rs.evaluate([1, 1], [1, 2]).band("roc")


def test_as_text_and_json():
    band = evaluation(19, 20, 30).band("pr", prevalence=0.01)
    assert repr(band) == (
        "<simultaneous precision_recall band at prevalence 0.01, 0.95 (ellipse); 20 positive, 30 negative; positive: 1>"
    )
    read = json.loads(band.to_json())
    assert read["low"] == band.low.tolist()
    assert read["prevalence_low"] == 0.01
    frame = band.to_frame()
    assert list(frame.columns) == ["x", "low", "high"]
    with pytest.raises(ValueError, match="read-only"):
        band.low[0] = 1


def test_a_million_rows_take_4096_stops():
    rng = np.random.default_rng(0)
    n = 300_000
    y = (rng.random(n) < 0.3).astype(int)
    sweep = rs.Sweep.from_arrays(y, rng.normal(size=n) + y)
    tp, fp = (np.r_[0, c.astype(np.int64)] for c in (sweep.tp, sweep.fp))
    stops = envelope.choose_stops(tp, fp)
    assert 3000 < len(stops) <= envelope.STOPS
    assert (stops[0], stops[-1]) == (0, len(tp) - 1)
    band = bands.band("roc", sweep)
    assert band.contains(rs.Evaluation(sweep).curve("roc"))
    assert band.at(0.2).width < 0.02
