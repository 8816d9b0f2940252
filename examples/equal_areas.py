"""Two models with ROC-AUC .90 each: which is better depends on where the list is cut, and on the prevalence.

In A positives and negatives are spread alike; in B the positives are spread twice as wide, so that some lie far above
all negatives and some among them. A third model passes through a point of screening mammography. Needs SciPy.

python examples/equal_areas.py [picture.svg]    (the picture needs Matplotlib)
"""

from __future__ import annotations

import sys

import numpy as np

import rocsolid as rs

A = rs.Binormal.from_auc(0.9)
B = rs.Binormal.from_auc(0.9, b=0.5)
SCREENING = rs.Binormal.from_point(sensitivity=0.869, specificity=0.889)
MODELS = {"screening": SCREENING, "A": A, "B": B}
PREVALENCES = (0.5, 0.05, 0.01, 0.0058, 0.001)


def recalls() -> dict[float, tuple[float, float]]:
    """Recall of A and of B at a false-positive rate."""
    return {fpr: (A.tpr(fpr), B.tpr(fpr)) for fpr in (0.001, 0.01, 0.1, 0.3)}


def crossing() -> rs.BinormalCrossing:
    """Where A overtakes B."""
    (point,) = A.crossings(B)
    return point


def partial_areas() -> dict[float, tuple[float, float]]:
    """McClish's standardised area up to a false-positive rate, of A and of B."""
    return {end: (A.partial_auc(fpr=(0, end), standardized=True), B.partial_auc(fpr=(0, end), standardized=True))
            for end in (0.01, 0.1)}  # fmt: skip


def average_precisions() -> dict[float, tuple[float, float, float]]:
    """Average precision of the screening model, A and B at a prevalence."""
    return {p: (SCREENING.average_precision(p), A.average_precision(p), B.average_precision(p)) for p in PREVALENCES}


def at_half_a_percent() -> dict[str, tuple[float, float]]:
    """Of A and of B at prevalence .005."""
    share = 0.005
    found = A.average_precision(share), B.average_precision(share)
    return {
        "average precision": found,
        "over prevalence": (found[0] / share, found[1] / share),
        "precision at recall .30": (
            A.precision(recall=0.3, prevalence=share),
            B.precision(recall=0.3, prevalence=share),
        ),
    }


def seen_in_a_sample(n_pos: int = 1000, n_neg: int = 100_000) -> dict[str, tuple[float, float, float]]:
    """ROC-AUC and average precision of each model in a sample, the latter brought to prevalence .005."""
    out = {}
    for seed, (name, model) in enumerate(MODELS.items()):
        ev = rs.evaluate(*model.sample(n_pos, n_neg, rng=seed))
        at = ev.at_prevalence(0.005)
        out[name] = (float(ev.roc_auc()), float(ev.average_precision()), float(at.average_precision()))
    return out


def draw(path: str) -> None:
    """ROC curves on a linear and a logarithmic axis; precision-recall at .5 %; average precision by prevalence."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 9), layout="constrained")
    (plain, log), (precision, prevalence) = figure.subplots(2, 2)
    recall, shares = np.linspace(0.001, 1, 500), np.geomspace(0.001, 0.5, 60)
    for name, model in MODELS.items():
        curve = model.roc()
        if model is not SCREENING:
            plain.plot(curve.fpr, curve.tpr, label=name)
            log.plot(curve.fpr, curve.tpr, label=name)
            precision.plot(recall, model.precision(recall=recall, prevalence=0.005), label=name)
        prevalence.plot(shares, model.average_precision(shares), label=name)
    point = crossing()
    for ax in (plain, log):
        ax.plot(point.fpr, point.tpr, "ko")
        ax.set(xlabel="False positive rate", ylabel="Recall")
    log.set(xscale="log", xlim=(1e-4, 1))
    precision.set(xlabel="Recall", ylabel="Precision at prevalence 0.5 %")
    prevalence.set(xscale="log", xlabel="Prevalence", ylabel="Average precision")
    for ax in (plain, log, precision, prevalence):
        ax.legend()
    figure.savefig(path)


def main() -> None:
    """Print every table."""
    for name, model in MODELS.items():
        print(f"{name}: {model}")
    print("\nFPR     recall of A  of B")
    for fpr, (a, b) in recalls().items():
        print(f"{fpr:<6}  {a:11.5f}  {b:.5f}")
    point = crossing()
    print(f"\nA overtakes B at FPR {point.fpr:.10f}, recall {point.tpr:.10f}")
    print(f"FPR at recall .95: A {A.fpr(0.95):.5f}, B {B.fpr(0.95):.5f}")
    for end, (a, b) in partial_areas().items():
        print(f"standardised partial area to FPR {end:g}: A {a:.10f}, B {b:.10f}")
    print("\nprevalence  AP of screening  of A      of B")
    for share, found in average_precisions().items():
        print(f"{share:<10}  {found[0]:<15.6f}  {found[1]:.6f}  {found[2]:.6f}")
    print("\nat prevalence .005")
    for name, (a, b) in at_half_a_percent().items():
        print(f"  {name}: A {a:.6g}, B {b:.6g}")
    print("\nin samples of 1,000 positives and 100,000 negatives: ROC-AUC, AP, AP at prevalence .005")
    for name, found in seen_in_a_sample().items():
        print(f"  {name}: " + ", ".join(f"{value:.3f}" for value in found))


if __name__ == "__main__":
    main()
    if len(sys.argv) > 1:
        draw(sys.argv[1])
