"""Players by their names, and the arena that measures them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import tengen
from tengen.arena import GAMES_FILE, Arena, GameResult, Standings, opening
from tengen.brains.store import BrainStore
from tengen.brains.strongest import strongest_search
from tengen.game import State
from tengen.players import PlayerError, make_player, manners
from tengen.players.engine import engine
from tengen.records import Record
from tengen.records.gtp import find_program
from tests.brains.make import tiny_brain


@pytest.mark.parametrize("name", tengen.games()[:4])
@pytest.mark.parametrize("text", ["level:1", "2", "random", "mcts:30", "mcts:0.05s"])
def test_every_player_makes_whole_legal_moves(name: str, text: str) -> None:
    game = tengen.game(name, **({"size": 5} if name in ("go", "great-kingdom") else {}))
    player = make_player(text, game, seed=3)
    state = game.start()
    for _ in range(6):
        if state.outcome is not None:
            break
        actions = player.choose(state)
        assert actions
        for action in actions:
            state = state.play(action)
        assert not game.mid_move(state)
    player.close()


@pytest.mark.parametrize(
    "text", ["", "level", "level:0", "level:x", "mcts:0", "mcts:-1s", "mcts:", "flat:0", "fish"]
)
def test_names_that_mean_nothing(text: str) -> None:
    with pytest.raises(tengen.InvalidOption):
        make_player(text, tengen.game("go"))


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(PlayerError):
        make_player("gtp:no-such-program --mode gtp", tengen.game("go", size=9))


def test_openings_are_varied_and_repeatable() -> None:
    game = tengen.game("go", size=9)
    seen = {opening(game, seed).actions for seed in range(6)}
    assert len(seen) > 2
    assert opening(game, 4) == opening(game, 4)


def test_arena_swaps_colours_and_goes_on(tmp_path: Path) -> None:
    game = tengen.game("great-kingdom", size=5)
    arena = Arena(game, "mcts:60", "random", folder=tmp_path, workers=2)
    standings = arena.run(6)
    assert standings.games == 6 and standings.by_seat(0)[1] == standings.by_seat(1)[1] == 3
    assert standings.score > 0.5
    lines = (tmp_path / GAMES_FILE).read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    pairs: dict[int, set[str]] = {}
    for row in rows:
        record = Record.from_json(json.dumps(row["record"]))
        assert record.result is not None
        first = " ".join(move.text for move in record.moves[:2])
        pairs.setdefault(row["number"] // 2, set()).add(first)
    assert all(len(openings) == 1 for openings in pairs.values())

    (tmp_path / GAMES_FILE).write_text("\n".join(lines[:4]) + '\n{"number": 5, "cut o')
    again = Arena(game, "mcts:60", "random", folder=tmp_path)
    counts: list[int] = []
    assert again.run(8, lambda s: counts.append(s.games)).games == 8
    assert counts == [5, 6, 7, 8]


def test_a_folder_belongs_to_one_match(tmp_path: Path) -> None:
    game = tengen.game("dominion-duel")
    Arena(game, "level:4", "random", folder=tmp_path).run(2)
    with pytest.raises(ValueError, match=r"another match, with a level:4 by tengen .* and not level:3 by"):
        Arena(game, "level:3", "random", folder=tmp_path).run(2)
    with pytest.raises(ValueError, match="another match, with options "):
        Arena(tengen.game("dominion-duel", n=7), "level:4", "random", folder=tmp_path).run(2)


def test_games_of_another_engine_are_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tengen.game("dominion-duel")
    Arena(game, "level:4", "random", folder=tmp_path).run(2)
    rows = (tmp_path / GAMES_FILE).read_text()
    assert all(json.loads(row)["players"][0].startswith("level:4 by tengen ") for row in rows.splitlines())
    (tmp_path / GAMES_FILE).write_text(rows.replace("by tengen ", "by an older tengen "))
    with pytest.raises(ValueError, match="games of other players"):
        Arena(game, "level:4", "random", folder=tmp_path).run(2)
    monkeypatch.setattr("tengen.players.identity.engine", lambda: "tengen 99")
    with pytest.raises(ValueError, match="and not level:4 by tengen 99"):
        Arena(game, "level:4", "random", folder=tmp_path).run(2)


@pytest.mark.parametrize("row", ["null", "[]", "{}", '{"record": {}, "players": [], "more": 1}'])
def test_a_list_of_something_else_is_a_sentence(row: str, tmp_path: Path) -> None:
    game = tengen.game("dominion-duel")
    Arena(game, "level:4", "random", folder=tmp_path).run(2)
    (tmp_path / GAMES_FILE).write_text(f"{row}\n")
    with pytest.raises(ValueError, match="is not a list of games: choose another folder"):
        Arena(game, "level:4", "random", folder=tmp_path).run(2)


def test_fewer_games_than_there_are(tmp_path: Path) -> None:
    game = tengen.game("dominion-duel")
    assert Arena(game, "level:4", "random", folder=tmp_path).run(6).games == 6
    assert Arena(game, "level:4", "random", folder=tmp_path).run(4).games == 4


def test_another_brain_under_the_same_name_is_another_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`latest` is a name; what it stands for may change between two runs, and while one goes on."""
    game = tengen.game("dominion-duel")
    store = BrainStore(tmp_path / "brains")
    monkeypatch.setattr("tengen.brains.store.data_folder", lambda: tmp_path / "brains")
    store.set_latest(game, store.import_(tiny_brain(game, 1)).path)
    arena = Arena(game, "brain:latest@2", "random", folder=tmp_path / "games")
    assert arena.run(2).games == 2
    store.set_latest(game, store.import_(tiny_brain(game, 2, games=7)).path)
    with pytest.raises(ValueError, match="brain:latest@2 has become another brain"):
        arena.run(4)
    with pytest.raises(ValueError, match="another match, with a brain "):
        Arena(game, "brain:latest@2", "random", folder=tmp_path / "games").run(2)


