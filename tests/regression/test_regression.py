"""Predicted numbers: values by hand and by fractions, influences by a little more weight, intervals by definition."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocsolid as rs
from rocsolid import errors
from rocsolid.regression import REGISTRY
from rocsolid.regression.measures import find, weighted_median
from sklearn import metrics

r = rs.regression
SPECS = {name: "pinball_loss(alpha=0.8)" if name == "pinball_loss" else name for name in REGISTRY}
SMOOTH = [spec for name, spec in SPECS.items() if REGISTRY[name].influence is not None]
BY_SCIKIT_LEARN = {
    "mean_squared_error": metrics.mean_squared_error,
    "root_mean_squared_error": metrics.root_mean_squared_error,
    "mean_absolute_error": metrics.mean_absolute_error,
    "mean_absolute_percentage_error": metrics.mean_absolute_percentage_error,
    "median_absolute_error": metrics.median_absolute_error,
    "max_error": metrics.max_error,
    "pinball_loss": lambda y, p, **w: metrics.mean_pinball_loss(y, p, alpha=0.8, **w),
    "r2_score": metrics.r2_score,
    "explained_variance": metrics.explained_variance_score,
}


def rows(seed, n=40, ties=False):
    rng = np.random.default_rng(seed)
    y = 3 + rng.normal(size=n)
    p = 0.8 * y + 0.5 * rng.normal(size=n)
    return (np.round(y, 0) + 4, np.round(p, 0)) if ties else (y, p)


def concordance(y, p, w=None):
    """Pair by pair, in fractions."""
    w = [1] * len(y) if w is None else w
    good = whole = Fraction(0)
    for i, j in combinations(range(len(y)), 2):
        if y[i] != y[j]:
            whole += Fraction(w[i]) * Fraction(w[j])
            up = (y[i] < y[j]) == (p[i] < p[j])
            good += Fraction(w[i]) * Fraction(w[j]) * (Fraction(1, 2) if p[i] == p[j] else int(up))
    return good / whole if whole else None


# ------------------------------------------------------------------------------------------------ values


@pytest.mark.parametrize("name", BY_SCIKIT_LEARN)
@pytest.mark.parametrize("seed", range(3))
def test_scikit_learn_agrees(name, seed):
    y, p = rows(seed)
    assert r.evaluate(y, p).measure(SPECS[name]).value == pytest.approx(BY_SCIKIT_LEARN[name](y, p), rel=1e-13)
    if name not in ("median_absolute_error", "max_error"):  # weighted medians have several definitions
        w = np.random.default_rng(seed).uniform(0, 2, size=len(y))
        ours = r.evaluate(y, p, sample_weight=w).measure(SPECS[name]).value
        assert ours == pytest.approx(BY_SCIKIT_LEARN[name](y, p, sample_weight=w), rel=1e-12)


def test_every_measure_has_a_second_computation():
    assert set(REGISTRY) == set(BY_SCIKIT_LEARN) | {"concordance_index"}


few = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 3)), min_size=2, max_size=20)


@given(few)
def test_concordance_is_what_one_counts(given_rows):
    y, p, w = zip(*given_rows, strict=True)
    wanted = concordance(y, p)
    found = r.concordance_index(y, p, on_undefined="nan")
    assert found.exact == wanted
    if wanted is not None:
        assert found.details["concordant"] + found.details["tied"] / 2 == wanted * sum(found.details[k] for k in (
            "concordant", "tied", "discordant"))  # fmt: skip
    if sum(w) and concordance(y, p, w) is not None:
        weighted = r.concordance_index(y, p, sample_weight=w)
        assert weighted.value == pytest.approx(float(concordance(y, p, w)), abs=1e-14)


@pytest.mark.parametrize("seed", range(3))
def test_concordance_has_known_kin(seed):
    y, p = rows(seed, 200)
    assert r.concordance_index(y, p).value == pytest.approx((stats.kendalltau(y, p).statistic + 1) / 2, abs=1e-14)
    label = y > 3
    assert r.concordance_index(label, p).exact == rs.roc_auc(label, p).exact


@pytest.mark.parametrize("spec", SPECS.values())
@pytest.mark.parametrize("ties", [False, True])
def test_an_integer_weight_is_a_repeated_row(spec, ties):
    y, p = rows(5, ties=ties)
    w = np.random.default_rng(5).integers(0, 4, size=len(y))
    weighted = r.evaluate(y, p, sample_weight=w).measure(spec).value
    assert weighted == pytest.approx(r.evaluate(np.repeat(y, w), np.repeat(p, w)).measure(spec).value, rel=1e-13)


@pytest.mark.parametrize("spec", SPECS.values())
@pytest.mark.parametrize("weights", [False, True])
def test_the_order_of_rows_changes_no_bit(spec, weights):
    y, p = rows(6, ties=True)
    w = np.random.default_rng(6).uniform(size=len(y)) if weights else np.ones(len(y))
    order = np.random.default_rng(7).permutation(len(y))
    one, other = (
        r.evaluate(y[at], p[at], sample_weight=w[at] if weights else None).measure(spec)
        for at in (np.arange(len(y)), order)
    )
    assert one.value == other.value
    assert one.exact == other.exact


def test_median_between_weights():
    assert weighted_median(np.array([1.0, 2, 3, 10]), np.ones(4)) == 2.5
    assert weighted_median(np.array([3.0, 1, 2]), np.array([1.0, 1, 3])) == 2
    assert weighted_median(np.array([1.0, 5]), np.array([2.0, 2])) == 3


# --------------------------------------------------------------------------------------------- influences


@pytest.mark.parametrize("spec", SMOOTH)
@pytest.mark.parametrize("ties", [False, True])
def test_influence_is_the_answer_to_a_little_more_weight(spec, ties):
    y, p = rows(8, 25, ties)
    w = np.random.default_rng(8).uniform(0.5, 2, size=len(y))
    psi = r.evaluate(y, p, sample_weight=w).influence(spec)
    assert float(w @ psi) == pytest.approx(0, abs=1e-12)
    for i in range(0, len(y), 6):
        values = []
        for step in (-1e-5, 1e-5):
            more = w.copy()
            more[i] += step
            values.append(r.evaluate(y, p, sample_weight=more).measure(spec).value)
        assert (values[1] - values[0]) / 2e-5 * w.sum() == pytest.approx(psi[i], rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("spec", SMOOTH)
def test_standard_error_is_that_of_the_jackknife(spec):
    y, p = rows(9, 400)
    ev = r.evaluate(y, p)
    left_out = [r.evaluate(np.delete(y, i), np.delete(p, i)).measure(spec).value for i in range(len(y))]
    jackknife = math.sqrt((len(y) - 1) ** 2 / len(y) * np.var(left_out, ddof=1))
    assert ev.measure(spec).std_error == pytest.approx(jackknife, rel=0.03)


def test_standard_error_of_a_mean_is_the_textbook_one():
    y, p = rows(10)
    losses = (y - p) ** 2
    assert r.mean_squared_error(y, p).std_error == pytest.approx(losses.std(ddof=1) / math.sqrt(len(y)), rel=1e-13)
    assert r.mean_squared_error(y, p, cluster=np.arange(40)).std_error == pytest.approx(
        r.mean_squared_error(y, p).std_error, rel=1e-13
    )
    sums = (losses - losses.mean()).reshape(10, 4).sum(axis=1)
    wanted = math.sqrt(10 / 9 * float(sums @ sums)) / 40
    assert r.mean_squared_error(y, p, cluster=np.repeat(np.arange(10), 4)).std_error == pytest.approx(wanted, rel=1e-13)


def test_two_values_have_the_standard_error_of_the_roc_auc():
    """Up to what a variance of class means leaves out: margins are random here, and the factors differ by 1/n."""
    y, p = rows(11, 2000)
    ours = r.concordance_index(y > 3, p).std_error
    assert ours == pytest.approx(rs.roc_auc(y > 3, p, method="influence").std_error, rel=2e-3)


# ---------------------------------------------------------------------------------------------- intervals


def test_the_default_is_an_interval_only_where_it_was_simulated():
    ev = r.evaluate(*rows(12))
    methods = {name: ev.measure(spec).method for name, spec in SPECS.items()}
    assert {name for name, method in methods.items() if method == "none"} == {
        "mean_squared_error", "root_mean_squared_error", "mean_absolute_percentage_error", "pinball_loss", "r2_score",
        "explained_variance", "max_error",
    }  # fmt: skip
    for name in ("mean_squared_error", "max_error"):
        (note,) = ev.measure(name).notes
        assert note.en != note.zh
    half = ev.measure("pinball_loss(alpha=0.5)").interval
    assert half.low * 2 == pytest.approx(ev.measure("mae").interval.low, rel=1e-12)


def test_the_root_has_the_roots_of_the_limits():
    ev = r.evaluate(*rows(13))
    square, root = (ev.measure(m, method="log-t").interval for m in ("mse", "rmse"))
    assert [root.low**2, root.high**2] == pytest.approx([square.low, square.high], rel=1e-12)


def test_log_t_by_hand():
    """Four errors 1 1 2 0: squared variation (2/3)/1, effective rows 16/6, shrunk by one row of 2."""
    found = r.mean_absolute_error([3, 1, 4, 2], [2, 2, 2, 2])
    nu = 16 / 6
    half = stats.t.ppf(0.975, nu + 1) * math.sqrt((nu * 2 / 3 + 2) / (nu + 1) / 4)
    assert [found.interval.low, found.interval.high] == pytest.approx([math.exp(-half), math.exp(half)], rel=1e-12)
    assert found.details["effective_error_rows"] == pytest.approx(nu)


def test_order_statistics_of_a_median():
    """Of six errors the smallest and the largest: 2/64 lie outside; of eight 2/256, and 18/256 is too much."""
    y = np.array([1.0, -2, 3, -4, 5, -6, 7, -8])
    six, eight = (r.median_absolute_error(y[:n], np.zeros(n)).interval for n in (6, 8))
    assert (six.low, six.high, eight.low, eight.high) == (1, 6, 1, 8)
    assert r.median_absolute_error(y[:5], np.zeros(5)).interval is None
    ninety = r.median_absolute_error(y, np.zeros(8), confidence_level=0.9).interval
    assert (ninety.low, ninety.high) == (2, 7)
    weighted = r.median_absolute_error(y, np.zeros(8), sample_weight=[1, 2] * 4)
    assert (weighted.method, weighted.interval) == ("none", None)


@pytest.mark.parametrize("spec", ["mse", "mae", "r2", "c_index", "median_ae"])
@pytest.mark.parametrize("kind", ["bootstrap-percentile", "bootstrap-basic", "bootstrap-bca"])
def test_bootstrap(spec, kind):
    y, p = rows(14)
    ev = r.evaluate(y, p)
    one, again = (ev.measure(spec, method=kind, n_resamples=300, rng=4) for _ in range(2))
    assert one == again
    assert one.value in one.interval
    assert one.details["seed"] == 4
    whole = r.evaluate(y, p, cluster=np.arange(40) // 4).measure(spec, method=kind, n_resamples=300, rng=4)
    assert whole.interval != one.interval


def test_no_resample_exceeds_the_largest_error():
    with pytest.raises(errors.UnknownNameError, match="method"):
        r.max_error(*rows(15), method="bootstrap")


@pytest.mark.parametrize("spec", [s for s in SPECS.values() if s != "max_error"])
def test_without_any_error(spec):
    """No value is made up, and no interval of width 0 by default."""
    y = np.arange(1.0, 11)
    found = r.evaluate(y, y).measure(spec)
    name = spec.partition("(")[0]
    best = 1.0 if REGISTRY[name].better == "higher" else 0.0
    assert found.value == best
    if name == "concordance_index":
        assert found.interval.low < 0.9
        assert found.interval.high == 1
    elif name != "median_absolute_error":
        assert found.interval is None
        assert found.notes


def test_a_single_row_or_cluster_shows_no_variation():
    for found in (r.mean_absolute_error([1], [2]), r.mean_absolute_error([1, 2], [2, 2.5], cluster=[0, 0])):
        assert found.std_error is None
        assert found.interval is None
        assert found.notes[0].code == "single-row"


# ------------------------------------------------------------------------------------------------ registry


def test_names_are_unique_and_told_in_both_languages():
    names = [name for entry in REGISTRY.values() for name in (entry.name, *entry.aliases)]
    assert len(set(names)) == len(names)
    for entry in REGISTRY.values():
        for text in (entry.title, entry.title_zh, entry.definition, entry.definition_zh, entry.source):
            assert text
        assert any("\u4e00" <= ch <= "\u9fff" for ch in entry.definition_zh)


@pytest.mark.parametrize("name", REGISTRY)
def test_every_measure_is_a_function_too(name):
    y, p = rows(16)
    more = {"alpha": 0.8} if name == "pinball_loss" else {}
    assert getattr(r, name)(y, p, **more) == r.evaluate(y, p).measure(SPECS[name])
    assert find(r.evaluate(y, p).measure(SPECS[name]).measure).spec == SPECS[name]


def test_tables():
    table = r.evaluate(*rows(17), name="m").table()
    assert [row.measure for row in table] == [
        "mean_absolute_error", "root_mean_squared_error", "r2_score", "concordance_index",
    ]  # fmt: skip
    assert len(table.to_frame()) == len(table) == 4
    gap = r.evaluate([1, 1, 1], [1, 2, 3]).table(["r2", "mae"])
    assert "r2_score is undefined: all outcomes are alike" in repr(gap)
    assert pickle.loads(pickle.dumps(table[0])) == table[0]


# ------------------------------------------------------------------------------------------------- at the door


def test_missing_rows_are_counted():
    found = r.mean_squared_error([1, math.nan, 3, 5], [2, 2, None, 5], missing="drop")
    assert (found.value, found.sizes.n) == (0.5, 2)
    assert "2 rows with a missing" in found.notes[-1].en
    assert r.evaluate([1, math.nan], [1, 1], sample_weight=[1, 0]).measure("mse").sizes.n == 1  # absent, so not missed


def test_a_row_of_weight_zero_is_absent():
    y, p = rows(18)
    w = np.where(np.arange(40) < 30, 1.5, 0)
    assert r.max_error(y, p, sample_weight=w).value == np.abs(y - p)[:30].max()


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: r.mean_squared_error([1, 2], [1, math.nan]), errors.MissingValueError, '1\nHint: pass missing="'),
        (lambda: r.mean_squared_error([1, 2], [1, math.inf]), errors.InputError, "finite numbers in `y_pred`.*row 1"),
        (lambda: r.mean_squared_error([1, 2], [1]), errors.LengthError, "`y_true` has 2, `y_pred` has 1"),
        (lambda: r.mean_squared_error([], []), errors.EmptyInputError, "`y_true`"),
        (lambda: r.mean_squared_error(["a"], [1]), errors.DtypeError, "`y_true`"),
        (lambda: r.mean_squared_error([[1, 2]], [[1, 2]]), errors.ShapeError, "`y_true`"),
        (lambda: r.mean_squared_error([1, 2], [1, 2], sample_weight=[1, -1]), errors.WeightError, "negative"),
        (lambda: r.mean_squared_error([1, 2], [1, 2], cluster=["a", math.nan]), errors.MissingValueError, "`cluster`"),
        (lambda: r.mean_squared_error([2**53 + 1, 2], [1, 2]), errors.PrecisionError, "9007199254740993"),
        (lambda: r.mean_squared_error([1e200, 2], [1, 2]), errors.UndefinedMeasureError, "larger unit"),
        (lambda: r.r2_score([1, 1], [1, 2]), errors.UndefinedMeasureError, "no variance to explain"),
        (lambda: r.concordance_index([1, 1], [1, 2]), errors.UndefinedMeasureError, "no pair of rows"),
        (lambda: r.mean_absolute_percentage_error([0, 1], [1, 2]), errors.UndefinedMeasureError, "1 of 2 outcomes"),
        (lambda: r.pinball_loss([1, 2], [1, 2], alpha=90), errors.OptionError, "alpha=0.9"),
        (lambda: r.evaluate([1, 2], [1, 2]).measure("pinball_loss"), errors.OptionError, "given `alpha`"),
        (lambda: r.evaluate([1, 2], [1, 2]).measure("maee"), errors.UnknownNameError, "did you mean 'mae'"),
        (lambda: r.evaluate([1, 2], [1, 2]).measure("mae(alpha=1)"), errors.OptionError, "without options"),
        (lambda: r.evaluate([1, 2], [1, 2]).measure("mae", rng=1), errors.OptionError, "draws nothing"),
        (lambda: r.evaluate([1, 2], [1, 2]).measure("mae", method="wilson"), errors.UnknownNameError, "method"),
        (lambda: r.evaluate([1, 2], [1, 2]).influence("max_error"), errors.OptionError, "a smooth measure"),
        (lambda: r.evaluate([1, 2], [1, 2]).table("mae"), errors.OptionError, "a list of measures"),
    ],
)  # fmt: skip
def test_what_can_not_be_used(call, kind, text):
    with pytest.raises(kind, match=f"(?s){text}"):
        call()


def test_concordance_of_many_rows():
    """Kendall's tau-b with ties among the predictions: (C - D) / sqrt(N (N - T)) for N pairs, T of them tied."""
    rng = np.random.default_rng(19)
    y = rng.normal(size=30_000)
    p = np.round(y + rng.normal(size=len(y)), 1)
    found = r.concordance_index(y, p).details
    pairs = math.comb(len(y), 2)
    tau = (found["concordant"] - found["discordant"]) / math.sqrt(pairs * (pairs - found["tied"]))
    assert tau == pytest.approx(stats.kendalltau(y, p).statistic, rel=1e-12)
