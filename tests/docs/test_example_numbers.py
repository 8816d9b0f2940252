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


def test_fifteen_rows():
    hand = example("areas_by_hand")
    numbers = hand.fifteen()
    given = case("note002_list")
    expected = {k: v for k, v in given["expected"].items() if not k.startswith("pr_")}  # other estimators of the area
    computed = {
        "auc": numbers["ROC-AUC"], "concordant_pairs": numbers["pairs in order"], "pairs": numbers["pairs"],
        "precision_at_positives": hand.precisions_of_fifteen(), "average_precision": numbers["average precision"],
    }  # fmt: skip
    check({**given, "expected": expected}, computed)
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
