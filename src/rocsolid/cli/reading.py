"""From the columns of a file to evaluations."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any


def evaluations(args: argparse.Namespace) -> Any:
    """Read the columns and evaluate each score; errors know which column they are about."""
    return evaluations_of(args, read(args))


def read(args: argparse.Namespace, more: Sequence[str] = ()) -> dict[str, Any]:
    """Read the columns that the options name, and more."""
    from rocsolid.options import check_level
    from rocsolid.sources import files

    check_level(args.confidence_level)
    weight = [] if args.weight is None else [args.weight]
    belonging = [column for column in (args.cluster, args.fold) if column is not None]
    return files.read(args.file, [args.label, *args.score, *weight, *belonging, *more],
                      numeric=[*args.score, *weight], missing_values=args.missing_values)  # fmt: skip


def evaluations_of(args: argparse.Namespace, table: Mapping[str, Any]) -> Any:
    """Evaluate each score of a table that was read."""
    from rocsolid.evaluations import Evaluations
    from rocsolid.functions import evaluate

    pos_label = None if args.pos_label is None else _label_value(table[args.label], args.pos_label)
    members = {}
    for name in dict.fromkeys(args.score):
        args.column = name
        members[name] = evaluate(
            table[args.label], table[name], pos_label=pos_label, name=name, missing=args.missing,
            sample_weight=None if args.weight is None else table[args.weight],
            cluster=None if args.cluster is None else table[args.cluster],
            fold=None if args.fold is None else table[args.fold],
            higher_is_positive=not args.lower_is_positive, confidence_level=args.confidence_level,
        )  # fmt: skip
    return Evaluations(members)


def _label_value(column: Any, text: str) -> object:
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
