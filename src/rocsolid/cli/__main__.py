"""``python -m rocsolid.cli``."""

import sys

from rocsolid.cli import main

sys.exit(main())
