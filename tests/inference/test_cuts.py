"""Intervals of thresholds and guaranteed cuts: by hand, by exhaustive search of binomial sums, in both directions."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest

import rocsolid as rs


def binomial_cdf(k, n, p):
    """P(K <= k), summed in fractions."""
    p = Fraction(p)
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


def scored(n_pos, n_neg, ties=None):
    """Positives 1000, 1001, ...; negatives 0, 1, ...; or all rounded down to multiples of `ties`."""
    s = np.r_[np.arange(n_pos) + 1000, np.arange(n_neg)]
    return np.r_[np.ones(n_pos, int), np.zeros(n_neg, int)], s if ties is None else s // ties


@pytest.mark.parametrize("n", [60, 100, 333])
@pytest.mark.parametrize("x", [0.05, 0.1, 0.5])
@pytest.mark.parametrize("guarantee", [0.9, 0.95])
def test_guaranteed_fpr_is_the_most_lenient_that_holds(n, x, guarantee):
    at = rs.evaluate(*scored(5, n)).at(fpr=x, guarantee=guarantee)
    m = at.fp + 1  # the cut lies just above the m-th strictest negative
    assert binomial_cdf(m - 1, n, x) <= 1 - Fraction(guarantee)
    assert binomial_cdf(m, n, x) > 1 - Fraction(guarantee)
    assert f"fpr <= {x:g} in the population with confidence {guarantee:g}" in at.notes[0].en
    assert at.to_dict()["notes"] == [at.notes[0].en]


@pytest.mark.parametrize("n", [60, 100, 333])
@pytest.mark.parametrize("r", [0.9, 0.95, 0.5])
def test_guaranteed_recall_is_the_strictest_that_holds(n, r):
    at = rs.evaluate(*scored(n, 5)).at(recall=r, guarantee=0.95)
    assert binomial_cdf(at.tp - 1, n, r) >= Fraction(0.95)
    assert binomial_cdf(at.tp - 2, n, r) < Fraction(0.95)


def test_specificity_is_one_minus_fpr():
    ev = rs.evaluate(*scored(5, 500))
    assert ev.at(specificity=0.9, guarantee=0.95).threshold == ev.at(fpr=0.1, guarantee=0.95).threshold


def test_low_scores_may_mean_positive():
    y, s = scored(80, 200)
    high = rs.evaluate(y, s)
    low = rs.evaluate(y, -s, higher_is_positive=False)
    for wanted in ({"recall": 0.9}, {"fpr": 0.05}, {"specificity": 0.8}):
        assert low.at(**wanted, guarantee=0.95).threshold == -high.at(**wanted, guarantee=0.95).threshold
        a, b = high.threshold_interval(**wanted), low.threshold_interval(**wanted)
        assert (b.threshold, b.interval.low, b.interval.high) == (-a.threshold, -a.interval.high, -a.interval.low)


def test_ties_are_taken_conservatively():
    """A tied block is kept out as a whole for an FPR and taken in as a whole for a recall."""
    untied, tied = (rs.evaluate(*scored(100, 100, ties)) for ties in (None, 10))
    assert tied.at(fpr=0.3, guarantee=0.95).fp <= untied.at(fpr=0.3, guarantee=0.95).fp
    assert tied.at(recall=0.7, guarantee=0.95).tp >= untied.at(recall=0.7, guarantee=0.95).tp


def test_too_few_rows_say_how_many_it_takes():
    ev = rs.evaluate(*scored(20, 200))
    with pytest.raises(rs.errors.UndefinedMeasureError, match=r"at least 299 negatives, found 200") as caught:
        ev.at(fpr=0.01, guarantee=0.95)
    assert "ev.at(fpr=0.0149, guarantee=0.95) is within reach" in caught.value.hint
    assert ev.at(fpr=0.0149, guarantee=0.95).fp == 0
    with pytest.raises(rs.errors.UndefinedMeasureError, match=r"at least 29 positives, found 20") as caught:
        ev.at(recall=0.9, guarantee=0.95)
    assert "recall=0.8608" in caught.value.hint
    assert ev.at(recall=0.8608, guarantee=0.95).fn == 0
    rs.evaluate(*scored(20, 299)).at(fpr=0.01, guarantee=0.95)


@pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
def test_a_tie_at_the_top_leaves_no_cut():
    with pytest.raises(rs.errors.UndefinedMeasureError, match="shared by a negative"):
        rs.evaluate([0] * 100 + [1] * 10, [1] * 110).at(fpr=0.1, guarantee=0.95)


def test_what_does_not_go_together():
    ev = rs.evaluate(*scored(100, 100))
    for options in (
        {"threshold": 0.5}, {"capacity": 3, "fpr": 0.1}, {"recall": 0.9, "fpr": 0.1}, {}, {"precision": 0.9},
        {"fpr": 0}, {"fpr": 1}, {"recall": 1.0}, {"recall": math.nan},
    ):  # fmt: skip
        with pytest.raises(rs.errors.OptionError):
            ev.at(**options, guarantee=0.9)
    for guarantee in (0, 1, 95, "yes", True):
        with pytest.raises(rs.errors.OptionError, match="guarantee"):
            ev.at(fpr=0.1, guarantee=guarantee)
    for ask in (lambda e: e.at(fpr=0.1, guarantee=0.9), lambda e: e.threshold_interval(fpr=0.1)):
        with pytest.raises(rs.errors.NotAvailableError, match="weighted"):
            ask(rs.evaluate([0, 1], [1, 2], sample_weight=[1.0, 0.5]))
        with pytest.raises(rs.errors.UndefinedMeasureError, match="no negatives"):
            ask(rs.evaluate([1, 1], [1, 2]))


# ---------------------------------------------------------------------------------- interval of a threshold


@pytest.mark.parametrize("n", [10, 59, 200])
@pytest.mark.parametrize("name", ["recall", "fpr"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_threshold_limits_are_the_narrowest_with_equal_tails(n, name, share):
    ev = rs.evaluate(*(scored(n, 3) if name == "recall" else scored(3, n)))
    found = ev.threshold_interval(**{name: share})
    top = 1000 + n - 1 if name == "recall" else n - 1
    if math.isfinite(found.interval.high):
        a = top - found.interval.high + 1
        assert binomial_cdf(a - 1, n, share) <= Fraction("0.025") < binomial_cdf(a, n, share)
    if math.isfinite(found.interval.low):
        b = top - found.interval.low + 1
        assert binomial_cdf(b - 2, n, share) < Fraction("0.975") <= binomial_cdf(b - 1, n, share)
    assert found.threshold in found.interval
    assert found.actual_level >= 0.95 - 1e-12
    rates = ev.at(threshold=found.threshold)
    assert rates.recall.value >= share if name == "recall" else 1 - rates.specificity.value <= share + 1e-12


def test_the_cut_is_a_quantile_of_one_class_and_at_looks_at_the_other_too():
    """`at` takes the strictest cut with as many positives; the interval's own cut knows the negatives alone."""
    ev = rs.evaluate(*scored(3, 100))
    quantile, chosen = ev.threshold_interval(fpr=0.1), ev.at(fpr=0.1)
    assert (quantile.threshold, chosen.threshold) == (90, 1000)
    assert ev.at(threshold=quantile.threshold).recall.value == chosen.recall.value
    assert rs.evaluate(*scored(30, 100)).threshold_interval(fpr=0.1).interval == quantile.interval
    ev = rs.evaluate([0, 1, 0, 1, 0], [5, 4, 3, 2, 1])
    assert ev.threshold_interval(recall=0.5).threshold == ev.at(recall=0.5).threshold == 4
    assert ev.threshold_interval(fpr=0.4).threshold == ev.at(fpr=0.4).threshold == 4
    assert ev.threshold_interval(specificity=0.3).threshold == ev.at(specificity=0.3).threshold == 2


def test_an_end_may_be_open():
    found = rs.evaluate(*scored(10, 3)).threshold_interval(recall=0.9)
    assert found.interval.low == -math.inf
    assert [note.code for note in found.notes] == ["order-statistics", "open-end"]
    read = json.loads(found.to_json())
    assert (read["low"], read["low_is"]) == (None, "-inf")


def test_no_score_may_keep_the_rate_in_the_sample():
    found = rs.evaluate([0] * 50 + [1] * 5, [3] * 10 + list(range(-40, 0)) + [0, 1, 2, 3, 3]).threshold_interval(
        fpr=0.1
    )
    assert math.isnan(found.threshold)
    assert found.interval.high == 3


def test_scores_keep_their_exact_value():
    big = 2**60 + 1
    y = [1] * 20 + [0]
    found = rs.evaluate(y, [big + i for i in range(20)] + [big]).threshold_interval(recall=0.5)
    assert isinstance(found.interval.low, int)
    assert found.interval.low > 2**60
    assert big < found.threshold < big + 20
