"""Partial areas under the ROC curve: over a range of false-positive or of true-positive rates.

A range of true-positive rates is a range of false-positive rates of the problem seen from the other side: labels and
order reversed, the curve shows specificity against the share of positives missed. So there is one formula, for a
``tall`` class, whose share is the height, and a ``wide`` class, whose share is the axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from rocsolid.errors import OptionError
from rocsolid.measures.ranking import BOTH, class_mean, pair_sums
from rocsolid.measures.registry import Gradient, Measure, register
from rocsolid.options import as_typed, check_share
from rocsolid.sweep import U64, Floats, Sweep

Range = tuple[float, float]
HINT = 'for example "partial_auc(max_fpr=0.1)"'


@dataclass(frozen=True, slots=True)
class PartialAuc:
    """The range of rates, on one of the two axes; an end left out is 0 or 1. Numbers are read as typed.

    ``standardized`` asks for McClish's scale, on which a useless score has 1/2 and a perfect one 1.

    Raises
    ------
    OptionError
        For no range, ranges on both axes, rates outside [0, 1], or a range of no length.

    Examples
    --------
    >>> half = PartialAuc(max_fpr=0.1, standardized=True)
    >>> half.width, half.chance, half.shown(half.chance), half.shown(half.width)
    (Fraction(1, 10), Fraction(1, 200), Fraction(1, 2), Fraction(1, 1))
    """

    min_fpr: float | None = None
    max_fpr: float | None = None
    min_tpr: float | None = None
    max_tpr: float | None = None
    standardized: bool = False

    def __post_init__(self) -> None:
        """Refuse anything but one range of positive length on one axis."""
        ends = {"min_fpr": self.min_fpr, "max_fpr": self.max_fpr, "min_tpr": self.min_tpr, "max_tpr": self.max_tpr}
        given = {name: value for name, value in ends.items() if value is not None}
        if len({name[-3:] for name in given}) != 1:
            raise OptionError("range of partial_auc", given, "on one axis: fpr or tpr", HINT)
        for name, value in given.items():
            check_share(name, value, ends=True, hint=HINT)
        if not self.low < self.high:
            raise OptionError("range of partial_auc", given, "from a smaller to a larger rate", HINT)
        if not isinstance(self.standardized, bool):
            raise OptionError("standardized", self.standardized, "true or false", "standardized=true")

    @classmethod
    def over(cls, fpr: Range | None, tpr: Range | None, standardized: bool) -> PartialAuc:
        """Take one range (low, high); an end at 0 or 1 is left out, as in a spec that a person writes.

        Examples
        --------
        >>> PartialAuc.over((0, 0.1), None, False) == PartialAuc(max_fpr=0.1)
        True
        """
        given = {axis: ends for axis, ends in (("fpr", fpr), ("tpr", tpr)) if ends is not None}
        if len(given) != 1:
            raise OptionError("fpr, tpr", given or None, "exactly one of them", "fpr=(0, 0.1)")
        ((axis, ends),) = given.items()
        if not isinstance(ends, (tuple, list)) or len(ends) != 2:
            raise OptionError(axis, ends, "a range (low, high)", f"{axis}=(0, 0.1)")
        low, high = (check_share(axis, end, ends=True, hint=f"{axis}=(0, 0.1)") for end in ends)
        kept = {f"min_{axis}": low or None, f"max_{axis}": high if high < 1 or not low else None}
        return cls(**kept, standardized=standardized)

    @property
    def on_tpr(self) -> bool:
        """Whether the range is one of true-positive rates."""
        return self.min_tpr is not None or self.max_tpr is not None

    @property
    def low(self) -> Fraction:
        """Lower end on the axis of the wide class: FPR, or 1 - TPR."""
        return 1 - _end(self.max_tpr, 1) if self.on_tpr else _end(self.min_fpr, 0)

    @property
    def high(self) -> Fraction:
        """Upper end on the axis of the wide class."""
        return 1 - _end(self.min_tpr, 0) if self.on_tpr else _end(self.max_fpr, 1)

    @property
    def width(self) -> Fraction:
        """Length of the range: the area of a perfect score."""
        return self.high - self.low

    @property
    def chance(self) -> Fraction:
        """Area of a useless score, whose curve is the diagonal."""
        return (self.high**2 - self.low**2) / 2

    def scaled(self, area: Fraction | float) -> Fraction | float:
        """McClish's standardised area of a raw one: 1/2 at chance, 1 for a perfect score; below chance below 1/2."""
        return (1 + (area - self.chance) / (self.width - self.chance)) / 2

    @property
    def slope(self) -> float:
        """Derivative of the value given by the raw area."""
        return float(1 / (2 * (self.width - self.chance))) if self.standardized else 1.0

    def shown(self, area: Fraction | float) -> Fraction | float:
        """The value asked for: the raw area or the standardised one."""
        return self.scaled(area) if self.standardized else area


