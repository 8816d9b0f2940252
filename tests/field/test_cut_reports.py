"""Field reports about cuts: resamples that lack a class, the cut that flags nothing, infinite scores, printed cuts."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs

CASES = Path(__file__).parents[1] / "oracles/cases"
STUDIES = [
    case["inputs"]
    for name in ("operating_points.json", "notes.json")
    for case in json.loads((CASES / name).read_text(encoding="utf-8"))
    if "scores" in case["inputs"]
]


def test_b32_resamples_without_positives_are_counted_and_left_out():
    """cutpointr#12, #33."""
    found = rs.evaluate([1] + [0] * 9, range(10)).best("youden", optimism=True, rng=1, n_resamples=200).optimism
    assert 0 < found.degenerate < 200
    assert math.isfinite(found.corrected)


def test_b41_the_cut_that_flags_nothing_is_infinite_and_null_in_json():
    """scikit-learn#26193, #9817."""
    point = rs.evaluate([0, 1], [0.2, 0.9]).at(capacity=0)
    assert point.threshold == math.inf
    held = json.loads(point.to_json())
    assert (held["threshold"], held["threshold_is"]) == (None, "inf")
    assert rs.OperatingPoint.from_json(point.to_json()).apply([0.2, 0.9]).tolist() == [False, False]


def test_b75_infinite_scores_have_cuts():
    """An infinite score can be a cut; there is none beyond it, and a midpoint is not needed."""
    ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.2, 0.8, math.inf])
    assert ev.at(recall=0.5).threshold == math.inf
    assert ev.at(recall=0.5).tp == 1
    assert ev.at(capacity=0).feasible is False
    assert ev.best("youden").threshold == 0.8


@pytest.mark.parametrize("study", STUDIES, ids=range(len(STUDIES)))
def test_every_printed_threshold_gives_its_own_matrix(study):
    """Also as the words of a rule, and in 32 bits."""
    for scores in (study["scores"], np.array(study["scores"], np.float32)):
        ev = rs.evaluate(study["labels"], scores)
        for point in (ev.at(threshold=t) for t in ev.sweep.scores.tolist()):
            read = float(point.rule.split(" >= ")[1])
            assert ev.at(threshold=read).counts == point.counts
            assert (np.asarray(scores) >= read).sum() == point.tp + point.fp
