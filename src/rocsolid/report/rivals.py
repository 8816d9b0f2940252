"""What comparisons of models show, in sentences: a winner only where test and interval agree on one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsolid.report.difference_grid import p_of
from rocsolid.report.text import number, span
from rocsolid.text import printable

Both = dict[str, str]
SMALL = 0.01
"""A difference of areas below this changes less than one pair in a hundred."""
NAMED = 3
"""So many rivals are named in a sentence; the table has them all."""
REMARKS = ("low-power", "no-variation", "single-row")
TITLES: dict[str, Both] = {
    "roc_auc": {"en": "ROC-AUC", "zh": "ROC-AUC"},
    "average_precision": {"en": "average precision", "zh": "平均查准率"},
}


@dataclass(frozen=True, slots=True)
class Duel:
    """Two models and a measure, seen from the first: its value less that of the second, with limits and p."""

    measure: str
    first: str
    second: str
    values: tuple[float, float]
    difference: float
    low: float | None
    high: float | None
    p: float | None
    p_text: str
    notes: tuple[dict[str, str], ...]

    def turned(self) -> Duel:
        """Give the same, seen from the second model."""
        return Duel(
            self.measure, self.second, self.first, self.values[::-1], -self.difference or 0.0,
            None if self.high is None else -self.high or 0.0, None if self.low is None else -self.low or 0.0,
            self.p, self.p_text, self.notes,
        )  # fmt: skip

    def has(self, code: str) -> bool:
        """Whether there is a remark of this kind."""
        return any(note["code"] == code for note in self.notes)

    def won(self, alpha: float) -> bool:
        """Whether test and interval both say that the first is higher."""
        return self.low is not None and self.low > 0 and self.p is not None and self.p < alpha

    def open(self, alpha: float) -> bool:
        """Whether both leave it open which is higher."""
        return self.low is not None and self.high is not None and self.low <= 0 <= self.high and (
            self.p is not None and self.p >= alpha
        )  # fmt: skip

    @property
    def interval(self) -> str:
        """The difference with its interval."""
        return number(self.difference) + ("" if self.low is None else f" {span(self.low, self.high)}")

    def facts(self, language: str) -> str:
        """Both values and p, in brackets."""
        a, b = (number(v) for v in self.values)
        if language == "en":
            return f"({a} against {b}{'' if self.p is None else f', p = {self.p_text}'})"
        return f"（{a} 对 {b}{'' if self.p is None else f'，p = {self.p_text}'}）"


def duel(measure: str, pair: dict[str, Any]) -> Duel:
    """Read a pair of the summary, seen from its higher model."""
    adjusted = pair["adjusted_pvalue"] is not None
    a, b = (short(printable(name)) for name in pair["models"])
    one, other = (e["value"] for e in pair["estimates"])
    found = Duel(
        measure, a, b, (one, other), pair["difference"], pair["low"], pair["high"],
        pair["adjusted_pvalue"] if adjusted else pair["pvalue"], p_of(pair, adjusted=adjusted),
        tuple(note for note in pair["notes_i18n"] if note["code"] in (*REMARKS, "identical", "both-perfect")),
    )  # fmt: skip
    return found.turned() if found.difference < 0 else found


def short(name: str, limit: int = 48) -> str:
    """Cut a name that is longer than a sentence bears."""
    return name if len(name) <= limit else name[: limit - 1].rstrip() + "…"


# ---------------------------------------------------------------------------------------------- two models


def by_area(d: Duel, alpha: float) -> Both:
    """Word what ROC-AUC shows of two models."""
    a, b = d.first, d.second
    if d.has("both-perfect") or d.has("identical"):
        return _alike(d)
    if d.won(alpha):
        assert d.high is not None
        little = d.high < SMALL
        en = f"“{a}” ranks better than “{b}”{', but by little' if little else ''}: its ROC-AUC is higher by "
        zh = f"“{a}”的排序优于“{b}”{'，但相差甚微' if little else ''}：其 ROC-AUC 高出 "
        en += f"{d.interval} {d.facts('en')}."
        zh += f"{d.interval}{d.facts('zh')}。"
        if little:
            en += " Whether less than one pair in a hundred matters, no test can say."
            zh += "不到百分之一的正负例对是否要紧，检验无法回答。"
        return {"en": en, "zh": zh}
    show, show_zh = ("show", "说明") if d.open(alpha) else ("settle", "判定")
    en = f"The data do not {show} which of “{a}” and “{b}” ranks better: by ROC-AUC {_less(d, 'en')}"
    zh = f"数据不足以{show_zh}“{a}”与“{b}”的排序孰优：按 ROC-AUC，{_less(d, 'zh')}"
    if d.open(alpha):
        en += f", so {_possible(d, 'en')}"
        zh += f"，{_possible(d, 'zh')}"
    else:
        en, zh = en + _disagreement(d, alpha)["en"], zh + _disagreement(d, alpha)["zh"]
    return _remarked(d, en, zh)


def by_precision(d: Duel, alpha: float, area: Duel | None) -> Both:
    """Word what average precision shows of two models, after what ROC-AUC showed of them."""
    if d.has("both-perfect") or d.has("identical"):
        return _alike(d, again=area is not None)
    winner = area.first if area is not None and area.won(alpha) else None
    if d.won(alpha):
        return _won_by_precision(d, winner)
    if winner == d.second:
        d = d.turned()
    if area is not None and area.open(alpha) and d.open(alpha):
        if area.first != d.first:
            d = d.turned()
        return _remarked(
            d, f"Nor do they by average precision: {_less(d, 'en')}", f"平均查准率同样如此：{_less(d, 'zh')}"
        )
    if d.turned().open(alpha):
        return _remarked(d, f"By average precision the data do not show a difference: {_less(d, 'en')}",
                         f"按平均查准率，数据不足以说明有差异：{_less(d, 'zh')}")  # fmt: skip
    en, zh = f"By average precision {_less(d, 'en')}", f"按平均查准率，{_less(d, 'zh')}"
    return _remarked(d, en + _disagreement(d, alpha)["en"], zh + _disagreement(d, alpha)["zh"])


def _disagreement(d: Duel, alpha: float) -> Both:
    """Say which of interval and test speaks for a difference, where only one of them does."""
    if d.p is None or d.low is None:
        return {"en": "", "zh": ""}
    if d.p < alpha:
        return {"en": ": the test speaks for a difference, but the interval does not rule out that there is none",
                "zh": "：检验支持有差异，但区间不排除没有差异"}  # fmt: skip
    return {"en": ": the interval leaves out 0, but the test does not show a difference",
            "zh": "：区间不含 0，但检验不足以说明有差异"}  # fmt: skip


def _won_by_precision(d: Duel, winner: str | None) -> Both:
    en, zh = f"{d.interval} {d.facts('en')}", f"{d.interval}{d.facts('zh')}"
    if winner == d.first:
        return {"en": f"Its average precision is higher too, by {en}.", "zh": f"其平均查准率也更高，高出 {zh}。"}
    why_en, why_zh = "the top of the list weighs more there.", "该指标更看重排名靠前的部分。"
    if winner is None:
        return {
            "en": f"By average precision “{d.first}” is better, higher by {en}: {why_en}",
            "zh": f"按平均查准率则“{d.first}”更好，高出 {zh}：{why_zh}",
        }
    return {
        "en": f"By average precision it is the other way round: “{d.first}” is higher by {en}; {why_en}",
        "zh": f"按平均查准率则相反：“{d.first}”高出 {zh}；{why_zh}",
    }


def _alike(d: Duel, *, again: bool = False) -> Both:
    """Both perfect, or no row tells them apart; ``again`` after the same was said of ROC-AUC."""
    a, b, value = d.first, d.second, number(d.values[0])
    title, title_zh = ("a ROC-AUC", " ROC-AUC ") if d.measure == "roc_auc" else ("an average precision", "平均查准率")
    if not d.has("both-perfect"):
        zh = f"两者的{title_zh}均为 {value}。"
        if again:
            return {"en": f"Both have {title} of {value}.", "zh": zh}
        return {
            "en": f"No row tells “{a}” and “{b}” apart: both have {title} of {value}.",
            "zh": f"没有任何一行能区分“{a}”与“{b}”：{zh}",
        }
    best = title.split(" ", 1)[1]
    if again:
        return {"en": f"Both reach the best possible {best} too.", "zh": f"两者的{title_zh}也都达到了最优值。"}
    more = ("", "") if d.low is None else (f", and {_possible(d, 'en')}", f"，{_possible(d, 'zh')}")
    return {
        "en": f"“{a}” and “{b}” both reach the best possible {best}, {value}: this sample can not tell them apart"
        f"{more[0]}.",
        "zh": f"“{a}”与“{b}”的{title_zh}都达到了最优值 {value}：该样本无法区分它们{more[1]}。",
    }


def _less(d: Duel, language: str) -> str:
    if language == "en":
        return f"“{d.first}” less “{d.second}” is {d.interval} {d.facts('en')}"
    return f"“{d.first}”减“{d.second}”为 {d.interval}{d.facts('zh')}"


def _possible(d: Duel, language: str) -> str:
    """Say how far the interval reaches in favour of either."""
    assert d.low is not None
    low, high = number(-d.low or 0.0), number(d.high)
    if language == "en":
        return f"anything from {low} in favour of “{d.second}” to {high} in favour of “{d.first}” is still possible"
    return f"从“{d.second}”高 {low} 到“{d.first}”高 {high} 都仍有可能"


def _remarked(d: Duel, en: str, zh: str) -> Both:
    """End the sentence, and add why there is no test or little hope of one."""
    notes = [note for note in d.notes if note["code"] in REMARKS]
    return {"en": " ".join([f"{en}.", *(f"{note['en'][:1].upper()}{note['en'][1:]}." for note in notes)]),
            "zh": "".join([f"{zh}。", *(f"{note['zh']}。" for note in notes)])}  # fmt: skip


# --------------------------------------------------------------------------------------------- more models


def among(head: Both, leader: str, duels: list[Duel], alpha: float) -> Both:
    """Continue a sentence on the leader of several models: whom it beats, and whom the data do not tell it from."""
    own = [d if d.first == leader else d.turned() for d in duels if leader in (d.first, d.second)]
    beaten = [d for d in own if d.won(alpha)]
    open_ = [d for d in own if not d.won(alpha)]
    en, zh = [], []
    if beaten:
        en.append(f"It is higher than that of {_listed(beaten, 'en', by=True)}")
        zh.append(f"它高于{_listed(beaten, 'zh', by=True)}")
    if open_:
        en.append(f"{'t' if beaten else 'T'}he data do not show a difference from {_listed(open_, 'en')}")
        zh.append(f"数据不足以说明它与{_listed(open_, 'zh')}有差异" if len(open_) > 1 else _one_open(open_[0]))
    return {"en": f"{head['en']} {'; '.join(en)}.", "zh": f"{head['zh']}{'；'.join(zh)}。"}


def _one_open(d: Duel) -> str:
    return f"数据不足以说明它与“{d.second}”有差异（{d.interval}{'' if d.p is None else f'，p = {d.p_text}'}）"


def _listed(duels: list[Duel], language: str, *, by: bool = False) -> str:
    """Name the rivals with the difference; the closest first, and only so many of them."""
    closest = sorted(duels, key=lambda d: d.difference)
    comma, opens, closes = (", ", " (", ")") if language == "en" else ("，", "（", "）")
    before = ("by " if language == "en" else "高出 ") if by else ""
    named = [
        f"“{d.second}”{opens}{before}{d.interval}{'' if d.p is None else f'{comma}p = {d.p_text}'}{closes}"
        for d in closest[:NAMED]
    ]
    rest = len(duels) - len(named)
    if rest:
        named.append(f"{rest} more" if language == "en" else f"另外 {rest} 个模型")
    if language == "zh":
        return "、".join(named)
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
