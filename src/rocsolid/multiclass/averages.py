"""Averages over classes: value, standard error, and an interval joined from those of the classes.

The interval of a weighted sum with positive weights is joined as that of a difference is (MOVER, Zou & Donner 2008,
Statistics in Medicine 27:1693-1702): distances from estimate to limit take the place of standard errors,

    L = T - sqrt(sum_ab w_a w_b rho_ab (T_a - l_a)(T_b - l_b)),    U likewise with (u_a - T_a),

so it does not collapse where all classes are ranked perfectly. Where the weights are class shares, which a sample
estimates too, their part of the variance is one more term.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocsolid.inference.limits import Limits, normal_quantile

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """A weighted sum of estimates.

    Attributes
    ----------
    values : (p,) of the terms.
    weights : (p,) not negative.
    covariance : (p, p) of the terms, and last, if there is one more row, of what the weights' own error adds.
    """

    values: Floats
    weights: Floats
    covariance: Floats

    @property
    def value(self) -> float:
        """The sum, rounded once."""
        return math.fsum(self.weights * self.values)

    @property
    def _all_weights(self) -> Floats:
        return np.append(self.weights, np.ones(len(self.covariance) - len(self.weights)))

    @property
    def std_error(self) -> float:
        """Standard error; nan where a term has none."""
        w = self._all_weights
        return math.sqrt(max(float(w @ self.covariance @ w), 0.0)) if not np.isnan(self.covariance).any() else math.nan

    def joined(self, limits: Floats, level: float) -> Limits | None:
        """Join (p, 2) limits of the terms, rows of nan where there are none; ``None`` unless every term has some."""
        if np.isnan(limits).any() or np.isnan(self.covariance).any():
            return None
        own = np.sqrt(np.diag(self.covariance))
        both = np.outer(own, own)
        rho = np.divide(self.covariance, both, out=np.eye(len(own)), where=both > 0)
        np.fill_diagonal(rho, 1.0)
        beyond = normal_quantile(level) * own[len(self.weights) :]  # of the weights' own error: symmetric

        def distance(steps: Floats) -> float:
            d = np.append(self.weights * steps, beyond)
            return math.sqrt(max(float(d @ rho @ d), 0.0))

        value = self.value
        low, high = distance(self.values - limits[:, 0]), distance(limits[:, 1] - self.values)
        return value - low, value + high
