"""The line interface: `tengen play` in any terminal, through a pipe, or with a screen reader.

In reading order: `screen` (where text goes and lines come from), `words` and `draw` (what a position looks
like in sentences and in letters), `commands` (what a line may mean), `face` (the conversation of the board
games), `saving`, `session` (the
loop over a `Match`), `agreement` (Go's dead stones), `start` (from flags or a menu to a session). `doctor`
stands alone.
"""
