"""Early recognition: BEDROC, which counts a positive the more the nearer it is to the top of the whole list."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.errors import OptionError
from rocsolid.measures.ranking import BOTH, NEGLIGIBLE, centred, class_shares, negligible
from rocsolid.measures.registry import Gradient, Measure, register
from rocsolid.options import check_number
from rocsolid.results import Undefined
from rocsolid.sweep import Floats, Sweep


@dataclass(frozen=True, slots=True)
class Bedroc:
    """How fast the weight falls: a row that x of all rows lie above weighs exp(-alpha x)."""

    alpha: float = 20.0

    def __post_init__(self) -> None:
        """Refuse an alpha that is not positive and finite."""
        if not 0 < check_number("alpha", self.alpha) < math.inf:
            raise OptionError("alpha", self.alpha, "a finite number > 0", 'for example "bedroc(alpha=20)"')


def _shares_above(sweep: Sweep) -> tuple[Floats, Floats]:
    """(k,) share of all rows above each score, and the share with it."""
    x = np.concatenate([[0.0], np.cumsum(sweep.pos_mass + sweep.neg_mass, dtype=np.float64)])
    x /= x[-1]
    return x[:-1], x[1:]


def _worth(sweep: Sweep, alpha: float) -> Floats:
    """(k,) mean of exp(-alpha x) over the places that the rows of each score share, over the mean of all places."""
    above, through = _shares_above(sweep)
    drop = alpha * (through - above)
    mean = np.divide(-np.expm1(-drop), drop, out=np.ones_like(drop), where=drop > 0)  # 1 in no width at all
    return np.exp(-alpha * above) * mean * (alpha / -math.expm1(-alpha))


def _ends(share: float, alpha: float) -> tuple[float, float]:
    """RIE with all positives at the bottom, and at the top; both forms without overflow."""
    top = math.expm1(-alpha * share) / math.expm1(-alpha) / share
    return math.exp(-alpha * (1 - share)) * top, top


def rie(sweep: Sweep, alpha: float) -> float:
    """Robust initial enhancement: mean worth of a positive, where 1 is that of a random row. O(k).

    Exactly Truchon & Bayly's ratio of sums over ranks: N places of width 1/N have the weights of the N ranks, up to a
    factor that cancels. It needs no whole ranks, so it holds with weights and for ties.
    """
    pos = sweep.pos_mass
    return float(np.einsum("i,i->", _worth(sweep, alpha), pos)) / float(pos.sum())


def _bedroc(sweep: Sweep, options: Bedroc) -> float | Undefined:
    if negligible(sweep):
        return Undefined(NEGLIGIBLE)
    low, high = _ends(class_shares(sweep)[0], options.alpha)
    return min(1.0, max(0.0, (rie(sweep, options.alpha) - low) / (high - low)))  # rounding at both ends


def _bedroc_gradient(sweep: Sweep, options: Bedroc) -> Gradient:
    """A positive counts its own worth; any row moves those at and after it down; the share of positives the ends."""
    alpha, (share, _) = options.alpha, class_shares(sweep)
    above, through = _shares_above(sweep)
    scale = alpha / -math.expm1(-alpha)
    worth = _worth(sweep, alpha)
    part = sweep.pos_mass / float(sweep.pos_mass.sum())
    mean = float(part @ worth)
    width = np.maximum(through - above, 1e-300)  # a row of no width moves nothing
    by_above = part * (worth - scale * np.exp(-alpha * above)) / width
    by_through = part * (scale * np.exp(-alpha * through) - worth) / width
    moved = _from_here_on(by_above) - by_above + _from_here_on(by_through)
    low, high = _ends(share, alpha)
    value = (mean - low) / (high - low)
    # both ends by the share: the upper one by differentiation, the lower one is exp(-alpha (1 - share)) times it
    of_high = (alpha * math.exp(-alpha * share) / -math.expm1(-alpha) - high) / share
    of_low = alpha * low + math.exp(-alpha * (1 - share)) * of_high
    of_share = -(of_low + value * (of_high - of_low)) / (high - low)
    on_pos = ((worth - mean) / share + moved) / (high - low) + of_share
    return centred(on_pos, moved / (high - low), sweep)


def _from_here_on(values: Floats) -> Floats:
    return np.cumsum(values[::-1])[::-1]


def _chance(sweep: Sweep, options: Bedroc) -> float:
    low, high = _ends(class_shares(sweep)[0], options.alpha)
    return (1 - low) / (high - low)


def _details(sweep: Sweep, options: Bedroc) -> Mapping[str, float]:
    return {"rie": rie(sweep, options.alpha), "chance": _chance(sweep, options)}


BEDROC: Measure[Any, Any] = register(
    Measure(
        name="bedroc",
        aliases=("boltzmann_enhanced_roc",),
        title="BEDROC",
        title_zh="玻尔兹曼加权早期识别指标（BEDROC）",
        definition="Mean of exp(-alpha x) over positives, x the share of rows above, scaled from worst to best order.",
        definition_zh="各正例的 exp(−alpha·x) 均值（x 为排在其前的行的比例），按最差与最佳排序缩放到 0 至 1。",
        source="Truchon & Bayly 2007, J. Chem. Inf. Model. 47:488-508, equations 18 and 36",
        input="sweep",
        range=(0.0, 1.0),
        better="higher",
        needs=BOTH,
        options=Bedroc,
        value=_bedroc,
        gradient=_bedroc_gradient,
        chance=_chance,
        details=_details,
    )
)
