"""Data sets with ties on which other tools were run: labels, scores from 0 to 1. ``python datasets.py`` writes them.

Small ones that can be checked by hand, and drawn ones of 60 to 400 rows; the drawn scores have one or two decimals, so
that a block of ties holds both labels.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

HERE = Path(__file__).parent


def drawn(seed: int, rows: int, share: float, shift: float, decimals: int) -> dict[str, list[float]]:
    """Scores of two classes that overlap, rounded."""
    rng = random.Random(seed)
    labels = [int(rng.random() < share) for _ in range(rows)]
    labels[:2] = [1, 0]  # both classes are there
    scores = [min(max(rng.gauss(0.45 + shift * y, 0.17), 0.0), 1.0) for y in labels]
    return {"labels": labels, "scores": [round(s, decimals) for s in scores]}


def crowded(seed: int, rows: int, share: float) -> dict[str, list[float]]:
    """Small probabilities of four decimals: many of them fall between two of two hundred thresholds."""
    rng = random.Random(seed)
    labels = [int(rng.random() < share) for _ in range(rows)]
    return {"labels": labels, "scores": [round(min(rng.expovariate(1) * (0.004 + 0.008 * y), 1), 4) for y in labels]}


DATASETS = {
    "nine rows": {"labels": [1, 1, 0, 1, 0, 0, 0, 1, 0], "scores": [0.9, 0.8, 0.7, 0.6, 0.6, 0.5, 0.5, 0.4, 0.3]},
    "first block tied": {"labels": [1, 0, 1, 0, 0, 1, 0, 0], "scores": [0.9, 0.9, 0.7, 0.7, 0.5, 0.3, 0.3, 0.1]},
    "five levels": {
        "labels": [0] * 58 + [1] * 51,
        "scores": [0.1] * 33 + [0.3] * 6 + [0.5] * 6 + [0.7] * 11 + [0.9] * 2
        + [0.1] * 3 + [0.3] * 2 + [0.5] * 2 + [0.7] * 11 + [0.9] * 33,
    },
    "yes or no": {"labels": [1] * 9 + [0] * 11, "scores": [0.75] * 6 + [0.25] * 3 + [0.75] * 2 + [0.25] * 9},
    "all tied": {"labels": [1, 0, 0, 1, 0], "scores": [0.5] * 5},
    "perfect": {"labels": [1, 1, 1, 0, 0, 0], "scores": [0.9, 0.9, 0.8, 0.4, 0.4, 0.1]},
    "reversed": {"labels": [0, 0, 0, 1, 1, 0, 1], "scores": [0.9, 0.9, 0.8, 0.8, 0.4, 0.2, 0.2]},
    "balanced": drawn(1, 60, 0.5, 0.15, 1),
    "one in ten": drawn(2, 200, 0.1, 0.2, 1),
    "fine ties": drawn(3, 400, 0.3, 0.12, 2),
    "good and rare": drawn(4, 400, 0.05, 0.4, 2),
    "useless": drawn(5, 120, 0.4, 0.0, 1),
    "crowded below": crowded(6, 300, 0.1),
    "crowded below, rarer": crowded(7, 500, 0.04),
}  # fmt: skip

if __name__ == "__main__":
    (HERE / "datasets.json").write_text(json.dumps(DATASETS, indent=1) + "\n", encoding="utf-8")
