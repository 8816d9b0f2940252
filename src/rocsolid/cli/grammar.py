"""What can be typed: commands and their options."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from rocsolid._kernel import __version__
from rocsolid.cli import commands, completion, gate, questions, sweeps, threshold
from rocsolid.cli import curve as curves
from rocsolid.cli.reading import is_sweep
from rocsolid.cli.settings import OWN, SHARED
from rocsolid.cli.talking import USAGE, complain
from rocsolid.cli.words import NO_CONFIG, prepared
from rocsolid.sources.process import put

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class _Help(argparse.RawDescriptionHelpFormatter):
    """The commands on one screen: one line each, beside what it is for."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = 14

    def _format_action(self, action: argparse.Action) -> str:
        if isinstance(action, argparse._SubParsersAction):
            return "".join(map(self._format_action, action._get_subactions()))
        return super()._format_action(action)


EPILOG = f"""\
rocsolid COMMAND --help lists the options of a command
before COMMAND: --version, {NO_CONFIG} (without {OWN}, {SHARED})
exit codes: 0 fine, 1 a gate failed, 2 usage, 3 bad data, 130 interrupted"""


class Parser(argparse.ArgumentParser):
    """Errors in two lines, like all others; help and version go out like all results."""

    commands: Mapping[str, argparse.ArgumentParser]
    """Of the parser of the whole line: those of the commands, by name."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if message:
            put(message.rstrip("\n"))

    def error(self, message: str) -> NoReturn:
        """Complain in two lines and leave with the code of wrong usage."""
        complain(message, f"{self.prog} --help")
        raise SystemExit(USAGE)


def parser() -> Parser:
    """Build the parser of a command line; each command's function is ``run`` of what it parses."""
    top = Parser(
        prog="rocsolid", description="Exact ROC and precision-recall evaluation with honest intervals.",
        epilog=EPILOG, allow_abbrev=False, formatter_class=_Help, add_help=False,
    )  # fmt: skip
    top.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    top.add_argument("--version", action="version", version=f"rocsolid {__version__}", help=argparse.SUPPRESS)
    top.add_argument(NO_CONFIG, action="store_true", help=argparse.SUPPRESS)
    subcommands = top.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True, parser_class=Parser
    )
    for name, (says, run, *parts) in _commands().items():
        command = subcommands.add_parser(name, help=says, description=says, allow_abbrev=False)
        for add in parts:
            add(command)
        command.set_defaults(run=run)
    top.commands = dict(subcommands.choices)
    return top


def parse(given: Sequence[str]) -> argparse.Namespace:
    """Read a command line, with the settings of the folder; errors name what is nearest.

    Raises
    ------
    UnknownNameError, SourceError
        For unknown commands, options and settings, and for a file of settings that can not be read.
    SystemExit
        After help, the version, and what argparse itself refuses.
    """
    top = parser()
    words, configured = prepared(top.commands, given)
    args = top.parse_args(words)
    args.command_line, args.configured = shlex.join(["rocsolid", *words]), configured
    if hasattr(args, "score"):
        _need_columns(args, top.commands[args.command])
    return args


def _need_columns(args: argparse.Namespace, command: argparse.ArgumentParser) -> None:
    """Ask for the columns of a table; a saved sweep has none."""
    lacking = [f"--{name}" for name in ("label", "score") if getattr(args, name) is None]
    if lacking and not is_sweep(args.file):
        command.error(f"the following arguments are required: {', '.join(lacking)}")


def _add_data(parser: argparse.ArgumentParser, *, several: bool = True) -> None:
    """Options that say what is read; one score only where a word without an option follows it.

    Label and score are needed for a table, and asked for when it is known to be one.
    """
    parser.add_argument(
        "file", metavar="FILE", help=".csv, .tsv, .parquet, .jsonl, a saved .sweep, or - for CSV from standard input"
    )
    parser.add_argument("--label", metavar="COL", help="column of labels")
    if several:
        parser.add_argument("--score", metavar="COL", nargs="+", action="extend", help="columns of scores, one a model")
    else:
        parser.add_argument("--score", metavar="COL", action="append", help="column of scores")
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
        "--missing-values", metavar="WORD", nargs="+", action="extend", default=[],
        help="words that stand for a missing value, such as NA NULL; by default only the empty field does",
    )  # fmt: skip
    parser.add_argument("--confidence-level", type=float, default=0.95, metavar="L", help="default: 0.95")


