"""Sentences and cells of estimates, written by hand."""

# ruff: noqa: E501 - a sentence is one line, as it is read
from __future__ import annotations

import numpy as np
import pytest
from face_helpers import HOSTILE, study

import rocsolid as rs
from rocsolid.errors import RocsolidWarning
from rocsolid.measures import REGISTRY
from rocsolid.results import Estimate, Interval, Note, Sizes


def made(measure="roc_auc", value=0.9375, low=0.9128, high=0.9556, name=None, **more):
    interval = None if low is None else Interval(low=low, high=high, confidence_level=0.95, method="effective-error")
    return Estimate(
        measure=measure, value=value, std_error=None, interval=interval, method="effective-error", name=name,
        **{"sizes": Sizes(n_pos=212, n_neg=1357)} | more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("estimate", "en", "zh"),
    [
        (made(),
         "ROC-AUC was 0.9375 (95% CI 0.9128 to 0.9556, effective-error; 212 positive and 1,357 negative rows).",
         "ROC 曲线下面积为 0.9375（95% 置信区间 0.9128 至 0.9556，方法 effective-error；正例 212 行，负例 1,357 行）。"),
        (made("average_precision", name="new"),
         "For “new”, average precision was 0.9375 (95% CI 0.9128 to 0.9556, effective-error; 212 positive and 1,357 negative rows).",
         "“new”的平均查准率（AP）为 0.9375（95% 置信区间 0.9128 至 0.9556，方法 effective-error；正例 212 行，负例 1,357 行）。"),
        (made("recall(threshold=15)", low=None),
         "Recall (threshold=15) was 0.9375 (no interval; 212 positive and 1,357 negative rows).",
         "查全率（threshold=15）为 0.9375（无区间；正例 212 行，负例 1,357 行）。"),
        (made(sizes=Sizes(n_pos=2, n_neg=3, n_clusters=4), low=None, measure="own number"),
         "own number was 0.9375 (no interval; 2 positive and 3 negative rows in 4 clusters).",
         "own number 为 0.9375（无区间；正例 2 行，负例 3 行，共 4 个群）。"),
        (made(value=float("nan"), low=None, undefined=Note("x", "there are no positives", "没有正例")),
         "ROC-AUC was undefined: there are no positives (212 positive and 1,357 negative rows).",
         "ROC 曲线下面积无定义：没有正例（正例 212 行，负例 1,357 行）。"),
    ],
)  # fmt: skip
def test_sentences(estimate, en, zh):
    assert estimate.sentence() == en
    assert estimate.sentence("en") == en
    assert estimate.sentence(lang="zh") == zh


def test_cells():
    assert made().cell() == "0.9375 [0.9128, 0.9556]"
    assert made().cell("latex") == "$0.9375$ $[0.9128, 0.9556]$"
    assert made(value=1.5e-7, low=-np.inf, high=2.0).cell("latex") == r"$1.5 \times 10^{-7}$ $[-\infty, 2.0000]$"
    assert made(low=None).cell() == "0.9375"
    undefined = made(value=float("nan"), low=None, undefined=Note("x", "y", "z"))
    assert (undefined.cell(), undefined.cell("latex")) == ("–", "--")


def test_every_measure_has_a_sentence_in_both_languages():
    y, scores = study()
    ev = rs.evaluate(y, scores["first"], name="m")
    from tests.contract.test_measures import SPECS

    assert set(SPECS) == set(REGISTRY)
    for spec in SPECS.values():
        found = ev.table([spec])[0]
        assert found.sentence().startswith("For “m”, ")
        assert found.sentence("zh").startswith("“m”的")


def test_names_are_made_harmless():
    with pytest.warns(RocsolidWarning):
        found = rs.evaluate([0, 1], [0.1, 0.2], name=HOSTILE).roc_auc()
    for lang in ("en", "zh"):
        assert "\x1b" not in found.sentence(lang)
        assert "\u202e" not in found.sentence(lang)


@pytest.mark.parametrize(
    ("call", "hint"),
    [(lambda e: e.sentence("de"), "did you mean 'en'"), (lambda e: e.cell("html"), "known: latex, markdown")],
)
def test_unknown_forms_are_refused(call, hint):
    with pytest.raises(rs.RocsolidError, match=hint):
        call(made())
