"""Evaluations at other prevalences: recorded values, fractions, and the limits of precision, NPV and F1 at a cut."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from tests.oracles.test_cases import check, evaluate, load
from tests.strategies import labelled

import rocsolid as rs
from rocsolid import _reference as ref
from rocsolid import errors
from rocsolid.inference.limits import jeffreys

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


def davis_goadrich(recall, false):
    """Area under the curve on which, between two points, false and true positives grow in proportion, by quadrature."""
    area = 0.0
    for k in np.flatnonzero(np.diff(recall) > 0):
        ends, (first, last) = recall[k : k + 2], false[k : k + 2]

        def precision(r, ends=ends, first=first, last=last):
            fp = first + (last - first) * (r - ends[0]) / (ends[1] - ends[0])
            return r / (r + fp) if r + fp > 0 else 1.0

        area += quad(precision, *ends, epsabs=1e-13)[0]
    return area


@pytest.mark.parametrize("case", load("prevalence_adjustment"))
def test_areas_of_other_tools(case):
    ev, computed = evaluate(case), {}
    for name in case["expected"]:
        prevalence = next(p for p in case["params"]["prevalences"] if f"{p:.6g}" == name.rpartition("_")[2])
        view = ev.at_prevalence(prevalence)
        found = view.average_precision()
        if name.startswith("pr_davis"):
            curve = view.curve()
            false = ev.curve("roc").fpr * (1 - prevalence) / prevalence  # for each positive
            assert curve.precision[1:] == pytest.approx(curve.recall[1:] / (curve.recall + false)[1:], rel=1e-12)
            computed[name] = davis_goadrich(curve.recall, false)
        else:
            computed[name] = found.details["lift"] if "over" in name else found.value
    check(case, computed)


def cells_at(y, s, cut):
    return [sum(1 for t, v in zip(y, s, strict=True) if (t, v >= cut) == k) for k in ((1, 1), (0, 1), (1, 0), (0, 0))]


@given(labelled(min_size=2), st.sampled_from([0.01, 0.3, 0.5, 0.9]))
def test_points_are_exact(data, prevalence):
    y, s = data
    if not 0 < sum(y) < len(y):
        return
    pi, cut = Fraction(str(prevalence)), sorted(s)[len(s) // 2]
    tp, fp, fn, tn = cells_at(y, s, cut)
    tpr, fpr = Fraction(tp, tp + fn), Fraction(fp, fp + tn)
    view = rs.evaluate(y, s, on_undefined="nan").at_prevalence(prevalence)
    expected = {
        "precision": (pi * tpr, pi * tpr + (1 - pi) * fpr),
        "npv": ((1 - pi) * (1 - fpr), (1 - pi) * (1 - fpr) + pi * (1 - tpr)),
        "f1": (2 * pi * tpr, pi * (1 + tpr) + (1 - pi) * fpr),
    }
    for name, (above, below) in expected.items():
        found = getattr(view, name)(threshold=cut)
        if below == 0:
            assert "denominator is 0" in found.undefined.en
        else:
            assert found.exact == above / below
            assert found.interval.low <= found.value <= found.interval.high
            assert found.interval.width > 0
    assert view.average_precision().exact == ref.ap_at_prevalence(y, s, pi)
    curve = view.curve()
    assert curve.average_precision == pytest.approx(float(ref.ap_at_prevalence(y, s, pi)), rel=1e-12)
    flagged = [
        (pi * Fraction(a, tp + fn), (1 - pi) * Fraction(b, fp + tn))
        for a, b in (cells_at(y, s, v)[:2] for v in sorted(set(s), reverse=True))
    ]
    assert curve.precision[1:] == pytest.approx([float(a / (a + b)) for a, b in flagged], rel=1e-12)


def test_the_samples_own_prevalence_changes_nothing():
    y, s = rs.Binormal.from_auc(0.8).sample(40, 120, rng=1)
    ev = rs.evaluate(y, s)
    view, cut = ev.at_prevalence(0.25), 0.7
    for name, plain in (("precision", "precision"), ("f1", "f1")):
        assert getattr(view, name)(threshold=cut).exact == ev.measure(f"{plain}(threshold={cut})").exact
    curve, drawn = view.curve(), ev.curve("pr")
    assert curve.precision[1:] == pytest.approx(drawn.precision[1:], rel=1e-12)
    assert (curve.recall == drawn.recall).all()
    assert view.average_precision().value == pytest.approx(ev.average_precision().value, rel=1e-12)


def test_undersampled_negatives_are_a_prevalence():
    ev = rs.evaluate([1] * 10 + [0] * 30, range(40, 0, -1))
    view = ev.at_prevalence(negatives_kept=0.1)
    assert view.prevalence == 10 / 310
    assert view.average_precision().value == ev.at_prevalence(10 / 310).average_precision().value
    weighted = rs.evaluate([1] * 10 + [0] * 30, range(40, 0, -1), sample_weight=[2.0] * 40)
    assert weighted.at_prevalence(negatives_kept=0.1).prevalence == pytest.approx(10 / 310, rel=1e-14)
    assert ev.at_prevalence(negatives_kept=1).prevalence == 0.25
    # every tenth negative at random weighs ten rows
    y, s = rs.Binormal.from_auc(0.85).sample(200, 20_000, rng=2)
    keep = (y == 1) | (np.arange(len(y)) % 10 == 0)
    some = rs.evaluate(y[keep], s[keep]).at_prevalence(negatives_kept=0.1).average_precision()
    assert some.value == pytest.approx(float(rs.average_precision(y, s)), abs=0.03)
    tens = rs.evaluate(y[keep], s[keep], sample_weight=np.where(y[keep] == 1, 1.0, 10.0)).average_precision()
    assert some.value == pytest.approx(tens.value, rel=1e-12)


def test_average_precision_against_prevalence():
    y, s = rs.Binormal.from_auc(0.9).sample(100, 400, rng=3)
    ev = rs.evaluate(y, s)
    curve = ev.average_precision_by_prevalence([0.5, 0.1, 0.001])
    assert curve.prevalence == (0.5, 0.1, 0.001)
    for point, value in zip(curve.prevalence, curve.average_precision, strict=True):
        assert value == ev.measure(f"average_precision(prevalence={point})").value
    assert [i is None for i in curve.intervals] == [False, False, True]
    assert "no interval where fewer than 2 negatives" in repr(curve)
    assert curve.to_frame()["low"].isna().tolist() == [False, False, True]
    assert len(ev.average_precision_by_prevalence().estimates) == 9
    assert len(curve.to_dict()["rows"]) == 3
    assert list(ev.average_precision_by_prevalence().average_precision) == sorted(
        ev.average_precision_by_prevalence().average_precision, reverse=True
    )


def test_limits_by_hand():
    """All positives and no negative flagged: the lower limit of precision is where Jeffreys' limits of both meet."""
    ev = rs.evaluate([1] * 20 + [0] * 30, [0.9] * 20 + [0.1] * 30)
    found = ev.measure("precision_at_prevalence(threshold=0.5, prevalence=0.1)")
    assert found.interval.high == found.value == 1
    below, above = 1 - jeffreys(20, 0, 0.95)[0], jeffreys(0, 30, 0.95)[1]

    def beyond(v):  # MOVER: the reach below of (1 - v) pi T - v (1 - pi) F is the root of the sum of squares
        reach = math.hypot((1 - v) * 0.1 * below, v * 0.9 * above)
        return (1 - v) * 0.1 - reach

    assert beyond(found.interval.low) == pytest.approx(0, abs=1e-9)
    assert "0 of 30 negatives are flagged" in found.notes[0].en
    assert found.details["negatives_flagged"] == 0
    npv = ev.at_prevalence(0.1).npv(threshold=0.5)
    assert npv.interval.low < npv.value == npv.interval.high == 1
    assert npv.details["negatives_not_flagged"] == 30


