"""The registry: each measure is one pure function with its metadata beside it.

Docs, tables, the command line, reports and tests read this table; nothing about a measure is written twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from typing import Any, Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from rocsolid.errors import OptionError, ProbabilityError, UndefinedMeasureError, UnknownNameError
from rocsolid.options import build_options, format_spec, parse_spec
from rocsolid.results import Counts, Note, Ratio, Undefined
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]
Value = Fraction | Ratio | float | Undefined
In = TypeVar("In", Sweep, Counts)
Opt = TypeVar("Opt")


@dataclass(frozen=True, slots=True, eq=False)
class Gradient:
    """Influence of one row on a measure, by class: how the value answers to a little more weight on that row.

    Attributes
    ----------
    pos, neg : (k,) influence of a positive / negative at each distinct score, with (weighted) class mean 0.
    prevalence : derivative of the measure with respect to the share of positives; 0 for ROC measures.
    """

    pos: Floats
    neg: Floats
    prevalence: float


@dataclass(frozen=True, slots=True)
class NoOptions:
    """A measure without options."""


@dataclass(frozen=True, slots=True)
class AtThreshold:
    """Options of a measure at one cut: rows at or beyond ``threshold`` are called positive."""

    threshold: float


@dataclass(frozen=True, slots=True)
class Monotone:
    """A measure that is an increasing function of another: it inherits the other's interval, end by end."""

    base: str
    forward: Callable[[float], float]
    slope: Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Proportion:
    """A rate at one cut: hits / (hits + misses), cells of the confusion matrix, or an increasing function of it.

    From this alone follow the value, "undefined where the denominator is 0", and a Wilson interval.
    """

    hits: tuple[str, ...]
    misses: tuple[str, ...]
    forward: Callable[[float], float] = lambda p: p
    slope: Callable[[float], float] = lambda p: 1.0

    def split(self, counts: Counts) -> tuple[float, float]:
        """Give hits and misses at a cut."""
        return sum(getattr(counts, c) for c in self.hits), sum(getattr(counts, c) for c in self.misses)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Measure(Generic[In, Opt]):
    """One measure: its function, its gradient and what people need to know about it.

    Attributes
    ----------
    name, aliases : how it is asked for; aliases are the field's synonyms.
    title, title_zh : how it is printed.
    definition, definition_zh, source : one line each: the formula in words, and where it comes from.
    input : ``"sweep"``, or ``"counts"`` for measures at one threshold.
    range : attainable range.
    better : whether larger or smaller values are better, or those nearest to the ``target``.
    attainable : the attainable range under given options, where they move it.
    needs : ``"positives"``, ``"negatives"``, ``"probabilities"``; unmet needs make the value undefined.
    value : the function itself.
    gradient : influence function, or ``None``: intervals then come from the ratio or the bootstrap.
    chance : what a useless score reaches, if that is known.
    details : further plain numbers that people ask for beside the value.
    monotone : set if the measure is an increasing function of another one.
    proportion : set if the measure is a rate at one cut.
    target : what a perfect model reaches, where neither more nor less is better.
    """

    name: str
    aliases: tuple[str, ...]
    title: str
    title_zh: str
    definition: str
    definition_zh: str
    source: str
    input: Literal["sweep", "counts"]
    range: tuple[float, float]
    better: Literal["higher", "lower", "target"]
    needs: frozenset[str]
    options: type[Opt]
    value: Callable[[In, Opt], Value]
    gradient: Callable[[Sweep, Opt], Gradient] | None = None
    chance: Callable[[Sweep, Opt], float] | None = None
    details: Callable[[Sweep, Opt], Mapping[str, float]] | None = None
    attainable: Callable[[Opt], tuple[float, float]] | None = None
    monotone: Monotone | None = None
    proportion: Proportion | None = None
    target: float | None = None

    @property
    def usage(self) -> str:
        """How it is asked for, options that may be left out in brackets: ``average_precision([prevalence=...])``."""
        parts = [f"{f.name}=..." if f.default is MISSING else f"[{f.name}=...]" for f in fields(self.options)]  # type: ignore[arg-type]
        return f"{self.name}({', '.join(parts)})" if parts else self.name


@dataclass(frozen=True, slots=True)
class Request:
    """A measure together with its options, as asked for."""

    measure: Measure[Any, Any]
    options: Any

    @property
    def spec(self) -> str:
        """The spec as text, such as ``recall(threshold=0.5)``."""
        return format_spec(self.measure.name, self.options)

    @property
    def range(self) -> tuple[float, float]:
        """Attainable range of the measure with these options."""
        attainable = self.measure.attainable
        return self.measure.range if attainable is None else attainable(self.options)


