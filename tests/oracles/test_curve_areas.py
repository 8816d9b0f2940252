"""Areas of curves and least costs: values recorded from other tools, fractions, and sums over ranks by definition."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.test_cases import check, evaluate, load, notes
from tests.strategies import labelled

import rocsolid as rs
from rocsolid import _reference as ref
from rocsolid import errors
from rocsolid.measures.hull import _one_by_one, hull_of, upper_hull

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


def both_classes(y):
    return 0 < sum(y) < len(y)


# ---------------------------------------------------------------------------------------- recorded values


@pytest.mark.parametrize("case", load("precision_recall"))
def test_precision_recall_areas_of_other_tools(case):
    ev = evaluate(case)
    curve = ev.curve("precision_recall")
    computed = {
        "pr_trapezoid_all_points": curve.area("trapezoid"),
        "pr_davis_goadrich": curve.area("davis-goadrich"),
        "pr_lower_trapezoid": curve.area("lower-trapezoid"),
        "auprg": ev.measure("prg_area").value,
    }
    expected = {k: v for k, v in case["expected"].items() if not k.startswith("ap_")}  # those are intervals
    check({**case, "expected": expected}, computed)
    assert ev.curve("prg").area() == computed["auprg"]


@pytest.mark.parametrize("case", load("h_measure_and_cost_curves"))
def test_costs_of_other_tools(case):
    ev = evaluate(case)
    specs = {
        "h_measure_default": "h_measure",
        "h_measure_sr1": "h_measure(severity_ratio=1)",
        "h_measure_sr0.25": "h_measure(severity_ratio=0.25)",
        "h_measure_sr3": "h_measure(severity_ratio=3)",
        "h_measure_beta_pi": "h_measure(prior=beta-pi)",
        "min_error_rate": "min_expected_cost(cost_fp=1, cost_fn=1)",
    }
    computed = {name: (lambda spec=spec: ev.measure(spec).value) for name, spec in specs.items()}
    computed["auc_convex_hull"] = ev.curve("roc_hull").area()
    computed["cost_curve_lower_envelope_area"] = ev.curve("cost").envelope_area
    check(case, computed)
    assert ev.measure("cost_curve_area").value == ev.curve("cost").area()
    hand_2009, sr1 = (ev.measure(spec).value for spec in ("h_measure(prior=beta-2-2)", "h_measure(severity_ratio=1)"))
    assert hand_2009 == sr1


@pytest.mark.parametrize("case", load("gain_and_lift"))
def test_gain_and_lift(case):
    curves = {kind: evaluate(case).curve(kind) for kind in ("gain", "lift")}
    computed = {
        name: curves[name.split("_at_")[0]].at(float(name.split("_at_")[1])) for name in case["expected"]
    }  # fmt: skip
    check(case, computed)


@pytest.mark.parametrize("case", load("prevalence_adjustment"))
def test_davis_goadrich_at_another_prevalence(case):
    """A class may weigh more or less: the curve is then that of another prevalence."""
    y = np.asarray(case["inputs"]["labels"])
    m, n = int(y.sum()), int((1 - y).sum())
    wanted = {k: v for k, v in case["expected"].items() if k.startswith("pr_davis_goadrich")}
    assert len(wanted) == len(case["params"]["prevalences"])
    computed = {}
    for name, p in zip(wanted, case["params"]["prevalences"], strict=True):
        curve = evaluate(case, sample_weight=np.where(y == 1, p / m, (1 - p) / n)).curve("pr")
        computed[name] = curve.area("davis-goadrich")
    check({**case, "expected": wanted}, computed)


@pytest.mark.parametrize("case", load("weights"))
def test_davis_goadrich_with_weights(case):
    curve = evaluate(case, sample_weight=case["inputs"]["weights"]).curve("pr")
    wanted = {k: v for k, v in case["expected"].items() if k == "weighted_pr_davis_goadrich"}
    check({**case, "expected": wanted}, {"weighted_pr_davis_goadrich": curve.area("davis-goadrich")})


def test_areas_of_note_002():
    case = notes("note002_list")
    curve = evaluate(case).curve("pr")
    methods = {"upper_envelope_points": "rocr", "all_points": "trapezoid"}
    computed = {f"pr_trapezoid_{name}": curve.area(method) for name, method in methods.items()}
    computed["pr_davis_goadrich"] = curve.area("davis-goadrich")
    check({**case, "expected": {k: case["expected"][k] for k in computed}}, computed)
    assert [round(curve.area(m), 10) for m in ("rocr", "trapezoid", "davis-goadrich")] == [
        0.7430735931, 0.6509307359, 0.6545079402,
    ]  # fmt: skip


def test_areas_of_note_000_and_the_field():
    """Notes: ties put the estimators in any order. B76, B77: three tools, three areas. B43: the first point is real."""
    note = notes("note000")
    curve = evaluate(note).curve("pr")
    areas = [round(curve.area(m), 4) for m in ("davis-goadrich", "trapezoid", "step")]
    assert areas == [0.7734, 0.7744, 0.775]
    four = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).curve("pr")
    assert [round(four.area(m), 4) for m in ("step", "trapezoid", "davis-goadrich", "rocr")] == [
        0.8333, 0.7917, 0.7973, 0.9167,
    ]  # fmt: skip
    one_block = rs.evaluate([1] + [0] * 99, [0.5] * 100).curve("pr")
    assert [round(one_block.area(m), 12) for m in ("step", "trapezoid", "rocr", "davis-goadrich")] == [
        0.01, 0.505, 0.505, 0.01,
    ]  # fmt: skip
    b43 = rs.evaluate([0, 0, 1, 1, 0], [0.8, 0.8, 0.8, 0.2, 0.2]).curve("pr")
    assert (b43.recall[1], b43.precision[1]) == (0.5, pytest.approx(1 / 3))
    assert b43.area() == pytest.approx(0.5 / 3 + 0.5 * 0.4)
    assert b43.area("trapezoid") == pytest.approx(0.5167, abs=5e-5)


def test_note_003_costs():
    """Equations 14 and 15: 2 misses at 5 and 1 false alarm at 1 in ten rows; p = 0.2 with costs 5 and 1 is PC 5/9."""
    y, s = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], [9, 8, 3, 2, 7, 6, 5, 4, 1, 0]
    ev = rs.evaluate(y, s)
    assert ev.measure("cost_sensitive_error(threshold=7, cost_fp=1, cost_fn=5)").exact == Fraction(2 * 5 + 1, 10)
    curve = ev.curve("cost")
    assert curve.probability_cost(prevalence=0.2, cost_fp=1, cost_fn=5) == pytest.approx(5 / 9)
    # every ROC point is the line from (0, FPR) to (1, FNR)
    at = curve.thresholds.tolist().index(7.0)
    assert (curve.fpr[at], curve.fnr[at]) == (pytest.approx(1 / 6), 0.5)
    # at any prevalence and costs the least cost is the envelope there, times the cost of all being wrong
    for p, fp, fn in ((0.2, 1, 5), (0.5, 3, 1), (0.9, 1, 1)):
        spec = f"min_expected_cost(cost_fp={fp}, cost_fn={fn}, prevalence={p})"
        pc = curve.probability_cost(prevalence=p, cost_fp=fp, cost_fn=fn)
        assert ev.measure(spec).value == pytest.approx(curve.at(pc) * (p * fn + (1 - p) * fp))


# ------------------------------------------------------------------------------------------- in fractions


@given(labelled(min_size=2))
def test_hull_and_costs_are_exact(data):
    y, s = data
    if not both_classes(y):
        return
    ev, points = rs.evaluate(y, s), ref.points_by_counting(y, s)
    assert ev.measure("cost_curve_area").exact == ref.cost_curve_area_by_lines(points)
    n, m = points[-1]
    p = Fraction(m, n + m)
    assert ev.measure("min_expected_cost(cost_fp=2, cost_fn=3)").exact == ref.least_cost_by_trying(
        points, 2 * (1 - p), 3 * p
    )
    given_p = ev.measure("min_expected_cost(cost_fp=1, cost_fn=0.7, prevalence=0.3)")
    assert given_p.exact == ref.least_cost_by_trying(points, Fraction(7, 10), Fraction(7, 10) * Fraction(3, 10))
    assert ev.measure("prg_area").value == pytest.approx(float(ref.gain_area_by_segments(points)), rel=1e-12, abs=1e-12)
    steps = ev.curve("pr").area("davis-goadrich-steps")
    assert steps == pytest.approx(float(ref.davis_goadrich_by_steps(points)), rel=1e-12)
    whole = [int(v) for v in hull_of(ev.sweep).rows]
    x, z = ([p[i] for p in points] for i in (0, 1))
    assert whole == _one_by_one(x, z)


def test_hull_point_by_point_and_in_passes():
    rng = np.random.default_rng(2)
    for k in (2, 3, 50, 2000):
        x, y = (np.concatenate([[0], np.cumsum(rng.integers(0, 5, k) + (i == 0))]) for i in range(2))
        assert upper_hull(x, y).tolist() == _one_by_one(x.tolist(), y.tolist())
    # a long arc, all of which lies below the last point: one vertex is lost at each look
    x = np.arange(3000)
    arc = np.append(3000 * 3000 - (3000 - x) ** 2, 10**9)
    assert upper_hull(np.append(x, 3001), arc).tolist() == _one_by_one([*x.tolist(), 3001], arc.tolist())
    # counts whose products pass 64 bits
    big = rs.Sweep.from_counts([3, 2, 1], [2**40, 2**40, 2**40 + 1], [2**40, 2**40 - 1, 2**40])
    x, y = np.cumsum([0, 2**40, 2**40 - 1, 2**40]).tolist(), np.cumsum([0, 2**40, 2**40, 2**40 + 1]).tolist()
    assert hull_of(big).rows.tolist() == _one_by_one(x, y)


def test_least_cost_says_where():
    ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    details = ev.measure("min_expected_cost(cost_fp=1, cost_fn=1)").details
    # 0.8 (one miss) and 0.35 (one false alarm) cost the same
    assert (details["strictest_cut"], details["most_lenient_cut"]) == (0.8, 0.35)
    nobody = ev.measure("min_expected_cost(cost_fp=100, cost_fn=1, prevalence=0.001)").details
    assert nobody["strictest_cut"] == 0.8
    useless = rs.evaluate([1, 0, 0], [1, 1, 1]).measure("min_expected_cost(cost_fp=1, cost_fn=1)")
    assert math.isnan(useless.details["strictest_cut"])
    assert useless.details["share_of_trivial"] == 1


# ---------------------------------------------------------------------------- by definition, over ranks


def bedroc_by_ranks(y, s, alpha):
    """Truchon & Bayly's equations 18 and 36, averaged over all orders of tied rows."""
    n, m = len(y), sum(y)
    orders = {p for p in permutations(range(n)) if all(s[a] >= s[b] for a, b in pairwise(p))}
    values = []
    for order in orders:
        ranks = [i + 1 for i, row in enumerate(order) if y[row]]
        rie = sum(math.exp(-alpha * r / n) for r in ranks) / m / (
            1 / n * (1 - math.exp(-alpha)) / (math.exp(alpha / n) - 1)
        )  # fmt: skip
        ra = m / n
        factor = ra * math.sinh(alpha / 2) / (math.cosh(alpha / 2) - math.cosh(alpha / 2 - alpha * ra))
        values.append(rie * factor + 1 / (1 - math.exp(alpha * (1 - ra))))
    return sum(values) / len(values)


