"""Plans of studies and pooled sites: whole rows that reach the target, laws, errors, values."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsolid as rs
from rocsolid import errors
from rocsolid.inference import area_variances as av

TESTS = [
    rs.AucAgainst(auc=0.8, null=0.7),
    rs.AucAgainst(auc=0.6, null=0.7, variance="hanley-mcneil"),
    rs.AucAgainst(auc=0.8, null=0.5, variance="obuchowski-binormal", alternative="greater", alpha=0.01),
    rs.PairedDifference(auc_a=0.85, auc_b=0.80, correlation=0.5, sd_ratio=0.5),
    rs.PairedDifference(auc_a=0.80, auc_b=0.85, correlation=0.4, correlation_of="areas", variance="hanley-mcneil"),
    rs.UnpairedDifference(auc_a=0.85, auc_b=0.80),
    rs.PilotDifference(difference=0.05, spread_pos=0.04, spread_neg=0.05),
]
WIDTHS = [
    rs.AucWidth(auc=0.9),
    rs.AucWidth(auc=0.9, interval="wald", variance="hanley-mcneil", confidence_level=0.9),
    rs.AveragePrecisionWidth(average_precision=0.6),
    rs.AveragePrecisionWidth(average_precision=0.6, variance="boyd"),
    rs.RecallWidth(recall=0.8),
    rs.RecallWidth(recall=0.8, fpr=0.1, sd_ratio=2),
]

# --------------------------------------------------------------------------------------------------- sizes


@pytest.mark.parametrize("design", TESTS, ids=repr)
@pytest.mark.parametrize("ratio", [0.5, 1, 7.3])
def test_sample_size_is_the_smallest_that_reaches_the_power(design, ratio):
    plan = rs.sample_size(design, power=0.8, ratio=ratio)
    assert plan.value >= 0.8
    assert plan.value == rs.power(design, n_pos=plan.n_pos, n_neg=plan.n_neg).value
    assert design.reached(plan.details["n_pos_unrounded"], plan.details["n_neg_unrounded"]) == pytest.approx(0.8)
    assert math.ceil(plan.details["n_pos_unrounded"]) == plan.n_pos
    assert rs.power(design, n_pos=plan.n_pos - 1, n_neg=math.ceil((plan.n_pos - 1) * ratio)).value < 0.8 + 0.01


@pytest.mark.parametrize("design", WIDTHS, ids=repr)
def test_sample_size_is_the_smallest_that_reaches_the_width(design):
    plan = rs.sample_size(design, half_width=0.04, prevalence=0.2)
    assert plan.value <= 0.04
    assert plan.value == rs.half_width(design, n_pos=plan.n_pos, n_neg=plan.n_neg).value
    fewer = rs.half_width(design, n_pos=plan.n_pos - 1, n_neg=4 * (plan.n_pos - 1)).value
    assert fewer > 0.04


def test_more_rows_never_hurt():
    for design in TESTS:
        powers = [rs.power(design, n_pos=n, n_neg=2 * n).value for n in (20, 50, 100, 500, 5000)]
        assert powers == sorted(powers)
    for design in WIDTHS:
        widths = [rs.half_width(design, n_pos=n, n_neg=2 * n).value for n in (20, 50, 100, 500, 5000)]
        assert widths == sorted(widths, reverse=True)


def test_a_generous_target_takes_the_fewest_rows():
    plan = rs.sample_size(rs.AucWidth(auc=0.9), half_width=0.49, ratio=1)
    assert (plan.n_pos, plan.n_neg) == (2, 2)
    assert [note.code for note in plan.notes] == ["few-rows-planned"]


def test_identical_models_are_told_apart_by_nothing_else():
    """Scores that correlate perfectly leave only the part of the variance that the models do not share."""
    some, all_ = (rs.PairedDifference(auc_a=0.85, auc_b=0.80, correlation=r).std_error(100, 100) for r in (0, 1))
    apart = rs.UnpairedDifference(auc_a=0.85, auc_b=0.80).std_error(100, 100)
    assert some == pytest.approx(apart, rel=1e-12)
    assert all_ < some / 3


def test_scores_correlated_by_one_and_one_area_give_the_variance():
    assert av.binormal_covariance(0.8, 0.8, 20, 30, 0.7, 1.0) == av.binormal_variance(0.8, 20, 30, 0.7)


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-0.99, 0.99))
def test_both_below(h, k, rho):
    """Symmetric, and what is below h is either below or above k."""
    assert av.both_below(h, k, rho) == pytest.approx(av.both_below(k, h, rho), abs=1e-12)
    assert av.both_below(h, k, rho) + av.both_below(h, -k, -rho) == pytest.approx(av.normal_cdf(h), abs=1e-12)


@pytest.mark.parametrize(
    ("d", "prevalence", "b", "ap"),
    [
        (1.8123876049, 0.05, 1.0, 0.461015),
        (1.8123876049, 0.001, 1.0, 0.037784),
        (2 * 1.4328182086, 0.0058, 0.5, 0.535478),
    ],
)
def test_binormal_average_precision(d, prevalence, b, ap):
    assert av.binormal_average_precision(d, prevalence, b)[0] == pytest.approx(ap, abs=5e-7)


def test_pilot_is_delongs_variance():
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [30, 50])
    s = np.round(rng.normal(size=80) + y, 1)
    pilot = rs.PilotDifference.of(y, s, -s)  # the second model is the first turned round: difference 2 A - 1
    auc = rs.roc_auc(y, s, method="delong")
    assert pilot.difference == pytest.approx(2 * auc.value - 1)
    assert pilot.std_error(30, 50) == pytest.approx(2 * auc.std_error)
    low = rs.PilotDifference.of(y, -s, s, higher_is_positive=False)
    assert low.std_error(30, 50) == pytest.approx(pilot.std_error(30, 50))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rs.AucAgainst(auc=1.0, null=0.5), "between 0 and 1, both excluded"),
        (lambda: rs.AucAgainst(auc=80, null=0.5), "Hint: auc=0.8"),
        (lambda: rs.AucAgainst(auc=0.5, null=0.5), "another value than `null`"),
        (lambda: rs.AucAgainst(auc=0.8, null=0.5, alternative="larger"), "alternative"),
        (lambda: rs.AucAgainst(auc=0.8, null=0.5, variance="hanley-mcneil", sd_ratio=1), "absent with variance"),
        (lambda: rs.PairedDifference(auc_a=0.8, auc_b=0.7, correlation=1.2), "from -1 to 1"),
        (lambda: rs.PairedDifference(auc_a=0.8, auc_b=0.7, correlation=0.5, variance="hanley-mcneil"), "areas"),
        (lambda: rs.AveragePrecisionWidth(average_precision=0.5, variance="boyd", sd_ratio=1), "absent"),
        (lambda: rs.RecallWidth(recall=0.8, sd_ratio=1), "absent at a fixed threshold"),
        (lambda: rs.power(WIDTHS[0], n_pos=10, n_neg=10), "rs.half_width"),
        (lambda: rs.half_width(TESTS[0], n_pos=10, n_neg=10), "rs.power"),
        (lambda: rs.power("auc", n_pos=10, n_neg=10), "a design"),
        (lambda: rs.power(TESTS[0], n_pos=1, n_neg=10), "whole number >= 2"),
        (lambda: rs.sample_size(TESTS[0], power=0.8), "one at a time"),
        (lambda: rs.sample_size(TESTS[0], power=0.8, ratio=1, prevalence=0.5), "one at a time"),
        (lambda: rs.sample_size(TESTS[0], ratio=1), "one at a time"),
        (lambda: rs.sample_size(TESTS[0], half_width=0.1, ratio=1), "pass power="),
        (lambda: rs.sample_size(TESTS[0], power=80, ratio=1), "Hint: power=0.8"),
        (
            lambda: rs.sample_size(rs.AucAgainst(auc=0.8, null=0.5, alternative="less"), power=0.8, ratio=1),
            "check the direction",
        ),
        (
            lambda: rs.half_width(rs.AveragePrecisionWidth(average_precision=0.01), n_pos=50, n_neg=50),
            "one that normal scores reach",
        ),
        (lambda: rs.PilotDifference.of([0, 0, 1, 1], [1, 2, 3, 4], [1, 2, 3, 4]), "another value than 0"),
    ],
)
def test_bad_plans(call, message):
    with pytest.raises(errors.OptionError, match=message):
        call()


def test_a_pilot_needs_two_rows_a_class():
    with pytest.raises(errors.UndefinedMeasureError, match="fewer than two rows"):
        rs.PilotDifference.of([0, 0, 1], [1, 2, 3], [2, 1, 3])


@pytest.mark.parametrize("design", TESTS + WIDTHS, ids=repr)
def test_plans_are_values(design):
    reach = rs.power if design.goal == "power" else rs.half_width
    plan = reach(design, n_pos=100, n_neg=300)
    assert float(plan) == plan.value
    assert plan.n == 400
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert json.loads(plan.to_json())["design"]["design"] == type(design).__name__
    assert repr(design) in repr(plan)
    assert eval(repr(design), vars(rs)) == design
    assert plan._repr_html_().startswith("<code>")


# ---------------------------------------------------------------------------------------------------- sites


def site(auc, m=100, n=200):
    return rs.interval_from_summary(auc=auc, n_pos=m, n_neg=n, method="hanley-mcneil")


def test_equal_sites_by_hand():
    """Three sites of one precision: the pooled logit is the mean, and its interval Student's."""
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [50, 50])
    one = rs.evaluate(y, rng.normal(size=100) + y)
    pooled = rs.pool({"a": one, "b": one, "c": one})
    auc = one.roc_auc()
    assert pooled.value == pytest.approx(auc.value)
    se = auc.std_error / (auc.value * (1 - auc.value)) / math.sqrt(3)
    assert pooled.logit_se == pytest.approx(se)  # modified: never below the sites' own errors
    assert (pooled.q, pooled.i2, pooled.tau2) == (pytest.approx(0, abs=1e-12), 0, 0)
    assert [s.weight for s in pooled.sites] == pytest.approx([1 / 3] * 3)
    assert [note.code for note in pooled.notes] == ["no-spread-between-sites", "sites-too-alike"]
    plain = rs.pool({"a": one, "b": one, "c": one}, interval="hartung-knapp")
    assert plain.interval.width == pytest.approx(0, abs=1e-6)


