"""Everything that rocsolid can complain about.

    RocsolidError
    ├── InputError (ValueError)              the data given can not be used as they are
    │   ├── EmptyInputError                  empty-input
    │   ├── ShapeError                       wrong-shape
    │   ├── LengthError                      lengths-differ
    │   ├── DtypeError (TypeError)           wrong-dtype
    │   ├── PrecisionError                   precision-lost
    │   ├── MissingValueError                missing-values
    │   ├── PositiveLabelError               positive-label
    │   ├── LabelCountError                  too-many-labels
    │   ├── WeightError                      bad-weights
    │   ├── ProbabilityError                 not-probabilities
    │   ├── ProbabilitySumError              probabilities-do-not-sum
    │   ├── CountError                       bad-counts
    │   ├── SweepMismatchError               sweeps-differ
    │   └── SourceError                      file-missing, file-unreadable, file-empty, unknown-column, ...
    ├── UndefinedMeasureError (ValueError)   undefined: the quantity has no value on these data
    ├── OptionError (ValueError)             bad-option: an argument has a value that is not one of the allowed
    │   └── UnknownNameError                 unknown-name: no such measure, curve, method, column, ...
    ├── NotAvailableError (NotImplementedError)  not-available: planned, and refused rather than ignored
    └── MissingDependencyError (ImportError) missing-dependency: with the exact pip line

Each error has a stable ``code``, its facts as attributes, a message that says what was expected and what was
found, and one ``hint`` that can be typed. Warnings are :class:`RocsolidWarning`.
"""

from __future__ import annotations

import difflib
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence


class RocsolidWarning(UserWarning):
    """Something legal that is probably not meant, such as scores that rank the wrong way round."""


def warn(text: str, category: type[Warning] = RocsolidWarning) -> None:
    """Give a warning that points at the first line outside this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "rocsolid":
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)


class RocsolidError(Exception):
    """Base of all errors: ``code``, ``message``, ``hint`` (``None`` where nothing sensible can be typed)."""

    code = "rocsolid"

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.message = message
        self.hint = hint
        super().__init__(message if hint is None else f"{message}\nHint: {hint}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by value: subclasses build their text from facts, so ``args`` is not their signature."""
        return _restore, (type(self), self.args, dict(self.__dict__))


def _restore(cls: type[RocsolidError], args: tuple[object, ...], state: dict[str, object]) -> RocsolidError:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def _listed(values: Iterable[object], limit: int = 5) -> str:
    items = list(values)
    text = ", ".join(repr(v) for v in items[:limit])
    return text + (f", ... ({len(items):,} in all)" if len(items) > limit else "")


def first_positions(positions: Sequence[int], limit: int = 5) -> str:
    """Say where something was found: ``at row 3`` or ``at rows 0, 4, 9, ...``."""
    shown = ", ".join(str(int(p)) for p in positions[:limit])
    more = ", ..." if len(positions) > limit else ""
    return f"at row{'s' if len(positions) > 1 else ''} {shown}{more}"


# ----------------------------------------------------------------------------------------------- input


class InputError(RocsolidError, ValueError):
    """The data given can not be used as they are."""

    code = "bad-input"


class EmptyInputError(InputError):
    """There is not a single row."""

    code = "empty-input"

    def __init__(self, name: str, dropped: int = 0) -> None:
        self.name, self.dropped = name, dropped
        left = f" after {dropped:,} rows with missing values or zero weight were left out" if dropped else ""
        super().__init__(
            f"expected at least one row, found none in `{name}`{left}",
            "check the filter or the file that the rows come from",
        )


class ShapeError(InputError):
    """An array has the wrong number of dimensions or columns."""

    code = "wrong-shape"

    def __init__(self, name: str, shape: tuple[int, ...], expected: str, hint: str) -> None:
        self.name, self.shape, self.expected = name, shape, expected
        super().__init__(f"expected `{name}` to be {expected}, found shape {shape}", hint)


class LengthError(InputError):
    """Arrays that belong together differ in length."""

    code = "lengths-differ"

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = dict(sizes)
        found = ", ".join(f"`{k}` has {v:,}" for k, v in self.sizes.items())
        super().__init__(
            f"expected inputs of one length, found {found}",
            "each row needs one label and one score: build them from the same table",
        )


class DtypeError(InputError, TypeError):
    """The values are of a kind that can not be used."""

    code = "wrong-dtype"

    def __init__(self, name: str, expected: str, found: str, hint: str) -> None:
        self.name, self.expected, self.found = name, expected, found
        super().__init__(f"expected `{name}` to hold {expected}, found {found}", hint)


class PrecisionError(InputError):
    """A conversion would merge or move numbers that the caller can tell apart."""

    code = "precision-lost"

    def __init__(self, name: str, example: object, target: str, hint: str) -> None:
        self.name, self.example, self.target = name, example, target
        super().__init__(f"`{name}` holds {example!r}, which {target} can not hold exactly", hint)


class MissingValueError(InputError):
    """NaN or null where a value is needed."""

    code = "missing-values"

    def __init__(
        self, name: str, positions: Sequence[int], n: int, kind: str = "NaN or null", *, droppable: bool = True
    ) -> None:
        self.name, self.n = name, n
        self.count, self.positions = len(positions), [int(p) for p in positions[:5]]
        super().__init__(
            f"expected a value in every row of `{name}`, found {len(positions):,} {kind} among {n:,} rows, "
            f"{first_positions(positions)}",
            'pass missing="drop" to leave these rows out and have them counted, or repair the data'
            if droppable
            else "leave these rows out of all arguments, or repair the data",
        )


