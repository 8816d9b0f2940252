"""The binormal model: its areas at any prevalence, fits to data, and smoothed ROC curves."""

from __future__ import annotations

from rocsolid.binormal.fit import BinormalFit, Goodness, fit_sweep
from rocsolid.binormal.model import Binormal, BinormalCrossing
from rocsolid.binormal.smooth import SmoothRoc, kernel_roc
from rocsolid.options import check_choice
from rocsolid.sweep import Sweep


def smooth_roc(sweep: Sweep, method: str = "binormal") -> SmoothRoc:
    """Smooth the ROC curve of a sweep: ``"binormal"`` by maximum likelihood, or ``"kernel"``."""
    check_choice("method", method, ("binormal", "kernel"))
    return kernel_roc(sweep) if method == "kernel" else fit_sweep(sweep).roc()


__all__ = ["Binormal", "BinormalCrossing", "BinormalFit", "Goodness", "SmoothRoc", "fit_sweep", "smooth_roc"]
