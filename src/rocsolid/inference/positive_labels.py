"""Whether samples that are set beside each other mean the same by "positive"."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from rocsolid.errors import OptionError
from rocsolid.inference.contrast import Subject
from rocsolid.results import Note
from rocsolid.text import printable


def check_positive_labels(subjects: Iterable[Subject]) -> tuple[Note, ...]:
    """Refuse samples with the same two labels of which different ones are positive; remark on other differences.

    Sites may well code their labels differently (1 of 0/1 here, ``"case"`` there), so that is a note, no error.

    Raises
    ------
    OptionError
        If two samples have the same labels and different ones are positive.
    """
    known = [one for one in subjects if one.sweep.pos_label is not None]
    for a, b in combinations(known, 2):
        mine, theirs = a.sweep.pos_label, b.sweep.pos_label
        alike = a.rows is not None and b.rows is not None and set(a.rows.labels) == set(b.rows.labels)
        if alike and mine != theirs:
            expected = f"the same for {a.name!r} and {b.name!r}, which have the same labels"
            raise OptionError("pos_label", (mine, theirs), expected, f"evaluate both with pos_label={mine!r}")
    if all(one.sweep.pos_label == known[0].sweep.pos_label for one in known):
        return ()
    each = ", ".join(f"{one.sweep.pos_label!r} of {printable(one.name)}" for one in known)
    return (Note("positive-labels", f"the positive labels differ: {each}", f"正例标签不同：{each}"),)
