"""Run the code blocks of a Markdown page and compare what they print with what the page says.

    python docs/run_blocks.py                 check every page
    python docs/run_blocks.py PAGE...         check these
    python docs/run_blocks.py --write [PAGE]  write down what the blocks print now

A page is one program: its ``python`` blocks share a namespace, and run in an empty directory. A ``text`` block
right below one shows what it prints, or the error it ends in. In a ``console`` block, lines that begin with ``$``
are commands and the lines below each are its output. Other blocks (``sh`` for installing, ``toml``) do not run.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import itertools
import os
import re
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass
class Block:
    """One fenced block: its language, text, place in the page and line number."""

    language: str
    text: str
    start: int
    end: int
    line: int


def pages() -> list[Path]:
    """Every page with code, in reading order."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: str) -> list[Block]:
    """Find the fenced blocks of a page."""
    return [
        Block(m.group(1), m.group(2), m.start(2), m.end(2), page.count("\n", 0, m.start()) + 1)
        for m in FENCE.finditer(page)
    ]


def follows(page: str, first: Block, second: Block | None) -> bool:
    """Whether the second block shows the output of the first: nothing but fences stands between them."""
    if second is None or second.language != "text":
        return False
    return page[first.end : second.start].replace("```text", "").replace("```", "").strip() == ""


def run_python(code: str, name: str, line: int, namespace: dict[str, Any]) -> str:
    """Run a block; give what it prints, with an error of rocsolid as the last lines."""
    from rocsolid.errors import RocsolidError

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile("\n" * line + code, name, "exec"), namespace)
        except RocsolidError as error:
            print(f"{type(error).__name__}: {error}")
    return out.getvalue()


def run_console(text: str) -> str:
    """Run the commands of a console block; give the block with the output as it is now."""
    shown = []
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", COLUMNS="100")
    for line in text.splitlines():
        if line.startswith("$ "):
            done = subprocess.run(
                line[2:], shell=True, capture_output=True, text=True, check=False, env=environment, timeout=300
            )
            shown += [line, *(done.stdout or done.stderr).splitlines()]
    return "\n".join(s.rstrip() for s in shown) + "\n"


def refreshed(page: str, name: str) -> str:
    """The page with every output as it is now."""
    found = blocks(page)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    changes: list[tuple[Block, str]] = []
    for block, after in itertools.zip_longest(found, found[1:]):
        if block.language == "python":
            printed = run_python(block.text, name, block.line, namespace)
            shown = "\n".join(s.rstrip() for s in printed.splitlines()) + "\n"
            if follows(page, block, after):
                assert after is not None
                changes.append((after, shown))
            elif printed:
                raise SystemExit(f"{name}:{block.line}: prints what the page does not show:\n{printed}")
        elif block.language == "console":
            changes.append((block, run_console(block.text)))
    for block, shown in reversed(changes):
        page = page[: block.start] + shown + page[block.end :]
    return page


def check(path: Path, write: bool) -> bool:
    """Run one page in an empty directory; say what differs, or write it down."""
    from rocsolid import RocsolidWarning

    page = path.read_text(encoding="utf-8")
    name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as empty, warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", RocsolidWarning)  # a page's samples are small, and the page says so
        os.chdir(empty)
        try:
            now = refreshed(page, name)
        finally:
            os.chdir(here)
    if now == page:
        return True
    if write:
        path.write_text(now, encoding="utf-8")
        print(f"{name}: rewritten")
        return True
    diff = difflib.unified_diff(page.splitlines(), now.splitlines(), f"{name} (as written)", "as run", lineterm="")
    print("\n".join(diff))
    return False


def main(arguments: list[str]) -> int:
    """Check or rewrite pages."""
    write = "--write" in arguments
    chosen = [Path(a).resolve() for a in arguments if a != "--write"] or pages()
    os.environ.setdefault("MPLBACKEND", "agg")
    results = [check(path, write) for path in chosen]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
