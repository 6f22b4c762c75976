"""Games that were saved or left: opened, listed, chosen, and never written over."""

from __future__ import annotations

from pathlib import Path

import pytest

import tengen
from tengen.records import Record
from tengen.terminal.rules import rules
from tests.terminal.helpers import Terminal, run

SMALL = ("play", "great-kingdom", "--size", "5")


@pytest.mark.parametrize("file", ["game.json", "game.sgf"])
def test_a_saved_game_is_opened_and_played_on(tmp_path: Path, file: str) -> None:
    run(tmp_path, "play", "go", "--size", "5", "--save", file, lines=["c3", "b2", "quit"])
    ran = run(tmp_path, "play", "--open", file, "--save", "later.json", lines=["d4", "quit"])
    assert "2 moves made" in ran.out and "Black plays D4." in ran.out, ran
    assert [move.text for move in Record.load(tmp_path / "later.json").moves] == ["C3", "B2", "D4"]


def test_what_a_file_cannot_go_on_with_is_said(tmp_path: Path) -> None:
    (tmp_path / "broken.sgf").write_text("(;GM[1]SZ[5];B[cc];W[cc])")
    ran = run(tmp_path, "play", "broken.sgf", lines=["quit"])
    assert "1 move made" in ran.out
    assert "What comes after is left out: Move 2, 'C3': " in ran.out


def test_a_turn_of_several_moves_is_opened(tmp_path: Path) -> None:
    lines = ["b1-c1; b3-c3", "quit"]
    run(tmp_path, "play", "kelasu", "--save", "game.json", lines=lines)
    ran = run(tmp_path, "play", "game.json", "--against", "level:1", lines=["quit"])
    assert "Blue has energy 2." in ran.out


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("--open", "missing.sgf"), "missing.sgf"),
        (("missing.sgf",), "missing.sgf"),
        (("over.json", "--size", "5"), "leave out game, size and options"),
        (("--open", "over.json"), "is over"),
        (("go", "--open", "over.json"), "leave out game, size and options"),
        (("go", "--save", "over.json"), "over.json is there already: choose another name."),
    ],
)
def test_what_cannot_be_opened_or_saved_is_a_sentence(
    tmp_path: Path, words: tuple[str, ...], part: str
) -> None:
    state = tengen.game("dominion-duel", n=3).start()
    while state.outcome is None:
        state = state.play(state.legal_actions()[0])
    Record.from_state(state).save(tmp_path / "over.json")
    before = (tmp_path / "over.json").read_bytes()
    ran = run(tmp_path, "play", *words)
    assert ran.code == 2 and part in ran.err and ran.err.count("\n") == 1, ran
    assert (tmp_path / "over.json").read_bytes() == before


def test_games_that_were_left_are_listed_and_chosen(tmp_path: Path) -> None:
    assert "no unfinished games" in run(tmp_path, "play", "--list").err
    run(tmp_path, *SMALL, lines=["b2", "quit"])
    run(tmp_path, "play", "kelasu", "--against", "2", lines=["b1-c1", "quit"])
    listed = run(tmp_path, "play", "--list").out.splitlines()
    assert "Kelasu, person against level 2, 1 move" in listed[0] and "Great Kingdom 5x5" in listed[1]
    with Terminal(tmp_path, "play", "--resume") as terminal:
        terminal.expect("Number, 1 to 2")
        terminal.send("2")
        terminal.expect("Great Kingdom 5x5")
    assert "Kelasu" in run(tmp_path, "play", "--resume", lines=["quit"]).out, "a pipe gets the last one"


def test_the_menu_offers_a_neural_net(tmp_path: Path) -> None:
    ran = run(tmp_path, "play", lines=["great-kingdom", "net", "quit"])
    assert "\nOpponent: net\n" in ran.out, "a prompt is short: it would be broken inside a word"
    assert "or net for a neural net" in ran.out and "Orange is Neural net." in ran.out


def test_a_whole_move_takes_the_place_of_a_begun_one(tmp_path: Path) -> None:
    ran = run(tmp_path, "play", "kelasu", lines=["b1", "b8-c8", "b1", "z9", "c1", "quit"])
    assert "Blue plays B8-C8." not in ran.err and ran.out.count("Blue plays B8-C8.") == 1, ran
    assert ran.out.count("Blue plays B1-C1.") == 1, "what cannot be read leaves the begun move alone"


@pytest.mark.parametrize("name", tengen.games())
@pytest.mark.parametrize("width", [40, 80, 200])
def test_rules_fit_the_width(name: str, width: int) -> None:
    lines = rules(tengen.game(name), width)
    assert max(map(len, lines)) <= min(width, 100)


def test_rules_name_the_authors() -> None:
    assert "Lee Sedol" in " ".join(rules(tengen.game("great-kingdom")))
    assert "MaxTheFox" in " ".join(rules(tengen.game("kelasu")))


def test_discs_of_go_differ_by_shape(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "go", "--size", "5", LC_ALL="C.UTF-8") as terminal:
        for move in ("c3", "b2"):
            terminal.expect("> ")
            terminal.send(move)
        terminal.expect("White plays B2")
        terminal.expect("Black> ")
        assert "●" in terminal.text and "○" in terminal.text
