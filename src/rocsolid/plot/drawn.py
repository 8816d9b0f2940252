"""What everything drawn can do: show itself in a notebook, and be written to a file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from rocsolid.errors import OptionError
from rocsolid.plot.words import HAN
from rocsolid.sources.output import whole

FORMATS = (".png", ".svg", ".pdf")
DATELESS: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
"""Without the hour of its making a picture of the same data has the same bytes."""


class Drawn:
    """A figure: shown in notebooks, saved as PNG, SVG or PDF.

    Attributes
    ----------
    figure_ : Matplotlib's figure, ``None`` before it is drawn.
    """

    figure_: Any = None

    def save(self, path: str | Path, *, dpi: float = 300) -> Path:
        """Write the figure, whole or not at all; the ending chooses PNG, SVG or PDF. Same figure, same bytes.

        Raises
        ------
        OptionError
            For another ending, or if nothing is drawn yet.
        SourceError
            ``folder-missing``, ``is-a-folder`` or ``not-writable``.
        """
        import matplotlib as mpl

        ending = Path(path).suffix.lower()
        if ending not in FORMATS:
            raise OptionError("path", str(path), f"a name that ends in {', '.join(FORMATS)}", '.save("roc.svg")')
        if self.figure_ is None:
            raise OptionError("figure", None, "drawn before it is saved", ".plot().save(path)")
        settings: Any = {"pdf.fonttype": 3 if self._needs_outlines() else 42, "svg.hashsalt": "rocsolid"}
        with mpl.rc_context(settings), whole(path) as part:
            self.figure_.savefig(part, format=ending[1:], dpi=dpi, metadata=DATELESS[ending])
        return Path(path)

    def _needs_outlines(self) -> bool:
        """Whether some text can not be held as TrueType, which journals ask for: Chinese fonts are OpenType."""
        from matplotlib.text import Text

        return any(HAN.search(text.get_text()) for text in self.figure_.findobj(Text))

    def _repr_png_(self) -> bytes | None:
        """Show the figure in a notebook."""
        if self.figure_ is None:
            return None
        buffer = io.BytesIO()
        self.figure_.savefig(buffer, format="png")
        return buffer.getvalue()
