"""Measures of probabilities: Brier score and log loss, both means of a loss per row."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.measures.ranking import class_mean, class_shares, prevalence
from rocsolid.measures.registry import Gradient, Measure, NoOptions, Value, register
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]
Loss = Callable[[Floats], tuple[Floats, Floats]]


def squared_loss(p: Floats) -> tuple[Floats, Floats]:
    """Loss of a positive, (1 - p)^2, and of a negative, p^2."""
    return np.square(1 - p), np.square(p)


def log_score(p: Floats) -> tuple[Floats, Floats]:
    """Loss of a positive, -ln p, and of a negative, -ln(1 - p); infinite where the forecast ruled it out."""
    with np.errstate(divide="ignore"):
        return -np.log(p), -np.log1p(-p)


def row_losses(sweep: Sweep, loss: Loss) -> tuple[Floats, Floats]:
    """(k,) losses of a positive and of a negative at each score; 0 where that class has no row there."""
    on_pos, on_neg = loss(np.asarray(sweep.scores, dtype=np.float64))
    return np.where(sweep.pos > 0, on_pos, 0.0), np.where(sweep.neg > 0, on_neg, 0.0)


def _mean_loss(loss: Loss) -> Callable[[Sweep, NoOptions], Value]:
    def value(sweep: Sweep, options: NoOptions) -> Value:
        on_pos, on_neg = row_losses(sweep, loss)
        pos, neg = sweep.pos_mass, sweep.neg_mass
        total = float((on_pos * pos).sum() + (on_neg * neg).sum())
        return total / (float(pos.sum()) + float(neg.sum()))

    return value


def _mean_loss_gradient(loss: Loss) -> Callable[[Sweep, NoOptions], Gradient]:
    """A mean of losses, pi E[loss | pos] + (1 - pi) E[loss | neg]: each row's loss less its class mean."""

    def gradient(sweep: Sweep, options: NoOptions) -> Gradient:
        share, complement = class_shares(sweep)
        on_pos, on_neg = row_losses(sweep, loss)
        mean_pos, mean_neg = class_mean(on_pos, sweep.pos_mass), class_mean(on_neg, sweep.neg_mass)
        return Gradient(
            pos=share * (on_pos - mean_pos),
            neg=complement * (on_neg - mean_neg),
            prevalence=mean_pos - mean_neg,
        )

    return gradient


BRIER_SCORE: Measure[Any, Any] = register(
    Measure(
        name="brier_score",
        aliases=("brier", "brier_loss"),
        title="Brier score",
        title_zh="Brier 评分",
        definition="Mean squared distance between the probability and the outcome (0 or 1).",
        definition_zh="预测概率与结果（0 或 1）之差的平方的平均值。",
        source="Brier 1950, Monthly Weather Review 78:1-3",
        input="sweep",
        range=(0.0, 1.0),
        better="lower",
        needs=frozenset({"probabilities"}),
        options=NoOptions,
        value=_mean_loss(squared_loss),
        gradient=_mean_loss_gradient(squared_loss),
        chance=lambda sweep, options: prevalence(sweep) * (1 - prevalence(sweep)),
    )
)


def _constant_log_loss(sweep: Sweep, options: NoOptions) -> float:
    p = prevalence(sweep)
    return 0.0 if p in (0.0, 1.0) else -(p * math.log(p) + (1 - p) * math.log1p(-p))


LOG_LOSS: Measure[Any, Any] = register(
    Measure(
        name="log_loss",
        aliases=("cross_entropy", "logarithmic_score", "deviance_per_row"),
        title="Log loss",
        title_zh="对数损失",
        definition="Mean of -ln of the probability given to what happened; infinite if that was 0.",
        definition_zh="对实际结果所给概率取 −ln 后的平均值；若该概率为 0，则为无穷大。",
        source="Good 1952",
        input="sweep",
        range=(0.0, math.inf),
        better="lower",
        needs=frozenset({"probabilities"}),
        options=NoOptions,
        value=_mean_loss(log_score),
        gradient=_mean_loss_gradient(log_score),
        chance=_constant_log_loss,
    )
)
