"""The cells: which population, which measure, which methods. A cell is a family and its plain parameters."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

AUCS = (0.6, 0.75, 0.9, 0.95, 0.995)
SHAPES = ((1.0, None), (0.5, None), (2.0, None), (1.0, 5))
"""Negatives' spread over the positives', and levels of the score (None: continuous)."""
SINGLES = (0.6, 0.9, 0.995)
PAIRS = ((0.6, 0.6), (0.75, 0.75), (0.9, 0.9), (0.95, 0.95), (0.995, 0.995), (0.85, 0.75), (0.95, 0.9), (0.99, 0.97))
SIZES = ((10, 10), (10, 100), (30, 30), (30, 300), (100, 100), (300, 1000))
RATIOS_AT_CUT = ("youden_j(threshold=0.5)", "lr_positive(threshold=0.5)", "lr_negative(threshold=0.5)",
                 "diagnostic_odds_ratio(threshold=0.5)")  # fmt: skip
WITH_PREVALENCE = ("mcc(threshold=0.5)", "kappa(threshold=0.5)", "f_beta(threshold=0.5, beta=2)")
AT_CUT = (*RATIOS_AT_CUT, *WITH_PREVALENCE)
"""Functions of TPR and FPR, and of the prevalence too."""
PERMUTED = 130
"""Rows up to which permutation tests are affordable in every cell."""


@dataclass(frozen=True)
class Cell:
    """A population, a measure, and the methods that are tried."""

    family: str
    measure: str
    params: tuple[tuple[str, Any], ...]
    methods: tuple[str, ...] = ("auto",)

    def __getitem__(self, name: str) -> Any:
        return dict(self.params)[name]

    @property
    def key(self) -> str:
        return json.dumps([self.family, self.measure, dict(self.params)])

    @property
    def seed(self) -> int:
        """From what the cell is, so that adding cells leaves the others' draws as they are."""
        return zlib.crc32(self.key.encode())

    @property
    def smaller(self) -> float:
        """Rows (expected ones where they are random, clusters where there are any) of the smaller class."""
        p = dict(self.params)
        if "groups" in p:
            return p["groups"] * min(p["share"], 1 - p["share"])
        return min(p["m"], p["n"]) if "m" in p else p["total"] * p.get("scarce", 0.5)

    def __str__(self) -> str:
        inside = ", ".join(f"{k} {v}" for k, v in self.params if v is not None)
        return f"{self.measure}; {inside}"


def cell(family: str, measure: str, methods: tuple[str, ...] = ("auto",), **params: Any) -> Cell:
    return Cell(family, measure, tuple(params.items()), methods)


AUC_METHODS = ("auto", "delong", "logit", "logit-t", "newcombe", "hanley-mcneil", "influence")
AP_METHODS = ("auto", "boyd", "binomial", "influence")


def areas() -> Iterator[Cell]:
    for m, n, auc, (b, levels) in product((5, 10, 30, 100, 300), (10, 30, 300, 3000), AUCS, SHAPES):
        yield cell("ROC-AUC", "roc_auc", AUC_METHODS, m=m, n=n, auc=auc, b=b, levels=levels)
    sampled = ((10, 90), (50, 50), (15, 285), (90, 210), (20, 980), (100, 900), (30, 2970), (300, 2700), (1500, 1500))
    for (m, n), auc, (b, levels) in product(sampled, AUCS, SHAPES):
        yield cell("AP", "average_precision", AP_METHODS, m=m, n=n, auc=auc, b=b, levels=levels, sampled=True)
    for (m, n), auc, (b, levels) in product(SIZES, AUCS, SHAPES):
        yield cell("AP, class sizes by design", "average_precision", m=m, n=n, auc=auc, b=b, levels=levels)


def other_measures() -> Iterator[Cell]:
    methods = ("auto", "influence")
    for (low, high), (m, n), auc, b in product(
        ((0.0, 0.1), (0.0, 0.2), (0.1, 0.3)), ((10, 100), (30, 60), (100, 100), (100, 1000)), AUCS[1:], (1.0, 0.5, 2.0)
    ):
        spec = f"partial_auc(min_fpr={low}, max_fpr={high})"
        yield cell("partial AUC", spec, methods, m=m, n=n, auc=auc, b=b, low=low, high=high)
    for share, (m, n), auc, b in product((0.01, 0.1), ((30, 300), (100, 1000), (300, 3000)), AUCS[1:], (1.0, 0.5, 2.0)):
        spec = f"average_precision(prevalence={share})"
        yield cell("AP at another prevalence", spec, methods, m=m, n=n, auc=auc, b=b, share=share)
    for measure, total, (p, q) in product(
        ("brier_score", "log_loss", "d2_log_loss", "d2_absolute_error"),
        (30, 100, 1000),
        ((2.0, 2.0), (0.3, 0.3), (0.5, 9.5)),
    ):
        yield cell("losses", measure, methods, total=total, p=p, q=q, scarce=p / (p + q))
    for m, p in product((10, 30, 100), (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.96, 0.98)):
        rates = ("auto", "influence", "clopper-pearson", "jeffreys")
        yield cell("proportions", "recall(threshold=0.5)", rates, m=m, n=5, p=p)
    sums = ("net_benefit(threshold=0.5)", "expected_cost(threshold=0.5, cost_fp=1, cost_fn=20)")
    for measure, total, share, (tpr, fpr) in product(
        sums, (40, 100, 400), (0.05, 0.2, 0.5), ((0.6, 0.02), (0.8, 0.1), (0.95, 0.01), (0.99, 0.3))
    ):
        yield cell("sums of cells", measure, methods, total=total, scarce=share, tpr=tpr, fpr=fpr)


