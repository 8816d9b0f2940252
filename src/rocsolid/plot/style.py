"""How models look: colours, dashes and fonts; set for one drawing and never globally."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from rocsolid.errors import MissingDependencyError, OptionError
from rocsolid.options import check_choice
from rocsolid.text import printable

LANGUAGES = ("en", "zh")
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8F6B00", "#3B3F46")
"""Four of Okabe & Ito's colours, which colour-blind readers tell apart, and two darker ones."""
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (10, 3)))
"""One pattern a model, so that lines differ without their colours too."""
CHANCE = {"color": "0.5", "linestyle": ":", "linewidth": 1.0, "zorder": 1.0}
CHINESE_FONTS = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "Noto Sans CJK JP", "PingFang SC",
    "Hiragino Sans GB", "Heiti SC", "Microsoft YaHei", "SimHei", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei",
    "Droid Sans Fallback", "Arial Unicode MS",
)  # fmt: skip
"""Fonts with Chinese characters, those made for screens first."""


LONGEST = 32
"""Characters of a name in a figure; a longer one would leave no room for the curve."""


def look(i: int) -> dict[str, Any]:
    """Give colour and dashes of the model in place ``i``; no two of the first thirty are alike."""
    return {"color": PALETTE[i % len(PALETTE)], "linestyle": DASHES[i % len(DASHES)]}


def chinese_font() -> str | None:
    """Find a font of this machine that has Chinese characters."""
    from matplotlib import font_manager

    there = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in CHINESE_FONTS if name in there), None)


@contextlib.contextmanager
def styled(language: str = "en") -> Iterator[None]:
    """Draw with our settings: a font behind the usual one has the characters that this lacks.

    Raises
    ------
    MissingDependencyError
        Without Matplotlib.
    UnknownNameError, OptionError
        For another language, and for Chinese where no font here can write it.
    """
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingDependencyError("drawing a curve", "matplotlib", "plot") from None
    check_choice("language", language, LANGUAGES)
    font = chinese_font()
    if language == "zh" and font is None:
        raise OptionError("language", language, "one that a font here can write", "apt install fonts-noto-cjk")
    families = [*mpl.rcParams["font.family"], *([font] if font else [])]
    with mpl.rc_context({"axes.unicode_minus": False, "font.family": families}):
        yield


def plain(text: object) -> str:
    """Keep Matplotlib from reading a name as mathematics, or hiding it for its underscore; long ones are cut."""
    whole = printable(text)
    short = whole if len(whole) <= LONGEST else f"{whole[: LONGEST - 1]}…"
    safe = short.replace("$", r"\$")
    return f" {safe}" if safe.startswith("_") else safe
