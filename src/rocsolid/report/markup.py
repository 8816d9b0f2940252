"""HTML and SVG as values: every text is escaped, because only :class:`Markup` passes as it is."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping

from rocsolid.text import printable

VOID = frozenset({"meta", "input", "br", "hr", "path", "line", "rect", "use", "circle"})
"""Elements without content. SVG's are closed by a slash, which HTML allows too."""
_NAME = re.compile(r"^[a-zA-Z][a-zA-Z0-9-]*$")

Attributes = Mapping[str, str | float | None]
Child = object
"""A ``Markup``, or anything that is printed as text; ``None`` is nothing."""


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def escape(text: object) -> Markup:
    """Escape a text for content and for attributes in double quotes."""
    return text if isinstance(text, Markup) else Markup(html.escape(printable(text), quote=True))


def join(parts: Iterable[Child], between: str = "") -> Markup:
    """Put parts one after the other."""
    return Markup(Markup(between).join(escape(p) for p in parts if p is not None))


def el(name: str, attributes: Attributes | None = None, *children: Child) -> Markup:
    """Build an element; attributes that are ``None`` are left out."""
    if not _NAME.match(name):
        raise ValueError(f"no element name: {name!r}")
    given = [(key, value) for key, value in (attributes or {}).items() if value is not None]
    head = name + "".join(f' {key}="{escape(_attribute(value))}"' for key, value in given)
    if name in VOID:
        return Markup(f"<{head}/>")
    return Markup(f"<{head}>{join(children)}</{name}>")


def _attribute(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".rstrip("0").rstrip(".")
