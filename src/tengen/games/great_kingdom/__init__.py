"""Great Kingdom: `rules` (options, presets and view), `table`, `look`, `opponents`, `learning`, `records`,
`solver` (exact play of small boards). Rules: docs/rules/great-kingdom.md.
"""

from tengen.games.great_kingdom.rules import PRESETS, GreatKingdom

__all__ = ["PRESETS", "GreatKingdom"]
