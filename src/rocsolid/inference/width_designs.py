"""Designs of studies that measure something: how short an interval of an AUC, an AP or a recall is to be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from rocsolid.errors import OptionError
from rocsolid.inference import limits as lim
from rocsolid.inference.area_variances import influence_of_average_precision, normal_inverse
from rocsolid.inference.designs import Design, Goal, area_variance, set_number, set_spread
from rocsolid.options import check_choice, check_level


def _half(limits: lim.Limits) -> float:
    return (limits[1] - limits[0]) / 2


def _half_wilson(p: float, variance: float, level: float) -> float:
    """Half the width of Wilson's interval with the effective size p (1 - p) / variance."""
    return _half(lim.wilson(p, p * (1 - p) / variance, lim.normal_quantile(level)))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AucWidth(Design):
    """A study that measures an ROC-AUC with an interval of a given half-width.

    Attributes
    ----------
    auc : the AUC expected.
    confidence_level : level of the interval.
    interval : ``"wilson"``, the form that this package's intervals of an AUC have, half of its width; or ``"wald"``,
        AUC +- z SE.
    variance, sd_ratio : as for :class:`AucAgainst`.

    Notes
    -----
    The width is the one at the AUC expected; of the studies done, about half will get a wider interval. With fewer
    than some 30 rows in a class the default interval is wider than this, since it allows for rows not seen.

    Examples
    --------
    >>> import rocsolid as rs
    >>> rs.sample_size(rs.AucWidth(auc=0.9), half_width=0.05, ratio=1).n_pos
    72
    """

    goal: ClassVar[Goal] = "half_width"

    auc: float
    confidence_level: float = 0.95
    interval: str = "wilson"
    variance: str = "binormal"
    sd_ratio: float | None = None

    def __post_init__(self) -> None:
        """Validate."""
        set_number(self, "auc", 0, 1)
        check_level(self.confidence_level)
        check_choice("interval", self.interval, ("wilson", "wald"))
        set_spread(self)

    def reached(self, m: float, n: float) -> float:
        """Give the half-width."""
        se = self.std_error(m, n)
        if self.interval == "wald":
            return lim.normal_quantile(self.confidence_level) * se
        return _half_wilson(self.auc, se * se, self.confidence_level)

    def std_error(self, m: float, n: float) -> float:
        """Give the standard error of the AUC."""
        return math.sqrt(area_variance(self.variance, self.sd_ratio, self.auc, m, n))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AveragePrecisionWidth(Design):
    """A study that measures an average precision with an interval of a given half-width.

    The interval is the logit one; half of its width counts. The prevalence is that of the rows planned, since an AP
    belongs to a prevalence.

    Attributes
    ----------
    average_precision : the AP expected, at the prevalence planned for.
    confidence_level : level of the interval.
    variance : ``"binormal"``, the variance of the influence function in the binormal population with this AP at this
        prevalence, for rows sampled at random; or ``"boyd"``, AP (1 - AP) / n_pos (Boyd, Eng & Page 2013).
    sd_ratio : standard deviation of the negatives over that of the positives, 1 if not given; ``"binormal"`` only.

    Notes
    -----
    As for :class:`AucWidth`; with fewer than some 100 positives the default interval is wider than planned.

    Examples
    --------
    >>> import rocsolid as rs
    >>> design = rs.AveragePrecisionWidth(average_precision=0.4, variance="boyd")
    >>> rs.sample_size(design, half_width=0.05, prevalence=0.02).n_pos
    367
    """

    goal: ClassVar[Goal] = "half_width"

    average_precision: float
    confidence_level: float = 0.95
    variance: str = "binormal"
    sd_ratio: float | None = None

    def __post_init__(self) -> None:
        """Validate."""
        set_number(self, "average_precision", 0, 1)
        check_level(self.confidence_level)
        check_choice("variance", self.variance, ("binormal", "boyd"))
        if self.sd_ratio is not None:
            if self.variance == "boyd":
                raise OptionError("sd_ratio", self.sd_ratio, "absent with variance='boyd'", 'variance="binormal"')
            set_number(self, "sd_ratio", 0, math.inf)

    def reached(self, m: float, n: float) -> float:
        """Give the half-width."""
        z = lim.normal_quantile(self.confidence_level)
        return _half(lim.on_logit(self.average_precision, self.std_error(m, n), z))

    def std_error(self, m: float, n: float) -> float:
        """Give the standard error of the average precision."""
        p = self.average_precision
        if self.variance == "boyd":
            return math.sqrt(p * (1 - p) / m)
        share, ratio = m / (m + n), 1.0 if self.sd_ratio is None else self.sd_ratio
        square = influence_of_average_precision(p, round(share, 12), ratio)
        if square is None:
            raise OptionError("average_precision", p, f"one that normal scores reach at prevalence {share:.4g}",
                              f"average_precision={(1 + share) / 2:.2g}")  # fmt: skip
        return math.sqrt(square / (m + n))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RecallWidth(Design):
    """A study that measures the recall at a given FPR, or at a given threshold, with a Wilson interval.

    At a threshold fixed in advance the recall is a proportion of the positives. At a given FPR the threshold comes
    from the negatives and adds its own error, by the slope r of the ROC curve there: Var = t (1 - t)/m +
    r^2 f (1 - f)/n (Greenhouse & Mantel 1950, Biometrics 6:399-412; Linnet 1987, Clinical Chemistry 33:1147-1149).

    Attributes
    ----------
    recall : the recall expected.
    fpr : the FPR at which it is measured; ``None`` if the threshold is fixed in advance.
    confidence_level : level of the interval.
    sd_ratio : standard deviation of the negatives over that of the positives, 1 if not given: it sets the slope,
        sd_ratio phi(Phi^-1(recall)) / phi(Phi^-1(fpr)). With ``fpr`` only.

    Examples
    --------
    At a fixed threshold half of Wilson's width of a proportion of 1/2 is z / (2 sqrt(m + z^2)): m = 96.04 - 3.84.

    >>> import rocsolid as rs
    >>> rs.sample_size(rs.RecallWidth(recall=0.5), half_width=0.1, ratio=1).n_pos
    93
    >>> rs.sample_size(rs.RecallWidth(recall=0.5, fpr=0.1), half_width=0.1, ratio=1).n_pos
    264
    """

    goal: ClassVar[Goal] = "half_width"

    recall: float
    fpr: float | None = None
    confidence_level: float = 0.95
    sd_ratio: float | None = None

    def __post_init__(self) -> None:
        """Validate."""
        set_number(self, "recall", 0, 1)
        check_level(self.confidence_level)
        if self.fpr is not None:
            set_number(self, "fpr", 0, 1)
        if self.sd_ratio is not None:
            if self.fpr is None:
                raise OptionError("sd_ratio", self.sd_ratio, "absent at a fixed threshold", "fpr=0.1")
            set_number(self, "sd_ratio", 0, math.inf)

    def reached(self, m: float, n: float) -> float:
        """Give the half-width."""
        return _half_wilson(self.recall, self.std_error(m, n) ** 2, self.confidence_level)

    def std_error(self, m: float, n: float) -> float:
        """Give the standard error of the recall."""
        t = self.recall
        variance = t * (1 - t) / m
        if self.fpr is not None:
            x, y = normal_inverse(self.fpr), normal_inverse(t)
            slope = (1.0 if self.sd_ratio is None else self.sd_ratio) * math.exp((x * x - y * y) / 2)
            variance += slope * slope * self.fpr * (1 - self.fpr) / n
        return math.sqrt(variance)
