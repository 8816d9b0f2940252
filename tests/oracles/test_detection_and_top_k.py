"""KS, equal error rates, detection costs, Cllr and the top of the list against recorded tools and slow definitions."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from tests.oracles.test_cases import load
from tests.strategies import labelled

import rocsolid as rs
from rocsolid import errors
from rocsolid.measures import Eer, Ks, MinDcf

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
DETECTION = {
    "eer_roc_interpolated": "eer(rule=interpolated)",
    "eer_convex_hull": "eer(rule=hull)",
    "min_dcf_pt0.5_unnormalised": "min_dcf(prior=0.5, normalized=false)",
    "min_dcf_pt0.01_normalised": "min_dcf(prior=0.01)",
    "min_dcf_pt0.1_cm10_normalised": "min_dcf(prior=0.1, cost_miss=10)",
    "cllr": "cllr",
    "min_cllr": "min_cllr",
}
GAIN = {"gain": "recall_at_k", "lift": "lift_at_k"}


def evaluated(case):
    return rs.evaluate(case["inputs"]["labels"], case["inputs"]["scores"])


@pytest.mark.parametrize("case", load("detection_costs"), ids=lambda case: case["name"])
def test_detection_costs_of_other_tools(case):
    ev, expected = evaluated(case), dict(case["expected"])
    calibration = expected.pop("cllr_cal", None)
    for name, value in expected.items():
        assert ev.measure(DETECTION[name]).value == pytest.approx(value, abs=case["tolerance"])
    if calibration is not None:
        assert ev.measure("cllr").details["calibration_loss"] == pytest.approx(calibration, abs=case["tolerance"])


@pytest.mark.parametrize("case", load("point_measures"), ids=lambda case: case["name"])
def test_kolmogorov_smirnov_of_other_tools(case):
    assert evaluated(case).measure("ks").value == pytest.approx(case["expected"]["ks"], abs=case["tolerance"])


@pytest.mark.parametrize("case", load("gain_and_lift"), ids=lambda case: case["name"])
def test_gain_and_lift_of_other_tools(case):
    for name, value in case["expected"].items():
        kind, _, share = name.partition("_at_")
        found = evaluated(case).measure(f"{GAIN[kind]}(share={share})")
        assert found.value == pytest.approx(value, abs=case["tolerance"])


@given(labelled(min_size=3, max_size=6))
def test_top_k_is_the_mean_over_all_orders_of_ties(data):
    y, s = data
    sorted_orders = [
        order
        for order in itertools.permutations(range(len(y)))
        if all(s[a] >= s[b] for a, b in itertools.pairwise(order))
    ]
    for k in range(1, len(y) + 1):
        hits = Fraction(sum(y[i] for order in sorted_orders for i in order[:k]), len(sorted_orders))
        assert rs.measure(f"precision_at_k(k={k})", y, s).exact == hits / k
    m = sum(y)
    hits = Fraction(sum(y[i] for order in sorted_orders for i in order[:m]), len(sorted_orders))
    assert rs.measure("break_even", y, s).exact == hits / m


@given(labelled(min_size=3))
def test_separation_and_cost_by_counting(data):
    y, s = data
    m, n = sum(y), len(y) - sum(y)
    rates = [
        (Fraction(0), Fraction(1)),  # nothing flagged
        *((Fraction(sum(v >= c for v, t in zip(s, y, strict=True) if not t), n),
         Fraction(sum(v < c for v, t in zip(s, y, strict=True) if t), m))
        for c in s)
    ]  # fmt: skip
    ev = rs.evaluate(y, s)
    assert ev.measure("ks").exact == max(1 - fnr - fpr for fpr, fnr in rates)
    assert ev.measure(Ks(two_sided=True)).exact == max(abs(1 - fnr - fpr) for fpr, fnr in rates)
    assert ev.measure(Eer(rule="nearest")).exact == min((abs(a - b), (a + b) / 2) for a, b in rates)[1]
    cost = min(Fraction(1, 5) * 3 * fnr + Fraction(4, 5) * fpr for fpr, fnr in rates)
    assert ev.measure(MinDcf(0.2, cost_miss=3, normalized=False)).exact == cost
    assert ev.measure("eer(rule=hull)").value <= ev.measure("eer").value


def test_actual_cost_is_never_below_the_smallest_and_refuses_other_scores():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    s = np.round(rng.normal(size=200) + 2 * y - 1, 1)
    ev = rs.evaluate(y, s)
    for prior in (0.01, 0.3, 0.5, 0.9):
        assert ev.measure(f"act_dcf(prior={prior})").value >= ev.measure(f"min_dcf(prior={prior})").value
    assert ev.measure("act_dcf(prior=0.5)").value == pytest.approx(np.mean(s[y == 1] < 0) + np.mean(s[y == 0] >= 0))
    for spec in ("cllr", "act_dcf(prior=0.5)"):
        with pytest.raises(errors.UndefinedMeasureError, match="log-likelihood ratio"):
            rs.evaluate(y, s, higher_is_positive=False).measure(spec)


def test_options_that_mean_nothing_are_refused():
    ev = rs.evaluate([0, 0, 1, 1], [1, 3, 2, 4])
    for spec in (
        "eer(rule=mean)", "ks(two_sided=1)", "precision_at_k", "precision_at_k(k=1, share=0.5)", "lift_at_k(share=0)",
        "recall_at_k(k=0)", "min_dcf(prior=0)", "min_dcf(prior=0.5, cost_miss=0)", "f_beta(threshold=2, beta=0)",
        "act_dcf(prior=0.5, normalized=1)",
    ):  # fmt: skip
        with pytest.raises(errors.RocsolidError):
            ev.measure(spec)
    with pytest.raises(errors.UndefinedMeasureError, match="only 4 rows"):
        ev.measure("precision_at_k(k=5)")


def test_ties_at_the_cut_are_said():
    found = rs.evaluate([1, 1, 0, 0], [9, 5, 5, 5]).measure("precision_at_k(k=2)")
    assert found.exact == Fraction(2, 3)
    assert dict(found.details) == {"tied_at_cut": 3, "fewest_positives": 1.0, "most_positives": 2.0}
    assert "ties-at-cut" in [note.code for note in found.notes]
