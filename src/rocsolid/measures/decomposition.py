"""What a score of probabilities is made of: how far off they are, how much they tell apart, how much there is to tell.

With the forecasts p, recalibrated forecasts c and the prevalence pi, a mean loss is

    S(p) = [S(p) - S(c)] - [S(pi) - S(c)] + S(pi)

miscalibration less discrimination plus uncertainty. With c the share of positives at each distinct score this is
Murphy's (1973) reliability, resolution and uncertainty; with c the isotonic fit it is CORP (Dimitriadis, Gneiting and
Jordan 2021), which does not take scores that occur once for perfect knowledge.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rocsolid.measures.isotonic import recalibrated
from rocsolid.measures.probability import Loss, log_score, squared_loss
from rocsolid.measures.ranking import centred, prevalence
from rocsolid.measures.registry import Gradient, Measure, NoOptions, Value, register
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]
Forecasts = Callable[[Sweep], Floats]
"""(k,) a probability for each row of a sweep."""


def as_given(sweep: Sweep) -> Floats:
    """The scores themselves."""
    return np.asarray(sweep.scores, dtype=np.float64)


def by_score(sweep: Sweep) -> Floats:
    """The share of positives at each distinct score."""
    pos = np.asarray(sweep.pos_mass, dtype=np.float64)
    return pos / (pos + sweep.neg_mass)


def constant(sweep: Sweep) -> Floats:
    """The prevalence everywhere."""
    return np.full(len(sweep), prevalence(sweep))


def losses_of(sweep: Sweep, forecasts: Forecasts, loss: Loss) -> tuple[Floats, Floats]:
    """(k,) losses of a positive and of a negative at each row; 0 where that class has no row there."""
    on_pos, on_neg = loss(forecasts(sweep))
    return np.where(sweep.pos > 0, on_pos, 0.0), np.where(sweep.neg > 0, on_neg, 0.0)


class Part(NamedTuple):
    """The mean loss of some forecasts less that of others."""

    loss: Loss
    of: Forecasts
    less: Forecasts | None

    def losses(self, sweep: Sweep) -> tuple[Floats, Floats]:
        """(k,) differences of losses for a positive and for a negative."""
        pos, neg = losses_of(sweep, self.of, self.loss)
        if self.less is None:
            return pos, neg
        base_pos, base_neg = losses_of(sweep, self.less, self.loss)
        return pos - base_pos, neg - base_neg

    def value(self, sweep: Sweep, options: object = None) -> float:
        """Mean over the rows, rounded once from the rounded terms. O(k)."""
        return mean(sweep, *self.losses(sweep))

    def gradient(self, sweep: Sweep, options: object = None) -> Gradient:
        """Each row's own difference of losses: c and pi minimise their mean loss, so their moving adds nothing."""
        return centred(*self.losses(sweep), sweep)


def mean(sweep: Sweep, on_pos: Floats, on_neg: Floats) -> float:
    """Mean of what a positive and a negative contribute at each row; no cancellation between the rows."""
    pos, neg = sweep.pos_mass, sweep.neg_mass
    terms = np.concatenate([on_pos * pos, on_neg * neg])
    if not np.isfinite(terms).all():
        return float(terms.sum() / (float(pos.sum()) + float(neg.sum())))
    return math.fsum(terms.tolist()) / math.fsum([*pos.tolist(), *neg.tolist()])


def _brier_uncertainty(sweep: Sweep, options: NoOptions) -> Fraction | float:
    if sweep.weights is not None:
        share = prevalence(sweep)
        return share * (1 - share)
    m, n = sweep.n_pos, sweep.n_neg
    return Fraction(m * n, (m + n) ** 2)


SOURCES: dict[Forecasts, str] = {
    by_score: "Murphy 1973, Journal of Applied Meteorology 12:595-600; Broecker 2009, QJRMS 135:1512-1519",
    recalibrated: "Dimitriadis, Gneiting & Jordan 2021, PNAS 118:e2016191118",
    constant: "Murphy 1973, Journal of Applied Meteorology 12:595-600; Broecker 2009, QJRMS 135:1512-1519",
}
GROUPS: dict[Forecasts, tuple[str, str]] = {
    by_score: ("the share of positives at each distinct score", "各不同得分处的正例比例"),
    recalibrated: ("the isotonic (PAV) fit of the outcomes", "结果的保序（PAV）拟合"),
}
SCORES: dict[str, tuple[str, str, Loss, float]] = {
    "brier": ("Brier", "Brier 评分", squared_loss, 0.25),
    "log": ("Log", "对数损失", log_score, math.log(2)),
}