@pytest.mark.parametrize("name", ["precision", "npv", "f1"])
def test_weights_count_as_rows_of_their_effective_number(name):
    y, s = [1, 1, 0, 0, 0] * 9, [0.9, 0.2, 0.7, 0.1, 0.3] * 9
    spec = f"{name}_at_prevalence(threshold=0.4, prevalence=0.05)"
    plain, heavy = (rs.evaluate(y, s, sample_weight=w).measure(spec) for w in (None, [3.0] * 45))
    assert (heavy.value, heavy.std_error) == pytest.approx((plain.value, plain.std_error), rel=1e-12)
    assert (heavy.interval.low, heavy.interval.high) == pytest.approx(
        (plain.interval.low, plain.interval.high), rel=1e-9
    )
    drawn = rs.evaluate(y, s).measure(spec, method="bootstrap", margins="fixed", rng=1)
    assert drawn.interval.low == pytest.approx(plain.interval.low, abs=0.06)


@pytest.mark.parametrize(
    "call",
    [
        lambda ev: ev.at_prevalence(),
        lambda ev: ev.at_prevalence(0.1, negatives_kept=0.1),
        lambda ev: ev.at_prevalence(0),
        lambda ev: ev.at_prevalence(5),
        lambda ev: ev.at_prevalence(negatives_kept=0),
        lambda ev: ev.at_prevalence(negatives_kept=10),
        lambda ev: ev.average_precision_by_prevalence([]),
        lambda ev: ev.average_precision_by_prevalence([0.5, 1.0]),
        lambda ev: ev.measure("precision_at_prevalence(threshold=0.5)"),
        lambda ev: ev.measure("precision_at_prevalence(threshold=0.5, prevalence=1)"),
        lambda ev: ev.measure("npv_at_prevalence(threshold=low, prevalence=0.1)"),
        lambda ev: ev.at_prevalence(0.1).precision(threshold=math.nan),
    ],
)
def test_what_is_no_prevalence_is_refused(call):
    with pytest.raises(errors.OptionError) as caught:
        call(rs.evaluate([0, 1], [0.1, 0.2]))
    assert caught.value.hint


def test_views_without_a_class():
    ev = rs.evaluate([1, 1], [0.1, 0.2], pos_label=1, on_undefined="nan")
    assert "no negatives" in ev.at_prevalence(0.1).precision(threshold=0.1).undefined.en
    assert "no negatives" in ev.at_prevalence(0.1).average_precision().undefined.en
    for call in (lambda: ev.at_prevalence(0.1).curve(), lambda: ev.at_prevalence(negatives_kept=0.5)):
        with pytest.raises(errors.UndefinedMeasureError, match="no negatives"):
            call()