def _end(given: float | None, default: int) -> Fraction:
    return Fraction(default) if given is None else as_typed(given)


def tall_and_wide(sweep: Sweep, options: PartialAuc) -> tuple[Any, Any]:
    """Masses of the tall and the wide class per score, in the order in which the axis of the range grows."""
    return (sweep.neg_mass[::-1], sweep.pos_mass[::-1]) if options.on_tpr else (sweep.pos_mass, sweep.neg_mass)


def partial_area(sweep: Sweep, options: PartialAuc) -> Fraction | float:
    """Raw area over the range: a fraction for counts, a float with weights. O(k).

    Examples
    --------
    The better positive is above both negatives, the other between them: 1/2 up to an FPR of 1/2, then 1.

    >>> sweep = Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 1])
    >>> partial_area(sweep, PartialAuc(max_fpr=0.5)), partial_area(sweep, PartialAuc(min_fpr=0.25))
    (Fraction(1, 4), Fraction(5, 8))
    """
    tall, wide = tall_and_wide(sweep, options)
    if sweep.weights is None:
        return _area_up_to(tall, wide, options.high) - _area_up_to(tall, wide, options.low)
    return class_mean(_time_in_range(tall, wide, options)[0], tall)


def _area_up_to(tall: U64, wide: U64, end: Fraction) -> Fraction:
    """Area from 0 to ``end``, exactly: the rows wholly inside by counting pairs, then a piece of one segment."""
    m, n = int(tall.sum()), int(wide.sum())
    passed = np.cumsum(wide)
    rows = int(np.searchsorted(passed, floor(end * n), side="right"))
    twice_inside = pair_sums(np.ascontiguousarray(tall[:rows]), np.ascontiguousarray(wide[:rows]))[0]
    area = Fraction(twice_inside, 2)
    rest = end * n - (int(passed[rows - 1]) if rows else 0)
    if rest:
        slope = Fraction(int(tall[rows]), int(wide[rows]))
        area += rest * (int(tall[:rows].sum()) + slope * rest / 2)
    return area / (m * n)


def _time_in_range(tall: Any, wide: Any, options: PartialAuc) -> tuple[Floats, Floats]:
    """For each row, over what part of the range the curve has passed it, along the axis and along the height.

    A row is passed between the two ends of its segment, in proportion if it is a tie. The first array integrates
    that share over the axis, from ``low`` to ``high``; its mean over the tall class is the area. The second does
    so over the height, between the heights of the curve at the two ends.
    """
    x, y = np.cumsum(wide, dtype=np.float64), np.cumsum(tall, dtype=np.float64)
    dx, dy = wide / x[-1], tall / y[-1]
    x, y = x / x[-1], y / y[-1]
    ends = float(options.low), float(options.high)
    across = []  # share of each row's segment that lies before each end of the range
    for end in ends:
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = np.clip((end - np.append(0.0, x[:-1])) / dx, 0.0, 1.0)
        across.append(np.where(dx > 0, inside, x <= end))
    # where the curve climbs straight up at an end, only what is inside the range can move the area
    first, last = int(np.searchsorted(x, ends[0], side="right")), int(np.searchsorted(x, ends[1], side="left"))
    heights = (
        float(y[first] - dy[first] * (1 - across[0][first])),
        float(y[last] - dy[last] * (1 - across[1][last])),
    )
    ramp = (across[1] ** 2 - across[0] ** 2) / 2
    return (
        dx * ramp + ends[1] - np.clip(x, *ends),
        dy * ramp + heights[1] - np.clip(y, *heights),
    )


