"""Two or three sentences on what the numbers say, in both languages, read off the summary's models."""

from __future__ import annotations

from typing import Any

from rocsolid.report import rivals
from rocsolid.report.rivals import short as _short
from rocsolid.report.text import count, number, span
from rocsolid.text import printable

Both = dict[str, str]


def verdict(models: list[dict[str, Any]], comparisons: list[dict[str, Any]], data: dict[str, Any]) -> list[Both]:
    """Word the ranking measures of the models; nothing is said about measures that were not asked for.

    With several models the sentences are about differences, and claim no more than test and interval both show.
    O(models squared).
    """
    roc = _rows(models, "roc_auc")
    precision = _rows(models, "average_precision")
    if len(models) == 1:
        return [*(_one_auc(*row) for row in roc), *(_one_ap(*row) for row in precision)]
    if any(found["pairs"] for found in comparisons):
        return _compared(models, comparisons, data)
    said = []
    if roc:
        said.append(_leader(roc, len(models)))
    if precision:
        said.append(_leader_ap(precision, _best(roc) if roc else None))
    if not said:
        return []
    if not _same_rows(models):
        return [_on_own_rows(said[0]), *said[1:], _not_comparable(models)]
    return [*said, *(_not_compared(found["unavailable"]) for found in comparisons[:1])]


def _compared(models: list[dict[str, Any]], comparisons: list[dict[str, Any]], data: dict[str, Any]) -> list[Both]:
    """Say what the comparisons show, then what they rest on."""
    alpha = 1 - data["confidence_level"] if data["confidence_level"] is not None else 0.05
    found = {c["measure"]: c for c in comparisons if c["pairs"] and c["measure"] in rivals.TITLES}
    duels = {measure: [rivals.duel(measure, pair) for pair in c["pairs"]] for measure, c in found.items()}
    if len(models) > 2:
        said = [_among(models, measure, duels[measure], alpha) for measure in duels]
        adjust, n = next(iter(found.values()))["adjust"] if found else None, len(models) * (len(models) - 1) // 2
        said += [_adjusted(adjust, n)] if adjust not in (None, "none") else []
    else:
        area = duels["roc_auc"][0] if "roc_auc" in duels else None
        said = [] if area is None else [rivals.by_area(area, alpha)]
        said += [rivals.by_precision(d, alpha, area) for d in duels.get("average_precision", ())]
    if said and not _same_rows(models):
        said.append(_common_rows(next(iter(found.values()))["pairs"][0]["estimates"][0]))
    if said and data["n_clusters"] is not None:
        said.append(_clustered(data["n_clusters"]))
    return said


def _among(models: list[dict[str, Any]], measure: str, duels: list[rivals.Duel], alpha: float) -> Both:
    rows = _rows(models, measure)
    leader = _best(rows)
    return rivals.among(_leader(rows, len(models), measure, alone=True), leader, duels, alpha)


def _adjusted(adjust: str, pairs: int) -> Both:
    how = {"holm": "Holm", "bonferroni": "Bonferroni"}[adjust]
    return {"en": f"These p values are adjusted for {pairs} pairs ({how}); the intervals are not.",
            "zh": f"这些 p 值已就 {pairs} 对模型校正（{how}），区间未作校正。"}  # fmt: skip


def _common_rows(estimate: dict[str, Any]) -> Both:
    n = count(estimate["n_pos"] + estimate["n_neg"])
    return {"en": f"The comparison is over the {n} rows that every model has a score for.",
            "zh": f"比较只用所有模型都有得分的 {n} 行。"}  # fmt: skip


def _clustered(n: int) -> Both:
    return {"en": f"Rows of one cluster are taken as dependent; there are {count(n)} clusters.",
            "zh": f"同一群内的行视为相关；共有 {count(n)} 个群。"}  # fmt: skip


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


def _leader(rows: list[Row], n: int, measure: str = "roc_auc", *, alone: bool = False) -> Both:
    """Name the model with the highest value, and the next one unless ``alone``."""
    title = rivals.TITLES[measure]
    gap = " " if measure == "roc_auc" else ""
    (first, best), (second, next_best), *_ = [*_ranked(rows), *_ranked(rows)]
    if len(rows) > 1 and best["value"] == next_best["value"]:
        tied = [name for name, e in rows if e["value"] == best["value"]]
        names_en, names_zh = " and ".join(f"“{t}”" for t in tied), "、".join(f"“{t}”" for t in tied)
        return {
            "en": f"{names_en} share the highest {title['en']} of {n} models, {_of(best)}.",
            "zh": f"在 {n} 个模型中，{names_zh}的{gap}{title['zh']}{gap}并列最高，为 {_of(best)}。",
        }
    en = f"Of {n} models, “{first}” has the highest {title['en']}, {_of(best)}"
    zh = f"在 {n} 个模型中，“{first}”的{gap}{title['zh']}{gap}最高，为 {_of(best)}"
    if len(rows) > 1 and not alone:
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


def _not_compared(why: Both) -> Both:
    return {
        "en": "Whether their intervals overlap does not settle which one is better, and there is no paired comparison "
        f"here: {why['en']}.",
        "zh": f"区间是否重叠并不能判定孰优孰劣，而此处没有配对比较：{why['zh']}。",
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
