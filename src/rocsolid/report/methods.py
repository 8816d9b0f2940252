"""What the methods section says of measures and intervals, in both languages."""

from __future__ import annotations

from typing import Any

from rocsolid.measures import Measure

Both = dict[str, str]

_AUC: tuple[str, str] = (
    "effective-error: Wilson's interval with an effective size taken from DeLong's variance. That variance is shrunk "
    "towards a prior by the effective number of rows that make up the error, and the quantile is Student's, so that "
    "few rows or perfect separation still give an honest interval; with many rows it is DeLong's.",
    "effective-error：Wilson 区间，其有效样本量取自 DeLong 方差。该方差按构成误差的有效行数向先验收缩，"
    "并采用 t 分位数，因而行数很少或完全分离时区间仍然可信；行数很多时即为 DeLong 区间。",
)
_EARLY: tuple[str, str] = (
    "effective-error: symmetric on the logit scale; the variance of the influence functions is shrunk towards that of "
    "a proportion by the effective number of rows that make up the error; of the negatives only as many count as the "
    "weight at the top looks at. Student's quantile.",
    "effective-error：在 logit 尺度上对称；方差来自影响函数，并按构成误差的有效行数向比例的方差收缩；"
    "负例只计顶端权重实际涉及的数量。采用 t 分位数。",
)


INTERVALS: dict[tuple[str, str], tuple[str, str]] = {
    ("roc_auc", "effective-error"): _AUC,
    ("gini", "effective-error"): (
        "effective-error: the interval of ROC-AUC, carried through 2 ROC-AUC − 1 end by end.",
        "effective-error：ROC-AUC 的区间，两端按 2 × ROC-AUC − 1 换算。",
    ),
    ("d_prime", "effective-error"): (
        "effective-error: the interval of ROC-AUC, carried through √2 Φ⁻¹ end by end.",
        "effective-error：ROC-AUC 的区间，两端按 √2 Φ⁻¹ 换算。",
    ),
    ("average_precision", "effective-error"): (
        "effective-error: symmetric on the logit scale, with the variance of the influence functions of both classes "
        "(ties included), shrunk towards Boyd's binomial variance by the effective number of rows that make up the "
        "error; Student's quantile. The centre is not corrected for bias.",
        "effective-error：在 logit 尺度上对称；方差来自两类的影响函数（含同分），"
        "并按构成误差的有效行数向 Boyd 的二项方差收缩；采用 t 分位数。中心不作偏差校正。",
    ),
    ("partial_auc", "effective-error"): (
        "effective-error: the area as a share of its range, symmetric on the logit scale; the variance of the "
        "influence functions, with the part of the estimated ends of the range, is shrunk towards that of a proportion "
        "by the effective number of rows that make up the error; of the class that the range is cut from only the rows "
        "inside count. Student's quantile.",
        "effective-error：把面积表示为占所给范围的比例，在 logit 尺度上对称；方差来自影响函数（含范围端点估计的部分），"
        "并按构成误差的有效行数向比例的方差收缩；范围所在的那一类只计范围内的行。采用 t 分位数。",
    ),
    ("log_auc", "effective-error"): _EARLY,
    ("bedroc", "effective-error"): _EARLY,
    ("brier_score", "effective-error"): (
        "effective-error: Wilson's interval for a mean of losses in [0, 1], with an effective size from its linearised "
        "variance, shrunk towards that of a proportion; Student's quantile.",
        "effective-error：针对 [0, 1] 内损失均值的 Wilson 区间，"
        "有效样本量取自线性化方差并向比例的方差收缩；采用 t 分位数。",
    ),
    ("log_loss", "log-t"): (
        "log-t: symmetric on the logarithmic scale, with the linearised variance and Student's quantile; the loss has "
        "no upper bound and is skewed.",
        "log-t：在对数尺度上对称，采用线性化方差与 t 分位数；该损失没有上界且分布偏斜。",
    ),
    ("", "log-t"): (
        "log-t: symmetric on the logarithm of the share of the baseline's loss that is left, 1 - D2, with the "
        "linearised variance and Student's quantile of the scarcer class.",
        "log-t：在基线损失所余比例 1 − D2 的对数尺度上对称，采用线性化方差与较少一类的 t 分位数。",
    ),
    ("", "wilson"): (
        "wilson: Wilson's score interval of a proportion (Wilson 1927); with weights its effective size.",
        "wilson：比例的 Wilson 得分区间（Wilson 1927）；加权时采用有效样本量。",
    ),
    ("f1", "wilson"): (
        "wilson: Wilson's interval of J = TP / (TP + FP + FN), carried through 2 J / (1 + J) end by end.",
        "wilson：先求 J = TP / (TP + FP + FN) 的 Wilson 区间，两端再按 2 J / (1 + J) 换算。",
    ),
    ("", "mover"): (
        "mover: a sum over two cells of the confusion matrix; each cell's share has Wilson's interval, and the "
        "distances to its ends are combined as standard errors are (MOVER, Zou & Donner 2008).",
        "mover：混淆矩阵两格之和；每格的比例取 Wilson 区间，到两端的距离按标准误的方式合并"
        "（MOVER，Zou & Donner 2008）。",
    ),
    ("", "propagated"): (
        "propagated: TPR, FPR and the share of positives each have limits half-way between Clopper and Pearson's and "
        "Jeffreys'; the interval holds all values of the measure over the triples that lie together no further from "
        "what was seen than one of them may alone (Newcombe 2011). A ratio that exists only where a row is flagged, or "
        "missed, has limits that know it.",
        "propagated：TPR、FPR 与正例比例各取介于 Clopper–Pearson 与 Jeffreys 之间的限；凡三者合起来与观察值的距离"
        "不超过单个比例所允许的距离，该指标在其上的取值都属于区间（Newcombe 2011）。"
        "只有见到被判为正例（或漏报）的行时才存在的比值，其限已考虑这一条件。",
    ),
    ("", "influence"): (
        "influence: value ± normal quantile × standard error of the influence functions, cut at the attainable range.",
        "influence：数值 ± 正态分位数 × 影响函数标准误，并在可取范围处截断。",
    ),
    ("", "wald-t"): (
        "wald-t: value ± Student's quantile for the rows of the smaller class × standard error of the influence "
        "functions.",
        "wald-t：数值 ± 影响函数标准误 × t 分位数（自由度取自较小一类的行数）。",
    ),
    ("", "log"): (
        "log: symmetric on the logarithm of the ratio, with the standard error of the influence functions.",
        "log：在比值的对数尺度上对称，标准误来自影响函数。",
    ),
    ("", "none"): (
        "none: a standard error and no interval: none is known to cover for this measure; others by name.",
        "none：只有标准误，没有区间：尚无已知方法能保证该指标的覆盖率；其他方法可按名称指定。",
    ),
}


