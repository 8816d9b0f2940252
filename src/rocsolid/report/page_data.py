"""What the page's script reads: the cuts of the summary in a compact form, and the words that it needs."""

from __future__ import annotations

import base64
import json
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import numpy as np

from rocsolid.report.markup import Markup
from rocsolid.report.panels import axes
from rocsolid.report.words import WORDS
from rocsolid.text import printable

NEEDED = (
    "rule_flagged", "rule_fpr", "rule_recall", "rule_precision", "rule_score", "rule_cost", "attained",
    "attained_plain", "not_attained", "flags_nothing", "per_10000", "said_point", "expected_share", "expected_number",
    "expected_rows", "as_data", "dark", "light", "copied", "sort_by", "recall", "precision", "roc_x",
)  # fmt: skip
PANELS = ("roc", "log_roc", "precision_recall", "det", "flagged_cost", "cost_curve", "ap_prevalence",
          "precision_prevalence")  # fmt: skip


def embedded(summary: dict[str, Any]) -> Markup:
    """Write the data as JSON that no name can break out of."""
    text = json.dumps(page_data(summary), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def page_data(summary: dict[str, Any]) -> dict[str, Any]:
    """Give names, axes, stops and tables; nothing of it is computed here. O(size)."""
    found, data = summary["curves"], summary["data"]
    confidence = 0.95 if data["confidence_level"] is None else data["confidence_level"]
    names = [
        *PANELS,
        *(["decision"] if found["decision"] else []),
        *(["reliability"] if has_reliability(summary) else []),
    ]
    return {
        "names": [printable(model["name"]) for model in summary["models"]],
        "higher": data["higher_is_positive"] is not False,
        "z": NormalDist().inv_cdf((1 + confidence) / 2),
        "axes": {name: [_axis(scale) for scale in axes(name, summary)] for name in names},
        "scoreAxes": [
            None if model["distribution"] is None else [_axis(scale) for scale in axes("scores", summary, i)]
            for i, model in enumerate(found["models"])
        ],
        "stops": found["stops"],
        "prevalence": found["prevalence"],
        "own": found["own_prevalence"],
        "ratio": found["cost_ratio"],
        "start": found["start"],
        "models": [_model(model) for model in found["models"]],
        "words": {key: list(WORDS[key]) for key in NEEDED},
    }


def has_reliability(summary: dict[str, Any]) -> bool:
    """Whether some model gives probabilities."""
    return any(model["reliability"] is not None for model in summary["curves"]["models"])


def _axis(scale: Any) -> list[Any]:
    return [scale.kind, scale.low, scale.high]


def _model(model: dict[str, Any]) -> dict[str, Any]:
    return {
        "thresholds": _packed(model["thresholds"][1:]),
        "floats": any(isinstance(value, float) for value in model["thresholds"]),
        "tp": _steps(model["tp"]),
        "fp": _steps(model["fp"]),
        "intervals": model["intervals"],
        "ap": model["average_precision"],
    }


def _packed(thresholds: list[Any]) -> str | list[Any]:
    """Floats as the 8 bytes that they are, little-endian, in base 64; whatever else as a list."""
    if not all(isinstance(value, float) for value in thresholds):
        return thresholds
    return base64.b64encode(np.array(thresholds, "<f8").tobytes()).decode("ascii")


def _steps(counts: list[Any]) -> str | list[Any]:
    """Whole counts as steps from one to the next, seven bits a byte (LEB128), in base 64; sums of weights as a list."""
    if any(isinstance(value, float) for value in counts):
        return counts
    data = bytearray()
    for before, now in pairwise(counts):
        step = now - before
        while step > 127:
            data.append(step % 128 + 128)
            step //= 128
        data.append(step)
    return base64.b64encode(data).decode("ascii")
