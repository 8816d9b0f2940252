"""The command line: ``rocsolid evaluate``, ``report``, ``demo`` and ``measures``.

Results go to standard output, talk to standard error. Exit codes: 0 fine, 2 usage, 3 bad data, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import stat
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from rocsolid._kernel import __version__
from rocsolid.errors import (
    EmptyInputError,
    LabelCountError,
    MissingValueError,
    NotAvailableError,
    OptionError,
    PositiveLabelError,
    RocsolidError,
    RocsolidWarning,
    SourceError,
    UndefinedMeasureError,
)
from rocsolid.sources.process import Interrupt, give_up_output, need_output, printing, put, tolerate

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

STDOUT = "-"
FINE, USAGE, BAD_DATA, INTERNAL, INTERRUPTED = 0, 2, 3, 70, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code; errors are two lines on standard error, never a traceback.

    Parameters
    ----------
    argv : the words after ``rocsolid``; by default those that the process was started with.

    Returns
    -------
    0 fine; 2 usage; 3 bad data, a file that can not be read or written, or a missing package; 130 interrupted.
    """
    given = sys.argv[1:] if argv is None else list(argv)
    args: argparse.Namespace | None = None
    interrupt = Interrupt()
    try:
        interrupt.watch()
        tolerate()
        args = _parser().parse_args(given)
        args.command_line = shlex.join(["rocsolid", *given])
        code: int = args.run(args)
        return code
    except SystemExit as stop:  # argparse has printed help, the version or an error
        return stop.code if isinstance(stop.code, int) else FINE
    except RocsolidError as error:
        if interrupt.came:
            return _interrupted(interrupt)
        _complain(*_worded(error, args))
        return USAGE if isinstance(error, (OptionError, NotAvailableError)) else BAD_DATA
    except KeyboardInterrupt:
        return _interrupted(interrupt)
    except BrokenPipeError:  # whoever read our output has enough
        give_up_output()
        return FINE
    except Exception as error:  # a mistake of ours, not of the data
        if interrupt.came:  # libraries make errors of their own of an interrupt in their midst
            return _interrupted(interrupt)
        if os.environ.get("ROCSOLID_DEBUG"):
            raise
        _complain(
            f"internal: {type(error).__name__}: {error}", "run again with ROCSOLID_DEBUG=1 and report what it prints"
        )
        return INTERNAL
    finally:
        interrupt.unwatch(ends=argv is None)


def _interrupted(interrupt: Interrupt) -> int:
    interrupt.heed()
    _complain("interrupted", "no output file was changed")
    return INTERRUPTED


# ---------------------------------------------------------------------------------------------- commands


def _evaluate(args: argparse.Namespace) -> int:
    from rocsolid import report
    from rocsolid.report import render_markdown, render_text
    from rocsolid.results import to_json
    from rocsolid.sources.output import write_text

    _check_output(args)
    with _quiet():
        evaluations = _evaluations(args)
        summary = report.summarise(
            evaluations, measures=args.measures, source=_source(args), command=args.command_line, curves=False
        )
    _warn(summary)
    form: Callable[[dict[str, Any]], str] = {
        "table": render_text.render, "md": render_markdown.render, "json": to_json,
    }[args.format]  # fmt: skip
    if args.output not in (None, STDOUT):
        _say(f"wrote {write_text(args.output, form(summary) + chr(10))}")
    elif args.format == "table" and sys.stdout.isatty():
        _show(summary)
    else:
        put(form(summary))
    return FINE


def _report(args: argparse.Namespace) -> int:
    from rocsolid import report
    from rocsolid.report import render_html
    from rocsolid.sources.output import write_text

    _check_output(args, prints=True)
    with _quiet():
        summary = report.summarise(
            _evaluations(args), title=args.title, source=_source(args), command=args.command_line
        )
        page = render_html.render(summary)
    if args.output == STDOUT:
        _warn(summary)
        put(page)
        return FINE
    written = write_text(args.output, page)
    _warn(summary)
    _say(f"wrote {written} ({len(page.encode()) / 1024:.0f} KB)")
    put(str(written))
    return FINE


