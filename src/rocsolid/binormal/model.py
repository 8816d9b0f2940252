"""The binormal model: both classes are normal after some increasing map of the scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rocsolid.binormal import areas
from rocsolid.binormal.smooth import SmoothRoc, points_of
from rocsolid.errors import OptionError
from rocsolid.inference.area_variances import normal_cdf, normal_inverse
from rocsolid.inference.seeds import resampling
from rocsolid.measures.partial_area import PartialAuc, Range
from rocsolid.options import check_count, check_number, check_share
from rocsolid.text import format_number
from rocsolid.values import SCHEMA, Result

if TYPE_CHECKING:
    from rocsolid.binormal.fit import BinormalFit

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BinormalCrossing:
    """A point where the lead changes between two models: ``"this"`` or ``"other"`` at lower and at higher FPR."""

    fpr: float
    tpr: float
    before: str
    after: str


@dataclass(frozen=True, slots=True, repr=False)
class Binormal(Result):
    """The ROC curve TPR = Phi(a + b Phi^-1(FPR)), a population with known areas at any prevalence.

    On the scale on which the negatives are N(0, 1) the positives are N(a/b, 1/b^2): ``b`` is the standard deviation
    of the negatives over that of the positives. Only the order of scores is modelled, so any increasing map of them
    has the same curve.

    Parameters
    ----------
    a : height of the line on normal deviates: the distance of the means in standard deviations of the positives.
    b : its slope, above 0. With ``b`` other than 1 the curve passes below the diagonal near one of its ends.

    Raises
    ------
    OptionError
        If ``a`` is no finite number or ``b`` no finite number above 0.

    Notes
    -----
    Green & Swets 1966; Dorfman & Alf 1969; areas: Metz 1978. All values are closed forms within 1e-14, except average
    precision, an integral within 1e-12. O(1) each.

    Examples
    --------
    Two unit normals one standard deviation apart; flagging above their middle finds Phi(1/2) of the positives:

    >>> import rocsolid as rs
    >>> model = rs.Binormal(1, 1)
    >>> round(model.auc, 6), round(model.tpr(model.fpr(0.5)), 12), round(model.fpr(0.6914624613), 6)
    (0.76025, 0.5, 0.308538)
    """

    a: float
    b: float = 1.0

    def __post_init__(self) -> None:
        """Refuse parameters that give no curve."""
        for name, lowest in (("a", -math.inf), ("b", 0.0)):
            value = float(check_number(name, getattr(self, name)))
            if not lowest < value < math.inf:
                expected = "a finite number" + (" above 0" if name == "b" else "")
                raise OptionError(name, value, expected, "rs.Binormal(1.5, 0.8)")
            object.__setattr__(self, name, value)

    # ------------------------------------------------------------------------------------------ building

    @classmethod
    def from_auc(cls, auc: float, b: float = 1.0) -> Binormal:
        """Build the model that has this AUC and this ratio of standard deviations: a = sqrt(1 + b^2) Phi^-1(AUC).

        Raises
        ------
        OptionError
            If the AUC is not strictly between 0 and 1, or b not above 0.

        Examples
        --------
        >>> import rocsolid as rs
        >>> rs.Binormal.from_auc(0.9)
        <binormal a=1.8124 b=1.0000: AUC 0.9000>
        """
        share = check_share("auc", auc, ends=False, hint="rs.Binormal.from_auc(0.9)")
        ratio = Binormal(0.0, b).b
        return Binormal(math.hypot(1, ratio) * normal_inverse(share), ratio)

    @classmethod
    def from_point(cls, *, sensitivity: float, specificity: float, b: float = 1.0) -> Binormal:
        """Build the model whose curve passes through one operating point: a = Phi^-1(sens) + b Phi^-1(spec).

        One point does not tell ``b``: it is taken as given, 1 for classes of equal spread.

        Raises
        ------
        OptionError
            If a rate is not strictly between 0 and 1, or b not above 0.

        Examples
        --------
        Screening mammography that finds 86.9 % of the cancers and clears 88.9 % of the women without one:

        >>> import rocsolid as rs
        >>> rs.Binormal.from_point(sensitivity=0.869, specificity=0.889)
        <binormal a=2.3429 b=1.0000: AUC 0.9512>
        """
        hint = "rs.Binormal.from_point(sensitivity=0.9, specificity=0.8)"
        found = check_share("sensitivity", sensitivity, ends=False, hint=hint)
        cleared = check_share("specificity", specificity, ends=False, hint=hint)
        ratio = Binormal(0.0, b).b
        return Binormal(normal_inverse(found) + ratio * normal_inverse(cleared), ratio)

    @classmethod
    def fit(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        method: str = "ml",
        pos_label: object = None,
        higher_is_positive: bool = True,
        missing: str = "raise",
        confidence_level: float = 0.95,
    ) -> BinormalFit:
        """Fit the model to labels and scores.

        Parameters
        ----------
        y_true, y_score, pos_label, higher_is_positive, missing : as in :func:`rocsolid.evaluate`.
        method : ``"ml"``, maximum likelihood (Dorfman & Alf 1969; Metz, Herman & Shen 1998), or ``"regression"``, least
            squares of Phi^-1(specificity) on Phi^-1(sensitivity) over the ROC points strictly inside the square,
            which gives no standard error.
        confidence_level : of the interval of the AUC.

        Returns
        -------
        BinormalFit
            A :class:`Binormal` with what is known about the fit: ``covariance``, ``interval`` of the AUC, ``goodness``.

        Raises
        ------
        InputError
            One of its kinds, for data that can not be used.
        UndefinedMeasureError
            If no binormal curve fits best: too few points inside the square, or a degenerate fit.
        UnknownNameError, OptionError
            For an unknown method, or options that are not allowed.

        Notes
        -----
        O(n log n), and for maximum likelihood O(k) for each of some ten iterations, with k runs of scores of one class.

        Examples
        --------
        Ratings from 1 to 5 by a radiologist (Hanley & McNeil 1982, who publish a = 1.66, b = 0.71):

        >>> import rocsolid as rs
        >>> y = [0] * 58 + [1] * 51
        >>> s = [1] * 33 + [2] * 6 + [3] * 6 + [4] * 11 + [5] * 2 + [1] * 3 + [2] * 2 + [3] * 2 + [4] * 11 + [5] * 33
        >>> fit = rs.Binormal.fit(y, s)
        >>> round(fit.a, 2), round(fit.b, 2), round(fit.auc, 3)
        (1.66, 0.71, 0.911)
        """
        from rocsolid.binormal.fit import fit_rows

        return fit_rows(
            y_true, y_score, method=method, pos_label=pos_label, higher_is_positive=higher_is_positive,
            missing=missing, confidence_level=confidence_level,
        )  # fmt: skip

    # ----------------------------------------------------------------------------------------- the curve

    def tpr(self, fpr: Any) -> Any:
        """TPR at an FPR: a number for a number, otherwise an array of the same shape; 0 at 0 and 1 at 1.

        Raises
        ------
        OptionError
            For rates outside [0, 1].
        """
        from scipy.special import ndtr, ndtri

        rates = _rates("fpr", fpr)
        return _like(fpr, ndtr(self.a + self.b * ndtri(rates)))

    def fpr(self, tpr: Any) -> Any:
        """FPR at which this TPR is reached: a number for a number, otherwise an array of the same shape.

        Raises
        ------
        OptionError
            For rates outside [0, 1].
        """
        from scipy.special import ndtr, ndtri

        rates = _rates("tpr", tpr)
        return _like(tpr, ndtr((ndtri(rates) - self.a) / self.b))

    def precision(self, *, recall: Any, prevalence: float) -> Any:
        """Precision at a recall and a prevalence, pi TPR / (pi TPR + (1 - pi) FPR); a number or an array.

        Raises
        ------
        OptionError
            For a prevalence outside (0, 1), or a recall outside (0, 1]: at recall 0 nothing is flagged.
        """
        from scipy.special import expit, ndtri

        share = _prevalence(prevalence)
        rates = _rates("recall", recall)
        if bool((rates == 0).any()):
            raise OptionError("recall", recall, "above 0: at 0 nothing is flagged", "recall=0.5")
        odds = areas.log_odds_of_precision(self.a, self.b, ndtri(rates), share)
        return _like(recall, expit(odds))

    def crossings(self, other: Binormal) -> tuple[BinormalCrossing, ...]:
        """Say where the lead changes: two binormal curves cross at Phi^-1(FPR) = (a - a') / (b' - b), or nowhere.

        Returns
        -------
        A tuple of one :class:`BinormalCrossing`, or of none where b = b'. A crossing far in a corner may have an FPR
        or TPR that rounds to 0 or 1. With ``rs.Binormal(0, 1)`` it is where the curve crosses the diagonal.

        Raises
        ------
        OptionError
            If ``other`` is no binormal model.

        Examples
        --------
        Equal AUCs, unequal spreads: the wider positives lead at the strict end.

        >>> import rocsolid as rs
        >>> narrow, wide = rs.Binormal.from_auc(0.9), rs.Binormal.from_auc(0.9, b=0.5)
        >>> (point,) = narrow.crossings(wide)
        >>> round(point.fpr, 4), round(point.tpr, 4), point.before, point.after
        (0.2239, 0.8539, 'other', 'this')
        """
        if not isinstance(other, Binormal):
            raise OptionError("other", other, "a binormal model", "rs.Binormal(1.4, 0.5)")
        if self.b == other.b:
            return ()
        z = (self.a - other.a) / (other.b - self.b)
        leaders = ("other", "this") if self.b > other.b else ("this", "other")
        return (BinormalCrossing(normal_cdf(z), normal_cdf(self.a + self.b * z), *leaders),)

    def roc(self) -> SmoothRoc:
        """Draw the ROC curve: points from (0, 0) to (1, 1), close together at both ends."""
        return points_of(self.tpr, self.fpr, self.auc, "binormal")

    # ----------------------------------------------------------------------------------------- summaries

    @property
    def auc(self) -> float:
        """Area under the curve, Phi(a / sqrt(1 + b^2))."""
        return areas.area(self.a, self.b)

    @property
    def d_a(self) -> float:
        """Distance of the means over the root mean square of the standard deviations: a sqrt(2 / (1 + b^2))."""
        return math.sqrt(2) * self.a / math.hypot(1, self.b)

    @property
    def d_prime(self) -> float:
        """d' = sqrt(2) Phi^-1(AUC): distance of two unit normals with this AUC. Here the same as ``d_a``."""
        return self.d_a

    @property
    def d_e(self) -> float:
        """Distance of the means over the mean of the standard deviations: 2 a / (1 + b) (Egan 1975)."""
        return 2 * self.a / (1 + self.b)

    def partial_auc(self, *, fpr: Range | None = None, tpr: Range | None = None, standardized: bool = False) -> float:
        """Area over a range of FPR, or of specificity over a range of TPR; McClish-standardised if asked for.

        Standardised, chance has 1/2 and a perfect score 1 (McClish 1989). Absolute error of the raw area below 1e-14.

        Raises
        ------
        OptionError
            Unless exactly one range (low, high) within [0, 1] is given, low below high.

        Examples
        --------
        >>> import rocsolid as rs
        >>> model = rs.Binormal.from_auc(0.9)
        >>> round(model.partial_auc(fpr=(0, 0.1), standardized=True), 4)
        0.7506
        >>> parts = model.partial_auc(tpr=(0, 0.9)) + model.partial_auc(tpr=(0.9, 1))
        >>> round(parts, 12)
        0.9
        """
        options = PartialAuc.over(fpr, tpr, standardized)
        low, high = float(options.low), float(options.high)
        # seen from the other side the curve is specificity = Phi(a/b + (1/b) Phi^-1(1 - TPR))
        a, b = (self.a / self.b, 1 / self.b) if options.on_tpr else (self.a, self.b)
        area = max(0.0, areas.area_between(a, b, low, high))  # rounding may go below
        return float(options.shown(area))

    def average_precision(self, prevalence: Any) -> Any:
        """Average precision at a prevalence, the integral of precision over recall; a number or an array.

        Raises
        ------
        OptionError
            For a prevalence outside (0, 1).

        Examples
        --------
        >>> import rocsolid as rs
        >>> model = rs.Binormal.from_auc(0.9)
        >>> [round(model.average_precision(p), 2) for p in (0.5, 0.05, 0.005)]
        [0.9, 0.46, 0.13]
        """
        if np.ndim(prevalence) == 0:
            return areas.average_precision(self.a, self.b, _prevalence(prevalence))
        shares = np.asarray(prevalence, np.float64)
        values = [areas.average_precision(self.a, self.b, _prevalence(p)) for p in shares.ravel().tolist()]
        return np.reshape(values, shares.shape)

    def sample(self, n_pos: int, n_neg: int, rng: object = None) -> tuple[npt.NDArray[np.int64], Floats]:
        """Draw labels and scores: positives N(a/b, 1/b^2) first, then negatives N(0, 1). O(n).

        Parameters
        ----------
        n_pos, n_neg : rows of each class, at least 0.
        rng : a seed, a NumPy ``Generator``, or ``None`` for a fresh seed.

        Returns
        -------
        Labels (1 and 0) and scores, two arrays of n_pos + n_neg.

        Raises
        ------
        OptionError
            For sizes that are no whole numbers, or an ``rng`` that is none.

        Examples
        --------
        >>> import rocsolid as rs
        >>> y, s = rs.Binormal.from_auc(0.9).sample(2000, 2000, rng=0)
        >>> round(float(rs.roc_auc(y, s)), 2)
        0.9
        """
        m, n = check_count("n_pos", n_pos, 0), check_count("n_neg", n_neg, 0)
        source = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(resampling(None, rng).seed)
        scores = source.standard_normal(m + n)
        scores[:m] = (self.a + scores[:m]) / self.b
        return np.repeat([1, 0], [m, n]), scores

    # ------------------------------------------------------------------------------------------- results

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under a schema version."""
        return {"schema": SCHEMA, "a": self.a, "b": self.b, "auc": self.auc, "d_a": self.d_a, "d_e": self.d_e}

    def __repr__(self) -> str:
        """One line: both parameters and the area."""
        a, b, area = map(format_number, (self.a, self.b, self.auc))
        return f"<binormal a={a} b={b}: AUC {area}>"


def _rates(name: str, value: Any) -> Floats:
    """Rates in [0, 1] as an array."""
    try:
        rates = np.asarray(value, np.float64)
    except (TypeError, ValueError):
        raise OptionError(name, value, "numbers from 0 to 1", f"{name}=0.1") from None
    if not bool(((rates >= 0) & (rates <= 1)).all()):
        raise OptionError(name, value, "from 0 to 1", f"{name}=0.1")
    return rates


def _like(given: Any, values: Any) -> Any:
    return float(values) if np.ndim(given) == 0 else values


def _prevalence(value: object) -> float:
    return check_share("prevalence", value, ends=False, hint="prevalence=0.01")
