"""Each error rendered once: what was expected, what was found, one hint; facts as attributes; survives pickling."""

from __future__ import annotations

import inspect
import pickle

import pytest

import rocsolid as rs
from rocsolid import errors

EXAMPLES = {
    errors.InputError: (lambda: errors.InputError("expected a, found b", "try c"), "expected a, found b\nHint: try c"),
    errors.EmptyInputError: (
        lambda: errors.EmptyInputError("y_true", dropped=3),
        "expected at least one row, found none in `y_true` after 3 rows with missing values or zero weight were left "
        "out\nHint: check the filter or the file that the rows come from",
    ),
    errors.ShapeError: (
        lambda: errors.ShapeError("y_true", (2, 2), "one-dimensional", "pass y_true.ravel()"),
        "expected `y_true` to be one-dimensional, found shape (2, 2)\nHint: pass y_true.ravel()",
    ),
    errors.LengthError: (
        lambda: errors.LengthError({"y_true": 1000, "y_score": 999}),
        "expected inputs of one length, found `y_true` has 1,000, `y_score` has 999\n"
        "Hint: each row needs one label and one score: build them from the same table",
    ),
    errors.DtypeError: (
        lambda: errors.DtypeError("y_score", "real numbers", "text such as 'a'", "convert the scores to numbers"),
        "expected `y_score` to hold real numbers, found text such as 'a'\nHint: convert the scores to numbers",
    ),
    errors.PrecisionError: (
        lambda: errors.PrecisionError("y_score", 2**64, "a 64-bit integer", "scale the numbers down"),
        "`y_score` holds 18446744073709551616, which a 64-bit integer can not hold exactly\nHint: scale "
        "the numbers down",
    ),
    errors.MissingValueError: (
        lambda: errors.MissingValueError("y_score", [3, 7, 9, 11, 12, 40], 100),
        "expected a value in every row of `y_score`, found 6 NaN or null among 100 rows, at rows 3, 7, "
        "9, 11, 12, ...\n"
        'Hint: pass missing="drop" to leave these rows out and have them counted, or repair the data',
    ),
    errors.PositiveLabelError: (
        lambda: errors.PositiveLabelError(["no", "yes"]),
        "expected labels False/True, 0/1 or -1/1, found 'no', 'yes': which of them is positive is not guessed\n"
        "Hint: pass pos_label='no' or pass pos_label='yes'",
    ),
    errors.LabelCountError: (
        lambda: errors.LabelCountError(["a", "b", "c"]),
        "expected two labels, found 3: 'a', 'b', 'c'\n"
        "Hint: for one label against the rest pass y_true == 'c'; in a file, write that column first",
    ),
    errors.WeightError: (
        lambda: errors.WeightError("negative", [4], 10),
        "expected finite weights >= 0 in `sample_weight`, found 1 negative among 10, at row 4\n"
        "Hint: a weight of 0 leaves a row out; repair or drop the others",
    ),
    errors.ProbabilityError: (
        lambda: errors.ProbabilityError("brier_score", -2.5, 3),
        "`brier_score` needs probabilities in [0, 1], found scores from -2.5 to 3; no sigmoid is "
        "applied and nothing is "
        "clipped\nHint: pass probabilities, or ask for rank measures such as roc_auc",
    ),
    errors.ProbabilitySumError: (
        lambda: errors.ProbabilitySumError("log_loss", 3, 0.8),
        "`log_loss` needs probabilities that sum to 1 in each row, found a sum of 0.8 in row 3\n"
        "Hint: divide each row by its sum if that is what is meant, or ask for rank measures such as roc_auc",
    ),
    errors.CountError: (
        lambda: errors.CountError("pos", "negative numbers, at row 4"),
        "expected whole numbers from 0 to 2**64 - 1 in `pos`, found negative numbers, at row 4\n"
        "Hint: sampling weights go in as sample_weight of Sweep.from_arrays, not as counts",
    ),
    errors.SweepMismatchError: (
        lambda: errors.SweepMismatchError("pos_label", "a", "b"),
        "expected two sweeps with the same pos_label, found 'a' and 'b'\nHint: build both sweeps with "
        "the same pos_label",
    ),
    errors.SourceError: (
        lambda: errors.SourceError("file-missing", "a.csv", "there is no file 'a.csv'", "check the path"),
        "there is no file 'a.csv'\nHint: check the path",
    ),
    errors.UndefinedMeasureError: (
        lambda: errors.UndefinedMeasureError("roc_auc", "there are no positives (0 positive, 3 negative)"),
        "`roc_auc` is undefined: there are no positives (0 positive, 3 negative)\n"
        'Hint: pass on_undefined="nan" to get nan with this reason instead of an error',
    ),
    errors.OptionError: (
        lambda: errors.OptionError("confidence_level", 95, "between 0 and 1", "confidence_level=0.95"),
        "expected `confidence_level` to be between 0 and 1, found 95\nHint: confidence_level=0.95",
    ),
    errors.UnknownNameError: (
        lambda: errors.UnknownNameError("method", "delog", ["delong", "logit"]),
        "expected a known method, found 'delog'\nHint: did you mean 'delong'?",
    ),
    errors.NotAvailableError: (
        lambda: errors.NotAvailableError("`cluster`", "leave cluster out"),
        "`cluster` is not available in this version\nHint: leave cluster out",
    ),
    errors.MissingDependencyError: (
        lambda: errors.MissingDependencyError("reading Parquet", "pyarrow", "cli"),
        'reading Parquet needs the package `pyarrow`, which is not installed\nHint: pip install "rocsolid[cli]"',
    ),
}
CLASSES = [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, errors.RocsolidError)]


def test_every_error_class_is_rendered_here():
    assert set(CLASSES) - {errors.RocsolidError} == set(EXAMPLES)


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda c: c.__name__)
def test_text_code_facts_and_pickling(kind):
    make, text = EXAMPLES[kind]
    error = make()
    assert str(error) == text
    assert error.code
    assert error.hint
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == text
    assert vars(again) == vars(error)


def test_codes_are_stable_and_distinct():
    codes = [c.code for c in CLASSES]
    assert len(set(codes)) == len(codes)


def test_the_tree_is_drawn_in_the_module():
    for kind in CLASSES:
        assert kind.__name__ in errors.__doc__


def test_hints_for_near_and_far_names():
    near = errors.UnknownNameError("curve", "roq", ["roc", "det"])
    far = errors.UnknownNameError("curve", "zzzzz", ["roc", "det"])
    assert near.hint == "did you mean 'roc'?"
    assert far.hint == "known: det, roc"


@pytest.mark.parametrize(("kind", "builtin"), [
    (errors.InputError, ValueError), (errors.DtypeError, TypeError), (errors.UndefinedMeasureError, ValueError),
    (errors.OptionError, ValueError), (errors.NotAvailableError, NotImplementedError),
    (errors.MissingDependencyError, ImportError),
])  # fmt: skip
def test_errors_are_also_the_builtin_kind_that_people_catch(kind, builtin):
    assert issubclass(kind, builtin)


def test_the_warning_is_a_user_warning():
    assert issubclass(rs.RocsolidWarning, UserWarning)
