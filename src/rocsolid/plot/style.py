"""How models look: colours, dashes and fonts; set for one drawing and never globally."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from rocsolid.errors import MissingDependencyError
from rocsolid.plot import words
from rocsolid.text import printable

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8F6B00", "#3B3F46")
"""Four of Okabe & Ito's colours, which colour-blind readers tell apart, and two darker ones."""
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (10, 3)))
"""One pattern a model, so that lines differ without their colours too."""
CHANCE = {"color": "0.5", "linestyle": ":", "linewidth": 1.0, "zorder": 1.0}
LONGEST = 32
"""Characters of a name in a figure; a longer one would leave no room for the curve."""


def look(i: int) -> dict[str, Any]:
    """Give colour and dashes of the model in place ``i``; no two of the first thirty are alike."""
    return {"color": PALETTE[i % len(PALETTE)], "linestyle": DASHES[i % len(DASHES)]}


@contextlib.contextmanager
def styled(lang: str = "en") -> Iterator[None]:
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
    words.check_language(lang)
    behind = words.font()
    families = [*mpl.rcParams["font.family"], *([behind] if behind else [])]
    with mpl.rc_context({"axes.unicode_minus": False, "font.family": families}):
        yield


def plain(text: object) -> str:
    """Keep Matplotlib from reading a name as mathematics, or hiding it for its underscore; long ones are cut."""
    whole = printable(text)
    short = whole if len(whole) <= LONGEST else f"{whole[: LONGEST - 1]}…"
    safe = short.replace("$", r"\$")
    return f" {safe}" if safe.startswith("_") else safe
