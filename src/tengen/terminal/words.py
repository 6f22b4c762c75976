"""Positions, moves and endings in sentences: for all at the end of a game, for screen readers always."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tengen import _core
from tengen.game import Game, Outcome, State
from tengen.games import kelasu
from tengen.games._grid import COLUMNS, GridGame

_PIECES = {"B": "blank", **dict(zip(kelasu.KINDS, kelasu.NAMES, strict=True))}


def number(value: float) -> str:
    """A score without a needless .0."""
    return f"{value:g}"


def count(amount: int, thing: str) -> str:
    return f"{amount} {thing}{'' if amount == 1 else 's'}"


def listed(words: Sequence[str]) -> str:
    """`4`, `4 and 6`, `4, 6 and 8`."""
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


def played(state: State, after: State, seat: int, text: str) -> str:
    """What a move did; the states are those before and after it."""
    game, name = state.game, state.game.seats[seat]
    if text == "pass":
        return f"{name} passes."
    if text == "end":
        return f"{name} ends the turn."
    if game.name == "go":
        assert isinstance(after, _core.Go9 | _core.Go19)
        taken = len(after.captured)
        return f"{name} plays {text}" + (f" and captures {count(taken, 'stone')}." if taken else ".")
    return f"{name} plays {text}."


def ending(game: Game, outcome: Outcome) -> str:
    """Who won and why, in one sentence."""
    if outcome.reason == "void":
        return "The game does not count."
    if outcome.winner is None:
        equal = "" if outcome.score is None else f", {_points(outcome)}"
        why = {
            "agreement": "by agreement",
            "repetition": "by repetition",
            "quiet": "after 64 quiet rounds",
            "stalemate": "by stalemate: the player to move can do nothing",
            "score": f"with equal points{equal}",
        }
        return f"The game is a draw {why.get(outcome.reason, f'({outcome.reason})')}."
    winner, loser = game.seats[outcome.winner], game.seats[1 - outcome.winner]
    why = {
        "resign": f"{loser} resigns",
        "time": f"{loser} has run out of time",
        "forfeit": f"{loser} has left",
        "capture": f"{loser} has lost a castle",
        "suicide": f"{loser}'s castle has no liberties",
        "victory-tiles": "all four victory tiles are taken",
        "no-stones": f"{loser} has no stone left",
        "no-pieces": f"{loser} has nothing but stones left",
    }
    if outcome.reason in why:
        return f"{winner} wins: {why[outcome.reason]}."
    if outcome.score is None:
        return f"{winner} wins ({outcome.reason})."
    if game.name == "great-kingdom":
        return f"{winner} wins on territory, {_points(outcome)}. {condition(game)}"
    return f"{winner} wins by {number(abs(outcome.score[0] - outcome.score[1]))}, {_points(outcome)}."


def _points(outcome: Outcome) -> str:
    assert outcome.score is not None
    return f"{number(outcome.score[0])} to {number(outcome.score[1])}"


def condition(game: Game) -> str:
    """What Blue needs in Great Kingdom (GK 6)."""
    lead = game.options["lead"]
    assert isinstance(lead, int)
    if lead == 0:
        return "Blue wins ties."
    return f"Blue needs {abs(lead)} more than Orange." if lead > 0 else f"Blue may be {-lead} behind."


def status(state: State) -> list[str]:
    """How it stands, a line each: what goes under a board."""
    game = state.game
    if isinstance(state, _core.GreatKingdom7 | _core.GreatKingdom9 | _core.GreatKingdom19):
        blue, orange = state.score()
        lines = [f"Territory: Blue {blue:.0f}, Orange {orange:.0f}. {condition(game)}"]
        if state.castles_left is not None:
            lines.append("Castles left: Blue {}, Orange {}.".format(*state.castles_left))
        if state.passes == 1 and state.outcome is None:
            lines.append(f"{game.seats[1 - state.to_move]} has passed: another pass ends the game.")
        return lines
    if isinstance(state, _core.Go9 | _core.Go19):
        black, white = state.prisoners
        komi = game.options["komi"]
        assert isinstance(komi, float)
        lines = [f"Captured: Black {black}, White {white}. Komi {number(komi)}."]
        if state.passes == 1 and state.outcome is None:
            lines.append(f"{game.seats[1 - state.to_move]} has passed: another pass stops play.")
        return lines
    if isinstance(state, _core.Kelasu):
        return kelasu_status(state)
    return []


def kelasu_status(state: _core.Kelasu) -> list[str]:
    """Energy, and what can act."""
    if state.outcome is not None:
        return []
    lines = [f"{state.game.seats[state.to_move]} has energy {state.energy}."]
    if state.stage == "choose":
        if movable := state.movable():
            lines.append(f"Can move: {runs(movable)}")
        merges = [
            f"={kind} ({kelasu.NAMES[i]}, {kelasu.COSTS[i]} blanks)"
            for i, kind in enumerate(kelasu.KINDS)
            if state.merge_targets(i)
        ]
        if merges:
            lines.append(f"Can merge: {', '.join(merges)}")
    return lines


def begun(state: State) -> str:
    """What a move of Kelasu that was begun still needs."""
    assert isinstance(state, _core.Kelasu)
    cells = state.legal_actions()
    if state.selected_from is not None:
        return f"{kelasu.cell_name(state.selected_from)} can go to {runs(cells)}. Where to?"
    assert state.merge_kind is not None
    name = kelasu.NAMES[state.merge_kind]
    if state.merge_target is None:
        return f"Where shall the {name} stand? It can be {runs(cells)}."
    left = kelasu.COSTS[state.merge_kind] - len(state.selected)
    return f"{count(left, 'more blank')} for the {name}: {runs(cells)}."


def runs(cells: Iterable[int]) -> str:
    """Cells of Kelasu, neighbours of a rank together: `B0-9 C3`."""
    found: list[list[int]] = []
    for cell in sorted(cells):
        if found and found[-1][-1] == cell - 1 and cell % kelasu.SIZE:
            found[-1].append(cell)
        else:
            found.append([cell])
    return " ".join(
        kelasu.cell_name(run[0]) + (f"-{run[-1] % kelasu.SIZE}" if len(run) > 1 else "") for run in found
    )


def moves(state: State) -> list[str]:
    """What may be played, a line each."""
    game, legal = state.game, state.legal_actions()
    if isinstance(state, _core.Kelasu):
        return _kelasu_moves(state) if state.stage == "choose" else [begun(state)]
    if isinstance(game, GridGame):
        lines = []
        for row in range(game.size):
            cells = [a for a in legal if a < game.pass_action and a // game.size == row]
            if cells:
                names = " ".join(COLUMNS[cell % game.size] for cell in cells)
                lines.append(f"Row {game.size - row:2}: {names}")
        if isinstance(state, _core.GreatKingdom7 | _core.GreatKingdom9 | _core.GreatKingdom19) and (
            losing := [a for a in legal if state.would_lose(a)]
        ):
            lines.append(f"Without liberties, so you would lose: {names_of(game, losing)}")
        return [*lines, "or pass"] if game.pass_action in legal else lines
    return [" ".join(game.format(state, [action]) for action in legal)]


def _kelasu_moves(state: _core.Kelasu) -> list[str]:
    lines = [f"{kelasu.cell_name(cell)} to {runs(state.targets(cell))}" for cell in state.movable()]
    for i, kind in enumerate(kelasu.KINDS):
        if targets := state.merge_targets(i):
            lines.append(f"={kind}: a {kelasu.NAMES[i]} from {kelasu.COSTS[i]} blanks, on {runs(targets)}")
    if kelasu.END_TURN in state.legal_actions():
        lines.append("end: end the turn here")
    return lines


def names_of(game: GridGame, cells: Iterable[int]) -> str:
    return " ".join(f"{COLUMNS[cell % game.size]}{game.size - cell // game.size}" for cell in sorted(cells))


def board(state: State) -> list[str]:
    """All pieces, row by row: what a screen reader reads instead of a drawing."""
    game = state.game
    cells = state.cells()
    lines = []
    for row in range(game.height):
        pieces: dict[int, list[int]] = {}
        for cell in range(row * game.width, (row + 1) * game.width):
            if cells[cell]:
                pieces.setdefault(cells[cell], []).append(cell)
        here = [f"{_piece(game, code)} {_where(game, where)}" for code, where in pieces.items()]
        if here:
            lines.append(f"{_row(game, row)}: {', '.join(here)}.")
    if not lines:
        return ["The board is empty."]
    if isinstance(state, _core.GreatKingdom7 | _core.GreatKingdom9 | _core.GreatKingdom19):
        assert isinstance(game, GridGame)
        territory = state.territory()
        for owner, name in enumerate(game.seats, start=1):
            if own := [cell for cell, who in enumerate(territory) if who == owner]:
                lines.append(f"{name}'s territory: {names_of(game, own)}.")
    return lines


def _row(game: Game, row: int) -> str:
    if isinstance(game, GridGame):
        return f"Row {game.size - row}"
    return f"Rank {kelasu.RANKS[row]}" if game.name == "kelasu" else f"Row {row + 1}"


def _where(game: Game, cells: Sequence[int]) -> str:
    if game.name == "kelasu":
        return runs(cells)
    columns = COLUMNS if isinstance(game, GridGame) else range(1, game.width + 1)
    return " ".join(str(columns[cell % game.width]) for cell in cells)


def _piece(game: Game, code: int) -> str:
    letter = game.letters[code]
    if game.name == "kelasu":
        return f"{game.seats[letter.islower()]} {_PIECES[letter.upper()]}"
    if isinstance(game, GridGame):
        return game.seats[code - 1] if code <= 2 else "neutral castle"
    return letter
