"""Tests of the hypothesis that every score is the probability of the positive, given the score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import NotAvailableError
from rocsolid.inference.tails import PValue, chi_square_tail, p_value
from rocsolid.measures.decomposition import as_given
from rocsolid.measures.forecast_bins import forecast_bins
from rocsolid.measures.recalibration import fit, unfit
from rocsolid.measures.registry import check_probabilities
from rocsolid.results import Note
from rocsolid.sweep import Sweep
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, Result

Floats = npt.NDArray[np.float64]

ONE_CLASS = Note("one-class", "both classes are needed", "需要两类都有数据")
NO_VARIANCE = Note(
    "no-variance", "under the hypothesis no outcome could have been otherwise", "在原假设下结果不可能有其他取值"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationTest(Result):
    """A test that the scores are probabilities.

    Attributes
    ----------
    name : with its bins where it has any, such as ``"hosmer-lemeshow(bins=10, binning=mass)"``.
    statistic : z (normal) where ``df`` is ``None``, otherwise chi-square with ``df`` degrees of freedom; nan where
        there is none.
    pvalue, log10_pvalue : two-sided for z, upper tail for chi-square.
    undefined : why there is no statistic, otherwise ``None``.
    """

    name: str
    statistic: float
    df: int | None
    pvalue: float
    log10_pvalue: float
    undefined: Note | None = None

    def __repr__(self) -> str:
        """One line: name, statistic, degrees of freedom, p value."""
        if self.undefined is not None:
            return f"<{self.name} is undefined: {self.undefined.en}>"
        kind = "z" if self.df is None else f"chi-square({self.df})"
        return f"<{self.name}: {kind} = {format_number(self.statistic)}, p = {format_number(self.pvalue)}>"

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "statistic": self.statistic,
            "df": self.df,
            "pvalue": self.pvalue,
            "log10_pvalue": self.log10_pvalue,
            "undefined": None if self.undefined is None else self.undefined.en,
        }


def calibration_tests(sweep: Sweep, *, bins: int = 10, binning: str = "mass") -> tuple[CalibrationTest, ...]:
    """Give all three tests. O(k).

    Raises
    ------
    ProbabilityError
        If the scores are none.
    NotAvailableError
        With weights: the null distributions are those of independent rows that count once.
    """
    check_probabilities("calibration tests", sweep)
    if sweep.weights is not None:
        raise NotAvailableError("a test of calibration with weights", "evaluate without sample_weight")
    return spiegelhalter(sweep), joint(sweep), hosmer_lemeshow(sweep, bins=bins, binning=binning)


def spiegelhalter(sweep: Sweep) -> CalibrationTest:
    """z = sum (y - p)(1 - 2p) / sqrt(sum (1 - 2p)^2 p (1 - p)), about normal if the scores are probabilities. O(k).

    It asks whether the Brier score is the one that the scores themselves promise (Spiegelhalter 1986, Statistics in
    Medicine 5:421-433).

    Examples
    --------
    One forecast of 0.2 that comes true: (1 - 0.2) 0.6 / sqrt(0.36 x 0.16) = 2.

    >>> from rocsolid import Sweep
    >>> spiegelhalter(Sweep.from_arrays([1, 0], [0.2, 0.5], pos_label=1))
    <spiegelhalter: z = 2.0000, p = 0.0455>
    """
    p = as_given(sweep)
    lean = 1 - 2 * p
    rows = np.asarray(sweep.pos, np.float64) + sweep.neg
    variance = math.fsum((rows * lean**2 * p * (1 - p)).tolist())
    excess = math.fsum([*(sweep.pos * (1 - p) * lean).tolist(), *(-(sweep.neg * p * lean)).tolist()])
    if variance == 0:
        return _without("spiegelhalter", None, NO_VARIANCE)
    z = excess / math.sqrt(variance)
    return _test("spiegelhalter", z, None, p_value(z, None, "two-sided"))


def joint(sweep: Sweep) -> CalibrationTest:
    """Likelihood-ratio test of slope 1 and intercept 0 in the logistic recalibration, 2 df. O(k) a Newton step.

    Cox 1958, Biometrika 45:562-565; Miller, Hui & Tierney 1991, Statistics in Medicine 10:1213-1226.
    """
    name = "slope=1, intercept=0"
    reason = ONE_CLASS if 0 in (sweep.n_pos, sweep.n_neg) else unfit(sweep, slope=True)
    if reason is not None:
        return _without(name, 2, reason)
    p, n = as_given(sweep), sweep.n_pos + sweep.n_neg
    as_it_is = math.fsum([*(sweep.pos * np.log(p)).tolist(), *(sweep.neg * np.log1p(-p)).tolist()])
    statistic = max(0.0, 2 * (n * fit(sweep, slope=True).log_likelihood - as_it_is))
    return _test(name, statistic, 2, chi_square_tail(statistic, 2))


def hosmer_lemeshow(sweep: Sweep, *, bins: int = 10, binning: str = "mass") -> CalibrationTest:
    """Sum over bins of (observed - expected)^2 / (n p (1 - p)), p the bin's mean score. O(k).

    As many degrees of freedom as bins with rows: the scores are taken as made without these outcomes. For a model
    fitted to the same rows two fewer would be right (Hosmer & Lemeshow 1980). The result hangs on the bins; the
    other two tests need none.
    """
    name = f"hosmer-lemeshow(bins={bins}, binning={binning})"
    found = forecast_bins(sweep, bins, binning)
    full = found.rows > 0
    n, p, hits = found.rows[full], found.forecast[full], found.hits[full]
    spread = n * p * (1 - p)
    sure = spread == 0
    if bool((np.abs(hits - n * p)[sure] > 0).any()):
        return _test(name, math.inf, int(full.sum()), PValue(0.0, -math.inf))
    if bool(sure.all()):
        return _without(name, None, NO_VARIANCE)
    with np.errstate(over="ignore"):  # a positive where next to none was promised
        terms = np.square(hits - n * p)[~sure] / spread[~sure]
    statistic = math.fsum(terms.tolist())
    df = int((~sure).sum())
    return _test(name, statistic, df, chi_square_tail(statistic, df))


def _test(name: str, statistic: float, df: int | None, p: PValue) -> CalibrationTest:
    return CalibrationTest(name=name, statistic=statistic, df=df, pvalue=p.p, log10_pvalue=p.log10)


def _without(name: str, df: int | None, reason: Note) -> CalibrationTest:
    return CalibrationTest(
        name=name, statistic=math.nan, df=df, pvalue=math.nan, log10_pvalue=math.nan, undefined=reason
    )
