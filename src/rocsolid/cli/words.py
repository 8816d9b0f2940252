"""What was typed, before it is parsed: misspelt words get the nearest known one, and settings are added."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from rocsolid.cli.settings import Settings, read_settings
from rocsolid.cli.talking import say
from rocsolid.errors import UnknownNameError

NO_CONFIG = "--no-config"


def prepared(commands: Mapping[str, argparse.ArgumentParser], given: Sequence[str]) -> tuple[list[str], frozenset[str]]:
    """Check commands and long options, and put the words of the settings before those of the command.

    Returns
    -------
    The words to parse, and the options (by their names in Python) that come from the settings.

    Raises
    ------
    UnknownNameError
        For a command, an option or a setting that does not exist.
    SourceError
        If the file of settings can not be read.
    """
    words = list(given)
    at = next((i for i, word in enumerate(words) if not word.startswith("-")), None)
    if at is None:
        return words, frozenset()
    if words[at] not in commands:
        raise UnknownNameError("command", words[at], commands)
    command, typed = words[at], words[at + 1 :]
    options = commands[command]._option_string_actions
    _check_options(command, options, typed)
    if NO_CONFIG in words[:at] or {"-h", "--help"} & set(typed):
        return words, frozenset()
    settings = read_settings(Path.cwd(), commands)
    chosen = _chosen(settings, command, options, typed)
    if not chosen:
        return words, frozenset()
    say(f"note: from {settings.path}: {' '.join(option for option, _ in chosen)}")
    added = [word for _, group in chosen for word in group]
    return [*words[: at + 1], *added, *typed], frozenset(options[option].dest for option, _ in chosen)


def _check_options(command: str, options: Mapping[str, argparse.Action], typed: Sequence[str]) -> None:
    for word in typed:
        if word == "--":
            return
        name = word.partition("=")[0]
        if name.startswith("--") and name not in options:
            raise UnknownNameError(f"option of {command}", name, (o for o in options if o.startswith("--")))


def _chosen(
    settings: Settings, command: str, options: Mapping[str, argparse.Action], typed: Sequence[str]
) -> list[tuple[str, list[str]]]:
    """Those settings that the command has and that were not typed: what is typed counts."""
    found = []
    for name, value in settings.of(command).items():
        action = options.get(f"--{name}")
        if action is not None and not any(_is(word, action) for word in typed):
            group = settings.words(name, value, action)
            if group:
                found.append((f"--{name}", group))
    return found


def _is(word: str, action: argparse.Action) -> bool:
    """Whether a word sets an option, such as ``--format=md`` or ``-fmd``."""
    return any(
        word == known or word.startswith(f"{known}=" if known.startswith("--") else known)
        for known in action.option_strings
    )
