"""What a claimed number may be: each mistake, made on purpose with another tool, is named."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocsolid as rs
from sklearn import metrics as skm

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
RNG = np.random.default_rng(11)
Y = RNG.integers(0, 2, 150)
P = np.round(np.clip(0.25 + 0.4 * Y + 0.25 * RNG.normal(size=150), 0, 1), 2)
EV = rs.evaluate(Y, P)
PRECISION, RECALL, _ = skm.precision_recall_curve(Y, P)
BEST = np.lexsort([-Y, -P])  # positives first within a tie
RANKS = np.empty(150)
RANKS[BEST] = np.arange(150, 0, -1)

CLAIMS = {
    ("ROC-AUC", "as-it-is"): skm.roc_auc_score(Y, P),
    ("average precision", "as-it-is"): skm.average_precision_score(Y, P),
    ("PR area by trapezoid", "as-it-is"): skm.auc(RECALL, PRECISION),
    ("average precision", "other-class"): skm.average_precision_score(1 - Y, -P),
    ("average precision", "labels-swapped"): skm.average_precision_score(1 - Y, P),
    ("ROC-AUC", "backwards"): skm.roc_auc_score(Y, -P),
    ("ROC-AUC", "decisions"): skm.roc_auc_score(Y, P >= 0.5),
    ("average precision", "decisions"): skm.average_precision_score(Y, P >= 0.5),
    ("ROC-AUC", "ties-best"): skm.roc_auc_score(Y, RANKS),
    ("average precision", "ties-best"): skm.average_precision_score(Y, RANKS),
    ("average precision", "macro"): (skm.average_precision_score(Y, P) + skm.average_precision_score(1 - Y, -P)) / 2,
    ("Gini", "as-it-is"): 2 * skm.roc_auc_score(Y, P) - 1,
    ("accuracy(threshold=0.5)", "as-it-is"): skm.accuracy_score(Y, P >= 0.5),
    ("mcc(threshold=0.5)", "as-it-is"): skm.matthews_corrcoef(Y, P >= 0.5),
    ("brier_score", "as-it-is"): skm.brier_score_loss(Y, P),
    ("log_loss", "as-it-is"): skm.log_loss(Y, np.clip(P, 1e-15, 1 - 1e-15)) if P.min() > 0 and P.max() < 1 else None,
}


@pytest.mark.parametrize("what", CLAIMS)
@pytest.mark.parametrize("digits", [4, 6, 9])
def test_every_mistake_is_named(what, digits):
    if CLAIMS[what] is None:
        assert (P.min() in (0, 1)) or (P.max() in (0, 1))
        return
    found = EV.explain(f"{CLAIMS[what]:.{digits}f}")
    assert what in {(m.definition, m.taken.code) for m in found}
    assert found.nearest == ()


def test_more_digits_leave_fewer():
    value = skm.average_precision_score(Y, P)
    few, many = EV.explain(round(value, 2)), EV.explain(f"{value:.9f}")
    assert len(few.matches) > len(many.matches) >= 1
    assert many.matches[0].taken.code == "as-it-is"


def test_what_nothing_gives():
    found = EV.explain("0.123456789")
    assert not found.matches
    assert len(found.nearest) == 3
    assert "these come closest" in repr(found)
    assert json.loads(found.to_json())["matches"] == []


@pytest.mark.parametrize("claimed", ["high", True, float("nan"), float("inf"), None, [0.5]])
def test_what_is_no_number(claimed):
    with pytest.raises(rs.errors.OptionError, match="number"):
        EV.explain(claimed)


def test_scores_that_are_no_probabilities_have_fewer_readings():
    found = rs.evaluate(Y, 10 * P).explain(skm.average_precision_score(Y, P))
    assert found.matches[0].definition == "average precision"
    with pytest.raises(rs.errors.UndefinedMeasureError):
        rs.evaluate([1, 1], [1, 2]).explain(0.5)
