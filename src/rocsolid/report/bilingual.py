"""Text in both languages side by side; the page's switch shows one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsolid.report.markup import Markup, el, join
from rocsolid.report.words import HTML_LANGUAGE, LANGUAGES, Language, word


def both(key: str, blanks: Mapping[str, object] | None = None) -> Markup:
    """Give the words of a key in both languages, their blanks filled."""
    return said({x: word(key, x).format_map(blanks) if blanks else word(key, x) for x in LANGUAGES})


def said(texts: Mapping[Any, Any]) -> Markup:
    """Give a text in both languages; once, where it is the same."""
    if texts["en"] == texts["zh"]:
        return join([texts["en"]])
    return join(in_one(x, texts[x]) for x in LANGUAGES)


def in_one(language: Language, text: object) -> Markup:
    """Give a text that belongs to one language."""
    return el("span", {"lang": HTML_LANGUAGE[language]}, text)


def svg_text(key: str, attributes: dict[str, str | float | None], unit: str = "") -> Markup:
    """Write the words of a key into a picture, in both languages at one place."""
    parts = (el("text", {**attributes, "lang": HTML_LANGUAGE[x]}, word(key, x) + unit) for x in LANGUAGES)
    return join(parts)
