"""Comparisons against pROC and SAS, against other roads to the same number, and at the edges."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from tests.oracles.test_cases import check, load

import rocsolid as rs
from rocsolid import errors
from rocsolid.inference.tails import chi_square_tail, p_value

pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")

RATES = [f"{name}(threshold=0.5)" for name in ("recall", "specificity", "precision", "accuracy", "f1")]
SMOOTH = ["roc_auc", "gini", "average_precision", "brier_score", "log_loss", *RATES]


def named(topic, part):
    return [case for case in load(topic) if part in case.id]


def two(n=120, seed=0, shift=0.4):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    both = rng.normal(size=n) + 1.2 * y
    a, b = (1 / (1 + np.exp(-(both + s * rng.normal(size=n)))) for s in (0.5, 0.5 + shift))
    return y, a, b


def models(case, *keys):
    return case["inputs"]["labels"], {key: case["inputs"][key] for key in keys}


# ------------------------------------------------------------------------------------------ recorded values


@pytest.mark.parametrize("case", named("paired_comparison", "/paired_"))
def test_delong_is_that_of_proc(case):
    y, both = models(case, "scores1", "scores2")
    found, one_sided = (rs.compare(y, both, method="delong", alternative=a) for a in ("two-sided", "greater"))
    a, b = (e.value for e in found.estimates)
    expected = case["expected"]
    assert found.statistic == pytest.approx(expected["delong_z"], rel=1e-12)
    check(
        case,
        {
            "auc1": a,
            "auc2": b,
            "delong_cov12": found.correlation
            * math.prod(rs.roc_auc(y, s, method="delong").std_error for s in both.values()),
            "delong_z": found.statistic,
            "delong_p_two_sided": found.pvalue,
            "delong_p_greater": one_sided.pvalue,
            "auc_difference_ci95": [found.interval.low, found.interval.high],
            "hanley_mcneil_r_equivalent": found.correlation,
        },
    )


@pytest.mark.parametrize("case", named("paired_comparison", "/three"))
def test_three_models_are_those_of_sas(case):
    y, all_three = models(case, "scores", "scores2", "scores3")
    found = rs.compare(y, all_three, method="delong")
    errors_of = [rs.roc_auc(y, s, method="delong").std_error for s in all_three.values()]
    cov = {(row.names): row.correlation for row in found}
    names = list(all_three)
    check(
        case,
        {
            "aucs": [e.value for e in found.estimates],
            "standard_errors": errors_of,
            "cov_12": cov[names[0], names[1]] * errors_of[0] * errors_of[1],
            "cov_13": cov[names[0], names[2]] * errors_of[0] * errors_of[2],
            "cov_23": cov[names[1], names[2]] * errors_of[1] * errors_of[2],
            "contrast_chi2_df2": found.omnibus.statistic,
            "contrast_p": found.omnibus.pvalue,
        },
    )
    assert found.omnibus.df == 2


@pytest.mark.parametrize("case", named("paired_comparison", "/resampling_"))
def test_resampling_is_near_proc(case):
    y, both = models(case, "scores1", "scores2")
    expected, tolerance = case["expected"], case["tolerance"]
    boot = rs.compare(y, both, method="bootstrap", n_resamples=2000, rng=1)
    shape = rs.compare(y, both, method="venkatraman", n_resamples=2000, rng=1)
    assert boot.statistic == pytest.approx(expected["bootstrap_D"], abs=tolerance)
    assert boot.pvalue == pytest.approx(expected["bootstrap_p"], abs=tolerance)
    partial = rs.compare(y, both, measure="partial_auc(max_fpr=0.2)", method="bootstrap", n_resamples=2000, rng=1)
    assert abs(partial.difference) == pytest.approx(abs(expected["pauc_fpr_0_0.2_difference"]), abs=1e-9)
    assert partial.pvalue == pytest.approx(expected["pauc_fpr_0_0.2_bootstrap_p"], abs=tolerance)
    if all(len(set(scores)) == len(y) for scores in both.values()):  # with ties pROC's statistic is one of many
        assert shape.statistic == pytest.approx(expected["venkatraman_E"], abs=2)
        assert shape.pvalue == pytest.approx(expected["venkatraman_p"], abs=tolerance)


@pytest.mark.parametrize("case", load("unpaired_comparison")[:1])
def test_unpaired_is_that_of_proc(case):
    given = case["inputs"]
    a, b = (rs.evaluate(given[f"labels{i}"], given[f"scores{i}"]) for i in (1, 2))
    student, normal = (a.compare(b, paired=False, method=method) for method in ("delong", "influence"))
    check(
        case,
        {
            "auc1": a.roc_auc().value,
            "auc2": b.roc_auc().value,
            "D": student.statistic,
            "df_satterthwaite": student.df,
            "p_t": student.pvalue,
            "z": normal.statistic,
            "p_normal": normal.pvalue,
        },
    )
    assert student.correlation is None
    assert "unpaired" in [note.code for note in student.notes]


# ------------------------------------------------------------------------------------------------ other roads


@pytest.mark.parametrize("measure", SMOOTH)
def test_order_of_the_models_only_changes_the_sign(measure):
    y, a, b = two()
    one, other = rs.compare(y, {"a": a, "b": b}, measure=measure), rs.compare(y, {"b": b, "a": a}, measure=measure)
    assert (one.difference, one.pvalue, one.std_error) == pytest.approx(
        (-other.difference, other.pvalue, other.std_error), rel=1e-11
    )
    assert (one.interval.low, one.interval.high) == pytest.approx((-other.interval.high, -other.interval.low), rel=1e-9)
    assert one.interval.low < one.difference < one.interval.high
    assert one.estimates[0].value - one.estimates[1].value == pytest.approx(one.difference, abs=1e-14)


@pytest.mark.parametrize("measure", SMOOTH)
def test_standard_errors_are_those_of_a_large_bootstrap(measure):
    y, a, b = two(n=300)
    found = rs.compare(y, {"a": a, "b": b}, measure=measure)
    boot = rs.compare(y, {"a": a, "b": b}, measure=measure, method="bootstrap", n_resamples=600, rng=3)
    assert found.difference / boot.statistic == pytest.approx(found.std_error, rel=0.15)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_delong_is_exact_under_ties_and_at_one_ulp(alternative):
    """Against fractions of the definition; a strictly increasing map of the scores changes nothing at all."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 30)
    a, b = rng.integers(0, 5, 30).astype(float), rng.integers(0, 4, 30).astype(float)
    near = 0.1 + np.arange(6) * math.ulp(0.1)
    found = rs.compare(y, {"a": a, "b": b}, method="delong", alternative=alternative)
    same = rs.compare(y, {"a": near[a.astype(int)], "b": np.exp(50 * b)}, method="delong", alternative=alternative)
    assert (found.statistic, found.pvalue, found.interval) == (same.statistic, same.pvalue, same.interval)
    assert found.std_error == pytest.approx(math.sqrt(delong_by_definition(y, a, b)), rel=1e-15)


