"""Partial areas, AP at another prevalence, net benefit and cost: recorded values, fractions, references."""

from __future__ import annotations

import importlib.util
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.test_cases import check, evaluate, load
from tests.strategies import labelled

import rocsolid as rs
from rocsolid import _reference as ref
from rocsolid import errors
from rocsolid.inference.cells import Term, mover
from rocsolid.inference.estimates import closed_forms_of
from rocsolid.inference.limits import wilson
from rocsolid.measures import REGISTRY, Request, find
from rocsolid.measures.partial_area import PartialAuc

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
SPEC = importlib.util.spec_from_file_location("intervals_ref", Path(__file__).parent / "intervals_ref.py")
reference = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(reference)

# ---------------------------------------------------------------------------------------- partial areas


@pytest.mark.parametrize("case", load("partial_auc"))
def test_partial_areas_of_other_tools(case):
    ev, computed = evaluate(case), {}
    for name in case["expected"]:
        kind, axis, low, high = re.fullmatch(r"(pauc|mcclish)_(fpr|tpr)_([\d.]+)_([\d.]+)", name).groups()
        standardized = ", standardized=true" if kind == "mcclish" else ""
        spec = f"partial_auc(min_{axis}={low}, max_{axis}={high}{standardized})"
        computed[name] = lambda spec=spec: ev.measure(spec).value
    check(case, computed)


tenths = st.tuples(st.integers(0, 20), st.integers(0, 20)).filter(lambda t: t[0] != t[1]).map(sorted)


@given(labelled(min_size=2), tenths)
def test_partial_areas_are_exact(data, ends):
    y, s = data
    if not 0 < sum(y) < len(y):
        return
    low, high = (Fraction(e, 20) for e in ends)
    ev = rs.evaluate(y, s)
    over_fpr = ev.measure(f"partial_auc(min_fpr={ends[0] / 20}, max_fpr={ends[1] / 20})")
    assert over_fpr.exact == ref.partial_area_by_tracing(y, s, low, high)
    # specificity over a range of TPR: the same with labels and order turned round
    over_tpr = ev.measure(f"partial_auc(min_tpr={ends[0] / 20}, max_tpr={ends[1] / 20})")
    turned = ref.partial_area_by_tracing([1 - t for t in y], [-v for v in s], 1 - high, 1 - low)
    assert over_tpr.exact == turned


def test_parts_of_the_range_add_up_to_the_whole():
    rng = np.random.default_rng(3)
    y = (rng.random(90) < 0.4).astype(int)
    s = np.round(rng.normal(size=90) + y, 1)
    for ev in (rs.evaluate(y, s), rs.evaluate(y, s, sample_weight=rng.random(90))):
        whole = ev.roc_auc().value
        for axis in ("fpr", "tpr"):
            assert ev.measure(f"partial_auc(max_{axis}=1)").value == pytest.approx(whole, rel=1e-12)
            pieces = (f"partial_auc(max_{axis}=0.17)", f"partial_auc(min_{axis}=0.17)")
            assert sum(ev.measure(p).value for p in pieces) == pytest.approx(whole, rel=1e-12)
            assert ev.measure(f"partial_auc(max_{axis}=1, standardized=true)").value == pytest.approx(whole, rel=1e-12)


