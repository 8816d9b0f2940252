"""What functions give back: small frozen values that print themselves and never hold the data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid import _faces
from rocsolid.text import format_number, printable, several, span
from rocsolid.values import SCHEMA, Result, plain


@dataclass(frozen=True, slots=True)
class Note:
    """A remark that travels with a result: a stable code and its text in English and Chinese."""

    code: str
    en: str
    zh: str

    def __str__(self) -> str:
        """Give the English text."""
        return self.en


@dataclass(frozen=True, slots=True)
class Undefined:
    """The value of a measure that has none on these data, with the reason."""

    reason: Note


@dataclass(frozen=True, slots=True)
class Ratio:
    """A proportion that still knows its two parts; undefined where the denominator is 0."""

    numerator: float
    denominator: float

    def __float__(self) -> float:
        """Divide once; nan where the denominator is 0."""
        return float(self.numerator / self.denominator) if self.denominator else math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The confusion matrix at one cut; with weights the four entries are sums of weights.

    ``squares`` then holds the sums of squared weights in the same order (tp, fp, fn, tn), from which the
    effective sizes of intervals follow.
    """

    tp: float
    fp: float
    fn: float
    tn: float
    squares: tuple[float, float, float, float] | None = None

    @property
    def n(self) -> float:
        """All rows (or the sum of all weights)."""
        return self.tp + self.fp + self.fn + self.tn


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How many rows a result rests on; with weights also Kish's effective numbers (sum w)^2 / sum w^2.

    ``n_clusters`` is set where rows of one cluster were taken as dependent.
    """

    n_pos: int
    n_neg: int
    effective_pos: float | None = None
    effective_neg: float | None = None
    n_clusters: int | None = None

    @property
    def n(self) -> int:
        """All rows."""
        return self.n_pos + self.n_neg

    def __str__(self) -> str:
        """Give both sizes, such as ``212 positive, 357 negative``."""
        text = f"{self.n_pos:,} positive, {self.n_neg:,} negative"
        if self.n_clusters is not None:
            text += f" in {several(self.n_clusters, 'cluster')}"
        if self.effective_pos is None or self.effective_neg is None:
            return text
        return text + f" (effective {self.effective_pos:,.1f} and {self.effective_neg:,.1f})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A confidence interval, both ends included."""

    low: float
    high: float
    confidence_level: float
    method: str

    @property
    def width(self) -> float:
        """``high - low``."""
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        """Whether ``value`` lies inside, ends included."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Result):
    """One measure on one set of scores, with how sure it is.

    Attributes
    ----------
    measure : the spec, such as ``"roc_auc"`` or ``"recall(threshold=0.5)"``.
    value : the point estimate; nan where undefined (see ``undefined``).
    std_error : its standard error, ``None`` where the method has none.
    interval : the confidence interval, ``None`` where there is none (a note says why).
    method : how the interval was made.
    sizes : rows per class that the estimate rests on.
    pos_label : the label that counts as positive; ``None`` where there were no rows to name it.
    exact : the value as a fraction, where it is a ratio of whole numbers.
    details : further plain numbers, such as ``concordant`` pairs or the ``chance`` level.
    notes : remarks, each with a stable code.
    undefined : why there is no value, otherwise ``None``.
    name : the model's name, where one was given.
    """

    measure: str
    value: float
    std_error: float | None
    interval: Interval | None
    method: str | None
    sizes: Sizes
    pos_label: object = None
    exact: Fraction | None = None
    details: Mapping[str, float] = field(default_factory=dict, hash=False)
    notes: tuple[Note, ...] = ()
    undefined: Note | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        """Freeze the details too."""
        object.__setattr__(self, "details", MappingProxyType(dict(self.details)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by value; a mapping proxy can not be pickled as it is."""
        state = {name: getattr(self, name) for name in self.__slots__}
        return _rebuild_estimate, ({**state, "details": dict(self.details)},)

    def __float__(self) -> float:
        """Give the point estimate."""
        return self.value

    def __format__(self, spec: str) -> str:
        """Format the point estimate, as in ``f"{estimate:.3f}"``; without a spec as printed."""
        return format(self.value, spec) if spec else repr(self)

    def __repr__(self) -> str:
        """One line: value, interval, method, both sizes and the positive label."""
        head = self.measure if self.name is None else f"{printable(self.name)}: {self.measure}"
        if self.undefined is not None:
            body = f"undefined ({self.undefined.en})"
        else:
            body = format_number(self.value)
            if self.interval is not None:
                body += f" {format_interval(self.interval)} {self.interval.confidence_level:.4g} CI ({self.method})"
        label = "" if self.pos_label is None else f"; positive: {self.pos_label!r}"
        return f"<{head} = {body}; {self.sizes}{label}>"

    def sentence(self, lang: str = "en") -> str:
        """Word the estimate for a paper: value, interval and its method, rows per class.

        Parameters
        ----------
        lang : ``"en"`` or ``"zh"``.

        Raises
        ------
        UnknownNameError
            For another language.

        Notes
        -----
        O(1). An undefined estimate says why it is.

        Examples
        --------
        Both positives are flagged:

        >>> import rocsolid as rs
        >>> rs.measure("recall(threshold=0.3)", [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).sentence()
        'Recall (threshold=0.3) was 1.0000 (95% CI 0.3424 to 1.0000, wilson; 2 positive and 2 negative rows).'
        """
        return _faces.sentence(self, lang)

    def cell(self, form: str = "markdown") -> str:
        r"""Write value and interval as the cell of a table.

        Parameters
        ----------
        form : ``"markdown"`` or ``"latex"``.

        Raises
        ------
        UnknownNameError
            For another form.

        Notes
        -----
        O(1). A dash where the estimate is undefined.

        Examples
        --------
        >>> import rocsolid as rs
        >>> rs.measure("recall(threshold=0.3)", [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).cell("latex")
        '$1.0000$ $[0.3424, 1.0000]$'
        """
        return _faces.cell(self, form)

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        interval = self.interval
        return {
            "schema": SCHEMA,
            "name": self.name,
            "measure": self.measure,
            "value": self.value,
            "exact": None if self.exact is None else f"{self.exact.numerator}/{self.exact.denominator}",
            "std_error": self.std_error,
            "low": None if interval is None else interval.low,
            "high": None if interval is None else interval.high,
            "confidence_level": None if interval is None else interval.confidence_level,
            "method": self.method,
            "n_pos": self.sizes.n_pos,
            "n_neg": self.sizes.n_neg,
            "effective_pos": self.sizes.effective_pos,
            "effective_neg": self.sizes.effective_neg,
            "n_clusters": self.sizes.n_clusters,
            "pos_label": plain(self.pos_label),
            "details": dict(self.details),
            "notes": [note.en for note in self.notes],
            "undefined": None if self.undefined is None else self.undefined.en,
        }


def _rebuild_estimate(state: dict[str, Any]) -> Estimate:
    return Estimate(**state)


@dataclass(frozen=True, slots=True)
class Areas:
    """ROC-AUC and average precision as two plain floats."""

    roc_auc: float
    average_precision: float


@dataclass(frozen=True, slots=True, eq=False)
class ColumnAreas:
    """ROC-AUC and average precision of many columns of scores, as (k,) float64 arrays, read-only."""

    roc_auc: npt.NDArray[np.float64]
    average_precision: npt.NDArray[np.float64]

    def __post_init__(self) -> None:
        """Make the arrays read-only: a result is a value."""
        self.roc_auc.setflags(write=False)
        self.average_precision.setflags(write=False)


def format_interval(interval: Interval, digits: int = 4) -> str:
    """Write an interval as ``[low, high]``."""
    return span(interval.low, interval.high, digits)
