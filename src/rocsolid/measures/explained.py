"""D2: how much of a constant forecast's loss the scores save, 1 - loss / loss of the constant.

The Brier score's is the Brier skill score; here are those of the log loss (McFadden's R2 of the probabilities as they
are) and of the absolute error. A forecast worse than the constant has a D2 below 0, without end: -inf of the log loss
where a forecast of 0 or 1 did not come true.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.measures.decomposition import Part, as_given, constant
from rocsolid.measures.probability import log_score
from rocsolid.measures.ranking import BOTH, centred, class_shares
from rocsolid.measures.registry import Floats, Gradient, Measure, NoOptions, register
from rocsolid.options import check_choice
from rocsolid.sweep import Sweep


def absolute_loss(p: Floats) -> tuple[Floats, Floats]:
    """Loss of a positive, 1 - p, and of a negative, p."""
    return 1 - p, p.copy()


# ---------------------------------------------------------------------------------------------- log loss

_LOG = Part(log_score, as_given, None)
_ENTROPY = Part(log_score, constant, None)


def _d2_log(sweep: Sweep, options: NoOptions) -> float:
    return 1 - _LOG.value(sweep) / _ENTROPY.value(sweep)


def _d2_log_gradient(sweep: Sweep, options: NoOptions) -> Gradient:
    """1 - L / H answers to a row by (L / H) its loss under pi, less its own loss, over H.

    pi minimises the mean log loss of a constant, so that its own moving adds nothing.
    """
    loss, entropy = _LOG.value(sweep), _ENTROPY.value(sweep)
    own, base = _LOG.losses(sweep), _ENTROPY.losses(sweep)
    pos, neg = ((b * loss / entropy - o) / entropy for o, b in zip(own, base, strict=True))
    return centred(pos, neg, sweep)


D2_LOG_LOSS: Measure[Any, Any] = register(
    Measure(
        name="d2_log_loss",
        aliases=("log_skill_score", "mcfadden_r2"),
        title="D2 of the log loss",
        title_zh="对数损失的 D2",
        definition="1 - log loss / entropy of the prevalence: the share of the prevalence's own loss that is saved.",
        definition_zh="1 − 对数损失 / 正例比例的熵：相对于恒以正例比例为预测时的损失所减少的比例。",
        source="McFadden 1974; Hastie, Tibshirani & Wainwright 2015, section 3.2 (fraction of deviance explained)",
        input="sweep",
        range=(-math.inf, 1.0),
        better="higher",
        needs=BOTH | {"probabilities"},
        options=NoOptions,
        value=_d2_log,
        gradient=_d2_log_gradient,
        chance=lambda sweep, options: 0.0,
    )
)

# ----------------------------------------------------------------------------------------- absolute error

_ABSOLUTE = Part(absolute_loss, as_given, None)
BASELINES = ("prevalence", "median")


@dataclass(frozen=True, slots=True)
class D2Absolute:
    """The constant compared with: the ``"prevalence"``, or the ``"median"`` outcome, the class of most rows."""

    baseline: str = "prevalence"

    def __post_init__(self) -> None:
        """Refuse other baselines."""
        check_choice("baseline", self.baseline, BASELINES)

    def loss(self, sweep: Sweep) -> float:
        """Mean absolute error: 2 pi (1 - pi) of the prevalence, the share of the rarer class of the median."""
        share, complement = class_shares(sweep)
        return min(share, complement) if self.baseline == "median" else 2 * share * complement

    def slope(self, sweep: Sweep) -> float:
        """Derivative of that loss by the prevalence; the median's has a kink at 1/2, where it is taken as 0."""
        share, complement = class_shares(sweep)
        return float(np.sign(complement - share)) if self.baseline == "median" else 2 * (complement - share)


def _d2_absolute(sweep: Sweep, options: D2Absolute) -> float:
    return 1 - _ABSOLUTE.value(sweep) / options.loss(sweep)


def _d2_absolute_gradient(sweep: Sweep, options: D2Absolute) -> Gradient:
    """1 - L / U answers to a row by (L / U) what it does to U, less what it does to L, over U."""
    share, complement = class_shares(sweep)
    loss, base = _ABSOLUTE.value(sweep), options.loss(sweep)
    of_base = loss / base * options.slope(sweep)
    on_pos, on_neg = _ABSOLUTE.losses(sweep)
    return centred((of_base * complement - on_pos) / base, (-of_base * share - on_neg) / base, sweep)


D2_ABSOLUTE_ERROR: Measure[Any, Any] = register(
    Measure(
        name="d2_absolute_error",
        aliases=("d2_absolute",),
        title="D2 of the absolute error",
        title_zh="绝对误差的 D2",
        definition="1 - mean |outcome - score| / that of the prevalence (baseline=median: of the median outcome).",
        definition_zh="1 − |结果 − 得分| 的平均值 / 恒以正例比例（或结果的中位数，如 scikit-learn）为预测时的平均值。",
        source="Koenker & Machado 1999, JASA 94:1296-1310 (R1, with the median)",
        input="sweep",
        range=(-math.inf, 1.0),
        better="higher",
        needs=BOTH | {"probabilities"},
        options=D2Absolute,
        value=_d2_absolute,
        gradient=_d2_absolute_gradient,
        chance=lambda sweep, options: 1 - D2Absolute().loss(sweep) / options.loss(sweep),
    )
)
