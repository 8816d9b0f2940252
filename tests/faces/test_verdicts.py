"""What a report says of two and more models: sentences written by hand, from numbers made up for them."""

# ruff: noqa: E501 - a sentence is one line, as it is read
from __future__ import annotations

import numpy as np
import pytest
from face_helpers import study

import rocsolid as rs
from rocsolid import report
from rocsolid.report.verdict import verdict

TITLES = {"roc_auc": ("ROC-AUC", "ROC-AUC"), "average_precision": ("Average precision", "平均查准率")}
DATA = {"confidence_level": 0.95, "n_clusters": None}


def estimate(measure, value, low=None, high=None):
    return {
        "measure": measure,
        "value": value,
        "low": low,
        "high": high,
        "undefined": None,
        "details": {},
        "n_pos": 40,
        "n_neg": 60,
    }


def model(name, auc, ap, dropped=0, n=100):
    rows = [estimate("roc_auc", *auc), estimate("average_precision", *ap)]
    return {"name": name, "n": n, "n_pos": 40, "n_neg": n - 40, "dropped": dropped, "estimates": rows}


def pair(measure, a, b, d, low, high, p, adjusted=None, notes=(), values=(0.0, 0.0)):
    return {
        "models": [a, b], "difference": d, "low": low, "high": high, "pvalue": p, "adjusted_pvalue": adjusted,
        "log10_pvalue": None if p is None else float(np.log10(p)),
        "estimates": [estimate(measure, v) for v in values], "notes_i18n": list(notes),
    }  # fmt: skip


def entry(measure, *pairs, adjust=None, unavailable=None):
    en, zh = TITLES[measure]
    return {"measure": measure, "family": measure, "title": {"en": en, "zh": zh}, "better": "higher", "adjust": adjust,
            "pairs": list(pairs), "unavailable": unavailable, "hypothesis": None, "omnibus": None}  # fmt: skip


def two(auc, ap, **facts):
    """Sentences on “new” and “old”: each measure is both values, difference, limits, p (and notes)."""
    entries = []
    for measure, (a, b, d, low, high, p, *notes) in (("roc_auc", auc), ("average_precision", ap)):
        entries.append(entry(measure, pair(measure, "new", "old", d, low, high, p, notes=notes, values=(a, b))))
    models = [model("new", (auc[0],), (ap[0],)), model("old", (auc[1],), (ap[1],))]
    return verdict(models, entries, DATA | facts)


def said(found, language):
    return [sentence[language] for sentence in found]


AUC = (0.82, 0.75, 0.07, 0.03, 0.11, 0.0008)
AUC_EN = "“new” ranks better than “old”: its ROC-AUC is higher by 0.0700 [0.0300, 0.1100] (0.8200 against 0.7500, p = 0.0008)."
AUC_ZH = "“new”的排序优于“old”：其 ROC-AUC 高出 0.0700 [0.0300, 0.1100]（0.8200 对 0.7500，p = 0.0008）。"
EVEN = (0.82, 0.81, 0.01, -0.02, 0.04, 0.52)
EVEN_EN = (
    "The data do not show which of “new” and “old” ranks better: by ROC-AUC “new” less “old” is 0.0100 "
    "[-0.0200, 0.0400] (0.8200 against 0.8100, p = 0.5200), so anything from 0.0200 in favour of “old” to 0.0400 in "
    "favour of “new” is still possible."
)
EVEN_ZH = (
    "数据不足以说明“new”与“old”的排序孰优：按 ROC-AUC，“new”减“old”为 0.0100 [-0.0200, 0.0400]"
    "（0.8200 对 0.8100，p = 0.5200），从“old”高 0.0200 到“new”高 0.0400 都仍有可能。"
)
EVEN_AP = (0.70, 0.69, 0.01, -0.03, 0.05, 0.6)


def test_clear_winner():
    found = two(AUC, (0.70, 0.60, 0.10, 0.04, 0.16, 0.0012))
    assert said(found, "en") == [
        AUC_EN,
        "Its average precision is higher too, by 0.1000 [0.0400, 0.1600] (0.7000 against 0.6000, p = 0.0012).",
    ]
    assert said(found, "zh") == [
        AUC_ZH,
        "其平均查准率也更高，高出 0.1000 [0.0400, 0.1600]（0.7000 对 0.6000，p = 0.0012）。",
    ]


def test_the_second_may_win():
    found = two((0.75, 0.82, -0.07, -0.11, -0.03, 0.0008), (0.60, 0.70, -0.10, -0.16, -0.04, 0.0012))
    assert found[0]["en"].startswith(
        "“old” ranks better than “new”: its ROC-AUC is higher by 0.0700 [0.0300, 0.1100] (0.8200"
    )


