"""The full screen: a board under the cursor and the mouse, with clocks, moves, variations and the win graph.

The game is played by the same `Session` (or on a server by `Online`) as in the line interface, in a thread of
its own, before a `Stage` in place of a `Screen`. What a key or a click means becomes the line that a person
would have typed. In reading order: `room` (whether the terminal allows it; imports no toolkit), `stage`,
`board`, `panels`, `questions`, `app`.
"""
