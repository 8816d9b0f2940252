"""Clustered rows against recorded values, the reference rule, and what must not change the answer."""

from __future__ import annotations

import numpy as np
import pytest
from tests.oracles.test_cases import check, load
from tests.oracles.test_intervals_reference import reference

import rocsolid as rs
from rocsolid.inference import covariance
from rocsolid.measures.partial_area import PartialAuc, loss_in_range, partial_area

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")

MEASURES = ["roc_auc", "gini", "d_prime", "average_precision", "brier_score", "log_loss", "recall(threshold=0.5)",
            "precision(threshold=0.5)", "accuracy(threshold=0.5)", "f1(threshold=0.5)"]  # fmt: skip


def patients(n=60, per=3, seed=0):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < n // 3).astype(int)
    s = 1 / (1 + np.exp(-rng.normal(size=n) - 1.5 * y))
    return y, s, np.arange(n) // per


@pytest.mark.parametrize("case", load("clustered"))
def test_recorded_values(case):
    """Obuchowski 1997, and DeLong's variance of the same rows taken as independent."""
    y, s, groups = (case["inputs"][key] for key in ("labels", "scores", "groups"))
    clustered = rs.evaluate(y, s, cluster=groups).roc_auc(method="obuchowski")
    naive = rs.evaluate(y, s).roc_auc(method="delong")
    check(
        case,
        {
            "auc": clustered.value,
            "clustered_var": clustered.std_error**2,
            "clustered_se": clustered.std_error,
            "naive_delong_var": naive.std_error**2,
            "design_effect": clustered.std_error**2 / naive.std_error**2,
            "clustered_ci95": [clustered.interval.low, clustered.interval.high],
        },
    )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_default_interval_is_the_reference_rule(seed, level):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 80))
    y, s, g = rng.integers(0, 2, n), np.round(rng.normal(size=n), 1), rng.integers(0, 12, n)
    found = rs.evaluate(y, s, cluster=g).roc_auc(confidence_level=level)
    expected = reference.auc_cluster_ci(y, s, g, level)
    assert (found.value, found.interval.low, found.interval.high) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_names_order_and_labels_of_clusters_do_not_matter(measure):
    y, s, g = patients()
    whole = rs.evaluate(y, s, cluster=g).measure(measure)
    order = np.random.default_rng(1).permutation(len(y))
    named = np.array([f"patient {code}" for code in g])
    for labels in (named, 1000 - g, g + 0.5):
        other = rs.evaluate(y[order], s[order], cluster=labels[order]).measure(measure)
        assert other.value == whole.value
        got = (other.interval.low, other.interval.high, other.std_error)
        assert got == pytest.approx((whole.interval.low, whole.interval.high, whole.std_error), rel=1e-11)
    assert whole.sizes.n_clusters == 20
    assert "in 20 clusters" in repr(whole)
    assert whole.to_dict()["n_clusters"] == 20


@pytest.mark.parametrize("measure", MEASURES)
def test_rows_that_repeat_each_other_make_wider_intervals(measure):
    """Each row four times is no new information: clusters say so, rows taken as independent do not."""
    y, s, _ = (np.repeat(column, 4) for column in patients())
    g = np.repeat(np.arange(60), 4)
    apart, together = rs.evaluate(y, s).measure(measure), rs.evaluate(y, s, cluster=g).measure(measure)
    assert together.value == apart.value
    assert together.interval.width > 1.5 * apart.interval.width
    assert apart.interval.low > together.interval.low


@pytest.mark.parametrize("measure", MEASURES)
def test_a_whole_number_weight_is_a_repeated_row_of_the_cluster(measure):
    y, s, g = patients()
    w = np.random.default_rng(2).integers(1, 4, len(y))
    weighted = rs.evaluate(y, s, cluster=g, sample_weight=w).measure(measure)
    repeated = rs.evaluate(np.repeat(y, w), np.repeat(s, w), cluster=np.repeat(g, w)).measure(measure)
    assert weighted.value == pytest.approx(repeated.value, rel=1e-12)
    got, expected = weighted.interval, repeated.interval
    assert (got.low, got.high) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_perfect_separation_has_an_interval():
    y, g = [0] * 20 + [1] * 20, np.arange(40) % 10
    ev = rs.evaluate(y, y, cluster=g)
    for measure in ("roc_auc", "average_precision", "recall(threshold=1)"):
        interval = ev.measure(measure).interval
        assert interval.high == 1
        assert 0.3 < interval.low < 0.9


def test_a_single_cluster_has_no_interval_but_a_value():
    ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], cluster=["a"] * 4)
    for measure in ("roc_auc", "average_precision", "recall(threshold=0.3)", "brier_score"):
        found = ev.measure(measure)
        assert found.interval is None
        assert "single-cluster" in [note.code for note in found.notes]
        assert found.value > 0


def test_methods_for_independent_rows_are_refused():
    ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], cluster=[1, 1, 2, 2])
    with pytest.raises(rs.errors.UnknownNameError, match="method"):
        ev.roc_auc(method="delong")


