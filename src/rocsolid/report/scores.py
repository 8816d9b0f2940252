"""What a page draws of the scores themselves: their distribution by class, their reliability, the value of acting."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocsolid.curves.reliability import ReliabilityCurve
from rocsolid.evaluation import Evaluation
from rocsolid.report.scales import Floats
from rocsolid.sweep import Sweep

BINS = 40
"""Bars of a distribution."""
RARE = 0.1
"""Below this share of positives probabilities are drawn on a logit axis."""
CUTS = 100
"""Threshold probabilities of a decision curve."""
BLOCKS = 150
"""At most about so many steps of an isotonic fit are drawn."""


def distribution(sweep: Sweep) -> dict[str, Any] | None:
    """Count each class in bins of equal width over the finite scores; ``None`` where all scores are one.

    Rows with an infinite score are in the outermost bins. O(k).
    """
    values = np.asarray(sweep.scores, np.float64)
    finite = values[np.isfinite(values)]
    if not finite.size or finite.min() == finite.max():
        return None
    probabilities = bool(finite.min() >= 0 and finite.max() <= 1)
    low, high = (0.0, 1.0) if probabilities else (float(finite.min()), float(finite.max()))
    pos, neg = np.asarray(sweep.pos_mass, np.float64), np.asarray(sweep.neg_mass, np.float64)
    rare = probabilities and pos.sum() / (pos.sum() + neg.sum()) < RARE
    if rare:
        low, high = _logit_ends(finite)
    places = _logit(values, low, high) if rare else (values - low) / (high - low)
    which = np.clip(np.nan_to_num(np.floor(places * BINS), posinf=BINS, neginf=0), 0, BINS - 1).astype(np.int64)
    return {
        "low": low, "high": high, "axis": "logit" if rare else "linear",
        "pos": _share(np.bincount(which, pos, BINS)), "neg": _share(np.bincount(which, neg, BINS)),
    }  # fmt: skip


def _logit_ends(finite: Floats) -> tuple[float, float]:
    """Powers of ten from 0 and from 1 between which nearly all scores lie."""
    inside = finite[(finite > 0) & (finite < 1)]
    if not inside.size:
        return 0.001, 0.999
    low = 10.0 ** math.floor(math.log10(max(float(np.quantile(inside, 0.001)), 1e-6)))
    return low, 0.99 if float(inside.max()) <= 0.99 else 0.999


def _logit(values: Floats, low: float, high: float) -> Floats:
    p = np.clip(values, low, high)
    z = np.log(p / (1 - p))
    start, end = math.log(low / (1 - low)), math.log(high / (1 - high))
    return np.asarray((z - start) / (end - start))


def _share(counts: Any) -> list[float]:
    """Shares of a class, to five digits: enough to draw, and no count of single rows."""
    return [float(f"{c:.5g}") for c in (counts / counts.sum()).tolist()]


# ------------------------------------------------------------------------------------------------ probabilities


def reliability(member: Evaluation) -> dict[str, Any] | None:
    """The isotonic (CORP) fit as steps, and ten bins of equal mass beside it; ``None`` unless scores are probabilities.

    A step is ``(from, to, observed)``: the forecasts that share one observed frequency. O(k).
    """
    if not member.looks_like_probabilities:
        return None
    curve = ReliabilityCurve.of(member.sweep)
    starts = np.flatnonzero(np.diff(curve.observed, prepend=-1.0))
    ends = np.append(starts[1:], len(curve.observed)) - 1
    if len(starts) > BLOCKS:  # steps too small to be seen
        seen = np.unique(np.linspace(0, len(starts) - 1, BLOCKS).astype(np.int64))
        starts, ends = starts[seen], ends[seen]
    bins = ReliabilityCurve.of(member.sweep, binning="mass", bins=10)
    full = bins.rows > 0
    return {
        "from": curve.forecast[starts].tolist(), "to": curve.forecast[ends].tolist(),
        "observed": curve.observed[starts].tolist(),
        "bins": {key: getattr(bins, key)[full].tolist() for key in ("forecast", "observed", "rows")},
        "brier": _brier_parts(member.sweep, curve.observed[::-1]),
    }  # fmt: skip


def _brier_parts(sweep: Sweep, recalibrated: Floats) -> dict[str, float]:
    """Brier = miscalibration - discrimination + uncertainty (CORP), by the losses of scores, fit and prevalence."""
    pos, neg, p = (np.asarray(a, np.float64) for a in (sweep.pos_mass, sweep.neg_mass, sweep.scores))
    total = pos.sum() + neg.sum()
    share = float(pos.sum() / total)
    own, fitted = (float((pos * (1 - q) ** 2 + neg * q**2).sum() / total) for q in (p, recalibrated))
    uncertainty = share * (1 - share)
    return {"miscalibration": own - fitted, "discrimination": uncertainty - fitted, "uncertainty": uncertainty}


def decision_curves(members: list[Evaluation], own: float) -> dict[str, Any] | None:
    """Net benefit of every model at a grid of threshold probabilities; ``None`` unless all scores are probabilities.

    TP/n - FP/n t/(1 - t) from the counts at each threshold (Vickers & Elkin 2006), beside flagging everybody. O(k).
    """
    if not all(member.looks_like_probabilities for member in members):
        return None
    top = next((x for x in (0.02, 0.05, 0.1, 0.2, 0.5) if x >= 6 * own), 1.0)
    at = [float(f"{top * i / CUTS:.6g}") for i in range(1, CUTS + (top < 1))]
    return {
        "thresholds": at,
        "top": top,
        "all": [own - (1 - own) * t / (1 - t) for t in at],
        "models": [_net_benefit(member.sweep, at) for member in members],
    }


def _net_benefit(sweep: Sweep, thresholds: list[float]) -> list[float]:
    tp, fp = (np.concatenate([[0.0], np.cumsum(mass, dtype=np.float64)]) for mass in (sweep.pos_mass, sweep.neg_mass))
    total = tp[-1] + fp[-1]
    rows = [sweep.rows_selected(t) for t in thresholds]
    return [float((tp[i] - fp[i] * t / (1 - t)) / total) for i, t in zip(rows, thresholds, strict=True)]
