"""What the package promises as a whole: a light and silent import, no **kwargs, documented names, short files."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import rocsolid as rs

SRC = Path(__file__).parents[2] / "src" / "rocsolid"
HEAVY = (
    "scipy", "narwhals", "pandas", "polars", "pyarrow", "duckdb", "matplotlib", "sklearn", "rich", "torch", "jax",
)  # fmt: skip
MODULE_LINES = 420
FUNCTION_LINES = 60


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)


def python_files():
    return sorted(SRC.rglob("*.py"))


# ------------------------------------------------------------------------------------------------- import


def test_import_is_light():
    code = f"import sys, json, rocsolid; print(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_import_is_silent():
    code = (
        "import threading, warnings, logging, os\n"
        "warnings.simplefilter('error')\n"
        "import numpy\n"  # numpy's own threads and settings are not ours
        "tasks = lambda: len(os.listdir('/proc/self/task')) if os.path.isdir('/proc/self/task') else 0\n"
        "before = (threading.active_count(), tasks(), dict(os.environ), list(logging.getLogger().handlers))\n"
        "import rocsolid\n"
        "after = (threading.active_count(), tasks(), dict(os.environ), list(logging.getLogger().handlers))\n"
        "assert before == after, (before[:2], after[:2])\n"
        "assert not logging.getLogger('rocsolid').handlers\n"
    )
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert (done.stdout, done.stderr) == ("", "")


def test_import_needs_no_optional_library():
    """Even with every optional library absent the package imports and gives areas."""
    code = (
        "import sys\n"
        f"for name in {HEAVY!r}: sys.modules[name] = None\n"
        "import rocsolid as rs\n"
        "print(rs.areas([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc)\n"
    )
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0.75\n"


# -------------------------------------------------------------------------------------------- signatures


def public_callables():
    """(name, function) of everything callable that `rocsolid.__all__` gives out, methods included."""
    for name in rs.__all__:
        member = getattr(rs, name)
        if inspect.isclass(member):
            yield from (
                (f"{name}.{key}", value)
                for key, value in inspect.getmembers(member, inspect.isroutine)
                if not key.startswith("_") and getattr(value, "__module__", "").startswith("rocsolid")
            )
        elif inspect.isfunction(member):
            yield name, member


@pytest.mark.parametrize(("name", "function"), [pytest.param(*c, id=c[0]) for c in public_callables()])
def test_no_swallowed_options(name, function):
    kinds = {p.kind for p in inspect.signature(function).parameters.values()}
    assert inspect.Parameter.VAR_KEYWORD not in kinds, f"{name} takes **kwargs: a misspelt option would be ignored"


def test_no_kwargs_in_source():
    wrong = [
        f"{path.relative_to(SRC.parent)}:{node.lineno}: {node.name} takes **{node.args.kwarg.arg}"
        for path in python_files()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.args.kwarg is not None
    ]
    assert not wrong, "\n" + "\n".join(wrong)


# --------------------------------------------------------------------------------- documented = public


MODULES = ("clustering", "errors", "measures", "regression")
"""Modules that are public names; those beside the package for scores are imported when first named."""


def test_all_is_sorted_and_complete():
    for name in MODULES:
        assert inspect.ismodule(getattr(rs, name)), name
    public = {
        name for name, value in vars(rs).items()
        if not name.startswith("_") and not (inspect.ismodule(value) and name not in MODULES)
    }  # fmt: skip
    assert sorted(rs.__all__) == rs.__all__
    assert public | {"__version__"} == set(rs.__all__)


def test_public_names_have_docstrings():
    members = {name: getattr(rs, name) for name in rs.__all__ if name != "__version__"}
    undocumented = [name for name, value in members.items() if not (value.__doc__ or "").strip()]
    undocumented += [name for name, value in public_callables() if not (inspect.getdoc(value) or "").strip()]
    assert not undocumented


def test_every_module_says_what_it_is_for():
    names = [info.name for info in pkgutil.walk_packages(rs.__path__, "rocsolid.")]
    wrong = []
    for path in python_files():
        if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) is None:
            wrong.append(str(path.relative_to(SRC.parent)))
    assert names
    assert not wrong


def test_every_error_is_documented_in_the_tree():
    errors = importlib.import_module("rocsolid.errors")
    classes = [c for c in vars(errors).values() if inspect.isclass(c) and issubclass(c, rs.RocsolidError)]
    missing = [c.__name__ for c in classes if c.__name__ not in (errors.__doc__ or "")]
    assert not missing


# -------------------------------------------------------------------------------------------------- size


def test_files_hold_one_idea():
    long = {
        str(path.relative_to(SRC.parent)): count
        for path in python_files()
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > MODULE_LINES
    }
    assert not long, f"longer than {MODULE_LINES} lines: {long}"


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its signature and docstring."""
    body = node.body if ast.get_docstring(node) is None else node.body[1:]
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def test_functions_hold_one_idea():
    long = [
        f"{path.relative_to(SRC.parent)}:{node.lineno}: {node.name} has {body_lines(node)} lines"
        for path in python_files()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body_lines(node) > FUNCTION_LINES
    ]
    assert not long, f"longer than {FUNCTION_LINES} lines:\n" + "\n".join(long)


# ------------------------------------------------------------------------------------------------ boundary


def test_stub_matches_the_kernel():
    kernel = importlib.import_module("rocsolid._kernel")
    stub = ast.parse((SRC / "_kernel.pyi").read_text(encoding="utf-8"))
    declared = {node.name for node in stub.body if isinstance(node, ast.FunctionDef | ast.ClassDef)} | {"__version__"}
    present = {name for name in dir(kernel) if not name.startswith("_")} | {"__version__"}
    assert declared == present


def test_names_come_from_where_type_checkers_are_told():
    """The package imports a name when it is first used; what type checkers read says the same of each."""
    tree = ast.parse((SRC / "__init__.py").read_text(encoding="utf-8"))
    told = {
        alias.name: node.module.removeprefix("rocsolid").removeprefix(".")
        for block in tree.body if isinstance(block, ast.If)
        for node in block.body if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }  # fmt: skip
    modules = dict.fromkeys(rs._MODULES, "")
    assert told == rs._HOME | modules
    assert set(rs.__all__) == set(told) | {"__version__"}
    for name in rs.__all__:
        assert getattr(rs, name) is getattr(rs, name)
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        _ = rs.evalute