def at_cuts() -> Iterator[Cell]:
    methods = ("auto", "influence")
    sizes = ((5, 30), (10, 100), (30, 30), (30, 300), (100, 1000))
    rates = ((0.5, 0.1), (0.8, 0.01), (0.95, 0.3), (0.99, 0.05))
    for measure, (m, n), (tpr, fpr) in product(AT_CUT, sizes, rates):
        yield cell("functions of rates", measure, methods, m=m, n=n, tpr=tpr, fpr=fpr,
                   sampled=measure in WITH_PREVALENCE)  # fmt: skip
    for measure, (m, n), (tpr, fpr) in product(WITH_PREVALENCE, sizes, rates):
        yield cell("functions of rates, class sizes by design", measure, methods, m=m, n=n, tpr=tpr, fpr=fpr)
    for measure, scheme, (m, n), auc in product(
        ("youden_j(threshold=0.5)", "mcc(threshold=0.5)", "f_beta(threshold=0.5, beta=2)"), ("by score", "by chance"),
        ((30, 300), (120, 240)), (0.75, 0.95),
    ):  # fmt: skip
        yield cell("weights, functions of rates", measure, methods, m=m, n=n, auc=auc, b=1.0, scheme=scheme,
                   sampled=True)  # fmt: skip
    for measure, groups, kind, auc in product(
        ("youden_j(threshold=0.5)", "mcc(threshold=0.5)"), (10, 20, 50), ("constant", "mixed"), (0.75, 0.95)
    ):
        yield cell("clusters, functions of rates", measure, methods, groups=groups, icc=0.7, labels=kind, auc=auc,
                   b=1.0, share=0.5)  # fmt: skip


def designs() -> Iterator[Cell]:
    for measure, groups, icc, kind, auc, share in product(
        ("roc_auc", "average_precision", "brier_score", "recall(threshold=0.5)"), (10, 20, 50), (0.3, 0.7),
        ("constant", "mixed"), (0.75, 0.9, 0.99), (0.5, 0.25),
    ):  # fmt: skip
        methods = ("auto", "obuchowski", "logit") if measure == "roc_auc" else ("auto", "influence")
        yield cell("clusters", measure, methods, groups=groups, icc=icc, labels=kind, auc=auc, b=1.0, share=share)
    parts = ("partial_auc(max_fpr=0.2)", "average_precision(prevalence=0.1)", "net_benefit(threshold=0.5)",
             "expected_cost(threshold=0.5, cost_fp=1, cost_fn=5)")  # fmt: skip
    for measure, groups, icc, kind, (auc, share) in product(
        parts, (20, 50), (0.3, 0.7), ("constant", "mixed"), ((0.75, 0.5), (0.9, 0.25), (0.99, 0.5))
    ):
        ends = {"low": 0, "high": 0.2} if measure.startswith("partial") else {}
        yield cell("clusters, parts", measure, ("auto", "influence"), groups=groups, icc=icc, labels=kind, auc=auc,
                   b=1.0, share=share, **ends)  # fmt: skip
    for measure, scheme, (m, n), auc in product(
        ("roc_auc", "average_precision"), ("by score", "by chance"), ((20, 40), (30, 300), (120, 240), (300, 900)), AUCS
    ):
        yield cell("weights", measure, ("auto", "influence"), m=m, n=n, auc=auc, b=1.0, scheme=scheme,
                   sampled=measure != "roc_auc")  # fmt: skip
    for (measure, of), folds, (m, n), auc in product(
        (("roc_auc", "population"), ("average_precision", "folds of this size"), ("average_precision", "population"),
         ("brier_score", "population")), (5, 10), ((50, 50), (50, 200), (100, 300)), AUCS,
    ):  # fmt: skip
        family = (
            "folds"
            if measure != "average_precision"
            else f"folds, AP of {'the population' if of == 'population' else of}"
        )
        yield cell(family, measure, m=m, n=n, auc=auc, b=1.0, folds=folds, truth=of)