def test_no_difference():
    found = two(EVEN, EVEN_AP)
    assert said(found, "en") == [
        EVEN_EN,
        "Nor do they by average precision: “new” less “old” is 0.0100 [-0.0300, 0.0500] (0.7000 against 0.6900, p = 0.6000).",
    ]
    assert said(found, "zh") == [
        EVEN_ZH,
        "平均查准率同样如此：“new”减“old”为 0.0100 [-0.0300, 0.0500]（0.7000 对 0.6900，p = 0.6000）。",
    ]


def test_winner_by_area_but_not_by_average_precision():
    found = two(AUC, (0.69, 0.70, -0.01, -0.05, 0.03, 0.6))
    assert said(found, "en") == [
        AUC_EN,
        "By average precision the data do not show a difference: “new” less “old” is -0.0100 [-0.0500, 0.0300] "
        "(0.6900 against 0.7000, p = 0.6000).",
    ]
    assert said(found, "zh") == [
        AUC_ZH,
        "按平均查准率，数据不足以说明有差异：“new”减“old”为 -0.0100 [-0.0500, 0.0300]（0.6900 对 0.7000，p = 0.6000）。",
    ]


def test_winner_by_average_precision_only_or_against_the_area():
    top = (0.60, 0.70, -0.10, -0.16, -0.04, 0.0012)
    assert said(two(EVEN, top), "en") == [
        EVEN_EN,
        "By average precision “old” is better, higher by 0.1000 [0.0400, 0.1600] (0.7000 against 0.6000, p = 0.0012): "
        "the top of the list weighs more there.",
    ]
    found = two(AUC, top)
    assert found[1]["en"] == (
        "By average precision it is the other way round: “old” is higher by 0.1000 [0.0400, 0.1600] (0.7000 against "
        "0.6000, p = 0.0012); the top of the list weighs more there."
    )
    assert found[1]["zh"] == (
        "按平均查准率则相反：“old”高出 0.1000 [0.0400, 0.1600]（0.7000 对 0.6000，p = 0.0012）；该指标更看重排名靠前的部分。"
    )


def test_tiny_but_certain():
    found = two((0.9512, 0.95, 0.0012, 0.0008, 0.0016, 1e-9), EVEN_AP)
    assert found[0]["en"] == (
        "“new” ranks better than “old”, but by little: its ROC-AUC is higher by 0.0012 [0.0008, 0.0016] (0.9512 against "
        "0.9500, p = 1e-09). Whether less than one pair in a hundred matters, no test can say."
    )
    assert found[0]["zh"] == (
        "“new”的排序优于“old”，但相差甚微：其 ROC-AUC 高出 0.0012 [0.0008, 0.0016]（0.9512 对 0.9500，p = 1e-09）。"
        "不到百分之一的正负例对是否要紧，检验无法回答。"
    )


def test_test_and_interval_disagree():
    found = two((0.82, 0.75, 0.07, 0.002, 0.14, 0.058), EVEN_AP)
    assert found[0]["en"] == (
        "The data do not settle which of “new” and “old” ranks better: by ROC-AUC “new” less “old” is 0.0700 "
        "[0.0020, 0.1400] (0.8200 against 0.7500, p = 0.0580): the interval leaves out 0, but the test does not show a difference."
    )
    assert found[0]["zh"] == (
        "数据不足以判定“new”与“old”的排序孰优：按 ROC-AUC，“new”减“old”为 0.0700 [0.0020, 0.1400]"
        "（0.8200 对 0.7500，p = 0.0580）：区间不含 0，但检验不足以说明有差异。"
    )


def test_test_without_interval_and_for_average_precision():
    found = two((0.995, 0.992, 0.003, -0.005, 0.016, 0.0323), (0.994, 0.99, 0.004, -0.008, 0.017, 0.0373))
    end = ": the test speaks for a difference, but the interval does not rule out that there is none."
    assert found[0]["en"].startswith("The data do not settle which of “new” and “old” ranks better: by ROC-AUC ")
    assert found[0]["en"].endswith("p = 0.0323)" + end)
    assert found[1]["en"].startswith("By average precision “new” less “old” is 0.0040 ")
    assert found[1]["en"].endswith("p = 0.0373)" + end)
    assert found[1]["zh"].endswith("p = 0.0373）：检验支持有差异，但区间不排除没有差异。")


