"""``rocsolid threshold``: where to cut, in one line a score."""

from __future__ import annotations

import argparse
from decimal import Decimal, InvalidOperation
from typing import Any

from rocsolid.cli.reading import evaluations
from rocsolid.cli.talking import BAD_DATA, FINE, STDOUT, check_output, quiet, say
from rocsolid.errors import OptionError
from rocsolid.sources.process import put

WAYS = ("threshold", "recall", "specificity", "fpr", "precision", "capacity", "top_k", "flagged")
OF_BEST = ("beta", "cost_fp", "cost_fn", "cost_tp", "cost_tn", "prevalence", "n_resamples")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of the command; their values are checked where they are checked for Python."""
    ways = parser.add_argument_group("where to cut (one of them)")
    ways.add_argument("--threshold", metavar="T", help="at this score")
    for name, help_text in (
        ("recall", "at least so much recall, fewest false positives"),
        ("specificity", "at least so much specificity, most recall"),
        ("fpr", "at most so large a false-positive rate, most recall"),
        ("precision", "at least so much precision, most recall"),
        ("flagged", "flag at most this share of the rows"),
    ):
        ways.add_argument(f"--{name}", type=float, metavar="X", help=help_text)
    ways.add_argument("--capacity", type=_count_or_share, metavar="K", help="flag at most K rows (or a share)")
    ways.add_argument("--top-k", type=int, metavar="K", help="flag the K strictest rows")
    ways.add_argument("--best", metavar="C", help="youden, closest, f1, f_beta, mcc or cost")
    parser.add_argument("--guarantee", type=float, metavar="C", help="confidence that the population keeps the bound")
    parser.add_argument("--beta", type=float, metavar="B", help="of --best f_beta")
    parser.add_argument("--cost-fp", type=float, metavar="C", help="of --best cost: a false positive")
    parser.add_argument("--cost-fn", type=float, metavar="C", help="of --best cost: a miss")
    parser.add_argument("--cost-tp", type=float, metavar="C", help="of --best cost: a hit; a gain is negative")
    parser.add_argument("--cost-tn", type=float, metavar="C", help="of --best cost: a right rejection")
    parser.add_argument("--prevalence", type=float, metavar="P", help="of --best cost: another than in the file")
    parser.add_argument("--optimism", action="store_true", help="of --best: how much better the cut looks than it is")
    parser.add_argument("--n-resamples", type=int, metavar="N", help="of --optimism, default: 500")
    parser.add_argument("--seed", type=int, metavar="S", help="of --optimism; by default a fresh one")
    parser.add_argument("-f", "--format", choices=("table", "json"), default="table", help="default: table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file, whole or not at all")


def threshold(args: argparse.Namespace) -> int:
    """Print one operating point a score; exit code 3 where no cut does what was asked."""
    from rocsolid.sources.output import write_text
    from rocsolid.values import SCHEMA, to_json

    check_output(args)
    with quiet():
        points = {name: _point(args, evaluation) for name, evaluation in evaluations(args).items()}
    for name, point in points.items():
        for note in point.notes:
            if not point.feasible or note.code in ("tied-cuts", "guaranteed-cut"):
                say(f"note: {name}: {note.en}")
    if args.format == "json":
        held = {name: point.to_dict() for name, point in points.items()}
        text = to_json(next(iter(held.values())) if len(held) == 1 else {"schema": SCHEMA, "points": held})
    else:
        text = "\n".join(_line(name, point) for name, point in points.items())
    if args.output in (None, STDOUT):
        put(text)
    else:
        say(f"wrote {write_text(args.output, text + chr(10))}")
    return FINE if all(point.feasible for point in points.values()) else BAD_DATA


def _point(args: argparse.Namespace, evaluation: Any) -> Any:
    """Ask the evaluation of one score for its cut."""
    ways = {name: getattr(args, name) for name in WAYS}
    if args.best is None:
        for name in ("optimism", *OF_BEST, "seed"):
            if getattr(args, name) not in (None, False):
                option = f"--{name.replace('_', '-')}"
                raise OptionError(option, getattr(args, name), "left out without --best", "--best cost")
        if sum(value is not None for value in ways.values()) != 1:
            typed = [f"--{name.replace('_', '-')}" for name in WAYS]
            found = [option for option, value in zip(typed, ways.values(), strict=True) if value is not None]
            names = ", ".join([*typed, "--best"])
            raise OptionError(names, ", ".join(found) or None, "given once and alone", "for example --recall 0.9")
        if ways["threshold"] is not None:
            ways["threshold"] = score_of(ways["threshold"], evaluation, "threshold")
        return evaluation.at(**ways, guarantee=args.guarantee)
    for name, value in {**ways, "guarantee": args.guarantee}.items():
        if value is not None:
            raise OptionError(f"--{name.replace('_', '-')}", value, "left out beside --best", "leave one of them out")
    options = {name: getattr(args, name) for name in OF_BEST}
    return evaluation.best(args.best, **options, optimism=args.optimism, rng=args.seed)


def _line(name: str, point: Any) -> str:
    """The point, and its optimism, in one line."""
    more = "" if point.optimism is None else f" {point.optimism!r}"
    return f"{name}: {repr(point)[1:-1]}{more}"


def score_of(text: str, evaluation: Any, option: str) -> Any:
    """Read a threshold as the kind of number that the scores are: a whole number and a decimal stay exact."""
    kind = evaluation.sweep.scores.dtype.kind
    try:
        if kind == "O":
            return Decimal(text)
        return int(text) if kind in "biu" and text.lstrip("+-").isdigit() else float(text)
    except (ValueError, InvalidOperation):
        hint = f"for example --{option.removeprefix('--')} 0.5"
        raise OptionError(option, text, "a number", hint) from None


def _count_or_share(text: str) -> int | float:
    return int(text) if text.isdigit() else float(text)
