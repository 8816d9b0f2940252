"""p values of several comparisons at once."""

from __future__ import annotations

from collections.abc import Sequence

ADJUSTMENTS = ("holm", "bonferroni", "none")


def adjusted(pvalues: Sequence[float], method: str) -> list[float]:
    """Adjust p values so that one below alpha is an error with probability alpha at most, in the family. O(k log k).

    ``"holm"`` (1979, Scandinavian Journal of Statistics 6:65-70) is never larger than ``"bonferroni"``; a nan counts
    for the size of the family and stays nan.

    Examples
    --------
    >>> adjusted([0.01, 0.04, 0.03], "holm")
    [0.03, 0.06, 0.06]
    >>> adjusted([0.01, 0.04, 0.03], "bonferroni")
    [0.03, 0.12, 0.09]
    """
    k = len(pvalues)
    if method == "none":
        return list(pvalues)
    if method == "bonferroni":
        return [p if p != p else min(1.0, k * p) for p in pvalues]
    out, highest = list(pvalues), 0.0
    known = sorted((p, i) for i, p in enumerate(pvalues) if p == p)
    for rank, (p, i) in enumerate(known):
        highest = max(highest, min(1.0, (k - rank) * p))
        out[i] = highest
    return out
