"""Scores read as probabilities: the part of an evaluation that asks whether to believe them, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence

from rocsolid.advised import Advised
from rocsolid.calibration import Calibration, calibration, with_band
from rocsolid.calibration.summary import specs as calibration_specs
from rocsolid.curves import ReliabilityCurve
from rocsolid.measures.registry import check_probabilities
from rocsolid.net_benefits import NetBenefits, net_benefits


class Believed(Advised):
    """Every question about scores that claim to be probabilities."""

    __slots__ = ()

    def calibration(self, *, bins: int = 10, binning: str = "mass") -> Calibration:
        """Say whether the scores are the probabilities that they claim to be, with tests.

        ``bins`` and ``binning`` (``"mass"`` or ``"width"``) are those of the expected calibration error and of the
        Hosmer-Lemeshow test; everything else needs no bins. With weights there are no tests. O(k).

        Raises
        ------
        ProbabilityError
            If the scores are no probabilities.
        OptionError, UnknownNameError
            For bad bins.
        NotAvailableError
            With clusters or folds: the tests take rows as independent.

        Examples
        --------
        >>> import rocsolid as rs
        >>> ev = rs.evaluate([0, 0, 1, 1, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.2, 0.6, 0.9, 0.7])
        >>> ev.calibration().tests[1]
        <slope=1, intercept=0: chi-square(2) = 0.0650, p = 0.9680>
        """
        self._need_independent_rows("tests of calibration")
        check_probabilities("calibration", self._sweep)
        return calibration(self.table(calibration_specs(bins, binning)), self._sweep, bins=bins, binning=binning)

    def reliability(
        self,
        *,
        binning: str = "isotonic",
        bins: int = 10,
        confidence_level: float | None = None,
        n_resamples: int | None = None,
        rng: object = None,
    ) -> ReliabilityCurve:
        """Draw the reliability curve with its consistency band; see :func:`rocsolid.calibration.with_band`.

        ``binning="isotonic"`` needs no bins (CORP); ``"width"`` and ``"mass"`` have ``bins`` of them. ``rng`` and
        ``n_resamples`` are those of the band, 2,000 by default and fewer with more than 100,000 distinct scores.
        O(k n_resamples), up to ten seconds by default; ``ev.curve("reliability")`` has no band.

        Raises
        ------
        ProbabilityError, OptionError, UnknownNameError, NotAvailableError
            For scores that are no probabilities, bad options, and for weights, clusters or folds.
        """
        self._need_independent_rows("consistency bands")
        return with_band(
            self._sweep, binning=binning, bins=bins, n_resamples=n_resamples, rng=rng,
            confidence_level=self._confidence_level if confidence_level is None else confidence_level,
        )  # fmt: skip

    def net_benefits(self, thresholds: Sequence[float] | None = None) -> NetBenefits:
        """Decision curve with intervals; ``curve("net_benefit")`` has every probability given, without them.

        Parameters
        ----------
        thresholds : strictly between 0 and 1; by default from one in a hundred to one half.

        Raises
        ------
        OptionError
            For no threshold, or one that is not strictly between 0 and 1.
        ProbabilityError
            If the scores are no probabilities.

        Notes
        -----
        O(k) a threshold. Vickers & Elkin 2006, Medical Decision Making 26:565-574; the interval is MOVER's.

        Examples
        --------
        From 0.3 on three of four rows are flagged, two rightly: 2/4 - 1/4 x 3/7

        >>> import rocsolid as rs
        >>> found = rs.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).net_benefits([0.3])
        >>> str(found.estimates[0].exact)
        '11/28'
        """
        return net_benefits(self, thresholds)
