"""Gates: does a model keep what is required of it, and is it no worse than the one in use?

``judge`` looks at one evaluation, ``against`` at the difference to a baseline; both give :class:`Check` values, and a
:class:`Gate` is all of them with one verdict. ``paired`` brings two tables together on a key.
"""

from rocsolid.gate.checks import FAIL, PASS, UNDECIDED, Check, Gate
from rocsolid.gate.junit import junit
from rocsolid.gate.pairing import Paired, paired
from rocsolid.gate.requirements import Requirement, parse
from rocsolid.gate.verdicts import against, check_better, judge

__all__ = [
    "FAIL",
    "PASS",
    "UNDECIDED",
    "Check",
    "Gate",
    "Paired",
    "Requirement",
    "against",
    "check_better",
    "judge",
    "junit",
    "paired",
    "parse",
]
