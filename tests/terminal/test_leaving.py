"""Leaving a game in every way there is, and going on with it; what machines answer and when they give up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tengen
from tengen.match import Match, Occupant, Setup
from tengen.players import manners
from tengen.players.machine import SearchPlayer
from tengen.records import RecordError
from tengen.terminal import saving, session
from tengen.terminal.face import BoardFace
from tengen.terminal.screen import Screen
from tests.terminal.helpers import FullTerminal, Terminal, run

KEPT = "The game is kept: tengen play --resume goes on with it.\n"
MOVES = {"great-kingdom": "d4", "go": "d4", "kelasu": "b1-c1", "dominion-duel": "5"}


def kept(home: Path) -> list[Path]:
    return sorted((home / "data" / "tengen" / "unfinished").iterdir())


@pytest.mark.parametrize("game", MOVES)
def test_end_of_input_keeps_the_game_and_resume_goes_on(game: str, tmp_path: Path) -> None:
    left = run(tmp_path, "play", game, lines=[MOVES[game]])
    assert (left.err, left.code) == (KEPT, 0)
    back = run(tmp_path, "play", game, "--resume", lines=[MOVES[game], "resign", "yes"])
    assert "Welcome back" in back.out if game == "dominion-duel" else "1 move made" in back.out
    assert "wins: " in back.out and back.code == 0, "and the move that was made counts"
    assert kept(tmp_path) == [], "a game that has ended is not kept"


def test_nothing_is_kept_of_a_game_without_moves(tmp_path: Path) -> None:
    assert run(tmp_path, "play", "go", lines=["help", "quit"]).err == ""
    assert not (tmp_path / "data").exists()


def test_the_last_game_left_is_resumed_first(tmp_path: Path) -> None:
    run(tmp_path, "play", "go", "--size", "9", lines=["d4"])
    run(tmp_path, "play", "kelasu", lines=["b1-c1"])
    assert run(tmp_path, "play", "--resume").out.startswith("Kelasu")
    assert run(tmp_path, "play", "go", "--resume").out.startswith("Go 9x9")
    assert run(tmp_path, "play", "great-kingdom", "--resume").code == 2


@pytest.mark.parametrize("way", ["C", "D"])
def test_control_keys_on_a_terminal(way: str, tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "kelasu") as terminal:
        terminal.expect("Blue> ")
        terminal.send("b1-c1", "b3")
        terminal.expect("Where to?")
        terminal.expect("Blue> ")
        if way == "C":
            terminal.rests()
            terminal.interrupt()
        else:
            terminal.key(way)
        assert terminal.wait() == (130 if way == "C" else 0)
        assert terminal.text.endswith(KEPT) and "Traceback" not in terminal.text
    with Terminal(tmp_path, "play", "--resume") as terminal:
        terminal.expect("Blue has energy 3")
        terminal.send("quit")
        assert terminal.wait() == 0


@pytest.mark.parametrize("kind", [Terminal, FullTerminal])
def test_sigterm_keeps_the_game_and_the_terminal(kind: type[Terminal], tmp_path: Path) -> None:
    full = kind is FullTerminal
    with kind(tmp_path, "play", "go", "--size", "9") as terminal:
        terminal.expect("Press /" if full else "Black> ")
        terminal.expect("Leave" if full else "")
        terminal.send("C3\r" if full else "C3")
        terminal.expect("Black plays C3.")
        terminal.rests()
        terminal.terminate()
        assert terminal.wait() == 143
        assert terminal.text.endswith(KEPT) and "Traceback" not in terminal.text
        assert terminal.settings == terminal.given
        if full:
            for mode in ("?1049", "?1000", "?1003"):  # the other screen, and the mouse
                assert terminal.raw.rfind(f"\x1b[{mode}l") > terminal.raw.rfind(f"\x1b[{mode}h") >= 0, mode
    assert len(kept(tmp_path)) == 1


def test_interrupting_a_machine_that_thinks(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "go", "--size", "9", "--against", "mcts:50s") as terminal:
        terminal.expect("Black> ")
        terminal.send("c3")
        terminal.expect("is thinking...")
        terminal.interrupt()
        assert terminal.wait() == 130
        assert terminal.text.endswith(KEPT)
    assert len(kept(tmp_path)) == 1


def test_end_of_input_while_a_machine_thinks_waits_for_the_prompt(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "go", "--size", "9", "--against", "mcts:1s") as terminal:
        terminal.expect("Black> ")
        terminal.send("c3")
        terminal.expect("is thinking...")
        terminal.key("D")
        assert terminal.wait() == 0
        assert terminal.text.endswith(KEPT)
        assert terminal.settings == terminal.given, "the terminal is given back as it was"


def test_folder_that_cannot_be_written_does_not_stop_the_game(tmp_path: Path) -> None:
    env = {"XDG_DATA_HOME": "/dev/null/nowhere"}
    ran = run(tmp_path, "play", "dominion-duel", "--size", "3", lines=["1", "3"], env=env)
    assert ran.err.count("The game cannot be resumed if you leave it.") == 1
    assert "Draw:" in ran.out and ran.code == 0


def test_damaged_file_is_one_sentence(tmp_path: Path) -> None:
    run(tmp_path, "play", "go", lines=["d4"])
    (path,) = kept(tmp_path)
    whole = path.read_text()
    for damage, sentence in (
        (whole[:-40], "is damaged and cannot be played on."),
        (whole.replace("D4", "D5"), "cannot be played on: Event 1 is not what follows"),
        (
            whole.replace('"version": 1', '"version": 9'),
            "is not an unfinished game of this version of tengen.",
        ),
    ):
        path.write_text(damage)
        ran = run(tmp_path, "play", "--resume")
        assert sentence in ran.err and ran.err.count("\n") == 1 and ran.code == 2


def test_unfinished_game_with_an_agreement_goes_on_in_it(tmp_path: Path) -> None:
    run(tmp_path, "play", "go", "--size", "5", lines=["c3", "pass", "pass", "c3"])
    back = run(tmp_path, "play", "--resume", lines=["accept", "accept"])
    assert back.out.endswith("White wins by 7.5, -1 to 6.5.\n"), "the mark that was made still stands"


def test_draw_offers_to_a_machine(tmp_path: Path) -> None:
    lost = run(tmp_path, "play", "dominion-duel", "--against", "4", lines=["5", "draw"])
    assert lost.out.endswith("The game is a draw by agreement.\n")
    won = run(tmp_path, "play", "dominion-duel", "--first", "4", lines=["draw"])
    assert "Player 1 (level 4, Perfect) declines the draw." in won.out


def test_machine_resigns_go_when_it_is_hopeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Hopeless:
        win = 0.01
        lead = -20.0

    def hopeless(*args: Any, **budget: Any) -> Hopeless:
        return Hopeless()

    monkeypatch.setattr(manners, "analyse", hopeless)
    game = tengen.game("go", size=5)
    match = Match(Setup(game, (Occupant("a", "machine"), Occupant("b", "machine")), agreement=True))
    players = (SearchPlayer(visits=4), SearchPlayer(visits=4))
    screen = Screen()
    face = BoardFace(screen, game.seats, ("a", "b"))
    session.Session(match, players, ("mcts:4", "mcts:4"), screen, face, tmp_path / "game.json").run()
    assert match.outcome is not None and match.outcome.reason == "resign"
    assert len(match.line) >= manners.RESIGN_FROM * 25


def test_loading_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("[]")
    with pytest.raises(RecordError, match=r"game\.json is damaged"):
        saving.load(path)
