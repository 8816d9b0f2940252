"""What can be typed: commands and their options."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NoReturn

from rocsolid._kernel import __version__
from rocsolid.cli import commands, questions, threshold
from rocsolid.cli import curve as curves
from rocsolid.cli.talking import USAGE, complain
from rocsolid.sources.process import put

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class _Parser(argparse.ArgumentParser):
    """Errors in two lines, like all others; help and version go out like all results."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if message:
            put(message.rstrip("\n"))

    def error(self, message: str) -> NoReturn:
        complain(message, f"{self.prog} --help")
        raise SystemExit(USAGE)


def parser() -> argparse.ArgumentParser:
    """Build the parser of a command line; each command's function is ``run`` of what it parses."""
    top = _Parser(
        prog="rocsolid", description="Exact ROC and precision-recall evaluation with honest intervals.",
        epilog="exit codes: 0 fine, 2 usage, 3 bad data, 130 interrupted", allow_abbrev=False,
    )  # fmt: skip
    top.add_argument("--version", action="version", version=f"rocsolid {__version__}")
    subcommands = top.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)

    evaluate = subcommands.add_parser("evaluate", help="print measures with their intervals", allow_abbrev=False)
    _add_data(evaluate)
    evaluate.add_argument("--measures", nargs="+", metavar="SPEC", help='such as roc_auc "recall(threshold=0.5)"')
    _add_fold(evaluate)
    _add_printing(evaluate)
    evaluate.set_defaults(run=commands.evaluate)

    compare = subcommands.add_parser("compare", help="print differences of models on the same rows", allow_abbrev=False)
    _add_data(compare)
    _add_fold(compare)
    _add_comparison(compare)
    _add_printing(compare)
    compare.set_defaults(run=commands.compare)

    cut = subcommands.add_parser("threshold", help="say where to cut, in one line", allow_abbrev=False)
    _add_data(cut)
    threshold.add_options(cut)
    cut.set_defaults(run=threshold.threshold, fold=None)

    _add_curve(subcommands)
    _add_questions(subcommands)

    report = subcommands.add_parser("report", help="write one self-contained HTML page", allow_abbrev=False)
    _add_data(report)
    _add_fold(report)
    report.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="where the page goes; - for standard output"
    )
    report.add_argument("--title", metavar="TEXT", help="heading of the page")
    report.add_argument("--json", action="store_true", help="write what the page says as JSON instead")
    report.add_argument("--split", action="store_true", help="style and script as files beside the page")
    report.set_defaults(run=commands.report)

    demo = subcommands.add_parser("demo", help="two real classifiers, from predictions to page", allow_abbrev=False)
    demo.add_argument("-o", "--output", metavar="DIR", default="demo", help="folder, default: demo")
    demo.set_defaults(run=commands.demo)

    measures = subcommands.add_parser("measures", help="list the measures there are", allow_abbrev=False)
    measures.set_defaults(run=commands.measures)
    return top


Subcommands = argparse._SubParsersAction


def _add_curve(subcommands: Subcommands[_Parser]) -> None:
    curve = subcommands.add_parser("curve", help="print the points of a curve", allow_abbrev=False)
    _add_data(curve)
    curve.add_argument(
        "--name", metavar="CURVE", default="roc",
        help="roc, precision_recall, det, cost, ..., or a measure at every cut such as f1; default: roc",
    )  # fmt: skip
    _add_printing(curve, ("csv", "json"))
    curve.set_defaults(run=curves.curve, fold=None)


