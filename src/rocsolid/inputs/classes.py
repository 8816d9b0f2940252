"""Labels of more than two classes, or several labels a row, beside a table of scores with a column a class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocsolid.errors import DtypeError, EmptyInputError, LengthError, NotAvailableError, OptionError, ShapeError
from rocsolid.inputs.arrays import Array, BoolArray, Column, read_column
from rocsolid.inputs.clusters import Codes, codes_of
from rocsolid.inputs.labels import in_order
from rocsolid.inputs.rows import Rows, absent_rows, real_scores, weights_given
from rocsolid.options import check_choice, unboxed

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ClassRows:
    """Clean rows of k classes.

    Attributes
    ----------
    scores : (n, k), a column a class.
    codes : (n,) class of each row, 0 to k - 1; ``None`` where a row may have several labels, or none.
    members : (n, k) labels of each row; ``None`` where it has exactly one.
    classes : the k labels as plain values, in the order of the columns.
    weights, cluster, dropped : as in :class:`~rocsolid.inputs.rows.Rows`.
    """

    scores: Array
    codes: Codes | None
    members: BoolArray | None
    classes: tuple[object, ...]
    weights: Floats | None
    cluster: Codes | None
    dropped: int

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.scores)

    def member(self, c: int) -> BoolArray:
        """(n,) which rows have label number ``c``."""
        if self.members is not None:
            return np.ascontiguousarray(self.members[:, c])
        assert self.codes is not None
        return np.asarray(self.codes == c)

    def binary(self, scores: Array, positive: BoolArray, label: object, at: npt.NDArray[Any] | None = None) -> Rows:
        """Rows of two classes with these scores, of all rows or those numbered ``at``."""
        chosen: Any = slice(None) if at is None else at
        return Rows(
            scores=np.ascontiguousarray(scores), positive=np.ascontiguousarray(positive),
            weights=None if self.weights is None else self.weights[chosen], decimals=None, pos_label=label,
            labels=("rest", label), dropped=self.dropped,
            cluster=None if self.cluster is None else codes_of(self.cluster[chosen]),
        )  # fmt: skip


def is_table(y_true: Any, y_score: Any) -> bool:
    """Whether scores come with a column for each of several classes, or labels with a column each."""
    return _columns(y_true) > 1 or _columns(y_score) > 2


def _columns(data: Any) -> int:
    shape = getattr(data, "shape", None)
    if shape is None and isinstance(data, (list, tuple)) and len(data):
        shape = (len(data), len(data[0])) if isinstance(data[0], (list, tuple)) else None
    return int(shape[1]) if shape is not None and len(shape) == 2 else 0


def read_classes(
    y_true: Any,
    y_score: Any,
    *,
    labels: Sequence[object] | None = None,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: str = "raise",
    score_name: str = "y_score",
) -> ClassRows:
    """Validate labels and a table of scores. O(n k).

    Raises
    ------
    InputError
        One of its kinds, with what was expected, what was found and a hint.
    OptionError
        If the labels in the order of the columns are not known, or are not those of ``y_true``.
    """
    if missing == "bounds":
        raise NotAvailableError('missing="bounds"', 'use missing="drop", which reports how many rows it leaves out')
    check_choice("missing", missing, ("raise", "drop"))
    truth, score = read_column(y_true, "y_true"), read_column(y_score, score_name)
    _check_shapes(truth, score, score_name)
    weight = None if sample_weight is None else weights_given(sample_weight)
    code = None if cluster is None else read_column(cluster, "cluster")
    n = len(truth.values)
    for name, values in (("sample_weight", weight), ("cluster", None if code is None else code.values)):
        if values is not None and values.shape != (n,):
            raise LengthError({"y_true": n, name: len(values)})
    counted = None if weight is None or weight.all() else weight > 0
    absent = np.zeros(n, np.bool_)
    for column, name in ((truth, "y_true"), (score, score_name), (code, "cluster")):
        if column is not None:
            absent |= absent_rows(column, name, missing, counted)
    keep = ~absent if counted is None else counted & ~absent
    if not keep.any():
        raise EmptyInputError("y_true", n)
    scores = real_scores(score.values[keep], score_name)
    if truth.values.ndim == 2:
        _need_one_order("y_true", truth.names, score.names, score_name)
    classes, codes, members = _labels(truth.values[keep], scores.shape[1], labels, score.names, score_name)
    return ClassRows(
        scores=scores, codes=codes, members=members, classes=classes,
        weights=None if weight is None else np.ascontiguousarray(weight[keep]),
        cluster=None if code is None else codes_of(code.values[keep]), dropped=int(absent.sum()),
    )  # fmt: skip


def _check_shapes(truth: Column, score: Column, score_name: str) -> None:
    if score.values.ndim != 2 or score.values.shape[1] < 2:
        hint = f"{score_name} of shape (n, k)"
        raise ShapeError(score_name, score.values.shape, "a column for each class", hint)
    if truth.values.ndim == 2 and truth.values.shape != score.values.shape:
        expected = f"of the shape of `{score_name}`, {score.values.shape}"
        raise ShapeError("y_true", truth.values.shape, expected, "pass a column of labels for each column of scores")
    if truth.values.ndim > 2:
        raise ShapeError("y_true", truth.values.shape, "one label a row, or a column a label", "y_true.ravel()")
    if len(truth.values) != len(score.values):
        raise LengthError({"y_true": len(truth.values), score_name: len(score.values)})
    if not len(truth.values):
        raise EmptyInputError("y_true")


def _labels(
    y: Array, k: int, labels: Sequence[object] | None, names: tuple[str, ...] | None, score_name: str
) -> tuple[tuple[object, ...], Codes | None, BoolArray | None]:
    """Classes in the order of the columns, and each row's class or labels."""
    given = None if labels is None else [unboxed(v) for v in labels]
    if given is not None and (len(given) != k or len(set(given)) != k):
        expected = f"{k} different labels, one for each column of scores"
        raise OptionError("labels", list(given), expected, "the labels in the order of the columns")
    if given is not None:
        _need_one_order("labels", tuple(map(str, given)), names, score_name)
    if y.ndim == 2:
        named = [*names] if names is not None else list(range(k))
        return tuple(named if given is None else given), None, _indicators(y)
    items = [unboxed(v) for v in y.tolist()]
    found = in_order(list(dict.fromkeys(items)))
    order = given if given is not None else _order(found, k, names)
    place = {label: c for c, label in enumerate(order)}
    strange = [v for v in found if v not in place]
    if strange:
        raise OptionError("labels", order, f"all labels of y_true, among them {strange[:3]!r}", f"labels={found!r}")
    return tuple(order), np.fromiter((place[v] for v in items), np.intp, len(items)), None


