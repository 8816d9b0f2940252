"""Are the scores the probabilities that they claim to be? Tests, a summary, and the band of the reliability curve."""

from rocsolid.calibration.consistency import with_band
from rocsolid.calibration.goodness import CalibrationTest, calibration_tests
from rocsolid.calibration.summary import Calibration, calibration

__all__ = ["Calibration", "CalibrationTest", "calibration", "calibration_tests", "with_band"]