REGISTRY: dict[str, Measure[Any, Any]] = {}
_ALIASES: dict[str, str] = {}


def register(entry: Measure[Any, Any]) -> Measure[Any, Any]:
    """Put a measure into the registry; two measures can not share a name or alias."""
    for name in (entry.name, *entry.aliases):
        if name in _ALIASES:
            raise ValueError(f"measure name {name!r} is taken by {_ALIASES[name]!r}")
        _ALIASES[name] = entry.name
    REGISTRY[entry.name] = entry
    return entry


def find(spec: object) -> Request:
    """Find a measure by spec string (``"recall(threshold=0.5)"``), alias, ``Measure``, ``Request`` or its own options.

    Raises
    ------
    UnknownNameError
        If no measure has this name (with the nearest one as a hint), or an option is unknown.
    OptionError
        If the spec does not follow the grammar, or a needed option is missing.
    """
    if isinstance(spec, Request):
        return spec
    if isinstance(spec, Measure):
        return Request(spec, build_options(spec.options, spec.name, {}))
    owners = [entry for entry in REGISTRY.values() if type(spec) is entry.options and entry.options is not NoOptions]
    if len(owners) == 1:  # options of one measure only stand for it, such as Eer(rule="hull")
        return Request(owners[0], spec)
    if not isinstance(spec, str):
        raise OptionError("measure", spec, "a spec string or a Measure", 'for example "roc_auc"')
    name, given = parse_spec(spec)
    entry = named(name)
    if entry is None:
        raise UnknownNameError("measure", name, _ALIASES)
    options = build_options(entry.options, entry.name, given)
    threshold = getattr(options, "threshold", 0.0)
    if isinstance(threshold, (bool, str)) or math.isnan(threshold):
        raise OptionError("threshold", threshold, "a number", f'for example "{entry.name}(threshold=0.5)"')
    return Request(entry, options)


def named(name: str) -> Measure[Any, Any] | None:
    """Give the measure of this name or alias, written with ``-`` or ``_``; ``None`` if there is none."""
    return REGISTRY.get(_ALIASES.get(name.lower().replace("-", "_").replace("'", ""), ""))


def compute(request: Request, sweep: Sweep) -> Value:
    """Compute a measure on a sweep, or say why it is undefined there.

    Raises
    ------
    ProbabilityError
        If the measure needs probabilities and the scores are none.
    """
    entry = request.measure
    reason = unmet(entry, sweep)
    if reason is not None:
        return Undefined(reason)
    if "probabilities" in entry.needs:
        check_probabilities(entry.name, sweep)
    value: Value = entry.value(
        sweep if entry.input == "sweep" else sweep.at(request.options.threshold), request.options
    )
    if isinstance(value, Ratio) and not value.denominator:
        return Undefined(
            Note(
                "denominator-0",
                f"its denominator is 0 at {sweep.rule(request.options.threshold)}",
                f"在 {sweep.rule(request.options.threshold)} 处分母为 0",
            )
        )
    return value


def number(request: Request, value: Value) -> float:
    """Give a computed value as a float.

    Raises
    ------
    UndefinedMeasureError
        If there is none, with the reason.
    """
    if isinstance(value, Undefined):
        raise UndefinedMeasureError(request.spec, value.reason.en)
    return float(value)


def unmet(entry: Measure[Any, Any], sweep: Sweep) -> Note | None:
    """Say which class is missing, if the measure needs it."""
    n_pos, n_neg = sweep.n_pos, sweep.n_neg
    for need, n, zh in (("positives", n_pos, "正例"), ("negatives", n_neg, "负例")):
        if need in entry.needs and n == 0:
            found = f"({n_pos:,} positive, {n_neg:,} negative)"
            return Note(f"no-{need}", f"there are no {need} {found}", f"没有{zh}（正例 {n_pos:,}，负例 {n_neg:,}）")
    return None


def check_probabilities(name: str, sweep: Sweep) -> None:
    """Refuse scores outside [0, 1], and scores of which the low ones are the positive sign."""
    ends = (float(sweep.scores[0]), float(sweep.scores[-1]))
    if min(ends) < 0 or max(ends) > 1:
        raise ProbabilityError(name, min(ends), max(ends))
    if not sweep.higher_is_positive:
        raise UndefinedMeasureError(
            name,
            "it reads a score as the probability of the positive, and here low scores are positive",
            "pass 1 - y_score with higher_is_positive=True",
        )
