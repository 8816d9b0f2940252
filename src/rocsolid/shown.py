"""How an evaluation shows itself: figures, the page, one line, a table in a notebook."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from rocsolid import _faces
from rocsolid.believed import Believed
from rocsolid.text import printable

if TYPE_CHECKING:
    from rocsolid.report.inline import InlineReport


class Shown(Believed):
    """The part of an evaluation that people look at; each method reaches its face when it is called."""

    __slots__ = ()

    @property
    def _alone(self) -> Mapping[str, Any]:
        """This evaluation as the only model."""
        return {self.name or "score": self}

    def plot(
        self,
        curves: Sequence[str] | None = None,
        *,
        band: str | None = None,
        scales: Mapping[str, str] | None = None,
        columns: int | None = None,
        title: str | None = None,
        lang: str = "en",
    ) -> Any:
        """Draw several curves side by side with Matplotlib.

        Parameters
        ----------
        curves : names as in :meth:`Evaluation.curve`; by default ROC, precision-recall, DET, and the reliability
            curve (the gain curve where scores are no probabilities).
        band : ``"pointwise"`` or ``"simultaneous"``, on the curves that have bands.
        scales : of some curves by name, such as ``{"roc": "log"}``.
        columns, title, lang : panels in a row, a heading, and ``"en"`` or ``"zh"`` for the words.

        Returns
        -------
        PanelsDisplay
            With ``figure_``, ``axes_`` and ``displays_`` by curve, and ``save(path)``.

        Raises
        ------
        MissingDependencyError
            Without Matplotlib.
        OptionError, UnknownNameError, UndefinedMeasureError
            For unknown curves, bands and scales, and curves that the rows do not have.

        Examples
        --------
        >>> import rocsolid as rs
        >>> sorted(rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).plot(["roc", "det"]).axes_)
        ['det', 'roc']
        """
        return _faces.plot_panels(
            self._alone, curves, band=band, scales=scales, columns=columns, title=title, lang=lang,
        )  # fmt: skip

    @overload
    def report(self, path: None = None, *, title: str | None = None) -> InlineReport: ...
    @overload
    def report(self, path: str | Path, *, title: str | None = None) -> Path: ...
    def report(self, path: str | Path | None = None, *, title: str | None = None) -> Path | InlineReport:
        """Write one self-contained HTML page, whole or not at all, and return its path.

        Without a ``path`` the page comes back instead: a notebook shows it in a sandboxed frame.
        """
        if path is None:
            return _faces.inline_report(self._alone, title=title)
        return _faces.write_report(self._alone, path, title=title)

    def __repr__(self) -> str:
        """Name, sizes and the two areas."""
        s = self._sweep
        name = f"{printable(self.name)}: " if self.name is not None else ""
        return f"<Evaluation {name}{s.sizes}; {len(s):,} distinct scores; positive: {s.pos_label!r}>"

    def _repr_html_(self) -> str:
        return f"<p><code>{html.escape(repr(self)[1:-1])}</code></p>{self.table()._repr_html_()}"
