"""The rulebook's transcript, line for line, and what the rulebook forgot."""

from __future__ import annotations

from pathlib import Path

from tests.terminal.helpers import Terminal, run

# "Command-Line Interaction Example" of the rulebook: its blocks one after the other, with the real lock.
TRANSCRIPT = """\
Welcome to Dominion Duel!

Current Board:
[1] [2] [3] [4] [5] [6] [7] [8] [9]

Player 1 (X), it's your turn.
Enter the number of the territory you wish to claim:
> 5

You have claimed territory 5.
Territories 4 and 6 are now locked.

Current Board:
[1] [2] [3] [🔒] [X] [🔒] [7] [8] [9]

Player 2 (O), it's your turn.
Enter the number of the territory you wish to claim:
> 2

You have claimed territory 2.
Territories 1 and 3 are now locked.

Current Board:
[🔒] [O] [🔒] [🔒] [X] [🔒] [7] [8] [9]

Player 1 (X), it's your turn.
Enter the number of the territory you wish to claim:
> 8

You have claimed territory 8.
Territories 7 and 9 are now locked.

Current Board:
[🔒] [O] [🔒] [🔒] [X] [🔒] [🔒] [X] [🔒]

No more moves available.

Game Over!
Player 1 claimed territories: 5, 8
Player 2 claimed territories: 2
Winner: Player 1
"""


def test_transcript_through_a_pipe(tmp_path: Path) -> None:
    ran = run(tmp_path, "play", "dominion-duel", lines=["5", "2", "8"])
    assert ran == (TRANSCRIPT, "", 0)


def test_transcript_on_a_terminal(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "dominion-duel") as terminal:
        for claim in ("5", "2", "8"):
            terminal.expect("> ")
            terminal.send(claim)
        assert terminal.wait() == 0
        assert terminal.text == TRANSCRIPT


def test_ascii_terminal_shows_a_hash_for_the_lock(tmp_path: Path) -> None:
    ran = run(
        tmp_path,
        *("play", "dominion-duel"),
        lines=["5", "2", "8"],
        env={"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    )
    assert ran.out == TRANSCRIPT.replace("🔒", "#")


def test_wrong_entries_are_asked_again_without_ending_the_turn(tmp_path: Path) -> None:
    ran = run(tmp_path, "play", "dominion-duel", lines=["5", "4", "5", "0", "10", "five", "2"])
    prompt = "Enter the number of the territory you wish to claim:\n> "
    for entry, why in (
        ("4", "That territory is locked"),
        ("5", "That territory is already claimed"),
        ("0", "There is no territory 0; they go from 1 to 9."),
        ("10", "There is no territory 10; they go from 1 to 9."),
        ("five", "'five' is not the number of a territory."),
    ):
        asked = ran.out.split(f"{prompt}{entry}\n\n{why}")
        assert len(asked) == 2, entry
        assert asked[1].split("\n", 1)[1].startswith(prompt), "asked again, by the same words"
    assert ran.out.count("Player 2 (O), it's your turn.") == 1
    assert "You have claimed territory 2." in ran.out


def test_draw_is_announced(tmp_path: Path) -> None:
    ran = run(tmp_path, "play", "dominion-duel", lines=["2", "4", "6", "8"])
    assert ran.out.endswith(
        "Game Over!\nPlayer 1 claimed territories: 2, 6\nPlayer 2 claimed territories: 4, 8\n"
        "Draw: both players claimed the same number of territories.\n"
    )


def test_single_and_no_locks(tmp_path: Path) -> None:
    ran = run(tmp_path, "play", "dominion-duel", "--size", "3", lines=["1", "3"])
    assert "You have claimed territory 1.\nTerritory 2 is now locked.\n\nCurrent" in ran.out
    assert "You have claimed territory 3.\n\nCurrent" in ran.out


def test_perfect_machine_wins_from_the_first_seat(tmp_path: Path) -> None:
    ran = run(tmp_path, "play", "dominion-duel", "--first", "4", "--size", "3", "--seed", "1")
    assert "Player 1 (X) is level 4, Perfect." in ran.out
    assert "Player 1 has claimed territory 2.\nTerritories 1 and 3 are now locked." in ran.out
    assert ran.out.endswith("Winner: Player 1\n")
