"""``rocsolid gate``: keep a release that is not good enough, or worse than the one in use, from passing."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rocsolid.cli.progress import progress
from rocsolid.cli.reading import evaluation_of, evaluations, is_sweep, label_value, source
from rocsolid.cli.talking import FINE, GATE_FAILED, STDOUT, check_output, quiet, say, show_grid
from rocsolid.errors import OptionError, SourceError
from rocsolid.sources.process import put


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of the command; their values are checked where they are used."""
    asked = parser.add_argument_group("what is asked (one of them at least)")
    asked.add_argument("--require", metavar="RULE", action="append", default=[],
                       help="such as 'roc_auc@lower >= 0.9'; @value, @lower or @upper; may be repeated")  # fmt: skip
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
        models = evaluations(args)
        with progress("judging"):
            checks = [judge(asked, model) for model in models.values() for asked in requirements]
        args.column = None
        compared, remarks = _compared(args, models) if args.not_worse_than is not None else ([], [])
    found = Gate(checks=(*checks, *compared), source=source(args), remarks=tuple(remarks))
    _write(args, found)
    failed = found.verdict == FAIL or (found.verdict == UNDECIDED and args.if_undecided == "fail")
    return GATE_FAILED if failed else FINE


def _check(args: argparse.Namespace) -> None:
    """Refuse what asks for nothing, what would be ignored, and outputs that can not be."""
    if not args.require and args.not_worse_than is None:
        raise OptionError("--require", None, "given, or --not-worse-than", "--require 'roc_auc@lower >= 0.9'")
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
        for read in (args.file, args.not_worse_than):
            if read is not None:
                check_output(argparse.Namespace(file=read, output=path))


# --------------------------------------------------------------------------------------------- the baseline


def _compared(args: argparse.Namespace, models: Any) -> tuple[list[Any], list[str]]:
    """Compare every model with its baseline; give the checks, and what has to be said of the rows."""
    from rocsolid.gate import against, check_better
    from rocsolid.measures import find

    checks, remarks = [], dict[str, None]()
    requests = list({request.spec: request for request in map(find, args.measures or ["roc_auc"])}.values())
    for request in requests:
        check_better(request)
    for name in models:
        model, baseline, said = _unpaired(args, models[name]) if args.unpaired else _paired(args, name)
        remarks |= dict.fromkeys(said)
        for request in requests:
            with progress("comparing"):
                found = model.compare(baseline, measure=request, paired=not args.unpaired)
            checks.append(against(request, found, args.margin or 0.0, str(baseline.name)))
    return checks, list(remarks)


def _called(args: argparse.Namespace, model: str) -> str:
    """Name the baseline by its file, unless that is the model's name."""
    name = Path(args.not_worse_than).name
    return f"{name} (baseline)" if name == model else name


def _unpaired(args: argparse.Namespace, model: Any) -> tuple[Any, Any, list[str]]:
    """The baseline by itself: a sweep, or a table of other rows."""
    if is_sweep(args.not_worse_than):
        if args.baseline_score is not None:
            raise OptionError("--baseline-score", args.baseline_score, "left out for a saved sweep", "leave it out")
        baseline = evaluation_of(args.not_worse_than, args, _called(args, model.name))
        _check_alike(model, baseline)
    else:
        if is_sweep(args.file):
            raise OptionError("--not-worse-than", args.not_worse_than, "a saved sweep, like FILE",
                              f"rocsolid sweep {args.not_worse_than} -o main.sweep ...")  # fmt: skip
        asked = argparse.Namespace(**{**vars(args), "file": args.not_worse_than,
                                      "score": [args.baseline_score or model.name]})  # fmt: skip
        with _about(args, "baseline"):
            (baseline,) = evaluations(asked).values()
        baseline.name = _called(args, model.name)
    return model, baseline, []


def _check_alike(model: Any, baseline: Any) -> None:
    from rocsolid.errors import SweepMismatchError

    ways = model.sweep.higher_is_positive, baseline.sweep.higher_is_positive
    for what, one, other in (("positive label", model.pos_label, baseline.pos_label), ("direction", *ways)):
        if one != other and None not in (one, other):
            raise SweepMismatchError(what, one, other)


def _paired(args: argparse.Namespace, name: str) -> tuple[Any, Any, list[str]]:
    """Model and baseline on the rows whose keys both files have; their labels have to agree."""
    from rocsolid.functions import evaluate
    from rocsolid.gate import paired
    from rocsolid.sources import files

    if is_sweep(args.file):
        raise OptionError("FILE", args.file, "a table: a saved sweep has no rows to pair", "add --unpaired")
    others = [column for column in (args.weight, args.cluster, args.fold) if column is not None]
    numbers = [name] if args.weight is None else [name, args.weight]
    here = files.read(args.file, [args.key, args.label, name, *others], numeric=numbers,
                      missing_values=args.missing_values)  # fmt: skip
    column = args.baseline_score or name
    with progress(f"reading {args.not_worse_than}"), _about(args, column):
        there = files.read(args.not_worse_than, [args.key, args.label, column], numeric=[column],
                           missing_values=args.missing_values)  # fmt: skip
        both = paired(here[args.key], there[args.key], key=args.key, names=(source(args), args.not_worse_than),
                      missing=args.missing)  # fmt: skip
    here = {title: _taken(values, both.here) for title, values in here.items()}
    there = {title: _taken(values, both.there) for title, values in there.items()}
    _check_labels(args, here, there)
    pos_label = None if args.pos_label is None else label_value(here[args.label], args.pos_label)
    made = [
        evaluate(
            here[args.label], scores, name=called, pos_label=pos_label, missing=args.missing,
            sample_weight=here.get(args.weight), cluster=here.get(args.cluster), fold=here.get(args.fold),
            higher_is_positive=not args.lower_is_positive, confidence_level=args.confidence_level,
        )
        for called, scores in ((name, here[name]), (_called(args, name), there[column]))
    ]  # fmt: skip
    return made[0], made[1], _lone(both, args)


def _taken(values: Any, at: Any) -> Any:
    return [values[i] for i in at.to_pylist()] if isinstance(values, list) else values.take(at)


def _check_labels(args: argparse.Namespace, here: dict[str, Any], there: dict[str, Any]) -> None:
    """One key, one label: files that disagree were not made of the same rows."""
    one, other = (side[args.label] if isinstance(side[args.label], list) else side[args.label].to_pylist()
                  for side in (here, there))  # fmt: skip
    wrong = [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if wrong:
        i = wrong[0]
        raise SourceError("labels-differ", args.not_worse_than,
                          f"expected the same label for a key in both files, found {len(wrong):,} that differ: "
                          f"key {here[args.key][i].as_py()!r} has {one[i]!r} and, in {args.not_worse_than!r}, "
                          f"{other[i]!r}",
                          f"check that column {args.key!r} names the same rows in both files")  # fmt: skip


def _lone(both: Any, args: argparse.Namespace) -> list[str]:
    """Say how many rows have no partner."""
    found = ((both.only_here, source(args)), (both.only_there, args.not_worse_than))
    return [f"compared without {n:,} rows whose key is only in {name}" for n, name in found if n]


@contextlib.contextmanager
def _about(args: argparse.Namespace, column: str) -> Iterator[None]:
    """Let errors name the baseline's column."""
    args.column = column
    yield
    args.column = None


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
