"""ICI, E50, E90 and Emax on the isotonic fit: how far the scores are from what came true, row by row.

Each row has a gap |score - recalibrated score|. Austin & Steyerberg read the recalibrated score off a loess curve,
whose span is a choice; here it is the isotonic fit (CORP), which has none, and the names say so. Like every distance
the gaps are never negative, so that noise makes them too large.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from rocsolid.measures.decomposition import as_given, mean
from rocsolid.measures.isotonic import recalibrated, whole_numbers
from rocsolid.measures.registry import Floats, Measure, NoOptions, register
from rocsolid.sweep import Sweep


def gaps(sweep: Sweep) -> Floats:
    """(k,) distance of each distinct score from the isotonic fit. O(k)."""
    return np.abs(as_given(sweep) - recalibrated(sweep))


def _mean_gap(sweep: Sweep, options: NoOptions) -> float:
    gap = gaps(sweep)
    return mean(sweep, gap, gap)


def _quantile(share: Fraction) -> Callable[[Sweep, NoOptions], float]:
    """The gap that this share of the rows does not pass; the mean of two where a share ends between rows.

    Sums of rows (or of weights) are compared as whole numbers, so that a row of weight 2 is two rows.
    """

    def value(sweep: Sweep, options: NoOptions) -> float:
        gap = gaps(sweep)
        order = np.argsort(gap, kind="stable")
        pos, neg = whole_numbers(sweep.pos_mass, sweep.neg_mass)
        wanted, seen = share * (sum(pos) + sum(neg)), 0
        for i, place in enumerate(order.tolist()):
            seen += pos[place] + neg[place]
            if seen > wanted:
                return float(gap[place])
            if seen == wanted:
                return float(gap[place] + gap[order[i + 1]]) / 2
        raise AssertionError("a share below 1 is passed")

    return value


def _largest(sweep: Sweep, options: NoOptions) -> float:
    return float(gaps(sweep).max())


def _entry(name: str, title: str, zh: tuple[str, str], what: str, value: Callable[[Sweep, NoOptions], float]) -> Any:
    return register(
        Measure(
            name=name,
            aliases=(),
            title=title,
            title_zh=zh[0],
            definition=f"{what} |score - isotonic fit of the outcome|, over rows; with isotonic in the place of loess.",
            definition_zh=f"各行 |得分 − 结果的保序拟合| 的{zh[1]}；以保序拟合代替 loess。",
            source="Austin & Steyerberg 2019, Statistics in Medicine 38:4051-4065; Dimitriadis et al. 2021 (the fit)",
            input="sweep",
            range=(0.0, 1.0),
            better="lower",
            needs=frozenset({"probabilities"}),
            options=NoOptions,
            value=value,
        )
    )


ICI_ISOTONIC: Measure[Any, Any] = _entry(
    "ici_isotonic", "ICI (isotonic)", ("ICI（保序）", "平均值"), "Mean of", _mean_gap
)
E50_ISOTONIC: Measure[Any, Any] = _entry(
    "e50_isotonic", "E50 (isotonic)", ("E50（保序）", "中位数"), "Median of", _quantile(Fraction(1, 2))
)
E90_ISOTONIC: Measure[Any, Any] = _entry(
    "e90_isotonic", "E90 (isotonic)", ("E90（保序）", "90% 分位数"), "90th percentile of", _quantile(Fraction(9, 10))
)
EMAX_ISOTONIC: Measure[Any, Any] = _entry(
    "emax_isotonic", "Emax (isotonic)", ("Emax（保序）", "最大值"), "Largest", _largest
)
