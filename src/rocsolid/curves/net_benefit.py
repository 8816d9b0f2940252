"""The decision curve: net benefit of acting from a probability on, against that probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rocsolid import _faces
from rocsolid.curves.picture import Picture, Tabled
from rocsolid.curves.points import Floats, from_zero, frozen, thresholds
from rocsolid.measures.ranking import class_shares
from rocsolid.measures.registry import check_probabilities
from rocsolid.results import Sizes
from rocsolid.sweep import Sweep


@dataclass(frozen=True, slots=True, eq=False)
class NetBenefitCurve(Tabled):
    """Net benefit at every probability that was given, strict to lenient (Vickers & Elkin 2006).

    At threshold t it is TP/N - FP/N t/(1 - t). Between two scores the same rows are flagged and only the odds change;
    ``ev.measure("net_benefit(threshold=0.2)")`` has any threshold, with its interval.

    Attributes
    ----------
    thresholds : (k + 1,) probabilities; the first, which flags nothing, is nan.
    net_benefit : (k + 1,) per row; from 0, that of treating nobody. At threshold 1 it is -inf if a negative is flagged.
    standardized : (k + 1,) the same over the prevalence, the most that can be had; nan without positives.
    treat_all : (k + 1,) net benefit of flagging everybody at the same odds; nan at the first point.
    prevalence : the share of positives.
    """

    kind: ClassVar[str] = "net_benefit"
    thresholds: Floats
    net_benefit: Floats
    standardized: Floats
    treat_all: Floats
    prevalence: float
    sizes: Sizes
    pos_label: object

    @classmethod
    def of(cls, sweep: Sweep) -> NetBenefitCurve:
        """Draw the curve of a sweep. O(k).

        Raises
        ------
        ProbabilityError
            If the scores are no probabilities.
        UndefinedMeasureError
            If low scores are the positive sign.

        Examples
        --------
        At 0.8 one of four rows is a true positive, at 0.5 there is a false one too, at odds 1:

        >>> curve = NetBenefitCurve.of(Sweep.from_arrays([1, 0], [0.8, 0.5]))
        >>> curve.net_benefit.tolist(), curve.treat_all.tolist()[2]
        ([0.0, 0.5, 0.0], 0.0)
        """
        check_probabilities("net benefit curve", sweep)
        tp, fp = from_zero(sweep.pos_mass), from_zero(sweep.neg_mass)
        share, complement = class_shares(sweep)
        at = thresholds(sweep).astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = at / (1 - at)
            benefit = (tp - _charged(fp, odds)) / (tp[-1] + fp[-1])
            treat_all = share - _charged(np.full_like(fp, complement), odds)
        benefit[0], treat_all[0] = 0.0, np.nan
        standardized = benefit / share if share > 0 else np.full_like(benefit, np.nan)
        return cls(
            thresholds=frozen(at),
            net_benefit=frozen(benefit),
            standardized=frozen(standardized),
            treat_all=frozen(treat_all),
            prevalence=share,
            sizes=sweep.sizes,
            pos_label=sweep.pos_label,
        )

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give a data frame with columns ``threshold, net_benefit, standardized, treat_all``."""
        columns = {"threshold": self.thresholds, "net_benefit": self.net_benefit}
        return _faces.frame({**columns, "standardized": self.standardized, "treat_all": self.treat_all}, backend)

    def picture(self) -> Picture:
        """Say what is drawn: where acting is worth more than -prevalence; beside it, treating everybody."""
        shown = self.net_benefit >= -self.prevalence
        shown[0] = False
        everybody = self.treat_all >= -self.prevalence
        return Picture(
            line=(self.thresholds[shown], self.net_benefit[shown]), across="Threshold probability", up="Net benefit",
            chance=(self.thresholds[everybody], self.treat_all[everybody]),
        )  # fmt: skip

    def plot(self, ax: Any = None, name: str | None = None, lang: str = "en") -> Any:
        """Draw the curve and that of treating everybody with Matplotlib; return the display."""
        return _faces.plot_curve(self, ax=ax, name=name, lang=lang)

    def __repr__(self) -> str:
        """One line: number of points, prevalence and sizes."""
        head = f"<net benefit curve: {len(self.thresholds):,} points at prevalence {self.prevalence:.4g}"
        return f"{head}; {self.sizes}; positive: {self.pos_label!r}>"


def _charged(false_positives: Floats, odds: Floats) -> Floats:
    """What false positives cost; nothing where there are none, however high the odds."""
    return np.where(false_positives > 0, false_positives * odds, 0.0)
