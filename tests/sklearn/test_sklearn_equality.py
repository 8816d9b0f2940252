"""rocsolid.sklearn against scikit-learn itself on random input: values, lengths, dtypes, warnings."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn.metrics as theirs
from hypothesis import given
from hypothesis import strategies as st

import rocsolid.sklearn as ours

CURVES = ("roc_curve", "precision_recall_curve", "det_curve")
AREAS = ("roc_auc_score", "average_precision_score")
SCORE_DTYPES = ("f8", "f4", "f2", ">f8", "i8", "i4", "u1", "?", "O", "g")
LABELS = ((0, 1), (-1, 1), (False, True), (0.0, 1.0), (-1.0, 1.0))


@st.composite
def binary(draw, min_size=2, max_size=40):
    """Labels of every kind that need no pos_label, tied scores of any dtype, weights or none."""
    n = draw(st.integers(min_size, max_size))
    flags = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    y = np.array(draw(st.sampled_from(LABELS)))[flags]
    values = st.integers(0, 6) if draw(st.booleans()) else st.floats(0, 1000, width=16)
    s = np.array(draw(st.lists(values, min_size=n, max_size=n))).astype(draw(st.sampled_from(SCORE_DTYPES)))
    weights = draw(st.none() | st.lists(st.integers(0, 4), min_size=n, max_size=n))
    if weights is not None:
        if not any(weights):
            weights[0] = 1
        weights = np.array(weights, draw(st.sampled_from(("f8", "f4", "i8"))))
    return y, s, weights


def outcome(function, *args, **named):
    """The value and the warnings, or the error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **named)
        except (ValueError, TypeError) as error:
            return None, caught, error
    return value, caught, None


