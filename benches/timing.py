"""Contests: several ways to one answer, timed in turns in one process.

Only ratios within one contest mean something. In each round every contestant has a turn, in a new order, and the best
of its turns counts, so that whatever else the machine does falls on all alike. CPU time is the sum over threads.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

Clock = Literal["cpu", "wall"]
# What is the same answer: relative.
CLOSE = 1e-9


@dataclass(frozen=True)
class Runner:
    """A contestant: a call that gives an answer.

    ``part`` is the share of the work that the call does, for peers that would take minutes; its time is scaled up.
    ``note`` is printed beside it.
    """

    name: str
    call: Callable[[], Any]
    part: float = 1.0
    note: str = ""


@dataclass(frozen=True)
class Absent:
    """A contestant that can not take part, and why."""

    name: str
    why: str


Contestant = Runner | Absent


@dataclass(frozen=True)
class Claim:
    """How many times faster ``ours`` is to be than ``peer`` (the fastest of them, if several)."""

    key: str
    work: str
    ours: str
    peer: str | tuple[str, ...]
    must: float
    aim: float
    clock: Clock = "cpu"
    target_rows: int = 0
    also: str = ""  # a contestant whose ratio is worth a note


@dataclass
class Contest:
    """Contestants on one piece of data, the trusted answer, and what is claimed of them."""

    key: str
    title: str
    rows: int
    contestants: Sequence[Contestant]
    answer: Any
    distance: Callable[[Any, Any], float]
    claims: Sequence[Claim] = ()
    unit: float = 1.0  # pieces of work per row, such as models or replicates


@dataclass
class Times:
    """Best seconds of a call, and what is to be said about its answer."""

    wall: float = math.inf
    cpu: float = math.inf
    note: str = ""
    right: bool = True


@dataclass
class Result:
    """What a contest came to."""

    key: str
    title: str
    rows: int
    unit: float
    rounds: int = 0
    calls: int = 0
    times: dict[str, Times] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)


def areas_apart(found: Any, expected: Any) -> float:
    """The largest relative difference of two tuples of numbers; a None on the left is not compared."""
    gaps = [abs(a - b) / max(abs(b), 1e-300) for a, b in zip(found, expected, strict=True) if a is not None]
    return float(max(gaps)) if gaps else math.inf


def arrays_apart(found: Any, expected: Any) -> float:
    """The largest difference of arrays, relative to the largest entry; infinite if shapes differ."""
    worst = 0.0
    for ours, theirs in zip(found, expected, strict=True):
        a, b = np.asarray(ours, float), np.asarray(theirs, float)
        if a.shape != b.shape:
            return math.inf
        both = np.isfinite(a) & np.isfinite(b)
        if not np.array_equal(a[~both], b[~both]):
            return math.inf
        scale = float(np.abs(b[both]).max(initial=1e-300))
        worst = max(worst, float(np.abs(a[both] - b[both]).max(initial=0.0)) / scale)
    return worst


def check(contest: Contest, result: Result) -> list[Runner]:
    """Who can take part. Wrong answers are noted; a wrong answer of ours, marked by a leading `rs.`, ends it all."""
    running = []
    for one in contest.contestants:
        if isinstance(one, Absent):
            result.absent[one.name] = one.why
            continue
        try:
            gap = contest.distance(one.call(), contest.answer)
        except Exception as error:
            if is_ours(one.name):
                raise
            result.absent[one.name] = f"{type(error).__name__}: {str(error).splitlines()[0][:80] if str(error) else ''}"
            continue
        right = gap <= CLOSE
        if not right and is_ours(one.name):
            raise SystemExit(f"{contest.title}: {one.name} is off by {gap:.2g}")
        wrong = "" if right else f"off by {gap:.1g}"
        result.times[one.name] = Times(note="; ".join(filter(None, (one.note, wrong))), right=right)
        running.append(one)
    return running


def is_ours(name: str) -> bool:
    """Whether a contestant is this library."""
    return name.startswith("rs.")


def run(contest: Contest, rounds: int, seconds: float, rows_a_turn: int) -> Result:
    """Check all answers, then time: `rounds` rounds, or fewer (but one) once that many seconds have passed.

    Small data take several calls a turn, so that all of them have about `rows_a_turn` rows.
    """
    result = Result(contest.key, contest.title, contest.rows, contest.unit)
    running = check(contest, result)
    result.calls = max(1, rows_a_turn // max(contest.rows, 1))
    order, start = np.random.default_rng(0), time.perf_counter()
    gc.collect()
    gc.disable()
    try:
        while result.rounds < rounds and (not result.rounds or time.perf_counter() - start < seconds):
            for i in order.permutation(len(running)):
                _turn(running[i], result.times[running[i].name], result.calls)
            result.rounds += 1
    finally:
        gc.enable()
    return result


def _turn(runner: Runner, best: Times, calls: int) -> None:
    call, share = runner.call, calls * runner.part
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(calls):
        call()
    best.cpu = min(best.cpu, (time.process_time() - cpu) / share)
    best.wall = min(best.wall, (time.perf_counter() - wall) / share)


@dataclass(frozen=True)
class Finding:
    """A claim and what was measured; ``measured`` is None if one of the two could not run, and ``note`` says why."""

    key: str
    work: str
    peer: str
    clock: str
    must: float
    aim: float
    measured: float | None
    rows: int
    target_rows: int
    note: str = ""
    at_most: bool = False  # a memory, not a speed: less is better

    def reaches(self, goal: float) -> bool | None:
        """Whether a goal is reached; None if nothing was measured."""
        if self.measured is None:
            return None
        return self.measured <= goal if self.at_most else self.measured >= goal


def judge(claim: Claim, result: Result) -> Finding:
    """Compare a claim with the times."""
    peers = (claim.peer,) if isinstance(claim.peer, str) else claim.peer
    there = [p for p in peers if p in result.times]
    absent = result.absent.get(claim.ours) or ("" if there else "; ".join(result.absent.get(p, "") for p in peers))
    measured, fastest, note = None, " / ".join(peers), absent
    if not absent and claim.ours in result.times:
        ours = getattr(result.times[claim.ours], claim.clock)
        fastest = min(there, key=lambda p: float(getattr(result.times[p], claim.clock)))
        measured = float(getattr(result.times[fastest], claim.clock)) / ours
        note = result.times[claim.ours].note
        if claim.also in result.times:
            kernel = getattr(result.times[fastest], claim.clock) / getattr(result.times[claim.also], claim.clock)
            note = "; ".join(filter(None, (note, f"kernel alone {kernel:.3g}")))
    return Finding(
        claim.key, claim.work, fastest, claim.clock, claim.must, claim.aim, measured, result.rows,
        claim.target_rows or result.rows, note,
    )  # fmt: skip