_COMPARISON = {
    "title": {"en": "Comparison", "zh": "模型比较"},
    "definition": {
        "en": "Difference of two models on the same rows, first less second. Its standard error comes from each row's "
        "influence on the difference, so what moves both models alike cancels; for ROC-AUC it is DeLong's. The p value "
        "refers the difference over that error to Student's t; among more than two models p values are adjusted too.",
        "zh": "同样的行上两个模型之差，前者减后者。标准误来自每一行对差值的影响，使两个模型同向变动的部分因而抵消；"
        "对 ROC-AUC 即为 DeLong 标准误。p 值由差值与标准误之比按 t 分布求得；模型多于两个时另给出校正后的 p 值。",
    },
    "source": "DeLong, DeLong & Clarke-Pearson 1988; Zou & Donner 2008; Holm 1979",
    "interval": {
        "en": "mover: the distances to the ends of both models' own intervals, put together with the correlation of "
        "the two estimates. Interval and test are different statistics and may disagree about 0 in small samples.",
        "zh": "mover：由两个模型各自区间的两端距离，按两个估计的相关系数合并而成。区间与检验是不同的统计量，"
        "样本较小时对差值是否为 0 可能结论不一。",
    },
}


def comparisons(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Say how models are compared; nothing if they are not."""
    pairs = [pair for entry in found for pair in entry["pairs"]]
    return [{"measure": "comparison", **_COMPARISON}] if any(p["interval_method"] == "mover" for p in pairs) else []


def definition(entry: Measure[Any, Any]) -> Both:
    """Give the definition of a measure in both languages."""
    return {"en": entry.definition, "zh": entry.definition_zh}


def interval(measure: str, method: str | None) -> Both | None:
    """Say how an interval is made; ``None`` where there is no method."""
    if method is None:
        return None
    found = INTERVALS.get((measure, method)) or INTERVALS.get(("", method))
    en, zh = found if found is not None else (f"{method}.", f"{method}。")
    return {"en": en, "zh": zh}
