"""Every game and every command through pipes; the board games on a pseudo-terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.games import game, games
from tengen.records import load_any
from tengen.terminal.commands import help_lines
from tests.terminal.helpers import PASSES, Ran, Terminal, run

MOVES = {"great-kingdom": "d4", "go": "d4", "kelasu": "b1-c1", "dominion-duel": "5"}
GAMES = list(MOVES)
HEADINGS = {
    "great-kingdom": "Great Kingdom 9x9",
    "go": "Go 19x19",
    "kelasu": "Kelasu",
    "dominion-duel": "Welcome",
}


@pytest.mark.parametrize("game", GAMES)
def test_every_command(game: str, tmp_path: Path) -> None:
    commands = ["help", "rules", "moves", "score", "board", "undo", MOVES[game], "undo", MOVES[game]]
    rest = [
        "hint",
        "save",
        "save game.json",
        "save nowhere/x.json",
        "save .",
        "save ~nobody-of-that-name/x.json",
        f"save {'x' * 300}.json",
        "save a\0b.json",
        "draw",
        "maybe",
        "n",
        "draw",
        "pas",
    ]
    ran = run(
        tmp_path, "play", game, lines=[*commands, *rest, "", "resign", "no", "resign", "yes", "never read"]
    )
    assert ran.err == "" and ran.code == 0
    for wanted in (
        "offer a draw",
        "\nOptions here:" if game != "dominion-duel" else "More claims win.",
        "There is no move of yours to take back.",
        "moves again.",
        "Try ",
        "To write it to a file",
        "Saved to game.json.",
        "Cannot write nowhere/x.json",
        ". is a folder: give the file a name.",
        "~nobody-of-that-name/x.json: there is no user of that name.",
        "x.json: File name too long.",
        "cannot be the name of a file.",
        "offers a draw",
        "Please answer yes or no.",
        "declines the draw.",
        "it can be offered again after the next move",
        "did you mean pass?",
        "wins: ",
    ):
        assert wanted in ran.out, wanted
    assert "never read" not in ran.out
    assert len(load_any(tmp_path / "game.json").final().actions) == (2 if game == "kelasu" else 1)


@pytest.mark.parametrize("game", GAMES)
def test_draw_that_is_accepted(game: str, tmp_path: Path) -> None:
    ran = run(tmp_path, "play", game, lines=[MOVES[game], "draw", "y"])
    assert ran.out.endswith("The game is a draw by agreement.\n") and ran.code == 0


@pytest.mark.parametrize("game", ["kelasu", "dominion-duel"])
def test_games_without_passing_say_so(game: str, tmp_path: Path) -> None:
    assert "There is no passing in" in run(tmp_path, "play", game, lines=["pass"]).out


@pytest.mark.parametrize("game", GAMES)
def test_plain_output_is_ascii_and_needs_no_drawing(game: str, tmp_path: Path) -> None:
    ran = run(tmp_path, "play", game, "--plain", lines=[MOVES[game], "board", "hint", "moves"])
    assert ran.out.isascii()
    if game != "dominion-duel":
        assert "A B C" not in ran.out.split("moves\n")[0] and "    0  1" not in ran.out


@pytest.mark.parametrize("game", GAMES)
def test_two_machines_to_watch(game: str, tmp_path: Path) -> None:
    size = {"go": ("--size", "5"), "great-kingdom": ("--size", "5")}.get(game, ())
    players = ("--first", "random", "--second", "1", "--seed", "3", "--save", "game.json")
    ran = run(tmp_path, "play", game, *size, *players)
    assert ran.code == 0 and ran.err == "The game is in game.json.\n"
    assert load_any(tmp_path / "game.json").result is not None
    assert ">" not in ran.out.replace("=", "").split("\n")[0], "nobody is asked"


@pytest.mark.parametrize("game", GAMES)
def test_on_a_terminal_against_a_level(game: str, tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", game, "--against", "1") as terminal:
        terminal.expect(HEADINGS[game])
        terminal.expect("> ")
        terminal.send(MOVES[game])
        terminal.expect("claimed" if game == "dominion-duel" else "plays")
        terminal.expect("> ")
        terminal.send("undo")
        terminal.expect("moves again.")
        terminal.send("quit")
        assert terminal.wait() == 0
        assert ("38;5;" in terminal.raw) == (game != "dominion-duel")
        assert all(len(line) <= 80 for line in terminal.text.split("\n"))


def test_who_has_lost_may_hear_where(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "great-kingdom", "--size", "5") as terminal:
        for move in ("b1", "a1", "e4", "d5", "a2"):
            terminal.expect("> ")
            terminal.send(move)
        terminal.expect("Blue wins: Orange has lost a castle.")
        terminal.expect("Shall the machine say where it was lost?")
        terminal.send("yes")
        terminal.expect("Until move 2 Orange's castles could be saved: ")
        assert terminal.wait() == 0


def test_no_color_is_respected(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "go", "--size", "9", NO_COLOR="1") as terminal:
        terminal.expect("Black> ")
        terminal.send("c3", "quit")
        assert terminal.wait() == 0
        assert "\x1b[3" not in terminal.raw and "(X)" in terminal.text and "●" not in terminal.text


def test_great_kingdom_shows_territory_and_asks_before_suicide(tmp_path: Path) -> None:
    moves = ["b1", "e5", "a2", "e4"]
    ran = run(tmp_path, "play", "great-kingdom", "--size", "5", "-o", "neutral=no", lines=[*moves])
    assert "Territory: Blue 1, Orange 0. Blue needs 3 more than Orange." in ran.out
    assert " 1 b B . . . 1" in ran.out
    moves = ["b1", "e5", "a2", "a1", "n", "a1", "y"]
    ran = run(tmp_path, "play", "great-kingdom", "--size", "5", lines=moves)
    assert ran.out.count("A castle there has no liberties: you would lose at once.") == 2
    assert ran.out.endswith("Blue wins: Orange's castle has no liberties.\n")


def test_great_kingdom_to_a_capture_and_to_a_count(tmp_path: Path) -> None:
    ran = run(tmp_path, "play", "great-kingdom", lines=["b1", "a1", "4e", "pass", "A 2"])
    assert ran.out.endswith("Blue wins: Orange has lost a castle.\n")
    ran = run(tmp_path, "play", "great-kingdom", lines=["pass", "p"])
    assert "Blue has passed: another pass ends the game." in ran.out
    assert "Orange wins on territory, 0 to 0. Blue needs 3 more than Orange.\n" in ran.out


BLUE = ["B4-C4; B5-C5; A4-B4; A5-B5", "C4-D4; C5-D5; B4-C4; B5-C5", "D4-E4; D5-E5; C4-D4; C5-D5"]
RED = ["I1-H1; I3-H3; I6-H6; I8-H8", "J1-I1; J3-I3; J6-I6; J8-I8", "H1-G1; H3-G3; H6-G6; H8-G8"]
LAST = "E4-F4; E5-F5; D4-E4; D5-E5"


def test_kelasu_to_a_win_with_whole_turns(tmp_path: Path) -> None:
    turns = [turn for both in zip(BLUE, RED, strict=True) for turn in both]
    ran = run(tmp_path, "play", "kelasu", lines=[*turns, LAST])
    assert ran.out.endswith("Blue wins: all four victory tiles are taken.\n")


def test_kelasu_to_a_win_with_one_action_at_a_time(tmp_path: Path) -> None:
    cells = [
        cell.strip()
        for both in zip(BLUE, RED, strict=True)
        for turn in both
        for cell in turn.lower().replace(";", "-").split("-")
    ]
    lines = [*cells[:2], "b5", "undo", "undo", *cells, *LAST.split("; ")]
    ran = run(tmp_path, "play", "kelasu", lines=lines)
    assert "B4 can go to C4. Where to?" in ran.out
    assert "Blue has energy 3." in ran.out
    assert ran.out.endswith("Blue wins: all four victory tiles are taken.\n")


def test_kelasu_merge_by_stages_shows_what_is_left(tmp_path: Path) -> None:
    turn = ["b3-c3; b4 to c4; b5–c5", "b6 c6", RED[0]]
    ran = run(tmp_path, "play", "kelasu", lines=[*turn, "=w", "c4", "moves", "c3", "score"])
    for wanted in (
        "Can merge: =W (warrior, 2 blanks), =R (runner, 4 blanks), =D (diplomat, 4 blanks)",
        "Where shall the warrior stand? It can be C3-6.",
        "1 more blank for the warrior: C3 C5.",
        "Blue plays =W C3+C4>C4.",
        "Blue has energy 2.",
        "Blue: 4 stones, 19 other pieces, 0 of 4 victory tiles.",
    ):
        assert wanted in ran.out, wanted


WALLS = ["b1", "c1", "b2", "c2", "b3", "c3", "b4", "c4", "b5", "c5", "pass", "a3", "pass", "pass"]


def go(tmp_path: Path, *lines: str, args: tuple[str, ...] = ()) -> Ran:
    return run(tmp_path, "play", "go", "--size", "5", *args, lines=lines)


def test_go_to_an_agreed_score(tmp_path: Path) -> None:
    ran = go(tmp_path, *WALLS, "help", "accept", "accept")
    assert " 3 # X O ~ ~ 3" not in ran.out, "the invader is marked, not taken off"
    assert " 3 o X O ~ ~ 3" in ran.out, "and suggested as dead"
    count = "Black: 5 (territory 5, lost 0)\nWhite: 15.5 (territory 10, lost 1, komi 6.5)\n"
    assert count + "Counted so, White wins by 10.5.\n" in ran.out
    assert ran.out.endswith("White wins by 10.5, 5 to 15.5.\n")


def test_go_marks_disagreement_and_resumption(tmp_path: Path) -> None:
    disagree = ["accept", "alive a3", "zz", "alive a3", "a1", "undo", "accept", "resume"]
    capture = ["a2", "pass", "a4", "pass", "pass"]
    ran = go(tmp_path, *WALLS, *disagree, *capture, "board", "accept", "accept")
    for wanted in (
        "White marks A3 as alive: both have to agree again.",
        "That is already marked so.",
        "Black marks A1 as neutral.",
        "'zz' is neither a point",
        "Black: 0 (territory 0, lost 0)",
        "Black agrees. White, do you?",
        "Play goes on. Black moves.",
        "Black plays A4 and captures 1 stone.",
        "Captured: Black 1, White 0.",
    ):
        assert wanted in ran.out, wanted
    assert ran.out.endswith("White wins by 12.5, 3 to 15.5.\n")


def test_machine_does_not_agree_to_lose_living_stones(tmp_path: Path) -> None:
    lines = ["pass", "c3", "g7", "accept", "moves", "c3", "g7", "accept"]
    args = ("--size", "9", "-o", "handicap=2", "--first", PASSES)
    ran = run(tmp_path, "play", "go", *args, lines=lines)
    refused, _, rest = ran.out.partition("Black (Passer) does not agree: change the marks, or resume play.")
    assert "Black: -2 (territory 0, lost 2)" in refused
    assert "Black (Passer) agrees." in rest
    assert rest.endswith("Black wins by 78.5, 79 to 0.5.\n")


def test_wrong_requests(tmp_path: Path) -> None:
    for args, sentence in (
        (("play", "chess"), "tengen: There is no game 'chess'; there are"),
        (("play", "go", "--size", "40"), "tengen: size must be a whole number from 2 to 19, not 40."),
        (("play", "go", "--against", "godzilla"), "tengen: 'godzilla' is no player"),
        (("play", "go", "--against", "level:11"), "tengen: go has levels 1 to 10, not 11."),
        (("play", "go", "--against", "gtp:no-such-program"), "tengen: Cannot start 'no-such-program'"),
        (("play", "go", "--save", "nowhere/game.sgf"), "tengen: Cannot write nowhere/game.sgf"),
        (("play", "chess", "--list"), "tengen: There is no game 'chess'; there are"),
        (("play", "go", "--save", "/proc/game.sgf"), "tengen: Cannot write /proc/game.sgf"),
        (("play", "--resume"), "tengen: There is no unfinished game to go on with."),
        (("play", "--resume", "--size", "9"), "tengen: --resume goes on with a game as it was set up"),
    ):
        ran = run(tmp_path, *args)
        assert ran.err.startswith(sentence), args
        assert (ran.out, ran.code, ran.err.count("\n")) == ("", 2, 1)


def test_menu(tmp_path: Path) -> None:
    ran = run(tmp_path, "play", lines=["9", "2", "x", "7", "12", "1", "d4", "quit"])
    assert "Please type a number from 1 to 4." in ran.out
    assert "Go 7x7: Black is you, White is level 1" in ran.out
    ran = run(tmp_path, "play", lines=["5", "quit"])
    assert "go on with the game that you left" in ran.out and "2 moves made" in ran.out
    assert run(tmp_path, "play", lines=["kelasu", "", "quit"]).out.count("Kelasu: Blue, Red.") == 1
    assert run(tmp_path, "play").code == 0
    for answers in (["quit"], ["go", "quit"], ["go", "9", "quit"]):
        ran = run(tmp_path, "play", lines=answers)
        assert (ran.code, "The " in ran.out) == (0, False), answers


def test_help_breaks_below_what_a_command_does() -> None:
    for name in games():
        for width in (30, 44, 80):
            lines = help_lines(game(name), width)
            assert all(len(line) <= width for line in lines)
            begins = [line for line in lines if line.startswith("  ") and line[2] != " "]
            assert len(begins) == len(help_lines(game(name), 200))
            below = {len(line) - len(line.lstrip()) for line in lines if line not in begins}
            assert below <= {min(14, width // 2)}
        assert any("SGF" in line for line in lines) == ("sgf" in game(name).records.formats)