def delong_by_definition(y, a, b):
    def psi(p, n):
        return Fraction(1) if p > n else Fraction(int(p == n), 2)

    pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    v = [[sum(psi(s[i], s[j]) for j in neg) / len(neg) for i in pos] for s in (a, b)]
    w = [[sum(psi(s[i], s[j]) for i in pos) / len(pos) for j in neg] for s in (a, b)]
    total = Fraction(0)
    for side in (v, w):
        d = [x - z for x, z in zip(*side, strict=True)]
        mean = sum(d) / len(d)
        total += sum((x - mean) ** 2 for x in d) / (len(d) - 1) / len(d)
    return total


def test_weighted_and_repeated_rows_have_the_same_difference():
    y, a, b = two(n=80)
    w = np.random.default_rng(2).integers(1, 4, 80)
    weighted = rs.compare(y, {"a": a, "b": b}, sample_weight=w)
    repeated = rs.compare(np.repeat(y, w), {"a": np.repeat(a, w), "b": np.repeat(b, w)})
    assert weighted.difference == pytest.approx(repeated.difference, rel=1e-12)
    assert weighted.std_error > repeated.std_error  # sampling weights: three times one row is one row


@pytest.mark.parametrize("measure", SMOOTH)
def test_clusters_of_copies_are_the_rows_themselves(measure):
    y, a, b = two(n=90)
    once = rs.compare(y, {"a": a, "b": b}, measure=measure, cluster=np.arange(90))
    y3, a3, b3, g3 = (np.repeat(x, 3) for x in (y, a, b, np.arange(90)))
    thrice = rs.compare(y3, {"a": a3, "b": b3}, measure=measure, cluster=g3)
    assert thrice.difference == pytest.approx(once.difference, rel=1e-11)
    assert thrice.std_error == pytest.approx(once.std_error, rel=1e-9)
    assert thrice.pvalue == pytest.approx(once.pvalue, rel=1e-8)


