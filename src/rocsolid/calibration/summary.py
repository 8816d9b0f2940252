"""All numbers of calibration in one table, with its tests below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsolid.calibration.goodness import CalibrationTest, calibration_tests
from rocsolid.measures.calibration_error import NormedBins
from rocsolid.options import format_spec
from rocsolid.sweep import Sweep
from rocsolid.tables import Table
from rocsolid.text import printable
from rocsolid.values import SCHEMA, GridResult


def specs(bins: int, binning: str) -> tuple[str, ...]:
    """The measures in the table: in the large, slope, parts of the Brier score, error over bins."""
    return (
        "calibration_in_the_large", "oe_ratio", "calibration_intercept", "calibration_slope", "brier_score",
        "brier_skill_score", "brier_miscalibration", "brier_discrimination", "brier_uncertainty",
        format_spec("ece", NormedBins(bins=bins, binning=binning)),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Calibration(GridResult):
    """Estimates of calibration, one row each, and tests that the scores are probabilities.

    Attributes
    ----------
    table : the estimates; those that are undefined keep their row and say why.
    tests : Spiegelhalter's z, slope 1 and intercept 0 together, Hosmer-Lemeshow; empty with weights.
    """

    table: Table
    tests: tuple[CalibrationTest, ...]

    @property
    def header(self) -> tuple[str, ...]:
        """Give the column names as printed."""
        return self.table.header

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """Give the rows as printed."""
        return self.table.cells

    @property
    def footnotes(self) -> list[str]:
        """Give the tests, then the remarks of the table."""
        return [*(printable(repr(test)[1:-1]) for test in self.tests), *self.table.footnotes]

    def to_dict(self) -> dict[str, Any]:
        """Give rows and tests as dictionaries under a schema version."""
        return {
            "schema": SCHEMA,
            "rows": [row.to_dict() for row in self.table],
            "tests": [test.to_dict() for test in self.tests],
        }


def calibration(table: Table, sweep: Sweep, *, bins: int, binning: str) -> Calibration:
    """Put the table and the tests together; with weights there are no tests."""
    tests = () if sweep.weights is not None else calibration_tests(sweep, bins=bins, binning=binning)
    return Calibration(table=table, tests=tests)
