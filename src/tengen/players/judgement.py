"""What a machine thinks of its chances, beside its moves: whether to agree to a draw, when to give up."""

from __future__ import annotations

from tengen import _core
from tengen.analysis import analyse
from tengen.game import State, restore
from tengen.players.machine import SearchPlayer
from tengen.players.player import Player

JUDGE_VISITS = 400
DRAW_BELOW = 0.45  # a machine that thinks less of its chances agrees to a draw
RESIGN_BELOW = 0.03  # of the win rate, at this turn and the two before
RESIGN_FROM = 0.25  # of the points played; earlier estimates say little


def agrees_to_draw(state: State, seat: int) -> bool:
    try:
        found = analyse(state, visits=JUDGE_VISITS)
    except TypeError:  # a game that the search does not know
        return False
    chances = found.win if found.to_move == seat else 1 - found.win
    return found.proven == "draw" or chances < DRAW_BELOW


def gives_up(player: Player, state: State) -> bool:
    """Whether the player to move should resign: our search does in Go, when it has been hopeless for a while.

    In the other games an end is near or a turn can change everything; programs resign by themselves.
    """
    if not isinstance(player, SearchPlayer) or not isinstance(state, _core.Go9 | _core.Go19):
        return False
    if len(state.actions) < RESIGN_FROM * len(state.cells()):
        return False
    return all(_is_hopeless(state, back) for back in (0, 2, 4))


def _is_hopeless(state: State, back: int) -> bool:
    before = restore(state.game, state.origin, state.actions[: len(state.actions) - back])
    if before.outcome is not None or before.to_move != state.to_move:
        return False
    return analyse(before, visits=JUDGE_VISITS).win < RESIGN_BELOW
