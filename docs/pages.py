"""Tables in the documentation that a program writes: each stands between two marks of its page."""

from __future__ import annotations

from pathlib import Path

EXPLANATION = Path(__file__).parent / "explanation"
END = "<!-- end -->"


def mark(key: str, program: str) -> str:
    """Write the mark behind which a table stands."""
    return f"<!-- {key}: written by docs/{Path(program).name} -->"


def fill(page: Path, key: str, program: str, text: str) -> None:
    """Put a table between its marks; a page without them is an error."""
    head, begin, rest = page.read_text("utf-8").partition(mark(key, program))
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{page.name} has no place for {key}: {mark(key, program)} ... {END}")
    page.write_text(f"{head}{begin}\n\n{text.strip()}\n\n{end}{tail}", "utf-8")