def test_covariance_of_models_is_that_of_their_difference():
    rng = np.random.default_rng(3)
    y, g = rng.integers(0, 2, 90) == 1, rng.integers(0, 20, 90)
    psi = rng.normal(size=(2, 90))
    for slopes in ([0.0, 0.0], [0.3, -0.2]):
        both = covariance(psi, y, slopes=slopes, cluster=g)
        apart = covariance(psi[0] - psi[1], y, slopes=[slopes[0] - slopes[1]], cluster=g)[0, 0]
        assert both[0, 0] + both[1, 1] - 2 * both[0, 1] == pytest.approx(apart, rel=1e-12)


def test_clusters_at_the_door():
    y, s = [0, 1, 0, 1], [0.1, 0.8, 0.3, 0.4]
    with pytest.raises(rs.errors.LengthError, match="cluster"):
        rs.evaluate(y, s, cluster=[1, 2])
    with pytest.raises(rs.errors.ShapeError, match="cluster"):
        rs.evaluate(y, s, cluster=[[1], [2], [3], [4]])
    with pytest.raises(rs.errors.MissingValueError, match="cluster"):
        rs.evaluate(y, s, cluster=[1, None, 2, 2])
    kept = rs.evaluate(y, s, cluster=["a", None, "b", "c"], missing="drop")
    assert kept.n_dropped == 1
    assert kept.roc_auc().sizes.n_clusters == 3


def test_what_takes_rows_as_independent_is_refused():
    y, s, g = patients()
    for options in ({"cluster": g}, {"fold": g % 4}):
        ev = rs.evaluate(y, s, **options)
        with pytest.raises(rs.errors.NotAvailableError, match="bands"):
            ev.band("roc")
        with pytest.raises(rs.errors.NotAvailableError, match="threshold"):
            ev.threshold_interval(recall=0.5)
        with pytest.raises(rs.errors.NotAvailableError, match="guarantee"):
            ev.at(fpr=0.5, guarantee=0.8)


# -------------------------------------------------------------------------------- parts of the data, in clusters

PARTS = ["partial_auc(max_fpr=0.3)", "partial_auc(min_tpr=0.5)", "partial_auc(max_fpr=0.3, standardized=true)",
         "average_precision(prevalence=0.2)", "net_benefit(threshold=0.5)",
         "expected_cost(threshold=0.5, cost_fp=1, cost_fn=5)"]  # fmt: skip


def visits(groups=40, seed=2):
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(groups), rng.integers(1, 6, groups))
    y = rng.random(len(cluster)) < 0.4
    s = 1 / (1 + np.exp(-(y * 1.5 + rng.normal(size=groups)[cluster] + rng.normal(size=len(y)) - 0.75)))
    return y, np.round(s, 2), cluster


@pytest.mark.parametrize("measure", PARTS)
def test_parts_have_an_interval_in_clusters(measure):
    y, s, cluster = visits()
    found, rows = rs.evaluate(y, s, cluster=cluster).measure(measure), rs.evaluate(y, s).measure(measure)
    assert found.value == rows.value
    assert found.interval.low < found.value < found.interval.high
    assert found.interval.width > rows.interval.width  # rows of a patient are alike
    assert found.std_error > 0.9 * rows.std_error
    alone = rs.evaluate(y, s, cluster=np.arange(len(y))).measure(measure)
    assert alone.std_error == pytest.approx(rows.std_error, rel=0.02)  # G / (G - 1) by class, or over all
    assert alone.interval.width == pytest.approx(rows.interval.width, rel=0.25)


@pytest.mark.parametrize("measure", PARTS)
def test_parts_of_perfect_scores_in_clusters(measure):
    y, _, cluster = visits()
    found = rs.evaluate(y, np.where(y, 0.9, 0.1), cluster=cluster).measure(measure)
    assert found.interval.low < found.interval.high
    assert found.interval.low <= found.value <= found.interval.high


@pytest.mark.parametrize("measure", PARTS)
def test_parts_of_a_single_cluster(measure):
    y, s, _ = visits()
    found = rs.evaluate(y, s, cluster=np.zeros(len(y))).measure(measure)
    assert found.interval is None
    assert "single-cluster" in [note.code for note in found.notes]


@pytest.mark.parametrize("options", [{"max_fpr": 0.3}, {"min_fpr": 0.1, "max_fpr": 0.45}, {"min_tpr": 0.35}])
def test_what_wide_rows_take_from_a_partial_area(options):
    """The heights missing in the range are what the area lacks to its width: pair by pair, ties half."""
    y, s, _ = visits()
    sweep, given = rs.evaluate(y, s).sweep, PartialAuc(**options)
    inside, lost = loss_in_range(sweep, given)
    mass = sweep.pos_mass if given.on_tpr else sweep.neg_mass
    assert inside @ mass / mass.sum() == pytest.approx(float(given.width), rel=1e-12)
    area = float(partial_area(sweep, given))
    assert lost @ mass / mass.sum() == pytest.approx(float(given.width) - area, rel=1e-12)


def test_cells_by_clusters_of_one_row_are_those_of_rows():
    """With one row a cluster the correlation of two cells' shares is that of a multinomial."""
    y, s, _ = visits()
    first, second = (
        rs.evaluate(y, s, cluster=c).measure("net_benefit(threshold=0.5)") for c in (np.arange(len(y)), None)
    )
    assert first.std_error == pytest.approx(second.std_error, rel=0.01)
    assert first.interval.low == pytest.approx(second.interval.low, abs=0.03)
