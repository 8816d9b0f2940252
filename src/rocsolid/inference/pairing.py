"""Bringing models to common rows: a paired comparison uses the rows that every model has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rocsolid.errors import OptionError
from rocsolid.inference.contrast import Subject
from rocsolid.inputs import Rows
from rocsolid.inputs.arrays import BoolArray
from rocsolid.inputs.clusters import codes_of, names_of
from rocsolid.sweep import Sweep


def common_rows(subjects: Sequence[Subject]) -> tuple[list[Subject], int]:
    """Restrict all models to the rows that none of them left out; also say how many rows that costs in all.

    Raises
    ------
    OptionError
        If a model has no rows, or labels, weights, clusters or folds differ row by row.
    """
    rows = [_rows_of(subject) for subject in subjects]
    given = [len(one.positive) if one.kept is None else len(one.kept) for one in rows]
    if len(set(given)) > 1:
        raise _unlike(f"{given[0]:,} and {next(n for n in given if n != given[0]):,} rows")
    masks = [np.ones(n, np.bool_) if one.kept is None else one.kept for one, n in zip(rows, given, strict=True)]
    common = np.logical_and.reduce(masks)
    if all(np.array_equal(mask, common) for mask in masks):
        found = list(subjects)
    else:
        found = [_restricted(s, r, common[mask]) for s, r, mask in zip(subjects, rows, masks, strict=True)]
    first = _rows_of(found[0])
    for subject in found[1:]:
        _check_alike(first, _rows_of(subject))
    absent = [one.absent for one in rows if one.absent is not None]
    return found, int(np.logical_or.reduce(absent).sum()) if absent else 0


def _rows_of(subject: Subject) -> Rows:
    if subject.rows is None:
        expected = f"rows of every model; {subject.name!r} is a sweep, which does not say which row has which score"
        raise OptionError("paired", True, expected, "paired=False, if the samples are independent")
    return subject.rows


def _unlike(found: str) -> OptionError:
    expected = "used for models of the same rows in the same order only"
    return OptionError("paired", f"True for {found}", expected, "paired=False, if the samples are independent")


def _restricted(subject: Subject, rows: Rows, at: BoolArray) -> Subject:
    cut = replace(
        rows, scores=rows.scores[at], positive=rows.positive[at], kept=None, absent=None,
        weights=None if rows.weights is None else rows.weights[at],
        cluster=None if rows.cluster is None else codes_of(rows.cluster[at]),
        fold=None if rows.fold is None else codes_of(rows.fold[at]),
        fold_names=() if rows.fold is None else tuple(rows.fold_names[i] for i in names_of(rows.fold[at])),
    )  # fmt: skip
    return Subject(subject.name, Sweep.from_rows(cut, higher_is_positive=subject.sweep.higher_is_positive), cut)


def _check_alike(a: Rows, b: Rows) -> None:
    for what, x, y in (
        ("labels", a.positive, b.positive),
        ("weights", a.weights, b.weights),
        ("clusters", a.cluster, b.cluster),
        ("folds", a.fold, b.fold),
    ):
        if (x is None) != (y is None) or (x is not None and y is not None and not np.array_equal(x, y)):
            raise _unlike(f"different {what}")
