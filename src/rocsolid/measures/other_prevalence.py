"""Average precision at a prevalence other than the sample's, by reweighting the two classes.

Precision depends on the classes only through their shares at or above a cut: at prevalence pi it is
pi TPR / (pi TPR + (1 - pi) FPR). With the sample's own prevalence all of this is average precision itself.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rocsolid.measures.registry import Gradient
from rocsolid.options import as_typed
from rocsolid.sweep import Floats, Sweep

EXACT_ROWS = 256
"""Average precision is also given as a fraction up to this many rows; its denominator grows with e^n."""


def adjusted_average_precision(sweep: Sweep, prevalence: float) -> Fraction | float:
    """Mean over positives of the precision at prevalence pi; both classes must have a row. O(k).

    Examples
    --------
    At prevalence 1/2 the precision is 1 at the first positive and 1 / (1 + 1/2) at the second:

    >>> adjusted_average_precision(Sweep.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]), 0.5)
    Fraction(5, 6)
    """
    if sweep.weights is None and sweep.n_pos + sweep.n_neg <= EXACT_ROWS:
        return _exact(sweep, as_typed(prevalence))
    precision, _ = adjusted_precision(sweep, prevalence)
    mass = sweep.pos_mass
    return float((precision * mass).sum()) / float(mass.sum())  # two sums alike: a precision of 1 gives exactly 1


def _exact(sweep: Sweep, pi: Fraction) -> Fraction:
    of_pos, of_neg = pi / sweep.n_pos, (1 - pi) / sweep.n_neg
    tp, fp, total = 0, 0, Fraction(0)
    for p, n in zip(sweep.pos.tolist(), sweep.neg.tolist(), strict=True):
        tp, fp = tp + p, fp + n
        if p:
            total += p * of_pos * tp / (of_pos * tp + of_neg * fp)
    return total / tp


def adjusted_precision(sweep: Sweep, prevalence: float) -> tuple[Floats, Floats]:
    """(k,) precision at each cut at prevalence pi, and the share D that is flagged there. O(k)."""
    tpr, fpr = (np.cumsum(mass, dtype=np.float64) for mass in (sweep.pos_mass, sweep.neg_mass))
    hits = tpr * (prevalence / tpr[-1])
    flagged = hits + fpr * ((1 - prevalence) / fpr[-1])
    return hits / flagged, flagged


def raw_influences(sweep: Sweep, prevalence: float) -> tuple[Floats, Floats]:
    """Uncentred influences of a positive and of a negative. O(k).

    A positive has its own precision P_k, and raises that of every cut that includes it, by pi (1 - P_j) / D_j of
    TPR; a negative lowers those by (1 - pi) P_j / D_j of FPR.
    """
    precision, flagged = adjusted_precision(sweep, prevalence)
    step = sweep.pos_mass / float(sweep.pos_mass.sum()) / flagged
    gain = np.cumsum((step * (1 - precision))[::-1])[::-1]
    loss = np.cumsum((step * precision)[::-1])[::-1]
    return precision + prevalence * gain, -(1 - prevalence) * loss


def adjusted_gradient(sweep: Sweep, prevalence: float) -> Gradient:
    """Centred influences; the prevalence is given, so that of the sample plays no part. O(k)."""
    on_pos, on_neg = raw_influences(sweep, prevalence)
    pos, neg = sweep.pos_mass, sweep.neg_mass
    on_pos -= float(np.einsum("i,i->", on_pos, pos)) / float(pos.sum())
    on_neg -= float(np.einsum("i,i->", on_neg, neg)) / float(neg.sum())
    return Gradient(pos=on_pos, neg=on_neg, prevalence=0.0)


def negatives_above(sweep: Sweep, prevalence: float) -> float:
    """Negatives that are as likely as positives at this prevalence: n pi / (1 - pi), effective ones with weights.

    The precision falls from 1 to one half while as many negatives as this lie above all positives, so they are
    the ones whose places decide it; with fewer than a few of them the sample has not seen what it is asked about.
    """
    n = sweep.sizes.effective_neg
    return (sweep.n_neg if n is None else n) * prevalence / (1 - prevalence)
