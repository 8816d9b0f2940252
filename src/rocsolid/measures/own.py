"""A function of the caller's as a measure: it has a value on every sweep, so it has a bootstrap."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rocsolid.errors import DtypeError
from rocsolid.measures.registry import REGISTRY, Measure, NoOptions, Value
from rocsolid.results import Note, Ratio, Undefined
from rocsolid.sweep import Sweep

NOT_A_NUMBER = Note("nan", "the statistic is nan", "统计量为 nan")


def own_statistic(statistic: Callable[[Sweep], Any]) -> Measure[Any, Any]:
    """Make a measure, not registered, of a function that takes a sweep and gives a number; nan means undefined.

    Examples
    --------
    >>> def positives(sweep):
    ...     return sweep.n_pos
    >>> own_statistic(positives).name
    'positives'
    """
    name = getattr(statistic, "__name__", "")
    name = name if name.isidentifier() and name not in REGISTRY else "statistic"

    def value(sweep: Sweep, options: NoOptions) -> Value:
        return _number(statistic(sweep))

    return Measure(
        name=name,
        aliases=(),
        title=name,
        title_zh=name,
        definition="A function of the caller's.",
        definition_zh="调用者自己的函数。",
        source="the caller",
        input="sweep",
        range=(-math.inf, math.inf),
        better="higher",
        needs=frozenset(),
        options=NoOptions,
        value=value,
    )


def _number(found: Any) -> Value:
    if isinstance(found, (Fraction, Ratio, Undefined)):
        return found
    try:
        number = float(found)
    except (TypeError, ValueError):
        raise DtypeError(
            "statistic", "a function that gives a number", type(found).__name__, "return one float"
        ) from None
    return Undefined(NOT_A_NUMBER) if math.isnan(number) else number
