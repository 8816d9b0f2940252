"""``rs.bootstrap``: the uncertainty of any function of a sweep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rocsolid.evaluation import Spec
from rocsolid.functions import evaluate, need_one_column
from rocsolid.options import Margins
from rocsolid.results import Estimate
from rocsolid.sweep import Sweep


def bootstrap(
    y_true: Any,
    y_score: Any,
    statistic: Spec | Callable[[Sweep], Any],
    *,
    pos_label: object = None,
    sample_weight: Any = None,
    cluster: object = None,
    higher_is_positive: bool = True,
    missing: str = "raise",
    on_undefined: str = "raise",
    confidence_level: float = 0.95,
    method: str = "bootstrap",
    margins: Margins = "random",
    n_resamples: int | None = None,
    rng: object = None,
) -> Estimate:
    """Estimate a measure, or a function of your own, with a bootstrap interval.

    Short for ``evaluate(...).bootstrap(statistic, ...)``; arguments and errors as there and in :func:`evaluate`.

    Notes
    -----
    O(n log n + n_resamples k) for k distinct scores; ROC-AUC and average precision on all threads.

    Examples
    --------
    The share of positives among five rows, a proportion; its limits are fifths, since every resample has five rows:

    >>> import rocsolid as rs
    >>> def share(sweep):
    ...     return sweep.n_pos / (sweep.n_pos + sweep.n_neg)
    >>> found = rs.bootstrap([0, 1, 1, 0, 1], [1, 2, 3, 4, 5], share, method="bootstrap-percentile", rng=0)
    >>> found.value, found.interval.low, found.interval.high
    (0.6, 0.2, 0.8)
    """
    need_one_column(y_true, y_score)
    evaluation = evaluate(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, cluster=cluster,
        higher_is_positive=higher_is_positive, missing=missing, on_undefined=on_undefined,
        confidence_level=confidence_level,
    )  # fmt: skip
    return evaluation.bootstrap(statistic, method=method, margins=margins, n_resamples=n_resamples, rng=rng)
