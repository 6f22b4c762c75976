"""Games and positions as the server describes them, those of other distributions included."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import tengen
from tengen.game import OptionValue
from tengen.server import protocol as p
from tengen.server.errors import Refusal
from tengen.server.games import choices, game_info, game_infos, told_view, view_of
from tengen.server.matches import places
from tests.contract.tic_tac_toe import TicTacToe


class Listed(TicTacToe):
    """One whose actions are not its cells, as far as a client can tell."""

    name = "listed"
    action_count = 10


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two games that an installer has put beside ours."""
    monkeypatch.syspath_prepend(str(tmp_path))
    info = tmp_path / "some_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-games\nVersion: 1.0\n")
    points = "tic-tac-toe = tests.contract.tic_tac_toe:TicTacToe\nlisted = tests.server.test_games:Listed\n"
    (info / "entry_points.txt").write_text(f"[tengen.games]\n{points}")
    game_info.cache_clear()
    yield
    game_info.cache_clear()


@pytest.mark.usefixtures("plugins")
def test_a_game_of_another_distribution_is_described_like_ours() -> None:
    found = {info.name: info for info in game_infos()}
    assert list(found)[-2:] == ["listed", "tic-tac-toe"]
    info = found["tic-tac-toe"]
    assert not info.built_in and not info.passes and not info.counted and not info.agreement
    assert info.formats == ["json"]
    assert [(piece.letter, piece.name, piece.seat) for piece in info.look.pieces] == [
        ("X", "Crosses", 0),
        ("O", "Noughts", 1),
    ]
    assert info.look.hand == "place" and found["listed"].look.hand == "choices"


def test_our_games_say_what_a_client_must_not_guess() -> None:
    found = {info.name: info for info in game_infos()}
    assert [name for name, info in found.items() if info.counted] == ["great-kingdom", "go"]
    assert [name for name, info in found.items() if info.agreement] == ["go"]
    assert all(info.built_in and info.training for info in found.values())
    assert [info.name for info in found.values() if info.gtp] == ["go"]
    assert [name for name, info in found.items() if "sgf" in info.formats] == ["great-kingdom", "go"]
    assert {info.look.hand for name, info in found.items() if name != "kelasu"} == {"place"}
    pieces = {piece.letter: piece.seat for piece in found["great-kingdom"].look.pieces}
    assert pieces == {"B": 0, "O": 1, "N": None}


def test_whole_moves_are_listed_where_the_hand_chooses_among_them() -> None:
    state = Listed().start()
    state = state.play(4)
    found = choices(state)
    assert [(move.actions, move.text, move.cells) for move in found[:2]] == [
        ([0], "a3", [0]),
        ([1], "b3", [1]),
    ]
    assert len(found) == 8
    assert choices(TicTacToe().start()) == []
    for cell in (0, 1, 2, 7):
        state = state.play(cell)
    assert state.outcome is not None and choices(state) == []


GO: dict[str, OptionValue] = {"size": 5, "scoring": "territory"}
PASS = 25


def test_a_line_tells_resumptions_as_such() -> None:
    place = p.Place("go", GO, moves=[[PASS], [PASS], [3]], resumptions=[(2, 1)])
    line = places.line(place).positions
    assert [(one.text, one.seat, one.resumed) for one in line] == [
        ("", None, None),
        ("pass", 0, None),
        ("pass", 1, None),
        ("resume White", None, 1),
        ("D5", 1, None),
    ]
    older = p.Place("go", GO, moves=[[PASS], [PASS], [-2], [3]])
    assert places.line(older) == places.line(place)


@pytest.mark.parametrize("resumptions", [[(3, 0)], [(-1, 0)], [(2, 2)], [(0, 0)], [(2, 0), (1, 0)]])
def test_resumptions_that_make_no_sense_are_refused(resumptions: list[tuple[int, int]]) -> None:
    with pytest.raises(Refusal):
        places.line(p.Place("go", GO, moves=[[PASS], [PASS]], resumptions=resumptions))
    with pytest.raises(Refusal):
        places.line(p.Place("dominion-duel", moves=[[0]], resumptions=[(1, 0)]))


def test_candidate_lines_carry_actions() -> None:
    state = tengen.game("kelasu").start()
    found = tengen.analyse(state, visits=200)
    best = found.moves[0]
    assert best.line_actions[0] == best.actions and len(best.line_actions) == len(best.line)
    for text, actions in zip(best.line, best.line_actions, strict=True):
        assert state.game.format(state, actions) == text
        for action in actions:
            state = state.play(action)


@pytest.mark.parametrize(
    "game",
    [*(tengen.game(name) for name in tengen.games()), tengen.game("go", size=19), TicTacToe()],
    ids=str,
)
def test_a_position_that_is_told_is_its_view(game: tengen.Game) -> None:
    rng, state = random.Random(1), game.start()
    while True:
        assert msgspec.json.decode(told_view(state)) == msgspec.json.decode(
            msgspec.json.encode(view_of(state))
        )
        if state.outcome is not None:
            break
        state = state.play(rng.choice(state.legal_actions()))
