"""Pool one measure over sites: random effects on the logit scale, and the table that shows them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsolid.errors import EmptyInputError, OptionError, UndefinedMeasureError
from rocsolid.inference import limits as lim
from rocsolid.inference import random_effects as re
from rocsolid.measures.registry import find
from rocsolid.options import check_choice, check_level
from rocsolid.results import Estimate, Interval, Note, format_interval
from rocsolid.text import aligned, format_number
from rocsolid.values import SCHEMA, GridResult

INTERVALS = ("hartung-knapp-modified", "hartung-knapp", "wald")
BAR = 31
"""Characters of the picture of an interval."""

NO_PREDICTION = Note(
    "no-prediction",
    "no prediction interval: two sites do not show how much sites differ",
    "没有预测区间：两个中心不足以显示中心之间的差异",
)
NO_SPREAD_FOUND = Note(
    "no-spread-between-sites",
    "tau^2 is estimated as 0: the prediction interval is then often too short; see the interval of tau^2",
    "tau^2 的估计值为 0：此时预测区间往往过窄；请看 tau^2 的区间",
)
ALIKE = Note(
    "sites-too-alike",
    "the sites agree more closely than chance would have it: no tau^2 is compatible, and its interval [0, 0] is empty",
    "各中心之间比随机情况下更为一致：没有任何 tau^2 与之相符，其区间 [0, 0] 实为空集",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledSite:
    """One site: its estimate, what entered the model, and its share of the weight.

    ``logit`` and ``variance`` are its value and squared standard error on the logit scale.
    """

    name: str
    estimate: Estimate
    logit: float
    variance: float
    weight: float

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers and strings."""
        return {
            "name": self.name,
            "logit": self.logit,
            "variance": self.variance,
            "weight": self.weight,
            "estimate": self.estimate.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooled(GridResult):
    """A measure pooled over sites.

    Attributes
    ----------
    measure : the spec.
    value : the measure at a typical site: the mean on the logit scale, taken back.
    interval : confidence interval of that value.
    prediction : where the measure of another site lies; ``None`` for fewer than three sites.
    tau2, tau2_interval : variance between sites on the logit scale, with its Q-profile interval.
    q, pvalue : Cochran's Q, and its p-value under tau2 = 0 (chi-squared, k - 1).
    i2 : max(0, (Q - (k - 1)) / Q), the share of the spread that is not sampling error (Higgins & Thompson 2002).
    logit, logit_se : mean and standard error on the logit scale.
    method : the estimator of tau2 and the form of the interval.
    sites : one entry a site, in the order given.
    notes : remarks.
    """

    measure: str
    value: float
    interval: Interval
    prediction: Interval | None
    tau2: float
    tau2_interval: Interval
    q: float
    pvalue: float
    i2: float
    logit: float
    logit_se: float
    method: str
    sites: tuple[PooledSite, ...]
    notes: tuple[Note, ...] = ()

    def __float__(self) -> float:
        """Give the pooled value."""
        return self.value

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return (self.measure, "value", "interval", "weight")

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give a row for each site, the pooled value, and what to expect of another site."""
        rows: list[tuple[str, ...]] = []
        for site in self.sites:
            assert site.estimate.interval is not None
            interval = format_interval(site.estimate.interval)
            rows.append((site.name, format_number(site.estimate.value), interval, f"{site.weight:.1%}"))
        rows.append(("pooled", format_number(self.value), format_interval(self.interval), ""))
        if self.prediction is not None:
            rows.append(("another site", "", format_interval(self.prediction), ""))
        return rows

    @property
    def footnotes(self) -> list[str]:
        """Give the heterogeneity and the remarks."""
        return [self.summary, *(note.en for note in self.notes)]

    @property
    def summary(self) -> str:
        """Heterogeneity in one line."""
        spread = format_interval(self.tau2_interval)
        return (
            f"tau^2 {format_number(self.tau2)} {spread} on the logit scale; Q {self.q:.4g}, p {self.pvalue:.3g}; "
            f"I^2 {self.i2:.1%}; {self.interval.confidence_level:.4g} intervals; {self.method}"
        )

    def __repr__(self) -> str:
        """Give a forest as text: the table with a picture of each interval."""
        spans = [(site.estimate.value, site.estimate.interval) for site in self.sites]
        drawn = [*spans, (self.value, self.interval), (None, self.prediction)]
        kept = [(value, found.low, found.high) for value, found in drawn if found is not None]
        ends = min(low for _, low, _ in kept), max(high for _, _, high in kept)
        scale = f"{ends[0]:<.3g}".ljust(BAR - 5) + f"{ends[1]:>5.3g}"
        pictures = [scale, *(_bar(*one, ends) for one in kept)]
        lines = [[*cells, picture] for cells, picture in zip(self.printable_rows(), pictures, strict=True)]
        return "\n".join([*aligned(lines), *self.footnotes])

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, strings and lists under a schema version."""
        ends = None if self.prediction is None else [self.prediction.low, self.prediction.high]
        return {
            "schema": SCHEMA,
            "measure": self.measure,
            "value": self.value,
            "low": self.interval.low,
            "high": self.interval.high,
            "confidence_level": self.interval.confidence_level,
            "prediction": ends,
            "tau2": self.tau2,
            "tau2_interval": [self.tau2_interval.low, self.tau2_interval.high],
            "q": self.q,
            "pvalue": self.pvalue,
            "i2": self.i2,
            "logit": self.logit,
            "logit_se": self.logit_se,
            "method": self.method,
            "sites": [site.to_dict() for site in self.sites],
            "notes": [note.en for note in self.notes],
        }


def _bar(value: float | None, low: float, high: float, ends: tuple[float, float]) -> str:
    """Draw an interval between the ends of the picture: ``|--o---|``."""
    scale = (BAR - 1) / (ends[1] - ends[0]) if ends[1] > ends[0] else 0.0
    left, right = (round((x - ends[0]) * scale) for x in (low, high))
    cells = [" "] * BAR
    cells[left : right + 1] = "-" * (right - left + 1)
    cells[left] = cells[right] = "|"
    if value is not None:
        cells[round((value - ends[0]) * scale)] = "o"
    return "".join(cells)


def site_logit(estimate: Estimate) -> tuple[float, float, bool]:
    """Value and variance of an estimate on the logit scale, and whether it had to be moved off 0 or 1.

    Inside (0, 1): logit A and (SE / (A (1 - A)))^2, or, where the method has no standard error, the mean half-width of
    its interval there over z, squared. At 1 no logit exists: the lower limit l of the interval tells how many trials a
    proportion would need to have it, N = z^2 l / (1 - l) by Wilson's formula; with half a hit and half a miss added
    (Haldane 1956; Anscombe 1956) the logit is log(2 N + 1) and its variance 1/(N + 1/2) + 1/(1/2). At 0 likewise.
    """
    value, found = estimate.value, estimate.interval
    assert found is not None
    z = lim.normal_quantile(found.confidence_level)
    if value in (0, 1):
        limit = found.low if value == 1 else 1 - found.high
        size = z * z * limit / (1 - limit)
        centre = math.log(2 * size + 1)
        return (centre if value == 1 else -centre), 1 / (size + 0.5) + 2, True
    centre = math.log(value / (1 - value))
    if estimate.std_error:
        return centre, (estimate.std_error / (value * (1 - value))) ** 2, False
    reach = [abs(math.log(end / (1 - end)) - centre) for end in (found.low, found.high) if 0 < end < 1]
    return centre, (sum(reach) / len(reach) / z) ** 2 if reach else math.inf, False


def pool_estimates(
    estimates: Mapping[str, Estimate],
    measure: str,
    *,
    tau2: str = "reml",
    interval: str = "hartung-knapp-modified",
    confidence_level: float = 0.95,
) -> Pooled:
    """Pool estimates of one measure; :func:`rocsolid.pool` says how."""
    check_choice("tau2", tau2, tuple(re.TAU2))
    check_choice("interval", interval, INTERVALS)
    level = check_level(confidence_level)
    _check_measure(measure)
    _check_estimates(estimates, measure)
    moved = {name: site_logit(e) for name, e in estimates.items()}
    _check_variances(moved)
    sites = re.Sites(np.array([m[0] for m in moved.values()]), np.array([m[1] for m in moved.values()]))
    t2 = re.TAU2[tau2](sites)
    mu, se, limits = re.mean_interval(sites, t2, interval, level)
    spread = re.q_profile(sites, level)
    ahead = re.prediction_interval(mu, se, t2, len(sites), level)
    weights = sites.weights(t2) / sites.weights(t2).sum()
    q, df = sites.q(0.0), len(sites) - 1
    return Pooled(
        measure=measure,
        value=lim.expit(mu),
        interval=_interval(limits, level, interval),
        prediction=None if ahead is None else _interval(ahead, level, "higgins-thompson-spiegelhalter"),
        tau2=t2,
        tau2_interval=Interval(low=spread[0], high=spread[1], confidence_level=level, method="q-profile"),
        q=q,
        pvalue=_upper_tail(q, df),
        i2=max(0.0, (q - df) / q) if q > 0 else 0.0,
        logit=mu,
        logit_se=se,
        method=f"{tau2}, {interval}",
        sites=tuple(
            PooledSite(name=name, estimate=e, logit=moved[name][0], variance=moved[name][1], weight=float(w))
            for (name, e), w in zip(estimates.items(), weights, strict=True)
        ),
        notes=_notes([name for name, m in moved.items() if m[2]], t2, spread[1], ahead is None),
    )  # fmt: skip


def _interval(on_logit_scale: lim.Limits, level: float, method: str) -> Interval:
    low, high = (lim.expit(x) for x in on_logit_scale)
    return Interval(low=low, high=high, confidence_level=level, method=method)


def _upper_tail(q: float, df: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(df, q))


def _notes(moved: list[str], tau2: float, highest: float, no_prediction: bool) -> tuple[Note, ...]:
    notes = []
    if moved:
        names = ", ".join(moved)
        notes.append(
            Note(
                "continuity",
                f"value 0 or 1 at {names}: half a hit and half a miss added on the effective number of rows",
                f"{names} 的值为 0 或 1：按有效行数各加半个命中与半个未命中",
            )
        )
    if no_prediction:
        notes.append(NO_PREDICTION)
    elif tau2 == 0:
        notes.append(NO_SPREAD_FOUND)
    if highest == 0:
        notes.append(ALIKE)
    return tuple(notes)


def _check_measure(measure: str) -> None:
    if find(measure).measure.range != (0.0, 1.0):
        raise OptionError("measure", measure, "one with values from 0 to 1, which has a logit", "for example 'roc_auc'")


def _check_estimates(estimates: Mapping[str, Estimate], measure: str) -> None:
    """Refuse what can not be pooled: nothing, one site, another measure, no value or no interval."""
    if not estimates:
        raise EmptyInputError("sites")
    for name, e in estimates.items():
        if e.measure != measure:
            raise OptionError("sites", f"{name}: {e.measure}", f"estimates of {measure}", f"measure={e.measure!r}")
        if e.undefined is not None:
            raise UndefinedMeasureError(measure, f"at {name}: {e.undefined.en}", "leave this site out, and say so")
        if e.interval is None or e.interval.width == 0:
            why = e.notes[0].en if e.interval is None and e.notes else "its interval has no width"
            raise UndefinedMeasureError(f"pooled {measure}", f"at {name}: {why}", "estimate it with method='auto'")
    if len(estimates) == 1:
        only = next(iter(estimates))
        raise UndefinedMeasureError(
            f"pooled {measure}", f"there is one site, {only!r}: it does not show how sites differ",
            "pass at least two sites, or take the interval of this one",
        )  # fmt: skip


def _check_variances(moved: Mapping[str, tuple[float, float, bool]]) -> None:
    for name, (_, variance, _) in moved.items():
        if not math.isfinite(variance):
            raise UndefinedMeasureError("pooling", f"at {name}: the interval reaches from 0 to 1 and says nothing",
                                        "leave this site out, and say so")  # fmt: skip
