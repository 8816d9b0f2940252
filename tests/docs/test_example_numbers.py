"""The numbers that the examples print, to the digits in which they were published or worked out by hand."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from tests.oracles.test_cases import check, load

EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def case(name):
    return next(p.values[0] for p in load("notes") if p.values[0]["name"] == name)


def test_nine_rows():
    hand = example("areas_by_hand")
    (ap, auc, ap_variant, auc_variant), (d, further) = hand.nine().values(), hand.distances().values()
    computed = {
        "average_precision": ap, "auc": auc, "average_precision_variant": ap_variant,
        "auc_variant": auc_variant, "d_prime_auc_0.99": d, "d_prime_auc_0.999": further,
    }  # fmt: skip
    check(case("note000"), computed)


def test_ten_rows():
    hand = example("areas_by_hand")
    numbers, (fpr, tpr) = hand.ten(), zip(*hand.points_of_ten(), strict=True)
    computed = {
        "fpr": fpr, "tpr": tpr, "auc": numbers["ROC-AUC"], "concordant_pairs": numbers["concordant pairs"],
        "tied_pairs": numbers["tied pairs"], "positive_rank_sum": numbers["rank sum of the positives"],
        "rank_loss": numbers["ranking loss"],
    }  # fmt: skip
    check(case("note001"), computed)
    assert (numbers["ROC-AUC, the tied negative first"], numbers["ROC-AUC, the tied positive first"]) == (0.6, 0.64)


def test_cuts_of_ten_rows():
    """The table of note 001, cut by cut."""
    found = [(fp, tp) for _, fp, tp in example("areas_by_hand").cuts_of_ten()]
    assert found == [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (3, 3), (3, 4), (4, 4), (4, 5), (5, 5)]
    assert [c for c, *_ in example("areas_by_hand").cuts_of_ten()][1:] == [
        0.15, 0.12, 0.11, 0.1, 0.04, 0.03, 0.02, 0.012, 0.01,
    ]  # fmt: skip


def test_fifteen_rows():
    hand = example("areas_by_hand")
    numbers = hand.fifteen()
    given = case("note002_list")
    areas = hand.areas_of_fifteen()
    computed = {
        "pr_trapezoid_upper_envelope_points": areas["rocr"], "pr_trapezoid_all_points": areas["trapezoid"],
        "pr_davis_goadrich": areas["davis-goadrich"],
        "auc": numbers["ROC-AUC"], "concordant_pairs": numbers["pairs in order"], "pairs": numbers["pairs"],
        "precision_at_positives": hand.precisions_of_fifteen(), "average_precision": numbers["average precision"],
    }  # fmt: skip
    check(given, computed)
    assert areas["step"] == numbers["average precision"]
    assert areas["trapezoid"] < areas["davis-goadrich"] < areas["step"]
    assert round(numbers["average precision of a random order"], 4) == 0.4437
    assert round(numbers["prevalence"], 2) == 0.33
    assert round(example("equal_areas").A.auc * 2 - 1, 12) == 0.8  # the Gini coefficient of .90


def test_two_models_of_equal_area():
    models = example("equal_areas")
    assert (round(models.A.a, 10), models.A.b) == (1.8123876049, 1)
    assert (round(models.B.a, 10), models.B.b) == (1.4328182086, 0.5)
    assert [[round(v, 5) for v in pair] for pair in models.recalls().values()] == [
        [0.10065, 0.45529], [0.30364, 0.60628], [0.70223, 0.78583], [0.90112, 0.87912],
    ]  # fmt: skip
    assert [round(m.fpr(0.95), 5) for m in (models.A, models.B)] == [0.43347, 0.66424]
    point = models.crossing()
    assert (round(point.fpr, 10), round(point.tpr, 10)) == (0.2238847678, 0.8538865139)
    assert [[round(v, 9) for v in pair] for pair in models.partial_areas().values()] == [
        [0.601960657, 0.768753663], [0.750600383, 0.845941788],
    ]  # fmt: skip


def test_average_precision_falls_with_the_prevalence():
    models = example("equal_areas")
    table = models.average_precisions()
    assert [[round(v, 6) for v in row[1:]] for row in table.values()] == [
        [0.899926, 0.926412], [0.461015, 0.709577], [0.202151, 0.576774], [0.142792, 0.535478], [0.037784, 0.415814],
    ]  # fmt: skip
    assert [round(row[0], 5) for row in table.values()] == [0.95189, 0.66805, 0.40985, 0.32954, 0.13511]
    rounded = [[0.95, 0.9, 0.93], [0.67, 0.46, 0.71], [0.41, 0.2, 0.58], [0.33, 0.14, 0.54], [0.14, 0.04, 0.42]]
    assert [[round(v, 2) for v in row] for row in table.values()] == rounded
    assert (round(models.SCREENING.a, 10), round(models.SCREENING.auc, 5)) == (2.34290375, 0.95121)
    at = models.at_half_a_percent()
    assert [round(v, 6) for v in at["average precision"]] == [0.12915, 0.524564]
    assert [round(v, 5) for v in at["precision at recall .30"]] == [0.13421, 0.97082]
    assert round(at["over prevalence"][0]) == 26


def test_a_sample_brought_to_another_prevalence_shows_the_model():
    models = example("equal_areas")
    for name, (auc, _, adjusted) in models.seen_in_a_sample().items():
        assert auc == pytest.approx(models.MODELS[name].auc, abs=0.02)
        assert adjusted == pytest.approx(models.MODELS[name].average_precision(0.005), abs=0.05)


def test_published_areas():
    published = example("published_areas")
    assert [round(se, 7) for se in published.standard_errors()][:2] == [0.0292029, 0.0139172]
    assert [(round(a, 2), round(b, 2)) for a, b in published.intervals()] == [(0.84, 0.96), (0.87, 0.93), (0.92, 1.0)]


def test_averages_of_classes():
    averages = example("averages_of_classes")
    areas = averages.areas()
    computed = {
        "auc_per_class": [areas[f"class {k}"] for k in range(3)], "auc_micro": areas["micro"],
        "auc_macro": areas["macro"],
    }  # fmt: skip
    check(case("note003_iris"), computed)
    sick, well, ap_sick, ap_well = averages.both_ways()
    assert sick == well
    assert ap_sick != ap_well


def test_mean_average_precision():
    metrics = pytest.importorskip("sklearn.metrics")
    averages = example("averages_of_classes")
    found = averages.mean_average_precision()
    theirs = metrics.average_precision_score(*averages.scores_of_machines(), average="macro")
    assert found["mean"] == pytest.approx(theirs, rel=1e-12)
    assert sum(found[f"class {k}"] for k in range(3)) / 3 == pytest.approx(found["mean"], rel=1e-15)


def test_dominance_break_even_and_costs():
    learners = example("dominance_and_costs")
    ahead = {r.leader for r in learners.wins("A", "C")}
    assert ahead == {"A", None}  # wrapped: never behind
    top, *_, last = [r.leader for r in learners.wins("A", "B") if r.leader]
    assert (top, last) == ("B", "A")
    for name, value in learners.break_even_points().items():
        ev = learners.learners()[name]
        point = ev.at(top_k=200)
        assert point.precision.value == point.recall.value == value
    by_f = learners.f_measures()
    assert by_f["B"][0] > by_f["A"][0]  # precision counts more: the top of the list decides
    assert by_f["A"][2] > by_f["B"][2]
    costs = {share: learners.least_costs(share) for share in (0.05, 0.5)}
    assert costs[0.05]["B"].attained < costs[0.05]["A"].attained
    assert costs[0.5]["A"].attained < costs[0.5]["B"].attained
    for share, points in costs.items():
        for name, point in points.items():
            n_pos, n_neg = 200, 600
            cost = share * 5 * point.fn / n_pos + (1 - share) * point.fp / n_neg
            assert point.attained == pytest.approx(cost, rel=1e-12)
            curve = learners.learners()[name].curve("cost")
            pc = curve.probability_cost(prevalence=share, cost_fp=1, cost_fn=5)
            assert curve.at(pc) * (share * 5 + (1 - share)) == pytest.approx(cost, rel=1e-12)


def test_the_heart_story():
    """On 61 patients: one area for either class, another micro average, two average precisions, no winner."""
    pytest.importorskip("sklego", reason="scikit-lego carries the data: pip install -e '.[dev]'")
    hearts = example("heart_disease")
    label, scores = hearts.held_out()
    assert (len(label), (label == "sick").sum(), len(scores)) == (61, 17, 3)
    found = hearts.both_classes()
    assert found["ROC-AUC, sick"] == pytest.approx(found["ROC-AUC, well"], abs=1e-12)
    assert found["ROC-AUC, macro"] == pytest.approx(found["ROC-AUC, sick"], abs=1e-12)
    assert abs(found["ROC-AUC, micro"] - found["ROC-AUC, sick"]) > 0.002
    assert found["AP, well"] > found["AP, sick"] + 0.1
    assert (round(found["prevalence, sick"], 2), round(found["prevalence, well"], 2)) == (0.28, 0.72)
    models = hearts.models()
    for ev in models.values():
        auc = ev.roc_auc()
        assert auc.value > 0.85
        assert auc.interval.width > 0.15
        low, high = hearts.published_interval(auc.value)
        assert low < auc.value < high <= 1
    comparison = models.compare()
    assert all(pair.pvalue > 0.05 for pair in comparison)
    assert all(0 in pair.interval for pair in comparison)
