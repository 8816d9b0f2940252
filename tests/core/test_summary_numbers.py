"""Intervals from summary numbers and counts, rates by other methods, bounds from published points."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocsolid as rs
from rocsolid import errors

Y = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
S = [0.9, 0.8, 0.7, 0.6, 0.2, 0.55, 0.4, 0.3, 0.2, 0.1, 0.05]

# ------------------------------------------------------------------------------------------ summary numbers


@pytest.mark.parametrize(
    ("auc", "m", "n", "se", "low", "high"),
    [
        (0.90, 50, 50_000, 0.0292029, 0.84, 0.96),
        (0.90, 250, 360, 0.0139172, 0.87, 0.93),
        (0.97, 25, 36, 0.0247417, 0.92, 1.00),
    ],
)
def test_hanley_mcneil(auc, m, n, se, low, high):
    found = rs.interval_from_summary(auc=auc, n_pos=m, n_neg=n, method="hanley-mcneil")
    assert found.std_error == pytest.approx(se, abs=5e-8)
    assert (round(found.interval.low, 2), round(found.interval.high, 2)) == (low, high)


def test_the_default_is_wilson_of_the_smaller_class():
    found = rs.interval_from_summary(auc=0.9, n_pos=5000, n_neg=50)
    assert found.method == "conservative"
    wilson = rs.interval_from_counts(45, 50).interval
    assert (found.interval.low, found.interval.high) == pytest.approx((wilson.low, wilson.high), rel=1e-12)
    assert [note.code for note in found.notes] == ["conservative"]
    assert found.std_error is None
    assert found.details["largest_se"] == pytest.approx((0.9 * 0.1 / 50) ** 0.5)


@given(st.floats(0, 1), st.integers(1, 10**6), st.integers(1, 10**6))
def test_any_summary_has_an_interval_around_it(auc, m, n):
    for method in ("auto", "newcombe", "hanley-mcneil"):
        interval = rs.interval_from_summary(auc=auc, n_pos=m, n_neg=n, method=method).interval
        assert 0 <= interval.low <= auc <= interval.high <= 1


def test_from_rows_and_from_their_summary_agree():
    ev = rs.evaluate(Y, S)
    auc = ev.roc_auc().value
    for method in ("newcombe", "hanley-mcneil"):
        a, b = (
            ev.roc_auc(method=method),
            rs.interval_from_summary(auc=auc, n_pos=5, n_neg=6, method=method),
        )
        assert (a.interval, a.std_error) == (b.interval, b.std_error)


def test_no_logit_at_one():
    found = rs.interval_from_summary(auc=1, n_pos=8, n_neg=11, method="logit")
    assert found.interval is None
    assert found.notes[0].code == "no-logit"


def test_an_estimate_without_a_label_does_not_print_one():
    found = rs.interval_from_summary(auc=0.9, n_pos=50, n_neg=60)
    assert "None" not in repr(found)
    assert "None" not in repr(rs.Table((found,)))
    assert json.loads(found.to_json())["pos_label"] is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"auc": 90}, "Hint: auc=0.9"),
        ({"auc": -0.1}, "between 0 and 1"),
        ({"auc": float("nan")}, "a number"),
        ({"n_pos": 0}, "whole number >= 1"),
        ({"n_pos": 2.5}, "whole number >= 1"),
        ({"n_neg": True}, "whole number >= 1"),
        ({"method": "newcomb"}, "did you mean 'newcombe'"),
        ({"confidence_level": 95}, "confidence_level=0.95"),
    ],
)
def test_bad_summaries(change, message):
    with pytest.raises(errors.OptionError, match=message):
        rs.interval_from_summary(**{"auc": 0.9, "n_pos": 50, "n_neg": 60, **change})


# ------------------------------------------------------------------------------------------------- counts


@given(st.integers(1, 2000), st.data())
def test_counts_against_beta_quantiles(total, data):
    hits = data.draw(st.integers(0, total))
    exact = rs.interval_from_counts(hits, total, method="clopper-pearson")
    reference = stats.binomtest(hits, total).proportion_ci(0.95, "exact")
    assert (exact.interval.low, exact.interval.high) == pytest.approx((reference.low, reference.high), abs=1e-9)
    wilson = rs.interval_from_counts(hits, total)
    reference = stats.binomtest(hits, total).proportion_ci(0.95, "wilson")
    assert (wilson.interval.low, wilson.interval.high) == pytest.approx((reference.low, reference.high), abs=1e-9)
    jeffreys = rs.interval_from_counts(hits, total, method="jeffreys").interval
    if 0 < hits < total:
        expected = stats.beta.ppf([0.025, 0.975], hits + 0.5, total - hits + 0.5)
        p = hits / total
        assert (jeffreys.low, jeffreys.high) == pytest.approx((min(expected[0], p), max(expected[1], p)), abs=1e-9)
    assert jeffreys.low <= hits / total <= jeffreys.high
    assert (jeffreys.low == 0) == (hits == 0)
    assert (jeffreys.high == 1) == (hits == total)


def test_a_count_estimate_is_a_value():
    found = rs.interval_from_counts(45, 50)
    assert repr(found) == "<45 of 50 = 0.9000 [0.7864, 0.9565] 0.95 CI (wilson)>"
    assert float(found) == 0.9
    assert found.exact.denominator == 10
    assert pickle.loads(pickle.dumps(found)) == found
    assert json.loads(found.to_json())["exact"] == "9/10"


@pytest.mark.parametrize("counts", [(3, 2), (-1, 5), (0, 0), (1.5, 4)])
def test_bad_counts(counts):
    with pytest.raises(errors.OptionError):
        rs.interval_from_counts(*counts)


# -------------------------------------------------------------------------------------------- rates at a cut


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "jeffreys"])
def test_rates_by_method(method):
    ev = rs.evaluate(Y, S)
    found = ev.measure("recall(threshold=0.5)", method=method)
    assert found.method == method
    assert found.interval == rs.interval_from_counts(4, 5, method=method).interval
    f1, jaccard = ev.measure("f1(threshold=0.5)", method=method), rs.interval_from_counts(4, 6, method=method)
    low, high = jaccard.interval.low, jaccard.interval.high
    assert (f1.interval.low, f1.interval.high) == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)))


def test_weights_make_counts_effective_and_say_so():
    doubled = rs.evaluate(Y, S, sample_weight=[2.0] * 11)
    plain = rs.evaluate(Y, S)
    for method in ("wilson", "clopper-pearson", "jeffreys"):
        found = doubled.measure("recall(threshold=0.5)", method=method)
        same = plain.measure("recall(threshold=0.5)", method=method).interval
        assert (found.interval.low, found.interval.high) == pytest.approx((same.low, same.high), rel=1e-12)
        assert ("effective-counts" in [n.code for n in found.notes]) == (method != "wilson")


# -------------------------------------------------------------------------------------------- bounds of an AUC


@pytest.mark.parametrize(("f", "h"), [(0.2, 0.7), (0.1, 0.3), (0.7, 0.9), (0.5, 0.5), (0.05, 0.9), (0.5, 0.8)])
def test_one_point_is_zhang_and_mueller(f, h):
    """Their A is the mean of the concave bounds."""
    found = rs.auc_bounds(fpr=[f], tpr=[h], concave=True)
    a = 0.75 + (h - f) / 4
    a -= f * (1 - h) if f <= 0.5 <= h else f / (4 * h) if h < 0.5 else (1 - h) / (4 * (1 - f))
    assert (found.low + found.high) / 2 == pytest.approx(a, abs=1e-12)
    assert found.low == found.trapezoid


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=2, max_size=12))
def test_every_curve_lies_between_the_bounds_of_its_points(rows):
    """Take some points of a real curve; its area is within the bounds, and within the concave ones of its hull."""
    pos, neg = (np.array([r[i] for r in rows]) for i in (0, 1))
    if not (pos.sum() and neg.sum()):
        return
    y = np.r_[0, np.cumsum(pos) / pos.sum()]
    x = np.r_[0, np.cumsum(neg) / neg.sum()]
    area = float(np.diff(x) @ (y[1:] + y[:-1]) / 2)
    some = slice(1, None, 2)
    found = rs.auc_bounds(fpr=x[some], tpr=y[some])
    assert found.low - 1e-12 <= area <= found.high + 1e-12
    assert found.low - 1e-12 <= found.trapezoid <= found.high + 1e-12


@given(st.floats(0.2, 3), st.lists(st.floats(0.01, 0.99), min_size=1, max_size=6, unique=True))
def test_concave_curves_lie_between_the_concave_bounds(d, at):
    """The binormal curve with equal spreads is concave, so its area is in; more points never widen the bounds."""
    fpr = np.sort(at)
    tpr = stats.norm.cdf(d + stats.norm.ppf(fpr))
    found = rs.auc_bounds(fpr=fpr, tpr=tpr, concave=True)
    wide = rs.auc_bounds(fpr=fpr, tpr=tpr)
    assert found.low - 1e-9 <= stats.norm.cdf(d / 2**0.5) <= found.high + 1e-9
    assert wide.low <= found.low + 1e-12
    assert found.high <= wide.high + 1e-9
    fewer = rs.auc_bounds(fpr=fpr[:-1], tpr=tpr[:-1], concave=True) if len(fpr) > 1 else None
    assert fewer is None or found.width <= fewer.width + 1e-9


def test_no_better_choice_of_tangents_exists():
    """Against random tangents of concave points."""
    from rocsolid.inference import published_points as points

    rng = np.random.default_rng(1)
    for _ in range(20):
        x = np.r_[0, np.sort(rng.random(4)), 1]
        y = 1 - (1 - x) ** 3
        chord, w = points._pieces(x, y)
        best = points._largest_gain(x, y)
        for _ in range(300):
            slope = [np.inf, *(rng.uniform(chord[i + 1], chord[i]) for i in range(4)), 0.0]
            gain = sum(points._triangle(w[i], chord[i], slope[i], slope[i + 1]) for i in range(5))
            assert gain <= best + 1e-12


@pytest.mark.parametrize(
    ("points", "kind", "message"),
    [
        ({"fpr": [20], "tpr": [0.5]}, errors.InputError, r"fpr=\[0.2, ...\]"),
        ({"fpr": [0.5, 0.2], "tpr": [0.3, 0.8]}, errors.InputError, r"\(0.2, 0.8\) before \(0.5, 0.3\)"),
        ({"fpr": [0.5], "tpr": [0.3], "concave": True}, errors.InputError, "bend upwards at"),
        ({"fpr": [0.5], "tpr": [0.6, 0.7]}, errors.LengthError, "`tpr` has 2"),
        ({"fpr": [], "tpr": []}, errors.EmptyInputError, "fpr"),
        ({"fpr": ["a"], "tpr": [0.5]}, errors.DtypeError, "rates from 0 to 1"),
        ({"fpr": [[0.1]], "tpr": [[0.5]]}, errors.ShapeError, "one-dimensional"),
        ({"fpr": [float("nan")], "tpr": [0.5]}, errors.InputError, "found nan"),
        ({"fpr": [0.1], "tpr": [0.5], "concave": 1}, errors.OptionError, "True or False"),
    ],
)
def test_bad_points(points, kind, message):
    with pytest.raises(kind, match=message):
        rs.auc_bounds(**points)


def test_bounds_are_a_value():
    found = rs.auc_bounds(fpr=[0.2], tpr=[0.7])
    assert 0.6 in found
    assert 0.95 not in found
    assert found.width == pytest.approx(0.38)
    assert pickle.loads(pickle.dumps(found)) == found
    assert json.loads(found.to_json())["fpr"] == [0.0, 0.2, 1.0]
    assert "0.5600" in found._repr_html_()
