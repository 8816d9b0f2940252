"""The standard streams and the interrupt of a process that runs a command."""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

from rocsolid.errors import SourceError


class Interrupt:
    """Remembers Ctrl-C: whatever exception it is turned into on its way up, the command was interrupted."""

    def __init__(self) -> None:
        self.came = False
        self._watching = False
        self._hook = sys.unraisablehook

    def watch(self) -> None:
        """Stand in for Python's own handler, which is left alone if somebody has replaced it."""
        if threading.current_thread() is not threading.main_thread():
            return
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._handle)
            self._hook, sys.unraisablehook = sys.unraisablehook, self._swallowed
            self._watching = True

    def heed(self) -> None:
        """From here on the interrupt is being answered: a second Ctrl-C changes nothing more."""
        if self._watching:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def unwatch(self, *, ends: bool) -> None:
        """Give Python its handler back, unless the process ends now: that may be cut short without a traceback."""
        if not self._watching:
            return
        sys.unraisablehook = self._hook
        if not ends:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        elif not self.came:
            signal.signal(signal.SIGINT, signal.SIG_DFL)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        raise KeyboardInterrupt

    def _swallowed(self, unraisable: sys.UnraisableHookArgs) -> None:
        """Interrupt once more, a moment later, where the first hit a callback that nothing can be raised from."""
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            again = threading.Timer(0.02, _thread.interrupt_main)
            again.daemon = True
            again.start()
        else:
            self._hook(unraisable)


def tolerate() -> None:
    """Print a question mark where the terminal's encoding lacks a character, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def put(text: str) -> None:
    """Print to standard output."""
    with printing():
        print(text)


@contextlib.contextmanager
def printing() -> Iterator[None]:
    """Turn the trouble of standard output into an error that says so; all has left us at the end of the block."""
    need_output()
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        give_up_output()
        raise _no_output(error.strerror or str(error)) from None


def need_output() -> None:
    """Complain if there is no standard output at all."""
    if sys.stdout is None:
        raise _no_output("it is closed")


def _no_output(reason: str) -> SourceError:
    return SourceError("not-writable", "standard output", f"can not write standard output: {reason}",
                       "write to a file with -o, on a disk that has space, or leave standard output open")  # fmt: skip


def give_up_output() -> None:
    """Let what is still to be printed vanish, so that Python's flush at the end does not fail again."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