@given(st.lists(st.booleans(), min_size=44, max_size=80), st.sampled_from([0.8, 0.95, 0.99]))
def test_partial_interval_is_that_of_the_reference(order, level):
    """Without ties and with whole numbers of negatives in the range, as the reference asks for."""
    pos = np.array([*order, False], float)
    neg = 1 - pos
    keep = np.cumsum(neg) <= 20 * (neg.sum() // 20)
    pos, neg = pos[keep], neg[keep]
    if pos.sum() < 2 or neg.sum() < 20:
        return
    sweep = rs.Sweep.from_counts(np.arange(len(pos), 0, -1.0), pos, neg)
    found = rs.Evaluation(sweep).measure("partial_auc(max_fpr=0.1)", confidence_level=level)
    share, low, high = reference.pauc_ci(pos, neg, 0.1, level)
    got = (found.value, found.interval.low, found.interval.high)
    assert got == pytest.approx((0.1 * share, 0.1 * low, 0.1 * high), rel=1e-9, abs=1e-12)


def test_partial_areas_at_the_limits():
    perfect, reversed_ = rs.evaluate([0] * 30 + [1] * 30, range(60)), rs.evaluate([1] * 30 + [0] * 30, range(60))
    for spec in ("partial_auc(max_fpr=0.2)", "partial_auc(min_tpr=0.8, standardized=true)"):
        low, high = find(spec).range
        best, worst = perfect.measure(spec), reversed_.measure(spec)
        assert best.value == best.interval.high == high
        assert low < best.interval.low < high
        assert worst.value == worst.interval.low == pytest.approx(low)
        assert worst.interval.high > low
        assert "below-chance" in [n.code for n in worst.notes]
    assert "few-in-range" in [n.code for n in perfect.measure("partial_auc(max_fpr=0.05)").notes]


@pytest.mark.parametrize(
    "spec",
    [
        "partial_auc",
        "partial_auc(standardized=true)",
        "partial_auc(max_fpr=0.1, min_tpr=0.9)",
        "partial_auc(max_fpr=0)",
        "partial_auc(min_fpr=0.3, max_fpr=0.1)",
        "partial_auc(max_fpr=1.1)",
        "partial_auc(max_fpr=true)",
        "partial_auc(max_fpr=0.1, standardized=1)",
        "average_precision(prevalence=0)",
        "average_precision(prevalence=1)",
        "average_precision(prevalence=low)",
        "net_benefit",
        "net_benefit(threshold=1)",
        "net_benefit(threshold=nan)",
        "expected_cost(threshold=0.5)",
        "expected_cost(threshold=0.5, cost_fp=-1, cost_fn=1)",
        "expected_cost(threshold=0.5, cost_fp=0, cost_fn=0)",
        "expected_cost(threshold=0.5, cost_fp=inf, cost_fn=1)",
    ],
)
def test_options_that_say_nothing_are_refused(spec):
    with pytest.raises(errors.OptionError) as caught:
        find(spec)
    assert caught.value.hint


def test_options_in_python():
    ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert ev.measure(Request(REGISTRY["partial_auc"], PartialAuc(max_fpr=0.25))).exact == Fraction(1, 8)


# ------------------------------------------------------------------------------- at another prevalence


@pytest.mark.parametrize("case", load("prevalence_adjustment"))
def test_average_precision_at_another_prevalence_of_other_tools(case):
    ev, computed, expected = evaluate(case), {}, {}
    for name, value in case["expected"].items():
        if name.startswith("ap_"):  # the Davis-Goadrich area is another measure
            prevalence = next(p for p in case["params"]["prevalences"] if f"{p:.6g}" == name.rpartition("_")[2])
            found = ev.measure(f"average_precision(prevalence={prevalence})")
            computed[name] = found.details["lift"] if "over" in name else found.value
            expected[name] = value
    assert len(expected) == 2 * len(case["params"]["prevalences"])
    check({**case, "expected": expected}, computed)


@given(labelled(min_size=2), st.sampled_from([0.01, 0.3, 0.5, 0.9]))
def test_average_precision_at_another_prevalence_is_exact(data, prevalence):
    y, s = data
    if not 0 < sum(y) < len(y):
        return
    expected = ref.ap_at_prevalence(y, s, Fraction(str(prevalence)))
    spec = f"average_precision(prevalence={prevalence})"
    assert rs.evaluate(y, s).measure(spec).exact == expected
    weighted = rs.evaluate(y, s, sample_weight=[0.3] * len(y)).measure(spec)  # the road of large samples
    assert weighted.value == pytest.approx(float(expected), rel=1e-12)


def test_at_its_own_prevalence_the_adjusted_value_is_the_plain_one():
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], [100, 300])
    s = np.round(rng.normal(size=400) + 1.2 * y, 1)
    ev = rs.evaluate(y, s)
    spec = "average_precision(prevalence=0.25)"
    plain, adjusted = (ev.measure(m, margins="fixed") for m in ("average_precision", spec))
    assert adjusted.value == pytest.approx(plain.value, rel=1e-12)
    assert adjusted.std_error == pytest.approx(
        ev.measure("average_precision", margins="fixed", method="influence").std_error, rel=1e-9
    )
    assert adjusted.interval.low == pytest.approx(plain.interval.low, rel=1e-9)
    assert adjusted.interval.high == pytest.approx(plain.interval.high, rel=1e-9)
    assert set(closed_forms_of(find(spec))) == {
        "effective-error",
        "influence",
    }  # no binomial rule


