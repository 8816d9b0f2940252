"""Reference values handed over as JSON: recorded from R and Python packages and from papers."""

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.inference import limits as lim
from rocsolid.measures.ranking import d_prime_of_auc, expected_random_ap

CASES = Path(__file__).parent / "cases"


def load(topic):
    cases = json.loads((CASES / f"{topic}.json").read_text())
    assert cases, topic
    return [pytest.param(case, id=case["name"]) for case in cases]


def close(got, expected, tolerance):
    """Absolute tolerance, relative above 1, as the cases define it."""
    return abs(got - expected) <= tolerance * max(1.0, abs(expected))


def evaluate(case, **options):
    return rs.evaluate(case["inputs"]["labels"], case["inputs"]["scores"], **options)


def check(case, computed):
    """Compare every expected value; a name that nothing computes is a failure, never a silent pass."""
    wrong = {}
    for name, expected in case["expected"].items():
        got = computed[name]() if callable(computed[name]) else computed[name]
        pairs = zip(got, expected, strict=True) if isinstance(expected, list) else [(got, expected)]
        if not all(close(g, e, case["tolerance"]) for g, e in pairs):
            wrong[name] = (got, expected)
    assert not wrong


@pytest.fixture(autouse=True)
def _small_samples_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsolidWarning)
        yield


@pytest.mark.parametrize("case", load("point_measures"))
def test_point_measures(case):
    ev = evaluate(case)
    auc = ev.roc_auc()
    roc = ev.curve("roc")
    computed = {
        "auc": auc.value,
        "gini": lambda: ev.measure("gini").value,
        "mann_whitney_u": auc.details["concordant"] + auc.details["tied"] / 2,
        "ks": float(np.max(roc.tpr - roc.fpr)),
        "average_precision": ev.average_precision().value,
        "d_prime": lambda: ev.measure("d_prime").value,
    }
    check(case, computed)


@pytest.mark.parametrize("case", [p for p in load("auc_intervals") if "labels" in p.values[0]["inputs"]])
def test_auc_intervals(case):
    ev = evaluate(case)

    def interval(method, level=0.95):
        found = ev.roc_auc(method=method, confidence_level=level).interval
        return [found.low, found.high]

    def df():
        from rocsolid.inference.areas import delong

        parts = delong(ev.sweep)
        return lim.satterthwaite(parts.pos, ev.sweep.n_pos - 1, parts.neg, ev.sweep.n_neg - 1)

    se = ev.roc_auc(method="delong").std_error
    computed = {
        "delong_var": se**2,
        "delong_se": se,
        "hanley_mcneil_se": ev.roc_auc(method="hanley-mcneil").std_error,
        "delong_ci95_clipped": lambda: interval("delong"),
        "delong_ci90_clipped": lambda: interval("delong", 0.90),
        "newcombe5_ci95": lambda: interval("newcombe"),
        "hanley_mcneil_ci95_clipped": lambda: interval("hanley-mcneil"),
        "delong_logit_ci95": lambda: interval("logit"),
        "delong_satterthwaite_df": df,
        "delong_logit_t_ci95": lambda: interval("logit-t"),
    }
    check(case, computed)


@pytest.mark.parametrize("case", [p for p in load("auc_intervals") if "labels" not in p.values[0]["inputs"]])
def test_hanley_mcneil_from_summary_numbers(case):
    given = {**case["inputs"], **case["params"]}
    auc, m, n = given["auc"], given["n_pos"], given["n_neg"]
    z = lim.normal_quantile(0.95)
    se = lim.hanley_mcneil_se(auc, m, n)
    computed = {
        "se": se,
        "ci_unclipped": lim.wald(auc, se, z),
        "ci_clipped": lim.clip(lim.wald(auc, se, z)),
        "ci_logit": lambda: lim.on_logit(auc, se, z),
    }
    check(case, computed)


