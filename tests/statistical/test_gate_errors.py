"""A gate's wrong answers are rare: to pass what loses more than the margin, or to fail what loses less."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.gate import FAIL, PASS, against
from rocsolid.measures import find

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]
ALLOWED = 0.025


def verdicts(replicates: int, loss: float, margin: float, n: int = 240, shared: float = 0.7) -> dict[str, int]:
    """Answers for two binormal scores, correlated, whose true ROC-AUC differ by ``loss``."""
    rng = np.random.default_rng(20261201)
    best = rs.Binormal.from_auc(0.85).a
    worse = rs.Binormal.from_auc(0.85 - loss).a
    request, found = find("roc_auc"), dict[str, int]()
    for _ in range(replicates):
        y = (rng.random(n) < 0.4).astype(int)
        common = math.sqrt(shared) * rng.normal(size=n)
        old, new = (shift * y + common + math.sqrt(1 - shared) * rng.normal(size=n) for shift in (best, worse))
        verdict = against(request, rs.compare(y, {"new": new, "old": old}), margin, "old").verdict
        found[verdict] = found.get(verdict, 0) + 1
    return found


@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_a_loss_of_just_the_margin(margin, nightly):
    """There each answer but "not distinguishable" is wrong as often as it ever can be."""
    replicates = 4000 if nightly else 400
    found = verdicts(replicates, margin, margin)
    most = ALLOWED + 3 * math.sqrt(ALLOWED * (1 - ALLOWED) / replicates)
    assert found.get(PASS, 0) / replicates <= most
    assert found.get(FAIL, 0) / replicates <= most


def test_large_losses_fail_and_gains_pass():
    assert verdicts(60, 0.2, 0.01).get(FAIL, 0) >= 57
    assert verdicts(60, -0.12, 0.01).get(PASS, 0) >= 50
