"""Functions that compare, beside the numbers: ``rs.crossings`` of curves, and ``rs.plot_comparison``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocsolid import _faces, _kernel, keys
from rocsolid.comparisons import Comparison, Comparisons
from rocsolid.curves.points import need_rows
from rocsolid.errors import DtypeError, OptionError
from rocsolid.inference.crossings import Crossings, PairedRanks, find_crossings
from rocsolid.inference.seeds import resampling
from rocsolid.inputs import Rows, read_rows
from rocsolid.inputs.rows import with_scores
from rocsolid.options import check_direction, check_level, get_num_threads
from rocsolid.results import Sizes


def crossings(
    y_true: Any,
    y_scores: Mapping[str, Any],
    *,
    pos_label: object = None,
    higher_is_positive: bool = True,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: object = None,
) -> Crossings:
    """Find where the ROC curves of two models cross, who leads in between, and how sure that is.

    Parameters
    ----------
    y_true : (n,) labels, as in :func:`evaluate`.
    y_scores : two models on the same rows, a mapping from name to (n,) scores; nothing may be missing.
    pos_label, higher_is_positive : as in :func:`evaluate`.
    confidence_level : at each FPR a lead is called decided if it holds in 1 - alpha/2 of the replicates.
    n_resamples : bootstrap replicates; rows are drawn within their class, both scores together.
    rng : a seed, or a NumPy generator to draw one from; the seed used is in the result.

    Returns
    -------
    Crossings

    Raises
    ------
    InputError
        One of its kinds, if the data can not be used as they are.
    UndefinedMeasureError
        If one of the classes has no row.
    OptionError
        If there are not two models, or an option has a value that is not allowed.

    Notes
    -----
    Points are exact, in whole numbers. The interval of a crossing is the range around it in which neither lead is
    decided (a test of equal heights, inverted). Efron & Tibshirani 1993. O(n log n + n_resamples n).

    Examples
    --------
    Model a finds a positive first and loses the other: (0, 0) (0, 1/2) (1, 1/2) (1, 1). Model b has TPR 1 from FPR
    1/2 on, (0, 0) (1/2, 0) (1/2, 1) (1, 1): they cross at FPR 1/2.

    >>> import rocsolid as rs
    >>> found = rs.crossings([1, 1, 0, 0], {"a": [4, 1, 3, 2], "b": [3, 2, 4, 1]}, rng=0)
    >>> [(c.exact, c.before, c.after) for c in found.crossings]
    [(Fraction(1, 2), 'a', 'b')]
    >>> [(r.leader, r.tpr_low, r.tpr_high, r.strictest, r.most_lenient) for r in found.ranges]
    [('a', 0.5, 0.5, 4, 3), ('b', 1.0, 1.0, 2, 1)]
    """
    if not isinstance(y_scores, Mapping):
        raise DtypeError("y_scores", "a mapping from model name to scores", type(y_scores).__name__, "{'a': s, 'b': t}")
    if len(y_scores) != 2:
        raise OptionError("y_scores", list(y_scores), "two models", "choose two of them: {'a': s, 'b': t}")
    direction, level, seed = (
        check_direction(higher_is_positive),
        check_level(confidence_level),
        resampling(None, rng).seed,
    )
    if isinstance(n_resamples, bool) or not isinstance(n_resamples, int) or n_resamples < 100:
        raise OptionError("n_resamples", n_resamples, "a whole number of at least 100", "n_resamples=2000")
    (one, first), (two, second) = y_scores.items()
    rows = read_rows(y_true, first, pos_label=pos_label, score_name=f"y_scores[{one!r}]")
    need_rows(
        Sizes(n_pos=int(rows.positive.sum()), n_neg=int((~rows.positive).sum())), "roc curve", "positives", "negatives"
    )
    other = with_scores(rows, second, f"y_scores[{two!r}]")
    ranks = _ranks(rows, direction), _ranks(other, direction)
    paired = PairedRanks(*ranks, rows.positive, (_cuts(rows, ranks[0]), _cuts(other, ranks[1])))
    return find_crossings(paired, (str(one), str(two)), rows.pos_label, level, n_resamples, seed)


def plot_comparison(found: Comparison | Comparisons, *, ax: Any = None, lang: str = "en") -> Any:
    """Draw differences of models with their intervals: dark where the interval leaves 0 out.

    Parameters
    ----------
    found : what :func:`rocsolid.compare` gives back. A margin is drawn as two dashed lines; a one-sided interval
        ends in an arrow.
    ax : the axes to draw on; by default those of a new figure.
    lang : ``"en"`` or ``"zh"``.

    Returns
    -------
    ForestDisplay
        With ``ax_``, ``figure_``, ``points_`` and ``whiskers_``.

    Raises
    ------
    DtypeError
        If ``found`` is no comparison.
    MissingDependencyError
        Without Matplotlib.

    Notes
    -----
    O(pairs). Beside each line stand the difference, its interval and the p value (adjusted, where it is). Whether an
    interval holds 0 and whether p is small are two questions; see docs/explanation/comparison.md.

    Examples
    --------
    >>> import rocsolid as rs
    >>> found = rs.compare([0, 0, 1, 1], {"new": [1, 2, 3, 4], "old": [1, 3, 2, 4]})
    >>> rs.plot_comparison(found).points_[0].get_xdata().tolist()
    [0.25]
    """
    return _faces.plot_forest(found, ax=ax, lang=lang)


def _ranks(rows: Rows, descending: bool) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The rank of each row's score, 0 for the strictest."""
    wide, _ = keys.to_kernel(rows.scores)
    ranks, _ = _kernel.ranks(wide, descending, get_num_threads())
    return ranks.astype(np.int64)


def _cuts(rows: Rows, ranks: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, Any]:
    """The score of each rank."""
    native = rows.scores if rows.decimals is None else rows.decimals[rows.scores]
    return np.asarray(native)[np.unique(ranks, return_index=True)[1]]
