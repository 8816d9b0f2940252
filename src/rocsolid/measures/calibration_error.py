"""Calibration errors over bins. Their values depend on the bins, so the bins are part of their names."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.errors import OptionError
from rocsolid.measures.forecast_bins import BINNINGS, EVENTS, forecast_bins
from rocsolid.measures.registry import Measure, Value, register
from rocsolid.options import check_choice, check_count
from rocsolid.sweep import Sweep


@dataclass(frozen=True, slots=True)
class Bins:
    """Options: how many bins, of equal ``"width"`` or ``"mass"``; the positive class or the likelier, ``"top"``."""

    bins: int = 10
    binning: str = "width"
    event: str = "positive"

    def __post_init__(self) -> None:
        """Refuse what is no binning."""
        check_count("bins", self.bins, 1)
        check_choice("binning", self.binning, BINNINGS)
        check_choice("event", self.event, EVENTS)


@dataclass(frozen=True, slots=True)
class NormedBins(Bins):
    """Options of a mean over bins: also the norm, 1 (mean gap) or 2 (root mean squared gap)."""

    norm: int = 1

    def __post_init__(self) -> None:
        """Refuse other norms."""
        Bins.__post_init__(self)
        if self.norm not in (1, 2) or isinstance(self.norm, bool):
            raise OptionError("norm", self.norm, "1 or 2", 'for example "ece(norm=2)"; the largest gap is mce')


def _ece(sweep: Sweep, options: NormedBins) -> Value:
    found = forecast_bins(sweep, options.bins, options.binning, options.event)
    mean = math.fsum((found.share * found.gaps**options.norm).tolist())
    return mean if options.norm == 1 else math.sqrt(mean)


def _mce(sweep: Sweep, options: Bins) -> Value:
    return float(np.max(forecast_bins(sweep, options.bins, options.binning, options.event).gaps))


ECE: Measure[Any, Any] = register(
    Measure(
        name="ece",
        aliases=("expected_calibration_error",),
        title="Expected calibration error",
        title_zh="期望校准误差",
        definition="Mean over bins, by share of rows, of |mean forecast - share of event|; norm=2: root mean square.",
        definition_zh="按各箱所占行数比例对 |平均预测 − 事件比例| 取平均（norm=2：均方根）。",
        source="Naeini, Cooper & Hauskrecht 2015, AAAI; Kumar, Liang & Ma 2019, NeurIPS",
        input="sweep",
        range=(0.0, 1.0),
        better="lower",
        needs=frozenset({"probabilities"}),
        options=NormedBins,
        value=_ece,
    )
)
MCE: Measure[Any, Any] = register(
    Measure(
        name="mce",
        aliases=("maximum_calibration_error",),
        title="Maximum calibration error",
        title_zh="最大校准误差",
        definition="Largest |mean forecast - share of the event| over the bins that hold a row.",
        definition_zh="在含有数据的各箱中 |平均预测 − 事件比例| 的最大值。",
        source="Naeini, Cooper & Hauskrecht 2015, AAAI",
        input="sweep",
        range=(0.0, 1.0),
        better="lower",
        needs=frozenset({"probabilities"}),
        options=Bins,
        value=_mce,
    )
)