@given(labelled(min_size=2, max_size=6), st.sampled_from([0.5, 5.0, 20.0]))
def test_bedroc_is_that_of_the_paper(data, alpha):
    y, s = data
    if both_classes(y):
        found = rs.measure(f"bedroc(alpha={alpha})", y, s).value
        assert found == pytest.approx(bedroc_by_ranks(y, s, alpha), rel=1e-9, abs=1e-9)


@given(labelled(min_size=2), st.sampled_from([(0.001, 0.1), (0.05, 0.6), (0.3, 1.0)]))
def test_log_auc_is_the_integral_on_a_logarithmic_axis(data, ends):
    y, s = data
    if not both_classes(y):
        return
    curve = rs.evaluate(y, s).curve("roc")
    low, high = ends
    cuts = np.unique(np.concatenate([[low, high], curve.fpr[(curve.fpr > low) & (curve.fpr < high)]]))
    total, nodes, weights = 0.0, *np.polynomial.legendre.leggauss(40)
    for a, b in zip(np.log(cuts[:-1]), np.log(cuts[1:]), strict=True):
        x = np.exp((a + b) / 2 + (b - a) / 2 * nodes)
        total += float(weights @ np.interp(x, curve.fpr, curve.tpr)) * (b - a) / 2
    found = rs.measure(f"log_auc(min_fpr={low}, max_fpr={high})", y, s).value
    assert found == pytest.approx(total / math.log(high / low), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("prior", ["severity_ratio=0.4", "prior=beta-pi", "prior=beta-2-2", "severity_ratio=7"])
def test_h_measure_is_its_integral(prior):
    """The least cost at each c, by trying all cuts, against the density of c; unlike the hull and its closed form."""
    from scipy.stats import beta

    rng = np.random.default_rng(1)
    y = (rng.random(60) < 0.3).astype(int)
    ev = rs.evaluate(y, np.round(rng.normal(size=60) + y, 1))
    found = ev.measure(f"h_measure({prior})")
    roc, pi = ev.curve("roc"), y.mean()
    c = (np.arange(200_000) + 0.5) / 200_000
    weight = beta(found.details["beta_a"], found.details["beta_b"]).pdf(c)
    loss = np.full_like(c, np.inf)
    for fpr, tpr in zip(roc.fpr, roc.tpr, strict=True):
        np.minimum(loss, c * (1 - pi) * fpr + (1 - c) * pi * (1 - tpr), out=loss)
    trivial = np.minimum(c * (1 - pi), (1 - c) * pi)
    assert found.value == pytest.approx(1 - (loss @ weight) / (trivial @ weight), abs=1e-5)


# --------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    "spec",
    [
        "h_measure(severity_ratio=0)",
        "h_measure(severity_ratio=-1)",
        "h_measure(prior=uniform)",
        "h_measure(severity_ratio=2, prior=beta-pi)",
        "min_expected_cost",
        "min_expected_cost(cost_fp=0, cost_fn=0)",
        "min_expected_cost(cost_fp=-1, cost_fn=1)",
        "min_expected_cost(cost_fp=1, cost_fn=1, prevalence=0)",
        "log_auc(min_fpr=0)",
        "log_auc(min_fpr=0.2)",
        "log_auc(max_fpr=2)",
        "bedroc(alpha=0)",
        "bedroc(alpha=high)",
        "prg_area(prevalence=0.1)",
    ],
)
def test_options_that_mean_nothing(spec):
    with pytest.raises(errors.OptionError) as caught:
        rs.measure(spec, [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert caught.value.hint


def test_unit_steps_need_whole_positives():
    curve = rs.evaluate([0, 1, 1], [1, 2, 3], sample_weight=[1, 0.5, 2]).curve("pr")
    with pytest.raises(errors.OptionError, match="weighted"):
        curve.area("davis-goadrich-steps")
    with pytest.raises(errors.UnknownNameError, match="trapezoid"):
        curve.area("trapezoidal")
