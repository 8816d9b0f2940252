"""Layers: imports inside the package point down only, whether they stand at the top or inside a function."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src"
PACKAGE = SRC / "rocsolid"

LAYERS = (
    ("errors", "options", "text"),
    ("values",),
    ("results", "tables", "comparisons"),
    ("_kernel",),
    ("inputs",),
    ("keys", "weight_sums"),
    ("sweep",),
    ("sources",),
    ("curves", "measures"),
    ("inference",),
    ("binormal", "regression", "clustering"),
    ("decisions", "calibration", "translation"),
    ("measured",),
    ("decided",),
    ("advised",),
    ("prevalences", "net_benefits"),
    ("evaluation",),
    ("evaluations",),
    ("multiclass", "grouped"),
    ("functions", "one_measure", "resampling", "scalars", "sites", "curve_functions"),
)
"""Low to high. Modules of one layer may use each other."""

FACES = {"report", "plot", "sklearn", "gate", "cli", "demo"}
"""The topmost layer; a face uses no other face, apart from those named here."""
FACES_USED = {
    "cli": {"demo", "gate", "report", "plot"},
    "gate": set(),
    "demo": {"report", "plot"},
    "report": set(),
    "plot": set(),
}

FREE = {"_faces", "_reference", "__init__", "__main__", "testing"}
"""Not layered: `_faces` reaches up (lazily, and only it), `_reference` is the slow second implementation."""

RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer} | dict.fromkeys(FACES, len(LAYERS))


def modules():
    return sorted(PACKAGE.rglob("*.py"))


def part_of(path: Path) -> str:
    """`sources/arrow.py` is part of `sources`, `errors.py` is `errors`."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported(node: ast.AST, path: Path) -> list[str]:
    """Parts of rocsolid that an import statement names; an empty name is the package itself."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.level:
        pytest.fail(f"{path}:{node.lineno}: relative import; write `from rocsolid...`")
    elif isinstance(node, ast.ImportFrom) and node.module == "rocsolid":
        names = [f"rocsolid.{alias.name}" for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = [node.module or ""]
    else:
        return []
    return [name.partition(".")[2].split(".")[0] for name in names if name.split(".")[0] == "rocsolid"]


def checked_only(tree: ast.Module) -> set[ast.AST]:
    """Imports under `if TYPE_CHECKING:`, which never run."""
    return {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"
        for node in ast.walk(block)
    }


def violation(part: str, target: str) -> str | None:
    if target in (part, "_faces") or part in FREE:
        return None
    if target in FREE:
        return f"`{part}` may not import `{target}`"
    if target not in RANK:  # `import rocsolid`, or a name such as `from rocsolid import evaluate`
        return None if part in FACES else f"`{part}` imports the top of the package"
    if part in FACES and target in FACES:
        return None if target in FACES_USED.get(part, set()) else f"the face `{part}` uses the face `{target}`"
    if RANK[target] > RANK[part]:
        return f"`{part}` reaches up to `{target}`"
    return None


def test_every_module_has_a_layer():
    parts = {part_of(path) for path in modules()}
    unplaced = parts - set(RANK) - FREE
    assert not unplaced, f"no layer for {sorted(unplaced)}: add them to {Path(__file__).name}"


def test_imports_point_down():
    wrong = []
    for path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        ignored = checked_only(tree)
        for node in ast.walk(tree):
            if node in ignored:
                continue
            for target in imported(node, path):
                problem = violation(part_of(path), target)
                if problem is not None:
                    wrong.append(f"{path.relative_to(SRC.parent)}:{node.lineno}: {problem}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_faces_module_imports_lazily():
    tree = ast.parse((PACKAGE / "_faces.py").read_text(encoding="utf-8"))
    at_top = [node for node in tree.body if imported(node, PACKAGE / "_faces.py")]
    assert not at_top, f"_faces.py:{at_top[0].lineno}: import inside the function that needs it"


OPTIONAL = {
    "matplotlib": {"plot"},
    "sklearn": {"demo", "sklearn", "clustering"},
    "duckdb": {"sources"},
    "rich": {"cli"},
}
"""Which part may import which optional library."""
ANYWHERE_LAZILY = {"pandas", "polars", "pyarrow", "narwhals", "scipy"}


def test_optional_libraries_stay_in_their_part():
    wrong = []
    for path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for root in (name.split(".")[0] for name in names):
                if root in OPTIONAL and part_of(path) not in OPTIONAL[root]:
                    wrong.append(f"{path.relative_to(SRC.parent)}:{node.lineno}: {root} belongs to {OPTIONAL[root]}")
                if root in ANYWHERE_LAZILY and node in tree.body:
                    wrong.append(f"{path.relative_to(SRC.parent)}:{node.lineno}: import {root} where it is used")
    assert not wrong, "\n" + "\n".join(wrong)
