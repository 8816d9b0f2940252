"""Models on the same rows: the paired t test for mean losses, and what goes beyond it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import rocsolid as rs
from rocsolid import errors

compare = rs.regression.compare


def models(seed, n=40):
    rng = np.random.default_rng(seed)
    y = 5 + rng.normal(size=n)
    common = rng.normal(size=n)
    return y, {"a": y + common + 0.3 * rng.normal(size=n), "b": y + common + 0.8 * rng.normal(size=n)}


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("measure", ["mse", "mae", "pinball_loss(alpha=0.9)"])
def test_mean_losses_have_the_paired_t_test(measure, alternative):
    y, p = models(1)
    loss = {
        "mse": np.square, "mae": np.abs, "pinball_loss(alpha=0.9)": lambda e: np.maximum(0.9 * e, -0.1 * e),
    }[measure]  # fmt: skip
    theirs = stats.ttest_rel(loss(y - p["a"]), loss(y - p["b"]), alternative=alternative)
    found = compare(y, p, measure=measure, alternative=alternative, method="wald-t")
    limits = theirs.confidence_interval(0.95)
    assert found.statistic == pytest.approx(theirs.statistic, rel=1e-10)
    assert found.pvalue == pytest.approx(theirs.pvalue, rel=1e-10)
    assert found.df == theirs.df
    assert [found.interval.low, found.interval.high] == pytest.approx([limits.low, limits.high], rel=1e-10)


@pytest.mark.parametrize("measure", ["rmse", "r2", "explained_variance", "c_index", "mape"])
def test_other_measures_have_the_jackknifes_error(measure):
    y, p = models(2, 300)
    found = compare(y, p, measure=measure)
    keep = ~np.eye(300, dtype=bool)
    left_out = [float(compare(y[k], {name: v[k] for name, v in p.items()}, measure=measure)) for k in keep]
    assert found.std_error == pytest.approx(math.sqrt(299**2 / 300 * np.var(left_out, ddof=1)), rel=0.03)
    assert found.difference == pytest.approx(found.estimates[0].value - found.estimates[1].value)


def test_the_first_less_the_second():
    y, p = models(3)
    there, back = compare(y, p), compare(y, dict(reversed(p.items())))
    assert there.difference == -back.difference
    assert there.interval.method == "mover"
    assert there.pvalue == pytest.approx(back.pvalue)
    assert there.interval.low == pytest.approx(-back.interval.high)
    assert 0 < there.correlation < 1


def test_intervals_of_the_difference():
    y, p = models(9)
    assert compare(y, p, measure="mse").interval is None
    (note,) = compare(y, p, measure="mse").notes
    assert "method='mover'" in note.en
    joined, wald = (compare(y, p, measure="mse", method=m) for m in ("mover", "wald-t"))
    assert joined.interval.method == "mover"
    assert wald.interval.method == "wald-t"
    assert joined.pvalue == wald.pvalue
    one = compare(y, p, measure="mae", alternative="greater")
    assert one.interval.high == math.inf
    assert one.interval.low == pytest.approx(compare(y, p, measure="mae", confidence_level=0.9).interval.low)
    assert compare(y, p, measure="c_index").interval.method == "mover"


def test_a_model_without_any_error_has_no_limits_to_join():
    y, p = models(11)
    found = compare(y, {"perfect": y, **p}, measure="mae")
    assert found["perfect", "a"].interval is None
    assert "without any error" in found["perfect", "a"].notes[-1].en
    assert found["a", "b"].interval is not None


def test_joined_limits_by_hand():
    y, p = models(10)
    found = compare(y, p, measure="mae")
    a, b = found.estimates
    nu = min(e.details["effective_error_rows"] for e in (a, b))
    rho = found.correlation * nu / (nu + 0.5)
    down, up = a.value - a.interval.low, b.interval.high - b.value
    low = found.difference - math.sqrt(down**2 - 2 * rho * down * up + up**2)
    assert found.interval.low == pytest.approx(low, rel=1e-12)


@pytest.mark.parametrize("measure", ["mse", "r2", "c_index"])
def test_identical_models(measure):
    y, p = models(4)
    found = compare(y, {"a": p["a"], "again": p["a"].copy()}, measure=measure)
    assert (found.difference, found.pvalue, found.notes[0].code) == (0, 1, "identical")
    assert (found.interval is None) == any(note.code == "no-interval" for note in found.notes)
    scaled = compare(y, {"a": p["a"], "scaled": 2 * p["a"]}, measure="c_index")
    assert (scaled.difference, scaled.pvalue) == (0, 1)  # no pair of rows tells them apart


def test_the_same_difference_in_every_row_says_nothing():
    found = compare([0.0, 0, 0], {"a": [1, 1, -1], "b": [2, 2, 2]}, measure="mae")
    assert found.difference == -1
    assert math.isnan(found.pvalue)
    assert found.notes[0].code == "no-variation"
    assert found.difference in found.interval  # that of the models does not collapse
    assert compare([0.0, 0, 0], {"a": [1, 1, -1], "b": [2, 2, 2]}, measure="mae", method="wald-t").interval is None


def test_clusters_and_weights():
    y, p = models(5, 60)
    group = np.repeat(np.arange(12), 5)
    found = compare(y, p, measure="mae", cluster=group)
    d = np.abs(y - p["a"]) - np.abs(y - p["b"])
    sums = (d - d.mean()).reshape(12, 5).sum(axis=1)
    assert found.df == 11
    assert found.std_error == pytest.approx(math.sqrt(12 / 11 * sums @ sums) / 60, rel=1e-10)
    assert compare(y, p, cluster=np.arange(60)).pvalue == pytest.approx(compare(y, p).pvalue, rel=1e-10)
    w = np.random.default_rng(5).uniform(size=60)
    weighted = compare(y, p, measure="mae", sample_weight=w)
    assert weighted.difference == pytest.approx(float(w @ d / w.sum()))
    assert weighted.df == pytest.approx(w.sum() ** 2 / (w @ w) - 1)


def test_all_pairs_of_several():
    y, p = models(6)
    found = compare(y, {**p, "mean": np.full(40, y.mean())}, measure="mae")
    assert [row.names for row in found] == [("a", "b"), ("a", "mean"), ("b", "mean")]
    assert all(row.adjusted_pvalue >= row.pvalue for row in found)
    assert found["a", "mean"].difference == found[1].difference
    assert len(found) == 3
    with pytest.raises(KeyError):
        found["mean", "a"]


def test_rows_that_any_model_lacks_are_left_out_of_all():
    y, p = models(7)
    p["b"][3] = math.nan
    with pytest.raises(errors.MissingValueError, match=r"`y_pred\['b'\]`"):
        compare(y, p)
    found = compare(y, p, missing="drop")
    assert [e.sizes.n for e in found.estimates] == [39, 39]


def test_few_rows_decide():
    y = np.zeros(30)
    p = {"a": np.r_[9.0, np.zeros(29)], "b": np.r_[0.0, np.full(29, 0.1)]}
    assert compare(y, p).notes[0].code == "few-rows-decide"


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"method": "delong"}, errors.UnknownNameError, "method"),
        ({"measure": "median_ae"}, errors.OptionError, "a smooth measure: mean_squared_error"),
        ({"measure": "roc_auc"}, errors.UnknownNameError, "measure of regression"),
        ({"alternative": "larger"}, errors.UnknownNameError, "alternative"),
        ({"adjust": "fdr"}, errors.UnknownNameError, "adjust"),
        ({"confidence_level": 95}, errors.OptionError, "0.95"),
        ({"confidence_level": 0.4, "alternative": "less"}, errors.OptionError, "above 0.5"),
    ],
)
def test_bad_options(options, kind, text):
    with pytest.raises(kind, match=text):
        compare(*models(8), **options)


@pytest.mark.parametrize(
    "given", [{"a": [1, 2]}, [[1, 2], [1, 2]], {1: [1, 2], "1": [1, 2]}, {1: [1], "1": [1], "b": [1]}]
)
def test_at_least_two_models(given):
    with pytest.raises(errors.OptionError, match="at least two names"):
        compare([1, 2], given)
