"""Where ROC curves of two models cross in the sample, or which of them lies above the other, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from rocsolid.evaluation import Evaluation
from rocsolid.inference.crossing_points import Staircase, meetings, pieces
from rocsolid.report.differences import MOST_MODELS
from rocsolid.report.rivals import short
from rocsolid.report.text import percent
from rocsolid.text import printable

Both = dict[str, str]
NAMED = 3
"""So many crossings are listed for a pair."""
MOST_SCORES = 200_000


def crossings(evaluations: Mapping[str, Evaluation]) -> list[Both]:
    """Say for each pair of models where their curves cross, exactly and without intervals; O(k log k) a pair.

    Nothing is said of weighted rows, of models with different numbers of rows, of more than eight models, and of more
    than 200,000 distinct scores, where it takes seconds.
    """
    if not 2 <= len(evaluations) <= MOST_MODELS:
        return []
    sweeps = [member.sweep for member in evaluations.values()]
    sizes = {(sweep.n_pos, sweep.n_neg) for sweep in sweeps}
    _, n_neg = next(iter(sizes))
    weighted = any(sweep.weights is not None for sweep in sweeps)
    if len(sizes) > 1 or weighted or max(map(len, sweeps)) > MOST_SCORES:
        return []
    names = [short(printable(name)) for name in evaluations]
    stairs = [Staircase.of(sweep.pos, sweep.neg) for sweep in sweeps]
    both = combinations(zip(names, stairs, strict=True), 2)
    return [_pair((a, b), (one, other), n_neg) for (a, one), (b, other) in both]


def _pair(names: tuple[str, str], stairs: tuple[Staircase, Staircase], n_neg: int) -> Both:
    first, second = names
    spans = pieces(*stairs)
    points = [(float(m.fp / n_neg), m.before) for m in meetings(*stairs, spans)]
    signs = {span.sign for span in spans}
    if not points:
        if signs <= {0}:
            return {"en": f"“{first}” and “{second}” have the same curve.", "zh": f"“{first}”与“{second}”的曲线相同。"}
        above, below = names if 1 in signs else names[::-1]
        return {"en": f"The curve of “{above}” is nowhere below that of “{below}” in this sample.",
                "zh": f"在该样本中，“{above}”的曲线处处不低于“{below}”。"}  # fmt: skip
    ahead, behind = names if points[0][1] > 0 else names[::-1]
    at = [percent(fpr) for fpr, _ in points[:NAMED]]
    more = len(points) - len(at)
    if len(points) == 1:
        return {"en": f"“{ahead}” is higher up to FPR {at[0]}, “{behind}” beyond it, in this sample.",
                "zh": f"在该样本中，假正例率 {at[0]} 以下“{ahead}”较高，以上“{behind}”较高。"}  # fmt: skip
    en, zh = (f" and {more} more", " 等") if more else ("", "")
    return {
        "en": f"“{ahead}” and “{behind}” cross {len(points)} times in this sample, at FPR {', '.join(at)}{en}; "
        f"“{ahead}” is higher up to the first.",
        "zh": f"在该样本中，“{ahead}”与“{behind}”的曲线相交 {len(points)} 次，假正例率为 {'、'.join(at)}{zh}；"
        f"第一个交点之前“{ahead}”较高。",
    }
