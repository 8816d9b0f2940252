"""How far a score keeps the classes apart at its best cut: Kolmogorov-Smirnov, equal error rate, break-even point."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rocsolid.errors import OptionError
from rocsolid.measures.hull import upper_hull
from rocsolid.measures.ranking import BOTH
from rocsolid.measures.registry import Measure, NoOptions, register
from rocsolid.measures.top_k import expected_hits, positives, quotient
from rocsolid.options import check_choice
from rocsolid.sweep import Sweep


def roc_counts(sweep: Sweep) -> tuple[Any, Any]:
    """(k + 1,) negatives and positives at or above each cut, from (0, 0) on. O(k).

    Whole numbers for counts, wide enough for a product of three to be exact; sums of weights otherwise.
    """
    rows = sweep.n_pos * sweep.n_neg
    kind: type = float if sweep.weights is not None else (np.int64 if rows < 2**60 else object)
    fp, tp = (np.concatenate([[0], np.cumsum(mass.astype(kind))]) for mass in (sweep.neg_mass, sweep.pos_mass))
    return fp.astype(kind), tp.astype(kind)


def hull(fp: Any, tp: Any) -> tuple[Any, Any]:
    """Corners of the convex hull of a ROC curve, (0, 0) first: all that turns left is left out. O(k)."""
    corners = upper_hull(fp, tp)
    return fp[corners], tp[corners]


# ------------------------------------------------------------------------------------ Kolmogorov-Smirnov


@dataclass(frozen=True, slots=True)
class Ks:
    """One-sided, max(TPR - FPR), or two-sided, max |TPR - FPR|.

    Examples
    --------
    >>> Ks().two_sided
    False
    """

    two_sided: bool = False

    def __post_init__(self) -> None:
        """Refuse anything but true and false."""
        if not isinstance(self.two_sided, bool):
            raise OptionError("two_sided", self.two_sided, "true or false", 'for example "ks(two_sided=true)"')


def _ks(sweep: Sweep, options: Ks) -> Fraction | float:
    fp, tp = roc_counts(sweep)
    n, m = fp[-1], tp[-1]
    if sweep.weights is not None:
        gaps = tp / m - fp / n
        return float(np.abs(gaps).max() if options.two_sided else gaps.max())
    gaps = tp * n - fp * m
    return quotient(np.abs(gaps).max() if options.two_sided else gaps.max(), int(n) * int(m))


KS: Measure[Any, Any] = register(
    Measure(
        name="ks",
        aliases=("kolmogorov_smirnov", "ks_statistic"),
        title="Kolmogorov-Smirnov",
        title_zh="KS 统计量",
        definition="Largest TPR - FPR over all cuts, 0 for a reversed score; two-sided: largest distance either way.",
        definition_zh="所有阈值上 TPR − FPR 的最大值，得分完全颠倒时为 0；双侧时取绝对差的最大值。",
        source="Smirnov 1939; Fawcett 2006, Pattern Recognition Letters 27:861-874",
        input="sweep",
        range=(0.0, 1.0),
        better="higher",
        needs=BOTH,
        options=Ks,
        value=_ks,
    )
)

# ------------------------------------------------------------------------------------- equal error rate

RULES = ("nearest", "interpolated", "hull")


@dataclass(frozen=True, slots=True)
class Eer:
    """How FPR = FNR is met between cuts: ``"interpolated"`` (ROC), ``"hull"`` (its convex hull) or ``"nearest"``.

    ``"nearest"`` is the mean of FPR and FNR at the cut where they differ least; the lower of two that do so alike.

    Examples
    --------
    >>> import rocsolid as rs
    >>> ev = rs.evaluate([1, 1, 0, 1, 0, 0, 0, 1, 0], [9, 8, 7, 6, 6, 5, 5, 4, 3])
    >>> [str(ev.measure(Eer(rule)).exact) for rule in ("nearest", "interpolated", "hull")]
    ['13/40', '1/3', '4/13']
    """

    rule: str = "interpolated"

    def __post_init__(self) -> None:
        """Refuse a rule that is none of the three."""
        check_choice("rule", self.rule, RULES)


def _eer(sweep: Sweep, options: Eer) -> Fraction | float:
    fp, tp = roc_counts(sweep)
    if options.rule == "nearest":
        return _nearest(fp, tp)
    return _crossing(*(hull(fp, tp) if options.rule == "hull" else (fp, tp)))


def _nearest(fp: Any, tp: Any) -> Fraction | float:
    n, m = fp[-1], tp[-1]
    false_alarms, misses = fp * m, (m - tp) * n  # FPR and FNR times n m
    distance = np.abs(false_alarms - misses)
    mean = (false_alarms + misses)[distance == distance.min()].min()
    return quotient(mean, 2 * _plain(n) * _plain(m))


def _crossing(fp: Any, tp: Any) -> Fraction | float:
    """FPR at which a polyline meets the diagonal FPR = 1 - TPR, on which d = (FPR - FNR) n m changes its sign."""
    n, m = _plain(fp[-1]), _plain(tp[-1])
    after = int(np.argmax(fp * m + tp * n >= n * m))
    (x0, d0), (x1, d1) = ((_plain(fp[i]), _plain(fp[i]) * m + _plain(tp[i]) * n - n * m) for i in (after - 1, after))
    return quotient(x0 * d1 - x1 * d0, n * (d1 - d0))


def _plain(value: Any) -> int | float:
    """A number of Python, which does not overflow."""
    return float(value) if isinstance(value, float) else int(value)


EER: Measure[Any, Any] = register(
    Measure(
        name="eer",
        aliases=("equal_error_rate", "crossover_error_rate"),
        title="Equal error rate",
        title_zh="等错误率（EER）",
        definition="The FPR that equals the FNR, on the interpolated ROC curve, its convex hull or at the nearest cut.",
        definition_zh="使假阳性率等于漏报率的错误率：取自线性插值 ROC、其凸包，或最接近相等的阈值。",
        source="Brümmer & de Villiers 2013, arXiv:1304.2865",
        input="sweep",
        range=(0.0, 1.0),
        better="lower",
        needs=BOTH,
        options=Eer,
        value=_eer,
    )
)

# ------------------------------------------------------------------------------------------- break-even


def _break_even(sweep: Sweep, options: NoOptions) -> Fraction | float:
    m = positives(sweep)
    return quotient(expected_hits(sweep, m), m)


BREAK_EVEN: Measure[Any, Any] = register(
    Measure(
        name="break_even",
        aliases=("r_precision", "precision_recall_break_even"),
        title="Break-even point",
        title_zh="盈亏平衡点（查准率 = 查全率）",
        definition="Precision = recall when as many rows are flagged as there are positives; mean over orders of ties.",
        definition_zh="判为正例的行数等于正例数时的查准率（也即查全率）；同分时取各种排列的平均。",
        source="Lewis 1992; Joachims 1998",
        input="sweep",
        range=(0.0, 1.0),
        better="higher",
        needs=frozenset({"positives"}),
        options=NoOptions,
        value=_break_even,
    )
)
