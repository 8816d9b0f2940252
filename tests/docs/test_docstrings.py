"""The examples in docstrings run and print what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import warnings

import pytest

import rocsolid as rs

MODULES = ["rocsolid", *(info.name for info in pkgutil.walk_packages(rs.__path__, "rocsolid.")
                         if not info.name.endswith(("._kernel", ".__main__")))]  # fmt: skip
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsolidWarning)  # four rows are few, and show well what is meant
        failures, _ = doctest.testmod(module, optionflags=FLAGS)
    assert failures == 0


FUNCTIONS = [n for n in rs.__all__ if callable(getattr(rs, n)) and n[0].islower()]


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - {"get_num_threads", "set_num_threads"}))
def test_every_function_shows_an_example(name):
    assert ">>> " in (getattr(rs, name).__doc__ or "")