def _add_fold(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fold", metavar="COL", help="column of cross-validation folds; measures are then means over the folds"
    )


def _add_measures(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--measures", nargs="+", action="extend", metavar="SPEC",
                        help='such as roc_auc "recall(threshold=0.5)"')  # fmt: skip


def _add_page(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="where the page goes; - for standard output"
    )
    parser.add_argument("--title", metavar="TEXT", help="heading of the page")
    parser.add_argument("--json", action="store_true", help="write what the page says as JSON instead")
    parser.add_argument("--split", action="store_true", help="style and script as files beside the page")


def _add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="DIR", default="demo", help="folder, default: demo")


def _without_folds(parser: argparse.ArgumentParser) -> None:
    """Cuts and counts take all rows together: there is no column of folds."""
    parser.set_defaults(fold=None)


def _add_one_score(parser: argparse.ArgumentParser) -> None:
    _add_data(parser, several=False)
    parser.add_argument("number", metavar="NUMBER", help="as it was claimed, with all of its digits")


def _add_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--name", metavar="CURVE", default="roc",
        help="roc, precision_recall, det, cost, ..., or a measure at every cut such as f1; default: roc",
    )  # fmt: skip
    _add_printing(parser, ("csv", "json"))


def _add_rules(parser: argparse.ArgumentParser) -> None:
    for side in ("in", "out"):
        parser.add_argument(f"--rule-{side}", metavar="T", required=True,
                            help="a score, or a constraint such as specificity=0.95")  # fmt: skip


def _add_days(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--day", metavar="COL", required=True, help="column of days, shifts or weeks")
    parser.add_argument("--capacity", type=int, metavar="K", required=True, help="rows that can be looked at each day")
    _add_printing(parser, ("table", "json"))


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


Part = Callable[[argparse.ArgumentParser], None]
Run = Callable[[argparse.Namespace], int]


def _commands() -> dict[str, tuple[str, Run, *tuple[Part, ...]]]:
    """Commands: what each is for, what it runs, and the parts of its options."""
    return {
        "evaluate": (
            "print measures with their intervals", commands.evaluate, _add_data, _add_measures, _add_fold, _add_printing
        ),
        "compare": (
            "print differences of models on the same rows",
            commands.compare, _add_data, _add_fold, _add_comparison, _add_printing,
        ),
        "gate": ("fail if a model is not good enough, or worse", gate.gate, _add_data, _add_fold, gate.add_options),
        "threshold": (
            "say where to cut, in one line", threshold.threshold, _add_data, threshold.add_options, _without_folds
        ),
        "curve": ("print the points of a curve", curves.curve, _add_data, _add_name, _without_folds),
        "explain": (
            "say which definition gives a claimed number",
            questions.explain, _add_one_score, _add_printing, _without_folds,
        ),
        "translate": (
            "say what other tools would report", questions.translate, _add_data, _add_printing, _without_folds
        ),
        "zones": (
            "two cuts: rule in, rule out, abstain between",
            questions.zones, _add_data, _add_rules, _add_printing, _without_folds,
        ),
        "days": ("flag the strictest rows of each day", questions.days, _add_data, _add_days, _without_folds),
        "report": ("write one self-contained HTML page", commands.report, _add_data, _add_fold, _add_page),
        "sweep": (
            "save the counts at every score",
            sweeps.sweep, _add_data, sweeps.add_output, sweeps.without_intervals, _without_folds,
        ),
        "merge": ("add saved sweeps up, exactly", sweeps.merge, sweeps.add_files, sweeps.add_output),
        "demo": ("two real classifiers, from predictions to page", commands.demo, _add_folder),
        "measures": ("list the measures there are", commands.measures),
        "completion": ("print a script for bash, zsh or fish", completion.completion, completion.add_options),
    }  # fmt: skip