def _demo(args: argparse.Namespace) -> int:
    from rocsolid import demo

    demo.check()
    need_output()
    folder = Path(args.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError("not-writable", str(folder), f"can not make the folder {str(folder)!r}: {error.strerror}",
                          "name another folder with -o") from None  # fmt: skip
    _say(f"fitting two classifiers by {demo.FOLDS}-fold cross-validation on scikit-learn's breast-cancer data ...")
    made = demo.write(folder)
    _say(f"wrote {made.path}; the data code malignant as 0: the file has words, and the positive label is "
         f"{made.pos_label!r}")  # fmt: skip
    words = [str(made.path), "--label", made.label, "--score", *made.scores, "--pos-label", made.pos_label]
    page = folder / "report.html"
    for command in (
        ["evaluate", *words],
        ["report", *words, "-o", str(page), "--title", "Breast cancer, two classifiers"],
    ):
        _say(f"$ {shlex.join(['rocsolid', *command])}")
        step = _parser().parse_args(command)
        step.command_line = shlex.join(["rocsolid", *command])
        step.run(step)
    return FINE


def _measures(args: argparse.Namespace) -> int:
    from rocsolid.measures import REGISTRY

    lines = []
    for entry in REGISTRY.values():
        lines.append(entry.usage)
        if entry.aliases:
            lines.append(f"    also: {', '.join(entry.aliases)}")
        lines += [f"    {entry.definition}", f"    {entry.source}"]
    put("\n".join(lines))
    return FINE


# -------------------------------------------------------------------------------------- file to estimates


def _evaluations(args: argparse.Namespace) -> Any:
    """Read the columns and evaluate each score; errors know which column they are about."""
    from rocsolid.evaluations import Evaluations
    from rocsolid.functions import evaluate
    from rocsolid.options import check_level
    from rocsolid.sources import files

    check_level(args.confidence_level)
    weight = [] if args.weight is None else [args.weight]
    table = files.read(args.file, [args.label, *args.score, *weight], numeric=[*args.score, *weight],
                       missing_values=args.missing_values)  # fmt: skip
    pos_label = None if args.pos_label is None else _label_value(table[args.label], args.pos_label)
    members = {}
    for name in dict.fromkeys(args.score):
        args.column = name
        members[name] = evaluate(
            table[args.label], table[name], pos_label=pos_label, name=name, missing=args.missing,
            sample_weight=None if args.weight is None else table[args.weight],
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


def _source(args: argparse.Namespace) -> str:
    return "standard input" if args.file == "-" else str(args.file)


# ------------------------------------------------------------------------------------------------ talking


def _show(summary: dict[str, Any]) -> None:
    """Print a summary to a terminal with rich (which respects ``NO_COLOR``); without rich, as plain text."""
    from rocsolid.report import render_text
    from rocsolid.report.grid import grid

    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        put(render_text.render(summary))
        return
    laid = grid(summary)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name, right in zip(laid.columns, laid.right, strict=True):
        table.add_column(Text(name), justify="right" if right else "left", overflow="fold")
    for row in laid.rows:
        styles = ("yellow" if cell == "undefined" else "bold" if i == 2 else "" for i, cell in enumerate(row))
        table.add_row(*(Text(cell, style=style) for cell, style in zip(row, styles, strict=True)))
    with printing():
        console = Console(file=sys.stdout, highlight=False)
        for line in laid.heading:
            console.print(Text(line, style="dim"))
        console.print()
        console.print(table)
        for i, line in enumerate(laid.remarks):
            console.print(Text(line if i else f"\n{line}", style="dim"))


def _check_output(args: argparse.Namespace, *, prints: bool = False) -> None:
    """Refuse an output that can not be, before anything is read: the input itself, or a closed stream."""
    if prints or args.output in (None, STDOUT):
        need_output()
    if args.output in (None, STDOUT):
        return
    same = False
    with contextlib.suppress(OSError, AttributeError, ValueError):  # one of them is not there, or no file
        there = os.stat(args.output)
        read = os.fstat(sys.stdin.fileno()) if args.file == "-" else os.stat(args.file)
        same = os.path.samestat(there, read) and stat.S_ISREG(there.st_mode)
    if same:
        raise OptionError("-o", args.output, "another file than the input", "name a new file with -o")


def _say(text: str) -> None:
    from rocsolid.report.text import printable

    if sys.stderr is None:  # print would take standard output instead
        return
    with contextlib.suppress(OSError, ValueError):  # nobody is left to be told
        print(printable(text), file=sys.stderr, flush=True)


def _complain(message: str, hint: str) -> None:
    _say(f"error: {message}")
    _say(f"hint: {hint}")


def _warn(summary: dict[str, Any]) -> None:
    from rocsolid.report.grid import remark

    for note in summary["notes"]:
        if note["warning"]:
            _say(f"warning: {remark(note, summary)}")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Hold back rocsolid's own warnings: they are notes of the summary too, and printed from there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsolidWarning)
        yield


def _worded(error: RocsolidError, args: argparse.Namespace | None) -> tuple[str, str]:
    """Message and hint in the words of the command line: columns and options instead of arguments."""
    message, hint = error.message, error.hint or "rocsolid --help"
    column = getattr(args, "column", None)
    for argument, name in (("y_score", column), ("y_true", getattr(args, "label", None)),
                           ("sample_weight", getattr(args, "weight", None))):  # fmt: skip
        if name is not None:
            message = message.replace(f"`{argument}`", f"column {name!r}")
    message = message.replace("`pos_label`", "--pos-label")
    return message, _advice(error) or hint


def _advice(error: RocsolidError) -> str | None:
    """Say what to type, for errors whose own hint speaks of Python."""
    if isinstance(error, MissingValueError):
        return "add --missing drop to leave these rows out and have them counted, or repair the data"
    if isinstance(error, (PositiveLabelError, LabelCountError)):
        from rocsolid.sources.files import missing_hint

        named = missing_hint(error.found)
        if named is not None:
            return named
    if isinstance(error, PositiveLabelError) and error.found:
        return f"name the positive label, for example --pos-label {shlex.quote(str(error.found[-1]))}"
    if isinstance(error, LabelCountError):
        return "two labels are needed: write a column that says whether a row has the label in question"
    if isinstance(error, UndefinedMeasureError):
        return "both classes are needed: check the labels and --pos-label"
    if isinstance(error, EmptyInputError):
        return "check the file, and what --missing drop left out"
    if isinstance(error, OptionError) and error.name == "confidence_level":
        return "for example --confidence-level 0.95"
    return None


# ------------------------------------------------------------------------------------------------ grammar


class _Parser(argparse.ArgumentParser):
    """Errors in two lines, like all others; help and version go out like all results."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if message:
            put(message.rstrip("\n"))

    def error(self, message: str) -> NoReturn:
        _complain(message, f"{self.prog} --help")
        raise SystemExit(USAGE)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="rocsolid", description="Exact ROC and precision-recall evaluation with honest intervals.",
        epilog="exit codes: 0 fine, 2 usage, 3 bad data, 130 interrupted", allow_abbrev=False,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"rocsolid {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)

    evaluate = commands.add_parser("evaluate", help="print measures with their intervals", allow_abbrev=False)
    _add_data(evaluate)
    evaluate.add_argument("--measures", nargs="+", metavar="SPEC", help='such as roc_auc "recall(threshold=0.5)"')
    evaluate.add_argument("-f", "--format", choices=("table", "json", "md"), default="table", help="default: table")
    evaluate.add_argument(
        "-o", "--output", metavar="FILE", help="write to a file, whole or not at all; - for standard output"
    )
    evaluate.set_defaults(run=_evaluate)

    report = commands.add_parser("report", help="write one self-contained HTML page", allow_abbrev=False)
    _add_data(report)
    report.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="where the page goes; - for standard output"
    )
    report.add_argument("--title", metavar="TEXT", help="heading of the page")
    report.set_defaults(run=_report)

    demo = commands.add_parser("demo", help="two real classifiers, from predictions to page", allow_abbrev=False)
    demo.add_argument("-o", "--output", metavar="DIR", default="demo", help="folder, default: demo")
    demo.set_defaults(run=_demo)

    measures = commands.add_parser("measures", help="list the measures there are", allow_abbrev=False)
    measures.set_defaults(run=_measures)
    return parser


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=".csv, .tsv, .parquet, .jsonl, or - for standard input")
    parser.add_argument("--label", metavar="COL", required=True, help="column of labels")
    parser.add_argument("--score", metavar="COL", required=True, nargs="+", help="columns of scores, one a model")
    parser.add_argument(
        "--pos-label", metavar="V", help="the positive label; needed unless labels are 0/1, -1/1 or booleans"
    )
    parser.add_argument("--weight", metavar="COL", help="column of sampling weights")
    parser.add_argument("--lower-is-positive", action="store_true", help="low scores are the positive sign")
    parser.add_argument("--missing", choices=("raise", "drop"), default="raise", help="default: raise")
    parser.add_argument(
        "--missing-values", metavar="WORD", nargs="+", default=[],
        help="words that stand for a missing value, such as NA NULL; by default only the empty field does",
    )  # fmt: skip
    parser.add_argument("--confidence-level", type=float, default=0.95, metavar="L", help="default: 0.95")


if __name__ == "__main__":
    sys.exit(main())
