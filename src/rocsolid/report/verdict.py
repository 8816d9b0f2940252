"""Two or three sentences on what the numbers say, in both languages, read off the summary's models."""

from __future__ import annotations

from typing import Any

from rocsolid.report.text import count, number, printable, span

Both = dict[str, str]


def verdict(models: list[dict[str, Any]]) -> list[Both]:
    """Word the ranking measures of the models; nothing is said about measures that were not asked for. O(models)."""
    roc = _rows(models, "roc_auc")
    precision = _rows(models, "average_precision")
    if len(models) == 1:
        return [*(_one_auc(*row) for row in roc), *(_one_ap(*row) for row in precision)]
    said = []
    same = _same_rows(models)
    if roc:
        said.append(_leader(roc, len(models)))
    if precision:
        said.append(_leader_ap(precision, _best(roc) if roc else None))
    if said and not same:
        said[0] = _on_own_rows(said[0])
    if said:
        said.append(_not_compared(len(models)) if same else _not_comparable(models))
    return said


def _same_rows(models: list[dict[str, Any]]) -> bool:
    """Whether all models were judged on the same rows: none left out, and as many of each class."""
    sizes = {(model["n"], model["n_pos"], model["n_neg"]) for model in models}
    return len(sizes) == 1 and not any(model["dropped"] for model in models)


def _on_own_rows(said: Both) -> Both:
    """Begin the sentence that ranks with what it does not take into account."""
    en = said["en"]
    en = en[0].lower() + en[1:] if en.startswith(("Of ", "By ", "The ")) else en
    return {
        "en": f"Each judged on its own rows, which may differ: {en}",
        "zh": f"各模型在各自的行上评估（行可能不同）：{said['zh']}",
    }


Row = tuple[str, dict[str, Any]]


def _rows(models: list[dict[str, Any]], measure: str) -> list[Row]:
    """Give the models that have a value of the measure, by cleaned name."""
    found = []
    for model in models:
        for estimate in model["estimates"]:
            if estimate["measure"] == measure and estimate["undefined"] is None:
                found.append((_short(printable(model["name"])), estimate))
                break
    return found


def _short(name: str, limit: int = 48) -> str:
    return name if len(name) <= limit else name[: limit - 1].rstrip() + "…"


def _best(rows: list[Row]) -> str:
    return max(rows, key=lambda row: float(row[1]["value"]))[0]


def _of(estimate: dict[str, Any]) -> str:
    limits = "" if estimate["low"] is None else f" {span(estimate['low'], estimate['high'])}"
    return f"{number(estimate['value'])}{limits}"


# ------------------------------------------------------------------------------------------- one model


def _one_auc(name: str, estimate: dict[str, Any]) -> Both:
    en = (
        f"“{name}” has a ROC-AUC of {_of(estimate)}: a random positive row ranks ahead of a random negative one with "
        "that probability, ties counting half"
    )
    zh = f"“{name}”的 ROC-AUC 为 {_of(estimate)}：随机取一个正例和一个负例，正例排在前面的概率即为此值（同分计一半）"
    low, high = estimate["low"], estimate["high"]
    if low is not None and low <= 0.5 <= high:
        en += "; the interval holds 0.5, so these data do not tell the score from chance"
        zh += "；区间包含 0.5，因此这些数据不足以说明它优于随机"
    elif high is not None and high < 0.5:
        en += "; the whole interval lies below 0.5, so the score ranks the wrong way round"
        zh += "；整个区间都低于 0.5，说明排序方向相反"
    return {"en": en + ".", "zh": zh + "。"}


def _one_ap(name: str, estimate: dict[str, Any]) -> Both:
    chance, lift = estimate["details"].get("chance"), estimate["details"].get("lift")
    en, zh = f"Its average precision is {_of(estimate)}", f"其平均查准率为 {_of(estimate)}"
    if chance is not None and lift is not None:
        en += f", {lift:.3g} times the {number(chance)} that chance gives at this share of positives"
        zh += f"，是该正例比例下随机水平 {number(chance)} 的 {lift:.3g} 倍"
    return {"en": en + ".", "zh": zh + "。"}


