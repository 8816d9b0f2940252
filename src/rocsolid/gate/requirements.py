"""What is required of a measure, as it is typed: ``roc_auc@lower >= 0.9``."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from rocsolid.errors import OptionError
from rocsolid.measures import Request, find
from rocsolid.options import check_choice

COMPARED: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
SIDES = ("value", "lower", "upper")
EXAMPLE = "for example 'roc_auc@lower >= 0.9'"
_FORM = re.compile(
    r"(?P<spec>[A-Za-z_][\w\-']*\s*(?:\([^()]*\))?)\s*(?:@\s*(?P<side>[\w\-]*))?\s*(?P<op>>=|<=|>|<)\s*(?P<bound>[^<>=]+)"
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A measure, the part of its estimate that is looked at, and the bound that this has to keep.

    Attributes
    ----------
    request : the measure with its options.
    side : ``"value"``, ``"lower"`` or ``"upper"`` (the limits of its interval).
    comparison : ``">="``, ``">"``, ``"<="`` or ``"<"``.
    bound : the number on the right.
    """

    request: Request
    side: str
    comparison: str
    bound: float

    def __str__(self) -> str:
        """As it can be typed."""
        return f"{self.request.spec}@{self.side} {self.comparison} {self.bound:g}"

    def kept_by(self, number: float) -> bool:
        """Whether a number keeps the bound; compared as it is, without a tolerance."""
        return COMPARED[self.comparison](number, self.bound)


def parse(text: str) -> Requirement:
    """Read a requirement: a measure, ``@value``, ``@lower`` or ``@upper``, a comparison and a number.

    Without ``@`` the value itself is meant.

    Raises
    ------
    OptionError, UnknownNameError
        If the text does not follow the grammar, the measure or the side is unknown, or the bound lies outside the
        measure's range, where it would always or never be kept.

    Examples
    --------
    >>> str(parse("recall(threshold=0.5)@lower >= 0.8"))
    'recall(threshold=0.5)@lower >= 0.8'
    >>> str(parse("auc > 0.7"))
    'roc_auc@value > 0.7'
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise OptionError("requirement", text, "MEASURE@SIDE >= NUMBER", EXAMPLE)
    request = find(found["spec"].strip())
    side = check_choice("side of the requirement", found["side"] or "value", SIDES)
    return Requirement(request, side, found["op"], _bound(found["bound"].strip(), text, request))


def _bound(word: str, text: str, request: Request) -> float:
    try:
        bound = float(word)
    except ValueError:
        raise OptionError("requirement", text, "a number on the right", EXAMPLE) from None
    low, high = request.range
    if not (low <= bound <= high and math.isfinite(bound)):
        percent = f"write {bound / 100:g} for {bound:g} %" if high == 1 and 1 < bound <= 100 else EXAMPLE
        raise OptionError(
            "requirement", text, f"a bound between {low:g} and {high:g}, the range of {request.spec}", percent
        )
    return bound
