"""``python -m tests.statistical.simulate``: run what is not done yet, then write docs/explanation/coverage.md."""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from pathlib import Path

from tests.statistical.simulate import judge, page, store
from tests.statistical.simulate.grid import Cell, every_cell, small
from tests.statistical.simulate.run import Result, run

import rocsolid as rs

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "docs" / "assets" / "coverage.jsonl"
PAGE = ROOT / "docs" / "explanation" / "coverage.md"


def simulated(cell: Cell, done: Result | None, wanted: int, at_most: int) -> Result:
    """Go on from what is done to ``wanted`` data sets, and to ``at_most`` while a bar is close."""
    warnings.simplefilter("ignore", rs.RocsolidWarning)
    rs.set_num_threads(1)
    found, started = done or Result(), time.perf_counter()
    if cell.family == "bootstrap":
        wanted, at_most = min(wanted, 1000), min(at_most, 1000)
    while True:
        if found.r < wanted:
            found += run(cell, found.r, wanted)
        if found.r >= at_most or not judge.undecided(cell, found):
            break
        wanted = min(at_most, 2 * found.r)
    found.seconds += time.perf_counter() - started
    return found


def results(todo: list[tuple[Cell, Result | None]], wanted: int, at_most: int, jobs: int) -> Iterator[tuple]:
    """Simulate the cells, in this process or in several."""
    if jobs == 1:
        for cell, done in todo:
            yield cell, simulated(cell, done, wanted, at_most)
        return
    with ProcessPoolExecutor(jobs) as pool:
        futures: dict[Future, Cell] = {pool.submit(simulated, cell, done, wanted, at_most): cell for cell, done in todo}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.statistical.simulate", description=__doc__)
    parser.add_argument("--cells", choices=("full", "small"), default="full")
    parser.add_argument("--only", default="", help="cells whose key contains this text")
    parser.add_argument("--replicates", type=int, default=4000, help="data sets of each cell")
    parser.add_argument("--at-most", type=int, default=0, help="data sets of a cell in which a bar is close")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so many; a next run goes on")
    parser.add_argument("--fresh", action="store_true", help="forget what these cells gave before")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--page", type=Path, default=PAGE)
    return parser.parse_args()


def main() -> None:
    """Simulate, showing progress; write results cell by cell, and the page at the end."""
    given, started = options(), time.monotonic()
    known = store.read(given.results)
    cells = [cell for cell in (small() if given.cells == "small" else every_cell()) if given.only in cell.key]
    if given.fresh:
        known = {key: found for key, found in known.items() if key not in {cell.key for cell in cells}}
    at_most = max(given.at_most, given.replicates)
    todo = [(cell, known.get(cell.key)) for cell in cells]
    todo = [(c, r) for c, r in todo if r is None or r.r < given.replicates or judge.undecided(c, r)]
    todo = [(c, r) for c, r in todo if r is None or r.r < (at_most if c.family != "bootstrap" else 1000)]
    for number, (cell, found) in enumerate(results(todo, given.replicates, at_most, given.jobs), 1):
        store.append(given.results, cell, found)
        minutes = (time.monotonic() - started) / 60
        left = minutes / number * (len(todo) - number)
        verdict = "; ".join(judge.missed(cell, found)) or "ok"
        print(f"{number}/{len(todo)} {minutes:.1f} min, {left:.0f} left | {cell.family}: {cell} | r {found.r}, "
              f"coverage {judge.coverage(found)} | {verdict}", flush=True)  # fmt: skip
        if minutes > given.minutes:
            break
    store.compact(given.results, every_cell())
    page.write(given.page, store.read(given.results))


if __name__ == "__main__":
    main()
