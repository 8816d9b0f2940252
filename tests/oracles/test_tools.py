"""Other tools' numbers by their definitions, against what the tools themselves said."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.translation import TOOLS

HERE = Path(__file__).parent / "tools"
DATASETS = json.loads((HERE / "datasets.json").read_text("utf-8"))
RECORDED = [json.loads((HERE / f"{name}_tools.json").read_text("utf-8")) for name in ("r", "python")]
VERSIONS = RECORDED[0]["versions"] | RECORDED[1]["versions"]
TOLERANCE = {"precrec": 3e-5, "Keras": 1e-6}  # a grid of recalls; single precision
pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


@pytest.mark.parametrize("name", DATASETS)
def test_every_tool_is_reproduced(name):
    data = DATASETS[name]
    found = rs.evaluate(data["labels"], data["scores"]).translate()
    said = RECORDED[0]["results"][name] | RECORDED[1]["results"][name]
    assert {(w.tool, w.call) for w in found} == {(e.tool, e.call) for e in TOOLS}
    for word in found:
        assert word.value == pytest.approx(said[word.tool][word.call], rel=TOLERANCE.get(word.tool, 1e-12), abs=1e-12)


def test_versions_and_data_sets_with_ties():
    assert all(VERSIONS[entry.tool] == entry.version for entry in TOOLS)
    tied = [d for d in DATASETS.values() if len(set(d["scores"])) < len(d["scores"])]
    assert len(tied) >= 5


def test_definitions_differ_where_they_should():
    data = DATASETS["five levels"]
    found = rs.evaluate(data["labels"], data["scores"]).translate()
    values = {round(w.value, 9) for w in found if "pr" in w.call.lower() or "precision" in w.call or "auc_" in w.call}
    assert len(values) >= 7
    assert found["pROC", "roc_auc"].value == found["scikit-learn", "roc_auc_score"].value


def test_a_low_sign_and_pairs_turned_round():
    data = DATASETS["reversed"]
    y, s = np.array(data["labels"]), np.array(data["scores"])
    down = rs.evaluate(y, -s, higher_is_positive=False).translate()
    up = rs.evaluate(y, s).translate()
    assert up["pROC", "roc_auc"].value == 0.75 == 1 - up["ROCR", "roc_auc"].value
    for word in down:  # scores from 0 to 1 only for Keras
        assert word.value == pytest.approx(up[word.tool, word.call].value, rel=1e-12)
    assert any(reason.startswith("Keras") for reason in down.left_out)


def test_weights_leave_some_tools_out():
    from sklearn.metrics import average_precision_score, roc_auc_score

    rng = np.random.default_rng(2)
    y, s, w = rng.integers(0, 2, 80), np.round(rng.random(80), 1), rng.random(80)
    found = rs.evaluate(y, s, sample_weight=w).translate()
    assert {word.tool for word in found} == {"scikit-learn", "XGBoost", "Spark", "Keras"}
    assert found["scikit-learn", "roc_auc_score"].value == pytest.approx(roc_auc_score(y, s, sample_weight=w))
    expected = average_precision_score(y, s, sample_weight=w)
    assert found["scikit-learn", "average_precision_score"].value == pytest.approx(expected)
    assert sum("takes no weights" in reason for reason in found.left_out) == 4


def test_many_scores_and_missing_classes():
    rng = np.random.default_rng(1)
    found = rs.evaluate(rng.integers(0, 2, 3000), rng.random(3000)).translate()
    assert "Spark" not in {word.tool for word in found}
    with pytest.raises(KeyError):
        _ = found["Spark", "areaUnderPR"]
    with pytest.raises(rs.errors.UndefinedMeasureError, match="a class has no row"):
        rs.evaluate([1, 1], [1, 2]).translate()


def test_as_a_table():
    data = DATASETS["nine rows"]
    found = rs.evaluate(data["labels"], data["scores"]).translate()
    assert found.to_markdown().splitlines()[0] == "| tool | call | value | definition |"
    assert "0.837500" in repr(found)
    assert json.loads(found.to_json())["rows"][0]["tool"] == "scikit-learn"
