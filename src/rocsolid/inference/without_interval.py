"""Measures whose default is to give no interval: a standard error, and the reason; intervals by name."""

from __future__ import annotations

from collections.abc import Mapping

from rocsolid.inference.case import Case, Found, Method
from rocsolid.results import Note

NO_DEFAULT_INTERVAL = Note(
    "no-default-interval",
    "no interval by default: none of this measure is known to cover in small samples; ask by name, "
    "method='bootstrap' or method='influence'",
    "默认不给区间：尚无已知方法能保证该指标在小样本中的覆盖率；可指定 method='bootstrap' 或 method='influence'",
)


def without_default(methods: Mapping[str, Method]) -> dict[str, Method]:
    """Put before some methods one that has the standard error of the first of them and no interval."""
    first = next(iter(methods.values()))

    def none(case: Case) -> Found:
        return Found(None, first(case).std_error, (NO_DEFAULT_INTERVAL,))

    return {"none": none, **methods}
