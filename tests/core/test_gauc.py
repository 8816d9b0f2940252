"""A measure within groups and its mean: against each group by itself, and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


def rows(n=600, g=60, seed=0):
    rng = np.random.default_rng(seed)
    group = rng.integers(0, g, n)
    y = rng.random(n) < 0.3
    return y, np.round(rng.normal(size=n) + y, 1), group


def one_by_one(y, s, group, measure):
    """Value, rows and positives of each group that has a value."""
    out = []
    for g in np.unique(group):
        at = group == g
        p = int(y[at].sum())
        if p == 0 or (p == at.sum() and measure == "roc_auc"):
            continue
        ev = rs.evaluate(y[at], s[at])
        if measure == "ndcg":
            from sklearn.metrics import ndcg_score

            value = ndcg_score(y[at][None].astype(float), s[at][None], k=3) if at.sum() > 1 else 1.0
        else:
            value = ev.measure(measure).value
        out.append((value, at.sum(), p))
    return np.array(out)


def same(a, b):
    """The same values and counts; errors of sums over groups in another order apart."""
    return (a.value, a.n_groups, a.n_rows) == (b.value, b.n_groups, b.n_rows) and math.isclose(a.std_error, b.std_error)


@pytest.mark.parametrize("average", ["impressions", "clicks", "equal"])
@pytest.mark.parametrize("measure", ["roc_auc", "average_precision", "ndcg"])
def test_is_the_mean_of_the_groups_by_themselves(measure, average):
    y, s, group = rows()
    value, n, p = one_by_one(y, s, group, measure).T
    weight = {"impressions": n, "clicks": p, "equal": np.ones(len(n))}[average]
    found = rs.gauc(y, s, group, measure=measure, average=average, k=3 if measure == "ndcg" else None)
    assert found.value == pytest.approx(np.average(value, weights=weight), rel=1e-12)
    assert found.n_groups == len(value)
    assert found.n_rows == n.sum()
    assert found.n_groups + found.skipped == len(np.unique(group))
    apart = weight * (value - found.value)
    g = len(value)
    assert found.std_error == pytest.approx(math.sqrt((apart**2).sum() * g / (g - 1)) / weight.sum())
    assert found.interval.low < found.value < found.interval.high


def test_names_of_groups_do_not_matter():
    y, s, group = rows(seed=1)
    want = rs.gauc(y, s, group)
    import pandas as pd

    names = np.array([f"user {g}" for g in group])
    for other in (group - 10**12, group * 10**9, group.astype(float), names, names.astype(object), pd.Series(names),
                  group.astype(np.uint8), group > 1e9):  # fmt: skip
        found = rs.gauc(y, s, other)
        if other.dtype != bool:
            assert same(found, want)
        else:
            assert found.value == rs.evaluate(y, s).roc_auc().value
    order = np.random.default_rng(2).permutation(len(y))
    assert same(rs.gauc(y[order], s[order], group[order]), want)
    down = rs.gauc(y, -s, group, higher_is_positive=False)
    assert down.value == want.value


def test_threads_do_not_matter():
    y, s, group = rows(n=200_000, g=30_000, seed=3)
    before = rs.get_num_threads()
    try:
        found = []
        for threads in (1, 2, 5):
            rs.set_num_threads(threads)
            found.append(rs.gauc(y, s, group))
    finally:
        rs.set_num_threads(before)
    assert found[0] == found[1] == found[2]


def test_groups_without_a_value_are_counted_with_the_reason():
    found = rs.gauc([1, 0, 1, 1, 0], [5, 4, 3, 2, 1], ["a", "a", "b", "b", "c"])
    assert (found.n_groups, found.without_positives, found.without_negatives) == (1, 1, 1)
    assert found.value == 1
    assert found.interval is None
    assert found.notes[0].code == "few-groups"
    gone = rs.gauc([1, 1], [1, 2], ["a", "b"])
    assert math.isnan(gone.value)
    assert gone.n_groups == 0
    assert rs.gauc([1, 1], [1, 2], ["a", "b"], measure="average_precision").value == 1


def test_missing_rows_are_left_out_with_their_group():
    y, s, group = rows(seed=4)
    s[:5] = np.nan
    with pytest.raises(errors.MissingValueError):
        rs.gauc(y, s, group)
    assert rs.gauc(y, s, group, missing="drop") == rs.gauc(y[5:], s[5:], group[5:])


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"average": "rows"}, errors.UnknownNameError, "average"),
        ({"measure": "brier"}, errors.UnknownNameError, "measure"),
        ({"k": 3}, errors.OptionError, "left out"),
        ({"measure": "ndcg", "k": 0}, errors.OptionError, "1 or more"),
        ({"groups": [1, 2]}, errors.LengthError, "groups"),
        ({"groups": [1.0, math.nan, 1, 2]}, errors.MissingValueError, "groups"),
        ({"groups": [None, "a", "a", "b"]}, errors.MissingValueError, "groups"),
        ({"groups": [[1], [2], [3], [4]]}, errors.ShapeError, "groups"),
        ({"confidence_level": 2}, errors.OptionError, "confidence_level"),
    ],
)
def test_bad_options(change, error, words):
    given = {"groups": [1, 1, 2, 2]} | change
    with pytest.raises(error, match=words):
        rs.gauc([0, 1, 0, 1], [1, 2, 3, 4], **given)


@pytest.mark.statistical
@pytest.mark.parametrize(("g", "size", "sep"), [(20, 10, 1.0), (100, 6, 2.0), (400, 5, 0.3)])
def test_the_interval_covers_the_mean_of_the_population(g, size, sep, nightly):
    """Users of different click rates; the truth is the mean over many users."""
    rng = np.random.default_rng(5)

    def draw(users):
        n = rng.integers(2, 2 * size, users)
        group = np.repeat(np.arange(users), n)
        rate = rng.beta(2, 4, users)
        y = rng.random(len(group)) < rate[group]
        return y, rng.normal(size=len(group)) + (sep + rng.normal(size=users) / 2)[group] * y, group

    truth = rs.gauc(*draw(100_000)).value
    r = 4000 if nightly else 400
    hits = 0
    for _ in range(r):
        found = rs.gauc(*draw(g)).interval
        hits += found.low <= truth <= found.high
    slack = 3.9 * math.sqrt(0.95 * 0.05 / r)
    assert hits / r >= 0.93 - slack
    assert hits / r <= 0.97 + slack
