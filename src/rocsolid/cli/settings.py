"""Settings in ``rocsolid.toml``, or in ``pyproject.toml`` under ``[tool.rocsolid]``: options that need not be typed."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rocsolid.errors import OptionError, SourceError, UnknownNameError

OWN, SHARED = "rocsolid.toml", "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """Options by name, for all commands and for one.

    Attributes
    ----------
    path : the file they are from, ``None`` without one.
    common : options of all commands that have them.
    special : options of one command, by its name; they count before those of all.
    """

    path: Path | None = None
    common: Mapping[str, Any] = field(default_factory=dict)
    special: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def of(self, command: str) -> dict[str, Any]:
        """Give the options of one command."""
        return {**self.common, **self.special.get(command, {})}

    def words(self, name: str, value: Any, action: argparse.Action) -> list[str]:
        """Write a setting as it would be typed.

        Raises
        ------
        OptionError
            If the value is of a kind that the option can not have.
        """
        several = isinstance(action.nargs, str) or type(action).__name__ == "_AppendAction"
        if action.nargs == 0:
            if not isinstance(value, bool):
                raise self._bad(name, value, "true or false", "true")
            return [f"--{name}"] if value else []
        values = value if isinstance(value, list) else [value]
        if isinstance(value, list) and not several:
            raise self._bad(name, value, "one value", '"..."')
        for one in values:
            if isinstance(one, bool) or not isinstance(one, (str, int, float)):
                raise self._bad(name, value, "text or a number", '"..."')
        return [f"--{name}={one}" for one in values]

    def _bad(self, name: str, value: object, expected: str, example: str) -> OptionError:
        return OptionError(f"{name} in {self.path}", value, expected, f"{name} = {example}")


def read_settings(folder: Path, commands: Mapping[str, argparse.ArgumentParser]) -> Settings:
    """Read the nearest settings: in this folder, or in the next one above that has some.

    Raises
    ------
    SourceError
        ``file-unreadable``, if the file is no TOML.
    UnknownNameError
        For a setting that no command has.
    """
    for place in (folder, *folder.parents):
        for name in (OWN, SHARED):
            path = place / name
            table = _table(path) if path.is_file() else None
            if table is not None:
                return _sorted(path, table, commands)
    return Settings()


def _table(path: Path) -> dict[str, Any] | None:
    """The settings of a file; ``None`` for a ``pyproject.toml`` that has none."""
    try:
        text = path.read_text(encoding="utf-8")
        if path.name == SHARED and "tool.rocsolid" not in text:  # most have none, and need no parsing
            return None
        whole = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SourceError("file-unreadable", str(path), f"can not read the settings in {str(path)!r}: {error}",
                          "repair it, or run rocsolid --no-config ...") from None  # fmt: skip
    if path.name == OWN:
        return whole
    tool = whole.get("tool")
    found = tool.get("rocsolid") if isinstance(tool, dict) else None
    return found if isinstance(found, dict) else None


def _sorted(path: Path, table: Mapping[str, Any], commands: Mapping[str, argparse.ArgumentParser]) -> Settings:
    """Tell settings of all commands from those of one, and refuse what no command has."""
    known = {name: _names(command) for name, command in commands.items()}
    every = set().union(*known.values())
    common, special = {}, {}
    for key, value in table.items():
        if isinstance(value, dict):
            if key not in known:
                raise UnknownNameError(f"command in {path}", key, known)
            for name in value:
                if name not in known[key]:
                    raise UnknownNameError(f"option of {key} in {path}", name, known[key])
            special[key] = value
        else:
            if key not in every:
                raise UnknownNameError(f"option in {path}", key, every)
            common[key] = value
    return Settings(path, common, special)


def _names(command: argparse.ArgumentParser) -> set[str]:
    return {o.removeprefix("--") for o in command._option_string_actions if o.startswith("--") and o != "--help"}
