"""Go on 2×2 to 19×19: `rules` (options and view), `table`, `look`, `opponents`, `learning`, `records`,
`estimate` (dead stones), `solver` (exact play of small boards). Rules: docs/rules/go.md.
"""

from tengen.games.go.look import star_points
from tengen.games.go.rules import Go

__all__ = ["Go", "star_points"]
