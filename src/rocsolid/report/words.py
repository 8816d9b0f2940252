"""The page's words in English and Chinese. Each entry has both; a test holds them to the same blanks."""

from __future__ import annotations

from typing import Literal

from rocsolid.report.words_explore import EXPLORE

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
HTML_LANGUAGE: dict[Language, str] = {"en": "en", "zh": "zh"}

WORDS: dict[str, tuple[str, str]] = {
    # page
    "page_title": ("Evaluation of scores", "得分评估报告"),
    "language": ("Language", "语言"),
    "facts": ("The data", "数据"),
    "verdict": ("In short", "概要"),
    "warnings": ("Please check", "请注意核对"),
    "estimates": ("Estimates", "估计值"),
    "differences": ("Differences", "模型之差"),
    "methods": ("How these numbers are made", "计算方法"),
    "made_by": ("Made by rocsolid {version}. The page holds no row of the data and loads nothing from elsewhere.",
                "由 rocsolid {version} 生成。本页不含任何一行原始数据，也不加载任何外部内容。"),
    "command": ("Command", "命令"),
    # facts
    "source": ("Source", "来源"),
    "rows": ("Rows", "行数"),
    "positives": ("Positive", "正例"),
    "negatives": ("Negative", "负例"),
    "prevalence": ("Share of positives", "正例比例"),
    "positive_label": ("Positive label", "正例标签"),
    "direction": ("Direction", "方向"),
    "higher": ("higher score = positive", "得分越高越倾向正例"),
    "lower": ("lower score = positive", "得分越低越倾向正例"),
    "confidence_level": ("Confidence level", "置信水平"),
    "weights": ("Weights", "权重"),
    "unweighted": ("none: every row counts once", "无：每行计一次"),
    "weighted": ("sampling weights", "抽样权重"),
    "effective": ("effective {pos} positive, {neg} negative", "有效样本量：正例 {pos}，负例 {neg}"),
    "n_clusters": ("Clusters", "群数"),
    "n_folds": ("Cross-validation folds", "交叉验证折数"),
    "dropped": ("Left out", "略去"),
    "dropped_none": ("no row", "无"),
    "dropped_some": ("{n} with a missing value", "{n} 行（含缺失值）"),
    "differs": ("differs by model, see below", "各模型不同，见下表"),
    "distinct": ("Distinct scores", "不同得分数"),
    "score_range": ("Scores from – to", "得分范围"),
    "tied": ("Tied pairs", "同分对"),
    "models_caption": ("The scores, model by model", "各模型的得分"),
    # tables
    "model": ("Model", "模型"),
    "measure": ("Measure", "指标"),
    "value": ("Value", "数值"),
    "interval": ("{level} interval", "{level} 区间"),
    "interval_any": ("Interval", "区间"),
    "method": ("Interval by", "区间方法"),
    "n_pos": ("n+", "n+"),
    "n_neg": ("n−", "n−"),
    "chance": ("Chance level", "随机水平"),
    "lift": ("Lift", "提升度"),
    "concordant": ("Pairs in order", "正序对"),
    "pairs_tied": ("Tied", "同分对"),
    "discordant": ("Out of order", "逆序对"),
    "undefined": ("undefined: {reason}", "无定义：{reason}"),
    "not_weighted_pairs": ("not counted with weights", "加权时不计对数"),
    "forest": ("Estimate and interval, from {low} to {high}", "估计值与区间，范围 {low} 至 {high}"),
    "better_higher": ("higher is better", "越高越好"),
    "better_lower": ("lower is better", "越低越好"),
    "better_target": ("nearest to its target is best", "越接近目标值越好"),
    # differences
    "pair": ("Models", "模型"),
    "difference": ("Difference", "差值"),
    "p_adjusted": ("p, adjusted ({how})", "校正后的 p（{how}）"),
    "first_less_second": ("first model less second, on the same rows", "前者减后者，基于同样的行"),
    "all_alike": ("Test that all models are alike: {test}.", "所有模型相同的检验：{test}。"),
    "not_compared": ("Models are not compared: {reason}.", "未作模型比较：{reason}。"),
    # methods
    "definition": ("Definition", "定义"),
    "reference": ("Source", "出处"),
    "interval_method": ("Interval", "区间"),
    "convention_rule": ("Decision: a row is called positive where {rule}; tied scores are never broken by row order.",
                        "判定规则：{rule} 的行判为正例；同分的行不会按行序拆开。"),
    "convention_exact": ("Counts are whole numbers and are divided once. Nothing is computed from the curves as drawn.",
                         "计数均为整数，只做一次除法。任何数值都不取自图中绘制的曲线。"),
    "convention_weighted": ("Weights are added exactly. Nothing is computed from the curves as drawn.",
                            "权重的求和是精确的。任何数值都不取自图中绘制的曲线。"),
    "convention_margins": ("Intervals take the rows as a random sample and the class sizes as random with it; they say "
                           "nothing of another population, nor of models fitted to these rows.",
                           "区间把各行视为随机样本，各类的样本量随之随机；它不涉及其他总体，也不涉及用这些行训练的模型。"),
    "convention_clusters": ("Rows of one cluster are taken as dependent, those of different ones as independent; "
                            "values are those of the rows.",
                            "同一群内的行视为相关，不同群的行视为独立；数值仍按行计算。"),
    "convention_paired": ("A difference is judged by its own interval and test; whether the intervals of two models "
                          "overlap does not tell.",
                          "差异由它自身的区间与检验判断；两个模型的区间是否重叠说明不了问题。"),
}  # fmt: skip
WORDS |= EXPLORE


def word(key: str, language: Language) -> str:
    """Give the text of a key in one language."""
    return WORDS[key][LANGUAGES.index(language)]
