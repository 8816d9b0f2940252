"""One model group by group: tables, gaps, areas across groups."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


def data(n=400, seed=0):
    rng = np.random.default_rng(seed)
    group = np.array(["north", "south", "east"])[rng.integers(0, 3, n)]
    y = rng.random(n) < np.where(group == "north", 0.2, 0.5)
    return y, rng.normal(size=n) + y * (1 + (group == "south")), group


def test_each_group_is_the_evaluation_of_its_rows():
    y, s, group = data()
    w = np.random.default_rng(1).random(len(y)) + 0.1
    ev = rs.evaluate(y, s, sample_weight=w, cluster=np.arange(len(y)) // 1)
    by = ev.by(group)
    assert list(by) == list(dict.fromkeys(group.tolist()))
    for name, one in by.items():
        at = group == name
        alone = rs.evaluate(y[at], s[at], sample_weight=w[at], cluster=np.flatnonzero(at))
        for spec in ("roc_auc", "average_precision", "recall(threshold=1)"):
            assert one.measure(spec).to_dict() | {"name": None} == alone.measure(spec).to_dict()
    table = by.table(["roc_auc"])
    assert [row.name for row in table] == list(by)
    assert "prevalence" in table.header
    assert float(table.cells[0][-1]) == pytest.approx(y[group == next(iter(by))].mean(), abs=1e-4)


def test_gaps_are_unpaired_comparisons():
    y, s, group = data(seed=2)
    ev = rs.evaluate(y, s)
    by = ev.by(group)
    gaps = by.gaps()
    for one in gaps:
        at = group == one.names[0]
        want = rs.evaluate(y[at], s[at]).compare(rs.evaluate(y[~at], s[~at]), paired=False)
        assert one.difference == want.difference
        assert one.interval == want.interval
        assert one.pvalue == want.pvalue
        assert one.adjusted_pvalue >= one.pvalue
    against = by.gaps("fpr(threshold=1)", to="south")
    assert {one.names for one in against} == {("north", "south"), ("east", "south")}
    assert against.rows[0].difference == pytest.approx(
        by[against.rows[0].names[0]].measure("fpr(threshold=1)").value - by["south"].measure("fpr(threshold=1)").value
    )


def test_areas_across_groups_count_the_pairs_they_name():
    y, s, group = data(seed=3)
    for name, (within, bpsn, bnsp) in rs.evaluate(y, s).by(group).across().rows:
        at = group == name

        def share(positives, negatives):
            return float(((np.sign(positives[:, None] - negatives[None]) + 1) / 2).mean())

        assert within.value == pytest.approx(share(s[at & y], s[at & ~y]), rel=1e-12)
        assert bpsn.value == pytest.approx(share(s[~at & y], s[at & ~y]), rel=1e-12)
        assert bnsp.value == pytest.approx(share(s[at & y], s[~at & ~y]), rel=1e-12)
        assert bpsn.interval.low < bpsn.value < bpsn.interval.high


def test_small_groups_are_left_out_and_counted():
    y, s, group = data(seed=4)
    group[:6] = "tiny"
    by = rs.evaluate(y, s).by(group, min_rows=10)
    assert "tiny" not in by
    assert by.suppressed[0].n == 6
    assert repr(by).startswith("<GroupedEvaluation of 3 groups, 1 group not shown; ")
    assert "<table>" in by._repr_html_()
    assert "1 group of" in repr(rs.gauc(y[:50], s[:50], np.zeros(50)))
    assert "tiny" in by.table().footnotes[-1]
    assert by.table().to_dict()["suppressed"] == ["tiny"]
    assert len(by.gaps()) == 3
    with pytest.raises(errors.UnknownNameError):
        by["tiny"]
    with pytest.raises(errors.OptionError, match="min_rows"):
        rs.evaluate(y, s).by(group, min_rows=10**6)


def test_groups_of_one_class_are_undefined_with_the_reason():
    y, s, group = data(seed=5)
    y[group == "east"] = False
    by = rs.evaluate(y, s).by(group)
    assert math.isnan(by["east"].roc_auc().value)
    gaps = by.gaps()
    assert gaps.undefined[0].name == "east"
    assert "no positives" in repr(gaps)
    assert "undefined" in repr(by.across())


def test_dropped_rows_and_missing_groups():
    y, s, group = data(seed=6)
    s[:4] = np.nan
    ev = rs.evaluate(y, s, missing="drop")
    assert ev.by(group)["south"].roc_auc().value == rs.evaluate(y[4:], s[4:]).by(group[4:])["south"].roc_auc().value
    with pytest.raises(errors.LengthError):
        ev.by(group[4:])
    gone = group.astype(object)
    gone[50] = None
    with pytest.raises(errors.MissingValueError):
        ev.by(gone)


def test_what_has_no_groups_is_refused():
    y, s, group = data(seed=7)
    ev = rs.evaluate(y, s)
    with pytest.raises(errors.NotAvailableError, match="clusters"):
        rs.evaluate(y, s, cluster=np.arange(len(y)) % 20).by(group)
    with pytest.raises(errors.NotAvailableError, match="folds"):
        rs.evaluate(y, s, fold=np.arange(len(y)) % 4).by(group)
    with pytest.raises(errors.NotAvailableError, match="sweep"):
        rs.Evaluation(ev.sweep).by(group)
    with pytest.raises(errors.OptionError, match="standard error"):
        ev.by(group).gaps("ks")
    with pytest.raises(errors.UnknownNameError):
        ev.by(group).gaps(to="west")
