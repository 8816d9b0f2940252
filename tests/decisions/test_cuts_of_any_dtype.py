"""Cuts of boolean and of decimal scores: every way to choose one works, and a cut that is printed parses back."""

import json
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

import rocsolid as rs

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
Y = [0, 1, 0, 1, 1, 0, 1, 0]
TEXTS = ["0.1", "0.2", "0.3", "0.1", "0.7", "0.70000000000000000001", "0.9", "0.3"]
DECIMALS = pa.array([Decimal(text) for text in TEXTS], pa.decimal128(38, 30))
BOOLS = [True, False, True, True, False, True, True, False]
WAYS = [{"recall": 0.7}, {"specificity": 0.8}, {"fpr": 0.3}, {"precision": 0.4}, {"top_k": 2}, {"capacity": 5}]


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("asked", WAYS, ids=str)
@pytest.mark.parametrize(
    "scores",
    [DECIMALS, BOOLS, np.array(BOOLS), np.float32(TEXTS), np.float16(TEXTS), np.float64(TEXTS) / 3],
    ids=["decimals", "list", "array", "float32", "float16", "thirds"],
)
def test_a_chosen_cut_is_a_number_that_parses_back(scores, asked, higher):
    ev = rs.evaluate(Y, scores, higher_is_positive=higher)
    point = ev.at(**asked)
    assert not isinstance(point.threshold, bool)
    assert ev.at(threshold=point.threshold).counts == point.counts
    assert ev.measure(f"recall(threshold={point.threshold})").value == point.recall.value
    back = rs.OperatingPoint.from_json(json.dumps(point.to_dict()))
    assert back.threshold == point.threshold
    assert back.apply(scores).sum() == point.tp + point.fp


def test_booleans_are_cut_like_0_and_1():
    bools, numbers = (rs.evaluate(Y, scores) for scores in (BOOLS, [int(s) for s in BOOLS]))
    for ask in (
        lambda ev: ev.best("cost", cost_fp=1, cost_fn=5).threshold,
        lambda ev: ev.at(recall=0.1, guarantee=0.5).rule,
        lambda ev: repr(ev.threshold_interval(recall=0.5)),
        lambda ev: ev.measure("min_expected_cost(cost_fp=1, cost_fn=5)").details,
        lambda ev: str(ev.summary_for("capacity", capacity=6, precision=0.3)),
    ):
        assert ask(bools) == ask(numbers)


def test_thresholds_of_decimals_are_read_as_typed():
    ev = rs.evaluate(Y, DECIMALS)
    for text in TEXTS:
        flagged = sum(Decimal(score) >= Decimal(text) for score in TEXTS)
        found = ev.at(threshold=Decimal(text))
        assert found.tp + found.fp == flagged
        assert ev.measure(f"recall(threshold={text})").value == found.recall.value
    assert ev.at(threshold=0.2).counts == ev.at(threshold=Decimal("0.2")).counts


def test_decimals_of_all_digits_are_told_apart():
    near = [Decimal("0." + "1" * 33 + digit) for digit in "1234"]
    ev = rs.evaluate([0, 1, 0, 1], pa.array(near, pa.decimal128(38, 36)))
    for i, cut in enumerate(near):
        found = ev.at(threshold=cut)
        assert found.tp + found.fp == 4 - i
