"""An estimate as a sentence for a paper, in English or Chinese, and as a cell of a table."""

from __future__ import annotations

import re

from rocsolid.errors import RocsolidError
from rocsolid.measures import find
from rocsolid.options import check_choice
from rocsolid.report.text import count, number, span
from rocsolid.results import Estimate
from rocsolid.text import printable


def sentence(estimate: Estimate, lang: str) -> str:
    """Word an estimate; see :meth:`rocsolid.Estimate.sentence`."""
    language = check_choice("lang", lang, ("en", "zh"))
    title = _title(estimate.measure, language)
    if language == "zh":
        return _chinese(estimate, title)
    of = "" if estimate.name is None else f"For “{printable(estimate.name)}”, "
    title = title if of == "" else title[:1].lower() + title[1:] if title[1:2].islower() else title
    if estimate.undefined is not None:
        return f"{of}{title} was undefined: {printable(estimate.undefined.en)} ({_sizes(estimate)})."
    interval = estimate.interval
    how = "no interval"
    if interval is not None:
        ends = f"{number(interval.low)} to {number(interval.high)}"
        how = f"{100 * interval.confidence_level:.10g}% CI {ends}, {estimate.method}"
    return f"{of}{title} was {number(estimate.value)} ({how}; {_sizes(estimate)})."


def _chinese(estimate: Estimate, title: str) -> str:
    before = " " if title[:1].isascii() else ""
    of = "" if estimate.name is None else f"“{printable(estimate.name)}”的{before}"
    gap = " " if title[-1:].isascii() and title[-1:] != ")" else ""
    sizes = f"正例 {count(estimate.sizes.n_pos)} 行，负例 {count(estimate.sizes.n_neg)} 行"
    if estimate.sizes.n_clusters is not None:
        sizes += f"，共 {count(estimate.sizes.n_clusters)} 个群"
    if estimate.undefined is not None:
        return f"{of}{title}{gap}无定义：{printable(estimate.undefined.zh)}（{sizes}）。"
    interval = estimate.interval
    how = "无区间"
    if interval is not None:
        ends = f"{number(interval.low)} 至 {number(interval.high)}"
        how = f"{100 * interval.confidence_level:.10g}% 置信区间 {ends}，方法 {estimate.method}"
    return f"{of}{title}{gap}为 {number(estimate.value)}（{how}；{sizes}）。"


def _sizes(estimate: Estimate) -> str:
    sizes = estimate.sizes
    text = f"{count(sizes.n_pos)} positive and {count(sizes.n_neg)} negative rows"
    return text if sizes.n_clusters is None else f"{text} in {count(sizes.n_clusters)} clusters"


def _title(spec: str, language: str) -> str:
    """The measure's title with its options as typed; what is in no registry keeps its name."""
    try:
        measure = find(spec).measure
    except RocsolidError:
        return printable(spec)
    inside = spec.partition("(")[2].removesuffix(")")
    title = measure.title if language == "en" else measure.title_zh
    return title if not inside else f"{title} ({inside})" if language == "en" else f"{title}（{inside}）"


def cell(estimate: Estimate, form: str) -> str:
    """Write an estimate as a cell; see :meth:`rocsolid.Estimate.cell`."""
    latex = check_choice("form", form, ("latex", "markdown")) == "latex"
    if estimate.undefined is not None:
        return "--" if latex else "–"
    value, interval = number(estimate.value), estimate.interval
    limits = "" if interval is None else span(interval.low, interval.high)
    if not latex:
        return " ".join(filter(None, (value, limits)))
    return " ".join(f"${_in_latex(text)}$" for text in (value, limits) if text)


def _in_latex(text: str) -> str:
    """Powers of ten and infinities as mathematics."""
    powers = re.sub(r"e([+-])0*(\d+)", lambda m: rf" \times 10^{{{'-' if m[1] == '-' else ''}{m[2]}}}", text)
    return powers.replace("inf", r"\infty")
