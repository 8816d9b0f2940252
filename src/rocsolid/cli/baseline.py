"""The baseline of ``rocsolid gate``: on the same rows, brought together by a key, or by itself."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rocsolid.cli.progress import progress
from rocsolid.cli.reading import evaluation_of, evaluations_of, is_sweep, one, read, source
from rocsolid.errors import OptionError, SourceError, SweepMismatchError

Table = dict[str, Any]


def compared_with_baseline(args: argparse.Namespace, models: Any, table: Table | None) -> tuple[list[Any], list[str]]:
    """Compare every model with its baseline; give the checks, and what has to be said of the rows."""
    from rocsolid.gate import against, check_better
    from rocsolid.measures import find

    checks, remarks = [], dict[str, None]()
    requests = list({request.spec: request for request in map(find, args.measures or ["roc_auc"])}.values())
    for request in requests:
        check_better(request)
    for name in models:
        if args.unpaired:
            model, baseline = models[name], _alone(args, models[name])
        else:
            model, baseline, said = _paired(args, name, table)
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


# ------------------------------------------------------------------------------------------------- by itself


def _alone(args: argparse.Namespace, model: Any) -> Any:
    """The baseline of other rows, or of none: a table or a saved sweep."""
    if is_sweep(args.not_worse_than):
        if args.baseline_score is not None:
            raise OptionError("--baseline-score", args.baseline_score, "left out for a saved sweep", "leave it out")
        baseline = evaluation_of(args.not_worse_than, args, _called(args, model.name))
        _check_alike(model, baseline)
        return baseline
    if is_sweep(args.file):
        raise OptionError("--not-worse-than", args.not_worse_than, "a saved sweep, like FILE",
                          f"rocsolid sweep {args.not_worse_than} -o main.sweep ...")  # fmt: skip
    (baseline,) = evaluations_of(*_read(args, args.baseline_score or model.name)).values()
    baseline.name = _called(args, model.name)
    return baseline


def _read(args: argparse.Namespace, score: str, *more: str) -> tuple[argparse.Namespace, Table]:
    """Read the baseline's table as the first one was read; errors know which column it is about."""

    args.column = f"{score} of {args.not_worse_than}"
    asked = argparse.Namespace(**{**vars(args), "file": args.not_worse_than, "score": [score]})
    return asked, read(asked, more)


def _check_alike(model: Any, baseline: Any) -> None:
    ways = model.sweep.higher_is_positive, baseline.sweep.higher_is_positive
    for what, here, there in (("positive label", model.pos_label, baseline.pos_label), ("direction", *ways)):
        if here != there and None not in (here, there):
            raise SweepMismatchError(what, here, there)


# ------------------------------------------------------------------------------------------ on the same rows


def _paired(args: argparse.Namespace, name: str, here: Table | None) -> tuple[Any, Any, list[str]]:
    """Model and baseline on the rows whose keys both files have; their labels have to agree."""
    from rocsolid.gate import paired

    if here is None:
        raise OptionError("FILE", args.file, "a table: a saved sweep has no rows to pair", "add --unpaired")
    column = args.baseline_score or name
    of_the_model = {"weight": None, "cluster": None, "fold": None}  # the rows are the same: once is enough
    _, there = _read(argparse.Namespace(**{**vars(args), **of_the_model}), column, args.key)
    both = paired(here[args.key], there[args.key], key=args.key, names=(source(args), args.not_worse_than),
                  missing=args.missing)  # fmt: skip
    rows = {title: _taken(values, both.here) for title, values in here.items()}
    others = {title: _taken(values, both.there) for title, values in there.items()}
    _check_labels(args, rows, others)
    model = one(args, rows, rows[name], name, name)
    baseline = one(args, rows, others[column], _called(args, name), f"{column} of {args.not_worse_than}")
    found = ((both.only_here, source(args)), (both.only_there, args.not_worse_than))
    return model, baseline, [f"compared without {n:,} rows whose key is only in {file}" for n, file in found if n]


def _taken(values: Any, at: Any) -> Any:
    return [values[i] for i in at.to_pylist()] if isinstance(values, list) else values.take(at)


def _check_labels(args: argparse.Namespace, here: Table, there: Table) -> None:
    """One key, one label: files that disagree were not made of the same rows. A missing label says nothing."""
    mine, theirs = (side[args.label] if isinstance(side[args.label], list) else side[args.label].to_pylist()
                    for side in (here, there))  # fmt: skip
    wrong = [i for i, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b and _there(a) and _there(b)]
    if wrong:
        i = wrong[0]
        raise SourceError("labels-differ", args.not_worse_than,
                          f"expected the same label for a key in both files, found {len(wrong):,} that differ: "
                          f"key {here[args.key][i].as_py()!r} has {mine[i]!r} and, in {args.not_worse_than!r}, "
                          f"{theirs[i]!r}",
                          f"check that column {args.key!r} names the same rows in both files")  # fmt: skip


def _there(label: object) -> bool:
    """Whether a label is there: no null and no NaN."""
    return label is not None and label == label