# --------------------------------------------------------------------------------------- several models


def _leader(rows: list[Row], n: int) -> Both:
    (first, best), (second, next_best), *_ = [*_ranked(rows), *_ranked(rows)]
    if len(rows) > 1 and best["value"] == next_best["value"]:
        tied = [name for name, e in rows if e["value"] == best["value"]]
        names_en, names_zh = " and ".join(f"“{t}”" for t in tied), "、".join(f"“{t}”" for t in tied)
        return {
            "en": f"{names_en} share the highest ROC-AUC of {n} models, {_of(best)}.",
            "zh": f"在 {n} 个模型中，{names_zh}的 ROC-AUC 并列最高，为 {_of(best)}。",
        }
    en = f"Of {n} models, “{first}” has the highest ROC-AUC, {_of(best)}"
    zh = f"在 {n} 个模型中，“{first}”的 ROC-AUC 最高，为 {_of(best)}"
    if len(rows) > 1:
        en += f", ahead of “{second}” with {_of(next_best)}"
        zh += f"；其次是“{second}”，为 {_of(next_best)}"
    return {"en": en + ".", "zh": zh + "。"}


def _leader_ap(rows: list[Row], roc_leader: str | None) -> Both:
    ranked = _ranked(rows)
    first, best = ranked[0]
    chance = best["details"].get("chance")
    aside_en = "" if chance is None else f" (chance level {number(chance)})"
    aside_zh = "" if chance is None else f"（随机水平为 {number(chance)}）"
    if len(ranked) > 1 and ranked[1][1]["value"] == best["value"]:
        return {
            "en": f"The highest average precision, {_of(best)}, is shared{aside_en}.",
            "zh": f"最高的平均查准率 {_of(best)} 由多个模型并列{aside_zh}。",
        }
    if roc_leader == first:
        return {
            "en": f"It also has the highest average precision, {_of(best)}{aside_en}.",
            "zh": f"它的平均查准率也最高，为 {_of(best)}{aside_zh}。",
        }
    return {
        "en": f"By average precision “{first}” leads, with {_of(best)}{aside_en}: "
        "the top of the list weighs more there.",
        "zh": f"按平均查准率则“{first}”领先，为 {_of(best)}{aside_zh}：该指标更看重排名靠前的部分。",
    }


def _ranked(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: -float(row[1]["value"]))


def _not_compared(n: int) -> Both:
    all_en, all_zh = ("Both", "两个") if n == 2 else ("All", "所有")
    return {
        "en": f"{all_en} models scored the same rows, so whether their intervals overlap does not settle which one is "
        "better: that takes a paired comparison, which this page does not make.",
        "zh": f"{all_zh}模型是在同样的行上打分的，因此区间是否重叠并不能判定孰优孰劣：那需要配对比较，本页未作此比较。",
    }


def _not_comparable(models: list[dict[str, Any]], limit: int = 6) -> Both:
    """Say that the rows differ, or that nobody knows: then the sizes agree, but rows were left out."""
    sizes = [(_short(printable(model["name"])), count(model["n"])) for model in models]
    more_en, more_zh = (", ...", "……") if len(sizes) > limit else ("", "")
    en = ", ".join(f"{name}: {n}" for name, n in sizes[:limit]) + more_en
    zh = "，".join(f"{name}：{n}" for name, n in sizes[:limit]) + more_zh
    if len({(model["n"], model["n_pos"], model["n_neg"]) for model in models}) == 1:
        return {
            "en": f"Rows were left out for each model, not necessarily the same ones (rows judged: {en}), so the "
            "models are not comparable by these numbers: give every model a score on the same rows.",
            "zh": f"每个模型都略去了一些行，且未必是相同的行（评估行数：{zh}），因此不能用这些数值比较模型："
            "请让每个模型在相同的行上都有得分。",
        }
    return {
        "en": f"The models were judged on different rows (rows judged: {en}) and are not comparable by these numbers: "
        "give every model a score on the same rows.",
        "zh": f"各模型是在不同的行上评估的（评估行数：{zh}），不能用这些数值相互比较："
        "请让每个模型在相同的行上都有得分。",
    }
