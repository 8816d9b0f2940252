"""Interval methods of the areas: ROC-AUC and average precision."""

from __future__ import annotations

import math

from rocsolid.inference import effective_error as ee
from rocsolid.inference import limits as lim
from rocsolid.inference.case import SINGLE_ROW, Case, Found, Method, clipped, influence, on_logit
from rocsolid.inference.covariance import Variance, variance
from rocsolid.measures.ranking import AVERAGE_PRECISION, ROC_AUC, roc_sums
from rocsolid.sweep import Sweep


def delong(sweep: Sweep) -> Variance:
    """DeLong's variance of an ROC-AUC by class; from whole numbers where there are no weights. O(k)."""
    if sweep.weights is not None:
        assert ROC_AUC.gradient is not None
        return variance(ROC_AUC.gradient(sweep, None), sweep, "fixed")
    u2, a2, b2 = roc_sums(sweep)
    m, n = sweep.n_pos, sweep.n_neg
    return Variance(_placement_variance(a2, u2, m, n), _placement_variance(b2, u2, n, m), 0.0)


def _placement_variance(squares: int, total: int, own: int, other: int) -> float:
    """Variance of the mean placement: [own * sum a^2 - (sum a)^2] / [own^2 (own - 1) (2 other)^2], exactly."""
    if own < 2:
        return math.nan
    return (own * squares - total * total) / (own * own * (own - 1) * 4 * other * other)


def _auc_auto(case: Case) -> Found:
    """The effective-error rule; a class with a single row counts as one without visible spread."""
    parts = delong(case.sweep)
    pos, neg = (0.0 if math.isnan(v) else v for v in (parts.pos, parts.neg))
    sides = ee.ClassSpread(case.n_pos, pos * case.n_pos), ee.ClassSpread(case.n_neg, neg * case.n_neg)
    se = None if math.isnan(parts.total) else math.sqrt(parts.total)
    return Found(ee.auc_limits(case.value, *sides, case.level), se)


def _auc_delong(case: Case) -> Found:
    total = delong(case.sweep).total
    if math.isnan(total):
        return Found(None, None, (SINGLE_ROW,))
    return clipped(lim.wald(case.value, math.sqrt(total), case.z), math.sqrt(total))


def _auc_logit(case: Case) -> Found:
    total = delong(case.sweep).total
    return Found(None, None, (SINGLE_ROW,)) if math.isnan(total) else on_logit(case, math.sqrt(total), case.z)


def _auc_logit_t(case: Case) -> Found:
    parts = delong(case.sweep)
    if math.isnan(parts.total):
        return Found(None, None, (SINGLE_ROW,))
    df = lim.satterthwaite(parts.pos, case.n_pos - 1, parts.neg, case.n_neg - 1)
    return on_logit(case, math.sqrt(parts.total), lim.t_quantile(df, case.level))


def _auc_newcombe(case: Case) -> Found:
    return Found(lim.newcombe(case.value, case.n_pos, case.n_neg, case.z), None)


def _auc_hanley_mcneil(case: Case) -> Found:
    se = lim.hanley_mcneil_se(case.value, case.n_pos, case.n_neg)
    return clipped(lim.wald(case.value, se, case.z), se)


# ------------------------------------------------------------------------------------ average precision


def _ap_auto(case: Case) -> Found:
    assert AVERAGE_PRECISION.gradient is not None
    rows = ee.precision_rows(case.sweep)
    gradient = AVERAGE_PRECISION.gradient(case.sweep, case.request.options)
    limits = ee.ap_limits(case.value, rows, gradient, case.sweep, case.margins, case.level)
    total = variance(gradient, case.sweep, case.margins).total
    return Found(limits, None if math.isnan(total) else math.sqrt(total))


def _ap_boyd(case: Case) -> Found:
    """Logit interval with the binomial variance, n = positives (Boyd, Eng & Page 2013, ECML-PKDD, section 3.2)."""
    se = math.sqrt(case.value * (1 - case.value) / case.n_pos)
    return on_logit(case, se, case.z)


def _ap_binomial(case: Case) -> Found:
    se = math.sqrt(case.value * (1 - case.value) / case.n_pos)
    return clipped(lim.wald(case.value, se, case.z), se)


ROC_AUC_METHODS: dict[str, Method] = {
    "effective-error": _auc_auto,
    "delong": _auc_delong,
    "logit": _auc_logit,
    "logit-t": _auc_logit_t,
    "newcombe": _auc_newcombe,
    "hanley-mcneil": _auc_hanley_mcneil,
    "influence": influence,
}
AVERAGE_PRECISION_METHODS: dict[str, Method] = {
    "effective-error": _ap_auto,
    "boyd": _ap_boyd,
    "binomial": _ap_binomial,
    "influence": influence,
}
