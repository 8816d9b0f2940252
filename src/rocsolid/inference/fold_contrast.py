"""Differences of models over cross-validation folds: the mean of the differences in each fold.

Every fold is a sample of its own, with fits of its own, so models are compared within folds only. Folds are taken as
independent, as for one model (LeDell, Petersen & van der Laan 2015): a covariance of two means over V folds is the sum
of the folds' covariances over V^2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocsolid.inference.contrast import Contrast, Panel, Subject, panel, satterthwaite
from rocsolid.inference.folds import rows_by_fold
from rocsolid.measures.registry import Request, compute, number
from rocsolid.options import Margins
from rocsolid.sweep import Sweep


@dataclass(frozen=True, slots=True)
class Folds:
    """The models of each fold."""

    panels: tuple[Panel, ...]

    def contrast(self, a: int, b: int) -> Contrast:
        """Mean difference of models number ``a`` and ``b``; degrees of freedom add up over folds (Satterthwaite)."""
        each, folds = [one.contrast(a, b) for one in self.panels], len(self.panels)
        parts = [(one.variance / folds**2, one.df) for one in each]
        joint = self.matrix()
        own = math.sqrt(joint[a, a] * joint[b, b])
        return Contrast(
            difference=sum(one.difference for one in each) / folds,
            variance=sum(v for v, _ in parts),
            df=satterthwaite(parts),
            rho=min(1.0, max(-1.0, float(joint[a, b]) / own)) if own > 0 else 0.0,
            rows_apart=sum(one.rows_apart or 0 for one in each),
        )

    def matrix(self) -> npt.NDArray[np.float64]:
        """Give the (k, k) covariance of all models."""
        return np.asarray(sum(one.matrix() for one in self.panels) / len(self.panels) ** 2, np.float64)


def fold_panel(request: Request, subjects: Sequence[Subject], margins: Margins) -> Folds:
    """Several models on common rows in folds. O(k n log n)."""
    of_models = [list(_by_fold(subject)) for subject in subjects]
    return Folds(tuple(_panel(request, models, margins) for models in zip(*of_models, strict=True)))


def _by_fold(subject: Subject) -> list[Subject]:
    assert subject.rows is not None
    up = subject.sweep.higher_is_positive
    return [
        Subject(subject.name, Sweep.from_rows(part, higher_is_positive=up), part) for part in rows_by_fold(subject.rows)
    ]


def _panel(request: Request, models: Sequence[Subject], margins: Margins) -> Panel:
    values = [number(request, compute(request, model.sweep)) for model in models]
    return panel(request, models, values, margins)
