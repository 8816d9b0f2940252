"""What every measure promises. The tables below name each measure: one that is missing fails, there is no default."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors
from rocsolid.inference import methods_of
from rocsolid.measures import REGISTRY, find

SPECS = {
    "roc_auc": "roc_auc",
    "gini": "gini",
    "d_prime": "d_prime",
    "average_precision": "average_precision",
    "brier_score": "brier_score",
    "log_loss": "log_loss",
    "precision": "precision(threshold=0.5)",
    "recall": "recall(threshold=0.5)",
    "specificity": "specificity(threshold=0.5)",
    "f1": "f1(threshold=0.5)",
    "accuracy": "accuracy(threshold=0.5)",
    "partial_auc": "partial_auc(max_fpr=0.25)",
    "net_benefit": "net_benefit(threshold=0.4)",
    "expected_cost": "expected_cost(threshold=0.4, cost_fp=1, cost_fn=5)",
    "cost_curve_area": "cost_curve_area",
    "min_expected_cost": "min_expected_cost(cost_fp=1, cost_fn=5)",
    "h_measure": "h_measure",
    "log_auc": "log_auc",
    "prg_area": "prg_area",
    "bedroc": "bedroc",
    "precision_at_prevalence": "precision_at_prevalence(threshold=0.4, prevalence=0.2)",
    "npv_at_prevalence": "npv_at_prevalence(threshold=0.4, prevalence=0.2)",
    "f1_at_prevalence": "f1_at_prevalence(threshold=0.4, prevalence=0.2)",
    "brier_reliability": "brier_reliability",
    "brier_resolution": "brier_resolution",
    "brier_uncertainty": "brier_uncertainty",
    "brier_miscalibration": "brier_miscalibration",
    "brier_discrimination": "brier_discrimination",
    "log_reliability": "log_reliability",
    "log_resolution": "log_resolution",
    "log_uncertainty": "log_uncertainty",
    "log_miscalibration": "log_miscalibration",
    "log_discrimination": "log_discrimination",
    "brier_skill_score": "brier_skill_score",
    "ece": "ece",
    "mce": "mce",
    "calibration_slope": "calibration_slope",
    "calibration_intercept": "calibration_intercept",
    "calibration_in_the_large": "calibration_in_the_large",
    "oe_ratio": "oe_ratio",
    "npv": "npv(threshold=0.5)",
    "fpr": "fpr(threshold=0.5)",
    "fnr": "fnr(threshold=0.5)",
    "error_rate": "error_rate(threshold=0.5)",
    "jaccard": "jaccard(threshold=0.5)",
    "balanced_accuracy": "balanced_accuracy(threshold=0.5)",
    "youden_j": "youden_j(threshold=0.5)",
    "lr_positive": "lr_positive(threshold=0.4)",
    "lr_negative": "lr_negative(threshold=0.4)",
    "diagnostic_odds_ratio": "diagnostic_odds_ratio(threshold=0.4)",
    "mcc": "mcc(threshold=0.5)",
    "kappa": "kappa(threshold=0.5)",
    "f_beta": "f_beta(threshold=0.5, beta=2)",
    "precision_at_k": "precision_at_k(share=0.5)",
    "recall_at_k": "recall_at_k(share=0.5)",
    "lift_at_k": "lift_at_k(share=0.5)",
    "ks": "ks",
    "eer": "eer(rule=hull)",
    "break_even": "break_even",
    "min_dcf": "min_dcf(prior=0.2)",
    "act_dcf": "act_dcf(prior=0.4)",
    "cllr": "cllr",
    "min_cllr": "min_cllr",
    "d2_log_loss": "d2_log_loss",
    "d2_absolute_error": "d2_absolute_error",
    "ici_isotonic": "ici_isotonic",
    "e50_isotonic": "e50_isotonic",
    "e90_isotonic": "e90_isotonic",
    "emax_isotonic": "emax_isotonic",
}
# value on y = 0 0 1 1, scores .1 .4 .35 .8, worked out by hand
BY_HAND = {
    "roc_auc": 3 / 4,
    "gini": 1 / 2,
    "d_prime": 0.9538725524,
    "average_precision": 5 / 6,
    "brier_score": (0.1**2 + 0.4**2 + 0.65**2 + 0.2**2) / 4,
    "log_loss": -(math.log(0.9) + math.log(0.6) + math.log(0.35) + math.log(0.8)) / 4,
    "precision": 1.0,
    "recall": 1 / 2,
    "specificity": 1.0,
    "f1": 2 / 3,
    "accuracy": 3 / 4,
    "partial_auc": 1 / 8,  # half of the positives lie above both negatives
    "net_benefit": 1 / 4 - 1 / 4 * 2 / 3,
    "expected_cost": (5 + 1) / 4,
    "cost_curve_area": 1 / 8,  # one edge of the hull runs over 1/2 and 1/2
    "min_expected_cost": 1 / 4,  # at 0.35 one of four is a false alarm
    "h_measure": 1 / 2,  # 0.078125 of 0.15625
    "log_auc": 1 / 2,
    "prg_area": 1 / 4,  # from (0, 0) to (1, 1/2) in recall and precision gain
    "bedroc": (1 - math.exp(-15)) / ((1 + math.exp(-5)) * (1 - math.exp(-10))),
    "precision_at_prevalence": 0.1 / (0.1 + 0.4),  # T = F = 1/2
    "npv_at_prevalence": 0.4 / (0.4 + 0.1),
    "f1_at_prevalence": 2 * 0.1 / (0.2 + 0.1 + 0.4),
    "brier_reliability": (0.1**2 + 0.4**2 + 0.65**2 + 0.2**2) / 4,  # scores that occur once are all explained
    "brier_resolution": 1 / 4,
    "brier_uncertainty": 1 / 4,
    "brier_miscalibration": (0.1**2 + 0.4**2 + 0.65**2 + 0.2**2) / 4 - 1 / 8,  # PAV: 0, 1/2, 1/2, 1
    "brier_discrimination": 1 / 4 - 1 / 8,
    "log_reliability": -(math.log(0.9) + math.log(0.6) + math.log(0.35) + math.log(0.8)) / 4,
    "log_resolution": math.log(2),
    "log_uncertainty": math.log(2),
    "log_miscalibration": -(math.log(0.9) + math.log(0.6) + math.log(0.35) + math.log(0.8)) / 4 - math.log(2) / 2,
    "log_discrimination": math.log(2) / 2,
    "brier_skill_score": 1 - (0.1**2 + 0.4**2 + 0.65**2 + 0.2**2),
    "ece": (0.1 + 2 * 0.125 + 0.2) / 4,
    "mce": 0.2,
    "calibration_slope": 1.8910580962165624,
    "calibration_intercept": 0.47706914803149103,
    "calibration_in_the_large": (0.1 + 0.4 + 0.35 + 0.8) / 4 - 1 / 2,
    "oe_ratio": 2 / (0.1 + 0.4 + 0.35 + 0.8),
    "npv": 2 / 3,
    "fpr": 0.0,
    "fnr": 1 / 2,
    "error_rate": 1 / 4,
    "jaccard": 1 / 2,
    "balanced_accuracy": 3 / 4,
    "youden_j": 1 / 2,
    "lr_positive": 1.0,
    "lr_negative": 1.0,
    "diagnostic_odds_ratio": 1.0,
    "mcc": 2 / math.sqrt(2 * 2 * 1 * 3),
    "kappa": 1 / 2,
    "f_beta": 5 / 9,
    "precision_at_k": 1 / 2,
    "recall_at_k": 1 / 2,
    "lift_at_k": 1.0,
    "ks": 1 / 2,
    "eer": 1 / 4,
    "break_even": 1 / 2,
    "min_dcf": 1 / 2,
    "act_dcf": 1 / 2,
    "cllr": (
        math.log2(1 + math.exp(-0.35))
        + math.log2(1 + math.exp(-0.8))
        + math.log2(1 + math.exp(0.1))
        + math.log2(1 + math.exp(0.4))
    )
    / 4,
    "min_cllr": 1 / 2,
    "d2_log_loss": 1 + (math.log(0.9) + math.log(0.6) + math.log(0.35) + math.log(0.8)) / 4 / math.log(2),
    "d2_absolute_error": 1 - (0.1 + 0.4 + 0.65 + 0.2) / 4 / (2 / 4),
    "ici_isotonic": (0.1 + 0.15 + 0.1 + 0.2) / 4,  # the isotonic fit: 0, 1/2, 1/2, 1
    "e50_isotonic": (0.1 + 0.15) / 2,
    "e90_isotonic": 0.2,
    "emax_isotonic": 0.2,
}
# is it defined on (positives only, negatives only)?
ONE_CLASS = {
    "roc_auc": (False, False),
    "gini": (False, False),
    "d_prime": (False, False),
    "average_precision": (True, False),
    "brier_score": (True, True),
    "log_loss": (True, True),
    "precision": (True, True),
    "recall": (True, False),
    "specificity": (False, True),
    "f1": (True, True),
    "accuracy": (True, True),
    "partial_auc": (False, False),
    "net_benefit": (True, True),
    "expected_cost": (True, True),
    "cost_curve_area": (False, False),
    "min_expected_cost": (False, False),
    "h_measure": (False, False),
    "log_auc": (False, False),
    "prg_area": (False, False),
    "bedroc": (False, False),
    "precision_at_prevalence": (False, False),
    "npv_at_prevalence": (False, False),
    "f1_at_prevalence": (False, False),
    "brier_reliability": (True, True),
    "brier_resolution": (True, True),
    "brier_uncertainty": (True, True),
    "brier_miscalibration": (True, True),
    "brier_discrimination": (True, True),
    "log_reliability": (True, True),
    "log_resolution": (True, True),
    "log_uncertainty": (True, True),
    "log_miscalibration": (True, True),
    "log_discrimination": (True, True),
    "ece": (True, True),
    "mce": (True, True),
    "calibration_in_the_large": (True, True),
    "oe_ratio": (True, True),
    "brier_skill_score": (False, False),
    "calibration_slope": (False, False),
    "calibration_intercept": (False, False),
    "npv": (True, True),
    "fpr": (False, True),
    "fnr": (True, False),
    "error_rate": (True, True),
    "jaccard": (True, True),
    "balanced_accuracy": (False, False),
    "youden_j": (False, False),
    "lr_positive": (False, False),
    "lr_negative": (False, False),
    "diagnostic_odds_ratio": (False, False),
    "mcc": (False, False),
    "kappa": (False, False),
    "f_beta": (True, True),
    "precision_at_k": (True, True),
    "recall_at_k": (True, False),
    "lift_at_k": (True, False),
    "ks": (False, False),
    "eer": (False, False),
    "break_even": (True, False),
    "min_dcf": (False, False),
    "act_dcf": (False, False),
    "cllr": (False, False),
    "min_cllr": (False, False),
    "d2_log_loss": (False, False),
    "d2_absolute_error": (False, False),
    "ici_isotonic": (True, True),
    "e50_isotonic": (True, True),
    "e90_isotonic": (True, True),
    "emax_isotonic": (True, True),
}
# does it change when the negatives weigh three times as much, the ranking being the same?
MOVES_WITH_PREVALENCE = {
    "roc_auc": False,
    "gini": False,
    "d_prime": False,
    "average_precision": True,
    "brier_score": True,
    "log_loss": True,
    "precision": True,
    "recall": False,
    "specificity": False,
    "f1": True,
    "accuracy": True,
    "partial_auc": False,
    "net_benefit": True,
    "expected_cost": True,
    "cost_curve_area": False,
    "min_expected_cost": True,
    "h_measure": True,
    "log_auc": False,
    "prg_area": True,
    "bedroc": True,
    "precision_at_prevalence": False,
    "npv_at_prevalence": False,
    "f1_at_prevalence": False,
    "brier_reliability": True,
    "brier_resolution": True,
    "brier_uncertainty": True,
    "brier_miscalibration": True,
    "brier_discrimination": True,
    "log_reliability": True,
    "log_resolution": True,
    "log_uncertainty": True,
    "log_miscalibration": True,
    "log_discrimination": True,
    "brier_skill_score": True,
    "ece": True,
    "mce": True,
    "calibration_slope": True,
    "calibration_intercept": True,
    "calibration_in_the_large": True,
    "oe_ratio": True,
    "npv": True,
    "fpr": False,
    "fnr": False,
    "error_rate": True,
    "jaccard": True,
    "balanced_accuracy": False,
    "youden_j": False,
    "lr_positive": False,
    "lr_negative": False,
    "diagnostic_odds_ratio": False,
    "mcc": True,
    "kappa": True,
    "f_beta": True,
    "precision_at_k": True,
    "recall_at_k": True,
    "lift_at_k": True,
    "ks": False,
    "eer": False,
    "break_even": True,
    "min_dcf": False,
    "act_dcf": False,
    "cllr": False,
    "min_cllr": False,
    "d2_log_loss": True,
    "d2_absolute_error": True,
    "ici_isotonic": True,
    "e50_isotonic": True,
    "e90_isotonic": True,
    "emax_isotonic": True,
}
# does a strictly increasing map of the scores leave it alone?
RANKS_ONLY = {
    "roc_auc": True,
    "gini": True,
    "d_prime": True,
    "average_precision": True,
    "brier_score": False,
    "log_loss": False,
    "precision": False,
    "recall": False,
    "specificity": False,
    "f1": False,
    "accuracy": False,
    "partial_auc": True,
    "net_benefit": False,
    "expected_cost": False,
    "cost_curve_area": True,
    "min_expected_cost": True,
    "h_measure": True,
    "log_auc": True,
    "prg_area": True,
    "bedroc": True,
    "precision_at_prevalence": False,
    "npv_at_prevalence": False,
    "f1_at_prevalence": False,
    "brier_reliability": False,
    "brier_resolution": True,
    "brier_uncertainty": True,
    "brier_miscalibration": False,
    "brier_discrimination": True,
    "log_reliability": False,
    "log_resolution": True,
    "log_uncertainty": True,
    "log_miscalibration": False,
    "log_discrimination": True,
    "brier_skill_score": False,
    "ece": False,
    "mce": False,
    "calibration_slope": False,
    "calibration_intercept": False,
    "calibration_in_the_large": False,
    "oe_ratio": False,
    "npv": False,
    "fpr": False,
    "fnr": False,
    "error_rate": False,
    "jaccard": False,
    "balanced_accuracy": False,
    "youden_j": False,
    "lr_positive": False,
    "lr_negative": False,
    "diagnostic_odds_ratio": False,
    "mcc": False,
    "kappa": False,
    "f_beta": False,
    "precision_at_k": True,
    "recall_at_k": True,
    "lift_at_k": True,
    "ks": True,
    "eer": True,
    "break_even": True,
    "min_dcf": True,
    "act_dcf": False,
    "cllr": False,
    "min_cllr": True,
    "d2_log_loss": False,
    "d2_absolute_error": False,
    "ici_isotonic": False,
    "e50_isotonic": False,
    "e90_isotonic": False,
    "emax_isotonic": False,
}
AUTO = {
    "roc_auc": "effective-error",
    "gini": "effective-error",
    "d_prime": "effective-error",
    "average_precision": "effective-error",
    "brier_score": "effective-error",
    "log_loss": "log-t",
    "precision": "wilson",
    "recall": "wilson",
    "specificity": "wilson",
    "f1": "wilson",
    "accuracy": "wilson",
    "partial_auc": "effective-error",
    "net_benefit": "mover",
    "expected_cost": "mover",
    "cost_curve_area": "none",
    "min_expected_cost": "none",
    "h_measure": "none",
    "log_auc": "effective-error",
    "prg_area": "none",
    "bedroc": "effective-error",
    "precision_at_prevalence": "mover",
    "npv_at_prevalence": "mover",
    "f1_at_prevalence": "mover",
    "brier_reliability": "none",
    "brier_resolution": "none",
    "brier_uncertainty": "none",
    "brier_miscalibration": "none",
    "brier_discrimination": "none",
    "log_reliability": "none",
    "log_resolution": "none",
    "log_uncertainty": "none",
    "log_miscalibration": "none",
    "log_discrimination": "none",
    "ece": "none",
    "mce": "none",
    "brier_skill_score": "none",
    "calibration_slope": "wald-t",
    "calibration_intercept": "wald-t",
    "calibration_in_the_large": "wald-t",
    "oe_ratio": "log",
    "npv": "wilson",
    "fpr": "wilson",
    "fnr": "wilson",
    "error_rate": "wilson",
    "jaccard": "wilson",
    "balanced_accuracy": "propagated",
    "youden_j": "propagated",
    "lr_positive": "propagated",
    "lr_negative": "propagated",
    "diagnostic_odds_ratio": "propagated",
    "mcc": "propagated",
    "kappa": "propagated",
    "f_beta": "propagated",
    "precision_at_k": "none",
    "recall_at_k": "none",
    "lift_at_k": "none",
    "ks": "none",
    "eer": "none",
    "break_even": "none",
    "min_dcf": "none",
    "act_dcf": "propagated",
    "cllr": "none",
    "min_cllr": "none",
    "d2_log_loss": "log-t",
    "d2_absolute_error": "log-t",
    "ici_isotonic": "none",
    "e50_isotonic": "none",
    "e90_isotonic": "none",
    "emax_isotonic": "none",
}
TABLES = (SPECS, BY_HAND, ONE_CLASS, MOVES_WITH_PREVALENCE, RANKS_ONLY, AUTO)
NAMES = sorted(REGISTRY)
RNG = np.random.default_rng(5)
Y = (RNG.random(300) < 0.35).astype(int)
S = np.round(1 / (1 + np.exp(-RNG.normal(size=300) - 1.2 * Y)), 2)


@pytest.fixture(autouse=True)
def _small_samples_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsolidWarning)
        yield


def value(name, y=Y, s=S, **options):
    return rs.evaluate(y, s, on_undefined="nan", **options).measure(SPECS[name]).value


def test_the_tables_name_every_measure_and_nothing_else():
    for table in TABLES:
        assert sorted(table) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_value_by_hand(name):
    assert value(name, [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]) == pytest.approx(BY_HAND[name], abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_metadata_is_complete(name):
    m = REGISTRY[name]
    assert m.title
    assert any("一" <= c <= "鿿" or "'" in c for c in m.title_zh)
    assert m.definition.endswith(".")
    assert m.source
    assert m.range[0] < m.range[1]
    assert m.input in ("sweep", "counts")
    for alias in m.aliases:
        assert find(SPECS[name].replace(name, alias, 1)).measure is m


@pytest.mark.parametrize("name", NAMES)
def test_one_class(name):
    for label, defined in zip((1, 0), ONE_CLASS[name], strict=True):
        ev = rs.evaluate([label] * 5, [0.2, 0.3, 0.6, 0.7, 0.9])
        if defined:
            assert math.isfinite(ev.measure(SPECS[name]).value)
        else:
            with pytest.raises(errors.UndefinedMeasureError, match="there are no"):
                ev.measure(SPECS[name])
        row = ev.table([SPECS[name]])[0]
        assert (row.undefined is None) == defined
        assert math.isnan(row.value) != defined


@pytest.mark.parametrize("name", NAMES)
def test_prevalence(name):
    moved = value(name, sample_weight=np.where(Y == 1, 1.0, 3.0))
    assert (moved != pytest.approx(value(name), rel=1e-9)) == MOVES_WITH_PREVALENCE[name]


@pytest.mark.parametrize("name", NAMES)
def test_monotone_maps(name):
    changed = value(name, Y, S**5)
    assert (changed == pytest.approx(value(name), rel=1e-12)) == RANKS_ONLY[name]


@pytest.mark.parametrize("name", NAMES)
def test_weights_repeat_rows(name):
    w = RNG.integers(1, 4, 300)
    assert value(name, sample_weight=w) == pytest.approx(value(name, np.repeat(Y, w), np.repeat(S, w)), rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_rows_in_any_order_and_in_chunks(name):
    order = RNG.permutation(300)
    assert value(name, Y[order], S[order]) == value(name)
    halves = rs.Sweep.from_arrays(Y[:100], S[:100]) + rs.Sweep.from_arrays(Y[100:], S[100:])
    assert rs.Evaluation(halves).measure(SPECS[name]).value == value(name)


@pytest.mark.parametrize("name", NAMES)
def test_within_range_with_an_interval_around_it(name):
    m = REGISTRY[name]
    found = rs.evaluate(Y, S).measure(SPECS[name])
    assert AUTO[name] == next(iter(methods_of(find(SPECS[name]))))
    if AUTO[name] == "none":  # nothing that was simulated covers: said in a note, and a bootstrap by name
        assert found.interval is None
        assert "no-default-interval" in [note.code for note in found.notes]
    else:
        assert m.range[0] <= found.interval.low < found.value < found.interval.high <= m.range[1]
        assert found.interval.method == AUTO[name]
        assert found.std_error > 0
    for method in methods_of(find(SPECS[name])):
        if method == "none":
            continue
        drawn = {"rng": 0} if method.startswith("bootstrap") else {}
        by_name = rs.evaluate(Y, S).measure(SPECS[name], method=method, **drawn)
        assert m.range[0] <= by_name.interval.low <= found.value <= by_name.interval.high <= m.range[1]
        assert by_name.interval.low < by_name.interval.high


@pytest.mark.parametrize("name", NAMES)
def test_better_and_chance(name):
    m = REGISTRY[name]
    if m.better == "target":
        assert m.range[0] < m.target < m.range[1]
        return
    good, bad = (value(name, Y, np.clip(np.abs(Y - flip) * 0.8 + 0.1, 0, 1)) for flip in (0, 1))
    blind = name.endswith("_resolution") and good == bad  # scores that tell the classes apart, in whichever order
    if name in ("lr_positive", "diagnostic_odds_ratio"):  # no negative is flagged: a denominator of 0
        assert math.isnan(good)
    else:
        assert (good > bad) == (m.better == "higher") or (name == "precision" and math.isnan(bad)) or blind
    if m.chance is not None and RANKS_ONLY[name]:
        assert value(name, Y, np.zeros(300)) == pytest.approx(
            m.chance(rs.Sweep.from_arrays(Y, S), find(SPECS[name]).options)
        )
    elif m.chance is not None:  # a constant forecast of the prevalence
        assert value(name, Y, np.full(300, Y.mean())) == pytest.approx(
            m.chance(rs.Sweep.from_arrays(Y, S), find(SPECS[name]).options)
        )


@pytest.mark.parametrize("name", NAMES)
def test_the_spec_comes_back(name):
    assert find(find(SPECS[name]).spec).spec == SPECS[name]


@pytest.mark.parametrize("name", NAMES)
def test_scores_that_are_no_probabilities(name):
    if "probabilities" in REGISTRY[name].needs:
        with pytest.raises(errors.ProbabilityError):
            value(name, Y, 5 * S)
    else:
        assert math.isfinite(value(name, Y, 5 * S - 1))


def test_names_can_not_be_taken_twice():
    with pytest.raises(ValueError, match="is taken"):
        rs.measures.register(REGISTRY["roc_auc"])
