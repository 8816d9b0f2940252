"""Designs of studies that test something: one AUC against a value, or two models' AUCs against each other.

A design knows one thing: what it reaches with m positive and n negative rows, which need not be whole.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Literal

from rocsolid.errors import OptionError, UndefinedMeasureError
from rocsolid.inference.area_variances import OF_AREA, binormal_covariance, binormal_variance, normal_cdf
from rocsolid.inference.contrast import Placements
from rocsolid.inputs import read_rows, with_scores
from rocsolid.options import check_between, check_choice, check_direction, check_number

Goal = Literal["power", "half_width"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Design(ABC):
    """What a study is for. Its ``goal`` says what it reaches: ``"power"`` or ``"half_width"``."""

    goal: ClassVar[Goal] = "power"
    rows_of: ClassVar[str] = ""
    """Set where the rows are not simply the study's, such as "each model"."""

    @abstractmethod
    def reached(self, m: float, n: float) -> float:
        """Give what m positive and n negative rows reach."""

    @abstractmethod
    def std_error(self, m: float, n: float) -> float:
        """Give the standard error of what is estimated."""

    def __repr__(self) -> str:
        """Write the design as one would type it, without what is at its default."""
        shown = (
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if f.default is MISSING or getattr(self, f.name) != f.default
        )
        return f"{type(self).__name__}({', '.join(shown)})"

    def to_dict(self) -> dict[str, Any]:
        """Give the name of the design and its parameters."""
        return {"design": type(self).__name__} | {f.name: getattr(self, f.name) for f in fields(self)}


def set_number(design: Design, name: str, low: float, high: float) -> None:
    """Validate a parameter of a frozen design and store it as a float."""
    object.__setattr__(design, name, check_between(name, getattr(design, name), low, high))


def set_spread(design: Any) -> None:
    """Validate the variance by name; the ratio of spreads belongs to the exact binormal one only."""
    check_choice("variance", design.variance, tuple(OF_AREA))
    if design.sd_ratio is not None:
        if design.variance != "binormal":
            raise OptionError("sd_ratio", design.sd_ratio, f"absent with variance={design.variance!r}",
                              'variance="binormal"')  # fmt: skip
        set_number(design, "sd_ratio", 0, math.inf)


def area_variance(variance: str, sd_ratio: float | None, auc: float, m: float, n: float) -> float:
    """Variance of an AUC by name; equal spreads unless another ratio is given."""
    return OF_AREA[variance](auc, m, n) if sd_ratio is None else binormal_variance(auc, m, n, sd_ratio)


def _set_test(design: Any) -> None:
    set_number(design, "alpha", 0, 1)
    check_choice("alternative", design.alternative, ("two-sided", "greater", "less"))