def _need_one_order(name: str, given: tuple[str, ...] | None, columns: tuple[str, ...] | None, score_name: str) -> None:
    """Refuse labels in another order than that of the columns named after them: one of the two is wrong."""
    if given is None or columns is None or given == columns or set(given) != set(columns):
        return
    order = list(columns)
    hint = f"labels={order!r}" if name == "labels" else f"{name}[{order!r}]"
    raise OptionError(name, list(given), f"in the order of the columns of `{score_name}`", hint)


def _order(found: list[Any], k: int, names: tuple[str, ...] | None) -> list[Any]:
    """Columns named after the labels, or the sorted labels if there are as many."""
    by_name = {str(label): label for label in found}
    if names is not None and len(set(names)) == k and set(by_name) <= set(names):
        return [by_name.get(name, name) for name in names]
    if len(found) != k:
        expected = f"the {k} labels in the order of the columns, since y_true holds {len(found)} different ones"
        models = "or, if each column is a model, rs.evaluate_many(y_true, {'a': s1, 'b': s2})"
        raise OptionError("labels", None, expected, f"labels={[*found, '...'][: k + 1]!r}; {models}")
    return found


def _indicators(y: Array) -> BoolArray:
    if y.dtype == np.bool_:
        return y
    if y.dtype.kind not in "iuf" or not bool(np.isin(y, (0, 1)).all()):
        found = next((v for v in y.ravel().tolist() if v not in (0, 1)), None)
        expected = "0 and 1 (or booleans) where each row may have several labels"
        raise DtypeError("y_true", expected, f"{found!r}", "pass (n,) labels if each row has one")
    return np.asarray(y == 1)