def test_many_models_are_their_pairs():
    y, a, b = two()
    rng = np.random.default_rng(9)
    given = {"a": a, "b": b, "c": rng.random(120), "d": a}
    found = rs.compare(y, given)
    assert len(found) == 6
    for row in found:
        alone = rs.compare(y, {name: given[name] for name in row.names})
        assert (row.difference, row.pvalue, row.interval) == (alone.difference, alone.pvalue, alone.interval)
    assert found["a", "d"].pvalue == 1
    assert found.omnibus.df == 2  # two of the four are one
    ps = [row.pvalue for row in found]
    holm = sorted(ps)
    assert min(row.adjusted_pvalue for row in found) == pytest.approx(min(1, 6 * holm[0]))
    assert [row.adjusted_pvalue for row in rs.compare(y, given, adjust="none")] == ps


# --------------------------------------------------------------------------------------------------- edges


def test_identical_models():
    y, a, _ = two()
    for method in ("auto", "delong", "influence", "hanley-mcneil", "permutation"):
        found = rs.compare(y, {"a": a, "copy": np.exp(a)}, method=method)
        assert found.difference == 0
        assert found.pvalue == 1
    assert "identical" in [note.code for note in rs.compare(y, {"a": a, "b": a}).notes]
    assert math.isnan(rs.compare(y, {"a": a, "b": a}, margin=0.01).pvalue)  # see the interval


def test_both_perfect_is_said_and_has_an_interval():
    y = [0] * 12 + [1] * 12
    found = rs.compare(y, {"a": y, "b": np.array(y) * 5.0 + np.arange(24) / 100})
    assert (found.difference, found.pvalue) == (0, 1)
    assert "both-perfect" in [note.code for note in found.notes]
    assert found.interval.low < -0.1 < 0.1 < found.interval.high


def test_no_variation_has_no_p_value():
    found = rs.compare([0, 0, 1, 1], {"a": [0, 0, 1, 1], "b": [1, 1, 0, 0]})
    assert found.difference == 1
    assert math.isnan(found.pvalue)
    assert "no-variation" in [note.code for note in found.notes]
    assert found.interval.low < 1 == found.interval.high
    assert json.loads(found.to_json())["pvalue"] is None


def test_a_single_positive_has_no_p_value():
    found = rs.compare([0, 0, 0, 1], {"a": [1, 2, 3, 4], "b": [1, 2, 4, 3]})
    assert math.isnan(found.pvalue)
    assert "single-row" in [note.code for note in found.notes]


def test_hardly_any_difference_is_said():
    y, a, _ = two()
    b = a.copy()
    b[:3] += 0.3
    assert "low-power" in [note.code for note in rs.compare(y, {"a": a, "b": b}).notes]


def test_p_values_beyond_floats():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 4000)
    s = rng.normal(size=8000) + 3 * y
    found = rs.compare(y, {"good": s, "useless": rng.normal(size=8000)})
    assert found.log10_pvalue < -300
    assert math.isfinite(found.log10_pvalue)
    assert "p = 1e-" in repr(found)


