"""Plans by simulation: the power claimed is the power had, and the width claimed is the width got.

The normal approximation is not exact with few rows or near 1, so the bar is the Monte Carlo error plus a stated
allowance; a plan with a standard error 15 % too small must fail it.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsolid as rs
from rocsolid.measures.ranking import d_prime_of_auc

pytestmark = [pytest.mark.statistical, pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")]

OFF = 0.025
"""What the normal approximation may be off in these cells, apart from the Monte Carlo error."""


def replicates(nightly):
    return 20_000 if nightly else 2_000


def slack(p, r):
    return OFF + 3.9 * math.sqrt(p * (1 - p) / r)


def distance(auc, b=1.0):
    return d_prime_of_auc(auc) / math.sqrt(2) * math.hypot(1, 1 / b)


def pairs(pos, neg):
    """(..., m, n) comparisons of continuous scores."""
    return (pos[..., :, None] > neg[..., None, :]).astype(np.float32)


def in_batches(r, draw, size=100):
    return np.concatenate([draw(size) for _ in range(-(-r // size))])


def power_against(r, m, n, auc, null, b=1.0, alpha=0.05):
    """Share of samples in which the z test with the standard error under the null rejects towards the truth."""
    rng = np.random.default_rng((m, n, 1))
    se = math.sqrt(rs.inference.area_variances.binormal_variance(null, m, n, b))
    z = rs.inference.limits.normal_quantile(1 - alpha)

    def draw(k):
        pos, neg = rng.normal(distance(auc, b), 1 / b, (k, m)), rng.normal(size=(k, n))
        return pairs(pos, neg).mean((1, 2))

    return float(((in_batches(r, draw) - null) / se > z).mean())


@pytest.mark.parametrize(
    ("m", "n", "auc", "null", "b"),
    [(30, 60, 0.7, 0.5, 1.0), (93, 186, 0.8, 0.7, 1.0), (60, 60, 0.85, 0.75, 0.5), (40, 200, 0.9, 0.8, 1.0)],
)
def test_power_against_a_value(m, n, auc, null, b, nightly):
    r = replicates(nightly)
    claimed = rs.power(rs.AucAgainst(auc=auc, null=null, sd_ratio=b), n_pos=m, n_neg=n).value
    assert abs(power_against(r, m, n, auc, null, b) - claimed) < slack(claimed, r)


def test_the_bar_catches_a_planted_error(nightly):
    r = replicates(nightly)
    design = rs.AucAgainst(auc=0.8, null=0.7)
    wrong = rs.power(design, n_pos=round(93 * 1.15**2), n_neg=round(186 * 1.15**2)).value
    assert abs(power_against(r, 93, 186, 0.8, 0.7) - wrong) > 0.03


def power_of_difference(r, m, n, auc_a, auc_b, rho, alpha=0.05):
    """Share of samples in which DeLong's z test finds that the better model is better."""
    rng = np.random.default_rng((m, n, 2))
    root, z = math.sqrt(1 - rho * rho), rs.inference.limits.normal_quantile(1 - alpha)

    def scores(k, size, shift):
        first = rng.normal(size=(k, size))
        return first + shift[0], rho * first + root * rng.normal(size=(k, size)) + shift[1]

    def draw(k):
        pos, neg = scores(k, m, (distance(auc_a), distance(auc_b))), scores(k, n, (0, 0))
        gap = pairs(pos[0], neg[0]) - pairs(pos[1], neg[1])
        v = gap.mean(2).var(1, ddof=1) / m + gap.mean(1).var(1, ddof=1) / n
        return gap.mean((1, 2)) / np.sqrt(v)

    return float((in_batches(r, draw) > z).mean())


