"""Signs of life on long work: on standard error only, on a terminal only, after half a second."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

AFTER, EVERY = 0.5, 0.2
"""Seconds before anything is shown, and between two changes of it."""
ERASE = "\r\x1b[K"


@contextlib.contextmanager
def progress(doing: str) -> Iterator[None]:
    """Say what is being done and for how long, on one line that is erased at the end."""
    from rocsolid.text import printable

    stream = sys.stderr
    if stream is None or not stream.isatty():
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_tick, args=(printable(doing)[:60], done, time.monotonic()), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(1.0)


def _tick(doing: str, done: threading.Event, began: float) -> None:
    shown = False
    with contextlib.suppress(OSError, ValueError):  # the terminal has gone
        while not done.wait(EVERY if shown else AFTER):
            print(f"{ERASE}{doing} ... {time.monotonic() - began:.0f} s", end="", file=sys.stderr, flush=True)
            shown = True
        if shown:
            print(ERASE, end="", file=sys.stderr, flush=True)
