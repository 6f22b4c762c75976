"""What a game is to everything above its rules, in five small classes with working defaults.

`Table`      passing, counting, agreement, rules in short, words (match, terminal, server, browser)
`Look`       pieces, how a hand makes a move, sizes to offer, the board for a terminal (terminal, browser)
`Opponents`  levels, openings, resigning, dead stones, perfect play (players, arena, server, analysis)
`Learning`   what a training run begins with, bounds of the encoding, teacher (learn, brains, envs)
`Records`    the formats, and what SGF and GTP must know (records)

A `Game` names its own in `table_kind`, `look_kind` and so on, and overrides what is special about it. Facets
know games and states only by type, so this layer stands below `tengen.game`.
"""

from tengen.facets.learning import Learning
from tengen.facets.look import Look, MoveChoice, Piece
from tengen.facets.opponents import DeadEstimate, Level, Opponents
from tengen.facets.records import Records
from tengen.facets.table import Table

__all__ = [
    "DeadEstimate",
    "Learning",
    "Level",
    "Look",
    "MoveChoice",
    "Opponents",
    "Piece",
    "Records",
    "Table",
]
