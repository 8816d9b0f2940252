"""How many rows and classes an average rests on."""

from __future__ import annotations

from dataclasses import dataclass

from rocsolid.results import Sizes
from rocsolid.text import several


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSizes(Sizes):
    """Rows of all classes: every row counts once as of its class, and once as not of each other class.

    Attributes
    ----------
    n_rows, n_classes : rows, and classes (or labels).
    """

    n_rows: int
    n_classes: int

    def __str__(self) -> str:
        """Such as ``150 rows of 3 classes``."""
        text = f"{several(self.n_rows, 'row')} of {several(self.n_classes, 'class')}"
        return text if self.n_clusters is None else f"{text} in {several(self.n_clusters, 'cluster')}"
