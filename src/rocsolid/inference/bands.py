"""Confidence bands of ROC, precision-recall and DET curves.

Every band is read off one region around the ROC curve (:mod:`rocsolid.inference.envelope`):

    rectangle   one region at z_c = equal local levels of class c at sqrt(1 - alpha). The classes are independent,
                so both sets of limits hold at once with probability 1 - alpha at least; then every true point lies
                in the rectangle of the vertex seen at its cut. Proven for any distribution, ties included.
    ellipse     the union over phi of the regions at (z_neg cos phi, z_pos sin phi): the staircase form of "the union
                of the confidence ellipses at all cuts". z_c = equal local levels at 1 - alpha makes it simultaneous,
                z_c = 1.96 pointwise. Validated by simulation (docs/explanation/bands.md), not proven.

Precision is a falling function of the FPR at each recall, pi r / (pi r + (1 - pi) x), so the band of the
precision-recall curve is the same region read sideways; a miss rate is 1 - TPR.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rocsolid.curves.points import need
from rocsolid.errors import NotAvailableError, OptionError, UnknownNameError
from rocsolid.inference import envelope as env
from rocsolid.inference.band import Band, precision_limits
from rocsolid.inference.equal_local_levels import local_z
from rocsolid.inference.limits import normal_quantile
from rocsolid.options import check_choice, check_level, check_number
from rocsolid.results import Interval, Note
from rocsolid.sweep import Sweep

Floats = env.Floats
ANGLES = tuple(i * math.pi / 16 for i in range(9))
"""Nine angles come within half a percent of the full ellipse."""
SAMPLED = "sampled"
BANDED = ("roc", "precision_recall", "det")
ALIASES = {"pr": "precision_recall"}


@dataclass(frozen=True, slots=True)
class BandSpec:
    """What is asked for, checked: ``method`` is never ``"auto"`` here."""

    kind: str
    method: str
    level: float

    @property
    def proven(self) -> bool:
        """Whether the coverage is a theorem."""
        return self.method == "rectangle"


def check_spec(kind: str, method: str, guarantee: object, level: float) -> BandSpec:
    """Combine the options, or say which of them do not go together."""
    check_choice("kind", kind, ("simultaneous", "pointwise"))
    check_choice("method", method, ("auto", "ellipse", "jeffreys", "rectangle"))
    if not isinstance(guarantee, bool):
        raise OptionError("guarantee", guarantee, "True or False", "guarantee=True")
    if guarantee and kind == "pointwise":
        raise OptionError("kind", kind, "'simultaneous' with guarantee=True", 'kind="simultaneous"')
    if guarantee and method not in ("auto", "rectangle"):
        raise OptionError("method", method, "'rectangle', the only one proven, with guarantee=True", "leave method out")
    if method == "rectangle" and not guarantee:
        raise OptionError("guarantee", guarantee, "True for method='rectangle'", "guarantee=True")
    if method == "jeffreys" and kind == "simultaneous":
        raise OptionError("method", method, "'ellipse' for a simultaneous band", 'kind="pointwise"')
    chosen = ("rectangle" if guarantee else "ellipse") if method == "auto" else method
    return BandSpec(kind, chosen, check_level(level))


def band(
    name: str,
    sweep: Sweep,
    *,
    kind: str = "simultaneous",
    method: str = "auto",
    guarantee: bool = False,
    confidence_level: float = 0.95,
    prevalence: float | str | None = None,
) -> Band:
    """Draw the confidence band of a curve; arguments and errors as in :meth:`rocsolid.Evaluation.band`. O(n).

    Examples
    --------
    Two rows a class; with one positive on top TPR may be as high as sqrt(0.975), pointwise, before any false alarm:

    >>> sweep = Sweep.from_arrays([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> found = band("roc", sweep, kind="pointwise")
    >>> found.at(0).low, round(found.at(0).high, 4)
    (0.0, 0.9874)
    >>> band("roc", sweep, guarantee=True)
    <simultaneous roc band, 0.95 (rectangle, proven); 2 positive, 2 negative; positive: 1>
    """
    key = ALIASES.get(name, name)
    if key not in BANDED:
        raise UnknownNameError("curve", name, (*BANDED, *ALIASES))
    spec = check_spec(kind, method, guarantee, confidence_level)
    if prevalence is not None and key != "precision_recall":
        raise OptionError("prevalence", prevalence, f"left out: a {key} band does not depend on it", "prevalence=None")
    if sweep.weights is not None:
        raise NotAvailableError(
            "a band of weighted rows (its limits are those of whole counts)",
            "leave sample_weight out; repeated rows go in through Sweep.from_counts",
        )
    need(sweep, f"{key} curve", "positives", "negatives")
    if key == "precision_recall":
        return _precision_band(sweep, spec, prevalence)
    x, low, high = _outline(sweep, spec, spec.level, sideways=False)
    if key == "det":
        low, high = 1 - high, 1 - low
    return _result(key, sweep, spec, (x, low, high))


def _result(
    key: str, sweep: Sweep, spec: BandSpec, arrays: tuple[Floats, Floats, Floats], notes: tuple[Note, ...] = ()
) -> Band:
    return Band(
        curve=key, kind=spec.kind, method=spec.method, confidence_level=spec.level, guarantee=spec.proven,
        x=arrays[0], low=arrays[1], high=arrays[2], sizes=sweep.sizes, pos_label=sweep.pos_label,
        notes=(_statement(spec), *notes),
    )  # fmt: skip


def _outline(sweep: Sweep, spec: BandSpec, level: float, *, sideways: bool) -> tuple[Floats, Floats, Floats]:
    """``x, low, high`` of TPR at each FPR or, sideways, of FPR at each TPR."""
    tp, fp = (np.concatenate([[0], cumulated.astype(np.int64)]) for cumulated in (sweep.tp, sweep.fp))
    stops = env.choose_stops(tp, fp)
    limits = env.jeffreys if spec.method == "jeffreys" else env.clopper_pearson
    regions = [env.region(tp, fp, stops, z, limits) for z in _deviates(sweep, spec, level)]
    uppers, lowers = [upper for upper, _ in regions], [lower for _, lower in regions]
    if sideways:
        return env.outline([line[::-1] for line in lowers], [line[::-1] for line in uppers])
    return env.outline(uppers, lowers)


def _deviates(sweep: Sweep, spec: BandSpec, level: float) -> list[tuple[float, float]]:
    """The pairs (z of the negatives, z of the positives) whose regions make up the band."""
    sizes = sweep.n_neg, sweep.n_pos
    if spec.method == "rectangle":
        return [(local_z(sizes[0], math.sqrt(level)), local_z(sizes[1], math.sqrt(level)))]
    of: Callable[[int], float] = (
        (lambda n: local_z(n, level)) if spec.kind == "simultaneous" else (lambda n: normal_quantile(level))
    )
    z_neg, z_pos = (of(n) for n in sizes)
    return [(z_neg * max(math.cos(phi), 0.0), z_pos * math.sin(phi)) for phi in ANGLES]


# --------------------------------------------------------------------------------------- precision-recall


def _precision_band(sweep: Sweep, spec: BandSpec, prevalence: float | str | None) -> Band:
    level, share, note = _prevalence(sweep, spec, prevalence)
    recall, fpr_low, fpr_high = _outline(sweep, spec, level, sideways=True)
    low, high = precision_limits(recall, fpr_low, fpr_high, share)
    found = _result("precision_recall", sweep, spec, (recall, low, high), (note,))
    return found.with_rates(fpr_low, fpr_high, share)


def _prevalence(sweep: Sweep, spec: BandSpec, given: float | str | None) -> tuple[float, Interval, Note]:
    """Level left for the curve, the prevalence as an interval (one point if it is given) and what that means."""
    n_pos, n = sweep.n_pos, sweep.n_pos + sweep.n_neg
    if given == SAMPLED:
        alpha = 1 - spec.level
        low, high = env.clopper_pearson(np.array([n_pos]), n, normal_quantile(1 - alpha / 3))
        share = Interval(
            low=float(low[0]), high=float(high[0]), confidence_level=1 - alpha / 3, method="clopper-pearson"
        )
        return 1 - 2 * alpha / 3, share, SAMPLED_PREVALENCE
    if given is None:
        pi = n_pos / n
    else:
        number = check_number("prevalence", given) if not isinstance(given, str) else math.nan
        if not 0 < number < 1:
            hint = f"prevalence={n_pos / n:.3g} is that of the sample"
            raise OptionError("prevalence", given, f"between 0 and 1, or {SAMPLED!r}", hint)
        pi = float(number)
    note = Note(
        "at-prevalence",
        f"a statement about precision at prevalence {pi:.4g}" + (", that of the sample" if given is None else ""),
        f"关于正例比例为 {pi:.4g}" + ("（即样本中的比例）" if given is None else "") + " 时的查准率的陈述",
    )
    return spec.level, Interval(low=pi, high=pi, confidence_level=spec.level, method="given"), note


SAMPLED_PREVALENCE = Note(
    "sampled-prevalence",
    "a statement about precision at the population's prevalence: a third of alpha is spent on the prevalence, "
    "the rest on the curve; the rows must be a random sample of the population",
    "关于总体正例比例下的查准率的陈述：alpha 的三分之一用于正例比例，其余用于曲线；各行须是总体的随机样本",
)
_STATEMENTS = {
    "rectangle": Note(
        "band-proven",
        "simultaneous and proven: the whole true curve lies inside with at least this probability, for any "
        "distribution of independent rows",
        "同时置信带，且有证明：对任意分布的独立样本，整条真实曲线以不低于该概率落在带内",
    ),
    "simultaneous": Note(
        "band-simultaneous",
        "simultaneous: the whole true curve lies inside at once; coverage validated by simulation, not proven "
        "(guarantee=True is)",
        "同时置信带：整条真实曲线同时落在带内；覆盖率经模拟验证，并无证明（guarantee=True 有证明）",
    ),
    "pointwise": Note(
        "band-pointwise",
        "pointwise: the level holds at each single x, not for the curve as a whole",
        "逐点置信带：置信水平对每个单独的横坐标成立，而非对整条曲线",
    ),
}


def _statement(spec: BandSpec) -> Note:
    return _STATEMENTS["rectangle" if spec.proven else spec.kind]