PERFECT = {"code": "both-perfect", "en": "e", "zh": "z"}


def test_both_perfect():
    found = two((1.0, 1.0, 0.0, -0.05, 0.06, 1.0, PERFECT), (1.0, 1.0, 0.0, -0.07, 0.07, 1.0, PERFECT))
    assert said(found, "en") == [
        "“new” and “old” both reach the best possible ROC-AUC, 1.0000: this sample can not tell them apart, and anything "
        "from 0.0500 in favour of “old” to 0.0600 in favour of “new” is still possible.",
        "Both reach the best possible average precision too.",
    ]
    assert said(found, "zh") == [
        "“new”与“old”的 ROC-AUC 都达到了最优值 1.0000：该样本无法区分它们，从“old”高 0.0500 到“new”高 0.0600 都仍有可能。",
        "两者的平均查准率也都达到了最优值。",
    ]


def test_identical():
    note = {"code": "identical", "en": "e", "zh": "z"}
    found = two((0.82, 0.82, 0.0, 0.0, 0.0, 1.0, note), (0.7, 0.7, 0.0, 0.0, 0.0, 1.0, note))
    assert said(found, "en") == [
        "No row tells “new” and “old” apart: both have a ROC-AUC of 0.8200.",
        "Both have an average precision of 0.7000.",
    ]
    assert said(found, "zh") == [
        "没有任何一行能区分“new”与“old”：两者的 ROC-AUC 均为 0.8200。",
        "两者的平均查准率均为 0.7000。",
    ]


def test_few_rows():
    note = {
        "code": "low-power",
        "en": "only 3 rows tell the models apart: too few for a difference",
        "zh": "只有 3 行能区分两个模型",
    }
    found = two((*EVEN, note), EVEN_AP)
    assert found[0]["en"] == EVEN_EN + " Only 3 rows tell the models apart: too few for a difference."
    assert found[0]["zh"] == EVEN_ZH + "只有 3 行能区分两个模型。"


def test_no_test():
    note = {
        "code": "single-row",
        "en": "no p value: a class with a single row shows no variation",
        "zh": "没有 p 值：只有一行",
    }
    found = two((0.82, 0.75, 0.07, 0.01, 0.3, None, note), EVEN_AP)
    assert found[0]["en"].startswith("The data do not settle which of “new” and “old” ranks better")
    assert found[0]["en"].endswith(
        "[0.0100, 0.3000] (0.8200 against 0.7500). No p value: a class with a single row shows no variation."
    )


def test_clusters_are_said():
    found = two(AUC, EVEN_AP, n_clusters=40)
    assert found[2] == {
        "en": "Rows of one cluster are taken as dependent; there are 40 clusters.",
        "zh": "同一群内的行视为相关；共有 40 个群。",
    }


def test_three_models():
    names, auc = "abc", {"a": 0.93, "b": 0.92, "c": 0.85}
    models = [model(n, (auc[n], auc[n] - 0.02, auc[n] + 0.02), (0.5,)) for n in names]
    rows = (
        pair("roc_auc", "a", "b", 0.01, -0.01, 0.03, 0.21, 0.21, values=(0.93, 0.92)),
        pair("roc_auc", "a", "c", 0.08, 0.05, 0.11, 0.0001, 0.0003, values=(0.93, 0.85)),
        pair("roc_auc", "b", "c", 0.07, 0.04, 0.10, 0.001, 0.002, values=(0.92, 0.85)),
    )
    found = verdict(models, [entry("roc_auc", *rows, adjust="holm")], DATA)
    assert said(found, "en") == [
        "Of 3 models, “a” has the highest ROC-AUC, 0.9300 [0.9100, 0.9500]. It is higher than that of “c” (by 0.0800 "
        "[0.0500, 0.1100], p = 0.0003); the data do not show a difference from “b” (0.0100 [-0.0100, 0.0300], p = 0.2100).",
        "These p values are adjusted for 3 pairs (Holm); the intervals are not.",
    ]
    assert said(found, "zh") == [
        "在 3 个模型中，“a”的 ROC-AUC 最高，为 0.9300 [0.9100, 0.9500]。它高于“c”（高出 0.0800 [0.0500, 0.1100]，"
        "p = 0.0003）；数据不足以说明它与“b”有差异（0.0100 [-0.0100, 0.0300]，p = 0.2100）。",
        "这些 p 值已就 3 对模型校正（Holm），区间未作校正。",
    ]