@pytest.mark.parametrize("case", load("weights"))
def test_weights(case):
    inputs = case["inputs"]
    weighted = evaluate(case, sample_weight=inputs["weights"])
    computed = {
        "weighted_auc": weighted.roc_auc().value,
        "weighted_average_precision": weighted.average_precision().value,
        "weighted_pr_davis_goadrich": math.nan,
    }
    if "auc_replicated" in case["expected"]:
        repeat = np.asarray(inputs["weights"])
        rows = rs.evaluate(np.repeat(inputs["labels"], repeat), np.repeat(inputs["scores"], repeat))
        y, w = np.asarray(inputs["labels"]), np.asarray(inputs["weights"])
        counts = rs.Evaluation(rs.Sweep.from_counts(inputs["scores"], w * y, w * (1 - y)))
        assert counts.sweep.scores.tolist() == rows.sweep.scores.tolist()
        computed |= {
            "auc_replicated": rows.roc_auc().value,
            "average_precision_replicated": rows.average_precision().value,
            "delong_var_if_frequency_weights": counts.roc_auc(method="delong").std_error ** 2,
        }
    expected = {
        k: v for k, v in case["expected"].items() if k != "weighted_pr_davis_goadrich"
    }  # an area of a later stage
    check({**case, "expected": expected}, computed)


@pytest.mark.parametrize("case", load("precision_recall"))
def test_average_precision_intervals(case):
    ev = evaluate(case)
    logit = ev.average_precision(method="boyd").interval
    binomial = ev.average_precision(method="binomial").interval
    expected = {k: v for k, v in case["expected"].items() if k.startswith("ap_")}
    assert set(expected) == {"ap_logit_ci95", "ap_binomial_ci95_unclipped"}
    expected["ap_binomial_ci95_unclipped"] = [
        max(0, expected["ap_binomial_ci95_unclipped"][0]),
        min(1, expected["ap_binomial_ci95_unclipped"][1]),
    ]
    computed = {
        "ap_logit_ci95": [logit.low, logit.high],
        "ap_binomial_ci95_unclipped": [binomial.low, binomial.high],
    }
    check({**case, "expected": expected}, computed)


def notes(name):
    return next(p.values[0] for p in load("notes") if p.values[0]["name"] == name)


def test_note_000():
    case = notes("note000")
    ev = evaluate(case)
    variant = rs.evaluate(case["inputs"]["labels_variant"], case["inputs"]["scores"])
    check(
        case,
        {
            "average_precision": ev.average_precision().value,
            "auc": ev.roc_auc().value,
            "average_precision_variant": variant.average_precision().value,
            "auc_variant": variant.roc_auc().value,
            "d_prime_auc_0.99": d_prime_of_auc(0.99),
            "d_prime_auc_0.999": d_prime_of_auc(0.999),
        },
    )
    assert abs(d_prime_of_auc(0.99) - 3.2899527143) < 5e-11
    assert abs(d_prime_of_auc(0.999) - 4.3702484383) < 5e-11


def test_note_001():
    case = notes("note001")
    ev = evaluate(case)
    roc, auc = ev.curve("roc"), ev.roc_auc()
    ranks = {
        s: 1 + sum(t < s for t in case["inputs"]["scores"]) + (case["inputs"]["scores"].count(s) - 1) / 2
        for s in case["inputs"]["scores"]
    }
    check(
        case,
        {
            "fpr": roc.fpr.tolist(),
            "tpr": roc.tpr.tolist(),
            "auc": auc.value,
            "concordant_pairs": auc.details["concordant"],
            "tied_pairs": auc.details["tied"],
            "positive_rank_sum": sum(
                ranks[s] for s, y in zip(case["inputs"]["scores"], case["inputs"]["labels"], strict=True) if y
            ),
            "rank_loss": 1 - auc.value,
        },
    )
    assert auc.exact.limit_denominator() == auc.exact


def test_note_002():
    case = notes("note002_list")
    ev = evaluate(case)
    expected = {
        k: v for k, v in case["expected"].items() if k in ("auc", "average_precision", "concordant_pairs", "pairs")
    }
    auc = ev.roc_auc()
    assert (auc.exact.numerator, auc.exact.denominator) == (39, 50)
    computed = {
        "auc": auc.value,
        "average_precision": ev.average_precision().value,
        "concordant_pairs": auc.details["concordant"],
        "pairs": sum(auc.details[k] for k in ("concordant", "tied", "discordant")),
    }
    check({**case, "expected": expected}, computed)


@pytest.mark.parametrize("name", ["ap_chance_15_5", "ap_chance_1000_10"])
def test_chance_level_of_average_precision(name):
    case = notes(name)
    given = {**case["inputs"], **case["params"]}
    n, m = given["n"], given["n_pos"]
    check(case, {"expected_ap_random_ranking": expected_random_ap(m, n - m), "prevalence": m / n})
