"""Tests of a difference by name: a statistic, a p value, and limits of the difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rocsolid.errors import OptionError
from rocsolid.inference import bootstrap_limits as bl
from rocsolid.inference import limits as lim
from rocsolid.inference.areas import delong
from rocsolid.inference.bootstrap import paired_bootstrap, replicates
from rocsolid.inference.bootstrap_methods import TOO_FEW
from rocsolid.inference.case import ZERO_WIDTH
from rocsolid.inference.contrast import Subject
from rocsolid.inference.interval_test import SMALLEST, inverted
from rocsolid.inference.mover import difference_limits
from rocsolid.inference.pairs import Pair, Verdict
from rocsolid.inference.permutation import PermutationResult, paired_permutation
from rocsolid.inference.propagated import OF_RATES
from rocsolid.inference.rates import design_size
from rocsolid.inference.seeds import Resampling
from rocsolid.inference.tails import ONE, UNKNOWN, PValue, p_value
from rocsolid.inference.venkatraman import paired_venkatraman, unpaired_venkatraman
from rocsolid.inputs import Rows
from rocsolid.measures.registry import Proportion
from rocsolid.results import Note

Floats = npt.NDArray[np.float64]

ROUNDING = 1e-12
"""Differences among resamples that are no further apart than this are one and the same, rounded."""

IDENTICAL = Note(
    "identical",
    "no row tells the models apart: difference 0",
    "没有任何一行能区分两个模型：差为 0",
)
NO_SPREAD = Note(
    "no-variation",
    "no p value: the difference shows no variation in this sample; method='permutation' may have one",
    "没有 p 值：该样本中差值没有变化；method='permutation' 可能有 p 值",
)
NO_SPREAD_UNPAIRED = Note(
    "no-variation",
    "no p value: neither model's value shows any variation in its sample",
    "没有 p 值：两个模型的取值在各自样本中都没有变化",
)
P_AT_MOST = Note(
    "p-at-most",
    f"the p value is at most {SMALLEST:g}: no level of the interval nearer to 1 is told apart",
    f"p 值至多为 {SMALLEST:g}：更接近 1 的置信水平已无法区分",
)
NO_ERROR = Note(
    "no-error-seen",
    "no p value for a margin: a sample without variation does not show how large a difference may be; see the interval",
    "没有关于界值的 p 值：没有变化的样本无法显示差值可能有多大；请看区间",
)
SINGLE = Note(
    "single-row",
    "no p value: a class with a single row (or cluster) shows no variation",
    "没有 p 值：某一类只有一行（或一个群），看不到变化",
)

RATIOS = ("lr_positive", "diagnostic_odds_ratio")
"""Measures from 0 to infinity that are tested on their logarithms."""
LOGARITHMS = Note(
    "on-logarithms",
    "the test compares logarithms of the two ratios, the interval is that of their difference",
    "检验比较的是两个比值的对数，区间则是两者之差的区间",
)


INFINITE_RESAMPLES = Note(
    "infinite-resamples",
    "no p value and no interval: in some resamples a model's value is infinite",
    "没有 p 值和区间：在某些重抽样中模型的取值为无穷大",
)


def referred(case: Pair, se: float, df: float | None) -> tuple[float | None, PValue, tuple[Note, ...]]:
    """Refer the difference over its standard error to Student's t (``df=None``: to the normal distribution)."""
    terms = case.terms
    return refer(case.contrast.difference, se, df, terms.margin, terms.alternative, paired=terms.paired)


def refer(
    d: float, se: float, df: float | None, margin: float | None, alternative: str, *, paired: bool = True
) -> tuple[float | None, PValue, tuple[Note, ...]]:
    """Refer a difference over its standard error to Student's t: statistic, p value and remarks. O(1)."""
    if math.isnan(se):
        return None, UNKNOWN, (SINGLE,)
    if se == 0:
        return None, *_without_spread(d, margin, paired=paired)
    if margin is None:
        return d / se, p_value(d / se, df, alternative), ()
    above, below = p_value((d + margin) / se, df, "greater"), p_value((d - margin) / se, df, "less")
    if alternative == "two-sided":
        return d / se, max(above, below, key=lambda p: p.p), ()
    side = (d + margin) / se if alternative == "greater" else (d - margin) / se
    return side, above if alternative == "greater" else below, ()


def _without_spread(d: float, margin: float | None, *, paired: bool) -> tuple[PValue, tuple[Note, ...]]:
    """No row tells the models apart: nothing speaks for a difference, and no error for less than a margin."""
    if d:
        return UNKNOWN, (NO_SPREAD if paired else NO_SPREAD_UNPAIRED,)
    return (ONE, (IDENTICAL,)) if margin is None else (UNKNOWN, (IDENTICAL, NO_ERROR))


