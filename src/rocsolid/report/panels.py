"""The page's pictures: which axes each has, and what is drawn on them before the script takes over."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from rocsolid.report import svg
from rocsolid.report.markup import Markup, el
from rocsolid.report.scales import Floats, Scale
from rocsolid.report.scores import RARE
from rocsolid.report.svg import chance, curve, line, shares
from rocsolid.report.text import count

UNIT = Scale("linear", 0.0, 1.0)
COST_TOP = 2.0
"""Costs are drawn up to twice those of the better of flagging nobody and everybody."""
FIXED = ("roc", "log_roc", "det")
"""These run one way and are never drawn again: what can not be seen of them is left out."""
Table = dict[str, Any]


def axes(kind: str, summary: dict[str, Any], model: int = 0) -> tuple[Scale, Scale]:
    """Choose the axes of a picture; the script is given the same."""
    found = summary["curves"]
    if kind == "log_roc":
        return Scale("log", found["axes"]["log_low"], 1.0), UNIT
    if kind == "det":
        both_axes = Scale("probit", found["axes"]["det_low"], found["axes"]["det_high"])
        return both_axes, both_axes
    if kind == "flagged_cost":
        return _flagged(found["own_prevalence"]), Scale("linear", 0.0, COST_TOP)
    if kind == "cost_curve":
        return UNIT, Scale("linear", 0.0, 0.5)
    if kind == "decision":
        own = found["own_prevalence"]
        return Scale("linear", 0.0, found["decision"]["top"]), Scale("linear", -0.25 * own, 1.05 * own)
    if kind in ("ap_prevalence", "precision_prevalence"):
        return Scale("log", found["prevalence"][0], 1.0), UNIT
    if kind == "scores":
        drawn = found["models"][model]["distribution"]
        top = max(*drawn["pos"], *drawn["neg"])
        return Scale(drawn["axis"], drawn["low"], drawn["high"]), Scale("linear", 0.0, float(f"{1.05 * top:.3g}"))
    if kind == "reliability":
        logit = [m["distribution"] for m in found["models"] if m["distribution"]]
        if logit and all(d["axis"] == "logit" for d in logit):
            scale = Scale("logit", min(d["low"] for d in logit), max(d["high"] for d in logit))
            return scale, scale
    return UNIT, UNIT


def _flagged(own: float) -> Scale:
    """The axis of shares of rows: logarithmic where positives are rare, since few rows are flagged then."""
    return UNIT if own >= RARE else Scale("log", 10.0 ** (math.floor(math.log10(own)) - 1), 1.0)


def precision_steps(model: Table, prevalence: float) -> tuple[Floats, Floats]:
    """Give the steps of precision over recall at a prevalence: to each precision, then along to its recall."""
    tpr, fpr = shares(model["tp"], model["fp"])
    hit, false = prevalence * tpr[1:], (1 - prevalence) * fpr[1:]
    precision = hit / (hit + false)
    recall = np.empty(2 * len(precision))
    recall[0::2], recall[1::2] = tpr[:-1], tpr[1:]
    return recall, np.repeat(precision, 2)


def relative_cost(tpr: Any, fpr: Any, prevalence: float, ratio: float) -> Any:
    """Expected cost of a cut, as a multiple of that of the better of flagging nobody and everybody."""
    nobody, everybody = prevalence * ratio, 1 - prevalence
    return (nobody * (1 - tpr) + everybody * fpr) / min(nobody, everybody)


def lines(kind: str, summary: dict[str, Any]) -> list[str]:
    """Give the paths of all models in one picture, at the start of the page."""
    found, (x, y) = summary["curves"], axes(kind, summary)
    drawn = []
    for i, model in enumerate(found["models"]):
        tpr, fpr = shares(model["tp"], model["fp"])
        own, start = found["own_prevalence"], model["start"]
        if kind in ("roc", "log_roc"):
            across, up = fpr, tpr
        elif kind == "det":
            across, up = fpr, 1 - tpr
        elif kind == "precision_recall":
            across, up = precision_steps(model, own)
        elif kind == "flagged_cost":
            across = own * tpr + (1 - own) * fpr
            up = relative_cost(tpr, fpr, own, found["start"]["cost_ratio"])
        elif kind == "cost_curve":
            across, up = _envelope(model, tpr, fpr)
        elif kind == "decision":
            across, up = found["decision"]["thresholds"], found["decision"]["models"][i]
        elif kind == "ap_prevalence":
            across, up = found["prevalence"], model["average_precision"]
        else:
            across = np.array(found["prevalence"])
            hit = across * (start["tp"] / model["tp"][-1])
            alarm = (1 - across) * (start["fp"] / model["fp"][-1])
            up = hit / np.maximum(hit + alarm, 1e-300)
        drawn.append(line(x, y, across, up, straight=kind in FIXED))
    return drawn


def _envelope(model: Table, tpr: Floats, fpr: Floats) -> tuple[Floats, Floats]:
    """The least cost at every PC: between two corners of the envelope one vertex of the hull is best."""
    hull = model["hull"]
    rise, run = np.diff(tpr[hull]), np.diff(fpr[hull])
    pc = np.concatenate([[0.0], run / (run + rise), [1.0]])
    best = np.array([*hull, hull[-1]])
    return pc, (1 - pc) * fpr[best] + pc * (1 - tpr[best])


def picture(kind: str, summary: dict[str, Any]) -> Markup:
    """Draw one curve of all models; the first model on top."""
    x, y = axes(kind, summary)
    drawn = [curve(i, data) for i, data in enumerate(lines(kind, summary))]
    bands = list(_bands(summary, x, y)) if kind == "roc" else []
    return svg.figure(kind, x, y, [*bands, *_chance(kind, summary, x, y), *reversed(drawn)])


def _bands(summary: dict[str, Any], x: Scale, y: Scale) -> Iterator[Markup]:
    """Both bands of every model, each as an area; the reader chooses which are seen."""
    for i, model in enumerate(summary["curves"]["models"]):
        for kind, edges in (model["bands"] or {}).items():
            low, high = edges["low"], edges["high"]
            outline = line(x, y, low["x"] + high["x"][::-1], low["y"] + high["y"][::-1])
            yield el("path", {"class": f"band {kind} m{i % svg.COLOURS}", "d": f"{outline}z"})


def _chance(kind: str, summary: dict[str, Any], x: Scale, y: Scale) -> Iterator[Markup]:
    found = summary["curves"]
    if kind == "roc":
        yield chance(line(x, y, [0, 1], [0, 1]))
    elif kind == "log_roc":
        at = np.geomspace(x.low, 1, 60)
        yield chance(line(x, y, at, at))
    elif kind == "det":
        yield chance(line(x, y, [1 - x.high, x.high], [x.high, 1 - x.high]))
    elif kind == "precision_recall":
        yield chance(line(x, y, [0, 1], [found["own_prevalence"]] * 2))
    elif kind == "flagged_cost":
        yield chance(line(x, y, [x.low, 1], [1, 1]))
    elif kind == "cost_curve":
        yield chance(line(x, y, [0, 0.5, 1], [0, 0.5, 0]))
    elif kind == "decision":
        at = found["decision"]
        shown = sum(benefit >= y.low for benefit in at["all"])  # it falls
        yield chance(line(x, y, [0, *at["thresholds"][:shown]], [found["own_prevalence"], *at["all"][:shown]]))
        yield chance(line(x, y, [0, x.high], [0, 0]))
    elif kind in ("ap_prevalence", "precision_prevalence"):
        at = np.geomspace(x.low, 1, 60)
        yield chance(line(x, y, at, at))


def distribution(summary: dict[str, Any], i: int) -> Markup:
    """Draw where the scores of one model lie, class by class."""
    x, y = axes("scores", summary, i)
    drawn = summary["curves"]["models"][i]["distribution"]
    width = svg.INNER // len(drawn["pos"])
    bars = [
        el("path", {"class": f"bars {name}", "d": svg.bars(svg.units(y.place(drawn[name])), width)})
        for name in ("neg", "pos")
    ]
    return svg.figure("scores", x, y, bars, number_of=i)


def reliability(summary: dict[str, Any]) -> Markup:
    """Draw the isotonic fit of every model that gives probabilities, and dots for ten bins of equal mass."""
    x, y = axes("reliability", summary)
    parts: list[Markup] = [chance(line(x, y, [x.low, x.high], [x.low, x.high]))]
    for i, model in enumerate(summary["curves"]["models"]):
        fit = model["reliability"]
        if fit is None:
            continue
        across = np.stack([fit["from"], fit["to"]], axis=1).ravel()
        parts.append(curve(i, line(x, y, across, np.repeat(fit["observed"], 2))))
        bins = fit["bins"]
        spots = zip(
            svg.units(x.place(bins["forecast"])), svg.units(y.place(bins["observed"])), bins["rows"], strict=True
        )
        look: dict[str, str | float | None] = {"class": f"bin m{i % svg.COLOURS}", "r": 7}
        parts += [
            el("g", None, el("title", None, f"n = {count(rows)}"),
               el("circle", {**look, "cx": svg.LEFT + a, "cy": svg.TOP + svg.INNER - b}))
            for a, b, rows in spots
        ]  # fmt: skip
    return svg.figure("reliability", x, y, parts)
