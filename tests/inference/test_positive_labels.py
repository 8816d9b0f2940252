"""Samples that are set beside each other must mean the same by "positive"."""

import pytest

import rocsolid as rs
from rocsolid import errors

SCORES = [0.1, 0.4, 0.35, 0.8, 0.7, 0.2]
LABELS = ["well", "sick", "well", "sick", "sick", "well"]


def _with_positive(label, labels=LABELS):
    return rs.evaluate(labels, SCORES, pos_label=label, name=f"{label} model")


TOGETHER = {
    "compare": lambda a, b: a.compare(b, paired=False),
    "compare paired": lambda a, b: a.compare(b),
    "pool": lambda a, b: rs.pool({"a": a, "b": b}),
    "summary_for": lambda a, b: a.summary_for("datasets", datasets={"b": b}),
}


@pytest.mark.parametrize("together", TOGETHER.values(), ids=TOGETHER)
@pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
def test_the_same_labels_with_another_positive_one_are_refused(together):
    with pytest.raises(errors.OptionError, match=r"pos_label.*the same.*'sick', 'well'") as caught:
        together(_with_positive("sick"), _with_positive("well"))
    assert caught.value.hint == "evaluate both with pos_label='sick'"


@pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
def test_other_codes_are_named_in_a_note_and_equal_ones_are_not():
    sick = _with_positive("sick")
    coded = _with_positive(2, [1, 2, 1, 2, 2, 1])
    found = sick.compare(coded, paired=False)
    (note,) = [note for note in found.notes if note.code == "positive-labels"]
    assert note.en == "the positive labels differ: 'sick' of sick model, 2 of 2 model"
    assert "正例标签不同" in note.zh
    assert "positive-labels" in {note.code for note in rs.pool({"a": sick, "b": coded}).notes}
    assert "positive labels differ" in str(sick.summary_for("datasets", datasets={"b": coded}))
    plain = rs.evaluate([0, 1, 0, 1, 1, 0], SCORES), rs.evaluate([False, True, False, True, True, False], SCORES)
    assert "positive-labels" not in {note.code for note in plain[0].compare(plain[1], paired=False).notes}