class PositiveLabelError(InputError):
    """It is not known which label is the positive one."""

    code = "positive-label"

    def __init__(self, found: Sequence[object], pos_label: object = None) -> None:
        self.found, self.pos_label = list(found), pos_label
        each = [f"pass pos_label={v!r}" for v in self.found[:2]] or ["pass pos_label=1"]
        if pos_label is None:
            message = (
                f"expected labels False/True, 0/1 or -1/1, found {_listed(found)}: "
                "which of them is positive is not guessed"
            )
            hint = " or ".join(each)
        else:
            message = f"expected `pos_label` {pos_label!r} among the labels, found {_listed(found)}"
            alike = [v for v in self.found if str(v) == str(pos_label)]
            hint = f"pass pos_label={alike[0]!r}" if alike else " or ".join(each)
        super().__init__(message, hint)


class LabelCountError(InputError):
    """More than two labels where a binary problem is needed."""

    code = "too-many-labels"

    def __init__(self, found: Sequence[object], pos_label: object = None) -> None:
        self.found = list(found)
        one = pos_label if pos_label is not None else (self.found[-1] if self.found else 1)
        super().__init__(
            f"expected two labels, found {len(self.found):,}: {_listed(found)}",
            f"for one label against the rest pass y_true == {one!r}; in a file, write that column first",
        )


class WeightError(InputError):
    """A weight that is negative, NaN, infinite or missing."""

    code = "bad-weights"

    def __init__(self, problem: str, positions: Sequence[int], n: int) -> None:
        self.problem, self.n = problem, n
        self.count, self.positions = len(positions), [int(p) for p in positions[:5]]
        super().__init__(
            f"expected finite weights >= 0 in `sample_weight`, found {len(positions):,} {problem} among {n:,}, "
            f"{first_positions(positions)}",
            "a weight of 0 leaves a row out; repair or drop the others",
        )


class ProbabilityError(InputError):
    """Scores outside [0, 1] where probabilities are needed."""

    code = "not-probabilities"

    def __init__(self, measure: str, low: float, high: float) -> None:
        self.measure, self.low, self.high = measure, low, high
        super().__init__(
            f"`{measure}` needs probabilities in [0, 1], found scores from {low:g} to {high:g}; "
            "no sigmoid is applied and nothing is clipped",
            "pass probabilities, or ask for rank measures such as roc_auc",
        )


class ProbabilitySumError(InputError):
    """Probabilities of several classes that do not sum to 1."""

    code = "probabilities-do-not-sum"

    def __init__(self, measure: str, row: int, total: float) -> None:
        self.measure, self.row, self.total = measure, row, total
        super().__init__(
            f"`{measure}` needs probabilities that sum to 1 in each row, found a sum of {total:.6g} in row {row}",
            "divide each row by its sum if that is what is meant, or ask for rank measures such as roc_auc",
        )


class CountError(InputError):
    """Counts that are negative, fractional or too large."""

    code = "bad-counts"

    def __init__(self, name: str, problem: str) -> None:
        self.name, self.problem = name, problem
        super().__init__(
            f"expected whole numbers from 0 to 2**64 - 1 in `{name}`, found {problem}",
            "sampling weights go in as sample_weight of Sweep.from_arrays, not as counts",
        )


class SweepMismatchError(InputError):
    """Two sweeps that can not be added."""

    code = "sweeps-differ"

    def __init__(self, what: str, left: object, right: object) -> None:
        self.what, self.left, self.right = what, left, right
        super().__init__(
            f"expected two sweeps with the same {what}, found {left!r} and {right!r}",
            f"build both sweeps with the same {what}",
        )


class SourceError(InputError):
    """A file or table that can not be read as asked."""

    code = "source"

    def __init__(self, code: str, source: str, message: str, hint: str) -> None:
        self.code, self.source = code, source
        super().__init__(message, hint)


# ------------------------------------------------------------------------------- measures and options


class UndefinedMeasureError(RocsolidError, ValueError):
    """The measure (or interval) has no value on these data; never a made-up 0, 0.5 or 1."""

    code = "undefined"

    def __init__(self, measure: str, reason: str, hint: str | None = None) -> None:
        self.measure, self.reason = measure, reason
        super().__init__(
            f"`{measure}` is undefined: {reason}",
            hint or 'pass on_undefined="nan" to get nan with this reason instead of an error',
        )


class OptionError(RocsolidError, ValueError):
    """An argument has a value that is not allowed."""

    code = "bad-option"

    def __init__(self, name: str, value: object, expected: str, hint: str | None = None) -> None:
        self.name, self.value, self.expected = name, value, expected
        super().__init__(f"expected `{name}` to be {expected}, found {value!r}", hint)


class UnknownNameError(OptionError):
    """No measure, curve, method or option has this name."""

    code = "unknown-name"

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.known = sorted(known)
        near = difflib.get_close_matches(str(name), self.known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(self.known)}"
        super().__init__(kind, name, f"a known {kind}", hint)
        self.message = f"expected a known {kind}, found {name!r}"
        self.args = (f"{self.message}\nHint: {hint}",)


class NotAvailableError(RocsolidError, NotImplementedError):
    """The argument is part of the signature but not built yet; it is refused, never ignored."""

    code = "not-available"

    def __init__(self, what: str, hint: str | None = None) -> None:
        self.what = what
        super().__init__(f"{what} is not available in this version", hint)


class MissingDependencyError(RocsolidError, ImportError):
    """An optional library is needed and not installed."""

    code = "missing-dependency"

    def __init__(self, what: str, package: str, extra: str) -> None:
        self.what, self.package, self.extra = what, package, extra
        super().__init__(
            f"{what} needs the package `{package}`, which is not installed",
            f'pip install "rocsolid[{extra}]"' if extra else f"pip install {package}",
        )