def _power(difference: float, at_null: float, at_alternative: float, alpha: float, alternative: str) -> float:
    """Chance that a z test rejects on the side of the truth; the other side of a two-sided test is left out."""
    from scipy.special import ndtri

    z = -float(ndtri(alpha / 2 if alternative == "two-sided" else alpha))
    towards = {"two-sided": abs(difference), "greater": difference, "less": -difference}[alternative]
    beyond = towards - z * math.sqrt(at_null)
    return normal_cdf(beyond / math.sqrt(at_alternative)) if at_alternative > 0 else float(beyond > 0)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AucAgainst(Design):
    """A study that tests whether a model's ROC-AUC differs from a value.

    The test is the z test (AUC - null) / SE with the standard error under the null hypothesis; with ``null=0.5``
    that is Wilcoxon's. Its power is Phi((|auc - null| - z sqrt(V0)) / sqrt(V1)), V0 and V1 the variances at the null
    value and at the AUC expected (Obuchowski & McClish 1997, Statistics in Medicine 16:1529-1542).

    Attributes
    ----------
    auc : the AUC expected.
    null : the value to be excluded.
    alpha : size of the test.
    alternative : ``"two-sided"``, ``"greater"`` or ``"less"``.
    variance : ``"binormal"``, exact for an empirical AUC of normal scores; ``"hanley-mcneil"`` (exponential scores);
        ``"obuchowski-binormal"`` (the planning formula of the paper above, as R's pROC has it, without its rounded
        constants).
    sd_ratio : standard deviation of the negatives over that of the positives, 1 if not given; ``"binormal"`` only.

    Raises
    ------
    OptionError
        If a parameter is out of range, or both values are the same.

    Examples
    --------
    >>> import rocsolid as rs
    >>> round(float(rs.power(rs.AucAgainst(auc=0.7, null=0.5), n_pos=30, n_neg=60)), 3)
    0.895
    """

    auc: float
    null: float
    alpha: float = 0.05
    alternative: str = "two-sided"
    variance: str = "binormal"
    sd_ratio: float | None = None

    def __post_init__(self) -> None:
        """Validate."""
        set_number(self, "auc", 0, 1)
        set_number(self, "null", 0, 1)
        if self.auc == self.null:
            raise OptionError("auc", self.auc, "another value than `null`", "AucAgainst(auc=0.8, null=0.7)")
        _set_test(self)
        set_spread(self)

    def reached(self, m: float, n: float) -> float:
        """Give the power."""
        v0, v1 = (area_variance(self.variance, self.sd_ratio, a, m, n) for a in (self.null, self.auc))
        return _power(self.auc - self.null, v0, v1, self.alpha, self.alternative)

    def std_error(self, m: float, n: float) -> float:
        """Give the standard error of the AUC."""
        return math.sqrt(area_variance(self.variance, self.sd_ratio, self.auc, m, n))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Difference(Design):
    """Two AUCs whose difference is tested with the standard error estimated from the data, as DeLong's test does."""

    auc_a: float
    auc_b: float
    alpha: float = 0.05
    alternative: str = "two-sided"
    variance: str = "binormal"
    sd_ratio: float | None = None

    def __post_init__(self) -> None:
        """Validate."""
        set_number(self, "auc_a", 0, 1)
        set_number(self, "auc_b", 0, 1)
        if self.auc_a == self.auc_b:
            raise OptionError("auc_a", self.auc_a, "another value than `auc_b`", "auc_a=0.85, auc_b=0.80")
        _set_test(self)
        set_spread(self)

    def reached(self, m: float, n: float) -> float:
        """Give the power: Phi(|difference| / SE - z)."""
        v = self.std_error(m, n) ** 2
        return _power(self.auc_a - self.auc_b, v, v, self.alpha, self.alternative)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PairedDifference(_Difference):
    """A study that compares two models on the same rows by their ROC-AUC (DeLong's test).

    Attributes
    ----------
    auc_a, auc_b : the AUCs expected; ``alternative="greater"`` means that ``auc_a`` is.
    correlation : how alike the models are, from -1 to 1; what it is the correlation of says ``correlation_of``.
    correlation_of : ``"scores"``: of the two scores within each class, from which the covariance of the AUCs follows
        exactly for normal scores (needs ``variance="binormal"``). ``"areas"``: of the two AUCs.
    alpha, alternative, variance, sd_ratio : as for :class:`AucAgainst`.

    Raises
    ------
    OptionError
        If a parameter is out of range, the AUCs are the same, or the options do not go together.

    Examples
    --------
    The more alike the models, the fewer rows it takes:

    >>> import rocsolid as rs
    >>> [
    ...     rs.sample_size(rs.PairedDifference(auc_a=0.85, auc_b=0.80, correlation=r), power=0.8, ratio=1).n_pos
    ...     for r in (0, 0.5, 0.9)
    ... ]
    [518, 291, 74]
    """

    correlation: float
    correlation_of: str = "scores"

    def __post_init__(self) -> None:
        """Validate."""
        _Difference.__post_init__(self)  # super() does not find its way in a class with slots
        number = float(check_number("correlation", self.correlation))
        if not -1 <= number <= 1:
            raise OptionError("correlation", self.correlation, "from -1 to 1", "correlation=0.5")
        object.__setattr__(self, "correlation", number)
        check_choice("correlation_of", self.correlation_of, ("scores", "areas"))
        if self.correlation_of == "scores" and self.variance != "binormal":
            raise OptionError("correlation_of", "scores", f"'areas' with variance={self.variance!r}",
                              'correlation_of="areas"')  # fmt: skip

    def std_error(self, m: float, n: float) -> float:
        """Give the standard error of the difference."""
        v_a, v_b = (area_variance(self.variance, self.sd_ratio, auc, m, n) for auc in (self.auc_a, self.auc_b))
        if self.correlation_of == "areas":
            shared = self.correlation * math.sqrt(v_a * v_b)
        else:
            ratio = 1.0 if self.sd_ratio is None else self.sd_ratio
            shared = binormal_covariance(self.auc_a, self.auc_b, m, n, ratio, self.correlation)
        return math.sqrt(max(v_a + v_b - 2 * shared, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UnpairedDifference(_Difference):
    """A study that compares two models, or one model in two populations, by the ROC-AUC of different rows.

    Attributes
    ----------
    auc_a, auc_b : the AUCs expected; ``alternative="greater"`` means that ``auc_a`` is.
    alpha, alternative, variance, sd_ratio : as for :class:`AucAgainst`.

    Raises
    ------
    OptionError
        If a parameter is out of range, or the AUCs are the same.

    Notes
    -----
    Sizes are rows of *each* model: the study needs twice as many.

    Examples
    --------
    >>> import rocsolid as rs
    >>> rs.sample_size(rs.UnpairedDifference(auc_a=0.85, auc_b=0.80), power=0.8, ratio=1).n_pos
    518
    """

    rows_of: ClassVar[str] = "of each model"

    def std_error(self, m: float, n: float) -> float:
        """Give the standard error of the difference."""
        variances = (area_variance(self.variance, self.sd_ratio, auc, m, n) for auc in (self.auc_a, self.auc_b))
        return math.sqrt(sum(variances))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PilotDifference(Design):
    """A study that repeats a paired comparison with other numbers of rows; from a pilot with :meth:`of`.

    Var(AUC_a - AUC_b) = spread_pos / m + spread_neg / n, where the spreads are the variances, within each class, of
    the difference of a row's placements in the two models (DeLong, DeLong & Clarke-Pearson 1988).

    Attributes
    ----------
    difference : AUC_a - AUC_b, in the pilot. A pilot's difference is itself uncertain, and one that was carried on
        because it looked large is too large: put in the smallest difference worth finding instead.
    spread_pos, spread_neg : the variances of the placements' differences.
    null_spread_pos, null_spread_neg : the same under the null hypothesis, if a test uses those; by default the
        others, since DeLong's test estimates its standard error from the data as they are.
    alpha, alternative : as for :class:`AucAgainst`.

    Examples
    --------
    >>> import rocsolid as rs
    >>> y = [1, 1, 1, 0, 0, 0]
    >>> pilot = rs.PilotDifference.of(y, [6, 5, 2, 4, 3, 1], [6, 3, 2, 5, 4, 1])
    >>> round(pilot.difference, 4)  # 7/9 - 5/9
    0.2222
    """

    difference: float
    spread_pos: float
    spread_neg: float
    null_spread_pos: float | None = None
    null_spread_neg: float | None = None
    alpha: float = 0.05
    alternative: str = "two-sided"

    def __post_init__(self) -> None:
        """Validate."""
        set_number(self, "difference", -1, 1)
        if self.difference == 0:
            raise OptionError("difference", self.difference, "another value than 0", "difference=0.05")
        if (self.null_spread_pos is None) != (self.null_spread_neg is None):
            raise OptionError("null_spread_pos", self.null_spread_pos, "given together with `null_spread_neg`")
        for name in ("spread_pos", "spread_neg", "null_spread_pos", "null_spread_neg"):
            if getattr(self, name) is None:
                continue
            value = float(check_number(name, getattr(self, name)))
            if not 0 <= value <= 2:
                raise OptionError(name, getattr(self, name), "from 0 to 2", "PilotDifference.of(y_true, a, b)")
            object.__setattr__(self, name, value)
        if self.spread_pos + self.spread_neg == 0:
            raise OptionError("spread_pos", 0.0, "positive, or `spread_neg` to be", "take a larger pilot")
        _set_test(self)

    @classmethod
    def of(
        cls,
        y_true: Any,
        scores_a: Any,
        scores_b: Any,
        *,
        pos_label: object = None,
        higher_is_positive: bool = True,
        null_variance: str = "observed",
        alpha: float = 0.05,
        alternative: str = "two-sided",
    ) -> PilotDifference:
        """Take difference and spreads from two models' scores on the same rows. O(n log n).

        ``null_variance="observed"`` is right for DeLong's test. ``"first"`` gives both models the spread of the first
        under the null hypothesis, 2 V(a) - 2 C (Obuchowski & McClish 1997, as R's pROC has it): it depends on which
        model is first.

        Raises
        ------
        InputError
            One of its kinds, if the data can not be used.
        UndefinedMeasureError
            If a class has fewer than two rows.
        OptionError
            If the two AUCs are the same.
        """
        check_choice("null_variance", null_variance, ("observed", "first"))
        high = check_direction(higher_is_positive)
        first = read_rows(y_true, scores_a, pos_label=pos_label, score_name="scores_a")
        m, n = (int((first.positive == side).sum()) for side in (True, False))
        if min(m, n) < 2:
            raise UndefinedMeasureError(
                "PilotDifference", f"a class has fewer than two rows ({m:,} positive, {n:,} negative)",
                "use a larger pilot",
            )  # fmt: skip
        pilot = Placements.of([first, with_scores(first, scores_b, "scores_b")], [high, high])
        assert pilot is not None  # 2^41 rows and more do not fit
        pos, neg = (float(pilot.spread_of_difference(c, 0, 1)) for c in (0, 1))
        null_pos, null_neg = (
            float(2 * (pilot.spread(c, 0, 0) - pilot.spread(c, 0, 1))) if null_variance == "first" else None
            for c in (0, 1)
        )
        return cls(
            difference=float(pilot.difference(0, 1)), spread_pos=pos, spread_neg=neg, null_spread_pos=null_pos,
            null_spread_neg=null_neg, alpha=alpha, alternative=alternative,
        )  # fmt: skip

    def reached(self, m: float, n: float) -> float:
        """Give the power: Phi((|difference| - z SE under the null) / SE)."""
        observed = self.std_error(m, n) ** 2
        null = observed
        if self.null_spread_pos is not None and self.null_spread_neg is not None:
            null = self.null_spread_pos / m + self.null_spread_neg / n
        return _power(self.difference, null, observed, self.alpha, self.alternative)

    def std_error(self, m: float, n: float) -> float:
        """Give the standard error of the difference."""
        return math.sqrt(self.spread_pos / m + self.spread_neg / n)
