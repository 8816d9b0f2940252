"""A gate as JUnit XML, which build servers show as tests."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

from rocsolid.gate.checks import FAIL, UNDECIDED, Gate
from rocsolid.text import REPLACEMENT, printable

_ILLEGAL = re.compile("[^\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(gate: Gate) -> str:
    """Write a gate as one test suite: a failed check is a failure, an undecided one is skipped with its reason.

    Examples
    --------
    >>> print(junit(Gate(checks=(), source="new.csv")))
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites tests="0" failures="0" skipped="0"><testsuite name="rocsolid gate new.csv" tests="0" failures="0" \
skipped="0" /></testsuites>
    """
    failed, undecided = (sum(check.verdict == word for check in gate) for word in (FAIL, UNDECIDED))
    numbers = {"tests": str(len(gate)), "failures": str(failed), "skipped": str(undecided)}
    root = Xml.Element("testsuites", numbers)
    suite = Xml.SubElement(root, "testsuite", {"name": _legal(f"rocsolid gate {gate.source}"), **numbers})
    for check in gate:
        case = Xml.SubElement(suite, "testcase", {"classname": _legal(check.model), "name": _legal(check.asked)})
        why = _legal(check.why.en)
        if check.verdict == FAIL:
            Xml.SubElement(case, "failure", {"message": why, "type": "gate"}).text = _legal(repr(check)[1:-1])
        elif check.verdict == UNDECIDED:
            Xml.SubElement(case, "skipped", {"message": f"{UNDECIDED}: {why}"})
        else:
            Xml.SubElement(case, "system-out").text = why
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode")


def _legal(text: str) -> str:
    """Leave only what XML 1.0 can hold."""
    return _ILLEGAL.sub(REPLACEMENT, printable(text))
