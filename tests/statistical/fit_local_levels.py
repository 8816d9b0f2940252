"""Recompute the fitted constants of rocsolid.inference.equal_local_levels and show how well they fit.

python tests/statistical/fit_local_levels.py           print the table (about five minutes)
python tests/statistical/fit_local_levels.py --check   and hold the committed constants against it
"""

from __future__ import annotations

import math
import sys

import numpy as np

from rocsolid.inference import equal_local_levels as ell

SIZES = (500, 700, 1000, 1500, 2000, 3000, 5000, 8000, 12_000, 20_000)
BETWEEN = ((800, math.sqrt(0.95)), (1000, math.sqrt(0.9)), (4000, 1 - 0.1 / 3), (6000, math.sqrt(0.99)), (3000, 0.85))
"""Sizes and levels that the fit has not seen."""


def basis(n: float) -> np.ndarray:
    """1, ln ln n, 1 / ln n, 1 / n."""
    return np.array([1.0, math.log(math.log(n)), 1 / math.log(n), 1 / n])


def fit(level: float) -> tuple[np.ndarray, float]:
    """Coefficients of z^2 by least squares, and the largest error in z over the sizes."""
    exact = np.array([ell.exact_z(n, level) for n in SIZES])
    design = np.array([basis(n) for n in SIZES])
    coefficients = np.round(np.linalg.lstsq(design, exact**2, rcond=None)[0], 6)
    return coefficients, float(np.abs(np.sqrt(design @ coefficients) - exact).max())


def main(arguments: list[str]) -> int:
    """Print coefficients, the largest error at the sizes fitted, and the error between them."""
    worst, wrong = 0.0, False
    for level in ell.LEVELS:
        coefficients, error = fit(level)
        worst = max(worst, error)
        print(f"    {level}: ({', '.join(f'{c:.6f}' for c in coefficients)}),  # largest error {error:.1e}", flush=True)
        wrong |= level not in ell.FIT or not np.allclose(ell.FIT[level], coefficients, atol=0.01)
        if "--check" not in arguments:
            ell.FIT[level] = tuple(coefficients)
    for n, level in BETWEEN:
        error = ell.fitted_z(n, level) - ell.FIT_ERROR - ell.exact_z(n, level)
        worst = max(worst, abs(error))
        print(f"n = {n}, level {level:.6f}: error {error:+.1e}", flush=True)
    print(f"largest error in z: {worst:.1e}; committed allowance: {ell.FIT_ERROR:.1e}")
    return int("--check" in arguments and (wrong or worst > ell.FIT_ERROR))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
