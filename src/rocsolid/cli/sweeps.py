"""``rocsolid sweep`` and ``merge``: save the counts at every score, and add saved ones up."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rocsolid.cli.progress import progress
from rocsolid.cli.reading import evaluations, is_sweep
from rocsolid.cli.talking import FINE, STDOUT, check_output, quiet, say
from rocsolid.errors import OptionError
from rocsolid.sources.process import put


def add_output(parser: argparse.ArgumentParser) -> None:
    """Where a sweep goes."""
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="a name that ends in .sweep; written whole or not at all"
    )


def without_intervals(parser: argparse.ArgumentParser) -> None:
    """Counts have no level: one that is typed is refused, one of the settings is meant for other commands."""
    parser.set_defaults(confidence_level=None)


def add_files(parser: argparse.ArgumentParser) -> None:
    """Which sweeps are added up."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="saved sweeps, two or more")


def sweep(args: argparse.Namespace) -> int:
    """Save the sweep of one score."""
    _check_name(args)
    check_output(args, prints=True)
    if is_sweep(args.file):
        raise OptionError("FILE", args.file, "a table: this is a sweep already", "rocsolid merge adds sweeps up")
    if len(set(args.score)) > 1:
        raise OptionError("--score", args.score, "one column: a sweep holds one model", f"--score {args.score[0]}")
    if args.cluster is not None:
        raise OptionError("--cluster", args.cluster, "left out: a sweep does not keep which rows belong together",
                          "leave it out")  # fmt: skip
    if args.confidence_level is not None and "confidence_level" not in args.configured:
        raise OptionError(
            "--confidence-level", args.confidence_level, "left out: counts have no interval", "leave it out"
        )
    args.confidence_level = 0.95  # of an evaluation that is asked for nothing but its counts
    with quiet():
        (model,) = evaluations(args).values()
    if model.n_dropped:
        say(f"note: {model.n_dropped:,} rows with missing values were left out")
    return _save(model.sweep, args.output)


def merge(args: argparse.Namespace) -> int:
    """Add sweeps up and save the sum."""
    from rocsolid.sweep import Sweep

    _check_name(args)
    for file in args.files:
        check_output(argparse.Namespace(file=file, output=args.output), prints=True)
    if len(args.files) < 2:
        raise OptionError("FILE", args.files, "two saved sweeps or more", "rocsolid merge a.sweep b.sweep -o c.sweep")
    places = [Path(file).resolve() for file in args.files]
    same = [file for file, place in zip(args.files, places, strict=True) if places.count(place) > 1]
    if same:
        raise OptionError("FILE", same[0], "named once: its rows would count twice", "name each sweep once")
    total: Any = None
    with progress("merging"):
        for file in args.files:
            part = Sweep.load(file)
            total = part if total is None else total + part
    return _save(total, args.output)


def _check_name(args: argparse.Namespace) -> None:
    """Refuse an ending that no sweep has before anything is read."""
    from rocsolid.sources.arrow import ENDINGS

    if args.output == STDOUT or Path(args.output).suffix.lower() not in ENDINGS:
        raise OptionError("-o", args.output, f"a name that ends in {', '.join(ENDINGS)}", "-o main.sweep")


def _save(made: Any, path: str) -> int:
    with progress(f"writing {path}"):
        made.save(path)
    say(f"wrote {path}")
    put(repr(made)[1:-1])
    return FINE