@pytest.mark.parametrize("df", [3.0, 17.5, 200.0, 5e4, 1e8, None])
def test_tails(df):
    for x in (-2.0, 0.0, 0.5, 3.0, 9.0):
        law = stats.norm if df is None else stats.t(df)
        for alternative, expected in (("greater", law.sf(x)), ("less", law.cdf(x)), ("two-sided", 2 * law.sf(abs(x)))):
            found = p_value(x, df, alternative)
            assert found.p == pytest.approx(expected, rel=1e-9)
            assert found.log10 == pytest.approx(math.log10(expected), rel=1e-9, abs=1e-12)


def test_far_tails_have_logarithms():
    assert p_value(45.0, None, "greater").log10 == pytest.approx(stats.norm.logsf(45) / math.log(10), rel=1e-12)
    x, df = 80.0, 600.0
    density = stats.t.logpdf(x, df) / math.log(10)
    shares = [math.log10((df + x * x) / (x * (df + i))) for i in (1, 0)]  # of a tail in its density: below, above
    assert density + shares[0] < p_value(x, df, "greater").log10 < density + shares[1]
    assert p_value(60.0, 1e7 * 2, "greater").log10 == pytest.approx(p_value(60.0, None, "greater").log10, rel=1e-2)
    assert chi_square_tail(3000.0, 4).log10 == pytest.approx(stats.chi2.logsf(1200, 4) / math.log(10) * 2.5, rel=0.02)
    assert math.isfinite(chi_square_tail(3000.0, 4).log10)


def test_non_inferiority_and_equivalence():
    y, a, b = two(n=2000, shift=0.02)
    plain = rs.compare(y, {"a": a, "b": b})
    close = rs.compare(y, {"a": a, "b": b}, margin=0.03)
    worse = rs.compare(y, {"a": a, "b": b}, margin=0.03, alternative="greater")
    better = rs.compare(y, {"a": a, "b": b}, margin=0.03, alternative="less")
    assert close.pvalue == pytest.approx(max(worse.pvalue, better.pvalue))
    t = (plain.difference + 0.03) / plain.std_error
    assert worse.pvalue == pytest.approx(stats.t(plain.df).sf(t), rel=1e-9)
    assert worse.interval.high == 1
    assert better.interval.low == -1
    assert worse.interval.low > plain.interval.low
    assert "non-inferiority" in repr(worse)
    assert "equivalence" in repr(close)


def test_one_sided_limits_are_those_of_the_two_sided_level():
    y, a, b = two()
    for method in ("auto", "delong", "bootstrap"):
        more = {"rng": 0} if method == "bootstrap" else {}
        both = rs.compare(y, {"a": a, "b": b}, confidence_level=0.9, method=method, **more)
        low = rs.compare(y, {"a": a, "b": b}, confidence_level=0.95, alternative="greater", method=method, **more)
        assert low.interval.low == pytest.approx(both.interval.low, rel=1e-12)


def test_rows_that_lack_a_score_of_one_model_are_left_out_of_all():
    y, a, b = two(n=60)
    gap_a, gap_b = a.copy(), b.copy()
    gap_a[3], gap_b[[5, 7]] = np.nan, np.nan
    found = rs.compare(y, {"a": gap_a, "b": gap_b}, missing="drop")
    keep = np.delete(np.arange(60), [3, 5, 7])
    assert found.difference == rs.compare(y[keep], {"a": a[keep], "b": b[keep]}).difference
    assert "3 rows" in " ".join(note.en for note in found.notes)
    with pytest.raises(errors.MissingValueError):
        rs.compare(y, {"a": gap_a, "b": b})


def test_low_scores_can_be_positive():
    y, a, b = two()
    up, down = rs.compare(y, {"a": a, "b": b}), rs.compare(y, {"a": -a, "b": -b}, higher_is_positive=False)
    assert (up.difference, up.pvalue, up.interval) == (down.difference, down.pvalue, down.interval)