DISAGREE = Note(
    "p-against-interval",
    "the t test rejects equality, but the interval contains a difference of 0: the test rejects too often where few "
    "rows of a class decide between unlike models; go by the interval, or by method='mover'",
    "t 检验拒绝“无差异”，但区间包含 0：当某一类行数很少且两个模型形状不同时，该检验拒绝得过多；"
    "请以区间或 method='mover' 为准",
)


def joined(case: Pair, both: tuple[lim.Limits | None, lim.Limits | None] | None = None) -> lim.Limits | None:
    """Limits of the difference from those of both models."""
    first, second = case.limits if both is None else both
    if first is None or second is None:
        return None
    a, b = (found.value for found in case.estimates)
    return difference_limits(a, b, first, second, _cautious_correlation(case))


def _cautious_correlation(case: Pair) -> float:
    """The correlation of the two values; at a cut as if one more row on either side had told the models apart.

    Where models seldom disagree a correlation near 1 rests on the few rows in which they do, and the interval would
    collapse. So 1 / n^2 is taken off the covariance of two proportions, never below 0, which is what two more
    discordant rows would do (Bonett & Price 2012, JEBS 37:479-488; half of it is Newcombe's correction, 1998); for a
    function of rates that times what both answer to a row that changes sides, class by class.
    """
    rho, entry = case.contrast.rho, case.request.measure
    if rho <= 0:
        return rho
    if entry.proportion is not None:
        spread = math.prod(_rate_spread(case, subject, entry.proportion) for subject in case.subjects)
        return max(0.0, rho - 1 / math.sqrt(spread)) if spread > 0 else 0.0
    if entry.name not in OF_RATES:
        return rho
    spread = math.prod(found.std_error or 0.0 for found in case.estimates)
    first, second = (_answers(case, subject) for subject in case.subjects)
    taken = sum(a * b for a, b in zip(first, second, strict=True))
    return max(0.0, rho - taken / spread) if spread > 0 else 0.0


def _rate_spread(case: Pair, subject: Subject, proportion: Proportion) -> float:
    """p (1 - p) n of a rate, n being rows, effective rows or clusters."""
    counts = subject.sweep.at(case.request.options.threshold)
    hits, misses = proportion.split(counts)
    p = hits / (hits + misses)
    clusters = 0 if subject.rows is None else subject.rows.n_clusters
    rows = hits + misses if counts.squares is None else design_size(counts, proportion, p)
    return p * (1 - p) * (clusters or rows)


def _answers(case: Pair, subject: Subject) -> tuple[float, float]:
    """How much the value moves when one positive, and one negative, changes sides of the cut."""
    assert case.request.measure.gradient is not None
    gradient, sizes = case.request.measure.gradient(subject.sweep, case.request.options), subject.sweep.sizes
    clusters = 0 if subject.rows is None else subject.rows.n_clusters
    pos = clusters or sizes.effective_pos or sizes.n_pos
    neg = clusters or sizes.effective_neg or sizes.n_neg
    return float(np.ptp(gradient.pos)) / max(pos, 1), float(np.ptp(gradient.neg)) / max(neg, 1)


def _auto(case: Pair) -> Verdict:
    tested = _on_logarithms(case)
    statistic, p, notes = referred(tested, tested.se, case.contrast.df)
    if tested is not case:
        notes = (*notes, LOGARITHMS)
    limits = joined(case)
    if _contradicted(case, p, limits):
        notes = (*notes, DISAGREE)
    return Verdict(statistic, case.contrast.df if statistic is not None else None, p, limits, "mover", notes)


def _contradicted(case: Pair, p: PValue, limits: lim.Limits | None) -> bool:
    """Whether a difference of 0 is rejected at the level of an interval that contains it."""
    if limits is None or case.terms.margin is not None or not p.p <= 1 - case.terms.level:
        return False
    return limits[0] <= 0 <= limits[1] and case.contrast.difference != 0


