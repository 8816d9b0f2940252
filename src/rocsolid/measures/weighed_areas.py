"""Areas that look harder at one end of a curve: LogAUC (ROC on a logarithmic axis), precision-recall-gain.

Both are means over one class, the ``tall`` one, of a function of how much of the other, the ``wide`` one, lies above a
row: ln(FPR) for LogAUC, 1/TPR^2 for precision-recall-gain. Tied rows lie anywhere on their diagonal step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.errors import OptionError
from rocsolid.measures.ranking import BOTH, class_mean, class_shares
from rocsolid.measures.registry import Gradient, Measure, NoOptions, register
from rocsolid.options import check_share
from rocsolid.sweep import Floats, Sweep

Of = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Height:
    """A function of the share x above a row: itself, its mean from a to b, its slope."""

    at: Of
    mean: Callable[[Floats, Floats], Floats]
    slope: Of


def _axis(wide: Any) -> tuple[Floats, Floats]:
    """(k,) share of the wide class above each score, and the share with it; the last is exactly 1."""
    x = np.concatenate([[0.0], np.cumsum(wide, dtype=np.float64)])
    x /= x[-1]
    return x[:-1], x[1:]


def _mean_height(tall: Any, wide: Any, height: Height) -> float:
    return class_mean(height.mean(*_axis(wide)), tall)


def _influences(tall: Any, wide: Any, height: Height) -> tuple[Floats, Floats]:
    """Centred influences of the tall and the wide class on the mean height. O(k).

    A tall row counts its own height. A wide row adds its share to what lies above all rows after it, and to part of
    those on its own step: u of the way along the step by u.
    """
    a, b = _axis(wide)
    d, own = b - a, height.mean(a, b)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(d > 0, (height.at(b) - height.at(a)) / d, height.slope(a))
        half = np.where(d > 0, (height.at(b) - own) / d, height.slope(a) / 2)
    share = tall / float(tall.sum())
    after = np.cumsum((share * slope)[::-1])[::-1] - share * slope
    moved = after + share * half
    return own - class_mean(own, tall), moved - class_mean(moved, wide)


# -------------------------------------------------------------------------------------------------- LogAUC

HINT = 'for example "log_auc(min_fpr=0.001, max_fpr=0.1)"'


@dataclass(frozen=True, slots=True)
class LogAuc:
    """The range of false-positive rates; by default from 1/1000 to 1/10."""

    min_fpr: float = 0.001
    max_fpr: float = 0.1

    def __post_init__(self) -> None:
        """Refuse a range that does not grow, or starts at 0, where the logarithm is infinite."""
        check_share("min_fpr", self.min_fpr, ends=False, hint=HINT)
        check_share("max_fpr", self.max_fpr, ends=True, hint=HINT)
        if not self.min_fpr < self.max_fpr:
            raise OptionError("range of log_auc", (self.min_fpr, self.max_fpr), "from a smaller to a larger rate", HINT)

    @property
    def height(self) -> Height:
        """What a positive adds: the part of the axis, in decades, in which it is found already."""
        low, high = float(self.min_fpr), float(self.max_fpr)
        decades = math.log(high / low)

        def at(x: Floats) -> Floats:
            found: Floats = np.log(high / np.clip(x, low, high)) / decades
            return found

        def mean(a: Floats, b: Floats) -> Floats:
            """Before ``low`` all of it, inside the mean logarithm, ln(high/a) + 1 - b ln(b/a) / (b - a)."""
            start, end = np.clip(a, low, high), np.clip(b, low, high)
            with np.errstate(divide="ignore", invalid="ignore"):
                inside = np.log(high / start) + 1 - end * np.log1p((end - start) / start) / (end - start)
                before = (np.clip(b, None, low) - np.clip(a, None, low)) / (b - a)
                part = before + np.where(end > start, (end - start) / (b - a) * inside / decades, 0.0)
            return np.where(b > a, part, at(a))

        def slope(x: Floats) -> Floats:
            return np.where((x > low) & (x < high), -1 / np.maximum(x, low) / decades, 0.0)

        return Height(at, mean, slope)


def _log_auc(sweep: Sweep, options: LogAuc) -> float:
    return min(_mean_height(sweep.pos_mass, sweep.neg_mass, options.height), 1.0)  # rounding


def _log_auc_gradient(sweep: Sweep, options: LogAuc) -> Gradient:
    of_pos, of_neg = _influences(sweep.pos_mass, sweep.neg_mass, options.height)
    return Gradient(pos=of_pos, neg=of_neg, prevalence=0.0)


def _log_auc_chance(sweep: Sweep, options: LogAuc) -> float:
    return (options.max_fpr - options.min_fpr) / math.log(options.max_fpr / options.min_fpr)


LOG_AUC: Measure[Any, Any] = register(
    Measure(
        name="log_auc",
        aliases=("logauc",),
        title="LogAUC",
        title_zh="对数轴 ROC 面积（LogAUC）",
        definition="Mean TPR over log10 FPR from min_fpr to max_fpr: area on a logarithmic axis, 1 at best.",
        definition_zh="在 log10 FPR 轴上从 min_fpr 到 max_fpr 的平均 TPR（对数轴上的面积，完美得分为 1）。",
        source="Mysinger & Shoichet 2010, J. Chem. Inf. Model. 50:1561-1573 (there from FPR .001 to 1)",
        input="sweep",
        range=(0.0, 1.0),
        better="higher",
        needs=BOTH,
        options=LogAuc,
        value=_log_auc,
        gradient=_log_auc_gradient,
        chance=_log_auc_chance,
    )
)

# ------------------------------------------------------------------------------------- precision-recall-gain


def _gain_height(prevalence: float) -> Height:
    """What a negative takes away: (1/t^2 - 1)/2 at TPR t, from t = prevalence on, where the recall gain is 0."""

    def at(t: Floats) -> Floats:
        found: Floats = (np.maximum(t, prevalence) ** -2.0 - 1) / 2
        return found

    def mean(a: Floats, b: Floats) -> Floats:
        """The mean of 1/t^2 from a to b is 1/(a b)."""
        start, end = np.maximum(a, prevalence), np.maximum(b, prevalence)
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = np.where(b > a, (end - start) / (b - a), 1.0)
        found: Floats = (inside / (start * end) + (1 - inside) * prevalence**-2.0 - 1) / 2
        return found

    def slope(t: Floats) -> Floats:
        return np.where(t > prevalence, -(np.maximum(t, prevalence) ** -3.0), 0.0)

    return Height(at, mean, slope)


def _prg_area(sweep: Sweep, options: NoOptions) -> float:
    """1 - pi / (1 - pi) times the integral of FPR(t) / t^3 over TPR t from pi to 1."""
    pi, complement = class_shares(sweep)
    return 1 - pi / complement * _mean_height(sweep.neg_mass, sweep.pos_mass, _gain_height(pi))


def _prg_gradient(sweep: Sweep, options: NoOptions) -> Gradient:
    """The mean height by its influences; the prevalence moves the factor, and the end at which the integral starts."""
    pi, complement = class_shares(sweep)
    height = _gain_height(pi)
    tall, wide = _influences(sweep.neg_mass, sweep.pos_mass, height)
    odds = pi / complement
    a, b = _axis(sweep.pos_mass)
    with np.errstate(divide="ignore", invalid="ignore"):
        before = np.where(b > a, (np.clip(b, None, pi) - np.clip(a, None, pi)) / (b - a), a < pi)
    at_start = class_mean(before, sweep.neg_mass)  # FPR where TPR is pi
    of_pi = odds * at_start / pi**3 - _mean_height(sweep.neg_mass, sweep.pos_mass, height) / complement**2
    return Gradient(pos=-odds * wide, neg=-odds * tall, prevalence=of_pi)


PRG_AREA: Measure[Any, Any] = register(
    Measure(
        name="prg_area",
        aliases=("auprg", "precision_recall_gain_area"),
        title="Area under the precision-recall-gain curve",
        title_zh="查准率-查全率增益曲线下面积",
        definition="Area under precision gain over recall gain from 0 to 1; 0 for a useless score, unbounded below.",
        definition_zh="查准率增益对查全率增益（0 到 1）的曲线下面积；无用得分为 0，无下界。",
        source="Flach & Kull 2015, NIPS 28: Precision-Recall-Gain Curves",
        input="sweep",
        range=(-math.inf, 1.0),
        better="higher",
        needs=BOTH,
        options=NoOptions,
        value=_prg_area,
        gradient=_prg_gradient,
        chance=lambda sweep, options: 0.0,
    )
)
