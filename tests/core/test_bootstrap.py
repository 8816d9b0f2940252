"""The bootstrap as people call it: names, options, notes, numbers that can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors
from rocsolid.inference import bootstrap_limits as bl
from rocsolid.inference.acceleration import acceleration
from rocsolid.inference.bootstrap import paired_bootstrap
from rocsolid.inference.case import Case
from rocsolid.inputs import read_rows
from rocsolid.measures import compute, find, number
from rocsolid.measures.own import own_statistic

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")

RNG = np.random.default_rng(4)
N = 80
Y = (RNG.random(N) < 0.4).astype(int)
P = 1 / (1 + np.exp(-RNG.normal(size=N) - 1.2 * Y + 0.6))
SETTINGS = {"rows": {}, "weights": {"sample_weight": RNG.random(N) + 0.1}, "clusters": {"cluster": np.arange(N) // 2}}
KINDS = ("percentile", "basic", "bca", "logit")


def same(a, b):
    return (a.interval, a.std_error, dict(a.details)) == (b.interval, b.std_error, dict(b.details))


@pytest.mark.parametrize("data", SETTINGS)
@pytest.mark.parametrize("spec", ["roc_auc", "average_precision", "gini", "brier_score", "recall(threshold=0.5)"])
def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads(data, spec):
    ev = rs.evaluate(Y, P, **SETTINGS[data])
    try:
        found = []
        for threads in (1, 2, 3):
            rs.set_num_threads(threads)
            found.append(ev.measure(spec, method="bootstrap", n_resamples=99, rng=5))
    finally:
        rs.set_num_threads(None)
    assert same(found[0], found[1])
    assert same(found[0], found[2])
    assert not same(found[0], ev.measure(spec, method="bootstrap", n_resamples=99, rng=6))


@pytest.mark.parametrize("data", SETTINGS)
@pytest.mark.parametrize(
    "spec",
    ["roc_auc", "average_precision", "brier_score", "average_precision(prevalence=0.1)", "partial_auc(max_fpr=0.4)"],
)
def test_the_spread_is_that_of_the_influence_function(data, spec):
    ev = rs.evaluate(Y, P, **SETTINGS[data])
    for margins in ("random",) if data == "clusters" else ("random", "fixed"):
        drawn = ev.measure(spec, method="bootstrap-percentile", margins=margins, rng=1).std_error
        assert drawn == pytest.approx(ev.measure(spec, margins=margins).std_error, rel=0.2 if "(" in spec else 0.12)


@pytest.mark.parametrize("kind", KINDS)
def test_the_default_is_bca_and_every_kind_goes_by_name(kind):
    ev = rs.evaluate(Y, P)
    found = ev.roc_auc(method=f"bootstrap-{kind}", rng=0)
    assert found.method == found.interval.method == f"bootstrap-{kind}"
    assert found.interval.low < found.value < found.interval.high
    assert found.details["n_resamples"] == 2000
    assert same(found, ev.roc_auc(method="bootstrap", rng=0)) == (kind == "bca")


def test_a_fresh_seed_is_printed_and_can_be_typed():
    first, second = (rs.roc_auc(Y, P, method="bootstrap", n_resamples=199) for _ in range(2))
    assert first.details["seed"] != second.details["seed"]
    again = rs.roc_auc(Y, P, method="bootstrap", n_resamples=199, rng=first.details["seed"])
    assert same(first, again)
    assert f"rng={first.details['seed']}" in next(n.en for n in first.notes if n.code == "resamples")
    a, b = (rs.roc_auc(Y, P, method="bootstrap", rng=np.random.default_rng(3)) for _ in range(2))
    assert same(a, b)


@pytest.mark.parametrize("rng", [-1, 2**64, 1.5, True, "1"])
def test_bad_seeds(rng):
    with pytest.raises(errors.OptionError, match="rng"):
        rs.roc_auc(Y, P, method="bootstrap", rng=rng)


@pytest.mark.parametrize("n", [0, -5, 2.5, True, "many"])
def test_bad_numbers_of_resamples(n):
    with pytest.raises(errors.OptionError, match="n_resamples"):
        rs.roc_auc(Y, P, method="bootstrap", n_resamples=n)


def test_too_few_resamples_for_the_level():
    with pytest.raises(errors.OptionError, match=r"at least 199 at confidence level 0\.99"):
        rs.evaluate(Y, P).roc_auc(method="bootstrap", n_resamples=198, confidence_level=0.99)
    found = rs.evaluate(Y, P).roc_auc(method="bootstrap-percentile", n_resamples=199, confidence_level=0.99, rng=0)
    assert found.interval is not None


def test_options_of_resampling_are_refused_where_nothing_is_drawn():
    for options in ({"n_resamples": 100}, {"rng": 0}):
        with pytest.raises(errors.OptionError, match="draws nothing"):
            rs.roc_auc(Y, P, method="delong", **options)
    with pytest.raises(errors.UnknownNameError, match="method"):
        rs.evaluate(Y, P).bootstrap("roc_auc", method="delong")


def test_clusters_are_not_drawn_by_class():
    with pytest.raises(errors.OptionError, match="clusters"):
        rs.evaluate(Y, P, cluster=np.arange(N) // 2).roc_auc(method="bootstrap", margins="fixed")


def test_a_weighted_sweep_has_no_rows_to_draw():
    sweep = rs.Sweep.from_arrays(Y, P, sample_weight=SETTINGS["weights"]["sample_weight"])
    with pytest.raises(errors.OptionError, match="which rows there were"):
        rs.Evaluation(sweep).roc_auc(method="bootstrap")


def test_a_sweep_of_counts_is_enough():
    sweep = rs.evaluate(Y, P).sweep
    counts = rs.Evaluation(rs.Sweep.from_counts(sweep.scores, sweep.pos, sweep.neg))
    assert same(counts.roc_auc(method="bootstrap", rng=2), rs.roc_auc(Y, P, method="bootstrap", rng=2))


def test_degenerate_resamples_are_counted_and_said():
    y, s = [1, 1, *[0] * 30], np.arange(32)[::-1] % 7
    found = rs.evaluate(y, s).roc_auc(method="bootstrap-percentile", rng=0)
    expected = (1 - 2 / 32) ** 32
    assert found.details["degenerate_resamples"] / 2000 == pytest.approx(expected, abs=4 * math.sqrt(expected / 2000))
    assert "degenerate-resamples" in {note.code for note in found.notes}
    fixed = rs.evaluate(y, s).roc_auc(method="bootstrap-percentile", margins="fixed", rng=0)
    assert fixed.details["degenerate_resamples"] == 0


def test_average_precision_without_a_negative_drawn_is_degenerate():
    """It would be 1, whatever the scores."""
    found = rs.evaluate([1] * 30 + [0], np.arange(31)).average_precision(method="bootstrap-percentile", rng=0)
    assert found.details["degenerate_resamples"] > 500
    assert found.interval.high < 1
    only = rs.evaluate([1, 1, 1], [1, 2, 3], on_undefined="nan").average_precision(method="bootstrap-percentile", rng=0)
    assert only.details["degenerate_resamples"] == 0


def test_too_few_replicates_with_a_value():
    found = rs.evaluate([1, 0, 0], [1, 2, 3]).roc_auc(method="bootstrap-percentile", n_resamples=45, rng=0)
    assert found.interval is None
    assert "too-few-replicates" in {note.code for note in found.notes}


def test_an_interval_that_misses_the_estimate_is_extended_and_says_so():
    found = rs.evaluate([0, 1, 1, 0], [1, 2, 3, 4]).bootstrap(len, method="bootstrap-percentile", rng=0)
    assert found.value == found.interval.high == 4
    many = rs.evaluate(Y, P).bootstrap(len, method="bootstrap-percentile", rng=0)  # distinct scores
    assert many.value == many.interval.high == N
    assert "extended" in {note.code for note in many.notes}


def test_perfect_separation_says_that_its_width_is_0():
    found = rs.evaluate([0] * 9 + [1] * 9, range(18)).roc_auc(method="bootstrap", rng=0)
    assert found.interval.width == 0
    assert "zero-width" in {note.code for note in found.notes}
    none = rs.evaluate([0] * 9 + [1] * 9, range(18)).roc_auc(method="bootstrap-logit", rng=0)
    assert (none.interval, none.notes[1].code) == (None, "no-logit")


# --------------------------------------------------------------------------------------------- own functions


def test_a_function_of_a_sweep_that_is_a_measure():
    ev = rs.evaluate(Y, P)
    own = ev.bootstrap(
        lambda s: rs.Evaluation(s).roc_auc().value, method="bootstrap-percentile", rng=9, n_resamples=199
    )
    assert own.measure == "statistic"
    assert own.value == ev.roc_auc().value
    kernel = ev.roc_auc(method="bootstrap-percentile", rng=9, n_resamples=199)
    assert (own.interval.low, own.interval.high) == pytest.approx((kernel.interval.low, kernel.interval.high))
    assert same(ev.bootstrap("auc", rng=9), ev.roc_auc(method="bootstrap", rng=9))


def test_what_a_function_may_give():
    with pytest.raises(errors.DtypeError, match="one float"):
        rs.bootstrap(Y, P, lambda s: [1, 2])
    with pytest.raises(errors.UndefinedMeasureError, match="nan"):
        rs.bootstrap(Y, P, lambda s: math.nan)
    with pytest.raises(ZeroDivisionError):  # the caller's own mistakes stay visible
        rs.bootstrap(Y, P, lambda s: 1 / 0)


def test_bca_of_a_function_on_many_scores_is_refused():
    s = np.arange(6000)
    with pytest.raises(errors.OptionError, match="computed 6,000 times"):
        rs.bootstrap(s % 2, s, lambda sweep: sweep.n_pos, n_resamples=39)


# --------------------------------------------------------------------------------------- limits and numbers


def case_of(spec, margins="random", **options):
    rows = read_rows(Y, P, **options)
    sweep = rs.Sweep.from_rows(rows)
    request = find(spec)
    raw = compute(request, sweep)
    return Case(request, number(request, raw), raw, sweep, margins, 0.95, rows)


@pytest.mark.parametrize("margins", ["random", "fixed"])
def test_acceleration_of_a_proportion(margins):
    """For p of n rows (1 - 2p) / (6 sqrt(n p (1 - p))), whether or not the other class is drawn too."""
    case = case_of("recall(threshold=0.5)", margins)
    n, p = case.sweep.n_pos, case.value
    assert acceleration(case) == pytest.approx(
        (1 - 2 * p) / (6 * math.sqrt(n * p * (1 - p))), rel=1e-2 if margins == "random" else 1e-9
    )


@pytest.mark.parametrize("margins", ["random", "fixed"])
@pytest.mark.parametrize("spec", ["roc_auc", "average_precision", "brier_score"])
def test_acceleration_by_influence_and_by_leaving_out(spec, margins):
    own = own_statistic(lambda s: float(number(find(spec), compute(find(spec), s))))
    assert acceleration(case_of(own, margins)) == pytest.approx(acceleration(case_of(spec, margins)), abs=0.01)


def test_acceleration_with_weights_and_clusters_of_one_row_each():
    plain = acceleration(case_of("average_precision"))
    assert acceleration(case_of("average_precision", sample_weight=np.ones(N))) == pytest.approx(plain)
    assert acceleration(case_of("average_precision", cluster=np.arange(N))) == pytest.approx(plain)
    own = own_statistic(lambda s: float(s.pos @ s.scores / s.n_pos))
    left_out = acceleration(case_of(own))
    assert acceleration(case_of(own, cluster=np.arange(N))) == pytest.approx(left_out)


def test_limits_by_hand():
    values = np.arange(1.0, 1000)  # 1 to 999: the order statistics at .025 and .975 are 25 and 975
    assert bl.percentile(values, 0.95)[:2] == (25, 975)
    assert bl.basic(values, 600, 0.95)[:2] == (225, 1175)
    assert bl.bca(values, 500.0, 0.0, 0.95)[:2] == (25, 975)  # no bias, no acceleration: the percentiles
    # z0 = Phi^-1(600 / 999) = .2549; Phi(2 z0 -+ 1.96) = .0735 and .9932
    assert bl.bca(values, 600.5, 0.0, 0.95)[:2] == (73, 994)
    assert bl.bca(values, 0.0, 0.0, 0.95) is None  # all replicates on one side
    low, high, *_ = bl.logit(np.array([0.7, 0.9]), 0.8, 0.95)
    half = 1.959964 * math.sqrt(0.02) / 0.16
    assert (low, high) == pytest.approx(
        (1 / (1 + math.exp(half - math.log(4))), 1 / (1 + math.exp(-half - math.log(4))))
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spec", ["roc_auc", "average_precision"])
def test_monte_carlo_errors_are_what_other_seeds_show(spec, kind):
    ev = rs.evaluate(Y, P)
    runs = [ev.measure(spec, method=f"bootstrap-{kind}", n_resamples=499, rng=seed) for seed in range(150)]
    for end in ("low", "high"):
        spread = np.std([getattr(run.interval, end) for run in runs], ddof=1)
        said = np.mean([run.details[f"mc_error_{end}"] for run in runs])
        assert said == pytest.approx(spread, rel=0.3)


# ------------------------------------------------------------------------------------------- several models


@pytest.mark.parametrize("data", SETTINGS)
@pytest.mark.parametrize("spec", ["roc_auc", "d_prime", "brier_score"])
def test_models_are_drawn_together(data, spec):
    rows = read_rows(Y, P, **SETTINGS[data])
    other = np.clip(P + 0.1 * RNG.random(N), 0, 1)
    values, degenerate, seed = paired_bootstrap(find(spec), rows, [P, other, P], n_resamples=60, rng=1)
    assert values.shape == (3, 60)
    assert (degenerate, seed) == (0, 1)
    np.testing.assert_array_equal(values[0], values[2])
    assert np.corrcoef(values[0], values[1])[0, 1] > 0.5
