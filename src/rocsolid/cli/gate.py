"""``rocsolid gate``: keep a release that is not good enough, or worse than the one in use, from passing."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rocsolid.cli.baseline import compared_with_baseline
from rocsolid.cli.progress import progress
from rocsolid.cli.reading import evaluations, evaluations_of, is_sweep, read, source
from rocsolid.cli.talking import FINE, GATE_FAILED, STDOUT, check_output, quiet, say, show_grid
from rocsolid.errors import OptionError, SourceError
from rocsolid.sources.process import put


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of the command; their values are checked where they are used."""
    asked = parser.add_argument_group("what is asked (one of them at least)")
    asked.add_argument("--require", metavar="RULE", action="append", default=[],
                       help="such as 'roc_auc@lower >= 0.9'; @value, @lower or @upper; may be repeated")  # fmt: skip
    asked.add_argument("--method", metavar="M", help="how intervals of --require are made, such as bootstrap")
    asked.add_argument("--n-resamples", type=int, metavar="N", help="of a bootstrap method")
    asked.add_argument("--seed", type=int, metavar="S", help="of a bootstrap method; by default a fresh one")
    asked.add_argument("--not-worse-than", metavar="FILE", help="a table with the baseline's scores, or a saved sweep")
    other = parser.add_argument_group("of --not-worse-than")
    other.add_argument("--key", metavar="COL", help="column of both files that says which row is which")
    other.add_argument("--unpaired", action="store_true", help="take the two files as independent samples")
    other.add_argument("--baseline-score", metavar="COL", help="the baseline's column of scores, default: --score")
    other.add_argument("--measure", "--measures", dest="measures", nargs="+", action="extend", metavar="SPEC",
                       help="what is compared, default: roc_auc")  # fmt: skip
    other.add_argument("--margin", type=float, metavar="D", help="the largest loss that does not matter, default: 0")
    other.add_argument("--if-undecided", choices=("pass", "fail"), default=None,
                       help="exit code where the rows do not settle it, default: pass")  # fmt: skip
    parser.add_argument("-f", "--format", choices=("table", "json", "md"), default="table", help="default: table")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the result to a file, whole or not at all")
    parser.add_argument("--junit", metavar="FILE", help="write JUnit XML as well")
    parser.add_argument("--summary-file", metavar="FILE", help='append Markdown, such as to "$GITHUB_STEP_SUMMARY"')


def gate(args: argparse.Namespace) -> int:
    """Judge all that is asked; exit code 1 if a check fails."""
    from rocsolid.gate import FAIL, UNDECIDED, Gate, judge, parse

    _check(args)
    requirements = [parse(text) for text in args.require]
    with quiet():
        table = None if is_sweep(args.file) else read(args, [] if args.key is None else [args.key])
        models = evaluations(args) if table is None else evaluations_of(args, table)
        with progress("judging"):
            drawn = {"method": args.method or "auto", "n_resamples": args.n_resamples, "rng": args.seed}
            checks = [judge(asked, model, **drawn) for model in models.values() for asked in requirements]
        compared, remarks = compared_with_baseline(args, models, table) if args.not_worse_than else ([], [])
    found = Gate(checks=(*checks, *compared), source=source(args), remarks=tuple(remarks))
    _write(args, found)
    failed = found.verdict == FAIL or (found.verdict == UNDECIDED and args.if_undecided == "fail")
    return GATE_FAILED if failed else FINE


def _check(args: argparse.Namespace) -> None:
    """Refuse what asks for nothing, what would be ignored, and outputs that can not be."""
    if not args.require and args.not_worse_than is None:
        raise OptionError("--require", None, "given, or --not-worse-than", "--require 'roc_auc@lower >= 0.9'")
    for name in ("method", "n_resamples", "seed") if not args.require else ():
        if getattr(args, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise OptionError(option, getattr(args, name), "left out without --require", "--require 'ece@upper <= 0.1'")
    if args.not_worse_than is None:
        for name in ("key", "unpaired", "baseline_score", "measures", "margin", "if_undecided"):
            value = getattr(args, name)
            if value is not None and value is not False:
                option = "measure" if name == "measures" else name.replace("_", "-")
                raise OptionError(f"--{option}", value, "left out without --not-worse-than",
                                  "--not-worse-than main.parquet --key id")  # fmt: skip
    elif args.key is not None and args.unpaired:
        raise OptionError("--key", args.key, "left out beside --unpaired", "leave one of them out")
    elif args.key is None and not args.unpaired:
        hint = "add --key COL, the column that says which row is which" if not is_sweep(args.not_worse_than) else (
            "a saved sweep has no rows to pair: add --unpaired, or name a table")  # fmt: skip
        raise OptionError("--not-worse-than", args.not_worse_than, "paired by --key, or --unpaired", hint)
    if args.margin is not None and not 0 <= args.margin < float("inf"):
        raise OptionError("margin", args.margin, "a number of at least 0", "--margin 0.002")
    if args.baseline_score is not None and len(args.score or []) > 1:
        raise OptionError("--baseline-score", args.baseline_score, "left out with several scores", "name one --score")
    _check_outputs(args)


def _check_outputs(args: argparse.Namespace) -> None:
    """Every output is a file of its own, and none of the inputs."""
    check_output(args)
    others = {"--junit": args.junit, "--summary-file": args.summary_file}
    for option, path in others.items():
        if path == STDOUT:
            raise OptionError(option, path, "a file: standard output holds the result", f"{option} gate.out")
    outputs = [path for path in (args.output, *others.values()) if path not in (None, STDOUT)]
    if len({str(Path(path).resolve()) for path in outputs}) < len(outputs):
        raise OptionError("-o", outputs, "a file of its own for each output", "name another file")
    for path in outputs:
        for file in (args.file, args.not_worse_than):
            if file is not None:
                check_output(argparse.Namespace(file=file, output=path))


# ---------------------------------------------------------------------------------------------- the result


def _write(args: argparse.Namespace, found: Any) -> None:
    """Print or write the result, then the files for machines."""
    from rocsolid.gate import junit
    from rocsolid.sources.output import write_text

    text = {"table": found.__repr__, "json": found.to_json, "md": found.to_markdown}[args.format]()
    if args.junit is not None:
        say(f"wrote {write_text(args.junit, junit(found) + chr(10))}")
    if args.summary_file is not None:
        _append(Path(args.summary_file), found)
    if args.output not in (None, STDOUT):
        say(f"wrote {write_text(args.output, text + chr(10))}")
    elif args.format == "table":
        show_grid(found)
    else:
        put(text)


def _append(path: Path, found: Any) -> None:
    """Add the Markdown to a file, which is written whole: what other steps wrote there stays."""
    from rocsolid.sources.output import write_text
    from rocsolid.text import escape_markdown, printable

    before = ""
    if path.is_file():
        try:
            before = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise SourceError("file-unreadable", str(path), f"can not read {str(path)!r}: {error.strerror}",
                              "name another file") from None  # fmt: skip
    gap = "\n" if before and not before.endswith("\n\n") else ""
    title = f"## rocsolid gate: {found.verdict}\n\n{escape_markdown(printable(found.source))}\n\n"
    say(f"wrote {write_text(path, before + gap + title + found.to_markdown() + chr(10))}")
