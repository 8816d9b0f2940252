"""Gates in Python: requirements, three answers, pairing on a key, and XML that stays XML."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree as Xml

import numpy as np
import pyarrow as pa
import pytest
from face_helpers import HOSTILE, study

import rocsolid as rs
from rocsolid.errors import DtypeError, OptionError, SourceError, UndefinedMeasureError, UnknownNameError
from rocsolid.gate import FAIL, PASS, UNDECIDED, Gate, against, judge, junit, paired, parse
from rocsolid.measures import find
from rocsolid.text import span

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")

# -------------------------------------------------------------------------------------------- requirements


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("roc_auc@lower >= 0.9", "roc_auc@lower >= 0.9"),
        ("auc>0.7", "roc_auc@value > 0.7"),
        (" recall(threshold=0.5) @ upper<=1 ", "recall(threshold=0.5)@upper <= 1"),
        ("log_loss@upper < 0.4", "log_loss@upper < 0.4"),
        ("mcc(threshold=-1.5)@lower >= -0.2", "mcc(threshold=-1.5)@lower >= -0.2"),
    ],
)
def test_grammar(text, read):
    assert str(parse(text)) == read
    assert str(parse(read)) == read


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("roc_auc", OptionError, "MEASURE@SIDE >= NUMBER"),
        ("roc_auc == 0.9", OptionError, "MEASURE@SIDE >= NUMBER"),
        ("roc_auc => 0.9", OptionError, "MEASURE@SIDE >= NUMBER"),
        ("roc_auc >= high", OptionError, "a number on the right"),
        ("roc_auc >= nan", OptionError, "a bound between 0 and 1"),
        ("roc_auc >= 90", OptionError, "write 0.9 for 90 %"),
        ("roc_auc@low >= 0.9", UnknownNameError, "did you mean 'lower'"),
        ("roc_acu >= 0.9", UnknownNameError, "did you mean 'roc_auc'"),
        ("recall >= 0.9", OptionError, "threshold"),
    ],
)
def test_what_is_no_requirement_is_refused(text, error, says):
    with pytest.raises(error, match=says.replace("(", r"\(").replace("?", r"\?")):
        parse(text)


def test_judged_by_hand():
    """One of four pairs is in the wrong order: ROC-AUC 3/4."""
    ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name="new")
    assert ev.roc_auc().exact == Fraction(3, 4)
    for text, verdict in (("auc >= 0.75", PASS), ("auc > 0.75", FAIL), ("auc < 0.75", FAIL), ("auc <= 0.75", PASS)):
        assert judge(parse(text), ev).verdict == verdict
    low = ev.roc_auc().interval.low
    found = judge(parse("roc_auc@lower >= 0.7"), ev)
    assert (found.verdict, found.low, found.value, found.sizes.n) == (FAIL, low, 0.75, 4)
    assert "; the value 0.7500 is" in found.why.en
    assert "do not settle it" in judge(parse("roc_auc@value >= 0.7"), ev).why.en
    assert "do not settle it" not in judge(parse("roc_auc@value >= 0"), ev).why.en


def drawn_limits(found):
    return found.interval.low, found.interval.high


def test_undefined_and_without_interval():
    with pytest.raises(UndefinedMeasureError, match="denominator is 0"):
        judge(parse("precision(threshold=9) >= 0.5"), rs.evaluate([0, 1], [0.1, 0.9]))
    four = rs.evaluate([0, 1, 0, 1], [0.1, 0.9, 0.2, 0.3], on_undefined="nan")
    specs = ("ks", "h_measure", "prg_area", "ece", "tjur_r2", "min_cllr", "break_even_point")
    without = next(spec for spec in specs if four.measure(spec).interval is None)
    with pytest.raises(OptionError, match="no interval by default") as caught:
        judge(parse(f"{without}@lower >= 0.5"), four)
    assert caught.value.hint == "method='bootstrap'"
    drawn = judge(parse(f"{without}@lower >= 0.5"), four, method="bootstrap", n_resamples=200, rng=1)
    assert (drawn.low, drawn.high) == drawn_limits(four.measure(without, method="bootstrap", n_resamples=200, rng=1))


# ------------------------------------------------------------------------------------------- three answers


def difference(low, high, value=0.0):
    """A comparison with an interval that is given."""
    made = rs.compare([0, 0, 1, 1], {"new": [1, 2, 3, 4], "old": [1, 3, 2, 4]})
    limits = replace(made.interval, low=low, high=high)
    return replace(made, difference=value, interval=limits, notes=(), details=dict(made.details))


@pytest.mark.parametrize(
    ("low", "high", "margin", "verdict"),
    [
        (0.001, 0.02, 0.0, PASS),  # better
        (0.0, 0.02, 0.0, PASS),  # no loss at worst
        (-0.002, 0.001, 0.002, PASS),  # a loss of just the margin at worst
        (-0.0018, -0.0005, 0.002, PASS),  # worse, by less than what matters
        (-0.003, 0.001, 0.002, UNDECIDED),
        (-0.01, -0.002, 0.002, UNDECIDED),  # a loss of just the margin at best
        (-0.01, -0.0021, 0.002, FAIL),
        (-0.01, -0.001, 0.0, FAIL),
    ],
)
def test_three_answers(low, high, margin, verdict):
    middle = (low + high) / 2
    assert against(find("roc_auc"), difference(low, high, middle), margin, "old").verdict == verdict
    checked = against(find("roc_auc"), difference(low, high, middle), margin, "old").why
    assert span(low, high) in checked.en
    assert span(low, high) in checked.zh
    mirrored = difference(-high, -low, -middle)  # where less is better a rise is the loss
    assert against(find("log_loss"), mirrored, margin, "old").verdict == verdict


def test_neither_better_nor_worse():
    with pytest.raises(OptionError, match="of which more, or less, is better"):
        against(find("calibration_slope"), difference(0, 1), 0.0, "old")


def test_the_same_scores_pass_and_no_interval_decides_nothing():
    y, scores = study()
    same = rs.compare(y, {"new": scores["first"], "old": scores["first"]})
    assert against(find("roc_auc"), same, 0.0, "old").verdict == PASS
    lost = replace(difference(0, 1), interval=None)
    assert against(find("roc_auc"), lost, 0.0, "old").verdict == UNDECIDED


def test_the_verdict_is_the_worst_of_all():
    ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    good, bad = judge(parse("auc > 0.5"), ev), judge(parse("auc > 0.9"), ev)
    unsure = replace(good, verdict=UNDECIDED)
    for checks, verdict in (((), PASS), ((good,), PASS), ((good, unsure), UNDECIDED), ((unsure, bad, good), FAIL)):
        gate = Gate(checks=checks, source="f")
        assert gate.verdict == verdict == gate.to_dict()["verdict"]
        assert len(gate) == len(list(gate)) == len(checks)
        assert f"gate: {verdict}" in repr(gate)


# ------------------------------------------------------------------------------------------------- pairing


def column(values, kind=None):
    return pa.chunked_array([pa.array(values, kind)])


def meet(one, other, **more):
    return paired(one, other, key="id", names=("a.csv", "b.csv"), **more)


@pytest.mark.parametrize(
    "kinds", [("int64", "int32"), ("string", "large_string"), ("uint64", "int64"), ("int8", "uint8")]
)
def test_keys_meet_whatever_their_width(kinds):
    values = ["5", "7", "6"] if "string" in kinds[0] else [5, 7, 6]
    both = meet(column(values, kinds[0]), column(values[::-1], kinds[1]))
    assert both.there.to_pylist() == [2, 1, 0]
    assert (both.only_here, both.only_there) == (0, 0)


def test_chunks_dictionaries_and_order():
    ids = np.random.default_rng(0).permutation(1000)
    other = np.random.default_rng(1).permutation(1000)
    chunked = pa.chunked_array([ids[:300], ids[300:300], ids[300:]])
    both = meet(chunked, pa.chunked_array([other]).dictionary_encode())
    assert (other[both.there.to_numpy()] == ids[both.here.to_numpy()]).all()


def test_lone_keys_are_an_error_or_counted():
    one, other = column([1, 2, 3, 4]), column([2, 3, 9])
    with pytest.raises(SourceError, match=r"2 only in 'a.csv' and 1 only in 'b.csv', such as key 1") as caught:
        meet(one, other)
    assert caught.value.code == "keys-differ"
    both = meet(one, other, missing="drop")
    assert (both.here.to_pylist(), both.there.to_pylist()) == ([1, 2], [0, 1])
    assert (both.only_here, both.only_there) == (2, 1)
    with pytest.raises(SourceError, match=r"0 only in 'a.csv' and 1 only in 'b.csv', such as key 9"):
        meet(column([2, 3]), other)
    with pytest.raises(SourceError, match="no key of column 'id' is in both"):
        meet(column([1]), column([2]), missing="drop")


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [
        (column([1, 1, 2]), column([1, 2]), "keys-repeat"),
        (column([1, 2]), column([2, 2]), "keys-repeat"),
        (column([1, None]), column([1, 2]), "keys-missing"),
        (column([1.0, 2.0]), column([1, 2]), "wrong-dtype"),
        (column([True]), column([True]), "wrong-dtype"),
        (column(["1"]), column([1]), "wrong-dtype"),
        ([1, "a"], column([1]), "wrong-dtype"),
    ],
)
def test_what_is_no_key_is_refused(one, other, code):
    with pytest.raises((SourceError, DtypeError)) as caught:
        meet(one, other)
    assert caught.value.code == code
    assert caught.value.hint


# ---------------------------------------------------------------------------------------------------- JUnit


def test_junit_holds_hostile_names():
    evil = HOSTILE + "\x00\ufffe\ud800]]>"
    ev = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], name=evil)
    checks = [judge(parse("auc > 0.5"), ev), judge(parse("auc > 0.9"), ev)]
    checks.append(replace(checks[0], verdict=UNDECIDED))
    root = Xml.fromstring(junit(Gate(checks=tuple(checks), source=evil)).encode())
    assert root.attrib == {"tests": "3", "failures": "1", "skipped": "1"}
    cases = root.findall("testsuite/testcase")
    assert [[child.tag for child in case] for case in cases] == [["system-out"], ["failure"], ["skipped"]]
    assert "<script>" in cases[0].get("classname")  # as text
    assert "\x1b" not in cases[0].get("classname")
