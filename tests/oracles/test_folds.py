"""Cross-validated estimates: means over folds, whatever the scale of each fold's scores."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")

MEASURES = ["roc_auc", "gini", "average_precision", "brier_score", "log_loss", "recall(threshold=0.5)",
            "specificity(threshold=0.5)", "precision(threshold=0.5)", "accuracy(threshold=0.5)"]  # fmt: skip


def folds(n=200, v=5, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, 1 / (1 + np.exp(-rng.normal(size=n) - y)), np.arange(n) % v


@pytest.mark.parametrize("measure", MEASURES)
def test_the_value_is_the_mean_over_folds(measure):
    y, s, f = folds()
    found = rs.evaluate(y, s, fold=f).measure(measure)
    each = [rs.measure(measure, y[f == v], s[f == v]).value for v in range(5)]
    assert found.value == pytest.approx(np.mean(each), rel=1e-14)
    assert list(found.details.values()) == each
    assert list(found.details) == [f"fold {v}" for v in range(5)]
    assert found.interval.low < found.value < found.interval.high
    assert "fold-mean" in [note.code for note in found.notes]
    assert found.sizes.n == 200


@pytest.mark.parametrize("measure", MEASURES)
def test_one_fold_is_no_fold(measure):
    y, s, _ = folds()
    one, none = rs.evaluate(y, s, fold=["all"] * 200).measure(measure), rs.evaluate(y, s).measure(measure)
    assert one.value == pytest.approx(none.value, rel=1e-14)
    got = (one.interval.low, one.interval.high)
    assert got == pytest.approx((none.interval.low, none.interval.high), rel=1e-12)


def test_scores_of_different_folds_are_never_compared():
    y, s, f = folds()
    apart, shifted = rs.evaluate(y, s, fold=f).roc_auc(), rs.evaluate(y, s + 10.0 * f, fold=f).roc_auc()
    assert shifted.value == apart.value
    assert shifted.interval == apart.interval


def test_standard_error_of_independent_folds():
    """DeLong's variances of the folds, added, over the square of their number."""
    y, s, f = folds()
    each = [rs.evaluate(y[f == v], s[f == v]).roc_auc(method="delong").std_error for v in range(5)]
    found = rs.evaluate(y, s, fold=f).roc_auc()
    assert found.std_error == pytest.approx(math.sqrt(sum(np.square(each))) / 5, rel=1e-12)


def test_curves_and_cuts_take_all_rows_together():
    y, s, f = folds()
    apart, together = rs.evaluate(y, s, fold=f), rs.evaluate(y, s)
    assert apart.sweep == together.sweep
    assert apart.at(threshold=0.5) == together.at(threshold=0.5)


def test_a_fold_without_a_value_is_named():
    y, s, f = [0, 1, 1, 1], [0.1, 0.8, 0.3, 0.4], ["a", "a", "b", "b"]
    with pytest.raises(rs.errors.UndefinedMeasureError, match="in fold 'b': there are no negatives"):
        rs.evaluate(y, s, fold=f).roc_auc()
    gap = rs.evaluate(y, s, fold=f, on_undefined="nan").roc_auc()
    assert math.isnan(gap.value)
    assert "fold 'b'" in gap.undefined.en


def test_what_folds_can_not_do():
    y, s, f = folds()
    ev = rs.evaluate(y, s, fold=f)
    with pytest.raises(rs.errors.NotAvailableError, match="d_prime"):
        ev.measure("d_prime")
    with pytest.raises(rs.errors.NotAvailableError, match="influence"):
        ev.influence("roc_auc")
    with pytest.raises(rs.errors.NotAvailableError, match="fold"):
        rs.evaluate(y, s, fold=f, cluster=f)
    with pytest.raises(rs.errors.LengthError, match="fold"):
        rs.evaluate(y, s, fold=[1, 2])


@pytest.mark.statistical
def test_coverage_of_folds_whose_scores_differ(nightly):
    """Five fits with scales of their own; the truth is the AUC that all of them have."""
    r, auc = (4000 if nightly else 400), 0.85
    d = math.sqrt(2) * 1.0364333894937898
    hits = 0
    for seed in range(r):
        rng = np.random.default_rng((seed, 12))
        y, f = rng.random(100) < 0.3, np.arange(100) % 5
        s = rng.normal(size=100) + d * y + 3.0 * f
        try:
            hits += auc in rs.evaluate(y, s, fold=f).roc_auc().interval
        except rs.errors.UndefinedMeasureError:
            hits += 1
    assert 0.93 - 3.9 * math.sqrt(0.93 * 0.07 / r) <= hits / r <= 0.995


