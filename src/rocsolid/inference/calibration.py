"""Interval methods of calibration measures."""

from __future__ import annotations

import math

from rocsolid.inference import clustered as clusters
from rocsolid.inference import effective_error as ee
from rocsolid.inference import limits as lim
from rocsolid.inference.case import INFINITE, NO_SPREAD, SINGLE_ROW, Case, Found, Method, influence, standard_error
from rocsolid.inference.without_interval import without_default
from rocsolid.measures.ranking import class_shares
from rocsolid.results import Note

BIASED = Note(
    "no-default-interval",
    "no interval by default: this number is never negative, so that noise makes it too large on average and its error "
    "is no normal one; a bootstrap can be had by name, and a test of calibration says more",
    "默认没有区间：此值不会为负，噪声使其平均偏大，且误差不服从正态；可指名使用 bootstrap，而校准检验更说明问题",
)
FLAT = Note(
    "no-default-interval",
    "no interval by default: it depends on the prevalence alone, see that; a bootstrap can be had by name",
    "默认没有区间：它只取决于正例比例，请看后者；可指名使用 bootstrap",
)

BIASED_PARTS = tuple(
    f"{score}_{part}"
    for score in ("brier", "log")
    for part in ("reliability", "resolution", "miscalibration", "discrimination")
)
RECALIBRATED = ("calibration_slope", "calibration_intercept", "calibration_in_the_large")
GAPS = ("ece", "mce", "ici_isotonic", "e50_isotonic", "e90_isotonic", "emax_isotonic")
FLAT_PARTS = ("brier_uncertainty", "log_uncertainty")


def _biased(case: Case) -> Found:
    return Found(None, None, (BIASED,))


def _flat(case: Case) -> Found:
    return Found(None, None, (FLAT,))


def _log_ratio(case: Case) -> Found:
    """Wald on the logarithm of a ratio, from the standard error of its influence function."""
    se = standard_error(case)
    if math.isnan(se):
        return Found(None, None, (SINGLE_ROW,))
    if case.value <= 0:
        return Found(None, se, (NO_LOG,))
    half = case.z * se / case.value
    return Found(lim.on_log(case.value, half), se)


NO_LOG = Note(
    "no-logarithm",
    "no interval: without a positive the ratio is 0, and its logarithm infinite",
    "没有区间：没有正例时比值为 0，其对数为无穷大",
)


def _wald_t(case: Case) -> Found:
    """Wald with the quantile of Student's t for as many rows as the scarcer class has, less two."""
    found = influence(case)
    if found.std_error is None:
        return found
    quantile = lim.t_quantile(max(1.0, min(case.n_pos, case.n_neg) - 2), case.level)
    return Found(lim.clip(lim.wald(case.value, found.std_error, quantile), *case.request.range), found.std_error)


def _skill_log_t(case: Case) -> Found:
    """Symmetric on the logarithm of what is left of the baseline's loss, 1 - D2, with the quantile of :func:`_wald_t`.

    Simulated over 26 populations from ten positives on (prevalence .002 to .9, scores too sure, too flat and shifted):
    the two D2 cover in .937 to .99 of the samples, where Wald's interval goes down to .91. Of the Brier skill score it
    covers .89 where 33 of 5,000 rows are positive and scores are too low, so that it is no default there.
    """
    if not math.isfinite(case.value):
        return Found(None, None, (INFINITE,))
    se = standard_error(case)
    if math.isnan(se) and case.margins == "random":
        se = _error_of_one_sample(case)
    if math.isnan(se):
        return Found(None, None, (SINGLE_ROW,))
    left = 1 - case.value
    if left <= 0 or se == 0:
        return Found(None, se, (NO_SPREAD,))
    quantile = lim.t_quantile(max(1.0, min(case.n_pos, case.n_neg) - 2), case.level)
    half = min(quantile * se / left, 700.0)  # beyond, a float overflows
    return Found((1 - left * math.exp(half), 1 - left * math.exp(-half)), se)


def _error_of_one_sample(case: Case) -> float:
    """Standard error where a class has a single row: rows are one sample then, whatever their class. O(k)."""
    sweep, gradient = case.sweep, case.request.measure.gradient
    assert gradient is not None
    found, (share, complement) = gradient(sweep, case.request.options), class_shares(sweep)
    on_pos = found.pos / share + complement * found.prevalence
    on_neg = found.neg / complement - share * found.prevalence
    n, mass = sweep.n_pos + sweep.n_neg, float(sweep.pos_mass.sum()) + float(sweep.neg_mass.sum())
    around = ee.squares(on_pos, sweep.pos_square) + ee.squares(on_neg, sweep.neg_square)
    return math.sqrt(around / mass**2 * n / (n - 1)) if n > 2 else math.nan


SKILL: dict[str, Method] = {"log-t": _skill_log_t, "influence": influence}
CALIBRATION_METHODS: dict[str, dict[str, Method]] = {
    **{name: {"none": _biased, "influence": influence} for name in BIASED_PARTS},
    **{name: {"none": _flat, "influence": influence} for name in FLAT_PARTS},
    **{name: {"none": _biased} for name in GAPS},
    **{name: {"wald-t": _wald_t, "influence": influence} for name in RECALIBRATED},
    "oe_ratio": {"log": _log_ratio, "influence": influence},
    "d2_log_loss": SKILL,
    "d2_absolute_error": SKILL,
    "brier_skill_score": without_default(SKILL),
}
CLUSTERED_CALIBRATION: dict[str, dict[str, Method]] = {
    **{name: {"none": _biased, **clusters.GRADIENT_METHODS} for name in BIASED_PARTS},
    **{name: {"none": _flat, **clusters.GRADIENT_METHODS} for name in FLAT_PARTS},
    **{name: {"none": _biased} for name in GAPS},
}
"""With clusters, the others have the intervals of every measure with a gradient."""
