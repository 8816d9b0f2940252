"""The page inside a notebook: in a frame of its own, which can reach nothing of the notebook."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path

from rocsolid.evaluations import Evaluations
from rocsolid.report import render_html
from rocsolid.report.summary import summarise
from rocsolid.sources.output import write_text

HEIGHT = 720
"""Pixels of the frame; the page scrolls in it."""


@dataclass(frozen=True, slots=True, repr=False)
class InlineReport:
    """A page that a notebook shows, and that can be saved.

    Attributes
    ----------
    page : the HTML.
    """

    page: str

    def save(self, path: str | Path) -> Path:
        """Write the page, whole or not at all; return its path.

        Raises
        ------
        SourceError
            ``folder-missing``, ``is-a-folder`` or ``not-writable``.
        """
        return write_text(path, self.page)

    def __repr__(self) -> str:
        """One line: the size, and what to do where no notebook shows it."""
        return f"<report: {len(self.page.encode()) / 1024:.0f} KB of HTML; .save('report.html') writes it>"

    def _repr_html_(self) -> str:
        """The page as text of a sandboxed frame: its scripts run without the rights of the notebook's origin."""
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" srcdoc="{html.escape(self.page)}" width="100%" '
            f'height="{HEIGHT}" frameborder="0"></iframe>'
        )


def inline(evaluations: Evaluations, title: str | None = None) -> InlineReport:
    """Make the page on some models for a notebook; errors as in :func:`rocsolid.report.write`, but of files."""
    return InlineReport(render_html.render(summarise(evaluations, title=title, bands=True)))
