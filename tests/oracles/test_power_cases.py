"""Power and sample sizes of R's pROC, and precision-based sizes, as recorded in cases/power.json."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rocsolid as rs
from rocsolid.inference import area_variances

CASES = json.loads((Path(__file__).parent / "cases" / "power.json").read_text())


def named(part):
    found = [pytest.param(case, id=case["name"]) for case in CASES if part in case["name"]]
    assert found
    return found


def test_every_case_is_used():
    assert sum(len(named(part)) for part in ("/power_", "power_one", "hanley_mcneil_n")) == len(CASES)


@pytest.mark.parametrize("case", named("/power_"))
def test_paired_pilot(case):
    given, expected = case["inputs"], case["expected"]
    pilot = rs.PilotDifference.of(given["labels"], given["scores1"], given["scores2"], null_variance="first")
    m = sum(given["labels"])
    n = len(given["labels"]) - m
    assert float(rs.power(pilot, n_pos=m, n_neg=n)) == pytest.approx(expected["power_observed_alpha0.05"], rel=1e-12)
    plan = rs.sample_size(pilot, power=0.9, ratio=n / m)
    assert plan.details["n_pos_unrounded"] == pytest.approx(expected["n_pos_power0.9"], rel=1e-11)
    assert plan.details["n_neg_unrounded"] == pytest.approx(expected["n_neg_power0.9"], rel=1e-11)


def one_area(case):
    """Power, or real number of positives, of one curve against 0.5."""
    given, expected = case["inputs"], case["expected"]
    design = rs.AucAgainst(auc=given["auc"], null=0.5, alpha=expected["alpha"], variance="obuchowski-binormal")
    if "n_pos" in given:
        return float(rs.power(design, n_pos=given["n_pos"], n_neg=given["n_neg"])), expected["power"]
    plan = rs.sample_size(design, power=given["power"], ratio=given["kappa"])
    return plan.details["n_pos_unrounded"], expected["n_pos"]


@pytest.mark.parametrize("case", named("power_one"))
def test_one_area_with_the_constants_as_printed(case, monkeypatch):
    monkeypatch.setattr(area_variances, "OBUCHOWSKI_SCALE", 0.0099)
    monkeypatch.setattr(area_variances, "OBUCHOWSKI_ROOT", 1.414)
    got, expected = one_area(case)
    assert got == pytest.approx(expected, rel=case["tolerance"])


@pytest.mark.parametrize("case", named("power_one"))
def test_one_area_with_exact_constants(case):
    """1/(32 pi) is 0.5 % more than 0.0099; that is all that differs."""
    got, expected = one_area(case)
    assert got == pytest.approx(expected, rel=0.005)
    assert got != pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("case", named("hanley_mcneil_n"))
def test_size_for_a_width(case):
    given = case["inputs"]
    design = rs.AucWidth(auc=given["auc"], confidence_level=given["level"], interval="wald", variance="hanley-mcneil")
    plan = rs.sample_size(design, half_width=given["full_width"] / 2, ratio=given["ratio"])
    assert plan.details["n_pos_unrounded"] == pytest.approx(case["expected"]["n_pos_real"], rel=1e-11)