def test_perfect_dominion_never_loses(tmp_path: Path) -> None:
    standings = Arena(tengen.game("dominion-duel"), "level:4", "level:1", folder=tmp_path).run(40)
    assert all(result.score == 1.0 for result in standings.results if result.a_seat == 0)
    assert standings.by_seat(1)[0] > 5  # the second player can only draw, when the first lets it


def test_elo() -> None:
    even = Standings([GameResult(i, i % 2, float(i % 2), "score", 1) for i in range(100)])
    elo, low, high = even.elo()
    assert elo == 0 and -80 < low < 0 < high < 80
    won = Standings([GameResult(i, i % 2, 1.0, "score", 1) for i in range(20)])
    elo, low, high = won.elo()
    assert elo == math.inf and 200 < low < math.inf and high == math.inf
    assert won.to_json()["elo"] is None and json.dumps(won.to_json())
    three_quarters = Standings([GameResult(i, 0, float(i % 4 > 0), "score", 1) for i in range(400)])
    assert round(three_quarters.elo()[0]) == 191


@pytest.mark.skipif(find_program("gnugo") is None, reason="NOT TESTED WITH GNU GO: apt-get install gnugo")
def test_a_real_program_in_the_arena(tmp_path: Path) -> None:
    game = tengen.game("go", size=9, scoring="area", komi=7.5)
    standings = Arena(game, "mcts:30", "gtp:gnugo --mode gtp --level 1", folder=tmp_path, workers=2).run(2)
    assert standings.games == 2 and set(standings.reasons()) <= {"score", "resign"}


def test_a_program_that_dies_forfeits(tmp_path: Path) -> None:
    liar = tmp_path / "liar"
    liar.write_text("#!/bin/sh\nread a; echo '= 2'; echo; read b; echo '= liar'; echo; sleep 0.1; exit 3\n")
    liar.chmod(0o755)
    game = tengen.game("go", size=9)
    try:
        standings = Arena(game, "random", f"gtp:{liar}", folder=tmp_path / "games").run(2)
    except PlayerError:
        return  # it died during the handshake already, which is told at once
    assert standings.reasons() == {"forfeit": 2} and standings.score == 1.0
    assert standings.by_reason() == {"forfeit": 1.0}


@pytest.mark.parametrize(
    ("resigns", "setting", "given_up"), [(True, "1", True), (True, "0", False), (False, "1", False)]
)
def test_gtp_resigns_what_is_hopeless_unless_told_not_to(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    resigns: bool,
    setting: str,
    given_up: bool,
) -> None:
    class Hopeless:
        win, lead = 0.01, -20.0

    monkeypatch.setattr(manners, "analyse", lambda *_, **__: Hopeless())
    monkeypatch.setenv("TENGEN_RESIGN", setting)
    talk = engine(tengen.game("go", size=5), level=1, visits=4, resigns=resigns)
    for number in range(16):
        talk.handle(f"genmove {'bw'[number % 2]}")
    assert ("resign" in capsys.readouterr().out) == given_up


def test_visits_over_gtp_are_of_the_strongest_search(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def searched(state: State, *, seed: int = 0) -> object:
        asked.append(strongest_search(state, seed=seed))
        return asked[-1]

    monkeypatch.setattr("tengen.players.engine.strongest_search", searched)
    engine(tengen.game("go", size=9), visits=4).handle("genmove b")
    assert [search.by for search in asked] == ["brain"]
    assert capsys.readouterr().out.startswith("= ")


def test_who_is_asked_to_begin_over_gtp_was_not_passed_to(capsys: pytest.CaptureFixture[str]) -> None:
    """Under area scoring a pass after a pass would win by komi."""
    talk = engine(tengen.game("go", size=9, scoring="area", komi=6.5), visits=4)
    for line in ("genmove w", "set_position b e5 w c3", "genmove w"):
        talk.handle(line)
    answers = [line for line in capsys.readouterr().out.splitlines() if line]
    assert "= pass" not in answers and len(answers) == 3


def test_a_question_over_gtp_is_not_given_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tengen.players.engine.gives_up", lambda *_: True)
    talk = engine(tengen.game("go", size=5), visits=4)
    for line in ("reg_genmove b", "genmove b"):
        talk.handle(line)
    asked, played = [line for line in capsys.readouterr().out.splitlines() if line]
    assert asked != "= resign" and played == "= resign"


@pytest.mark.parametrize(
    ("win", "lead", "lost"),
    [
        (0.015, -9.0, True),
        (0.015, -8.5, False),
        (0.05, -9.0, False),
        (0.05, -27.0, True),
        (0.09, -70.0, True),
        (0.11, -70.0, False),
        (0.01, 30.0, False),
        (0.015, None, True),
    ],
)
def test_the_further_behind_the_sooner_it_is_lost(win: float, lead: float | None, lost: bool) -> None:
    assert manners.is_lost(win, lead, width=9) == lost
