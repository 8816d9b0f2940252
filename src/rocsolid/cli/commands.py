"""The commands: each takes the words as parsed and gives the exit code."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsolid.cli.progress import progress
from rocsolid.cli.reading import evaluations, is_sweep, source
from rocsolid.cli.talking import FINE, STDOUT, check_output, quiet, say, show, warn
from rocsolid.errors import OptionError, SourceError
from rocsolid.sources.process import need_output, put

if TYPE_CHECKING:
    from rocsolid.report.render_html import Page


def evaluate(args: argparse.Namespace) -> int:
    """Print measures with their intervals."""
    from rocsolid import report as faces

    check_output(args)
    with quiet():
        models = evaluations(args)
        with progress("measuring"):
            summary = faces.summarise(
                models, measures=args.measures, source=source(args), command=args.command_line, curves=False
            )
    return print_summary(args, summary)


def compare(args: argparse.Namespace) -> int:
    """Print differences of models, with their estimates."""
    from rocsolid import report as faces
    from rocsolid.measures import find
    from rocsolid.report.differences import entry

    check_output(args)
    if is_sweep(args.file):
        raise OptionError("FILE", args.file, "a table: a saved sweep has one model and no rows to pair",
                          "rocsolid gate a.sweep --not-worse-than b.sweep --unpaired")  # fmt: skip
    requests = list({request.spec: request for request in map(find, args.measures or ["roc_auc"])}.values())
    with quiet():
        models = evaluations(args)
        args.column = None
        if args.adjust is not None and len(models) == 2:
            raise OptionError("adjust", args.adjust, "left out for two models, which make one p value", "leave it out")
        with progress("comparing"):
            found = [
                entry(request, models.compare(
                    measure=request, method=args.method, alternative=args.alternative, margin=args.margin,
                    adjust=args.adjust or "holm", n_resamples=args.n_resamples, rng=args.seed,
                ))
                for request in requests
            ]  # fmt: skip
        summary = faces.summarise(
            models, measures=requests, source=source(args), command=args.command_line, curves=False, comparisons=found
        )
    return print_summary(args, summary)


def print_summary(args: argparse.Namespace, summary: dict[str, Any]) -> int:
    """Print a summary as asked for, or write it to a file."""
    from rocsolid.report import render_markdown, render_text
    from rocsolid.sources.output import write_text
    from rocsolid.values import to_json

    warn(summary)
    form: Callable[[dict[str, Any]], str] = {
        "table": render_text.render, "md": render_markdown.render, "json": to_json,
    }[args.format]  # fmt: skip
    if args.output not in (None, STDOUT):
        say(f"wrote {write_text(args.output, form(summary) + chr(10))}")
    elif args.format == "table" and sys.stdout.isatty():
        show(summary)
    else:
        put(form(summary))
    return FINE


def report(args: argparse.Namespace) -> int:
    """Write the page."""
    from rocsolid import report as faces
    from rocsolid.report import render_html
    from rocsolid.sources.output import write_text
    from rocsolid.values import to_json

    if args.split and (args.json or args.output == STDOUT or Path(args.output).suffix != ".html"):
        what = "--json" if args.json else args.output
        raise OptionError("--split", what, "an .html file, beside which style and script go", "-o report.html --split")
    check_output(args, prints=True)
    with quiet():
        models = evaluations(args)
        with progress("drawing the page"):
            summary = faces.summarise(
                models, title=args.title, source=source(args), command=args.command_line, bands=True
            )
            split = render_html.render_split(summary, Path(args.output).stem) if args.split else None
            text = to_json(summary) if args.json else "" if args.split else render_html.render(summary)
    warn(summary)
    if split is not None:
        return _write_split(Path(args.output), split)
    if args.output == STDOUT:
        put(text)
        return FINE
    written = write_text(args.output, text + ("\n" if args.json else ""))
    say(f"wrote {written} ({len(text.encode()) / 1024:.0f} KB)")
    put(str(written))
    return FINE


def _write_split(path: Path, page: Page) -> int:
    """Write style and script beside the page, which comes last."""
    from rocsolid.sources.output import write_text

    for ending, text in ((".css", page.css), (".js", page.js)):
        say(f"wrote {write_text(path.with_suffix(ending), text)}")
    put(str(write_text(path, page.html)))
    return FINE


def demo(args: argparse.Namespace) -> int:
    """Fit two classifiers and take their predictions through the commands."""
    from rocsolid import demo
    from rocsolid.cli.grammar import parser

    demo.check()
    need_output()
    folder = Path(args.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError("not-writable", str(folder), f"can not make the folder {str(folder)!r}: {error.strerror}",
                          "name another folder with -o") from None  # fmt: skip
    say(f"fitting two classifiers by {demo.FOLDS}-fold cross-validation on scikit-learn's breast-cancer data ...")
    made = demo.write(folder)
    say(f"wrote {made.path}; the data code malignant as 0: the file has words, and the positive label is "
         f"{made.pos_label!r}")  # fmt: skip
    words = [str(made.path), "--label", made.label, "--score", *made.scores, "--pos-label", made.pos_label]
    page = folder / "report.html"
    for command in (
        ["evaluate", *words],
        ["report", *words, "-o", str(page), "--title", "Breast cancer, two classifiers"],
    ):
        say(f"$ {shlex.join(['rocsolid', *command])}")
        step = parser().parse_args(command)
        step.command_line = shlex.join(["rocsolid", *command])
        step.run(step)
    return FINE


def measures(args: argparse.Namespace) -> int:
    """List the registry."""
    from rocsolid.measures import REGISTRY

    lines = []
    for entry in REGISTRY.values():
        lines.append(entry.usage)
        if entry.aliases:
            lines.append(f"    also: {', '.join(entry.aliases)}")
        lines += [f"    {entry.definition}", f"    {entry.source}"]
    put("\n".join(lines))
    return FINE
