"""Further measures at one cut: functions of TPR and FPR, and of all four cells, with their derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rocsolid.errors import OptionError
from rocsolid.measures.ranking import BOTH
from rocsolid.measures.registry import AtThreshold, Gradient, Measure, Value, register
from rocsolid.measures.threshold import CELLS, cell_gradient
from rocsolid.options import as_typed, check_number
from rocsolid.results import Counts, Note, Ratio, Undefined
from rocsolid.sweep import Sweep

Shares = tuple[float, float, float, float]
"""The four cells, TP, FP, FN, TN, as shares of all rows."""
Slopes = Callable[[Shares, Any], Shares]
"""Derivatives of a measure by the four shares."""


def _gradient(slopes: Slopes) -> Callable[[Sweep, Any], Gradient]:
    def gradient(sweep: Sweep, options: Any) -> Gradient:
        counts = sweep.at(options.threshold)
        a, b, c, d = (float(getattr(counts, cell)) / float(counts.n) for cell in CELLS)
        worth: Mapping[str, float] = dict(zip(CELLS, slopes((a, b, c, d), options), strict=True))
        return cell_gradient(sweep, options.threshold, worth)

    return gradient


def _of_rates(by_tpr: Callable[[float, float], float], by_fpr: Callable[[float, float], float]) -> Slopes:
    """Chain rule through TPR = a / (a + c) and FPR = b / (b + d); the arguments are functions of (TPR, FPR)."""

    def slopes(cells: Shares, options: Any) -> Shares:
        a, b, c, d = cells
        m, n = a + c, b + d
        t, f = by_tpr(a / m, b / n), by_fpr(a / m, b / n)
        return t * c / m**2, f * d / n**2, -t * a / m**2, -f * b / n**2

    return slopes


def _entry(
    name: str,
    aliases: tuple[str, ...],
    titles: tuple[str, str],
    definitions: tuple[str, str],
    source: str,
    value: Callable[[Counts, Any], Value],
    slopes: Slopes,
    span: tuple[float, float],
    *,
    options: type[Any] = AtThreshold,
    better: Any = "higher",
    needs: frozenset[str] = BOTH,
) -> Measure[Any, Any]:
    return register(
        Measure(
            name=name,
            aliases=aliases,
            title=titles[0],
            title_zh=titles[1],
            definition=definitions[0],
            definition_zh=definitions[1],
            source=source,
            input="counts",
            range=span,
            better=better,
            needs=needs,
            options=options,
            value=value,
            gradient=_gradient(slopes),
        )
    )


# ------------------------------------------------------------------------------ functions of two rates


def _youden(c: Counts, options: AtThreshold) -> Value:
    m, n = c.tp + c.fn, c.fp + c.tn
    return Ratio(c.tp * n - c.fp * m, m * n)


def _balanced(c: Counts, options: AtThreshold) -> Value:
    m, n = c.tp + c.fn, c.fp + c.tn
    return Ratio(c.tp * n + c.tn * m, 2 * m * n)


BALANCED_ACCURACY = _entry(
    "balanced_accuracy",
    ("mean_of_rates",),
    ("Balanced accuracy", "平衡准确率"),
    ("(TPR + TNR) / 2: mean of recall and specificity.", "(TPR + TNR) / 2：查全率与特异度的平均。"),
    "Brodersen et al. 2010, ICPR:3121-3124",
    _balanced,
    _of_rates(lambda t, f: 0.5, lambda t, f: -0.5),
    (0.0, 1.0),
)
YOUDEN = _entry(
    "youden_j",
    ("youden", "informedness", "bookmaker_informedness", "true_skill_statistic"),
    ("Youden's J", "约登指数 J"),
    ("TPR - FPR = recall + specificity - 1.", "TPR − FPR = 查全率 + 特异度 − 1。"),
    "Youden 1950, Cancer 3:32-35",
    _youden,
    _of_rates(lambda t, f: 1.0, lambda t, f: -1.0),
    (-1.0, 1.0),
)
LR_POSITIVE = _entry(
    "lr_positive",
    ("positive_likelihood_ratio", "lr_plus"),
    ("LR+", "阳性似然比 LR+"),
    (
        "TPR / FPR: how often more a positive is flagged than a negative; undefined where no negative is flagged.",
        "TPR / FPR：正例被判为正例的频率是负例的多少倍；没有负例被判为正例时无定义。",
    ),
    "Simel, Samsa & Matchar 1991, J Clin Epidemiol 44:763-770",
    lambda c, options: Ratio(c.tp * (c.fp + c.tn), c.fp * (c.tp + c.fn)),
    _of_rates(lambda t, f: 1 / f, lambda t, f: -t / f**2),
    (0.0, math.inf),
)
LR_NEGATIVE = _entry(
    "lr_negative",
    ("negative_likelihood_ratio", "lr_minus"),
    ("LR-", "阴性似然比 LR-"),
    (
        "FNR / TNR: how often a positive passes relative to a negative; undefined where every negative is flagged.",
        "FNR / TNR：正例被判为负例的频率与负例相比；所有负例都被判为正例时无定义。",
    ),
    "Simel, Samsa & Matchar 1991, J Clin Epidemiol 44:763-770",
    lambda c, options: Ratio(c.fn * (c.fp + c.tn), c.tn * (c.tp + c.fn)),
    _of_rates(lambda t, f: -1 / (1 - f), lambda t, f: (1 - t) / (1 - f) ** 2),
    (0.0, math.inf),
    better="lower",
)
DIAGNOSTIC_ODDS_RATIO = _entry(
    "diagnostic_odds_ratio",
    ("dor", "odds_ratio"),
    ("Diagnostic odds ratio", "诊断优势比"),
    (
        "TP TN / (FP FN) = LR+ / LR-; undefined where FP or FN is 0.",
        "TP·TN / (FP·FN) = LR+ / LR−；FP 或 FN 为 0 时无定义。",
    ),
    "Glas et al. 2003, J Clin Epidemiol 56:1129-1135",
    lambda c, options: Ratio(c.tp * c.tn, c.fp * c.fn),
    _of_rates(lambda t, f: (1 - f) / (f * (1 - t) ** 2), lambda t, f: -t / ((1 - t) * f**2)),
    (0.0, math.inf),
)

# ------------------------------------------------------------------------------ functions of all cells

ONE_CALL = Note(
    "one-call",
    "every row is called alike, so a margin of the confusion matrix is 0",
    "所有行的判定相同，混淆矩阵的一个边际为 0",
)


def _mcc(c: Counts, options: AtThreshold) -> Value:
    """Two margins at a time: the product of all four sums of weights may leave the range of floats."""
    of_labels, of_calls = (c.tp + c.fn) * (c.fp + c.tn), (c.tp + c.fp) * (c.fn + c.tn)
    if not of_labels or not of_calls:
        return Undefined(ONE_CALL)
    excess = c.tp * c.tn - c.fp * c.fn
    if c.squares is None:
        return excess / math.sqrt(of_labels * of_calls)
    return excess / math.sqrt(of_labels) / math.sqrt(of_calls)


def _mcc_slopes(cells: Shares, options: AtThreshold) -> Shares:
    a, b, c, d = cells
    pos, neg, called, passed = a + c, b + d, a + b, c + d
    root = math.sqrt(pos * neg * called * passed)
    half = (a * d - b * c) / root / 2
    return (
        d / root - half * (1 / pos + 1 / called),
        -c / root - half * (1 / neg + 1 / called),
        -b / root - half * (1 / pos + 1 / passed),
        a / root - half * (1 / neg + 1 / passed),
    )


def _kappa(c: Counts, options: AtThreshold) -> Value:
    """1 - observed over expected disagreement, 2 (TP TN - FP FN) / (P (FN + TN) + N (TP + FP))."""
    expected = (c.tp + c.fn) * (c.fn + c.tn) + (c.fp + c.tn) * (c.tp + c.fp)
    return Ratio(2 * (c.tp * c.tn - c.fp * c.fn), expected) if expected else Undefined(ONE_CALL)


def _kappa_slopes(cells: Shares, options: AtThreshold) -> Shares:
    a, b, c, d = cells
    pos, neg, called, passed = a + c, b + d, a + b, c + d
    apart, expected = b + c, pos * passed + neg * called  # disagreement: observed, and expected by chance
    by_chance = (pos + called, pos + passed, called + neg, neg + passed)  # of the expected agreement
    agree = (1.0, 0.0, 0.0, 1.0)
    first, second, third, last = (
        yes / expected - apart * slope / expected**2 for yes, slope in zip(agree, by_chance, strict=True)
    )
    return first, second, third, last


@dataclass(frozen=True, slots=True)
class FBeta:
    """A cut, and how many times recall counts as much as precision.

    Examples
    --------
    >>> FBeta(0.5, beta=2).square
    Fraction(4, 1)
    """

    threshold: float
    beta: float

    def __post_init__(self) -> None:
        """Refuse a beta that is not above 0: at 0 it is the precision."""
        if not 0 < check_number("beta", self.beta) < math.inf:
            raise OptionError("beta", self.beta, "a finite number > 0", 'for example "f_beta(threshold=0.5, beta=2)"')

    @property
    def square(self) -> Fraction:
        """beta^2, with beta read as typed."""
        return as_typed(self.beta) ** 2


def _f_beta(c: Counts, options: FBeta) -> Value:
    if c.squares is not None:
        square = float(options.square)
        return Ratio((1 + square) * c.tp, (1 + square) * c.tp + square * c.fn + c.fp)
    p, q = options.square.numerator, options.square.denominator
    hits = (p + q) * int(c.tp)
    return Ratio(hits, hits + p * int(c.fn) + q * int(c.fp))


def _f_beta_slopes(cells: Shares, options: FBeta) -> Shares:
    a, b, c, _ = cells
    square = float(options.square)
    hits = (1 + square) * a
    total = hits + square * c + b
    f = hits / total
    return (1 + square) * (1 - f) / total, -f / total, -square * f / total, 0.0


MCC = _entry(
    "mcc",
    ("matthews", "matthews_correlation", "phi_coefficient"),
    ("MCC", "马修斯相关系数 MCC"),
    (
        "(TP TN - FP FN) / sqrt of the product of the four margins: the correlation of label and decision.",
        "(TP·TN − FP·FN) / 四个边际之积的平方根：标签与判定的相关系数。",
    ),
    "Matthews 1975, Biochim Biophys Acta 405:442-451",
    _mcc,
    _mcc_slopes,
    (-1.0, 1.0),
)
KAPPA = _entry(
    "kappa",
    ("cohens_kappa", "cohen_kappa"),
    ("Cohen's kappa", "Cohen κ 系数"),
    (
        "(observed - expected agreement) / (1 - expected agreement), expected for decisions independent of labels.",
        "（观察一致率 − 期望一致率）/（1 − 期望一致率），期望值按判定与标签独立计算。",
    ),
    "Cohen 1960, Educ Psychol Meas 20:37-46",
    _kappa,
    _kappa_slopes,
    (-1.0, 1.0),
)
F_BETA = _entry(
    "f_beta",
    ("fbeta", "f_beta_score"),
    ("F-beta", "F-beta 值"),
    (
        "(1 + beta^2) TP / ((1 + beta^2) TP + beta^2 FN + FP): recall counts beta times as much as precision.",
        "(1 + β²)TP / ((1 + β²)TP + β²FN + FP)：查全率的重要性为查准率的 β 倍。",
    ),
    "van Rijsbergen 1979, Information Retrieval, chapter 7",
    _f_beta,
    _f_beta_slopes,
    (0.0, 1.0),
    options=FBeta,
    needs=frozenset(),
)
