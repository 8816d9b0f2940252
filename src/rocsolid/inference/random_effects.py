"""Random effects: k estimates y_i with variances v_i of true values that differ between sites by tau^2.

y_i = mu + u_i + e_i with Var(u_i) = tau^2 and Var(e_i) = v_i. With w_i = 1 / (v_i + tau^2), mu = sum w y / sum w.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rocsolid.inference.limits import Limits, normal_quantile, t_quantile

Floats = npt.NDArray[np.float64]
STEPS = 200


@dataclass(frozen=True, slots=True)
class Sites:
    """Estimates of the sites and their variances."""

    y: Floats
    v: Floats

    def __len__(self) -> int:
        """Count the sites."""
        return len(self.y)

    def weights(self, tau2: float) -> Floats:
        """1 / (v + tau^2)."""
        return 1 / (self.v + tau2)

    def mean(self, tau2: float) -> float:
        """Weighted mean."""
        w = self.weights(tau2)
        return float(w @ self.y / w.sum())

    def q(self, tau2: float) -> float:
        """Cochran's Q with these weights: sum w (y - mu)^2. It falls as tau^2 grows."""
        return float(self.weights(tau2) @ np.square(self.y - self.mean(tau2)))


def dersimonian_laird(sites: Sites) -> float:
    """tau^2 from the first moment of Q at tau^2 = 0 (DerSimonian & Laird 1986, Controlled Clinical Trials 7)."""
    w = sites.weights(0.0)
    return max(0.0, (sites.q(0.0) - (len(sites) - 1)) / float(w.sum() - w @ w / w.sum()))


def paule_mandel(sites: Sites) -> float:
    """tau^2 at which Q is its expectation, k - 1 (Paule & Mandel 1982, J. Res. Natl. Bur. Stand. 87)."""
    return _where_q_is(sites, len(sites) - 1)


def reml(sites: Sites) -> float:
    """tau^2 of the largest restricted likelihood (Patterson & Thompson 1971; Viechtbauer 2005, JEBS 30)."""
    from scipy.optimize import brentq

    def likelihood(tau2: float) -> float:
        w = sites.weights(tau2)
        return float(np.log(w).sum() - math.log(w.sum()) - sites.q(tau2)) / 2

    def slope(tau2: float) -> float:
        w = sites.weights(tau2)
        return float(w**2 @ np.square(sites.y - sites.mean(tau2)) - w.sum() + w @ w / w.sum()) / 2

    top = 10 * float(np.ptp(sites.y)) ** 2  # beyond it the likelihood only falls
    if top == 0:
        return 0.0
    grid = [0.0, *np.geomspace(top * 1e-9, top, STEPS).tolist()]
    best = max(range(len(grid)), key=lambda i: likelihood(grid[i]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    return float(brentq(slope, low, high, xtol=1e-14)) if slope(low) > 0 > slope(high) else grid[best]


TAU2: dict[str, Callable[[Sites], float]] = {
    "reml": reml,
    "paule-mandel": paule_mandel,
    "dersimonian-laird": dersimonian_laird,
}
"""Estimators of tau^2 by name; the first is ``auto``."""


def q_profile(sites: Sites, level: float) -> Limits:
    """Interval of tau^2: the values at which Q is not extreme for chi^2(k - 1) (Viechtbauer 2007, Stat. Med. 26)."""
    from scipy.special import chdtri

    low, high = (float(chdtri(len(sites) - 1, tail)) for tail in ((1 - level) / 2, (1 + level) / 2))
    return _where_q_is(sites, low), _where_q_is(sites, high)


def _where_q_is(sites: Sites, value: float) -> float:
    """tau^2 >= 0 at which Q has this value; 0 if it is smaller there already."""
    from scipy.optimize import brentq

    if sites.q(0.0) <= value:
        return 0.0
    high = float(np.square(sites.y - sites.y.mean()).sum()) / value  # Q <= sum (y - mean)^2 / tau^2
    return float(brentq(lambda tau2: sites.q(tau2) - value, 0.0, high * (1 + 1e-9), xtol=1e-14))


def hartung_knapp(sites: Sites, tau2: float, *, modified: bool) -> float:
    """Standard error of the mean from the spread that the sites show (Hartung & Knapp 2001; Sidik & Jonkman 2002).

    sqrt(q / sum w) with q = sum w (y - mu)^2 / (k - 1). Modified, q is never taken below 1, so that sites which agree
    by chance give no interval shorter than their own errors allow (Roever, Knapp & Friede 2015).
    """
    q = sites.q(tau2) / (len(sites) - 1)
    return math.sqrt((max(q, 1.0) if modified else q) / float(sites.weights(tau2).sum()))


def mean_interval(sites: Sites, tau2: float, method: str, level: float) -> tuple[float, float, Limits]:
    """Mean, standard error and interval by name; Student's t with k - 1 degrees of freedom, or normal for Wald."""
    mu = sites.mean(tau2)
    if method == "wald":
        se, quantile = 1 / math.sqrt(float(sites.weights(tau2).sum())), normal_quantile(level)
    else:
        se = hartung_knapp(sites, tau2, modified=method == "hartung-knapp-modified")
        quantile = t_quantile(len(sites) - 1, level)
    return mu, se, (mu - quantile * se, mu + quantile * se)


def prediction_interval(mu: float, se: float, tau2: float, k: int, level: float) -> Limits | None:
    """Where the true value of another site lies: mu +- t sqrt(tau^2 + SE^2), k - 2 degrees of freedom.

    Source: Higgins, Thompson & Spiegelhalter 2009 (JRSS A 172:137-159). None for fewer than three sites.
    """
    if k < 3:
        return None
    half = t_quantile(k - 2, level) * math.sqrt(tau2 + se * se)
    return mu - half, mu + half
