"""The reference is complete and says what the code says."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from tests.contract.test_measures import SPECS

import rocsolid as rs
from rocsolid import errors
from rocsolid.measures import REGISTRY

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


def read(page: str) -> str:
    return (REFERENCE / page).read_text("utf-8")


def test_generated_pages_are_up_to_date():
    command = [sys.executable, str(ROOT / "docs" / "generate_reference.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


ERRORS = [c for c in vars(errors).values() if inspect.isclass(c) and issubclass(c, rs.RocsolidError)]


@pytest.mark.parametrize("kind", ERRORS)
def test_every_error_is_listed_with_its_code(kind):
    _, _, section = read("errors.md").partition(f"\n## {kind.__name__}\n")
    section = section.partition("\n## ")[0]
    assert section, f"{kind.__name__} has no section"
    assert "Code `" in section


@pytest.mark.parametrize("name", rs.__all__)
def test_every_public_name_is_documented(name):
    assert f"\n### {name}\n" in read("api.md")


PACKAGES = [(page, name) for page in ("regression", "clustering") for name in getattr(rs, page).__all__]


@pytest.mark.parametrize(("page", "name"), PACKAGES)
def test_every_public_name_of_the_packages_is_documented(page, name):
    assert f"\n### {name}\n" in read(f"{page}.md")
    value = getattr(getattr(rs, page), name)
    if inspect.isfunction(value):
        assert ">>> " in (value.__doc__ or "")
        assert all(p.kind is not p.VAR_KEYWORD for p in inspect.signature(value).parameters.values())


@pytest.mark.parametrize("measure", rs.regression.REGISTRY.values(), ids=lambda m: m.name)
def test_every_measure_of_regression_is_listed(measure):
    page = read("regression.md")
    assert all(text in page for text in (measure.definition, measure.definition_zh, measure.source))


@pytest.mark.parametrize("measure", REGISTRY.values(), ids=lambda m: m.name)
def test_every_measure_is_listed_with_its_aliases(measure):
    _, _, section = read("measures.md").partition(f"\n### {measure.name}\n")
    section = section.partition("\n### ")[0]
    assert measure.definition in section
    assert measure.source in section
    assert all(f"`{alias}`" in section for alias in measure.aliases)


def test_every_interval_method_is_explained():
    """Each method name of each measure appears in the page on intervals."""
    from rocsolid.inference import methods_of
    from rocsolid.measures import find

    page = (ROOT / "docs" / "explanation" / "intervals.md").read_text("utf-8")
    for spec in (*SPECS.values(), "average_precision(prevalence=0.5)"):
        for method in methods_of(find(spec)):
            assert f"`{method}`" in page, f"{method} of {spec}"