def _mover(case: Pair) -> Verdict:
    """The joined interval read backwards: p is the level at which it touches the null value."""
    limits, margin = joined(case), case.terms.margin
    if math.isnan(case.se) or limits is None:
        return Verdict(None, None, UNKNOWN, limits, "mover", (SINGLE,) if math.isnan(case.se) else ())
    same = case.se == 0 and not case.contrast.difference
    if same and margin is None:
        return Verdict(None, None, ONE, limits, "mover", (IDENTICAL,))
    found = inverted(
        lambda level: joined(case, case.limits_at(level)), case.contrast.difference, margin, case.terms.alternative
    )
    p = UNKNOWN if found is None else found
    notes = (*((IDENTICAL,) if same else ()), *((P_AT_MOST,) if p.p <= SMALLEST else ()))
    return Verdict(None, None, p, limits, "mover", notes)


def _on_logarithms(case: Pair) -> Pair:
    """The same case with the logarithms of two ratios for what is tested, where both have one.

    The difference of two likelihood ratios is of the size of its standard error whatever it is: on the plain scale
    the test never rejects with 30 rows a class.
    """
    (a, b), (of_a, of_b) = ((found.value for found in case.estimates), (found.std_error for found in case.estimates))
    if case.request.measure.name not in RATIOS or case.terms.margin is not None or min(a, b) <= 0:
        return case
    if of_a is None or of_b is None or not case.contrast.variance > 0:
        return case
    x, y = of_a / a, of_b / b
    variance = max(x * x + y * y - 2 * case.contrast.rho * x * y, 0.0)
    return replace(case, contrast=replace(case.contrast, difference=math.log(a / b), variance=variance))


def _wald(case: Pair) -> Verdict:
    """z test and Wald interval from the influence functions; for ROC-AUC this is DeLong's test."""
    return _by_error(case, case.se, None)


def _delong(case: Pair) -> Verdict:
    """DeLong's z for paired models; for others Student's t with degrees of freedom over the two samples."""
    if case.terms.paired:
        return _wald(case)
    variances = [delong(subject.sweep).total for subject in case.subjects]
    sizes = [subject.sweep.n_pos + subject.sweep.n_neg for subject in case.subjects]
    below = sum(v * v / (n - 1) for v, n in zip(variances, sizes, strict=True))
    return _by_error(case, case.se, sum(variances) ** 2 / below if below > 0 else float(sum(sizes) - 2))


def _hanley_mcneil(case: Pair) -> Verdict:
    """Standard errors from the areas and sizes alone (1982), joined by the correlation of the areas (1983)."""
    if case.request.measure.name != "roc_auc":
        raise OptionError(
            "method", "hanley-mcneil", "one that suits every measure: this is of ROC-AUC", "method='auto'"
        )
    sizes = [subject.sweep.sizes for subject in case.subjects]
    a, b = (
        lim.hanley_mcneil_se(found.value, size.n_pos, size.n_neg)
        for found, size in zip(case.estimates, sizes, strict=True)
    )
    r = case.contrast.rho
    return _by_error(case, math.sqrt(max(a * a + b * b - 2 * r * a * b, 0.0)), None)


def _by_error(case: Pair, se: float, df: float | None) -> Verdict:
    statistic, p, notes = referred(case, se, df)
    level = case.terms.two_sided_level
    quantile = lim.normal_quantile(level) if df is None else lim.t_quantile(df, level)
    limits = None if math.isnan(se) else lim.wald(case.contrast.difference, se, quantile)
    return Verdict(statistic, df if statistic is not None else None, p, limits, "wald", notes, std_error=se)


# ----------------------------------------------------------------------------------------------- resampling


def _bootstrap(case: Pair) -> Verdict:
    """Difference over its standard deviation among resamples, referred to the normal; percentile interval."""
    draws = case.terms.draws
    assert draws is not None
    needed = bl.fewest(case.terms.two_sided_level)
    if draws.n_resamples < needed:
        raise OptionError("n_resamples", draws.n_resamples, f"at least {needed:,} at this level", "n_resamples=2000")
    values = _replicates(case)
    kept = np.sort(values[~np.isnan(values)])
    details = {"n_resamples": draws.n_resamples, "seed": draws.seed, "degenerate_resamples": len(values) - len(kept)}
    if len(kept) < needed:
        return Verdict(None, None, UNKNOWN, None, "bootstrap-percentile", (TOO_FEW,), details)
    if not (math.isfinite(kept[0]) and math.isfinite(kept[-1])):
        return Verdict(None, None, UNKNOWN, None, "bootstrap-percentile", (INFINITE_RESAMPLES,), details)
    se = float(kept.std(ddof=1)) if np.ptp(kept) > ROUNDING else 0.0
    statistic, p, notes = referred(case, se, None)
    bounds = bl.percentile(kept, case.terms.two_sided_level)
    errors = {"mc_error_low": bounds.error_low, "mc_error_high": bounds.error_high}
    limits = (bounds.low, bounds.high)
    notes = notes if se else (*notes, ZERO_WIDTH)
    return Verdict(statistic, None, p, limits, "bootstrap-percentile", notes, {**details, **errors}, se)


