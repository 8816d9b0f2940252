"""Every target, with what was measured for it.

    python -m benches [--quick | --full] [--write] [--only KEY] [--no-history]

Runs the contests, prints times and the table of targets, and adds a file to benches/history. ``--quick``, the default,
uses smaller data where a target speaks of ten million rows, and takes some minutes; ``--full`` takes the target's
sizes and up to 50 million rows. ``--write`` puts the tables into docs/explanation/performance.md.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Iterable
from pathlib import Path

import rocsolid as rs
from benches import memory, record, show
from benches.plan import PLANS, Plan
from benches.targets import Drawn, grid, targets
from benches.timing import Finding, Result, judge, run


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        "python -m benches", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    size = parser.add_mutually_exclusive_group()
    for name in PLANS:
        size.add_argument(f"--{name}", dest="plan", action="store_const", const=name)
    only = "contests whose key begins so (few, grid/sorted, memory); not recorded"
    parser.add_argument("--only", default="", metavar="KEY", help=only)
    parser.add_argument("--write", action="store_true", help="rewrite the tables of the documentation")
    parser.add_argument("--no-history", action="store_true", help="do not record the run")
    parser.add_argument("--history", type=Path, default=record.HISTORY, help="directory of earlier runs")
    parser.set_defaults(plan="quick")
    options = parser.parse_args()
    if options.only and options.write:
        parser.error("--write needs all contests")
    return options


def hold(
    contests: Iterable[Drawn], plan: Plan, only: str, *, seconds: float, text: bool
) -> tuple[list[Result], list[Finding]]:
    """Run contests one after the other."""
    results, findings = [], []
    for key, draw in contests:
        if not key.startswith(only):
            continue
        contest = draw()
        result = run(contest, plan.rounds, seconds, plan.rows_a_turn)
        results.append(result)
        findings += [judge(claim, result) for claim in contest.claims]
        if text:
            print(show.contest_text(result), flush=True)
        else:
            print(".", end="", file=sys.stderr, flush=True)
    return results, findings


def main() -> None:
    """Run, print, record."""
    options = arguments()
    plan, threads = PLANS[options.plan], min(2, record.cores())
    warnings.simplefilter("ignore", rs.RocsolidWarning)
    begin, about = time.perf_counter(), record.machine()
    print(show.about_text(about, plan.name), flush=True)
    results, findings = hold(targets(plan, threads), plan, options.only, seconds=plan.seconds, text=True)
    on_grid, _ = hold(grid(plan, threads), plan, options.only, seconds=plan.seconds / 3, text=False)
    used: dict[str, float | None] = {}
    if "memory".startswith(options.only):
        found, used = memory.targets(plan, threads)
        findings += found
    if on_grid:
        print("\n\n" + show.aligned(show.grid_table(on_grid)))
    if used:
        print("\n" + show.aligned(show.memory_table(used)))
    if findings:
        print("\n" + show.aligned(show.targets_table(findings)))
    print(f"\n{time.perf_counter() - begin:.0f} s; load {record.load()} at the end")
    before = record.last(options.history, plan.name, about)
    for sentence in record.regressions(findings, before):
        print(f"REGRESSION since {before['file'] if before else ''}: {sentence}")
    if not options.no_history and not options.only:
        print(f"recorded in {record.save(options.history, plan.name, about, findings, [*results, *on_grid], used)}")
    if options.write:
        show.write(plan.name, about, findings, on_grid, used)
        print(f"written to {show.PAGE}")


if __name__ == "__main__":
    main()
