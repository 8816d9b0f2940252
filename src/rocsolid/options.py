"""Frozen options and the one string grammar for measure specs.

A spec is ``name`` or ``name(key=value, ...)``, for instance ``recall(threshold=0.5)``. Values are numbers,
``true``/``false`` or bare words. The same strings serve Python, the command line and reports.
"""

from __future__ import annotations

import ast
import math
import os
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, TypeVar

from rocsolid.errors import OptionError, UnknownNameError

Margins = Literal["random", "fixed"]
T = TypeVar("T")

_SPEC = re.compile(r"^\s*([A-Za-z_][\w\-']*)\s*(?:\((.*)\))?\s*$", re.DOTALL)
_WORDS = {"true": True, "false": False}


_LONG = re.compile(r"[+-]?(?=[0.]*[1-9](?:\.?\d){17,}$)\d+\.\d+")
"""Eighteen digits and more that count, with a point among them: no float64 is written with so many."""


def parse_spec(text: str) -> tuple[str, dict[str, Any]]:
    """Split ``"recall(threshold=0.5)"`` into ``("recall", {"threshold": 0.5})``.

    Raises
    ------
    OptionError
        If the text does not follow the grammar, or names an option twice.

    Examples
    --------
    >>> parse_spec("recall(threshold=0.5)")
    ('recall', {'threshold': 0.5})
    """
    match = _SPEC.match(text)
    if match is None:
        raise OptionError("measure", text, "`name` or `name(key=value, ...)`", 'for example "recall(threshold=0.5)"')
    name, inside = match.group(1), match.group(2)
    options: dict[str, Any] = {}
    for part in (inside or "").split(","):
        if not part.strip():
            continue
        key, equals, value = part.partition("=")
        if not equals or not key.strip() or not value.strip() or key.strip() in options:
            raise OptionError(
                "measure",
                text,
                "`name(key=value, ...)`, each key once",
                'for example "recall(threshold=0.5)"',
            )
        options[key.strip()] = _value(value.strip())
        if key.strip() == "threshold" and _LONG.fullmatch(value.strip()):
            options["threshold"] = Decimal(value.strip())  # a decimal score, of more digits than a float holds
    return name, options


def _value(text: str) -> Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if text.lower() in ("inf", "+inf", "-inf"):
        return float(text)
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text  # a bare word such as hull
    return value if isinstance(value, (int, float, str)) else text


def format_spec(name: str, options: object) -> str:
    """Write a spec back as text; ``parse_spec`` of it gives the same name and options."""
    parts = []
    for field in fields(options):  # type: ignore[arg-type]
        value = getattr(options, field.name)
        if field.default is not MISSING and value == field.default and type(value) is type(field.default):
            continue
        parts.append(f"{field.name}={str(value).lower() if isinstance(value, bool) else value}")
    return f"{name}({', '.join(parts)})" if parts else name


def build_options(kind: type[T], measure: str, given: Mapping[str, Any]) -> T:
    """Build the frozen options of a measure from parsed keys; an unknown or missing key is an error."""
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    for key in given:
        if key not in known:
            if not known:
                raise OptionError(f"options of {measure}", dict(given), "empty", f"write {measure!r} without options")
            raise UnknownNameError(f"option of {measure}", key, known)
    for key, field in known.items():
        if key not in given and field.default is MISSING and field.default_factory is MISSING:
            needed = ", ".join(f"{k}=0.5" for k, f in known.items() if f.default is MISSING)
            raise OptionError(f"{measure}", dict(given), f"given `{key}`", f'for example "{measure}({needed})"')
    return kind(**given)


def unboxed(value: Any) -> Any:
    """Turn a NumPy or tensor scalar into the Python value it is; anything else stays as it is."""
    item = getattr(value, "item", None)
    return item() if item is not None and getattr(value, "ndim", None) == 0 else value


def as_cut(score: Any) -> Any:
    """A score as a threshold: the Python number that it is, 0 or 1 for False and True.

    Examples
    --------
    >>> as_cut(True), as_cut(0.5)
    (1, 0.5)
    """
    value = unboxed(score)
    return int(value) if isinstance(value, bool) else value


def check_choice(name: str, value: object, allowed: tuple[str, ...]) -> str:
    """Return ``value`` if it is one of ``allowed``; otherwise say which are."""
    if isinstance(value, str) and value in allowed:
        return value
    if isinstance(value, str):
        raise UnknownNameError(name, value, allowed)
    raise OptionError(name, value, "one of " + ", ".join(repr(a) for a in allowed), f"{name}={allowed[0]!r}")


