"""Pictures as static SVG, drawn from the summary's cuts in whole units; the script takes them over and moves them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rocsolid import _kernel
from rocsolid.report.bilingual import svg_text
from rocsolid.report.markup import Markup, el, join
from rocsolid.report.scales import Floats, Scale, tick_label
from rocsolid.report.text import number

INNER = 600
LEFT, TOP, RIGHT, BOTTOM = 116, 16, 28, 92
COLOURS = 6
DASHES = (None, "14 6", "4 5", "18 6 4 6", "28 8")
KEY_DASHES = (None, "7 3", "2 2.5", "9 3 2 3", "14 4")
AREA_OF = {"roc": ("roc_auc", "AUC"), "precision_recall": ("average_precision", "AP"), "det": ("roc_auc", "AUC"),
           "log_roc": ("roc_auc", "AUC")}  # fmt: skip


def units(places: Any) -> list[int]:
    """Turn positions in [0, 1] into whole units."""
    return [int(v) for v in np.floor(np.asarray(places, np.float64) * INNER + 0.5).tolist()]


def path_data(x: Sequence[int], y: Sequence[int]) -> str:
    """Give the path through points in whole units, y upwards, without those one unit from the last one drawn."""
    if not x:
        return ""
    at, steps, last = (x[0], y[0]), [], len(x) - 1
    for i, (a, b) in enumerate(zip(x, y, strict=True)):
        dx, dy = a - at[0], at[1] - b
        if max(abs(dx), abs(dy)) > 1 or (i == last and (dx or dy)):
            steps.append(f"v{dy}" if dx == 0 else f"h{dx}" if dy == 0 else f"l{dx} {dy}")
            at = (a, b)
    return f"M{LEFT + x[0]} {TOP + INNER - y[0]}" + "".join(steps)


def line(x: Scale, y: Scale, across: Any, up: Any, *, straight: bool = False) -> str:
    """Give the path of a curve on two axes; ``straight`` for one that runs one way: within one unit of the points."""
    a, b = units(x.place(across)), units(y.place(up))
    if straight:
        kept = _straightened(a, b)
        a, b = [a[i] for i in kept], [b[i] for i in kept]
    return path_data(a, b)


def _straightened(x: list[int], y: list[int]) -> list[int]:
    """Choose the points of a line that runs one way along both axes so that none is more than one unit off."""
    rising = y if y[-1] >= y[0] else [-v for v in y]
    simplifier = _kernel.Simplifier(1, False, 1.0)
    simplifier.feed(np.column_stack([x, rising]).astype(np.float64), np.zeros(len(x), np.bool_))
    return [int(i) for i in simplifier.finish()]


def figure(
    kind: str, x: Scale, y: Scale, parts: Iterable[Markup | None], *, number_of: int | None = None
) -> Markup:  # fmt: skip
    """Draw a picture: axes, what is on them, and a layer for what the script moves."""
    name = f"p-{kind}" if number_of is None else f"p-{kind}-{number_of}"
    size = (LEFT + INNER + RIGHT, TOP + INNER + BOTTOM)
    return el(
        "svg",
        {"id": name, "class": "panel", "data-panel": kind, "data-model": number_of,
         "role": "img", "viewBox": f"0 0 {size[0]} {size[1]}", "aria-labelledby": f"{name}-name"},
        el("rect", {"class": "plot", "x": LEFT, "y": TOP, "width": INNER, "height": INNER}),
        _frame(x, y), _titles(kind, x, y), *parts, el("g", {"class": "marks"}),
    )  # fmt: skip


def key(i: int | None) -> Markup:
    """Show the sample of a line beside its name; ``None`` is the chance line."""
    name = "chance" if i is None else f"{i}"
    return el("svg", {"class": "key", "aria-hidden": "true"}, el("use", {"href": f"#key-{name}"}))


def store(n: int) -> Markup:
    """Draw the samples of the lines of so many models once, for all legends."""
    symbols = []
    for i in (None, *range(n)):
        look = {"class": "chance"} if i is None else {"class": f"line m{i % COLOURS}", "stroke-dasharray": key_dash(i)}
        drawn = el("line", {"x1": 1, "y1": 4, "x2": 27, "y2": 4, **look})
        name = "chance" if i is None else f"{i}"
        symbols.append(el("symbol", {"id": f"key-{name}", "viewBox": "0 0 28 8"}, drawn))
    return el("svg", {"class": "store", "width": 0, "height": 0, "aria-hidden": "true"}, *symbols)


def dash(i: int) -> str | None:
    """Give the dash pattern of a model, so that lines differ without their colours too."""
    return DASHES[i % len(DASHES)]


def key_dash(i: int) -> str | None:
    """Give the dash pattern of a model at half the size."""
    return KEY_DASHES[i % len(KEY_DASHES)]


def curve(i: int, data: str, extra: str = "") -> Markup:
    """Draw the line of one model."""
    return el("path", {"class": f"line m{i % COLOURS}{extra}", "data-line": i, "stroke-dasharray": dash(i), "d": data})


def chance(data: str) -> Markup:
    """Draw the line of a useless score."""
    return el("path", {"class": "chance", "d": data})


def area(kind: str, model: dict[str, Any]) -> str | None:
    """Give the number that belongs to a curve, such as ``AUC 0.9955``; ``None`` where it was not asked for."""
    if kind not in AREA_OF:
        return None
    measure, short = AREA_OF[kind]
    found = next((e for e in model["estimates"] if e["measure"] == measure), None)
    return None if found is None or found["undefined"] is not None else f"{short} {number(found['value'])}"


# ------------------------------------------------------------------------------------------------ parts


def _frame(x: Scale, y: Scale) -> Markup:
    bottom, end = TOP + INNER, LEFT + INNER
    grid, below, beside = [], [], []
    for tick, at in zip(x.ticks(), units(x.place(x.ticks())), strict=True):
        grid.append(f"M{LEFT + at} {TOP}v{INNER + 8}")
        below.append(el("text", {"x": LEFT + at}, _label(x, tick)))
    for tick, at in zip(y.ticks(), units(y.place(y.ticks())), strict=True):
        grid.append(f"M{LEFT - 8} {bottom - at}h{INNER + 8}")
        beside.append(el("text", {"y": bottom - at}, _label(y, tick)))
    frame = el("path", {"class": "frame", "d": f"M{LEFT} {TOP}H{end}V{bottom}H{LEFT}z"})
    return el(
        "g", {"aria-hidden": "true"}, el("path", {"class": "grid", "d": "".join(grid)}), frame,
        el("g", {"class": "tick across", "transform": f"translate(0 {bottom + 34})"}, *below),
        el("g", {"class": "tick up", "transform": f"translate({LEFT - 16} 8)"}, *beside),
    )  # fmt: skip


def _label(scale: Scale, tick: float) -> str:
    if scale.kind in ("probit", "logit"):
        return tick_label(tick)
    if scale.kind == "log":
        return f"{tick:g}" if tick >= 1e-3 else f"{tick:.0e}".replace("e-0", "e-")
    return f"{tick:g}"


def _titles(kind: str, x: Scale, y: Scale) -> Markup:
    def unit(scale: Scale) -> str:
        return " (%)" if scale.kind in ("probit", "logit") else ""

    middle = TOP + INNER // 2
    across = svg_text(
        f"{kind}_x",
        {"class": "axis", "x": LEFT + INNER // 2, "y": TOP + INNER + 76, "text-anchor": "middle"}, unit(x),
    )  # fmt: skip
    up = svg_text(
        f"{kind}_y",
        {"class": "axis", "text-anchor": "middle", "transform": f"translate(22 {middle}) rotate(-90)"}, unit(y),
    )  # fmt: skip
    return el("g", {"aria-hidden": "true"}, join([across, up]))


def bars(heights: Iterable[int], width: int) -> str:
    """Give the outline of bars of one width that stand side by side, from the left end of the axis."""
    bottom = TOP + INNER
    return f"M{LEFT} {bottom}" + "".join(f"V{bottom - h}h{width}" for h in heights) + f"V{bottom}z"


def shares(tp: Any, fp: Any) -> tuple[Floats, Floats]:
    """Give TPR and FPR of counts."""
    t, f = np.asarray(tp, np.float64), np.asarray(fp, np.float64)
    return t / t[-1], f / f[-1]
