"""Areas of short lists, small enough to check with a pencil: pairs, ranks, precisions, ties. Needs NumPy, SciPy.

python examples/areas_by_hand.py [picture.svg]    (the picture needs Matplotlib)
"""

from __future__ import annotations

import sys

import rocsolid as rs

NINE = ([1, 1, 0, 1, 0, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.6, 0.5, 0.5, 0.4, 0.3])
"""A positive and a negative share the score 0.6."""
TEN = ([1, 1, 0, 0, 0, 1, 1, 0, 1, 0], [0.15, 0.12, 0.11, 0.1, 0.04, 0.04, 0.03, 0.02, 0.012, 0.01])
FIFTEEN = ([1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0], list(range(15, 0, -1)))
"""Positives at ranks 1, 3, 4, 7 and 11."""


def nine() -> dict[str, float]:
    """Both areas, and what they become when the other row at 0.6 is positive too."""
    labels, scores = NINE
    plain, variant = rs.areas(labels, scores), rs.areas([1, 1, 0, 1, 1, 0, 0, 1, 0], scores)
    return {
        "average precision": plain.average_precision,
        "ROC-AUC": plain.roc_auc,
        "average precision, both tied rows positive": variant.average_precision,
        "ROC-AUC, both tied rows positive": variant.roc_auc,
    }


def ten() -> dict[str, float]:
    """One area three ways: pairs, ranks, and one less the ranking loss; the tied pair counts half."""
    auc = rs.evaluate(*TEN).roc_auc()
    pairs = {name: auc.details[name] for name in ("concordant", "tied", "discordant")}
    won = pairs["concordant"] + pairs["tied"] / 2
    return {
        "ROC-AUC": float(auc),
        **{f"{name} pairs": count for name, count in pairs.items()},
        "rank sum of the positives": won + 5 * 6 / 2,
        "ranking loss": 1 - float(auc),
        "ROC-AUC, the tied negative first": auc.details["lowest_over_tie_orders"],
        "ROC-AUC, the tied positive first": auc.details["highest_over_tie_orders"],
    }


def points_of_ten() -> list[tuple[float, float]]:
    """The ROC points; the tie is one diagonal step."""
    curve = rs.evaluate(*TEN).curve("roc")
    return list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))


def cuts_of_ten() -> list[tuple[float, int, int]]:
    """Each cut with its false and true positives, from the one that flags nothing on."""
    sweep = rs.evaluate(*TEN).sweep
    held = (sweep.scores.tolist(), sweep.fp.tolist(), sweep.tp.tolist())
    return [(float("inf"), 0, 0), *zip(*held, strict=True)]


def fifteen() -> dict[str, float]:
    """The same list read across, as pairs, and down, as precisions."""
    ev = rs.evaluate(*FIFTEEN)
    auc, ap = ev.roc_auc(), ev.average_precision()
    return {
        "pairs in order": auc.details["concordant"],
        "pairs": auc.details["concordant"] + auc.details["discordant"],
        "ROC-AUC": float(auc),
        "Gini": auc.details["gini"],
        "average precision": float(ap),
        "average precision of a random order": ap.details["chance_of_random_order"],
        "prevalence": ap.details["chance"],
    }


def areas_of_fifteen() -> dict[str, float]:
    """One precision-recall curve, six areas under it, by the rule that joins its points."""
    curve = rs.evaluate(*FIFTEEN).curve("precision_recall")
    methods = ("step", "trapezoid", "davis-goadrich", "davis-goadrich-steps", "lower-trapezoid", "rocr")
    return {method: curve.area(method) for method in methods}


def precisions_of_fifteen() -> list[float]:
    """Precision at each positive, from the top."""
    labels, _ = FIFTEEN
    curve = rs.evaluate(*FIFTEEN).curve("precision_recall")
    return [float(p) for p, label in zip(curve.precision[1:], labels, strict=True) if label]


def distances() -> dict[str, float]:
    """From an AUC of .99 to .999 the classes move apart by more than one standard deviation."""
    return {f"d' at ROC-AUC {auc}": rs.Binormal.from_auc(auc).d_prime for auc in (0.99, 0.999)}


def draw(path: str) -> None:
    """ROC and precision-recall curves of the nine and of the fifteen."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 9), layout="constrained")
    axes = figure.subplots(2, 2)
    for row, (name, data) in zip(axes, (("nine rows", NINE), ("fifteen rows", FIFTEEN)), strict=True):
        ev = rs.evaluate(*data)
        for ax, kind in zip(row, ("roc", "precision_recall"), strict=True):
            ev.curve(kind).plot(ax=ax, name=name)
    figure.savefig(path)


def main() -> None:
    """Print everything."""
    for title, numbers in (
        ("nine rows", nine()),
        ("ten rows", ten()),
        ("fifteen rows", fifteen()),
        ("fifteen rows, areas under the precision-recall curve", areas_of_fifteen()),
        ("d'", distances()),
    ):
        print(title)
        for name, value in numbers.items():
            print(f"  {name}: {value:.10g}")
    print("cut, false and true positives of the ten:")
    for cut, fp, tp in cuts_of_ten():
        print(f"  {cut:<5} {fp} {tp}")
    print("ROC points of the ten:", points_of_ten())
    print("precision at each positive of the fifteen:", [round(p, 4) for p in precisions_of_fifteen()])


if __name__ == "__main__":
    main()
    if len(sys.argv) > 1:
        draw(sys.argv[1])
