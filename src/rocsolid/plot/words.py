"""The words of a picture in Chinese, and a font that has them; the English words come from the curves themselves."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from rocsolid.errors import OptionError
from rocsolid.measures import REGISTRY
from rocsolid.options import check_choice

LANGUAGES = ("en", "zh")
ZH = {
    "False positive rate": "假正例率",
    "False positive rate (%)": "假正例率（%）",
    "False negative rate": "假负例率",
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
    "Net benefit": "净获益",
    "Share of rows flagged": "标记行的比例",
    "Share of positives found": "找到的正例比例",
    "Lift": "提升度",
    "Share of positives": "正例比例",
    "Score": "得分",
    "Rows": "行数",
    "Difference": "差值",
    "chance": "随机水平",
    "calibrated": "完全校准",
    "no model": "不用模型",
    "flag all": "全部标记",
    "isotonic": "保序回归",
    "width": "等宽分箱",
    "mass": "等频分箱",
    "folds": "折",
    "fold mean": "各折均值",
}
"""Axes, lines and binnings, as they are said in English."""
PARTS = {
    "mean area": "平均面积", "hull area": "凸包面积", "area": "面积", "largest gap": "最大差距", "binormal": "双正态",
    "kernel": "核平滑",
}  # fmt: skip
"""Words beside a number in the legend, longer ones first."""
FONTS = (
    "Noto Sans CJK SC", "Source Han Sans SC", "Source Han Sans CN", "Noto Sans SC", "PingFang SC", "Hiragino Sans GB",
    "Heiti SC", "Microsoft YaHei", "SimHei", "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Noto Sans CJK JP",
    "Noto Serif CJK SC", "Noto Serif CJK JP", "SimSun", "Droid Sans Fallback", "Arial Unicode MS",
)  # fmt: skip
"""Families with Chinese characters, the best first."""
HAN = re.compile("[\u2e80-\u9fff\uff00-\uffef]")


def say(text: str, lang: str) -> str:
    """Give the words of an axis, a line or a number in a language; what has no other word stays as it is."""
    if lang == "en" or not text:
        return text
    known = ZH.get(text) or _titles().get(text)
    if known is not None:
        return known
    for english, chinese in PARTS.items():
        text = re.sub(rf"\b{english}\b", chinese, text)
    return text


@cache
def _titles() -> dict[str, str]:
    """Titles of measures, which stand on the axis of a measure by its cuts."""
    return {entry.title: entry.title_zh for entry in REGISTRY.values()}


def check_language(lang: str) -> str:
    """Refuse an unknown language, and Chinese where no font of this machine has its characters.

    Raises
    ------
    UnknownNameError
        For another language than ``"en"`` or ``"zh"``.
    OptionError
        For ``"zh"`` without a font: boxes in the place of words would say nothing.
    """
    if check_choice("lang", lang, LANGUAGES) == "zh" and font() is None:
        raise OptionError(
            "lang", lang, "'en' where Matplotlib knows no font with Chinese characters",
            "install one, such as Debian's fonts-noto-cjk, or pass lang='en'",
        )  # fmt: skip
    return lang


def font() -> str | None:
    """Give the family of a font with Chinese characters that Matplotlib knows, or ``None``."""
    from matplotlib import font_manager

    known = {entry.name for entry in font_manager.fontManager.ttflist}
    return next((name for name in FONTS if name in known), None)


def give_fonts(ax: Any) -> None:
    """Let Chinese texts of axes that were made elsewhere fall back on a font that has them; others are left alone."""
    from matplotlib.text import Text

    family = font()
    for text in ax.findobj(Text) if family is not None else ():
        if HAN.search(text.get_text()) and family not in text.get_fontfamily():
            text.set_fontfamily([*text.get_fontfamily(), family])


def positive(pos_label: object, lang: str) -> str:
    """Say which label is the positive one; nothing where there is none."""
    if pos_label is None:
        return ""
    return f"(positive: {pos_label!r})" if lang == "en" else f"（正例：{pos_label!r}）"
