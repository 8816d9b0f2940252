"""``explain``, ``translate``, ``zones`` and ``days``: each asks every score one question and prints the answer."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from rocsolid.cli.progress import progress
from rocsolid.cli.reading import evaluations, evaluations_of, is_sweep, read
from rocsolid.cli.talking import FINE, STDOUT, check_output, quiet, say
from rocsolid.cli.threshold import score_of
from rocsolid.errors import OptionError
from rocsolid.sources.process import put

Ask = Callable[[Any], Any]
DOING = {"explain": "searching", "translate": "translating", "zones": "judging", "days": "judging"}
FOR_A_ZONE = ("recall", "specificity", "fpr", "precision")


def explain(args: argparse.Namespace) -> int:
    """Say what gives a claimed number."""
    return _answer(args, lambda ev: ev.explain(args.number))


def translate(args: argparse.Namespace) -> int:
    """Say what other tools would report."""
    return _answer(args, lambda ev: ev.translate())


def zones(args: argparse.Namespace) -> int:
    """Judge two cuts with abstention between them."""

    def ask(ev: Any) -> Any:
        strict, lenient = (
            _cut(getattr(args, name), ev, f"--{name.replace('_', '-')}") for name in ("rule_in", "rule_out")
        )
        return ev.zones(rule_in=strict, rule_out=lenient)

    return _answer(args, ask)


def days(args: argparse.Namespace) -> int:
    """Judge a capacity per day."""
    check_output(args)
    if is_sweep(args.file):
        raise OptionError(
            "FILE", args.file, "a table: a saved sweep does not know which day a row is of", "name the table"
        )
    with quiet():
        table = read(args, [args.day])
        models = evaluations_of(args, table)
    return _answer(args, lambda ev: ev.per_day(table[args.day], capacity=args.capacity), models)


def _cut(text: str, evaluation: Any, option: str) -> Any:
    """A cut as typed: a score, or a constraint such as ``specificity=0.95``."""
    name, sign, value = text.partition("=")
    if not sign:
        return score_of(text, evaluation, option)
    if name not in FOR_A_ZONE:
        raise OptionError(option, text, f"a score, or one of {', '.join(FOR_A_ZONE)}", f"{option} specificity=0.95")
    try:
        number = float(value)
    except ValueError:
        raise OptionError(option, text, "a constraint with a number", f"{option} {name}=0.95") from None
    return evaluation.at(**{name: number})


def _answer(args: argparse.Namespace, ask: Ask, models: Mapping[str, Any] | None = None) -> int:
    """Ask each score, and print what was asked for or write it to a file."""
    from rocsolid.sources.output import write_text

    check_output(args)
    with quiet():
        models = evaluations(args) if models is None else models
        with progress(DOING[args.command]):
            found = {name: ask(ev) for name, ev in models.items()}
    text = _FORMS[args.format](found)
    if args.output in (None, STDOUT):
        put(text)
    else:
        say(f"wrote {write_text(args.output, text + chr(10))}")
    return FINE


def _table(found: Mapping[str, Any]) -> str:
    """Tables with the score's name above where there are several; one-line results beside their names."""
    from rocsolid.text import printable
    from rocsolid.values import GridResult

    parts = []
    for name, result in found.items():
        if not isinstance(result, GridResult):
            parts.append(f"{printable(name)}: {repr(result)[1:-1]}")
        else:
            parts.append(repr(result) if len(found) == 1 else f"{printable(name)}\n{result!r}\n")
    return "\n".join(parts).rstrip("\n")


def _markdown(found: Mapping[str, Any]) -> str:
    from rocsolid.text import escape_markdown, printable

    heads = {name: "" if len(found) == 1 else f"**{escape_markdown(printable(name))}**\n\n" for name in found}
    return "\n\n".join(heads[name] + result.to_markdown().rstrip("\n") for name, result in found.items())


def _json(found: Mapping[str, Any]) -> str:
    from rocsolid.values import SCHEMA, to_json

    held = {name: result.to_dict() for name, result in found.items()}
    return to_json(next(iter(held.values())) if len(held) == 1 else {"schema": SCHEMA, "scores": held})


_FORMS: dict[str, Callable[[Mapping[str, Any]], str]] = {"table": _table, "md": _markdown, "json": _json}
