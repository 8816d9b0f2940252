"""Ctrl-C ends every long call of the kernel, not only what comes after it."""

import signal
import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from rocsolid import _kernel

N = 1 << 24  # some tenths of a second for the fastest of these calls
RISING = np.arange(N, dtype=np.float64)


def some_rows(n: int = N) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    return rng.random(n), (rng.random(n) < 0.3).view(np.uint8)


def table(n: int = 50_000) -> tuple[np.ndarray, np.ndarray]:
    s, y = some_rows(n)
    _, pos, neg, _ = _kernel.group(s, y, None, True, 1)
    return pos, neg


def prepared(name: str, threads: int) -> tuple[str, tuple]:
    """The kernel's function, and arguments that keep it busy."""
    match name:
        case "sorted path":
            return "areas", (RISING, some_rows()[1], threads)
        case "sort path":
            return "areas_by", ("sort", *some_rows(), threads)
        case "areas" | "ranks" | "placements" | "group":
            s, y = some_rows()
            more = {"areas": (y, threads), "ranks": (True, threads), "placements": (y, True, threads)}
            return name, (s, *more.get(name, (y, None, True, threads)))
        case "weighted group":
            s, y = some_rows(N // 4)
            return "group", (s, y, np.ones(len(s)), True, threads)
        case "weighted_areas_of_rows":
            s, y = some_rows(N // 2)
            return name, (s, y, np.ones(len(s)), threads)
        case "ap_influence":
            return name, (*some_rows(N // 4), None, True, threads)
        case "placement_sums":
            return name, ([np.arange(N // 8, dtype=np.uint32)] * 40, some_rows(N // 8)[1], threads)
        case "areas_of_matrix":
            s, y = some_rows(20_000)
            return name, (np.tile(s, (1200, 1)).T.copy(), y, threads)
        case "areas_of_columns":
            s, y = some_rows(20_000)
            return name, ([s] * 2000, y, threads)
        case "resample":
            return name, (*table(), 1_000_000, 1, "multinomial", threads)
        case "resample_rows":
            ranks = np.arange(20_000, dtype=np.uint32)
            return name, ([ranks], some_rows(20_000)[1], 200_000, 1, "multinomial", threads)
    raise AssertionError(name)


def ended_inside(function: Callable, arguments: tuple) -> bool:
    """Whether a signal made the function itself raise: a signal that has to wait is raised once it has returned."""
    events = []
    main = threading.get_ident()

    def note(frame, event, arg):
        if arg is function:
            events.append(event)

    def send():
        time.sleep(0.005)
        signal.pthread_kill(main, signal.SIGINT)

    sender = threading.Thread(target=send)
    try:
        sys.setprofile(note)
        sender.start()
        function(*arguments)
        time.sleep(10)  # the signal may be late
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
        sender.join()
    return "c_exception" in events


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "name",
    [
        "areas", "sort path", "sorted path", "areas_of_columns", "areas_of_matrix", "group", "weighted group",
        "weighted_areas_of_rows", "placements", "placement_sums", "ranks", "ap_influence", "resample", "resample_rows",
    ],
)  # fmt: skip
def test_ctrl_c_ends_the_call_itself(name, threads):
    function, arguments = prepared(name, threads)
    # A few tries: the kernel looks for signals twenty times a second, and a fast machine may be done between two looks.
    assert any(ended_inside(getattr(_kernel, function), arguments) for _ in range(8))


def test_a_handler_that_does_not_raise_lets_the_call_go_on():
    seen = []
    pos, neg = table()
    expected = _kernel.resample(pos, neg, 300, 1, "multinomial", 2)
    before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(True))
    try:
        threading.Timer(0.01, signal.pthread_kill, (threading.get_ident(), signal.SIGUSR1)).start()
        found = _kernel.resample(pos, neg, 300, 1, "multinomial", 2)
        time.sleep(0.1)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert seen == [True]
    assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))