@pytest.mark.parametrize(
    ("m", "n", "auc_a", "auc_b", "rho"),
    [(74, 74, 0.85, 0.80, 0.9), (100, 100, 0.8, 0.7, 0.3), (40, 160, 0.9, 0.8, 0.5)],
)
def test_power_of_a_paired_difference(m, n, auc_a, auc_b, rho, nightly):
    r = replicates(nightly)
    design = rs.PairedDifference(auc_a=auc_a, auc_b=auc_b, correlation=rho)
    claimed = rs.power(design, n_pos=m, n_neg=n).value
    assert abs(power_of_difference(r, m, n, auc_a, auc_b, rho) - claimed) < slack(claimed, r)


def test_power_of_an_unpaired_difference(nightly):
    r = replicates(nightly)
    rng = np.random.default_rng(3)

    def draw(k):
        parts = [pairs(rng.normal(distance(a), 1, (k, 80)), rng.normal(size=(k, 120))) for a in (0.85, 0.75)]
        v = sum(p.mean(2).var(1, ddof=1) / 80 + p.mean(1).var(1, ddof=1) / 120 for p in parts)
        return (parts[0].mean((1, 2)) - parts[1].mean((1, 2))) / np.sqrt(v)

    claimed = rs.power(rs.UnpairedDifference(auc_a=0.85, auc_b=0.75), n_pos=80, n_neg=120).value
    assert abs(float((in_batches(r, draw) > 1.96).mean()) - claimed) < slack(claimed, r)


def mean_half_width(r, draw, measure):
    found = [rs.evaluate(*draw(np.random.default_rng((seed, 4)))).measure(measure).interval for seed in range(r)]
    return float(np.mean([i.width for i in found])) / 2


def rows(rng, m, n, auc):
    y = np.repeat([1, 0], [m, n])
    return y, rng.normal(size=m + n) + distance(auc) * y


@pytest.mark.parametrize(("m", "n", "auc"), [(100, 200, 0.9), (200, 200, 0.75), (60, 600, 0.8)])
def test_half_width_of_an_area(m, n, auc, nightly):
    r = 2000 if nightly else 200
    planned = rs.half_width(rs.AucWidth(auc=auc), n_pos=m, n_neg=n).value
    got = mean_half_width(r, lambda rng: rows(rng, m, n, auc), "roc_auc")
    assert 0.97 < got / planned < 1.12  # the default interval allows for rows that were not seen


@pytest.mark.parametrize(("n", "share", "auc"), [(2000, 0.1, 0.85), (4000, 0.05, 0.9)])
def test_half_width_of_an_average_precision(n, share, auc, nightly):
    r = 2000 if nightly else 200
    m = round(n * share)
    ap, _ = rs.inference.area_variances.binormal_average_precision(distance(auc), share)
    planned = rs.half_width(rs.AveragePrecisionWidth(average_precision=ap), n_pos=m, n_neg=n - m).value

    def draw(rng):
        k = rng.binomial(n, share)
        return rows(rng, k, n - k, auc)

    assert 0.97 < mean_half_width(r, draw, "average_precision") / planned < 1.12


@pytest.mark.parametrize(("m", "n", "auc", "fpr", "b"), [(200, 400, 0.85, 0.1, 1.0), (100, 1000, 0.9, 0.05, 0.5)])
def test_standard_error_of_recall_at_an_fpr(m, n, auc, fpr, b, nightly):
    r = replicates(nightly)
    rng = np.random.default_rng(5)
    d, cut = distance(auc, b), -rs.inference.area_variances.normal_inverse(fpr)
    recall = rs.inference.area_variances.normal_cdf((d - cut) * b)

    def draw(k):
        pos, neg = rng.normal(d, 1 / b, (k, m)), np.sort(rng.normal(size=(k, n)))
        at = neg[:, n - round(fpr * n) - 1]
        return (pos > at[:, None]).mean(1)

    claimed = rs.half_width(rs.RecallWidth(recall=recall, fpr=fpr, sd_ratio=b), n_pos=m, n_neg=n).details["std_error"]
    assert in_batches(r, draw).std() / claimed == pytest.approx(1, abs=0.04 + 3 / math.sqrt(2 * r))
