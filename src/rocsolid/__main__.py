"""``python -m rocsolid``: the command line, for shells that do not find ``rocsolid``."""

from __future__ import annotations

import sys

from rocsolid.cli import main

if __name__ == "__main__":
    sys.exit(main())
