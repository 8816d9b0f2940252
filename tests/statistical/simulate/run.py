"""Draw a cell's data sets, ask the package, and count."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from tests.statistical.simulate import populations as pop
from tests.statistical.simulate.grid import AT_CUT, COMPARED, TABLED, Cell

from rocsolid.errors import UndefinedMeasureError
from rocsolid.inference.compare import check_terms, compare
from rocsolid.inference.contrast import Subject
from rocsolid.inference.estimates import estimate
from rocsolid.inference.folds import fold_estimate, split
from rocsolid.inputs import Rows
from rocsolid.inputs.clusters import names_of
from rocsolid.measures import find
from rocsolid.measures.registry import compute
from rocsolid.results import Undefined
from rocsolid.sweep import Sweep

DRAWS = {"bootstrap": 999, "permutation": 199}
ALPHA = 0.05


@dataclass
class Tally:
    """Counts of one method: intervals that cover, lie below and above the truth, do not exist; widths; rejections."""

    hits: int = 0
    below: int = 0
    above: int = 0
    none: int = 0
    width: float = 0.0
    rejected: int = 0

    def add(self, interval: Any, truth: float, pvalue: float = math.nan) -> None:
        self.rejected += pvalue <= ALPHA
        if interval is None:
            self.none += 1
            return
        self.hits += interval.low <= truth <= interval.high
        self.below += interval.high < truth
        self.above += interval.low > truth
        self.width += interval.width

    def __iadd__(self, other: Tally) -> Tally:
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self


@dataclass
class Result:
    """What was counted in a cell over ``r`` data sets; ``best``: how many reached the best value there is."""

    r: int = 0
    best: int = 0
    seconds: float = 0.0
    by_method: dict[str, Tally] = field(default_factory=dict)

    def __iadd__(self, other: Result) -> Result:
        self.r, self.best, self.seconds = self.r + other.r, self.best + other.best, self.seconds + other.seconds
        for name, tally in other.by_method.items():
            self.by_method[name] = self.by_method.get(name, Tally())
            self.by_method[name] += tally
        return self


def run(cell: Cell, first: int, last: int) -> Result:
    """Data sets number ``first`` to ``last``, excluded; the same numbers give the same data."""
    one = compared if cell.family in COMPARED else tabled if cell.family in TABLED else estimated
    result = Result(last - first, by_method={name: Tally() for name in cell.methods})
    truth = true_value(cell)
    for number in range(first, last):
        rng = np.random.default_rng((cell.seed, number))
        result.best += one(cell, rng, truth, result.by_method)
    return result


# -------------------------------------------------------------------------------------------- one data set


def rows_of(sample: pop.Sample, k: int = 0) -> Rows:
    return Rows(
        scores=sample.scores[k], positive=sample.positive, weights=sample.weights, decimals=None, pos_label=1,
        labels=(0, 1), dropped=0, cluster=sample.cluster, fold=sample.fold,
        fold_names=() if sample.fold is None else names_of(sample.fold),
    )  # fmt: skip


def estimated(cell: Cell, rng: np.random.Generator, truth: float, tallies: dict[str, Tally]) -> bool:
    rows, request = rows_of(draw(cell, rng)), find(cell.measure)
    margins, best = "fixed" if "by design" in cell.family else "random", False
    sweep = Sweep.from_rows(replace(rows, fold=None))
    for method, tally in tallies.items():
        try:
            if rows.fold is not None:
                sweeps = split(rows, higher_is_positive=True)
                found = fold_estimate(request, sweeps, range(len(sweeps)), method=method)
            else:
                drawn = {"n_resamples": DRAWS["bootstrap"], "rng": 1} if method.startswith("bootstrap") else {}
                found = estimate(request, sweep, method=method, margins=margins, rows=rows, **drawn)
        except UndefinedMeasureError:
            tally.none += 1
            continue
        tally.add(found.interval, truth)
        best = found.value == (request.range[1] if request.measure.better == "higher" else request.range[0])
    return best


def tabled(cell: Cell, rng: np.random.Generator, truth: float, tallies: dict[str, Tally]) -> bool:
    """A confusion matrix for which the measure exists; the same one is asked for once."""
    p, best = dict(cell.params), False
    margins = "fixed" if "by design" in cell.family else "random"
    found = None
    while found is None:
        m = rng.binomial(p["m"] + p["n"], p["m"] / (p["m"] + p["n"])) if p.get("sampled") else p["m"]
        n = p["m"] + p["n"] - m
        cells = m, n, int(rng.binomial(m, p["tpr"])), int(rng.binomial(n, p["fpr"]))
        found = of_table(cell.measure, margins, tuple(tallies), *cells)
    for tally, one in zip(tallies.values(), found, strict=True):
        tally.add(one.interval, truth)
        best = one.value == (1.0 if find(cell.measure).measure.better == "higher" else 0.0)
    return best


@lru_cache(maxsize=200_000)
def of_table(measure: str, margins: str, methods: tuple[str, ...], m: int, n: int, tp: int, fp: int) -> Any:
    """Estimates by every method; ``None`` where the measure does not exist."""
    pos, neg = [tp, m - tp], [fp, n - fp]
    sweep = Sweep.from_counts([0.7, 0.3], pos, neg)
    try:
        return [estimate(find(measure), sweep, method=method, margins=margins) for method in methods]
    except UndefinedMeasureError:
        return None


def exists(cell: Cell, sweeps: list[Sweep]) -> bool:
    """Ratios may have a denominator of 0; they are judged where they exist."""
    request = find(cell.measure)
    return cell.measure not in AT_CUT or not any(isinstance(compute(request, sweep), Undefined) for sweep in sweeps)


TERMS: dict[tuple[str, bool], Any] = {}


def terms_of(method: str, paired: bool) -> Any:
    if (method, paired) not in TERMS:
        drawn = method == "permutation"
        TERMS[method, paired] = check_terms(
            method=method, paired=paired, alternative="two-sided", margin=None, confidence_level=0.95,
            margins="random", n_resamples=DRAWS[method] if drawn else None, rng=1 if drawn else None,
        )  # fmt: skip
    return TERMS[method, paired]


def compared(cell: Cell, rng: np.random.Generator, truth: float, tallies: dict[str, Tally]) -> bool:
    paired = cell.family != "unpaired"
    while True:
        if paired:
            sample = draw(cell, rng)
            rows = [rows_of(sample, 0), rows_of(sample, 1)]
        else:
            rows = [rows_of(draw(cell, rng), 0), rows_of(draw(cell, rng), 1)]
        subjects = [Subject(name, Sweep.from_rows(one), one) for name, one in zip("ab", rows, strict=True)]
        if exists(cell, [subject.sweep for subject in subjects]):
            break
    request, best = find(cell.measure), False
    for method, tally in tallies.items():
        try:
            found = compare(request, subjects, terms_of(method, paired))
        except UndefinedMeasureError:
            tally.none += 1
            continue
        tally.add(found.interval, truth, found.pvalue)
        best = any(note.code == "both-perfect" for note in found.notes)
    return best


# ------------------------------------------------------------------------------- drawing, by what a cell names


def draw(cell: Cell, rng: np.random.Generator) -> pop.Sample:
    p = dict(cell.params)
    if cell.family == "losses":
        forecast = np.clip(rng.beta(p["p"], p["q"], p["total"]), 1e-12, 1 - 1e-12)
        return pop.Sample(rng.random(p["total"]) < forecast, [forecast])
    if cell.family == "proportions":
        positive = np.arange(p["m"] + p["n"]) < p["m"]
        return pop.Sample(positive, [np.where(positive & (rng.random(len(positive)) < p["p"]), 0.7, 0.3)])
    if cell.family == "sums of cells":
        positive = rng.random(p["total"]) < p["scarce"]
        flagged = rng.random(p["total"]) < np.where(positive, p["tpr"], p["fpr"])
        return pop.Sample(positive, [np.where(flagged, 0.7, 0.3)])
    return normal_scores(cell, p, rng)


def normal_scores(cell: Cell, p: dict[str, Any], rng: np.random.Generator) -> pop.Sample:
    cluster = None
    if "groups" in p:
        positive, cluster = pop.clustered_labels(rng, p["groups"], p["share"], p["labels"])
    else:
        positive = pop.labels(rng, p["m"], p["n"], p.get("sampled", False))
    aucs = [p["auc"], *([p["other"]] if "other" in p else [])]
    columns = pop.noise(rng, len(positive), len(aucs), p.get("rho", 0.0), cluster, p.get("icc", 0.0))
    shapes = (p["b"], p.get("other_b", p["b"]))[: len(aucs)]
    scores = [
        pop.scored(positive, column, auc, b, p.get("levels"))
        for column, auc, b in zip(columns, aucs, shapes, strict=True)
    ]
    if cell.measure.startswith(("brier", "recall", "net", "expected")) or cell.measure in AT_CUT:
        scores = [pop.as_probability(s, auc, p["b"]) for s, auc in zip(scores, aucs, strict=True)]
    sample = pop.Sample(positive, scores, cluster=cluster)
    if "scheme" in p:
        return weighted(sample, p["scheme"], rng)
    return in_folds(sample, p["folds"], rng, shifted=cell.measure != "brier_score") if "folds" in p else sample


def weighted(sample: pop.Sample, scheme: str, rng: np.random.Generator) -> pop.Sample:
    """Rows kept with unequal probability, 2 : 1 by score or 4 : 1 whatever the score, and weighted back."""
    high = sample.scores[0] > 0 if scheme == "by score" else rng.random(len(sample.positive)) < 0.5
    chance = np.where(high, 0.9, 0.45) if scheme == "by score" else np.where(high, 1.0, 0.25)
    while True:
        keep = rng.random(len(chance)) < chance
        if pop.FEWEST <= sample.positive[keep].sum() <= keep.sum() - pop.FEWEST:
            break
    return pop.Sample(sample.positive[keep], [sample.scores[0][keep]], weights=1 / chance[keep])


def in_folds(sample: pop.Sample, folds: int, rng: np.random.Generator, *, shifted: bool) -> pop.Sample:
    """Stratified folds; each fit has a scale of its own unless scores are probabilities."""
    fold = np.arange(len(sample.positive)) % folds
    scores = sample.scores
    if shifted:
        scores = [one * rng.uniform(0.5, 2, folds)[fold] + rng.normal(size=folds)[fold] for one in scores]
    return pop.Sample(sample.positive, scores, fold=fold)


# ----------------------------------------------------------------------------------------------------- truth


def true_value(cell: Cell) -> float:
    p = dict(cell.params)
    if "other" in p:
        return of_one(cell, p, p["auc"]) - of_one(cell, p, p["other"])
    if cell.family == "losses":
        return pop.true_loss(cell.measure, p["p"], p["q"])
    if cell.family == "proportions":
        return float(p["p"])
    if cell.family in TABLED:
        return pop.true_at_cut(cell.measure, p["tpr"], p["fpr"], p["m"] / (p["m"] + p["n"]))
    if cell.family == "sums of cells":
        share, tpr, fpr = p["scarce"], p["tpr"], p["fpr"]
        if cell.measure.startswith("net"):
            return float(share * tpr - (1 - share) * fpr)
        return float((1 - share) * fpr + 20 * share * (1 - tpr))
    return of_one(cell, p, p["auc"])


def of_one(cell: Cell, p: dict[str, Any], auc: float) -> float:
    b, levels = p["b"], p.get("levels")
    share = p["share"] if "share" in p else p["m"] / (p["m"] + p["n"])
    if cell.measure.startswith(("net", "expected")):
        return pop.true_cells(cell.measure, auc, b, share)
    if cell.measure in AT_CUT:
        return pop.true_at_cut(cell.measure, pop.true_recall(auc, b), pop.true_alarms(auc, b), share)
    if cell.measure == "roc_auc":
        return pop.true_auc(auc, b, levels)
    if p.get("truth") == "folds of this size":
        return pop.expected_ap(auc, b, p["m"] // p["folds"], p["n"] // p["folds"])
    if cell.measure.startswith("average_precision"):
        given = find(cell.measure).options.prevalence
        return pop.true_ap(auc, b, levels, share if given is None else given)
    if cell.measure.startswith("partial"):
        return pop.true_partial(auc, b, p["low"], p["high"])
    return pop.true_brier(auc, b, share) if cell.measure == "brier_score" else pop.true_recall(auc, b)
