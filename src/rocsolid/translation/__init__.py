"""What other tools would report of the same data."""

from rocsolid.translation.tools import TOOLS, Translation, Word, translate

__all__ = ["TOOLS", "Translation", "Word", "translate"]