# ------------------------------------------------------------------------------------------ comparing models


def in_folds(folds=4, n=240, seed=5):
    rng = np.random.default_rng(seed)
    y, fold = rng.random(n) < 0.4, rng.integers(0, folds, n)
    common = rng.normal(size=n)
    a = y * 1.2 + common + rng.normal(size=n) + 5 * fold  # scores of different fits are not comparable
    b = np.round(y * 0.9 + common + rng.normal(size=n), 1) - 3 * fold
    return y, a, b, fold


def placements(s, y):
    pairs = np.array([[(x > o) + (x == o) / 2 for o in s[~y]] for x in s[y]])
    return pairs.mean(axis=1), pairs.mean(axis=0)


@pytest.mark.parametrize("method", ["auto", "delong"])
def test_auc_of_two_models_is_compared_within_folds(method):
    y, a, b, fold = in_folds()
    differences, variances = [], []
    for v in range(4):
        at = fold == v
        (pa, na), (pb, nb) = placements(a[at], y[at]), placements(b[at], y[at])
        d10, d01 = pa - pb, na - nb
        differences.append(d10.mean())
        variances.append(d10.var(ddof=1) / len(d10) + d01.var(ddof=1) / len(d01))
    found = rs.compare(y, {"a": a, "b": b}, fold=fold, method=method)
    assert found.difference == pytest.approx(np.mean(differences), rel=1e-13)
    assert found.std_error == pytest.approx(np.sqrt(np.sum(variances)) / 4, rel=1e-12)
    assert found.statistic == pytest.approx(found.difference / found.std_error, rel=1e-13)
    assert [e.value for e in found.estimates] == [rs.evaluate(y, s, fold=fold).roc_auc().value for s in (a, b)]
    assert found.interval.low < found.difference < found.interval.high


@pytest.mark.parametrize("measure", ["roc_auc", "average_precision", "recall(threshold=0.5)", "gini"])
def test_models_in_one_fold_are_in_none(measure):
    y, a, b, _ = in_folds(folds=1)
    models = {"a": a, "b": b, "c": a + b}
    plain = rs.compare(y, models, measure=measure)
    folded = rs.compare(y, models, measure=measure, fold=np.zeros(len(y)))
    for one, other in zip(plain, folded, strict=True):
        assert other.difference == pytest.approx(one.difference, rel=1e-12, abs=1e-15)
        assert other.std_error == pytest.approx(one.std_error, rel=1e-10)
        assert other.df == pytest.approx(one.df, rel=1e-10)
        assert other.pvalue == pytest.approx(one.pvalue, rel=1e-9)
        assert other.correlation == pytest.approx(one.correlation, rel=1e-9)
    assert folded.omnibus.statistic == pytest.approx(plain.omnibus.statistic, rel=1e-9)


def test_losses_in_folds_are_compared_fold_by_fold():
    y, a, b, fold = in_folds()
    p, q = (1 / (1 + np.exp(-(s - np.median(s)) / 4)) for s in (a, b))
    each = [np.mean((p - y)[fold == v] ** 2 - (q - y)[fold == v] ** 2) for v in range(4)]
    assert rs.compare(y, {"p": p, "q": q}, measure="brier_score", fold=fold).difference == pytest.approx(np.mean(each))


def test_rows_left_out_take_their_fold_with_them():
    y, a, b, fold = in_folds()
    names = np.array(["one", "two", "three", "four"])[fold]
    holes = a.copy()
    holes[fold == fold[0]] = np.nan  # the first fold is gone
    keep = fold != fold[0]
    found = rs.compare(y, {"a": holes, "b": b}, fold=names, missing="drop")
    assert found.difference == rs.compare(y[keep], {"a": a[keep], "b": b[keep]}, fold=names[keep]).difference
    assert set(found.estimates[1].details) == {f"fold {name}" for name in names[keep]}


def test_what_folds_do_not_have():
    y, a, b, fold = in_folds()
    models = {"a": a, "b": b}
    for method in ("hanley-mcneil", "bootstrap", "permutation", "venkatraman"):
        with pytest.raises(rs.errors.NotAvailableError, match="with folds"):
            rs.compare(y, models, fold=fold, method=method)
    with pytest.raises(rs.errors.NotAvailableError, match="unpaired"):
        rs.compare(y, models, fold=fold, paired=False)
    one, other = rs.evaluate(y, a, fold=fold), rs.evaluate(y, b, fold=fold[::-1])
    with pytest.raises(rs.errors.OptionError, match="different folds"):
        one.compare(other)
    with pytest.raises(rs.errors.OptionError, match="different folds"):
        one.compare(rs.evaluate(y, b))
