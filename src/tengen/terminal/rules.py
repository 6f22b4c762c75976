"""The rules in short, as the terminal tells them. The whole of them is docs/rules/ in the source."""

from __future__ import annotations

from tengen.game import Game

_RULES = {
    "great-kingdom": """\
Blue and Orange take turns to place a castle on an empty cell, or pass. Blue begins.
Castles joined along the lines are a group; the empty cells beside it are its liberties.
Whoever takes the last liberty of an opposing group wins at once.
Whoever places a castle without liberties that captures nothing loses at once.
Empty cells that only one side's castles, the edges and the neutral castle (N) enclose are that side's
territory, unless they touch all four edges.
When both pass in a row, territory decides.""",
    "go": """\
Black and White take turns to place a stone on an empty point, or pass.
Stones joined along the lines are a chain; the empty points beside it are its liberties.
A chain without liberties is taken off the board. Your own may not be left without any.
A single stone that has just taken a single stone may not be taken back at once (ko).
When both pass in a row, play stops. Under territory scoring the players agree which stones are dead;
points are surrounded empty points minus stones lost. Under area scoring stones on the board count too.
White gets the komi on top.""",
    "kelasu": """\
Blue (upper case, top) and Red (lower case, bottom) move armies. Blue begins.
A turn has as much energy as you have stones (S). A move costs 1, a merge as much as its blanks; all
energy must be used, and each piece moves once a turn.
  B blank     one forward or sideways, never captures
  W warrior   one forward or sideways; captures diagonally forward too; returns from the far rank
  R runner    diagonally any distance; captures from two cells on
  D diplomat  one to three straight, never captures; converts a diagonal neighbour and leaves
  C champion  forward and back any distance, sideways up to three; does not capture backward
  G general   any distance in eight directions
Joined blanks beyond your own two home ranks that have not moved this turn can merge:
2 into a warrior, 4 runner, 4 diplomat, 5 champion, 10 general, 21 stone.
You win with a piece on each of the four victory tiles (:), or when your opponent has no stone, or
nothing but stones. The same position for the fourth time, 64 quiet rounds, or no move at all is a draw.""",
    "dominion-duel": """\
The players claim open territories in turn. A claim locks the open territories beside it for good.
The game ends when nothing is open. More claims win.
(The rulebook says that a tie is impossible. It is not: after 2, 4, 6 and 8 both have two.)""",
}


def rules(game: Game) -> list[str]:
    text = _RULES.get(game.name, f"{game.title} brings its own rules.")
    options = ", ".join(f"{name} {_value(value)}" for name, value in game.options.items())
    return [*text.split("\n"), *([f"Options here: {options}."] if options else [])]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
