"""Remarks on data and results that a careful colleague would make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rocsolid.measures.ranking import prevalence
from rocsolid.measures.registry import REGISTRY
from rocsolid.results import Estimate, Note
from rocsolid.sweep import Sweep
from rocsolid.text import format_number

WARNED = frozenset({"below-half", "few-rows", "few-scores"})
"""Remarks that are also given as a :class:`~rocsolid.errors.RocsolidWarning`, once an evaluation."""

AUC_FAMILY = ("roc_auc", "gini", "d_prime")
RANKING = (*AUC_FAMILY, "partial_auc", "average_precision")
PER_ROW = ("net_benefit", "expected_cost")


def remarks_on(sweep: Sweep, found: Estimate, *, dropped: int = 0, margins: str = "random") -> tuple[Note, ...]:
    """Collect the remarks that apply to an estimate, the method's own first."""
    family = found.measure.partition("(")[0]
    notes = list(found.notes)
    if found.undefined is None:
        if family in AUC_FAMILY:
            notes += _below_half(sweep, found, family)
        if family == "average_precision" and sweep.n_neg == 0:
            notes.append(NO_NEGATIVES)
        if found.measure in ("average_precision", "brier_score", "log_loss") or family in PER_ROW:
            notes.append(_at_prevalence(sweep, family, margins))
        if family in RANKING and sweep.n_neg > 0:
            notes += _small(sweep)
        if found.details.get("tied_at_cut"):
            notes.append(TIES_AT_CUT)
    if sweep.weights is not None:
        notes.append(DRAWN_WITH_WEIGHTS if (found.method or "").startswith("bootstrap") else WEIGHTED)
    if dropped:
        notes.append(dropped_rows(dropped))
    return tuple(notes)


def with_notes(found: Estimate, notes: Sequence[Note], name: str | None) -> Estimate:
    """Give the estimate under a model's name with these remarks."""
    return replace(found, notes=tuple(notes), name=name, details=dict(found.details))


def _below_half(sweep: Sweep, found: Estimate, family: str) -> list[Note]:
    chance = 0.5 if family == "roc_auc" else 0.0
    if found.interval is None or not found.interval.high < chance:
        return []
    high = sweep.higher_is_positive
    return [
        Note(
            "below-half",
            f"the whole interval of {family} lies below chance: is {sweep.pos_label!r} the positive label, and do "
            f"{'high' if high else 'low'} scores mean positive?",
            f"{family} 的整个区间都低于随机水平：正例标签确实是 {sweep.pos_label!r} 吗？"
            f"{'高' if high else '低'}分是否表示正例？",
        )
    ]


def _at_prevalence(sweep: Sweep, family: str, margins: str) -> Note:
    share, entry = format_number(prevalence(sweep)), REGISTRY[family]
    zh = "视为随机" if margins == "random" else "视为固定"
    return Note(
        f"prevalence-{family}",
        f"{entry.title} at prevalence {share}; class sizes taken as {margins}",
        f"{entry.title_zh}对应的正例比例为 {share}；各类样本量{zh}",
    )


def _small(sweep: Sweep) -> list[Note]:
    notes = []
    smaller = min(sweep.n_pos, sweep.n_neg)
    if smaller < 5:
        notes.append(
            Note(
                "few-rows",
                f"a class has only {smaller} row{'s' if smaller != 1 else ''}: "
                "intervals rest on their prior more than on the data",
                f"某一类只有 {smaller} 行：区间主要取决于先验而非数据",
            )
        )
    if len(sweep) <= 2 or (len(sweep) == 3 and smaller < 30):
        notes.append(
            Note(
                "few-scores",
                f"the scores have only {len(sweep)} distinct value{'s' if len(sweep) != 1 else ''}: "
                "are these decisions instead of scores?",
                f"得分只有 {len(sweep)} 个不同的取值：这些是判定结果而不是得分吗？",
            )
        )
    return notes


NO_NEGATIVES = Note(
    "no-negatives",
    "there are no negatives, so every precision is 1 whatever the scores",
    "没有负例，因此无论得分如何查准率都是 1",
)
TIES_AT_CUT = Note(
    "ties-at-cut",
    "rows are tied at the cut: the value is the mean over their orders, and details hold the worst and the best",
    "切点处有同分的行：数值为各种排列的平均，details 中给出最差与最好的情形",
)
WEIGHTED = Note(
    "weighted",
    "weights are taken as sampling weights: intervals by linearisation, with effective class sizes",
    "权重视为抽样权重：区间采用线性化方法与有效样本量",
)

DRAWN_WITH_WEIGHTS = Note(
    "weighted",
    "weights are taken as sampling weights: rows are drawn with equal probability, and come with their weights",
    "权重视为抽样权重：各行以相同概率抽取，并带有各自的权重",
)


def dropped_rows(n: int) -> Note:
    """Say how many rows were left out because something was missing."""
    return Note(
        "dropped",
        f"{n:,} row{'s' if n != 1 else ''} with a missing label or score left out",
        f"略去了 {n:,} 行缺失标签或得分的数据",
    )
