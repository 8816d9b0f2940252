"""What stands on axes and in legends, in Chinese; the English words come from the curves themselves."""

from __future__ import annotations

from rocsolid.measures import REGISTRY

CHINESE = {
    "False positive rate": "假正例率",
    "False positive rate (%)": "假正例率（%）",
    "False negative rate (%)": "假负例率（%）",
    "True positive rate": "真正例率",
    "True positive rate (%)": "真正例率（%）",
    "Mean true positive rate": "平均真正例率",
    "Recall": "查全率",
    "Precision": "查准率",
    "Recall gain": "查全率增益",
    "Precision gain": "查准率增益",
    "Probability cost PC": "概率代价 PC",
    "Normalised expected cost": "归一化期望代价",
    "Threshold": "阈值",
    "Threshold probability": "阈值概率",
    "Share of rows flagged": "标记行的比例",
    "Share of positives found": "找出的正例比例",
    "Share of positives": "正例比例",
    "Score": "得分",
    "Rows": "行数",
    "Lift": "提升倍数",
    "Net benefit": "净收益",
    "chance": "随机水平",
    "calibrated": "完全校准",
    "no model": "不用模型",
    "flag all": "全部标记",
    "isotonic": "保序回归",
    "width": "等宽分箱",
    "mass": "等频分箱",
    "area": "面积",
    "hull area": "凸包面积",
    "mean area": "平均面积",
    "largest gap": "最大差距",
    "Difference": "差值",
    "folds": "折",
    "fold mean": "各折均值",
}


def word(text: str, language: str) -> str:
    """Give a word in a language; one that is not listed, such as a name, stays as it is."""
    if language == "en":
        return text
    known = CHINESE.get(text)
    if known is None:
        known = next((entry.title_zh for entry in REGISTRY.values() if entry.title == text), text)
    return known


def positive(pos_label: object, language: str) -> str:
    """Say which label is the positive one, on a line of its own; nothing where there is none."""
    if pos_label is None:
        return ""
    return f"\n(positive: {pos_label!r})" if language == "en" else f"\n（正例：{pos_label!r}）"