def _add_questions(subcommands: Subcommands[_Parser]) -> None:
    explain = subcommands.add_parser("explain", help="say which definition gives a claimed number", allow_abbrev=False)
    _add_data(explain, several=False)
    explain.add_argument("number", metavar="NUMBER", help="as it was claimed, with all of its digits")
    _add_printing(explain)
    explain.set_defaults(run=questions.explain, fold=None)

    translate = subcommands.add_parser("translate", help="say what other tools would report", allow_abbrev=False)
    _add_data(translate)
    _add_printing(translate)
    translate.set_defaults(run=questions.translate, fold=None)

    zones = subcommands.add_parser("zones", help="two cuts: rule in, rule out, abstain between", allow_abbrev=False)
    _add_data(zones)
    for side in ("in", "out"):
        zones.add_argument(f"--rule-{side}", metavar="T", required=True,
                           help="a score, or a constraint such as specificity=0.95")  # fmt: skip
    _add_printing(zones)
    zones.set_defaults(run=questions.zones, fold=None)

    days = subcommands.add_parser("days", help="flag the strictest rows of each day", allow_abbrev=False)
    _add_data(days)
    days.add_argument("--day", metavar="COL", required=True, help="column of days, shifts or weeks")
    days.add_argument("--capacity", type=int, metavar="K", required=True, help="rows that can be looked at each day")
    _add_printing(days, ("table", "json"))
    days.set_defaults(run=questions.days, fold=None)


def _add_data(parser: argparse.ArgumentParser, *, several: bool = True) -> None:
    """Options that say what is read; one score only where a word without an option follows it."""
    parser.add_argument("file", metavar="FILE", help=".csv, .tsv, .parquet, .jsonl, or - for standard input")
    parser.add_argument("--label", metavar="COL", required=True, help="column of labels")
    if several:
        parser.add_argument("--score", metavar="COL", required=True, nargs="+", action="extend",
                            help="columns of scores, one a model")  # fmt: skip
    else:
        parser.add_argument("--score", metavar="COL", required=True, action="append", help="column of scores")
    parser.add_argument(
        "--pos-label", metavar="V", help="the positive label; needed unless labels are 0/1, -1/1 or booleans"
    )
    parser.add_argument("--weight", metavar="COL", help="column of sampling weights")
    parser.add_argument(
        "--cluster", metavar="COL", help="column that says which rows belong together, such as those of one patient"
    )
    parser.add_argument("--lower-is-positive", action="store_true", help="low scores are the positive sign")
    parser.add_argument("--missing", choices=("raise", "drop"), default="raise", help="default: raise")
    parser.add_argument(
        "--missing-values", metavar="WORD", nargs="+", default=[],
        help="words that stand for a missing value, such as NA NULL; by default only the empty field does",
    )  # fmt: skip
    parser.add_argument("--confidence-level", type=float, default=0.95, metavar="L", help="default: 0.95")


def _add_fold(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fold", metavar="COL", help="column of cross-validation folds; measures are then means over the folds"
    )


def _add_printing(parser: argparse.ArgumentParser, formats: tuple[str, ...] = ("table", "json", "md")) -> None:
    parser.add_argument("-f", "--format", choices=formats, default=formats[0], help=f"default: {formats[0]}")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to a file, whole or not at all; - for standard output"
    )


def _add_comparison(parser: argparse.ArgumentParser) -> None:
    """Options of a comparison; their values are checked where they are checked for Python."""
    parser.add_argument(
        "--measure", "--measures", dest="measures", nargs="+", action="extend", metavar="SPEC",
        help="what is compared, default: roc_auc",
    )  # fmt: skip
    parser.add_argument(
        "--method", default="auto", metavar="M",
        help="auto, influence, delong, hanley-mcneil, bootstrap, permutation or venkatraman; default: auto",
    )  # fmt: skip
    parser.add_argument(
        "--alternative", default="two-sided", metavar="A", help="two-sided, greater or less; default: two-sided"
    )
    parser.add_argument("--margin", type=float, metavar="D", help="of non-inferiority (one-sided) or equivalence")
    parser.add_argument(
        "--adjust", metavar="A", help="p values of more than two models: holm (default), bonferroni or none"
    )
    parser.add_argument("--n-resamples", type=int, metavar="N", help="for the resampling methods")
    parser.add_argument("--seed", type=int, metavar="S", help="for the resampling methods; by default a fresh one")