def test_what_can_not_be_compared():
    y, a, b = two(n=40)
    with pytest.raises(errors.OptionError, match="two models"):
        rs.compare(y, {"a": a})
    with pytest.raises(errors.OptionError, match="different labels"):
        rs.evaluate(y, a).compare(rs.evaluate(1 - y, a))
    with pytest.raises(errors.OptionError, match="40 and 39 rows"):
        rs.evaluate(y, a).compare(rs.evaluate(y[1:], a[1:]))
    with pytest.raises(errors.OptionError, match="is a sweep"):
        rs.evaluate(y, a).compare(rs.Evaluation(rs.evaluate(y, b).sweep))
    with pytest.raises(errors.OptionError, match="delong"):
        rs.compare(y, {"a": a, "b": b}, measure="average_precision", method="delong")
    with pytest.raises(errors.OptionError, match="clustered"):
        rs.compare(y, {"a": a, "b": b}, cluster=np.arange(40), method="delong")
    with pytest.raises(errors.OptionError, match="draws nothing"):
        rs.compare(y, {"a": a, "b": b}, rng=1)
    with pytest.raises(errors.OptionError, match="margin"):
        rs.compare(y, {"a": a, "b": b}, margin=-0.1)
    with pytest.raises(errors.OptionError, match="margin"):
        rs.compare(y, {"a": a, "b": b}, margin=0.1, method="permutation")
    with pytest.raises(errors.UnknownNameError):
        rs.compare(y, {"a": a, "b": b}, method="student")
    with pytest.raises(errors.UnknownNameError):
        rs.compare(y, {"a": a, "b": b}, adjust="fdr")
    with pytest.raises(errors.OptionError, match="independent samples"):
        rs.compare(y, {"a": a, "b": b}, paired=False, method="permutation")
    with pytest.raises(errors.UndefinedMeasureError, match="infinite"):
        rs.compare([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]}, measure="d_prime")


@pytest.mark.parametrize("first", ["a", "b"])
def test_a_score_that_one_model_lacks_leaves_the_row_out_of_both(first):
    y, a, b = two()
    scores = {"a": a.copy(), "b": b.copy()}
    scores[first][:7] = np.nan
    found = rs.compare(y, scores, missing="drop")
    assert found.to_dict()["estimates"][0]["n_pos"] == y[7:].sum()
    assert found.difference == rs.compare(y[7:], {"a": a[7:], "b": b[7:]}).difference


def test_results_print_themselves():
    y, a, b = two()
    pair, many = rs.compare(y, {"a": a, "b": b}), rs.compare(y, {"a": a, "b|": b, "<c>": a + b})
    assert repr(pair).startswith("<roc_auc: a - b = ")
    assert "influence-t, two-sided" in repr(pair)
    assert "all alike: chi2(2) = " in repr(many)
    assert "&lt;c&gt;" in many._repr_html_()
    assert "b\\|" in many.to_markdown()
    assert json.loads(many.to_json())["rows"][0]["models"] == ["a", "b|"]
    assert many.to_frame("pandas").shape == (3, 11)
    assert float(pair) == pair.difference
    with pytest.raises(KeyError):
        many["x", "y"]


# --------------------------------------------------------------------------------- what a fresh pair of eyes found


@pytest.mark.parametrize("measure", ["roc_auc", "gini", "average_precision", "partial_auc(max_fpr=0.3)"])
def test_models_of_opposite_directions(measure):
    """The direction belongs to the model: the same ranking read from the other end is no difference."""
    y, a, b = two(n=80)
    up, down = rs.evaluate(y, a, name="up"), rs.evaluate(y, -a, higher_is_positive=False, name="down")
    other = rs.evaluate(y, b, name="b")
    for one, two_ in ((up, down), (down, up)):
        found = one.compare(two_, measure=measure)
        assert (found.difference, found.pvalue) == (0, 1)
    assert down.compare(other, measure=measure).pvalue == pytest.approx(up.compare(other, measure=measure).pvalue)
    assert down.compare(other, measure=measure).difference == up.compare(other, measure=measure).difference
    for method in ("bootstrap", "permutation", "venkatraman"):
        with pytest.raises(errors.OptionError, match="low ones of another"):
            up.compare(down, measure=measure, method=method, rng=1)


