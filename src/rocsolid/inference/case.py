"""What every interval method sees and gives back, and the methods that any measure with a gradient has."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rocsolid.inference import limits as lim
from rocsolid.inference.covariance import variance
from rocsolid.inference.seeds import Resampling
from rocsolid.inputs import Rows
from rocsolid.measures.registry import Request, Value
from rocsolid.options import Margins
from rocsolid.results import Note
from rocsolid.sweep import Sweep


@dataclass(frozen=True, slots=True)
class Case:
    """All that an interval method may look at."""

    request: Request
    value: float
    raw: Value
    sweep: Sweep
    margins: Margins
    level: float
    rows: Rows | None = None
    draws: Resampling | None = None

    @property
    def n_pos(self) -> float:
        """Positives, effective ones with weights."""
        size = self.sweep.sizes
        return float(size.n_pos) if size.effective_pos is None else size.effective_pos

    @property
    def n_neg(self) -> float:
        """Negatives, effective ones with weights."""
        size = self.sweep.sizes
        return float(size.n_neg) if size.effective_neg is None else size.effective_neg

    @property
    def z(self) -> float:
        """Normal quantile of the level."""
        return lim.normal_quantile(self.level)


@dataclass(frozen=True, slots=True)
class Found:
    """What a method gives: limits (or ``None`` with a note), a standard error, remarks and further numbers."""

    limits: lim.Limits | None
    std_error: float | None
    notes: tuple[Note, ...] = ()
    details: Mapping[str, float] = field(default_factory=dict)


Method = Callable[[Case], Found]


CLIPPED = Note(
    "clipped",
    "a Wald interval was cut at the end of the attainable range",
    "Wald 区间已在可取范围的端点处截断",
)
ZERO_WIDTH = Note(
    "zero-width",
    "an interval of width 0 says nothing: the sample shows no variation; use method='auto'",
    "宽度为 0 的区间没有信息：样本中看不到变化；请用 method='auto'",
)


NO_LOGIT = Note(
    "no-logit",
    "no interval: the logit of 0 or 1 is infinite; method='auto' has one",
    "没有区间：0 或 1 的 logit 为无穷大；method='auto' 有区间",
)


def clipped(limits: lim.Limits, se: float, low: float = 0.0, high: float = 1.0) -> Found:
    """Limits cut at the attainable range, with a note where that happened."""
    cut = lim.clip(limits, low, high)
    return Found(cut, se, (CLIPPED,) if cut != limits else ())


def on_logit(case: Case, se: float, quantile: float) -> Found:
    """Wald on the logit scale; no interval where the logit of the value is infinite."""
    if not 0 < case.value < 1:
        return Found(None, se, (NO_LOGIT,))
    return Found(lim.on_logit(case.value, se, quantile), se)


NO_SPREAD = Note(
    "no-spread",
    "no interval: every row has the same loss, and a loss without an upper bound can hide any amount",
    "没有区间：每一行的损失都相同，而没有上界的损失可能隐藏任意大小的误差",
)


def standard_error(case: Case) -> float:
    """Influence-function standard error; nan where it does not exist."""
    gradient = case.request.measure.gradient
    assert gradient is not None
    if not math.isfinite(case.value):
        return math.nan
    return math.sqrt(variance(gradient(case.sweep, case.request.options), case.sweep, case.margins).total)


SINGLE_ROW = Note(
    "single-row",
    "no interval: a class with a single row shows no variation; method='auto' may have one",
    "没有区间：某一类只有一行，看不到变化；method='auto' 可能有区间",
)
INFINITE = Note("infinite", "no interval: the value is infinite", "没有区间：数值为无穷大")


def influence(case: Case) -> Found:
    """Wald with the influence-function standard error, cut at the attainable range."""
    se = standard_error(case)
    if math.isnan(se):
        return Found(None, None, (INFINITE if not math.isfinite(case.value) else SINGLE_ROW,))
    return clipped(lim.wald(case.value, se, case.z), se, *case.request.range)


NOT_SIMULATED = Note(
    "no-default-interval",
    "no interval by default: none was found to cover for this measure; method='bootstrap' draws one",
    "默认不给区间：尚无经模拟证实覆盖率的方法；method='bootstrap' 可用自助法给出",
)


def no_interval(case: Case) -> Found:
    """No interval: nothing closed is known to cover for this measure."""
    return Found(None, None, (NOT_SIMULATED,))