def test_other_measures_and_methods():
    rng = np.random.default_rng(2)
    sites = {}
    for name in "abcd":
        y = rng.random(200) < 0.3
        sites[name] = rs.evaluate(y, rng.normal(size=200) + y)
    for measure in ("ap", "recall(threshold=0.5)", "accuracy(threshold=0.5)", "brier_score"):
        if measure != "brier_score":
            pooled = rs.pool(sites, measure)
            assert 0 < pooled.interval.low < pooled.value < pooled.interval.high < 1
            assert pooled.prediction.low <= pooled.interval.low
    taus = [rs.pool(sites, tau2=t).method.split(",")[0] for t in ("reml", "paule-mandel", "dersimonian-laird")]
    assert taus == ["reml", "paule-mandel", "dersimonian-laird"]


def test_a_perfect_site_is_kept_and_said():
    """8 of 8 hits at a fixed cut: N = 8 by Wilson's formula, logit log(17), variance 1/8.5 + 2."""
    perfect = rs.evaluate([1] * 8 + [0] * 8, [1] * 8 + [0] * 8)
    some = rs.evaluate([1] * 8 + [0] * 8, [1] * 6 + [0] * 10)
    with pytest.warns(rs.RocsolidWarning):
        perfect.roc_auc()
    pooled = rs.pool({"p": perfect, "s": some}, "recall(threshold=0.5)")
    assert pooled.sites[0].logit == pytest.approx(math.log(17))
    assert pooled.sites[0].variance == pytest.approx(1 / 8.5 + 2)
    assert pooled.sites[1].variance == pytest.approx(1 / 6 + 1 / 2)
    assert [note.code for note in pooled.notes] == ["continuity", "no-prediction"]
    assert pooled.prediction is None
    flipped = rs.pool({"p": perfect, "s": some}, "specificity(threshold=0.5)")
    assert flipped.sites[0].logit == pytest.approx(math.log(17))


