"""The judging: a requirement against an estimate, a difference against a margin."""

from __future__ import annotations

from rocsolid.comparisons import Comparison
from rocsolid.errors import OptionError
from rocsolid.evaluation import Evaluation
from rocsolid.gate.checks import FAIL, PASS, UNDECIDED, Check
from rocsolid.gate.requirements import Requirement
from rocsolid.measures import Request
from rocsolid.results import Estimate, Note
from rocsolid.text import format_number, span


def judge(
    requirement: Requirement,
    evaluation: Evaluation,
    *,
    method: str = "auto",
    n_resamples: int | None = None,
    rng: object = None,
) -> Check:
    """Hold one model's estimate against a requirement: it is kept, or it is not.

    A limit that does not keep its bound fails, since ``@lower`` asks for a proof; the reason says whether the
    estimate itself would have kept it.

    Parameters
    ----------
    requirement : as :func:`parse` reads it.
    evaluation : the model.
    method, n_resamples, rng : how its interval is made, as in ``Evaluation.measure``.

    Raises
    ------
    UndefinedMeasureError
        If the measure has no value on these rows.
    OptionError
        If a limit is required of a measure that has no interval here.

    Examples
    --------
    >>> import rocsolid as rs
    >>> from rocsolid.gate import parse
    >>> judge(parse("roc_auc >= 0.7"), rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="new")).verdict
    'pass'
    """
    found = evaluation.measure(requirement.request.spec, method=method, n_resamples=n_resamples, rng=rng)
    kept = requirement.kept_by(_side(requirement, found))
    return _check(str(requirement), found, PASS if kept else FAIL, _reason(requirement, found, kept), evaluation)


def _side(requirement: Requirement, found: Estimate) -> float:
    if found.undefined is not None:  # asked of an evaluation with on_undefined="nan"
        raise OptionError("requirement", str(requirement), f"of a measure with a value: {found.undefined.en}")
    if requirement.side == "value":
        return found.value
    if found.interval is None:
        raise OptionError(
            "requirement", str(requirement), f"about the value: {requirement.request.spec} has no interval by default",
            "method='bootstrap'",
        )  # fmt: skip
    return found.interval.low if requirement.side == "lower" else found.interval.high


WHAT = {"value": ("value", "估计值"), "lower": ("lower limit", "区间下限"), "upper": ("upper limit", "区间上限")}


def _reason(requirement: Requirement, found: Estimate, kept: bool) -> Note:
    """Say what was compared, and what the rest of the estimate says where that is not the same."""
    number, bound = format_number(_side(requirement, found)), f"{requirement.comparison} {requirement.bound:g}"
    en, zh = WHAT[requirement.side]
    en = f"the {en} {number} is {'' if kept else 'not '}{bound}"
    zh = f"{zh} {number} {'满足' if kept else '不满足'} {bound}"
    limits = found.interval
    if requirement.side != "value":
        if not kept and requirement.kept_by(found.value):
            en += f"; the value {format_number(found.value)} is"
            zh += f"；估计值 {format_number(found.value)} 满足"
    elif limits is not None and requirement.kept_by(limits.low) != requirement.kept_by(limits.high):
        en += f"; these rows do not settle it, the interval is {span(limits.low, limits.high)}"
        zh += f"；这些行不足以定论，区间为 {span(limits.low, limits.high)}"
    return Note("requirement-kept" if kept else "requirement-not-kept", en, zh)


def _check(asked: str, found: Estimate, verdict: str, why: Note, evaluation: Evaluation) -> Check:
    limits = found.interval
    return Check(
        asked=asked, model=evaluation.name or "score", measure=found.measure, verdict=verdict, why=why,
        value=found.value, low=None if limits is None else limits.low, high=None if limits is None else limits.high,
        confidence_level=None if limits is None else limits.confidence_level, method=found.method,
        sizes=found.sizes, notes=found.notes,
    )  # fmt: skip


def against(request: Request, found: Comparison, margin: float, baseline: str) -> Check:
    """Hold a difference, model less baseline, against a margin: three answers.

    ``pass`` if the whole interval lies on the good side of the margin: the model is shown to be no worse by more than
    it. ``fail`` if the whole interval lies beyond: it is shown to be worse. ``not distinguishable`` in between.

    Parameters
    ----------
    request : the measure; its direction says which side is worse.
    found : the difference with its two-sided interval.
    margin : the largest loss that does not matter, >= 0, in units of the measure.
    baseline : what to call the other model.

    Raises
    ------
    OptionError
        For a measure of which neither more nor less is better.

    Examples
    --------
    The difference is 0.25, in an interval so wide that four rows say nothing:

    >>> import rocsolid as rs
    >>> from rocsolid.measures import find
    >>> difference = rs.compare([0, 0, 1, 1], {"new": [1, 2, 3, 4], "old": [1, 3, 2, 4]})
    >>> against(find("roc_auc"), difference, 0.05, "old").verdict
    'not distinguishable'
    """
    better = check_better(request)
    asked = f"{request.spec} not worse than {baseline}" + (f" by more than {margin:g}" if margin else "")
    verdict, why = _three_ways(found, margin, better)
    limits = found.interval
    return Check(
        asked=asked, model=found.names[0], measure=request.spec, verdict=verdict, why=why, value=found.difference,
        low=None if limits is None else limits.low, high=None if limits is None else limits.high,
        confidence_level=None if limits is None else limits.confidence_level, method=found.method,
        sizes=found.estimates[0].sizes, notes=found.notes,
    )  # fmt: skip


def check_better(request: Request) -> str:
    """Return which direction of a measure is better; one without a direction has no worse either."""
    better = request.measure.better
    if better not in ("higher", "lower"):
        raise OptionError("measure", request.spec, "one of which more, or less, is better", "for example roc_auc")
    return better


def _three_ways(found: Comparison, margin: float, better: str) -> tuple[str, Note]:
    limits = found.interval
    if any(note.code == "identical" for note in found.notes):
        return PASS, Note(
            "identical", "no row tells the two apart: the difference is 0", "没有任何一行能区分两者：差为 0"
        )
    if limits is None:
        return UNDECIDED, Note("no-interval", "the difference has no interval", "差值没有区间")
    # losses: how much worse the model is, whichever way the measure points
    least, most = (-limits.high, -limits.low) if better == "higher" else (limits.low, limits.high)
    text = f"{format_number(found.difference)} {span(limits.low, limits.high)}"
    en, zh = f"the difference is {text}", f"差值为 {text}"
    if most <= margin:
        at_worst = ("nothing", "无损失") if most <= 0 else (format_number(most), f"损失 {format_number(most)}")
        return PASS, Note("not-worse", f"{en}, at worst a loss of {at_worst[0]}", f"{zh}，最坏情况下{at_worst[1]}")
    if least > margin:
        loss = format_number(least)
        return FAIL, Note("worse", f"{en}, at best a loss of {loss}", f"{zh}，最好情况下也损失 {loss}")
    return UNDECIDED, Note(
        "not-distinguishable", f"{en}, which holds losses on both sides of {margin:g}",
        f"{zh}，其中的损失在 {margin:g} 两侧都有",
    )  # fmt: skip
