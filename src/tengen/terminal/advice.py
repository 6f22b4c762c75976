"""What a player may want to know: what is good, what loses at once, and after a game why it was lost."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from tengen.analysis import Analysis, analyse
from tengen.facets.words import listed, number
from tengen.game import IllegalAction, NotationError, Outcome, State
from tengen.kata import KataError
from tengen.line import whole_moves
from tengen.terminal.screen import Screen
from tengen.turning import turning_point

HINT_SECONDS = 1.0


def hint(state: State, screen: Screen) -> str:
    """What the strongest search that there is would play."""
    with screen.thinking("The machine"):
        try:
            found, trouble = analyse(state, HINT_SECONDS, engine="auto"), ""
        except KataError as error:
            found, trouble = analyse(state, HINT_SECONDS), f"{error} "
    return trouble + (_hint_text(found) if found.moves else "No move stands out.")


def _hint_text(found: Analysis) -> str:
    best = found.moves[0]
    if found.proven is not None:
        certain = {"win": "it wins for certain", "draw": "it draws for certain", "loss": "but all moves lose"}
        return f"Try {best.move}: {certain[found.proven]}."
    lead = ""
    if best.lead is not None:
        lead = f", {'ahead' if best.lead >= 0 else 'behind'} by {number(round(abs(best.lead), 1))}"
    others = listed([move.move for move in found.moves[1:3]])
    return f"Try {best.move} (wins {best.win:.0%}{lead})." + (f" Next best: {others}." if others else "")


def why(state: State, outcome: Outcome, screen: Screen) -> str:
    """Why the loser of the game that led to the state has lost it."""
    if outcome.winner is None:
        return "Nobody has lost this game."
    if not state.actions:
        return "No move has been made."
    with screen.thinking("The machine"):
        found = turning_point(state, 1 - outcome.winner)
    return state.game.table.turning_words(found, outcome)


def read_turn(state: State, pending: list[int], text: str) -> tuple[list[int], list[int]]:
    """What a line adds to a move that was begun: the begun part, and the actions of the line.

    A whole move takes the place of what was begun where it does not go on with it. Raises NotationError or
    IllegalAction.
    """
    at = state
    for action in pending:
        at = at.play(action)
    try:
        return pending, state.game.parse(at, text)
    except (NotationError, IllegalAction):
        if not pending:
            raise
        with contextlib.suppress(NotationError, IllegalAction):
            actions = state.game.parse(state, text)
            if any(True for _ in whole_moves(state, actions)):
                return [], actions
        raise


def means_to(state: State, actions: Sequence[int], screen: Screen) -> bool:
    """Whether the person really wants that move, asked where it loses at once."""
    warning = state.game.table.loses_at_once(state, actions)
    if not warning:
        return True
    screen.say(warning)
    return screen.confirm("Play it all the same?")