def test_a_site_at_zero_mirrors_one_at_one():
    one, zero = (rs.interval_from_summary(auc=a, n_pos=8, n_neg=11) for a in (1, 0))
    high, low = (rs.pool({"x": e, "y": site(0.5)}).sites[0] for e in (one, zero))
    assert (high.logit, high.variance) == pytest.approx((-low.logit, low.variance))


def test_forest():
    pooled = rs.pool({"north": site(0.8), "south": site(0.85), "west": site(0.9)})
    lines = repr(pooled).splitlines()
    assert lines[0].startswith("roc_auc       value   interval")
    assert [line.split()[0] for line in lines[1:6]] == ["north", "south", "west", "pooled", "another"]
    assert all("|" in line for line in lines[1:6])
    assert "tau^2" in lines[6]
    assert pooled._repr_html_().count("<tr>") == 6
    assert pickle.loads(pickle.dumps(pooled)) == pooled
    stored = json.loads(pooled.to_json())
    assert len(stored["sites"]) == 3
    assert sum(s["weight"] for s in stored["sites"]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: rs.pool({}), errors.EmptyInputError, "sites"),
        (lambda: rs.pool({"a": site(0.8)}), errors.UndefinedMeasureError, "there is one site, 'a'"),
        (lambda: rs.pool([site(0.8)]), errors.OptionError, "a mapping from site"),
        (lambda: rs.pool({"a": 0.8, "b": 0.9}), errors.OptionError, "a: float"),
        (lambda: rs.pool({"a": site(0.8), "b": site(0.9)}, "ap"), errors.OptionError, "estimates of average_precision"),
        (lambda: rs.pool({"a": site(0.8), "b": site(0.9)}, "gini"), errors.OptionError, "which has a logit"),
        (lambda: rs.pool({"a": site(0.8), "b": site(0.9)}, tau2="remel"), errors.UnknownNameError, "reml"),
        (lambda: rs.pool({"a": site(0.8), "b": site(0.9)}, interval="t"), errors.UnknownNameError, "interval"),
        (lambda: rs.pool({"a": site(0.8), "b": site(1.0)}), errors.UndefinedMeasureError, "at b: .*no width"),
        (
            lambda: rs.pool(rs.evaluate_many([0, 1, 0, 1], {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]})),
            errors.OptionError,
            "evaluations of different rows",
        ),
    ],
)
def test_bad_sites(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
