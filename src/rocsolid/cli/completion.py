"""``rocsolid completion``: a script that lets the shell complete commands, options, their choices and measures."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping

from rocsolid.cli.talking import FINE
from rocsolid.sources.process import put

SHELLS = ("bash", "zsh", "fish")
MEASURED = ("--measure", "--measures")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which shell."""
    parser.add_argument("shell", choices=SHELLS, help='for example: eval "$(rocsolid completion bash)"')


def completion(args: argparse.Namespace) -> int:
    """Print the script of a shell."""
    from rocsolid.cli.grammar import parser

    commands = parser().commands
    bash = _bash(commands)
    zsh = f"autoload -U +X bashcompinit && bashcompinit\n{bash}"
    put({"bash": bash, "zsh": zsh, "fish": _fish(commands)}[args.shell])
    return FINE


def _bash(commands: Mapping[str, argparse.ArgumentParser]) -> str:
    options = "\n".join(f"    {name}) options={_quoted(_long(command))} ;;" for name, command in commands.items())
    choices = "\n".join(
        f"    {name}:{option}) words={_quoted(words)} ;;"
        for name, command in commands.items()
        for option, action in command._option_string_actions.items()
        if option not in MEASURED and (words := _words(option, action)) is not None
    )
    return f"""_rocsolid() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" command="" options="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{COMP_WORDS[i]}}" in -*) ;; *) command="${{COMP_WORDS[i]}}"; break ;; esac
  done
  COMPREPLY=()
  case "$command" in
    "") words={_quoted(commands)} ;;
    completion) words={_quoted(SHELLS)} ;;
{options}
  esac
  case "$command:$before" in
{choices}
    *:--measure|*:--measures) words={_quoted(_measures())} ;;
  esac
  if [[ "$word" == -* ]]; then words="$options"; fi
  if [[ -n "$words" ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); fi
}}
complete -o default -F _rocsolid rocsolid"""


def _fish(commands: Mapping[str, argparse.ArgumentParser]) -> str:
    lines = []
    for name, command in commands.items():
        told = _quoted([command.description or ""])
        lines.append(f"complete -c rocsolid -n __fish_use_subcommand -a {name} -d {told}")
        for option in _long(command):
            action = command._option_string_actions[option]
            words = _words(option, action)
            values = "" if action.nargs == 0 else " -r" if words is None else f" -x -a {_quoted(words)}"
            lines.append(
                f"complete -c rocsolid -n '__fish_seen_subcommand_from {name}' -l {option[2:]}{values} "
                f"-d {_quoted([action.help or ''])}"
            )
    lines.append(f"complete -c rocsolid -n '__fish_seen_subcommand_from completion' -x -a {_quoted(SHELLS)}")
    return "\n".join(lines)


def _long(command: argparse.ArgumentParser) -> list[str]:
    return [option for option in command._option_string_actions if option.startswith("--")]


def _words(option: str, action: argparse.Action) -> list[str] | None:
    """What may follow an option, where that is known."""
    if action.choices:
        return list(map(str, action.choices))
    if action.metavar == "CURVE":
        return _curves()
    return _measures() if option in MEASURED else None


def _curves() -> list[str]:
    """Curves, and the measures that have one: those at a cut."""
    from rocsolid.curves import CURVES
    from rocsolid.measures import REGISTRY

    return [*CURVES, *(measure.name for measure in REGISTRY.values() if measure.input == "counts")]


def _measures() -> list[str]:
    from rocsolid.measures import REGISTRY

    return list(REGISTRY)


def _quoted(words: Iterable[str]) -> str:
    """Write words between single quotes; none of ours has one, but the text of help may."""
    return "'" + " ".join(words).replace("'", "’") + "'"
