"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
from collections.abc import Iterator
from pathlib import Path

from rocsolid.errors import SourceError


@contextlib.contextmanager
def whole(path: str | Path) -> Iterator[Path]:
    """Give a temporary path in the folder of ``path``; it takes the place of ``path`` when the block succeeds.

    If the block fails, the temporary file is removed and whatever was at ``path`` stays as it was.

    Raises
    ------
    SourceError
        ``folder-missing``, ``is-a-folder`` or ``not-writable``.
    """
    target = _target(path)
    part = target.with_name(f".{target.name[:80]}.{secrets.token_hex(6)}.part")
    try:
        part.open("xb").close()
    except OSError as error:
        raise _not_writable(path, error) from None
    try:
        yield part
        if target.exists():
            part.chmod(target.stat().st_mode & 0o777)
        os.replace(part, target)
    except OSError as error:
        raise _not_writable(path, error) from error
    finally:
        part.unlink(missing_ok=True)


def _target(path: str | Path) -> Path:
    """Resolve links, so that the file behind one is replaced and not the link; refuse what is no file."""
    target, text = Path(path).resolve(), str(path)
    if target.is_dir():
        raise SourceError("is-a-folder", text, f"expected a file name, found the folder {text!r}",
                          "add a file name to the path")  # fmt: skip
    if not target.parent.is_dir():
        raise SourceError("folder-missing", text, f"there is no folder {str(target.parent)!r} to write into",
                          f"mkdir -p {shlex.quote(str(target.parent))}")  # fmt: skip
    if target.exists() and not target.is_file():
        raise SourceError("not-writable", text, f"{text!r} is a device or pipe, which can not be replaced as a whole",
                          "name a regular file")  # fmt: skip
    return target


def write_text(path: str | Path, text: str) -> Path:
    """Write UTF-8 text, whole or not at all; return the path. Errors as in :func:`whole`."""
    with whole(path) as part:
        part.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    return Path(path)


def _not_writable(path: str | Path, error: OSError) -> SourceError:
    reason = error.strerror or type(error).__name__
    return SourceError("not-writable", str(path), f"can not write {str(path)!r}: {reason}",
                       "choose a folder that may be written to and has space")  # fmt: skip
