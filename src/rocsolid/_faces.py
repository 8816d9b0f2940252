"""The one place where lower layers reach up: each function imports its face when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocsolid.evaluation import Evaluation
    from rocsolid.sweep import Sweep


def frame(columns: Mapping[str, Any], backend: str) -> Any:
    """Build a data frame; see :mod:`rocsolid.sources.frames`."""
    from rocsolid.sources.frames import build

    return build(columns, backend)


def save_sweep(sweep: Sweep, path: str | Path) -> None:
    """Write a sweep to a file; see :mod:`rocsolid.sources.arrow`."""
    from rocsolid.sources.arrow import save

    save(sweep, path)


def load_sweep(path: str | Path) -> Sweep:
    """Read a sweep from a file; see :mod:`rocsolid.sources.arrow`."""
    from rocsolid.sources.arrow import load

    return load(path)


def plot_curve(curve: Any, ax: Any = None, name: str | None = None) -> Any:
    """Draw a curve; see :mod:`rocsolid.plot`."""
    from rocsolid import plot

    return plot.draw(curve, ax=ax, name=name)


def write_report(models: Mapping[str, Evaluation], path: str | Path, title: str | None = None) -> Path:
    """Write the HTML page; see :mod:`rocsolid.report`."""
    from rocsolid import report
    from rocsolid.evaluations import Evaluations

    return report.write(Evaluations(models), path, title=title)
