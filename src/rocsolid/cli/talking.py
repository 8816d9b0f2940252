"""What a command says: results to standard output, everything else to standard error, in words of the command line."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shlex
import stat
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from rocsolid.errors import (
    EmptyInputError,
    LabelCountError,
    MissingValueError,
    OptionError,
    PositiveLabelError,
    RocsolidError,
    RocsolidWarning,
    UndefinedMeasureError,
)
from rocsolid.sources.process import need_output, printing, put
from rocsolid.text import printable
from rocsolid.values import GridResult

STDOUT = "-"
FINE, GATE_FAILED, USAGE, BAD_DATA, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130

TYPED = {
    "pos_label": "--pos-label", "measure": "--measure", "method": "--method", "margin": "--margin",
    "alternative": "--alternative", "adjust": "--adjust", "n_resamples": "--n-resamples", "rng": "--seed",
}  # fmt: skip
"""Arguments of Python, and the options that set them."""
OF_CUTS = (
    "threshold", "recall", "specificity", "fpr", "precision", "capacity", "top_k", "flagged", "guarantee", "beta",
    "cost_fp", "cost_fn", "prevalence", "optimism",
)  # fmt: skip
"""Arguments that are options by the same name, of the commands that have them."""


def show(summary: dict[str, Any]) -> None:
    """Print a summary to a terminal with rich (which respects ``NO_COLOR``); without rich, as plain text."""
    from rocsolid.report import render_text
    from rocsolid.report.difference_grid import grids

    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        put(render_text.render(summary))
        return
    with printing():
        console = Console(file=sys.stdout, highlight=False)
        for place, laid in enumerate(grids(summary)):
            table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
            for name, right in zip(laid.columns, laid.right, strict=True):
                table.add_column(Text(name), justify="right" if right else "left", overflow="fold")
            for row in laid.rows:
                styles = ("yellow" if cell == "undefined" else "bold" if i == 2 else "" for i, cell in enumerate(row))
                table.add_row(*(Text(cell, style=style) for cell, style in zip(row, styles, strict=True)))
            for i, line in enumerate(laid.heading):
                console.print(Text(line if i or not place else f"\n{line}", style="dim"))
            console.print()
            console.print(table)
            for i, line in enumerate(laid.remarks):
                console.print(Text(line if i else f"\n{line}", style="dim"))


def show_grid(found: GridResult) -> None:
    """Print a table of results: with rich to a terminal, otherwise as plain text."""
    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        put(repr(found))
        return
    if not sys.stdout or not sys.stdout.isatty():
        put(repr(found))
        return
    with printing():
        console = Console(file=sys.stdout, highlight=False)
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        head, *body = found.printable_rows()
        for name in head:
            table.add_column(Text(name), overflow="fold")
        for row in body:
            table.add_row(*(Text(cell, style=COLOURS.get(cell, "")) for cell in row))
        console.print(table)
        console.print()
        for line in found.footnotes:
            console.print(Text(printable(line), style=COLOURS.get(line.removeprefix("gate: "), "dim")))


COLOURS = {"pass": "green", "fail": "bold red", "not distinguishable": "yellow"}


def check_output(args: argparse.Namespace, *, prints: bool = False) -> None:
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


def say(text: str) -> None:
    """Print a line on standard error, if there is one."""
    if sys.stderr is None:  # print would take standard output instead
        return
    with contextlib.suppress(OSError, ValueError):  # nobody is left to be told
        print(printable(text), file=sys.stderr, flush=True)


def complain(message: str, hint: str) -> None:
    """Print an error in its two lines."""
    say(f"error: {message}")
    say(f"hint: {hint}")


def warn(summary: dict[str, Any]) -> None:
    """Print the notes of a summary that are warnings."""
    from rocsolid.report.grid import remark

    for note in summary["notes"]:
        if note["warning"]:
            say(f"warning: {remark(note, summary)}")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Hold back rocsolid's own warnings: they are notes of the summary too, and printed from there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsolidWarning)
        yield


def worded(error: RocsolidError, args: argparse.Namespace | None) -> tuple[str, str]:
    """Message and hint in the words of the command line: columns and options instead of arguments."""
    message, hint = error.message, error.hint or "rocsolid --help"
    column = getattr(args, "column", None)
    for argument, name in (("y_score", column), ("y_true", getattr(args, "label", None)),
                           ("sample_weight", getattr(args, "weight", None)),
                           ("cluster", getattr(args, "cluster", None)),
                           ("fold", getattr(args, "fold", None))):  # fmt: skip
        if name is not None:
            message = message.replace(f"`{argument}`", f"column {name!r}")
    options = TYPED | {name: f"--{name.replace('_', '-')}" for name in OF_CUTS if hasattr(args, name)}
    if "threshold" in options:
        options["criterion"] = "--best"
    for argument, option in options.items():
        message = message.replace(f"`{argument}`", option)
    return message, _advice(error) or _typed(hint, options)


def _typed(hint: str, options: dict[str, str]) -> str:
    """Write arguments of Python, alone or in a call for a cut, as the options that are typed here.

    Examples
    --------
    >>> _typed('for example ev.best("cost", cost_fp=1)', {"criterion": "--best", "cost_fp": "--cost-fp"})
    'for example --best cost --cost-fp 1'
    """
    alone = re.fullmatch(r"(for example )?(\w+=\S+)", hint)
    if alone is not None:
        typed = _option(alone[2], options)
        if typed is None:
            return hint
        return typed if typed.startswith("leave") else f"{alone[1] or 'add '}{typed}"
    return re.sub(r"ev\.(?:at|best)\((.*?)\)|\w+=[\w.]+", lambda part: _call(part, options), hint)


def _call(call: re.Match[str], options: dict[str, str]) -> str:
    typed = [_option(part, options) for part in (call[1] or call[0]).split(", ")]
    return " ".join(part for part in typed if part is not None) if None not in typed else call[0]


def _option(argument: str, options: dict[str, str]) -> str | None:
    """One argument as it is typed here; ``None`` where there is no such option."""
    found = re.fullmatch(r"(?:(\w+)=)?(?:'([^']*)'|\"([^\"]*)\"|([\w.]+))", argument)
    option = None if found is None else options.get(found[1] or "criterion")
    if found is None or option is None:
        return None
    if found[4] == "None":
        return f"leave {option} out"
    return option if found[4] == "True" else f"{option} {found[2] or found[3] or found[4]}"


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
        if re.search(r"\bthere (is|are) no \w+", error.reason):
            return "both classes are needed: check the labels and --pos-label"
        if "on_undefined" in (error.hint or ""):
            return "ask for another measure, or for rocsolid evaluate, which says why there is none and goes on"
    if isinstance(error, EmptyInputError):
        return "check the file, and what --missing drop left out"
    if isinstance(error, OptionError) and error.name == "models":
        return "name two columns of scores or more, for example --score old new"
    if isinstance(error, OptionError) and error.name == "confidence_level":
        return "for example --confidence-level 0.95"
    return None
