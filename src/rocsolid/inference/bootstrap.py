"""Bootstrap replicates: the values that a measure takes on samples drawn, with replacement, from the sample.

What is drawn (Efron 1979, Annals of Statistics 7:1-26):

    rows          as many as there are (``margins="random"``), or of each class as many as there are ("fixed", that is
                  stratified); without weights the sweep is all that is needed
    weighted rows the same, each row coming with its weight
    clusters      whole ones, as many as there are (Field & Welsh 2007, JRSS B 69:369-390)

A replicate is *degenerate* where a class that the data have was not drawn, or where the measure has no value. Its entry
is nan: it is counted and left out, never replaced.

Random numbers come from the kernel alone: a replicate is a function of the data, the seed and its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rocsolid import _kernel
from rocsolid.errors import OptionError, UndefinedMeasureError
from rocsolid.inference.row_influence import score_ranks
from rocsolid.inference.seeds import Resampling, resampling
from rocsolid.inputs import Rows
from rocsolid.inputs.arrays import Array
from rocsolid.measures.registry import Request, compute
from rocsolid.options import get_num_threads
from rocsolid.results import Undefined
from rocsolid.sweep import Sweep

Floats = npt.NDArray[np.float64]
U64 = npt.NDArray[np.uint64]

AREAS = ("roc_auc", "average_precision")
"""Measures whose replicates the kernel computes itself, and from which those of their increasing functions follow."""


class PairedReplicates(NamedTuple):
    """Replicates of k models on the same drawn rows.

    ``values`` is of shape (k, n_resamples), nan in every row where any model is degenerate; ``degenerate`` counts
    those columns, and ``seed`` is what they were drawn from.
    """

    values: Floats
    degenerate: int
    seed: int


def replicates(request: Request, sweep: Sweep, rows: Rows | None, draws: Resampling, *, stratified: bool) -> Floats:
    """Values of a measure on bootstrap samples, (n_resamples,), nan where degenerate.

    O(n_resamples k) for k distinct scores; O(n_resamples n) for clusters and O(n_resamples n log n) for weighted rows.
    ROC-AUC and average precision of unweighted rows are computed by the kernel on all threads.

    Raises
    ------
    OptionError
        For a weighted sweep without its rows (sums of weights do not say which rows there were), and if clusters are
        to be drawn by class.
    """
    if rows is None and sweep.weights is not None:
        expected = "one that draws nothing: sums of weights do not say which rows there were"
        raise OptionError("method", "bootstrap", expected, "method='auto', or evaluate the rows")
    if rows is not None and needs_rows(rows):
        return np.asarray(_of_rows(request, [Model(rows, sweep)], draws, stratified=stratified)[0])
    if area_of(request) is not None:
        both = _kernel.resample(
            sweep.pos, sweep.neg, draws.n_resamples, draws.seed, _scheme(stratified), get_num_threads()
        )
        return _chosen(request, both[0], both[1], sweep)
    values = np.empty(draws.n_resamples)
    for r in range(draws.n_resamples):
        drawn = _kernel.resample_counts(sweep.pos, sweep.neg, draws.seed, r, _scheme(stratified))
        values[r] = value_of(request, counted(sweep, *drawn), sweep)
    return values


def paired_bootstrap(
    request: Request,
    rows: Rows,
    scores: Sequence[Array],
    *,
    n_resamples: int | None = None,
    rng: object = None,
    stratified: bool = False,
    higher_is_positive: bool = True,
) -> PairedReplicates:
    """Replicates of several models on the same bootstrap samples of their common rows.

    Parameters
    ----------
    request : any measure.
    rows : labels, and weights or clusters if there are any; its own scores are not used.
    scores : k arrays of n clean scores, one per row of ``rows``.
    n_resamples, rng : as in :func:`~rocsolid.inference.seeds.resampling`.
    stratified : draw each class for itself (class sizes set by design); refused with clusters.
    higher_is_positive : the direction of all scores.

    Notes
    -----
    O(n_resamples n k); ROC-AUC and average precision of unweighted rows on all threads.

    Raises
    ------
    OptionError
        For clusters with ``stratified=True``, and bad ``n_resamples`` or ``rng``.
    """
    draws = resampling(n_resamples, rng)
    models = []
    for column in scores:
        own = replace(rows, scores=column, decimals=None)
        models.append(Model(own, Sweep.from_rows(own, higher_is_positive=higher_is_positive)))
    if area_of(request) is not None and not needs_rows(rows):
        places = [model.place.astype(np.uint32, copy=False) for model in models]
        positive = rows.positive.view(np.uint8)
        both = _kernel.resample_rows(
            places, positive, draws.n_resamples, draws.seed, _scheme(stratified), get_num_threads()
        )  # fmt: skip
        values = _chosen(request, both[0], both[1], models[0].sweep)
    else:
        values = _of_rows(request, models, draws, stratified=stratified)
    gone = np.isnan(values).any(axis=0)
    values[:, gone] = np.nan
    return PairedReplicates(values, int(gone.sum()), draws.seed)


# --------------------------------------------------------------------------------------------- one replicate


def _scheme(stratified: bool) -> str:
    """Name the kernel's way of drawing: exactly as many rows as there are, of all or of each class."""
    return "stratified" if stratified else "multinomial"


