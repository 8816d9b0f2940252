"""Labels, weights, lengths, shapes: what is accepted, what is refused, and in which words."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid import errors
from rocsolid.inputs import read_rows


def test_labels_that_need_no_pos_label():
    for y, label in (
        ([True, False], True),
        ([0, 1], 1),
        ([-1, 1], 1),
        ([0.0, 1.0], 1),
        ([1, 1], 1),
        ([0, 0], 1),
        ([-1, -1], 1),
    ):
        rows = read_rows(y, [1, 2])
        assert rows.pos_label == label
        assert rows.positive.tolist() == [v == 1 for v in y]


@pytest.mark.parametrize("y", [[1, 2], [0, 2], [-1, 0], ["a", "b"], ["0", "1"], [2, 2], [b"a", b"b"], [0.5, 1.0]])
def test_labels_that_need_one(y):
    with pytest.raises(errors.PositiveLabelError) as caught:
        read_rows(y, [1, 2])
    assert "pos_label=" in caught.value.hint
    rows = read_rows(y, [1, 2], pos_label=y[-1])
    assert rows.positive.tolist() == [v == y[-1] for v in y]
    assert rows.pos_label == y[-1]


def test_pos_label_zero_and_false_and_empty_text():
    assert read_rows([0, 1], [1, 2], pos_label=0).positive.tolist() == [True, False]
    assert read_rows([True, False], [1, 2], pos_label=False).positive.tolist() == [False, True]
    assert read_rows(["", "x"], [1, 2], pos_label="").positive.tolist() == [True, False]


def test_pos_label_that_is_not_there():
    with pytest.raises(errors.PositiveLabelError, match="'yes' among the labels, found 'no', 'yep'"):
        read_rows(["no", "yep"], [1, 2], pos_label="yes")
    with pytest.raises(errors.PositiveLabelError, match="pass pos_label='1'"):
        read_rows(["0", "1"], [1, 2], pos_label=1)
    with pytest.raises(errors.PositiveLabelError, match="pass pos_label=1"):
        read_rows([0, 1], [1, 2], pos_label="1")
    assert read_rows(["no", "no"], [1, 2], pos_label="yes").positive.sum() == 0  # a chunk without positives


@pytest.mark.parametrize("y", [[0, 1, 2], ["a", "b", "c"], [1.0, 2.0, 3.0], [-1, 0, 1]])
def test_three_labels(y):
    for label in (None, y[0]):
        with pytest.raises(errors.LabelCountError, match="found 3"):
            read_rows(y, [1, 2, 3], pos_label=label)


def test_swapped_arguments_are_suspected():
    with pytest.raises(errors.InputError, match="did you swap"):
        rs.evaluate([0.1, 0.7, 0.3], [0, 1, 0])


def test_lengths():
    with pytest.raises(errors.LengthError, match="`y_true` has 2, `y_score` has 3") as caught:
        rs.evaluate([0, 1], [1, 2, 3])
    assert caught.value.sizes == {"y_true": 2, "y_score": 3}
    with pytest.raises(errors.LengthError, match="`sample_weight` has 1"):
        rs.evaluate([0, 1], [1, 2], sample_weight=[1])


def test_empty():
    for y, s in (([], []), (np.array([]), np.array([]))):
        with pytest.raises(errors.EmptyInputError):
            rs.evaluate(y, s)
    with pytest.raises(errors.EmptyInputError, match="after 2 rows"):
        rs.evaluate([0, 1], [math.nan, math.nan], missing="drop")
    with pytest.raises(errors.EmptyInputError):
        rs.evaluate([0, 1], [1, 2], sample_weight=[0, 0])
    with pytest.raises(errors.EmptyInputError):
        rs.areas([0, 1], [1, 2], sample_weight=[0, 0])


@pytest.mark.parametrize(
    ("weights", "problem"),
    [([1, -1], "negative"), ([1, math.nan], "NaN"), ([1, math.inf], "infinite"), ([1, None], "missing")],
)
def test_bad_weights(weights, problem):
    for missing in ("raise", "drop"):
        with pytest.raises(errors.WeightError, match=f"1 {problem} among 2, at row 1"):
            rs.evaluate([0, 1], [1, 2], sample_weight=weights, missing=missing)


def test_more_bad_weights():
    with pytest.raises(errors.DtypeError):
        rs.evaluate([0, 1], [1, 2], sample_weight=["a", "b"])
    with pytest.raises(errors.ShapeError):
        rs.evaluate([0, 1], [1, 2], sample_weight=[[1], [2]])
    with pytest.raises(errors.PrecisionError):
        rs.evaluate([0, 1], [1, 2], sample_weight=[2**60 + 1, 1])
    assert rs.areas([0, 1], [1, 2], sample_weight=[True, True]).roc_auc == 1.0


def test_shapes():
    with pytest.raises(errors.ShapeError, match="y_true"):
        rs.evaluate([[0], [1]], [1, 2])
    with pytest.raises(errors.ShapeError, match="y_score"):
        rs.evaluate([0, 1], np.zeros((2, 2, 2)))
    with pytest.raises(errors.OptionError, match="the 3 labels in the order of the columns") as several:
        rs.evaluate([0, 1], np.zeros((2, 3)))
    assert "evaluate_many" in several.value.hint
    with pytest.raises(errors.ShapeError, match="rows of one length"):
        rs.evaluate([0, 1], [[1, 2], [3]])
    with pytest.raises(errors.OptionError, match="labels"):
        rs.evaluate([1, 1], [[1, 2], [3, 4]], pos_label=1, labels=[1, 1])


def test_what_is_not_built_is_refused():
    with pytest.raises(errors.NotAvailableError, match="groups"):
        rs.evaluate([0, 1], [1, 2], groups=[1, 2])
    with pytest.raises(errors.NotAvailableError):
        rs.evaluate([0, 1], [1, 2], missing="bounds")
    with pytest.raises(errors.NotAvailableError):
        rs.evaluate([0, 1], [1, 2], labels=[0, 1, 2])


@pytest.mark.parametrize(
    "options",
    [
        {"missing": "ignore"},
        {"on_undefined": "zero"},
        {"confidence_level": 95},
        {"confidence_level": 0},
        {"confidence_level": True},
        {"confidence_level": "0.95"},
        {"higher_is_positive": 1},
        {"labels": [0, 3]},
    ],
)
def test_options_are_checked(options):
    with pytest.raises(errors.RocsolidError) as caught:
        rs.evaluate([0, 1], [1, 2], **options)
    assert not isinstance(caught.value, errors.NotAvailableError)
    assert caught.value.message


def test_evaluate_many():
    with pytest.raises(errors.DtypeError):
        rs.evaluate_many([0, 1], [[1, 2]])
    with pytest.raises(errors.EmptyInputError):
        rs.evaluate_many([0, 1], {})
    both = rs.evaluate_many([0, 1], {"a": [1, 2], "b": [2, 1]})
    assert list(both) == ["a", "b"]
    assert [row.name for row in both.table(["recall(threshold=2)"])] == ["a", "b"]
    with pytest.raises(errors.UnknownNameError, match="did you mean 'a'"):
        both["aa"]


def test_errors_name_the_model():
    with pytest.raises(errors.MissingValueError, match=r"y_scores\['new'\]"):
        rs.evaluate_many([0, 1], {"old": [1, 2], "new": [1, math.nan]})
    with pytest.raises(errors.LengthError, match=r"y_scores\['new'\]"):
        rs.evaluate_many([0, 1], {"old": [1, 2], "new": [1]})


def test_a_row_of_weight_zero_is_not_even_looked_at():
    found = rs.evaluate([0, 1, 2, 1], [1, 2, math.nan, 3], sample_weight=[1, 1, 0, 2])
    assert (found.sweep.n_pos, found.sweep.n_neg, found.n_dropped) == (2, 1, 0)
    with pytest.raises(errors.MissingValueError, match="at row 3"):
        rs.evaluate([0, 1, 1, 1], [1, 2, math.nan, math.nan], sample_weight=[1, 1, 0, 2])


def test_columns_named_after_the_labels_are_read_by_name():
    import pandas as pd

    frame = pd.DataFrame({"b": [0.1, 0.9], "a": [0.9, 0.1]})
    assert rs.areas(["a", "b"], frame, pos_label="b").roc_auc == 1.0
    assert rs.areas(["a", "b"], frame, pos_label="a").roc_auc == 1.0
    assert rs.areas(["a", "b"], frame.rename(columns={"b": "x", "a": "y"}), pos_label="b").roc_auc == 0.0
    with pytest.raises(errors.OptionError, match="order of the columns"):
        rs.evaluate(["a", "b"], frame, pos_label="b", labels=["a", "b"])


def test_models_need_distinct_names():
    import pandas as pd

    with pytest.raises(errors.OptionError, match="names differ"):
        rs.evaluate_many([0, 1], {1: [1, 2], "1": [2, 1]})
    assert list(rs.evaluate_many([0, 1], pd.DataFrame({"u": [1, 2], "v": [2, 1]}))) == ["u", "v"]


def test_lists_of_scalars_that_are_arrays():
    import jax.numpy as jnp

    assert rs.areas([np.array(0), np.array(1)], [np.array(0.1), np.array(0.2)]).roc_auc == 1.0
    assert rs.areas([jnp.array(0), jnp.array(1)], [jnp.array(0.5), jnp.array(0.25)]).roc_auc == 0.0
