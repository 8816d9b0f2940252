"""Several sites: pool what was measured at each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rocsolid.errors import OptionError
from rocsolid.evaluation import Evaluation, Spec
from rocsolid.evaluations import Evaluations
from rocsolid.inference.pooling import Pooled, pool_estimates
from rocsolid.inference.positive_labels import check_positive_labels
from rocsolid.measures import find
from rocsolid.results import Estimate


def pool(
    sites: Mapping[str, Evaluation | Estimate],
    measure: Spec = "roc_auc",
    *,
    tau2: str = "reml",
    interval: str = "hartung-knapp-modified",
    confidence_level: float = 0.95,
) -> Pooled:
    """Pool a measure over sites whose true values differ: random effects on the logit scale.

    Parameters
    ----------
    sites : evaluations (or estimates, such as those of :func:`interval_from_summary`) by the name of the site. Sites
        are independent: no row is at two of them.
    measure : any measure with values from 0 to 1, such as ``"roc_auc"``, ``"average_precision"`` (which belongs to a
        prevalence: sites with different ones differ for that reason too) or ``"recall(threshold=0.5)"``.
    tau2 : estimator of the variance between sites: ``"reml"``, ``"paule-mandel"`` or ``"dersimonian-laird"``.
    interval : ``"hartung-knapp-modified"`` (Roever, Knapp & Friede 2015), ``"hartung-knapp"`` (Hartung & Knapp 2001;
        Sidik & Jonkman 2002) or ``"wald"``; the first two with Student's t, k - 1 degrees of freedom.
    confidence_level : level of all intervals.

    Returns
    -------
    Pooled
        The value at a typical site with its interval, the prediction interval for another site (Higgins, Thompson &
        Spiegelhalter 2009), tau^2 with its Q-profile interval (Viechtbauer 2007), Q, I^2 and the weights.

    Raises
    ------
    UndefinedMeasureError
        If there is one site only, or the measure or its interval does not exist at one.
    OptionError
        If the sites are models of the same rows, estimates of another measure, or have the same labels of which
        different ones are positive; for an unknown option.
    EmptyInputError
        If there is no site.

    Notes
    -----
    O(k) beside the estimates. A site enters with logit A and the variance (SE / (A (1 - A)))^2, where SE is DeLong's
    or the influence function's. At 0 or 1 (perfect separation) there is no logit: the site's interval tells its
    effective number of rows N, and half a hit and half a miss are added to it, which a note says.

    Examples
    --------
    Two sites of the same precision and far apart: the pooled logit is the mean of both.

    >>> import rocsolid as rs
    >>> sites = {name: rs.interval_from_summary(auc=a, n_pos=400, n_neg=400) for name, a in (("A", 0.7), ("B", 0.9))}
    >>> pooled = rs.pool(sites)
    >>> round(pooled.value, 3), round(pooled.interval.low, 3), round(pooled.interval.high, 3)
    (0.82, 0.001, 1.0)
    """
    if isinstance(sites, Evaluations):
        raise OptionError("sites", "models on the same rows", "evaluations of different rows, by site",
                          'rs.pool({"site a": ev_a, "site b": ev_b})')  # fmt: skip
    if not isinstance(sites, Mapping):
        raise OptionError("sites", type(sites).__name__, "a mapping from site to evaluation",
                          'rs.pool({"site a": ev_a, "site b": ev_b})')  # fmt: skip
    request = find(measure)
    estimates = {}
    for name, site in sites.items():
        if not isinstance(site, Evaluation | Estimate):
            raise OptionError("sites", f"{name}: {type(site).__name__}", "an Evaluation or an Estimate at each site",
                              "rs.evaluate(y_true, y_score)")  # fmt: skip
        estimates[str(name)] = site.measure(request) if isinstance(site, Evaluation) else site
    remarks = check_positive_labels(
        site.subject(str(name)) for name, site in sites.items() if isinstance(site, Evaluation)
    )
    found = pool_estimates(estimates, request.spec, tau2=tau2, interval=interval, confidence_level=confidence_level)
    return replace(found, notes=(*found.notes, *remarks))
