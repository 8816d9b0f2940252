"""The small version of `make simulate`: some cells of every family, judged by their Monte-Carlo error.

A bar of 3.9 standard errors fails a rule that keeps it once in 20,000 runs; draws are seeded, so a pass stays one. The
same bars catch a standard error 15 % too small, and Wald sold as the default.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.statistical.simulate import __main__ as simulate
from tests.statistical.simulate import judge, page, store
from tests.statistical.simulate.grid import cell, every_cell
from tests.statistical.simulate.run import run

from rocsolid.inference import areas, clustered, contrast

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]


def slack(p, r):
    return 3.9 * math.sqrt(p * (1 - p) / r)


def covers(found, target=judge.FLOOR, method="auto"):
    return judge.coverage(found, method).share >= target - slack(target, found.r)


def keeps_size(found, target=0.05):
    return judge.rejection(found).share <= target + slack(target, found.r)


def normal(m, n, auc, b=1.0, **more):
    return {"m": m, "n": n, "auc": auc, "b": b, **more}


SINGLE = [
    cell("ROC-AUC", "roc_auc", **normal(5, 30, 0.9, 2.0, levels=None)),
    cell("ROC-AUC", "roc_auc", **normal(10, 300, 0.995, 0.5, levels=None)),
    cell("ROC-AUC", "roc_auc", **normal(30, 30, 0.75, 1.0, levels=5)),
    cell("AP", "average_precision", **normal(15, 285, 0.9, 0.5, levels=None, sampled=True)),
    cell("AP", "average_precision", **normal(50, 50, 0.95, 2.0, levels=5, sampled=True)),
    cell("AP, class sizes by design", "average_precision", **normal(30, 300, 0.75, 1.0, levels=None)),
    cell("partial AUC", "partial_auc(min_fpr=0.0, max_fpr=0.1)", **normal(30, 60, 0.9, 2.0, low=0.0, high=0.1)),
    cell("AP at another prevalence", "average_precision(prevalence=0.1)", **normal(30, 300, 0.95, 0.5, share=0.1)),
    cell("losses", "brier_score", total=100, p=0.5, q=9.5, scarce=0.05),
    cell("losses", "log_loss", total=100, p=0.3, q=0.3, scarce=0.5),
    cell("losses", "d2_log_loss", total=100, p=2.0, q=2.0, scarce=0.5),
    cell("losses", "d2_absolute_error", total=1000, p=0.5, q=9.5, scarce=0.05),
    cell("functions of rates", "mcc(threshold=0.5)", m=10, n=100, tpr=0.5, fpr=0.1, sampled=True),
    cell("functions of rates", "lr_positive(threshold=0.5)", m=30, n=300, tpr=0.8, fpr=0.01, sampled=False),
    cell("functions of rates", "f_beta(threshold=0.5, beta=2)", m=30, n=30, tpr=0.95, fpr=0.3, sampled=True),
    cell("functions of rates, class sizes by design", "kappa(threshold=0.5)", m=5, n=30, tpr=0.95, fpr=0.3),
    cell(
        "weights, functions of rates",
        "youden_j(threshold=0.5)",
        **normal(30, 300, 0.95, scheme="by score", sampled=True),
    ),
    cell("weights", "roc_auc", **normal(20, 40, 0.9, scheme="by score", sampled=False)),
    cell("weights", "average_precision", **normal(120, 240, 0.75, scheme="by chance", sampled=True)),
    cell("folds", "roc_auc", **normal(50, 50, 0.95, folds=10, truth="population")),
    cell("folds", "average_precision", **normal(50, 200, 0.75, folds=5, truth="folds of this size")),
    cell("folds", "brier_score", **normal(50, 50, 0.75, folds=5, truth="population")),
]


def grouped(groups, auc, share=0.5, icc=0.7, labels="constant", **more):
    return {"groups": groups, "icc": icc, "labels": labels, "auc": auc, "b": 1.0, "share": share, **more}


YOUDEN, MCC = "youden_j(threshold=0.5)", "mcc(threshold=0.5)"
MEASURES = ("roc_auc", "average_precision", "brier_score", "recall(threshold=0.5)")
CLUSTERED = [
    cell("clusters", measure, **grouped(groups, auc, labels=labels))
    for measure in MEASURES
    for groups, auc, labels in ((10, 0.9, "constant"), (20, 0.75, "mixed"))
] + [
    cell("clusters, functions of rates", measure, **grouped(groups, 0.75, labels=labels))
    for measure in (YOUDEN, MCC)
    for groups, labels in ((10, "constant"), (20, "mixed"))
]
ALIKE = [
    *(cell("paired", measure, **normal(30, 100, 0.75, other=0.75, rho=0.5, sampled=True)) for measure in MEASURES),
    cell("paired", "roc_auc", **normal(10, 10, 0.9, other=0.9, rho=0.3)),
    cell("unpaired", "roc_auc", **normal(30, 60, 0.75, other=0.75)),
    *(cell("paired, functions of rates", measure, **normal(30, 100, 0.75, other=0.75, rho=0.5, sampled=True))
      for measure in (YOUDEN, MCC, "lr_positive(threshold=0.5)")),
    *(cell("paired in clusters", measure, **grouped(20, 0.9, labels="constant", other=0.9, rho=0.5))
      for measure in MEASURES),
]  # fmt: skip
UNLIKE = [
    *(cell("paired", measure, **normal(10, 100, 0.95, other=0.85, rho=0.7, sampled=True)) for measure in MEASURES),
    cell("paired, functions of rates", MCC, **normal(30, 100, 0.95, other=0.85, rho=0.7, sampled=True)),
    cell("paired in clusters", "roc_auc", **grouped(20, 0.9, labels="mixed", other=0.8, rho=0.5)),
]


@pytest.mark.parametrize("one", [*SINGLE, *CLUSTERED, *UNLIKE], ids=str)
def test_coverage(one, nightly):
    assert covers(run(one, 0, 4000 if nightly else 400))


@pytest.mark.parametrize("one", ALIKE, ids=str)
def test_size_and_coverage_of_no_difference(one, nightly):
    found = run(one, 0, 4000 if nightly else 500)
    assert covers(found)
    assert keeps_size(found)


def test_proportions_cover_on_average(nightly):
    cells = [cell("proportions", "recall(threshold=0.5)", m=30, n=5, p=p) for p in (0.55, 0.65, 0.75, 0.85, 0.93)]
    r = 4000 if nightly else 300
    share = np.mean([judge.coverage(run(one, 0, r)).share for one in cells])
    assert abs(share - 0.95) <= slack(0.95, r * len(cells)) + 0.01


# ------------------------------------------------------------------------------------------- planted errors

PLENTY = cell("ROC-AUC", "roc_auc", **normal(300, 300, 0.75, levels=None))
APART = cell("paired", "roc_auc", **normal(100, 300, 0.75, other=0.75, rho=0.5))
MANY_CLUSTERS = cell("clusters", "roc_auc", **grouped(100, 0.75, labels="mixed"))
SHORT = 1.15**2


def test_a_standard_error_15_percent_too_small_is_caught(monkeypatch):
    r, delong = 1500, areas.delong
    assert covers(run(PLENTY, 0, r), 0.95)

    def planted(sweep):
        parts = delong(sweep)
        return replace(parts, pos=parts.pos / SHORT, neg=parts.neg / SHORT)

    monkeypatch.setattr(areas, "delong", planted)
    assert not covers(run(PLENTY, 0, r), 0.95)


def test_a_standard_error_of_a_difference_too_small_is_caught(monkeypatch):
    r, plain = 2000, contrast.Placements.contrast
    assert keeps_size(run(APART, 0, r))

    def planted(self, a, b):
        found = plain(self, a, b)
        return replace(found, variance=found.variance / SHORT)

    monkeypatch.setattr(contrast.Placements, "contrast", planted)
    assert not keeps_size(run(APART, 0, r))


def test_a_standard_error_of_clusters_too_small_is_caught(monkeypatch):
    r, plain = 1500, clustered.Clusters.robust
    assert covers(run(MANY_CLUSTERS, 0, r), 0.95)
    monkeypatch.setattr(clustered.Clusters, "robust", property(lambda self: plain.fget(self) / SHORT))
    assert not covers(run(MANY_CLUSTERS, 0, r), 0.95)


@pytest.mark.parametrize(
    ("one", "method"),
    [
        (SINGLE[1], "delong"),
        (cell("AP", "average_precision", **normal(50, 50, 0.95, 2.0, levels=None, sampled=True)), "influence"),
        (cell("clusters", "roc_auc", **grouped(10, 0.9)), "obuchowski"),
        (cell("weights", "roc_auc", **normal(20, 40, 0.9, scheme="by score", sampled=False)), "influence"),
        (cell("functions of rates", MCC, m=5, n=30, tpr=0.99, fpr=0.05, sampled=True), "influence"),
        (UNLIKE[0], "delong"),
        (cell("paired", "average_precision", **normal(10, 100, 0.99, other=0.97, rho=0.3, sampled=True)), "influence"),
    ],
    ids=str,
)
def test_wald_sold_as_the_default_is_caught(one, method):
    assert not covers(run(replace(one, methods=(method,)), 0, 400), method=method)


# ---------------------------------------------------------------------------------- the record in the docs


def test_a_run_that_was_stopped_goes_on(tmp_path):
    one = SINGLE[0]
    parts = run(one, 0, 20)
    parts += run(one, 20, 50)
    whole = run(one, 0, 50)
    assert parts.by_method["auto"].hits == whole.by_method["auto"].hits
    assert parts.by_method["auto"].width == pytest.approx(whole.by_method["auto"].width)

    path = tmp_path / "results.jsonl"
    store.append(path, one, parts)
    with path.open("a") as file:
        file.write(store.line(one, whole)[:40])
    assert store.read(path)[one.key].by_method["auto"].hits == whole.by_method["auto"].hits


def test_the_page_says_what_the_record_says(tmp_path):
    page.write(tmp_path / "coverage.md", store.read(simulate.RESULTS))
    hint = "run: make simulate"
    assert (tmp_path / "coverage.md").read_text("utf-8") == simulate.PAGE.read_text("utf-8"), hint


def test_the_record_is_of_this_version():
    """The first data sets of some cells are drawn again: what is recorded of all of them must be likely."""
    recorded, again = store.read(simulate.RESULTS), 150
    seen: set[str] = set()
    for one in every_cell():
        kept = recorded.get(one.key)
        few = one.smaller <= 30 and dict(one.params).get("n", 0) <= 300
        if kept is None or one.family in seen or not few or one.family == "bootstrap":
            continue
        seen.add(one.family)
        found = run(replace(one, methods=("auto",)), 0, again).by_method["auto"]
        was = kept.by_method["auto"]
        share = (was.hits + 1) / (kept.r + 2)
        off = abs(found.hits / again - was.hits / kept.r)
        assert off <= 4 * math.sqrt(share * (1 - share) / again) + 0.01, (
            f"{one.family}: make simulate, beginning afresh"
        )
        assert found.width / again == pytest.approx(was.width / kept.r, rel=0.1), f"{one.family}: rules have changed"
    assert len(seen) > 10
