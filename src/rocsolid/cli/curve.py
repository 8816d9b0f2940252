"""``rocsolid curve``: the points of a curve as CSV or JSON."""

from __future__ import annotations

import argparse
import csv
import io
from typing import Any

from rocsolid.cli.progress import progress
from rocsolid.cli.reading import evaluations
from rocsolid.cli.talking import FINE, STDOUT, check_output, quiet, say
from rocsolid.sources.process import put
from rocsolid.text import printable


def curve(args: argparse.Namespace) -> int:
    """Print the points of a curve, or write them to a file; several scores one below the other."""
    from rocsolid.sources.output import write_text

    check_output(args)
    with quiet():
        models = evaluations(args)
        with progress("drawing"):
            columns = {name: _columns(evaluation.curve(args.name)) for name, evaluation in models.items()}
    text = _csv(columns) if args.format == "csv" else _json(args.name, columns)
    if args.output in (None, STDOUT):
        put(text)
    else:
        say(f"wrote {write_text(args.output, text + chr(10))}")
    return FINE


def _columns(drawn: Any) -> dict[str, list[Any]]:
    """The columns of a curve's frame; what has no number, such as the cut that flags nothing, is ``None``."""
    frame = drawn.to_frame("pyarrow")
    return {name: frame[name].to_pylist() for name in frame.column_names}


def _csv(columns: dict[str, dict[str, list[Any]]]) -> str:
    """One row a point; the score's name goes first where there are several. Every number reads back as it is."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    several = len(columns) > 1
    writer.writerow([*(["score_name"] if several else []), *next(iter(columns.values()))])
    for name, held in columns.items():
        for point in zip(*held.values(), strict=True):
            writer.writerow([*([printable(name)] if several else []), *("" if v is None else v for v in point)])
    return out.getvalue().rstrip("\n")


def _json(name: str, columns: dict[str, dict[str, list[Any]]]) -> str:
    from rocsolid.values import SCHEMA, plain, to_json

    held = {
        score: {key: [v if isinstance(v, float) else plain(v) for v in values] for key, values in of_score.items()}
        for score, of_score in columns.items()
    }
    points = {"points": next(iter(held.values()))} if len(held) == 1 else {"scores": held}
    return to_json({"schema": SCHEMA, "curve": name, **points})
