"""Games in a terminal: `tengen play` and `tengen join`, in lines or full screen, through a pipe, read aloud.

In reading order: `screen` (where text goes and lines come from), `draw` (boards in letters), `commands` (what
a line may mean), `face` (the conversation around a board), `saving` and `variations`, `session` (the loop),
`agreement` (dead stones), `start` (from flags or a menu to a session), `join` and `online` (on a server),
`picture`, `hand` and `full` (the full screen). `doctor` stands alone.
"""
