"""What other tools would report of the same data, and what a claimed number may be."""

from rocsolid.translation.claims import Explanation, Match, explain
from rocsolid.translation.tools import TOOLS, Translation, Word, translate

__all__ = ["TOOLS", "Explanation", "Match", "Translation", "Word", "explain", "translate"]
