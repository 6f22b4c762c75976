"""What a player may want to know before a move: how it stands, what is good, what loses at once."""

from __future__ import annotations

from collections.abc import Sequence

from tengen import _core
from tengen.analysis import Analysis, analyse
from tengen.game import State
from tengen.terminal import words
from tengen.terminal.screen import Screen

HINT_SECONDS = 1.0


def standing(state: State) -> list[str]:
    """How it stands, for the command `score`."""
    game = state.game
    if isinstance(state, _core.Go9 | _core.Go19):
        from tengen.search.estimate import estimate_dead

        found = estimate_dead(state)
        black, white = state.score(found.dead, found.neutral)
        dead = words.count(len(found.dead), "stone")
        counted = f"Black {words.number(black)}, White {words.number(white)}"
        return [
            *words.status(state)[:1],
            f"An estimate, if play stopped now: {counted}, {dead} dead.",
        ]
    if isinstance(state, _core.Kelasu):
        return _armies(state)
    if isinstance(state, _core.ShortDominionDuel | _core.LongDominionDuel):
        first, second = state.score()
        return [f"Claims: {game.seats[0]} {first:.0f}, {game.seats[1]} {second:.0f}."]
    return words.status(state) or ["This game keeps no score."]


def _armies(state: _core.Kelasu) -> list[str]:
    from tengen.games.kelasu import VICTORY_TILES

    letters = [state.game.letters[code] for code in state.cells()]
    lines = []
    for seat, name in enumerate(state.game.seats):
        own = [letter for letter in letters if letter != "." and letter.islower() == bool(seat)]
        tiles = sum(letters[tile] != "." and letters[tile].islower() == bool(seat) for tile in VICTORY_TILES)
        stones = sum(letter in "Ss" for letter in own)
        lines.append(
            f"{name}: {words.count(stones, 'stone')}, {words.count(len(own) - stones, 'other piece')}, "
            f"{tiles} of 4 victory tiles."
        )
    return lines


def hint(state: State, screen: Screen) -> str:
    """What our search would play."""
    try:
        with screen.thinking("The machine"):
            found = analyse(state, HINT_SECONDS)
    except TypeError:  # a game written in Python, which the search does not know
        return f"There are no hints for {state.game.title}."
    return _hint_text(found) if found.moves else "No move stands out."


def _hint_text(found: Analysis) -> str:
    best = found.moves[0]
    if found.proven is not None:
        certain = {"win": "it wins for certain", "draw": "it draws for certain", "loss": "but all moves lose"}
        return f"Try {best.move}: {certain[found.proven]}."
    lead = ""
    if best.lead is not None:
        lead = f", {'ahead' if best.lead >= 0 else 'behind'} by {words.number(round(abs(best.lead), 1))}"
    others = words.listed([move.move for move in found.moves[1:3]])
    return f"Try {best.move} (wins {best.win:.0%}{lead})." + (f" Next best: {others}." if others else "")


def whole_moves(state: State, actions: Sequence[int]) -> list[list[int]]:
    """The whole moves that the actions begin with."""
    moves: list[list[int]] = []
    move: list[int] = []
    for action in actions:
        state = state.play(action)
        move.append(action)
        if not state.game.mid_move(state):
            moves.append(move)
            move = []
    return moves


def loses_at_once(state: State, actions: Sequence[int]) -> bool:
    """Whether a placement of Great Kingdom has no liberties (GK 3), which a player may not have meant."""
    kinds = _core.GreatKingdom7 | _core.GreatKingdom9 | _core.GreatKingdom19
    return isinstance(state, kinds) and state.would_lose(actions[0])


def confirm_loss(screen: Screen) -> bool:
    screen.say("A castle there has no liberties: you would lose at once.")
    return screen.confirm("Play it all the same?")