@pytest.mark.parametrize("method", ["auto", "influence", "delong", "hanley-mcneil", "bootstrap"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_no_variation_proves_no_margin(method, alternative):
    drawn = {"rng": 1} if method == "bootstrap" else {}
    if method == "hanley-mcneil":
        y, s = [0, 1, 0, 1, 1, 0, 0, 1], [1, 2, 3, 4, 5, 6, 7, 8]  # its standard error is 0 for the correlation is 1
    else:
        y, s = [0, 0, 0, 0, 1, 1, 1, 1], range(8)
    found = rs.compare(y, {"a": s, "b": s}, margin=0.01, method=method, alternative=alternative, **drawn)
    assert found.difference == 0
    assert math.isnan(found.pvalue)
    assert "no-error-seen" in [note.code for note in found.notes]


def test_non_inferiority_on_few_rows_is_not_claimed_by_luck():
    """A model worse by .08 with a margin of .02, eight rows a class: once 10 % were wrongly called non-inferior."""
    rng, claims = np.random.default_rng(3), 0
    y = np.repeat([1, 0], 8)
    for _ in range(300):
        common = rng.normal(size=16) + 2.6 * y
        a, b = common + 0.5 * rng.normal(size=16) - 0.9 * y, common + 0.1 * rng.normal(size=16)
        claims += rs.compare(y, {"a": a, "b": b}, margin=0.02, alternative="greater").pvalue <= 0.05
    assert claims / 300 < 0.065 + 2 * math.sqrt(0.05 * 0.95 / 300)


def test_a_single_cluster_has_no_p_value():
    y, s = np.repeat([1, 0], 10), np.random.default_rng(1).permutation(20)
    for method in ("auto", "influence", "bootstrap"):
        drawn = {"rng": 0} if method == "bootstrap" else {}
        found = rs.compare(y, {"a": s, "b": np.tile([1, 0], 10)}, cluster=np.ones(20), method=method, **drawn)
        assert math.isnan(found.pvalue)
        assert found.interval is None or "zero-width" in [note.code for note in found.notes]
        if found.interval is None:
            assert "no-interval" in [note.code for note in found.notes]
            assert found.std_error is None
    one_each = rs.compare([0, 1], {"a": [0, 1], "b": [0, 1]}, measure="average_precision")
    assert math.isnan(one_each.pvalue)


def test_rates_of_models_that_seldom_disagree_keep_an_interval():
    y, z = np.repeat([1, 0], 10), np.tile([0, 1], 10)
    found = rs.compare(y, {"a": z, "b": z}, measure="accuracy(threshold=0.5)")
    assert found.interval.low < -0.05
    rng, hits, n = np.random.default_rng(5), 0, 100
    labels = np.arange(n) % 2
    for _ in range(300):  # they agree but for one row in fifty
        right = rng.random(n) < 0.52
        other = right & (rng.random(n) >= 0.02 / 0.52)
        models = {k: np.where(r, labels, 1 - labels) for k, r in (("a", right), ("b", other))}
        interval = rs.compare(labels, models, measure="accuracy(threshold=0.5)").interval
        hits += interval.low <= 0.02 <= interval.high
    assert hits / 300 > 0.93 - 2 * math.sqrt(0.05 * 0.95 / 300)


def test_the_standard_error_is_that_of_the_test():
    y, a, b = two(n=60)
    for method in ("auto", "delong", "hanley-mcneil", "bootstrap"):
        drawn = {"rng": 1} if method == "bootstrap" else {}
        found = rs.compare(y, {"a": a, "b": b}, method=method, **drawn)
        assert found.difference / found.std_error == pytest.approx(found.statistic, rel=1e-12)


def test_remarks_on_small_data_reach_a_comparison():
    y, a, b = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7, 8], [1, 2, 5, 6, 3, 4, 7, 8]
    found = rs.compare(y, {"a": a, "b": b})
    assert "few-rows" in [note.code for note in found.notes]
    assert "few-rows" in [note.code for note in found.estimates[0].notes]


def test_an_adjusted_p_value_is_never_printed_too_small():
    n = 20_000
    y = np.arange(n) % 2
    rng = np.random.default_rng(0)
    models = {"a": y + 0.3 * rng.normal(size=n), "b": rng.normal(size=n), "c": rng.normal(size=n)}
    assert "<1e-300" in repr(rs.compare(y, models))


# -------------------------------------------------------------------------- the interval, read backwards


@pytest.mark.parametrize("measure", ["roc_auc", "average_precision", "brier_score", "recall(threshold=0.6)"])
@pytest.mark.parametrize("cluster", [None, np.arange(60) // 3])
def test_the_interval_of_level_1_less_p_ends_at_no_difference(measure, cluster):
    y, a, b = two(n=60)
    models = {"a": 1 / (1 + np.exp(-a)), "b": 1 / (1 + np.exp(-b))}
    found = rs.compare(y, models, measure=measure, method="mover", cluster=cluster)
    assert 0 < found.pvalue < 1
    ends = rs.compare(y, models, measure=measure, cluster=cluster, confidence_level=1 - found.pvalue).interval
    assert min(abs(ends.low), abs(ends.high)) < 1e-6
    assert found.interval == rs.compare(y, models, measure=measure, cluster=cluster).interval
    up, down = (
        rs.compare(y, models, measure=measure, method="mover", cluster=cluster, alternative=side).pvalue
        for side in ("greater", "less")
    )
    assert up + down == pytest.approx(1)
    assert 2 * min(up, down) == pytest.approx(found.pvalue, rel=1e-6)


def test_the_interval_read_backwards_answers_for_margins():
    y, a, b = two(n=60)
    models = {"a": a, "b": b}
    for margin in (0.01, 0.1, 0.5):
        found = rs.compare(y, models, method="mover", margin=margin)
        level = 1 - 2 * found.pvalue  # two one-sided tests: the interval of level 1 - 2p just fits between the margins
        if level > 0:
            inner = rs.compare(y, models, confidence_level=level).interval
            assert max(-inner.low, inner.high) == pytest.approx(margin, abs=1e-6)
        worse = rs.compare(y, models, method="mover", margin=margin, alternative="greater")
        assert worse.pvalue <= found.pvalue * (1 + 1e-9)
    same = rs.compare(y, {"a": a, "b": a}, method="mover", margin=0.3)
    assert 0 < same.pvalue < 0.05  # what no test by a standard error of 0 can say
    assert rs.compare(y, {"a": a, "b": a}, method="mover").pvalue == 1


def test_a_p_value_that_the_interval_can_not_tell_from_0_is_an_upper_bound():
    y = np.repeat([1, 0], 2000)
    found = rs.compare(y, {"a": y + np.linspace(0, 0.5, 4000), "b": np.tile([1, 0], 2000)}, method="mover")
    assert found.pvalue == 1e-12
    assert "p-at-most" in [note.code for note in found.notes]


def test_a_test_that_contradicts_its_interval_says_so():
    rng, ill = np.random.default_rng(0), np.arange(110) < 10
    common, models = rng.normal(size=110), {}
    for name, width, noise in zip(("wide", "narrow"), (2, 0.5), rng.normal(size=(2, 110)), strict=True):
        score = (common + noise / 2) / math.hypot(1, 0.5)
        models[name] = np.where(ill, width * score + 1.2816 * math.hypot(1, width), score)
    found = rs.compare(ill, models)
    assert found.pvalue < 0.05
    assert found.interval.low < 0 < found.interval.high
    assert "p-against-interval" in [note.code for note in found.notes]
    inverted = rs.compare(ill, models, method="mover")
    assert inverted.pvalue > 0.05
    assert "p-against-interval" not in [note.code for note in inverted.notes]
    assert "p-against-interval" not in [note.code for note in rs.compare(ill, models, confidence_level=0.995).notes]
