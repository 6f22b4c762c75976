"""The checks that strangers use on their games: ours pass them, and games with a fault do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tengen import Game, Outcome, PythonState, State, analyse
from tengen.testing import check_game
from tests.contract.cases import Case, each_case


@each_case
def test_our_own_games_pass(case: Case) -> None:
    check_game(case.make(), games=1, states=6)


class Taken(PythonState):
    """Three heaps of one: whoever takes the last one wins."""

    @property
    def outcome(self) -> Outcome | None:
        return None if any(self.board) else Outcome(1 - self.to_move, "last")

    def legal_actions(self) -> list[int]:
        return [cell for cell, code in enumerate(self.board) if code]

    def after(self, action: int) -> Taken:
        return self.moved(tuple(0 if cell == action else code for cell, code in enumerate(self.board)))


class Last(Game):
    name, title = "last", "Last"
    seats, reasons, letters = ("One", "Two"), ("last",), ".x"
    width, height, action_count = 3, 1, 3
    state_kind: type[PythonState] = Taken

    def start(self) -> State:
        return self.state_kind(self, (1, 1, 1))


def test_a_game_of_a_few_lines_passes() -> None:
    check_game(Last())


class Marking(PythonState):
    """The mover marks two cells, one after the other; whoever cannot loses."""

    begun: int | None = None

    @property
    def outcome(self) -> Outcome | None:
        full = self.begun is None and self.board.count(0) < 2
        return Outcome(1 - self.to_move, "full") if full else None

    def legal_actions(self) -> list[int]:
        return (
            [] if self.outcome else [c for c, code in enumerate(self.board) if not code and c != self.begun]
        )

    def key(self) -> object:
        return self.begun

    def after(self, action: int) -> Marking:
        if self.begun is None:
            return self.moved(self.board, self.to_move, begun=action)
        board = bytearray(self.board)
        board[self.begun] = board[action] = self.to_move + 1
        return self.moved(bytes(board), begun=None)


class Pairs(Game):
    name, title = "pairs", "Pairs"
    seats, reasons, letters = ("One", "Two"), ("full",), ".xo"
    width, height, action_count = 3, 3, 9

    def start(self) -> State:
        return Marking(self, bytes(9))

    def mid_move(self, state: State) -> bool:
        return isinstance(state, Marking) and state.begun is not None


def test_a_game_with_moves_of_two_actions_passes() -> None:
    game = Pairs()
    check_game(game)
    state = game.start()
    moves = game.look.moves(state)
    assert game.look.hand == "choices" and len(moves) == 72
    assert (moves[0].actions, moves[0].text, moves[0].cells) == ((0, 1), "A3-B3", (0, 1))
    assert game.table.begun_words(state.play(4)).endswith("goes on with one of A3 B3 C3 A2 C2 A1 B1 C1.")
    found = analyse(state, visits=200)
    assert len(found.moves[0].actions) == 2


def wrong_state(**members: Any) -> Game:
    return wrong_game(state_kind=_named("WrongState", Taken, members))


def wrong_game(**members: Any) -> Game:
    return _named("WrongGame", Last, members)()  # type: ignore[no-any-return]


def _named(name: str, base: type, members: dict[str, Any]) -> Any:
    """A class that pickle finds here."""
    globals()[name] = kind = type(base)(name, (base,), {"__module__": __name__, **members})
    return kind


FAULTS: dict[str, Callable[[], Game]] = {
    "ascending": lambda: wrong_state(legal_actions=lambda self: Taken.legal_actions(self)[::-1]),
    "until the end": lambda: wrong_state(legal_actions=lambda self: Taken.legal_actions(self) or [0]),
    "one of Game.reasons": lambda: wrong_game(reasons=("another",)),
    "first letter": lambda: wrong_game(letters="ox"),
    "below action_count": lambda: wrong_game(action_count=2),
    "reads .* back": lambda: wrong_game(parse=lambda self, state, text: [0]),
    "without colours": lambda: wrong_game(text=lambda self, state: "\x1b[1mboard"),
    "permutation": lambda: wrong_game(symmetries=2, action_map=lambda self, symmetry: (0, 0, 2)),
    "Equal histories": lambda: wrong_state(after=_forgetful),
    "Each letter is a piece": lambda: wrong_game(letters=".xy", look_kind=_Blind),
}


def _forgetful(self: Taken, action: int) -> Taken:
    new = Taken.after(self, action)
    self.board = new.board
    return new


class _Blind(Game.look_kind):  # type: ignore[misc, valid-type]
    pieces = ()


@pytest.mark.parametrize("words", FAULTS)
def test_a_fault_is_named(words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_game(FAULTS[words]())


def test_a_state_has_all_but_the_rules() -> None:
    state = Last().start()
    assert Last().format(state, [1]) == "2" and Last().parse(state, "2") == [1]
    assert Last().view(state.play(1)).last == (1,)
    assert state.encode().shape == (3, 1, 3)
    assert repr(state) == "<tengen.game('last').position('xxx', to_move=0): One to move after 0 actions>"
