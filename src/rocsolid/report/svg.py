"""The three curves as static SVG, drawn from the summary's points; one picture a language, the paths shared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rocsolid.report.markup import Markup, el, join
from rocsolid.report.scales import on_probit, probit_ticks, tick_label
from rocsolid.report.text import number, percent
from rocsolid.report.words import Language, word
from rocsolid.text import printable

INNER = 300.0
LEFT, TOP, RIGHT, BOTTOM = 50.0, 8.0, 12.0, 46.0
CURVES = ("roc", "precision_recall", "det")
COLOURS = 6
DASHES = (None, "7 3", "2 2.5", "9 3 2 3", "14 4")
AREA_OF = {"roc": ("roc_auc", "AUC"), "precision_recall": ("average_precision", "AP"), "det": ("roc_auc", "AUC")}


@dataclass(frozen=True, slots=True)
class Axes:
    """Where rates lie on both axes (positions in [0, 1]), and which of them are marked."""

    ticks: Sequence[float]
    place: Callable[[float], float]
    label: Callable[[float], str]


def store(curves: dict[str, Any]) -> Markup:
    """Give all paths once, for the pictures of both languages to use."""
    paths = [
        el("path", {"id": f"{kind}-{i}", "d": path_data(line["x"], line["y"])})
        for kind in CURVES
        for i, line in enumerate(curves[kind]["lines"])
    ]
    return el("svg", {"class": "store", "width": 0, "height": 0, "aria-hidden": "true"}, el("defs", None, *paths))


def path_data(x: Sequence[float], y: Sequence[float]) -> str:
    """Give the path through points of [0, 1] x [0, 1], y upwards, to a tenth of a unit."""
    points = [f"{_x(a)} {_y(b)}" for a, b in zip(x, y, strict=True)]
    kept = [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]
    return "M" + "L".join(kept)


def picture(kind: str, summary: dict[str, Any], language: Language) -> Markup:
    """Draw one curve of all models, with axes, chance line, title and description."""
    axes = _axes(kind, summary["curves"])
    name = f"{language}-{kind}"
    size = (LEFT + INNER + RIGHT, TOP + INNER + BOTTOM)
    return el(
        "svg",
        {"role": "img", "viewBox": f"0 0 {size[0]:.0f} {size[1]:.0f}", "aria-labelledby": f"{name}-title {name}-desc"},
        el("title", {"id": f"{name}-title"}, word(kind, language)),
        el("desc", {"id": f"{name}-desc"}, _description(kind, summary, language)),
        _frame(axes),
        _titles(kind, language),
        *_chance(kind, summary["curves"]),
        *(
            el("use", {"href": f"#{kind}-{i}", "class": f"line m{i % COLOURS}", "stroke-dasharray": dash(i)})
            for i in reversed(range(len(summary["models"])))
        ),
    )


def key(i: int | None) -> Markup:
    """Draw the sample of a line beside its name; ``None`` is the chance line."""
    look = {"class": "chance"} if i is None else {"class": f"line m{i % COLOURS}", "stroke-dasharray": dash(i)}
    return el(
        "svg", {"class": "key", "viewBox": "0 0 28 8", "width": 28, "height": 8, "aria-hidden": "true"},
        el("line", {"x1": 1, "y1": 4, "x2": 27, "y2": 4, **look}),
    )  # fmt: skip


def dash(i: int) -> str | None:
    """Give the dash pattern of a model, so that lines differ without their colours too."""
    return DASHES[i % len(DASHES)]


def area(kind: str, model: dict[str, Any]) -> str | None:
    """Give the number that belongs to a curve, such as ``AUC 0.9955``; ``None`` where it was not asked for."""
    measure, short = AREA_OF[kind]
    found = next((e for e in model["estimates"] if e["measure"] == measure), None)
    return None if found is None or found["undefined"] is not None else f"{short} {number(found['value'])}"


# ------------------------------------------------------------------------------------------------ parts


def _x(share: float) -> str:
    return f"{LEFT + INNER * share:.1f}".removesuffix(".0")


def _y(share: float) -> str:
    return f"{TOP + INNER * (1 - share):.1f}".removesuffix(".0")


def _axes(kind: str, curves: dict[str, Any]) -> Axes:
    if kind != "det":
        return Axes([0, 0.2, 0.4, 0.6, 0.8, 1], lambda t: t, lambda t: f"{t:.1f}")
    low, high = curves["det"]["low"], curves["det"]["high"]
    return Axes(
        probit_ticks(low, high), lambda t: float(on_probit([t], low, high)[0]),
        tick_label,
    )  # fmt: skip


def _frame(axes: Axes) -> Markup:
    bottom, end = TOP + INNER, LEFT + INNER
    parts = [el("rect", {"class": "plot", "x": LEFT, "y": TOP, "width": INNER, "height": INNER})]
    for tick in axes.ticks:
        share, text = axes.place(tick), axes.label(tick)
        parts += [
            el("line", {"class": "grid", "x1": _x(share), "y1": TOP, "x2": _x(share), "y2": bottom + 4}),
            el("line", {"class": "grid", "x1": LEFT - 4, "y1": _y(share), "x2": end, "y2": _y(share)}),
            el("text", {"class": "tick", "x": _x(share), "y": bottom + 17, "text-anchor": "middle"}, text),
            el("text", {"class": "tick", "x": LEFT - 8, "y": _y(share), "dy": "0.35em", "text-anchor": "end"}, text),
        ]
    parts.append(el("rect", {"class": "frame", "x": LEFT, "y": TOP, "width": INNER, "height": INNER}))
    return el("g", {"aria-hidden": "true"}, *parts)


def _titles(kind: str, language: Language) -> Markup:
    middle_x, middle_y = LEFT + INNER / 2, TOP + INNER / 2
    unit = " (%)" if kind == "det" else ""
    across = el(
        "text", {"class": "axis", "x": middle_x, "y": TOP + INNER + 38, "text-anchor": "middle"},
        word(f"{kind}_x", language) + unit,
    )  # fmt: skip
    up = el(
        "text",
        {
            "class": "axis",
            "x": 0,
            "y": 0,
            "text-anchor": "middle",
            "transform": f"translate(13 {middle_y:.0f}) rotate(-90)",
        },
        word(f"{kind}_y", language) + unit,
    )
    return join([across, up])


def _chance(kind: str, curves: dict[str, Any]) -> list[Markup]:
    if kind == "roc":
        ends = [([0.0, 1.0], [0.0, 1.0])]
    elif kind == "precision_recall":
        ends = [([0.0, 1.0], [share, share]) for share in curves[kind]["chance"]]
    else:
        low, high = curves["det"]["low"], curves["det"]["high"]
        rates = [1 - high, high]  # miss rate = 1 - false alarm rate, a straight line on these axes
        across = on_probit(rates, low, high).tolist()
        ends = [(across, across[::-1])]
    return [el("path", {"class": "chance", "d": path_data(x, y)}) for x, y in ends]


def _description(kind: str, summary: dict[str, Any], language: Language) -> str:
    models = summary["models"]
    lines = []
    for model in models:
        short, _, value = (area(kind, model) or "").partition(" ")
        if value:
            lines.append(word("line_of", language).format(model=printable(model["name"]), measure=short, value=value))
    return word("figure_desc" if len(models) > 1 else "figure_desc_one", language).format(
        curve=word(kind, language), n=len(models), x=word(f"{kind}_x", language), y=word(f"{kind}_y", language),
        lines=(" " if language == "en" else "").join(lines),
    )  # fmt: skip


def tick_text(kind: str, curves: dict[str, Any]) -> list[str]:
    """Give the words of the ticks along one axis, for tests and for text renderers."""
    axes = _axes(kind, curves)
    return [axes.label(t) if kind != "det" else percent(t) for t in axes.ticks]