def same(name, *args, **named):
    """Run both; hold value, dtype, warning categories and the kind of error against each other."""
    mine, my_warnings, my_error = outcome(getattr(ours, name), *args, **named)
    value, their_warnings, their_error = outcome(getattr(theirs, name), *args, **named)
    if their_error is not None or my_error is not None:
        kind = (
            TypeError if isinstance(their_error, TypeError) and not isinstance(their_error, ValueError) else ValueError
        )
        assert their_error is not None, my_error
        assert isinstance(my_error, kind), their_error
        return
    assert [w.category for w in my_warnings] == [w.category for w in their_warnings]
    assert type(mine) is type(value)
    for a, b in zip(*((mine, value) if isinstance(value, tuple) else ((mine,), (value,))), strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(
            np.asarray(a, np.float64), np.asarray(b, np.float64), rtol=1e-12, atol=1e-13, equal_nan=True
        )


@pytest.mark.parametrize("name", CURVES)
@given(data=binary(), drop=st.booleans())
def test_curves(name, data, drop):
    y, s, weights = data
    same(name, y, s, sample_weight=weights, drop_intermediate=drop)


@given(data=binary())
def test_confusion_counts(data):
    y, s, weights = data
    same("confusion_matrix_at_thresholds", y, s, sample_weight=weights)


@pytest.mark.parametrize("name", AREAS)
@given(data=binary())
def test_areas(name, data):
    y, s, weights = data
    same(name, y, s, sample_weight=weights)


@given(data=binary(), max_fpr=st.floats(0.01, 1.0))
def test_partial_area(data, max_fpr):
    y, s, weights = data
    if s.dtype.kind == "g":
        s = s.astype(float)
    with_both = len(set(y if weights is None else y[np.asarray(weights) > 0])) == 2
    if with_both:
        same("roc_auc_score", y, s, sample_weight=weights, max_fpr=max_fpr)


@given(data=binary(), names=st.sampled_from((("ham", "spam"), ("b", "a"), (3, 7), (1, 2), (2.0, 5.0))))
def test_other_labels(data, names):
    y, s, weights = data
    named = np.array(names)[(y == 1).astype(int)]
    same("roc_auc_score", named, s, sample_weight=weights)
    for name in (*CURVES, "confusion_matrix_at_thresholds", "average_precision_score"):
        same(name, named, s, sample_weight=weights)
        for label in names:
            same(name, named, s, sample_weight=weights, pos_label=label)


@given(data=binary(min_size=3), seed=st.integers(0, 2**32 - 1), dtype=st.sampled_from(("f8", "f4", "f2")))
def test_fractional_weights(data, seed, dtype):
    """Ours are added exactly and theirs in order: to 1e-12 that is the same, and so is every length."""
    y, s, _ = data
    weights = (np.random.default_rng(seed).random(len(y)) + 0.01).astype(dtype)
    for name in (*AREAS, "confusion_matrix_at_thresholds"):
        same(name, y, s, sample_weight=weights)
    same("roc_curve", y, s, sample_weight=weights, drop_intermediate=False)
    same("precision_recall_curve", y, s, sample_weight=weights)


@given(data=binary(), seed=st.integers(0, 99))
def test_negative_weights(data, seed):
    """They have no meaning for an area, and yet scikit-learn adds them up."""
    y, s, _ = data
    weights = np.random.default_rng(seed).integers(-1, 4, len(y))
    same("confusion_matrix_at_thresholds", y, s, sample_weight=weights)


# ------------------------------------------------------------------------------- several labels or classes


@st.composite
def multilabel(draw):
    n, k = draw(st.integers(2, 15)), draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = rng.integers(0, 2, (n, k))
    s = rng.integers(0, 5, (n, k)) / 4 if draw(st.booleans()) else rng.random((n, k))
    weights = draw(st.sampled_from((None, rng.random(n), rng.integers(1, 4, n))))
    return y, s.astype(draw(st.sampled_from(("f8", "f4")))), weights


@pytest.mark.parametrize("name", AREAS)
@given(data=multilabel(), average=st.sampled_from(("macro", "micro", "weighted", "samples", None)))
def test_multilabel(name, data, average):
    y, s, weights = data
    if len(np.unique(y)) == 2:
        same(name, y, s, average=average, sample_weight=weights)
        same(name, y.tolist(), s.tolist(), average=average, sample_weight=weights)


@given(data=multilabel())
def test_label_ranking_loss(data):
    y, s, weights = data
    same("label_ranking_loss", y, s, sample_weight=weights)


@st.composite
def multiclass(draw):
    n, k = draw(st.integers(6, 25)), draw(st.integers(3, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    p = rng.dirichlet(np.ones(k), n) if draw(st.booleans()) else np.eye(k)[rng.integers(0, k, n)]
    y = rng.integers(0, draw(st.integers(1, k)), n)
    labels = np.array(["a", "b", "c", "d", "e"][:k]) if draw(st.booleans()) else np.arange(k)
    weights = draw(st.sampled_from((None, rng.random(n), rng.integers(1, 4, n))))
    return labels[y], p.astype(draw(st.sampled_from(("f8", "f4")))), weights, labels


@given(
    data=multiclass(),
    average=st.sampled_from(("macro", "micro", "weighted", "samples")),
    multi_class=st.sampled_from(("ovr", "ovo", "raise")),
    named=st.booleans(),
)
def test_multiclass_roc(data, average, multi_class, named):
    y, p, weights, labels = data
    weights = None if multi_class == "ovo" else weights
    options = {"multi_class": multi_class, "labels": labels if named else None, "average": average}
    if len(np.unique(y)) > 1:
        same("roc_auc_score", y, p, sample_weight=weights, **options)


@given(data=multiclass(), average=st.sampled_from(("macro", "micro", "weighted", "samples", None)))
def test_multiclass_average_precision(data, average):
    y, p, weights, _ = data
    if len(np.unique(y)) == p.shape[1]:
        same("average_precision_score", y, p, average=average, sample_weight=weights)


@given(data=multiclass(), k=st.integers(1, 5), normalize=st.booleans(), named=st.booleans())
def test_top_k(data, k, normalize, named):
    y, p, weights, labels = data
    options = {"labels": labels if named else None, "normalize": normalize}
    same("top_k_accuracy_score", y, p, k=k, sample_weight=weights, **options)
    flags = (y == labels[0]).astype(int)
    same("top_k_accuracy_score", flags, p[:, 0] - 0.3 * (k > 2), k=1, sample_weight=weights, normalize=normalize)


# ------------------------------------------------------------------------------------------ probabilities


@given(data=multiclass(), named=st.booleans(), scale=st.sampled_from((True, False, "auto")), normalize=st.booleans())
def test_losses_of_classes(data, named, scale, normalize):
    y, p, weights, labels = data
    labels = labels if named else None
    p = p.astype(float)
    same("brier_score_loss", y, p, sample_weight=weights, labels=labels, scale_by_half=scale)
    same("log_loss", y, p, sample_weight=weights, labels=labels, normalize=normalize)


@given(data=binary(), scale=st.sampled_from((True, False, "auto")), normalize=st.booleans(), two=st.booleans())
def test_losses_of_two_classes(data, scale, normalize, two):
    y, s, weights = data
    p = s.astype(float) / max(1.0, float(np.max(s.astype(float))))
    p = np.stack([1 - p, p], axis=1) if two else p
    same("brier_score_loss", y, p, sample_weight=weights, scale_by_half=scale)
    same("log_loss", y, p, sample_weight=weights, normalize=normalize)
    same("log_loss", y, p, sample_weight=weights, normalize=normalize, labels=sorted({*y.tolist(), -1, 1})[-2:])
    if not two:
        same("brier_score_loss", y + 4, p, sample_weight=weights)
        for label in (0, 1, -1, True, "a"):
            same("brier_score_loss", y, p, sample_weight=weights, pos_label=label)


@given(data=multilabel())
def test_losses_of_an_indicator(data):
    y, s, weights = data
    p = s.astype(float) / np.maximum(s.sum(axis=1, keepdims=True), 1)
    if len(np.unique(y)) == 2:
        same("log_loss", y, p, sample_weight=weights)
        same("brier_score_loss", y, p, sample_weight=weights)


@given(
    points=st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=0, max_size=8), order=st.integers(0, 2)
)
def test_auc(points, order):
    if order:
        points = sorted(points, reverse=order == 2)
    same("auc", [p[0] for p in points], [p[1] for p in points])
