"""Days, groups, amounts and new scores pass the same door as labels: shape, length and missing values are named."""

import datetime

import numpy as np
import pandas as pd
import pytest

import rocsolid as rs
from rocsolid import errors

EV = rs.evaluate([0, 1, 0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
ASKED = {
    "day": lambda values: EV.per_day(values, capacity=1),
    "groups": lambda values: EV.summary_for("groups", groups=values),
}
DATES = np.array(["2024-01-01", "2024-01-01", "NaT", "2024-01-02", "2024-01-02", "2024-01-02"], "datetime64[D]")


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize(
    "values",
    [
        [1, 1, np.nan, 2, 2, 2],
        [1, 1, None, 2, 2, 2],
        ["a", "a", None, "b", "b", "b"],
        DATES,
        pd.Series(["a", "a", np.nan, "b", "b", "b"]),
        pd.Series(DATES),
    ],
)
def test_a_missing_day_or_group_is_none_of_its_own(name, values):
    with pytest.raises(errors.MissingValueError, match=f"`{name}`, found 1 .* at row 2") as caught:
        ASKED[name](values)
    assert "missing=" not in caught.value.hint  # there is no such argument


@pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")
def test_dates_are_days():
    days = [datetime.date(2024, 1, 1 + i // 3) for i in range(6)]
    expected = EV.per_day([0, 0, 0, 1, 1, 1], capacity=1)
    assert EV.per_day(days, capacity=1) == expected
    assert EV.per_day(np.array(days, "datetime64[D]"), capacity=1) == expected
    assert len(EV.summary_for("groups", groups=pd.Series(days)).rows) == 6


@pytest.mark.parametrize("name", [*ASKED, "amount"])
def test_a_table_with_one_column_is_said_to_be_one(name):
    ask = {**ASKED, "amount": lambda values: EV.at(recall=0.5, amount=values)}[name]
    with pytest.raises(errors.ShapeError, match=rf"`{name}` to be one-dimensional, found shape \(6, 1\)"):
        ask(np.ones((6, 1)))
    with pytest.raises(errors.LengthError, match=name):
        ask(np.ones(5))


def test_a_rule_is_applied_to_any_scores_and_names_what_it_can_not_use():
    rule = EV.at(threshold=4.0)
    assert rule.apply([]).tolist() == []
    assert rule.apply(pd.Series([], dtype=float)).tolist() == []
    for scores, kind in ((np.ones((3, 1)), "ShapeError"), (["a"], "DtypeError"), ([np.nan], "MissingValueError")):
        with pytest.raises(getattr(errors, kind), match="`y_score`") as caught:
            rule.apply(scores)
        assert "missing=" not in (caught.value.hint or "")


def test_watching_refuses_what_would_have_no_effect():
    rule = EV.at(threshold=4.0)
    for name, value in (("pos_label", 1), ("missing", "drop")):
        with pytest.raises(errors.OptionError, match=f"`{name}` to be left out without y_true"):
            rule.monitor([1.0, 5.0], **{name: value})
    with pytest.raises(errors.EmptyInputError, match="y_score"):
        rule.monitor([])


@pytest.mark.parametrize(
    "ask",
    [
        lambda: rs.areas([0, 1, 1], [1, np.nan, 3]),
        lambda: rs.areas([0, 1, 1], {"a": [1, 2, 3], "b": [1, 2, np.nan]}),
        lambda: rs.areas([0, 1, 1], [[1, 2], [np.nan, 3], [3, 3]], columns=True),
        lambda: rs.areas([0, 1, 1], [1, np.nan, 3], sample_weight=[1, 2, 3]),
        lambda: rs.crossings([0, 1, 0], {"a": [1, 2, np.nan], "b": [1, 2, 3]}, rng=0),
        lambda: rs.Sweep.from_counts([0.2, np.nan], pos=[1, 3], neg=[4, 1]),
    ],
)
def test_no_hint_names_an_argument_that_is_not_there(ask):
    with pytest.raises(errors.MissingValueError) as caught:
        ask()
    assert caught.value.hint == "leave these rows out of all arguments, or repair the data"
