"""From the columns of a file, or from a saved sweep, to evaluations."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from rocsolid.cli.progress import progress
from rocsolid.errors import OptionError
from rocsolid.options import check_level

OF_TABLES = ("label", "score", "pos_label", "weight", "cluster", "fold", "lower_is_positive", "missing_values")
"""Options that say what the columns of a table mean; a saved sweep knows that already."""


def evaluations(args: argparse.Namespace) -> Any:
    """Read the columns and evaluate each score; errors know which column they are about."""
    from rocsolid.evaluations import Evaluations

    if is_sweep(args.file):
        check_of_sweep(args)
        name = Path(args.file).stem
        with progress(f"reading {args.file}"):
            return Evaluations({name: evaluation_of(args.file, args, name)})
    return evaluations_of(args, read(args))


def is_sweep(path: str) -> bool:
    """Whether a file is a saved sweep: by its ending, or of Parquet by what it says itself."""
    from rocsolid.sources.arrow import says_sweep

    return path != "-" and says_sweep(path)


def check_of_sweep(args: argparse.Namespace) -> None:
    """Refuse options that a saved sweep can not follow, unless they are settings for all files: its counts are made."""
    for name in OF_TABLES:
        value = getattr(args, name, None)
        if value not in (None, False, []) and name not in getattr(args, "configured", ()):
            raise OptionError(f"--{name.replace('_', '-')}", value, "left out for a saved sweep", "leave it out")
    if args.missing != "raise" and "missing" not in getattr(args, "configured", ()):
        raise OptionError("--missing", args.missing, "left out for a saved sweep", "leave it out")


def evaluation_of(path: str, args: argparse.Namespace, name: str) -> Any:
    """Evaluate a saved sweep."""
    from rocsolid.evaluation import Evaluation
    from rocsolid.sweep import Sweep

    check_level(args.confidence_level)
    return Evaluation(Sweep.load(path), confidence_level=args.confidence_level, name=name)


def read(args: argparse.Namespace, more: Sequence[str] = ()) -> dict[str, Any]:
    """Read the columns that the options name, and more, from a table."""
    from rocsolid.sources import files

    check_level(args.confidence_level)
    weight = [] if args.weight is None else [args.weight]
    belonging = [column for column in (args.cluster, args.fold) if column is not None]
    with progress(f"reading {source(args)}"):
        return files.read(args.file, [args.label, *args.score, *weight, *belonging, *more],
                          numeric=[*args.score, *weight], missing_values=args.missing_values)  # fmt: skip


def evaluations_of(args: argparse.Namespace, table: Mapping[str, Any]) -> Any:
    """Evaluate each score of a table that was read."""
    from rocsolid.evaluations import Evaluations

    with progress("evaluating"):
        return Evaluations({name: one(args, table, table[name], name, name) for name in dict.fromkeys(args.score)})


def one(args: argparse.Namespace, table: Mapping[str, Any], scores: Any, name: str, column: str) -> Any:
    """Evaluate one column of scores beside the labels, weights, clusters and folds of a table."""
    from rocsolid.functions import evaluate

    args.column = column
    return evaluate(
        table[args.label], scores, name=name, missing=args.missing,
        pos_label=None if args.pos_label is None else label_value(table[args.label], args.pos_label),
        sample_weight=None if args.weight is None else table[args.weight],
        cluster=None if args.cluster is None else table[args.cluster],
        fold=None if args.fold is None else table[args.fold],
        higher_is_positive=not args.lower_is_positive, confidence_level=args.confidence_level,
    )  # fmt: skip


def label_value(column: Any, text: str) -> object:
    """Find the label that a word of the command line means: ``1`` is the number 1 where the labels are numbers."""
    values = column if isinstance(column, list) else column.unique().to_pylist()
    for value in values:
        if isinstance(value, bool):
            if text.lower() == str(value).lower():
                return value
        elif isinstance(value, str):
            if text == value:
                return value
        elif value is not None and _same_number(value, text):
            return value
    return text  # not there: the error that follows says which labels are


def _same_number(value: Any, text: str) -> bool:
    for read in (int, float, Decimal):
        with contextlib.suppress(ValueError, ArithmeticError):
            if read(text) == value:
                return True
    return False


def source(args: argparse.Namespace) -> str:
    """Say where the data come from."""
    return "standard input" if args.file == "-" else str(args.file)
