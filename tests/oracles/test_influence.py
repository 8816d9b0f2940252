"""Gradients against three other roads: a little more weight on a row, the jackknife, and DeLong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from tests.oracles.test_cases import load
from tests.strategies import labelled

import rocsolid as rs
from rocsolid import _reference as ref
from rocsolid.inference import covariance, variance
from rocsolid.measures import REGISTRY, compute, find

# how to ask for them: a measure with a gradient that is missing here fails, there is no default row
SPECS = {
    "roc_auc": ("roc_auc",),
    "gini": ("gini",),
    "d_prime": ("d_prime",),
    "average_precision": (
        "average_precision",
        "average_precision(prevalence=0.05)",
        "average_precision(prevalence=0.7)",
    ),
    "partial_auc": (
        "partial_auc(max_fpr=0.13)",
        "partial_auc(max_fpr=1)",
        "partial_auc(min_fpr=0.11, max_fpr=0.37)",
        "partial_auc(min_fpr=0.17)",
        "partial_auc(min_tpr=0.87)",
        "partial_auc(min_tpr=0.27, max_tpr=0.71, standardized=true)",
    ),
    "brier_score": ("brier_score",),
    "log_loss": ("log_loss",),
    "precision": ("precision(threshold=0.5)",),
    "recall": ("recall(threshold=0.5)",),
    "specificity": ("specificity(threshold=0.5)",),
    "accuracy": ("accuracy(threshold=0.5)",),
    "f1": ("f1(threshold=0.5)",),
    "net_benefit": ("net_benefit(threshold=0.4)",),
    "expected_cost": ("expected_cost(threshold=0.5, cost_fp=1, cost_fn=5)",),
    "cost_curve_area": ("cost_curve_area",),
    "min_expected_cost": (
        "min_expected_cost(cost_fp=1, cost_fn=2.1)",
        "min_expected_cost(cost_fp=1, cost_fn=5.3, prevalence=0.2)",
    ),
    "h_measure": (
        "h_measure",
        "h_measure(severity_ratio=0.3)",
        "h_measure(prior=beta-pi)",
        "h_measure(prior=beta-2-2)",
    ),
    "log_auc": ("log_auc(min_fpr=0.03, max_fpr=0.41)", "log_auc(min_fpr=0.13, max_fpr=1)"),
    "prg_area": ("prg_area",),
    "bedroc": ("bedroc", "bedroc(alpha=3.5)"),
    "precision_at_prevalence": ("precision_at_prevalence(threshold=0.5, prevalence=0.05)",),
    "npv_at_prevalence": ("npv_at_prevalence(threshold=0.5, prevalence=0.7)",),
    "f1_at_prevalence": ("f1_at_prevalence(threshold=0.5, prevalence=0.05)",),
    "brier_reliability": ("brier_reliability",),
    "brier_resolution": ("brier_resolution",),
    "brier_uncertainty": ("brier_uncertainty",),
    "brier_miscalibration": ("brier_miscalibration",),
    "brier_discrimination": ("brier_discrimination",),
    "log_reliability": ("log_reliability",),
    "log_resolution": ("log_resolution",),
    "log_uncertainty": ("log_uncertainty",),
    "log_miscalibration": ("log_miscalibration",),
    "log_discrimination": ("log_discrimination",),
    "brier_skill_score": ("brier_skill_score",),
    "calibration_slope": ("calibration_slope",),
    "calibration_in_the_large": ("calibration_in_the_large",),
    "oe_ratio": ("oe_ratio",),
    "calibration_intercept": ("calibration_intercept", "calibration_intercept(slope=fitted)"),
    "npv": ("npv(threshold=0.5)",),
    "fpr": ("fpr(threshold=0.5)",),
    "fnr": ("fnr(threshold=0.5)",),
    "error_rate": ("error_rate(threshold=0.5)",),
    "jaccard": ("jaccard(threshold=0.5)",),
    "balanced_accuracy": ("balanced_accuracy(threshold=0.5)",),
    "youden_j": ("youden_j(threshold=0.5)",),
    "lr_positive": ("lr_positive(threshold=0.6)",),
    "lr_negative": ("lr_negative(threshold=0.4)",),
    "diagnostic_odds_ratio": ("diagnostic_odds_ratio(threshold=0.6)",),
    "mcc": ("mcc(threshold=0.5)",),
    "kappa": ("kappa(threshold=0.5)",),
    "f_beta": ("f_beta(threshold=0.5, beta=2)",),
    "act_dcf": ("act_dcf(prior=0.4)", "act_dcf(prior=0.4, cost_miss=2, normalized=false)"),
    "cllr": ("cllr",),
    "d2_log_loss": ("d2_log_loss",),
    "d2_absolute_error": ("d2_absolute_error", "d2_absolute_error(baseline=median)"),
}
# a row left out may move a vertex of the hull, or the end of a range past a row: a few rows then differ
KINKED = {"cost_curve_area", "min_expected_cost", "h_measure", "log_auc"}
SMOOTH = [spec for specs in SPECS.values() for spec in specs]
pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


def study(n=60, seed=4, ties=True):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    s = 1 / (1 + np.exp(-rng.normal(size=n) - 1.2 * y))
    return y, np.round(s, 2) if ties else s, rng.integers(1, 4, n).astype(float)


def test_every_gradient_of_the_registry_is_checked():
    assert sorted(SPECS) == sorted(name for name, m in REGISTRY.items() if m.gradient is not None)
    assert all(find(spec).measure.name == name for name, specs in SPECS.items() for spec in specs)


def gradient_of(spec, sweep):
    request = find(spec)
    return request.measure.gradient(sweep, request.options)


def raw_influences(name, sweep, y, s):
    """Influence of each row when its weight grows within the whole sample: centred part plus prevalence part."""
    g = gradient_of(name, sweep)
    at = np.searchsorted(-sweep.scores, -s)
    share = float(sweep.pos_mass.sum()) / float(sweep.pos_mass.sum() + sweep.neg_mass.sum())
    return np.where(
        y == 1, g.pos[at] / share + (1 - share) * g.prevalence, g.neg[at] / (1 - share) - share * g.prevalence
    )


@pytest.mark.parametrize("name", SMOOTH)
def test_gradient_is_the_answer_to_a_little_more_weight(name):
    y, s, w = study()
    sweep = rs.Sweep.from_arrays(y, s, sample_weight=w)
    raw = raw_influences(name, sweep, y, s)
    value = float(compute(find(name), sweep))
    for row in range(0, len(y), 7):
        slopes = []
        for eps in (2.0**-18, -(2.0**-18)):
            more = w.copy()
            more[row] += eps * w.sum()
            moved = float(compute(find(name), rs.Sweep.from_arrays(y, s, sample_weight=more)))
            slopes.append((moved - value) / (eps / (1 + eps)))
        numeric = (slopes[0] + slopes[1]) / 2
        assert numeric == pytest.approx(raw[row], rel=1e-6, abs=1e-6 * np.abs(raw).max())


@pytest.mark.parametrize("name", SMOOTH)
def test_influences_have_class_mean_zero(name):
    y, s, w = study()
    for weight in (None, w):
        sweep = rs.Sweep.from_arrays(y, s, sample_weight=weight)
        g = gradient_of(name, sweep)
        assert float((g.pos * sweep.pos_mass).sum()) == pytest.approx(0, abs=1e-10)
        assert float((g.neg * sweep.neg_mass).sum()) == pytest.approx(0, abs=1e-10)


@pytest.mark.parametrize("name", SMOOTH)
def test_variance_is_close_to_the_jackknife(name):
    """Leave out one row of each kind, so many times as there are: 20,000 rows, two hundred kinds."""
    y, s, _ = study(n=20_000, seed=8)
    sweep = rs.Sweep.from_arrays(y, s)
    n, values, times = len(y), [], []
    for row in range(len(sweep)):
        for of_class, counts in ((1, sweep.pos), (0, sweep.neg)):
            if counts[row]:
                left = counts.copy()
                left[row] -= 1
                both = (left, sweep.neg) if of_class else (sweep.pos, left)
                values.append(float(compute(find(name), rs.Sweep.from_counts(sweep.scores, *both))))
                times.append(int(counts[row]))
    left_out, repeats = np.array(values), np.array(times)
    around = left_out - np.average(left_out, weights=repeats)
    jackknife = (n - 1) / n * float((repeats * np.square(around)).sum())
    assert variance(gradient_of(name, sweep), sweep, "random").total == pytest.approx(jackknife, rel=0.03)


@given(labelled(min_size=4))
def test_covariance_of_roc_auc_is_delong(data):
    y, s = data
    if min(sum(y), len(y) - sum(y)) < 2:
        return
    sweep = rs.Sweep.from_arrays(y, s)
    exact = float(ref.delong_by_placements(y, s))
    g = REGISTRY["roc_auc"].gradient(sweep, None)
    assert variance(g, sweep).total == pytest.approx(exact, rel=1e-10, abs=1e-15)
    at = [sweep.scores.tolist().index(v) for v in s]
    psi = np.where(np.array(y) == 1, g.pos[at], g.neg[at])
    assert covariance(psi, np.array(y, bool))[0, 0] == pytest.approx(exact, rel=1e-10, abs=1e-15)


def test_covariance_of_two_models_is_delongs_for_the_difference():
    """The published data of DeLong et al. 1988 are compared in a later stage; here the contrast itself is checked."""
    rng = np.random.default_rng(2)
    y = rng.random(80) < 0.4
    scores = [rng.normal(size=80) + y, np.round(rng.normal(size=80) + 1.5 * y, 1)]
    psis = []
    for s in scores:
        sweep = rs.Sweep.from_arrays(y, s)
        g, at = REGISTRY["roc_auc"].gradient(sweep, None), np.searchsorted(-sweep.scores, -s)
        psis.append(np.where(y, g.pos[at], g.neg[at]))
    cov = covariance(psis, y)
    difference = covariance(psis[0] - psis[1], y)[0, 0]
    assert cov[0, 0] + cov[1, 1] - 2 * cov[0, 1] == pytest.approx(difference, rel=1e-12)
    assert np.linalg.eigvalsh(cov).min() > 0


def test_row_covariance_equals_sweep_variance_with_weights_and_both_margins():
    y, s, w = study()
    sweep = rs.Sweep.from_arrays(y, s, sample_weight=w)
    at = np.searchsorted(-sweep.scores, -s)
    for name in SMOOTH:
        g = gradient_of(name, sweep)
        psi = np.where(y == 1, g.pos[at], g.neg[at])
        for margins in ("random", "fixed"):
            rows = covariance(psi, y == 1, slopes=[g.prevalence], weight=w, margins=margins)[0, 0]
            assert variance(g, sweep, margins).total == pytest.approx(rows, rel=1e-11)


def test_random_margins_add_the_spread_of_the_prevalence():
    y, s, _ = study()
    ev = rs.evaluate(y, s)
    for name in ("average_precision", "brier_score"):
        free, fixed = (ev.measure(name, margins=m, method="influence").std_error for m in ("random", "fixed"))
        assert free > fixed
    assert ev.roc_auc(margins="random").std_error == ev.roc_auc(margins="fixed").std_error


def test_a_row_a_cluster_is_no_cluster_at_all():
    y, s, w = study()
    for name in SMOOTH:
        for weight in (None, w):
            sweep = rs.Sweep.from_arrays(y, s, sample_weight=weight)
            g, at = gradient_of(name, sweep), np.searchsorted(-sweep.scores, -s)
            psi = np.where(y == 1, g.pos[at], g.neg[at])
            alone = covariance(psi, y == 1, weight=weight, margins="fixed")
            apart = covariance(psi, y == 1, weight=weight, margins="fixed", cluster=np.arange(len(y)))
            assert apart == pytest.approx(alone, rel=1e-12)


def test_a_cluster_twice_as_large_has_the_same_clusters():
    """Every row twice, in its cluster: the estimate and its clustered standard error stay, the naive one shrinks."""
    y, s, _ = study()
    cluster = np.arange(len(y)) // 3
    for name in SMOOTH:
        once, twice = (
            rs.evaluate(np.repeat(y, k), np.repeat(s, k), cluster=np.repeat(cluster, k)).measure(name) for k in (1, 2)
        )
        assert twice.value == pytest.approx(once.value, rel=1e-12)
        assert twice.std_error == pytest.approx(once.std_error, rel=1e-10), name


@pytest.mark.parametrize("name", SMOOTH)
def test_row_influences_are_those_of_the_jackknife(name):
    """Leaving a row out changes the value by about its influence over N, to the next order in 1/N."""
    y, s, _ = study(n=400, ties=False)
    ev = rs.evaluate(y, s)
    given, value = ev.influence(name), ev.measure(name).value
    left_out = [rs.measure(name, np.delete(y, i), np.delete(s, i)).value for i in range(0, 400, 16)]
    jackknife = (len(y) - 1) * (value - np.array(left_out))
    scale = np.abs(given).max()
    if find(name).measure.name in KINKED:
        assert np.median(np.abs(jackknife - given[::16])) < 0.003 * scale
        assert jackknife == pytest.approx(given[::16], abs=0.3 * scale)
        return
    pools = name.endswith(("miscalibration", "discrimination"))  # without a row the isotonic fit may pool others
    assert jackknife == pytest.approx(given[::16], abs=(0.15 if pools else 0.02) * scale)


def test_row_influences_come_in_the_order_given():
    y = [0, 0, None, 1, 1, 0]
    s = [0.1, 0.4, 0.9, 0.35, 0.8, 0.7]
    ev = rs.evaluate(y, s, missing="drop", sample_weight=[1, 1, 1, 1, 1, 0])
    found = ev.influence("roc_auc")
    assert found[[0, 1, 3, 4]].tolist() == [0.5, -0.5, -0.5, 0.5]
    assert np.isnan(found[2])
    assert found[5] == 0


def test_influences_need_a_gradient_and_rows():
    ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    with pytest.raises(rs.errors.OptionError, match="rows"):
        rs.evaluation.Evaluation(ev.sweep).influence("roc_auc")
    with pytest.raises(rs.errors.UndefinedMeasureError):
        rs.evaluate([1, 1], [0.2, 0.3], pos_label=1).influence("roc_auc")


@pytest.mark.parametrize("case", load("clustered"))
def test_sums_of_influences_over_clusters_are_obuchowskis_variance(case):
    """Obuchowski 1997: sums of a class with I/(I - 1) of the clusters that hold it, the cross product with all."""
    y, s, groups = (np.asarray(case["inputs"][k]) for k in ("labels", "scores", "groups"))
    sweep = rs.Sweep.from_arrays(y, s)
    g, row = gradient_of("roc_auc", sweep), np.searchsorted(-sweep.scores, -s)
    cluster = np.unique(groups, return_inverse=True)[1]
    total, variance_found, sums = cluster.max() + 1, 0.0, []
    for of_class, psi in ((1, g.pos), (0, g.neg)):
        member = y == of_class
        sums.append(np.bincount(cluster[member], psi[row[member]] / member.sum(), total))
        held = len(np.unique(cluster[member]))
        variance_found += held / (held - 1) * np.square(sums[-1]).sum()
    variance_found += 2 * total / (total - 1) * (sums[0] * sums[1]).sum()
    assert variance_found == pytest.approx(case["expected"]["clustered_var"], rel=case["tolerance"])
    assert variance(g, sweep).total == pytest.approx(case["expected"]["naive_delong_var"], rel=case["tolerance"])