def _replicates(case: Pair) -> Floats:
    """Differences among resamples: of common rows, or of each sample for itself."""
    draws, terms = case.terms.draws, case.terms
    assert draws is not None
    stratified = terms.margins == "fixed"
    if not terms.paired:
        a, b = (
            replicates(
                case.request, s.sweep, s.rows, Resampling(draws.n_resamples, draws.seed + i), stratified=stratified
            )
            for i, s in enumerate(case.subjects)
        )
        return _apart(a, b)
    rows = [subject.rows for subject in case.subjects]
    assert rows[0] is not None
    assert rows[1] is not None
    found = paired_bootstrap(
        case.request, rows[0], [rows[0].scores, rows[1].scores], n_resamples=draws.n_resamples, rng=draws.seed,
        stratified=stratified, higher_is_positive=case.subjects[0].sweep.higher_is_positive,
    )  # fmt: skip
    return _apart(found.values[0], found.values[1])


def _apart(a: Floats, b: Floats) -> Floats:
    """Differences of replicates; two infinite ones have none, which counts as degenerate."""
    with np.errstate(invalid="ignore"):
        return a - b


def _permutation(case: Pair) -> Verdict:
    """Exchange of both models' ranks, row by row; the interval is the joined one."""
    a, b, draws = _exchangeable(case)
    found = paired_permutation(
        case.request, a.positive, a.scores, b.scores, n_resamples=draws.n_resamples, rng=draws.seed,
        alternative=case.terms.alternative, higher_is_positive=case.subjects[0].sweep.higher_is_positive,
        cluster=a.cluster,
    )  # fmt: skip
    return _exchanged(case, found, None)


def _venkatraman(case: Pair) -> Verdict:
    """Exchange as above, with a statistic that sees any difference of the ROC curves; the measure is beside it."""
    if case.terms.alternative != "two-sided":
        found = case.terms.alternative
        raise OptionError("alternative", found, "'two-sided': curves differ in no direction", "alternative='two-sided'")
    a, b, draws = _exchangeable(case, paired=case.terms.paired)
    up = case.subjects[0].sweep.higher_is_positive
    if case.terms.paired:
        test = paired_venkatraman(
            a.positive, a.scores, b.scores, n_resamples=draws.n_resamples, rng=draws.seed, higher_is_positive=up,
            cluster=a.cluster,
        )  # fmt: skip
    else:
        test = unpaired_venkatraman(
            a.positive, a.scores, b.positive, b.scores, n_resamples=draws.n_resamples, rng=draws.seed,
            higher_is_positive=up,
        )  # fmt: skip
    return _exchanged(case, test, test.statistic)


def _exchangeable(case: Pair, *, paired: bool = True) -> tuple[Rows, Rows, Resampling]:
    """Rows of both models, and what is drawn; an error where ranks can not be exchanged."""
    name, draws = case.terms.method, case.terms.draws
    a, b = (subject.rows for subject in case.subjects)
    if a is None or b is None or (paired and not case.terms.paired):
        raise OptionError("method", name, "one for independent samples: this exchanges rows", "method='auto'")
    if a.weights is not None or b.weights is not None:
        raise OptionError("method", name, "one for weighted rows: weights are not exchanged", "method='auto'")
    if not paired and (a.cluster is not None or b.cluster is not None):
        raise OptionError("method", name, "one for clustered rows of independent samples", "method='auto'")
    assert draws is not None
    return a, b, draws


def _exchanged(case: Pair, found: PermutationResult, statistic: float | None) -> Verdict:
    details = {"n_resamples": found.n_resamples, "exact": float(found.exact), "std_error_of_p": found.std_error_of_p}
    if found.seed is not None:
        details["seed"] = found.seed
    p = PValue(found.pvalue, math.log10(found.pvalue))
    return Verdict(statistic, None, p, joined(case), "mover", (), details)


Test = Callable[[Pair], Verdict]
RESAMPLING = ("bootstrap", "permutation", "venkatraman")
METHODS: dict[str, Test] = {
    "influence-t": _auto,
    "mover": _mover,
    "influence": _wald,
    "delong": _delong,
    "hanley-mcneil": _hanley_mcneil,
    "bootstrap": _bootstrap,
    "permutation": _permutation,
    "venkatraman": _venkatraman,
}
"""Tests by name; the first one is ``auto``."""