def raw_influences(sweep: Sweep, options: PartialAuc) -> tuple[Floats, Floats]:
    """Centred influences of the tall and the wide class on the raw area, in the order of :func:`tall_and_wide`. O(k).

    The area is linear in the tall class: its influence is its own part in the mean. A row of the wide class moves
    the curve to the right wherever it has been passed, by its share, less what all rows lose to it; the area loses
    the height that the curve gains there, and so feels the quantiles at the ends of the range too.
    """
    tall, wide = tall_and_wide(sweep, options)
    along, up = _time_in_range(tall, wide, options)
    return along - class_mean(along, tall), class_mean(up, wide) - up


def loss_in_range(sweep: Sweep, options: PartialAuc) -> tuple[Floats, Floats]:
    """For each score: which part of its wide rows lies in the range, and the height that is missing there. O(k).

    In the order of the sweep; the mean of the second over the wide class is the width less the area.
    """
    tall, wide = tall_and_wide(sweep, options)
    x, y = np.cumsum(wide, dtype=np.float64), np.cumsum(tall, dtype=np.float64)
    dx, dy = wide / x[-1], tall / y[-1]
    x, y = x / x[-1], y / y[-1]
    low, high = (np.clip(float(end), x - dx, x) for end in (options.low, options.high))
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = np.where(dx > 0, (high - low) / dx, 0.0)
        passed = np.where(dx > 0, ((high + low) / 2 - (x - dx)) / dx, 0.0)
    lost = inside * (1 - (y - dy) - dy * passed)
    return (inside[::-1], lost[::-1]) if options.on_tpr else (inside, lost)


def _gradient(sweep: Sweep, options: PartialAuc) -> Gradient:
    of_tall, of_wide = (options.slope * psi for psi in raw_influences(sweep, options))
    if options.on_tpr:
        return Gradient(pos=of_wide[::-1], neg=of_tall[::-1], prevalence=0.0)
    return Gradient(pos=of_tall, neg=of_wide, prevalence=0.0)


def _value(sweep: Sweep, options: PartialAuc) -> Fraction | float:
    return options.shown(partial_area(sweep, options))


def rows_in_range(sweep: Sweep, options: PartialAuc) -> float:
    """Rows of the wide class that fall into the range: all that the area knows of that class."""
    n = sweep.sizes.effective_pos if options.on_tpr else sweep.sizes.effective_neg
    return float(options.width) * ((sweep.n_pos if options.on_tpr else sweep.n_neg) if n is None else n)


def _details(sweep: Sweep, options: PartialAuc) -> Mapping[str, float]:
    area = partial_area(sweep, options)
    return {
        "area": float(area),
        "share_of_range": float(area) / float(options.width),
        "standardized": float(options.scaled(area)),
        "chance": float(options.shown(options.chance)),
        "rows_in_range": rows_in_range(sweep, options),
    }


PARTIAL_AUC: Measure[Any, Any] = register(
    Measure(
        name="partial_auc",
        aliases=("pauc", "partial_roc_auc"),
        title="Partial ROC-AUC",
        title_zh="ROC 曲线部分面积",
        definition="Area under the ROC curve over a range of FPR (of specificity, over a range of TPR); ties straight.",
        definition_zh="ROC 曲线在给定 FPR 范围内的面积（给定 TPR 范围时为特异度的面积）；同分处连为直线。",
        source="McClish 1989, Medical Decision Making 9:190-195; Jiang, Metz & Nishikawa 1996 (TPR ranges)",
        input="sweep",
        range=(-np.inf, 1.0),
        better="higher",
        needs=BOTH,
        options=PartialAuc,
        value=_value,
        gradient=_gradient,
        chance=lambda sweep, options: float(options.shown(options.chance)),
        details=_details,
        attainable=lambda options: (float(options.shown(Fraction(0))), float(options.shown(options.width))),
    )
)
