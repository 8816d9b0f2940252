"""The command line: ``rocsolid evaluate``, ``compare``, ``gate``, ``threshold``, ``report``, ``sweep`` and their kin.

Results go to standard output, talk to standard error. Exit codes: 0 fine, 1 a gate failed, 2 usage, 3 bad data,
130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from rocsolid.cli.grammar import parse, parser
from rocsolid.cli.talking import BAD_DATA, FINE, INTERNAL, INTERRUPTED, USAGE, complain, worded
from rocsolid.errors import NotAvailableError, OptionError, RocsolidError
from rocsolid.sources.process import Interrupt, give_up_output, tolerate

__all__ = ["main", "parser"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code; errors are two lines on standard error, never a traceback.

    Parameters
    ----------
    argv : the words after ``rocsolid``; by default those that the process was started with.

    Returns
    -------
    0 fine; 1 a gate failed; 2 usage; 3 bad data, a file that can not be read or written, or a missing package;
    130 interrupted.
    """
    given = sys.argv[1:] if argv is None else list(argv)
    args: argparse.Namespace | None = None
    interrupt = Interrupt()
    try:
        interrupt.watch()
        tolerate()
        args = parse(given)
        code: int = args.run(args)
        return code
    except SystemExit as stop:  # argparse has printed help, the version or an error
        return stop.code if isinstance(stop.code, int) else FINE
    except RocsolidError as error:
        if interrupt.came:
            return _interrupted(interrupt)
        complain(*worded(error, args))
        return USAGE if isinstance(error, (OptionError, NotAvailableError)) else BAD_DATA
    except KeyboardInterrupt:
        return _interrupted(interrupt)
    except BrokenPipeError:  # whoever read our output has enough
        give_up_output()
        return FINE
    except Exception as error:  # a mistake of ours, not of the data
        if interrupt.came:  # libraries make errors of their own of an interrupt in their midst
            return _interrupted(interrupt)
        if os.environ.get("ROCSOLID_DEBUG"):
            raise
        complain(
            f"internal: {type(error).__name__}: {error}", "run again with ROCSOLID_DEBUG=1 and report what it prints"
        )
        return INTERNAL
    finally:
        interrupt.unwatch(ends=argv is None)


def _interrupted(interrupt: Interrupt) -> int:
    interrupt.heed()
    complain("interrupted", "no output file was changed")
    return INTERRUPTED
