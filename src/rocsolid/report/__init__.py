"""Reports: one summary of plain values, and renderers that read nothing else.

``summarise`` collects, ``write`` makes the page; ``render_html``, ``render_text``, ``render_markdown`` turn a summary
into text.
"""

from __future__ import annotations

from pathlib import Path

from rocsolid.evaluations import Evaluations
from rocsolid.report import render_html
from rocsolid.report.summary import summarise
from rocsolid.sources.output import write_text

__all__ = ["summarise", "write"]


def write(
    evaluations: Evaluations,
    path: str | Path,
    title: str | None = None,
    source: str | None = None,
    command: str | None = None,
) -> Path:
    """Write one self-contained HTML page on some models, whole or not at all.

    The page loads nothing and holds no label of the data; English and Chinese are both on it. Without JavaScript its
    tables and pictures are complete; with it they answer to an operating point, a prevalence and costs.

    Parameters
    ----------
    evaluations : the models.
    path : where the page goes; a file there is replaced.
    title : heading of the page.
    source, command : where the data come from and what was typed, printed as they are.

    Returns
    -------
    The path.

    Raises
    ------
    UndefinedMeasureError
        If a model has rows of one class only.
    SourceError
        ``folder-missing``, ``is-a-folder`` or ``not-writable``.

    Notes
    -----
    O(k) a model; the size of the page does not depend on the number of rows.
    """
    page = render_html.render(summarise(evaluations, title=title, source=source, command=command, bands=True))
    return write_text(path, page)