def test_too_few_negatives_to_say():
    rng = np.random.default_rng(6)
    y = np.repeat([1, 0], 100)
    ev = rs.evaluate(y, rng.normal(size=200) + 2 * y)
    for method in ("auto", "influence"):
        refused = ev.measure("average_precision(prevalence=0.01)", method=method)
        assert refused.interval is None
        assert refused.std_error > 0
        assert [n.code for n in refused.notes] == ["other-prevalence", "too-few-negatives"]
        assert "needs 2" in refused.notes[1].en
    given_ = ev.measure("average_precision(prevalence=0.2)")
    assert given_.interval is not None
    assert "of 100 negatives carry it" in given_.notes[0].en
    only = rs.evaluate([1, 1], [0.1, 0.2], on_undefined="nan").measure("average_precision(prevalence=0.2)")
    assert "no negatives" in only.undefined.en


# ------------------------------------------------------------------------------- net benefit and cost


@given(labelled(min_size=1), st.sampled_from([0.05, 0.5, 0.8]))
def test_net_benefit_and_cost_by_counting(data, threshold):
    y, s = data
    ranks = sorted(set(s))
    p = [ranks.index(v) / len(ranks) for v in s]
    cells = {k: sum((a, b >= threshold) == k for a, b in zip(y, p, strict=True)) for k in product((0, 1), repeat=2)}
    t, n = Fraction(str(threshold)), len(y)
    ev = rs.evaluate(y, p, pos_label=1)
    benefit = ev.measure(f"net_benefit(threshold={threshold})")
    assert benefit.exact == Fraction(cells[1, 1], n) - Fraction(cells[0, 1], n) * t / (1 - t)
    cost = ev.measure(f"expected_cost(threshold={threshold}, cost_fp=0.3, cost_fn=7)")
    assert cost.exact == (Fraction(3, 10) * cells[0, 1] + 7 * cells[1, 0]) / n
    for found in (benefit, cost):
        low, high = find(found.measure).range
        assert low <= found.interval.low <= found.value <= found.interval.high <= high
        assert found.interval.width > 0


def test_cost_of_the_trivial_decisions():
    """Flagging everybody costs the negatives, nobody the positives; the cost curve's ends."""
    ev = rs.evaluate([1, 1, 0, 0, 0], [0.9, 0.2, 0.8, 0.1, 0.3])
    everybody, nobody = (ev.measure(f"expected_cost(threshold={t}, cost_fp=2, cost_fn=10)") for t in (0, 1))
    assert everybody.value == everybody.details["flag_all"] == pytest.approx(6 / 5)
    assert nobody.value == nobody.details["flag_none"] == 4
    treat = ev.measure("net_benefit(threshold=0.1)")
    assert treat.value == pytest.approx(treat.details["treat_all"]) == pytest.approx(2 / 5 - 3 / 5 / 9)


def test_error_rate_is_a_cost_and_its_complement_accuracy():
    rng = np.random.default_rng(7)
    y, p = (rng.random(80) < 0.4).astype(int), rng.random(80)
    for weight in (None, rng.random(80)):
        ev = rs.evaluate(y, p, sample_weight=weight)
        wrong = ev.measure("expected_cost(threshold=0.5, cost_fp=1, cost_fn=1)")
        right = ev.measure("accuracy(threshold=0.5)", method="influence")
        assert wrong.value == pytest.approx(1 - right.value, rel=1e-12)
        assert wrong.std_error == pytest.approx(right.std_error, rel=1e-9)


def test_mover_of_one_cell_is_wilson_and_of_newcombe_1998():
    """Newcombe 1998, Statistics in Medicine 17:873-890, Table II, method 10: 56/70 against 48/80."""
    first, second = (Term(f, a / b, *wilson(a / b, b, 1.959964)) for f, a, b in ((1, 56, 70), (-1, 48, 80)))
    assert mover(first, second, 0.0) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    ev = rs.evaluate([1] * 20 + [0] * 20, np.r_[np.full(15, 0.9), np.full(5, 0.1), np.full(20, 0.2)])
    one = ev.measure("expected_cost(threshold=0.5, cost_fp=0, cost_fn=1)").interval
    assert (one.low, one.high) == pytest.approx(wilson(5 / 40, 40, 1.959963985), rel=1e-8)
    # whole weights k on every row: as many effective rows as rows
    same = rs.evaluate([1, 1, 0, 0] * 9, [0.9, 0.2, 0.7, 0.1] * 9)
    heavy = rs.evaluate([1, 1, 0, 0] * 9, [0.9, 0.2, 0.7, 0.1] * 9, sample_weight=[3.0] * 36)
    for margins in ("random", "fixed"):
        a, b = (e.measure("net_benefit(threshold=0.4)", margins=margins).interval for e in (same, heavy))
        assert (a.low, a.high) == pytest.approx((b.low, b.high), rel=1e-12)