def check_direction(higher_is_positive: object) -> bool:
    """Return the direction as a bool; nothing but True or False says which way scores point."""
    value = unboxed(higher_is_positive)
    if not isinstance(value, bool):
        raise OptionError("higher_is_positive", higher_is_positive, "True or False", "higher_is_positive=True")
    return value


def check_level(confidence_level: object) -> float:
    """Return a confidence level strictly inside (0, 1)."""
    number = unboxed(confidence_level)
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise OptionError("confidence_level", confidence_level, "a number between 0 and 1", "confidence_level=0.95")
    level = float(number)
    if not (level > 0 and 0.5 + level / 2 < 1):
        hint = f"confidence_level={level / 100:g}" if 1 < level < 100 else "confidence_level=0.95"
        raise OptionError("confidence_level", confidence_level, "between 0 and 1, both excluded", hint)
    return level


def check_number(name: str, value: object) -> float | int:
    """Return a real number that is not NaN (infinite is allowed), as the Python number it is."""
    number = unboxed(value)
    if isinstance(number, bool) or not isinstance(number, (int, float)) or math.isnan(number):
        raise OptionError(name, value, "a number", f"for example {name}=0.5")
    return number


def as_typed(value: float) -> Fraction:
    """Read a number as it is typed: 0.1 is one tenth, not the binary fraction beside it.

    Examples
    --------
    >>> as_typed(0.1)
    Fraction(1, 10)
    """
    return Fraction(str(float(value)))


def check_share(name: str, value: object, *, ends: bool, hint: str) -> float:
    """Return a number in [0, 1], or strictly inside without ``ends``."""
    expected = "a number from 0 to 1" if ends else "a number between 0 and 1, both excluded"
    number = unboxed(value)
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise OptionError(name, value, expected, hint)
    if not (0 <= number <= 1 if ends else 0 < number < 1):
        raise OptionError(name, value, expected, hint)
    return float(number)


def check_count(name: str, value: object, least: int) -> int:
    """Return a whole number of at least ``least``; a float such as 50.0 is one."""
    number = unboxed(value)
    whole = isinstance(number, int) or (isinstance(number, float) and number.is_integer())
    if isinstance(number, bool) or not whole or number < least:
        raise OptionError(name, value, f"a whole number >= {least}", f"for example {name}=50")
    return int(number)


def check_between(name: str, value: object, low: float, high: float) -> float:
    """Return a number strictly between two others."""
    number = float(check_number(name, value))
    if not low < number < high:
        raise OptionError(
            name, value, f"between {low:g} and {high:g}, both excluded", _percent_hint(name, number, high)
        )
    return number


def _percent_hint(name: str, number: float, high: float) -> str | None:
    """Someone who writes 90 for a share probably means 0.9."""
    return f"{name}={number / 100:g}" if high == 1 and 1 < number < 100 else None


_threads: int | None = None


MOST_THREADS = 65_536


def set_num_threads(n: int | None) -> None:
    """Set how many threads the kernel may use; ``None`` goes back to the default.

    The default is ``ROCSOLID_NUM_THREADS`` if set, otherwise the number of CPUs that this process may use.
    The number of threads never changes a result, not even its last bit.

    Raises
    ------
    OptionError
        If ``n`` is not a whole number from 1 to 65,536.
    """
    global _threads  # noqa: PLW0603  (one process-wide setting, like BLAS libraries have)
    if n is not None and (isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= MOST_THREADS):
        raise OptionError("n", n, f"a whole number from 1 to {MOST_THREADS:,}, or None", "rs.set_num_threads(1)")
    _threads = n


def get_num_threads() -> int:
    """Return the number of threads that the kernel uses for large inputs.

    Raises
    ------
    OptionError
        If the environment variable ``ROCSOLID_NUM_THREADS`` is not a whole number from 1 to 65,536.
    """
    if _threads is not None:
        return _threads
    text = os.environ.get("ROCSOLID_NUM_THREADS")
    if text:
        if not text.strip().isdigit() or not 1 <= int(text) <= MOST_THREADS:
            expected = f"a whole number from 1 to {MOST_THREADS:,}"
            raise OptionError("ROCSOLID_NUM_THREADS", text, expected, "export ROCSOLID_NUM_THREADS=1")
        return int(text)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