def test_three_models_significant_only_without_adjustment():
    models = [model(n, (v,), (0.5,)) for n, v in (("a", 0.9), ("b", 0.88), ("c", 0.87))]
    rows = (
        pair("roc_auc", "a", "b", 0.02, 0.001, 0.04, 0.04, 0.09),
        pair("roc_auc", "a", "c", 0.03, 0.001, 0.05, 0.03, 0.09),
        pair("roc_auc", "b", "c", 0.01, -0.01, 0.03, 0.3, 0.3),
    )
    found = verdict(models, [entry("roc_auc", *rows, adjust="holm")], DATA)
    assert "It is higher" not in found[0]["en"]
    assert "The data do not show a difference from “b” (0.0200 [0.0010, 0.0400], p = 0.0900) and “c”" in found[0]["en"]


def test_models_on_different_rows_are_compared_on_common_ones():
    models = [model("new", (0.82,), (0.7,), dropped=7, n=93), model("old", (0.75,), (0.6,))]
    found = verdict(models, [entry("roc_auc", pair("roc_auc", "new", "old", *AUC[2:], values=AUC[:2]))], DATA)
    assert said(found, "en") == [AUC_EN, "The comparison is over the 100 rows that every model has a score for."]
    assert found[1]["zh"] == "比较只用所有模型都有得分的 100 行。"


def test_what_can_not_be_compared_is_ranked_and_says_why():
    models = [model("new", (0.82,), (0.7,)), model("old", (0.75,), (0.6,))]
    why = {"en": "scores of cross-validation folds can not be compared yet", "zh": "目前还不能比较各折的得分"}
    found = verdict(models, [entry("roc_auc", unavailable=why)], DATA)
    assert found[0]["en"].startswith("Of 2 models, “new” has the highest ROC-AUC, 0.8200")
    assert found[-1]["en"] == (
        "Whether their intervals overlap does not settle which one is better, and there is no paired comparison here: "
        "scores of cross-validation folds can not be compared yet."
    )


# ------------------------------------------------------------------------------------------------- whole way


def sentences(y, scores, **options):
    return report.summarise(rs.evaluate_many(y, scores, **options), curves=False)["verdict"]


def test_from_rows_to_sentences():
    y, scores = study()
    found = rs.compare(y, scores)
    text = sentences(y, scores)[0]["en"]
    assert text.startswith("“first” ranks better than “second”: its ROC-AUC is higher by ")
    assert f"{found.difference:.4f} [{found.interval.low:.4f}, {found.interval.high:.4f}]" in text


def test_twins_and_perfect_models():
    y, scores = study()
    twins = sentences(y, {"a": scores["first"], "b": 2 * scores["first"]})
    assert twins[0]["en"].startswith("No row tells “a” and “b” apart: both have a ROC-AUC of 0.9")
    perfect = sentences(y, {"a": y + 0.1 * scores["first"], "b": y + 0.1 * scores["second"]})
    assert perfect[0]["en"].startswith("“a” and “b” both reach the best possible ROC-AUC, 1.0000")
    assert "0.0000 in favour" not in perfect[0]["en"]


def test_clusters_widen_what_is_possible():
    y, scores = study()
    cluster = np.arange(len(y)) // 10
    found = report.summarise(rs.evaluate_many(y, scores, cluster=cluster), curves=False)
    assert found["verdict"][-1]["en"] == "Rows of one cluster are taken as dependent; there are 40 clusters."
    expected = rs.compare(y, scores, cluster=cluster)
    assert found["comparisons"][0]["pairs"][0]["low"] == expected.interval.low
    assert found["data"]["n_clusters"] == 40


@pytest.mark.parametrize("k", [3, 9])
def test_all_pairs_or_the_reason(k):
    y, scores = study()
    rng = np.random.default_rng(1)
    models = {f"m{i}": scores["first"] + 0.1 * i * rng.normal(size=len(y)) for i in range(k)}
    summary = report.summarise(rs.evaluate_many(y, models), curves=False)
    for found in summary["comparisons"]:
        assert len(found["pairs"]) == (3 if k == 3 else 0)
        assert (found["unavailable"] is None) == (k == 3)


def test_folds_are_compared_fold_by_fold():
    y, scores = study()
    fold = np.arange(len(y)) % 4
    summary = report.summarise(rs.evaluate_many(y, scores, fold=fold), curves=False)
    assert summary["data"]["n_folds"] == 4
    for found in summary["comparisons"]:
        expected = rs.compare(y, scores, measure=found["measure"], fold=fold)
        assert found["pairs"][0]["low"] == expected.interval.low
        assert found["pairs"][0]["pvalue"] == expected.pvalue