def needs_rows(rows: Rows) -> bool:
    """Whether the sweep does not tell all that is drawn: which rows have which weight or cluster."""
    return rows.weights is not None or rows.cluster is not None


def area_of(request: Request) -> str | None:
    """The area, without options, that a measure is or is an increasing function of."""
    entry = request.measure
    base = entry.name if entry.monotone is None else entry.monotone.base
    return base if base in AREAS and request.spec == entry.name else None


def _chosen(request: Request, auc: Floats, ap: Floats, sweep: Sweep) -> Floats:
    """Values of the measure from both areas; nan where a class that the data have was not drawn."""
    values = auc if area_of(request) == "roc_auc" else ap
    if sweep.n_pos and sweep.n_neg:
        values = np.where(np.isnan(auc), np.nan, values)
    monotone = request.measure.monotone
    return values if monotone is None else np.vectorize(monotone.forward, otypes=[np.float64])(values)


def value_of(request: Request, drawn: Sweep, whole: Sweep) -> float:
    """Value on a drawn sample; nan where it is degenerate beside the whole."""
    if (drawn.n_pos > 0, drawn.n_neg > 0) != (whole.n_pos > 0, whole.n_neg > 0):
        return np.nan
    try:
        raw = compute(request, drawn)
    except UndefinedMeasureError:  # a function of the caller's may say so itself
        return np.nan
    return np.nan if isinstance(raw, Undefined) else float(raw)


def counted(sweep: Sweep, pos: U64, neg: U64) -> Sweep:
    """The sweep with other counts at its scores; scores without a row are left out."""
    kept = (pos > 0) | (neg > 0)
    return Sweep(sweep.scores[kept], pos[kept], neg[kept], sweep.higher_is_positive, sweep.pos_label)


class Model:
    """The rows of one model and their places in its sweep, to be counted again for each replicate."""

    def __init__(self, rows: Rows, sweep: Sweep) -> None:
        self.rows = rows
        self.sweep = sweep
        self.place: npt.NDArray[Any] = score_ranks(sweep, rows)

    def drawn(self, times: U64) -> Sweep:
        """The sweep of a sample that holds each row so many times."""
        rows, k = self.rows, len(self.sweep)
        if rows.weights is None:
            pos = np.bincount(self.place, np.where(rows.positive, times, 0), k).astype(np.uint64)
            every = np.bincount(self.place, times, k).astype(np.uint64)
            return counted(self.sweep, pos, every - pos)
        at = np.repeat(np.arange(len(times)), times.astype(np.intp))
        return Sweep.from_rows(
            replace(rows, scores=rows.scores[at], positive=rows.positive[at], weights=rows.weights[at], cluster=None),
            higher_is_positive=self.sweep.higher_is_positive,
        )


def _of_rows(request: Request, models: list[Model], draws: Resampling, *, stratified: bool) -> Floats:
    rows = models[0].rows
    if stratified and rows.cluster is not None:
        raise OptionError(
            "margins", "fixed", '"random" for a bootstrap of clusters, which bring their own class sizes',
            'margins="random"',
        )  # fmt: skip
    values = np.empty((len(models), draws.n_resamples))
    for r in range(draws.n_resamples):
        times = times_drawn(rows, draws.seed, r, stratified=stratified)
        values[:, r] = [value_of(request, model.drawn(times), model.sweep) for model in models]
    return values


def times_drawn(rows: Rows, seed: int, replicate: int, *, stratified: bool) -> U64:
    """How often each row is in a replicate."""
    if rows.cluster is None:
        pos = rows.positive.astype(np.uint64)
        drawn_pos, drawn_neg = _kernel.resample_counts(pos, 1 - pos, seed, replicate, _scheme(stratified))
        return drawn_pos + drawn_neg
    every = np.ones(rows.n_clusters, np.uint64)
    times, _ = _kernel.resample_counts(every, np.zeros_like(every), seed, replicate, _scheme(False))
    return times[rows.cluster]
