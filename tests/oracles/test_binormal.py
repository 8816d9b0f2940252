"""Binormal models and fits: recorded values, a second quadrature, laws of symmetry, degenerate data."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import betainc, expit, log_ndtr, ndtr, ndtri
from scipy.stats import beta, multivariate_normal, norm
from tests.oracles.test_cases import check, load

import rocsolid as rs
from rocsolid import errors
from rocsolid.binormal.fit import fit_sweep
from rocsolid.binormal.likelihood import log_likelihood

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


def cases(kind):
    found = [p for p in load("binormal") if kind in p.values[0]["name"]]
    assert found
    return found


# ------------------------------------------------------------------------------------------------- the model


def value_of(model, name):
    """The number that a case asks for by name, such as ``mcclish_fpr0_0.1``."""
    head, _, tail = name.partition("_")
    if name == "auc":
        return model.auc
    if head == "tpr":
        return model.tpr(float(tail.removeprefix("at_fpr")))
    if head == "fpr":
        return model.fpr(float(tail.removeprefix("at_tpr")))
    if head == "ap":
        return model.average_precision(float(tail.removeprefix("at_prevalence")))
    low, high = map(float, tail.removeprefix("fpr").split("_"))
    return model.partial_auc(fpr=(low, high), standardized=head == "mcclish")


@pytest.mark.parametrize("case", [p for p in cases("binormal_") if "a" in p.values[0]["inputs"]])
def test_areas_of_models(case):
    model = rs.Binormal(**case["inputs"])
    computed = {name: value_of(model, name) for name in case["expected"]}
    check({**case, "tolerance": 1e-9}, computed)


def test_crossing_of_two_models():
    case = cases("binormal_crossing")[0].values[0]
    given = case["inputs"]
    first, second = rs.Binormal(given["a1"], given["b1"]), rs.Binormal(given["a2"], given["b2"])
    (point,), (turned,) = first.crossings(second), second.crossings(first)
    check(case, {"fpr": point.fpr, "tpr": point.tpr})
    assert (point.before, point.after, turned.before, turned.after) == ("other", "this", "this", "other")
    assert first.tpr(0.01) < second.tpr(0.01)
    assert first.tpr(0.5) > second.tpr(0.5)
    assert first.crossings(rs.Binormal(0.5, 1)) == ()


@pytest.mark.parametrize("case", cases("population_ap"))
def test_average_precision_of_a_population(case):
    """The normal one from the model; the others by the same integral, as the case states it."""
    pi = case["inputs"]["prevalence"]

    def area(density, tpr, fpr):
        return quad(lambda t: density(t) * pi * tpr(t) / (pi * tpr(t) + (1 - pi) * fpr(t)), *ends, limit=200)[0]

    ends = (0, 1)
    bibeta = area(beta(5, 2).pdf, lambda t: 1 - betainc(5, 2, t), lambda t: 1 - betainc(2, 5, t))
    ends = (0.5, 1.5)
    uniform = area(lambda t: 1.0, lambda t: 1.5 - t, lambda t: max(1 - t, 0.0))
    check(case, {"binormal": rs.Binormal(1, 1).average_precision(pi), "bibeta": bibeta, "offset_uniform": uniform})


@pytest.mark.parametrize("b", [1e-6, 0.02, 0.3, 1.0, 4.0, 50.0])
@pytest.mark.parametrize("a", [-2.0, 0.0, 1.5, 6.0])
def test_average_precision_by_a_second_quadrature(a, b):
    """The trapezoidal rule on the whole line, which converges geometrically once its steps are short enough."""
    z, step = np.linspace(-9.5, 9.5, int(19 / min(0.01, b / 40)) + 1 if b > 0.01 else 200_001, retstep=True)
    for pi in (1e-12, 1e-4, 0.1, 0.5, 0.99):
        odds = math.log(pi) - math.log1p(-pi) + log_ndtr(z) - log_ndtr((z - a) / b)
        second = float((expit(odds) * norm.pdf(z)).sum() * step)
        found = rs.Binormal(a, b).average_precision(pi)
        # for b near 0 the curve is a step and the second rule, not the first, is coarse
        assert found == pytest.approx(second, abs=1e-12 if b > 0.01 else 1e-4)
        if b < 1e-3:
            step_at = ndtr(a)  # the FPR is 0 below this recall and 1 above it
            above = quad(lambda r, p=pi: p * r / (p * r + 1 - p), step_at, 1)[0]
            assert found == pytest.approx(step_at + above, abs=1e-4)


@pytest.mark.parametrize(("a", "b"), [(1.8, 1.0), (1.4, 0.5), (-0.3, 2.0), (0.0, 1.0), (3.0, 1.7)])
def test_areas_by_quadrature(a, b):
    model = rs.Binormal(a, b)
    for low, high in ((0, 0.01), (0.02, 0.3), (0.9, 1), (0, 1)):
        area = quad(lambda z: ndtr(a + b * z) * norm.pdf(z), *ndtri([low, high]), epsabs=1e-13, epsrel=1e-13)[0]
        assert model.partial_auc(fpr=(low, high)) == pytest.approx(area, abs=1e-12)
        over_tpr = quad(lambda t: 1 - model.fpr(t), low, high, epsabs=1e-11, limit=400)[0]
        assert model.partial_auc(tpr=(low, high)) == pytest.approx(over_tpr, abs=1e-9)
    assert model.partial_auc(fpr=(0, 1)) == pytest.approx(model.auc, abs=1e-14)
    assert model.d_prime == pytest.approx(math.sqrt(2) * ndtri(model.auc), rel=1e-12)
    on_diagonal = ndtr(-a / (1 + b))  # where TPR = 1 - FPR, d_e is the distance of the two deviates
    assert model.tpr(on_diagonal) == pytest.approx(1 - on_diagonal)
    assert model.d_e == pytest.approx(-2 * ndtri(on_diagonal))


def test_rates_and_precision():
    model = rs.Binormal.from_auc(0.9, b=0.5)
    rates = np.array([[0.0, 1e-9, 0.3], [0.5, 0.99, 1.0]])
    assert model.fpr(model.tpr(rates)) == pytest.approx(rates, abs=1e-12)
    assert (model.tpr(0.0), model.tpr(1.0)) == (0.0, 1.0)
    assert isinstance(model.tpr(0.1), float)
    by_hand = 0.2 * 0.4 / (0.2 * 0.4 + 0.8 * model.fpr(0.4))
    assert model.precision(recall=0.4, prevalence=0.2) == pytest.approx(by_hand)
    assert model.precision(recall=1, prevalence=0.2) == pytest.approx(0.2)
    assert model.average_precision([0.5, 0.1]).tolist() == [model.average_precision(p) for p in (0.5, 0.1)]
    assert rs.Binormal.from_point(sensitivity=0.8, specificity=0.7, b=2).tpr(0.3) == pytest.approx(0.8)
    drawn = model.roc()
    assert (drawn.fpr[0], drawn.tpr[0], drawn.fpr[-1], drawn.tpr[-1]) == (0, 0, 1, 1)
    assert (np.diff(drawn.fpr) >= 0).all()
    assert (np.diff(drawn.tpr) >= 0).all()
    assert np.trapezoid(drawn.tpr, drawn.fpr) == pytest.approx(model.auc, abs=1e-4)


def test_samples_follow_the_model():
    model = rs.Binormal(1.4, 0.5)
    y, s = model.sample(40_000, 60_000, rng=np.random.default_rng(3))
    assert (y.sum(), len(s)) == (40_000, 100_000)
    assert rs.areas(y, s).roc_auc == pytest.approx(model.auc, abs=0.005)
    assert np.array_equal(s, model.sample(40_000, 60_000, rng=np.random.default_rng(3))[1])
    assert np.array_equal(model.sample(3, 2, rng=7)[1], model.sample(3, 2, rng=7)[1])
    assert model.sample(0, 2, rng=7)[0].tolist() == [0, 0]


@pytest.mark.parametrize(
    "call",
    [
        lambda: rs.Binormal(1, 0),
        lambda: rs.Binormal(math.inf, 1),
        lambda: rs.Binormal("1", 1),
        lambda: rs.Binormal.from_auc(1),
        lambda: rs.Binormal.from_auc(0.9, b=-1),
        lambda: rs.Binormal.from_point(sensitivity=1, specificity=0.9),
        lambda: rs.Binormal(1).tpr(1.1),
        lambda: rs.Binormal(1).fpr("high"),
        lambda: rs.Binormal(1).tpr(math.nan),
        lambda: rs.Binormal(1).average_precision(0),
        lambda: rs.Binormal(1).precision(recall=0, prevalence=0.5),
        lambda: rs.Binormal(1).precision(recall=0.5, prevalence=1),
        lambda: rs.Binormal(1).partial_auc(),
        lambda: rs.Binormal(1).partial_auc(fpr=(0, 0.1), tpr=(0.9, 1)),
        lambda: rs.Binormal(1).partial_auc(fpr=0.1),
        lambda: rs.Binormal(1).partial_auc(fpr=(0.3, 0.1)),
        lambda: rs.Binormal(1).crossings(1.0),
        lambda: rs.Binormal(1).sample(2.5, 3),
        lambda: rs.Binormal(1).sample(2, 3, rng="now"),
        lambda: rs.Binormal.fit([0, 1], [0.1, 0.2], method="mle"),
        lambda: rs.evaluate([0, 1], [0.1, 0.2]).smooth_roc(method="loess"),
    ],
)
def test_what_is_no_model_is_refused(call):
    with pytest.raises(errors.OptionError) as caught:
        call()
    assert caught.value.hint


# -------------------------------------------------------------------------------------------------- the fits


@pytest.mark.parametrize("case", cases("binormal_regression"))
def test_regression_of_another_tool(case):
    fit = rs.Binormal.fit(case["inputs"]["labels"], case["inputs"]["scores"], method="regression")
    coefficients = {"probit_slope": -1 / fit.b, "probit_intercept": fit.a / fit.b}
    for name, found in coefficients.items():
        assert found == pytest.approx(case["expected"][name], abs=1e-9)
    check(case, {"smooth_auc": fit.auc, **coefficients})
    assert (fit.interval, fit.covariance, fit.std_error, fit.goodness) == (None, None, None, None)


@pytest.mark.parametrize("case", cases("binormal_mle"))
def test_maximum_likelihood_of_ratings(case):
    counts = case["inputs"]["ratings_positive"], case["inputs"]["ratings_negative"]
    fit = fit_sweep(rs.Sweep.from_counts(range(1, len(counts[0]) + 1), *counts))
    computed = {name: getattr(fit, name) for name in case["expected"]}
    check({**case, "tolerance": 1e-5}, computed)
    assert fit.auc in fit.interval
    assert fit.goodness.df == 2


def test_the_published_fit():
    """Hanley & McNeil 1982 print a = 1.66, b = 0.71, AUC 0.911."""
    given = cases("hm1982/binormal_mle")[0].values[0]["inputs"]
    fit = fit_sweep(rs.Sweep.from_counts(range(5), given["ratings_positive"], given["ratings_negative"]))
    assert [round(v, 2) for v in (fit.a, fit.b)] == [1.66, 0.71]
    assert round(fit.auc, 3) == 0.911


def test_no_parameters_fit_better():
    """Other lines with their own best cuts, by brute force, are less likely; the covariance is the bend there."""
    from scipy.optimize import minimize

    pos, neg = np.array([33.0, 11, 2, 2, 3]), np.array([2.0, 11, 6, 6, 33])
    fit = fit_sweep(rs.Sweep.from_counts(range(5, 0, -1), pos, neg))

    def profile(a, b):
        def loss(steps):
            cuts = steps[0] + np.concatenate([[0], np.cumsum(np.exp(steps[1:]))])
            return -log_likelihood(np.concatenate([[a, b], cuts]), pos, neg)

        return -minimize(loss, [-1.8, 0, -1, -1], method="BFGS").fun

    assert profile(fit.a, fit.b) == pytest.approx(fit.log_likelihood, abs=1e-6)
    for da, db in ((0.05, 0), (-0.05, 0), (0, 0.05), (0, -0.05), (0.1, 0.06)):
        lower = fit.log_likelihood - profile(fit.a + da, fit.b + db)
        quadratic = np.array([da, db]) @ np.linalg.inv(fit.covariance) @ np.array([da, db]) / 2
        assert lower > 0
        assert lower == pytest.approx(quadratic, rel=0.15)


def test_only_the_order_of_scores_counts():
    y, s = rs.Binormal(1.4, 0.5).sample(60, 80, rng=1)
    fit = rs.Binormal.fit(y, s)
    stretched = rs.Binormal.fit(y, np.exp(2 * s))
    assert (fit.a, fit.b, fit.log_likelihood) == (stretched.a, stretched.b, stretched.log_likelihood)
    # labels and order turned round: specificity = a/b + (1/b) ...
    turned = rs.Binormal.fit(1 - y, -s)
    assert (turned.a, turned.b) == pytest.approx((fit.a / fit.b, 1 / fit.b), rel=1e-6)
    low = rs.Binormal.fit(y, -s, higher_is_positive=False)
    assert (low.a, low.b) == (fit.a, fit.b)


def test_joined_runs_change_nothing():
    """Splitting a category of one class in two leaves estimates alone, and adds n log 2 at most."""
    pos, neg = [20, 8, 4, 0], [1, 5, 9, 10]
    whole = fit_sweep(rs.Sweep.from_counts([4, 3, 2, 1], pos, neg))
    split = fit_sweep(rs.Sweep.from_counts([4, 3, 2, 1, 0], [*pos, 0], [1, 5, 9, 6, 4]))
    assert (split.a, split.b) == (whole.a, whole.b)
    extra = 6 * math.log(0.6) + 4 * math.log(0.4)
    assert split.log_likelihood == pytest.approx(whole.log_likelihood + extra)


def test_large_samples_find_the_population():
    model = rs.Binormal(1.4, 0.5)
    fit = rs.Binormal.fit(*model.sample(20_000, 20_000, rng=2))
    assert (fit.a, fit.b) == pytest.approx((1.4, 0.5), abs=0.04)
    assert fit.goodness.pvalue > 1e-3
    # half of the positives far off: no pair of normals
    y, s = rs.Binormal(0, 1).sample(4000, 4000, rng=3)
    s[:2000] += 6
    assert rs.Binormal.fit(y, s).goodness.pvalue < 1e-6


@pytest.mark.parametrize(
    ("y", "s"),
    [
        ([0, 0, 1, 1], [1, 2, 3, 4]),  # perfect
        ([1, 1, 0, 0], [1, 2, 3, 4]),  # reversed
        ([0, 1, 0, 1], [0, 1, 1, 1]),  # one cut
        ([0, 1, 0, 0, 1, 1], [1, 1, 2, 3, 4, 5]),  # all inner points at TPR 2/3
    ],
)
def test_degenerate_data_are_said(y, s):
    for method in ("ml", "regression"):
        with pytest.raises(errors.UndefinedMeasureError, match="ROC points") as caught:
            rs.Binormal.fit(y, s, method=method)
        assert "roc_auc" in caught.value.hint


def test_fits_that_are_not_there():
    sweep = rs.Sweep.from_arrays([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 2, 1, 1])
    for smooth in (lambda: fit_sweep(sweep), lambda: rs.Evaluation(sweep).smooth_roc(method="kernel")):
        with pytest.raises(errors.NotAvailableError):
            smooth()
    with pytest.raises(errors.UndefinedMeasureError, match="no negatives"):
        rs.Binormal.fit([1, 1], [0.1, 0.2], pos_label=1)


# ------------------------------------------------------------------------------------------------ the kernels


def test_kernel_curve_by_its_definition():
    rng = np.random.default_rng(4)
    pos, neg = np.round(rng.normal(1, 1, 40), 1), np.round(rng.normal(0, 1.5, 60), 1)
    ev = rs.evaluate(np.repeat([1, 0], [40, 60]), np.concatenate([pos, neg]))
    smooth = ev.smooth_roc(method="kernel")

    def width(x):
        spread = min(np.std(x, ddof=1), (np.quantile(x, 0.75) - np.quantile(x, 0.25)) / 1.34)
        return 0.9 * spread * len(x) ** -0.2

    h, g = width(pos), width(neg)
    area = np.mean([[ndtr((p - n) / math.hypot(h, g)) for n in neg] for p in pos])
    assert smooth.roc_auc == pytest.approx(area, rel=1e-12)
    assert np.trapezoid(smooth.tpr, smooth.fpr) == pytest.approx(area, abs=1e-4)
    cut = 0.7
    tpr, fpr = np.mean(ndtr((pos - cut) / h)), np.mean(ndtr((neg - cut) / g))
    assert np.interp(fpr, smooth.fpr, smooth.tpr) == pytest.approx(tpr, abs=1e-4)
    turned = rs.evaluate(np.repeat([1, 0], [40, 60]), -np.concatenate([pos, neg]), higher_is_positive=False)
    assert turned.smooth_roc(method="kernel").roc_auc == pytest.approx(area, rel=1e-12)
    assert "bandwidth" in [n.code for n in smooth.notes]


def test_smooth_curves_print_and_travel():
    y, s = rs.Binormal(1.4, 0.5).sample(30, 40, rng=5)
    ev = rs.evaluate(y, s)
    smooth = ev.smooth_roc()
    fit = rs.Binormal.fit(y, s)
    assert smooth.roc_auc == fit.auc == smooth.area()
    assert "30 positive, 40 negative" in repr(smooth)
    assert "binormal (ml)" in repr(fit)
    assert fit.to_dict()["a"] == fit.a
    assert '"fpr"' in smooth.to_json()
    assert list(smooth.to_frame().columns) == ["fpr", "tpr"]


def test_bivariate_normal_behind_the_partial_area():
    a, b, end = 1.2, 0.7, 0.2
    rho = -b / math.hypot(1, b)
    both = multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([a / math.hypot(1, b), ndtri(end)])
    assert rs.Binormal(a, b).partial_auc(fpr=(0, end)) == pytest.approx(both, abs=1e-6)
