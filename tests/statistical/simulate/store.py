"""Results on disk: one line of JSON for a cell; a later line for the same cell stands in place of an earlier one."""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path

from tests.statistical.simulate.grid import Cell
from tests.statistical.simulate.run import Result, Tally


def line(cell: Cell, found: Result) -> str:
    counts = {name: [round(x, 3) for x in astuple(tally)] for name, tally in found.by_method.items()}
    return json.dumps(
        {"cell": json.loads(cell.key), "r": found.r, "best": found.best, "s": round(found.seconds, 1), "counts": counts}
    )


def append(path: Path, cell: Cell, found: Result) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(line(cell, found) + "\n")


def read(path: Path) -> dict[str, Result]:
    """Results by the key of their cell; a last line that an interruption cut off is left out."""
    found: dict[str, Result] = {}
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            one = json.loads(text)
        except json.JSONDecodeError:
            continue
        by_method = {name: Tally(*counts) for name, counts in one["counts"].items()}
        found[json.dumps(one["cell"])] = Result(one["r"], one["best"], one["s"], by_method)
    return found


def compact(path: Path, cells: list[Cell]) -> None:
    """Keep the last line of every cell of the grid, in the grid's order."""
    found = read(path)
    lines = [line(cell, found[cell.key]) + "\n" for cell in cells if cell.key in found]
    aside = path.with_suffix(".new")
    aside.write_text("".join(lines), encoding="utf-8")
    aside.replace(path)