def resampled() -> Iterator[Cell]:
    for measure, (m, n), auc in product(("roc_auc", "average_precision"), ((10, 40), (30, 100)), (0.75, 0.95)):
        methods = ("auto", "bootstrap-percentile", "bootstrap-bca")
        yield cell("bootstrap", measure, methods, m=m, n=n, auc=auc, b=1.0, levels=None, sampled=True)


def comparisons() -> Iterator[Cell]:
    for (m, n), (a, z), rho, b in product(SIZES, PAIRS, (0.3, 0.9), (1.0, 0.5)):
        tests = ("auto", "delong", "hanley-mcneil", *(("permutation",) if m + n <= PERMUTED and b == 1 else ()))
        yield cell("paired", "roc_auc", tests, m=m, n=n, auc=a, other=z, rho=rho, b=b)
    for (m, n), auc, rho, (b, other) in product(SIZES, AUCS[1:4], (0.3, 0.9), ((1.0, 0.5), (0.5, 2.0))):
        tests = ("auto", "delong", *(("permutation",) if m + n <= PERMUTED else ()))
        yield cell(UNLIKE, "roc_auc", tests, m=m, n=n, auc=auc, other=auc, rho=rho, b=b, other_b=other)
    for measure in ("average_precision", "brier_score", "recall(threshold=0.5)"):
        for (m, n), (a, z), rho in product(SIZES, PAIRS, (0.3, 0.9)):
            sampled = not measure.startswith("recall")
            yield cell("paired", measure, ("auto", "influence"), m=m, n=n, auc=a, other=z, rho=rho, b=1.0,
                       sampled=sampled)  # fmt: skip
    for measure, (m, n), (a, z) in product(
        ("youden_j(threshold=0.5)", "lr_positive(threshold=0.5)", "diagnostic_odds_ratio(threshold=0.5)",
         "mcc(threshold=0.5)", "f_beta(threshold=0.5, beta=2)"),
        ((30, 100), (100, 300)), ((0.75, 0.75), (0.95, 0.95), (0.9, 0.8)),
    ):  # fmt: skip
        yield cell("paired, functions of rates", measure, ("auto", "influence"), m=m, n=n, auc=a, other=z, rho=0.5,
                   b=1.0, sampled=True)  # fmt: skip
    for measure, groups, icc, kind, (a, z) in product(
        ("roc_auc", "average_precision", "brier_score", "recall(threshold=0.5)"), (10, 20, 50), (0.3, 0.7),
        ("constant", "mixed"), ((0.75, 0.75), (0.9, 0.9), (0.85, 0.75)),
    ):  # fmt: skip
        yield cell("paired in clusters", measure, ("auto", "influence"), groups=groups, icc=icc, labels=kind, auc=a,
                   other=z, rho=0.5, b=1.0, share=0.4)  # fmt: skip
    for measure, folds, (m, n), (a, z) in product(
        ("roc_auc", "average_precision", "brier_score"), (5, 10), ((50, 50), (50, 200), (100, 300)),
        ((0.75, 0.75), (0.95, 0.95), (0.9, 0.8)),
    ):  # fmt: skip
        truth = "folds of this size" if measure == "average_precision" else "population"
        yield cell("paired in folds", measure, ("auto", "influence"), m=m, n=n, auc=a, other=z, rho=0.5, b=1.0,
                   folds=folds, truth=truth)  # fmt: skip
    for (m, n), (a, z) in product(SIZES, PAIRS):
        yield cell("unpaired", "roc_auc", ("auto", "delong"), m=m, n=n, auc=a, other=z, b=1.0)


UNLIKE = "paired, unlike shapes"
"""Two models of the same AUC, the positives of which are spread differently."""
COMPARED = ("paired", UNLIKE, "paired, functions of rates", "paired in clusters", "paired in folds", "unpaired")
TABLED = ("functions of rates", "functions of rates, class sizes by design")
"""Families of which a data set is no more than a confusion matrix."""


def every_cell() -> list[Cell]:
    """All cells, in an order in which any first part is like the whole."""
    cells = [*areas(), *other_measures(), *at_cuts(), *designs(), *resampled(), *comparisons()]
    return sorted(cells, key=lambda one: one.seed)


def small() -> list[Cell]:
    """Four cells of every family and measure."""
    found: dict[tuple[str, str], list[Cell]] = {}
    for one in every_cell():
        found.setdefault((one.family, one.measure), []).append(one)
    return sorted((one for cells in found.values() for one in cells[:4]), key=lambda one: one.seed)