def _part(
    score: str, name: str, titles: tuple[str, str], part: tuple[Forecasts, Forecasts | None]
) -> Measure[Any, Any]:
    """Register one part of the decomposition of a score."""
    en, zh, loss, most = SCORES[score]
    of, less = part
    found = Part(loss, of, less)
    given = of is as_given
    what, what_zh = ("the scores", "得分") if given else ("the prevalence", "正例比例")
    definition, definition_zh = f"Mean {score} loss of {what}", f"以{what_zh}为预测的平均{zh}"
    if less is not None:
        definition += f" less that of {GROUPS[less][0]}"
        definition_zh += f"，减去以{GROUPS[less][1]}为预测者"
    return register(
        Measure(
            name=f"{score}_{name}",
            aliases=(),
            title=f"{en} {titles[0]}",
            title_zh=f"{zh}的{titles[1]}",
            definition=definition + ".",
            definition_zh=definition_zh + "。",
            source=SOURCES[less or of],
            input="sweep",
            range=(0.0, {"brier": 1.0, "log": math.inf}[score] if given else most),
            better="lower" if given or less is None else "higher",
            needs=frozenset({"probabilities"}),
            options=NoOptions,
            value=_brier_uncertainty if (score, name) == ("brier", "uncertainty") else found.value,
            gradient=found.gradient,
        )
    )


BRIER_RELIABILITY = _part("brier", "reliability", ("reliability", "可靠性"), (as_given, by_score))
BRIER_RESOLUTION = _part("brier", "resolution", ("resolution", "分辨度"), (constant, by_score))
BRIER_UNCERTAINTY = _part("brier", "uncertainty", ("uncertainty", "不确定性"), (constant, None))
BRIER_MISCALIBRATION = _part("brier", "miscalibration", ("miscalibration", "失准"), (as_given, recalibrated))
BRIER_DISCRIMINATION = _part("brier", "discrimination", ("discrimination", "区分度"), (constant, recalibrated))
LOG_RELIABILITY = _part("log", "reliability", ("reliability", "可靠性"), (as_given, by_score))
LOG_RESOLUTION = _part("log", "resolution", ("resolution", "分辨度"), (constant, by_score))
LOG_UNCERTAINTY = _part("log", "uncertainty", ("uncertainty", "不确定性"), (constant, None))
LOG_MISCALIBRATION = _part("log", "miscalibration", ("miscalibration", "失准"), (as_given, recalibrated))
LOG_DISCRIMINATION = _part("log", "discrimination", ("discrimination", "区分度"), (constant, recalibrated))

# ------------------------------------------------------------------------------------------- skill score

_BRIER = Part(squared_loss, as_given, None)
_CONSTANT = Part(squared_loss, constant, None)


def _skill(sweep: Sweep, options: NoOptions) -> Value:
    return 1 - _BRIER.value(sweep) / float(_brier_uncertainty(sweep, options))


def _skill_gradient(sweep: Sweep, options: NoOptions) -> Gradient:
    """1 - B / U answers to a row by (B / U) its loss under pi, less its own loss, over U."""
    brier, uncertainty = _BRIER.value(sweep), _CONSTANT.value(sweep)
    own, base = _BRIER.losses(sweep), _CONSTANT.losses(sweep)
    pos, neg = ((b * brier / uncertainty - o) / uncertainty for o, b in zip(own, base, strict=True))
    return centred(pos, neg, sweep)


BRIER_SKILL_SCORE: Measure[Any, Any] = register(
    Measure(
        name="brier_skill_score",
        aliases=("bss", "scaled_brier", "d2_brier"),
        title="Brier skill score",
        title_zh="Brier 技巧评分",
        definition="1 - Brier score / (pi (1 - pi)): the share of the prevalence forecast's loss that is saved.",
        definition_zh="1 − Brier 评分 / (π(1−π))：相对于恒以正例比例为预测时的损失所减少的比例。",
        source="Murphy 1973; Steyerberg et al. 2010, Epidemiology 21:128-138",
        input="sweep",
        range=(-math.inf, 1.0),
        better="higher",
        needs=frozenset({"positives", "negatives", "probabilities"}),
        options=NoOptions,
        value=_skill,
        gradient=_skill_gradient,
        chance=lambda sweep, options: 0.0,
    )
)
