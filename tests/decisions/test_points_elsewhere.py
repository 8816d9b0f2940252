"""Points on other rows: judged, applied, watched; and how optimistic they are."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import rocsolid as rs


def study(seed, n=400):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, np.round(rng.normal(size=n) + 1.2 * y, 2)


def test_judged_elsewhere_is_the_same_cut():
    point = rs.evaluate(*study(1)).best("youden")
    new = study(2)
    judged = point.judge(*new)
    assert judged.threshold == point.threshold
    assert judged.counts == rs.evaluate(*new).at(threshold=point.threshold).counts
    assert judged.notes[0].code == "judged-elsewhere"
    assert "max youden" in judged.notes[0].en
    assert judged.counts.tp == int((point.apply(new[1]) & new[0]).sum())
    reverse = rs.evaluate(study(1)[0], -study(1)[1], higher_is_positive=False).best("youden")
    assert reverse.judge(new[0], -new[1]).counts == judged.counts


def test_monitoring_is_the_binomial_tail_at_the_nearer_end():
    point = rs.evaluate(*study(3)).at(recall=0.8)
    y, s = study(4, 60)
    found = point.monitor(s - 2, y, looks=4)
    for row in found.rows:
        if row.rate == "flagged":
            continue
        assert row.expected == getattr(point, row.rate).interval
    recall = next(row for row in found.rows if row.rate == "recall")
    low = Fraction(recall.expected.low)
    tail = sum(math.comb(recall.rows, i) * low**i * (1 - low) ** (recall.rows - i) for i in range(recall.hits + 1))
    assert recall.hits / recall.rows < low
    assert recall.pvalue == pytest.approx(float(tail), rel=1e-9)
    assert found.alarm
    assert recall.leaves
    assert found.to_dict()["alarm"] is True
    assert "4 looks" in repr(found)
    assert not point.monitor(*reversed(study(3))).alarm
    assert [row.rate for row in point.monitor(s).rows] == ["flagged"]
    with pytest.raises(rs.errors.NotAvailableError):
        rs.evaluate(*study(3), sample_weight=np.arange(400) + 1).at(recall=0.8).monitor(s)


def test_false_alarms_are_rare_over_all_looks():
    alarms = 0
    for seed in range(100):
        point = rs.evaluate(*study(seed)).at(threshold=0.6)
        alarms += any(point.monitor(s, y, looks=3).alarm for y, s in (study(1000 + 3 * seed + i) for i in range(3)))
    assert alarms <= 12  # 0.05 at most while the intervals hold, which they do nineteen times in twenty


def test_optimism_takes_off_what_the_choice_adds():
    """Youden's index of useless scores is 0 everywhere; the chosen cut promises more, and the bootstrap knows it."""
    rng = np.random.default_rng(5)
    apparent, corrected = [], []
    for seed in range(60):
        y, s = np.arange(100) < 40, rng.normal(size=100)
        found = rs.evaluate(y, s).best("youden", optimism=True, n_resamples=60, rng=seed).optimism
        apparent.append(found.apparent)
        corrected.append(found.corrected)
    assert np.mean(apparent) > 0.1
    assert abs(np.mean(corrected)) < 0.6 * np.mean(apparent)


def test_optimism_repeats_and_is_refused_where_it_has_no_meaning():
    y, s = study(6)
    a, b = (rs.evaluate(y, s).best("cost", cost_fp=1, cost_fn=5, optimism=True, n_resamples=50, rng=3) for _ in "ab")
    assert a.optimism == b.optimism
    assert a.optimism.optimism < 0
    assert rs.OperatingPoint.from_json(a.to_json()).optimism == a.optimism
    with pytest.raises(rs.errors.NotAvailableError):
        rs.evaluate(y, s, fold=np.arange(400) % 2).best("youden", optimism=True)
    with pytest.raises(rs.errors.NotAvailableError, match="rows"):
        rs.Evaluation(rs.evaluate(y, s, sample_weight=np.ones(400) / 3).sweep).best("youden", optimism=True)


def test_optimism_draws_whole_clusters_and_rows_with_their_weights():
    """Rows that all stand twice promise no less than once; drawn row by row they seem to, drawn by pairs not."""
    rng = np.random.default_rng(8)
    y, s, n = np.arange(80) < 40, rng.normal(size=80), {"optimism": True, "n_resamples": 1500, "rng": 1}
    once = rs.evaluate(y, s).best("youden", **n).optimism
    pairs, twice = np.repeat(np.arange(80), 2), (np.repeat(y, 2), np.repeat(s, 2))
    whole = rs.evaluate(*twice, cluster=pairs).best("youden", **n).optimism
    apart = rs.evaluate(*twice).best("youden", **n).optimism
    assert whole.apparent == once.apparent == apart.apparent
    assert whole.optimism == pytest.approx(once.optimism, abs=5 * once.mc_error)
    assert apart.optimism < whole.optimism - 5 * once.mc_error
    weighed = rs.evaluate(y, s, sample_weight=np.full(80, 0.3)).best("youden", **n).optimism
    assert weighed.optimism == pytest.approx(once.optimism, abs=5 * once.mc_error)
    heavy = np.where(np.arange(80) % 10 == 0, 40.0, 1.0)
    assert rs.evaluate(y, s, sample_weight=heavy).best("youden", **n).optimism.optimism > 1.5 * once.optimism
